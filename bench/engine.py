"""How many six-box rounds a second the engine plays, and what one command costs with its views."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import msgspec

import croupier
from bench.processor import cpu_s
from bench.report import Row
from bench.settlement import settle_s
from croupier.facts.money import Cents
from croupier.games.rules import ProgressiveTerms, bind
from croupier.server.pit.frames import TableChange
from croupier.table import commands as do
from croupier.table.automatic_dealer import next_duty
from croupier.table.engine import options, run
from croupier.table.shoe import ElectronicShoe
from croupier.table.state import State, new_table
from croupier.table.terms import Terms
from croupier.table.views import DEALER, TableSight, Viewer, view

ROUNDS = 150
BOXES = 6
DECISIONS = ("check", "fold", "play")
METERS = {"main": 20_000_000_000}
VIEWERS = (*(Viewer(role="player", name=f"P{n}") for n in range(1, BOXES + 1)), DEALER)


def terms(book_id: str) -> Terms:
    registry = croupier.the_registry()
    book = registry.book(book_id)
    letters = {"progressive": "A", "envy": "A"}
    letters |= {"aces_up": "A"} if book_id == "FCP-14" else {"blind": "A", "trips": "A"}
    hand = None if book_id == "FCP-14" else "flop"
    progressive = ProgressiveTerms(Cents(500), hand, resets=(("main", Cents(1_000_000)),))
    rules = bind(registry.game_of(book), book, letters, progressive=progressive)
    return Terms(
        rules=rules,
        boxes=BOXES,
        way="shuffler",
        electronic=True,
        electronic_shoe=True,
        rates=(("main", 100_000),),
    )


def stakes(book_id: str) -> dict[str, int]:
    base = {"aces_up": 500} if book_id == "FCP-14" else {"blind": 1000, "trips": 500}
    return {"ante": 1000, **base, "progressive": 500}


def rounds(book_id: str, count: int) -> Iterator[tuple[State, do.Command]]:
    """Every command of so many rounds with the state it meets, players acting at random."""
    chance = random.Random(1)
    state = new_table(terms(book_id))
    for n in range(1, BOXES + 1):
        command: do.Command = do.TakeBox(by=f"P{n}", role="player", box=n)
        yield state, command
        state, _ = run(state, command)
    for number in range(1, count + 1):
        shoe = ElectronicShoe(chance.randrange)
        while state.round.number == number:
            command = _next(state, shoe, chance, book_id)
            yield state, command
            state, _ = run(state, command)


def _next(state: State, shoe: ElectronicShoe, chance: random.Random, book_id: str) -> do.Command:
    waiting = [n for n in state.seats if n not in state.round.boxes]
    if state.open and state.round.stage == "betting" and waiting:
        n = waiting[0]
        return do.PlaceWagers(by=f"P{n}", role="player", box=n, stakes=stakes(book_id))
    command = next_duty(state, shoe, state.meters or METERS)
    if command is not None:
        return command
    offered = [o for n in state.seats for o in options(state, "player", f"P{n}")]
    option = chance.choice([o for o in offered if o.do in DECISIONS])
    by = f"P{option.box}"
    if option.do == "play":
        return do.Play(by=by, role="player", box=option.box, cents=option.cents[0])
    kind = do.Check if option.do == "check" else do.Fold
    return kind(by=by, role="player", box=option.box)


def rows() -> Iterator[Row]:
    for game, book_id in (("uth", "UTH-S"), ("four-card", "FCP-14")):
        taken = list(rounds(book_id, ROUNDS))
        settled_s, boxes = settle_s(game)
        engine_s = cpu_s(lambda: [run(state, command) for state, command in taken])  # noqa: B023
        told = f"{ROUNDS / engine_s:,.0f} rounds, {len(taken) / engine_s:,.0f} commands a second"
        beside = f"time to settle a round of {boxes} boxes"
        yield Row(f"the engine, {book_id}, six boxes", told, engine_s / ROUNDS / settled_s, beside)
        seen_s = cpu_s(lambda: _with_views(taken))  # noqa: B023
        parts = {"with its seven views": seen_s} | frames(taken)
        beside = f"time of the command alone ({1000 * engine_s / len(taken):.3f} ms)"
        for part, part_s in parts.items():
            told = f"{1000 * part_s / len(taken):.3f} ms"
            yield Row(f"one command, {book_id}, {part}", told, part_s / engine_s, beside)


def _with_views(taken: list[tuple[State, do.Command]]) -> None:
    for state, command in taken:
        after, _ = run(state, command)
        for viewer in VIEWERS:
            view(after, viewer)


def frames(taken: list[tuple[State, do.Command]]) -> dict[str, float]:
    """The seconds that a table spends on each part of what it sends after every command."""
    done = [(state, *run(state, command)) for state, command in taken]
    began = time.process_time()
    sights = [TableSight(after) for _, after, _ in done]
    for sight in sights:
        for viewer in VIEWERS:
            msgspec.json.encode(sight.view(viewer))
    viewed = time.process_time()
    for before, _, events in done:
        change = TableChange(0, 1, before, events)
        for viewer in VIEWERS:
            change.json(viewer)
    told = time.process_time()
    for sight in sights:
        for viewer in VIEWERS:
            msgspec.json.encode(sight.due(viewer))
    due = time.process_time()
    return {
        "the views of seven frames as JSON": viewed - began,
        "their events": told - viewed,
        "what is due, in them": due - told,
    }
