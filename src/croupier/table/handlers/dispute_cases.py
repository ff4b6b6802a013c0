"""A dispute from its opening to its end: a case with a number, a state and the floor's last word.

Anybody at the table opens one. The box it is about is not settled meanwhile, and its cards stay on
the table: they are kept so that the hand can be reconstructed. A correction is a line of its own,
and two people stand behind it; what was settled before is never changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from croupier.facts.errors import Refusal
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.boxes import why_stranger
from croupier.table.handlers.chips import refuse_beyond_chips
from croupier.table.handlers.handler import (
    FLOOR,
    PLAYER,
    STAFF,
    Asker,
    Duties,
    Duty,
    Folds,
    PowerUse,
    by_box,
)
from croupier.table.options import Option
from croupier.table.state import Dispute, State, replace

BY_THE_BOOK = "settled by the rulebook"
ENDED: Mapping[do.DisputeOutcome, str] = {
    "stands": "what was settled stands",
    "corrected": "it is corrected by a line of its own",
    "void": "the round is void",
}


def why_not_open(state: State, command: do.OpenDispute) -> Refusal | None:
    if state.terms.practice:
        return _refusal(state, "At a practice table there is nobody to decide a dispute")
    if not _player(state, command):
        return _refusal(state, f"Nobody sits at box {command.box}")
    if command.role == "player":
        why = why_stranger(state, command.box, command.by)
        if why is not None:
            return why
    if _about(state, command) > state.round.number:
        return _refusal(state, f"Round {_about(state, command):,} was not played yet")
    same = (command.box, _about(state, command))
    if any((one.box, one.round) == same for one in state.disputes):
        return _refusal(state, f"A dispute of box {same[0]} in round {same[1]:,} is open already")
    return None


def _player(state: State, command: do.OpenDispute) -> str:
    """Whose money it is about; of an earlier round, of whoever sits there."""
    box = state.round.boxes.get(command.box)
    return box.player if box is not None else state.seats.get(command.box, "")


def _about(state: State, command: do.OpenDispute) -> int:
    """The round on the table; between two rounds that is the one whose cards were cleared last."""
    if command.round:
        return command.round
    is_over = state.last is not None and not state.round.boxes
    return state.round.number - is_over


def open_dispute(state: State, command: do.OpenDispute) -> Iterator[ev.Event]:
    yield ev.DisputeOpened(
        clauses=_cited(state),
        box=command.box,
        number=state.dispute_count + 1,
        round=_about(state, command),
        player=_player(state, command),
        by=command.by,
        reason=command.reason,
        wager=command.wager,
    )


def _may_open(state: State, asker: Asker) -> Iterator[do.OpenDispute]:
    """A player about his own boxes, the house about any."""
    boxes = state.round.boxes
    for seat in sorted({*state.seats, *boxes}):
        player = boxes[seat].player if seat in boxes else state.seats[seat]
        if asker.role != "player" or player == asker.name:
            yield do.OpenDispute(**asker.signed, box=seat, reason="dispute")


def why_not_end(state: State, command: do.EndDispute) -> Refusal | None:
    case = _open(state, command.number)
    if case is None:
        return _refusal(state, f"No dispute {command.number:,} is open")
    if command.outcome == "void" and not _is_void(state, case):
        return _refusal(
            state, f"Round {case.round:,} is not void: void it first, and say the cause there"
        )
    if command.outcome == "corrected" and _seat_of(state, case) is None:
        return _refusal(state, f"{case.player} sits at no box: nothing can be paid there")
    return None


def end(state: State, command: do.EndDispute) -> Iterator[ev.Event]:
    case = _open(state, command.number)
    assert case is not None
    if (command.outcome == "corrected") is not bool(command.cents):
        raise _refusal(state, "A correction says how much, and nothing else does")
    if command.outcome == "corrected":
        seat = _seat_of(state, case)
        assert seat is not None
        yield _corrected(state, command, seat)
    yield ev.DisputeEnded(
        clauses=_cited(state),
        box=case.box,
        number=case.number,
        outcome=command.outcome,
        note=command.note,
        by=command.by,
    )


def _corrected(state: State, command: do.EndDispute, seat: int) -> ev.Event:
    kind: type[ev.ShortfallPaid | ev.OverpaymentTaken] = ev.ShortfallPaid
    if command.to == "house":
        refuse_beyond_chips(state, seat, command.cents)
        kind = ev.OverpaymentTaken
    return kind(clauses=_cited(state), box=seat, number=command.number, cents=command.cents)


def _may_end(state: State, asker: Asker) -> Iterator[do.EndDispute]:
    """What stands, then whatever else may be said of each."""
    for case in state.disputes:
        for outcome in ENDED:
            yield do.EndDispute(
                **asker.signed, number=case.number, outcome=outcome, note=BY_THE_BOOK
            )


def _ends(state: State, asker: Asker, commands: Sequence[do.EndDispute]) -> Iterator[Option]:
    for case in state.disputes:
        names = tuple(one.outcome for one in commands if one.number == case.number)
        if names:
            yield Option(do="end-dispute", box=case.box, number=case.number, names=names)


def _correction(state: State, command: do.EndDispute) -> PowerUse | None:
    """Two people stand behind money that moves; of a void they stood behind the void."""
    case = _open(state, command.number)
    if command.outcome != "corrected" or case is None:
        return None
    return PowerUse("correct", case.box, command.cents, command.cents)


def why_not_while_disputed(state: State, box: int) -> Refusal | None:
    """A box in dispute is not settled, and its cards stay, until the floorperson has ended it."""
    for case in state.disputes:
        if (case.round, case.box) == (state.round.number, box):
            return _refusal(state, f"Box {box} waits: dispute {case.number:,} is open")
    return None


def _open(state: State, number: int) -> Dispute | None:
    return next((one for one in state.disputes if one.number == number), None)


def _is_void(state: State, case: Dispute) -> bool:
    rounds = (one for one in (state.round, state.last) if one is not None)
    return any((one.number, one.stage) == (case.round, "void") for one in rounds)


def _seat_of(state: State, case: Dispute) -> int | None:
    """The box where he sits now: the one it is about, or another of his."""
    if state.seats.get(case.box) == case.player:
        return case.box
    return next((seat for seat, name in state.seats.items() if name == case.player), None)


def _refusal(state: State, sentence: str) -> Refusal:
    return state.refusal(sentence, state.book.procedure.clear_clause)


def _cited(state: State) -> tuple[str, ...]:
    return state.cites(state.book.procedure.clear_clause)


def _opened(state: State, event: ev.DisputeOpened) -> State:
    case = Dispute(
        number=event.number,
        round=event.round,
        box=event.box,
        player=event.player,
        at_s=event.at_s,
        reason=event.reason,
        wager=event.wager,
        by=event.by,
    )
    return replace(state, disputes=(*state.disputes, case), dispute_count=event.number)


def _ended(state: State, event: ev.DisputeEnded) -> State:
    left = tuple(one for one in state.disputes if one.number != event.number)
    return replace(state, disputes=left)


def _moves_only_money(state: State, event: ev.Event) -> State:
    return state


DUTIES: Duties = (
    Duty(
        do.OpenDispute,
        (*PLAYER, *STAFF),
        lambda by: by.clear_clause,
        why_not_open,
        open_dispute,
        offers=_may_open,
        shown=by_box,
        ruled=True,
        unlocked=True,
    ),
    Duty(
        do.EndDispute,
        FLOOR,
        lambda by: by.clear_clause,
        why_not_end,
        end,
        offers=_may_end,
        shown=_ends,
        automatic="floorperson",
        works_in=("settling", "clearing"),
        due=lambda state, command: command.outcome == "stands" and _holds_up(state, command),
        ruled=True,
        unlocked=True,
        power=_correction,
    ),
)


def _holds_up(state: State, command: do.EndDispute) -> bool:
    """Whether the round on the table waits for this one."""
    case = _open(state, command.number)
    return case is not None and case.round == state.round.number


FOLDS: Folds = {
    ev.DisputeOpened: _opened,
    ev.ShortfallPaid: _moves_only_money,
    ev.OverpaymentTaken: _moves_only_money,
    ev.DisputeEnded: _ended,
}
