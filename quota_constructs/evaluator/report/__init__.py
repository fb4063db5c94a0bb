"""What people and machines get to see: tables for a terminal, JSON for everything else."""
