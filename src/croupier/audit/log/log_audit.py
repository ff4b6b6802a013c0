"""A whole log audited: every line read or told as unreadable, every round judged, all added up."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from croupier.audit.log.case import RoundCase
from croupier.audit.log.finding import LogFinding, Total, in_order
from croupier.audit.log.judge import as_it_stands, judged
from croupier.audit.log.sequence_checks import SequenceChecker
from croupier.audit.log.submission_lookup import SubmissionLookup
from croupier.audit.records import schema as rec
from croupier.audit.records.blocks import LONGEST_LINE, UTF8_MARK, LineBlock, blocks, plain_lines
from croupier.audit.records.reader import read_record
from croupier.extras import KERNELS, is_installed
from croupier.facts.errors import Unreadable
from croupier.facts.progress import CountDone
from croupier.games.registry import Registry
from croupier.submission.submission import Submission

if TYPE_CHECKING:
    from croupier.audit.log.fast.fast_path import FastPath, PassedLines

Witness = Callable[[RoundCase], None]
WRONG_CARDS = ("terms", "card-twice", "card-count", "needs", "wager", "seats", "decision")
FAST_PATH_FROM = 2_000_000  # bytes; in a smaller file kernels take longer to load than to be missed
UNKNOWN_BOOK = "unknown"  # a log may name any number of rulebooks that nobody has
MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x00": "UTF-16"}


class Activity(msgspec.Struct):
    """The totals of one rulebook (R27); void rounds are counted, and wager nothing."""

    rounds: int = 0
    void: int = 0
    open: int = 0
    boxes: int = 0
    wagered_cents: int = 0
    won_cents: int = 0
    jackpots: int = 0
    jackpot_cents: int = 0


@dataclass
class Audited:
    """What was read and what was found so far; ``unsaid`` rounds do not say what they paid."""

    lines: int = 0
    rounds: int = 0
    unsaid: int = 0
    passed_fast: int = 0
    first_us: int = 0
    last_us: int = 0
    activity: dict[str, Activity] = field(default_factory=dict)
    found: dict[str, Total] = field(default_factory=dict)
    hashed: hashlib._Hash = field(default_factory=hashlib.sha256)

    @property
    def findings(self) -> int:
        return sum(total.count for total in self.found.values())

    @property
    def totals(self) -> dict[str, Total]:
        return in_order(self.found)

    @property
    def sha256(self) -> str:
        return self.hashed.hexdigest()


class LogAudit:
    """Audits one file after the other, or records at hand, in the room that one block takes."""

    def __init__(
        self,
        registry: Registry,
        submissions: Sequence[Submission] = (),
        *,
        fast_path_from: int = FAST_PATH_FROM,
        witness: Witness | None = None,
    ) -> None:
        self.filed, self.watch = SubmissionLookup(registry, submissions), SequenceChecker()
        self.audited = Audited()
        self._fast_path: FastPath | None = None
        self._fast_path_from, self._witness = fast_path_from, witness

    def file(self, path: Path, progress: CountDone = lambda size: None) -> Iterator[LogFinding]:
        """Every difference in a file, in the order of its lines."""
        coming = path.stat().st_size if path.is_file() else 0

        def taken(read: bytes) -> None:
            nonlocal coming
            self.audited.hashed.update(read)
            progress(len(read))
            coming += 0 if path.is_file() else len(read)

        for block in blocks(path, taken):
            if self._fast_path is None and coming >= self._fast_path_from and is_installed(KERNELS):
                self._fast_path = _new_fast_path(self.filed, self.watch)
            yield from self._counted(self._block(block))

    def records(self, records: Iterable[rec.AnyRecord]) -> Iterator[LogFinding]:
        """Every difference in records that are at hand; they are numbered from 1."""
        for number, record in enumerate(records, 1):
            self.audited.lines += 1
            yield from self._counted(self._record(number, record))

    def _counted(self, found: Iterator[LogFinding]) -> Iterator[LogFinding]:
        for finding in found:
            self.audited.found.setdefault(finding.kind, Total()).add(finding)
            yield finding

    def _block(self, block: LineBlock) -> Iterator[LogFinding]:
        if block.too_long:
            self.audited.lines += 1
            why = f"longer than any record, which has at most {LONGEST_LINE:,} bytes"
            yield LogFinding(line=block.first, kind="unreadable", sentence=why)
            return
        lines: Iterator[tuple[int, PassedLines | bytes]] = plain_lines(block)
        if self._fast_path is not None:
            lines = self._fast_path.lines(block)
        written = block.content.split(b"\n") if self._witness is not None else []
        for number, seen in lines:
            self.audited.lines += 1
            if not isinstance(seen, bytes):
                self._add_up_passed(seen)
                if self._witness is not None:
                    self._give_witness(number, read_record(written[number - block.first]))
            elif seen.strip():
                yield from self._line(number, seen)

    def _line(self, number: int, line: bytes) -> Iterator[LogFinding]:
        try:
            record = read_record(line.removeprefix(UTF8_MARK))
        except Unreadable as error:
            yield LogFinding(line=number, kind="unreadable", sentence=_why_unreadable(line, error))
            return
        yield from self._record(number, record)

    def _record(self, number: int, record: rec.AnyRecord) -> Iterator[LogFinding]:
        if isinstance(record, rec.TableRecord):
            yield from self.filed.install(number, record)
        else:
            self._add_up(as_it_stands(record))
            yield from self._findings(number, record)
        if self._fast_path is not None:
            self._fast_path.learn(number, record)

    def _findings(self, number: int, record: rec.RoundRecord) -> Iterator[LogFinding]:
        """A witness hears only of rounds in which no card is wrong."""
        fits = True
        for finding in judged(number, record, self.filed, self.watch):
            fits = fits and (finding.kind not in WRONG_CARDS or finding.line != number)
            yield finding
        if fits and self._witness is not None:
            self._give_witness(number, as_it_stands(record))

    def _give_witness(self, number: int, record: rec.AnyRecord) -> None:
        assert self._witness is not None and isinstance(record, rec.RoundRecord)
        self._witness(self.filed.case(number, record))

    def _add_up(self, record: rec.RoundRecord) -> None:
        audited = self.audited
        audited.rounds += 1
        audited.unsaid += record.status == "complete" and not record.lines
        began = record.began_at_us or record.closed_at_us
        if began:
            audited.first_us = min(audited.first_us or began, began)
            audited.last_us = max(audited.last_us, record.ended_at_us or began)
        known = record.rulebook in self.filed.registry.books
        book = record.rulebook if known else UNKNOWN_BOOK
        played = audited.activity.setdefault(book, Activity())
        played.rounds += 1
        played.void += record.status == "void"
        played.open += record.status == "in progress"
        played.boxes += len(record.boxes)
        if record.status == "complete":
            played.wagered_cents += sum(w.cents for box in record.boxes for w in box.wagers)
            stands = [line for line in record.lines if not line.reversed]
            played.won_cents += sum(x.paid_cents + x.returned_cents for x in stands)
            played.won_cents += sum(back.cents for back in record.returns)
            awards = [line.paid_cents for line in record.lines if line.meter is not None]
            played.jackpots += len(awards)
            played.jackpot_cents += sum(awards)

    def _add_up_passed(self, passed: PassedLines) -> None:
        audited = self.audited
        audited.rounds += 1
        audited.passed_fast += 1
        if passed.began_us:
            audited.first_us = min(audited.first_us or passed.began_us, passed.began_us)
            audited.last_us = max(audited.last_us, passed.ended_us)
        played = audited.activity.setdefault(passed.rulebook, Activity())
        played.rounds += 1
        played.boxes += passed.boxes
        played.wagered_cents += passed.wagered_cents
        played.won_cents += passed.won_cents


def _new_fast_path(filed: SubmissionLookup, watch: SequenceChecker) -> FastPath:
    """Kernels are loaded where they are wanted."""
    from croupier.audit.log.fast.fast_path import FastPath

    return FastPath(filed, watch)


def _why_unreadable(line: bytes, error: Unreadable) -> str:
    """A foreign encoding is named where it shows."""
    for mark, name in MARKS.items():
        if mark in line[:4]:
            return f"this is {name}; a file of records is UTF-8"
    try:
        line.decode()
    except UnicodeDecodeError as wrong:
        return f"this is not UTF-8: byte {wrong.start + 1} is {line[wrong.start]:#04x}"
    return str(error)
