"""One round under audit: its record, the Rules it must have been played by, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from croupier.audit.log.finding import LogFinding
from croupier.audit.records import schema as rec
from croupier.facts.errors import Refusal
from croupier.facts.money import Cents
from croupier.games.round import FinishedBox
from croupier.games.rules import Rules
from croupier.rulebook.book import Rulebook
from croupier.submission.submission import Submission


@dataclass(frozen=True)
class RoundCase:
    """``submission`` is None where nobody gave one: then a record is taken by its own terms.

    ``linked``: other tables move the same meters, so a reading may change between two boxes.
    """

    line: int
    record: rec.RoundRecord
    rules: Rules
    submission: Submission | None = None
    linked: bool = False

    @property
    def book(self) -> Rulebook:
        return self.rules.book

    @property
    def is_settled(self) -> bool:
        return self.record.status == "complete"

    @property
    def has_lines(self) -> bool:
        """Whether payments are to be judged: all of a settled round, those of one so far."""
        is_open = self.record.status == "in progress"
        return self.is_settled or (is_open and bool(self.record.lines))

    @cached_property
    def boxes(self) -> Mapping[int, rec.BoxRecord]:
        return {box.seat: box for box in self.record.boxes}

    @cached_property
    def play(self) -> tuple[str, str]:
        """The wager a decision makes and the wager it stands beside: Play and Ante."""
        decided = (wager for wager in self.book.wagers if wager.decides is not None)
        return next(((wager.name, wager.decides or "") for wager in decided), ("", ""))

    def is_play(self, wager: str) -> bool:
        """Whether a wager is made when its box is asked, not before the deal."""
        return any(play.name == wager for play in self.book.plays)

    def title(self, wager: str) -> str:
        if self.book.has_wager(wager):
            return self.book.wager(wager).title
        return wager.replace("_", " ").capitalize()

    def finding(
        self,
        kind: str,
        sentence: str,
        clause: str = "",
        *,
        box: int = 0,
        wager: str = "",
        paid_cents: int | None = None,
        due_cents: int | None = None,
    ) -> LogFinding:
        """A difference in this round; ``clause`` as the rulebook numbers it."""
        cited = clause if not clause or clause.startswith(f"{self.book.id} ") else None
        return LogFinding(
            line=self.line,
            kind=kind,
            sentence=sentence,
            table=self.record.table,
            round=self.record.round,
            box=box,
            wager=wager,
            clause=self.book.cite(clause) if cited is None else cited,
            paid_cents=paid_cents,
            due_cents=due_cents,
        )

    def refused(self, kind: str, refusal: Refusal, *, box: int = 0, wager: str = "") -> LogFinding:
        """What the rules say no to, in their own words."""
        sentence = refusal.sentence.removeprefix(f"Box {box}, ")
        return self.finding(kind, sentence, refusal.clause, box=box, wager=wager)


def staked(box: rec.BoxRecord) -> FinishedBox:
    """The wagers of a box as the rules look at them, without its cards."""
    stakes = {wager.wager: Cents(wager.cents) for wager in box.wagers}
    return FinishedBox(box.seat, (), stakes, box.player or None)
