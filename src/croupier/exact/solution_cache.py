"""Answers kept between runs, by the Rules they answer and the code that found them.

A change of any rule or of any source file asks anew; nothing here is needed for a right answer.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

import croupier.facts
from croupier.disk import whole_file
from croupier.exact import uth
from croupier.exact.base_game import LimitedAnte
from croupier.exact.by_ante import AnteValue
from croupier.exact.by_ante import values_by_ante as limited_values
from croupier.exact.kernels.compiled import cache_home
from croupier.exact.solution import Solution
from croupier.exact.solve import Progress, solve
from croupier.facts.money import Cents
from croupier.games.rules import Rules
from croupier.rulebook.book import ComesWith

_PACKAGE = Path(croupier.facts.__file__).parent.parent
_ROOMS = ("facts", "rulebook", "games", "exact")
Found = TypeVar("Found")


def kept(rules: Rules, limited: LimitedAnte | None = None) -> Solution | None:
    """The answer found before, if there is one that can be read."""
    return _kept(_place(rules, limited), Solution)


def solved(
    rules: Rules,
    progress: Progress = lambda what, done: None,
    *,
    limited: LimitedAnte | None = None,
    afresh: bool = False,
) -> Solution:
    """The exact value of every wager under these Rules: found before, or counted now and kept."""
    if afresh:
        uth.forget()
    solution = None if afresh else kept(rules, limited)
    if solution is None:
        solution = solve(rules, progress, limited)
        keep(rules, solution)
    return solution


def keep(rules: Rules, solution: Solution) -> None:
    """Put an answer where the next run finds it; a full or read-only disk is no reason to fail."""
    _keep(_place(rules, solution.limited), solution)


def values_by_ante(
    rules: Rules,
    limit_cents: Cents,
    antes: tuple[Cents, ...],
    progress: Progress = lambda what, done: None,
) -> tuple[AnteValue, ...]:
    """What each Ante is worth under a payout limit: found before, or counted now and kept."""
    place = _place(rules, ("by Ante", limit_cents, antes))
    values = _kept(place, tuple[AnteValue, ...])
    if values is None:
        values = limited_values(rules, limit_cents, antes, progress)
        _keep(place, values)
    return values


def _kept(place: Path, kind: type[Found]) -> Found | None:
    try:
        digest, _, content = place.read_bytes().partition(b"\n")
        if digest != _digest(content):
            return None
        return msgspec.json.decode(content, type=kind, dec_hook=_decode, strict=False)
    except (OSError, ValueError):
        return None


def _keep(place: Path, found: object) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        content = msgspec.json.encode(found, enc_hook=_encode)
        with whole_file(place) as file:
            file.write(_digest(content) + b"\n" + content)
    except OSError:
        return


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def rules_digest(rules: Rules) -> str:
    """One hash of everything in the Rules that decides money and order."""
    book = msgspec.structs.replace(rules.book, own_trace={}, trace_text="", comes_with=ComesWith())
    bound = (rules.letters, rules.paytables, rules.progressive, rules.envy)
    said = repr((rules.game.id, book, bound, rules.payout_limit_cents))
    return hashlib.sha256(said.encode()).hexdigest()


@cache
def code_digest() -> str:
    """One hash of every source file an answer depends on."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        for path in sorted((_PACKAGE / room).rglob("*.py")):
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _place(rules: Rules, asked: object) -> Path:
    """One file for an answer: by the Rules, the code, and the Ante and limit it was asked for."""
    said = f"{rules_digest(rules)}{code_digest()}{asked!r}"
    name = hashlib.sha256(said.encode()).hexdigest()
    return cache_home() / "answers" / f"{name[:32]}.json"


def _encode(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"no writing for {type(value)}")


def _decode(kind: type, value: str) -> Fraction:
    if kind is Fraction:
        return Fraction(value)
    raise NotImplementedError(f"no reading for {kind}")
