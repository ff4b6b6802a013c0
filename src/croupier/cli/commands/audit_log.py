"""A log audited on the command line: differences as they are found, totals, and the report."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.audit.log.finding import LogFinding
from croupier.audit.log.log_audit import LogAudit
from croupier.cli.ledger_address import counting
from croupier.cli.text.log_audit import RunningAudit, end_quietly, tell, tell_json
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.submission.submission import Submission

if TYPE_CHECKING:
    from croupier.audit.log.statistics.trials import Counting, Statistics

MOST_IN_REPORT = 1_000


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


def audit_log(wanted: Wanted, registry: Registry) -> int:
    _refuse_own_evidence(wanted)
    counted = _counting() if wanted.statistics else None
    audit = LogAudit(registry, wanted.submissions, witness=counted)
    kept: list[LogFinding] = []
    size = wanted.path.stat().st_size if wanted.path.is_file() else 0
    with counting("auditing", size) as progress:
        found = _keeping(audit.file(wanted.path, progress), kept)
        heard = RunningAudit(wanted.path, wanted.names, audit, found, counted, progress.doing)
        statistics = tell_json(heard) if wanted.as_json else tell(heard)
    if wanted.html is not None or wanted.pdf is not None:
        _write_report(wanted, audit, kept, statistics)
    end_quietly()
    is_fair = statistics is None or statistics.passed
    return 0 if is_fair and not audit.audited.findings else 1


def _refuse_own_evidence(wanted: Wanted) -> None:
    """A report never takes the place of what it reports on."""
    evidence = {path.resolve() for path in (wanted.path, *map(Path, wanted.names))}
    for report in (wanted.html, wanted.pdf):
        if report is not None and report.resolve() in evidence:
            raise Unreadable(f"{report} is what is audited; name another file for the report")


def _counting() -> Counting:
    """Loaded where it is wanted: it brings the solver."""
    from croupier.audit.log.statistics.trials import Counting

    return Counting()


def _keeping(found: Iterator[LogFinding], kept: list[LogFinding]) -> Iterator[LogFinding]:
    """A report lists the first of them; a log may hold any number."""
    for finding in found:
        if len(kept) < MOST_IN_REPORT:
            kept.append(finding)
        yield finding


def _write_report(
    wanted: Wanted, audit: LogAudit, kept: list[LogFinding], statistics: Statistics | None
) -> None:
    """Loaded where it is wanted: it brings what sets pages."""
    from croupier.cli.commands.audit_log_report import write_report

    write_report(wanted, audit, kept, statistics)
