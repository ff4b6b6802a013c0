"""``croupier verify``: one round against what the house had committed itself to, from a ledger or
from a proof that stands alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from croupier.audit.difference import Difference
from croupier.audit.proof_check import check_proof
from croupier.audit.round_check import RoundCheck, check_round
from croupier.cli.ledger_address import (
    chosen_table,
    is_ledger,
    iso,
    keys_in,
    lines_of,
    reading,
    round_called,
    when,
    with_keys,
)
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.round_proof import (
    number_boxes,
    proof_document,
    proof_report,
    shuffle_words,
)
from croupier.documents.blocks import Grid, Prose
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.ledger.events import TABLE
from croupier.ledger.redaction import refuse_stranger, viewer_called
from croupier.ledger.shoe.seal import BrokenSeal
from croupier.ledger.store.line import Broken, followed
from croupier.ledger.transparency.signed_note import read_verifier_key
from croupier.table.narration import in_symbols
from croupier.table.views import BACK

NUMBER = re.compile("[0-9a-f]{64}", re.ASCII)


def verify(
    source: str,
    round: int | None = None,
    /,
    *,
    table: str | None = None,
    viewer: str = "public",
    keys: Path | None = None,
    key: str | None = None,
    number: str | None = None,
    json_: AsJson = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Check that a round was dealt as the house had committed to.

    The commitment must stand in the ledger before wagers closed, each card that the viewer may see
    must have been at its place in it, and the cards must have come from the top. Cards that were
    never turned are opened with the keys, to surveillance, and to a player his own. A file that
    croupier prove made needs no ledger: its signature and its place in the log are checked, and the
    round is settled again. The exit status is 1 when something does not fit.

    For example:

        croupier verify round-7.round-proof --key VERIFIER-KEY

        croupier verify evening.db 7

        croupier verify evening.db 7 --viewer surveillance --keys keys.json

    Parameters
    ----------
    source
        A proof of a round, or a ledger: a file or a postgresql:// address.
    round
        Of a ledger: the number of the round.
    table
        The table, where the ledger holds several.
    viewer
        For whom: public, dealer, floorperson, surveillance or player:NAME.
    keys
        The file of keys that sealed the shoe.
    key
        Of a proof: the verifier key of the house, which must have signed it.
    number
        Of a proof: a number for the shuffle, as a receipt has it; is it one that was committed to?
    json_
        Print one JSON document.
    """
    if round is None:
        for name, given in (("table", table), ("keys", keys), ("viewer", viewer != "public")):
            if given:
                raise Unreadable(f"--{name} is for a ledger; name the number of the round, too")
        return _verify_proof(source, key, number, registry, as_json=json_)
    for name, given in (("key", key), ("number", number)):
        if given is not None:
            raise Unreadable(f"--{name} is for a proof of a round; {source} is a ledger")
    return _verify_round(source, round, table, viewer, keys, registry, as_json=json_)


def _verify_round(
    ledger: str,
    round: int,
    table: str | None,
    viewer: str,
    keys: Path | None,
    registry: Registry,
    *,
    as_json: bool,
) -> int:
    eyes, ring = viewer_called(viewer), keys_in(keys)
    with reading(ledger) as kept_in:
        name = chosen_table(kept_in, table)
        stream = f"{TABLE}{name}"
        try:
            with with_keys(keys), lines_of(kept_in, name) as lines:
                proved = followed(kept_in.id, stream, lines)
                kept = round_called(kept_in, name, round, registry, ring, proved)
        except Broken as broken:
            first = broken.first
            found = Difference("chain", first.stream, first.version, first.why)
            return _report_no(name, round, found, as_json)
        except BrokenSeal as broken:
            return _report_no(name, round, Difference("shoe", stream, 0, str(broken)), as_json)
        refuse_stranger(eyes, kept)
        checked = check_round(kept, kept_in.id, eyes, ring)
    if as_json:
        print_json(_document(name, round, viewer, checked))
    else:
        show([_check_report(name, round, viewer, checked)], Screen())
    return 1 if checked.differences or checked.undealt_fit is False else 0


def _report_no(table: str, round: int, difference: Difference, as_json: bool) -> int:
    """Lines that were altered prove nothing about any round after them, nor does a broken seal."""
    if as_json:
        said = {"table": table, "round": round, "fits": False}
        print_json(said | {"differences": [msgspec.to_builtins(difference)]})
    else:
        show([(Prose(f"{difference.part}  {difference}", tone="fail"),)], Screen())
    return 1


# A proof


