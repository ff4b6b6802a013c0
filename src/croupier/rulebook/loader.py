"""The shelf: rulebook TOML read into :class:`~croupier.rulebook.book.Rulebook`, and the rulings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from croupier.facts.errors import Unreadable, quoted
from croupier.facts.names import known_entry
from croupier.facts.odds import Odds, odds
from croupier.facts.toml_text import NotToml, read_toml
from croupier.rulebook.book import Paytable, Rulebook
from croupier.rulebook.citations import clauses_cited, lines_citing
from croupier.rulebook.overlay import overlaid
from croupier.rulebook.suggestion import meant
from croupier.rulebook.volume import Volume

_ROOM = files("croupier.rulebook")
GARBLED = "\N{REPLACEMENT CHARACTER}"
_NAMED_RULINGS = re.compile(r"\brulings? (\d+(?:(?:, | and )\d+)*)")
_PAYTABLE_FORM = 'write lines = [{ for = "flush", pays = "6 to 1" }, ...]'


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How we read the regulations where they are silent, torn or at odds."""

    number: int
    title: str
    says: str
    clauses: tuple[str, ...]


@cache
def shipped_books() -> tuple[Rulebook, ...]:
    """Every rulebook in the folder ``books``, with its trace where it has one of its own."""
    return books_in(_ROOM)


def books_in(folder: Traversable) -> tuple[Rulebook, ...]:
    """Every book of a folder; one that cannot be read is refused with its file and line."""
    books = []
    for volume in volumes_in(folder):
        try:
            books.append(read_volume(volume))
        except Unreadable as error:
            raise Unreadable(volume.fault(error).why) from None
    return tuple(sorted(books, key=lambda book: book.shelf_place))


@cache
def read_volume(volume: Volume) -> Rulebook:
    """The book of a file, one however often it is read."""
    before, garbled, _ = volume.text.partition(GARBLED)
    if garbled:
        raise NotToml("this is not text in UTF-8", before.count("\n") + 1)
    return read_book(volume.text, volume.trace)


def shipped_volumes() -> list[Volume]:
    """The files of the folder ``books``, to be read one by one."""
    return volumes_in(_ROOM)


def volumes_in(folder: Traversable) -> list[Volume]:
    traces = {path.name: path.read_text("utf-8") for path in _tomls(folder / "trace")}
    return [
        Volume(path.name, path.read_bytes().decode("utf-8", "replace"), traces.get(path.name, ""))
        for path in _tomls(folder / "books")
    ]


def _tomls(folder: Traversable) -> list[Traversable]:
    return [path for path in folder.iterdir() if path.name.endswith(".toml")]


@cache
def rulings() -> dict[int, Ruling]:
    entries = tomllib.loads(_shipped("rulings.toml"))["ruling"]
    return {ruling.number: ruling for ruling in msgspec.convert(entries, list[Ruling])}


def rulings_on(book: Rulebook, clause: str) -> list[Ruling]:
    """The rulings that read a clause of the trace, and those that its row names."""
    cited = book.cite(clause)
    named = {
        int(number)
        for numbers in _NAMED_RULINGS.findall(book.trace[clause].means)
        for number in re.findall(r"\d+", numbers)
    }
    return [one for one in rulings().values() if cited in one.clauses or one.number in named]


def read_book(text: str, trace: str = "") -> Rulebook:
    """Read one rulebook; a line nobody knows, or odds nobody writes, is refused."""
    return book_of(read_document(text), trace)


def read_document(text: str) -> dict[str, Any]:
    """What a rulebook says, laid over the base that it may name, short lines written out."""
    document = read_toml(text)
    name = document.pop("base", None)
    if name is not None:
        bases = {path.name.removesuffix(".toml"): path for path in _tomls(_ROOM / "bases")}
        path = known_entry(str(name), bases, "base")
        document = overlaid(read_toml(path.read_text("utf-8")), document)
        document["trace"] = dict(sorted(document.get("trace", {}).items(), key=_in_order))
    write_out_lines(document)
    return document


