"""`python -m exercises`: see `exercises.cli`."""

import sys

from exercises.cli import main

sys.exit(main())
