"""Each irregularity at each point where it can happen, and what it does there.

A round is played by a script, and at every state of it everything that can go wrong is tried on the
engine. What is accepted is written down, so a point that comes or goes changes the golden text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import groupby
from typing import Any

from croupier.facts.errors import Refusal
from croupier.facts.money import dollars
from croupier.rulebook.book import Rulebook
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, next_to_settle, phase
from croupier.table.automatic_dealer import next_duty
from croupier.table.engine import run
from croupier.table.handlers.opening import is_past_opening
from croupier.table.handlers.stub_count import hands_dealt
from croupier.table.state import State, replace
from tests.golden.stage import BOOKS, DECK, base, side
from tests.golden.telling import tell, title
from tests.table.people import dealer, floor, player
from tests.table.tables import WAYS, Table, terms

PLAYERS = {1: "Ann", 2: "Bob", 3: "Cyd"}
ANSWERS = {1: "first play", 2: "last play", 3: "fold"}
CHAPTER_10 = ("shuffler", "shuffler-dealer-last", "reshuffling-shoe")


@dataclass
class Points:
    """What one irregularity of a book does, each outcome with the points that lead to it."""

    book: Rulebook
    name: str
    found: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    events: list[ev.Event] = field(default_factory=list)

    def add(self, way: str, point: str, outcome: str) -> None:
        points = self.found.setdefault(outcome, {}).setdefault(way, [])
        if point not in points:
            points.append(point)

    def text(self) -> str:
        lines = [f"{self.book.title}: {self.name.replace('-', ' ')}, point by point"]
        for outcome, ways in self.found.items():
            lines += ["", outcome]
            for way, points in ways.items():
                lines.append(f"  {self.book.way(way).title}:")
                lines += [f"    {point}" for point in points]
        return "\n".join(lines) + "\n"


# Scripts: the same table again and again, before each command of a round


def plain(book: str, way: str) -> Iterator[tuple[Table, str]]:
    """A whole round, from the first deck to the cleared cards; wagers lie before the shuffle."""
    for table in _played(_table(book, way)):
        yield table, ""


def set_aside(book: str, way: str) -> Iterator[tuple[Table, str]]:
    """The same round with one card found face up before the deal."""
    table = _closed(book, way)
    table.give(dealer(do.Declare, name="card-face-up", cards=table.shoe.draw(1)))
    for _ in _played(table):
        yield table, ", one card set aside"


def idle_deck(book: str, way: str) -> Iterator[tuple[Table, str]]:
    """The deck that is not in play is shuffled while the other is dealt."""
    if way != "reshuffling-shoe":
        table = _closed(book, way, shuffler=True, deck_colors=("red", "blue"))
        table.give(floor(do.OrderShuffle, color="blue"))
        for _ in _played(table):
            if any(deck.stage == "stacked" for deck in table.state.decks):
                yield table, ", the other deck in the shuffler"


SCRIPTS = (plain, set_aside, idle_deck)


def _table(book: str, way: str, **changes: object) -> Table:
    owned = {"shuffler": way not in ("shoe", "reshuffling-shoe"), **changes}
    table = Table(terms(book, way, **owned), DECK)
    for box, name in PLAYERS.items():
        table.sit(box, name)
    return table


def _closed(book: str, way: str, **changes: object) -> Table:
    return next(
        table
        for table in _played(_table(book, way, **changes))
        if table.state.round.stage == "play"
    )


def _played(table: Table) -> Iterator[Table]:
    while table.state.round.number == 1:
        yield table
        table.give(_next(table))
    yield table


def _next(table: Table) -> do.Command:
    """The players wager as soon as they may; then the house works, and waits for their answers."""
    state = table.state
    wager = next((box for box in PLAYERS if box not in state.round.boxes), None)
    if state.round.stage == "betting" and is_past_opening(state) and wager is not None:
        return _wagers(state, wager)
    lit = state.round.stage != "betting" or state.round.boxes.get(1) is None
    if not lit and not state.round.boxes[1].accepted:
        return do.AcceptProgressive(by="acceptor", role="device", box=1)
    return next_duty(state, table.shoe, table.meters) or _answer(state)


def _wagers(state: State, box: int) -> do.Command:
    book = state.book.id
    stakes = dict.fromkeys(base(book), 1000)
    if box == 1:
        more = [*side(book), "progressive"]
        more += ["six_card_bonus"] if state.way in CHAPTER_10 else []
        stakes |= dict.fromkeys(more, 500)
    return player(do.PlaceWagers, PLAYERS[box], box=box, stakes=stakes)


def _answer(state: State) -> do.Command:
    """One plays at the first question, one at the last, and one folds."""
    box = asked_box(state)
    assert box is not None
    street = state.book.streets[box.answered]
    last = street.otherwise == "fold"
    wanted = ANSWERS[box.seat]
    if wanted == "first play" or (last and wanted == "last play"):
        least = street.least_multiple or min(street.multiples)
        return player(do.Play, box.player, box=box.seat, cents=least * 1000)
    return player(do.Fold if last else do.Check, box.player, box=box.seat)


# What can go wrong


def attempts(state: State) -> Iterator[do.Command]:
    """Everything that could be declared, reported or found now, sensible or not."""
    fresh = next(card for card in reversed(DECK.split()) if card not in state.round.out)
    hidden = [card for card in sorted(state.round.out) if card not in state.round.up]
    for rule in state.book.irregularities:
        for cards in ((), (fresh,)):
            for exposed in ((), *((card,) for card in hidden)):
                yield dealer(do.Declare, name=rule.name, cards=cards, exposed=exposed)
    out, hands = len(state.round.out), hands_dealt(state)
    yield dealer(do.CountStub, stub=51 - out, on_table=out + 1, hands=hands)
    yield dealer(do.CountStub, stub=51 - out, on_table=out, hands=hands)
    for device in state.terms.devices:
        yield dealer(do.ReportDevice, device=device)
    for deck in state.decks:
        yield dealer(do.Shuffle, color=deck.color, by_device=True, found=51)


def went_wrong(events: Iterable[ev.Event]) -> str:
    """The name of what a command declared; nothing where it declared nothing."""
    for event in events:
        if isinstance(event, ev.IrregularityDeclared):
            return event.name
        if isinstance(event, ev.DeviceFailed):
            return "device-out-of-order"
    return ""


def point(state: State) -> str:
    """Where in a round a state is, in a few words."""
    now = phase(state)
    if now == "betting":
        decks = ", ".join(f"{deck.color} deck {deck.stage}" for deck in state.decks) or "no deck"
        wagers = "wagers down" if state.round.boxes else "no wagers"
        return f"round {state.round.number}, betting: {decks}, {wagers}"
    if now == "dealing":
        step = state.plan[state.round.step]
        does = f"{step.deal} to" if step.deal else f"{step.turn} turned on"
        return f"dealing, before step {state.round.step + 1}: {does} {step.to.replace('_', ' ')}"
    asked, settled = asked_box(state), next_to_settle(state)
    if asked is not None:
        return f"{state.book.streets[asked.answered].name}: box {asked.seat} is asked"
    return f"settling, box {settled.seat} next" if now == "settling" and settled else now


@cache
def points_of(book_id: str) -> dict[str, Points]:
    found: dict[str, Points] = {}
    for way in WAYS[book_id]:
        seen: set[tuple[str, str]] = set()
        for script in SCRIPTS:
            for table, beside in script(book_id, way):
                for command in attempts(table.state):
                    _try(table, command, way, beside, seen, found)
    return found


def _try(
    table: Table,
    command: do.Command,
    way: str,
    beside: str,
    seen: set[tuple[str, str]],
    found: dict[str, Points],
) -> None:
    try:
        state, events = run(table.state, command)
    except Refusal:
        return
    name = went_wrong(events)
    where = point(table.state)
    if not name or ((name, where) in seen and beside):
        # Another script comes through the same points: only what it adds is written down.
        return
    if not beside:
        seen.add((name, where))
    if state.hold is not None:
        confirmed = floor(do.Confirm, upheld=True, meters=table.meters)
        events += run(state, confirmed)[1]
    points = found.setdefault(name, Points(table.state.book, name))
    points.events += events
    points.add(way, where + beside, "\n".join(_told(events, table.state.book)))


def _told(events: tuple[ev.Event, ...], book: Rulebook) -> Iterator[str]:
    """The outcome without the cards and counts of one point; what goes back, box by box."""
    for (kind, box), group in groupby(events, lambda e: (type(e), getattr(e, "box", 0))):
        alike: list[Any] = list(group)
        if kind is ev.StubCounted:
            continue
        clauses = dict.fromkeys(c.removeprefix(f"{book.id} ") for e in alike for c in e.clauses)
        rulings = dict.fromkeys(f"ruling {number}" for e in alike for number in e.rulings)
        cited = ", ".join((*clauses, *rulings))
        if kind in (ev.WagerReturned, ev.LineReversed):
            what = "back" if kind is ev.WagerReturned else "no longer settled"
            each = ", ".join(f"{title(book, e.wager)} {dollars(e.cents)}" for e in alike)
            yield f"  Box {box}, {what}: {each} [{cited}]"
            continue
        for event in alike:
            if isinstance(event, ev.IrregularityDeclared):
                event = replace(event, cards=(), exposed=())
            yield f"  {tell(event, book)} [{cited}]"


def _scenario(book_id: str, name: str) -> Points:
    return points_of(book_id)[name]


def every_point() -> dict[str, Callable[[], Points]]:
    """Found by trying, which takes seconds."""
    return {
        f"{name}-{book_id.lower()}-points": partial(_scenario, book_id, name)
        for book_id in BOOKS
        for name in points_of(book_id)
    }
