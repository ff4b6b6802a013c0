"""The decisions: each street asked of each box in order from the dealer's left (chapter 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, dollars
from croupier.rulebook.book import Street
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, in_asking_order, street_of
from croupier.table.handlers.boxes import why_stranger
from croupier.table.handlers.chips import chips_of, refuse_beyond_chips
from croupier.table.handlers.handler import PLAYER, STAFF, Asker, C, Duties, Duty, Folds, by_box
from croupier.table.options import Option
from croupier.table.state import Box, State, in_box


def why_not_check(state: State, command: do.Check) -> Refusal | None:
    why = _why_not_asked(state, command)
    street = _street(state)
    if why is None and street.otherwise != "check":
        return state.refusal(
            f"This question is answered with {state.book.played_on(street).title} or fold",
            street.otherwise_clause,
        )
    return why


def check(state: State, command: do.Check) -> Iterator[ev.Event]:
    yield _checked(state, state.round.boxes[command.box], _street(state), defaulted=False)


def why_not_play(state: State, command: do.Play) -> Refusal | None:
    return _why_not_asked(state, command)


def play(state: State, command: do.Play) -> Iterator[ev.Event]:
    box, street = state.round.boxes[command.box], _street(state)
    wager, beside = state.book.played_on(street), state.terms.play[1]
    if not street.allows(command.cents, box.stakes[beside]):
        raise state.refusal(
            f"{wager.title} {street.name} is "
            f"{street.sizes_of(box.stakes[beside])}, not {dollars(command.cents)}",
            street.clause,
        )
    refuse_beyond_chips(state, box.seat, command.cents)
    yield ev.Played(
        clauses=state.cites(street.clause, street.play_clause),
        box=box.seat,
        street=street.name,
        wager=wager.name,
        cents=command.cents,
    )


def _sizes(state: State, asker: Asker, commands: Sequence[do.Play]) -> Iterator[Option]:
    for command in commands:
        sizes = _affordable_sizes(state, state.round.boxes[command.box])
        if sizes:
            yield Option(do="play", box=command.box, cents=sizes)


def _affordable_sizes(state: State, box: Box) -> tuple[int, ...]:
    """The sizes of the street's wager, or the ends of its range, that the box's chips allow."""
    street, ante = street_of(state, box), box.stakes[state.terms.play[1]]
    most = chips_of(state, box.seat) if state.terms.keeps_chips else None
    if street.least_multiple is None:
        return tuple(size * ante for size in street.sizes if most is None or size * ante <= most)
    least, top = street.least * ante, street.most * ante
    if most is None:
        return (least, top)
    return (least, min(top, most)) if least <= most else ()


def why_not_fold(state: State, command: do.Fold) -> Refusal | None:
    why = _why_not_asked(state, command)
    street = _street(state)
    if why is None and street.otherwise != "fold":
        return state.refusal(
            "There is no fold now: check, and be asked again", street.otherwise_clause
        )
    return why


def fold(state: State, command: do.Fold) -> Iterator[ev.Event]:
    box = state.round.boxes[command.box]
    yield from _folded(state, box, _street(state), defaulted=False)


def why_not_time_out(state: State, command: do.TimeOut) -> Refusal | None:
    box = asked_box(state)
    if box is None or box.seat != command.box:
        return state.refusal(
            f"Box {command.box} is not being asked", state.book.streets[0].ask_clause
        )
    return _why_left(state, box) or _why_hurried(state, command)


def _why_hurried(state: State, command: do.TimeOut) -> Refusal | None:
    """Where a clock runs, it alone hurries a box."""
    if not command.seconds_left or command.role == "device":
        return None
    return state.refusal(
        f"Box {command.box} has {command.seconds_left} seconds left to answer",
        state.book.procedure.examine_clause,
    )


def time_out(state: State, command: do.TimeOut) -> Iterator[ev.Event]:
    """The disclosed default, at once, and recorded as what it is (ruling 34)."""
    box, street = state.round.boxes[command.box], _street(state)
    if street.otherwise == "check":
        yield _checked(state, box, street, defaulted=True)
    else:
        yield from _folded(state, box, street, defaulted=True)


def _of_the_asked(kind: Callable[..., C], **values: int) -> Callable[[State, Asker], Iterator[C]]:
    """The command for the box that is asked, to its own player."""

    def offers(state: State, asker: Asker) -> Iterator[C]:
        asked = asker.now.asked
        if asked is not None and state.seats.get(asked.seat) == asker.name:
            yield kind(**asker.signed, box=asked.seat, **values)

    return offers


def _may_time_out(state: State, asker: Asker) -> Iterator[do.TimeOut]:
    asked = asker.now.asked
    if asked is not None:
        yield do.TimeOut(**asker.signed, box=asked.seat)


def _plays_by_default(state: State, command: do.TimeOut) -> bool:
    return state.round.boxes[command.box].absent == "default"


def _street(state: State) -> Street:
    """The street that is asked now; the first one where nobody is asked."""
    box = asked_box(state)
    return state.book.streets[box.answered if box is not None else 0]


def _why_not_asked(state: State, command: do.Check | do.Play | do.Fold) -> Refusal | None:
    why = why_stranger(state, command.box, command.by)
    if why is not None:
        return why
    box = asked_box(state)
    if box is None:
        return state.refusal("No box is being asked now", state.book.streets[0].ask_clause)
    if box.seat != command.box:
        return state.refusal(
            f"It is the turn of box {box.seat}, not of box {command.box}",
            street_of(state, box).ask_clause,
        )
    return _why_left(state, box)


def _why_left(state: State, box: Box) -> Refusal | None:
    if box.absent == "left":
        return state.refusal(
            f"The player of box {box.seat} left; the floorperson rules on it",
            state.book.procedure.abandoned_clause,
        )
    return None


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
    """A street is not asked whose wager lies there already."""
    box, streets = state.round.boxes[event.box], state.book.streets
    stakes = {**box.stakes, event.wager: Cents(event.cents)}
    answered = box.answered + 1
    while answered < len(streets) and state.book.played_on(streets[answered]).name in stakes:
        answered += 1
    return in_box(state, event.box, stakes=stakes, answered=answered)


def _after_fold(state: State, event: ev.Folded) -> State:
    return in_box(state, event.box, folded=True, answered=len(state.book.streets))


def _forfeited(state: State, event: ev.WagerForfeited) -> State:
    given_up = (*state.round.boxes[event.box].forfeited, event.wager)
    return in_box(state, event.box, forfeited=given_up)


DUTIES: Duties = (
    Duty(
        do.Check,
        PLAYER,
        lambda by: by.examine_clause,
        why_not_check,
        check,
        offers=_of_the_asked(do.Check),
        phases=("acting",),
        shown=by_box,
    ),
    Duty(
        do.Play,
        PLAYER,
        lambda by: by.examine_clause,
        why_not_play,
        play,
        offers=_of_the_asked(do.Play, cents=0),
        phases=("acting",),
        shown=_sizes,
    ),
    Duty(
        do.Fold,
        PLAYER,
        lambda by: by.examine_clause,
        why_not_fold,
        fold,
        offers=_of_the_asked(do.Fold),
        phases=("acting",),
        shown=by_box,
    ),
    Duty(
        do.TimeOut,
        (*STAFF, "device"),
        lambda by: by.examine_clause,
        why_not_time_out,
        time_out,
        offers=_may_time_out,
        phases=("acting",),
        shown=by_box,
        automatic="dealer",
        due=_plays_by_default,
    ),
)

FOLDS: Folds = {
    ev.Checked: lambda state, event: _after_check(_back(state, event), event),
    ev.Played: lambda state, event: _after_play(_back(state, event), event),
    ev.Folded: lambda state, event: _after_fold(_back(state, event), event),
    ev.WagerForfeited: _forfeited,
}
