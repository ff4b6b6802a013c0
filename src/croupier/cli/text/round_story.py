"""A round event by event, as a report: chapters, who did what, the clause, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from croupier.cli.ledger_address import when
from croupier.cli.practice.narrated_table import PlayedEvent
from croupier.cli.terminal import TerminalSection
from croupier.documents.blocks import Grid, Heading, Story, StoryLine
from croupier.facts.money import meter_dollars
from croupier.table import events as ev
from croupier.table.double_entry import entries
from croupier.table.narration import (
    listed,
    money,
    narrate,
    settled_together,
    wager_title,
)
from croupier.table.state import State

AT_ANY_TIME = (
    ev.BoxLeft, ev.ChipsBought, ev.ChipsCashed, ev.TipGiven, ev.FloorCalled, ev.FloorAnswered,
    ev.ChipsAsked, ev.ChipsDeclined, ev.ChipsAcknowledged, ev.DisputeOpened, ev.DisputeEnded,
    ev.ShortfallPaid, ev.OverpaymentTaken,
)  # fmt: skip


def story_report(story: Sequence[PlayedEvent], *, timed: bool = False) -> Iterator[TerminalSection]:
    """The story chapter by chapter."""
    for chapter, told in groupby(_chapters(story, timed), lambda each: each[0]):
        yield Heading(chapter), Story(tuple(line for _, line in told))


def _chapters(story: Sequence[PlayedEvent], timed: bool) -> Iterator[tuple[str, StoryLine]]:
    """The story line by line, several events of one kind together; a chapter goes on until an
    event opens another."""
    chapter = ""
    for _, group in groupby(story, _line_key):
        together = list(group)
        first = together[0]
        chapter = chapter_of(first) or chapter
        events = [played.event for played in together]
        joined = _TOGETHER.get(type(first.event))
        text = joined(events, first.before) if joined else narrate(first.event, first.before)
        clauses = dict.fromkeys(clause for event in events for clause in event.clauses)
        rulings = dict.fromkeys(number for event in events for number in event.rulings)
        time = when(first.event.at_s * 1_000_000) if timed else ""
        said = cited(tuple(clauses), tuple(rulings))
        yield chapter, StoryLine(who_did(first), text, said, time)


def _line_key(played: PlayedEvent) -> object:
    """Events with the same key stand in one line."""
    event = played.event
    if type(event) not in _TOGETHER:
        return id(played)
    if isinstance(event, ev.BoxTaken):
        return type(event)
    alike: tuple[object, ...] = (id(played.command), type(event), getattr(event, "box", 0))
    if isinstance(event, ev.WagerSettled):
        alike += (event.clauses, event.outcome, event.odds, event.shows, event.meter)
    return alike


def who_did(played: PlayedEvent) -> str:
    by = _WHO.get(type(played.event), played.command.by)
    return by[:1].upper() + by[1:]


def chapter_of(played: PlayedEvent) -> str:
    """The chapter an event opens, or nothing where it belongs to the one before."""
    event, state = played.event, played.before
    if isinstance(event, ev.CardsDealt | ev.CardsTurned):
        waited = [step.after for step in state.plan[: event.step + 1] if step.after is not None]
        if not waited:
            return "The deal"
        streets = state.book.streets[state.terms.street_index[waited[-1]] + 1 :]
        return streets[0].name.capitalize() if streets else "The reveal"
    if isinstance(event, ev.Checked | ev.Played | ev.Folded):
        return event.street.capitalize()
    if isinstance(event, ev.DeckRemoved) or (isinstance(event, AT_ANY_TIME) and state.round.boxes):
        return ""
    chapter = _CHAPTERS.get(type(event), "An irregularity")
    opening = chapter == "Opening the table"
    return "Between two rounds" if opening and state.round.number > 1 else chapter


_CHAPTERS: Mapping[type[ev.Event], str] = {
    **dict.fromkeys(
        (
            ev.TableOpened, ev.DeckReceived, ev.DeckInspected, ev.InspectionVerified,
            ev.DeckSpread, ev.DeckWashed, ev.DeckStacked, ev.DeckShuffled, ev.DeckCut,
            ev.BoxTaken, *AT_ANY_TIME,
        ),
        "Opening the table",
    ),
    **dict.fromkeys((ev.WagerPlaced, ev.WagerWithdrawn, ev.ReadySaid), "Wagers"),
    ev.ProgressiveAccepted: "Wagers",
    **dict.fromkeys((ev.BetsClosed, ev.MeterGrew, ev.ProgressiveCollected), "The deal"),
    ev.WagerForfeited: "",
    ev.StubCounted: "The stub",
    **dict.fromkeys((ev.DealerRevealed, ev.PlaceTurned), "The reveal"),
    **dict.fromkeys((ev.BoxTurned, ev.WagerSettled, ev.BoxSettled), "Settlement"),
    **dict.fromkeys(
        (
            ev.ProgressiveWon, ev.ProgressiveValidated, ev.RefusalProposed, ev.RefusalSentBack,
            ev.ProgressiveRefused, ev.PaperworkRecorded,
        ),
        "The Progressive",
    ),
    ev.CardsCleared: "Clearing the table",
}  # fmt: skip
_WHO: Mapping[type[ev.Event], str] = {
    ev.BoxTaken: "players",
    ev.WagerForfeited: "dealer",
    ev.WagerReturned: "dealer",
    ev.LineReversed: "dealer",
    ev.DeckRemoved: "dealer",
    ev.ProgressiveAccepted: "acceptor",
    ev.MeterGrew: "system",
    ev.MeterShrank: "system",
}


# Events told together


def _amounts(events: Sequence[Any], state: State) -> str:
    return listed(f"{wager_title(state, event.wager)} {money(event.cents)}" for event in events)


def _meters_grew(events: Sequence[Any], state: State) -> str:
    return f"With this round's wagers {_meters_stand(events)}."


def _meters_shrank(events: Sequence[Any], state: State) -> str:
    borne = sum(event.borne_micros for event in events)
    rest = f"; the house bears {meter_dollars(borne)}" if borne else ""
    return f"With the growth of returned wagers taken out {_meters_stand(events)}{rest}."


def _meters_stand(events: Sequence[Any]) -> str:
    if len(events) == 1:
        reading = meter_dollars(events[0].reading_micros)
        return f"the {events[0].meter} meter stands at {reading}"
    readings = listed(f"{event.meter} {meter_dollars(event.reading_micros)}" for event in events)
    return f"the meters stand at {readings}"


def _seated(events: Sequence[Any], state: State) -> str:
    first, *more = events
    others = [f"{event.player} box {event.box}" for event in more]
    return f"{listed([f'{first.player} took box {first.box}', *others])}."


_TOGETHER: Mapping[type[ev.Event], Callable[[Sequence[Any], State], str]] = {
    ev.BoxTaken: _seated,
    ev.WagerPlaced: lambda events, state: f"Box {events[0].box}: {_amounts(events, state)}.",
    ev.WagerForfeited: lambda events, state: (
        f"Collected from box {events[0].box}: {_amounts(events, state)}."
    ),
    ev.WagerReturned: lambda events, state: (
        f"Back to box {events[0].box}: {_amounts(events, state)}."
    ),
    ev.MeterGrew: _meters_grew,
    ev.MeterShrank: _meters_shrank,
    ev.WagerSettled: settled_together,
}


def cited(clauses: Sequence[str], rulings: Sequence[int] = ()) -> str:
    """``UTH-S 10.A(1), 10.A(2)(a); ruling 25``: the book is named once."""
    book = clauses[0].partition(" ")[0]
    numbers = ", ".join(clause.removeprefix(f"{book} ") for clause in clauses)
    ruled = f"; ruling {', '.join(map(str, rulings))}" if rulings else ""
    return f"{book} {numbers}{ruled}"


# How it ended


def end_report(story: Sequence[PlayedEvent]) -> TerminalSection:
    """What each box and the table won or lost, and what stands on the meters."""
    nets, seats = purse_nets(story), story[-1].before.seats
    rows = [(f"Box {box}", seats.get(box, ""), _signed(net)) for box, net in nets.items()]
    rows.append(("Table", "", _signed(-sum(nets.values()))))
    for name, reading in story[-1].before.meters.items():
        label = "Meter" if name == "main" else f"{name.capitalize()} meter"
        rows.append((label, "", meter_dollars(reading)))
    return Heading("How it ended"), Grid(("", "", ""), tuple(rows), "llr")


def _signed(net_cents: int) -> str:
    return f"+{money(net_cents)}" if net_cents > 0 else money(net_cents) if net_cents else "even"


def purse_nets(story: Sequence[PlayedEvent]) -> dict[int, int]:
    """What each box won or lost, in cents, by double entry."""
    nets: dict[int, int] = {}
    for played in story:
        for account, micros in entries(played.event):
            kind, _, box = account.partition(" ")
            if kind == "purse":
                nets[int(box)] = nets.get(int(box), 0) + micros // 10_000
    return dict(sorted(nets.items()))
