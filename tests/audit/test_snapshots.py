"""What a table says of how it stands is held against its lines, and a link's likewise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.audit.chain import prove_chain
from croupier.audit.proof import prove
from croupier.facts.errors import Unreadable
from croupier.ledger.events import LinkSnapshot, ShoeCommitted, TableSnapshot, write_kept
from croupier.ledger.snapshot import snapshot_of
from croupier.ledger.store.address import open_ledger
from croupier.table import events as ev
from tests.audit.tampering import Change, body, event, field, put_in, removed, rewritten
from tests.audit.test_proof import LINK, Attack, Pit, Place, T
from tests.ledger.evenings import Evening
from tests.ledger.kept import lines_of, until

replace = msgspec.structs.replace
ATTACKS: dict[str, Attack] = {}


def attack(made: Attack) -> Attack:
    ATTACKS[made.__name__] = made
    return made


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pit]:
    """Every table tells how it stands after each round, and the link every dozen lines."""
    file = tmp_path_factory.mktemp("kept") / "ledger.db"
    with closing(open_ledger(str(file), create=True)) as ledger:
        yield Pit(ledger, 4, Evening(21, snapshot_every=12))


def test_a_pit_that_tells_how_it_stands_is_sound(kept: Pit) -> None:
    for ring in (kept.evening.ring, None):
        assert prove(kept.ledger, kept.evening.registry, ring).differences == []
    assert sum(line.kind == "table-stands" for line in kept.lines[T]) == 4


def _as_it_stands(kept: Pit, at: int) -> dict[str, Any]:
    told = kept.event(at)
    assert isinstance(told, TableSnapshot)
    return dict(msgspec.json.decode(msgspec.json.encode(told.table)))


@attack
def more_chips_than_a_box_has(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(TableSnapshot, 1)
    table = _as_it_stands(kept, at)
    table["chips"]["2"] += 100_00
    return [event(T, at, table=table)], ("fold", T, at)


@attack
def a_card_that_nobody_was_shown(kept: Pit) -> tuple[list[Change], Place]:
    """In the place of its token, so that whoever reads the line knows it."""
    for nth in range(4):
        at = kept.at(TableSnapshot, nth)
        table = _as_it_stands(kept, at)
        for box in table["last"]["boxes"].values():
            if any(card.startswith("@") for card in box["cards"]):
                box["cards"] = ["Ah", "Kd"]
                return [event(T, at, table=table)], ("fold", T, at)
    raise AssertionError("no box folded in any round")


@attack
def a_player_who_is_not_seated(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(TableSnapshot)
    table = _as_it_stands(kept, at)
    table["seats"]["1"] = "Mallory"
    return [event(T, at, table=table)], ("fold", T, at)


@attack
def another_pack_for_the_round_before(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(TableSnapshot, 1)
    return [event(T, at, pack=kept.at(ShoeCommitted))], ("fold", T, at)


@attack
def a_standing_in_the_middle_of_a_round(kept: Pit) -> tuple[list[Change], Place]:
    at, told = kept.at(ev.BoxSettled), kept.line(kept.at(TableSnapshot))
    same = {name: getattr(kept.line(at), name) for name in ("actor", "role", "at_us", "command_id")}
    return [put_in(T, at, replace(told, **same))], ("fold", T, at + 1)


@attack
def a_standing_removed_before_another(kept: Pit) -> tuple[list[Change], Place]:
    first, after = kept.at(TableSnapshot), kept.at(TableSnapshot, 1)
    return [removed(T, first)], ("fold", T, after - 1)


@attack
def a_link_that_stands_higher(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(LinkSnapshot, stream=LINK)
    told = kept.event(at, LINK)
    assert isinstance(told, LinkSnapshot)
    return [event(LINK, at, meters={n: m + 1 for n, m in told.meters.items()})], (
        "meters",
        LINK,
        at,
    )


@attack
def a_link_that_stands_by_itself(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(LinkSnapshot, stream=LINK)
    return [field(LINK, at, actor="Mallory")], ("meters", LINK, at)


@pytest.mark.parametrize("name", ATTACKS)
def test_a_false_standing_is_found_where_it_is(kept: Pit, tmp_path: Path, name: str) -> None:
    changes, (part, stream, version) = ATTACKS[name](kept)
    with rewritten(kept.ledger, tmp_path, *changes) as other:
        assert prove_chain(other) is None
        for ring in (kept.evening.ring, None):
            first, *_ = prove(other, kept.evening.registry, ring).differences
            assert (first.part, first.stream, first.version) == (part, stream, version), first


@pytest.mark.parametrize("what", ["the pack that is played from now", "no table", "no event"])
def test_a_false_standing_is_not_begun_at(kept: Pit, tmp_path: Path, what: str) -> None:
    """Above all it opens no pack but the one before: the cards of this round stay unknown."""
    at = kept.at(TableSnapshot, -1)
    false = {
        "the pack that is played from now": event(T, at, pack=kept.at(ShoeCommitted, -1)),
        "no table": event(T, at, table={"way": 1}),
        "no event": body(T, at, "{}"),
    }
    with rewritten(kept.ledger, tmp_path, false[what]) as other, pytest.raises(Unreadable):
        kept.evening.resumed(other, "one")


def test_a_standing_at_the_end_of_a_stream_is_none_in_the_middle_of_a_round(
    kept: Pit, tmp_path: Path
) -> None:
    """Even where it tells the truth, hidden cards and all, to who has the key."""
    with rewritten(kept.ledger, tmp_path) as other:
        table = kept.evening.resumed(other, "one")
        kept.evening._wager(table)
        until(table, kept.evening, "acting")
        above = lines_of(other, "one")[-1]
        pack = other.last_of(T, "shoe-committed")
        stood = other.last_of(T, "table-stands")
        assert pack is not None
        assert stood is not None
        told = snapshot_of(table.state, {}, pack.version, stood.version)
        line = replace(above, command="", kind="table-stands", entries="[]", body=write_kept(told))
        with rewritten(other, tmp_path, put_in(T, above.version, line)) as false:
            for ring in (kept.evening.ring, None):
                first, *_ = prove(false, kept.evening.registry, ring).differences
                assert (first.part, first.version) == ("fold", above.version + 1), first


def test_a_standing_in_another_shape_accuses_nobody(kept: Pit, tmp_path: Path) -> None:
    """No program of this shape reads it: the table is read from its first line, and goes on."""
    at = kept.at(TableSnapshot, -1)
    foreign = event(T, at, shape="0" * 16, before=0, table={})
    with rewritten(kept.ledger, tmp_path, foreign, ring=kept.evening.ring) as other:
        assert prove(other, kept.evening.registry, kept.evening.ring).differences == []
        table = kept.evening.resumed(other, "one")
        assert table.state == kept.table.state
        kept.evening.play(table, 2)
        assert prove(other, kept.evening.registry, kept.evening.ring).differences == []
        assert kept.evening.resumed(other, "one").state == table.state
