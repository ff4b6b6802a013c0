"""From a key of a TOML file to the place it stands at, which the reader of TOML does not tell.

The text has already been read as TOML, so this scanner need not judge it: it finds the keys of
tables, arrays of tables, inline tables and dotted keys, and stops quietly at anything else.
Entries of arrays are numbered, so ``[[box]]`` gives ``("box", 0)``. A path is noted down to
``DEEPEST``, which is deeper than any key of a submission or a rulebook.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

Path = tuple[str | int, ...]
DEEPEST = 8

_STRING = (
    r'"""(?:[^"\\]++|\\.|"(?!""))*+"{3,5}'
    r"|'''(?:[^']++|'(?!''))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*'"
)
_BLANK = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_NAME = re.compile(rf"{_STRING}|[A-Za-z0-9_-]+", re.DOTALL)
_SCALAR = re.compile(rf"{_STRING}|[^,\]}}#\n\[{{]+", re.DOTALL)
_PIECE = re.compile(rf"{_STRING}|#[^\n]*|[\[\]{{}}]|[^\"'#\[\]{{}}]+|.", re.DOTALL)


@dataclass(frozen=True)
class TomlPair:
    """Where ``key = value`` stands in a text: from the key to the end of the value.

    ``table`` is what it is written in, ``inline`` whether that is one in braces.
    """

    table: Path
    start: int
    value: int
    end: int
    inline: bool


@dataclass(frozen=True)
class TomlHeader:
    """Where ``[table]`` stands in a text, brackets included."""

    start: int
    end: int


@dataclass(frozen=True)
class TomlPlaces:
    """Every pair and every header of a TOML text, by its path, in the order of writing."""

    pairs: Mapping[Path, TomlPair]
    headers: Mapping[Path, TomlHeader]


def toml_places(text: str) -> TomlPlaces:
    """Where the pairs and the headers of a text stand, which can be read as TOML."""
    scan = _Scan(text)
    scan.scanned()
    return TomlPlaces(scan.pairs, scan.headers)


class TomlLines:
    """Where each key of a TOML text stands; a key that is not there stands with its table.

    A table that is not there would be written at the end.
    """

    def __init__(self, text: str) -> None:
        self._at: Mapping[Path, int] = _Scan(text).scanned()
        self._last = text.rstrip().count("\n") + 1

    def of(self, path: Path) -> int:
        """The line of a key, or of the nearest table around it."""
        for length in range(min(len(path), DEEPEST), 0, -1):
            if (line := self._at.get(path[:length])) is not None:
                return line
        return self._last


class _Scan:
    """One pass over the text; ``place`` only ever moves forward."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.counted = 0
        self.line = 1
        self.at: dict[Path, int] = {}
        self.entries: dict[Path, int] = {}
        self.pairs: dict[Path, TomlPair] = {}
        self.headers: dict[Path, TomlHeader] = {}

    def scanned(self) -> dict[Path, int]:
        table: Path = ()
        while self._skip(_GAP) and self.place < len(self.text):
            if self.text.startswith("[", self.place):
                found = self._header()
            else:
                found = table if self._pair(table) else None
            if found is None:
                break
            table = found
        return self.at

    def _header(self) -> Path | None:
        """``[a.b]`` or ``[[a.b]]``: the table that the lines below it belong to."""
        start, repeated = self.place, self.text.startswith("[[", self.place)
        self.place += 2 if repeated else 1
        line, key = self._line(), self._key()
        if key is None or not self._take("]]" if repeated else "]"):
            return None
        path = self._inside(key[:-1]) + key[-1:]
        if repeated:
            number = self.entries[path] = self.entries.get(path, -1) + 1
            self._note((), path, line)
            path = (*path, number)
        self._note((), path, line, exactly=True)
        self.headers[path[:DEEPEST]] = TomlHeader(start, self.place)
        return path[:DEEPEST]

    def _inside(self, path: Path) -> Path:
        """The same table, in the last entry of each array of tables that it goes through."""
        inside: Path = ()
        for part in path:
            inside = (*inside, part)
            if inside in self.entries:
                inside = (*inside, self.entries[inside])
        return inside

    def _pair(self, table: Path, *, inline: bool = False) -> bool:
        """``a.b = value``, with the keys that stand inside the value."""
        start, line, key = self.place, self._line(), self._key()
        if key is None or not self._take("="):
            return False
        path = (*table, *key)[:DEEPEST]
        self._note(table, path, line, exactly=True)
        self._skip(_BLANK)
        value = self.place
        if not self._value(path):
            return False
        end = value + len(self.text[value : self.place].rstrip())
        self.pairs[path] = TomlPair(table, start, value, end, inline)
        return True

    def _value(self, path: Path) -> bool:
        self._skip(_BLANK)
        opening = self.text[self.place : self.place + 1]
        if opening not in ("[", "{"):
            return self._skip(_SCALAR)
        if len(path) >= DEEPEST:
            return self._skip_brackets()
        self.place += 1
        return self._array(path) if opening == "[" else self._inline_table(path)

    def _array(self, path: Path) -> bool:
        number = 0
        while self._skip(_GAP) and not self._take("]"):
            self._note(path, (*path, number), self._line(), exactly=True)
            if not self._value((*path, number)):
                return False
            number += 1
            self._skip(_GAP)
            self._take(",")
        return True

    def _inline_table(self, path: Path) -> bool:
        while self._skip(_GAP) and not self._take("}"):
            if not self._pair(path, inline=True):
                return False
            self._skip(_GAP)
            self._take(",")
        return True

    def _skip_brackets(self) -> bool:
        """Past a value that lies too deep to matter, however many brackets it nests."""
        depth = 0
        while piece := _PIECE.match(self.text, self.place):
            self.place = piece.end()
            depth += (piece[0] in ("[", "{")) - (piece[0] in ("]", "}"))
            if depth == 0:
                return True
        return False

    def _key(self) -> tuple[str, ...] | None:
        parts: list[str] = []
        while True:
            self._skip(_BLANK)
            name = _NAME.match(self.text, self.place)
            if name is None:
                return None
            self.place = name.end()
            if len(parts) < DEEPEST:
                parts.append(_plain(name[0]))
            if not self._take("."):
                return tuple(parts)

    def _take(self, mark: str) -> bool:
        self._skip(_BLANK)
        if not self.text.startswith(mark, self.place):
            return False
        self.place += len(mark)
        return True

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        """Past what the pattern finds here; False where it finds nothing at all."""
        match = pattern.match(self.text, self.place)
        if match is not None:
            self.place = match.end()
        return match is not None

    def _line(self) -> int:
        self.line += self.text.count("\n", self.counted, self.place)
        self.counted = self.place
        return self.line

    def _note(self, known: Path, path: Path, line: int, *, exactly: bool = False) -> None:
        """Note a path and the tables it brings into being below one that is known."""
        for length in range(len(known) + 1, min(len(path), DEEPEST) + 1):
            self.at.setdefault(path[:length], line)
        if exactly and len(path) <= DEEPEST:
            self.at[path] = line


def _plain(name: str) -> str:
    """A key without its quotes."""
    if name[0] not in "\"'":
        return name
    if "\\" not in name:
        return name[1:-1]
    try:
        return str(tomllib.loads(f"name = {name}")["name"])
    except (tomllib.TOMLDecodeError, RecursionError):
        return name
