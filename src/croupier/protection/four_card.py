"""Four Card Poker when more of the dealer's cards, or one out of play, are known: exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import chain, combinations
from math import comb

import numpy as np

from croupier.exact import four_card
from croupier.exact.base_game import BaseGame, RoundEnding, Showdown, case_of, gathered
from croupier.exact.hand_classes import common_cells, lines_of_classes
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import four_card as solver
from croupier.exact.kernels import four_card_rank, poker_rank
from croupier.exact.kernels.array_types import Int16s, Int32s, Int64s, Uint8s
from croupier.exact.kernels.compiled import Progress, in_chunks, threads_to_use
from croupier.exact.kernels.positions import CHOOSE
from croupier.exact.kernels.showdowns import DEALER_SIZE, HAND_SIZE, showdowns
from croupier.exact.side_wagers import SideTerms, paytables_of
from croupier.exact.solve import readings
from croupier.exact.strategy.chart_names import four_card_name
from croupier.exact.strategy.strategies import four_card_actions
from croupier.facts.cards import DECK
from croupier.facts.hands import FIVE_CARD, FOUR_CARD
from croupier.games.rules import Rules
from croupier.protection.kernels import four_card as kernel
from croupier.protection.knowledge import Knowledge
from croupier.protection.simple_strategy import simple_strategy
from croupier.protection.suits import SuitNames, renamed, suit_names
from croupier.protection.worth import KnownLines, PlayValue, StrategyLine, line_of, play_of
from croupier.rulebook.book import Paytable

FULL_DECK = tuple(range(52))
_SHOWN = {solver.WIN: Showdown.WIN, solver.TIE: Showdown.TIE, solver.LOSS: Showdown.LOSS}


class KnownFourCard:
    """A deck's hands in numbers, and the solver's honest actions."""

    def __init__(
        self, rules: Rules, deck: tuple[int, ...] = FULL_DECK,
        progress: Progress = lambda what, done: None,
    ) -> None:  # fmt: skip
        self.rules, self.deck, self.progress = rules, deck, progress
        self.stakes = four_card.stakes_of(rules)
        self.shown = showdowns(deck, progress=lambda done: progress("counting hands", done))
        bonus = rules.paytable("ante_bonus")
        assert bonus is not None, "a rulebook of Four Card Poker always has its Ante bonus"
        self.cells, self.firsts = common_cells([lines_of_classes(bonus, FOUR_CARD)])
        self.forfeited = tuple(_forfeited(rules))
        called = [four_card_name(hand) for hand in samples(FOUR_CARD)]
        self.names = list(dict.fromkeys(reversed(called)))
        self.hands = self._player_hands([self.names.index(name) for name in called])
        self.simple = simple_strategy(rules)
        self.honest = kernel.Honest(
            self._honest_and_simple_actions(),
            self.shown.below,
            self.shown.equal.astype(np.int32),
            self.shown.completions,
        )

    def _honest_and_simple_actions(self) -> Uint8s:
        best = solver.best_actions(self.shown, self.stakes)
        if self.simple is None:
            return best
        simple, _ = four_card_actions(self.simple, self.shown)
        both: Uint8s = best | simple << np.uint8(kernel.SIMPLY)
        return both

    def solve(
        self, knowledge: Knowledge
    ) -> tuple[PlayValue, tuple[StrategyLine, ...], Callable[[Paytable, str], KnownLines]]:
        """Value, risk and actions, the strategy by the ranks of the known cards, and how wagers
        end that a fold forfeits."""
        burnt = bool(knowledge.burn)
        size = 1 + knowledge.dealer + knowledge.burn
        sets = self._known_sets(size)
        every = chain.from_iterable(_labels(cards, burnt) for cards, _ in sets)
        labels = list(dict.fromkeys(every))
        besides = list(dict.fromkeys(chain.from_iterable(_besides(cards) for cards, _ in sets)))
        left = DEALER_SIZE - (1 if burnt else size)
        completions = comb(len(self.deck) - HAND_SIZE - size, left)
        tallies = [self._new_tally(len(labels), len(besides)) for _ in range(threads_to_use(None))]
        groups = {suit_names(self.deck, cards) for cards, _ in sets}
        chosen = {names: self._representatives(names) for names in groups}

        def meet(tally: kernel.FourCardTally, start: int, stop: int) -> None:
            counts, fifths = np.zeros((4, comb(52, 3)), np.int64), kernel.new_fifth_cards()
            for cards, weight in sets[start:stop]:
                lines = [labels.index(label) for label in _labels(cards, burnt)]
                beside = [besides.index(other) for other in _besides(cards)]
                known = self._known_set(cards, weight, np.array(lines), np.array(beside))
                kernel.meet_known(
                    self.hands, chosen[suit_names(self.deck, cards)], known, self.stakes,
                    self.honest, burnt, completions, CHOOSE, kernel.SUBSETS, counts, fifths, tally,
                )  # fmt: skip

        in_chunks(
            meet, tallies, len(sets), 1, lambda done: self.progress("meeting known cards", done)
        )
        ends, lines, kept = (sum(parts) for parts in zip(*tallies, strict=True))
        base = BaseGame(tuple(gathered(self._cases(ends))), four_card.action_names(self.rules))
        unit = self.stakes.unit
        if self.simple is None:
            lines = lines[:, :, : kernel.SIMPLY_DONE]
        found = (
            line_of(label, name, [deals, *lines[at, n].tolist()], base.actions, unit, base.deals)
            for at, label in enumerate(labels)
            for n, name in enumerate(self.names)
            if (deals := int(lines[at, n, kernel.DONE : kernel.HONEST_DONE].sum()))
        )
        return play_of(base), tuple(found), partial(self._forfeited_lines, kept)

    def _forfeited_lines(self, kept: Int64s, table: Paytable, judged_by: str) -> KnownLines:
        """For each thing known beside the up card: deals by line, the loss last."""
        lines = self.lines_of_paid[self.forfeited.index((table, judged_by))]
        size = len(table.lines) + 1
        found = []
        for shown, folded in kept:
            counts = np.zeros(size, np.int64)
            np.add.at(counts, lines, shown)
            counts[-1] += folded.sum()
            found.append((1, counts))
        return found

    def _new_tally(self, labels: int, besides: int) -> kernel.FourCardTally:
        return kernel.FourCardTally(
            np.zeros((3, len(self.firsts), 3), np.int64),
            np.zeros((labels, len(self.names), kernel.COLUMNS), np.int64),
            np.zeros((besides, 2, int(self.hands.paid.max()) + 1), np.int64),
        )

    def _player_hands(self, name_of_class: list[int]) -> kernel.PlayerHands:
        """Every hand of the deck, sorted by class and by the four cards that count."""
        cards = _subsets(self.deck, HAND_SIZE)
        classes = four_card_rank.rank_hands(cards)
        cards, fours = _counting_first(cards, classes)
        order = np.lexsort((cards[:, 4], fours, classes))
        cards, fours, classes = np.ascontiguousarray(cards[order]), fours[order], classes[order]
        kinds, exchanges = np.zeros(len(cards), np.int32), np.zeros(len(cards), np.uint8)
        sets = self.shown.sets
        kernel.find_kinds(cards, sets.steps, int(sets.starts[HAND_SIZE]), kinds, exchanges)
        five = poker_rank.rank_hands(cards)
        lines = [
            lines_of_classes(table, FIVE_CARD)[five]
            if judged_by == "five cards"
            else lines_of_classes(table, FOUR_CARD)[classes]
            for table, judged_by in self.forfeited
        ]
        paid, firsts = common_cells(lines) if lines else (np.zeros(len(cards), np.uint8), [0])
        self.lines_of_paid = [of_table[firsts] for of_table in lines]
        held = np.left_shift(np.uint64(1), cards.astype(np.uint64)).sum(axis=1)
        return kernel.PlayerHands(
            cards, fours, held, classes, kinds, exchanges, paid.astype(np.int32),
            np.array(name_of_class, np.int32), self.cells.astype(np.int32),
        )  # fmt: skip

    def _known_sets(self, size: int) -> list[tuple[tuple[int, ...], int]]:
        """Every set of so many cards up to suits, and how many it stands for."""
        names = suit_names(self.deck)
        found = Counter(
            min(renamed(cards, name) for name in names) for cards in combinations(self.deck, size)
        )
        return list(found.items())

    def _representatives(self, names: tuple[SuitNames, ...]) -> kernel.Representatives:
        """The hands that stand for all others when suits may have these names."""
        codes = CHOOSE[np.sort(self.hands.cards, axis=1), np.arange(1, 1 + HAND_SIZE)].sum(axis=1)
        places = np.zeros(comb(52, HAND_SIZE), np.int32)
        places[codes] = np.arange(len(codes))
        weights = np.zeros(len(codes), np.uint8)
        kernel.find_representatives(
            self.hands.cards, places, np.array(names, np.uint8), CHOOSE, weights
        )
        chosen = np.flatnonzero(weights).astype(np.int32)
        return kernel.Representatives(chosen, weights[chosen])

    def _known_set(
        self, cards: tuple[int, ...], weight: int, line: Int64s, beside: Int64s
    ) -> kernel.KnownSet:
        size = DEALER_SIZE - len(cards)
        rest = _subsets(tuple(card for card in self.deck if card not in cards), size)
        whole = np.hstack([rest, np.tile(np.array(cards, np.uint8), (len(rest), 1))])
        classes = four_card_rank.rank_hands(whole).astype(np.int16)
        codes = CHOOSE[rest, np.arange(1, size + 1)].sum(axis=1)
        by_code = np.full(comb(52, size), np.iinfo(np.int16).max, np.int16)
        by_code[codes] = classes
        order = np.argsort(classes, kind="stable")
        return kernel.KnownSet(
            np.array(cards, np.int64), sum(1 << card for card in cards), weight,
            np.ascontiguousarray(rest[order]), classes[order], by_code, line, beside,
        )  # fmt: skip

    def _cases(self, ends: Int64s) -> Iterator[RoundEnding]:
        (street,) = self.rules.book.streets
        multiples = (street.most_multiple, street.least_multiple, None)
        actions = zip(four_card.action_names(self.rules), multiples, strict=True)
        for action, (name, multiple) in enumerate(actions):
            play = Fraction(multiple) if multiple is not None else None
            for cell, first in enumerate(self.firsts):
                for outcome, showdown in _SHOWN.items():
                    ways = int(ends[action, cell, outcome])
                    hand = samples(FOUR_CARD)[first]
                    yield case_of(self.rules, name, play, showdown, True, hand, ways)


def _subsets(deck: tuple[int, ...], size: int) -> Uint8s:
    found: Uint8s = np.array(sorted(deck), dtype=np.uint8)[_places(len(deck), size)]
    return found


@cache
def _places(total: int, size: int) -> Uint8s:
    """Every choice of so many places, one a row."""
    chosen = chain.from_iterable(combinations(range(total), size))
    return np.fromiter(chosen, dtype=np.uint8).reshape(-1, size)


def _counting_first(cards: Uint8s, classes: Int16s) -> tuple[Uint8s, Int32s]:
    """Each hand with the four cards that count before the fifth, and the code of the four."""
    found, fours = cards.copy(), np.full(len(cards), -1, np.int32)
    for fifth in range(HAND_SIZE):
        places = [*(place for place in range(HAND_SIZE) if place != fifth), fifth]
        open_ = np.flatnonzero(fours < 0)
        laid = np.ascontiguousarray(cards[open_][:, places])
        same = four_card_rank.rank_hands(laid[:, :4]) == classes[open_]
        found[open_[same]] = laid[same]
        fours[open_[same]] = CHOOSE[laid[same][:, :4], np.arange(1, 5)].sum(axis=1)
    return found, fours


def _forfeited(rules: Rules) -> Iterator[tuple[Paytable, str]]:
    """Every paytable of a wager that a fold forfeits, and what it looks at."""
    for wager in rules.book.wagers:
        if wager.optional and SideTerms.of(wager) == SideTerms(forfeits=True):
            for table in paytables_of(rules, wager).values():
                yield from ((table, judged_by) for _, judged_by in readings(rules, wager, table))


def _besides(cards: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    """With each of the known cards as the up card: the ranks of the others, and their suits."""
    others = ([card for card in cards if card != up] for up in cards)
    return [
        (tuple(sorted(card >> 2 for card in them)), len({card & 3 for card in them}))
        for them in others
    ]


def _labels(cards: tuple[int, ...], burnt: bool) -> list[str]:
    """The known cards by rank, with each of them as the up card."""
    found = []
    for up in cards:
        others = sorted((card for card in cards if card != up), reverse=True)
        ranks = " ".join(DECK[card].rank.letter for card in others)
        found.append(f"{DECK[up].rank.letter} up, {'burn' if burnt else 'dealer'} {ranks}")
    return found
