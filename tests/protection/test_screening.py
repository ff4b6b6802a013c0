"""The screen: fair to every honest player by construction, and sharp enough for who knows."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from croupier.audit.records import schema as rec
from croupier.audit.records.reader import BOX
from croupier.cli import main
from croupier.exact.kernels.array_types import Uint8s
from croupier.facts.cards import DECK, Card, cards
from croupier.facts.money import Cents
from croupier.games.round import FinishedBox
from croupier.protection.last_decision import FEW_HANDS, last_decisions
from croupier.protection.players import SimulatedDeal, player
from croupier.protection.screening import (
    FALSE_ALARMS,
    SHARES,
    Score,
    _chances,
    _others,
    fit,
    needed,
    screened,
)
from croupier.protection.trials import screen_trials
from croupier.submission.check import shipped_submission
from tests.audit.log.log_generator import LogMaker
from tests.audit.log.logs import HOUSE, written
from tests.exact.conftest import rules_of


def test_whatever_is_done_a_decision_fits_as_well_as_any_on_average() -> None:
    """Over all hands of the dealer, as far as the player can see: the score is a fair bet."""
    own, board = (cards("Kd 5c"), cards("Qh 8s 2d 3h 3s"))
    numbers = [tuple(card.number for card in lying) for lying in (own, board)]
    last = last_decisions(rules_of("UTH-S", blind="A"), FEW_HANDS)(numbers[0], numbers[1])
    values = last.by_card()
    for done in range(len(last.actions)):
        fits = [fit(values, done, named(hand)) for hand in last.hands]
        assert np.mean(fits) == pytest.approx(1)
        assert max(fits) > 1.5  # and some cards make it likely
    sets = _others(tuple(range(40, 44)), {*numbers[0], *numbers[1]})
    chances = _chances(last.without(sets))[:, 0]
    assert np.mean(chances / chances.mean()) == pytest.approx(1)


def named(hand: Uint8s) -> tuple[Card, ...]:
    return tuple(DECK[number] for number in hand)


def test_a_score_must_pass_more_the_more_there_are() -> None:
    high = Score("Ann", "dealer")
    high.add(2_000, "table 1, round 7")
    low = Score("Ben", SHARES)
    low.add(0.5, "table 1, round 7")
    assert needed(2) == 2 / FALSE_ALARMS
    first, last = screened([low, high])
    assert (first.player, first.watch, first.telling) == ("Ann", True, ("table 1, round 7",))
    assert (last.player, last.watch, last.score) == ("Ben", False, 1)
    assert not any(one.watch for one in screened([high] * 21))


@pytest.mark.prove
def test_who_knows_a_card_is_found_and_honest_players_are_not() -> None:
    honest = ("optimal", "simple", "bold")
    knowing, *others = screen_trials(rules_of("TCP-1"), 6, 250, ("dealer", *honest))
    assert len(knowing.after) == knowing.logs
    assert [trial.after for trial in others] == [()] * len(honest)


class KnowingLog(LogMaker):
    """Player 1 knows the first card of the dealer; the others decide by chance, as always."""

    def _box(
        self, seat: int, lying: dict[tuple[str, int], tuple[Card, ...]]
    ) -> tuple[FinishedBox, list[rec.DecisionRecord]]:
        box, decisions = super()._box(seat, lying)
        play, beside = self.terms.play
        if seat != 1 or beside not in box.stakes:
            return box, decisions
        own, dealer = (tuple(c.number for c in lying[place]) for place in ((BOX, 1), ("dealer", 0)))
        (done,) = player(rules_of("TCP-1"), "dealer")(SimulatedDeal(own, dealer, (), (), ()))
        stakes = {name: cents for name, cents in box.stakes.items() if name != play}
        decision = msgspec.structs.replace(decisions[0], action="fold", wager="", cents=0)
        if done != "fold":
            stakes[play] = Cents(stakes[beside])
            decision = msgspec.structs.replace(
                decision, action="play", wager=play, cents=stakes[play]
            )
        return FinishedBox(seat, box.cards, stakes, box.player), [decision]


@pytest.mark.prove
def test_a_log_is_screened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    maker = KnowingLog(shipped_submission("TCP-1"), HOUSE, seed=1, stacked=False)
    log = written(tmp_path / "log.jsonl", [maker.table(), *maker.rounds(300)])
    assert main(["audit", str(log), "--screen", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["screening"]
    watched = [(score["player"], score["knows"]) for score in told["scores"] if score["watch"]]
    assert watched == [("Player 1", "dealer")]
    assert told["needed"] == len(told["scores"]) / FALSE_ALARMS == 800
    assert main(["audit", str(log), "--screen"]) == 0
    out = capsys.readouterr().out
    assert "a reason to watch the recording, and no more than that" in " ".join(out.split())
