"""Any game with one decision and a showdown, solved by dealing every hand out: slow and readable.

Nothing here knows a game. The rulebook says how many cards lie where, which of them are face up
when the player decides and which Plays may be made; the game's own functions rank the hands. So a
new game has exact values before it has a solver of its own, and a solver can be checked on a deck
small enough to deal out completely.

A hand is ranked from its own cards and the shared ones, as the seam of a game has it. Suits are not
exchanged for one another anywhere: a paytable may name one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise

from croupier.exact.base import FOLD, BaseGame, Case, Showdown, case_of, gathered
from croupier.exact.side import Counted, Tally
from croupier.exact.solution import HandValue
from croupier.facts.cards import DECK, Card
from croupier.facts.errors import Refusal
from croupier.facts.hands import Category, Hand
from croupier.facts.showings import Showing
from croupier.games.round import Box, Round
from croupier.games.rules import Rules
from croupier.rulebook.book import Place, Rulebook, Street, WayOfDealing

Progress = Callable[[str, float], None]
Cards = tuple[Card, ...]
Known = tuple[Cards, Cards]
"""What a player knows when deciding: the box's own cards, and those face up, place by place."""


@dataclass(frozen=True)
class Decision:
    """What each action is worth in Antes, from the largest wager to the fold, and the best."""

    best: str
    values: tuple[tuple[str, Fraction], ...]

    @property
    def value(self) -> Fraction:
        return dict(self.values)[self.best]


@dataclass(frozen=True)
class Solved:
    """The base game under optimal play, and the decision for everything a player can know.

    Cards stand sorted in each :data:`Known`, and each of them has equally many deals behind it.
    """

    base: BaseGame
    decisions: Mapping[Known, Decision]


def solve_base(
    rules: Rules, deck: Iterable[Card] = DECK, progress: Progress = lambda what, done: None
) -> Solved:
    """The base game of this deck under optimal play; of equal actions the smaller wager."""
    table = _Table(rules, tuple(sorted(deck)))
    hands = list(combinations(table.deck, table.own))
    decisions: dict[Known, Decision] = {}
    cases: list[Case] = []
    for number, own in enumerate(hands, 1):
        for up in table.face_up(own):
            decision, played = table.decide(list(table.meetings(own, up)))
            decisions[own, sum(up, ())] = decision
            cases.extend(played)
        progress("dealing every hand out", number / len(hands))
    return Solved(BaseGame(tuple(gathered(cases)), tuple(table.actions)), decisions)


def hand_values(rules: Rules, solved: Solved) -> tuple[HandValue, ...]:
    """By what the hand is called and the ranks that are up: the average value of each action.

    Where shared cards are to come the hand has no name yet, and there is nothing to list.
    """
    if len(_dealt_places(rules.book)) > 1:
        return ()
    ranked = sorted(
        ((_hand_of(rules, own), up, decision) for (own, up), decision in solved.decisions.items()),
        key=lambda known: (known[0], known[1]),
        reverse=True,
    )
    named: defaultdict[str, list[Decision]] = defaultdict(list)
    for hand, up, decision in ranked:
        ups = " and ".join(card.rank.one for card in up)
        named[f"{hand.aloud}, {ups} up" if up else hand.aloud].append(decision)
    deals_each = solved.base.deals // len(solved.decisions)
    return tuple(_hand_value(name, decided, deals_each) for name, decided in named.items())


def counted_by_own_cards(rules: Rules) -> Mapping[str, Counted]:
    """How to count each thing a wager of this game may look at, dealing every own hand.

    What looks at other cards too is refused when it is asked for.
    """
    return {judged_by: _by_own_cards(rules, judged_by) for judged_by in rules.game.looks}


def base_with(rules: Rules, solved: Solved, line_of: Callable[[Cards], int]) -> list[Fraction]:
    """Line by line of a wager that the own cards decide, as far as any line is reached: what the
    deals that end so add to the mean of the base game."""
    adds: defaultdict[int, Fraction] = defaultdict(Fraction)
    for (own, _), decision in solved.decisions.items():
        adds[line_of(own)] += decision.value / len(solved.decisions)
    return [adds[line] for line in range(max(adds) + 1)]
