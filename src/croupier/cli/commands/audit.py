"""``croupier audit``: a ledger proved from its first line to its last, or a log to the cent."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.audit.ledger_audit import PASSES, audited
from croupier.audit.log.case import RoundCase
from croupier.audit.log.finding import LogFinding
from croupier.audit.log.log_audit import LogAudit, Witness
from croupier.audit.log.log_corruption import CORRUPTIONS, mutants
from croupier.audit.records.files import read_records
from croupier.cli.files import submission_in, text_of, write_file
from croupier.cli.ledger_address import chosen_table, counting, is_ledger, keys_in, reading
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.ledger_audit import (
    AuditRequest,
    ledger_audit_document,
    ledger_audit_report,
)
from croupier.cli.text.log_audit import (
    RunningAudit,
    end_quietly,
    print_log_audit,
    print_log_audit_json,
)
from croupier.documents.blocks import Prose
from croupier.extras import DOCUMENTS, KERNELS, require
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.ledger.store.address import sqlite_path
from croupier.ledger.transparency.checkpoint import Checkpoint, read_checkpoint
from croupier.ledger.transparency.signed_note import read_verifier_key
from croupier.submission.fingerprint import rules_hash
from croupier.submission.submission import Submission

if TYPE_CHECKING:
    from croupier.audit.log.statistics.trials import Statistics

BEGINS = (b"{", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
MOST_IN_REPORT = 1_000
MOST_TESTED = 2_000
SEED = 1
WORDS = {True: "found", False: "NOT FOUND", None: "no opportunity in this log"}


def audit(
    source: str,
    /,
    *,
    checkpoint: Path | None = None,
    key: str | None = None,
    keys: Path | None = None,
    table: str | None = None,
    submission: list[Path] | None = None,
    statistics: Annotated[bool, Parameter(negative="")] = False,
    screen: Annotated[bool, Parameter(negative="")] = False,
    html: Path | None = None,
    pdf: Path | None = None,
    self_test_: Annotated[bool, Parameter(name="--self-test", negative="")] = False,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Prove a ledger, or audit a log of round records to the cent.

    A ledger is proved whole: its chain and its log, every decision and settlement, the sealed shoes
    and the books. Only a checkpoint that somebody else has kept shows that nothing before it was
    cut off or written anew. A log is a file of round records. Everything in it is derived again,
    and each difference listed with its clause (docs/auditing-logs.md). The exit status is 1 where
    anything differs.

    For example:

        croupier audit evening.db --checkpoint checkpoint-2027-01-15

        croupier audit evening.jsonl --submission uth.toml --statistics --pdf audit.pdf

        croupier audit evening.jsonl --screen

    Parameters
    ----------
    source
        A ledger (a file or a postgresql:// address) or a file of round records.
    checkpoint
        A checkpoint of this ledger that was kept elsewhere.
    key
        The verifier key that the checkpoint must be signed with.
    keys
        The file of keys that sealed the shoe: the packs are opened and checked as well.
    table
        Tell only what differs at this table; everything is proved all the same.
    submission
        Of a log: the rules submission it was played by; write the option once for each table.
    statistics
        Of a log: test cards, hands and results against what is exact; tell the cost of skill.
    screen
        Of a log: tell whose decisions fit cards that they could not see (docs/game-protection.md).
    html
        Of a log: write the report as a page.
    pdf
        Of a log: write the report to be printed and filed.
    self_test_
        Of a log: corrupt its records in every way that is looked for, and tell what was found.
    json_
        Print one JSON document.
    """
    if is_ledger(source):
        _refuse_for_a_ledger(source, submission, statistics, screen, html, pdf, self_test_)
        return _audit_ledger(source, checkpoint, key, keys, table, registry, as_json=json_)
    _refuse_for_a_log(source, checkpoint=checkpoint, key=key, keys=keys, table=table)
    files = tuple(submission or ())
    filed = tuple(submission_in(path, registry) for path in files)
    wanted = LogRequest(sqlite_path(source), filed, files, statistics, screen, html, pdf, json_)
    return _self_test(wanted, registry) if self_test_ else _audit_log(wanted, registry)


