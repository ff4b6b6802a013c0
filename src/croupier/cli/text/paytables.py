"""Rulebooks and paytables as reports: tables side by side, hand and odds, one line each."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.documents.blocks import AnyBlock, Columns, Grid, Heading, Prose
from croupier.facts.errors import Refusal
from croupier.facts.odds import Push
from croupier.games.rules import ENVY
from croupier.rulebook.book import Paytable, Rulebook

TitledPaytable = tuple[str, Paytable]


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


def wager_report(
    books: list[Rulebook], name: str, letter: str | None
) -> Iterator[tuple[AnyBlock, ...]]:
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
            yield _side_by_side(book, name, tables)
        elif book.has_wager(name) and (pays := book.wager(name).pays):
            yield (Prose(f"{book.cite(pays.clause)}  {name} pays {pays.odds}"),)


def book_report(book: Rulebook, whole: bool) -> Iterator[tuple[AnyBlock, ...]]:
    """A book in a few lines, or with every paytable it has."""
    head = Prose(f"  {book.title}, {book.edition}", head=book.id, tone="lead")
    yield head, Grid(("", "", ""), tuple(_wager_rows(book)), "lll")
    if whole:
        yield (Grid(("", ""), tuple(_table_and_deck(book)), "ll"),)
        for name in [*book.paytables, *([ENVY] if book.envy else [])]:
            yield _side_by_side(book, name, dict(_tables(book, name)))


def _wager_rows(book: Rulebook) -> Iterator[tuple[str, str, str]]:
    for wager in book.wagers:
        letters = ", ".join(book.paytables.get(wager.name, {}))
        tables = f"paytables {letters}" if letters and not wager.paid_on else "one paytable"
        pays = f"pays {wager.pays.odds}" if wager.pays is not None else tables
        yield wager.title, wager.clause, pays
    if book.envy_bonus is not None:
        yield "Envy", book.envy_bonus.clause, f"paytables {', '.join(book.envy)}"


def _table_and_deck(book: Rulebook) -> Iterator[tuple[str, str]]:
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
        yield words, counted.clause
    for way in book.dealing:
        yield f"dealt {way.title}", way.clause


def _tables(book: Rulebook, name: str) -> Iterator[TitledPaytable]:
    if name == ENVY:
        for letter, by_stake in book.envy.items():
            for stake, table in by_stake.items():
                yield f"{letter} {stake}", table
    yield from book.paytables.get(name, {}).items()


def _side_by_side(
    book: Rulebook, name: str, tables: dict[str, Paytable]
) -> tuple[Heading, Columns]:
    title = "Envy" if name == ENVY else book.wager(name).title
    grids = tuple((_grid(letter, table),) for letter, table in tables.items())
    return Heading(f"{book.id} {title}"), Columns(grids)


def _grid(letter: str, table: Paytable) -> Grid:
    lines = [
        (line.phrase, "pushes" if isinstance(line.odds, Push) else str(line.odds))
        for line in table.lines
    ]
    meters = [(f"{meter.name} meter at least", meter.least) for meter in table.meters]
    return Grid(("", ""), (*lines, *meters), "ll", caption=f"{letter}  {table.clause}")
