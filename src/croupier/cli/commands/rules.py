"""``croupier rules``: the rulebooks, the rulings and the traceability matrix."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.paytables import book_report, wager_named, wager_report
from croupier.documents.blocks import AnyBlock, Grid, Heading, Prose
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.names import known_name
from croupier.games.registry import Registry
from croupier.games.variants import variations_of
from croupier.rulebook.book import Rulebook
from croupier.rulebook.citations import lines_citing
from croupier.rulebook.loader import Ruling, rulings, rulings_on
from croupier.rulebook.trace import STATUSES, Row, totals
from croupier.rulebook.volume import BookFault

_RULING = re.compile(r"rulings?(?:\s+(\d{1,4}))?", re.IGNORECASE)
_MOST_FOUND = 12


def rules(
    *clause: str,
    trace: Annotated[bool, Parameter(negative="")] = False,
    variants: Annotated[bool, Parameter(negative="")] = False,
    json_: AsJson = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Look up a rulebook, a clause, a paytable or a ruling.

    With --trace: how each clause is treated, by which code and which tests.

    For example:

        croupier rules UTH-S

        croupier rules "UTH-S 11.H(1)"

        croupier rules UTH-S blind B

        croupier rules envy

        croupier rules ruling 18

        croupier rules --trace

        croupier rules UTH-S --variants

    Parameters
    ----------
    clause
        A rulebook (UTH-S), a clause ("UTH-S 11.H(1)"), a wager and paytable (UTH-S blind B), a
        ruling (ruling 18), or a word to search for.
    trace
        Show how every clause is treated, where in code, and by which tests it is proved.
    variants
        Show every rule that --vary can say otherwise, with its values.
    json_
        Print one JSON document.
    """
    words = " ".join(clause).split()
    if ruling := _RULING.fullmatch(" ".join(words)):
        return _print_rulings(ruling[1], json_)
    books, rest = _named_books(registry, words)
    if variants:
        return _print_variants(registry, books, rest, trace=trace, as_json=json_)
    if not rest:
        faults = registry.faults.values() if not words else ()
        return _print_trace(_traced(books), json_) if trace else _print_books(books, faults, json_)
    if found := _clauses(books, rest):
        return _print_clauses(found, trace, json_)
    if json_:
        raise Unreadable(_no_such_clause(books, " ".join(rest)))
    if wager := wager_named(books, rest):
        read_in = tuple(_rulings_named(wager[0].replace("_", " ")))
        show([*wager_report(books, *wager), *([read_in] if read_in else [])], Screen())
    else:
        show([_found(books, " ".join(rest))], Screen())
    return 0


def _named_books(registry: Registry, words: list[str]) -> tuple[list[Rulebook], list[str]]:
    """The books whose name is written first, all of them when none is, and the other words."""
    books = list(registry.books.values())
    if words:
        name = words[0].upper()
        named = [book for book in books if name in (book.id.upper(), book.id.split("-")[0].upper())]
        if named:
            return named, words[1:]
        for fault in registry.faults.values():
            if name == fault.book.upper():
                raise Unreadable(fault.why)
    return books, words


def _print_variants(
    registry: Registry, books: list[Rulebook], rest: list[str], *, trace: bool, as_json: bool
) -> int:
    """What may be varied in each book."""
    if rest or trace:
        if rest and len(books) == len(registry.books):
            known_name(rest[0], registry.books, "rulebook")
        raise Unreadable("--variants takes a rulebook or none, and nothing else")
    found = {book.id: variations_of(registry.game_of(book), book).values() for book in books}
    if as_json:
        told = {
            book: {rule.name: {"means": rule.means, "values": rule.values} for rule in rules}
            for book, rules in found.items()
        }
        print_json(told)
        return 0
    report: list[AnyBlock] = []
    for book, rules in found.items():
        report.append(Heading(book))
        for rule in rules:
            report.append(Prose(f"  {rule.means}", head=f"  {rule.name}", tone="lead"))
            report.append(Prose(rule.values, tone="note", indent=6))
    show([report], Screen())
    return 0


