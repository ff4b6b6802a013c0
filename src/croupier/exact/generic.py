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
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple

from croupier.exact.base import FOLD, BaseGame, Case, Showdown, case_of, gathered
from croupier.exact.side import Counted, Tally, line_number
from croupier.exact.solution import HandValue
from croupier.facts.cards import DECK, Card
from croupier.facts.errors import Refusal
from croupier.facts.hands import Category, Hand
from croupier.games.round import Box, Round
from croupier.games.rules import Rules
from croupier.rulebook.book import Paytable, Place, Rulebook, Street, WayOfDealing

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
        (
            (_player_hand(rules, own, {}), up, decision)
            for (own, up), decision in solved.decisions.items()
        ),
        key=lambda known: (known[0], known[1]),
        reverse=True,
    )
    named: defaultdict[str, list[Decision]] = defaultdict(list)
    for hand, up, decision in ranked:
        ups = " and ".join(card.rank.one for card in up)
        named[f"{hand.aloud}, {ups} up" if up else hand.aloud].append(decision)
    deals_each = solved.base.deals // len(solved.decisions)
    return tuple(_hand_value(name, decided, deals_each) for name, decided in named.items())


def counted_by_own_cards(rules: Rules) -> dict[str, Counted]:
    """How to count each thing a wager of this game may look at, by dealing every hand of a box.

    What looks at other cards too is refused when it comes to counting it.
    """
    return {judged_by: _by_own_cards(rules, judged_by) for judged_by in rules.game.looks}


def base_with(
    rules: Rules, solved: Solved, table: Paytable, judged_by: str
) -> list[Fraction] | None:
    """Line by line of a paytable that a box's own cards decide, and last for a loss: what the
    deals that end so add to the mean of the base game; None where other cards decide too."""
    if places_looked_at(rules, judged_by):
        return None
    adds = [Fraction(0)] * (len(table.lines) + 1)
    for (own, _), decision in solved.decisions.items():
        adds[_line(rules, table, judged_by, own)] += decision.value
    return [added / len(solved.decisions) for added in adds]


def places_looked_at(rules: Rules, judged_by: str) -> set[str]:
    """Where a wager looks beside a box's own cards, found by watching it look at some deal."""
    deck = iter(DECK)
    watched = _Watched(
        (place.name, tuple(next(deck) for _ in range(place.cards))) for place in rules.book.places
    )
    box = Box(seat=1, cards=watched.pop("box"), stakes={})
    rules.game.looks[judged_by](Round(rules, watched, (box,)), box)
    return watched.places


class _Watched(dict[str, Cards]):
    """Cards by place that remember which places were looked at."""

    def __init__(self, dealt: Iterable[tuple[str, Cards]]) -> None:
        super().__init__(dealt)
        self.places: set[str] = set()

    def __getitem__(self, place: str) -> Cards:
        self.places.add(place)
        return super().__getitem__(place)

    def get(self, place: str, default: Cards = ()) -> Cards:  # type: ignore[override]
        self.places.add(place)
        return super().get(place, default)


