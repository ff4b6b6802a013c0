"""Any game with one decision and a showdown, solved by dealing every hand out: slow and readable.

Nothing here knows a game. The rulebook says how many cards lie where, which of them are face up
when the player decides and which Plays may be made; the game's own functions rank the hands. So a
new game has exact values before it has a solver of its own, and a solver can be checked on a deck
small enough to deal out completely.

A hand is ranked from its own cards and the shared ones, as the seam of a game has it. Of hands
that differ in what their suits are called one is dealt out for all, where the deck is whole, all
its cards are hidden and no paytable names a suit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import accumulate, combinations, groupby, permutations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.base_game import BaseGame, RoundEnding, actions, gathered
from croupier.exact.enumeration import (
    DealTable,
    HandDecision,
    Meeting,
    dealt_places,
    player_hand,
)
from croupier.exact.side_wagers import Counted, LineCounts, line_number
from croupier.exact.solution import HandValue
from croupier.exact.solution_cache import kept_answer
from croupier.exact.strategy.chart_names import facing
from croupier.facts.cards import DECK, Card, Cards, Rank, Suit
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.hands import Hand
from croupier.facts.progress import Progress
from croupier.facts.showings import Showing
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.games.watched_places import places_looked_at
from croupier.rulebook.book import Paytable

KnownCards = tuple[Cards, Cards]
"""What a player knows when deciding: the box's own cards, and those face up, place by place."""


class DecidedHand(NamedTuple):
    """What a player knows and does; ``hands`` are alike but for what their suits are called."""

    own: Cards
    up: Cards
    decision: HandDecision
    hands: int


def _renamed(own: Cards) -> set[Cards]:
    """These cards with their suits called otherwise, in every way."""
    return {
        tuple(sorted(Card(card.rank, names[card.suit]) for card in own))
        for names in permutations(Suit)
    }


@dataclass(frozen=True)
class SolvedByEnumeration:
    """The base game under optimal play, and the decision for everything a player can know.

    Each stands for so many hands as it says, and each hand has equally many deals behind it.
    """

    base: BaseGame
    decided: tuple[DecidedHand, ...]

    @cached_property
    def hands(self) -> int:
        return sum(hand.hands for hand in self.decided)

    @cached_property
    def decisions(self) -> Mapping[KnownCards, HandDecision]:
        """By all cards that a player can know, each sorted."""
        return {
            (own, hand.up): hand.decision
            for hand in self.decided
            for own in (_renamed(hand.own) if hand.hands > 1 else (hand.own,))
        }


def solve_base(
    rules: Rules, deck: Iterable[Card] = DECK, progress: Progress = lambda what, done: None
) -> SolvedByEnumeration:
    """The base game of this deck under optimal play; of equal actions the smaller wager."""
    table = DealTable(rules, tuple(sorted(deck)))
    decided: list[DecidedHand] = []

    def best(known: KnownCards, hands: int, meetings: list[Meeting]) -> str:
        decided.append(DecidedHand(*known, table.decide(meetings), hands))
        return decided[-1].decision.best

    base = _played(table, best, progress)
    return SolvedByEnumeration(base, tuple(decided))


def played(
    rules: Rules,
    choose: Callable[[Cards, Cards], str],
    progress: Progress = lambda what, done: None,
) -> BaseGame:
    """The base game when the player chooses so, seeing the box's own cards and those face up."""
    return _played(DealTable(rules, DECK), lambda known, hands, meetings: choose(*known), progress)


def solve_knowing(rules: Rules, deck: Iterable[Card], dealer: int = 0, burn: int = 0) -> BaseGame:
    """The base game when so many of the dealer's cards, beside those face up, and cards out of play
    are known: the definition of what known cards are worth, for small decks."""
    cases: list[RoundEnding] = []
    whole = tuple(sorted(deck))
    for burnt in combinations(whole, burn):
        table = DealTable(rules, tuple(card for card in whole if card not in burnt))
        for own in combinations(table.deck, table.own):
            for up in table.face_up(own):
                seen = {*own, *sum(up, ())}
                hidden = [card for card in table.deck if card not in seen]
                for known in combinations(hidden, dealer):
                    meetings = list(table.meetings(own, (up[0] + known, *up[1:])))
                    best = table.decide(meetings).best
                    cases += [replace(table.ending(best, m), ways=m.ways) for m in meetings]
    return BaseGame(tuple(gathered(cases)), tuple(table.actions))


