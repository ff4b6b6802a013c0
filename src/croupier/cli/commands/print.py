"""``croupier print``: the documents of a table, from the submission it deals by."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.text import Text

from croupier.cli.commands.check import print_check, returns_found
from croupier.cli.commands.solve import progress_bar
from croupier.cli.files import checked_submission, submission_in
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.documents.document_set import PrintOrder, chosen, printed, put, ready
from croupier.documents.filing import Filing, filing_of
from croupier.documents.glyphs import check_letters
from croupier.documents.layout.logo import Logo, read_logo
from croupier.documents.mathematics.figures import Figures, figures_of
from croupier.facts.errors import Unreadable, quoted
from croupier.games.registry import Registry
from croupier.submission.check import CheckedSubmission, check, shipped_text
from croupier.submission.finding import findings_json, most_serious_first
from croupier.submission.fingerprint import rules_hash, submission_hash


@dataclass(frozen=True)
class PrintedTable:
    """One table to print for: where its submission came from, and where its documents go."""

    source: str
    folder: Path
    checked: CheckedSubmission
    beside: Path | None = None


@dataclass(frozen=True)
class PrintedCopy:
    """A table with what goes into its documents: the version before, and the logo."""

    table: PrintedTable
    before: Filing | None
    logo: Logo | None


def print(
    submissions: tuple[Path, ...] = (),
    /,
    *,
    out: Path,
    rulebook: str | None = None,
    shipped: Annotated[bool, Parameter(negative="")] = False,
    against: Path | None = None,
    only: str | None = None,
    json_: AsJson = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Print what a table files and posts: layout, signs and more.

    These are the layout, the signs, the submission, the mathematics, a card for the dealer and a
    guide for players.

    A submission with errors is not printed: they are listed, and the exit status is 1. Documents
    say DRAFT until the submission has an approval date, and are the same to the byte however
    often they are printed. Several tables get a folder each.

    For example:

        croupier print table-12.toml --out table-12

        croupier print table-12.toml --out table-12 --against table-12-old.toml

        croupier print table-12.toml --out table-12 --only layout,signs

        croupier print --shipped --out documents

    Parameters
    ----------
    submissions
        The submission of each table, in TOML.
    out
        The folder that the documents are written into; it is made where there is none.
    rulebook
        Print the submission that is shipped for this rulebook.
    shipped
        Print the shipped submissions of all rulebooks.
    against
        The version of the submission before this one; the Rules Submission tells what changed.
    only
        The documents wanted, with commas: layout, signs, submission, mathematics, dealer-card,
        player-guide.
    json_
        Print one JSON document that lists what was written.
    """
    documents = chosen(only)
    tables = _tables(submissions, out, rulebook, shipped, registry)
    if against is not None and len(tables) != 1:
        raise Unreadable("--against compares one submission with the version before it; name one")
    if _refused(tables, registry):
        return 1
    before = _before(against, tables[0], registry) if against is not None else None
    copies = [PrintedCopy(table, before, _ready(table)) for table in tables]
    written = [_printed(copy, documents, registry, aloud=not json_) for copy in copies]
    if json_:
        print_json({"tables": written})
    return 0


def _refused(tables: list[PrintedTable], registry: Registry) -> bool:
    """Tell what is wrong with the tables that cannot be printed; whether there are any."""
    refused = [table for table in tables if table.checked.submission is None]
    for table in refused:
        print_check(Path(table.source), None, table.checked.findings, registry)
    return bool(refused)


def _before(against: Path, table: PrintedTable, registry: Registry) -> Filing:
    """The version before; a table that changes its rulebook files anew and compares nothing."""
    before, now = submission_in(against, registry), table.checked.submission
    if now is not None and before.rulebook != now.rulebook:
        raise Unreadable(
            f"--against {quoted(against)} is a submission under {before.rulebook}, and this one is "
            f"under {now.rulebook}; versions are compared under the same rulebook"
        )
    return filing_of(before, registry)


def _ready(table: PrintedTable) -> Logo | None:
    """The logo of a table, by its path from the folder its submission lies in.

    Whatever cannot be printed is told before anything is computed.
    """
    said = table.checked.submission
    assert said is not None, "tables with errors were told and left"
    check_letters(said)
    logo = read_logo((table.beside or Path()) / said.logo) if said.logo is not None else None
    ready(table.folder)
    return logo


def _printed(
    copy: PrintedCopy, documents: tuple[str, ...], registry: Registry, aloud: bool
) -> dict[str, Any]:
    """Print one table, say what was written, and give it as a document."""
    table = copy.table
    filing = _filing(table, registry, with_returns="submission" in documents)
    files = printed(PrintOrder(filing, registry, _figures, copy.before, copy.logo), documents)
    put(files, table.folder)
    if aloud:
        _print_written(table, files)
    return _document(table, filing, files)


def _tables(
    submissions: tuple[Path, ...],
    out: Path,
    rulebook: str | None,
    shipped: bool,
    registry: Registry,
) -> list[PrintedTable]:
    if shipped and rulebook is not None:
        raise Unreadable("--shipped prints every rulebook's; leave --rulebook out")
    wanted = [*registry.books, *registry.faults] if shipped else [rulebook] if rulebook else []
    books = [registry.book(name).id for name in wanted]
    names = [*(path.stem for path in submissions), *books]
    if not names:
        raise Unreadable("name a submission, or print a shipped one with --rulebook or --shipped")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Unreadable(f"two of these tables would share the folder {out / twice}; rename one")
    folders = {name: out / name if len(names) > 1 else out for name in names}
    filed = [
        PrintedTable(str(path), folders[path.stem], checked_submission(path, registry), path.parent)
        for path in submissions
    ]
    ready = [
        PrintedTable(f"{book}.toml", folders[book], check(shipped_text(book), registry))
        for book in books
    ]
    return [*filed, *ready]


def _filing(table: PrintedTable, registry: Registry, with_returns: bool) -> Filing:
    """The filing; only the Rules Submission tells findings, and only they need the game solved."""
    submission = table.checked.submission
    assert submission is not None, "tables with errors were told and left"
    more = returns_found(table.checked, submission, registry) if with_returns else ()
    return filing_of(submission, registry, most_serious_first([*table.checked.findings, *more]))


def _figures(filing: Filing) -> Figures:
    with progress_bar() as progress:
        return figures_of(filing, progress)


def _document(table: PrintedTable, filing: Filing, files: dict[str, bytes]) -> dict[str, Any]:
    said = filing.submission
    return {
        "submission": table.source,
        "folder": str(table.folder),
        "table": said.table,
        "rulebook": said.rulebook,
        "version": said.version,
        "approved": said.approved.isoformat() if said.approved else None,
        "rules_hash": rules_hash(filing.rules),
        "submission_hash": submission_hash(said),
        "findings": findings_json(filing.findings),
        "files": {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in files.items()
        },
    }


def _print_written(table: PrintedTable, files: dict[str, bytes]) -> None:
    console = Screen()
    for name, content in files.items():
        size = f"{-(-len(content) // 1024):,} kB"
        console.print(Text(f"{size:>10}  {table.folder / name}"), soft_wrap=True)
