"""A log audited on the command line: differences as they are found, then the totals."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.text import Text

from croupier.audit.log.finding import KINDS, Finding, Total
from croupier.audit.log.mutants import CORRUPTIONS, mutants
from croupier.audit.log.whole import LogAudit
from croupier.audit.records.files import read_records
from croupier.cli.audit_statistics import tell_statistics
from croupier.cli.ledgers import counting, iso, when
from croupier.cli.screen import Screen
from croupier.facts.errors import Unreadable
from croupier.facts.money import dollars
from croupier.games.house import House
from croupier.submission.fingerprint import rules_hash
from croupier.submission.submission import Submission

if TYPE_CHECKING:
    from croupier.audit.log.statistics.trials import Counting, Statistics

MOST_IN_REPORT = 1_000
MOST_TESTED = 2_000
SEED = 1


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for; ``names`` are the files of the submissions."""

    path: Path
    submissions: tuple[Submission, ...]
    names: tuple[str, ...]
    statistics: bool
    html: Path | None
    pdf: Path | None
    as_json: bool

    @property
    def command(self) -> str:
        """What to type to repeat it, in a folder that holds the files."""
        words = ["croupier", "audit", self.path.name]
        for name in self.names:
            words += ["--submission", Path(name).name]
        return shlex.join([*words, *(["--statistics"] if self.statistics else [])])


def audit_log(wanted: Wanted, house: House) -> int:
    counting_rounds = _counting() if wanted.statistics else None
    audit = LogAudit(house, wanted.submissions, witness=counting_rounds)
    kept: list[Finding] = []
    size = wanted.path.stat().st_size if wanted.path.is_file() else 0
    tell = _tell_json if wanted.as_json else _tell
    with counting("auditing", size) as progress:
        found = _keeping(audit.file(wanted.path, progress), kept)
        statistics = tell(wanted, audit, found, counting_rounds)
    if wanted.html is not None or wanted.pdf is not None:
        _write_report(wanted, audit, kept, statistics)
    return 1 if audit.audited.findings or not _is_fair(statistics) else 0


def _counting() -> Counting:
    """Loaded where it is wanted: it brings the solver."""
    from croupier.audit.log.statistics.trials import Counting

    return Counting()


def _is_fair(statistics: Statistics | None) -> bool:
    return statistics is None or statistics.verdict is None or statistics.verdict.passed


def _keeping(found: Iterator[Finding], kept: list[Finding]) -> Iterator[Finding]:
    """A report lists the first of them; a log may hold any number."""
    for finding in found:
        if len(kept) < MOST_IN_REPORT:
            kept.append(finding)
        yield finding


# For people


def _tell(
    wanted: Wanted, audit: LogAudit, found: Iterator[Finding], counted: Counting | None
) -> Statistics | None:
    console = Screen()
    for finding in found:
        kind = Text(f"{KINDS[finding.kind]:32}", style="bold red")
        console.print(kind.append(str(finding), "not bold default"), soft_wrap=True)
    audited = audit.audited
    console.print(Text(f"{wanted.path}, SHA-256 {audited.sha256}", style="bold"), soft_wrap=True)
    for name, told in _said(wanted, audit):
        console.print(Text(f"  {name:12}", style="dim").append(told, "not dim"), soft_wrap=True)
    statistics = counted.told() if counted is not None else None
    if statistics is not None:
        tell_statistics(statistics, console)
    _tell_totals(audited.totals, console)
    return statistics


def _said(wanted: Wanted, audit: LogAudit) -> Iterator[tuple[str, str]]:
    audited = audit.audited
    tables = f"{audit.tables} {'table' if audit.tables == 1 else 'tables'}"
    yield "lines", f"{audited.lines:,}; {audited.rounds:,} rounds at {tables}"
    if audited.first_us:
        yield "played", f"{when(audited.first_us)} to {when(audited.last_us)}"
    yield "rules", ", ".join(wanted.names) or "the submissions and terms in the log itself"
    for book, played in audited.activity.items():
        void = f", {played.void:,} void" if played.void else ""
        still = f", {played.open:,} in progress" if played.open else ""
        yield (
            book,
            f"{played.rounds:,} rounds{void}{still}; wagered {dollars(played.wagered_cents)}, "
            f"given back and won {dollars(played.won_cents)}",
        )
    if audited.unsaid:
        yield "not said", f"{audited.unsaid:,} rounds do not say what they paid"
    if not audited.rounds:
        yield "rounds", "No Activity"


