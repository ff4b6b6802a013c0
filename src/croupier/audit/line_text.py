"""Canonical text of a line: as its event is written, nothing beside it.

What nobody reads could tell a card.

An event has one text, and a command too. A program that knew fewer fields left out those that it
did not know, and a later one reads them as they are by default; but none ever forgets a field.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

OTHERWISE = "it holds something beside its event, or is written another way"
_STRANGE = "?"


class LineTexts:
    """The texts of one stream, one after the other, and what each kind left out so far."""

    def __init__(self) -> None:
        self._left_out: dict[type, frozenset[str]] = {}

    def fit(self, text: str, said: msgspec.Struct) -> bool:
        """Whether this is how it is written."""
        is_whole = text == msgspec.json.encode(said).decode()
        kind, missing = type(said), frozenset(() if is_whole else _missing(text, said))
        if _STRANGE in missing or not missing <= self._left_out.get(kind, missing):
            return False
        self._left_out[kind] = missing
        return True


def _missing(text: str, said: msgspec.Struct) -> Iterator[str]:
    """The fields that the text leaves out; a text that could not have been written is strange."""
    raw = msgspec.json.decode(text)
    if msgspec.json.encode(raw).decode() != text:
        yield _STRANGE  # spaces, or a name that stands twice
    yield from _left_out(raw, msgspec.to_builtins(said), "")


def _left_out(raw: object, whole: object, path: str) -> Iterator[str]:
    match raw, whole:
        case dict(), dict():
            if list(raw) != [name for name in whole if name in raw]:
                yield _STRANGE
            for name, value in whole.items():
                if name in raw:
                    yield from _left_out(raw[name], value, f"{path} {name}")
                else:
                    yield f"{path} {name}"
        case list(), list() | tuple():
            for one, other in zip(raw, whole, strict=False):
                yield from _left_out(one, other, path)
        case _:
            if raw != whole:
                yield _STRANGE
