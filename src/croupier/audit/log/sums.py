"""Money that must add up: what a box won, its chips, the meters, and what a void gives back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.audit.log.case import RoundCase
from croupier.audit.log.finding import LogFinding
from croupier.audit.records import schema as rec
from croupier.facts.money import dollars, in_micros, meter_exactly
from croupier.games.rules import PROGRESSIVE
from croupier.table.terms import RATE_WHOLE


def sums_found(case: RoundCase) -> Iterator[LogFinding]:
    for box in case.record.boxes:
        yield from _box_sums(case, box)
        yield from _contribution(case, box)
    for meter in case.record.meters:
        yield from _meter_sums(case, meter)
    yield from _given_back(case)
    yield from _upheld(case)


# Boxes


def _box_sums(case: RoundCase, box: rec.BoxRecord) -> Iterator[LogFinding]:
    if not (box.wagered_cents or box.won_cents):
        return
    clause, wagered = case.book.procedure.one_box_clause, sum(w.cents for w in box.wagers)
    if box.wagered_cents != wagered:
        sentence = f"its wagers come to {dollars(wagered)}, not {dollars(box.wagered_cents)}"
        yield case.finding("box-money", sentence, clause, box=box.seat)
    won = _came_back(case, box)
    if case.record.status != "in progress" and case.record.lines and box.won_cents != won:
        sentence = "what came back to the box is not what its lines say"
        yield case.finding(
            "box-money", sentence, clause, box=box.seat, paid_cents=box.won_cents, due_cents=won
        )
    yield from _chips(case, box)


def _came_back(case: RoundCase, box: rec.BoxRecord) -> int:
    """Lines that stand, and what was returned once bets were closed."""
    record = case.record
    lines = (
        line.paid_cents + line.returned_cents
        for line in record.lines
        if line.box == box.seat and not line.reversed
    )
    back = (r.cents for r in _returns(case) if r.box == box.seat)
    return sum(lines) + sum(back)


def _returns(case: RoundCase) -> Iterator[rec.ReturnRecord]:
    closed = case.record.closed_at_us
    return (back for back in case.record.returns if not back.at_us or back.at_us >= closed)


def _chips(case: RoundCase, box: rec.BoxRecord) -> Iterator[LogFinding]:
    record = case.record
    if box.chips_before_cents is None or box.chips_after_cents is None:
        return
    began = min((wager.at_us for wager in box.wagers), default=0)
    moved = sum(
        move.cents if move.kind in rec.COMES else -move.cents
        for move in record.chips
        if move.box == box.seat and move.at_us > began
    )
    outside = sum(
        line.paid_cents + line.returned_cents
        for line in record.lines
        if line.box == box.seat and not line.reversed and line.outside
    )
    due = box.chips_before_cents - box.wagered_cents + box.won_cents - outside + moved
    if box.chips_after_cents != due and record.status != "in progress":
        sentence = (
            f"with {dollars(box.chips_before_cents)} before, it should have {dollars(due)} in "
            f"chips, not {dollars(box.chips_after_cents)}"
        )
        clause = case.book.procedure.one_box_clause
        yield case.finding("box-money", sentence, clause, box=box.seat)


# Meters


def _contribution(case: RoundCase, box: rec.BoxRecord) -> Iterator[LogFinding]:
    """Each accepted Progressive wager is on the meters, each by its own rate (ruling 25)."""
    offer = case.submission.progressive if case.submission is not None else None
    rule = case.book.progressive
    if offer is None or rule is None or not case.record.meters or not box.contributed_micros:
        return
    held = box.cancelled or any(wager.wager == PROGRESSIVE for wager in box.wagers)
    stake = in_micros(offer.stake_cents) if held else 0
    due = {meter.name: stake * meter.rate_ppm // RATE_WHOLE for meter in offer.meters}
    if due != {name: box.contributed_micros.get(name, 0) for name in due}:
        said = ", ".join(f"{name} {meter_exactly(amount)}" for name, amount in due.items())
        sentence = f"its Progressive wager puts {said} on the meters, not what is written"
        yield case.finding("meter", sentence, rule.meter_clause, box=box.seat, wager=PROGRESSIVE)


def _meter_sums(case: RoundCase, meter: rec.MeterRecord) -> Iterator[LogFinding]:
    rule = case.book.progressive
    if rule is None:
        return
    offer = case.submission.progressive if case.submission is not None else None
    filed = offer.meters if offer is not None else ()
    limited = any(each.name == meter.name and each.limit_cents is not None for each in filed)
    given = sum(box.contributed_micros.get(meter.name, 0) for box in case.record.boxes)
    told = not limited and any(box.contributed_micros for box in case.record.boxes)
    if told and given != meter.grew_micros:
        sentence = f"the {meter.name} meter grew by {meter_exactly(meter.grew_micros)}, its wagers "
        sentence += f"put {meter_exactly(given)} there"
        yield case.finding("meter", sentence, rule.meter_clause)
    if case.linked or meter.before_micros is None or meter.after_micros is None:
        return
    grown = meter.before_micros + meter.grew_micros - meter.shrank_micros
    drawn = sum(
        line.meter_after_micros - line.meter_before_micros
        for line in case.record.lines
        if line.meter == meter.name and not line.reversed
    )
    # What a round that became void took back, it may have taken back after settlement began; the
    # growth of a wager that was not accepted leaves with the cards.
    unaccepted = any(box.refused == "wager" for box in case.record.boxes)
    latest = grown if case.is_settled and not unaccepted else grown + meter.shrank_micros
    if not grown <= meter.at_settlement_micros <= latest:
        sentence = (
            f"the {meter.name} meter stood at {meter_exactly(grown)} when settlement began, "
            f"not at {meter_exactly(meter.at_settlement_micros)}"
        )
        yield case.finding("meter", sentence, rule.meter_clause)
    if meter.after_micros != grown + drawn:
        sentence = (
            f"the {meter.name} meter goes from {meter_exactly(meter.before_micros)} to "
            f"{meter_exactly(max(0, grown + drawn))}, not to {meter_exactly(meter.after_micros)}"
        )
        yield case.finding("meter", sentence, rule.meter_clause)


# What a void gives back


def _given_back(case: RoundCase) -> Iterator[LogFinding]:
    """Every wager of a void round goes back; of one void in part, all but what it settles."""
    record = case.record
    if record.status != "void" and not record.still_settles:
        return
    clause = record.void.clause if record.void is not None else ""
    clause = clause or case.book.procedure.irregular_clause
    back: Counter[tuple[int, str]] = Counter()
    for given in _returns(case):
        back[given.box, given.wager] += given.cents
    for box in record.boxes:
        for wager in box.wagers:
            due = 0 if wager.wager in record.still_settles else wager.cents
            paid = back.pop((box.seat, wager.wager), 0)
            if paid != due:
                yield case.finding(
                    "void",
                    f"{case.title(wager.wager)} of a void round goes back",
                    clause,
                    box=box.seat,
                    wager=wager.wager,
                    paid_cents=paid,
                    due_cents=due,
                )
    for (seat, name), cents in back.items():
        if cents:
            sentence = f"{case.title(name)} goes back that never lay there"
            yield case.finding(
                "void", sentence, clause, box=seat, wager=name, paid_cents=cents, due_cents=0
            )
    if record.status == "void":
        yield from _still_paid(case, clause)


def _still_paid(case: RoundCase, clause: str) -> Iterator[LogFinding]:
    for line in case.record.lines:
        if not line.reversed:
            yield case.finding(
                "void",
                f"{case.title(line.wager)} was settled and is not reversed",
                clause,
                box=line.box,
                wager=line.wager,
                paid_cents=line.paid_cents + line.returned_cents,
                due_cents=0,
            )


def _upheld(case: RoundCase) -> Iterator[LogFinding]:
    """An irregularity that a floorperson upheld does what the rulebook says it does."""
    record = case.record
    for told in record.irregularities:
        rule = case.book.irregularity(told.name)
        if rule is None or told.ruling != "upheld" or record.status != "complete":
            continue
        if rule.effect == "void":
            sentence = f"{rule.happens}: the round is void, and was settled"
            yield case.finding("void", sentence, rule.clause)
        elif rule.effect == "salvage" and record.still_settles != rule.still_settles:
            kept = ", ".join(map(case.title, rule.still_settles))
            sentence = f"{rule.happens}: only {kept} is settled"
            yield case.finding("void", sentence, rule.clause)
