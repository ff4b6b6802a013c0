"""One letter a wager, the same in the browser and in the terminal."""

from __future__ import annotations

from croupier.table.terms import Terms

RESERVED = "bcdfkmqrwxz"  # what keys of a table do beside wagers, here or there


def wager_keys(terms: Terms) -> dict[str, str]:
    """By wager that a player sizes, a letter of its name; nothing where none is left."""
    taken, chosen = set(RESERVED), dict[str, str]()
    for name in terms.offered[terms.way]:
        if terms.book.wager(name).equals is None:
            letters = (letter for letter in name if letter.isalpha() and letter not in taken)
            chosen[name] = next(letters, "")
            taken.add(chosen[name])
    return chosen
