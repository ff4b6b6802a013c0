"""What stands beside a table proved: the commands that were refused, and nothing that moves money.

A refusal is not decided again, for nobody keeps from which state of the table it was given. What
can be said of it is that it belongs to this table, to its giver, its time and its rulebook.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import get_args

from croupier.audit.difference import Difference, at
from croupier.audit.line_text import OTHERWISE, LineTexts
from croupier.audit.table_proof import TableProof
from croupier.games.registry import Registry
from croupier.ledger.envelope import HASHED
from croupier.ledger.events import CommandRefused, Kept, tag_of
from croupier.ledger.kept_table import TOLERATED_US
from croupier.ledger.replay import read_line
from croupier.ledger.store.line import NO_ENTRIES, LedgerLine
from croupier.table import commands as do

PART = "desk"  # as a finding has always called it
WORDS = re.compile(f"{HASHED}[0-9a-f]{{64}}")


class RefusalsProof:
    """The refused commands of one table; ``refusals`` counts them."""

    def __init__(self, stream: str, table: TableProof | None, registry: Registry) -> None:
        self.stream, self._table = stream, table
        self.refusals = 0
        self._clauses = _clauses_of(table, registry)
        self._texts = LineTexts()
        self._newest_us = 0

    def prove(self, lines: Iterable[LedgerLine]) -> Iterator[Difference]:
        strange: list[Difference] = []
        if self._table is None:
            yield Difference(PART, self.stream, 0, "there is no table of this name")
        for line in lines:
            event = read_line(line, lambda line, why: strange.append(at(line, PART, why)))
            if event is not None:
                yield from self._line(line, event)
        yield from strange

    def _line(self, line: LedgerLine, event: Kept) -> Iterator[Difference]:
        if goes_back(line, self._newest_us):
            yield at(line, "time", "its time lies before the line above it")
        self._newest_us = max(self._newest_us, line.at_us)
        if not isinstance(event, CommandRefused) or line.entries != NO_ENTRIES:
            yield at(line, PART, f"{line.kind} has no place beside a table")
            return
        self.refusals += 1
        if line.kind != tag_of(event):
            yield at(line, PART, f"it is called {line.kind} and holds another event")
        if not self._texts.fit(line.body, event):
            yield at(line, PART, OTHERWISE)
        if event.clauses != (event.clause,):
            yield at(line, PART, "it is refused by one clause and cites another")
        elif self._clauses and event.clause not in self._clauses:
            yield at(line, PART, f"{event.clause} is no clause of its rulebook")
        if not WORDS.fullmatch(line.command):
            yield at(line, PART, "in place of the words that it refuses there is no hash of them")
        if line.role not in get_args(do.Role):
            yield at(line, PART, f"{line.role} gives no command at a table")


def goes_back(line: LedgerLine, newest_us: int) -> bool:
    """Where several hands write, their clocks may differ by as much as a keeper tolerates."""
    return line.at_us < newest_us - TOLERATED_US


def _clauses_of(table: TableProof | None, registry: Registry) -> frozenset[str]:
    """The clauses of the rulebook, where it is the edition that the table was written with.

    A rulebook that nobody knows is a difference of the table itself.
    """
    if table is None or table.installed is None or table.edition:
        return frozenset()
    book = registry.books.get(table.installed.rulebook)
    if book is None:
        return frozenset()
    return frozenset((book.id, *map(book.cite, book.trace)))
