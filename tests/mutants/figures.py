"""Every figure of a rulebook as a mutant: line by line, each a little off.

A line of the TOML that carries a clause, or stands in a block that does, and a figure (odds, a
count, an amount) or a word that decides (who is asked first, what a fold does), gives a mutant for
each of them. The line is changed as text, so that a mutant can be read as a difference.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.mutants.mutant import BOOKS, PACKAGE, Mutant, enforced, in_books

EQUIVALENT = Path(__file__).parent / "equivalent.toml"

_CLAUSE = re.compile(r'(?<![\w.])clause = "([^"]+)"')
_HEADER = re.compile(r"^\[")
_FIGURE = re.compile(
    r"(?<![\w.])(?P<key>pays|odds|count|deal|turn|rounds|cards|least|stakes|multiples"
    r"|least_multiple|most_multiple|all_of|any_of|needs|pushes|wagers|still_settles|optional"
    r"|only_if_held) = "
    r'(?P<value>"[^"]*"|\d+|\[[^\]]*\]|true)'
)
_WORD = re.compile(r'(?<![\w.])(?P<key>\w+) = "(?P<value>[a-z ]+)"')
_WORDS = {
    "settled_from": {"right": "left"},
    "outcome": {"forfeit": "stays", "stays": "forfeit", "push": "lose", "win": "push"},
    "otherwise": {"check": "fold", "fold": "check"},
    "rule": {"one": "adjacent", "adjacent": "one"},
    "folded_holder": {"never": "with an open wager", "with an open wager": "never"},
    "effect": {
        "set aside": "play on",
        "use next": "void",
        "void": "play on",
        "salvage": "void",
        "return and reshuffle": "reshuffle",
        "reshuffle": "return and reshuffle",
    },
    "until": {
        "shuffled": "cleared",
        "dealt": "cleared",
        "acted": "cleared",
        "revealed": "acted",
        "cleared": "dealt",
    },
    "hand": {"pair": "two pair"},
    "face": {"up": "down"},
}


def figures() -> Iterator[Mutant]:
    """A mutant for every figure that an enforced clause gives."""
    for book in BOOKS:
        place = f"rulebook/books/{book}.toml"
        text = (PACKAGE / place).read_text("utf-8")
        lines = text.splitlines(keepends=True)
        for number, line in enumerate(lines):
            clause = f"{book} {_clause_of(lines, number)}"
            if clause not in enforced():
                continue
            for told, changed in _changed(line):
                rest = [*lines[:number], changed, *lines[number + 1 :]]
                name = f"{book}.toml {number + 1}: {told}"
                yield Mutant(name, place, "".join(rest), (clause,))


def equivalents() -> dict[str, str]:
    """Lines that may change without anybody's noticing, and why; by clause and change."""
    return {
        f"{clause}: {entry['change']}": entry["why"]
        for entry in tomllib.loads(EQUIVALENT.read_text("utf-8"))["figure"]
        for said in entry["clauses"]
        for clause in in_books(said)
    }


def is_equivalent(mutant: Mutant) -> bool:
    _, _, told = mutant.name.partition(": ")
    return f"{mutant.clauses[0]}: {told}" in equivalents()


def _clause_of(lines: list[str], number: int) -> str:
    """The clause on the line itself; else that of the block the line stands in."""
    if own := _CLAUSE.search(lines[number]):
        return own[1]
    for at in _block(lines, number):
        if found := re.match(r'clause = "([^"]+)"', lines[at]):
            return found[1]
    return ""


def _block(lines: list[str], number: int) -> range:
    start = number
    while start and not _HEADER.match(lines[start]):
        start -= 1
    end = start + 1
    while end < len(lines) and not _HEADER.match(lines[end]):
        end += 1
    return range(start, end)


def _changed(line: str) -> Iterator[tuple[str, str]]:
    """What is changed, and the line with it, for each thing on the line that decides."""
    for found in _FIGURE.finditer(line):
        value = found["value"]
        other = _off_by_one(value)
        if other != value:
            start, end = found.span("value")
            yield f"{found['key']} {value} for {other}", line[:start] + other + line[end:]
    for found in _WORD.finditer(line):
        other = _WORDS.get(found["key"], {}).get(found["value"], "")
        if other:
            start, end = found.span("value")
            told = f"{found['key']} {found['value']} for {other}"
            yield told, line[:start] + other + line[end:]


_KINDS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r'"push"', lambda said: '"1 to 1"'),
    (r'"([\d,]+) (to|for) (\d+)"', lambda said: f'"{_more(said[1])} {said[2]} {said[3]}"'),
    (r'"(\d+)% of (\w+)"', lambda said: f'"{int(said[1]) - 1}% of {said[2]}"'),
    (r'"\$([\d,]+)"', lambda said: f'"${_more(said[1])}"'),
    (r"(\d+)", lambda said: str(int(said[1]) + 1)),
    (r"\[(.*?)(\d+)\]", lambda said: f"[{said[1]}{int(said[2]) + 1}]"),
    (r"true", lambda said: "false"),
    (r'\["\w+"\]', lambda said: "[]"),
    (r'\[(.*), "[a-z_]+"\]', lambda said: f"[{said[1]}]"),
    (r'\[(.*"\$)(\d+)"\]', lambda said: f'[{said[1]}{int(said[2]) + 1}"]'),
)


def _off_by_one(value: str) -> str:
    for pattern, other in _KINDS:
        if said := re.fullmatch(pattern, value):
            return other(said)
    return value


def _more(number: str) -> str:
    return f"{int(number.replace(',', '')) + 1:,}"
