"""The decisions: each street asked of each box in order from the dealer's left (chapter 11)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.money import Cents, dollars
from croupier.rulebook.book import Street
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, in_asking_order
from croupier.table.handlers.chips import refuse_beyond_chips
from croupier.table.handlers.handler import PLAYER, STAFF, Duties, Duty, Folds
from croupier.table.handlers.wagers import refuse_stranger
from croupier.table.state import Box, State, in_box


def check(state: State, command: do.Check) -> Iterator[ev.Event]:
    box, street = _asked(state, command)
    if street.otherwise != "check":
        raise state.refusal(
            "The last question is answered with Play or fold", street.otherwise_clause
        )
    yield _checked(state, box, street, defaulted=False)


def play(state: State, command: do.Play) -> Iterator[ev.Event]:
    box, street = _asked(state, command)
    wager, beside = state.terms.play
    if not street.allows(command.cents, box.stakes[beside]):
        raise state.refusal(
            f"{state.book.wager(wager).title} {street.name} is "
            f"{street.sizes_of(box.stakes[beside])}, not {dollars(command.cents)}",
            street.clause,
        )
    refuse_beyond_chips(state, box.seat, command.cents)
    yield ev.Played(
        clauses=state.cites(street.clause, street.play_clause),
        box=box.seat,
        street=street.name,
        wager=wager,
        cents=command.cents,
    )


def fold(state: State, command: do.Fold) -> Iterator[ev.Event]:
    box, street = _asked(state, command)
    if street.otherwise != "fold":
        raise state.refusal(
            "There is no fold yet: check, and be asked again", street.otherwise_clause
        )
    yield from _folded(state, box, street, defaulted=False)


def time_out(state: State, command: do.TimeOut) -> Iterator[ev.Event]:
    """The disclosed default, at once, and recorded as what it is (ruling 34)."""
    box = asked_box(state)
    if box is None or box.seat != command.box:
        raise state.refusal(
            f"Box {command.box} is not being asked", state.book.streets[0].ask_clause
        )
    _refuse_left(state, box)
    street = state.book.streets[box.answered]
    if street.otherwise == "check":
        yield _checked(state, box, street, defaulted=True)
    else:
        yield from _folded(state, box, street, defaulted=True)


def _asked(state: State, command: do.Check | do.Play | do.Fold) -> tuple[Box, Street]:
    refuse_stranger(state, command.box, command.by)
    box = asked_box(state)
    if box is None:
        raise state.refusal("No box is being asked now", state.book.streets[0].ask_clause)
    street = state.book.streets[box.answered]
    if box.seat != command.box:
        raise state.refusal(
            f"It is the turn of box {box.seat}, not of box {command.box}", street.ask_clause
        )
    _refuse_left(state, box)
    return box, street


def _refuse_left(state: State, box: Box) -> None:
    if box.absent == "left":
        raise state.refusal(
            f"The player of box {box.seat} left; the floorperson rules on it",
            state.book.procedure.abandoned_clause,
        )


def _checked(state: State, box: Box, street: Street, *, defaulted: bool) -> ev.Checked:
    return ev.Checked(
        clauses=state.cites(street.clause, street.otherwise_clause),
        rulings=(34,) if defaulted else (),
        box=box.seat,
        street=street.name,
        defaulted=defaulted,
    )


def _folded(state: State, box: Box, street: Street, *, defaulted: bool) -> Iterator[ev.Event]:
    by = state.book.procedure
    keeps = any(name in state.terms.keeps_cards for name in box.stakes)
    at_once = None if by.collected_together_clause is not None else by.folded_collected_clause
    after = by.folded_keeps_clause if keeps else at_once
    yield ev.Folded(
        clauses=state.cites(street.otherwise_clause, after),
        rulings=(34,) if defaulted else (),
        box=box.seat,
        street=street.name,
        keeps_cards=keeps,
        defaulted=defaulted,
    )
    if by.collected_together_clause is None:
        yield from _forfeits(state, box)


def collected_together(state: State, clause: str) -> Iterator[ev.Event]:
    """What the folds of a round gave up, where a book has it collected when all have decided."""
    for box in in_asking_order(state):
        if box.folded:
            yield from _forfeits(state, box, clause)


def _forfeits(state: State, box: Box, clause: str | None = None) -> Iterator[ev.Event]:
    for wager in state.book.wagers:
        if wager.fold.outcome == "forfeit" and box.has(wager.name):
            yield ev.WagerForfeited(
                clauses=state.cites(wager.fold.clause, clause),
                rulings=(wager.fold.ruling,) if wager.fold.ruling else (),
                box=box.seat,
                wager=wager.name,
                cents=box.stakes[wager.name],
            )


def _back(state: State, event: ev.Checked | ev.Played | ev.Folded) -> State:
    """Who answers for himself is at the table again, at all his boxes, and keeps them."""
    player = state.round.boxes[event.box].player
    if isinstance(event, ev.Played) or not event.defaulted:
        for box in state.round.boxes.values():
            if box.player == player and box.absent == "default":
                state = in_box(state, box.seat, absent="")
    return state


def _after_check(state: State, event: ev.Checked) -> State:
    return in_box(state, event.box, answered=state.round.boxes[event.box].answered + 1)


def _after_play(state: State, event: ev.Played) -> State:
    stakes = {**state.round.boxes[event.box].stakes, event.wager: Cents(event.cents)}
    return in_box(state, event.box, stakes=stakes, answered=len(state.book.streets))


def _after_fold(state: State, event: ev.Folded) -> State:
    return in_box(state, event.box, folded=True, answered=len(state.book.streets))


def _forfeited(state: State, event: ev.WagerForfeited) -> State:
    given_up = (*state.round.boxes[event.box].forfeited, event.wager)
    return in_box(state, event.box, forfeited=given_up)


DUTIES: Duties = {
    do.Check: Duty(check, PLAYER, "examine_clause"),
    do.Play: Duty(play, PLAYER, "examine_clause"),
    do.Fold: Duty(fold, PLAYER, "examine_clause"),
    do.TimeOut: Duty(time_out, (*STAFF, "device"), "examine_clause"),
}

FOLDS: Folds = {
    ev.Checked: lambda state, event: _after_check(_back(state, event), event),
    ev.Played: lambda state, event: _after_play(_back(state, event), event),
    ev.Folded: lambda state, event: _after_fold(_back(state, event), event),
    ev.WagerForfeited: _forfeited,
}