def _traced(books: list[Rulebook]) -> list[Rulebook]:
    """Those with a regulation to be traced to; house rules only where they alone are asked for."""
    return [book for book in books if book.regulated] or books


def _clauses(books: list[Rulebook], words: list[str]) -> dict[Rulebook, dict[str, Row]]:
    """By book: the clause these words are, and every clause below it."""
    wanted = "".join(words).removeprefix("§").lower()
    found = {}
    for book in books:
        rows = {c: row for c, row in book.trace.items() if _is_in(c.lower(), wanted)}
        if rows:
            found[book] = rows
    return found


def _is_in(clause: str, wanted: str) -> bool:
    inside = clause.startswith(wanted) and clause[len(wanted) : len(wanted) + 1] in ("(", ".")
    return clause == wanted or inside


def _print_clauses(found: dict[Rulebook, dict[str, Row]], with_trace: bool, as_json: bool) -> int:
    if as_json:
        _print_rows_json(found)
        return 0
    rows = ((book, *row) for book, rows in found.items() for row in rows.items())
    show([chain.from_iterable(_row_report(*row, with_trace) for row in rows)], Screen())
    return 0


def _found(books: list[Rulebook], word: str) -> list[AnyBlock]:
    """Rulings and clauses in which the word stands."""
    needle = word.lower()
    found = [r for r in rulings().values() if needle in f"{r.title} {r.says}".lower()]
    rows = [
        (book, clause, row)
        for book in books
        for clause, row in book.trace.items()
        if needle in row.means.lower()
    ]
    if (not found and not rows) or word.isdigit():
        raise Unreadable(_no_such_clause(books, word))
    report: list[AnyBlock] = [*map(_named, found)]
    for book, clause, row in rows[:_MOST_FOUND]:
        report.append(Prose(f"  {row.means}", head=book.cite(clause), tone="lead"))
    if len(rows) > _MOST_FOUND:
        more = f"and {len(rows) - _MOST_FOUND} more clauses; name a rulebook"
        report.append(Prose(more, tone="note"))
    return report


def _rulings_named(word: str) -> Iterator[Prose]:
    return (_named(ruling) for ruling in rulings().values() if word in ruling.title.lower())


def _named(ruling: Ruling) -> Prose:
    return Prose(f"Ruling {ruling.number}: {ruling.title}", tone="ruling")


def _no_such_clause(books: list[Rulebook], wanted: str) -> str:
    known = list(dict.fromkeys(clause for book in books for clause in book.trace))
    where = f"{books[0].id} has no" if len(books) == 1 else "no rulebook has a"
    above = wanted.rpartition("(")[0]
    below = [clause for clause in known if clause.rpartition("(")[0] == above and above in known]
    named = [book.id for book in books] if len(books) > 1 else []
    near = difflib.get_close_matches(wanted[:40], [*named, *known], n=3)
    if below:
        hint = f"{above} goes from {below[0]} to {below[-1]}"
    elif wanted.isdigit() and int(wanted) in rulings():
        hint = f"did you mean: croupier rules ruling {wanted}"
    else:
        hint = f"did you mean {' or '.join(near)}?" if near else "clauses look like 11.H(1)"
    return f"{where} clause {quoted(wanted)}; {hint}"


def _print_rows_json(chosen: dict[Rulebook, dict[str, Row]]) -> None:
    documents = {
        book.id: {clause: _row_document(book, clause, row) for clause, row in rows.items()}
        for book, rows in chosen.items()
    }
    print_json(documents)


def _row_document(book: Rulebook, clause: str, row: Row) -> dict[str, Any]:
    document: dict[str, Any] = {
        "status": row.status,
        "means": row.means,
        "says": list(lines_citing(book, clause)),
        "rulings": [ruling.number for ruling in rulings_on(book, clause)],
        "code": list(row.code),
        "tests": list(row.tests),
    }
    rest = {"acts": list(row.acts), "awaits": row.awaits, "reason": row.reason}
    return document | {name: said for name, said in rest.items() if said}


