"""A Progressive win: validated by the floorperson and paid, or refused by two people (ruling 36).

The box that won waits, and nothing else is settled meanwhile. No meter is drawn and no Envy is paid
before it is validated; a refusal is proposed by a floorperson and confirmed by a manager.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from croupier.facts.errors import Refusal
from croupier.facts.money import Micros
from croupier.games.round import REASONS
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.events import WagerSettled
from croupier.table.finished_round import are_known
from croupier.table.handlers.handler import (
    FLOOR,
    Asker,
    Duties,
    Duty,
    Folds,
    PowerUse,
    by_box,
    power_used,
)
from croupier.table.handlers.progressive import is_off_table
from croupier.table.handlers.round_end import as_it_lies, finish_box, standing_meters
from croupier.table.handlers.void import reversal
from croupier.table.options import Option
from croupier.table.powers import Actor
from croupier.table.settlement import VALIDATION_RULING, settle_box
from croupier.table.state import Box, State, Won, in_box, in_round, replace

SOURCE_RULING = 35


def why_not_validate(state: State, command: do.ValidateProgressive) -> Refusal | None:
    return _why_no_word(state, command.box) or _why_not_yet(state, command.ahead)


def _may_validate(state: State, asker: Asker) -> Iterator[do.ValidateProgressive]:
    won = state.round.won
    if won is not None:
        yield do.ValidateProgressive(**asker.signed, box=won.box)


def why_not_propose(state: State, command: do.ProposeRefusal) -> Refusal | None:
    return _why_no_word(state, command.box)


def _may_propose(state: State, asker: Asker) -> Iterator[do.ProposeRefusal]:
    won = state.round.won
    if won is not None:
        for reason in REASONS:
            yield do.ProposeRefusal(**asker.signed, box=won.box, reason=reason)


def _reasons(state: State, asker: Asker, commands: Sequence[do.ProposeRefusal]) -> Iterator[Option]:
    reasons = tuple(command.reason for command in commands)
    yield Option(do="propose-refusal", box=commands[0].box, names=reasons)


def why_not_confirm(state: State, command: do.ConfirmRefusal) -> Refusal | None:
    """Nobody refuses a win alone; whoever proposed it may still send it back."""
    won, clause = state.round.won, state.book.procedure.validate_clause
    if won is None or won.box != command.box or not won.refusal:
        return state.refusal(
            f"Nobody proposed to refuse a Progressive win of box {command.box}", clause
        )
    why = ""
    if command.upheld:
        why = state.terms.policy.why_not_second("refuse-win", *_two(won, command))
    return state.refusal(why, clause) if why else None


def _two(won: Won, command: do.ConfirmRefusal) -> tuple[Actor, Actor]:
    """Who proposed the refusal and who confirms it."""
    return Actor(won.proposed_by, "floorperson"), Actor(command.by, command.role)


def _may_confirm(state: State, asker: Asker) -> Iterator[do.ConfirmRefusal]:
    won = state.round.won
    if won is not None and won.refusal:
        for upheld in (True, False):
            yield do.ConfirmRefusal(**asker.signed, box=won.box, upheld=upheld)


def _proposals(
    state: State, asker: Asker, commands: Sequence[do.ConfirmRefusal]
) -> Iterator[Option]:
    won, may_uphold = state.round.won, any(command.upheld for command in commands)
    assert won is not None
    yield Option(do="confirm-refusal", box=won.box, names=(won.refusal,), may_uphold=may_uphold)


def _why_no_word(state: State, seat: int) -> Refusal | None:
    """What stands against the floorperson's word on a win, for or against it."""
    won, clause = state.round.won, state.book.procedure.validate_clause
    if won is None or won.box != seat:
        return state.refusal(f"Box {seat} has no Progressive win that waits", clause)
    if won.refusal:
        return state.refusal(
            f"{won.proposed_by} proposed to refuse the win of box {seat}; a manager has the word",
            clause,
        )
    return None


def _why_not_yet(state: State, ahead: str) -> Refusal | None:
    """A win of another table that waits for the same meter is decided first."""
    won, rule = state.round.won, state.book.progressive
    if not ahead or won is None or won.meter is None or rule is None:
        return None
    return state.refusal(
        f"A win of table {ahead} waits for the {won.meter} meter and came first; it is decided "
        "before this one",
        rule.meter_clause,
    )


def validate(state: State, command: do.ValidateProgressive) -> Iterator[ev.Event]:
    by, box = state.book.procedure, state.round.boxes[command.box]
    meters = standing_meters(state, box, command.meters)
    won, *rest = _still_due(state, box, meters)
    outside = is_off_table(state, won)
    paid_under = by.off_table_clause if outside and by.off_table_clause else by.pay_clause
    yield ev.ProgressiveValidated(
        clauses=state.cites(by.validate_clause, paid_under),
        rulings=(VALIDATION_RULING, SOURCE_RULING) if outside else (VALIDATION_RULING,),
        box=box.seat,
        by=command.by,
    )
    paid = replace(won, outside=outside)
    yield from finish_box(state, box, (paid, *rest))


