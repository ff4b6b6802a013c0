"""Two submissions side by side: what changes for the player, for the house, and by which clause."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.documents.filing import filing_of
from croupier.documents.rules_submission import changed
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.server.desk.earnings import PlayAssumptions
from croupier.server.desk.state import DeskState, desk_state
from croupier.submission.check import check
from croupier.submission.submission import Submission

NONE = "none"


class ComparedRow(msgspec.Struct, frozen=True):
    """What it is, in the first and in the second submission, and the clauses behind it."""

    what: str
    first: str
    second: str
    clauses: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        return self.first != self.second


class Comparison(msgspec.Struct, frozen=True):
    """``player`` and ``house`` are figures that differ, ``rules`` every option that does.

    ``findings`` are what the check says of one and not of the other.
    """

    first: str
    second: str
    player: tuple[ComparedRow, ...]
    house: tuple[ComparedRow, ...]
    rules: tuple[ComparedRow, ...]
    findings: tuple[ComparedRow, ...]


def compared(first: str, second: str, registry: Registry, assumed: PlayAssumptions) -> Comparison:
    """What changes from the first to the second; each has to be one that could be filed."""
    before, after = _filed(first, "first", registry), _filed(second, "second", registry)
    was, now = (desk_state(text, registry, assumed) for text in (first, second))
    options = changed(filing_of(before, registry), filing_of(after, registry))
    rules = (
        ComparedRow(what, old, new, tuple(filter(None, clause.split("\n"))))
        for what, old, new, clause in options
    )
    return Comparison(
        _named(before),
        _named(after),
        _figures(was.earnings.player, now.earnings.player),
        _figures(was.earnings.house, now.earnings.house),
        tuple(rules),
        tuple(_findings(was, now)),
    )


def _named(submission: Submission) -> str:
    version = f", version {submission.version}" if submission.version else ""
    return f"{submission.facility}, table {submission.table}{version}"


def _filed(text: str, which: str, registry: Registry) -> Submission:
    checked = check(text, registry)
    if checked.submission is None:
        raise Unreadable(f"the {which} submission has errors: {checked.errors[0]}")
    return checked.submission


def _figures(
    was: Iterable[tuple[str, str]], now: Iterable[tuple[str, str]]
) -> tuple[ComparedRow, ...]:
    before, after = dict(was), dict(now)
    rows = (
        ComparedRow(label, before.get(label, NONE), after.get(label, NONE))
        for label in dict.fromkeys((*before, *after))
    )
    return tuple(row for row in rows if row.differs)


def _findings(was: DeskState, now: DeskState) -> Iterable[ComparedRow]:
    before = {one.sentence: one for one in was.findings}
    after = {one.sentence: one for one in now.findings}
    for sentence, one in {**before, **after}.items():
        row = ComparedRow(
            sentence,
            one.severity if sentence in before else NONE,
            one.severity if sentence in after else NONE,
            (one.clause,) if one.clause else (),
        )
        if row.differs:
            yield row
