"""What a rulebook says, as frozen data: wagers, paytables, ways of dealing, each with its clause.

The books themselves are the TOML files in ``books/``. Field names are the words of the felt; a
``ruling`` is the number of our own reading where the text is unclear.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, cached_property
from typing import Literal

import msgspec

from croupier.facts.hands import Hand, Ranking
from croupier.facts.money import dollars
from croupier.facts.odds import Odds, Share
from croupier.facts.showings import Showing, is_said_of
from croupier.rulebook.procedure import Procedure, WayProcedure
from croupier.rulebook.trace import Row, read_trace


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a rulebook: frozen, and refused when it holds a field nobody knows."""


class Cited(Data, frozen=True):
    clause: str
    ruling: int | None = None


class CitedCount(Cited, frozen=True, kw_only=True):
    count: int


class BoxesAPlayer(Cited, frozen=True, kw_only=True):
    rule: Literal["one", "adjacent"]


class Beside(Cited, frozen=True, kw_only=True):
    """Two betting areas side by side as the player sees them, and the sign between them."""

    left: str
    right: str
    sign: str


class CardArea(Cited, frozen=True, kw_only=True):
    """A place for cards that the layout must show; some lie in front of the table inventory."""

    before_inventory: bool = False


class LayoutRule(Data, frozen=True):
    """What the printed felt must show; whatever no clause of its own asks for is left out here.

    ``areas`` are betting areas by wager, ``places`` those for cards. A sign may carry the payouts
    and, where ``rules_on_sign`` says so, the rules in words.
    """

    submitted: Cited | None = None
    dealer_opposite: Cited | None = None
    areas: dict[str, Cited] = {}
    places: dict[str, CardArea] = {}
    beside: Beside | None = None
    payouts: Cited | None = None
    dealer_needs: Cited | None = None
    least_paid: Cited | None = None
    play_sizes: Cited | None = None
    payout_limit: Cited | None = None
    rules_on_sign: Cited | None = None
    drop_box: Cited | None = None
    tip_box: Cited | None = None
    tip_box_elsewhere: Cited | None = None
    discard_rack: Cited | None = None


class TableRule(Data, frozen=True):
    boxes: CitedCount
    boxes_a_player: BoxesAPlayer
    electronic: Cited | None = None
    operator_named: Cited | None = None
    layout: LayoutRule = LayoutRule()


class DeckRule(Data, frozen=True):
    cards: CitedCount
    decks: CitedCount
    cover_cards: CitedCount
    decks_with_shuffler: CitedCount
    change_hours_by_hand: CitedCount
    change_hours_otherwise: CitedCount


class ShuffleRule(Data, frozen=True):
    cut_least: CitedCount
    cut_most: CitedCount
    recut: Cited
    counting_shuffler_finds_wrong_count: Cited
    reshuffling_shoe: Cited


class Place(Data, frozen=True):
    """Where cards lie and how many; ``only_for`` names the wager that brings the place."""

    name: str
    cards: int
    clause: str
    only_for: str | None = None


MOST_MULTIPLE = 100  # of the Ante


class Street(Data, frozen=True):
    """One question to each box: the Play multiples it may answer with, or what it does instead.

    ``wager`` is the one that an answer makes, where that is another than the wager that decides.
    A multiple is at most :data:`MOST_MULTIPLE`.
    """

    name: str
    otherwise: Literal["check", "fold"]
    clause: str
    ask_clause: str
    play_clause: str
    otherwise_clause: str
    multiples: tuple[int, ...] = ()
    least_multiple: int | None = None
    most_multiple: int | None = None
    wager: str | None = None

    def __post_init__(self) -> None:
        largest = max(*self.multiples, self.most_multiple or 0, 0)
        if largest > MOST_MULTIPLE:
            raise ValueError(
                f"{self.name} has the multiple {largest}, and {MOST_MULTIPLE} is the most"
            )

    @property
    def key(self) -> str:
        """One word for it: ``preflop``, ``flop``, ``river``."""
        return self.name.replace("before the ", "pre").replace(" ", "_")

    @property
    def sizes(self) -> tuple[int, ...]:
        """The whole multiples that may be played, those within a range too."""
        if self.least_multiple is None or self.most_multiple is None:
            return self.multiples
        return tuple(range(self.least_multiple, self.most_multiple + 1))

    @property
    def least(self) -> int:
        """The smallest of the sizes; 0 where nothing may be played."""
        return min(self.sizes, default=0)

    @property
    def most(self) -> int:
        return max(self.sizes, default=0)

    def allows(self, play_cents: int, ante_cents: int) -> bool:
        if self.least_multiple is not None and self.most_multiple is not None:
            return self.least_multiple * ante_cents <= play_cents <= self.most_multiple * ante_cents
        return play_cents in {multiple * ante_cents for multiple in self.multiples}

    def sizes_of(self, ante_cents: int) -> str:
        """The sizes beside an Ante, in dollars: ``$30.00 or $40.00``, ``$10.00 to $30.00``."""
        if self.least_multiple is not None and self.most_multiple is not None:
            ends = (self.least_multiple, self.most_multiple)
            return " to ".join(dollars(multiple * ante_cents) for multiple in ends)
        return " or ".join(dollars(multiple * ante_cents) for multiple in self.multiples)