def best_actions(rules: Rules) -> NDArray[np.uint8]:
    """What is best, told as :func:`actions_by_code`: found before, or found now and kept."""

    def find() -> bytes:
        decisions = solve_base(rules).decisions
        return actions_by_code(rules, lambda own, up: decisions[own, up].best).tobytes()

    found = np.frombuffer(kept_answer(rules, "best actions", bytes, find), dtype=np.uint8)
    return found.reshape(comb(len(DECK), rules.book.place("box").cards), -1)


def actions_by_code(rules: Rules, choose: Callable[[Cards, Cards], str]) -> NDArray[np.uint8]:
    """[code of one's own cards, up card]: the number of the action chosen; one column where no card
    is up."""
    (street,) = rules.book.streets
    names = list(actions(street))
    face_up = rules.book.dealing[0].face_up(street.name)["dealer"]
    ups: list[Cards] = [(card,) for card in DECK] if face_up else [()]
    rows = [
        [0 if {*up} & {*own} else names.index(choose(own, up)) for up in ups]
        for own in coded_sets(rules.book.place("box").cards)
    ]
    return np.array(rows, dtype=np.uint8)


def coded_sets(size: int) -> list[Cards]:
    """Every set of so many cards, by its code."""
    sets = combinations(range(len(DECK)), size)
    return [tuple(DECK[n] for n in chosen) for chosen in sorted(sets, key=lambda s: s[::-1])]


def decision_of(rules: Rules, own: Cards, up: Cards = ()) -> HandDecision:
    """What each action is worth with these cards in sight."""
    table = _table(rules)
    shown = [str(count) for count in table.ups if count] or ["0"]
    if len(own) != table.own or len(up) != sum(table.ups):
        raise Unreadable(
            f"{rules.game.name} is decided with {table.own} cards of one's own and "
            f"{' and '.join(shown)} face up, not with {len(own)} and {len(up)}"
        )
    ends = list(accumulate(table.ups))
    by_place = tuple(up[end - count : end] for end, count in zip(ends, table.ups, strict=True))
    return table.decide(list(table.meetings(tuple(sorted(own)), by_place)))


@lru_cache(maxsize=4)
def _table(rules: Rules) -> DealTable:
    return DealTable(rules, DECK)


def _played(
    table: DealTable, choose: Callable[[KnownCards, int, list[Meeting]], str], progress: Progress
) -> BaseGame:
    """Every deal counted, each box doing what is chosen for what it knows."""
    hands = table.hands()
    ways: dict[tuple[str, Meeting], int] = {}
    for number, (own, alike) in enumerate(hands, 1):
        for up in table.face_up(own):
            meetings = list(table.meetings(own, up))
            action = choose((own, sum(up, ())), alike, meetings)
            for met in meetings:
                if met.ways:
                    ended = action, met._replace(ways=1)
                    ways[ended] = ways.get(ended, 0) + alike * met.ways
        progress("dealing every hand out", number / len(hands))
    cases = (replace(table.ending(*ended), ways=count) for ended, count in ways.items())
    return BaseGame(tuple(gathered(cases)), tuple(table.actions))


def hand_values(rules: Rules, solved: SolvedByEnumeration) -> tuple[HandValue, ...]:
    """By what the hand is called and the ranks that are up: the average value of each action.

    Hands that are called alike and decided apart from some kicker on stand in two lines. Where
    shared cards are to come the hand has no name yet, and there is nothing to list.
    """
    if len(dealt_places(rules.book)) > 1:
        return ()
    ranked = sorted(
        ((player_hand(rules, known.own, {}), known) for known in solved.decided),
        key=lambda ranked: (ranked[0], ranked[1].up),
        reverse=True,
    )
    named: dict[tuple[str, tuple[Rank, ...]], list[tuple[Hand, DecidedHand]]] = defaultdict(list)
    for hand, known in ranked:
        named[hand.aloud, tuple(card.rank for card in known.up)].append((hand, known))
    deals_each = solved.base.deals // solved.hands
    return tuple(
        _hand_value(facing(f"{name}{kickers}", *ups), decided, deals_each)
        for (name, ups), alike in named.items()
        for kickers, decided in _apart(alike)
    )