def _row_report(book: Rulebook, clause: str, row: Row, with_trace: bool) -> Iterator[Prose]:
    awaits = f", comes with {row.awaits}" if row.awaits else ""
    yield Prose(f"  {row.status}{awaits}", head=book.cite(clause), tone="lead")
    yield Prose(row.means, indent=2)
    if row.reason:
        yield Prose(f"Only people can: {row.reason}", indent=2)
    if row.acts:
        label = "Follows from" if row.status == "implied" else "Said in"
        yield Prose(f"{label}: {', '.join(row.acts)}", indent=2)
    for line in lines_citing(book, clause):
        yield Prose(line, tone="rule", indent=2)
    for ruling in rulings_on(book, clause):
        yield msgspec.structs.replace(_named(ruling), indent=2)
    if with_trace:
        for label, places in (("code", row.code), ("test", row.tests)):
            for place in places:
                yield Prose(f"  {label}  {place}")
    elif row.tests:
        yield Prose(
            f"proved by {_count(len(row.tests))}; --trace names them", tone="note", indent=2
        )


def _count(tests: int) -> str:
    return "1 test" if tests == 1 else f"{tests} tests"


def _print_rulings(number: str | None, as_json: bool) -> int:
    if number is not None and int(number) not in rulings():
        raise Unreadable(f"there is no ruling {number}; they are numbered 1 to {max(rulings())}")
    chosen = [rulings()[int(number)]] if number is not None else list(rulings().values())
    if as_json:
        print_json(msgspec.to_builtins(chosen))
        return 0
    if number is None:
        listed = tuple((f"{ruling.number}", ruling.title) for ruling in chosen)
        more = Prose("One of them: croupier rules ruling 18", tone="note")
        show([(Grid(("", ""), listed, "rl"), more)], Screen())
        return 0
    show([_ruling_report(chosen[0])], Screen())
    return 0


def _ruling_report(ruling: Ruling) -> Iterator[Prose]:
    yield Prose(f"Ruling {ruling.number}: {ruling.title}", tone="lead")
    yield Prose(ruling.says, indent=2)
    if ruling.clauses:
        yield Prose(f"It reads {', '.join(ruling.clauses)}.", tone="note", indent=2)


def _print_trace(books: list[Rulebook], as_json: bool) -> int:
    if as_json:
        _print_rows_json({book: book.trace for book in books})
        return 0
    lines = (_trace_line(book, *row) for book in books for row in book.trace.items())
    show([lines, (_totals(books),)], Screen())
    return 0


def _trace_line(book: Rulebook, clause: str, row: Row) -> Prose:
    awaits = f", comes with {row.awaits}" if row.awaits else ""
    tests = f", {_count(len(row.tests))}" if row.tests else ""
    said = f"  {row.status}{awaits}{tests}  {row.means}"
    return Prose(said, head=book.cite(clause), tone="lead")


def _totals(books: list[Rulebook]) -> Grid:
    columns = {book.id: list(book.trace.values()) for book in books}
    if len(books) > 1:
        columns["all"] = [row for rows in columns.values() for row in rows]
    lines = []
    for status in STATUSES:
        for when, later in (("", False), (", to come", True)):
            parts = ([r for r in rows if bool(r.awaits) is later] for rows in columns.values())
            counts = [totals(part)[status] for part in parts]
            if any(counts):
                lines.append((f"{status}{when}", *(f"{count:,}" for count in counts)))
    lines.append(("clauses", *(f"{len(rows):,}" for rows in columns.values())))
    return Grid(
        ("", *columns),
        tuple(lines),
        "l" + "r" * len(columns),
        caption="How the clauses are treated",
        marked=(len(lines) - 1,),
    )


def _print_books(books: list[Rulebook], faults: Iterable[BookFault], as_json: bool) -> int:
    if as_json:
        print_json([msgspec.to_builtins(book, enc_hook=str) for book in books])
        return 0
    rest: list[AnyBlock] = [Prose(f"Not read: {fault.why}", tone="fail") for fault in faults]
    if len(books) > 1:
        rest.append(Prose('More: croupier rules UTH-S, or croupier rules "UTH-S 11.H(1)"'))
    told = chain.from_iterable(book_report(book, whole=len(books) == 1) for book in books)
    show([*told, *([rest] if rest else [])], Screen())
    return 0
