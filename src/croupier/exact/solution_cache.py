"""Disk cache of solutions, keyed by the hashes of Rules and code.

Solutions of the shipped rules come with the package; the others are counted once on each machine.
Nothing here is needed for a right answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from croupier.disk import cache_home, whole_file
from croupier.exact.base_game import LimitedAnte
from croupier.exact.shipped_solutions import shipped_hands, shipped_solution
from croupier.exact.solution import HandValue, Solution
from croupier.exact.solution_file import code_digest, from_bytes, rules_digest, to_bytes
from croupier.facts.money import Cents
from croupier.facts.progress import Progress
from croupier.games.rules import Rules

if TYPE_CHECKING:
    from croupier.exact.payout_limit import AnteValue

StakesInAntes = tuple[tuple[str, Fraction], ...]
T = TypeVar("T")
PROVENANCE = "kept, counted on this machine by the same rules and code"


class KnownHands(Protocol):
    """What advice before the flop asks for: a solution, or its starting hands alone."""

    @property
    def hands(self) -> tuple[HandValue, ...]: ...

    @property
    def provenance(self) -> str: ...


def kept(
    rules: Rules, limited: LimitedAnte | None = None, beside: StakesInAntes = ()
) -> Solution | None:
    """The answer that is shipped or was found before, if there is one that can be read."""
    shipped = shipped_solution(rules) if limited is None else None
    if shipped is not None:
        return shipped
    found = _kept(_place(rules, (limited, beside)), Solution)
    return replace(found, provenance=PROVENANCE) if found is not None else None


def known_hands(rules: Rules, solution: Callable[[], Solution]) -> KnownHands:
    """The starting hands as they are kept, with this or another table's side wagers; or counted."""
    return kept(rules) or shipped_hands(rules) or solution()


def solved(
    rules: Rules,
    progress: Progress = lambda what, done: None,
    *,
    limited: LimitedAnte | None = None,
    beside: StakesInAntes = (),
    afresh: bool = False,
) -> Solution:
    """The exact value of every wager under these Rules: kept, or counted now and kept."""
    solution = None if afresh else kept(rules, limited, beside)
    if solution is None:
        # The solver is loaded where something is counted: reading an answer takes none of it.
        from croupier.exact import holdem
        from croupier.exact.solve import solve

        if afresh:
            holdem.forget()
        solution = solve(rules, progress, limited, beside)
        keep(rules, solution)
    return solution


def keep(rules: Rules, solution: Solution) -> None:
    """Put an answer where the next run finds it; a full or read-only disk is no reason to fail."""
    _keep(_place(rules, (solution.limited, solution.beside)), solution)


def values_by_ante(
    rules: Rules,
    limit_cents: Cents,
    antes: tuple[Cents, ...],
    progress: Progress = lambda what, done: None,
) -> tuple[AnteValue, ...]:
    """What each Ante is worth under a payout limit: found before, or counted now and kept."""
    from croupier.exact.payout_limit import AnteValue
    from croupier.exact.payout_limit import values_by_ante as limited_values

    return kept_answer(
        rules,
        ("by Ante", limit_cents, antes),
        tuple[AnteValue, ...],
        lambda: limited_values(rules, limit_cents, antes, progress),
    )


def kept_answer(rules: Rules, asked: object, kind: type[T], find: Callable[[], T]) -> T:
    """What was found before for this question about the Rules, or is found now and kept."""
    place = _place(rules, asked)
    found = _kept(place, kind)
    if found is None:
        found = find()
        _keep(place, found)
    return found


def _kept(place: Path, kind: type[T]) -> T | None:
    try:
        digest, _, content = place.read_bytes().partition(b"\n")
        return from_bytes(content, kind) if digest == _digest(content) else None
    except (OSError, ValueError):
        return None


def _keep(place: Path, found: object) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        content = to_bytes(found)
        with whole_file(place) as file:
            file.write(_digest(content) + b"\n" + content)
    except OSError:
        return


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def _place(rules: Rules, asked: object) -> Path:
    """One file for an answer: by the Rules, the code, and the Ante and limit it was asked for."""
    said = f"{rules_digest(rules)}{code_digest()}{asked!r}"
    name = hashlib.sha256(said.encode()).hexdigest()
    return cache_home() / "answers" / f"{name[:32]}.json"