def _apart(alike: list[tuple[Hand, DecidedHand]]) -> Iterator[tuple[str, list[DecidedHand]]]:
    """From the highest: in two parts where one kicker parts what is done, otherwise as a whole."""
    runs = [list(run) for _, run in groupby(alike, key=lambda known: known[1].decision.best)]
    if len(runs) != 2 or runs[0][-1][0] == runs[1][0][0]:
        yield "", [known for _, known in alike]
        return
    for run, at, reach in ((runs[0], -1, "better"), (runs[1], 0, "less")):
        kickers = " and ".join(rank.one for rank in run[at][0].ranks[1:])
        yield f", {kickers} or {reach}", [known for _, known in run]


class OwnCards:
    """What wagers see that look at a box's own cards alone, each hand looked at once."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._shown: dict[tuple[str, Cards], Showing | None] = {}
        self._lines: dict[tuple[str, Paytable], dict[Cards, int]] = {}

    def counted(self) -> dict[str, Counted]:
        """How to count each thing a wager of this game may look at, by dealing every hand of a box.

        What looks at other cards too is refused when it comes to counting it.
        """
        return {look: partial(self._counted, look) for look in self._rules.game.looks}

    def base_with(
        self, solved: SolvedByEnumeration, table: Paytable, judged_by: str
    ) -> list[Fraction] | None:
        """Line by line of a paytable that a box's own cards decide, and last for a loss: what the
        deals that end so add to the mean of the base game; None where other cards decide too."""
        if places_looked_at(self._rules, judged_by):
            return None
        adds = [Fraction(0)] * (len(table.lines) + 1)
        lines = self._lines_of(table, judged_by)
        for known in solved.decided:
            adds[lines[known.own]] += known.hands * known.decision.value
        return [added / solved.hands for added in adds]

    def _counted(self, judged_by: str, table: Paytable) -> LineCounts:
        if elsewhere := places_looked_at(self._rules, judged_by):
            raise Refusal(
                f'"{judged_by}" is decided by cards at {" and ".join(sorted(elsewhere))} too; the '
                "generic solver counts wagers that a box's own cards decide",
                self._rules.book.cite(table.clause),
            )
        tally: LineCounts = Counter()
        lines = self._lines_of(table, judged_by)
        for own, alike in _table(self._rules).hands():
            tally[lines[own]] += alike
        return tally

    def _lines_of(self, table: Paytable, judged_by: str) -> dict[Cards, int]:
        """By hand of a box: the line that pays it, asked once for all that is counted."""
        if (judged_by, table) not in self._lines:
            hands = _table(self._rules).hands()
            found = {own: self.line(table, judged_by, own) for own, _ in hands}
            self._lines[judged_by, table] = found
        return self._lines[judged_by, table]

    def line(self, table: Paytable, judged_by: str, own: Cards) -> int:
        """The number of the line that pays for these own cards, one past the last for a loss."""
        if (judged_by, own) not in self._shown:
            box = FinishedBox(seat=1, cards=own, stakes={})
            look = self._rules.game.looks[judged_by]
            self._shown[judged_by, own] = look(FinishedRound(self._rules, {}, (box,)), box)
        showing = self._shown[judged_by, own]
        return len(table.lines) if showing is None else line_number(table, showing)


def _hand_value(name: str, decided: list[DecidedHand], deals_each: int) -> HandValue:
    actions = [action for action, _ in decided[0].decision.values]
    hands = sum(known.hands for known in decided)
    values = (
        sum((known.hands * value[action] for known, value in valued), Fraction(0)) / hands
        for valued in [[(known, dict(known.decision.values)) for known in decided]]
        for action in actions
    )
    taken: Counter[str] = Counter()
    for known in decided:
        taken[known.decision.best] += known.hands
    return HandValue(
        name,
        deals_each * hands,
        tuple(zip(actions, values, strict=True)),
        max(actions, key=lambda action: taken[action]),
    )
