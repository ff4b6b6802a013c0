"""``python -m tests.docs.bring THING``: put what a page of the docs tells of into this folder."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from tests.audit.log.log_files import bring_the_logs
from tests.audit.nights import bring_the_night
from tests.cli import books_page

THINGS: dict[str, tuple[Callable[[], None], str]] = {
    "evening": (bring_the_night, "evening.db, a ledger of fifteen rounds, and its keys"),
    "logs": (bring_the_logs, "logs of rounds, right and wrong ones, and their submissions"),
    "casino": (lambda: books_page.play(Path("casino.db")), "casino.db, a ledger with its books"),
}


def main(things: list[str]) -> int:
    if not things or set(things) - set(THINGS):
        told = "\n".join(f"  {name:8} {what}" for name, (_, what) in THINGS.items())
        print(f"Say what to bring:\n{told}", file=sys.stderr)
        return 2
    for name in things:
        bring, what = THINGS[name]
        bring()
        print(f"Brought {what}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
