"""The vocabulary of strategy files: what a player can notice, each feature in a plain function.

These functions are the definition. ``docs/strategy-files.md`` says the same in words, and the
kernels' features are proved equal to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from croupier.exact.base_game import actions
from croupier.exact.strategy.chart_names import start_name
from croupier.exact.strategy.conditions import (
    CATEGORY,
    NUMBER,
    RANK,
    START,
    YES_OR_NO,
    Kind,
    choice,
    hand_kind,
)
from croupier.facts.cards import DECK, Cards, Rank
from croupier.facts.hands import FIVE_CARD, FOUR_CARD, Category, Hand, Ranking
from croupier.games.game import Game
from croupier.games.registry import Registry
from croupier.games.shapes import GameShape, shape_of_book
from croupier.rulebook.book import Rulebook
from croupier.rulebook.book import Street as Asked

_OF_A_FLOP = Ranking(3, FIVE_CARD.order[:4])


@dataclass(frozen=True)
class CardsInSight:
    """All a player sees: own cards, and those on the table, the board or the dealer's up card."""

    own: Cards
    table: Cards = ()
    deck: Cards = DECK

    @cached_property
    def made(self) -> Hand:
        return FIVE_CARD.best(self.own + self.table)

    @cached_property
    def board(self) -> Hand:
        """What the board alone shows: five cards, or the groups among three."""
        return (FIVE_CARD if len(self.table) == 5 else _OF_A_FLOP).hand(self.table)

    @cached_property
    def four(self) -> Hand:
        return FOUR_CARD.best(self.own)


@dataclass(frozen=True)
class Feature:
    """``read`` is what it means. ``says`` tells a condition, with the admitted values in place of
    ``{}``; ``noun`` names what there may be none of."""

    name: str
    kind: Kind
    says: str
    read: Callable[[CardsInSight], Hashable]
    noun: str = ""

    def number(self, sight: CardsInSight) -> int:
        return self.kind.number(self.read(sight))


@dataclass(frozen=True)
class StreetFeatures:
    """One decision: what can be done, the kernels' numbers for it, and what can be noticed."""

    name: str
    title: str
    actions: Mapping[str, int]
    features: Mapping[str, Feature]

    @property
    def key(self) -> str:
        """How a rule file calls it."""
        return self.name.replace(" ", "_")

    def with_actions(self, asked: Asked) -> StreetFeatures:
        """The same decision with what may be done at a table that asks so."""
        if {*self.actions} == {*actions(asked)}:
            return self
        return replace(self, actions={name: at for at, name in enumerate(actions(asked))})


# Hold'em with one Play: the hole


def start(sight: CardsInSight) -> str:
    return start_name(*sight.own)


def pocket_pair(sight: CardsInSight) -> Rank | None:
    one, other = sight.own
    return one.rank if one.rank == other.rank else None


def suited(sight: CardsInSight) -> bool:
    return len({card.suit for card in sight.own}) == 1


def high(sight: CardsInSight) -> Rank:
    return max(card.rank for card in sight.own)


def low(sight: CardsInSight) -> Rank:
    return min(card.rank for card in sight.own)


# The hole and the board together


def hidden(sight: CardsInSight) -> Category:
    """The category of the made hand where it is better than the board's in more than kickers."""
    better = _without_kickers(sight.made) > _without_kickers(sight.board)
    return sight.made.category if better else Category.HIGH_CARD


def _without_kickers(hand: Hand) -> tuple[int, tuple[Rank, ...]]:
    ranks = {
        Category.HIGH_CARD: 0,
        Category.TWO_PAIR: 2,
        Category.FULL_HOUSE: 2,
        Category.FLUSH: 5,
    }
    return hand.strength, hand.ranks[: ranks.get(hand.category, 1)]


def hidden_pair(sight: CardsInSight) -> Rank | None:
    held = Counter(card.rank for card in sight.own + sight.table)
    return max((card.rank for card in sight.own if held[card.rank] > 1), default=None)


