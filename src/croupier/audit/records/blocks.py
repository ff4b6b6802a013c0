"""A chunked reader of record files: blocks of whole lines, so that any size takes the same room.

A line longer than any record is passed over without being kept, and told as what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from croupier.facts.errors import Unreadable

BLOCK = 1_000_000
LONGEST_LINE = 16_000_000
UTF8_MARK = b"\xef\xbb\xbf"
NEWLINE = b"\n"


class LineBlock(NamedTuple):
    """Whole lines, the first of them numbered ``first``; or one line that was ``too_long``."""

    first: int
    content: bytes
    too_long: bool = False


def blocks(file: Path, taken: Callable[[bytes], object], size: int = BLOCK) -> Iterator[LineBlock]:
    """Every line of the file; ``taken`` is given all bytes as they are read."""
    number, rest, passing = 1, b"", False
    for read in _reads(file, size):
        taken(read)
        if passing:
            _, newline, read = read.partition(NEWLINE)
            if not newline:
                continue
            number, passing = number + 1, False
        whole, newline, rest = (rest + read).rpartition(NEWLINE)
        content = whole + newline
        first = content.find(NEWLINE)
        if first > LONGEST_LINE:  # only a line that began in another block can be so long
            yield LineBlock(number, b"", too_long=True)
            number, content = number + 1, content[first + 1 :]
        if content:
            yield LineBlock(number, content)
            number += content.count(NEWLINE)
        if len(rest) > LONGEST_LINE:
            yield LineBlock(number, b"", too_long=True)
            rest, passing = b"", True
    if rest:
        yield LineBlock(number, rest + NEWLINE)


def plain_lines(block: LineBlock) -> Iterator[tuple[int, bytes]]:
    """Each line of a block with its number."""
    yield from enumerate(block.content.split(NEWLINE)[:-1], block.first)


def _reads(file: Path, size: int) -> Iterator[bytes]:
    try:
        with file.open("rb") as opened:
            while read := opened.read(size):
                yield read
    except OSError as error:
        raise Unreadable(f"{file} cannot be read: {error.strerror}") from None
