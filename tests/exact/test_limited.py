"""The payout limit in exact values: paid as the settlement pays, and played for the best."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from croupier.exact import holdem
from croupier.exact.base_game import LimitedAnte, Showdown, wager_results
from croupier.exact.limited_ante import limited_ante
from croupier.exact.payout_limit import largest_uncut_cents
from croupier.exact.solution import Solution
from croupier.exact.solution_cache import keep, kept, values_by_ante
from croupier.exact.solve import solve
from croupier.facts.cards import DECK, Card, cards
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.hands import FIVE_CARD
from croupier.facts.money import Cents, cents
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.submission.check import shipped_submission
from croupier.table.settlement import settle
from tests.exact.conftest import rules_of

LIMIT = cents("$50,000")
AT_500 = LimitedAnte(cents("$500"), LIMIT, (("trips", Cents(0)),))
BOOKS = ("UTH-S", "UTH-14")
MULTIPLES = (4, 3, 2, 1, None)
PAIR = FIVE_CARD.least("pair")
# Hole, board and dealer: royal and straight flushes, four of a kind, over and under a dealer who
# opens, beside one who does not, and tied on the board.
LARGE = {
    "royal flush": ("As 2d", "Ks Qs Js Ts 4h", "4d 5c"),
    "royal flush, the dealer has no pair": ("As 2d", "Ks Qs Js Ts 4h", "3d 5c"),
    "straight flush": ("9s 2d", "Ks Qs Js Ts 4h", "4d 5c"),
    "straight flush, the dealer has no pair": ("9s 2d", "Ks Qs Js Ts 4h", "3d 5c"),
    "straight flush that loses": ("9s 2d", "Ks Qs Js Ts 4h", "As 5c"),
    "royal flush on the board": ("2c 2d", "As Ks Qs Js Ts", "4d 5c"),
    "four of a kind": ("9s 9d", "9c 9h Js Ts 4h", "4d 5c"),
    "full house": ("9s 9d", "9c Jh Js Ts 4h", "4d 5c"),
}


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rules_of("UTH-S", blind="A", trips="A")


@pytest.fixture(scope="module")
def at_500(uth_rules: Rules) -> Solution:
    return solve(uth_rules, limited=AT_500)


def settled(
    rules: Rules, limited: LimitedAnte, multiple: int | None, cards_dealt: list[tuple[Card, ...]]
) -> Fraction:
    """What Ante, Blind, Play and the payout limit's own line come to by the settlement."""
    hole, board, dealer = cards_dealt
    ante = limited.ante_cents
    stakes = {"ante": ante, "blind": ante} | {
        name: stake for name, stake in limited.beside if stake
    }
    if multiple is not None:
        stakes["play"] = Cents(multiple * ante)
    bound = replace(rules, payout_limit_cents=limited.limit_cents)
    lines = settle(
        FinishedRound(bound, {"board": board, "dealer": dealer}, (FinishedBox(1, hole, stakes),))
    ).lines
    counted = ("ante", "blind", "play", "payout_limit")
    return Fraction(sum(line.net_cents for line in lines if line.wager in counted), ante)


def solved_alike(
    rules: Rules, limited: LimitedAnte, multiple: int | None, cards_dealt: list[tuple[Card, ...]]
) -> Fraction:
    hole, board, dealer = cards_dealt
    mine, theirs = FIVE_CARD.best(hole + board), FIVE_CARD.best(dealer + board)
    shown = Showdown((mine > theirs) - (mine < theirs))
    times = Fraction(multiple) if multiple is not None else None
    results = wager_results(rules, times, shown, theirs >= PAIR, mine, limited)
    return sum((net for _, net in results.values()), Fraction(0))


@pytest.mark.clause("UTH-S 12.F", "UTH-14 12.F")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_what_is_cut_is_what_the_settlement_cuts(text: tuple[str, ...], book: str) -> None:
    rules = rules_of(book, blind="A", trips="A")
    dealt = [cards(part) for part in text]
    for ante, trips, multiple in product(
        ("$99", "$99.01", "$100", "$500", "$909.09", "$1,000", "$3,333.33", "$25,000"),
        ("$0", "$5", "$1,000", "$1,000.01"),
        MULTIPLES,
    ):
        limited = LimitedAnte(cents(ante), LIMIT, (("trips", cents(trips)),))
        assert solved_alike(rules, limited, multiple, dealt) == settled(
            rules, limited, multiple, dealt
        )


def test_random_rounds_are_paid_as_the_settlement_pays_them(rules: Rules) -> None:
    chance, cut = Random(17), 0
    for _ in range(1500):
        nine = chance.sample(DECK, 9)
        dealt = [tuple(nine[:2]), tuple(nine[2:7]), tuple(nine[7:])]
        ante, trips = Cents(chance.randrange(1, 3_000_000)), Cents(chance.randrange(0, 200_000))
        limited = LimitedAnte(ante, LIMIT, (("trips", trips),))
        multiple = chance.choice(MULTIPLES)
        paid = settled(rules, limited, multiple, dealt)
        assert solved_alike(rules, limited, multiple, dealt) == paid
        cut += paid != settled(rules, replace(limited, limit_cents=Cents(10**12)), multiple, dealt)
    assert cut > 100


