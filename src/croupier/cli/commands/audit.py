"""``croupier audit``: a ledger proved from its first line to its last, or a log to the cent."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
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
from croupier.audit.records.files import ledger_records, read_records
from croupier.audit.records.schema import AnyRecord
from croupier.cli.files import refuse_unwritable, submission_in, text_of, write_file
from croupier.cli.ledger_address import chosen_table, is_ledger, keys_in, reading, with_keys
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.ledger_audit import (
    AuditRequest,
    ledger_audit_document,
    ledger_audit_report,
)
from croupier.cli.text.log_audit import (
    RunningAudit,
    as_played_part,
    as_played_rows,
    end_quietly,
    print_log_audit,
    print_log_audit_json,
)
from croupier.documents.as_played import as_played_csv
from croupier.documents.blocks import Prose
from croupier.extras import DOCUMENTS, KERNELS, require
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.ledger.rounds import tables_of
from croupier.ledger.store.address import sqlite_path
from croupier.ledger.transparency.checkpoint import Checkpoint, read_checkpoint
from croupier.ledger.transparency.signed_note import read_verifier_key
from croupier.submission.fingerprint import rules_hash
from croupier.submission.submission import Submission

if TYPE_CHECKING:
    from croupier.audit.log.statistics.as_played import PlayedDecisions
    from croupier.audit.log.statistics.trials import Statistics

BEGINS = (b"{", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
MOST_IN_REPORT = 1_000
MOST_TESTED = 2_000
SEED = 1
WORDS = {True: "found", False: "NOT FOUND", None: "no opportunity in this log"}


@dataclass(frozen=True)
class OfALedger:
    """What is asked of a ledger alone.

    Parameters
    ----------
    checkpoint
        A checkpoint of this ledger that was kept elsewhere; write the option once for each of
        several, and the audit says between which two a change lies.
    key
        The verifier key that checkpoints must be signed with.
    keys
        The file of keys that sealed the shoe: the packs are opened and checked as well.
    table
        Tell only what differs at this table; everything is proved all the same.
    """

    checkpoint: tuple[Path, ...] = ()
    key: str | None = None
    keys: Path | None = None
    table: str | None = None


@dataclass(frozen=True)
class OfALog:
    """What is asked of a log alone.

    Parameters
    ----------
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
    self_test
        Of a log: corrupt its records in every way that is looked for, and tell what was found.
    """

    submission: tuple[Path, ...] = ()
    statistics: Annotated[bool, Parameter(negative="")] = False
    screen: Annotated[bool, Parameter(negative="")] = False
    html: Path | None = None
    pdf: Path | None = None
    self_test: Annotated[bool, Parameter(negative="")] = False


@dataclass(frozen=True)
class PlayedOutput:
    """What is asked of both.

    Parameters
    ----------
    as_played
        Value every decision: theoretical win as played beside the best play, by table, player and
        street. Of a ledger, --keys name the cards that stayed face down.
    csv
        With --as-played: write its figures as CSV.
    """

    as_played: Annotated[bool, Parameter(negative="")] = False
    csv: Path | None = None


NO_LEDGER_OPTIONS, NO_LOG_OPTIONS, NOT_AS_PLAYED = OfALedger(), OfALog(), PlayedOutput()


def audit(
    source: str,
    /,
    *,
    of_ledger: Annotated[OfALedger, Parameter(name="*")] = NO_LEDGER_OPTIONS,
    of_log: Annotated[OfALog, Parameter(name="*")] = NO_LOG_OPTIONS,
    played: Annotated[PlayedOutput, Parameter(name="*")] = NOT_AS_PLAYED,
    json_: AsJson = False,
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

        croupier audit evening.jsonl --as-played --csv played.csv

    Parameters
    ----------
    source
        A ledger (a file or a postgresql:// address) or a file of round records.
    json_
        Print one JSON document.
    """
    if played.csv is not None and not played.as_played:
        raise Unreadable("--csv writes the figures of --as-played; ask for it as well")
    if played.csv is not None:
        refuse_unwritable(played.csv)
    if is_ledger(source):
        if of_log != NO_LOG_OPTIONS:
            raise Unreadable(
                f"{source} is a ledger; audit its records, which croupier export writes"
            )
        return _audit_ledger(source, of_ledger, played, registry, as_json=json_)
    _refuse_for_a_log(source, of_ledger)
    filed = tuple(submission_in(path, registry) for path in of_log.submission)
    wanted = LogRequest(sqlite_path(source), filed, of_log, played, json_)
    return _self_test(wanted, registry) if of_log.self_test else _audit_log(wanted, registry)


