"""Somebody takes the keys away while wagers are down, to have the cards dealt anew."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from croupier.audit.proof import prove
from croupier.audit.table_proof import PowerUses
from croupier.facts.errors import Unreadable
from croupier.games.registry import the_registry
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger, Unavailable
from croupier.ledger.verification import ForgedLine
from croupier.server.pit.pit import Pit
from croupier.table import commands as do
from tests.attack.pits import CHEAP, Watch, small_pit
from tests.attack.test_staff_alone import significant
from tests.ledger.evenings import Evening
from tests.server.service import PASSWORD

STAKES = {"ante": 10_00, "blind": 10_00}


def wagered(evening: Evening, ledger: Ledger) -> KeptTable:
    table = evening.install(ledger)
    for n, command in enumerate(
        (
            do.OpenTable(by="Dee", role="dealer"),
            do.TakeBox(by="Ann", role="player", box=1),
            do.BuyIn(by="Dee", role="dealer", box=1, cents=100_00, taken="cash"),
            do.PlaceWagers(by="Ann", role="player", box=1, stakes=STAKES),
        )
    ):
        table.give(command, f"w{n}")
    return table


def test_wagers_that_are_down_go_back_and_the_audit_tells_of_it(tmp_path: Path) -> None:
    evening = Evening()
    with closing(open_ledger(str(tmp_path / "ledger.db"), create=True)) as ledger:
        table = wagered(evening, ledger)
        evening.ring = new_ring()
        after = evening.resumed(ledger, table.name)
        assert (after.state.round.stage, after.state.chips) == ("void", {1: 100_00})
        after.give(do.ClearCards(by="Dee", role="dealer"), "clear")
        assert (after.state.round.number, after.state.round.stage) == (2, "betting")
        proof = prove(ledger, the_registry())
        assert proof.differences == []
        assert [one.line.kind for one in proof.lost] == ["round-voided"]


def test_a_round_in_play_ends_by_two_people_or_not_at_all(tmp_path: Path) -> None:
    evening = Evening()
    with closing(open_ledger(str(tmp_path / "ledger.db"), create=True)) as ledger:
        table = wagered(evening, ledger)
        table.give(do.NoMoreBets(by="Dee", role="dealer"), "no-more")
        evening.ring = new_ring()
        with pytest.raises(ForgedLine, match="bring the right keys"):
            evening.resumed(ledger, table.name, lost=False)
        after = evening.resumed(ledger, table.name)
        assert (after.state.round.stage, after.state.hold is not None) == ("play", True)
        after.give(do.Confirm(by="Mo", role="manager", upheld=True), "confirm")
        assert (after.state.round.stage, after.state.chips) == ("void", {1: 100_00})
        powers = prove(ledger, the_registry()).powers
        assert {use for use in powers if use.act != "table"} == {("keys", "croupier", "Mo")}


def test_a_new_key_seals_nothing_before_a_manager_accepts_it(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch) as pit:
        pit.people.add("mia", "manager", PASSWORD, by="croupier")
        ring = pit.ring.rotated()
        again = Pit(pit.ledger, pit.registry, ring, CHEAP, watch)
        assert not again.keys.shown().accepted
        with pytest.raises(Unavailable, match="when a manager has accepted it"):
            again.gate()
        with pytest.raises(Unreadable, match="look again"):
            again.keys.accept(pit.ring.current.id, "mia", "manager")
        again.keys.accept(ring.current.id, "mia", "manager")
        again.gate()
        Pit(pit.ledger, pit.registry, ring, CHEAP, watch).gate()
        used = PowerUses("keys", "croupier", "mia")
        assert prove(pit.ledger, the_registry()).powers[used] == 1
        assert f"{ring.current.id}, a new key: croupier and mia" in significant(pit)


def test_no_command_reads_the_ledger_for_a_key_that_is_not_accepted(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch) as pit:
        pit.people.add("mia", "manager", PASSWORD, by="croupier")
        ring = pit.ring.rotated()
        one, other = (Pit(pit.ledger, pit.registry, ring, CHEAP, watch) for _ in range(2))
        one.keys.accept(ring.current.id, "mia", "manager")
        with pytest.raises(Unavailable, match="when a manager has accepted it"):
            other.gate()  # asked before each command, on the loop
        other.keys.follow()  # as it does when it hears of news, in a thread
        other.gate()


def test_at_home_a_new_key_is_marked(tmp_path: Path) -> None:
    watch, home = Watch(), msgspec.structs.replace(CHEAP, policy="home")
    with small_pit(tmp_path, watch, home) as pit:
        Pit(pit.ledger, pit.registry, pit.ring.rotated(), home, watch).gate()
        used = PowerUses("keys", "croupier", "")
        assert prove(pit.ledger, the_registry()).powers[used] == 1