def propose_refusal(state: State, command: do.ProposeRefusal) -> Iterator[ev.Event]:
    yield ev.RefusalProposed(
        clauses=state.cites(state.book.procedure.validate_clause),
        rulings=(VALIDATION_RULING,),
        box=command.box,
        reason=command.reason,
        by=command.by,
    )


def confirm_refusal(state: State, command: do.ConfirmRefusal) -> Iterator[ev.Event]:
    clauses = state.cites(state.book.procedure.validate_clause)
    if not command.upheld:
        yield ev.RefusalSentBack(
            clauses=clauses, rulings=(VALIDATION_RULING,), box=command.box, by=command.by
        )
        return
    won = state.round.won
    assert won is not None and won.refusal
    yield ev.ProgressiveRefused(
        clauses=clauses,
        rulings=(VALIDATION_RULING,),
        box=command.box,
        reason=won.refusal,
        by=command.by,
        proposed_by=won.proposed_by,
    )
    judged = in_box(state, command.box, refused=won.refusal)
    if won.refusal == "wager":
        yield from _envy_taken_back(judged, command.box)
    box = judged.round.boxes[command.box]
    rest = _still_due(judged, box, standing_meters(state, box, command.meters))
    yield from finish_box(judged, box, rest)
    yield power_used(state, PowerUse("refuse-win", command.box), *_two(won, command))


def waiting_line(state: State, meters: Mapping[str, int]) -> WagerSettled | None:
    """What the win that waits would be paid if it were validated now; None where nobody here can
    open the cards of its round."""
    won = state.round.won
    if won is None:
        return None
    lying = (*state.round.places.values(), *(box.cards for box in state.round.boxes.values()))
    if not all(map(are_known, lying)):
        return None
    box = state.round.boxes[won.box]
    return _still_due(state, box, standing_meters(state, box, meters))[0]


def _still_due(state: State, box: Box, meters: dict[str, Micros]) -> tuple[WagerSettled, ...]:
    """The lines of a box from its Progressive wager on; those before it are settled."""
    finished, own = as_it_lies(state, box)
    lines = settle_box(finished, own, meters)
    at = next(at for at, line in enumerate(lines) if line.wager == PROGRESSIVE)
    return lines[at:]


def _envy_taken_back(state: State, seat: int) -> Iterator[ev.Event]:
    """Whoever made no accepted wager was entitled to no Envy for the hands settled before."""
    clause = state.book.procedure.validate_clause
    for line in reversed(state.round.lines):
        if line.box == seat and line.wager == ENVY:
            yield reversal(state, line, {}, (clause,), VALIDATION_RULING)


def _won(state: State, event: ev.ProgressiveWon) -> State:
    return in_round(state, won=Won(box=event.box, meter=event.meter))


def _proposed(state: State, event: ev.RefusalProposed) -> State:
    assert state.round.won is not None
    won = replace(state.round.won, refusal=event.reason, proposed_by=event.by)
    return in_round(state, won=won)


def _sent_back(state: State, event: ev.RefusalSentBack) -> State:
    assert state.round.won is not None
    return in_round(state, won=replace(state.round.won, refusal="", proposed_by=""))


def _refused(state: State, event: ev.ProgressiveRefused) -> State:
    return in_round(in_box(state, event.box, refused=event.reason), won=None)


DUTIES: Duties = (
    Duty(
        do.ValidateProgressive,
        FLOOR,
        lambda by: by.validate_clause,
        why_not_validate,
        validate,
        offers=_may_validate,
        phases=("settling",),
        shown=by_box,
        automatic="floorperson",
    ),
    Duty(
        do.ProposeRefusal,
        FLOOR,
        lambda by: by.validate_clause,
        why_not_propose,
        propose_refusal,
        offers=_may_propose,
        phases=("settling",),
        shown=_reasons,
    ),
    Duty(
        do.ConfirmRefusal,
        FLOOR,
        lambda by: by.validate_clause,
        why_not_confirm,
        confirm_refusal,
        offers=_may_confirm,
        phases=("settling",),
        shown=_proposals,
        automatic="manager",
    ),
)

FOLDS: Folds = {
    ev.ProgressiveWon: _won,
    ev.ProgressiveValidated: lambda state, event: in_round(state, won=None),
    ev.RefusalProposed: _proposed,
    ev.RefusalSentBack: _sent_back,
    ev.ProgressiveRefused: _refused,
}
