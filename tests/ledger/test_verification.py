"""What is read at a start or a takeover is verified first: nothing forged is believed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from random import Random

import msgspec
import pytest

from croupier.audit.ledger_audit import audited
from croupier.facts.errors import Unavailable
from croupier.games.registry import the_registry
from croupier.ledger.events import LineRefused
from croupier.ledger.kept_table import system_clock
from croupier.ledger.shoe.key_ring import KeyRing, new_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.ledger.transparency.sequencer import checkpoint_now
from croupier.ledger.verification import FOREIGN, ForgedLine
from croupier.server.pit.integrity import STREAM as VERIFICATION
from croupier.server.pit.pit import Pit
from croupier.server.settings import AT_HOME
from tests.ledger.evenings import Evening
from tests.ledger.intruder import intruder, replace_stream, rewrite

replace = msgspec.structs.replace
TABLE, PEOPLE = "table/T1", "pit/people"
MILLIONS_CENTS = 100_000_000_00
ZEROS = bytes(32)
QUICK = replace(AT_HOME, argon2_rounds=1, argon2_memory_kib=64, self_check=False)
LinesChange = Callable[[list[LedgerLine]], object]


@pytest.fixture
def evening() -> Evening:
    return Evening(Random(27).getrandbits(32), snapshot_every=60)


@pytest.fixture
def played(address: str, evening: Evening) -> str:
    """A table with a snapshot and a round after it."""
    with closing(open_ledger(address, create=True)) as ledger:
        table = evening.install(ledger, name="T1", link="L1")
        evening.sit(table, 2)
        evening.play(table, 3)
        assert list(_kinds(ledger)).count("table-stands")
    return address


def _kinds(ledger: Ledger) -> Iterator[str]:
    return (line.kind for line in ledger.read(TABLE))


@contextmanager
def reopened(address: str, evening: Evening, ring: KeyRing | None = None) -> Iterator[int]:
    """The chips at box 1, as a start reads them."""
    with closing(open_ledger(address)) as ledger:
        table = evening.resumed(ledger, "T1", ring, lost=False)
        yield table.state.chips[1]


def rich_snapshot(lines: list[LedgerLine]) -> None:
    at = max(n for n, line in enumerate(lines) if line.kind == "table-stands")
    told = json.loads(lines[at].body)
    told["table"]["chips"]["1"] = MILLIONS_CENTS
    lines[at] = replace(lines[at], body=json.dumps(told, separators=(",", ":")))


def rich_buy_in(lines: list[LedgerLine]) -> None:
    bought = next(line for line in lines if line.kind == "chips-bought")
    told = json.loads(bought.body) | {"cents": MILLIONS_CENTS}
    lines.append(replace(bought, body=json.dumps(told), command_id="", command=""))


def other_rules(lines: list[LedgerLine]) -> None:
    lines[0] = replace(lines[0], body=lines[0].body.replace('"casino"', '"home"'))


def other_key(lines: list[LedgerLine]) -> None:
    """The MAC of a key that nobody knows."""
    rich_buy_in(lines)
    lines[-1] = replace(lines[-1], mac=bytes(24))


@pytest.mark.parametrize("change", [rich_snapshot, rich_buy_in, other_rules, other_key])
def test_a_forged_table_is_refused(played: str, evening: Evening, change: LinesChange) -> None:
    with reopened(played, evening) as chips:
        assert chips < MILLIONS_CENTS
    rewrite(played, TABLE, change)
    why = "nobody who has the keys wrote it|which is not on this ring"
    with pytest.raises(ForgedLine, match=why), reopened(played, evening):
        pass


def test_with_the_keys_an_audit_finds_what_nobody_who_has_them_wrote(
    played: str, evening: Evening
) -> None:
    rewrite(played, TABLE, other_rules)
    with closing(open_ledger(played)) as ledger:
        for ring, accused in ((None, False), (evening.ring, True)):
            found = audited(ledger, evening.registry, ring=ring).differences
            assert any(each.sentence == FOREIGN for each in found) is accused


def replaced_seal(lines: list[LedgerLine]) -> None:
    at = min(n for n, line in enumerate(lines) if line.kind == "shoe-committed")
    lines[at] = replace(lines[at], body=lines[at].body.replace('"sealed":"1.', '"sealed":"1.A'))


def thinned(lines: list[LedgerLine]) -> None:
    del lines[5:8]


@pytest.mark.parametrize("change", [rich_buy_in, replaced_seal, thinned, list.clear])
def test_an_audit_finds_what_was_appended_replaced_thinned_or_dropped(
    played: str, evening: Evening, change: LinesChange
) -> None:
    """Each chained anew by somebody without the keys."""
    with closing(open_ledger(played)) as ledger:
        checkpoint_now(ledger, evening.ring, 1)
    rewrite(played, TABLE, change)
    with closing(open_ledger(played)) as ledger:
        first, *_ = audited(ledger, evening.registry, ring=evening.ring).differences
    assert (first.part, first.stream) == ("chain", TABLE)


def test_a_forged_link_is_refused(played: str, evening: Evening) -> None:
    def rich(lines: list[LedgerLine]) -> None:
        told = json.loads(lines[0].body)
        told["meters"] = dict.fromkeys(told["meters"], MILLIONS_CENTS)
        lines[0] = replace(lines[0], body=json.dumps(told))

    rewrite(played, "link/L1", rich)
    with pytest.raises(ForgedLine, match="link/L1"), reopened(played, evening):
        pass


def test_a_table_cut_short_is_refused_where_the_log_knows_more(
    played: str, evening: Evening
) -> None:
    with closing(open_ledger(played)) as ledger:
        checkpoint_now(ledger, evening.ring, 1)
        lines = list(ledger.read(TABLE))
    replace_stream(played, TABLE, lines[:-2])
    with pytest.raises(ForgedLine, match="the log has lines after it"), reopened(played, evening):
        pass


def test_lines_of_a_retired_key_count_where_the_log_was_signed_since(
    played: str, evening: Evening
) -> None:
    rotated = evening.ring.rotated()
    alone = rotated.retired(evening.ring.current.id)
    with pytest.raises(ForgedLine, match="is not on this ring"), reopened(played, evening, alone):
        pass
    with closing(open_ledger(played)) as ledger:
        checkpoint_now(ledger, rotated, 1)
        table = evening.resumed(ledger, "T1", alone)  # whose pack is lost with the key
        assert table.state.chips[1] < MILLIONS_CENTS
    rewrite(played, TABLE, rich_snapshot)
    with pytest.raises(ForgedLine), reopened(played, evening, alone):
        pass


RING = new_ring()


@contextmanager
def pit(address: str, ring: KeyRing = RING, *, lost: bool = False) -> Iterator[Pit]:
    with closing(open_ledger(address, create=True)) as ledger:
        yield Pit(ledger, the_registry(), ring, QUICK, system_clock, keys_are_lost=lost)


def forged_manager(hash: bytes | None) -> LinesChange:
    def change(lines: list[LedgerLine]) -> None:
        told = json.loads(lines[0].body) | {"name": "Mallory", "role": "manager"}
        lines.append(replace(lines[0], body=json.dumps(told), version=len(lines) + 1))
        if hash is not None:
            lines[-1] = replace(lines[-1], previous=hash, hash=hash)

    return change


@pytest.fixture
def staffed(address: str) -> str:
    with pit(address) as opened:
        opened.people.add("Ada", "administrator", "correct horse", "croupier")
    return address


@pytest.mark.parametrize("hash", [ZEROS, None], ids=["zeros", "chained"])
def test_a_forged_manager_stops_the_pit(staffed: str, hash: bytes | None) -> None:
    with closing(open_ledger(staffed)) as ledger:
        lines = list(ledger.read(PEOPLE))
    if hash is None:
        rewrite(staffed, PEOPLE, forged_manager(None))
    else:
        forged_manager(hash)(lines)
        replace_stream(staffed, PEOPLE, lines)
    with pit(staffed) as opened:
        assert set(opened.people.known) == {"Ada"}
        with pytest.raises(Unavailable, match=r'"pit/people", line 3: .*; audit the ledger'):
            opened.gate()
        assert "pit/people" in opened.why_not_ready
        (line,) = opened.ledger.read(VERIFICATION)
        told = msgspec.json.decode(line.body, type=LineRefused)
        assert (told.stream, told.line) == (PEOPLE, 3)


def test_an_audit_finds_an_added_administrator(staffed: str) -> None:
    rewrite(staffed, PEOPLE, forged_manager(None))
    with closing(open_ledger(staffed)) as ledger:
        (found,) = audited(ledger, the_registry(), ring=RING).differences
    assert (found.stream, found.version, found.sentence) == (PEOPLE, 3, FOREIGN)


def test_a_manager_forged_while_the_pit_runs_is_not_believed(staffed: str) -> None:
    with pit(staffed) as opened:
        opened.gate()
        rewrite(staffed, PEOPLE, forged_manager(None))
        opened.people.refresh()
        assert set(opened.people.known) == {"Ada"}
        with pytest.raises(Unavailable, match="play stops"):
            opened.gate()


def test_people_who_are_gone_stop_the_pit(staffed: str) -> None:
    with closing(open_ledger(staffed)) as ledger:
        checkpoint_now(ledger, RING, 1)
    replace_stream(staffed, PEOPLE, [])
    with pit(staffed) as opened, pytest.raises(Unavailable, match="the log has it, and it is gone"):
        opened.gate()


def test_a_log_that_does_not_lead_to_its_checkpoint_stops_the_pit(staffed: str) -> None:
    with closing(open_ledger(staffed)) as ledger:
        checkpoint_now(ledger, RING, 1)
    with intruder(staffed) as run:
        run("UPDATE log_entries SET hash = ? WHERE place = 0", ZEROS)
    with pit(staffed) as opened, pytest.raises(Unavailable, match="not the one that its last"):
        opened.gate()


def test_a_pit_that_lost_its_keys_starts_where_its_keeper_says_so(staffed: str) -> None:
    other = new_ring()
    with pytest.raises(ForgedLine, match="is not on this ring"), pit(staffed, other):
        pass
    with pit(staffed, other, lost=True) as opened:
        assert set(opened.people.known) == {"Ada"}
        opened.integrity.gate("")


def test_a_forged_table_stops_alone(played: str, evening: Evening) -> None:
    with closing(open_ledger(played)) as ledger:
        evening.install(ledger, name="T2", link="L2")
    rewrite(played, TABLE, rich_snapshot)
    with pit(played, evening.ring) as opened:
        assert set(opened.tables) == {"T2"}
        assert '"table/T1"' in opened.why_not_ready
        opened.gate("T2")
        with pytest.raises(Unavailable, match="play stops"):
            opened.gate("T1")
