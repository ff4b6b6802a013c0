"""What a slip in a rulebook was meant to be: the field most like it, or the words that may stand.

The reader of TOML says which field is unknown or whose value is none of its words, and where; the
types of the rulebook say what it knows there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import msgspec.inspect as types

from croupier.facts.errors import quoted
from croupier.facts.names import nearest
from croupier.rulebook.book import Rulebook

_SLIP = re.compile(r"^(?:Object contains unknown field `(\w+)`|Invalid enum value .+?)(?: - at|$)")
_STEPS = re.compile(r"\.(\w+)|\[[^]]*\]")


def meant(sentence: str) -> str:
    """What to write, to follow the sentence; empty where nobody can tell."""
    slip = _SLIP.search(sentence)
    if slip is None:
        return ""
    kinds = [_book()]
    for step in _STEPS.finditer(sentence.partition(" - at ")[2]):
        kinds = [below for kind in kinds for below in _below(kind, step[1])]
    if slip[1] is not None:
        near = nearest(slip[1], [field.encode_name for kind in kinds for field in _fields(kind)])
        return f"; did you mean {near}?" if near is not None else ""
    listed = (kind.values for kind in kinds if isinstance(kind, types.LiteralType))
    words = [quoted(str(word)) for values in listed for word in values]
    return f"; write {' or '.join(words)}" if words else ""


@cache
def _book() -> types.Type:
    return types.type_info(Rulebook)


def _below(kind: types.Type, name: str | None) -> Iterator[types.Type]:
    """Of what kind a field of this name is, or an entry of a list or a table without a name."""
    found: list[types.Type] = []
    if name is not None:
        found = [field.type for field in _fields(kind) if field.encode_name == name]
    elif isinstance(kind, types.DictType):
        found = [kind.value_type]
    elif isinstance(kind, types.VarTupleType):
        found = [kind.item_type]
    for each in found:
        yield from each.types if isinstance(each, types.UnionType) else (each,)


def _fields(kind: types.Type) -> tuple[types.Field, ...]:
    return kind.fields if isinstance(kind, types.StructType) else ()
