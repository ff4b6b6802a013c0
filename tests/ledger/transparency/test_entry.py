"""Entries: nothing private stands in one, and each part opens to what the line holds."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.facts.errors import Unreadable
from croupier.ledger.events import TABLE
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.ledger.transparency.entry import (
    PRIVATE_KINDS,
    entry_of,
    opened_parts,
    openings,
    read_entry,
)
from croupier.table.events import WagerSettled
from tests.audit.nights import the_night

BLINDING = bytes(range(32))
ALL = ("hash", "actor", "entries", "body")
replace = msgspec.structs.replace


def lines() -> list[LedgerLine]:
    with closing(SqliteLedger(Path(the_night().file), read_only=True)) as ledger:
        return [line for stream in ledger.heads() for line in ledger.read(stream)]


def test_an_entry_hides_names_purses_and_seals() -> None:
    for line in lines():
        text = entry_of(line, BLINDING).text().decode()
        assert all(name not in text for name in ("Ann", "Ben", "Cleo", "purse", '"sealed":"1.'))
        if line.kind == str(WagerSettled.__struct_config__.tag):
            assert 'paid_cents":' not in text


def test_every_part_opens_to_what_the_line_holds() -> None:
    for line in lines():
        entry = read_entry(entry_of(line, BLINDING).text())
        given = openings(line, BLINDING, ALL)
        parts = opened_parts(entry, given)
        assert set(parts) == set(entry.hidden)
        assert (parts["hash"], parts["actor"]) == ((line.hash + line.mac).hex(), line.actor)
        assert parts.get("entries", "[]") == line.entries
        if "body" in parts:
            assert parts["body"] == line.body
        elif line.stream.startswith(TABLE):
            fields = {name: bytes(raw).decode() for name, raw in entry.body.items()}
            fields |= {
                part.removeprefix("body."): value
                for part, value in parts.items()
                if part.startswith("body.")
            }
            whole = "{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}"
            assert msgspec.json.decode(whole) == msgspec.json.decode(line.body)
        for one in given:
            of_another = replace(one, part="actor" if one.part != "actor" else "hash")
            for other in (replace(one, value=f"{one.value} "), replace(one, salt=""), of_another):
                with pytest.raises(Unreadable):
                    opened_parts(entry, [other])


def test_two_lines_alike_hide_the_same_name_differently() -> None:
    seen = [entry_of(line, BLINDING).hidden["actor"] for line in lines()]
    assert len(set(seen)) == len(seen)
    assert PRIVATE_KINDS


def test_any_change_of_a_line_changes_its_entry() -> None:
    """Also where the line keeps its chain: its hash is among what the entry hides."""
    line = next(line for line in lines() if line.kind == "wager-placed")
    right = entry_of(line, BLINDING).text()
    texts = ("stream", "role", "kind", "body", "entries", "actor", "command", "command_id")
    changes: list[dict[str, Any]] = [{name: f"{getattr(line, name)} "} for name in texts]
    changes += [{"at_us": line.at_us + 1}, {"version": line.version + 1}, {"previous": bytes(32)}]
    for change in changes:
        changed = replace(line, **change)
        rehashed = replace(changed, hash=changed.digest())
        assert entry_of(rehashed, BLINDING).text() != right
