"""The shapes of records in the numbers that the scanner reads by, made from the shapes."""

from __future__ import annotations

import secrets
from functools import cache, cached_property

import msgspec
import numpy as np

from croupier.audit.log.fast.kernels import scan
from croupier.audit.records import schema as rec
from croupier.exact.kernels.array_types import Uint64s
from croupier.facts.cards import LETTERS, SUIT_LETTERS

WANTED = {
    "wager",
    "player",
    "place",
    "street",
    "odds",
    "clause",
    "name",
    "meter",
    "ledger",
    "table",
    "rulebook",
    "way",
    "still_settles",
}
LEAST, GREATEST = -(10**18) + 1, 10**18 - 1


class Shapes:
    """A grammar with a key of its own; ``structs`` and ``fields`` number its types and fields."""

    def __init__(self) -> None:
        self.key = np.uint64(secrets.randbits(64) | 1)
        self._nodes: list[tuple[int, int, int, bool, bool]] = []
        self._structs: dict[type, list[tuple[str, int, bool]]] = {}
        self._words: list[str] = []
        self._root = self._node(msgspec.inspect.type_info(rec.RoundRecord), "")

    def hash(self, text: str) -> int:
        """What the scanner makes of a text, as it stands on the tape."""
        content = np.frombuffer(text.encode(), dtype=np.uint8)
        value = int(scan.hash_of(content, self.key))
        return value - (1 << 64) if value >> 63 else value

    def words(self, struct: type, field: str) -> list[str]:
        """The words that a field may hold, as the tape numbers them."""
        node = self.grammar.nodes[self.fields[struct, field]]
        return self._words[self.grammar.low[node] : self.grammar.high[node]]

    @cached_property
    def structs(self) -> dict[type, int]:
        return {struct: number for number, struct in enumerate(self._structs)}

    @cached_property
    def fields(self) -> dict[tuple[type, str], int]:
        names = ((s, name) for s, fields in self._structs.items() for name, _, _ in fields)
        return {name: number for number, name in enumerate(names)}

    @cached_property
    def grammar(self) -> scan.Grammar:
        kind, low, high, null, wanted = (
            np.array(column) for column in zip(*self._nodes, strict=True)
        )
        fields = [field for of in self._structs.values() for field in of]
        keys = [f'{name}"' for name, _, _ in fields]
        first = np.cumsum([0, *(len(of) for of in self._structs.values())])
        ranks, suits = np.full(256, -1, dtype=np.int64), np.full(256, -1, dtype=np.int64)
        for letters, numbers in ((LETTERS, ranks), (SUIT_LETTERS, suits)):
            for number, letter in enumerate(letters):
                numbers[ord(letter)] = number
        return scan.Grammar(
            kind=kind.astype(np.int64),
            low=low.astype(np.int64),
            high=high.astype(np.int64),
            null=null.astype(np.bool_),
            wanted=wanted.astype(np.bool_),
            first=first.astype(np.int64),
            letters=np.frombuffer("".join(keys).encode(), dtype=np.uint8),
            spelled=np.cumsum([0, *map(len, keys)]).astype(np.int64),
            nodes=np.array([node for _, node, _ in fields], dtype=np.int64),
            required=np.array(
                [sum(1 << n for n, f in enumerate(of) if f[2]) for of in self._structs.values()],
                dtype=np.uint64,
            ),
            words=self._hashes(self._words),
            ranks=ranks,
            suits=suits,
            key=self.key,
            root=self._root,
        )

    def _hashes(self, texts: list[str]) -> Uint64s:
        return np.array([self.hash(text) for text in texts], dtype=np.int64).view(np.uint64)

    def _node(self, told: msgspec.inspect.Type, name: str) -> int:
        """A type as a node; the node's number is taken before those inside it."""
        null = isinstance(told, msgspec.inspect.UnionType)
        if isinstance(told, msgspec.inspect.UnionType):
            told, none = told.types
            assert isinstance(none, msgspec.inspect.NoneType), f"{name} is more than one thing"
        at = len(self._nodes)
        self._nodes.append((0, 0, 0, null, name in WANTED))
        kind, low, high = self._parts(told, name)
        self._nodes[at] = (kind, low, high, null, name in WANTED)
        return at

    def _parts(self, told: msgspec.inspect.Type, name: str) -> tuple[int, int, int]:
        kinds = msgspec.inspect
        if isinstance(told, kinds.Metadata):
            return self._parts(told.type, name)
        if isinstance(told, kinds.IntType):
            return scan.INTEGER, _or(told.ge, LEAST), _or(told.le, GREATEST)
        if isinstance(told, kinds.StrType):
            return (scan.CARD if told.pattern else scan.TEXT), 0, _or(told.max_length, -1)
        if isinstance(told, kinds.BoolType):
            return scan.FLAG, 0, 0
        if isinstance(told, kinds.LiteralType):
            first = len(self._words)
            self._words += map(str, told.values)
            return scan.WORD, first, len(self._words)
        if isinstance(told, kinds.EnumType):
            return self._parts(kinds.LiteralType(tuple(told.cls)), name)
        if isinstance(told, kinds.StructType):
            return scan.STRUCT, self._struct(told), 0
        if isinstance(told, kinds.VarTupleType):
            return scan.ARRAY, self._node(told.item_type, name), 0
        assert isinstance(told, kinds.DictType), f"the scanner knows no {told}"
        return scan.MAP, self._node(told.value_type, name), 0

    def _struct(self, told: msgspec.inspect.StructType) -> int:
        if told.cls not in self._structs:
            fields = self._structs[told.cls] = []
            number = len(self._structs) - 1
            found = []
            if told.tag_field is not None:
                tag = msgspec.inspect.LiteralType((told.tag,))
                found.append((told.tag_field, self._node(tag, told.tag_field), True))
            for field in told.fields:
                node = self._node(field.type, field.encode_name)
                found.append((field.encode_name, node, field.required))
            fields += found
            return number
        return [*self._structs].index(told.cls)


@cache
def the_shapes() -> Shapes:
    """One grammar, and one key, in every run."""
    return Shapes()


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else min(max(value, LEAST), GREATEST)
