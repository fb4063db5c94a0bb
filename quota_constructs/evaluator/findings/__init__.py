"""What is wrong with an arrangement, as data: a rule, a place, a reason with numbers, a way out."""
