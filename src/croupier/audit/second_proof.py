"""Acts of the policy beside the tables: what two people did is held against what waited for it.

Who began it said so in a line of his own before, with the same words about the same thing, and who
confirmed it wrote the last word himself. What the service begins, as to seal with a new key, waits
in no line. Acts at a table are decided again with their table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from croupier.audit.difference import Difference, at
from croupier.audit.table_proof import PowerUses, TableProof
from croupier.ledger.events import (
    ActAnswered,
    StaffPower,
    StaffPowerAsked,
    StaffPowerDenied,
    StaffPowerUsed,
    tag_of,
)
from croupier.ledger.store.line import LedgerLine
from croupier.table.powers import RULES

PART = "powers"
_KINDS: Mapping[str, type[StaffPower | ActAnswered]] = {
    tag_of(kind): kind for kind in (StaffPowerUsed, StaffPowerAsked, StaffPowerDenied, ActAnswered)
}


class _Act(NamedTuple):
    """What was asked for, and by whom."""

    act: str
    name: str
    what: str
    by: str

    @classmethod
    def of(cls, told: StaffPower) -> _Act:
        return cls(told.act, told.name, told.what, told.by)


class _Use(NamedTuple):
    """An act that happened: ``writer`` gave the last word, where a line of his own says so."""

    line: LedgerLine
    act: _Act
    second: str
    writer: str


class SecondProof:
    """``powers`` are the acts, for the verdict; an act that was asked for happens once at most."""

    def __init__(self) -> None:
        self.powers: Counter[PowerUses] = Counter()
        self._asked: Counter[_Act] = Counter()
        self._answers: dict[str, set[str]] = {}
        self._used: list[_Use] = []

    def hear(self, line: LedgerLine) -> Iterator[Difference]:
        """A line of the pit."""
        if line.kind not in _KINDS:
            return
        try:
            told = msgspec.json.decode(line.body, type=_KINDS[line.kind])
        except msgspec.DecodeError:
            yield at(line, "streams", "it cannot be read")
            return
        if isinstance(told, ActAnswered):
            if told.upheld:
                self._answers.setdefault(f"{told.kind} {told.name}", set()).add(line.actor)
        elif isinstance(told, StaffPowerUsed):
            self.powers[PowerUses(told.act, told.by, told.second)] += 1
            self._used.append(_Use(line, _Act.of(told), told.second, line.actor))
        else:
            self._asked[_Act.of(told)] += 1 if isinstance(told, StaffPowerAsked) else -1
            if isinstance(told, StaffPowerAsked) and line.actor != told.by:
                yield at(line, PART, f"{line.actor} wrote what {told.by} is said to have begun")

    def differences(self, tables: Mapping[str, TableProof]) -> Iterator[Difference]:
        """Of the acts that have a second person, once every line of the pit was heard."""
        for use in (*self._used, *self._installed(tables)):
            if use.second:
                yield from self._seconded(use)

    def _installed(self, tables: Mapping[str, TableProof]) -> Iterator[_Use]:
        """Tables say themselves that they come in, in the name of who began it."""
        for table in tables.values():
            event, line = table.installed, table.installed_in
            if event is not None and line is not None and event.second:
                act = _Act("table", f"table {event.table}", event.what, line.actor)
                answered = self._answers.get(act.name, set())
                yield _Use(
                    line, act, event.second, event.second if event.second in answered else ""
                )

    def _seconded(self, use: _Use) -> Iterator[Difference]:
        act, second = use.act, use.second
        if second == act.by:
            yield at(use.line, PART, f"{second} alone is said to be two people")
        if use.writer != second:
            yield at(use.line, PART, f"{second} is said to have confirmed it, and no line says so")
        rule = RULES.get(act.act)  # type: ignore[call-overload]
        if rule is not None and rule.may == ("device",):
            return
        if self._asked[act] <= 0:
            why = f"{second} confirmed what nobody began: {act.name}, {act.what}, by {act.by}"
            yield at(use.line, PART, why)
        self._asked[act] -= 1
