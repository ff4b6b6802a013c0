"""Names people write, looked up among those that exist: one refusal for every unknown name.

A name that nobody knows is never passed over, for it changes nothing and nobody would see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeVar

from croupier.facts.errors import Refusal, Unreadable, quoted

T = TypeVar("T")
MOST_COMPARED = 100  # letters; comparing takes time that grows with their square


def known_name(
    name: str, known: Iterable[str], what: str, *, where: str = "", clause: str | None = None
) -> str:
    """The name, if it is one of those known; otherwise a refusal that tells them.

    ``what`` says of which kind it should be, ``where`` in which book or ledger. With a clause the
    refusal cites it.
    """
    names = list(known)
    if name in names:
        return name
    sentence = unknown_name(name, names, what, where)
    raise Refusal(sentence, clause) if clause is not None else Unreadable(sentence)


def known_entry(
    name: str, entries: Mapping[str, T], what: str, *, where: str = "", clause: str | None = None
) -> T:
    """What stands under a name; a name that nobody knows is refused with those that exist."""
    return entries[known_name(name, entries, what, where=where, clause=clause)]


def known_names(
    names: Iterable[str],
    known: Iterable[str],
    what: str,
    *,
    where: str = "",
    clause: str | None = None,
) -> None:
    """Refuse the first of several names that nobody knows."""
    known = list(known)
    for name in names:
        known_name(name, known, what, where=where, clause=clause)


def unknown_name(name: str, known: Sequence[str], what: str, where: str = "") -> str:
    """The sentence for a name that is not known: what was meant perhaps, and what there is."""
    said = f"{where or 'there'} {'has' if where else 'is'} no {what} {quoted(name)}"
    near = nearest(name, known)
    meant = f" (did you mean {near}?)" if near is not None else ""
    there = f"choose one of {', '.join(known)}" if known else "there is none to choose"
    return f"{said}{meant}; {there}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like this one, capitals or not; None where none is like it."""
    by_folded = {each.casefold(): each for each in known}
    written = name[:MOST_COMPARED].casefold()
    found = get_close_matches(written, by_folded, n=1)
    return by_folded[found[0]] if found else None