class RequiredWagers(Cited, frozen=True, kw_only=True):
    """The wagers a box must hold to be in the round: all of some, or any of some."""

    all_of: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()


class Tie(Cited, frozen=True, kw_only=True):
    outcome: Literal["win", "push", "lose"]


class DealerNeeds(Cited, frozen=True, kw_only=True):
    """The least hand with which the dealer opens: a category, or one card ("queen high").

    Against a dealer who does not open, some wagers push and some win, whoever is higher.
    """

    hand: str
    pushes: tuple[str, ...]
    wins: tuple[str, ...] = ()


class BoxOrder(Cited, frozen=True, kw_only=True):
    asked_from: Literal["left", "right"]
    settled_from: Literal["left", "right"]


class Contest(Data, frozen=True):
    wins: Cited
    loses: Cited
    tie: Tie
    order: BoxOrder
    dealer_needs: DealerNeeds | None = None

    def opens(self, ranking: Ranking, dealer: Hand) -> bool:
        """Whether the dealer's hand is one that all wagers of the contest are played against."""
        return self.dealer_needs is None or dealer >= ranking.least(self.dealer_needs.hand)


class PayRule(Cited, frozen=True, kw_only=True):
    odds: Odds


class FoldRule(Cited, frozen=True, kw_only=True):
    """What a fold does to a wager: it is given up, it stays in action, or there is none.

    ``keeps_cards``: one that stays keeps the cards of its box on the table, because it looks at
    them (ruling 12).
    """

    outcome: Literal["forfeit", "stays", "none"]
    keeps_cards: bool = True


class Wager(Data, frozen=True):
    """A wager; ``layout_clause`` is the rule that gives it a betting area on every table.

    A box that does not make the one that ``decides`` another folds; one that ``adds_to`` another is
    made on a later street, or not. One that ``must_win`` is paid by its table only when the hand
    beats the dealer's; with an equal one it pushes.
    """

    name: str
    title: str
    clause: str
    judged_by: str
    fold: FoldRule
    judged_ruling: int | None = None
    pays: PayRule | None = None
    paytables_clause: str | None = None
    layout_clause: str | None = None
    optional: bool = False
    equals: str | None = None
    decides: str | None = None
    adds_to: str | None = None
    paid_on: str | None = None
    needs: tuple[str, ...] = ()
    needs_any: tuple[str, ...] = ()
    must_win: Cited | None = None

    @property
    def beside(self) -> str | None:
        """Of a wager that is made when a box is asked: the one that it is a multiple of."""
        return self.decides or self.adds_to

    @property
    def depends_on_play(self) -> bool:
        """Whether a side wager is worth more or less as the base game is played."""
        return self.fold.outcome == "forfeit" or self.must_win is not None

    @property
    def keeps_folded_cards(self) -> bool:
        """Whether the cards of a folded box stay on the table for this wager."""
        return self.fold.outcome == "stays" and self.fold.keeps_cards


class PayLine(Data, frozen=True, rename={"phrase": "for", "odds": "pays"}):
    """One line of a paytable: what it pays for, in a phrase of ``showings``, and the odds."""

    phrase: str
    odds: Odds
    clause: str
    ruling: int | None = None


