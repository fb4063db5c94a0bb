"""How fast, how big, against what. Never part of the test run: `python -m benchmarks`."""