def _verify_proof(
    file: str, word: str | None, number: str | None, registry: Registry, *, as_json: bool
) -> int:
    key = read_verifier_key(word) if word is not None else None
    if number is not None and not NUMBER.fullmatch(number):
        raise Unreadable("--number is 64 hexadecimal digits, small letters")
    if is_ledger(file):
        raise Unreadable(f"{file} is a ledger; name the number of the round, too")
    try:
        found = check_proof(Path(file).read_bytes(), registry, key)
    except OSError as error:
        raise Unreadable(f"{file} cannot be read: {error.strerror}") from None
    except Unreadable as error:
        return _report_broken(file, str(error), as_json)
    if as_json:
        print_json(proof_document(found, number))
    else:
        show([proof_report(found, number, named=key is not None)], Screen())
    is_foreign = number is not None and not number_boxes(found, number)
    return 1 if found.differences or is_foreign else 0


def _report_broken(file: str, why: str, as_json: bool) -> int:
    if as_json:
        print_json({"fits": False, "why": why})
    else:
        show([(Prose(f"{file} proves nothing: {why}", tone="fail"),)], Screen())
    return 1


# For people


def _check_report(
    table: str, round: int, viewer: str, checked: RoundCheck
) -> Iterator[Prose | Grid]:
    yield Prose(f"Table {table}, round {round}, for {viewer}", tone="lead")
    committed = f"{when(checked.committed_at_us)}, line {checked.committed_line}"
    yield Prose(f"Committed {committed}: {checked.root}")
    if checked.closed_line:
        closed = f"{when(checked.closed_at_us)}, line {checked.closed_line}"
        yield Prose(f"Wagers closed {closed}, after the commitment")
    else:
        yield Prose("Wagers have not closed yet")
    if checked.cards:
        yield _grid(checked, viewer)
    yield from map(Prose, _sentences(checked, viewer))
    for difference in checked.differences:
        yield Prose(str(difference), tone="fail")
    if checked.differences or checked.undealt_fit is False:
        yield Prose("It does not fit.", tone="fail")
    else:
        yield Prose(f"All that is open to {viewer} fits.", tone="pass")


def _grid(checked: RoundCheck, viewer: str) -> Grid:
    """Every card; those that do not fit stand out."""
    leaves = {True: "fits", False: "DOES NOT FIT", None: f"not open to {viewer}"}
    rows = [
        (
            str(card.pack),
            in_symbols([card.card or BACK]),
            card.where,
            f"line {card.line}" if card.line else "with the keys" if card.card else "never",
            leaves[card.fits],
        )
        for card in checked.cards
    ]
    wrong = tuple(at for at, card in enumerate(checked.cards) if card.fits is False)
    titles = ("Place", "Card", "Where", "Opened", "Leaf")
    return Grid(titles, tuple(rows), "rllll", marked=wrong)


def _sentences(checked: RoundCheck, viewer: str) -> list[str]:
    hidden = Counter(card.where for card in checked.cards if card.fits is None)
    cut = f", after {_cards(checked.cut)} were cut from it" if checked.cut else ""
    way = "in the order that the players' numbers make" if checked.numbers else "from the top"
    told = [f"{len(checked.cards)} cards left the pack, {way}{cut}"]
    told.append(f"The shuffle: {shuffle_words(checked.numbers)}")
    missing = [f"{_cards(count)} of {where}" for where, count in hidden.items()]
    if checked.undealt_fit is None:
        missing.append(f"{_cards(checked.undealt)} that stayed in the pack")
    else:
        told.append(f"The {_cards(checked.undealt)} that stayed in the pack were checked as well")
    if checked.renewed_lines:
        lines = ", ".join(map(str, checked.renewed_lines))
        what = "pack was" if len(checked.renewed_lines) == 1 else "packs were"
        told.append(
            f"{len(checked.renewed_lines)} {what} replaced while bets were open, each said to be "
            f"beyond opening: line {lines}"
        )
    if missing:
        told.append(f"Not verifiable for {viewer}: {', '.join(missing)}")
    return told


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


# As JSON


def _document(table: str, round: int, viewer: str, checked: RoundCheck) -> dict[str, Any]:
    said = msgspec.to_builtins(checked)
    return {
        "table": table,
        "round": round,
        "viewer": viewer,
        "fits": not checked.differences and checked.undealt_fit is not False,
        **said,
        "committed_at": iso(said.pop("committed_at_us")),
        "closed_at": iso(said.pop("closed_at_us")),
        "not_verifiable": sum(card.fits is None for card in checked.cards)
        + (checked.undealt if checked.undealt_fit is None else 0),
    }
