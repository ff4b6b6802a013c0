"""A choice in the form becomes an edit of the submission's text: its comments stay.

The text is all there is: the form is read from it anew after each change.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import Any, Literal

import msgspec

from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import cents, money
from croupier.facts.toml_editor import KeyPath, TomlValue, with_value, without
from croupier.facts.toml_text import read_toml
from croupier.games.registry import Registry
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import Paytable, Rulebook
from croupier.submission import value_kinds
from croupier.submission.check import RULEBOOK, shipped_text
from croupier.submission.check_limits import has_own_limits
from croupier.submission.keys import KEYS, SubmissionKey, key_at
from croupier.submission.value_kinds import Reader

FieldKind = Literal[
    "text", "texts", "amount", "count", "flag", "percent", "date", "choice", "choices"
]
KINDS: Mapping[Reader, FieldKind] = {
    value_kinds.name: "text",
    value_kinds.names: "texts",
    value_kinds.amount: "amount",
    value_kinds.stake: "amount",
    value_kinds.count: "count",
    value_kinds.flag: "flag",
    value_kinds.rate_ppm: "percent",
    value_kinds.date: "date",
}
"""How each kind of value is entered; what is not here is one of a few words."""
TABLES = tuple(dict.fromkeys(key.parts[0] for key in KEYS if len(key.parts) > 1))
"""The tables of a submission, in the order in which people write them."""
OFFER = "offer"
NAMES: tuple[KeyPath, ...] = (
    ("version",),
    ("facility", "name"),
    ("facility", "operator"),
    ("facility", "logo"),
    ("table", "id"),
)
"""What stays when the same house begins a submission for another game."""


class FieldChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key of the submission and what is entered for it: nothing takes it out.

    ``offer.WAGER`` is no key: true offers a wager, with all that it needs, and false does not.
    """

    key: str
    value: str | bool | tuple[str, ...] | None


def changed(text: str, changes: Sequence[FieldChange], registry: Registry) -> str:
    """The text with each change made in it, one after the other."""
    for change in changes:
        path = tuple(change.key.split("."))
        if path == RULEBOOK and isinstance(change.value, str):
            text = _under_another_book(text, registry.book(change.value), registry)
        elif path[0] == OFFER and len(path) == 2:
            text = _offering(text, path[1], bool(change.value), registry)
        else:
            text = _with_choice(text, path, change.value, registry)
    return text


def kind_of(key: SubmissionKey) -> FieldKind:
    return KINDS.get(key.read, "choice")


def _with_choice(text: str, path: KeyPath, entered: object, registry: Registry) -> str:
    key = key_at(path)
    if entered is None:  # whatever it is, it may be taken out
        return without(text, path)
    if key is None:
        raise Unreadable(f"a submission has no key {quoted('.'.join(path))}")
    value = _as_toml(kind_of(key), entered)
    text = _put(text, path, value)
    if path == ("paytables", PROGRESSIVE) and value is not None:
        text = _with_meters(text, registry)
    return text


def _put(text: str, path: KeyPath, value: TomlValue | None) -> str:
    return without(text, path) if value is None else with_value(text, path, value, TABLES)


def _as_toml(kind: FieldKind, entered: object) -> TomlValue | None:
    """What is entered as a submission writes it; what cannot be read stands there as it is, for
    the check to tell of."""
    if isinstance(entered, bool):
        return entered
    if isinstance(entered, tuple | list):
        return tuple(str(each) for each in entered) or None
    said = str(entered or "").strip()
    if not said:
        return None
    if kind == "flag":
        return said == "true" if said in ("true", "false") else said
    if kind == "texts":
        return tuple(part.strip() for part in said.split(",") if part.strip()) or None
    if kind == "count":
        return int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else said
    if kind == "percent":
        return said if said.endswith("%") else f"{said}%"
    if kind == "amount":
        return _amount(said)
    return _date(said) if kind == "date" else said


def _amount(said: str) -> str:
    dollars = said if said.startswith("$") else f"${said}"
    try:
        return money(cents(dollars))
    except Unreadable:
        return said


def _date(said: str) -> datetime.date | str:
    try:
        return datetime.date.fromisoformat(said)
    except ValueError:
        return said


def begun_text(book: Rulebook) -> str:
    """The submission that comes with a rulebook, headed as one's own."""
    lines = iter(shipped_text(book.id).splitlines(keepends=True))
    own = [f"# Rules submission of a table of {book.title}.\n"]
    return "".join([*own, *dropwhile(lambda line: line.startswith("#"), lines)])


