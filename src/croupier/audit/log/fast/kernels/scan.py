"""A JSON scanner: a line as a tape of numbers, read by a grammar of numbers.

Only what the grammar allows is read: every key, type, range and length is that of the shapes of
records. Whatever else comes, an escape in a string or a key written twice too, ends the reading,
and the line is left to the readable code. Strings become keyed hashes; an absent value leaves
nothing on the tape.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.audit.log.fast.kernels.compiled import inlined, kernel, part
from croupier.exact.kernels.array_types import Bools, Int64s, Uint8s, Uint64s, int64

INTEGER, TEXT, FLAG, WORD, STRUCT, ARRAY, MAP, CARD = range(8)
KEY, VALUE = -1, -2  # of a map, on the tape
BEGIN, END = -100, -200  # less the number of the struct, on the tape
DEEPEST = 12
MOST_DIGITS = 18
TRUE, FALSE, NULL = (116, 114, 117, 101), (102, 97, 108, 115, 101), (110, 117, 108, 108)
N, T = NULL[0], TRUE[0]


class Grammar(NamedTuple):
    """The shapes of a record in numbers. A node is a type at one place of the record."""

    kind: Int64s
    low: Int64s  # least integer; first word; struct, element or value node
    high: Int64s  # greatest integer; one past the last word; longest text, or -1
    null: Bools
    wanted: Bools  # whether a text is hashed onto the tape
    first: Int64s  # by struct: its first field; one more at the end
    letters: Uint8s  # the keys of all fields, each with the quote that ends it
    spelled: Int64s  # by field: where its key begins; one more at the end
    nodes: Int64s  # by field
    required: Uint64s  # by struct: a bit for each field that must be there
    words: Uint64s  # the words of literals, hashed
    ranks: Int64s  # by byte: the rank of a card, or -1
    suits: Int64s  # by byte
    key: np.uint64  # multiplies hashes; another in every run
    root: int


@inlined
def blank(buffer: Uint8s, at: int, end: int) -> int:
    while at < end and (buffer[at] == 32 or buffer[at] == 9 or buffer[at] == 13):
        at += 1
    return at


@kernel
def hash_of(buffer: Uint8s, key: np.uint64) -> np.uint64:
    """The hash of a whole text."""
    return hashed(buffer, 0, len(buffer), key)


@inlined
def hashed(buffer: Uint8s, start: int, end: int, key: np.uint64) -> np.uint64:
    value = np.uint64(end - start)
    for at in range(start, end):
        value = (value + np.uint64(buffer[at]) + np.uint64(1)) * key
    return value ^ (value >> np.uint64(29))


@inlined
def closing(buffer: Uint8s, at: int, end: int) -> tuple[int, int]:
    """Where a text ends, or -1 where it has no plain end; and how many characters it has."""
    count = 0
    while at < end:
        byte = buffer[at]
        if byte == 34:
            return at, count
        if byte == 92 or byte < 32:
            return -1, 0
        count += (byte & 0xC0) != 0x80
        at += 1
    return -1, 0


@inlined
def integer(buffer: Uint8s, at: int, end: int) -> tuple[int, int]:
    """An integer and where it ends, or -1 where there is none of a size that is read here."""
    negative = at < end and buffer[at] == 45
    at += negative
    start, value = at, int64(0)
    while at < end and 48 <= buffer[at] <= 57:
        value = value * 10 + int64(buffer[at] - 48)
        at += 1
    digits = at - start
    if digits == 0 or digits > MOST_DIGITS or (digits > 1 and buffer[start] == 48):
        return -1, int64(0)
    if at < end and (buffer[at] == 46 or buffer[at] == 101 or buffer[at] == 69):
        return -1, int64(0)
    return at, -value if negative else value


@inlined
def plain(buffer: Uint8s, at: int, end: int, word: tuple[int, ...]) -> int:
    """Where one of true, false and null ends, or -1."""
    if at + len(word) > end:
        return -1
    for place in range(len(word)):
        if buffer[at + place] != word[place]:
            return -1
    return at + len(word)


@inlined
def card(buffer: Uint8s, start: int, g: Grammar) -> int:
    rank, suit = g.ranks[buffer[start]], g.suits[buffer[start + 1]]
    return 4 * rank + suit if rank >= 0 and suit >= 0 else -1


@inlined
def text(buffer: Uint8s, at: int, end: int, node: int, g: Grammar) -> tuple[int, int, bool]:
    """A text, a word or a card: where it ends, its number, and whether that is wanted."""
    if at >= end or buffer[at] != 34:
        return -1, int64(0), False
    start = at + 1
    at, count = closing(buffer, start, end)
    if at < 0:
        return -1, int64(0), False
    kind = g.kind[node]
    if kind == CARD:
        number = card(buffer, start, g) if at - start == 2 else -1
        return (at + 1 if number >= 0 else -1), int64(number), True
    if kind == WORD:
        found = hashed(buffer, start, at, g.key)
        for word in range(g.low[node], g.high[node]):
            if g.words[word] == found:
                return at + 1, int64(word - g.low[node]), True
        return -1, int64(0), False
    if g.high[node] >= 0 and count > g.high[node]:
        return -1, int64(0), False
    if not g.wanted[node]:
        return at + 1, int64(0), False
    return at + 1, int64(hashed(buffer, start, at, g.key)), True


@inlined
def scalar(buffer: Uint8s, at: int, end: int, node: int, g: Grammar) -> tuple[int, int, bool]:
    """A value that holds no other: where it ends, its number, and whether that is wanted."""
    byte, kind = buffer[at], g.kind[node]
    if byte == N and g.null[node]:
        return plain(buffer, at, end, NULL), int64(0), False
    if kind == INTEGER:
        at, number = integer(buffer, at, end)
        if number < g.low[node] or number > g.high[node]:
            return -1, int64(0), False
        return at, number, True
    if kind == FLAG:
        is_true = byte == T
        at = plain(buffer, at, end, TRUE) if is_true else plain(buffer, at, end, FALSE)
        return at, int64(is_true), True
    return text(buffer, at, end, node, g)


@part
def scan(
    buffer: Uint8s, at: int, end: int, g: Grammar, fields: Int64s, values: Int64s, stack: Int64s,
    seen: Uint64s,
) -> int:  # fmt: skip
    """The tape of one line: how long it is, or -1 where the grammar does not fit.

    A row of ``stack`` is a node, the field it stands in and where to look next; ``seen`` has a bit
    for each field that has come.
    """
    count, depth, node, field = 0, 0, g.root, int64(-3)
    fresh = False
    most = len(fields) - 4
    while True:
        at = blank(buffer, at, end)
        if at >= end or count >= most:
            return -1
        byte, kind = buffer[at], g.kind[node]
        is_null = byte == N and g.null[node]
        if kind in (STRUCT, MAP, ARRAY) and not is_null:
            if byte != (91 if kind == ARRAY else 123) or depth == DEEPEST:
                return -1
            stack[depth, 0], stack[depth, 1], stack[depth, 2] = node, field, 0
            seen[depth] = 0
            depth += 1
            fresh = True
            if kind == STRUCT:
                fields[count], values[count] = BEGIN - g.low[node], at
                count += 1
            at += 1
        else:
            at, number, wanted = scalar(buffer, at, end, node, g)
            if wanted:
                fields[count], values[count] = field, number
                count += 1
        if at < 0:
            return -1
        at, depth, node, field, count = follow(
            buffer, at, end, g, stack, seen, depth, fresh, fields, values, count
        )
        fresh = False
        if at < 0:
            return -1
        if depth == 0:
            return count if blank(buffer, at, end) == end else -1


@inlined
def follow(
    buffer: Uint8s, at: int, end: int, g: Grammar, stack: Int64s, seen: Uint64s, depth: int,
    fresh: bool, fields: Int64s, values: Int64s, count: int,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """What comes after a value: the next one's node and field, or the end of what holds it."""
    node, field = int64(0), int64(-3)
    while depth:
        at = blank(buffer, at, end)
        if at >= end or count >= len(fields) - 4:
            return -1, depth, node, field, count
        holds = stack[depth - 1, 0]
        kind, byte = g.kind[holds], buffer[at]
        if byte == (93 if kind == ARRAY else 125):
            at += 1
            depth -= 1
            fresh = False
            if kind == STRUCT:
                struct = g.low[holds]
                if g.required[struct] & ~seen[depth]:
                    return -1, depth, node, field, count
                fields[count], values[count] = END - struct, at
                count += 1
            continue
        if not fresh:
            if byte != 44:
                return -1, depth, node, field, count
            at = blank(buffer, at + 1, end)
        if kind == ARRAY:
            return at, depth, g.low[holds], stack[depth - 1, 1], count
        at, node, field, count = named(
            buffer, at, end, g, stack, seen, depth, fields, values, count
        )
        return at, depth, node, field, count
    return at, depth, node, field, count


