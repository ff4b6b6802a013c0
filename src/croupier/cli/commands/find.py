"""``croupier find``: the rounds of a ledger by who, where, when, how much and what came of them."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import msgspec
from cyclopts import Parameter

from croupier.cli.ledger_address import iso, reading, when
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.table import signed
from croupier.documents.blocks import Grid, Heading, Prose
from croupier.facts.errors import Unreadable
from croupier.facts.money import money
from croupier.facts.names import unknown_name
from croupier.games.registry import Registry
from croupier.ledger.recordings.index import MOST, RecordingIndex, open_index
from croupier.ledger.recordings.query import query_of
from croupier.ledger.recordings.recording import Recording
from croupier.ledger.rounds import tables_of
from croupier.ledger.store.port import Ledger

TITLES = ("Time", "Table", "Round", "Box", "Player", "Wagered", "Net", "Hand, and what went wrong")


def find(
    ledger: str,
    /,
    *,
    player: str = "",
    table: str = "",
    since: str = "",
    until: str = "",
    least: str = "",
    most: str = "",
    hand: str = "",
    wager: str = "",
    irregularity: str = "",
    outcome: str = "",
    rows: int = 100,
    rebuild: Annotated[bool, Parameter(negative="")] = False,
    json_: AsJson = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Find rounds of a ledger, the newest first.

    Looks in an index beside the ledger (LEDGER.index; on PostgreSQL a schema of its own), which is
    brought up to date from the lines first. What it finds, croupier replay tells.

    For example:

        croupier find evening.db --player You --hand "full house"

        croupier find pit.db --wager trips --outcome win --least 100 --since 2027-01-15

        croupier find pit.db --irregularity dispute --json

    Parameters
    ----------
    ledger
        The ledger: a file or a postgresql:// address.
    player
        Who had the box.
    table
        At which table.
    since
        Not before this day or time: 2027-01-15, or "2027-01-15 21:30+01:00"; UTC without a zone.
    until
        Not after it.
    least
        At least so many dollars wagered, won or lost at the box.
    most
        At most so many.
    hand
        A hand that was turned, such as "full house".
    wager
        A wager that was settled, such as trips.
    irregularity
        What went wrong, such as shoe-jam; dispute and player-left among them.
    outcome
        What came of it: won, lost, even or void; with a wager win, lose, push and the like.
    rows
        How many are told at most.
    rebuild
        Make the index anew from the lines.
    json_
        Print one JSON document.
    """
    said = {"player": player, "table": table, "since": since, "until": until, "hand": hand}
    said |= {"least": _dollars(least), "most": _dollars(most), "wager": wager}
    said |= {"irregularity": irregularity, "outcome": outcome}
    with reading(ledger) as kept_in:
        found = _found(kept_in, registry, said, rows, rebuild)
        _show(found, kept_in.id, as_json=json_)
    return 0 if found else 1


def _found(
    ledger: Ledger, registry: Registry, said: dict[str, str], rows: int, rebuild: bool
) -> list[Recording]:
    if not 1 <= rows <= MOST:
        raise Unreadable(f"--rows is 1 to {MOST:,}, not {rows:,}")
    query = query_of(said, registry, tables_of(ledger), rows)
    with closing(open_index(ledger, registry)) as index:
        _bring_up(index, rebuild)
        found = index.find(query)
        if query.player and not found:
            _refuse_stranger(query.player, index.players())
        return found


def _refuse_stranger(player: str, known: list[str]) -> None:
    """Who has rounds, and none of this kind, is no stranger."""
    if player.casefold() not in map(str.casefold, known):
        raise Unreadable(unknown_name(player, known, "player", "this ledger"))


def _show(found: list[Recording], ledger_id: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"ledger": ledger_id, "found": [_document(each) for each in found]})
        return
    grid = Grid(TITLES, tuple(map(_row, found)), "llrrlrrl", widths=(0, 0, 0, 0, 0, 0, 0, 1))
    head = Heading(f"{len(found):,} found in ledger {ledger_id}, the newest first")
    show([(head, grid if found else Prose("Nothing of this kind was found."))], Screen())


def _bring_up(index: RecordingIndex, rebuild: bool) -> None:
    if rebuild:
        index.rebuild()
    with counting("bringing the index up to date") as bar:
        while index.catch_up():
            bar(1)


def _dollars(text: str) -> str:
    return f"${text}" if text and not text.startswith("$") else text


def _row(each: Recording) -> tuple[str, ...]:
    return (
        when(each.at_us),
        each.table_name,
        str(each.round),
        str(each.box),
        each.player,
        money(each.staked_cents),
        "void" if each.outcome == "void" else signed(each.net_cents).plain,
        ", ".join(filter(None, (each.hand, *each.irregularities))),
    )


def _document(each: Recording) -> dict[str, object]:
    return {**msgspec.to_builtins(each), "at": iso(each.at_us)}
