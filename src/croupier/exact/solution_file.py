"""A solution as bytes, and the two hashes that name it: of the Rules, and of the code that counted.

A change of any rule or of any source file gives another name, so an old answer is never taken for a
new question.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

import croupier.facts
from croupier.games.rules import Rules
from croupier.rulebook.book import ComesWith

_PACKAGE = Path(croupier.facts.__file__).parent.parent
_ROOMS = ("facts", "rulebook", "games", "exact")
# These find books and read them; what they read is in the hash of the Rules.
_READERS = ("rulebook/loader.py", "rulebook/trace.py", "games/registry.py")
T = TypeVar("T")


def rules_digest(rules: Rules) -> str:
    """One hash of everything in the Rules that decides money and order."""
    book = msgspec.structs.replace(rules.book, own_trace={}, trace_text="", comes_with=ComesWith())
    bound = (rules.letters, rules.paytables, rules.progressive, rules.envy)
    said = repr((rules.game.id, book, bound, rules.payout_limit_cents))
    return hashlib.sha256(said.encode()).hexdigest()


@cache
def code_digest() -> str:
    """One hash of every source file an answer depends on, however its lines end."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        for path in sorted((_PACKAGE / room).rglob("*.py")):
            name = path.relative_to(_PACKAGE).as_posix()
            if name not in _READERS:
                digest.update(name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def to_bytes(found: object) -> bytes:
    """An answer as JSON, its fractions as text."""
    return msgspec.json.encode(found, enc_hook=_encode)


def from_bytes(content: bytes, kind: type[T]) -> T:
    """The answer that was written; a ValueError if it is none."""
    return msgspec.json.decode(content, type=kind, dec_hook=_decode, strict=False)


def _encode(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(f"no writing for {type(value)}")


def _decode(kind: type, value: str) -> Fraction:
    if kind is Fraction:
        return Fraction(value)
    raise NotImplementedError(f"no reading for {kind}")
