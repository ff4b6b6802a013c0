"""The Rules Submission: what the operator chose, for the Commission to approve."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from croupier.documents.filing import Filing
from croupier.documents.options import Option, options, sections
from croupier.documents.paper import (
    AnyBlock,
    Columns,
    Document,
    Fact,
    Facts,
    Grid,
    Heading,
    Prose,
)
from croupier.documents.round_words import capital
from croupier.rulebook.book import Paytable
from croupier.rulebook.shelf import rulings

LEAD = (
    "This submission states the options under which the game is offered at this table. Beside each "
    "stands the clause of the rulebook that provides for it; the words are ours, the clause is "
    "the rule."
)


def rules_submission(filing: Filing, against: Filing | None = None) -> Document:
    """The document, with what changed since ``against`` where a version went before."""
    blocks = (
        Prose(LEAD, tone="lead"),
        *_findings(filing),
        *(_changes(against, filing) if against is not None else ()),
        *_chosen(filing),
        *_printed(filing),
        *_readings(filing),
        *_signatures(filing),
    )
    return Document(filing.imprint("Rules Submission"), blocks)


def _findings(filing: Filing) -> Iterator[AnyBlock]:
    digest = filing.imprint("").digest
    yield Heading("Findings")
    if not filing.findings:
        yield Prose("None. The submission was checked against every rule of its rulebook.")
    else:
        yield Prose("No error. These points are allowed and worth a second look:")
        rows = tuple((found.sentence, found.clause or "") for found in filing.findings)
        yield Grid(("Finding", "Clause"), rows, "ll", widths=(1, 0))
    yield Prose(
        f"Rules hash (SHA-256): {digest}. It covers everything that decides money and order; "
        "sha256sum of the file rules.json, written with this document, gives the same.",
        tone="note",
    )


def _chosen(filing: Filing) -> Iterator[AnyBlock]:
    for title, chosen in sections(filing):
        yield Heading(title)
        yield Facts(tuple(Fact(option.label, option.says, option.clause) for option in chosen))


def _printed(filing: Filing) -> Iterator[AnyBlock]:
    """Every line that can be paid at this table."""
    book = filing.book
    yield Heading("What is paid")
    for wager in filing.offered():
        if wager.pays is not None:
            sentence = f"{wager.title} pays {wager.pays.odds} when the player's hand wins."
            yield Prose(sentence, clause=book.cite(wager.pays.clause))
    yield from side_by_side([_lines(title, table) for title, table in titled_tables(filing)])


def titled_tables(filing: Filing) -> Iterator[tuple[str, Paytable]]:
    """Every paytable that pays at this table, Envy last."""
    for wager, letter, table in filing.paytables():
        yield f"{wager.title}{f', paytable {letter}' if letter else ''}", table
    if filing.rules.envy is not None:
        letter = dict(filing.rules.letters)["envy"]
        yield f"Envy, paytable {letter}, for each other box", filing.rules.envy


def _lines(title: str, table: Paytable) -> Grid:
    rows = tuple((capital(line.phrase), str(line.odds), line.clause) for line in table.lines)
    return Grid(("Hand", "Pays", "Clause"), rows, "lrr", caption=title, widths=(1, 0, 0))


def side_by_side(blocks: list[Grid]) -> Iterator[AnyBlock]:
    """Two tables a row."""
    for left, right in zip_longest(blocks[::2], blocks[1::2]):
        yield Columns(((left,), (right,) if right is not None else ()))


def _readings(filing: Filing) -> Iterator[AnyBlock]:
    """Where the text of the rulebook is silent or at odds, how it is read at this table."""
    cited = {option.clause for option in options(filing)} | {
        filing.book.cite(line.clause) for _, _, table in filing.paytables() for line in table.lines
    }
    used = [ruling for ruling in rulings().values() if cited & {*ruling.clauses}]
    if used:
        yield Heading("Readings this submission relies on")
        yield Prose("Where the text is silent, torn or at odds, the game is dealt as follows.")
        for ruling in used:
            says, number = ruling.says.replace("`", ""), f"Ruling {ruling.number}"
            yield Prose(says, clause=number, head=f"{ruling.title}.")


def _changes(old: Filing, new: Filing) -> Iterator[AnyBlock]:
    before = old.submission.version or "not numbered"
    yield Heading(f"Changes since version {before}")
    rows = tuple(changed(old, new))
    if not rows:
        yield Prose(f"Nothing has changed since version {before}.")
        return
    columns = ("What", "Before", "Now", "Clause")
    yield Grid(columns, rows, "llll", widths=(0, 1, 1, 0))
    digest = old.imprint("").digest
    yield Prose(f"Rules hash of version {before}: {digest}.", tone="note")


def changed(old: Filing, new: Filing) -> Iterator[tuple[str, str, str, str]]:
    """By option: the key, what held before, what holds now, and the clause of each."""
    was = {option.key: option for option in options(old) if option.key}
    now = {option.key: option for option in options(new) if option.key}
    for key in dict.fromkeys((*now, *was)):
        before, after = was.get(key), now.get(key)
        if before is None or after is None or before.says != after.says:
            clauses = dict.fromkeys(o.clause for o in (before, after) if o is not None and o.clause)
            yield key, _said(before, "added"), _said(after, "removed"), "\n".join(clauses)


def _said(option: Option | None, absent: str) -> str:
    return option.says if option is not None else f"({absent})"


def _signatures(filing: Filing) -> Iterator[AnyBlock]:
    yield Heading("Signatures")
    line = "." * 60
    yield Facts(
        (
            Fact("For the operator", f"{filing.submission.operator}"),
            Fact("Name and signature", line),
            Fact("For the Commission", line),
            Fact("Date", line),
        )
    )
