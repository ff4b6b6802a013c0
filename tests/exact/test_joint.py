"""The joint distribution of a round: as settlement pays every deal of a small deck, and on the
whole deck as each wager alone was counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from croupier.exact.base_game import LimitedAnte
from croupier.exact.holdem_joint import hole_lines
from croupier.exact.joint import (
    NO_LIMIT,
    joint_round,
    own_card_endings,
    staked_round,
    staked_sides,
)
from croupier.exact.side_wagers import SideTerms
from croupier.exact.solution_cache import solved
from croupier.exact.staked_side import StakedSide, joined
from croupier.facts.cards import Card, cards
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents
from croupier.games.registry import the_registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.submission.check import shipped_submission
from croupier.table.settlement import settle

SMALL = cards("2c 3c 4c 4d 9h Qs Qd Kh As")
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


def test_a_wager_with_cards_of_its_own_is_refused_by_name() -> None:
    with pytest.raises(
        Unreadable, match=r"Six Card Bonus is decided by cards .* six_card_bonus out"
    ):
        staked_sides(rules_of("UTH-S"), ["six_card_bonus"])


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