@pytest.mark.clause("UTH-S 12.F", "UTH-14 12.F")
def test_the_edge_of_the_largest_ante(at_500: Solution, uth_solution: Solution) -> None:
    """3.43% where it is 2.185% without the limit."""
    assert round(-at_500.ev, 4) == Fraction("0.0343")
    assert round(-uth_solution.ev, 5) == Fraction("0.02185")
    assert at_500.base.deals == uth_solution.base.deals
    assert max(at_500.base.distribution()) == 100
    assert at_500.ev == holdem.best_value(rules_of("UTH-S", blind="A"), AT_500)
    assert {letter: ev for _, letter, ev in at_500.base_values}["A"] == at_500.ev


def test_only_royal_flushes_are_cut_at_500(at_500: Solution) -> None:
    """A straight flush wins at most 55 Antes there, a royal flush 101 to 505, and 100 are paid."""
    cut = [(case, net) for case in at_500.base.cases for name, _, net in case.wagers
           if name == "payout_limit"]  # fmt: skip
    assert {case.net for case, _ in cut} == {100}
    assert {net for _, net in cut} == {-n for n in (401, 402, 403, 404, 405)}
    document = at_500.document()["payout_limit"]
    assert document["cut_exact"] == str(-sum(c.ways * net for c, net in cut) / at_500.base.deals)
    assert (document["ante"], document["limit"]) == ("$500.00", "$50,000.00")
    assert document["beside"] == {"trips": "$0.00"}


def test_the_limit_is_inside_the_optimum(at_500: Solution, uth_solved: holdem.SolvedHoldem) -> None:
    """The best play without a limit, paid under it, is worth less than play that knows of it."""
    unaware = replace(uth_solved, limited=AT_500)
    assert unaware.base.ev < at_500.ev < uth_solved.base.ev


@pytest.mark.prove
def test_an_ante_that_is_never_cut_is_worth_what_it_was(uth_rules: Rules) -> None:
    uncut = largest_uncut_cents(uth_rules, LIMIT)
    assert uncut == cents("$99")
    free = holdem.best_value(uth_rules)
    assert holdem.best_value(uth_rules, LimitedAnte(uncut, LIMIT)) == free
    assert holdem.best_value(uth_rules, LimitedAnte(Cents(uncut + 2), LIMIT)) < free


@pytest.mark.prove
def test_trips_beside_it_takes_from_the_same_limit(rules: Rules, at_500: Solution) -> None:
    beside = LimitedAnte(cents("$500"), LIMIT, (("trips", cents("$100")),))
    value = holdem.best_value(rules, beside)
    assert value < at_500.ev


def test_a_higher_ante_is_worth_no_more(uth_rules: Rules) -> None:
    antes = tuple(map(cents, ("$95", "$100", "$1,000")))
    values = values_by_ante(uth_rules, LIMIT, antes)
    assert [value.ante_cents for value in values] == list(antes)
    evs = [value.ev for value in values]
    assert sorted(evs, reverse=True) == evs
    assert len(set(evs)) == len(evs)


def test_answers_are_kept_by_ante_limit_and_stake(
    uth_rules: Rules, at_500: Solution, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    keep(uth_rules, at_500)
    assert kept(uth_rules, AT_500) == at_500
    assert kept(uth_rules) is not None  # without a limit there is what came with the package
    others = (
        replace(AT_500, ante_cents=cents("$495")),
        replace(AT_500, limit_cents=cents("$60,000")),
        replace(AT_500, beside=(("trips", Cents(500)),)),
    )
    assert [kept(uth_rules, other) for other in others] == [None] * len(others)


def test_the_table_says_which_antes_and_which_limit_there_are(rules: Rules) -> None:
    shipped = shipped_submission("UTH-S")
    asked = limited_ante(rules, shipped, cents("$500"), {"trips": cents("$100")})
    beside = (("trips", cents("$100")),)
    assert asked == LimitedAnte(cents("$500"), LIMIT, beside)
    higher = replace(shipped, payout_limit_cents=cents("$75,000"))
    assert limited_ante(rules, higher, cents("$10"), {}).limit_cents == cents("$75,000")
    silent = limited_ante(rules, replace(shipped, payout_limit_cents=None), cents("$10"), {})
    assert (silent.limit_cents, silent.shipped) == (LIMIT, True)
    with pytest.raises(Unreadable, match=r"\$10.00 to \$500.00 in steps of \$5.00"):
        limited_ante(rules, shipped, cents("$502"), {})
    with pytest.raises(Unreadable, match=r"Trips \$101.00 is no wager"):
        limited_ante(rules, shipped, cents("$500"), {"trips": cents("$101")})
    with pytest.raises(Refusal, match="no payout limit"):
        limited_ante(rules_of("FCP-14"), None, cents("$10"), {})
