"""``croupier rules``: the rulebooks, the rulings and the traceability matrix."""

from __future__ import annotations

import difflib
import json
import re
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.facts.errors import Unreadable, quoted
from croupier.games.house import House
from croupier.rulebook.book import Rulebook
from croupier.rulebook.citations import lines_citing
from croupier.rulebook.shelf import rulings
from croupier.rulebook.trace import STATUSES, Row, totals

_RULING = re.compile(r"rulings?(?:\s+(\d{1,4}))?", re.IGNORECASE)


def rules(
    *clause: str,
    trace: Annotated[bool, Parameter(negative="")] = False,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
    house: Annotated[House, Parameter(parse=False)],
) -> int:
    """Look up a rulebook, a clause of it, or a ruling; or show the traceability matrix.

    Examples:

        croupier rules

        croupier rules UTH-S

        croupier rules "UTH-S 11.H(1)"

        croupier rules ruling 18

        croupier rules --trace

    Parameters
    ----------
    clause
        A rulebook (UTH-S), a clause ("UTH-S 11.H(1)"), or a ruling (ruling 18).
    trace
        Show how every clause is treated, with totals.
    json_
        Print one JSON document.
    """
    words = " ".join(clause).split()
    if ruling := _RULING.fullmatch(" ".join(words)):
        return _tell_rulings(ruling[1], json_)
    books, wanted = _books_and_clause(house, words)
    if wanted is not None:
        return _tell_clauses(books, wanted, json_)
    if trace:
        return _tell_trace(books, json_)
    return _tell_books(books, json_)


def _books_and_clause(house: House, words: list[str]) -> tuple[list[Rulebook], str | None]:
    """The books asked for, all of them when none is named, and the clause asked for."""
    named = {book.id.upper(): book for book in house.books.values()}
    if words and words[0].upper() in named:
        books, rest = [named[words[0].upper()]], words[1:]
    else:
        books, rest = list(named.values()), words
    if len(rest) > 1:
        known = ", ".join(house.books)
        raise Unreadable(f"write a rulebook and a clause, like UTH-S 11.H(1); there are {known}")
    return books, (rest[0].removeprefix("§") if rest else None)


def _tell_clauses(books: list[Rulebook], wanted: str, as_json: bool) -> int:
    found = {book: {c: r for c, r in book.trace.items() if _is_in(c, wanted)} for book in books}
    if not any(found.values()):
        raise Unreadable(_no_such_clause(books, wanted))
    if as_json:
        _print_rows(found)
        return 0
    console = Console()
    for book, rows in found.items():
        for clause, row in rows.items():
            _tell_row(book, clause, row, console)
    return 0


def _is_in(clause: str, wanted: str) -> bool:
    """The clause asked for, and every clause below it."""
    inside = clause.startswith(wanted) and clause[len(wanted) : len(wanted) + 1] in ("(", ".")
    return clause == wanted or inside


