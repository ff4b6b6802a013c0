"""Rulebooks and paytables printed side by side: hand and odds, one line each."""

from __future__ import annotations

from collections.abc import Iterator

from rich.columns import Columns
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.facts.errors import Refusal
from croupier.facts.odds import Push
from croupier.games.rules import ENVY
from croupier.rulebook.book import Paytable, Rulebook

Titled = tuple[str, Paytable]


def wager_named(books: list[Rulebook], words: list[str]) -> tuple[str, str | None] | None:
    """The wager these words name, and the letter of its paytable where one is written."""
    names = {ENVY: ENVY}
    for book in books:
        for wager in book.wagers:
            names |= {wager.name.replace("_", " "): wager.name, wager.title.lower(): wager.name}
    said = " ".join(words).replace("_", " ").lower()
    if said in names:
        return names[said], None
    most, _, last = said.rpartition(" ")
    return (names[most], last) if most in names else None


def print_wager(books: list[Rulebook], name: str, letter: str | None, console: Console) -> None:
    """The paytables of one wager, side by side."""
    for book in books:
        tables = dict(_tables(book, name))
        if letter is not None:
            tables = {t: table for t, table in tables.items() if t.lower().split()[0] == letter}
            if not tables and len(books) == 1:
                known = ", ".join(dict(_tables(book, name)))
                raise Refusal(
                    f"{book.id} has no paytable {letter} of {name.replace('_', ' ')}; "
                    f"it has {known or 'none'}",
                    book.cite(book.refusals.wagers),
                )
        if tables:
            _print_tables(book, name, tables, console)
        elif book.has_wager(name) and (pays := book.wager(name).pays):
            console.print(Text(f"{book.cite(pays.clause)}  {name} pays {pays.odds}"))


def print_book(book: Rulebook, console: Console, whole: bool) -> None:
    """A book in a few lines, or with every paytable it has."""
    console.print(Text(book.id, style="bold").append(f"  {book.title}, {book.edition}", "not bold"))
    for wager in book.wagers:
        letters = ", ".join(book.paytables.get(wager.name, {}))
        tables = f"paytables {letters}" if letters and not wager.paid_on else "one paytable"
        pays = f"pays {wager.pays.odds}" if wager.pays is not None else tables
        console.print(Text(f"  {wager.title:15} {wager.clause:12} {pays}"))
    if book.envy_bonus is not None:
        letters = ", ".join(book.envy)
        console.print(Text(f"  {'Envy':15} {book.envy_bonus.clause:12} paytables {letters}"))
    if whole:
        console.print()
        _print_table_and_deck(book, console)
        for name in [*book.paytables, *([ENVY] if book.envy else [])]:
            _print_tables(book, name, dict(_tables(book, name)), console)
    else:
        console.print()


def _print_table_and_deck(book: Rulebook, console: Console) -> None:
    deck, hours = book.deck, book.deck.change_hours_by_hand
    facts = {
        f"{book.table.boxes.count} boxes": book.table.boxes,
        f"{deck.decks.count} deck of {deck.cards.count} cards": deck.decks,
        f"{deck.decks_with_shuffler.count} decks with a shuffler": deck.decks_with_shuffler,
        f"{hours.count} hours for a deck dealt by hand": hours,
        f"{deck.change_hours_otherwise.count} hours otherwise": deck.change_hours_otherwise,
        f"a cut of {book.shuffle.cut_least.count} cards or more": book.shuffle.cut_least,
    }
    for words, counted in facts.items():
        console.print(Text(f"  {words:57}{counted.clause}"))
    for way in book.dealing:
        console.print(Text(f"  {'dealt ' + way.title:57}{way.clause}"), soft_wrap=True)
    console.print()


def _tables(book: Rulebook, name: str) -> Iterator[Titled]:
    if name == ENVY:
        for letter, by_stake in book.envy.items():
            for stake, table in by_stake.items():
                yield f"{letter} {stake}", table
    yield from book.paytables.get(name, {}).items()


def _print_tables(book: Rulebook, name: str, tables: dict[str, Paytable], console: Console) -> None:
    title = "Envy" if name == ENVY else book.wager(name).title
    console.print(Text(f"{book.id} {title}", style="bold"))
    console.print(Columns([_as_table(letter, table) for letter, table in tables.items()]))
    console.print()


def _as_table(letter: str, table: Paytable) -> Table:
    shown = Table(
        title=f"{letter}  {table.clause}", title_style="bold", title_justify="left", box=None,
        show_header=False, pad_edge=False, padding=(0, 2, 0, 0),
    )  # fmt: skip
    for line in table.lines:
        shown.add_row(line.phrase, "pushes" if isinstance(line.odds, Push) else str(line.odds))
    for meter in table.meters:
        shown.add_row(f"{meter.name} meter at least", meter.least, style="dim")
    return shown
