"""Generators for property tests: any valid round of each of the three rulebooks.

The letters, stakes and least resets are written out here again, so that a slip in a rulebook's data
does not narrow what is generated. Half of the decks are stacked, or high hands would never come up.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from croupier.facts.cards import DECK, Card, Rank, Suit
from croupier.facts.money import Cents, Micros
from croupier.games.registry import the_registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import ProgressiveTerms, Rules, bind

BOOKS = ("UTH-S", "UTH-14", "FCP-14")


@dataclass(frozen=True)
class Offer:
    """What one rulebook lets a table offer; meters are by Progressive letter, with least resets."""

    seats: int
    box_cards: int
    places: dict[str, int]
    required: dict[str, str]
    optional: dict[str, str]
    envy: str
    meters: dict[str, dict[str, int]]


_THREE_METERS = {"mega": 10_000, "major": 1_000, "minor": 250}

OFFERS = {
    "UTH-S": Offer(
        seats=6,
        box_cards=2,
        places={"board": 5, "dealer": 2, "six_card_box": 4},
        required={"blind": "AB"},
        optional={
            "trips": "ABCDE",
            "six_card_bonus": "AB",
            "ultimate_pairs": "ABCDEF",
            "bad_beat": "ABC",
            "play_the_board": "ABC",
            "progressive": "ABCD",
        },
        envy="ABCD",
        meters={
            "A": {"main": 10_000},
            "B": {"major": 1_000, "minor": 250},
            "C": _THREE_METERS,
            "D": _THREE_METERS,
        },
    ),
    "UTH-14": Offer(
        seats=6,
        box_cards=2,
        places={"board": 5, "dealer": 2, "six_card_box": 4},
        required={"blind": "AB"},
        optional={"trips": "ABCD", "six_card_bonus": "AB", "progressive": "A"},
        envy="A",
        meters={"A": {"main": 10_000}},
    ),
    "FCP-14": Offer(
        seats=7,
        box_cards=5,
        places={"dealer": 6, "six_card_box": 1},
        required={},
        optional={"aces_up": "ABCDEF", "six_card_bonus": "ABCDab", "progressive": "ABC"},
        envy="ABC",
        meters={"A": {"main": 5_000}, "B": {"main": 1_000}, "C": {"main": 10_000}},
    ),
}
SUPER = {"a": "super-A", "b": "super-B"}

stakes_cents = (
    st.integers(1, 100).map(lambda dollars: dollars * 100)
    | st.integers(1, 5_000_000)
    | st.sampled_from([1_000_00, 25_000_00, 100_000_00])
)
names = st.text(
    st.characters(exclude_categories=["Cs"]).filter(str.isprintable)
    | st.sampled_from("Ann \"\\'😀é"),
    max_size=8,
)


def rounds(book_id: str | None = None) -> st.SearchStrategy[FinishedRound]:
    """Any valid round, of one rulebook or of all."""
    return _round(book_id) if book_id else st.sampled_from(BOOKS).flatmap(_round)


@st.composite
def _round(draw: st.DrawFn, book_id: str) -> FinishedRound:
    offer = OFFERS[book_id]
    rules = draw(bound_rules(book_id))
    count = draw(st.integers(1, 3) | st.integers(1, offer.seats))
    seats = sorted(draw(st.permutations(range(1, offer.seats + 1)))[:count])
    stakes = [draw(_stakes(rules)) for _ in seats]
    players = draw(_players(book_id, seats))
    places = {name: size for name, size in offer.places.items() if name != "six_card_box"}
    if any("six_card_bonus" in staked for staked in stakes) or (
        rules.offers("six_card_bonus") and draw(st.booleans())
    ):
        places["six_card_box"] = offer.places["six_card_box"]
    dealt = draw(_dealt([*places.values(), *([offer.box_cards] * count)]))
    boxes = [
        FinishedBox(seat=seat, cards=cards, stakes=staked, player=player)
        for seat, cards, staked, player in zip(
            seats, dealt[len(places) :], stakes, players, strict=True
        )
    ]
    return FinishedRound(
        rules=rules,
        cards=dict(zip(places, dealt, strict=False)),
        boxes=tuple(draw(st.permutations(boxes))),
        meters=draw(_meters(rules)),
    )


# The table


@st.composite
def bound_rules(draw: st.DrawFn, book_id: str) -> Rules:
    """A rulebook with some of its wagers offered, each with some paytable."""
    offer, registry = OFFERS[book_id], the_registry()
    letters = {name: draw(st.sampled_from(choice)) for name, choice in offer.required.items()}
    for name, choice in offer.optional.items():
        if draw(st.integers(0, 3)):
            letter = draw(st.sampled_from(choice))
            letters[name] = SUPER.get(letter, letter)
    if "progressive" in letters and draw(st.integers(0, 3)):
        letters["envy"] = draw(st.sampled_from(offer.envy))
    limit = None
    if book_id != "FCP-14" and draw(st.booleans()):
        limit = Cents(draw(st.just(5_000_000) | st.integers(5_000_000, 10**10)))
    book = registry.book(book_id)
    return bind(
        registry.game_of(book),
        book,
        letters,
        progressive=draw(_terms(book_id, letters["progressive"]))
        if "progressive" in letters
        else None,
        payout_limit_cents=limit,
    )


@st.composite
def _terms(draw: st.DrawFn, book_id: str, letter: str) -> ProgressiveTerms:
    resets = {
        name: Cents(least * 100 + draw(st.just(0) | st.integers(0, 10**8)))
        for name, least in OFFERS[book_id].meters[letter].items()
    }
    return ProgressiveTerms(
        stake_cents=Cents(draw(st.sampled_from([100, 500]))),
        hand=None if book_id == "FCP-14" else draw(st.sampled_from([None, "final", "flop"])),
        holder_must_wager=book_id == "UTH-S" and draw(st.booleans()),
        resets=tuple(resets.items()),
    )


def _meters(rules: Rules) -> st.SearchStrategy[dict[str, Micros]]:
    letter = dict(rules.letters).get("progressive")
    names = OFFERS[rules.book.id].meters[letter] if letter else {}
    amount = st.integers(0, 10**12) | st.integers(10**9, 10**11)
    return st.fixed_dictionaries({name: amount.map(Micros) for name in names})


# The boxes


@st.composite
def _players(draw: st.DrawFn, book_id: str, seats: list[int]) -> list[str | None]:
    """A name or none for each seat; where the rulebook allows it, neighbours may be one player."""
    players: list[str | None] = []
    for place, seat in enumerate(seats):
        adjacent = place > 0 and seats[place - 1] == seat - 1 and book_id != "UTH-14"
        if adjacent and draw(st.booleans()):
            players.append(players[-1])
        else:
            players.append(f"{seat}{draw(names)}" if draw(st.booleans()) else None)
    return players


def _stakes(rules: Rules) -> st.SearchStrategy[dict[str, Cents]]:
    return _four_card_stakes(rules) if rules.book.id == "FCP-14" else _hold_em_stakes(rules)


@st.composite
def _hold_em_stakes(draw: st.DrawFn, rules: Rules) -> dict[str, Cents]:
    ante = draw(stakes_cents)
    stakes = {"ante": ante, "blind": ante}
    multiple = draw(st.integers(0, 4))
    if multiple:
        stakes["play"] = multiple * ante
    sides = ["trips", "ultimate_pairs", "bad_beat", "play_the_board"]
    for name in sides:
        if rules.book.has_wager(name) and rules.offers(name) and draw(st.booleans()):
            stakes[name] = draw(stakes_cents)
    if "trips" in stakes and rules.offers("six_card_bonus") and draw(st.booleans()):
        stakes["six_card_bonus"] = draw(stakes_cents)
    return _with_progressive(rules, stakes, wanted=draw(st.booleans()))


@st.composite
def _four_card_stakes(draw: st.DrawFn, rules: Rules) -> dict[str, Cents]:
    stakes = {}
    has_aces_up = rules.offers("aces_up") and draw(st.booleans())
    if has_aces_up:
        stakes["aces_up"] = draw(stakes_cents)
    if not has_aces_up or draw(st.integers(0, 3)):
        ante = stakes["ante"] = draw(stakes_cents)
        if draw(st.integers(0, 3)):
            stakes["play"] = draw(st.sampled_from([ante, 3 * ante]) | st.integers(ante, 3 * ante))
    if (
        {"ante", "aces_up"} <= set(stakes)
        and rules.offers("six_card_bonus")
        and draw(st.booleans())
    ):
        stakes["six_card_bonus"] = draw(stakes_cents)
    return _with_progressive(rules, stakes, wanted=draw(st.booleans()))


def _with_progressive(rules: Rules, stakes: dict[str, int], *, wanted: bool) -> dict[str, Cents]:
    if wanted and rules.progressive is not None:
        stakes["progressive"] = rules.progressive.stake_cents
    return {name: Cents(stake) for name, stake in stakes.items()}


# The cards


@st.composite
def _dealt(draw: st.DrawFn, sizes: list[int]) -> list[tuple[Card, ...]]:
    """Cards for places of these sizes; a stacked deck deals its favoured cards first, anywhere."""
    favoured = draw(st.sampled_from(_STACKS))
    rest = [card for card in DECK if card not in favoured]
    deck = [*draw(st.permutations(favoured)), *draw(st.permutations(rest))]
    order = draw(st.permutations(range(len(sizes))))
    dealt: dict[int, tuple[Card, ...]] = {}
    for place in order:
        dealt[place] = tuple(deck[: sizes[place]])
        del deck[: sizes[place]]
    return [dealt[place] for place in range(len(sizes))]


def _of(ranks: range, *suits: Suit) -> list[Card]:
    return [Card(Rank(rank), suit) for rank in ranks for suit in suits]


_STACKS: list[list[Card]] = [
    [],
    [],
    _of(range(10, 15), Suit.HEARTS),
    _of(range(9, 15), Suit.DIAMONDS),
    _of(range(9, 15), Suit.CLUBS, Suit.SPADES),
    _of(range(5, 10), Suit.SPADES),
    _of(range(14, 15), *Suit),
    _of(range(13, 15), *Suit),
    _of(range(8, 12), *Suit),
    _of(range(2, 15), Suit.HEARTS),
]
