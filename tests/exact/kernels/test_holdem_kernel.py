"""The Hold'em solver: as plain enumeration on small decks, as published figures on the full one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest

from croupier.exact.kernels import holdem
from croupier.exact.kernels.array_types import Int64s
from croupier.exact.kernels.hand_order import class_strengths
from croupier.exact.kernels.holdem_counts import HoldemCounts
from croupier.exact.kernels.poker_rank import CLASSES, rank_hands
from croupier.exact.kernels.positions import FULL_DECK, positions
from croupier.exact.kernels.showdown_rows import (
    LOSS,
    LOSS_QUALIFYING,
    TIE,
    WIN,
    WIN_QUALIFYING,
)
from croupier.facts.cards import DECK, cards
from croupier.facts.hands import Category
from tests.exact.plain_holdem import (
    CATEGORIES,
    FOLD,
    BestPlay,
    Cards,
    Key,
    PlainGame,
    PlainStrategy,
    count_deals,
)

CATEGORY_OF_CLASS = (class_strengths() >> 20).astype(np.uint8)
BLIND_PAY = (0, 0, 0, 0, 2, 3, 6, 20, 100, 1000)  # Blind 1, 3 to 2, 3, 10, 50, 500; in halves
BY_CATEGORY = holdem.SideLines(CATEGORY_OF_CLASS, CATEGORY_OF_CLASS, CATEGORY_OF_CLASS)
FROM_TRIPS = np.maximum(CATEGORY_OF_CLASS, 2) - 2  # as progressives pay: less is one line
AS_PAID = replace(BY_CATEGORY, flop=FROM_TRIPS)
OUTCOMES = {
    "win qualifying": WIN_QUALIFYING,
    "win": WIN,
    "tie": TIE,
    "loss qualifying": LOSS_QUALIFYING,
    "loss": LOSS,
}

# Aces come last: theirs is the pair that both may hold.
DECKS = {
    "no two suits alike": "Ts Js Qs Ks Th Kd 2d As Ah Ac",
    "two suits alike, both can make a straight flush": "Ts Th Js Jh Qs Qh Ks Kh As Ah",
    "three suits alike": "Kc Kd Kh Qc Qd Qh Ac Ad Ah 2s",
    "four aces, one long suit": "3s 4s 5s 6s 2s 2h As Ah Ad Ac",
}
LARGER_DECKS = {
    "all suits alike": "Qc Qd Qh Qs Kc Kd Kh Ks Ac Ad Ah As",
    "wheel and flushes": "2s 3s 4s 5s 2h 3h 4h 5h 9d 9c As Ah Ad",
    "broadway of two suits": "9d Ts Th Td Js Jh Qs Qh Ks Kh As Ah Ad",
    "one long suit": "2s 4s 6s 7s 8s 9s Ts Js 8h 9h 9d As Ah Ad",
}


def game_with(
    least: Category, raises: tuple[int, ...], blind_pay: tuple[int, ...] = BLIND_PAY
) -> holdem.HoldemGame:
    first = int(np.searchsorted(CATEGORY_OF_CLASS, CATEGORIES.index(least)))
    plain = PlainGame((), blind_pay, least, raises)
    shown, more = (results(plain, multiple) for multiple in (0, 1))
    folded = np.full_like(shown, -4)
    return holdem.HoldemGame(CATEGORY_OF_CLASS, shown, more - shown, folded, 2, first, raises)


def results(plain: PlainGame, multiple: int) -> Int64s:
    """By category and outcome: what the plain game wins or loses with this Play."""
    return np.array(
        [[plain.result(hand, end, multiple) for end in OUTCOMES] for hand in CATEGORIES]
    )


GAME = game_with(Category.PAIR, (4, 3))


def numbers(some: Cards) -> tuple[int, ...]:
    return tuple(card.number for card in some)


def tables_of(
    counts: HoldemCounts, plain: PlainGame, deck: tuple[int, ...]
) -> dict[str, Counter[Key]]:
    """The kernel's counts in the words of the plain enumeration."""
    actions = (*plain.raises, 2, 1, FOLD)
    starts = [tuple(DECK[number] for number in hole) for hole in positions(deck).starts]
    names = {"start": starts, "board": CATEGORIES, "flop": CATEGORIES, "low": CATEGORIES}
    found: dict[str, Counter[Key]] = {name: Counter() for name in (*names, "mirrored")}
    for name, table in zip(found, counts, strict=False):  # by_flop_low has a test of its own
        for *line, action, cell, outcome in np.argwhere(table).tolist():
            key = (actions[action], CATEGORIES[cell], list(OUTCOMES)[outcome])
            prefix = (names[name][line[0]],) if line else ()
            found[name][*prefix, *key] = int(table[*line, action, cell, outcome])
    return found