def _flush_draw(sight: CardsInSight) -> tuple[int, Rank]:
    """By suit of a hole card: how many cards all in all, and the highest of the hole."""
    suits = Counter(card.suit for card in sight.own + sight.table)
    return max((suits[card.suit], card.rank) for card in sight.own)


def straight_ranks(sight: CardsInSight) -> int:
    held = {card.rank for card in sight.own + sight.table}
    return 0 if _straight(held) else sum(_straight(held | {rank}) for rank in Rank)


def _straight(ranks: set[Rank]) -> bool:
    return any(set(five) <= ranks for five in _STRAIGHTS)


_STRAIGHTS = [
    (Rank.ACE, Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE),
    *(tuple(Rank(first + step) for step in range(5)) for first in range(2, 11)),
]


def kicker_place(sight: CardsInSight) -> int:
    on_board = {card.rank for card in sight.table}
    return 1 + sum(rank > high(sight) and rank not in on_board for rank in Rank)


def overcards(sight: CardsInSight) -> int:
    return sum(card.rank > board_high(sight) for card in sight.own)


def dealer_outs(sight: CardsInSight) -> int:
    unseen = [card for card in sight.deck if card not in sight.own + sight.table]
    return sum(FIVE_CARD.best((*sight.table, card)) > sight.made for card in unseen)


def plays_board(sight: CardsInSight) -> bool:
    return sight.made == sight.board


def board_high(sight: CardsInSight) -> Rank:
    return max(card.rank for card in sight.table)


def board_flush(sight: CardsInSight) -> int:
    return max(Counter(card.suit for card in sight.table).values())


def board_straight(sight: CardsInSight) -> int:
    ranks = {card.rank for card in sight.table}
    return max(len(ranks & set(five)) for five in _STRAIGHTS)


# Four Card Poker


def kicker(sight: CardsInSight) -> Rank | None:
    """The highest of the best four beside those that name the hand."""
    has_kicker = (Category.HIGH_CARD, Category.PAIR, Category.THREE_OF_A_KIND)
    return sight.four.ranks[1] if sight.four.category in has_kicker else None


def up_against_made(sight: CardsInSight) -> str:
    (up,), lead = sight.table, sight.four.ranks[0]
    return "lower" if up.rank < lead else "same" if up.rank == lead else "higher"


def up_held(sight: CardsInSight) -> int:
    return sum(card.rank == sight.table[0].rank for card in sight.own)


def over_up(sight: CardsInSight) -> int:
    return sum(card.rank > sight.table[0].rank for card in sight.own)


def _by_name(*features: Feature) -> dict[str, Feature]:
    return {feature.name: feature for feature in features}


