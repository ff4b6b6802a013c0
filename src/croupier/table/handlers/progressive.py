"""The progressive system: acceptors and their lights, the lock-out, and how meters move.

A table never owns a meter: readings come in with commands, and what it adds or takes leaves as
events (rulings 25 and 36).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, Micros, in_micros
from croupier.facts.odds import Share, odds
from croupier.games.rules import PROGRESSIVE
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.events import WagerSettled
from croupier.table.handlers.handler import FLOOR, Duties, Duty, Folds, by_box, each_box, readings
from croupier.table.state import Box, State, in_box, replace
from croupier.table.terms import overflow_of

LIMITED = (25, 43)


def why_not_accept(state: State, command: do.AcceptProgressive) -> Refusal | None:
    """Only the device says so; whether a chip lies there is looked at before the deal."""
    by = state.book.procedure
    if state.round.stage != "betting":
        return state.refusal(
            'The system is locked: the dealer has announced "no more bets"', by.lock_out_clause
        )
    box = state.round.boxes.get(command.box)
    if not _offered(state):
        return state.refusal("No Progressive wager is offered here", by.acceptor_clause)
    if box is None:
        return state.refusal(
            f"Box {command.box} has no wager the Progressive could stand beside",
            state.book.wager(PROGRESSIVE).clause,
        )
    if box.accepted:
        return state.refusal(f"The light of box {command.box} is on", by.acceptor_clause)
    return None


def accept(state: State, command: do.AcceptProgressive) -> Iterator[ev.Event]:
    by = state.book.procedure
    clauses = state.cites(by.acceptor_clause, by.own_light_clause)
    yield ev.ProgressiveAccepted(clauses=clauses, box=command.box)


def grow(state: State, given: Mapping[str, int]) -> Iterator[ev.Event]:
    """When the lock-out closes each accepted wager is on the meters, each by its own rate."""
    accepted = sum(box.accepted for box in state.round.boxes.values())
    if not accepted:
        return
    standing = readings(state, given)
    for meter in state.terms.meters:
        by_micros = accepted * state.terms.growth.get(meter, Micros(0))
        if meter in state.terms.limit_of_meter:
            yield from _grow_to_limit(state, meter, standing, by_micros)
        else:
            yield _grew(state, meter, standing, by_micros, (25,))


def _grow_to_limit(
    state: State, meter: str, standing: Mapping[str, Micros], by_micros: int
) -> Iterator[ev.Event]:
    """A meter stays at its limit until it is won; what is beyond waits, and fills it up again."""
    pool, limit = overflow_of(meter), state.terms.limit_of_meter[meter]
    added = min(by_micros + standing[pool], max(0, limit - standing[meter]))
    yield _grew(state, meter, standing, added, LIMITED)
    if by_micros > added:
        yield _grew(state, pool, standing, by_micros - added, LIMITED)
    elif by_micros < added:
        yield _shrank(state, pool, standing, added - by_micros, 0, LIMITED)


def _meter_clauses(state: State) -> tuple[str, ...]:
    rule = state.book.progressive
    clause = rule.meter_clause if rule is not None else state.book.procedure.lock_out_clause
    return state.cites(clause)


def _grew(
    state: State, meter: str, standing: Mapping[str, Micros], by: int, rulings: tuple[int, ...]
) -> ev.MeterGrew:
    return ev.MeterGrew(
        clauses=_meter_clauses(state),
        rulings=rulings,
        meter=meter,
        by_micros=by,
        reading_micros=standing[meter] + by,
    )


def _shrank(
    state: State,
    meter: str,
    standing: Mapping[str, Micros],
    by: int,
    borne: int,
    rulings: tuple[int, ...],
) -> ev.MeterShrank:
    return ev.MeterShrank(
        clauses=_meter_clauses(state),
        rulings=rulings,
        meter=meter,
        by_micros=by,
        borne_micros=borne,
        reading_micros=standing[meter] - by,
    )


def shrink(state: State, standing: Mapping[str, Micros], wagers: int) -> Iterator[ev.Event]:
    """The growth of returned wagers, taken back, from the overflow first; no meter falls below
    its reset for it."""
    if not wagers or state.book.progressive is None:
        return
    for meter in state.terms.meters:
        wanted: int = wagers * state.terms.growth.get(meter, Micros(0))
        pool = overflow_of(meter)
        beyond = min(wanted, standing.get(pool, 0))
        if beyond:
            yield _shrank(state, pool, standing, beyond, 0, LIMITED)
            wanted -= beyond
        taken = min(wanted, max(0, standing[meter] - reset_micros(state, meter)))
        yield _shrank(state, meter, standing, taken, wanted - taken, (25,))


def reset_micros(state: State, meter: str) -> Micros:
    terms = state.terms.rules.progressive
    cents = terms.reset_of(meter) if terms is not None else None
    return in_micros(cents or Cents(0))


def is_off_table(state: State, line: WagerSettled) -> bool:
    """Whether an award does not come out of the table inventory (ruling 35).

    Where a book does not say it of a share of a meter, the submission does.
    """
    share = odds(line.odds) if line.odds is not None else None
    if not isinstance(share, Share):
        return False
    least = state.book.procedure.off_table_percent
    return state.terms.paid_from == "cage" if least is None else share.percent >= least


def cancel_refused(state: State, standing: Mapping[str, Micros]) -> Iterator[ev.Event]:
    """Wagers that were refused as not accepted leave the system with the cards of the round.

    Not before: every box finds the meters as they stood, and a void takes all growth back at once
    (rulings 25 and 36).
    """
    refused = refused_acceptances(state)
    clauses = state.cites(state.dealing.procedure.chips_match_clause)
    for seat in sorted(refused):
        yield ev.AcceptanceCancelled(clauses=clauses, rulings=(25, 36), box=seat)
    yield from shrink(state, standing, len(refused))


def refused_acceptances(state: State) -> list[int]:
    """The boxes of which the growth by a wager that was not accepted is still on the meters."""
    boxes = state.round.boxes.values()
    return [box.seat for box in boxes if box.refused == "wager" and box.accepted]


def mismatched(state: State) -> Box | None:
    """The first box whose Progressive chip and acceptance differ."""
    boxes = state.round.boxes.values()
    return next((box for box in boxes if box.has(PROGRESSIVE) != box.accepted), None)


def why_mismatched(state: State) -> Refusal | None:
    """Before the first card, chips and accepted wagers must be the same in number."""
    box = mismatched(state)
    if box is None:
        return None
    lies = "a chip, but the system accepted none"
    if box.accepted:
        lies = "no chip, but the system accepted one"
    return state.refusal(
        f"Box {box.seat} has {lies}; the floorperson clears it before the deal",
        state.dealing.procedure.chips_match_clause,
    )


def why_not_return_chip(state: State, command: do.ReturnChip) -> Refusal | None:
    return _why_matched(state, command.box, accepted=False)


def return_chip(state: State, command: do.ReturnChip) -> Iterator[ev.Event]:
    clauses = state.cites(state.dealing.procedure.chips_match_clause)
    cents = state.round.boxes[command.box].stakes[PROGRESSIVE]
    yield ev.ChipReturned(clauses=clauses, rulings=(25,), box=command.box, cents=cents)


def why_not_cancel(state: State, command: do.CancelAcceptance) -> Refusal | None:
    return _why_matched(state, command.box, accepted=True)


def cancel_acceptance(state: State, command: do.CancelAcceptance) -> Iterator[ev.Event]:
    clauses = state.cites(state.dealing.procedure.chips_match_clause)
    yield ev.AcceptanceCancelled(clauses=clauses, rulings=(25,), box=command.box)
    yield from shrink(state, readings(state, command.meters), 1)


def _why_matched(state: State, seat: int, *, accepted: bool) -> Refusal | None:
    """Whether a box was accepted without a chip, or has one that was not."""
    clause = state.dealing.procedure.chips_match_clause
    if state.round.stage != "play" or state.round.was_dealt:
        return state.refusal("Chips are matched after the lock-out and before a card", clause)
    box = state.round.boxes.get(seat)
    if box is None:
        return state.refusal(f"Box {seat} is not in the round", clause)
    if box.accepted is not accepted or box.has(PROGRESSIVE) is accepted:
        return state.refusal(f"Chip and acceptance of box {seat} do not call for that", clause)
    return None


def _offered(state: State) -> bool:
    return PROGRESSIVE in state.terms.offered[state.way]


def _meter(state: State, event: ev.MeterGrew | ev.MeterShrank) -> State:
    return replace(state, meters={**state.meters, event.meter: Micros(event.reading_micros)})


def _chip_returned(state: State, event: ev.ChipReturned) -> State:
    stakes = dict(state.round.boxes[event.box].stakes)
    del stakes[PROGRESSIVE]
    return in_box(state, event.box, stakes=stakes)


DUTIES: Duties = (
    Duty(
        do.AcceptProgressive,
        ("device",),
        lambda by: by.acceptor_clause,
        why_not_accept,
        accept,
    ),
    Duty(
        do.ReturnChip,
        FLOOR,
        lambda by: by.lock_out_clause,
        why_not_return_chip,
        return_chip,
        offers=each_box(do.ReturnChip),
        phases=("dealing",),
        shown=by_box,
        automatic="floorperson",
    ),
    Duty(
        do.CancelAcceptance,
        FLOOR,
        lambda by: by.lock_out_clause,
        why_not_cancel,
        cancel_acceptance,
        offers=each_box(do.CancelAcceptance),
        phases=("dealing",),
        shown=by_box,
        automatic="floorperson",
    ),
)

FOLDS: Folds = {
    ev.MeterGrew: _meter,
    ev.MeterShrank: _meter,
    ev.ChipReturned: _chip_returned,
    ev.AcceptanceCancelled: lambda state, event: in_box(state, event.box, accepted=False),
}
