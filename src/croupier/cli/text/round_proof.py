"""What a round proof proves, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from croupier.audit.log.finding import counted
from croupier.audit.proof_check import ProofCheck
from croupier.cli.ledger_address import iso, time_of, when
from croupier.documents.blocks import AnyBlock, Fact, Facts, Heading, Prose

ANYBODY = "no --key: compare the key with the one that the house made known"


def proof_report(found: ProofCheck, *, named: bool) -> Iterator[AnyBlock]:
    yield Heading(f"Table {found.table}, round {found.round}, ledger {found.ledger}")
    yield Facts(tuple(_facts(found, named)))
    for difference in found.differences:
        yield Prose(str(difference), head=f"{difference.part:13}", tone="fail")
    if found.differences:
        yield Prose("It does not fit.", tone="fail")
    else:
        yield Prose("The proof holds.", tone="pass")


def _facts(found: ProofCheck, named: bool) -> Iterator[Fact]:
    signed = f"{found.checkpoint.size:,} lines, signed with {found.key}"
    yield Fact("log", signed if named else f"{signed}; {ANYBODY}")
    hidden = f"; {counted(found.hidden, 'line')} hidden, others' affairs" if found.hidden else ""
    yield Fact("lines", f"{len(found.lines):,}, each in the log, all of the round{hidden}")
    yield Fact("committed", f"{when(found.committed_us)}: {found.root}")
    if found.closed_us:
        yield Fact("closed", f"wagers at {time_of(found.closed_us)}, after the commitment")
    yield Fact("cards", f"{counted(found.opened, 'turned card')} where the commitment had them")
    if found.is_void:
        yield Fact("wagers", "the round was void, and every wager went back")
        return
    lines = f", {counted(found.settled, 'wager')} line by line" if found.settled else ""
    yield Fact("wagers", f"{counted(found.boxes, 'box', 'boxes')} settled again to the cent{lines}")


def proof_document(found: ProofCheck) -> dict[str, Any]:
    return {
        "fits": not found.differences,
        "ledger": found.ledger,
        "table": found.table,
        "round": found.round,
        "key": str(found.key),
        "log_size": found.checkpoint.size,
        "lines": len(found.lines),
        "lines_hidden": found.hidden,
        "root": found.root,
        "committed_at": iso(found.committed_us),
        "closed_at": iso(found.closed_us),
        "cards_opened": found.opened,
        "boxes_settled": found.boxes,
        "wagers_settled": found.settled,
        "void": found.is_void,
        "differences": [msgspec.to_builtins(each) for each in found.differences],
    }
