"""The report of an audited log, made and written."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.audit.log.finding import LogFinding
from croupier.audit.log.log_audit import LogAudit
from croupier.disk import whole_file
from croupier.documents.audit_report import AuditReport, audit_report
from croupier.documents.html import page
from croupier.documents.pdf import typeset
from croupier.documents.printable_text import in_letters
from croupier.facts.errors import Unreadable
from croupier.submission.fingerprint import rules_hash

if TYPE_CHECKING:
    from croupier.audit.log.statistics.trials import Statistics
    from croupier.cli.commands.audit_log import Wanted


def write_report(
    wanted: Wanted, audit: LogAudit, kept: list[LogFinding], statistics: Statistics | None
) -> None:
    """Files are named without their folders: whoever repeats it keeps them elsewhere."""
    registry = audit.filed.registry
    books = [registry.book(book) for book in audit.audited.activity if book in registry.books]
    places = dict.fromkeys(f"{s.facility}, table {s.table}" for s in wanted.submissions)
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
            submissions=[(Path(name).name, _sha256(Path(name))) for name in wanted.names],
            rules=sorted(map(rules_hash, audit.filed.rules())),
            statistics=statistics,
        )
    )
    if wanted.html is not None:
        _write(wanted.html, page(report).encode())
    if wanted.pdf is not None:
        _write(wanted.pdf, typeset(in_letters(report)))


def _write(path: Path, content: bytes) -> None:
    try:
        with whole_file(path) as file:
            file.write(content)
    except OSError as error:
        raise Unreadable(f"{path} cannot be written: {error.strerror}") from None


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
