"""The offline evaluator: reads what was synthesized and says what it will do. Needs no Node and no network."""
