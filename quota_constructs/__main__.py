"""Let `python -m quota_constructs` do what the command `quota-constructs` does."""

import sys

from quota_constructs.cli import main

if __name__ == "__main__":
    sys.exit(main())
