"""The shelf: rulebook TOML read into :class:`~croupier.rulebook.book.Rulebook`, and the rulings."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from croupier.facts.errors import Unreadable
from croupier.facts.odds import Odds, odds
from croupier.rulebook.book import Paytable, Rulebook

BOOK_IDS = ("UTH-S", "UTH-14", "FCP-14")


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How we read the regulations where they are silent, torn or at odds."""

    number: int
    title: str
    says: str
    clauses: tuple[str, ...]


@cache
def shipped_books() -> tuple[Rulebook, ...]:
    return tuple(
        read_book(_shipped(f"books/{book_id}.toml"), _shipped(f"trace/{book_id}.toml"))
        for book_id in BOOK_IDS
    )


@cache
def rulings() -> dict[int, Ruling]:
    entries = tomllib.loads(_shipped("rulings.toml"))["ruling"]
    return {ruling.number: ruling for ruling in msgspec.convert(entries, list[Ruling])}


def read_book(text: str, trace: str = "") -> Rulebook:
    """Read one rulebook; a line nobody knows, or odds nobody writes, is refused."""
    document = tomllib.loads(text)
    document.setdefault("trace", {}).update(tomllib.loads(trace))
    return msgspec.convert(document, Rulebook, dec_hook=_decode)


def read_paytable(text: str, where: str) -> Paytable:
    """Read a paytable a designer wrote: ``lines`` of ``for`` and ``pays``, and any ``meters``."""
    try:
        document = tomllib.loads(text)
        document.setdefault("clause", where)
        for entry in [*document.get("lines", []), *document.get("meters", [])]:
            entry.setdefault("clause", where)
        table = msgspec.convert(document, Paytable, dec_hook=_decode)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, Unreadable) as error:
        raise Unreadable(f"{where}: this is no paytable: {error}") from None
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise Unreadable(f"{where}: this is no paytable; write lines = [...]") from None
    if not table.lines:
        raise Unreadable(f"{where}: a paytable needs at least one line")
    return table


def _decode(kind: type, value: Any) -> Any:
    if kind is Odds:
        return odds(value)
    raise NotImplementedError(f"no reading for {kind}")


def _shipped(name: str) -> str:
    return (files("croupier.rulebook") / name).read_text("utf-8")
