"""Change single values of a TOML text and leave every other character of it as it was written.

Comments, blank lines, the order of keys and the alignment of what stands behind a value stay. What
comes out is read again and held against what was asked for, so no edit changes anything else.
"""

from __future__ import annotations

import copy
import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any

from croupier.facts.errors import Unreadable
from croupier.facts.toml_lines import TomlPair, TomlPlaces, toml_places
from croupier.facts.toml_text import read_toml, toml_quote

TomlValue = str | int | bool | datetime.date | Sequence["TomlValue"] | Mapping[str, "TomlValue"]
KeyPath = tuple[str, ...]
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def with_value(text: str, path: KeyPath, value: TomlValue, order: Sequence[str] = ()) -> str:
    """The text with one value written: in the place of another, or where a person would add it.

    A new table gets a header, placed by ``order``, the names of the tables of the highest level.
    """
    places = toml_places(text)
    if path in places.pairs:
        changed = _replaced(text, places, path, written(value))
    else:
        changed = _added(text, places, path, value, order)
    return _proved(text, changed, path, value)


def without(text: str, path: KeyPath) -> str:
    """The text without a value, or without a whole table."""
    places = toml_places(text)
    pair = places.pairs.get(path)
    if pair is not None and pair.inline:
        return _proved(text, _without_member(text, places, path), path, None)
    cuts = [
        _line_span(text, one.start, one.end)
        for at, one in places.pairs.items()
        if at[: len(path)] == path and not one.inline
    ]
    cuts += [
        _line_span(text, header.start, header.end)
        for at, header in places.headers.items()
        if at[: len(path)] == path
    ]
    cuts += _comments_of(text, places, path)
    changed = text
    for start, end in sorted(cuts, reverse=True):
        changed = changed[:start] + changed[end:]
    return _proved(text, _without_gap(text, changed, cuts), path, None)


