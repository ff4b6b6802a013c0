"""One record judged by the readable rules: everything in it is derived again.

This is the judge: whatever a faster way has doubts about comes here, and every finding in words is
made here.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.audit.log.adding_up import sums_found
from croupier.audit.log.cards import cards_found
from croupier.audit.log.case import Case
from croupier.audit.log.filed import Filed
from croupier.audit.log.finding import Finding
from croupier.audit.log.payments import payments_found
from croupier.audit.log.wagers import wagers_found
from croupier.audit.log.watching import Watch, glance
from croupier.audit.records import shapes as rec
from croupier.facts.errors import Refusal, Unreadable


def judged(line: int, record: rec.RoundRecord, filed: Filed, watch: Watch) -> Iterator[Finding]:
    """Every difference in one round, and between it and the rounds before it."""
    try:
        case = filed.case(line, record)
    except (Unreadable, Refusal) as error:
        clause = error.clause if isinstance(error, Refusal) else ""
        why = error.sentence if isinstance(error, Refusal) else str(error)
        yield Finding(
            line=line,
            kind="terms",
            sentence=f"there are no such rules: {why}",
            table=record.table,
            round=record.round,
            clause=clause,
        )
        return
    yield from filed.found(case)
    yield from alone(case, filed)
    yield from watch.see(glance(line, record, linked=case.linked), case.book)


def alone(case: Case, filed: Filed) -> Iterator[Finding]:
    """Every difference that the record shows by itself."""
    yield from wagers_found(case)
    twice = list(cards_found(case))
    yield from twice
    if case.is_settled and not twice:
        yield from payments_found(case, filed.house)
    yield from sums_found(case)