def _no_such_clause(books: list[Rulebook], wanted: str) -> str:
    known = list(dict.fromkeys(clause for book in books for clause in book.trace))
    near = difflib.get_close_matches(wanted[:40], known, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; clauses look like 11.H(1)"
    where = f"{books[0].id} has no" if len(books) == 1 else "no rulebook has a"
    return f"{where} clause {quoted(wanted)}{hint}"


def _print_rows(chosen: dict[Rulebook, dict[str, Row]]) -> None:
    documents = {
        book.id: {clause: _row_document(book, clause, row) for clause, row in rows.items()}
        for book, rows in chosen.items()
        if rows
    }
    print(json.dumps(documents))


def _row_document(book: Rulebook, clause: str, row: Row) -> dict[str, Any]:
    document: dict[str, Any] = {
        "status": row.status,
        "means": row.means,
        "says": list(lines_citing(book, clause)),
        "rulings": _rulings_on(book.cite(clause)),
        "code": list(row.code),
        "tests": list(row.tests),
    }
    return document | {k: v for k, v in (("awaits", row.awaits), ("reason", row.reason)) if v}


def _rulings_on(cited: str) -> list[int]:
    return [number for number, ruling in rulings().items() if cited in ruling.clauses]


def _tell_row(book: Rulebook, clause: str, row: Row, console: Console) -> None:
    head = Text(book.cite(clause), style="bold").append(f"  {row.status}", style="not bold cyan")
    if row.awaits:
        head.append(f", comes with {row.awaits}", style="not bold dim")
    console.print(head)
    console.print(Text(f"  {row.means}"))
    if row.reason:
        console.print(Text(f"  Only people can: {row.reason}"))
    for line in lines_citing(book, clause):
        console.print(Text(f"  {line}", style="green"))
    for number in _rulings_on(book.cite(clause)):
        console.print(Text(f"  Ruling {number}: {rulings()[number].title}", style="yellow"))
    for label, places in (("code", row.code), ("test", row.tests)):
        for place in places:
            console.print(Text(f"  {label}  {place}", style="dim"), soft_wrap=True)


def _tell_rulings(number: str | None, as_json: bool) -> int:
    if number is not None and int(number) not in rulings():
        raise Unreadable(f"there is no ruling {number}; they are numbered 1 to {max(rulings())}")
    chosen = [rulings()[int(number)]] if number is not None else list(rulings().values())
    if as_json:
        print(json.dumps(msgspec.to_builtins(chosen)))
        return 0
    console = Console()
    for ruling in chosen:
        console.print(Text(f"Ruling {ruling.number}: {ruling.title}", style="bold"))
        console.print(Text(f"  {ruling.says}"))
        if ruling.clauses:
            console.print(Text(f"  reads {', '.join(ruling.clauses)}", style="dim"))
    return 0


def _tell_trace(books: list[Rulebook], as_json: bool) -> int:
    if as_json:
        _print_rows({book: book.trace for book in books})
        return 0
    console = Console()
    for book in books:
        for clause, row in book.trace.items():
            console.print(_trace_line(book, clause, row), soft_wrap=True)
    console.print()
    _tell_totals(books, console)
    return 0


def _trace_line(book: Rulebook, clause: str, row: Row) -> Text:
    awaits = f", comes with {row.awaits}" if row.awaits else ""
    tests = f", {len(row.tests)} {'test' if len(row.tests) == 1 else 'tests'}" if row.tests else ""
    line = Text(book.cite(clause), style="bold")
    line.append(f"  {row.status}{awaits}{tests}", style="not bold cyan")
    return line.append(f"  {row.means}", style="not bold default")


def _tell_totals(books: list[Rulebook], console: Console) -> None:
    columns = {book.id: list(book.trace.values()) for book in books}
    if len(books) > 1:
        columns["all"] = [row for rows in columns.values() for row in rows]
    table = Table(title="How the clauses are treated", title_justify="left", box=None)
    table.add_column("")
    for name in columns:
        table.add_column(name, justify="right")
    for status in STATUSES:
        table.add_row(status, *(f"{totals(rows)[status]:,}" for rows in columns.values()))
    coming = (sum(bool(row.awaits) for row in rows) for rows in columns.values())
    table.add_row("still to come", *(f"{count:,}" for count in coming), style="dim")
    table.add_row("clauses", *(f"{len(rows):,}" for rows in columns.values()), style="bold")
    console.print(table)


def _tell_books(books: list[Rulebook], as_json: bool) -> int:
    if as_json:
        print(json.dumps([msgspec.to_builtins(book, enc_hook=str) for book in books]))
        return 0
    console = Console()
    for book in books:
        _tell_book(book, console, whole=len(books) == 1)
    if len(books) > 1:
        console.print(Text('More: croupier rules UTH-S, or croupier rules "UTH-S 11.H(1)"'))
    return 0


def _tell_book(book: Rulebook, console: Console, whole: bool) -> None:
    console.print(Text(book.id, style="bold").append(f"  {book.title}, {book.edition}"))
    for wager in book.wagers:
        letters = ", ".join(book.paytables.get(wager.name, {}))
        tables = f"paytables {letters}" if letters and not wager.paid_on else ""
        pays = f"pays {wager.pays.odds}" if wager.pays is not None else ""
        console.print(Text(f"  {wager.title:15} {wager.clause:10} {tables or pays}"))
    if book.envy:
        clause = book.envy_bonus.clause if book.envy_bonus else ""
        console.print(Text(f"  {'Envy':15} {clause:10} paytables {', '.join(book.envy)}"))
    if whole:
        for clause in book.trace:
            for line in lines_citing(book, clause):
                console.print(Text(f"  {clause:22} {line}"), soft_wrap=True)
    console.print()
