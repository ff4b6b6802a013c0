"""CSV, for spreadsheets: the one writer of every table that the program exports."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """The rows, the names of their columns first; a row of nothing is an empty line."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
