"""A command decided again: what was brought to its words, and how what came of it differs.

A table outlives the rulebook that it was opened with. Where another edition of it judges, clauses
and rulings are not compared, for they may be counted anew, nor are the words in which a hand is
told; money, cards and order always are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from croupier.audit.difference import Difference, at
from croupier.audit.line_text import LineTexts
from croupier.facts.errors import Unreadable
from croupier.ledger.envelope import MICROS_A_SECOND, bare
from croupier.ledger.events import tag_of
from croupier.ledger.link import meter_movements
from croupier.ledger.shoe.card_tokens import place
from croupier.ledger.store.line import LedgerLine
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.state import State

replace = msgspec.structs.replace
MovesAMeter = ev.MeterGrew | ev.MeterShrank | ev.WagerSettled | ev.LineReversed | ev.ProgressiveWon
SAID: dict[str, object] = {
    **{"clauses": (), "clause": "", "rulings": ()},
    **{"shows": "", "hand": "", "dealer_hand": ""},
}


def is_as_due(event: ev.Event, due: ev.Event, *, citations: bool) -> bool:
    """Whether an event is what the rules give; to the clause, where citations are compared."""
    return event == due if citations else unsaid(event) == unsaid(due)


def unsaid(event: ev.Event) -> ev.Event:
    """The event without what it cites and how it is told."""
    said = {name: empty for name, empty in SAID.items() if name in event.__struct_fields__}
    return replace(event, **said)


def compared(
    told: list[tuple[LedgerLine, ev.Event]],
    due: tuple[ev.Event, ...],
    number: int,
    *,
    citations: bool,
) -> Iterator[Difference]:
    for (line, event), expected in zip(told, due, strict=False):
        if not is_as_due(event, expected, citations=citations):
            clause = expected.clauses[0] if expected.clauses else ""
            yield at(line, "rules", _differs(event, expected, citations), number, clause)
    if len(told) != len(due):
        line = told[min(len(told), len(due)) - 1][0] if due else told[0][0]
        yield at(line, "rules", f"{len(due)} events are due here, not {len(told)}", number)


def _differs(event: ev.Event, due: ev.Event, citations: bool) -> str:
    """The first field that is not as the rules give it."""
    if type(event) is not type(due):
        return f"{tag_of(due)} is due, not {tag_of(event)}"
    if not citations:
        event, due = unsaid(event), unsaid(due)
    for name in event.__struct_fields__:
        was, should = getattr(event, name), getattr(due, name)
        if was != should:
            return f"{tag_of(event)}: {name} is {_said(was)}, due is {_said(should)}"
    return "it is not as the rules give it"


def _said(value: object) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()[:200]


def asked(
    line: LedgerLine,
    state: State,
    events: tuple[ev.Event, ...],
    cards: Mapping[int, str],
    texts: LineTexts,
) -> do.Command:
    """The words with what was brought to them: time, cards and readings, as the events tell."""
    command = do.read_command(line.command)
    if (command.by, command.role) != (line.actor, line.role):
        raise Unreadable("the line names another giver than the words of its command")
    if not texts.fit(line.command, bare(command)):
        raise Unreadable("the words of its command are not as they were asked")
    known: dict[str, object] = {"at_s": line.at_us // MICROS_A_SECOND}
    if isinstance(command, do.Deal):
        known["cards"] = _drawn(events)
    if isinstance(command, do.Declare):
        known["cards"] = _found(events) if command.cards else ()
        known["exposed"] = tuple(cards.get(place(seen), "") for seen in command.exposed)
    if "meters" in command.__struct_fields__ and state.terms.meters:
        known["meters"] = readings_before(events, state)
    return replace(command, **known)


def _drawn(events: tuple[ev.Event, ...]) -> tuple[str, ...]:
    return tuple(
        card
        for event in events
        if isinstance(event, ev.CardsDealt)
        for lie in event.lies
        for card in lie.cards
    )


def _found(events: tuple[ev.Event, ...]) -> tuple[str, ...]:
    return tuple(
        card
        for event in events
        if isinstance(event, ev.IrregularityDeclared)
        for card in event.cards
    )


def readings_before(events: Iterable[ev.Event], state: State) -> Mapping[str, int]:
    """What stood on the meters; of one that no event reads any reading will do, but for what lies
    beyond a limit: it was looked at, and nothing there to take is what leaves no event."""
    known: dict[str, int] = {}
    for event in events:
        if isinstance(event, MovesAMeter) and event.meter is not None:
            moved = dict(meter_movements(event)).get(event.meter, 0)
            known.setdefault(event.meter, reading_after(event) - moved)
    meters = {name: known.get(name, state.meters.get(name, 0)) for name in state.terms.meters}
    return meters | {name: known.get(name, 0) for name in state.terms.overflows}


def reading_after(event: MovesAMeter) -> int:
    return event.meter_after_micros if isinstance(event, ev.WagerSettled) else event.reading_micros
