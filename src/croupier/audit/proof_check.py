"""A round proof checked with nothing but itself: signature, tree, lines, cards, and the money.

Each line is proved to be in the log, the lines to be all of one round, each turned card to have
been at its place, and every box to have been paid what the rules give it.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from croupier.audit.difference import Difference
from croupier.audit.numbers_proof import committed_numbers, shown_numbers
from croupier.audit.proof_settlement import HiddenLine, settlement_differences
from croupier.audit.round_proof import CLEARED, COMMITTED, FORMAT, ProofLine, RoundProof
from croupier.audit.shoe_proof import ShoeProof
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import Registry
from croupier.ledger.events import TABLE, CardsOpened, Kept, ShoeCommitted, TableInstalled, tag_of
from croupier.ledger.replay import ReplayedLines, kept_terms, read_line
from croupier.ledger.store.line import NO_ENTRIES, LedgerLine
from croupier.ledger.transparency.checkpoint import Checkpoint, origin_of, read_checkpoint
from croupier.ledger.transparency.entry import (
    BODY,
    NAMES,
    PRIVATE_KINDS,
    SEALED,
    LogEntry,
    fields_of,
    opened_parts,
    read_entry,
)
from croupier.ledger.transparency.signed_note import VerifierKey, read_note, read_verifier_key
from croupier.ledger.transparency.tree import WrongProof, leaf_hash, verify_inclusion
from croupier.table import events as ev

INSTALLED = tag_of(TableInstalled)
MOST_BYTES = 20_000_000
NOTHING = '""'


class ProvedLine(NamedTuple):
    """A line of the file that is in the log; ``event`` is None where all of it is hidden, but for
    what is ``told`` to everybody."""

    line: LedgerLine
    event: Kept | None
    actor: str
    told: HiddenLine


class ProofCheck(NamedTuple):
    """What a file proves. ``numbers`` are the boxes whose players' numbers made the order with the
    house, ``missing`` those that the house says were not shown in time, ``committed`` what each box
    committed itself to. ``settled`` wagers were paid again line by line, ``boxes`` as a whole;
    ``hidden`` lines are not told to who the file was made for.
    """

    ledger: str
    table: str
    round: int
    key: VerifierKey
    checkpoint: Checkpoint
    lines: tuple[ProvedLine, ...]
    root: str
    committed_us: int
    closed_us: int
    opened: int
    numbers: tuple[int, ...]
    missing: tuple[int, ...]
    committed: dict[int, str]
    hidden: int
    settled: int
    boxes: int
    is_void: bool
    differences: tuple[Difference, ...]


def check_proof(content: bytes, registry: Registry, key: VerifierKey | None = None) -> ProofCheck:
    """Unreadable where the file is not a proof of anything: a byte of it was changed, or it was
    put together from others. With ``key``, where another has signed it.
    """
    proof = _decoded(content)
    signed_by = read_verifier_key(proof.key)
    if key is not None and key != signed_by:
        raise Unreadable("it is signed with another key than the one that was named")
    if len(read_note(proof.checkpoint).signatures) != 1 or str(signed_by) != proof.key:
        raise Unreadable("it is not written as a proof is")
    checkpoint = read_checkpoint(proof.checkpoint, signed_by)
    ledger_id = checkpoint.origin.rpartition("/")[2]
    if not checkpoint.origin == signed_by.name == origin_of(ledger_id):
        raise Unreadable("its checkpoint is not one of a ledger of Croupier's")
    proved = tuple(_proved(line, checkpoint) for line in proof.lines)
    number = _whole(proof.lines, proved)
    chapters = tuple(_chapters(proved[1:]))
    installed = proved[0].event
    assert isinstance(installed, TableInstalled)
    hidden = [each.told for each in proved if each.event is None]
    differences, counts = _settled_again(ledger_id, installed, chapters, hidden, registry)
    opened = [each.event for each in proved if isinstance(each.event, CardsOpened)]
    closed = [each for each in proved if isinstance(each.event, ev.BetsClosed)]
    committed = chapters[-1].committed
    assert committed is not None
    return ProofCheck(
        ledger=ledger_id,
        table=installed.table,
        round=number,
        key=signed_by,
        checkpoint=checkpoint,
        lines=proved,
        root=committed.commitment.root,
        committed_us=chapters[-1].lines[0].at_us,
        closed_us=closed[0].line.at_us if closed else 0,
        opened=sum(len(event.openings) for event in opened),
        numbers=tuple(sorted(shown_numbers(chapters[-1].events))),
        missing=tuple(e.box for e in chapters[-1].events if isinstance(e, ev.NumberMissing)),
        committed=committed_numbers(chapters[-1].events),
        hidden=len(hidden),
        settled=counts[0],
        boxes=counts[1],
        is_void=any(isinstance(each.event, ev.RoundVoided) for each in proved),
        differences=differences,
    )


def _decoded(content: bytes) -> RoundProof:
    """There is one way to write a proof, so no other text passes for it."""
    if len(content) > MOST_BYTES:
        raise Unreadable("it is larger than any proof of a round")
    try:
        proof = msgspec.json.decode(content, type=RoundProof)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Unreadable("this is no proof of a round, or it was altered") from None
    if proof.format != FORMAT or proof.text() != content or len(proof.lines) < 2:
        raise Unreadable(f"it is not written as a proof is ({FORMAT})")
    return proof


def _proved(given: ProofLine, checkpoint: Checkpoint) -> ProvedLine:
    """A line that is in the log, with its event as far as it is told."""
    text = given.entry.encode()
    where = f"line at {given.index:,} of the log"
    try:
        path = [_sibling(word) for word in given.path]
        verify_inclusion(leaf_hash(text), given.index, checkpoint.size, path, checkpoint.root)
    except (WrongProof, ValueError, binascii.Error):
        raise Unreadable(f"{where}: it is not in the log that was signed") from None
    try:
        entry = read_entry(text)
        parts = opened_parts(entry, given.openings)
    except Unreadable as error:
        raise Unreadable(f"{where}: {error}") from None
    body = _body(entry, parts)
    line = LedgerLine(
        stream=entry.stream,
        version=entry.version,
        at_us=entry.at_us,
        actor=parts.get("actor", ""),
        role=entry.role,
        command_id="",
        command="",
        kind=entry.kind,
        body=body or "{}",
        entries=parts.get("entries", NO_ENTRIES),
        previous=b"",
        hash=b"",
    )
    told, event = _told(entry), read_line(line) if body else None
    if event is not None and tag_of(event) != entry.kind:
        raise Unreadable(f"{where}: its event is of another kind")
    return ProvedLine(line, event, line.actor, told)


class ToldToAll(msgspec.Struct, frozen=True):
    """What an entry says aloud of a line that is private."""

    box: int = 0
    meter: str = ""
    meter_before_micros: int = 0


def _told(entry: LogEntry) -> HiddenLine:
    if entry.kind not in PRIVATE_KINDS:
        return HiddenLine(entry.kind, 0, "", 0)
    try:
        told = msgspec.json.decode(msgspec.json.encode(entry.body), type=ToldToAll)
    except msgspec.DecodeError as error:
        raise Unreadable(f"an entry is not written as one is: {error}") from None
    return HiddenLine(entry.kind, told.box, told.meter, told.meter_before_micros)


def _sibling(word: str) -> bytes:
    raw = base64.b64decode(word, validate=True)
    if len(raw) != 32 or base64.b64encode(raw).decode() != word:
        raise ValueError
    return raw


def _body(entry: LogEntry, parts: Mapping[str, str]) -> str:
    """The body with the parts that were opened; a name that was not is empty, and of a body that
    is private as a whole nothing is left.
    """
    if BODY in entry.hidden:
        whole = parts.get(BODY, "")
        if whole and not entry.body.items() <= fields_of(whole).items():
            raise Unreadable("an entry tells something else than it hides")
        return whole
    if entry.kind in PRIVATE_KINDS:
        raise Unreadable("an entry hides less than it must")
    fields = {name: bytes(value).decode() for name, value in entry.body.items()}
    for part in entry.hidden:
        section, _, name = part.partition(".")
        if section == BODY:
            if name not in NAMES and name != SEALED:
                raise Unreadable(f"an entry hides its {name}")
            fields[name] = parts.get(part, NOTHING)
    return "{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}"


def _whole(given: Sequence[ProofLine], proved: Sequence[ProvedLine]) -> int:
    """The number of the round; Unreadable unless these are the table's first line and all lines of
    one round, from its first pack to where its cards were cleared.
    """
    first, round_lines = proved[0].line, [each.line for each in proved[1:]]
    streams = {each.line.stream for each in proved}
    follows = all(one.version + 1 == other.version for one, other in pairwise(round_lines))
    in_order = all(one.index < other.index for one, other in pairwise(given))
    numbers = {each.event.round for each in proved if isinstance(each.event, ShoeCommitted)}
    ends = [each.event for each in proved if isinstance(each.event, ev.CardsCleared)]
    if (
        (first.version, first.kind, len(streams)) != (1, INSTALLED, 1)
        or not first.stream.startswith(TABLE)
        or not follows
        or not in_order
        or round_lines[0].kind != COMMITTED
        or round_lines[-1].kind != CLEARED
        or len(ends) != 1
        or len(numbers) != 1
        or numbers != {ends[0].round}
    ):
        raise Unreadable("its lines are not the lines of one round: it was put together")
    return ends[0].round


def _chapters(proved: Sequence[ProvedLine]) -> Iterator[ReplayedLines]:
    """The lines by the pack that they were played from, without those that are hidden."""
    found: list[ReplayedLines] = []
    for line, event, *_ in proved:
        if isinstance(event, ShoeCommitted):
            found.append(ReplayedLines(event, (), ()))
        if event is not None:
            last = found[-1]
            lines, events = (*last.lines, line), (*last.events, event)
            found[-1] = ReplayedLines(last.committed, lines, events)
    yield from found


def _settled_again(
    ledger_id: str,
    installed: TableInstalled,
    chapters: Sequence[ReplayedLines],
    hidden: Sequence[HiddenLine],
    registry: Registry,
) -> tuple[tuple[Difference, ...], tuple[int, int]]:
    """What does not follow from the commitment and the rules; how many wagers and boxes do."""
    shoe = ShoeProof(ledger_id, chapters[0].lines[0].stream, None)
    found = [difference for chapter in chapters for difference in shoe.prove(chapter)]
    try:
        rules = kept_terms(installed, registry).rules
        settled = settlement_differences(rules, chapters, hidden, registry)
    except (Refusal, LookupError, ValueError, AssertionError) as error:
        line = chapters[-1].lines[-1]
        why = f"it cannot be settled again: {error}"
        found.append(Difference("settlement", line.stream, line.version, why))
        return tuple(found), (0, 0)
    return (*found, *settled.differences), (settled.lines, settled.boxes)
