"""What a round proof proves, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from croupier.audit.log.finding import counted
from croupier.audit.proof_check import ProofCheck
from croupier.cli.ledger_address import iso, when
from croupier.documents.blocks import AnyBlock, Fact, Facts, Heading, Prose
from croupier.table.shoe import number_hash

NOT_COMMITTED = "no box had committed itself to it"
ANYBODY = "no --key: compare the key with the one that the house made known"


def proof_report(found: ProofCheck, number: str | None, *, named: bool) -> Iterator[AnyBlock]:
    yield Heading(f"Table {found.table}, round {found.round}, ledger {found.ledger}")
    yield Facts((*_facts(found, named), *_number_facts(found, number)))
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
        yield Fact("closed", f"wagers at {when(found.closed_us)}, after the commitment")
    yield Fact("shuffle", shuffle_words(found.numbers))
    yield Fact("cards", f"{counted(found.opened, 'turned card')} where the commitment had them")
    if found.is_void:
        boxes = ", ".join(map(str, found.missing))
        why = f", for the house was not shown the number of box {boxes} in time" if boxes else ""
        yield Fact("wagers", f"the round was void{why}, and every wager went back")
        return
    lines = f", {counted(found.settled, 'wager')} line by line" if found.settled else ""
    yield Fact("wagers", f"{counted(found.boxes, 'box', 'boxes')} settled again to the cent{lines}")


def _number_facts(found: ProofCheck, number: str | None) -> Iterator[Fact]:
    """Whether a number is one that was committed to; that it was sent nothing can prove."""
    if number is None:
        return
    boxes = number_boxes(found, number)
    fits = f"the one that box {boxes[0]} had committed itself to" if boxes else NOT_COMMITTED
    yield Fact("number", fits)


def number_boxes(found: ProofCheck, number: str) -> tuple[int, ...]:
    given = found.committed.items()
    return tuple(box for box, hash in given if number_hash(found.round, box, number) == hash)


def shuffle_words(boxes: tuple[int, ...]) -> str:
    """Who made the order of the cards."""
    if not boxes:
        return "not protected from the house's choice: no player gave a number"
    named = ", ".join(map(str, boxes))
    return f"nobody chose it: the house's order and the numbers of box {named} made it together"


def proof_document(found: ProofCheck, number: str | None) -> dict[str, Any]:
    own = {} if number is None else {"number_boxes": number_boxes(found, number)}
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
        "numbers": found.numbers,
        "numbers_missing": found.missing,
        **own,
        "boxes_settled": found.boxes,
        "wagers_settled": found.settled,
        "void": found.is_void,
        "differences": [msgspec.to_builtins(each) for each in found.differences],
    }
