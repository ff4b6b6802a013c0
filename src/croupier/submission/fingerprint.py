"""Hashes that say by what a table deals, and that anybody can compute again.

The Rules, which decide money, are written as JSON with sorted keys and no spaces: the whole
rulebook but for the traces, which decide nothing, and the paytables, the terms of the Progressive
and the payout limit that the submission binds. Everything else an operator chooses - names,
limits, boxes, dealing, devices, decks, policies, rates of meters - is in the hash of the
submission, written anew as TOML in one fixed form. Each is the SHA-256 of its text, so
``sha256sum`` of the written file gives it, whatever version of the program wrote it.

A ledger outlives the edition it was written with. So it also keeps the hash of the rulebook alone,
and that of the Rules without a word that is only cited or told: where the first differs and the
second does not, another edition says the same about money.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, is_dataclass
from typing import Any

import msgspec

from croupier.facts.odds import Odds
from croupier.games.rules import Rules
from croupier.rulebook.book import ComesWith, Rulebook
from croupier.submission.submission import Submission
from croupier.submission.toml_writer import write_submission

CITED = ("clause", "clauses", "ruling", "rulings")
TOLD = ("title", "edition", "happens", "remedy", "layout", "refusals", "shelf_place", "regulated")


def rules_text(rules: Rules) -> bytes:
    """Everything that decides money, as canonical JSON in ASCII."""
    return _canonical(_plain(_bound(rules)))


def rules_hash(rules: Rules) -> str:
    return hashlib.sha256(rules_text(rules)).hexdigest()


def rulebook_hash(book: Rulebook) -> str:
    """Which edition of a rulebook this is, to the last citation."""
    return hashlib.sha256(_canonical(_plain(_untraced(book)))).hexdigest()


def money_hash(rules: Rules) -> str:
    """The Rules without what is cited or told, and without what they leave as it is by default.

    So neither a corrected clause nor a field or a paytable that a later rulebook adds makes them
    other Rules.
    """
    bound = _bound(rules)
    bound["rulebook"] = msgspec.structs.replace(bound["rulebook"], paytables={}, envy={})
    return hashlib.sha256(_canonical(_plain(_deciding(bound)))).hexdigest()


def _bound(rules: Rules) -> dict[str, Any]:
    return {
        "game": rules.game.id,
        "rulebook": _untraced(rules.book),
        "letters": dict(rules.letters),
        "paytables": dict(rules.paytables),
        "envy": rules.envy,
        "progressive": rules.progressive,
        "payout_limit_cents": rules.payout_limit_cents,
    }


def _untraced(book: Rulebook) -> Rulebook:
    return msgspec.structs.replace(book, own_trace={}, trace_text="", comes_with=ComesWith())


def _canonical(plain: object) -> bytes:
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()


def _deciding(value: object) -> object:
    """The same without citations, words and defaults, wherever they stand in it."""
    match value:
        case msgspec.Struct():
            return {
                field.name: _deciding(getattr(value, field.name))
                for field in msgspec.structs.fields(value)
                if not _is_only_said(field.name)
                and getattr(value, field.name) != field.default
                and (getattr(value, field.name) or field.default_factory is msgspec.NODEFAULT)
            }
        case dict():
            return {name: _deciding(item) for name, item in value.items()}
        case list() | tuple():
            return [_deciding(item) for item in value]
        case _:
            return value


def _is_only_said(name: str) -> bool:
    return name in TOLD or name.rpartition("_")[2] in CITED


def submission_text(submission: Submission) -> bytes:
    """Every option of a submission, in one fixed form however its file was written."""
    return write_submission(submission).encode()


def submission_hash(submission: Submission) -> str:
    return hashlib.sha256(submission_text(submission)).hexdigest()


def _plain(value: object) -> object:
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
            assert is_dataclass(value), f"no plain form for {type(value)}"
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
