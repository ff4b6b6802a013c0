"""``croupier rules``: the rulebooks, the rulings and the traceability matrix."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier.cli.screen import Screen
from croupier.cli.text.paytables import print_book, print_wager, wager_named
from croupier.facts.errors import Unreadable, quoted
from croupier.games.registry import Registry
from croupier.games.variants import variations_of
from croupier.rulebook.book import Rulebook
from croupier.rulebook.citations import lines_citing
from croupier.rulebook.loader import Ruling, rulings
from croupier.rulebook.trace import STATUSES, Row, totals
from croupier.rulebook.volume import BookFault

_RULING = re.compile(r"rulings?(?:\s+(\d{1,4}))?", re.IGNORECASE)
_MOST_FOUND = 12


def rules(
    *clause: str,
    trace: Annotated[bool, Parameter(negative="")] = False,
    variants: Annotated[bool, Parameter(negative="")] = False,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
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
    console = Screen()
    if wager := wager_named(books, rest):
        print_wager(books, *wager, console)
        _name_rulings(wager[0].replace("_", " "), console)
        return 0
    return _search(books, " ".join(rest), console)


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
        raise Unreadable("--variants takes a rulebook or none, and nothing else")
    found = {book.id: variations_of(registry.game_of(book), book).values() for book in books}
    if as_json:
        told = {
            book: {rule.name: {"means": rule.means, "values": rule.values} for rule in rules}
            for book, rules in found.items()
        }
        print(json.dumps(told))
        return 0
    console = Screen()
    for book, rules in found.items():
        console.print(Text(book, style="bold"))
        for rule in rules:
            console.print(Text(f"  {rule.name}", "bold").append(f"  {rule.means}", "not bold"))
            console.print(Padding(Text(rule.values, style="dim"), (0, 0, 0, 6)))
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
    console = Screen()
    for book, rows in found.items():
        for clause, row in rows.items():
            _print_row(book, clause, row, with_trace, console)
    return 0


def _search(books: list[Rulebook], word: str, console: Console) -> int:
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
    for ruling in found:
        console.print(Text(f"Ruling {ruling.number}: {ruling.title}", style="yellow"))
    for book, clause, row in rows[:_MOST_FOUND]:
        console.print(Text(book.cite(clause), style="bold").append(f"  {row.means}", "not bold"))
    if len(rows) > _MOST_FOUND:
        console.print(Text(f"and {len(rows) - _MOST_FOUND} more clauses; name a rulebook", "dim"))
    return 0


def _name_rulings(word: str, console: Console) -> None:
    for ruling in rulings().values():
        if word in ruling.title.lower():
            console.print(Text(f"Ruling {ruling.number}: {ruling.title}", style="yellow"))


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
    rest = {"acts": list(row.acts), "awaits": row.awaits, "reason": row.reason}
    return document | {name: said for name, said in rest.items() if said}


def _rulings_on(cited: str) -> list[int]:
    return [number for number, ruling in rulings().items() if cited in ruling.clauses]


def _print_row(book: Rulebook, clause: str, row: Row, with_trace: bool, console: Console) -> None:
    head = Text(book.cite(clause), style="bold").append(f"  {row.status}", style="not bold cyan")
    if row.awaits:
        head.append(f", comes with {row.awaits}", style="not bold dim")
    console.print(head)
    console.print(_indented(row.means))
    if row.reason:
        console.print(_indented(f"Only people can: {row.reason}"))
    if row.acts:
        label = "Follows from" if row.status == "implied" else "Said in"
        console.print(_indented(f"{label}: {', '.join(row.acts)}"))
    for line in lines_citing(book, clause):
        console.print(_indented(line, "green"))
    for number in _rulings_on(book.cite(clause)):
        console.print(_indented(f"Ruling {number}: {rulings()[number].title}", "yellow"))
    if not with_trace:
        if row.tests:
            proved = f"proved by {_count(len(row.tests))}; --trace names them"
            console.print(_indented(proved, "dim"))
        return
    for label, places in (("code", row.code), ("test", row.tests)):
        for place in places:
            console.print(Text(f"  {label}  {place}", style="dim"), soft_wrap=True)


def _count(tests: int) -> str:
    return "1 test" if tests == 1 else f"{tests} tests"


def _indented(words: str, style: str = "") -> Padding:
    return Padding(Text(words, style=style), (0, 0, 0, 2))


def _print_rulings(number: str | None, as_json: bool) -> int:
    if number is not None and int(number) not in rulings():
        raise Unreadable(f"there is no ruling {number}; they are numbered 1 to {max(rulings())}")
    chosen = [rulings()[int(number)]] if number is not None else list(rulings().values())
    if as_json:
        print(json.dumps(msgspec.to_builtins(chosen)))
        return 0
    console = Screen()
    if number is None:
        for ruling in chosen:
            console.print(Text(f"{ruling.number:>3}  {ruling.title}"))
        console.print(Text("One of them: croupier rules ruling 18", style="dim"))
        return 0
    _print_ruling(chosen[0], console)
    return 0


def _print_ruling(ruling: Ruling, console: Console) -> None:
    console.print(Text(f"Ruling {ruling.number}: {ruling.title}", style="bold"))
    console.print(_indented(ruling.says))
    if ruling.clauses:
        console.print(_indented(f"It reads {', '.join(ruling.clauses)}.", "dim"))


def _print_trace(books: list[Rulebook], as_json: bool) -> int:
    if as_json:
        _print_rows_json({book: book.trace for book in books})
        return 0
    console = Screen()
    for book in books:
        for clause, row in book.trace.items():
            console.print(_trace_line(book, clause, row), soft_wrap=True)
    console.print()
    _print_totals(books, console)
    return 0


def _trace_line(book: Rulebook, clause: str, row: Row) -> Text:
    awaits = f", comes with {row.awaits}" if row.awaits else ""
    tests = f", {_count(len(row.tests))}" if row.tests else ""
    line = Text(book.cite(clause), style="bold")
    line.append(f"  {row.status}{awaits}{tests}", style="not bold cyan")
    return line.append(f"  {row.means}", style="not bold default")


def _print_totals(books: list[Rulebook], console: Console) -> None:
    columns = {book.id: list(book.trace.values()) for book in books}
    if len(books) > 1:
        columns["all"] = [row for rows in columns.values() for row in rows]
    table = Table(title="How the clauses are treated", title_justify="left", box=None)
    table.add_column("")
    for name in columns:
        table.add_column(name, justify="right")
    for status in STATUSES:
        for when, later in (("", False), (", to come", True)):
            parts = ([r for r in rows if bool(r.awaits) is later] for rows in columns.values())
            counts = [totals(part)[status] for part in parts]
            if any(counts):
                style = "dim" if later else ""
                table.add_row(f"{status}{when}", *(f"{count:,}" for count in counts), style=style)
    table.add_row("clauses", *(f"{len(rows):,}" for rows in columns.values()), style="bold")
    console.print(table)


def _print_books(books: list[Rulebook], faults: Iterable[BookFault], as_json: bool) -> int:
    if as_json:
        print(json.dumps([msgspec.to_builtins(book, enc_hook=str) for book in books]))
        return 0
    console = Screen()
    for book in books:
        print_book(book, console, whole=len(books) == 1)
    for fault in faults:
        console.print(Text(f"Not read: {fault.why}", style="bold red"), soft_wrap=True)
    if len(books) > 1:
        console.print(Text('More: croupier rules UTH-S, or croupier rules "UTH-S 11.H(1)"'))
    return 0