def _under_another_book(text: str, book: Rulebook, registry: Registry) -> str:
    """Another edition of the same game keeps every choice; another game begins with what comes
    with its rulebook, and the names that somebody has written are kept."""
    document = read_toml(text)
    named = value_at(document, RULEBOOK)
    before = registry.books.get(str(named))
    if before is not None and before.game == book.game:
        return with_value(text, RULEBOOK, book.id, TABLES)
    begun = begun_text(book)
    usual = read_toml(shipped_text(before.id)) if before is not None else {}
    for path in NAMES:
        known = value_at(document, path)
        if isinstance(known, str) and known != value_at(usual, path):
            begun = with_value(begun, path, known, TABLES)
    return begun


def _offering(text: str, name: str, offers: bool, registry: Registry) -> str:
    document = read_toml(text)
    book = registry.book(str(value_at(document, RULEBOOK)))
    if not book.has_wager(name) or not book.wager(name).optional:
        raise Unreadable(f"{book.id} has no wager {quoted(name)} that may be offered or not")
    if offers:
        for path, value in _needed(document, book, name):
            if value_at(read_toml(text), path) is None:
                text = _put(text, path, value)
        return _with_meters(text, registry) if name == PROGRESSIVE else text
    gone: list[KeyPath] = [("paytables", name), ("limits", name)]
    gone += [("paytables", ENVY), (PROGRESSIVE,)] if name == PROGRESSIVE else []
    for path in gone:
        text = without(text, path)
    return text


def _needed(
    document: Mapping[str, Any], book: Rulebook, name: str
) -> Iterator[tuple[KeyPath, TomlValue]]:
    """What an offered wager asks for, as the shipped submission has it, or as little as may be."""
    shipped = read_toml(shipped_text(book.id))
    letters = book.paytables[name]
    letter = value_at(shipped, ("paytables", name)) or next(iter(letters))
    yield ("paytables", name), letter
    if has_own_limits(book.wager(name)):
        places = ((shipped, name), (document, "ante"), (shipped, "ante"))
        known = (value_at(where, ("limits", wager)) for where, wager in places)
        limit = next((found for found in known if isinstance(found, dict)), None)
        if limit is not None:
            yield ("limits", name), limit
    if name == PROGRESSIVE:
        if book.envy:
            same = letter if letter in book.envy else next(iter(book.envy))
            yield ("paytables", ENVY), value_at(shipped, ("paytables", ENVY)) or same
        terms = value_at(shipped, (PROGRESSIVE,)) or {}
        for key, value in terms.items():
            if key != "meters":
                yield (PROGRESSIVE, key), value
        rule = book.progressive
        if not terms and rule is not None:
            yield (PROGRESSIVE, "wager"), rule.stakes[0]


def _with_meters(text: str, registry: Registry) -> str:
    """The meters that the chosen Progressive paytable pays from, and no other."""
    document = read_toml(text)
    book = registry.books.get(str(value_at(document, RULEBOOK)))
    table = _progressive_table(document, book)
    if book is None or table is None:
        return text
    there = value_at(document, (PROGRESSIVE, "meters")) or {}
    wanted = [meter.name for meter in table.meters]
    gone = [name for name in there if name not in wanted]
    rates = [there[name].get("rate") for name in gone if isinstance(there[name], dict)]
    kept = value_at(read_toml(shipped_text(book.id)), (PROGRESSIVE, "meters")) or {}
    for name in gone:
        text = without(text, (PROGRESSIVE, "meters", name))
    for meter in table.meters:
        if meter.name not in there:
            offer = {"initial": meter.least, "reset": meter.least}
            rate = kept.get(meter.name, {}).get("rate") or (rates.pop(0) if rates else None)
            text = _put(
                text,
                (PROGRESSIVE, "meters", meter.name),
                {**offer, "rate": rate} if rate is not None else offer,
            )
    return text


def _progressive_table(document: Mapping[str, Any], book: Rulebook | None) -> Paytable | None:
    letter = value_at(document, ("paytables", PROGRESSIVE))
    return book.paytables.get(PROGRESSIVE, {}).get(str(letter)) if book is not None else None


def value_at(document: Mapping[str, Any], path: Sequence[str]) -> Any:  # noqa: ANN401 - any TOML
    """What a document has at a path, or None."""
    found: Any = document
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found
