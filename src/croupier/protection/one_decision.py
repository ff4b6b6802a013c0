"""Any game of one decision when the dealer's cards are known, exactly.

Hands are ranked by the game's own functions, as everywhere; the kernel only looks them up. It takes
games in which the dealer has up to three cards, all face down, and no cards are shared: others are
refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from croupier.exact.base_game import (
    BaseGame,
    RoundEnding,
    Showdown,
    case_of,
    gathered,
    whole_numbers,
)
from croupier.exact.enumeration import DealTable, dealt_places, player_hand
from croupier.exact.kernels.array_types import Int64s, Uint8s
from croupier.exact.kernels.compiled import Progress, in_chunks, threads_to_use
from croupier.exact.strategy.features import CardsInSight
from croupier.exact.strategy.strategy_file import Strategy
from croupier.facts.cards import DECK, Card
from croupier.facts.errors import Refusal
from croupier.facts.hands import Hand
from croupier.games.rules import Rules
from croupier.protection.kernels import one_decision as kernel
from croupier.protection.knowledge import Knowledge
from croupier.protection.simple_strategy import simple_strategy
from croupier.protection.suits import ALL_NAMES, SuitNames, renamed, suit_names
from croupier.protection.worth import PlayValue, StrategyLine, line_of, play_of

_ENDS = tuple((showdown, opens) for showdown in (Showdown.WIN, Showdown.TIE, Showdown.LOSS)
              for opens in (True, False))  # fmt: skip
MOST_CARDS = 3


class KnownOneDecision:
    """A deck's hands in numbers, and what is counted when cards are known."""

    def __init__(self, rules: Rules, deck: tuple[Card, ...] = DECK) -> None:
        _refuse_other_deals(rules)
        self.rules, self.deck = rules, tuple(sorted(deck))
        self.table = DealTable(rules, self.deck)
        self.own = list(combinations(self.deck, self.table.own))
        hands = [player_hand(rules, own, {}) for own in self.own]
        dealers = {
            held: self.table.dealer_hand(held, ())
            for held in combinations(self.deck, self.table.dealer.cards)
        }
        order = {hand: place for place, hand in enumerate(sorted({*hands, *dealers.values()}))}
        self.paid_as = list(dict.fromkeys(map(self.table.paid_as, hands)))
        self.names = list(dict.fromkeys(hand.aloud for hand in sorted(hands, reverse=True)))
        nets = [
            self._case(action, hand, end, 1).net
            for action in self.table.actions
            for hand in self.paid_as
            for end in _ENDS
        ]
        self.unit, units = whole_numbers(nets, rules)
        shape = (len(self.table.actions), len(self.paid_as), len(_ENDS))
        self.game = kernel.OneDecision(
            own=np.array([[card.number for card in own] for own in self.own], np.uint8),
            order=np.array([order[hand] for hand in hands], np.int32),
            cells=np.array([self.paid_as.index(self.table.paid_as(h)) for h in hands], np.int32),
            names=np.array([self.names.index(hand.aloud) for hand in hands], np.int32),
            honest=np.zeros(len(hands), np.uint8),
            simple=np.zeros(len(hands), np.uint8),
            cube=_cube(dealers, order),
            first_opening=self._first_opening(order),
            nets=np.array(units, np.int64).reshape(shape),
            deck=np.array([card.number for card in self.deck], np.int64),
        )

    def solve(
        self, knowledge: Knowledge, progress: Progress
    ) -> tuple[PlayValue, tuple[StrategyLine, ...]]:
        """Value, risk and actions, and the strategy by the ranks of the known cards."""
        honest = self._tallied({(): 1}, progress)[0].best
        strategy = simple_strategy(self.rules)
        simple = self._simply(strategy) if strategy is not None else self.game.simple
        game = self.game._replace(honest=honest, simple=simple)
        known = self._known_sets(knowledge.dealer)
        tallies = self._tallied(known, progress, game)
        ends = np.sum([tally.ends for tally in tallies], axis=0)
        base = BaseGame(tuple(gathered(self._cases(ends))), tuple(self.table.actions))
        lines = np.sum([tally.lines for tally in tallies], axis=0)
        if strategy is None:
            lines = lines[:, :, : -len(self.table.actions)]
        ranks = list(dict.fromkeys(map(_ranks, known)))
        found = (
            line_of(known_as, hand, lines[at, name].tolist(), base.actions, self.unit, base.deals)
            for at, known_as in enumerate(ranks)
            for name, hand in enumerate(self.names)
            if lines[at, name, 0]
        )
        return play_of(base), tuple(found)

    def _simply(self, strategy: Strategy) -> Uint8s:
        """By hand: the place of what this strategy does."""
        (street,), names = self.rules.book.streets, list(self.table.actions)
        done = (strategy.action(street.name, CardsInSight(own)) for own in self.own)
        return np.array([names.index(action) for action in done], np.uint8)

    def _tallied(
        self,
        known: Mapping[tuple[Card, ...], int],
        progress: Progress,
        game: kernel.OneDecision | None = None,
    ) -> list[kernel.OneDecisionTally]:
        """All hands against each of these known cards, which stand for so many sets."""
        ranks = {name: line for line, name in enumerate(dict.fromkeys(map(_ranks, known)))}
        actions, sets = len(self.table.actions), list(known.items())
        tallies = [
            kernel.OneDecisionTally(
                np.zeros(self.game.nets.shape, np.int64),
                np.zeros((len(ranks), len(self.names), 3 + 3 * actions), np.int64),
                np.zeros(len(self.own), np.uint8),
            )
            for _ in range(threads_to_use(None) if len(known) > 1 else 1)
        ]

        def meet(tally: kernel.OneDecisionTally, start: int, stop: int) -> None:
            for at in range(start, stop):
                cards, weight = sets[at]
                numbers = np.array([card.number for card in cards], np.int64)
                dealt, line = self.table.dealer.cards - len(numbers), ranks[_ranks(cards)]
                asked = (game or self.game, numbers, weight, line, dealt)
                kernel.meet_known(0, len(self.own), *asked, tally)

        in_chunks(meet, tallies, len(known), 1, lambda done: progress("dealing hands out", done))
        return tallies

    def _known_sets(self, size: int) -> Counter[tuple[Card, ...]]:
        """One of all sets of known cards that are alike up to suits, and how many those are."""
        names = self._suits_alike()
        found = Counter(
            min(renamed(cards, name) for name in names)
            for cards in combinations([card.number for card in self.deck], size)
        )
        return Counter({tuple(DECK[card] for card in cards): n for cards, n in found.items()})

    def _suits_alike(self) -> tuple[SuitNames, ...]:
        """The renamings of suits that change nothing: no hand is another or paid otherwise."""
        names, game = suit_names(tuple(card.number for card in self.deck)), self.game
        places = {tuple(own): place for place, own in enumerate(game.own.tolist())}
        for name in names:
            new = np.array([card & ~3 | name[card & 3] for card in range(52)] + [kernel.NO_CARD])
            moved = [places[tuple(own)] for own in np.sort(new[game.own], axis=1).tolist()]
            same = all((each[moved] == each).all() for each in (game.order, game.cells, game.names))
            if not same or (game.cube[np.ix_(new, new, new)] != game.cube).any():
                return (ALL_NAMES[0],)
        return names

    def _first_opening(self, order: dict[Hand, int]) -> int:
        opens, ranking = self.rules.book.contest.opens, self.rules.game.ranking
        return next((at for hand, at in order.items() if opens(ranking, hand)), len(order))

    def _cases(self, ends: Int64s) -> Iterator[RoundEnding]:
        for a, action in enumerate(self.table.actions):
            for c, hand in enumerate(self.paid_as):
                for e, end in enumerate(_ENDS):
                    yield self._case(action, hand, end, int(ends[a, c, e]))

    def _case(self, action: str, hand: Hand, end: tuple[Showdown, bool], ways: int) -> RoundEnding:
        return case_of(self.rules, action, self.table.actions[action], *end, hand, ways)


def _cube(dealers: dict[tuple[Card, ...], Hand], order: dict[Hand, int]) -> NDArray[np.int32]:
    cube = np.full((53, 53, 53), -1, np.int32)
    for held, hand in dealers.items():
        numbers = [card.number for card in held]
        padded = [*numbers, *[kernel.NO_CARD] * (MOST_CARDS - len(numbers))]
        for places in set(permutations(padded)):
            cube[places] = order[hand]
    return cube


def _ranks(cards: tuple[Card, ...]) -> str:
    return " ".join(card.rank.letter for card in sorted(cards, reverse=True))


def _refuse_other_deals(rules: Rules) -> None:
    dealer, *shared = dealt_places(rules.book)
    up = rules.book.dealing[0].face_up(rules.book.streets[0].name) if rules.book.dealing else {}
    if shared or dealer.cards > MOST_CARDS or up.get(dealer.name, 0) or len(rules.book.streets) > 1:
        raise Refusal(
            f"what known cards are worth is counted for games of one decision in which the dealer "
            f"has up to {MOST_CARDS} cards, all face down; {rules.game.name} is another",
            rules.book.cite(rules.book.refusals.no_such_option),
        )