@inlined
def named(
    buffer: Uint8s, at: int, end: int, g: Grammar, stack: Int64s, seen: Uint64s, depth: int,
    fields: Int64s, values: Int64s, count: int,
) -> tuple[int, int, int, int]:  # fmt: skip
    """A key and its colon: where the value begins, its node and its field."""
    holds, start = stack[depth - 1, 0], at + 1
    struct, is_map = g.low[holds], g.kind[holds] == MAP
    node, field, nothing = g.low[holds], int64(VALUE), int64(-3)
    if at >= end or buffer[at] != 34:
        return -1, node, nothing, count
    if is_map:
        at, _ = closing(buffer, start, end)
        if at < 0:
            return -1, node, nothing, count
        fields[count], values[count] = KEY, int64(hashed(buffer, start, at, g.key))
        count += 1
        at += 1
    else:
        field = field_of(buffer, start, end, g, struct, stack[depth - 1, 2])
        if field < 0:
            return -1, node, nothing, count
        at = start + g.spelled[field + 1] - g.spelled[field]
        bit = np.uint64(1) << np.uint64(field - g.first[struct])
        if seen[depth - 1] & bit:
            return -1, node, nothing, count
        seen[depth - 1] |= bit
        stack[depth - 1, 2] = field - g.first[struct] + 1
        node = g.nodes[field]
    at = blank(buffer, at, end)
    if at >= end or buffer[at] != 58:
        return -1, node, nothing, count
    return at + 1, node, field, count


@inlined
def field_of(buffer: Uint8s, start: int, end: int, g: Grammar, struct: int, after: int) -> int:
    """The field whose key stands here; keys mostly come in the order of the shapes."""
    first, count = g.first[struct], g.first[struct + 1] - g.first[struct]
    for step in range(count):
        field = first + (after + step) % count
        letter, last = g.spelled[field], g.spelled[field + 1]
        if start + last - letter > end:
            continue
        at = start
        while letter < last and buffer[at] == g.letters[letter]:
            at += 1
            letter += 1
        if letter == last:
            return int64(field)
    return int64(-1)
