"""The joint distribution of a round: as settlement pays every deal of a small deck, and on the
whole deck as each wager alone was counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from msgspec import structs

from croupier.exact.base_game import LimitedAnte
from croupier.exact.holdem_joint import hole_lines
from croupier.exact.joint import (
    NO_LIMIT,
    joint_round,
    own_card_endings,
    staked_round,
    staked_sides,
)
from croupier.exact.kernels.hand_order import class_strengths
from croupier.exact.kernels.poker_rank import rank_once
from croupier.exact.kernels.six_card_tables import LESS, SIXES, SUPER_ROYAL
from croupier.exact.side_wagers import SideTerms
from croupier.exact.six_cards import sixes_with
from croupier.exact.solution_cache import solved
from croupier.exact.staked_side import StakedSide, joined
from croupier.facts.cards import DECK, Card, cards
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents
from croupier.games.registry import the_registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.submission.check import shipped_submission
from croupier.table.settlement import settle

SMALL = cards("2c 3c 4c 4d 9h Qs Qd Kh As")
CATEGORIES = class_strengths() >> 20  # from high card, 0, to royal flush, 9
SIX_OF_CLASS = np.array([LESS, LESS, LESS, 1, 2, 3, 4, 5, 6, 7])[CATEGORIES]
ANTE, PAIR_PLUS = Cents(2_500), Cents(500)


def rules_of(book_id: str) -> Rules:
    return shipped_submission(book_id).rules(the_registry())


def settled(
    rules: Rules, own: tuple[Card, ...], dealer: tuple[Card, ...], play: int
) -> Counter[str]:
    """What each wager of a box wins or loses, by the settlement of the table."""
    stakes = {"ante": ANTE, "pair_plus": PAIR_PLUS}
    stakes |= {"play": Cents(play * ANTE)} if play else {}
    box = FinishedBox(1, own, stakes)
    receipt = settle(FinishedRound(rules, {"dealer": dealer}, (box,)))
    return Counter({line.wager: line.net_cents for line in receipt.lines})


def test_every_deal_of_a_small_deck_as_the_table_settles_it() -> None:
    """Each hand is played for the better of its two sums over all that the dealer may have."""
    rules = rules_of("TCP-1")
    sides = staked_sides(rules, ["pair_plus"])
    limited = LimitedAnte(ANTE, NO_LIMIT)
    endings = tuple(joined(own_card_endings(rules, sides, deck=SMALL)))
    found = staked_round(rules, sides, endings, limited, {"pair_plus": PAIR_PLUS}, {})
    expected: Counter[tuple[int, ...]] = Counter()
    for own in combinations(SMALL, 3):
        others = [card for card in SMALL if card not in own]
        by_play = {
            play: [settled(rules, own, dealer, play) for dealer in combinations(others, 3)]
            for play in (1, 0)
        }
        base = {
            play: sum(sum(n.values()) - n["pair_plus"] for n in ends)
            for play, ends in by_play.items()
        }
        best = 1 if base[1] > base[0] else 0
        for nets in by_play[best]:
            expected[tuple(nets[wager] for wager in found.wagers)] += 1
    assert dict(found.nets) == dict(expected)
    assert found.wagers == ("ante", "play", "ante_bonus", "pair_plus")


def test_moments_and_covariances_are_those_of_its_deals() -> None:
    found = joint_round(rules_of("TCP-1"), ANTE, {"pair_plus": PAIR_PLUS}, {})
    solution = solved(rules_of("TCP-1"))
    side = solution.side("pair_plus", dict(solution.paytables)["pair_plus"])
    assert found.mean == solution.ev * ANTE + side.ev * PAIR_PLUS
    assert sum(found.means) == found.mean
    assert sum(map(sum, found.covariances), Fraction(0)) == found.variance
    last = found.covariances[-1][-1]
    assert last == side.endings.variance() * PAIR_PLUS**2
    assert found.staked_cents == solution.base.average_wager * ANTE + PAIR_PLUS


def test_aces_are_shared_out_by_their_suits() -> None:
    """Of six pairs of aces one is red; against a dealer's aces another line pays all of them."""
    book = the_registry().book("UTH-S")
    for letter, alone, against in (
        ("D", {0: 1, 1: 5}, {}),
        ("B", {1: 6}, {0: 6}),
        ("A", {0: 6}, {}),
    ):
        table = book.paytables["ultimate_pairs"][letter]
        side = StakedSide("ultimate_pairs", table, "first two cards", SideTerms())
        holes = hole_lines([side])
        by_line = {line: 6 * share for (line,), share in holes.shares[holes.aces]}
        assert by_line == alone
        assert {line: 6 * share for (line,), share in holes.against_aces} == against


