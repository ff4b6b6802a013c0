"""The exact solver of Four Card Poker: against plain dealing, and against published figures."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.exact.kernels import four_card, four_card_rank
from croupier.exact.kernels.card_sets import card_sets
from croupier.exact.kernels.four_card import FOLD, LEAST, LOSS, MOST, NO_ACTION, TIE, WIN, Stakes
from croupier.exact.kernels.showdowns import Showdowns, showdowns
from croupier.facts.cards import DECK, cards
from croupier.facts.hands import FOUR_CARD, Hand

BONUS = [0, 0, 0, 0, 0, 2, 20, 25]  # by category: FCP-14 12.B
DEALS = comb(52, 5) * 47 * comb(46, 5)
# All deals under the best play by action (most, least, fold) and outcome (win, tie, loss), and the
# net result and the money wagered over all of them in Antes: pinned when they were first proved.
PINNED = [
    [35978774432052, 31097919000, 15416710949964],
    [13674974076168, 8088658260, 23309941519932],
    [8421430334868, 37091873124, 70561026581112],
]
PINNED_NET = (-4667956789584, 358711890501888)

# Between them they make every kind of hand; their suits are alike, partly alike and different.
SMALL_DECKS = {
    "two and two suits alike": "2c3c4c5c 2d3d4d5d 2h3h 2s3s",
    "one long suit": "2c3c4c5c6c8c 5d6d7d 6h7h 8s As",
    "three suits alike": "AcKcQcJc AdKdQdJd AhKhQhJh 2s",
    "wheels": "Ac2c3c4c5cKc Ad2d3d 4h4s Ah9s",
}
Deal = tuple[tuple[int, ...], int]


def deck_of(text: str) -> NDArray[np.uint8]:
    return np.array([card.number for card in cards(text)], dtype=np.uint8)


def usual_stakes(most: int = 3, ties: int = 1, unit: int = 1) -> Stakes:
    return Stakes.of_cells(four_card_rank.tables().categories, BONUS, unit, most=most, ties=ties)


class Readable:
    """The whole game on a small deck by plain dealing, with the readable hands."""

    def __init__(self, deck: NDArray[np.uint8]) -> None:
        self.deck = sorted(deck.tolist())
        self.best: dict[tuple[int, ...], Hand] = {
            some: FOUR_CARD.best(DECK[card] for card in some)
            for size in (5, 6)
            for some in combinations(self.deck, size)
        }

    def deals(self) -> Iterator[Deal]:
        for hand in combinations(self.deck, 5):
            for up in sorted(set(self.deck) - set(hand)):
                yield hand, up

    def outcomes(self, hand: tuple[int, ...], up: int) -> Counter[int]:
        player = self.best[hand]
        unseen = [card for card in self.deck if card not in hand and card != up]
        found: Counter[int] = Counter({WIN: 0, TIE: 0, LOSS: 0})
        for others in combinations(unseen, 5):
            dealer = self.best[tuple(sorted((*others, up)))]
            found[WIN if player > dealer else TIE if player == dealer else LOSS] += 1
        return found

    def choice(self, hand: tuple[int, ...], outcomes: Counter[int], most: int, ties: int) -> int:
        """The best of folding and every Play by half Antes; of equals the smallest."""
        bonus = BONUS[self.best[hand].strength] * outcomes.total()
        edge = outcomes[WIN] + ties * outcomes[TIE] - outcomes[LOSS]
        values = {play: (2 + play) * edge + 2 * bonus for play in range(2, 2 * most + 1)}
        best = max(values, key=lambda play: (values[play], -play))
        if values[best] <= -2 * outcomes.total():
            return FOLD
        return {2 * most: MOST, 2: LEAST}[best]


def assert_same_game(deck: NDArray[np.uint8], most: int = 3, ties: int = 1) -> None:
    """Every showdown, every choice and every count, by the solver and by plain dealing."""
    solved = showdowns(deck)
    plain = Readable(deck)
    stakes = usual_stakes(most, ties)
    actions = four_card.best_actions(solved, stakes)
    cells, sides = four_card_rank.tables().categories, np.arange(len(solved.hands)) % 5
    expected = np.zeros((5, 3, 8, 3), dtype=np.int64)
    by_rank = np.zeros((four_card_rank.CLASSES, 13, 3, 3), dtype=np.int64)
    for hand, up in plain.deals():
        outcomes = plain.outcomes(hand, up)
        assert solved.of(hand, up) == (outcomes[WIN], outcomes[TIE], outcomes[LOSS])
        place = solved.place(hand, up)
        action = plain.choice(hand, outcomes, most, ties)
        assert actions[place] == action
        hand_class = int(solved.classes[place[0]])
        assert four_card.action_values(solved.of(hand, up), stakes, hand_class).best == action
        for outcome, count in outcomes.items():
            expected[sides[place[0]], action, plain.best[hand].strength, outcome] += count
            by_rank[hand_class, up // 4, action, outcome] += count
    counted = four_card.count_outcomes(solved, actions, cells, sides)
    assert np.array_equal(counted, expected[: len(counted), :, : counted.shape[2]])
    assert counted.sum() == expected.sum() == comb(len(deck), 11) * comb(11, 5) * 6
    assert np.array_equal(four_card.count_by_class_and_rank(solved, actions), by_rank)


@pytest.fixture(scope="module")
def solved() -> Showdowns:
    return showdowns()


@pytest.fixture(scope="module")
def actions(solved: Showdowns) -> NDArray[np.uint8]:
    return four_card.best_actions(solved, usual_stakes())


def net_and_wagered(counts: NDArray[np.int64]) -> tuple[int, int]:
    """The player's net result and all money wagered, in Antes, over all deals."""
    net = wagered = 0
    for action, play in ((MOST, 3), (LEAST, 1), (FOLD, 0)):
        for cell, bonus in enumerate(BONUS):
            win, tie, loss = (int(count) for count in counts[0, action, cell])
            deals = win + tie + loss
            wagered += deals * (1 + play)
            net += (1 + play) * (win + tie - loss) + bonus * deals if play else -deals
    return net, wagered