def _refuse_for_a_log(source: str, of_ledger: OfALedger) -> None:
    path = sqlite_path(source)
    if path.is_file() and path.suffix != ".jsonl":
        with path.open("rb") as opened:
            if not opened.read(4096).lstrip().startswith(BEGINS):
                raise Unreadable(f"{source} is not a ledger, nor a log of round records")
    for name, given in asdict(of_ledger).items():
        if given not in (None, ()):
            raise Unreadable(f"{source} is a log of round records; --{name} is for a ledger")


# A ledger


def _audit_ledger(
    address: str,
    wanted: OfALedger,
    asked_played: PlayedOutput,
    registry: Registry,
    *,
    as_json: bool,
) -> int:
    signed = _checkpoints_in(wanted.checkpoint, wanted.key)
    asked = AuditRequest(wanted.table, wanted.key or "")
    ring, played = keys_in(wanted.keys), None
    with reading(address) as kept, with_keys(wanted.keys):
        if asked.table is not None:
            chosen_table(kept, asked.table)
        lines = sum(head.version for head in kept.heads().values())
        with counting("proving", PASSES * lines) as progress:
            found = audited(kept, registry, signed, ring, progress)
        if asked_played.as_played:
            tables = [asked.table] if asked.table is not None else tables_of(kept)
            played = _played_in(ledger_records(kept, tables, registry, ring), registry)
        address, ledger_id = kept.address, kept.id
    if as_json:
        document = ledger_audit_document(address, ledger_id, found, asked)
        print_json(document | as_played_part(played))
    else:
        *report, verdict = ledger_audit_report(address, ledger_id, found, asked)
        show([[*report, *as_played_rows(played), verdict]], Screen())
    _write_csv(asked_played.csv, played)
    return 1 if found.differences else 0


def _played_in(records: Iterator[AnyRecord], registry: Registry) -> PlayedDecisions:
    played = _new_as_played()
    with counting("valuing decisions") as progress:
        played.progress = progress.doing
        for _ in LogAudit(registry, witness=played).records(records):
            pass  # a difference is the proof's business; a witness hears of no wrong card
        played.found()
    return played


def _new_as_played() -> PlayedDecisions:
    require(KERNELS)
    from croupier.audit.log.statistics.as_played import PlayedDecisions  # it brings the solver

    return PlayedDecisions()


def _write_csv(path: Path | None, played: PlayedDecisions | None) -> None:
    if path is not None and played is not None:
        write_file(path, as_played_csv(played.found()).encode())


def _checkpoints_in(files: tuple[Path, ...], key: str | None) -> list[Checkpoint]:
    if not files and key is not None:
        raise Unreadable("a key is named, but no checkpoint; name its file with --checkpoint")
    signer = read_verifier_key(key) if key is not None else None
    found = []
    for file in files:
        try:
            found.append(read_checkpoint(text_of(file), signer))
        except Unreadable as error:
            raise Unreadable(f"{file}: {error}") from None
    return found


# A log


