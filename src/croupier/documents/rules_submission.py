"""The Rules Submission: what the operator chose, for the Commission to approve."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

import msgspec

from croupier.documents.blocks import (
    AnyBlock,
    Columns,
    Document,
    Fact,
    Facts,
    Grid,
    Heading,
    Prose,
)
from croupier.documents.filing import Filing
from croupier.documents.layout.texts import statements
from croupier.documents.round_words import hand_words
from croupier.documents.submission_options import SubmissionOption, options, sections
from croupier.games.rules import ENVY
from croupier.rulebook.book import Paytable, Rulebook
from croupier.rulebook.loader import rulings

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
    imprint = filing.imprint("")
    yield Heading("Findings")
    if not filing.findings:
        yield Prose("None. The submission was checked against every rule of its rulebook.")
    else:
        yield Prose("No error. These points are allowed and worth a second look:")
        rows = tuple((found.sentence, found.clause or "") for found in filing.findings)
        yield Grid(("Finding", "Clause"), rows, "ll", widths=(1, 0))
    yield Prose(
        f"Rules hash (SHA-256): {imprint.digest}. It covers what decides money: the rulebook, the "
        "wagers offered, their paytables, the stake, the cards and the resets of the Progressive, "
        "and the payout limit. sha256sum of rules.json, written with this document, gives it.",
        tone="note",
    )
    yield Prose(
        f"Submission hash (SHA-256): {imprint.submission}. It covers every option below, the "
        "limits, boxes, dealing, devices, decks, policies and rates of the meters too, with the "
        "version and the approval date. sha256sum of submission.toml gives it.",
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
            sentence = f"{wager.title} pays {wager.pays.odds} when the player's hand {_wins(book)}."
            yield Prose(sentence, clause=book.cite(wager.pays.clause))
    for said in statements(filing.rules):
        if said.name in ("dealer_needs", "paid_anyway"):
            yield Prose(f"{said.text}.", clause=book.cite(said.clause))
    yield from side_by_side([_lines(title, table) for title, table in titled_tables(filing)])


def _wins(book: Rulebook) -> str:
    return {"win": "is higher than the dealer's or equal to it"}.get(
        book.contest.tie.outcome, "is higher than the dealer's"
    )


def titled_tables(filing: Filing) -> Iterator[tuple[str, Paytable]]:
    """Every paytable that pays at this table, Envy last."""
    for wager, letter, table in filing.paytables():
        yield f"{wager.title}{f', paytable {letter}' if letter else ''}", table
    if filing.rules.envy is not None:
        letter = dict(filing.rules.letters)[ENVY]
        yield f"Envy, paytable {letter}, for each other box", filing.rules.envy


def _lines(title: str, table: Paytable) -> Grid:
    rows = tuple((hand_words(line, table), str(line.odds), line.clause) for line in table.lines)
    return Grid(("Hand", "Pays", "Clause"), rows, "lrr", caption=title, widths=(1, 0, 0))


def side_by_side(blocks: list[Grid]) -> Iterator[AnyBlock]:
    """Two tables a row."""
    for left, right in zip_longest(blocks[::2], blocks[1::2]):
        yield Columns(((left,), (right,) if right is not None else ()))


def _readings(filing: Filing) -> Iterator[AnyBlock]:
    """Where the text of the rulebook is silent or at odds, how it is read at this table."""
    cited = {clause for option in options(filing) for clause in option.clause.split("\n")} | {
        filing.book.cite(line.clause) for _, _, table in filing.paytables() for line in table.lines
    }
    relied = set(_relied_on(filing))
    used = [r for r in rulings().values() if r.number in relied or cited & {*r.clauses}]
    if used:
        yield Heading("Readings this submission relies on")
        yield Prose("Where the text is silent, torn or at odds, the game is dealt as follows.")
        for ruling in used:
            says, number = ruling.says.replace("`", ""), f"Ruling {ruling.number}"
            yield Prose(says, clause=number, head=f"{ruling.title}.")


def _relied_on(filing: Filing) -> Iterator[int]:
    """The rulings that the findings and the lines of the rulebook in use at this table name."""
    for finding in filing.findings:
        yield from finding.rulings
    book, said = filing.book, filing.submission
    offered, ways = said.progressive is not None, (said.dealing.method, *said.dealing.fallbacks)
    yield from _named(
        [
            *(book.table.boxes_a_player, book.opening, book.contest, book.irregularities),
            *(filing.offered(), [table for _, _, table in filing.paytables()]),
            [book.progressive, book.envy_bonus, filing.rules.envy] if offered else None,
            book.payout_limit if said.payout_limit_cents is not None else None,
            book.table.electronic if said.electronic else None,
            [book.way(name) for name in ways],
        ]
    )


def _named(lines: object) -> Iterator[int]:
    """Every ruling that lines of a rulebook name, and the lines inside them."""
    if isinstance(lines, list | tuple):
        for line in lines:
            yield from _named(line)
    elif isinstance(lines, msgspec.Struct):
        for field in lines.__struct_fields__:
            value = getattr(lines, field)
            if field.endswith("ruling") and value is not None:
                yield value
            yield from _named(value)


def _changes(old: Filing, new: Filing) -> Iterator[AnyBlock]:
    before = old.submission.version or "not numbered"
    yield Heading(f"Changes since version {before}")
    rows = tuple(changed(old, new))
    if not rows:
        yield Prose(f"Nothing has changed since version {before}.")
        return
    columns = ("What", "Before", "Now", "Clause")
    yield Grid(columns, rows, "llll", widths=(0, 1, 1, 0))
    said = old.imprint("")
    yield Prose(
        f"Rules hash of version {before}: {said.digest}. Submission hash: {said.submission}.",
        tone="note",
    )


def changed(old: Filing, new: Filing) -> Iterator[tuple[str, str, str, str]]:
    """What each option is called, what held before, what holds now, and the clause of each.

    Where another paytable is chosen, every line that it pays otherwise follows.
    """
    was, now = _by_key(old), _by_key(new)
    lines = dict(_lines_changed(old, new))
    for key in dict.fromkeys((*now, *was)):
        (title, before), (other, after) = was.get(key, ("", None)), now.get(key, ("", None))
        if before is None or after is None or before.says != after.says:
            clauses = dict.fromkeys(o.clause for o in (before, after) if o is not None and o.clause)
            cited = "\n".join(clauses)
            yield other or title, _said(before, "added"), _said(after, "removed"), cited
        yield from lines.get(key, ())


def _by_key(filing: Filing) -> dict[str, tuple[str, SubmissionOption]]:
    """Every option by its key, with what it is called where its heading is not above it."""
    return {
        option.key: (f"{heading}: {option.label}", option)
        for heading, chosen in sections(filing)
        for option in chosen
        if option.key
    }


def _lines_changed(
    old: Filing, new: Filing
) -> Iterator[tuple[str, list[tuple[str, str, str, str]]]]:
    """By key of a paytable that both versions have: the lines that are paid otherwise."""
    was = {wager.name: (wager.title, table) for wager, _, table in old.paytables()}
    now = {wager.name: (wager.title, table) for wager, _, table in new.paytables()}
    for filing, tables in ((old, was), (new, now)):
        if filing.rules.envy is not None:
            tables[ENVY] = ("Envy", filing.rules.envy)
    for name in was.keys() & now.keys():
        title, table = now[name]
        before = {line.phrase: str(line.odds) for line in was[name][1].lines}
        after = {line.phrase: str(line.odds) for line in table.lines}
        yield (
            f"paytables.{name}",
            [
                (f"{title}, {phrase}", before.get(phrase, "-"), after.get(phrase, "-"), "")
                for phrase in dict.fromkeys((*after, *before))
                if before.get(phrase) != after.get(phrase)
            ],
        )


def _said(option: SubmissionOption | None, absent: str) -> str:
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