# Small decks


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.prove] * (name in ("wheels", "three suits alike")))
        for name in SMALL_DECKS
    ],
)
def test_a_small_deck_by_plain_dealing(name: str) -> None:
    assert_same_game(deck_of(SMALL_DECKS[name]))


def test_other_ways_to_treat_a_tie() -> None:
    assert_same_game(deck_of(SMALL_DECKS["one long suit"]), most=2, ties=0)
    assert_same_game(deck_of(SMALL_DECKS["wheels"]), most=5, ties=-1)


@pytest.mark.parametrize("text", ["2c3c4c5c6c7c8c9cTcJc", "2c2c3c4c5c6c7c8c9cTcJc"])
def test_a_deck_too_small(text: str) -> None:
    with pytest.raises(ValueError, match="at least eleven"):
        showdowns(deck_of(text))


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(12))
def test_random_decks_by_plain_dealing(seed: int) -> None:
    chance = random.Random(seed)
    ranks = chance.sample(range(13), chance.choice([4, 5, 7, 10]))
    pack = [4 * rank + suit for rank in ranks for suit in range(4)]
    deck = chance.sample(pack, chance.choice([12, 13, 14]))
    assert_same_game(
        np.array(deck, dtype=np.uint8), chance.choice([2, 3]), chance.choice([1, 0, -1])
    )


@pytest.mark.prove
def test_four_suits_alike_by_plain_dealing() -> None:
    assert_same_game(deck_of("2c2d2h2s 3c3d3h3s 4c4d4h4s 5c5d5h5s"))


# Kinds of sets