class _Table:
    """A deck, where its cards are dealt, and what can be done: what the rulebook says of these."""

    def __init__(self, rules: Rules, deck: Cards) -> None:
        self.rules, self.deck = rules, deck
        street = _street(rules)
        self.actions = _actions(street)
        self.own = rules.book.place("box").cards
        self.dealer, *self.shared = _dealt_places(rules.book)
        self.ups = _ups(rules.book, street, (self.dealer, *self.shared))
        used = self.own + self.dealer.cards + sum(place.cards for place in self.shared)
        if len(set(deck)) < len(deck) or len(deck) < used:
            raise ValueError(f"one box needs a deck of at least {used} cards, all different")
        # Each of these is asked again and again for the same cards.
        self.dealers = cache(self._dealers)
        self.dealer_hand = cache(self._dealer_hand)
        self.endings: dict[tuple[str, Showdown, bool, Cards], Case] = {}

    def face_up(self, own: Cards) -> Iterator[tuple[Cards, ...]]:
        """All cards that can lie face up beside these, the dealer's first."""
        return _dealt_out(_without(self.deck, own), self.ups)

    def meetings(self, own: Cards, up: tuple[Cards, ...]) -> Iterator[_Meeting]:
        """Every hand the player can end with, against all the dealer's hands."""
        down = [place.cards - len(lies) for place, lies in zip(self.shared, up[1:], strict=True)]
        for turned in _dealt_out(_without(self.deck, own, *up), down):
            shared = tuple(_both(*cards) for cards in zip(up[1:], turned, strict=True))
            hand = _player_hand(self.rules, own, self._at(shared))
            for showdown, opens, ways in self.dealers(up[0], shared).meet(hand, _bits(own)):
                yield _Meeting(hand, showdown, opens, ways)

    def decide(self, meetings: list[_Meeting]) -> tuple[Decision, list[Case]]:
        """The best action and its cases; the fold and small wagers come first among equals."""
        deals = sum(meeting.ways for meeting in meetings)
        values = {
            action: sum((m.ways * self.ending(action, m).net for m in meetings), Fraction(0))
            / deals
            for action in self.actions
        }
        best = max(reversed(values), key=lambda action: values[action])
        cases = [replace(self.ending(best, m), ways=m.ways) for m in meetings if m.ways]
        return Decision(best, tuple(values.items())), cases

    def ending(self, action: str, meeting: _Meeting) -> Case:
        """What one such deal pays."""
        hand, showdown, opens = meeting.hand, meeting.showdown, meeting.dealer_opens
        key = (action, showdown, opens, hand.cards)
        if key not in self.endings:
            multiple = self.actions[action]
            self.endings[key] = case_of(self.rules, action, multiple, showdown, opens, hand, 1)
        return self.endings[key]

    def _dealers(self, up: Cards, shared: tuple[Cards, ...]) -> _Dealers:
        rest = _without(self.deck, up, *shared)
        found = [
            (self.dealer_hand(_both(up, down), shared), _bits(up) | _bits(down))
            for down in combinations(rest, self.dealer.cards - len(up))
        ]
        found.sort(key=lambda dealt: dealt[0])
        hands = [hand for hand, _ in found]
        needs = self.rules.book.contest.dealer_needs
        least = self.rules.game.ranking.order.index(Category(needs.hand)) if needs else 0
        opening = bisect_left(hands, least, key=lambda hand: hand.strength)
        return _Dealers(hands, [bits for _, bits in found], opening)

    def _dealer_hand(self, cards: Cards, shared: tuple[Cards, ...]) -> Hand:
        lying = {self.dealer.name: cards, **self._at(shared)}
        return self.rules.game.dealer(Round(self.rules, lying, ()))

    def _at(self, shared: tuple[Cards, ...]) -> dict[str, Cards]:
        return {place.name: lies for place, lies in zip(self.shared, shared, strict=True)}


class _Meeting(NamedTuple):
    """The player's hand against the dealer's hands that end the round in one way."""

    hand: Hand
    showdown: Showdown
    dealer_opens: bool
    ways: int


@dataclass(frozen=True)
class _Dealers:
    """The dealer's hands from the lowest to the highest, and where the first stands that opens."""

    hands: list[Hand]
    bits: list[int]
    opening: int

    def meet(self, hand: Hand, held: int) -> Iterator[tuple[Showdown, bool, int]]:
        """How often the player wins, ties and loses, when the dealer opens and when not."""
        low, high = bisect_left(self.hands, hand), bisect_right(self.hands, hand)
        for start, end in pairwise(sorted({0, low, high, self.opening, len(self.hands)})):
            showdown = (
                Showdown.WIN if end <= low else Showdown.TIE if end <= high else Showdown.LOSS
            )
            ways = sum(1 for cards in self.bits[start:end] if not cards & held)
            yield showdown, start >= self.opening, ways


def _street(rules: Rules) -> Street:
    streets = rules.book.streets
    if len(streets) != 1:
        clause = streets[1].clause if streets else rules.book.opening.clause
        raise Refusal(
            f"{rules.game.name} has {len(streets)} decisions and no solver of its own; "
            "the generic solver knows games with one",
            rules.book.cite(clause),
        )
    return streets[0]


