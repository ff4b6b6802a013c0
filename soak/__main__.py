"""``python -m soak``: one seed, or one after the other until the time is up."""

import os
import sys

# The order of a set of names must be the same tomorrow, or no seed could be played again.
if os.environ.get("PYTHONHASHSEED") != "0":
    os.execve(
        sys.executable,
        [sys.executable, "-m", "soak", *sys.argv[1:]],
        {**os.environ, "PYTHONHASHSEED": "0"},
    )

from soak.cli import main

raise SystemExit(main())
