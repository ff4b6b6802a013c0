"""Wagers typed at the practice table: ``a 20 t 5`` puts $20 on the Ante and $5 on Trips."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from croupier.cli.screen import Screen
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import cents, money
from croupier.games.rules import PROGRESSIVE
from croupier.practice.wager_keys import wager_keys
from croupier.table.feasibility import enough
from croupier.table.terms import Terms

_PART = re.compile(r"([a-z_]+)\s*(\$?\d[\d,]*(?:\.\d+)?)?[\s,;]*")


def keys(terms: Terms) -> dict[str, str]:
    """What is typed for each wager a player sizes: its letter, or its name where none is left; one
    that must equal another follows it."""
    return {key or name: name for name, key in wager_keys(terms).items()}


def read_stakes(line: str, terms: Terms, before: Mapping[str, int]) -> dict[str, int]:
    """The stakes after what was typed; nothing is placed yet, so the rules have not spoken."""
    known, after, at = keys(terms), dict(before), 0
    by_name = {name: name for name in known.values()}
    while at < len(line):
        part = _PART.match(line, at)
        name = (known | by_name).get(part[1]) if part is not None else None
        if part is None or name is None:
            said = quoted(line[at:].split()[0])
            raise Unreadable(f"{said} is no wager here; type a letter and dollars, like a 20")
        amount = least(terms, name) if part[2] is None else cents(f"${part[2].lstrip('$')}")
        for each in (name, *_equal_to(terms, name)):
            after[each] = amount
        at = part.end()
    return {name: after[name] for name in terms.offered[terms.way] if after.get(name)}


def least_stakes(terms: Terms) -> dict[str, int]:
    """The least a hand needs."""
    return {name: least(terms, name) for name in enough(terms.book.opening)[0]}


def least(terms: Terms, wager: str) -> int:
    if wager == PROGRESSIVE and terms.progressive_cents is not None:
        return terms.progressive_cents
    limit = terms.limit_of.get(wager)
    return limit.minimum_cents if limit is not None else 1_00


def _equal_to(terms: Terms, name: str) -> list[str]:
    return [wager.name for wager in terms.book.wagers if wager.equals == name]


def show_wagers(terms: Terms, stakes: Mapping[str, int], console: Screen) -> None:
    """What lies on each wager, its letter and its limits."""
    letters = {name: key for key, name in keys(terms).items()}
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("Key", "Wager", "Yours", "Limits"):
        table.add_column(title, justify="right" if title == "Yours" else "left")
    for name in terms.offered[terms.way]:
        wager = terms.book.wager(name)
        lies = money(stakes[name]) if stakes.get(name) else "-"
        table.add_row(letters.get(name, ""), wager.title, lies, _limits(terms, name))
    console.print(table)
    key, name = next(iter(keys(terms).items()))
    title = terms.book.wager(name).title
    hint = f"Enter deals; {key} 20 puts $20 on the {title}, {key} 0 takes it off; ? helps, q leaves"
    console.print(Text(hint, style="dim"))


def _limits(terms: Terms, name: str) -> str:
    wager, limit = terms.book.wager(name), terms.limit_of.get(name)
    if wager.equals is not None:
        return f"equal to the {terms.book.wager(wager.equals).title}"
    if name == PROGRESSIVE or limit is None:
        return f"{money(least(terms, name))}"
    step = money(limit.increment_cents)
    return f"{money(limit.minimum_cents)} to {money(limit.maximum_cents)} in steps of {step}"


def show_help(console: Screen) -> None:
    """Every key, as the table in the browser has them."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for key, says in HELP:
        table.add_row(f" {key}", says)
    console.print(table)


HELP = (
    ("Enter, d", "deal with the wagers as they lie"),
    ("a 20", "put $20 on the wager with that letter; a 0 takes it off, a alone puts the least"),
    ("r", "put the last wagers down again"),
    ("z, x", "undo the last change, take all wagers back"),
    ("+", "bring more practice chips, which are free"),
    ("4 3 2 1", "wager that many times the Ante, when you are asked"),
    ("c, f", "check, fold"),
    ("?", "this help"),
    ("q, Ctrl-C", "leave the table; during a hand you are asked first, for it is given up"),
)
