"""Tiles (c2sp.org/tlog-tiles): the tree cut into rows of 256 hashes, eight levels apart.

Only every eighth level is kept: the hashes between two are made again from the lower one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from croupier.ledger.transparency.tree import Subtree, node_hash

HEIGHT = 8
WIDTH = 1 << HEIGHT
HASH_BYTES = 32
PATH = re.compile(r"tile/(0|[1-9][0-9]?)/((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")

ReadHashes = Callable[[int, int, int], Sequence[bytes]]
"""The hashes of one row of tiles, from an index up to another: (level, start, end)."""


class Tile(NamedTuple):
    level: int
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        digits = f"{self.number:0{3 * -(-len(str(self.number)) // 3)}d}"
        groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        place = "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
        part = f".p/{self.width}" if self.width < WIDTH else ""
        return f"tile/{self.level}/{place}{part}"

    @property
    def start(self) -> int:
        return self.number * WIDTH


def tile_at(path: str) -> Tile | None:
    """The tile that a path names; None where it names none."""
    match = PATH.fullmatch(path)
    if match is None:
        return None
    number = int(match[2].replace("x", "").replace("/", ""))
    tile = Tile(int(match[1]), number, int(match[3] or WIDTH))
    return tile if tile.path == path else None


def tiles_between(old: int, new: int) -> Iterator[Tile]:
    """The tiles that a tree of ``new`` leaves has and one of ``old`` had not; none is empty."""
    level = 0
    while new:
        for number in range(old // WIDTH, -(-new // WIDTH)):
            width = min(WIDTH, new - number * WIDTH)
            if number * WIDTH + width > old:
                yield Tile(level, number, width)
        old, new, level = old // WIDTH, new // WIDTH, level + 1


def rows_above(
    leaves: Sequence[bytes], size: int, read: ReadHashes
) -> Iterator[tuple[int, int, bytes]]:
    """The hashes that ``leaves``, put in at ``size``, complete in the rows above: (level, index,
    hash). What stood there before is read.
    """
    level, start, added = 0, size, list(leaves)
    while added:
        first, end = start // WIDTH, (start + len(added)) // WIDTH
        row = [*read(level, first * WIDTH, start), *added]
        made = [subtree_root(row[at * WIDTH : (at + 1) * WIDTH]) for at in range(end - first)]
        level, start, added = level + 1, first, made
        yield from ((level, start + at, found) for at, found in enumerate(made))


def subtree_root(row: Sequence[bytes]) -> bytes:
    """The root over a power of two of hashes."""
    while len(row) > 1:
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]


def subtrees(read: ReadHashes) -> Subtree:
    """Any complete subtree, made from the row below it."""

    def of(height: int, index: int) -> bytes:
        level, above = divmod(height, HEIGHT)
        return subtree_root(read(level, index << above, (index + 1) << above))

    return of
