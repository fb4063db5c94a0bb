"""The evaluator's front door: read a template, run traces against it, judge the outcome."""
