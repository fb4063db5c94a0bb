"""What changes between the base and the head of a pull request: for the policy, for running jobs, for people."""
