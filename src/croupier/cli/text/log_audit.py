"""What an audit of a log has to say, to people and to programs, for as long as anybody listens."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from rich.text import Text

from croupier.audit.log.finding import KINDS, LogFinding, Total, counted, plain
from croupier.audit.log.log_audit import LogAudit
from croupier.audit.log.sequence_checks import Gap
from croupier.cli.ledger_address import iso, when
from croupier.cli.screen import Screen
from croupier.cli.text.log_statistics import tell_statistics
from croupier.facts.money import dollars

if TYPE_CHECKING:
    from croupier.audit.log.statistics.trials import Counting, Statistics

CLEAN = "Everything is as it must be."
UNSAID = "Everything that is said is as it must be."
NO_ACTIVITY = "No Activity: there is no round in this log."


class RunningAudit(NamedTuple):
    """An audit under way: ``found`` are its differences as they come."""

    path: Path
    names: tuple[str, ...]
    audit: LogAudit
    found: Iterator[LogFinding]
    counting: Counting | None
    doing: Callable[[str, float], None] = lambda what, done: None

    def statistics(self) -> Statistics | None:
        return self.counting.told(self.doing) if self.counting is not None else None


class PersistentScreen(Screen):
    """A reader who went away ends no audit: its report is still made, and its exit status told."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        say_no_more()


def say_no_more() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def end_quietly() -> None:
    """What is left to say is said, or nobody is there to hear it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        say_no_more()


# For people


def tell(heard: RunningAudit) -> Statistics | None:
    console = PersistentScreen()
    for finding in heard.found:
        kind = Text(f"{KINDS[finding.kind]:32}", style="bold red")
        console.print(kind.append(str(finding), "not bold default"), soft_wrap=True)
    audited = heard.audit.audited
    name = plain(str(heard.path))
    console.print(Text(f"{name}, SHA-256 {audited.sha256}", style="bold"), soft_wrap=True)
    for title, told in _said(heard):
        console.print(Text(f"  {title:12}", style="dim").append(told, "not dim"), soft_wrap=True)
    statistics = heard.statistics()
    if statistics is not None:
        tell_statistics(statistics, console)
    _tell_totals(audited.totals, console)
    said, style = _verdict(heard.audit, statistics)
    console.print(Text(said, style=style), soft_wrap=True)
    return statistics


def _said(heard: RunningAudit) -> Iterator[tuple[str, str]]:
    audited, watch = heard.audit.audited, heard.audit.watch
    at = f" at {counted(watch.tables, 'table')}" if watch.tables else ""
    yield "lines", f"{audited.lines:,}; {counted(audited.rounds, 'round')}{at}"
    if audited.first_us:
        yield "played", f"{when(audited.first_us)} to {when(audited.last_us)}"
    yield "rules", plain(", ".join(heard.names)) or "the submissions and terms in the log itself"
    for book, played in audited.activity.items():
        void = f", {played.void:,} void" if played.void else ""
        still = f", {played.open:,} in progress" if played.open else ""
        yield (
            book,
            f"{counted(played.rounds, 'round')}{void}{still}; wagered "
            f"{dollars(played.wagered_cents)}, given back and won {dollars(played.won_cents)}",
        )
    if watch.missing:
        yield "missing", f"{counted(watch.missing, 'round')} by their numbers: {_gaps(watch.gaps)}"
    if audited.unsaid:
        yield "not said", f"{counted(audited.unsaid, 'round')} without what was paid"


def _gaps(gaps: list[Gap]) -> str:
    named = [f"table {plain(gap.table)}, {gap.numbers}" for gap in gaps]
    return "; ".join(named)


def _tell_totals(totals: dict[str, Total], console: Screen) -> None:
    if not totals:
        return
    head = f"{'':32}{'found':>8}{'paid too much':>18}{'paid too little':>18}"
    console.print(Text(head, style="dim"), soft_wrap=True)
    for kind, total in totals.items():
        money = f"{_amount(total.over_cents):>18}{_amount(total.under_cents):>18}"
        row = f"{KINDS[kind]:32}{total.count:>8,}{money}"
        console.print(Text(row.rstrip()), soft_wrap=True)


def _amount(cents: int) -> str:
    """Nothing where no money is about it."""
    return dollars(cents) if cents else ""


def _verdict(audit: LogAudit, statistics: Statistics | None) -> tuple[str, str]:
    """The last line: whatever is wrong is in it."""
    count = audit.audited.findings
    failed = statistics.failed if statistics is not None else 0
    if not audit.audited.rounds and not count:
        return NO_ACTIVITY, "bold"
    if not count and not failed:
        return UNSAID if audit.audited.unsaid else CLEAN, "bold green"
    tests = f"{counted(failed, 'statistical test')} failed"
    if not count:
        return f"Every round is as it must be, but {tests}.", "bold red"
    return f"{counted(count, 'difference')}{f'; {tests}' if failed else ''}", "bold red"


# As JSON


def tell_json(heard: RunningAudit) -> Statistics | None:
    """One document, written as the findings come, so that any number of them takes no room."""
    _write(f'{{"file": {json.dumps(str(heard.path))}, "findings": [')
    for number, finding in enumerate(heard.found):
        _write(f"{', ' if number else ''}{msgspec.json.encode(finding).decode()}")
    statistics = heard.statistics()
    told = {"statistics": msgspec.to_builtins(statistics)} if statistics is not None else {}
    rest = json.dumps({**_totals(heard, statistics), **told})
    _write(f"], {rest[1:]}\n")
    return statistics


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        say_no_more()


def _totals(heard: RunningAudit, statistics: Statistics | None) -> dict[str, Any]:
    audit, audited = heard.audit, heard.audit.audited
    return {
        "sha256": audited.sha256,
        "submissions": list(heard.names),
        "clean": not audited.findings,
        "fair": statistics.passed if statistics is not None else None,
        "lines": audited.lines,
        "rounds": audited.rounds,
        "rounds_missing": audit.watch.missing,
        "tables": audit.watch.tables,
        "first": iso(audited.first_us),
        "last": iso(audited.last_us),
        "rounds_that_say_no_payments": audited.unsaid,
        "activity": {book: msgspec.to_builtins(a) for book, a in audited.activity.items()},
        "totals": {kind: msgspec.to_builtins(total) for kind, total in audited.totals.items()},
    }
