"""What is looked up and checked without a table: a hand, a round file, a submission, a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from croupier.audit.proof_check import check_proof
from croupier.facts.cards import cards
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import Registry
from croupier.games.rules import Rules
from croupier.practice import coach
from croupier.rulebook.book import Street
from croupier.submission.check import check, shipped_text
from croupier.submission.finding import findings_json
from croupier.table.receipt import as_document
from croupier.table.round_file import read_round
from croupier.table.settlement import settle

LookUp = Callable[[Registry, coach.ActionCount, str], object]


class HandAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards as people write them: "As Kd", and those on the table, the board or the up card."""

    rulebook: str
    own: str
    table: str = ""


def hand(registry: Registry, count: coach.ActionCount, body: str) -> dict[str, Any]:
    """What each choice is worth with these cards, on the street that has so many in sight."""
    try:
        asked = msgspec.json.decode(body, type=HandAsked)
    except msgspec.DecodeError as error:
        raise Unreadable(f"this cannot be read: {error}") from None
    rules = coach.rules_of(shipped_text(registry.book(asked.rulebook).id))
    own, table = cards(asked.own), cards(asked.table)
    if len({*own, *table}) < len(own) + len(table):
        raise Unreadable("a card is there twice; a deck has one of each")
    street, on_board = _street(rules, len(own), len(table))
    names = tuple(map(str, table))
    position = coach.Position(
        street.name, tuple(map(str, own)), names[:on_board], "".join(names[on_board:])
    )
    found = coach.worths(shipped_text(asked.rulebook), position, count=count)
    return {"street": street.name, "clause": rules.book.cite(street.clause), "worths": found}


def _street(rules: Rules, own: int, table: int) -> tuple[Street, int]:
    """The street that shows so many cards, and how many of them lie on the board."""
    wanted = rules.book.place("box").cards
    seen = {street: rules.book.dealing[0].face_up(street.name) for street in rules.book.streets}
    if own != wanted:
        raise Unreadable(
            f"{rules.game.name} is decided with {wanted} cards of one's own, not {own}"
        )
    for street, up in seen.items():
        if up.total() == table:
            return street, up["board"]
    known = " or ".join(str(up.total()) for up in seen.values())
    raise Unreadable(f"{rules.game.name} is decided with {known} cards on the table, not {table}")


def round_file(registry: Registry, count: coach.ActionCount, body: str) -> dict[str, Any]:
    """What a round should have paid, as `croupier settle --json` tells it."""
    try:
        return as_document(settle(read_round(body, registry)))
    except Refusal as refusal:
        return {"error": refusal.sentence, "clause": refusal.clause}


def submission(registry: Registry, count: coach.ActionCount, body: str) -> dict[str, Any]:
    """The findings of `croupier check --json`, but for returns over 100%, which take solving."""
    checked = check(body, registry)
    return {
        "valid": checked.submission is not None,
        "findings": findings_json(checked.findings),
    }


def proof(registry: Registry, count: coach.ActionCount, body: str) -> dict[str, Any]:
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
