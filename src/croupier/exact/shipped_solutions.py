"""Read-only cache of solutions in the package, keyed by Rules hash; other code: a miss.

``shipped/index.json`` has the hash of the code that counted them, and by the hash of its Rules the
file of each solution: under any other code or Rules there is none, and the solver counts.
``make solutions`` writes them; the test that ``PROOF`` names counts them again.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from croupier.exact.solution import HandValue, Solution
from croupier.exact.solution_file import code_digest, from_bytes, rules_digest, to_bytes
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of

FOLDER = Path(__file__).parent / "shipped"
PROOF = "tests/exact/test_shipped_solutions.py"
PROVENANCE = f"kept, proved by {PROOF}"
_INDEX = "index.json"


class Index(msgspec.Struct, frozen=True):
    """Which file answers which question: by the Rules' hash, and by what decides starting hands."""

    code: str
    solutions: dict[str, str]
    hands: dict[str, str]


@dataclass(frozen=True)
class StartingHands:
    """What is known before the flop, whatever the side wagers are."""

    hands: tuple[HandValue, ...]
    provenance: str = PROVENANCE


def shipped_solution(rules: Rules) -> Solution | None:
    """The solution of these Rules, if this code counted it before it was shipped."""
    index = shipped_index()
    name = index.solutions.get(rules_digest(rules)) if index.solutions else None
    return _read(name) if name is not None else None


def shipped_hands(rules: Rules) -> StartingHands | None:
    """The starting hands of any Rules whose base game is decided as a shipped one is."""
    index = shipped_index()
    asked = decision_digest(rules) if index.hands else None
    name = index.hands.get(asked) if asked is not None else None
    return StartingHands(_read(name).hands) if name is not None else None


def decision_digest(rules: Rules) -> str | None:
    """One hash of what decides the values of starting hands; None where a game lists none."""
    if shape_of(rules) is not GameShape.HOLDEM:
        return None
    from croupier.exact import holdem

    return holdem.decision_digest(rules)


@cache
def shipped_index() -> Index:
    """What is kept; nothing where other code is running than counted it."""
    try:
        index = msgspec.json.decode((FOLDER / _INDEX).read_bytes(), type=Index)
    except (OSError, ValueError):
        return Index("", {}, {})
    return index if index.code == code_digest() else Index(index.code, {}, {})


@lru_cache(maxsize=4)  # a coach asks for the same one all evening
def _read(name: str) -> Solution:
    content = gzip.decompress((FOLDER / name).read_bytes())
    return replace(from_bytes(content, Solution), provenance=PROVENANCE)


def write(solutions: dict[str, tuple[Rules, Solution]]) -> None:
    """Keep these solutions, by the names of their files, and nothing else."""
    FOLDER.mkdir(exist_ok=True)
    for stale in FOLDER.iterdir():
        stale.unlink()
    by_rules: dict[str, str] = {}
    by_decision: dict[str, str] = {}
    for stem, (rules, solution) in solutions.items():
        name = f"{stem}.json.gz"
        (FOLDER / name).write_bytes(gzip.compress(to_bytes(solution), mtime=0))
        by_rules[rules_digest(rules)] = name
        if (decided := decision_digest(rules)) is not None:
            by_decision.setdefault(decided, name)
    index = msgspec.json.encode(Index(code_digest(), by_rules, by_decision))
    (FOLDER / _INDEX).write_bytes(msgspec.json.format(index, indent=1) + b"\n")
    shipped_index.cache_clear()
