"""``croupier audit``: a ledger proved from its first line to its last, or a log to the cent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.audit.ledger_audit import PASSES, audited
from croupier.cli.commands.audit_log import Wanted, audit_log
from croupier.cli.commands.audit_self_test import self_test
from croupier.cli.files import submission_in, text_of
from croupier.cli.ledger_address import chosen_table, counting, is_ledger, keys_in, reading
from croupier.cli.screen import Screen
from croupier.cli.text.ledger_audit import AuditRequest, document, tell
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.ledger.signed_heads import SignedHeads, read_heads
from croupier.ledger.store.address import sqlite_path

BEGINS = (b"{", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def audit(
    source: str,
    /,
    *,
    heads: Path | None = None,
    signer: str | None = None,
    keys: Path | None = None,
    table: str | None = None,
    submission: list[Path] | None = None,
    statistics: Annotated[bool, Parameter(negative="")] = False,
    html: Path | None = None,
    pdf: Path | None = None,
    self_test_: Annotated[bool, Parameter(name="--self-test", negative="")] = False,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Prove a ledger, or audit a log of round records to the cent.

    A ledger is proved whole: its chain, every decision and settlement, the sealed shoes and the
    books. Only signed heads that somebody else has kept show that nothing was cut off its end. A
    log is a file of round records. Everything in it is derived again, and each difference listed
    with its clause (docs/auditing-logs.md). The exit status is 1 where anything differs.

    For example:

        croupier audit evening.db --heads heads-2027-01-15.json

        croupier audit evening.jsonl --submission uth.toml --statistics --pdf audit.pdf

    Parameters
    ----------
    source
        A ledger (a file or a postgresql:// address) or a file of round records.
    heads
        Signed heads of this ledger, as croupier ledger heads wrote them.
    signer
        The public key that the heads must be signed with, in hexadecimal digits.
    keys
        The file of keys that sealed the shoe: the packs are opened and checked as well.
    table
        Tell only what differs at this table; everything is proved all the same.
    submission
        Of a log: the rules submission it was played by; write the option once for each table.
    statistics
        Of a log: test cards, hands and results against what is exact; tell the cost of skill.
    html
        Of a log: write the report as a page.
    pdf
        Of a log: write the report to be printed and filed.
    self_test_
        Of a log: corrupt its records in every way that is looked for, and tell what was found.
    json_
        Print one JSON document.
    """
    if is_ledger(source):
        _refuse_for_a_ledger(source, submission, statistics, html, pdf, self_test_)
        return _audit_ledger(source, heads, signer, keys, table, registry, as_json=json_)
    _refuse_for_a_log(source, heads, signer, keys, table)
    wanted = _wanted(source, submission or [], statistics, html, pdf, json_, registry)
    return self_test(wanted, registry) if self_test_ else audit_log(wanted, registry)


def _wanted(
    source: str,
    submissions: list[Path],
    statistics: bool,
    html: Path | None,
    pdf: Path | None,
    as_json: bool,
    registry: Registry,
) -> Wanted:
    filed = tuple(submission_in(path, registry) for path in submissions)
    names = tuple(map(str, submissions))
    return Wanted(sqlite_path(source), filed, names, statistics, html, pdf, as_json)


def _refuse_for_a_ledger(source: str, *of_a_log: object) -> None:
    if any(of_a_log):
        raise Unreadable(f"{source} is a ledger; audit its records, which croupier export writes")


def _refuse_for_a_log(
    source: str, heads: object, signer: object, keys: object, table: object
) -> None:
    path = sqlite_path(source)
    if path.is_file() and path.suffix != ".jsonl":
        with path.open("rb") as opened:
            if not opened.read(4096).lstrip().startswith(BEGINS):
                raise Unreadable(f"{source} is not a ledger, nor a log of round records")
    for name, given in (("heads", heads), ("signer", signer), ("keys", keys), ("table", table)):
        if given is not None:
            raise Unreadable(f"{source} is a log of round records; --{name} is for a ledger")


def _audit_ledger(
    address: str,
    heads: Path | None,
    signer: str | None,
    keys: Path | None,
    table: str | None,
    registry: Registry,
    *,
    as_json: bool,
) -> int:
    signed, asked = _heads_in(heads, signer), AuditRequest(table, signer is not None)
    ring = keys_in(keys)
    with reading(address) as kept:
        if asked.table is not None:
            chosen_table(kept, asked.table)
        lines = sum(head.version for head in kept.heads().values())
        with counting("proving", PASSES * lines) as progress:
            found = audited(kept, registry, signed, ring, progress)
        address, ledger_id = kept.address, kept.id
    if as_json:
        print(json.dumps(document(address, ledger_id, found, asked)))
    else:
        tell(address, ledger_id, found, asked, Screen())
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
