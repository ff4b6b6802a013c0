"""A writer to be killed: it appends as fast as it can and says each version once it is written.

Started once, it forks a fresh writer for every address it reads, so that hundreds of them cost
little. A forked writer prints its process id, then ``table version`` after each append.
"""

from __future__ import annotations

import os
import sys

from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Moved, Repeated, Writing
from tests.ledger.lines import answer

TABLE, LINK = "table 1", "link house"


def write(address: str) -> None:
    """Each command writes two lines to the table and one to the link, or none anywhere."""
    say(f"pid {os.getpid()}")
    ledger = open_ledger(address)
    while True:
        table, link = ledger.head(TABLE).version, ledger.head(LINK).version
        first, second, third = answer(f"command {table}", 3)
        both = Writing(TABLE, table, (first, second)), Writing(LINK, link, (third,))
        try:
            lines = ledger.append(*both)
        except (Moved, Repeated):
            continue  # a server may finish what a killed writer sent
        say(f"table {lines[1].version}")


def say(line: str) -> None:
    """In one piece, past every buffer: what was said before a kill is heard after it."""
    os.write(1, f"{line}\n".encode())


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            write(line.rstrip("\n"))
        os.waitpid(child, 0)
        say("gone")


if __name__ == "__main__":
    main()