class LeastMeter(Data, frozen=True):
    """A meter a paytable pays from, and the least it may start with and reset to."""

    name: str
    least: str
    clause: str


class Paytable(Data, frozen=True):
    clause: str
    lines: tuple[PayLine, ...]
    meters: tuple[LeastMeter, ...] = ()
    judged_by: str | None = None

    def __post_init__(self) -> None:
        drawn = {line.odds.meter for line in self.lines if isinstance(line.odds, Share)}
        if drawn != {meter.name for meter in self.meters}:
            raise ValueError(f"paytable {self.clause} names other meters than it pays from")

    def line_for(self, showing: Showing) -> PayLine | None:
        """The first line whose phrase is true of what is shown."""
        return next((line for line in self.lines if is_said_of(line.phrase, showing)), None)


class ProgressiveRule(Data, frozen=True):
    stakes: tuple[str, ...]
    clause: str
    ruling: int
    meter_clause: str
    reset_clause: str
    rate_clause: str | None = None
    system: Cited | None = None
    hands: dict[str, str] = {}
    hand_when_silent: str | None = None
    hand_clauses: tuple[str, ...] = ()
    hand_ruling: int | None = None
    holder_must_wager: Cited | None = None
    paid_from: Cited | None = None


class EnvyBonus(Data, frozen=True):
    judged_by: str
    clause: str
    paytables_clause: str
    folded_holder: Literal["never", "with an open wager"]
    ruling: int


class PayoutLimit(Data, frozen=True):
    wagers: tuple[str, ...]
    least: str
    clause: str
    least_clause: str
    ruling: int


class DealStep(Data, frozen=True):
    """Cards dealt to a place, or turned there; ``after`` is the street that must be over first."""

    to: str
    clause: str
    deal: int = 0
    turn: int = 0
    face: Literal["down", "up"] = "down"
    after: str | None = None


class StubCountRule(Cited, frozen=True, kw_only=True):
    """How often the stub is counted, and what must have been dealt when it is."""

    rounds: int
    after: Literal["board", "stacks"]


class WayOfDealing(Data, frozen=True):
    """One way of dealing; it needs any one of its ``devices``, and a shuffler where it says so.

    ``held_in`` is what the cards come out of; ``reshuffles`` marks the approved shoe.
    """

    way: str
    title: str
    clause: str
    held_in: Literal["shoe", "hand", "device"]
    procedure: WayProcedure
    steps: tuple[DealStep, ...]
    reshuffles: bool = False
    ruling: int | None = None
    devices: tuple[str, ...] = ()
    shuffler: Cited | None = None
    stub_count: StubCountRule | None = None

    def face_up(self, street: str) -> Counter[str]:
        """By place: how many cards lie face up when this street is asked about."""
        ups: Counter[str] = Counter()
        for step in self.steps:
            if step.after == street:
                break
            ups[step.to] += step.turn + (step.deal if step.face == "up" else 0)
        return ups


VARIED = "varied"  # what stands for a clause where a variant breaks its book's

Effect = Literal[
    "set aside",
    "use next",
    "play on",
    "void",
    "salvage",
    "return and reshuffle",
    "reshuffle",
    "cover",
]


class Irregularity(Data, frozen=True):
    """What went wrong, until when it counts, and what it does to the round.

    ``second`` and ``second_late`` name what the same thing becomes when it happens again, before
    and after everyone holds the first cards. A round that is salvaged returns every wager but
    those it ``still_settles``; ``only_if_held`` voids it where no box holds one. Where the rule
    names the wagers it ``returns``, the others go back by ``unnamed_ruling``. ``order_clauses``
    say, each in a line of its own, what the dealer then does with the cards.
    """

    name: str
    happens: str
    remedy: str
    clause: str
    effect: Effect
    until: Literal["shuffled", "dealt", "acted", "revealed", "cleared"]
    ruling: int | None = None
    second: str | None = None
    second_late: str | None = None
    still_settles: tuple[str, ...] = ()
    only_if_held: bool = False
    salvage_clause: str | None = None
    order_clauses: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()
    unnamed_ruling: int | None = None

    @property
    def rulings(self) -> tuple[int, ...]:
        return (self.ruling,) if self.ruling is not None else ()


