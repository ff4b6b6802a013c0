"""``croupier audit``: a ledger proved from its first line to its last."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.text import Text

from croupier.audit.whole import PASSES, Audit, audited
from croupier.cli.files import text_of
from croupier.cli.ledgers import chosen_table, counting, is_ledger, iso, keys_in, reading, when
from croupier.cli.screen import Screen
from croupier.facts.errors import Unreadable
from croupier.facts.money import meter_dollars
from croupier.games.house import House
from croupier.ledger.happenings import LINK, TABLE
from croupier.ledger.heads import SignedHeads, read_heads
from croupier.table.double_entry import METER

NO_HEAD = "no head given: a ledger cut short or rewritten whole would not be noticed"
MOST_SHOWN = 20
KINDS = {
    "purse": "chips of the boxes",
    "felt": "on the felt",
    "pending": "awards that wait",
    "outside": "paid from outside the table",
    "house": "table inventory",
    "meter": "put on meters, less awards",
    "reset": "given to restart meters",
    "drop": "drop box",
    "tips": "tips",
    "cash": "cash beyond the table",
}


def audit(
    ledger: str,
    /,
    *,
    heads: Path | None = None,
    signer: str | None = None,
    keys: Path | None = None,
    table: str | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
    house: Annotated[House, Parameter(parse=False)],
) -> int:
    """Prove a ledger: its chain, every decision and settlement, the sealed shoes and the books.

    Every command is decided again by the rules that were in force, and what came of it is compared
    with what was written. The exit status is 0 when all is proved and 1 where anything differs; the
    first difference is told first, with its line. A ledger alone cannot show that nothing was cut
    off its end: for that give signed heads that somebody else has kept.

    For example:

        croupier audit evening.db

        croupier audit evening.db --heads heads-2027-01-15.json

        croupier audit evening.db --keys keys.json --json

    Parameters
    ----------
    ledger
        The ledger: a file or a postgresql:// address.
    heads
        Signed heads of this ledger, as croupier ledger heads wrote them.
    signer
        The public key that the heads must be signed with, in hexadecimal digits.
    keys
        The file of keys that sealed the shoe: the packs are opened and checked as well.
    table
        Tell only what differs at this table; everything is proved all the same.
    json_
        Print one JSON document.
    """
    if not is_ledger(ledger):
        raise Unreadable(f"{ledger} is not a ledger; check the name")
    ring, signed = keys_in(keys), _heads_in(heads, signer)
    with reading(ledger) as kept:
        name = chosen_table(kept, table) if table is not None else None
        lines = sum(head.version for head in kept.heads().values())
        with counting("proving", PASSES * lines) as progress:
            found = audited(kept, house, signed, ring, progress)
        address, ledger_id = kept.address, kept.id
    if name is not None:
        own = [each for each in found.differences if each.stream in ("", f"{TABLE}{name}")]
        found = replace(found, differences=own)
    if json_:
        print(json.dumps(_document(address, ledger_id, found)))
    else:
        _tell(address, ledger_id, found, Screen())
    return 1 if found.differences else 0


def _heads_in(file: Path | None, signer: str | None) -> SignedHeads | None:
    if file is None:
        if signer is not None:
            raise Unreadable("a signer is named, but no heads; name their file with --heads")
        return None
    try:
        return read_heads(text_of(file), signer)
    except Unreadable as error:
        raise Unreadable(f"{file}: {error}") from None


# For people


def _tell(address: str, ledger_id: str, audit: Audit, console: Screen) -> None:
    console.print(Text(f"{address}, ledger {ledger_id}", style="bold"), soft_wrap=True)
    for name, told in _proved(audit):
        console.print(Text(f"  {name:10}", style="dim").append(told, "not dim"), soft_wrap=True)
    _tell_books(audit, console)
    for difference in audit.differences[:MOST_SHOWN]:
        where = Text(f"{difference.part:13}", style="bold red")
        console.print(where.append(str(difference), "not bold default"), soft_wrap=True)
    more = len(audit.differences) - MOST_SHOWN
    if more > 0:
        console.print(Text(f"and {more:,} more, which --json lists"))
    console.print(_verdict(audit), soft_wrap=True)


def _proved(audit: Audit) -> Iterator[tuple[str, str]]:
    proof = audit.proof
    broken = any(difference.part == "chain" for difference in audit.differences)
    yield "lines", f"{proof.lines:,} in {audit.streams} streams"
    yield "chain", "it does not hold" if broken else "every line follows from the one before it"
    yield "heads", _heads_told(audit.heads)
    tables = f"{proof.tables} {'table' if proof.tables == 1 else 'tables'}"
    yield "rounds", f"{audit.rounds:,} at {tables}, every command decided again"
    yield "wagers", f"{proof.settled:,} settled again"
    yield "shoes", f"every turned card held against its commitment; {_seals(audit)}"


def _seals(audit: Audit) -> str:
    if not audit.opened_seals:
        return "no keys: no seal was opened"
    shut = audit.proof.unopened
    return f"{shut:,} packs have a key not at hand" if shut else "every sealed pack was opened"


def _heads_told(heads: SignedHeads | None) -> str:
    if heads is None:
        return NO_HEAD
    count = len(heads.streams)
    return f"of {count} streams, signed {when(heads.at_us)} with {heads.public_key}"


def _tell_books(audit: Audit, console: Screen) -> None:
    kinds = _by_kind(audit)
    console.print(Text("  books", style="dim"))
    for kind, micros in kinds.items():
        amount = _signed_dollars(micros)
        console.print(Text(f"    {KINDS.get(kind, kind):30}{amount:>18}"))
    console.print(Text(f"    {'sum':30}{_signed_dollars(sum(kinds.values())):>18}"))
    for name, micros in _readings(audit):
        console.print(Text(f"    {f'meter {name} reads':30}{meter_dollars(micros):>18}"))


def _signed_dollars(micros: int) -> str:
    return f"{'-' if micros < 0 else ''}{meter_dollars(abs(micros))}"


def _by_kind(audit: Audit) -> dict[str, int]:
    """The accounts of the tables together; a link only repeats what they did to its meters."""
    totals: dict[str, int] = {}
    for stream, accounts in audit.proof.accounts.items():
        for account, micros in accounts.items():
            kind = account.partition(" ")[0]
            if stream.startswith(TABLE):
                totals[kind] = totals.get(kind, 0) + micros
    return {kind: totals[kind] for kind in (*KINDS, *totals) if kind in totals}


def _readings(audit: Audit) -> Iterator[tuple[str, int]]:
    for stream, accounts in audit.proof.accounts.items():
        for account, micros in accounts.items():
            if stream.startswith(LINK) and account.startswith(METER):
                yield f"{account.removeprefix(METER)} of {stream.removeprefix(LINK)}", micros


def _verdict(audit: Audit) -> Text:
    count = len(audit.differences)
    if count:
        return Text(f"{count:,} {'difference' if count == 1 else 'differences'}", style="bold red")
    return Text("Everything is proved.", style="bold green")


# As JSON


def _document(address: str, ledger_id: str, audit: Audit) -> dict[str, Any]:
    proof, heads = audit.proof, audit.heads
    return {
        "address": address,
        "ledger": ledger_id,
        "proved": not audit.differences,
        "lines": proof.lines,
        "streams": audit.streams,
        "rounds": audit.rounds,
        "tables": proof.tables,
        "wagers_settled": proof.settled,
        "accounts_micros": _by_kind(audit),
        "meters_micros": dict(_readings(audit)),
        "seals_opened": audit.opened_seals,
        "seals_unopened": proof.unopened,
        "heads": None
        if heads is None
        else {
            "signed_at": iso(heads.at_us),
            "public_key": heads.public_key,
            "streams": len(heads.streams),
        },
        "differences": [msgspec.to_builtins(each) for each in audit.differences],
    }
