"""`python -m lanes`: see `lanes.cli`."""

import sys

from lanes.cli import main

sys.exit(main())
