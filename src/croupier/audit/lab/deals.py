"""Trials on what was dealt: decks as they come out of the shuffle, each one independent outcome.

Where several numbers come from the same deck, either their joint distribution is known exactly or
the worst of them is taken and made good for the number that was looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from croupier.audit.lab import chances, tails
from croupier.audit.lab.bits import battery
from croupier.audit.lab.chances import CARDS, HAND, RANKS, SUITS
from croupier.audit.lab.orders import (
    DeckArray,
    draws,
    kinds_of_hand,
    lehmer,
    patterns,
    pieces,
    until_each,
)
from croupier.audit.lab.trials import Trial, chi_square, fit, mean_of, normal, worst
from croupier.facts.errors import Unreadable
from croupier.facts.progress import Progress

FEWEST_DECKS = 10_000
DEALT = 20  # about as many cards as a full table sees
BOXES = 7
LAGS = range(1, 6)
MOST_COLLECTED = 400


def trials_of_deals(decks: DeckArray, progress: Progress = lambda what, done: None) -> list[Trial]:
    """Every trial of the list below, in its order."""
    if len(decks) < FEWEST_DECKS:
        raise Unreadable(f"a verdict needs at least {FEWEST_DECKS:,} decks, not {len(decks):,}")
    done: list[Trial] = []
    for number, trial in enumerate(TRIALS):
        progress(trial.__name__.replace("_", " "), number / len(TRIALS))
        found = trial(decks)
        done += found if isinstance(found, list) else [found]
    return done


# Which card, where


def cards_by_place(decks: DeckArray) -> Trial:
    """All 52 by 52 counts. A deck puts one card at each place, so 51 by 51 of them are free."""
    off = _card_counts(decks) - len(decks) / CARDS
    return chi_square(
        "cards by place",
        float((off**2).sum()) * (CARDS - 1) / len(decks),
        (CARDS - 1) ** 2,
        len(decks),
        "one card at one place {:.1%} off",
        lambda noncentral: math.sqrt(noncentral * (CARDS - 1) / len(decks)),
    )


def one_card_at_one_place(decks: DeckArray) -> Trial:
    """The count that is farthest off: finds one card that is seldom where it should be."""
    size, fair = len(decks), 1 / CARDS
    sigma = math.sqrt(size * fair * (1 - fair))
    z = (_card_counts(decks) - size * fair) / sigma
    farthest = normal(
        "one card at one place",
        float(np.abs(z).max()),
        size,
        "one card at one place {:.1%} off",
        sigma / (size * fair),
    )
    return worst(farthest.name, [farthest] * CARDS**2)


def first_two_cards(decks: DeckArray) -> Trial:
    pairs = decks[:, 0].astype(np.int64) * CARDS + decks[:, 1]
    counts = np.bincount(pairs, minlength=CARDS**2).reshape(CARDS, CARDS)
    counts = counts[~np.eye(CARDS, dtype=bool)]
    return fit("first two cards", counts, _alike(len(counts)), "one pair of cards {:.1%} off")


def neighbors_by_place(decks: DeckArray) -> Trial:
    """Two cards dealt one after the other: of one rank, of one suit, or neither."""
    others = CARDS - 1
    fair = [(SUITS - 1) / others, (RANKS - 1) / others, (others - SUITS - RANKS + 2) / others]
    found = []
    for place in range(others):
        one, two = decks[:, place], decks[:, place + 1]
        rank = int((one // SUITS == two // SUITS).sum())
        suit = int((one % SUITS == two % SUITS).sum())
        counts = [rank, suit, len(decks) - rank - suit]
        found.append(fit("neighbors by place", counts, fair, "neither at one place {:.2%} off"))
    return worst("neighbors by place", found)


# Hands


def hands_of_five(decks: DeckArray) -> Trial:
    """Each of the ten hands of five in a deck, against the exact number of hands of each kind."""
    found = []
    for start in range(0, CARDS - HAND + 1, HAND):
        kinds = kinds_of_hand(decks[:, start : start + HAND])
        counts = np.bincount(kinds, minlength=len(chances.HANDS))
        found.append(fit("poker", counts, chances.hands(), "high card in one hand {:.2%} off"))
    return worst("poker hands of five", found)


def interplay_of_boxes(decks: DeckArray) -> Trial:
    """Whether two boxes' first two cards go together more than they must."""
    spread = (RANKS**2 - 1) / 12
    hands = [
        (decks[:, 2 * box : 2 * box + 2] // SUITS).sum(axis=1) - float(RANKS - 1)
        for box in range(BOXES)
    ]
    each_other = -spread / (CARDS - 1)
    found = [
        mean_of(
            "interplay", one * two, 4 * each_other, 2 * spread, "two boxes correlated by {:.2%}"
        )
        for one, two in combinations(hands, 2)
    ]
    return worst("interplay of two boxes", found)


def interplay_of_places(decks: DeckArray) -> Trial:
    """Whether a card tells something about the next ones."""
    spread = (CARDS**2 - 1) / 12
    found = []
    for lag in LAGS:
        means = [
            ((piece[:, lag:] - CENTER) * (piece[:, :-lag] - CENTER)).mean(axis=1)
            for piece in pieces(decks)
        ]
        values, fair = np.concatenate(means), -spread / (CARDS - 1)
        found.append(mean_of("", values, fair, spread, "neighbors correlated by {:.2%}"))
    return worst("interplay of places", found)


# Order


def runs_up(decks: DeckArray) -> Trial:
    falls = (decks[:, 1:] < decks[:, :-1]).sum(axis=1)
    counts = np.bincount(falls, minlength=CARDS)
    return fit("runs up", counts, chances.descents(), "the commonest number {:.1%} off")


def gaps(decks: DeckArray) -> Trial:
    """Cards between the first two of a rank, for each rank."""
    fair, found = chances.gaps(), []
    for rank in range(RANKS):
        places = np.nonzero(decks // SUITS == rank)[1].reshape(-1, SUITS)
        counts = np.bincount(places[:, 1] - places[:, 0] - 1, minlength=len(fair))
        found.append(fit("gap", counts, fair, "a pair side by side {:.1%} off"))
    return worst("gaps between a rank's cards", found)


def coupons_in_a_deck(decks: DeckArray) -> Trial:
    """Cards dealt until every suit, or every rank, has come."""
    found = []
    for kinds, count in ((decks % SUITS, SUITS), (decks // SUITS, RANKS)):
        lengths = np.bincount(until_each(kinds, count), minlength=CARDS + 1)
        fair = chances.whole_sets(count)
        found.append(fit("coupons", lengths, fair, "the commonest length {:.1%} off"))
    return worst("coupons in a deck", found)


def coupons_over_decks(decks: DeckArray) -> Trial:
    """Decks until every rank has come first: what one deck says about those after it."""
    lengths, seen, started = [], 0, 0
    for number, rank in enumerate((decks[:, 0] // SUITS).tolist(), 1):
        seen |= 1 << rank
        if seen == (1 << RANKS) - 1:
            lengths.append(min(number - started, MOST_COLLECTED + 1))
            seen, started = 0, number
    fair = chances.collections(RANKS, MOST_COLLECTED)
    counts = np.bincount(lengths, minlength=len(fair))
    return fit("coupons over decks", counts, fair, "the commonest lengths {:.0%} off")


def orders_of_a_few(decks: DeckArray) -> list[Trial]:
    """The orders of three, four and five neighbors; groups that share no card are independent."""
    return [
        fit(
            f"orders of {size} cards",
            np.bincount(patterns(decks, size), minlength=math.factorial(size)),
            _alike(math.factorial(size)),
            "one order {:.1%} off",
        )
        for size in (3, 4, 5)
    ]


def lehmer_digits(decks: DeckArray) -> Trial:
    digits = lehmer(decks)[:, ::-1]
    return _digits("Lehmer code by place", digits, "one digit at one place {:.1%} off")


def numbers_drawn(decks: DeckArray) -> list[Trial]:
    """What the shuffle must have drawn: each number alike, and none told by the one before."""
    drawn = draws(decks)
    limits = np.arange(1, CARDS + 1)
    total = 0.0
    for piece in pieces(drawn):
        even = (piece - (limits - 1) / 2)[:, 1:] / np.sqrt((limits[1:] ** 2 - 1) / 12)
        total += float((even[:, 1:] * even[:, :-1]).sum())
    size = len(decks) * (CARDS - 2)
    return [
        _digits("numbers drawn by limit", drawn, "one number below 52 {:.1%} off"),
        normal(
            "correlation of numbers drawn",
            total / math.sqrt(size),
            size,
            "numbers correlated by {:.3%}",
            1 / math.sqrt(size),
        ),
        *battery(_even_bits(drawn), "bits drawn"),
    ]


# Deck after deck


def correlation_of_decks(decks: DeckArray) -> Trial:
    """Each deck against the first to fifth one after it, place by place."""
    spread = CARDS * (CARDS**2 - 1) / 12
    found = []
    for lag in LAGS:
        total = sum(
            float(((one - CENTER) * (two - CENTER)).sum())
            for one, two in zip(pieces(decks[:-lag]), pieces(decks[lag:]), strict=True)
        )
        size = len(decks) - lag
        sigma = 1 / math.sqrt((CARDS - 1) * size)
        z = total / spread / size / sigma
        found.append(normal("serial", z, size, "decks correlated by {:.3%}", sigma))
    return worst("serial correlation of decks", found)


def matches(decks: DeckArray) -> Trial:
    """Places where a deck holds the card that the deck before held there."""
    agreed = (decks[1:] == decks[:-1]).sum(axis=1)
    counts = np.bincount(agreed, minlength=CARDS + 1)
    return fit("matches with the deck before", counts, chances.matches(), "no match {:.1%} off")


def overlaps(decks: DeckArray) -> Trial:
    """How many of the first twenty cards were among the first twenty of the deck before."""
    masks = np.zeros(len(decks), dtype=np.uint64)
    for place in range(DEALT):
        masks |= np.uint64(1) << decks[:, place].astype(np.uint64)
    shared = np.bitwise_count(masks[1:] & masks[:-1])
    counts = np.bincount(shared, minlength=DEALT + 1)
    fair = chances.overlaps(DEALT)
    return fit("overlaps with the deck before", counts, fair, "the commonest overlap {:.1%} off")


def duplicates(decks: DeckArray) -> Trial:
    """Two decks alike: never, in a lifetime, unless the shuffle hangs on something small."""
    size = len(decks)
    whole = np.ascontiguousarray(decks).view(f"V{CARDS}").ravel()
    twice = size - len(np.unique(whole))
    reach = size * (size - 1) / 2
    return Trial(
        name="duplicate decks",
        statistic=twice,
        degrees=None,
        p=tails.poisson_tail(twice, reach / math.factorial(CARDS)),
        size=size,
        deviation="a seed of {:.0f} bits or fewer",
        smallest=lambda level: math.log2(reach / -math.log(1 - tails.POWER)),
    )


def birthdays(decks: DeckArray) -> Trial:
    """Pairs of decks that begin alike, over as many cards as still give some."""
    reach = len(decks) * (len(decks) - 1) / 2
    length = max(n for n in range(1, 9) if reach / math.perm(CARDS, n) >= 8)
    starts = decks[:, :length].astype(np.int64) @ (CARDS ** np.arange(length))
    counts = np.unique(starts, return_counts=True)[1]
    pairs, mean = int((counts * (counts - 1) // 2).sum()), reach / math.perm(CARDS, length)
    return Trial(
        name=f"birthdays of the first {length} cards",
        statistic=pairs,
        degrees=None,
        p=tails.poisson_tail(pairs, mean),
        size=len(decks),
        deviation="equal beginnings {:.0%} off",
        smallest=lambda level: tails.shift(level) / math.sqrt(mean),
    )


CENTER = (CARDS - 1) / 2
TRIALS: tuple[Callable[[DeckArray], Trial | list[Trial]], ...] = (
    cards_by_place,
    one_card_at_one_place,
    first_two_cards,
    neighbors_by_place,
    hands_of_five,
    interplay_of_boxes,
    interplay_of_places,
    runs_up,
    gaps,
    coupons_in_a_deck,
    coupons_over_decks,
    orders_of_a_few,
    lehmer_digits,
    numbers_drawn,
    correlation_of_decks,
    matches,
    overlaps,
    duplicates,
    birthdays,
)


def _card_counts(decks: DeckArray) -> NDArray[np.int64]:
    return np.stack([np.bincount(decks[:, place], minlength=CARDS) for place in range(CARDS)])


def _digits(name: str, digits: DeckArray, deviation: str) -> Trial:
    """Column ``limit - 1`` holds independent digits below ``limit``, all alike."""
    size, statistic = len(digits), 0.0
    for limit in range(2, CARDS + 1):
        counts = np.bincount(digits[:, limit - 1], minlength=limit)
        if len(counts) > limit:
            raise Unreadable(f"{name}: a digit below {limit} is {len(counts) - 1}")
        statistic += float(((counts - size / limit) ** 2).sum()) * limit / size
    return chi_square(
        name,
        statistic,
        CARDS * (CARDS - 1) // 2,
        size,
        deviation,
        lambda noncentral: math.sqrt(noncentral * (CARDS - 1) / size),
    )


def _even_bits(drawn: DeckArray) -> NDArray[np.uint8]:
    """Fifteen bits a deck: numbers below 32, 16, 8, 4 and 2 are whole bits."""
    columns = [
        (drawn[:, 2**width - 1] >> bit) & 1 for width in range(5, 0, -1) for bit in range(width)
    ]
    return np.stack(columns, axis=1).ravel()


def _alike(count: int) -> NDArray[np.float64]:
    return np.full(count, 1 / count)
