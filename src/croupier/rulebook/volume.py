"""A rulebook file: read into a book, or a fault that names the file and the line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.toml_lines import Path, TomlLines
from croupier.facts.toml_text import NotToml, read_toml

_PLACE = re.compile(r" - at `(?:key in )?\$([^`]*)`(?:;|$)")
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_FIELD = re.compile(r"(unknown|missing required) field `(\w+)`")
_GOT = re.compile(r"got `(\w+)`")
_KINDS = {bool: "bool", int: "int", float: "float", str: "str", list: "array", dict: "object"}
_ANY = "..."
_MOST = 300


@dataclass(frozen=True)
class BookFault:
    """Why a book is not on the shelf; ``game`` is empty and ``shelf_place`` beyond all others where
    nobody can tell them."""

    book: str
    game: str
    shelf_place: float
    why: str


@dataclass(frozen=True)
class Volume:
    """The text of one rulebook, with that of its trace where it has a file of its own."""

    file: str
    text: str
    trace: str = ""

    def fault(self, error: Unreadable | Refusal) -> BookFault:
        """What is wrong with this file, and where; its own words say what it would have been."""
        line, sentence = self._line(error), str(error)[:_MOST]
        at = f", line {line}" if line is not None and f"line {line} " not in sentence else ""
        place = self._said(r"shelf_place\s*=\s*(\d{1,9})\b")
        return BookFault(
            self._said(r'id\s*=\s*"([^"\n]+)"') or self.file.removesuffix(".toml"),
            self._said(r'game\s*=\s*"([^"\n]+)"'),
            int(place) if place else math.inf,
            f"rulebook {self.file}{at}: {sentence}",
        )

    def _said(self, pattern: str) -> str:
        """What one of the first lines says, also where the rest is no TOML."""
        head = re.split(r"^\s*\[", self.text, maxsplit=1, flags=re.MULTILINE)[0]
        found = re.search(rf"^\s*{pattern}", head, re.MULTILINE)
        return found[1] if found is not None else ""

    def _line(self, error: Unreadable | Refusal) -> int | None:
        if isinstance(error, NotToml):
            return error.line
        try:
            document = read_toml(self.text)
        except NotToml:
            return None
        path = next(_wrong_keys(document, str(error)), None)
        return TomlLines(self.text).of(path) if path is not None else self._line_saying(error)

    def _line_saying(self, error: Unreadable | Refusal) -> int | None:
        """The first line with a word that the sentence quotes, or with the clause it cites."""
        words = re.findall(r'"[^"]+"', str(error))
        if isinstance(error, Refusal):
            words.append(f'"{error.clause.rpartition(" ")[2]}"')
        lines = list(enumerate(self.text.splitlines(), 1))
        looked_for = (form for word in words for form in (word, word.strip('"')))
        return next((n for word in looked_for for n, line in lines if word in line), None)


def _wrong_keys(document: Mapping[str, object], sentence: str) -> Iterator[Path]:
    """The keys that msgspec complains of; it writes ... for a name that a table may choose."""
    place, field = _PLACE.search(sentence), _FIELD.search(sentence)
    if place is None and field is None:
        return
    steps = [name or at for name, at in _STEP.findall(place[1])] if place is not None else []
    for path, value in _found(document, steps):
        if field is not None and isinstance(value, dict):
            if (field[2] in value) is (field[1] == "unknown"):
                yield (*path, field[2])
        elif field is None and _is_meant(value, sentence):
            yield path


def _found(value: object, steps: list[str]) -> Iterator[tuple[Path, object]]:
    """Every value that these steps lead to, in the order of the file."""
    if not steps:
        yield (), value
        return
    step, *rest = steps
    entries: dict[str | int, object] = {}
    if isinstance(value, dict):
        entries = dict(value) if step == _ANY else {k: v for k, v in value.items() if k == step}
    elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
        entries = {int(step): value[int(step)]}
    for key, inner in entries.items():
        for path, found in _found(inner, rest):
            yield (key, *path), found


def _is_meant(value: object, sentence: str) -> bool:
    """Whether a value is of the kind that is complained of, or is quoted."""
    got = _GOT.search(sentence)
    return _KINDS.get(type(value)) == got[1] if got is not None else str(value) in sentence
