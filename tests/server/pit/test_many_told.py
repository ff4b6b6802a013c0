"""What processes of one pit know of each other's doings, and what people are told of the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.facts.errors import Refusal, Unavailable
from croupier.games.registry import the_registry
from croupier.ledger.installation import install
from croupier.ledger.kept_table import RefusedBefore, system_clock
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger
from croupier.ledger.store.shared_postgres import SharedLedger
from croupier.server import self_check
from croupier.server.pit.messages import excused
from croupier.server.pit.peer_client import _answer
from croupier.server.pit.progressive_links import Links
from croupier.server.pit.shared_pit import SharedPit
from croupier.server.self_check import SelfCheck
from croupier.server.settings import Settings
from croupier.submission.check import shipped_submission
from croupier.table import commands as do
from tests.ledger.evenings import Evening
from tests.ledger.kept import FREE
from tests.ledger.stores import Server
from tests.server.http.test_hardening import _Noting
from tests.server.service import PASSWORD

QUICK = Settings(argon2_memory_kib=64, argon2_rounds=1, self_check=False)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(open_ledger(str(tmp_path / "pit.db"), create=True)) as ledger:
        yield ledger


def test_a_table_of_another_process_is_looked_up_off_the_loop(server: Server) -> None:
    address, ring = server.empty_database(), new_ring()
    with (
        closing(SharedLedger(address, "http://one")) as one,
        closing(SharedLedger(address, "http://two")) as two,
    ):
        noting: Any = _Noting(two)
        pit = SharedPit(noting, the_registry(), ring, QUICK)
        one.claim(["new"])
        install(
            one,
            shipped_submission("UTH-S"),
            the_registry(),
            ring,
            lambda: fresh_pack(FREE.getrandbits),
            by="mia",
            name="new",
        )

        async def heard() -> None:
            for name in ("new", "nobody's", "\0"):
                await pit.hear_of(name)

        asyncio.run(heard())
        assert pit.table("new").name == "new"
        assert list(pit.tables) == ["new"]
        assert noting.on_loop == []
        pit._writer.close()
        pit._pulse.shutdown()
    server.take_back()


# Keys and the program


def test_a_new_key_is_accepted_once_for_all_processes(server: Server) -> None:
    address, ring = server.empty_database(), new_ring()
    with (
        closing(SharedLedger(address, "http://one")) as one,
        closing(SharedLedger(address, "http://two")) as two,
    ):
        pit = SharedPit(one, the_registry(), ring, QUICK)
        pit.people.add("mia", "manager", PASSWORD, by="croupier")
        rotated = ring.rotated()
        pits = [pit, *(SharedPit(kept, the_registry(), rotated, QUICK) for kept in (one, two))]
        pits[1].keys.accept(rotated.current.id, "mia", "manager")
        with pytest.raises(Unavailable, match="when a manager has accepted it"):
            pits[2].gate()
        asyncio.run(pits[2].changes._follow({"pit/keys": two.head("pit/keys").version}))
        pits[2].gate()
        for each in pits:
            each._writer.close()
            each._pulse.shutdown()
    server.take_back()


def upgraded(monkeypatch: pytest.MonkeyPatch, edition: str) -> None:
    monkeypatch.setattr(self_check, "parts", lambda: {"croupier": edition})


def started(ledger: Ledger) -> SelfCheck:
    made = SelfCheck(ledger, system_clock)
    made.check()
    return made


def test_a_program_is_accepted_once_for_all_processes_that_run_it(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgraded(monkeypatch, "old")
    old = started(ledger)
    upgraded(monkeypatch, "new")
    first, second = started(ledger), started(ledger)
    for each in (first, second):
        with pytest.raises(Unavailable, match="has changed"):
            each.gate()
    second.accept(second.shown().digest, "mia", "manager")
    first.follow()
    first.gate()
    assert first.check().changed == ()
    upgraded(monkeypatch, "old")
    old.follow()
    assert old.check().changed == (), "an older process plays on until it is restarted"
    with pytest.raises(Unavailable):
        started(ledger).gate()


def test_another_program_that_is_accepted_elsewhere_counts_only_there(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgraded(monkeypatch, "old")
    started(ledger)
    upgraded(monkeypatch, "crooked")
    crooked = started(ledger)
    upgraded(monkeypatch, "new")
    new = started(ledger)
    new.accept(new.shown().digest, "mia", "manager")
    crooked.follow()
    with pytest.raises(Unavailable, match="has changed"):
        crooked.gate()


# What people are told


def test_nobody_is_told_where_the_ledger_is_kept(ledger: Ledger) -> None:
    error = Unavailable(f"{ledger.address}: the disk is full; make room and try again")
    told = excused(error, ledger, "c1")
    assert told is not None
    assert told.sentence == "the ledger: the disk is full; make room and try again"


def test_a_link_that_is_lost_does_not_say_where_the_ledger_is_kept(ledger: Ledger) -> None:
    Evening().install(ledger, name="one", link="pit")
    links = Links(ledger, system_clock)
    desk = links.named("pit")
    ledger.close()
    assert desk.look()
    assert desk.why_closed == "the ledger is closed"


def test_a_refusal_that_is_given_again_says_so(ledger: Ledger) -> None:
    table = Evening().install(ledger, name="one")
    early = do.Reveal(by="dealer", role="dealer")
    told = []
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            table.give(early, "c1")
        told.append(excused(refused.value, ledger, "c1"))
    first, again = told
    assert first is not None
    assert again is not None
    assert (first.again, again.again) == (False, True)
    assert (first.sentence, first.clause) == (again.sentence, again.clause)
    assert isinstance(refused.value, RefusedBefore)
    with pytest.raises(RefusedBefore):
        _answer(again)  # as a peer tells it on