@dataclass(frozen=True)
class LogRequest:
    """What the command line asks for."""

    path: Path
    submissions: tuple[Submission, ...]
    log: OfALog
    played: PlayedOutput
    as_json: bool

    @property
    def files(self) -> tuple[Path, ...]:
        """Those of the submissions."""
        return self.log.submission

    @property
    def command(self) -> str:
        """What to type to repeat it, in a folder that holds the files."""
        words = ["croupier", "audit", self.path.name]
        for file in self.files:
            words += ["--submission", file.name]
        asked = {
            "--statistics": self.log.statistics,
            "--screen": self.log.screen,
            "--as-played": self.played.as_played,
        }
        return shlex.join([*words, *(option for option, given in asked.items() if given)])


def _audit_log(wanted: LogRequest, registry: Registry) -> int:
    """List differences as they are found, then totals; 1 where there are any."""
    _refuse_own_evidence(wanted)
    if wanted.log.pdf is not None:
        require(DOCUMENTS)  # told before the log is read
    counted = None
    if wanted.log.statistics:
        from croupier.audit.log.statistics.trials import RoundCounter  # it brings the solver

        counted = RoundCounter()
    screening = None
    if wanted.log.screen:
        require(KERNELS)
        from croupier.audit.log.screening import LogScreening  # it brings the solver

        screening = LogScreening()
    played = _new_as_played() if wanted.played.as_played else None
    witnesses = [each for each in (counted, screening, played) if each is not None]
    witness = partial(_shown_to_all, witnesses) if witnesses else None
    audit = LogAudit(registry, wanted.submissions, witness=witness)
    kept: list[LogFinding] = []
    size = wanted.path.stat().st_size if wanted.path.is_file() else 0
    with counting("auditing", size) as progress:
        if screening is not None:
            screening.progress = progress.doing
        if played is not None:
            played.progress = progress.doing
        found = _keeping(audit.file(wanted.path, progress), kept)
        names = tuple(map(str, wanted.files))
        heard = RunningAudit(
            wanted.path, names, audit, found, counted, screening, played, progress.doing
        )
        statistics = print_log_audit_json(heard) if wanted.as_json else print_log_audit(heard)
    _write_csv(wanted.played.csv, played)
    if wanted.log.html is not None or wanted.log.pdf is not None:
        with counting("writing the report"):
            _write_report(wanted, audit, kept, statistics, played)
    end_quietly()
    is_fair = statistics is None or statistics.passed
    return 0 if is_fair and not audit.audited.findings else 1


def _shown_to_all(witnesses: Sequence[Witness], case: RoundCase) -> None:
    for witness in witnesses:
        witness(case)


def _refuse_own_evidence(wanted: LogRequest) -> None:
    """A report never takes the place of what it reports on."""
    evidence = {path.resolve() for path in (wanted.path, *wanted.files)}
    for report in (wanted.log.html, wanted.log.pdf, wanted.played.csv):
        if report is not None and report.resolve() in evidence:
            raise Unreadable(f"{report} is what is audited; name another file for the report")


def _keeping(found: Iterator[LogFinding], kept: list[LogFinding]) -> Iterator[LogFinding]:
    """A report lists the first of them; a log may hold any number."""
    for finding in found:
        if len(kept) < MOST_IN_REPORT:
            kept.append(finding)
        yield finding


def _write_report(
    wanted: LogRequest,
    audit: LogAudit,
    kept: list[LogFinding],
    statistics: Statistics | None,
    played: PlayedDecisions | None,
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
            as_played=played,
        )
    )
    if wanted.log.html is not None:
        write_file(wanted.log.html, page(report).encode())
    if wanted.log.pdf is not None:
        write_file(wanted.log.pdf, typeset(in_letters(report)))


def _self_test(wanted: LogRequest, registry: Registry) -> int:
    """The first records corrupted in every way that is looked for; 1 where one was not found."""
    path, submissions = wanted.path, wanted.submissions
    with counting("auditing"):
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
        print_json({"file": str(path), "seed": SEED, "found": results})
    else:
        lines = (_result(f"{name:34}{WORDS[result]}", result) for name, result in results.items())
        show([lines], Screen())
    return 1 if False in results.values() else 0


def _result(line: str, result: bool | None) -> Prose:
    return Prose(line, tone="fail" if result is False else "plain")
