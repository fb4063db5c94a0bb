"""What the exit codes mean."""

GOOD = 0
FOUND_ERRORS = 1
BAD_INPUT = 2
OUR_FAULT = 3
INTERRUPTED = 130
"""128 + SIGINT, as a shell reports it."""

BROKEN_PIPE = 141
"""128 + SIGPIPE, as a shell reports it."""

HELP = """\
exit codes:
  0  done, and no error was found
  1  check found errors, review new ones, live drift or live preflight anything
  2  the input or the command line cannot be used
  3  a fault of quota-constructs itself; QUOTA_CONSTRUCTS_DEBUG=1 shows where
"""
