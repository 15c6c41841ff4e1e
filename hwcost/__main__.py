"""`python -m hwcost`."""

import sys

from hwcost.cli import main

if __name__ == "__main__":
    sys.exit(main())