def _actions(street: Street) -> dict[str, Fraction | None]:
    """Each Play worth considering, the largest first, and the fold.

    A wager wins or loses in proportion to its size, so between the least and the most Play nothing
    is ever better than both.
    """
    multiples = set(street.multiples)
    if street.least_multiple is not None and street.most_multiple is not None:
        multiples = {street.least_multiple, street.most_multiple}
    plays = {f"{multiple}x": Fraction(multiple) for multiple in sorted(multiples, reverse=True)}
    return {**plays, FOLD: None}


def _dealt_places(book: Rulebook) -> tuple[Place, ...]:
    """The dealer's place, then those all boxes share; cards for a side wager alone are unseen."""
    shared = (
        place
        for place in book.places
        if place.name not in ("box", "dealer") and place.only_for is None
    )
    return (book.place("dealer"), *shared)


def _ups(book: Rulebook, street: Street, places: Sequence[Place]) -> tuple[int, ...]:
    """How many cards of each place lie face up when the player decides, however they are dealt."""
    found = {tuple(_ups_of(way, street)[place.name] for place in places) for way in book.dealing}
    if len(found) > 1:
        raise Refusal(
            "the ways of dealing show the player different cards, so there is no one best play",
            book.cite(street.clause),
        )
    return found.pop() if found else (0,) * len(places)


def _ups_of(way: WayOfDealing, street: Street) -> Counter[str]:
    ups: Counter[str] = Counter()
    for step in way.steps:
        if step.after == street.name:
            break
        if step.face == "up":
            ups[step.to] += step.deal
    return ups


def _player_hand(rules: Rules, own: Cards, shared: Mapping[str, Cards]) -> Hand:
    box = Box(seat=1, cards=own, stakes={})
    return rules.game.player(Round(rules, shared, (box,)), box).hand


def _hand_value(name: str, decided: list[Decision], deals_each: int) -> HandValue:
    actions = [action for action, _ in decided[0].values]
    values = (
        sum((dict(decision.values)[action] for decision in decided), Fraction(0)) / len(decided)
        for action in actions
    )
    taken = Counter(decision.best for decision in decided)
    return HandValue(
        name,
        deals_each * len(decided),
        tuple(zip(actions, values, strict=True)),
        max(actions, key=lambda action: taken[action]),
    )


def _by_own_cards(rules: Rules, judged_by: str) -> Counted:
    def counted(table: Paytable) -> Tally:
        if elsewhere := places_looked_at(rules, judged_by):
            raise Refusal(
                f'"{judged_by}" is decided by cards at {" and ".join(sorted(elsewhere))} too; the '
                "generic solver counts wagers that a box's own cards decide",
                rules.book.cite(table.clause),
            )
        hands = combinations(DECK, rules.book.place("box").cards)
        return Counter(_line(rules, table, judged_by, own) for own in hands)

    return counted


def _line(rules: Rules, table: Paytable, judged_by: str, own: Cards) -> int:
    """The number of the line that pays for these own cards, one past the last for a loss."""
    box = Box(seat=1, cards=own, stakes={})
    showing = rules.game.looks[judged_by](Round(rules, {}, (box,)), box)
    return len(table.lines) if showing is None else line_number(table, showing)


def _dealt_out(cards: Cards, counts: Sequence[int]) -> Iterator[tuple[Cards, ...]]:
    """Every way to deal so many of these cards to each of some places."""
    if not counts:
        yield ()
        return
    for first in combinations(cards, counts[0]):
        for others in _dealt_out(_without(cards, first), counts[1:]):
            yield (first, *others)


def _both(some: Cards, others: Cards) -> Cards:
    """Sorted, so that the same cards are ranked once however they came."""
    return tuple(sorted(some + others))


def _without(cards: Cards, *taken: Cards) -> Cards:
    gone = _bits(sum(taken, ()))
    return tuple(card for card in cards if not gone >> card.number & 1)


def _bits(cards: Cards) -> int:
    return sum(1 << card.number for card in cards)
