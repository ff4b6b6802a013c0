"""What each wager was due, by the one settlement function, and how the record differs from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.audit.log.cards import impossible
from croupier.audit.log.case import RoundCase
from croupier.audit.log.finding import LogFinding
from croupier.audit.log.line_comparison import compared
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import round_of
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.money import Cents, Micros
from croupier.games.registry import Registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import PROGRESSIVE
from croupier.table.events import Outcome, WagerSettled
from croupier.table.settlement import settle_box


def resettlement_found(case: RoundCase, registry: Registry) -> Iterator[LogFinding]:
    """Every line of a settled round settled again, or why it cannot have been such a round."""
    try:
        round = round_of(case.record, registry, case.rules)
    except Unreadable as error:
        yield case.finding("card-count", str(error), case.book.refusals.wrong_count)
        return
    found = impossible(case, _opened(case, round)) if round.boxes else None
    if found is not None:
        yield found
        return
    if not case.record.lines:
        yield from _unsaid(case)
        return
    yield from _nothing_to_refuse(case)
    due: list[WagerSettled] = []
    unsettled: set[int] = set()
    meters = dict(round.meters)
    for box in _in_order(case):
        try:
            due += _until_it_waits(case, _box_due(case, round, box, meters))
        except Refusal as refusal:
            unsettled.add(box.seat)
            yield case.refused("meter", refusal, box=box.seat, wager=PROGRESSIVE)
    yield from compared(case, due, unsettled)


def _nothing_to_refuse(case: RoundCase) -> Iterator[LogFinding]:
    for box in case.record.boxes:
        if box.refused and all(wager.wager != PROGRESSIVE for wager in box.wagers):
            sentence = "a Progressive win is refused where no Progressive wager lay"
            clause = case.book.procedure.validate_clause
            yield case.finding("wager", sentence, clause, box=box.seat, wager=PROGRESSIVE)


def _until_it_waits(case: RoundCase, due: tuple[WagerSettled, ...]) -> tuple[WagerSettled, ...]:
    """In a round that goes on, the box that was settled last may wait for the floorperson."""
    last = case.record.lines[-1]
    waits = next(
        (line for line in due if line.wager == PROGRESSIVE and line.outcome is Outcome.WIN), None
    )
    if case.is_settled or waits is None or last.box != waits.box or last.wager == PROGRESSIVE:
        return due
    return due[: due.index(waits)]


def _unsaid(case: RoundCase) -> Iterator[LogFinding]:
    """A record may leave out what was paid; but not say what a box won and not why."""
    for box in case.record.boxes:
        if box.won_cents:
            sentence = "the record says what the box won, and settles none of its wagers"
            clause = case.book.procedure.one_box_clause
            yield case.finding("payout", sentence, clause, box=box.seat, paid_cents=box.won_cents)


def _opened(case: RoundCase, round: FinishedRound) -> FinishedRound:
    opening = {*case.book.opening.all_of, *case.book.opening.any_of}
    boxes = []
    for box in round.boxes:
        kept = {name: cents for name, cents in box.stakes.items() if name in opening}
        base = {name: kept.get(name) or Cents(1) for name in case.book.opening.all_of or kept}
        first = next(iter(base.values()), Cents(1))
        stakes = dict.fromkeys(base or case.book.opening.any_of[:1], first)
        boxes.append(replace(box, stakes=stakes, refused=""))
    return replace(round, boxes=tuple(boxes))


def _in_order(case: RoundCase) -> list[rec.BoxRecord]:
    """Boxes as they are settled; one that was abandoned has its turn too.

    While a round is in progress only those that have had theirs; Envy is paid in the holder's.
    """
    from_right = case.book.contest.order.settled_from == "right"
    boxes = sorted(case.record.boxes, key=lambda box: box.seat, reverse=from_right)
    if case.is_settled:
        return boxes
    had_theirs = {line.box for line in case.record.lines if line.holder is None}
    return [box for box in boxes if box.seat in had_theirs]


def _box_due(
    case: RoundCase, round: FinishedRound, told: rec.BoxRecord, meters: dict[str, Micros]
) -> tuple[WagerSettled, ...]:
    if told.absent == "abandoned":
        return tuple(_abandoned(case, told))
    box = next(box for box in round.boxes if box.seat == told.seat)
    settles = case.record.still_settles
    stakes = {
        name: cents
        for name, cents in box.stakes.items()
        if case.book.has_wager(name)
        and case.rules.offers(name)
        and (not settles or name in settles)
    }
    box = replace(box, stakes=stakes)
    others = () if settles else tuple(b for b in round.boxes if b.seat != box.seat)
    _look_at_link(case, box, meters)
    return settle_box(replace(round, boxes=(*others, box)), box, meters)


def _look_at_link(case: RoundCase, box: FinishedBox, meters: dict[str, Micros]) -> None:
    """On a link other tables move the meters, and what a box found there only its line can say."""
    for line in case.record.lines if case.linked else ():
        if line.box == box.seat and line.meter in meters:
            meters[line.meter] = Micros(line.meter_before_micros)


def _abandoned(case: RoundCase, box: rec.BoxRecord) -> Iterator[WagerSettled]:
    """Every wager of a player who walked off is lost (ruling 34)."""
    folded = any(decision.action == "fold" for decision in box.decisions)
    stakes = {wager.wager: wager.cents for wager in box.wagers}
    for wager in case.book.wagers:
        if wager.name in stakes:
            given_up = folded and wager.fold.outcome == "forfeit"
            yield WagerSettled(
                clause=case.book.cite(case.book.procedure.abandoned_clause),
                box=box.seat,
                wager=wager.name,
                stake_cents=stakes[wager.name],
                outcome=Outcome.FORFEIT if given_up else Outcome.LOSE,
                shows="abandoned",
            )
