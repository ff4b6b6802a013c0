"""``croupier deal``: one whole round, told event by event, with its clauses."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from croupier.cli.book_choice import chosen_book
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.practice.narrated_table import (
    NarratedTable,
    PlayedEvent,
    first_readings,
    narrated_terms,
    seats_asked,
)
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.irregularity_script import Turn, irregularity_turns
from croupier.cli.text.round_story import chapter_of, end_report, purse_nets, story_report, who_did
from croupier.documents.blocks import Prose
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import Registry
from croupier.ledger.events import tag_of
from croupier.practice import regulars
from croupier.submission.submission import Submission
from croupier.table import commands as do
from croupier.table.agenda import phase
from croupier.table.event_base import particulars
from croupier.table.narration import narrate

USUAL_SEATS = 3
MOST_ROUNDS = 1000


def deal(
    *,
    game: str | None = None,
    rulebook: str | None = None,
    submission: Path | None = None,
    seats: int | None = None,
    way: str | None = None,
    round_: Annotated[int, Parameter(name="--round")] = 1,
    irregularity: str | None = None,
    seed: int | None = None,
    json_: AsJson = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Tell one whole round, event by event, with its clauses.

    From opening the table to clearing it. An automatic dealer and floorperson do what the rulebook
    orders. The players wager and decide by simple rules: box 1 takes one side wager and the
    Progressive, box 2 only what a hand needs, box 3 everything, and they play the shipped simple
    strategy of their game.

    For example:

        croupier deal --game four-card --seats 7 --seed 7

        croupier deal --way shoe --round 5

        croupier deal --way hand --irregularity cards-face-up-late

    Parameters
    ----------
    game
        The game by its id, such as uth or four-card; another word is answered with all of them.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission to deal by; without it the shipped one of the rulebook.
    seats
        How many boxes are played; without it three.
    way
        The way of dealing: shoe, hand, shuffler, reshuffling-shoe and what else the rulebook has.
    round_
        Which round of the table is told; in the fifth a stub count is due where nothing counts.
    irregularity
        Something that goes wrong, by its name in the rulebook; an unknown name lists them.
    seed
        The same seed deals the same cards; without it one is drawn, and told.
    json_
        Print one JSON document with every event.
    """
    filed = chosen_book(registry, game, rulebook, submission).submission
    drawn = secrets.randbelow(10**6) if seed is None else seed
    asked = seats_asked(seats, USUAL_SEATS, filed.boxes)
    table = _table(filed, registry, way, drawn)
    events = _deal(table, asked, round_, irregularity)
    if not events:
        raise Unreadable(_never(filed, registry, table, asked, round_, irregularity or ""))
    if json_:
        print_json(_document(table, events, asked, drawn))
    else:
        _print_round(table, events, asked, drawn, Screen())
    return 0


def _table(filed: Submission, registry: Registry, way: str | None, seed: int) -> NarratedTable:
    return NarratedTable(narrated_terms(filed, registry, way), first_readings(filed), seed)


# Dealing it


def _deal(
    table: NarratedTable, seats: int, number: int, irregularity: str | None
) -> list[PlayedEvent]:
    """The events of one round; none where what should go wrong never could."""
    if not 1 <= number <= MOST_ROUNDS:
        raise Unreadable(f"round {number:,} is not told; choose 1 to {MOST_ROUNDS:,}")
    turns = irregularity_turns(table.state.book, irregularity) if irregularity is not None else []
    table.work()
    for seat in range(1, seats + 1):
        table.give(do.TakeBox(by=regulars.name_of(seat), role="player", box=seat))
    with counting("dealing the rounds before", number - 1) as bar:
        for _ in range(1, number):
            _play_round(table, [])
            bar(1)
    first = len(table.events) if number > 1 else 0
    return table.events[first:] if _play_round(table, turns) else []


def _play_round(table: NarratedTable, turns: Sequence[Turn]) -> bool:
    """Whether everything that should go wrong in it did."""
    left, number = list(turns), table.state.round.number
    while table.state.round.number == number:
        if left and left[0].is_due(table.state):
            for command in left.pop(0).happens(table):
                table.give(command)
        else:
            _advance(table)
    return not left


def _advance(table: NarratedTable) -> None:
    """The automatic dealer works; where it waits, the players wager or one of them answers."""
    command = table.duty()
    if command is not None:
        table.give(command)
    elif phase(table.state) == "betting":
        for seat in table.state.seats:
            for wager in regulars.wagers(table.state, seat):
                table.give(wager)
    else:
        table.give(regulars.decision(table.state))


def _never(
    filed: Submission,
    registry: Registry,
    table: NarratedTable,
    seats: int,
    number: int,
    irregularity: str,
) -> str:
    """Why nothing went wrong, and the ways of dealing in which it can."""
    others = []
    for way in table.state.book.dealing:
        try:
            if _deal(_table(filed, registry, way.way, 1), seats, number, irregularity):
                others.append(way.way)
        except Refusal:
            continue
    why = f"{irregularity} cannot happen when the cards are dealt {table.state.dealing.title}"
    return f"{why}; choose --way {' or '.join(others)}" if others else f"{why} at this table"


# Printing it


def _print_round(
    table: NarratedTable, events: list[PlayedEvent], seats: int, seed: int, console: Screen
) -> None:
    state = events[0].before
    book = state.book
    boxes = "1 box" if seats == 1 else f"{seats} boxes"
    dealt = f"Round {state.round.number}, dealt {state.dealing.title}; {boxes}; seed {seed}"
    head = Prose(f"{book.title} ({book.id}, {book.edition})", tone="lead")
    show([(head, Prose(dealt, tone="note")), *story_report(events), end_report(events)], console)


def _document(
    table: NarratedTable, events: list[PlayedEvent], seats: int, seed: int
) -> dict[str, Any]:
    state = events[0].before
    return {
        "game": state.book.game,
        "rulebook": state.book.id,
        "way": state.way,
        "round": state.round.number,
        "seats": seats,
        "seed": seed,
        "events": _events(events),
        "net_cents": purse_nets(events),
    }


def _events(story: list[PlayedEvent]) -> list[dict[str, Any]]:
    chapter, events = "", []
    for played in story:
        chapter = chapter_of(played) or chapter
        events.append(
            {
                "event": tag_of(played.event),
                "clauses": list(played.event.clauses),
                "rulings": list(played.event.rulings),
                "by": who_did(played),
                "chapter": chapter,
                "text": narrate(played.event, played.before),
                "data": particulars(played.event),
            }
        )
    return events
