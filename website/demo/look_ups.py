"""What is looked up and checked without a table: a hand, a round file, a submission, a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Protocol

import msgspec

from croupier.audit.proof_check import check_proof
from croupier.documents.returns import base_rules, over_100
from croupier.exact.solution import Solution
from croupier.facts.cards import cards
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import Registry
from croupier.games.rules import Rules
from croupier.practice import coach
from croupier.practice.asked_hand import AskedHand, position_of
from croupier.rulebook.book import Rulebook
from croupier.submission.check import check, shipped_text
from croupier.submission.finding import Finding, findings_json, most_serious_first
from croupier.table.receipt import as_document
from croupier.table.round_file import read_round
from croupier.table.settlement import settle


class Answers(Protocol):
    """Who knows what is counted: values of a hand now, and what was solved before."""

    def count(self, rules: Rules, position: coach.Position) -> dict[str, Fraction]: ...

    def sides(self, base: Rules) -> Solution: ...


LookUp = Callable[[Registry, Answers, str], object]


class HandAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards as people write them: "As Kd", and those on the table, the board or the up card;
    ``known`` are the dealer's that lie face down, ``dead`` those out of play."""

    rulebook: str
    own: str
    table: str = ""
    known: str = ""
    dead: str = ""


def hand(registry: Registry, answers: Answers, body: str) -> dict[str, Any]:
    """What each choice is worth with these cards, on the street that has so many in sight."""
    try:
        asked = msgspec.json.decode(body, type=HandAsked)
    except msgspec.DecodeError as error:
        raise Unreadable(f"this cannot be read: {error}") from None
    book = registry.book(asked.rulebook)
    board, up = _board_and_up(book, _names(asked.table))
    lying = AskedHand(_names(asked.own), board, up, _names(asked.known), _names(asked.dead))
    position = position_of(book, lying)
    street = next(street for street in book.streets if street.name == position.street)
    found = coach.worths(shipped_text(book.id), position, count=answers.count)
    return {"street": street.name, "clause": book.cite(street.clause), "worths": found}


def _board_and_up(book: Rulebook, table: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Cards on the table where they lie when some street shows so many."""
    seen = [book.dealing[0].face_up(street.name) for street in book.streets]
    for up in seen:
        if up.total() == len(table):
            return table[: up["board"]], table[up["board"] :]
    known = " or ".join(str(up.total()) for up in seen)
    raise Unreadable(f"{book.title} is decided with {known} cards on the table, not {len(table)}")


def _names(written: str) -> tuple[str, ...]:
    return tuple(map(str, cards(written)))


def round_file(registry: Registry, answers: Answers, body: str) -> dict[str, Any]:
    """What a round should have paid, as `croupier settle --json` tells it."""
    try:
        return as_document(settle(read_round(body, registry)))
    except Refusal as refusal:
        return {"error": refusal.sentence, "clause": refusal.clause}


def submission(registry: Registry, answers: Answers, body: str) -> dict[str, Any]:
    """The findings of `croupier check --json`."""
    checked, findings = check(body, registry), list[Finding]()
    filed = checked.submission
    if filed is not None:
        base = base_rules(registry, registry.book(filed.rulebook), dict(filed.paytables))
        findings += over_100(checked, filed, registry, answers.sides(base))
    return {
        "valid": filed is not None,
        "findings": findings_json(most_serious_first([*checked.findings, *findings])),
    }


def proof(registry: Registry, answers: Answers, body: str) -> dict[str, Any]:
    """What a proof of a round proves, as `croupier verify` finds it."""
    found = check_proof(body.encode(), registry, None)
    return {
        "fits": not found.differences,
        "table": found.table,
        "round": found.round,
        "ledger": found.ledger,
        "key": str(found.key),
        "lines": len(found.lines),
        "cards_opened": found.opened,
        "boxes_settled": found.boxes,
        "wagers_settled": found.settled,
        "void": found.is_void,
        "differences": [str(each) for each in found.differences],
    }


LOOK_UPS: Mapping[str, LookUp] = {
    "hand": hand,
    "settle": round_file,
    "check": submission,
    "verify": proof,
}