class Refusals(Data, frozen=True):
    """The clauses cited when a round could not have happened and no closer line says so."""

    wagers: str
    seats: str
    one_deck: str
    wrong_count: str
    no_such_option: str


class ComesWith(Data, frozen=True):
    """What a book may bring along, each a file as a person would write it: a submission to start
    from, a finished round, a strategy to remember."""

    submission: str = ""
    round: str = ""
    strategy: str = ""


class Rulebook(Data, frozen=True, dict=True, eq=False, rename={"own_trace": "trace"}):
    """One edition of one game's rules; loaded once, compared by identity.

    ``shelf_place`` is where it stands among the others: of several editions the first is the
    default. Behind the clauses of a book that is not ``regulated`` stands nobody but the house.
    """

    id: str
    game: str
    title: str
    edition: str
    table: TableRule
    deck: DeckRule
    shuffle: ShuffleRule
    places: tuple[Place, ...]
    streets: tuple[Street, ...]
    opening: RequiredWagers
    contest: Contest
    wagers: tuple[Wager, ...]
    dealing: tuple[WayOfDealing, ...]
    irregularities: tuple[Irregularity, ...]
    refusals: Refusals
    procedure: Procedure
    paytables: dict[str, dict[str, Paytable]]
    progressive: ProgressiveRule | None = None
    envy_bonus: EnvyBonus | None = None
    payout_limit: PayoutLimit | None = None
    envy: dict[str, dict[str, Paytable]] = {}
    own_trace: dict[str, Row] = {}
    trace_text: str = ""
    shelf_place: int = 100
    regulated: bool = True
    comes_with: ComesWith = ComesWith()

    @property
    def trace(self) -> dict[str, Row]:
        """How each clause is treated; a trace in a file of its own is read when somebody asks."""
        return {**self.own_trace, **_read_once(self.trace_text)}

    @property
    def shelf_id(self) -> str:
        """The id of the book on the shelf: its own, or of the one it is a variant of, whose id is
        followed by what is varied, in brackets."""
        return self.id.partition("[")[0]

    @property
    def is_variant(self) -> bool:
        return self.id != self.shelf_id

    def cite(self, clause: str) -> str:
        """A clause as people quote it: ``UTH-S 11.H(1)``; what a variant changes has none."""
        return f"{self.id if clause == VARIED else self.shelf_id} {clause}"

    @cached_property
    def _wager_of(self) -> dict[str, Wager]:
        return {wager.name: wager for wager in self.wagers}

    @cached_property
    def _irregularity_of(self) -> dict[str, Irregularity]:
        return {known.name: known for known in self.irregularities}

    def wager(self, name: str) -> Wager:
        return self._wager_of[name]

    @cached_property
    def plays(self) -> tuple[Wager, ...]:
        """The wagers that are made when a box is asked: Play, or one bet a street."""
        return tuple(wager for wager in self.wagers if wager.beside is not None)

    @cached_property
    def _played_on(self) -> dict[str, Wager]:
        decides = next((wager for wager in self.plays if wager.decides is not None), None)
        made = (
            (street.name, self._wager_of.get(street.wager or "", decides))
            for street in self.streets
        )
        return {name: wager for name, wager in made if wager is not None}

    def is_played_on(self, street: Street) -> bool:
        return street.name in self._played_on

    def played_on(self, street: Street) -> Wager:
        """The wager that is made on a street."""
        return self._played_on[street.name]

    def streets_of(self, wager: str) -> tuple[Street, ...]:
        """The streets on which a wager may be made."""
        return tuple(s for s in self.streets if self._played_on[s.name].name == wager)

    def largest_multiple(self, wager: str) -> int:
        """The largest size of a wager that a street makes."""
        sizes = ((*s.multiples, s.most_multiple or 0) for s in self.streets_of(wager))
        return max(map(max, sizes))

    def has_wager(self, name: str) -> bool:
        return name in self._wager_of

    def place(self, name: str) -> Place:
        return next(place for place in self.places if place.name == name)

    def way(self, name: str) -> WayOfDealing:
        return next(way for way in self.dealing if way.way == name)

    def irregularity(self, name: str) -> Irregularity | None:
        return self._irregularity_of.get(name)


@cache
def _read_once(trace_text: str) -> dict[str, Row]:
    return read_trace(trace_text)
