"""The screen: fair to every honest player by construction, and sharp enough for who knows."""

from __future__ import annotations

import json
from itertools import combinations
from math import exp
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

from croupier.audit.records import schema as rec
from croupier.audit.records.reader import BOX
from croupier.cli import main
from croupier.exact.advice import ValuesByAction
from croupier.facts.cards import DECK, Card, cards
from croupier.facts.money import Cents
from croupier.games.round import FinishedBox
from croupier.protection.advice import advise
from croupier.protection.flop_decision import EVERY, NO_SETS, SOME, flop_decisions
from croupier.protection.kernels.flop_values import WAITS
from croupier.protection.last_decision import FEW_HANDS, last_decisions
from croupier.protection.players import SimulatedDeal, box_of, player
from croupier.protection.screening import (
    FALSE_ALARMS,
    SHARES,
    DecisionScreen,
    RoundFit,
    Score,
    needed,
    screened,
)
from croupier.protection.trials import screen_trials
from croupier.submission.check import shipped_submission
from tests.audit.log.log_generator import LogMaker
from tests.audit.log.logs import HOUSE, written
from tests.exact.conftest import rules_of

UTH = rules_of("UTH-S", blind="A")
OWN, BOARD = (tuple(card.number for card in cards(lying)) for lying in ("Kd 5c", "Qh 8s 2d 3h 3s"))


def test_whatever_is_done_in_a_round_fits_as_well_as_anything_on_average() -> None:
    """Over all hands of the dealer, as far as the player can see: the score is a fair bet."""
    last = last_decisions(UTH, FEW_HANDS)(OWN, BOARD)
    on_flop = flop_decisions(UTH, SOME)(OWN, BOARD[:3], NO_SETS).by_dealer
    for done in range(2):
        together, alone = RoundFit(), (RoundFit(), RoundFit())
        for values, one in zip((on_flop, last.by_card()), alone, strict=True):
            together.add(values, done)
            one.add(values, done)
        fits = [together.ratio(hand) for hand in last.hands]
        assert np.mean(fits) == pytest.approx(1)
        assert max(fits) > 1.5  # and some cards make it likely
        multiplied = [alone[0].ratio(hand) * alone[1].ratio(hand) for hand in last.hands]
        assert np.mean(multiplied) > 1.02  # which would be no fair bet


@pytest.mark.parametrize("known", [1, 2, 3])
def test_over_all_cards_that_could_lie_there_every_ratio_is_one_on_average(known: int) -> None:
    """Whatever the model says of a player who knows, and however often it is asked in a round."""
    values = np.random.default_rng(3).normal(size=(2, 52, 2))
    seen = [card for card in range(52) if card in OWN + BOARD[:3]]
    values[0, list(OWN)] = values[1, seen] = np.nan  # seen later too: it could not lie there
    fit = RoundFit()
    for street, done in zip(values, (1, 0), strict=True):
        fit.add(street, done)
    ratios = [
        fit.ratio(lies)
        for lies in combinations([card for card in range(52) if card not in seen], known)
    ]
    assert np.mean(ratios) == pytest.approx(1)
    assert np.std(ratios) > 0.1


@pytest.mark.prove
@pytest.mark.parametrize(
    ("done", "kind", "seen"),
    [
        (("4x",), "dealer", 0),
        (("4x",), "flop", 0),
        (("4x",), "turn-or-river", 0),
        (("4x",), SHARES, 0),
        (("check", "2x"), "dealer", 3),
        (("check", "2x"), "turn-or-river", 3),
        (("check", "2x"), SHARES, 3),
        (("check", "check", "fold"), "dealer", 5),
        (("check", "check", "fold"), SHARES, 5),
    ],
)
def test_a_screened_round_is_a_fair_bet(done: tuple[str, ...], kind: str, seen: int) -> None:
    """Over many ways to deal what the player did not see at the last decision that tells of it."""
    chance, screen, ratios = Random(5), DecisionScreen(UTH), []
    rest = [card for card in range(52) if card not in OWN + BOARD[:seen]]
    for _ in range(400):
        lies = tuple(chance.sample(rest, 11 - seen))
        board, dealer, others = BOARD[:seen] + lies[6:], lies[:2], lies[2:6]
        screen.scores.clear()
        screen.see(box_of(SimulatedDeal(OWN, dealer, (), board, others), "one", done))
        ratios.append(exp(screen.scores["one", kind].now))
    assert np.mean(ratios) == pytest.approx(1, abs=0.15)
    assert np.std(ratios) > 0.02  # the cards do tell


def test_the_flop_is_valued_as_advice_values_it() -> None:
    own, flop = (tuple(DECK[card] for card in lying) for lying in (OWN, BOARD[:3]))
    dealer, late, *others = cards("Ah Tc 2c 7s 9h Jd")
    sets = np.array([[card.number for card in others]], np.uint8)
    values = flop_decisions(UTH, EVERY)(OWN, BOARD[:3], sets)
    knowing = advise(UTH, own, flop, (dealer,), ())
    assert values.by_dealer[dealer.number] == pytest.approx(bet_and_wait(knowing))
    beside = advise(UTH, own, flop, (), tuple(others))
    assert values.by_set[0] == pytest.approx(bet_and_wait(beside))
    rivers = [
        advise(UTH, own, (*flop, late, other), (), ())
        for other in DECK
        if other not in (*own, *flop, late)
    ]
    waited = sum(max(river.values()) for river in rivers) / len(rivers)
    assert values.by_late[late.number, WAITS] == pytest.approx(float(waited))
    assert np.nanmean(values.by_late, axis=0) == pytest.approx(
        bet_and_wait(advise(UTH, own, flop, (), ()))
    )


@pytest.mark.prove
def test_where_the_flop_alone_is_decided_the_screen_looks_there() -> None:
    """Who knows a card of the dealer at Casino Hold'em is found; who plays its best is not."""
    rules = rules_of("CH-1", ante="A")
    assert DecisionScreen(rules).kinds == ("dealer", "turn-or-river", SHARES)
    knowing, honest = screen_trials(rules, 3, 150, ("dealer", "optimal"))
    assert (len(knowing.after), honest.after) == (knowing.logs, ())


def bet_and_wait(values: ValuesByAction) -> tuple[float, float]:
    return float(values["2x"]), float(values["check"])


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
