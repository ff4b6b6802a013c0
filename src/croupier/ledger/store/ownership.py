"""The port of table ownership: an advisory lock held on the connection that writes, and fences it.

The lock and the right to write are one thing. A store that many processes share gives the lock to
the connection that writes; whoever loses the connection has lost both, and needs no token or clock
to know it. Which process has what is read from the locks themselves, so it is never out of date.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from croupier.ledger.events import REFUSALS, TABLE
from croupier.ledger.store.port import Ledger, Unavailable, Writing


class LostTable(Unavailable):
    """A line for a table that this process does not have, or no longer: nothing was written."""

    def __init__(self, table: str) -> None:
        super().__init__(
            f"table {table} is with another process now; give the command again with the same id"
        )
        self.table = table


class Process(msgspec.Struct, frozen=True, order=True):
    """A service that shares the pit, by the address where its peers reach it."""

    address: str
    backend: int
    """What the store knows its writing connection by."""


class Roster(msgspec.Struct, frozen=True):
    """Every process that is there, and which of them has each table that anybody has."""

    processes: tuple[Process, ...]
    owners: Mapping[str, Process]


class News(msgspec.Struct, frozen=True):
    """A stream that somebody wrote to, and the version it reached; never what was written."""

    stream: str
    version: int


OWNERS_CHANGED = News(TABLE, 0)
"""No table has this name: some table was taken or given up."""


@runtime_checkable
class Owners(Ledger, Protocol):
    """A ledger whose tables are shared out among processes; they are named, not their streams.

    An append that names a table's stream or that of its refusals raises LostTable, and writes
    nothing, unless this process has the table.
    """

    @property
    def me(self) -> Process: ...

    @property
    def mine(self) -> frozenset[str]:
        """The tables this process has, as far as it knows."""

    def join(self) -> None:
        """Take part: from now on others count on this process to take its share of tables."""

    def stand_aside(self) -> None:
        """Take part no longer; tables that this process has stay with it until it releases them."""

    def claim(self, tables: Iterable[str]) -> frozenset[str]:
        """Those of them that this process has now; it never waits for another."""

    def release(self, tables: Iterable[str]) -> None:
        """Give tables up; everything begun at them is finished first, by the caller."""

    def beat(self) -> frozenset[str]:
        """A sign of life, about once a second. The tables that were lost since the last one.

        A connection that was cut is opened again, and what nobody took meanwhile is taken again.
        """

    def roster(self, tables: Iterable[str]) -> Roster:
        """Who is there now, and who has which of these tables."""

    def heard(self) -> Iterator[News | None]:
        """What others write, as it happens, until the ledger is closed.

        None means that something may have been missed: whoever follows a stream looks at all of it.
        """

    def shout(self, *news: News) -> None:
        """Tell the others of something that is no line."""


def guarded(writings: Sequence[Writing]) -> Iterable[str]:
    """The tables that an append writes to."""
    for writing in writings:
        for kind in (TABLE, REFUSALS):
            if writing.stream.startswith(kind):
                yield writing.stream.removeprefix(kind)