def by_start(plain: Counter[Key], deck: tuple[int, ...]) -> Counter[Key]:
    """The plain counts of all holes, added up for the starting hand they are."""
    spots = positions(deck)
    total: Counter[Key] = Counter()
    for (hole, *rest), times in plain.items():
        start = spots.starts[spots.start_of[hole_code(numbers(hole))]]  # type: ignore[arg-type]
        total[tuple(DECK[number] for number in start), *rest] += times
    return total


def hole_code(hole: tuple[int, ...]) -> int:
    return comb(max(hole), 2) + min(hole)


def check_values(best: holdem.Best, plain: BestPlay, deck: tuple[int, ...]) -> None:
    spots = positions(deck)
    for (hole, flop), values in plain.flop_values.items():
        spot = spots.flop_spot(numbers(flop), numbers(hole))
        assert (best.flop_bets[0][spot], best.flop_checks[spot]) == values
        assert best.strategy.flop[spot] == (values[0] > values[1])
    for (hole, board), bets in plain.river_bets.items():
        row, bit = spots.board_spot(numbers(board), numbers(hole))
        assert int(best.strategy.river[0, row, bit // 64]) >> bit % 64 & 1 == bets
    sums = np.zeros_like(best.start_values)
    raises = (*plain.game.raises, 0)
    for start, by_raise in plain.start_values.items():
        code = hole_code(numbers(start))
        sums[spots.start_of[code]] += [by_raise[multiple] for multiple in raises]
        chosen = raises.index(plain.strategy().preflop(start))
        assert best.strategy.preflop[code] == (holdem.NO_RAISE if raises[chosen] == 0 else chosen)
    assert (sums == best.start_values).all()


def under_limit(game: holdem.HoldemGame, plain: PlainGame) -> holdem.HoldemGame:
    """The game with every way to end paid as the plain one pays it, under its limit."""
    shown = [results(plain, multiple) for multiple in (*plain.raises, 2, 1)]
    return replace(game, limited=np.array([*shown, game.folded]))


def check_deck(
    text: str,
    least: Category,
    raises: tuple[int, ...],
    blind_pay: tuple[int, ...] = BLIND_PAY,
    most_paid: int | None = None,
) -> None:
    deck = tuple(sorted(numbers(cards(text))))
    named = tuple(DECK[number] for number in deck)
    plain = PlainGame(named, blind_pay, least, raises, most_paid)
    game = game_with(least, raises, blind_pay)
    if most_paid is not None:
        game = under_limit(game, plain)
    best, best_plain = holdem.decide(game, deck), BestPlay(plain)
    check_values(best, best_plain, deck)
    expected = count_deals(plain, best_plain.strategy())
    expected["start"] = by_start(expected["start"], deck)
    del expected["joint"]
    assert tables_of(holdem.count(game, best.strategy, BY_CATEGORY, deck), plain, deck) == expected


@pytest.mark.parametrize("text", DECKS.values(), ids=DECKS.keys())
def test_decisions_and_counts_equal_plain_enumeration(text: str) -> None:
    check_deck(text, Category.PAIR, (4, 3))


@pytest.mark.parametrize(
    ("least", "raises", "blind_pay"),
    [
        (Category.TWO_PAIR, (4, 3), BLIND_PAY),
        (Category.STRAIGHT, (3,), BLIND_PAY),
        (Category.HIGH_CARD, (5, 1), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
        (Category.PAIR, (4, 3), (-2, -1, 0, 0, 40, 0, 0, 9, 5, 0)),
    ],
)
def test_other_rules_equal_plain_enumeration_too(
    least: Category, raises: tuple[int, ...], blind_pay: tuple[int, ...]
) -> None:
    check_deck(DECKS["no two suits alike"], least, raises, blind_pay)


LIMITED = [
    # Each deck and each limit once; all of them with each other are for `make prove`.
    pytest.param(text, most, id=f"{name}-{most}", marks=[pytest.mark.prove] * (d != m))
    for d, (name, text) in enumerate(DECKS.items())
    for m, most in enumerate((3, 9, 14, 200))
]


@pytest.mark.parametrize(("text", "most_paid"), LIMITED)
def test_under_a_payout_limit_both_are_equal_too(text: str, most_paid: int) -> None:
    """In halves of an Ante: from a limit that stops most raises to one for royal flushes only."""
    check_deck(text, Category.PAIR, (4, 3), most_paid=most_paid)


def test_under_a_payout_limit_with_one_raise_too() -> None:
    check_deck(DECKS["no two suits alike"], Category.STRAIGHT, (3,), most_paid=7)


@pytest.mark.parametrize("most_paid", [3, 9, 14])
def test_a_low_limit_is_played_in_another_way(most_paid: int) -> None:
    """Who is paid no more for it does not raise as much: the limit is inside the optimum."""
    deck = tuple(sorted(numbers(cards(DECKS["two suits alike, both can make a straight flush"]))))
    plain = PlainGame(named_cards(deck), BLIND_PAY, Category.PAIR, (4, 3), most_paid)
    free, limited = (holdem.decide(game, deck) for game in (GAME, under_limit(GAME, plain)))
    assert (free.strategy.preflop != limited.strategy.preflop).any()


def test_a_limit_that_does_not_say_every_way_to_end_is_refused() -> None:
    with pytest.raises(ValueError, match="each of 5 actions"):
        replace(GAME, limited=np.zeros((4, 10, 5), dtype=np.int64))


@pytest.mark.prove
@pytest.mark.parametrize("text", LARGER_DECKS.values(), ids=LARGER_DECKS.keys())
def test_larger_decks_under_a_payout_limit(text: str) -> None:
    check_deck(text, Category.PAIR, (4, 3), most_paid=12)


@pytest.mark.prove
@pytest.mark.parametrize("text", LARGER_DECKS.values(), ids=LARGER_DECKS.keys())
@pytest.mark.parametrize("least", [Category.PAIR, Category.THREE_OF_A_KIND])
def test_larger_decks_equal_plain_enumeration(text: str, least: Category) -> None:
    check_deck(text, least, (4, 3))


def odd_strategy() -> PlainStrategy:
    """Bad play that depends on all that is seen, but never on which suit is which."""

    def weight(*some: Cards) -> int:
        suits = Counter(card.suit for cards in some for card in cards)
        ranks = sum(card.rank * (7 - 2 * at) for at, cards in enumerate(some) for card in cards)
        return ranks + 5 * max(suits.values())

    return PlainStrategy(
        lambda hole: (0, 3, 0, 4, 0)[weight(hole) % 5],
        lambda hole, flop: weight(hole, flop) % 3 == 0,
        lambda hole, board: weight(hole, board) % 2 == 0,
    )


def as_arrays(strategy: PlainStrategy, deck: tuple[int, ...]) -> holdem.HoldemStrategy:
    spots = positions(deck)
    preflop = np.full(1326, holdem.NO_RAISE, dtype=np.uint8)
    flop = np.zeros((len(spots.flops), 1326), dtype=np.uint8)
    river = np.zeros((1, len(spots.boards), 17), dtype=np.uint64)
    for hole in combinations(deck, 2):
        named = named_cards(hole)
        preflop[hole_code(hole)] = {4: 0, 3: 1, 0: holdem.NO_RAISE}[strategy.preflop(named)]
        for row, three in enumerate(spots.flops.tolist()):
            if not set(three) & set(hole):
                flop[row, hole_code(hole)] = strategy.flop(named, named_cards(tuple(three)))
        for five in spots.boards.tolist():
            if not set(five) & set(hole) and strategy.river(named, named_cards(tuple(five))):
                row, bit = spots.board_spot(five, hole)
                river[0, row, bit // 64] |= np.uint64(1 << bit % 64)
    return holdem.HoldemStrategy(preflop, flop, river)


def named_cards(some: tuple[int, ...]) -> Cards:
    return tuple(DECK[number] for number in some)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=name, marks=[pytest.mark.prove] * (number > 1))
        for number, (name, text) in enumerate(DECKS.items())
    ],
)
def test_any_strategy_is_counted_as_plain_enumeration_counts_it(text: str) -> None:
    deck = tuple(sorted(numbers(cards(text))))
    plain = PlainGame(named_cards(deck), BLIND_PAY, Category.PAIR, (4, 3))
    expected = count_deals(plain, odd_strategy())
    expected["start"] = by_start(expected["start"], deck)
    strategy, joint = as_arrays(odd_strategy(), deck), expected.pop("joint")
    counts = holdem.count(GAME, strategy, BY_CATEGORY, deck)
    assert tables_of(counts, plain, deck) == expected
    assert joint_table(strategy, deck) == joint


def joint_table(strategy: holdem.HoldemStrategy, deck: tuple[int, ...]) -> Counter[Key]:
    """All lines together: boards are counted line by line, holes with what they make on the flop,
    and both with the lower hand."""
    on_board = CATEGORY_OF_CLASS[rank_hands(positions(deck).boards)]
    is_pair = np.array([low // 4 == high // 4 for high in range(52) for low in range(high)])
    together = replace(BY_CATEGORY, hole=is_pair.astype(np.uint8), with_low=True)
    found: Counter[Key] = Counter()
    for board in np.unique(on_board):
        counts = holdem.count(GAME, strategy, together, deck, chosen=on_board == board)
        for line, low, action, cell, outcome in np.argwhere(counts.by_flop_low).tolist():
            made, held = CATEGORIES[line // 2], bool(line % 2)
            base = ((4, 3, 2, 1, FOLD)[action], CATEGORIES[cell], list(OUTCOMES)[outcome])
            times = int(counts.by_flop_low[line, low, action, cell, outcome])
            found[CATEGORIES[board], held, made, CATEGORIES[low], *base] = times
    return found


# The full deck, which the tests of solutions count too


@cache
def solved(threads: int) -> tuple[holdem.Best, HoldemCounts]:
    best = holdem.decide(GAME, threads=threads)
    return best, holdem.count(GAME, best.strategy, AS_PAID, threads=threads)


ALL_DEALS = 1326 * comb(50, 3) * comb(47, 2) * comb(45, 2)


def total_result(counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> int:
    """In halves of an Ante: counts by action, category and outcome."""
    plain = PlainGame((), BLIND_PAY, Category.PAIR, (4, 3))
    total = 0
    for action, multiple in enumerate((4, 3, 2, 1)):
        for cell, category in enumerate(CATEGORIES):
            for outcome, place in OUTCOMES.items():
                times = int(counts[action, cell, place])
                total += times * plain.result(category, outcome, multiple)
    return total - 4 * int(counts[4].sum())


@pytest.mark.prove
def test_every_deal_is_counted_once_in_every_table() -> None:
    _, counts = solved(2)
    once = counts.by_start.sum(axis=0)
    assert once.sum() == ALL_DEALS
    for table in (counts.by_board, counts.by_flop, counts.by_low):
        assert (table.sum(axis=0) == once).all()
        assert (table >= 0).all()


@pytest.mark.prove
def test_cards_are_dealt_as_often_as_binomials_say() -> None:
    _, counts = solved(2)
    spots = positions()
    holes = np.bincount(spots.start_of)
    assert (counts.by_start.sum(axis=(1, 2, 3)) == holes * (ALL_DEALS // 1326)).all()
    quads_on_board = 13 * 48 * comb(47, 2) * comb(45, 2) * 10
    assert counts.by_board[7].sum() == quads_on_board
    royals_on_flop = 4 * 10 * comb(47, 2) * comb(45, 2)
    assert counts.by_flop[-1].sum() == royals_on_flop
    assert counts.mirrored.sum() == 6 * comb(48, 5) * 10


@pytest.mark.prove
def test_the_published_house_edge_and_raises() -> None:
    """FIGURES.md: 2.185% (Wizard of Odds), and 4x with 500 of 1,326 hands."""
    best, counts = solved(2)
    result = total_result(counts.by_start.sum(axis=0))
    assert round(-result / 2 / ALL_DEALS, 5) == 0.02185
    assert np.count_nonzero(best.strategy.preflop == 0) == 500
    assert np.count_nonzero(best.strategy.preflop == holdem.NO_RAISE) == 826
    assert result == sum(max(map(int, values)) for values in best.start_values)


@pytest.mark.prove
def test_the_published_counts_of_bad_beats() -> None:
    """FIGURES.md: losing hands out of 2,781,381,002,400 (discountgambling.net, 2012)."""
    _, counts = solved(2)
    decided = [WIN_QUALIFYING, WIN, LOSS_QUALIFYING, LOSS]
    lower = dict(zip(CATEGORIES, counts.by_low[..., decided].sum(axis=(1, 2, 3)), strict=True))
    published = {
        Category.STRAIGHT_FLUSH: 10_300_592,
        Category.FOUR_OF_A_KIND: 471_040_512,
        Category.FULL_HOUSE: 8_435_225_376,
        Category.FLUSH: 19_434_208_592,
        Category.STRAIGHT: 18_271_076_976,
        Category.THREE_OF_A_KIND: 64_049_759_448,
    }
    assert {category: lower[category] / 10 for category in published} == published
    assert counts.by_low[..., TIE].sum() == 113_130_263_816 * 10
    assert ALL_DEALS == 2_781_381_002_400 * 10


@pytest.mark.prove
@pytest.mark.parametrize(("deciding", "counting"), [(3, 5), (1, 1)])
def test_threads_and_runs_do_not_change_a_byte(deciding: int, counting: int) -> None:
    best = holdem.decide(GAME, threads=deciding)
    again = best, holdem.count(GAME, best.strategy, AS_PAID, threads=counting)
    assert bytes_of(*again) == bytes_of(*solved(2))


def bytes_of(best: holdem.Best, counts: HoldemCounts) -> list[bytes]:
    strategy = best.strategy
    arrays = (best.start_values, best.flop_bets, best.flop_checks, *counts)
    return [a.tobytes() for a in (*arrays, strategy.preflop, strategy.flop, strategy.river)]


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_do_not_change_a_byte_of_a_small_deck(threads: int) -> None:
    deck = tuple(sorted(numbers(cards(DECKS["no two suits alike"]))))
    best, other = (holdem.decide(GAME, deck, threads=each) for each in (2, threads))
    counts = (
        holdem.count(GAME, each.strategy, AS_PAID, deck, threads=n)
        for each, n in ((best, 2), (other, threads))
    )
    assert bytes_of(best, next(counts)) == bytes_of(other, next(counts))


@pytest.mark.prove
def test_large_units_give_the_same_decisions() -> None:
    """Values that need 64 bits, not 32, decide alike."""
    best, _ = solved(2)
    fine = replace(
        GAME,
        stakes=3000 * GAME.stakes,
        play=3000 * GAME.play,
        folded=3000 * GAME.folded,
        denominator=6000,
    )
    finer = holdem.decide(fine)
    assert (finer.start_values == 3000 * best.start_values).all()
    assert (finer.strategy.river == best.strategy.river).all()


def test_values_too_large_are_refused() -> None:
    huge = replace(GAME, stakes=10**9 * GAME.stakes)
    with pytest.raises(ValueError, match="too large"):
        holdem.decide(huge)


def test_a_class_without_a_cell_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a cell"):
        replace(GAME, cell_of_class=np.full(CLASSES, 10, dtype=np.uint8))


def test_results_and_sizes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="each of 5 outcomes"):
        replace(GAME, play=GAME.play[:, :4])
    with pytest.raises(ValueError, match="from the largest"):
        replace(GAME, flop=(1, 2))


def test_a_strategy_that_tells_suits_apart_is_refused() -> None:
    deck = tuple(sorted(numbers(cards(DECKS["three suits alike"]))))
    strategy = as_arrays(odd_strategy(), deck)
    kings = hole_code(numbers(cards("Kc Kd")))
    strategy.preflop[kings] = 1 if strategy.preflop[kings] == 0 else 0
    with pytest.raises(ValueError, match="tells suits apart"):
        holdem.count(GAME, strategy, deck=deck)


def test_there_are_so_many_positions() -> None:
    spots = positions(FULL_DECK)
    assert (len(spots.flops), len(spots.boards), len(spots.starts)) == (1755, 134459, 169)
    assert spots.flop_weights.sum() == comb(52, 3)
    assert spots.board_weights.sum() == comb(52, 5)


def test_progress_runs_to_the_end() -> None:
    told: dict[str, float] = {}
    deck = tuple(sorted(numbers(cards(DECKS["no two suits alike"]))))
    holdem.decide(GAME, deck, progress=told.__setitem__)
    assert all(done == 1 for done in told.values())
    assert told
