"""Good logs of each rulebook, made once from a seed, and files of them."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

from croupier.audit.log.finding import LogFinding
from croupier.audit.log.log_audit import LogAudit
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import write_record
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Submission
from tests.audit.log.log_generator import LogMaker

HOUSE = the_registry()
BOOKS = ("UTH-S", "UTH-14", "FCP-14")
NEVER = 1 << 60  # a file of no size takes the fast path


@cache
def good_log(book: str, rounds: int = 60, seed: int = 1) -> tuple[rec.AnyRecord, ...]:
    maker = LogMaker(shipped_submission(book), HOUSE, seed)
    return (maker.table(), *maker.rounds(rounds))


def with_letters(book: str, **letters: str) -> Submission:
    """A shipped submission with other paytables."""
    shipped = shipped_submission(book)
    paytables = tuple({**dict(shipped.paytables), **letters}.items())
    return dataclasses.replace(shipped, paytables=paytables)


def written(path: Path, records: list[rec.AnyRecord] | tuple[rec.AnyRecord, ...]) -> Path:
    path.write_bytes(b"".join(write_record(record) + b"\n" for record in records))
    return path


def found_in(
    path: Path, *submissions: Submission, fast: bool = False
) -> tuple[list[LogFinding], LogAudit]:
    audit = LogAudit(HOUSE, submissions, fast_path_from=0 if fast else NEVER)
    return list(audit.file(path)), audit
