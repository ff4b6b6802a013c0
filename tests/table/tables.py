"""Tables for the tests of the engine: terms for every rulebook and way, and a table to sit at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pytest

from croupier.facts.cards import DECK, cards
from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, Micros, cents
from croupier.games.registry import the_registry
from croupier.games.rules import PROGRESSIVE, ProgressiveTerms, bind
from croupier.submission.check_limits import has_own_limits
from croupier.submission.submission import WagerLimit
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.automatic_dealer import next_duty
from croupier.table.engine import run
from croupier.table.shoe import ScriptedShoe, Shoe
from croupier.table.state import State, new_table, replace
from croupier.table.terms import Terms

UTH_LETTERS = {
    "blind": "A",
    "trips": "A",
    "six_card_bonus": "A",
    "progressive": "A",
    "envy": "A",
}
LETTERS = {
    "UTH-S": UTH_LETTERS | {"ultimate_pairs": "A", "bad_beat": "A", "play_the_board": "A"},
    "UTH-14": UTH_LETTERS,
    "FCP-14": {"aces_up": "A", "six_card_bonus": "super-A", "progressive": "A", "envy": "A"},
    "TCP-1": {"pair_plus": "A"},
    "CH-1": {"ante": "A"},
    "THB-1": {"ante": "A"},
}
RESETS = {"UTH-S": 10_000_00, "UTH-14": 10_000_00, "FCP-14": 5_000_00}
METERS = {book: {"main": reset * 10_000 + 500_000_000} for book, reset in RESETS.items()}
WAYS = {
    "UTH-S": ("shoe", "hand", "shuffler", "shuffler-dealer-last", "reshuffling-shoe"),
    "UTH-14": ("shoe", "hand", "shuffler", "reshuffling-shoe"),
    "FCP-14": ("shoe", "hand", "shuffler", "reshuffling-shoe"),
}
EVERY_WAY = [(book, way) for book, ways in WAYS.items() for way in ways]


def terms(book_id: str = "UTH-S", way: str = "shuffler", **changes: object) -> Terms:
    """Everything offered, a $5 Progressive at 10% where there is one, wagers from $5 to $1,000 by
    the dollar."""
    registry = the_registry()
    book = registry.book(book_id)
    letters = LETTERS[book_id] | {
        name: str(changes.pop(name)) for name in LETTERS[book_id] if name in changes
    }
    progressive = None
    if book_id in RESETS:
        progressive = ProgressiveTerms(
            stake_cents=Cents(500),
            hand=None if book_id == "FCP-14" else str(changes.pop("hand", "flop")),
            holder_must_wager=changes.pop("holder_must_wager", False) is True,
            resets=tuple(
                (meter.name, cents(meter.least))
                for meter in book.paytables[PROGRESSIVE][letters[PROGRESSIVE]].meters
            ),
        )
    rules = bind(registry.game_of(book), book, letters, progressive=progressive)
    limit = WagerLimit(Cents(5_00), Cents(1_000_00), Cents(1_00))
    limits = tuple((wager.name, limit) for wager in book.wagers if has_own_limits(wager))
    settings: dict[str, object] = {
        "rules": rules,
        "boxes": book.table.boxes.count,
        "way": way,
        "limits": limits,
        "adjacent_boxes": 1 if book_id == "UTH-14" else 3,
        "shuffler": way != "shoe",
        "reshuffling_shoe": way == "reshuffling-shoe",
        "rates": tuple((name, 100_000) for name, _ in progressive.resets) if progressive else (),
    }
    return Terms(**(settings | changes))  # type: ignore[arg-type]


class Table:
    """A table that keeps its events; the house works by itself until a player is awaited."""

    def __init__(self, terms: Terms, script: str = "") -> None:
        self.start = new_table(terms)
        self.state: State = self.start
        self.events: list[ev.Event] = []
        self.at_s = 0
        self.meters = standing(terms)
        self.script = script
        self.shoe: Shoe = stacked(script)

    def give(self, command: do.Command) -> tuple[ev.Event, ...]:
        """A command without a time is given now."""
        if not command.at_s and self.state.at_s:
            command = replace(command, at_s=self.state.at_s)
        self.state, events = run(self.state, command)
        self.events += events
        for event in events:
            if isinstance(event, ev.CardsCleared):
                self.shoe = stacked(self.script)
        self.meters |= self.state.meters
        return events

    def work(self, until: Callable[[State], bool] | None = None) -> None:
        """Let the house do what it has to, until a player is awaited or ``until`` is true."""
        while until is None or not until(self.state):
            command = next_duty(self.state, self.shoe, self.meters, self.at_s)
            if command is None:
                return
            self.give(command)

    def until(self, kind: type[do.Command]) -> do.Command:
        """The house works up to a command of this kind, which is given back, not given."""
        while True:
            command = next_duty(self.state, self.shoe, self.meters, self.at_s)
            assert command is not None, f"the house never comes to {kind.__name__}"
            if isinstance(command, kind):
                return command
            self.give(command)

    # Short ways to say what people do

    def sit(self, box: int, player: str = "") -> None:
        self.give(do.TakeBox(by=player or f"P{box}", role="player", box=box))

    def bet(self, box: int, **stakes: str) -> None:
        amounts = {name: int(cents(amount)) for name, amount in stakes.items()}
        self.give(do.PlaceWagers(by=self.at(box), role="player", box=box, stakes=amounts))
        if "progressive" in stakes and not self.state.terms.electronic:
            self.give(do.AcceptProgressive(by="acceptor", role="device", box=box))

    def at(self, box: int) -> str:
        return self.state.seats[box]

    def play(self, box: int, amount: str) -> None:
        self.give(do.Play(by=self.at(box), role="player", box=box, cents=int(cents(amount))))
        self.work(lambda state: False)

    def check(self, box: int) -> None:
        self.give(do.Check(by=self.at(box), role="player", box=box))
        self.work()

    def fold(self, box: int) -> None:
        self.give(do.Fold(by=self.at(box), role="player", box=box))
        self.work()


def standing(terms: Terms) -> dict[str, int]:
    """Every meter of a table, $500 above its reset."""
    progressive = terms.rules.progressive
    if progressive is None or not terms.meters:
        return {}
    return {name: reset * 10_000 + 500_000_000 for name, reset in progressive.resets}


def stacked(script: str) -> ScriptedShoe:
    """The written cards first, then the rest of the deck in order."""
    first = cards(script)
    rest = [card for card in DECK if card not in first]
    return ScriptedShoe(" ".join(map(str, (*first, *rest))))


def opened(terms: Terms, boxes: Iterable[int] = (1, 2), script: str = "") -> Table:
    """A table with players P1, P2, ... seated, its cards ready."""
    table = Table(terms, script)
    for box in boxes:
        table.sit(box)
    table.work()
    return table


def inspection(state: State, color: str = "red", at_s: int = 0) -> do.Command:
    """The dealer finds the cards alike, and as many cover cards as there have to be."""
    covers = state.book.deck.cover_cards.count
    return do.InspectDeck(
        by="Dee", role="dealer", at_s=at_s, color=color, alike=True, cover_cards=covers
    )


def readings(meters: Mapping[str, int]) -> dict[str, Micros]:
    return {name: Micros(amount) for name, amount in meters.items()}


def refused(table: Table, command: do.Command) -> Refusal:
    """The refusal of a command, which must have changed nothing."""
    before = table.state
    with pytest.raises(Refusal) as refusal:
        table.give(command)
    assert table.state is before
    return refusal.value


def voided(table: Table, cause: do.Cause, reason: str = "") -> tuple[ev.Event, ...]:
    """The floorperson asks that the round be void, and a manager confirms it: what comes of it."""
    floor = do.VoidRound(by="Flo", role="floorperson", cause=cause, reason=reason)
    table.give(floor)
    return table.give(do.Confirm(by="Max", role="manager", upheld=True, meters=table.meters))


def told(table: Table, *kinds: type[ev.Event]) -> list[ev.Event]:
    return [event for event in table.events if isinstance(event, kinds)]


def cited(table: Table) -> set[str]:
    """Every clause some event of the table stands on."""
    return {clause for event in table.events for clause in event.clauses}
