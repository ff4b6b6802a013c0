"""Machine-readable output: the options ``--json`` and ``--csv`` of every command, encoded once.

Whoever reads these holds on to their keys and columns, so they come from the structs that a command
found; what people read is drawn from blocks (``documents/blocks.py``), and may change.
"""

from __future__ import annotations

import json
from typing import Annotated

from cyclopts import Parameter

AsJson = Annotated[bool, Parameter(name="--json", negative="")]
AsCsv = Annotated[bool, Parameter(name="--csv", negative="")]


def print_json(document: object) -> None:
    """One document, on one line."""
    print(json.dumps(document))


def print_csv(text: str) -> None:
    """What ``facts/csv_text.py`` wrote, whose last line ends already."""
    print(text, end="")
