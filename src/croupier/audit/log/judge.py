"""One record judged by the readable rules: everything in it is derived again.

This is the judge: whatever a faster way has doubts about comes here, and every finding in words is
made here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from croupier.audit.log.cards import cards_found
from croupier.audit.log.case import RoundCase
from croupier.audit.log.finding import LogFinding
from croupier.audit.log.resettlement import resettlement_found
from croupier.audit.log.sequence_checks import SequenceChecker, sequenced
from croupier.audit.log.submission_lookup import SubmissionLookup
from croupier.audit.log.sums import sums_found
from croupier.audit.log.times import times_found
from croupier.audit.log.wagers import wagers_found
from croupier.audit.records import schema as rec
from croupier.facts.errors import Refusal, Unreadable


def judged(
    line: int, record: rec.RoundRecord, filed: SubmissionLookup, watch: SequenceChecker
) -> Iterator[LogFinding]:
    """Every difference in one round, and between it and the rounds before it."""
    try:
        case = filed.case(line, record)
    except (Unreadable, Refusal) as error:
        clause = error.clause if isinstance(error, Refusal) else ""
        why = error.sentence if isinstance(error, Refusal) else str(error)
        yield LogFinding(
            line=line,
            kind="terms",
            sentence=f"there are no such rules: {why}",
            table=record.table,
            round=record.round,
            clause=clause,
        )
        return
    yield from filed.found(case)
    stands = as_it_stands(record)
    if stands is not record:
        yield _misnamed(case, stands)
        case = replace(case, record=stands)
    told = list(alone(case, filed))
    yield from told
    held = [each for each in _if_over(case, filed) if each not in told]
    yield from watch.see(sequenced(line, stands, linked=case.linked), case.book, held)


def as_it_stands(record: rec.RoundRecord) -> rec.RoundRecord:
    """The record with the status it shows, whatever status it names."""
    if record.void is not None:
        shown: rec.Status = "void"
    elif record.ended_at_us and record.status == "in progress":
        shown = "complete"
    else:
        shown = record.status
    return record if shown == record.status else msgspec.structs.replace(record, status=shown)


def _misnamed(case: RoundCase, stands: rec.RoundRecord) -> LogFinding:
    ended = "says why it is void" if stands.status == "void" else "has the time at which it ended"
    sentence = f'the record {ended}, and says "{case.record.status}"'
    return case.finding("status", sentence, case.book.procedure.clear_clause)


def _if_over(case: RoundCase, filed: SubmissionLookup) -> Iterator[LogFinding]:
    """What is wrong with a round in progress if it should turn out that it was over."""
    if case.record.status == "in progress":
        over = msgspec.structs.replace(case.record, status="complete")
        yield from alone(replace(case, record=over), filed)


def alone(case: RoundCase, filed: SubmissionLookup) -> Iterator[LogFinding]:
    """Every difference that the record shows by itself; of a round in progress, so far."""
    yield from wagers_found(case)
    yield from times_found(case)
    twice = list(cards_found(case))
    yield from twice
    if case.has_lines and not twice:
        yield from resettlement_found(case, filed.registry)
    yield from sums_found(case)
