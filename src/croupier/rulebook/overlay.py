"""One document laid over another: a book says only what differs from the one it names.

Tables are laid over tables, and lists of named tables entry by entry; anything else takes the place
of what was there, and the word ``none`` takes a table away. With a ``mark`` the clauses of what is
changed are replaced by it: a variant cites no clause that it breaks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from croupier.facts.errors import Unreadable, quoted
from croupier.facts.names import known_name

BookDocument = Mapping[str, Any]
NOTHING = "none"
_NAMES = ("name", "way")
_CITED = ("clause", "ruling")
_ENTRY = re.compile(r" - at `(?:key in )?\$\.(\w+)\[(\d+)\]")


def overlaid(base: BookDocument, over: BookDocument, mark: str | None = None) -> dict[str, Any]:
    """The base with everything that the other document says in its place."""
    found = dict(base)
    for key, value in over.items():
        there = base.get(key)
        if value == NOTHING and isinstance(there, dict):
            del found[key]
        elif isinstance(value, dict) and isinstance(there, dict):
            found[key] = overlaid(there, value, mark)
        elif isinstance(value, list) and isinstance(there, list) and (name := _name_of(there)):
            found[key] = _entries(there, value, name, key, mark)
        else:
            found[key] = _marked_lines(value, there, mark)
    return _marked(found, base, over, mark)


def _marked(
    found: dict[str, Any], base: BookDocument, over: BookDocument, mark: str | None
) -> dict[str, Any]:
    """What changes of a table, other than tables in it, breaks the clauses that it is cited by."""
    for key, value in over.items():
        nested = isinstance(value, dict) or (isinstance(value, list) and _name_of(value))
        if mark is None or nested or key in _CITED or base.get(key) == value:
            continue
        for cited in ("clause", f"{key}_clause"):
            if cited in base and cited not in over:
                found[cited] = mark
                found.pop("ruling", None)
    return found


def _marked_lines(value: object, there: object, mark: str | None) -> object:
    """Lines without a name of their own, such as those of a paytable, each cited by the mark."""
    if mark is None or not isinstance(there, list) or not isinstance(value, list):
        return value
    if not all(map(_is_cited, there)):
        return value
    return [{"clause": mark, **line} if isinstance(line, dict) else line for line in value]


def _is_cited(line: object) -> bool:
    return isinstance(line, dict) and "clause" in line


def _name_of(entries: object) -> str | None:
    """By what the tables of a list are told apart."""
    if not isinstance(entries, list) or not entries:
        return None
    return next((n for n in _NAMES if all(isinstance(e, dict) and n in e for e in entries)), None)


def _entries(
    base: list[BookDocument], over: list[Any], name: str, key: str, mark: str | None
) -> list[BookDocument]:
    found = {entry[name]: entry for entry in base}
    written: set[str] = set()
    for at, entry in enumerate(over):
        if not isinstance(entry, dict) or not isinstance(entry.get(name), str):
            raise Unreadable(
                f"each of {key} says with {name} which one it is, not {quoted(entry)} - at "
                f"`$.{key}[{at}]`"
            )
        if (called := entry[name]) in written:
            raise Unreadable(f"{quoted(called)} stands twice in {key}; write it once")
        if called not in found and not _is_whole(entry, base):
            known_name(called, found, f"entry of {key} called")
        written.add(called)
        found[called] = overlaid(found.get(called, {}), entry, mark)
    return list(found.values())


def _is_whole(entry: BookDocument, others: list[BookDocument]) -> bool:
    """Whether an entry says all that each of the others does, as a new one has to."""
    return all(key in entry for key in others[0] if all(key in other for other in others))


def where_written(sentence: str, merged: BookDocument, over: BookDocument) -> str:
    """A sentence about an entry of a merged list, with the place that it has in the file."""
    place = _ENTRY.search(sentence)
    if place is None:
        return sentence
    key, entry = place[1], merged[place[1]][int(place[2])]
    name = _name_of([entry])
    entries = over.get(key, ())
    written = [each.get(name) for each in entries if isinstance(each, dict)]
    if name is None or entry[name] not in written:
        return sentence
    return f"{sentence[: place.start(2)]}{written.index(entry[name])}{sentence[place.end(2) :]}"
