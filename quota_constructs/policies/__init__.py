"""Typed policies: the vocabulary that the constructs and the evaluator share. Plain values, no dependencies."""
