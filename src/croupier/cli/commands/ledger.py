"""``croupier ledger``: what a ledger holds, its signed heads, its backups."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.files import new_key_place, text_of, warn_together
from croupier.cli.ledger_address import counting, iso, reading, when
from croupier.cli.screen import Screen
from croupier.disk import whole_file
from croupier.facts.errors import Unreadable
from croupier.ledger.events import TABLE, TableInstalled
from croupier.ledger.kept_table import system_clock
from croupier.ledger.replay import read_line
from croupier.ledger.signed_heads import (
    create_key,
    head_break,
    public_text,
    read_heads,
    read_key,
    signed_heads,
)
from croupier.ledger.store.address import is_postgresql, sqlite_path
from croupier.ledger.store.backup import back_up, restore
from croupier.ledger.store.line import Broken
from croupier.ledger.store.port import Ledger
from croupier.practice.table import keys_home

KEY_NAME = "heads.key"


def ledger(
    action: Literal["show", "heads", "backup", "restore"],
    address: str,
    target: str | None = None,
    /,
    *,
    key: Path | None = None,
    check: Path | None = None,
    signer: str | None = None,
    out: Path | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> int:
    """Show a ledger, sign where it ends, back it up or restore it.

    Signed heads are for somebody else to keep: with them croupier audit notices a ledger that was
    cut short or written anew. They are signed with a key of their own, which is made the first time
    and told where. A backup is one file that stands alone; nothing is ever written over.

    For example:

        croupier ledger show evening.db

        croupier ledger heads evening.db --out heads-2027-01-15.json

        croupier ledger heads evening.db --check heads-2027-01-15.json

        croupier ledger backup postgresql://pit@db/ledger evening.db

        croupier ledger restore evening.db postgresql://pit@other/ledger

    Parameters
    ----------
    action
        show: streams and tables. heads: sign where every stream ends, or check what was signed.
        backup: one moment of the ledger in a new file. restore: a backup in a new place.
    address
        The ledger, a file or a postgresql:// address; for restore the backup.
    target
        For backup the new file; for restore where the ledger shall be.
    key
        The key that signs heads; without it the one in your configuration folder.
    check
        Signed heads to check against the ledger; the exit status is 1 where it lacks a line.
    signer
        The public key that the heads must be signed with, in hexadecimal digits.
    out
        Where the signed heads are written; without it standard output.
    json_
        Print one JSON document.
    """
    if (action in ("backup", "restore")) != (target is not None):
        raise Unreadable("backup and restore name two places: from where, and to where")
    _refuse_idle(action, key=key, check=check, signer=signer, out=out)
    if target is not None:
        return _copy(action, address, target, json_)
    with reading(address) as kept:
        if action == "show":
            return _show(kept, json_)
        if check is not None:
            return _check(kept, check, signer, json_)
        return _sign(kept, key, out)


def _refuse_idle(action: str, **options: object) -> None:
    """An option that would do nothing here is refused: whoever wrote it meant something by it."""
    checks = action == "heads" and options["check"] is not None
    signs = action == "heads" and not checks
    used = {"key": signs, "out": signs, "check": checks, "signer": checks}
    of = {"key": "heads", "out": "heads", "check": "heads", "signer": "heads --check FILE"}
    for name, given in options.items():
        if given is not None and not used[name]:
            instead = "heads without --check" if checks else of[name]
            raise Unreadable(f"--{name} would do nothing here; it is for ledger {instead}")


# Heads


def _sign(kept: Ledger, file: Path | None, out: Path | None) -> int:
    heads = signed_heads(kept, _key(file, kept.address), system_clock())
    if out is None:
        print(heads)
        return 0
    try:
        with whole_file(out, is_new=True) as written:
            written.write(f"{heads}\n".encode())
    except FileExistsError:
        raise Unreadable(f"{out} is there already and is not written over") from None
    except OSError as error:
        raise Unreadable(f"{out} cannot be written: {error.strerror}") from None
    _say(f"The heads are in {out}; give them to somebody who does not keep the ledger.")
    return 0


def _key(file: Path | None, address: str) -> Ed25519PrivateKey:
    """The key that signs; the first time one is made, and it is told where."""
    place = file or new_key_place(keys_home() / "signing" / KEY_NAME)
    if not is_postgresql(address):
        warn_together(place, sqlite_path(address))
    if place.exists():
        return read_key(place)
    made = create_key(place)
    _say(f"A new key that signs heads was put into {place}; keep it away from the ledger.")
    _say(f"Auditors know its signature by the public key {public_text(made)}")
    return made


def _check(kept: Ledger, file: Path, signer: str | None, as_json: bool) -> int:
    try:
        heads = read_heads(text_of(file), signer)
    except Unreadable as error:
        raise Unreadable(f"{file}: {error}") from None
    with counting("looking for the lines"):
        missing = head_break(kept, heads)
    if as_json:
        print(
            json.dumps(
                {
                    "ledger": kept.id,
                    "signed_at": iso(heads.at_us),
                    "public_key": heads.public_key,
                    "streams": len(heads.streams),
                    "holds": missing is None,
                    "first_break": str(missing) if missing is not None else None,
                }
            )
        )
    elif missing is None:
        signed = f"signed {when(heads.at_us)} with {heads.public_key}"
        Screen().print(
            Text(f"The ledger holds every line that was {signed}.", style="green"), soft_wrap=True
        )
    else:
        Screen().print(Text(str(missing), style="bold red"), soft_wrap=True)
    return 0 if missing is None else 1


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
        print(json.dumps(said))
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
        print(json.dumps({"ledger": kept.id, "streams": rows}))
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