def _refuse_for_a_ledger(source: str, *of_a_log: object) -> None:
    if any(of_a_log):
        raise Unreadable(f"{source} is a ledger; audit its records, which croupier export writes")


def _refuse_for_a_log(source: str, **of_a_ledger: object) -> None:
    path = sqlite_path(source)
    if path.is_file() and path.suffix != ".jsonl":
        with path.open("rb") as opened:
            if not opened.read(4096).lstrip().startswith(BEGINS):
                raise Unreadable(f"{source} is not a ledger, nor a log of round records")
    for name, given in of_a_ledger.items():
        if given is not None:
            raise Unreadable(f"{source} is a log of round records; --{name} is for a ledger")


# A ledger


def _audit_ledger(
    address: str,
    checkpoint: Path | None,
    key: str | None,
    keys: Path | None,
    table: str | None,
    registry: Registry,
    *,
    as_json: bool,
) -> int:
    signed, asked = _checkpoint_in(checkpoint, key), AuditRequest(table, key or "")
    ring = keys_in(keys)
    with reading(address) as kept:
        if asked.table is not None:
            chosen_table(kept, asked.table)
        lines = sum(head.version for head in kept.heads().values())
        with counting("proving", PASSES * lines) as progress:
            found = audited(kept, registry, signed, ring, progress)
        address, ledger_id = kept.address, kept.id
    if as_json:
        print(json.dumps(ledger_audit_document(address, ledger_id, found, asked)))
    else:
        show([ledger_audit_report(address, ledger_id, found, asked)], Screen())
    return 1 if found.differences else 0


def _checkpoint_in(file: Path | None, key: str | None) -> Checkpoint | None:
    if file is None:
        if key is not None:
            raise Unreadable("a key is named, but no checkpoint; name its file with --checkpoint")
        return None
    signer = read_verifier_key(key) if key is not None else None
    try:
        return read_checkpoint(text_of(file), signer)
    except Unreadable as error:
        raise Unreadable(f"{file}: {error}") from None


# A log


@dataclass(frozen=True)
class LogRequest:
    """What the command line asks for; ``files`` are those of the submissions."""

    path: Path
    submissions: tuple[Submission, ...]
    files: tuple[Path, ...]
    statistics: bool
    screen: bool
    html: Path | None
    pdf: Path | None
    as_json: bool

    @property
    def command(self) -> str:
        """What to type to repeat it, in a folder that holds the files."""
        words = ["croupier", "audit", self.path.name]
        for file in self.files:
            words += ["--submission", file.name]
        asked = {"--statistics": self.statistics, "--screen": self.screen}
        return shlex.join([*words, *(option for option, given in asked.items() if given)])


def _audit_log(wanted: LogRequest, registry: Registry) -> int:
    """List differences as they are found, then totals; 1 where there are any."""
    _refuse_own_evidence(wanted)
    if wanted.pdf is not None:
        require(DOCUMENTS)  # told before the log is read
    counted = None
    if wanted.statistics:
        from croupier.audit.log.statistics.trials import Counting  # it brings the solver

        counted = Counting()
    screening = None
    if wanted.screen:
        require(KERNELS)
        from croupier.audit.log.screening import LogScreening  # it brings the solver

        screening = LogScreening()
    witnesses = [each for each in (counted, screening) if each is not None]
    witness = partial(_tell_all, witnesses) if witnesses else None
    audit = LogAudit(registry, wanted.submissions, witness=witness)
    kept: list[LogFinding] = []
    size = wanted.path.stat().st_size if wanted.path.is_file() else 0
    with counting("auditing", size) as progress:
        if screening is not None:
            screening.progress = progress.doing
        found = _keeping(audit.file(wanted.path, progress), kept)
        names = tuple(map(str, wanted.files))
        heard = RunningAudit(wanted.path, names, audit, found, counted, screening, progress.doing)
        statistics = print_log_audit_json(heard) if wanted.as_json else print_log_audit(heard)
    if wanted.html is not None or wanted.pdf is not None:
        with counting("writing the report"):
            _write_report(wanted, audit, kept, statistics)
    end_quietly()
    is_fair = statistics is None or statistics.passed
    return 0 if is_fair and not audit.audited.findings else 1


