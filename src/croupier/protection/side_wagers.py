"""Side wagers when cards are known: made in every round, or only where that is worth something.

A wager is judged by some cards of the deal. Given known cards among them and known cards elsewhere,
its lines are counted by inclusion and exclusion from one table a size of hand: how many hands of
each class hold two given cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb, gcd, lcm
from typing import NamedTuple

import numpy as np

from croupier.exact.endings import net_of
from croupier.exact.hand_classes import lines_of_classes
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import four_card_rank, poker_rank
from croupier.exact.kernels.array_types import Int64s, Uint8s
from croupier.exact.kernels.compiled import kept_arrays
from croupier.exact.side_wagers import ACES, SideTerms, line_number, paytables_of
from croupier.exact.side_wagers import endings as endings_of
from croupier.exact.solution import SideValue
from croupier.exact.solve import readings
from croupier.facts.cards import DECK
from croupier.facts.hands import FIVE_CARD, FOUR_CARD, SUPER_ROYAL_RANKS, TWO_CARD, Ranking
from croupier.facts.progress import Progress
from croupier.facts.showings import Showing
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.games.watched_places import places_looked_at
from croupier.protection.knowledge import Knowledge, KnownPlaces, known_cards
from croupier.protection.lower_hands import by_lower
from croupier.protection.worth import Forfeited, KnownLines, SideWorth
from croupier.rulebook.book import Paytable, Wager

FIRST_ACE = 48


def sides_of(
    rules: Rules,
    knows: Knowledge,
    honest: Sequence[SideValue],
    before_wagers: bool,
    progress: Progress,
    forfeited: Forfeited | None = None,
) -> tuple[SideWorth, ...]:
    """Every side wager that can be counted.

    One that play does not touch is worth the same whatever is known if it is always made; only
    who chooses when to make it needs more counting.
    """
    known = known_cards(knows) if before_wagers else []
    found: list[SideWorth] = []
    for number, side in enumerate(honest):
        progress("counting side wagers", number / len(honest))
        wager = rules.book.wager(side.endings.wager)
        table = paytables_of(rules, wager)[side.endings.paytable]
        judged_by = dict(readings(rules, wager, table))[side.reading]
        if not any(SideTerms.of(wager)) and not before_wagers:
            found.append(SideWorth(side.endings, side.assumed, side.reading))
            continue
        lines = _lines(rules, wager, table, judged_by, known, forfeited)
        if lines is not None:
            found.append(_worth(side, table, lines, before_wagers))
    return tuple(found)


def _lines(
    rules: Rules,
    wager: Wager,
    table: Paytable,
    judged_by: str,
    known: list[KnownPlaces],
    forfeited: Forfeited | None,
) -> KnownLines | None:
    """None where a wager depends on play or on cards in a way that is not counted here."""
    terms = SideTerms.of(wager)
    if any(terms):
        only_fold = terms == SideTerms(forfeits=True)
        return forfeited(table, judged_by) if forfeited is not None and only_fold else None
    count = _counter(rules, table, judged_by, known)
    return [(1, count(cards)) for cards in known] if count is not None else None


def _worth(side: SideValue, table: Paytable, lines: KnownLines, before_wagers: bool) -> SideWorth:
    wager, letter, assumed = side.endings.wager, side.endings.paytable, side.assumed
    nets = [*(net_of(line.odds, assumed) for line in table.lines), Fraction(-1)]
    unit = lcm(*(net.denominator for net in nets))
    units = [int(net * unit) for net in nets]
    together = [0] * len(nets)
    chosen = made = 0
    for ways, counts in lines:
        by_line = [ways * number for number in counts.tolist()]
        worth = sum(number * net for number, net in zip(by_line, units, strict=True))
        if worth > 0:
            chosen += worth
            made += sum(by_line)
        together = [held + more for held, more in zip(together, by_line, strict=True)]
    total = sum(together)
    common = gcd(*together)
    tally = Counter({line: number // common for line, number in enumerate(together)})
    ends = endings_of(wager, letter, table, lambda _: tally)
    found = SideWorth(ends, assumed, side.reading)
    if not before_wagers:
        return found
    return replace(found, chosen_ev=Fraction(chosen, unit * total), made=Fraction(made, total))


# What a wager looks at, and how that is counted

CountOfLines = Callable[[KnownPlaces], Int64s]


class CountedLook(NamedTuple):
    """How many cards of the deal judge a wager, ranked how, and which known ones are of them."""

    size: int
    ranking: Ranking
    inside: tuple[str, ...] = ()


LOOKS: Mapping[str, CountedLook] = {
    "final hand": CountedLook(7, FIVE_CARD, ("flop", "late")),
    "hole cards and flop": CountedLook(5, FIVE_CARD, ("flop",)),
    "board": CountedLook(5, FIVE_CARD, ("flop", "late")),
    "five cards": CountedLook(5, FIVE_CARD),
    "four-card hand": CountedLook(5, FOUR_CARD),
    "six cards": CountedLook(6, FIVE_CARD),
}


def _counter(
    rules: Rules, table: Paytable, judged_by: str, known: list[KnownPlaces]
) -> CountOfLines | None:
    if judged_by == "lower hand":
        wagers = (w for w in rules.book.wagers if w.judged_by == judged_by)
        beside = (each for wager in wagers for each in paytables_of(rules, wager).values())
        return by_lower(table, known, beside=tuple(beside))
    if judged_by == "first two cards":
        return _first_two(table)
    if judged_by in LOOKS:
        return _by_class(table, judged_by)
    return None if places_looked_at(rules, judged_by) else _own_cards(rules, table, judged_by)


def _by_class(table: Paytable, judged_by: str) -> CountOfLines:
    look = LOOKS[judged_by]
    lines = lines_of_classes(table, look.ranking)
    holding = classes_holding_two(look.size, look.ranking)
    by_line = np.zeros((len(holding), len(table.lines) + 1), np.int64)
    for line in range(len(table.lines) + 1):
        by_line[:, line] = holding[:, lines == line].sum(axis=1)
    pairs = by_line[_pair_classes()]
    pairs[range(52), range(52)] = 0
    if judged_by == "six cards":
        _mend_super_royals(table, pairs)
    return _inclusion(pairs, look.size, look.inside)


def _mend_super_royals(table: Paytable, pairs: Int64s) -> None:
    """Six cards to a royal and more, which no class of five tells, are lines of their own."""
    for suit in range(4):
        numbers = [4 * (rank - 2) + suit for rank in sorted(SUPER_ROYAL_RANKS)]
        six = tuple(DECK[number] for number in numbers)
        royal = FIVE_CARD.best(six)
        plain = line_number(table, Showing(royal, royal.cards))
        whole = line_number(table, Showing(royal, six))
        for one, other in permutations(numbers, 2):
            pairs[one, other, plain] -= 1
            pairs[one, other, whole] += 1


def _own_cards(rules: Rules, table: Paytable, judged_by: str) -> CountOfLines:
    """A game without kernels: every hand of a box is asked about, card by card."""
    size = rules.book.place("box").cards
    pairs = np.zeros((52, 52, len(table.lines) + 1), np.int64)
    for own in combinations(DECK, size):
        box = FinishedBox(seat=1, cards=own, stakes={})
        showing = rules.game.looks[judged_by](FinishedRound(rules, {}, (box,)), box)
        line = len(table.lines) if showing is None else line_number(table, showing)
        for one, other in permutations(own, 2):
            pairs[one.number, other.number, line] += 1
    return _inclusion(pairs, size, ())


def _inclusion(pairs: Int64s, size: int, inside: tuple[str, ...]) -> CountOfLines:
    """Hands with all known cards of these places and none of the others, by line."""
    singles = pairs.sum(axis=1) // (size - 1)
    every = singles.sum(axis=0) // size

    def holding(cards: tuple[int, ...]) -> Int64s:
        found: Int64s = every
        if cards:
            found = pairs[cards] if len(cards) == 2 else singles[cards[0]]
        return found

    def count(known: KnownPlaces) -> Int64s:
        held = sum((getattr(known, place) for place in inside), ())
        elsewhere = [card for card in known.all if card not in held]
        total = np.zeros(pairs.shape[2], np.int64)
        for size in range(len(elsewhere) + 1):
            for some in combinations(elsewhere, size):
                total += (-1) ** size * holding((*held, *some))
        return total

    return count


def _first_two(table: Paytable) -> CountOfLines:
    """The player's two cards, and whether the dealer's are a pair of aces."""
    numbers = np.array([(a, b) for b in range(52) for a in range(b)])
    holes = [(DECK[a], DECK[b]) for a, b in numbers.tolist()]
    plain, with_aces = (
        np.array([line_number(table, Showing(TWO_CARD.hand(two), two, held)) for two in holes])
        for held in (None, ACES)
    )
    in_hole = (numbers >= FIRST_ACE).sum(axis=1)
    size = len(table.lines) + 1

    def count(known: KnownPlaces) -> Int64s:
        apart = ~np.isin(numbers, known.all).any(axis=1)
        missing, unseen = 2 - len(known.dealer), 50 - len(known.all)
        left = 4 - sum(card >= FIRST_ACE for card in known.all)
        could_be = all(card >= FIRST_ACE for card in known.dealer)
        ways = [comb(left - held, missing) if could_be and left >= held else 0 for held in range(3)]
        aces = np.array(ways)[in_hole[apart]]
        tally = np.zeros(size, np.int64)
        np.add.at(tally, with_aces[apart], aces)
        np.add.at(tally, plain[apart], comb(unseen, missing) - aces)
        return tally

    return count


# Hands of each class that hold two given cards


@cache
def classes_holding_two(size: int, ranking: Ranking) -> Int64s:
    """(pairs up to suits, classes): kept, or counted once on each machine."""
    name = f"holding-two-{'four' if ranking is FOUR_CARD else 'five'}-of-{size}"
    return kept_arrays(name, lambda: {"ways": _holding_two(size, ranking)})["ways"]


def _holding_two(size: int, ranking: Ranking) -> Int64s:
    rank = four_card_rank.rank_hands if ranking is FOUR_CARD else poker_rank.rank_hands
    places = np.fromiter(_flat(combinations(range(50), size - 2)), np.uint8)
    places = places.reshape(-1, size - 2)
    classes = len(samples(ranking))
    found = np.zeros((len(_two_cards()), classes), np.int64)
    hands: Uint8s = np.empty((len(places), size), np.uint8)
    for at, two in enumerate(_two_cards()):
        rest = np.array([card for card in range(52) if card not in two], np.uint8)
        hands[:, :2] = two
        hands[:, 2:] = rest[places]
        found[at] = np.bincount(rank(hands), minlength=classes)
    return found


def _flat(rows: Iterator[tuple[int, ...]]) -> Iterator[int]:
    for row in rows:
        yield from row


@cache
def _two_cards() -> tuple[tuple[int, int], ...]:
    """One pair of cards of each kind: ranks, and whether of one suit."""
    offsuit = [(4 * low, 4 * high + 1) for high in range(13) for low in range(high + 1)]
    return (*offsuit, *((4 * low, 4 * high) for high in range(13) for low in range(high)))


@cache
def _pair_classes() -> Int64s:
    """(52, 52): the kind of two cards; of a card with itself none."""
    numbers = {(a >> 2, b >> 2, a & 3 == b & 3): at for at, (a, b) in enumerate(_two_cards())}
    found = np.zeros((52, 52), np.int64)
    for one, other in permutations(range(52), 2):
        low, high = sorted((one, other))
        found[one, other] = numbers[low >> 2, high >> 2, low & 3 == high & 3]
    return found