def write_out_lines(document: dict[str, Any], clause: str | None = None) -> None:
    """Short lines of paytables as whole ones; with a clause, whatever cites none cites it."""
    for tables in _tables(document.get("paytables")):
        for table in _tables(tables):
            if clause is not None:
                table.setdefault("clause", clause)
            if isinstance(lines := table.get("lines"), list):
                table["lines"] = [_written_out(line, table) for line in lines]
                if clause is not None:
                    table["lines"] = [_citing(line, clause) for line in table["lines"]]


def _tables(value: object) -> list[Any]:
    """The tables in a table; what is none is left to whoever reads the whole."""
    return (
        [each for each in value.values() if isinstance(each, dict)]
        if isinstance(value, dict)
        else []
    )


def _written_out(line: object, table: dict[str, Any]) -> object:
    """``flush: 4 to 1`` as a line that cites what its paytable cites."""
    phrase, colon, pays = line.partition(": ") if isinstance(line, str) else ("", "", "")
    return {"for": phrase, "pays": pays, "clause": table.get("clause")} if colon else line


def _citing(line: object, clause: str) -> object:
    return {"clause": clause, **line} if isinstance(line, dict) else line


def _in_order(row: tuple[str, object]) -> list[tuple[int, int, str]]:
    """Clauses as they are numbered: 2.B before 10.A."""
    parts = re.findall(r"\d+|\D+", row[0])
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def book_of(document: Mapping[str, object], trace: str = "") -> Rulebook:
    """The rulebook that a document writes down, or a sentence that names the key that does not."""
    try:
        book = msgspec.convert({**document, "trace_text": trace}, Rulebook, dec_hook=_decode)
    except ValueError as error:
        raise Unreadable(f"{error}{meant(str(error))}") from None
    if book.own_trace and not trace:
        _refuse_unknown_clauses(book)
    _refuse_street_without_wager(book)
    _refuse_rules_of_no_progressive(book)
    return book


def _refuse_street_without_wager(book: Rulebook) -> None:
    for street in book.streets:
        if not book.is_played_on(street):
            raise Unreadable(
                f"streets asks {quoted(street.name)}, and none of wagers is made there: one of "
                "them says with decides what it decides, or the street names its own"
            )


def _refuse_rules_of_no_progressive(book: Rulebook) -> None:
    for key, rule in (("progressive", book.progressive), ("envy_bonus", book.envy_bonus)):
        if rule is not None and not book.has_wager("progressive"):
            raise Unreadable(
                f"{key} is about the progressive, and none of wagers has this name: "
                f"offer it, or leave out {key}"
            )


def _refuse_unknown_clauses(book: Rulebook) -> None:
    """House rules explain each clause they cite; the long traces of regulations have a test."""
    for clause in sorted(clauses_cited(book) - set(book.own_trace)):
        line = next(lines_citing(book, clause))
        raise Unreadable(f"{line} cites clause {quoted(clause)}, which [trace] does not explain")


def read_paytable(text: str, where: str) -> Paytable:
    """Read a paytable a designer wrote: ``lines`` of ``for`` and ``pays``, and any ``meters``."""
    try:
        document = tomllib.loads(text)
        document.setdefault("clause", where)
        for entry in [*document.get("lines", []), *document.get("meters", [])]:
            entry.setdefault("clause", where)
        table = msgspec.convert(document, Paytable, dec_hook=_decode)
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        told = f" ({str(error)[:200]})" if isinstance(error, ValueError) else ""
        raise Unreadable(f"this is no paytable{told}; {_PAYTABLE_FORM}") from None
    if not table.lines:
        raise Unreadable(f"a paytable needs at least one line; {_PAYTABLE_FORM}")
    return table


def _decode(kind: type, value: str) -> Odds:
    if kind is Odds:
        return odds(value)
    raise NotImplementedError(f"no reading for {kind}")


def _shipped(name: str) -> str:
    return (_ROOM / name).read_text("utf-8")
