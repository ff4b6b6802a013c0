"""Screening of a log: the decisions of every box, held against cards that nobody should know."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.audit.log.case import RoundCase
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import BOX
from croupier.facts.cards import Cards, cards
from croupier.facts.errors import Refusal
from croupier.facts.progress import Progress
from croupier.games.rules import Rules
from croupier.protection.screening import (
    DecisionScreen,
    ScreenedBox,
    ScreenedDecision,
    ScreenedPlayer,
    screened,
)
from croupier.simulate.decision_tables import base_of


class LogScreening:
    """Hears of every round; a game whose decisions are not valued is passed over and told.

    Who plays several boxes sees several hands, so such rounds are passed over for that player.
    """

    def __init__(self) -> None:
        self._screens: dict[Rules, DecisionScreen | None] = {}
        self.progress: Progress = lambda what, done: None
        self.passed_over: dict[str, str] = {}

    def __call__(self, case: RoundCase) -> None:
        record = case.record
        if not case.is_settled or record.hidden:
            return  # all cards of a round must be named
        screen = self._screen(base_of(case.rules))
        if screen is not None:
            for box in _boxes(case):
                screen.see(box)

    def found(self) -> list[ScreenedPlayer]:
        """Every player and kind of knowledge, the highest score first."""
        screens = [screen for screen in self._screens.values() if screen is not None]
        return screened([score for screen in screens for score in screen.scores.values()])

    def _screen(self, rules: Rules) -> DecisionScreen | None:
        if rules not in self._screens:
            try:
                self._screens[rules] = DecisionScreen(rules, self.progress)
            except Refusal as refusal:
                self._screens[rules] = None
                self.passed_over[rules.game.name] = refusal.sentence
        return self._screens[rules]


def _boxes(case: RoundCase) -> Iterator[ScreenedBox]:
    record, (_, ante) = case.record, case.play
    lies: dict[tuple[str, int], Cards] = {}
    for dealt in record.cards:
        place = "up" if dealt.place == "dealer" and dealt.face_up else dealt.place
        lies[place, dealt.box] = lies.get((place, dealt.box), ()) + cards(dealt.card)
    players = [box.player for box in record.boxes]
    for box in record.boxes:
        staked = next((wager.cents for wager in box.wagers if wager.wager == ante), 0)
        own = lies.get((BOX, box.seat), ())
        if not staked or not own or (box.player and players.count(box.player) > 1):
            continue
        others = (lies.get((BOX, other.seat), ()) for other in record.boxes if other is not box)
        yield ScreenedBox(
            box.player or f"box {box.seat} of table {record.table}",
            own,
            tuple(_decisions(case, box, staked)),
            lies.get(("dealer", 0), ()),
            lies.get(("up", 0), ()),
            lies.get(("board", 0), ()),
            sum(others, ()),
            f"table {record.table}, round {record.round}",
        )


def _decisions(case: RoundCase, box: rec.BoxRecord, ante_cents: int) -> Iterator[ScreenedDecision]:
    streets = [street.name for street in case.book.streets]
    for decision in box.decisions:
        if decision.defaulted or decision.street not in streets:
            continue
        played = f"{float(Fraction(decision.cents, ante_cents)):g}x"
        action = played if decision.action == "play" else decision.action
        yield ScreenedDecision(streets.index(decision.street), action)
