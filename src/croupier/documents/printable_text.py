"""Text sanitizer: characters no bundled font has become their Unicode numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import msgspec

from croupier.documents.blocks import Document
from croupier.documents.glyphs import can_be_set

MOST_ASKED = 200


def in_letters(document: Document) -> Document:
    """The document with every letter that cannot be printed written out, like ``\\u674e``."""
    found = sorted({letter for text in _texts(document) for letter in text if ord(letter) > 126})
    asked = "".join(found[:MOST_ASKED])
    lacking = [*_lacking(asked), *found[MOST_ASKED:]]
    written = {ord(letter): letter.encode("unicode_escape").decode() for letter in lacking}
    return cast(Document, _translated(document, written)) if written else document


def _lacking(letters: str) -> Iterator[str]:
    """Asked in halves, for most documents have all their letters."""
    if not letters or can_be_set(letters):
        return
    if len(letters) == 1:
        yield letters
        return
    middle = len(letters) // 2
    yield from _lacking(letters[:middle])
    yield from _lacking(letters[middle:])


def _texts(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from _texts(each)
    elif isinstance(part, msgspec.Struct):
        for field in part.__struct_fields__:
            yield from _texts(getattr(part, field))


def _translated(part: object, written: dict[int, str]) -> object:
    if isinstance(part, str):
        return part.translate(written)
    if isinstance(part, tuple):
        return tuple(_translated(each, written) for each in part)
    if isinstance(part, msgspec.Struct):
        fields = {name: getattr(part, name) for name in part.__struct_fields__}
        return msgspec.structs.replace(
            part, **{name: _translated(value, written) for name, value in fields.items()}
        )
    return part