def written(value: TomlValue) -> str:
    """A value as a person writes it on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return toml_quote(value)
        case int():
            return str(value)
        case datetime.date():
            return value.isoformat()
        case Mapping():
            inside = ", ".join(f"{_key(name)} = {written(one)}" for name, one in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case _:
            return f"[{', '.join(map(written, value))}]"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else toml_quote(name)


def _replaced(text: str, places: TomlPlaces, path: KeyPath, value: str) -> str:
    pair = places.pairs[path]
    before, after = text[: pair.value], text[pair.end :]
    comment = re.match(r"( {2,})#", after)
    if comment is not None:  # comments of several lines stand in one column, and go on doing so
        room = len(comment[1]) - (len(value) - (pair.end - pair.value))
        after = " " * max(2, room) + after[comment.end(1) :]
    return before + value + after


def _added(
    text: str, places: TomlPlaces, path: KeyPath, value: TomlValue, order: Sequence[str]
) -> str:
    """Into the nearest table around it that is there, or under a header of its own."""
    for depth in range(len(path) - 1, 0, -1):
        pair = places.pairs.get(path[:depth])
        if pair is not None:
            return _with_member(text, pair.value, pair.end, _nested(path[depth:], value))
    home = path[:-1] if len(path) < 3 or isinstance(value, Mapping) else path[:-2]
    line = _assignment(path[len(home) :], value)
    if home and home not in places.headers:
        dotted = _last_dotted(places, home)
        if dotted is None:
            return _with_header(text, places, home, line, order)
        place = _line_end(text, dotted.end)
        prefix = "".join(f"{_key(str(name))}." for name in home[len(dotted.table) :])
        return f"{text[:place]}\n{prefix}{line}{text[place:]}"
    ends = [pair.end for pair in places.pairs.values() if pair.table == home and not pair.inline]
    if not ends and home:
        ends = [places.headers[home].end]
    if ends:
        place = _line_end(text, max(ends))
        return f"{text[:place]}\n{line}{text[place:]}"
    return f"{line}\n\n{text}" if not text.startswith("#") else _below_opening(text, line)


def _last_dotted(places: TomlPlaces, home: KeyPath) -> TomlPair | None:
    """The last pair of a table that dotted keys make; such a table cannot have a header."""
    made = [
        pair
        for at, pair in places.pairs.items()
        if at[: len(home)] == home and len(pair.table) < len(home) and not pair.inline
    ]
    return max(made, key=lambda pair: pair.end, default=None)


def _below_opening(text: str, line: str) -> str:
    """After the comment that a file begins with."""
    opening = re.match(r"(?:#[^\n]*(?:\n|$))+", text)
    assert opening is not None
    return f"{text[: opening.end()]}{line}\n{text[opening.end() :]}"


def _assignment(path: KeyPath, value: TomlValue) -> str:
    ((name, inside),) = _nested(path, value).items()
    return f"{_key(name)} = {written(inside)}"


def _nested(path: KeyPath, value: TomlValue) -> dict[str, TomlValue]:
    for name in reversed(path):
        value = {name: value}
    assert isinstance(value, dict)
    return value


def _with_member(text: str, start: int, end: int, member: Mapping[str, TomlValue]) -> str:
    if text[start] != "{":
        raise Unreadable("this stands where no table is; change it in the text")
    inside = text[start + 1 : end - 1]
    added = written(member)[2:-2]
    body = f"{inside.rstrip()}, {added}" if inside.strip() else f" {added}"
    return f"{text[:start]}{{{body} }}{text[end:]}"


def _without_member(text: str, places: TomlPlaces, path: KeyPath) -> str:
    pair = places.pairs[path]
    after = re.compile(r"\s*,\s*").match(text, pair.end)
    if after is not None:
        return text[: pair.start] + text[after.end() :]
    before = re.search(r"\s*,\s*$", text[: pair.start])
    start = before.start() if before is not None else pair.start
    return text[:start] + text[pair.end :]


def _with_header(
    text: str, places: TomlPlaces, home: KeyPath, line: str, order: Sequence[str]
) -> str:
    """A new table stands behind those of its own name, or before the first that comes later."""
    block = f"[{'.'.join(map(_key, home))}]\n{line}\n"
    starts = {at: header.start for at, header in places.headers.items()}
    own = [start for at, start in starts.items() if at[0] == home[0]]
    known = order.index(home[0]) if home[0] in order else len(order)
    later = [
        start
        for at, start in starts.items()
        if (start > max(own) if own else str(at[0]) in order and order.index(str(at[0])) > known)
    ]
    if not later:
        return f"{text.rstrip()}\n\n{block}" if text.strip() else block
    place = _above_comments(text, min(later))
    return f"{text[:place]}{block}\n{text[place:]}"


def _above_comments(text: str, start: int) -> int:
    """The start of the comment lines that stand right above this place, and belong to it."""
    above = re.search(r"(?:^[ \t]*#[^\n]*\n)+\Z", text[:start], re.MULTILINE)
    return above.start() if above is not None else start


def _comments_of(text: str, places: TomlPlaces, path: KeyPath) -> list[tuple[int, int]]:
    """The lines that are comments inside the tables that go; those above the next one stay."""
    starts = sorted((header.start, at) for at, header in places.headers.items())
    cuts = []
    for number, (start, at) in enumerate(starts):
        if at[: len(path)] == path:
            following = starts[number + 1][0] if number + 1 < len(starts) else len(text)
            end = _above_comments(text, following) if following < len(text) else following
            cuts += [
                (start + found.start(), start + found.end())
                for found in re.finditer(r"^[ \t]*#[^\n]*(?:\n|$)", text[start:end], re.MULTILINE)
            ]
    return cuts


def _without_gap(text: str, changed: str, cuts: Sequence[tuple[int, int]]) -> str:
    """No more blank lines at the place of what is gone than there were on one side of it."""
    if not cuts:
        return changed
    place = min(start for start, _ in cuts)
    gap = re.compile(r"\n{3,}").search(changed, max(0, place - 3))
    if gap is None or gap.start() > place or "\n\n\n" in text[: place + 1]:
        return changed if changed.strip() else ""
    return f"{changed[: gap.start()]}\n\n{changed[gap.end() :]}".rstrip("\n") + "\n"


def _line_span(text: str, start: int, end: int) -> tuple[int, int]:
    """The whole lines from one place to another, with the end of the last."""
    return text.rfind("\n", 0, start) + 1, min(len(text), _line_end(text, end) + 1)


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end - text.startswith("\r\n", end - 1)


def _proved(before: str, after: str, path: KeyPath, value: TomlValue | None) -> str:
    """The edited text, once it says what was asked for and nothing else."""
    wanted = _set(read_toml(before), path, value)
    if _plain(_read(after)) != _plain(wanted):
        raise Unreadable(f"{'.'.join(path)} cannot be changed by itself; change it in the text")
    return after


def _read(text: str) -> dict[str, Any] | None:
    try:
        return read_toml(text)
    except Unreadable:
        return None


def _set(document: dict[str, Any], path: KeyPath, value: TomlValue | None) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    table = changed
    for name in path[:-1]:
        table = table.setdefault(name, {}) if value is not None else table.get(name, {})
        if not isinstance(table, dict):
            return changed
    if value is not None:
        table[path[-1]] = value
    else:
        table.pop(path[-1], None)
    return changed


def _plain(value: object) -> object:
    """Lists however they came, and no table that holds nothing."""
    if isinstance(value, Mapping):
        inside = {name: _plain(one) for name, one in value.items()}
        return {name: one for name, one in inside.items() if one != {}}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