def _tell_totals(totals: dict[str, Total], console: Screen) -> None:
    if not totals:
        console.print(Text("Everything is as it must be.", style="bold green"))
        return
    head = f"{'':32}{'found':>8}{'paid too much':>18}{'paid too little':>18}"
    console.print(Text(head, style="dim"), soft_wrap=True)
    for kind, total in totals.items():
        money = f"{dollars(total.over_cents):>18}{dollars(total.under_cents):>18}"
        console.print(Text(f"{KINDS[kind]:32}{total.count:>8,}{money}"), soft_wrap=True)
    count = sum(total.count for total in totals.values())
    many = "difference" if count == 1 else "differences"
    console.print(Text(f"{count:,} {many}", style="bold red"))


# As JSON


def _tell_json(
    wanted: Wanted, audit: LogAudit, found: Iterator[Finding], counted: Counting | None
) -> Statistics | None:
    """One document, written as the findings come, so that any number of them takes no room."""
    out = sys.stdout
    out.write(f'{{"file": {json.dumps(str(wanted.path))}, "findings": [')
    for number, finding in enumerate(found):
        out.write(", " if number else "")
        out.write(msgspec.json.encode(finding).decode())
    statistics = counted.told() if counted is not None else None
    told = {"statistics": msgspec.to_builtins(statistics)} if statistics is not None else {}
    rest = json.dumps({**_totals(wanted, audit), **told})
    out.write(f"], {rest[1:]}\n")
    return statistics


def _totals(wanted: Wanted, audit: LogAudit) -> dict[str, Any]:
    audited = audit.audited
    return {
        "sha256": audited.sha256,
        "submissions": list(wanted.names),
        "clean": not audited.findings,
        "lines": audited.lines,
        "rounds": audited.rounds,
        "tables": audit.tables,
        "first": iso(audited.first_us),
        "last": iso(audited.last_us),
        "rounds_that_say_no_payments": audited.unsaid,
        "activity": {book: msgspec.to_builtins(a) for book, a in audited.activity.items()},
        "totals": {kind: msgspec.to_builtins(total) for kind, total in audited.totals.items()},
    }


# The report


def _write_report(
    wanted: Wanted, audit: LogAudit, kept: list[Finding], statistics: Statistics | None
) -> None:
    from croupier.documents.audit_report import Report, audit_report
    from croupier.documents.typesetting import typeset
    from croupier.documents.web import page

    books = [
        audit.filed.house.book(book)
        for book in audit.audited.activity
        if book in audit.filed.house.books
    ]
    places = dict.fromkeys(f"{s.facility}, table {s.table}" for s in wanted.submissions)
    report = audit_report(
        Report(
            file=wanted.path.name,
            command=wanted.command,
            version=version("croupier"),
            place="; ".join(places) or wanted.path.name,
            game="; ".join(f"{book.title} ({book.id})" for book in books),
            made_at=datetime.now(UTC),
            tables=audit.tables,
            audited=audit.audited,
            findings=kept,
            submissions=[(name, _sha256(Path(name))) for name in wanted.names],
            rules=sorted(map(rules_hash, audit.filed.rules())),
            statistics=statistics,
        )
    )
    if wanted.html is not None:
        _write(wanted.html, page(report).encode())
    if wanted.pdf is not None:
        _write(wanted.pdf, typeset(report))


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Unreadable(f"{path} cannot be written: {error.strerror}") from None


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# Testing itself


def self_test(wanted: Wanted, house: House) -> int:
    """The first records corrupted in every way that is looked for; 1 where one was not found."""
    log = [record for _, record in zip(range(MOST_TESTED), _records(wanted.path), strict=False)]
    clean = list(LogAudit(house, wanted.submissions).records(log))
    if clean:
        raise Unreadable(f"{wanted.path} is not clean, so nothing can be told by it: {clean[0]}")
    results: dict[str, bool | None] = dict.fromkeys(CORRUPTIONS)
    for mutant in mutants(log, house, SEED):
        found = LogAudit(house, wanted.submissions).records(mutant.log)
        results[mutant.name] = any(finding.kind in mutant.kinds for finding in found)
    if wanted.as_json:
        print(json.dumps({"file": str(wanted.path), "seed": SEED, "found": results}))
    else:
        _tell_results(results, Screen())
    return 1 if False in results.values() else 0


def _records(path: Path) -> Iterator[Any]:
    return (record for _, record in read_records(path))


def _tell_results(results: dict[str, bool | None], console: Screen) -> None:
    words = {True: "found", False: "NOT FOUND", None: "no opportunity in this log"}
    for name, result in results.items():
        console.print(
            Text(f"{name:34}{words[result]}", style="bold red" if result is False else "")
        )
