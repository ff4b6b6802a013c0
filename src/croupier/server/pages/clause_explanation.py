"""Why a thing happened: its clause in our own words, and the ruling where the clause is silent."""

from __future__ import annotations

import msgspec

from croupier.games.registry import Registry
from croupier.rulebook.loader import Ruling, rulings, rulings_on
from croupier.rulebook.trace import Row
from croupier.server.pit.messages import NotHere


class Why(msgspec.Struct, frozen=True):
    clause: str
    means: str
    rulings: tuple[Ruling, ...]


def explained(registry: Registry, cited: str, ruling: int = 0) -> Why:
    """A clause as it is cited, ``UTH-S 11.H(1)``; one without a line of its own by that above."""
    named, _, wanted = cited.partition(" ")
    book = registry.books.get(named)
    found = book and _row(book.trace, wanted)
    if not book or not found:
        raise NotHere("no rulebook here has this clause")
    at, row = found
    asked = [rulings()[ruling]] if ruling in rulings() else []
    others = [one for one in rulings_on(book, at) if one not in asked]
    return Why(book.cite(at), row.means, (*asked, *others))


def _row(trace: dict[str, Row], clause: str) -> tuple[str, Row] | None:
    while clause and clause not in trace:
        clause = clause.rpartition("(" if "(" in clause else ".")[0]
    return (clause, trace[clause]) if clause else None