_HOLE = _by_name(
    Feature("start", START, "the starting hand is {}", start),
    Feature("pocket_pair", RANK, "the pocket pair is {}", pocket_pair, "a pocket pair"),
    Feature("suited", YES_OR_NO, "the hole cards are{} suited", suited),
    Feature("high", RANK, "the higher hole card is {}", high),
    Feature("low", RANK, "the lower hole card is {}", low),
)
_FLOP_AND_RIVER = _HOLE | _by_name(
    Feature("made", hand_kind(FIVE_CARD), "the hand is {}", lambda sight: sight.made),
    Feature("hidden", CATEGORY, "the hole cards make {}", hidden),
    Feature("hidden_pair", RANK, "the hidden pair is {}", hidden_pair, "a hidden pair"),
    Feature("flush_cards", NUMBER, "cards to a flush: {}", lambda sight: _flush_draw(sight)[0]),
    Feature("flush_high", RANK, "the hidden one is {}", lambda sight: _flush_draw(sight)[1]),
    Feature("kicker_place", NUMBER, "the kicker's place is {}", kicker_place),
    Feature("overcards", NUMBER, "hole cards over the board: {}", overcards),
    Feature("board", CATEGORY, "the board shows {}", lambda sight: sight.board.category),
    Feature("board_high", RANK, "the highest card on the board is {}", board_high),
    Feature("board_flush", NUMBER, "board cards of one suit: {}", board_flush),
    Feature("board_straight", NUMBER, "board cards to one straight: {}", board_straight),
)
_FLOP = _FLOP_AND_RIVER | _by_name(
    Feature("straight_ranks", NUMBER, "ranks that make a straight: {}", straight_ranks),
)
_RIVER = _FLOP_AND_RIVER | _by_name(
    Feature("dealer_outs", NUMBER, "dealer's outs are {}", dealer_outs),
    Feature("plays_board", YES_OR_NO, "the board is{} the whole hand", plays_board),
)
_TURN = _HOLE | {name: _RIVER[name] for name in ("flush_cards", "board_flush", "dealer_outs")}
_AGAINST = choice("lower", "same", "higher")
_PLAY = _by_name(
    Feature("made", hand_kind(FOUR_CARD), "the hand is {}", lambda sight: sight.four),
    Feature("kicker", RANK, "the kicker is {}", kicker, "a kicker"),
    Feature("up_card", RANK, "the up card is {}", lambda sight: sight.table[0].rank),
    Feature("up_held", NUMBER, "cards held of the up card's rank: {}", up_held),
    Feature("up_against_made", _AGAINST, "the up card against the hand is {}", up_against_made),
    Feature("over_up", NUMBER, "cards held over the up card: {}", over_up),
)

StreetWords = tuple[str, Mapping[str, Feature]]
"""When a decision is made, and what can be noticed then."""
HOLDEM: Mapping[int, StreetWords] = {
    0: ("Before the flop", _HOLE),
    3: ("On the flop", _FLOP),
    5: ("At the end", _RIVER),
    4: ("On the turn", _TURN),
}
"""Of Hold'em by how many cards of the board are in sight. Who asks for what cannot be seen is told
the first of these where it can."""
FOUR_CARD_WORDS: StreetWords = ("With five cards and an up card", _PLAY)


def streets_of(registry: Registry, game: str) -> tuple[StreetFeatures, ...]:
    """The decisions of a game by its first rulebook, in the words of its shape or in plain ones."""
    book = registry.newest(game)
    return tuple(_street(registry.games[game], book, asked) for asked in book.streets)


def _street(game: Game, book: Rulebook, asked: Asked) -> StreetFeatures:
    shape = shape_of_book(game, book)
    if shape is GameShape.OWN_CARDS:
        return _plain_street(game, book, asked)
    on_board = book.dealing[0].face_up(asked.name)["board"]
    words = HOLDEM.get(on_board) if shape is not GameShape.FOUR_CARD else FOUR_CARD_WORDS
    title, features = words or (f"With {on_board} cards on the board", _HOLE)
    numbers = {action: number for number, action in enumerate(actions(asked))}
    return StreetFeatures(asked.name, title, numbers, features)


def _plain_street(game: Game, book: Rulebook, asked: Asked) -> StreetFeatures:
    """What any player can notice in cards of his own, and the hand where they make one."""
    own = book.place("box").cards
    features = [
        Feature("high", RANK, "the highest card is {}", high),
        Feature("low", RANK, "the lowest card is {}", low),
        Feature("suited", YES_OR_NO, "the cards are{} of one suit", suited),
    ]
    if own >= game.ranking.size:
        made = hand_kind(game.ranking)
        features.append(
            Feature("made", made, "the hand is {}", lambda sight: game.ranking.best(sight.own))
        )
    if book.dealing[0].face_up(asked.name)["dealer"]:
        features.append(
            Feature("up_card", RANK, "the up card is {}", lambda sight: sight.table[0].rank)
        )
    numbers = {action: number for number, action in enumerate(actions(asked))}
    return StreetFeatures(asked.name, f"With {own} cards", numbers, _by_name(*features))
