"""From a clause to the lines of rulebook data that cite it, each said in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from croupier.rulebook.book import DealStep, PayLine, Rulebook
from croupier.rulebook.procedure import Procedure, WayProcedure


def lines_citing(book: Rulebook, clause: str) -> Iterator[str]:
    """Every line of the book that stands on this clause."""
    yield from _by_clause(book).get(clause, ())


def clauses_cited(book: Rulebook) -> frozenset[str]:
    """Every clause some line of the book stands on."""
    return frozenset(_by_clause(book))


@cache
def _by_clause(book: Rulebook) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, item in _walk("", book):
        for field in item.__struct_fields__:
            value = getattr(item, field)
            if isinstance(value, str) and (field == "clause" or field.endswith("_clause")):
                found.setdefault(value, []).append(_sentence(path, field, item))
            elif isinstance(value, tuple) and field.endswith("_clauses"):
                for clause in value:
                    found.setdefault(clause, []).append(_sentence(path, field, item))
        if path == "refusals":
            for field in item.__struct_fields__:
                said = f"cited when a round is refused: {field.replace('_', ' ')}"
                found.setdefault(getattr(item, field), []).append(said)
    return found


def _walk(path: str, value: object) -> Iterator[tuple[str, msgspec.Struct]]:
    if isinstance(value, msgspec.Struct):
        yield path, value
        for field in value.__struct_fields__:
            if field != "own_trace":
                yield from _walk(f"{path} {field}".strip(), getattr(value, field))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _walk(f"{path} {key}", item)
    elif isinstance(value, tuple):
        for item in value:
            name = getattr(item, "name", getattr(item, "way", ""))
            yield from _walk(f"{path} {name}".strip(), item)


def _sentence(path: str, field: str, item: msgspec.Struct) -> str:
    where = path.replace("_", " ").removesuffix(" lines")
    if isinstance(item, PayLine):
        return f"{where}: {item.phrase} pays {item.odds}"
    if isinstance(item, DealStep):
        count = item.deal or item.turn
        cards = f"{count} {'card' if count == 1 else 'cards'}"
        if item.turn:
            return f"{where}: turn {cards} of {item.to.replace('_', ' ')}"
        return f"{where}: {cards} to {item.to.replace('_', ' ')}, face {item.face}"
    label = "" if field == "clause" else f" ({_spoken(field)})"
    if isinstance(item, Procedure | WayProcedure):
        return _of_procedure(f"{where}{label}", field, item)
    told = {
        name: value
        for name in item.__struct_fields__
        if isinstance(value := getattr(item, name), str | int)
        and not name.endswith(("clause", "ruling"))
        and value not in ("", None)
        and value is not False
    }
    facts = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in told.items())
    return f"{where}{label}: {facts}" if facts else f"{where}{label}"


def _of_procedure(named: str, field: str, item: Procedure | WayProcedure) -> str:
    """Each line of a procedure names an act and its clause; one of them goes by a number too."""
    if isinstance(item, Procedure) and field == "off_table_clause":
        return f"{named}: from {item.off_table_percent}% of a meter upward"
    return named


def _spoken(field: str) -> str:
    return field.removesuffix("s").removesuffix("_clause").replace("_", " ")
