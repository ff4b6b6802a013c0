"""One hash that says by which Rules a table deals, and that anybody can compute again.

The Rules are written as JSON with sorted keys and no spaces: the whole rulebook but for the
traces, which decide nothing, and everything the submission binds. The hash is the SHA-256 of that
text, so ``sha256sum`` of the written file gives it, whatever version of the program wrote it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from typing import Any

import msgspec

from croupier.facts.odds import Odds
from croupier.games.rules import Rules


def rules_text(rules: Rules) -> bytes:
    """Everything that decides money and order, as canonical JSON in ASCII."""
    said = {
        "game": rules.game.id,
        "rulebook": msgspec.structs.replace(rules.book, own_trace={}, trace_text=""),
        "letters": dict(rules.letters),
        "paytables": dict(rules.paytables),
        "envy": rules.envy,
        "progressive": rules.progressive,
        "payout_limit_cents": rules.payout_limit_cents,
    }
    return json.dumps(_plain(said), sort_keys=True, separators=(",", ":")).encode()


def rules_hash(rules: Rules) -> str:
    return hashlib.sha256(rules_text(rules)).hexdigest()


def _plain(value: Any) -> Any:
    """Only text, numbers, lists and tables; odds as they are printed, "to" apart from "for"."""
    match value:
        case Odds():
            return str(value)
        case msgspec.Struct():
            return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        case dict():
            return {name: _plain(item) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case str() | int() | None:
            return value
        case _:
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