def test_kinds_of_sets() -> None:
    sets = card_sets(np.arange(52, dtype=np.uint8))
    assert np.diff(sets.starts).tolist() == [1, 13, 169, 1_755, 16_432, 134_459]
    for size in range(6):
        stood_for = sets.weights[sets.starts[size] : sets.starts[size + 1]]
        assert stood_for.sum() == comb(52, size)


def test_a_kind_is_found_from_any_of_its_sets() -> None:
    sets = card_sets(np.arange(52, dtype=np.uint8))
    chance = random.Random(5)
    for _ in range(2_000):
        hand = chance.sample(range(52), 5)
        suits = chance.sample(range(4), 4)
        exchanged = [card & ~3 | suits[card & 3] for card in chance.sample(hand, 5)]
        kind, exchange = sets.kind_of(tuple(hand))
        assert sets.kind_of(tuple(exchanged))[0] == kind
        sample = sorted(card & ~3 | exchange >> (2 * (card & 3)) & 3 for card in hand)
        assert sample == sets.cards[kind].tolist()


# The whole deck


def test_every_deal_is_counted(solved: Showdowns, actions: NDArray[np.uint8]) -> None:
    assert solved.completions == comb(46, 5)
    assert (solved.can_be_up.sum(axis=1) == 47).all()
    assert (solved.below.astype(np.int64) + solved.equal <= solved.completions).all()
    assert (solved.below >= 0).all()
    assert ((actions == NO_ACTION) == ~solved.can_be_up).all()
    counts = four_card.count_outcomes(solved, actions, four_card_rank.tables().categories)
    assert counts.sum() == DEALS == 167_439_136_344_480
    categories = counts.sum(axis=(0, 1, 3)) // (47 * comb(46, 5))
    assert categories.tolist() == [1150080, 1047552, 123552, 101808, 114616, 58656, 2072, 624]
    by_rank = four_card.count_by_class_and_rank(solved, actions).sum(axis=(0, 2, 3))
    assert (by_rank == DEALS // 13).all()


def test_published_edge(solved: Showdowns, actions: NDArray[np.uint8]) -> None:
    counts = four_card.count_outcomes(solved, actions, four_card_rank.tables().categories)
    net, wagered = net_and_wagered(counts)
    # Wizard of Odds: 2.79% of the Ante, 1.30% of all money wagered.
    assert f"{-net / DEALS:.2%}" == "2.79%"
    assert f"{-net / wagered:.2%}" == "1.30%"


def test_the_enumeration_is_pinned(solved: Showdowns, actions: NDArray[np.uint8]) -> None:
    counts = four_card.count_outcomes(solved, actions, four_card_rank.tables().categories)
    assert counts.sum(axis=(0, 2)).tolist() == PINNED
    assert net_and_wagered(counts) == PINNED_NET


@pytest.mark.prove
def test_showdowns_by_dealing_them(solved: Showdowns) -> None:
    assert_dealt_alike(solved, 60)


@pytest.mark.prove
def test_many_showdowns_by_dealing_them(solved: Showdowns) -> None:
    assert_dealt_alike(solved, 2 * four_card_rank.CLASSES)


def assert_dealt_alike(solved: Showdowns, count: int) -> None:
    """Random hands by turns with a hand of each class, so that rare hands come up too."""
    chance = random.Random(count)
    classes = np.unique(solved.classes).tolist()
    chance.shuffle(classes)
    for at in range(count):
        six = chance.sample(range(52), 6)
        hand, up = tuple(six[:5]), six[5]
        if at % 2:
            rows = np.flatnonzero(solved.classes == classes[at // 2 % len(classes)])
            row = chance.choice(rows.tolist())
            hand = tuple(solved.hands[row].tolist())
            up = chance.choice(np.flatnonzero(solved.can_be_up[row]).tolist())
        assert solved.of(hand, up) == four_card.deal_out(hand, up)


@pytest.mark.prove
def test_threads_make_no_difference(solved: Showdowns) -> None:
    stakes = usual_stakes()
    cells = four_card_rank.tables().categories
    for threads in (1, 2, 3):
        again = showdowns(threads=threads)
        assert again.below.tobytes() == solved.below.tobytes()
        assert again.equal.tobytes() == solved.equal.tobytes()
        actions = four_card.best_actions(again, stakes, threads)
        counts = four_card.count_outcomes(again, actions, cells, threads=threads)
        assert counts.sum(axis=(0, 2)).tolist() == PINNED


def test_progress_goes_to_the_end() -> None:
    told: list[float] = []
    showdowns(deck_of(SMALL_DECKS["wheels"]), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1


# Strategies and side wagers


def test_a_given_strategy(solved: Showdowns, actions: NDArray[np.uint8]) -> None:
    """Always Play at its least: every deal is counted there, and it earns less."""
    always = np.where(solved.can_be_up, LEAST, NO_ACTION).astype(np.uint8)
    cells = four_card_rank.tables().categories
    counts = four_card.count_outcomes(solved, always, cells)
    best = four_card.count_outcomes(solved, actions, cells)
    assert counts[0, LEAST].sum() == DEALS
    assert np.array_equal(counts[0, LEAST], best[0].sum(axis=0))
    assert net_and_wagered(counts)[0] < net_and_wagered(best)[0]


def test_side_lines_split_the_counts(solved: Showdowns, actions: NDArray[np.uint8]) -> None:
    cells = four_card_rank.tables().categories
    lines = four_card_rank.tables().categories[solved.classes]
    split = four_card.count_outcomes(solved, actions, cells, lines)
    whole = four_card.count_outcomes(solved, actions, cells)
    assert np.array_equal(split.sum(axis=0), whole[0])
    for line in range(8):
        assert split[line].sum() == split[line, :, line].sum()


def test_a_finer_unit_changes_no_choice(solved: Showdowns, actions: NDArray[np.uint8]) -> None:
    finer = Stakes.of_cells(
        four_card_rank.tables().categories, [100 * pay for pay in BONUS], unit=100
    )
    assert np.array_equal(four_card.best_actions(solved, finer), actions)


def test_of_equal_actions_the_smallest_wager() -> None:
    flat = Stakes.of_cells(four_card_rank.tables().categories, [0] * 8)
    assert four_card.action_values((25, 0, 75), flat, 0).best == FOLD
    assert four_card.action_values((26, 0, 74), flat, 0).best == LEAST
    assert four_card.action_values((50, 0, 50), flat, 0).best == LEAST
    assert four_card.action_values((51, 0, 49), flat, 0).best == MOST


def test_what_is_no_strategy(solved: Showdowns, actions: NDArray[np.uint8]) -> None:
    with pytest.raises(ValueError, match="an action for each"):
        four_card.tally(solved, np.full_like(actions, NO_ACTION), solved.classes)
    with pytest.raises(ValueError, match="one line for each"):
        four_card.tally(solved, actions, [0, 1])
    with pytest.raises(ValueError, match="numbered from 0"):
        four_card.tally(solved, actions, np.full(len(solved.hands), -1))
    with pytest.raises(ValueError, match="too fine"):
        four_card.best_actions(solved, usual_stakes(unit=1 << 60))


@pytest.mark.parametrize(
    ("hand", "up"),
    [
        ((1, 2, 3, 4, 5), 5),
        ((1, 2, 3, 4, 4), 5),
        ((1, 2, 3, 4), 5),
        ((1, 2, 3, 4, 52), 5),
        ((1, 2, 3, 4, 5), -1),
    ],
)
def test_what_is_no_deal(solved: Showdowns, hand: tuple[int, ...], up: int) -> None:
    with pytest.raises(ValueError, match="five cards and an up card"):
        four_card.deal_out(hand, up)
    with pytest.raises(ValueError, match="five cards and an up card"):
        solved.of(hand, up)