def with_bonus(rules: Rules, *lines: str) -> Rules:
    """The same table, its Six Card Bonus paying even money for these phrases."""
    own = rules.book.paytables["six_card_bonus"]["A"]
    paid = tuple(structs.replace(own.lines[-1], phrase=phrase) for phrase in lines)
    tables = {**dict(rules.paytables), "six_card_bonus": structs.replace(own, lines=paid)}
    return replace(rules, paytables=tuple(tables.items()))


def test_a_paytable_of_six_cards_that_is_not_counted_is_refused() -> None:
    """At Hold'em six cards are told apart from three of a kind up; at Four Card Poker any hands."""
    finer = with_bonus(rules_of("UTH-S"), "four of a kind", "pair")
    with pytest.raises(Unreadable, match="none below three of a kind"):
        staked_sides(finer, ["six_card_bonus"])
    assert staked_sides(with_bonus(rules_of("FCP-14"), "pair"), ["six_card_bonus"])


HOLES = [(12, 25), (48, 51), (48, 44), (28, 50), (33, 37), (0, 48)]


@pytest.mark.parametrize("hole", HOLES)
def test_four_cards_more_make_what_ranking_each_six_says(hole: tuple[int, int]) -> None:
    """Nine cards out, many of a suit of the player's; the best five of each six by its class."""
    deck = sorted({*range(52)} - {*hole}, key=lambda card: (card % 4 != hole[0] % 4, card * 7 % 52))
    for out in (deck[:7], deck[2:20:3] + deck[-1:], deck[20:34:2]):
        left = np.array(sorted({*deck} - {*out}), dtype=np.uint8)
        fours = left[np.array(list(combinations(range(43), 4)))]
        both = np.broadcast_to(np.array(hole, dtype=np.uint8), (len(fours), 2))
        six = np.concatenate([both, fours], axis=1)
        made = SIX_OF_CLASS[rank_once(six)]
        suited = [[4 * rank + suit for rank in range(7, 13)] for suit in range(4)]
        made[np.any([np.isin(six, cards).all(axis=1) for cards in suited], axis=0)] = SUPER_ROYAL
        found = sixes_with(hole, np.array([out], dtype=np.uint8))
        assert found[0].tolist() == np.bincount(made, minlength=SIXES).tolist()


CASES = {
    "UTH-S": {"trips": 500, "ultimate_pairs": 500, "bad_beat": 500, "play_the_board": 500,
              "progressive": 100},
    "FCP-14": {"aces_up": 500, "progressive": 100},
}  # fmt: skip


