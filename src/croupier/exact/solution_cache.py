"""Answers kept between runs, by the Rules they answer and the code that found them.

A change of any rule or of any source file asks anew; nothing here is needed for a right answer.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from fractions import Fraction
from functools import cache
from pathlib import Path

import msgspec

import croupier.facts
from croupier.exact import uth
from croupier.exact.kernels.compiled import cache_home
from croupier.exact.solution import Solution
from croupier.exact.solve import Progress, solve
from croupier.games.rules import Rules
from croupier.rulebook.book import ComesWith

_PACKAGE = Path(croupier.facts.__file__).parent.parent
_ROOMS = ("facts", "rulebook", "games", "exact")


def kept(rules: Rules) -> Solution | None:
    """The answer found before, if there is one that can be read."""
    try:
        digest, _, content = _place(rules).read_bytes().partition(b"\n")
        if digest != _digest(content):
            return None
        return msgspec.json.decode(content, type=Solution, dec_hook=_decode, strict=False)
    except (OSError, ValueError):
        return None


def solved(
    rules: Rules, progress: Progress = lambda what, done: None, *, afresh: bool = False
) -> Solution:
    """The exact value of every wager under these Rules: found before, or counted now and kept."""
    if afresh:
        uth.forget()
    solution = None if afresh else kept(rules)
    if solution is None:
        solution = solve(rules, progress)
        keep(rules, solution)
    return solution


def keep(rules: Rules, solution: Solution) -> None:
    """Put an answer where the next run finds it; a full or read-only disk is no reason to fail."""
    place = _place(rules)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
            content = msgspec.json.encode(solution, enc_hook=_encode)
            file.write(_digest(content) + b"\n" + content)
        os.replace(file.name, place)
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


def _place(rules: Rules) -> Path:
    name = hashlib.sha256((rules_digest(rules) + code_digest()).encode()).hexdigest()
    return cache_home() / "answers" / f"{name[:32]}.json"


def _encode(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"no writing for {type(value)}")


def _decode(kind: type, value: str) -> Fraction:
    if kind is Fraction:
        return Fraction(value)
    raise NotImplementedError(f"no reading for {kind}")
