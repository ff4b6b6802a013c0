"""``croupier ledger``: what a ledger holds, a checkpoint of its log, its backups."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.files import write_file
from croupier.cli.ledger_address import SIGNING, is_ledger, iso, reading
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.facts.errors import Unreadable
from croupier.ledger.events import TABLE, TableInstalled
from croupier.ledger.kept_table import system_clock
from croupier.ledger.replay import read_line
from croupier.ledger.shoe.key_ring import KeyRing, ring_of
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.backup import back_up, restore
from croupier.ledger.store.line import Broken
from croupier.ledger.store.port import Ledger
from croupier.ledger.transparency.sequencer import checkpoint_now


def ledger(
    action: Literal["show", "checkpoint", "backup", "restore"],
    address: str,
    target: str | None = None,
    /,
    *,
    keys: Path | None = None,
    out: Path | None = None,
    json_: AsJson = False,
) -> int:
    """Show a ledger, sign a checkpoint of it, back it up or restore it.

    A checkpoint is for somebody else to keep: with it croupier audit notices a ledger that was cut
    short or written anew. A pit makes one every minute by itself. A backup is one file that stands
    alone; nothing is ever written over.

    For example:

        croupier ledger show evening.db

        croupier ledger checkpoint evening.db --keys keys.json --out checkpoint-2027-01-15

        croupier ledger backup postgresql://pit@db/ledger evening.db

        croupier ledger restore evening.db postgresql://pit@other/ledger

    Parameters
    ----------
    action
        show: streams and tables. checkpoint: put every line into the log, and sign its root.
        backup: one moment of the ledger in a new file. restore: a backup in a new place.
    address
        The ledger: a file or a postgresql:// address. For restore, the backup.
    target
        Where the backup or the restored ledger goes; nothing may be there yet.
    keys
        The file of keys that seal the shoe, one of which signs; without it CROUPIER_KEYS.
    out
        Where the checkpoint is written; without it standard output.
    json_
        Print one JSON document.
    """
    if (action in ("backup", "restore")) != (target is not None):
        raise Unreadable("backup and restore name two places: from where, and to where")
    for name, idle in (("keys", keys), ("out", out), ("json", json_ or None)):
        if idle is not None and (action == "checkpoint") == (name == "json"):
            other = "the others" if name == "json" else "ledger checkpoint"
            raise Unreadable(f"--{name} would do nothing here; it is for {other}")
    if target is not None:
        return _copy(action, address, target, json_)
    if action == "checkpoint":
        return _sign(address, ring_of(keys), out)
    with reading(address) as kept:
        return _show(kept, json_)


# Checkpoints


def _sign(address: str, ring: KeyRing, out: Path | None) -> int:
    """Every line is put into the log first, so that the checkpoint reaches to the last one."""
    if not is_ledger(address):
        raise Unreadable(f"{address} is not a ledger; check the name")
    with closing(open_ledger(address)) as kept, counting(SIGNING):
        newest = checkpoint_now(kept, ring, system_clock())
    if newest is None:
        raise Unreadable("the ledger holds nothing yet, and there is nothing to sign")
    if out is not None:
        write_file(out, newest.note.encode(), is_new=True)
        _say(f"The checkpoint is in {out}; give it to somebody who does not keep the ledger.")
    else:
        print(newest.note, end="")
    _say(f"Its verifier key is {newest.key}")
    return 0


# Copies


def _copy(action: str, source: str, target: str, as_json: bool) -> int:
    try:
        with counting("copying the ledger"):
            if action == "backup":
                with reading(source) as kept:
                    back_up(kept, Path(target))
            else:
                restore(Path(source), target)
    except Broken as broken:
        raise Unreadable(f"it is not copied, for its chain does not hold: {broken}") from None
    with reading(target) as made:
        lines = sum(head.version for head in made.heads().values())
        said: dict[str, Any] = {"ledger": made.id, "to": made.address, "lines": lines}
    if as_json:
        print_json(said)
    else:
        told = f"{said['to']} holds ledger {said['ledger']}: {lines:,} lines"
        Screen().print(Text(told), soft_wrap=True)
    return 0


# What it holds


def _show(kept: Ledger, as_json: bool) -> int:
    heads = sorted(kept.heads().values(), key=lambda head: head.stream)
    rows = [
        {
            "stream": head.stream,
            "lines": head.version,
            "last_at": iso(_last_us(kept, head.stream, head.version)),
            "head": head.hash.hex(),
            **_about(kept, head.stream),
        }
        for head in heads
    ]
    if as_json:
        print_json({"ledger": kept.id, "streams": rows})
        return 0
    console = Screen()
    console.print(Text(f"Ledger {kept.id}", style="bold"))
    console.print(_fitting(rows, console) if rows else "It holds nothing yet.")
    return 0


def _fitting(rows: list[dict[str, Any]], console: Screen) -> Table:
    """A narrow screen goes without the heads, and then without the times; no name is cut."""
    unbound = console.options.update(max_width=10 * console.width)
    for left_out in ((), ("Head",), ("Head", "Last")):
        grid = _grid([title for title in COLUMNS if title not in left_out], rows)
        if console.measure(grid, options=unbound).maximum <= console.width:
            break
    return grid


def _grid(titles: list[str], rows: list[dict[str, Any]]) -> Table:
    grid = Table(box=None, pad_edge=False, header_style="dim")
    for title in titles:
        is_name = title == "Stream"
        justify: Literal["right", "left"] = "right" if title == "Lines" else "left"
        grid.add_column(title, justify=justify, no_wrap=not is_name, overflow="fold")
    for row in rows:
        grid.add_row(*(COLUMNS[title](row) for title in titles))
    return grid


COLUMNS: dict[str, Callable[[dict[str, Any]], str]] = {
    "Stream": lambda row: row["stream"],
    "Lines": lambda row: f"{row['lines']:,}",
    "Last": lambda row: (row["last_at"] or "")[:19].replace("T", " "),
    "Head": lambda row: row["head"][:16],
    "": lambda row: ", ".join(filter(None, (row.get("rulebook"), row.get("kind")))),
}


def _last_us(kept: Ledger, stream: str, version: int) -> int:
    line = next(kept.read(stream, after=version - 1, most=1), None)
    return line.at_us if line is not None else 0


def _about(kept: Ledger, stream: str) -> dict[str, Any]:
    first = next(kept.read(stream, most=1), None) if stream.startswith(TABLE) else None
    event = read_line(first, lambda line, why: None) if first is not None else None
    if not isinstance(event, TableInstalled):
        return {}
    return {
        "table": event.table,
        "rulebook": event.rulebook,
        "link": event.link,
        "practice": event.practice,
        "kind": event.kind,
        "rules_hash": event.rules_hash,
    }


def _say(sentence: str) -> None:
    Console(stderr=True, soft_wrap=True).print(sentence, markup=False, highlight=False)