@pytest.mark.prove
@pytest.mark.parametrize("book_id", CASES)
def test_on_the_whole_deck_each_wager_is_as_it_was_counted_alone(book_id: str) -> None:
    rules, stakes = rules_of(book_id), {n: Cents(s) for n, s in CASES[book_id].items()}
    terms = rules.progressive
    assert terms is not None
    found = joint_round(rules, ANTE, stakes, dict(terms.resets))
    solution = solved(rules)
    assert found.deals == solution.base.deals
    base = [at for at, name in enumerate(found.wagers) if name not in stakes]
    by_base: Counter[Fraction] = Counter()
    for nets, ways in found.nets:
        by_base[Fraction(sum(nets[at] for at in base), ANTE)] += ways
    assert dict(by_base) == solution.base.distribution()
    for name, stake in stakes.items():
        reading = terms.hand if name == "progressive" else None
        side = solution.side(name, dict(rules.letters)[name], reading).assuming(stakes, {})
        at = found.wagers.index(name)
        assert found.means[at] == side.ev * stake
        assert found.covariances[at][at] == side.endings.variance(side.assumed) * stake**2
        assert side.base_with is not None
        both = zip(side.endings.endings, side.base_with, strict=True)
        product = sum((end.net(side.assumed) * mean for end, mean in both), Fraction(0))
        with_base = sum(found.covariances[at][other] for other in base)
        assert with_base == (product - solution.ev * side.ev) * ANTE * stake


@pytest.mark.prove
@pytest.mark.parametrize("book_id", CASES)
def test_a_wager_with_cards_of_its_own_leaves_the_others_as_they_are(book_id: str) -> None:
    """Every other wager of the book beside it: each of their deals in every way to deal its cards,
    and it pays as often as it does alone."""
    rules, others = rules_of(book_id), {n: Cents(s) for n, s in CASES[book_id].items()}
    assert rules.progressive is not None
    meters = dict(rules.progressive.resets)
    found = joint_round(rules, ANTE, {**others, "six_card_bonus": Cents(500)}, meters)
    without = joint_round(rules, ANTE, others, meters)
    own = rules.book.place("six_card_box").cards
    shared = {"UTH-S": 9, "FCP-14": 11}[book_id]
    by_others: Counter[tuple[int, ...]] = Counter()
    for nets, ways in found.nets:
        by_others[nets[:-1]] += ways
    every = comb(len(DECK) - shared, own)
    assert dict(by_others) == {nets: ways * every for nets, ways in without.nets}
    side = solved(rules).side("six_card_bonus", dict(rules.letters)["six_card_bonus"])
    side = side.assuming({"six_card_bonus": Cents(500)}, {})
    assert found.means[-1] == side.ev * 500
    assert found.covariances[-1][-1] == side.endings.variance(side.assumed) * 500**2


@pytest.mark.prove
def test_both_aces_are_counted_beside_six_cards_too() -> None:
    """Paytable B of Ultimate Pairs pays where the dealer holds aces: as often beside six cards."""
    filed = rules_of("UTH-S")
    table = filed.book.paytables["ultimate_pairs"]["B"]
    rules = replace(
        filed, paytables=tuple({**dict(filed.paytables), "ultimate_pairs": table}.items())
    )
    stakes = {"ultimate_pairs": Cents(500), "six_card_bonus": Cents(500)}
    found = joint_round(rules, ANTE, stakes, {})
    without = joint_round(rules, ANTE, {"ultimate_pairs": Cents(500)}, {})
    assert found.means[:-1] == without.means
    assert [row[:-1] for row in found.covariances[:-1]] == [*without.covariances]


@pytest.mark.prove
def test_with_a_line_for_both_hands_aces_counted_with_everything() -> None:
    """Paytable B pays where the dealer holds aces too; alone it was counted in another way."""
    registry = the_registry()
    filed = shipped_submission("UTH-S").rules(registry)
    table = filed.book.paytables["ultimate_pairs"]["B"]
    tables = {**dict(filed.paytables), "ultimate_pairs": table}
    letters = {**dict(filed.letters), "ultimate_pairs": "B"}
    rules = replace(filed, paytables=tuple(tables.items()), letters=tuple(letters.items()))
    stakes = {"ultimate_pairs": Cents(500), "bad_beat": Cents(500), "progressive": Cents(100)}
    assert rules.progressive is not None
    found = joint_round(rules, ANTE, stakes, dict(rules.progressive.resets))
    side = solved(rules).side("ultimate_pairs", "B")
    at = found.wagers.index("ultimate_pairs")
    assert found.means[at] == side.ev * 500
    assert found.covariances[at][at] == side.endings.variance() * 500**2
