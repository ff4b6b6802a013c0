"""What may be done now, and by whom: the commands a screen offers.

It reads the same agenda as the engine; a test asks the engine about every option it gives. What
only an accident brings - a device that fails, a player who walks off - is not listed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from croupier.table.agenda import (
    Phase,
    asked_box,
    cards_needed,
    cards_still_to_come,
    next_to_settle,
    phase,
)
from croupier.table.opening import is_past_opening
from croupier.table.shuffling import stub_is_due
from croupier.table.state import Deck, State
from croupier.table.wagering import why_not_take

Viewing = Literal["player", "dealer", "floorperson", "surveillance", "public"]


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command by its stored name, with what it would say."""

    do: str
    box: int = 0
    cents: tuple[int, ...] = ()
    wagers: tuple[str, ...] = ()
    cards: int = 0
    color: str = ""


def options(state: State, role: Viewing, name: str, now: Phase | None = None) -> tuple[Option, ...]:
    if state.hold is not None:
        return (Option(do="confirm"),) if role == "floorperson" else ()
    now = now or phase(state)
    if role == "player":
        return tuple(_players(state, name, now))
    if role == "dealer":
        return tuple(_dealers(state, now))
    return tuple(_floor(state, now)) if role == "floorperson" else ()


def _players(state: State, name: str, now: Phase) -> Iterator[Option]:
    own = [seat for seat, player in state.seats.items() if player == name]
    for seat in range(1, state.terms.boxes + 1):
        if why_not_take(state, seat, name) is None:
            yield Option(do="take-box", box=seat)
    if now == "betting":
        opened = state.open or is_past_opening(state)
        for seat in own:
            if opened:
                yield Option(do="place-wagers", box=seat, wagers=state.terms.offered[state.way])
            if seat in state.round.boxes:
                held = tuple(state.round.boxes[seat].stakes)
                yield Option(do="withdraw-wagers", box=seat, wagers=held)
    asked = asked_box(state) if now == "acting" else None
    if asked is not None and asked.seat in own and asked.absent != "left":
        street = state.book.streets[asked.answered]
        ante = asked.stakes[state.terms.play[1]]
        sizes = street.multiples or (street.least_multiple or 1, street.most_multiple or 1)
        yield Option(do="play", box=asked.seat, cents=tuple(size * ante for size in sizes))
        yield Option(do=street.otherwise, box=asked.seat)


def _dealers(state: State, now: Phase) -> Iterator[Option]:
    if now == "betting":
        for deck in state.decks:
            yield from _deck_work(state, deck)
        if state.terms.electronic_shoe and not state.open:
            yield Option(do="open-table")
        ready = state.open if state.terms.electronic_shoe else _is_ready(state)
        if state.round.boxes and ready:
            yield Option(do="no-more-bets")
    elif now == "dealing":
        yield Option(do="deal", cards=cards_needed(state))
    elif now == "acting":
        asked = asked_box(state)
        if asked is not None and asked.absent != "left":
            yield Option(do="time-out", box=asked.seat)
    elif now == "revealing":
        yield Option(do="reveal")
    elif now == "settling":
        box = next_to_settle(state)
        if box is not None and box.absent != "left":
            yield Option(do="settle-box", box=box.seat)
    elif not state.round.pending and not state.round.paperwork:
        yield Option(do="clear-cards")
    if state.round.stage in ("play", "salvage"):
        yield Option(do="declare")
        if stub_is_due(state) and not cards_still_to_come(state):
            yield Option(do="count-stub")


_NEXT_WORK = {
    "received": "inspect-deck",
    "verified": "spread-deck",
    "washed": "stack-deck",
    "stacked": "shuffle",
}


def _deck_work(state: State, deck: Deck) -> Iterator[Option]:
    if deck.stage in _NEXT_WORK:
        yield Option(do=_NEXT_WORK[deck.stage], color=deck.color)
    elif deck.stage == "spread" and state.seats:
        yield Option(do="wash-deck", color=deck.color)
    elif deck.stage == "shuffled" and deck.color == state.color:
        yield Option(do="cut", color=deck.color)


def _is_ready(state: State) -> bool:
    return state.deck is not None and state.deck.stage == "ready"


def _floor(state: State, now: Phase) -> Iterator[Option]:
    for deck in state.decks:
        if deck.stage == "inspected":
            yield Option(do="verify-inspection", color=deck.color)
        if deck.color == state.color and deck.was_cut and not state.round.was_dealt:
            yield Option(do="order-recut", color=deck.color)
    for seat, box in sorted(state.round.boxes.items()):
        if box.absent == "left" and state.round.stage in ("play", "salvage"):
            yield Option(do="rule-on-absence", box=seat)
        if state.round.stage == "play" and not state.round.was_dealt:
            if box.has("progressive") and not box.accepted:
                yield Option(do="return-chip", box=seat)
            if box.accepted and not box.has("progressive"):
                yield Option(do="cancel-acceptance", box=seat)
        if seat in state.round.pending:
            yield Option(do="validate-progressive", box=seat)
        elif seat in state.round.paperwork:
            yield Option(do="record-paperwork", box=seat)
    for device, how in state.devices.items():
        if how == "out of order":
            yield Option(do="cover-device", wagers=(device,))