def _tell_all(witnesses: Sequence[Witness], case: RoundCase) -> None:
    for witness in witnesses:
        witness(case)


def _refuse_own_evidence(wanted: LogRequest) -> None:
    """A report never takes the place of what it reports on."""
    evidence = {path.resolve() for path in (wanted.path, *wanted.files)}
    for report in (wanted.html, wanted.pdf):
        if report is not None and report.resolve() in evidence:
            raise Unreadable(f"{report} is what is audited; name another file for the report")


def _keeping(found: Iterator[LogFinding], kept: list[LogFinding]) -> Iterator[LogFinding]:
    """A report lists the first of them; a log may hold any number."""
    for finding in found:
        if len(kept) < MOST_IN_REPORT:
            kept.append(finding)
        yield finding


def _write_report(
    wanted: LogRequest, audit: LogAudit, kept: list[LogFinding], statistics: Statistics | None
) -> None:
    """Files are named without their folders: whoever repeats it keeps them elsewhere."""
    from croupier.documents.audit_report import AuditReport, audit_report  # they set pages
    from croupier.documents.html import page
    from croupier.documents.pdf import typeset
    from croupier.documents.printable_text import in_letters

    registry = audit.filed.registry
    books = [registry.book(book) for book in audit.audited.activity if book in registry.books]
    places = dict.fromkeys(f"{s.facility}, table {s.table}" for s in wanted.submissions)
    hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in wanted.files]
    report = audit_report(
        AuditReport(
            file=wanted.path.name,
            command=wanted.command,
            version=version("croupier"),
            place="; ".join(places) or wanted.path.name,
            game="; ".join(f"{book.title} ({book.id})" for book in books),
            made_at=datetime.now(UTC),
            audited=audit.audited,
            watch=audit.watch,
            books=books,
            findings=kept,
            submissions=[(f.name, digest) for f, digest in zip(wanted.files, hashes, strict=True)],
            rules=sorted(map(rules_hash, audit.filed.rules())),
            statistics=statistics,
        )
    )
    if wanted.html is not None:
        write_file(wanted.html, page(report).encode())
    if wanted.pdf is not None:
        write_file(wanted.pdf, typeset(in_letters(report)))


def _self_test(wanted: LogRequest, registry: Registry) -> int:
    """The first records corrupted in every way that is looked for; 1 where one was not found."""
    path, submissions = wanted.path, wanted.submissions
    log = [record for _, record in islice(read_records(path), MOST_TESTED)]
    clean = list(LogAudit(registry, submissions).records(log))
    if clean:
        raise Unreadable(f"{path} is not clean, so nothing can be told by it: {clean[0]}")
    results: dict[str, bool | None] = dict.fromkeys(CORRUPTIONS)
    with counting("corrupting records", len(results)) as progress:
        for mutant in mutants(log, registry, SEED):
            found = LogAudit(registry, submissions).records(mutant.log)
            results[mutant.name] = any(finding.kind in mutant.kinds for finding in found)
            progress(1)
    if wanted.as_json:
        print(json.dumps({"file": str(path), "seed": SEED, "found": results}))
    else:
        lines = (_result(f"{name:34}{WORDS[result]}", result) for name, result in results.items())
        show([lines], Screen())
    return 1 if False in results.values() else 0


def _result(line: str, result: bool | None) -> Prose:
    return Prose(line, tone="fail" if result is False else "plain")
