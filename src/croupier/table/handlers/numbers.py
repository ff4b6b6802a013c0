"""Players' numbers for the shuffle: committed to with a wager, shown when betting is closed.

The house has committed itself to its pack before, so neither it nor a player knows the order that
comes of both (ruling 39). A number that is not shown in time voids the round before any card, as
the device finds it by its clock and its record: nobody at the table has a say in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.facts.errors import Refusal
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.boxes import seats_of, why_stranger
from croupier.table.handlers.handler import PLAYER, Asker, Duties, Duty, Folds
from croupier.table.handlers.void import void_by_cause
from croupier.table.options import Option
from croupier.table.shoe import number_hash
from croupier.table.state import Box, State, in_box, replace

RULING = 39
SHOW_WITHIN_S = 20
NO_NUMBER = "0" * 64


def unshown(state: State) -> tuple[Box, ...]:
    """The boxes whose numbers are waited for, now that betting is closed."""
    if state.round.stage != "play" or state.round.was_dealt:
        return ()
    boxes = sorted(state.round.boxes.items())
    return tuple(box for _, box in boxes if box.number_hash and not box.number)


def why_unshown(state: State) -> Refusal | None:
    """Why no card may be dealt yet."""
    waits = unshown(state)
    if not waits:
        return None
    sentence = f"Box {waits[0].seat} has not shown its number for the shuffle yet"
    return state.refusal(sentence, state.book.procedure.first_shuffle_clause)


def committed(state: State, command: do.PlaceWagers) -> Iterator[ev.Event]:
    """What comes with the first wager of a box."""
    given, clause = command.number_hash, state.book.procedure.first_shuffle_clause
    box = state.round.boxes.get(command.box)
    if not given or (box is not None and box.number_hash == given):
        return
    if not state.terms.takes_numbers:
        raise state.refusal("This table takes no numbers for the shuffle", clause)
    if box is not None and box.number_hash:
        raise state.refusal(f"Box {command.box} has given its number for this round", clause)
    yield ev.NumberCommitted(
        clauses=state.cites(clause), rulings=(RULING,), box=command.box, number_hash=given
    )


def why_not_show(state: State, command: do.ShowNumber) -> Refusal | None:
    clause = state.book.procedure.first_shuffle_clause
    why = why_stranger(state, command.box, command.by)
    if why is None and state.round.stage == "betting":
        return state.refusal("Numbers are shown when the betting is closed", clause)
    if why is None and command.box not in [box.seat for box in unshown(state)]:
        return state.refusal(f"No number of box {command.box} is waited for", clause)
    return why


def show_number(state: State, command: do.ShowNumber) -> Iterator[ev.Event]:
    clause = state.book.procedure.first_shuffle_clause
    due = state.round.boxes[command.box].number_hash
    if number_hash(state.round.number, command.box, command.number) != due:
        sentence = f"That is not the number that box {command.box} committed itself to"
        raise state.refusal(sentence, clause)
    yield ev.NumberShown(
        clauses=state.cites(clause), rulings=(RULING,), box=command.box, number=command.number
    )


def _may_show(state: State, asker: Asker) -> Iterator[do.ShowNumber]:
    for seat in seats_of(state, asker.name):
        yield do.ShowNumber(**asker.signed, box=seat, number=NO_NUMBER)


def _numbers_to_show(
    state: State, asker: Asker, commands: Sequence[do.ShowNumber]
) -> Iterator[Option]:
    for command in commands:
        yield Option(do="show-number", box=command.box)


def why_not_void_unshown(state: State, command: do.VoidUnshown) -> Refusal | None:
    clause, waits = state.book.procedure.irregular_clause, unshown(state)
    if not waits:
        return state.refusal("No number is missing", clause)
    left_s = state.round.closed_s + SHOW_WITHIN_S - command.at_s
    if left_s > 0:
        return state.refusal(f"Box {waits[0].seat} has {left_s} seconds to show its number", clause)
    return None


def void_unshown(state: State, command: do.VoidUnshown) -> Iterator[ev.Event]:
    clause = state.book.procedure.irregular_clause
    for box in unshown(state):
        yield ev.NumberMissing(
            clauses=state.cites(clause), rulings=(RULING,), box=box.seat, player=box.player
        )
    yield from void_by_cause(state, clause, do.UNSHOWN, "", command.meters)


def _missing(state: State, event: ev.NumberMissing) -> State:
    times = state.unshown.get(event.player, 0) + 1
    return replace(state, unshown={**state.unshown, event.player: times})


DUTIES: Duties = (
    Duty(
        do.ShowNumber,
        PLAYER,
        lambda by: by.first_shuffle_clause,
        why_not_show,
        show_number,
        offers=_may_show,
        phases=("dealing",),
        shown=_numbers_to_show,
    ),
    Duty(
        do.VoidUnshown,
        ("device",),
        lambda by: by.irregular_clause,
        why_not_void_unshown,
        void_unshown,
    ),
)

FOLDS: Folds = {
    ev.NumberCommitted: lambda state, event: in_box(
        state, event.box, number_hash=event.number_hash
    ),
    ev.NumberShown: lambda state, event: in_box(state, event.box, number=event.number),
    ev.NumberMissing: _missing,
}
