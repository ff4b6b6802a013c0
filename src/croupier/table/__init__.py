"""The table: commands in, events out, what each viewer may see, and what a finished round pays."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.table.conduct import run
    from croupier.table.double_entry import entries
    from croupier.table.engine import decide, evolve, fold
    from croupier.table.house import next_duty
    from croupier.table.state import new_table
    from croupier.table.views import Viewer, view

__all__ = [
    "Viewer",
    "decide",
    "entries",
    "evolve",
    "fold",
    "new_table",
    "next_duty",
    "run",
    "tell",
    "view",
]

# Whoever only settles a finished round does not wait for the whole engine to load.
_LATER = {
    "Viewer": "croupier.table.views",
    "decide": "croupier.table.engine",
    "entries": "croupier.table.double_entry",
    "evolve": "croupier.table.engine",
    "fold": "croupier.table.engine",
    "new_table": "croupier.table.state",
    "next_duty": "croupier.table.house",
    "run": "croupier.table.conduct",
    "view": "croupier.table.views",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'croupier.table' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
