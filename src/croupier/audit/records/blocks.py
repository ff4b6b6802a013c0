"""A file of records read in blocks of whole lines, so that a file of any size takes the same room.

A line longer than any record is passed over without being kept, and told as what it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from croupier.facts.errors import Unreadable

BLOCK = 1_000_000
LONGEST_LINE = 16_000_000
UTF8_MARK = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Whole lines, the first of them numbered ``first``; or one line that was ``too_long``."""

    first: int
    content: bytes
    too_long: bool = False


def blocks(file: Path, hashed: hashlib._Hash, size: int = BLOCK) -> Iterator[Block]:
    """Every line of the file; the bytes go into ``hashed`` as they are read."""
    try:
        with file.open("rb") as opened:
            number, rest = 1, b""
            while read := opened.read(size):
                hashed.update(read)
                read = read.removeprefix(UTF8_MARK) if number == 1 and not rest else read
                whole, newline, tail = (rest + read).rpartition(b"\n")
                if newline:
                    yield Block(number, whole + newline)
                    number += whole.count(b"\n") + 1
                rest = tail
                if len(rest) > LONGEST_LINE:
                    yield Block(number, b"", too_long=True)
                    number, rest = number + 1, _after_it(opened, hashed, size)
            if rest:
                yield Block(number, rest + b"\n")
    except OSError as error:
        raise Unreadable(f"{file} cannot be read: {error.strerror}") from None


def plain_lines(block: Block) -> Iterator[tuple[int, bytes]]:
    """Each line of a block with its number."""
    yield from enumerate(block.content.split(b"\n")[:-1], block.first)


def _after_it(opened: BinaryIO, hashed: hashlib._Hash, size: int) -> bytes:
    """What follows the line that is passed over."""
    while read := opened.read(size):
        hashed.update(read)
        _, newline, tail = read.partition(b"\n")
        if newline:
            return tail
    return b""
