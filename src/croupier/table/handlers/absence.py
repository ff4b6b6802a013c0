"""A player who leaves during a round: reported, then ruled on by the floorperson (ruling 34).

Whoever leaves, leaves all his boxes; what is said of one of them is said of them all (7.C). Nobody
who is connected has left, and once the dealer's hand is turned nobody's hand is abandoned: what it
is worth is known by then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.facts.errors import Refusal
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, next_to_settle
from croupier.table.handlers.handler import (
    FLOOR,
    STAFF,
    Asker,
    Duties,
    Duty,
    Folds,
    PowerUse,
    by_box,
)
from croupier.table.options import Option
from croupier.table.state import State, in_box, replace
from croupier.table.terms import ABSENCES

RULINGS: tuple[do.AbsenceRuling, ...] = (*ABSENCES, "back")


def why_not_report(state: State, command: do.ReportAbsence) -> Refusal | None:
    why = _why_in_no_round(state, command.box) or _why_here(state, command)
    if why is None and _hands_are_known(state):
        return state.refusal(
            "The hands are turned: every box is settled as it lies",
            state.book.procedure.abandoned_clause,
        )
    if why is None and (_is_decided(state, command.box) or not _left_with(state, command.box)):
        return state.refusal(
            f"Box {command.box} is ruled on or settled already",
            state.book.procedure.abandoned_clause,
        )
    return why


def report(state: State, command: do.ReportAbsence) -> Iterator[ev.Event]:
    clause = state.book.procedure.stay_seated_clause
    for seat in _left_with(state, command.box):
        yield ev.PlayerLeft(clauses=state.cites(clause), box=seat)


def _may_report(state: State, asker: Asker) -> Iterator[do.ReportAbsence]:
    for seat in state.round.boxes:
        if _lies_open(state, seat):
            yield do.ReportAbsence(**asker.signed, box=seat)


def why_not_rule(state: State, command: do.RuleOnAbsence) -> Refusal | None:
    why = _why_in_no_round(state, command.box)
    if why is None and state.round.boxes[command.box].absent != "left":
        return state.refusal(
            f"The player of box {command.box} was not reported absent",
            state.book.procedure.abandoned_clause,
        )
    return why or _why_not_outcome(state, command)


def _why_not_outcome(state: State, command: do.RuleOnAbsence) -> Refusal | None:
    outcome, clause = _outcome(state, command), state.book.procedure.abandoned_clause
    if command.here and outcome != "back":
        return _why_here(state, command)
    if outcome == "abandoned" and _hands_are_known(state):
        return state.refusal("The hands are turned: no hand is abandoned any more", clause)
    return None


def _outcome(state: State, command: do.RuleOnAbsence) -> str:
    """The submission's policy is the preset; the floorperson may rule otherwise."""
    if command.outcome is not None:
        return command.outcome
    return "default" if _hands_are_known(state) else state.terms.absence


def rule(state: State, command: do.RuleOnAbsence) -> Iterator[ev.Event]:
    player = state.round.boxes[command.box].player
    for own in state.round.boxes.values():
        if own.player == player and own.absent == "left":
            yield ev.AbsenceRuled(
                clauses=state.cites(state.book.procedure.abandoned_clause),
                rulings=(34,),
                box=own.seat,
                outcome=_outcome(state, command),
                by=command.by,
            )


def _may_rule(state: State, asker: Asker) -> Iterator[do.RuleOnAbsence]:
    """What was filed stands first; of who is connected there is only to say that he is back."""
    here = asker.beyond.here or frozenset()
    for seat, box in sorted(state.round.boxes.items()):
        if box.absent != "left":
            continue
        is_here = box.player in here
        filed = do.RuleOnAbsence(**asker.signed, box=seat)
        preset = _outcome(state, filed)
        if not is_here:
            yield filed
        for outcome in RULINGS:
            is_seen_back = outcome == "back" and (is_here or not state.terms.sealed)
            if is_seen_back or (not is_here and outcome not in (preset, "back")):
                yield replace(filed, outcome=outcome)


def _rulings(state: State, asker: Asker, commands: Sequence[do.RuleOnAbsence]) -> Iterator[Option]:
    for box in dict.fromkeys(command.box for command in commands):
        names = (_outcome(state, command) for command in commands if command.box == box)
        yield Option(do="rule-on-absence", box=box, names=tuple(names))


def _abandonment(state: State, command: do.RuleOnAbsence) -> PowerUse | None:
    if _outcome(state, command) != "abandoned":
        return None
    return PowerUse("abandon", command.box, sum(_staked(state, command.box)))


def _staked(state: State, seat: int) -> Iterator[int]:
    """What an abandonment costs the player: every wager of his boxes."""
    player = state.round.boxes[seat].player
    for box in state.round.boxes.values():
        if box.player == player and box.absent == "left":
            yield from box.stakes.values()


def _is_awaited(state: State, command: do.RuleOnAbsence) -> bool:
    """The round cannot go on without the ruling: the box is asked, or is to be settled."""
    awaited = asked_box(state) or next_to_settle(state)
    return awaited is not None and awaited.seat == command.box


def _is_decided(state: State, seat: int) -> bool:
    """Whether a box is ruled on, or waits for its Progressive win with all the rest settled."""
    won = state.round.won
    return state.round.boxes[seat].absent != "" or (won is not None and won.box == seat)


def _lies_open(state: State, seat: int) -> bool:
    """Whether something may still be said of a box."""
    return not state.round.boxes[seat].settled and not _is_decided(state, seat)


def _left_with(state: State, seat: int) -> list[int]:
    """The boxes that a player leaves with this one."""
    boxes = state.round.boxes
    own = (other for other, box in boxes.items() if box.player == boxes[seat].player)
    return [other for other in own if _lies_open(state, other)]


def _why_here(state: State, command: do.ReportAbsence | do.RuleOnAbsence) -> Refusal | None:
    if not command.here:
        return None
    player = state.round.boxes[command.box].player
    return state.refusal(
        f"{player} is connected, and has not left", state.book.procedure.abandoned_clause
    )


def _hands_are_known(state: State) -> bool:
    return state.round.revealed or state.round.stage == "salvage"


def _why_in_no_round(state: State, seat: int) -> Refusal | None:
    if state.round.stage not in ("play", "salvage") or seat not in state.round.boxes:
        clause = state.book.procedure.abandoned_clause
        return state.refusal(f"Box {seat} is in no round", clause)
    return None


def _ruled(state: State, event: ev.AbsenceRuled) -> State:
    if event.outcome == "back":
        return in_box(state, event.box, absent="")
    if event.outcome == "default":
        return in_box(state, event.box, absent="default")
    return in_box(state, event.box, absent="abandoned", answered=len(state.book.streets))


DUTIES: Duties = (
    Duty(
        do.ReportAbsence,
        (*STAFF, "device"),
        lambda by: by.stay_seated_clause,
        why_not_report,
        report,
        offers=_may_report,
        shown=by_box,
    ),
    Duty(
        do.RuleOnAbsence,
        FLOOR,
        lambda by: by.abandoned_clause,
        why_not_rule,
        rule,
        offers=_may_rule,
        shown=_rulings,
        automatic="floorperson",
        works_in=("acting", "settling"),
        due=_is_awaited,
        power=_abandonment,
    ),
)

FOLDS: Folds = {
    ev.PlayerLeft: lambda state, event: in_box(state, event.box, absent="left"),
    ev.AbsenceRuled: _ruled,
}
