"""Whole evenings over several services: linked meters, restarts in turn, backups while playing."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from croupier.audit.ledger_audit import audited
from croupier.games.registry import the_registry
from croupier.ledger.rounds import kept_rounds
from croupier.ledger.shoe.key_ring import read_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.backup import back_up, restore
from croupier.ledger.store.file_lock import service_lock
from croupier.ledger.store.port import Ledger, Unavailable
from tests.ledger.stores import Server
from tests.server.crowd import Crowd, Seat
from tests.server.pit.pits import Pits, soon, two_services
from tests.server.pit.test_links import GROWTH, meters_of
from tests.server.service import Client, Service
from tests.server.staff import Table, hire, install
from tests.server.test_evenings import VIEWERS, Allowed, leaks

ENDLESS = 10**9
ROUNDS = 6
AWAY = (ConnectionClosed, InvalidHandshake, OSError)


class RovingSeat(Seat):
    """A client as they should be: cut off, it goes to the next service and asks again by its id."""

    services: list[Service]

    async def open(self) -> None:
        self.again = 0
        self._round = cycle(self.services)
        self._open: dict[str, str] = {}
        self._roving = asyncio.ensure_future(self._rove())
        await self.until(1)

    async def close(self) -> None:
        self._roving.cancel()
        await asyncio.gather(self._roving, return_exceptions=True)

    async def _answered(self, command_id: str, text: str) -> dict[str, Any]:
        self._open[command_id] = text
        try:
            return await super()._answered(command_id, text)
        finally:
            del self._open[command_id]

    async def _send(self, command_id: str, text: str) -> None:
        if self._socket is None:
            return  # it is given at the next service
        try:
            await super()._send(command_id, text)
        except ConnectionClosed:
            return  # it is given again at the next service

    async def _rove(self) -> None:
        for service in self._round:
            url = f"ws://127.0.0.1:{service.port}/api/tables/{self._table}/live"
            token = self._client.token
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            try:
                async with connect(url, additional_headers=headers, compression=None) as socket:
                    self._socket = socket
                    for text in list(self._open.values()):
                        self.again += 1
                        await socket.send(text)
                    await self._listen(socket)
            except AWAY:
                await asyncio.sleep(0.05)
            self._socket = None


class RovingCrowd(Crowd):
    """Plays until it is told that this is the last round."""

    def __init__(self, pits: Pits, table: Table, chance: Random) -> None:
        super().__init__(pits.people, table.name, table.game, chance)
        self.is_over = False
        for n, (name, seat) in enumerate(self.seats.items()):
            roving = RovingSeat(name, seat._client, table.name)
            roving.services = [pits.a, pits.b] if n % 2 else [pits.b, pits.a]
            self.seats[name] = roving

    async def _dealers_round(self) -> int:
        return sys.maxsize if self.is_over else await super()._dealers_round()


@pytest.fixture(scope="module")
def pits(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pits]:
    with two_services(server, tmp_path_factory.mktemp("pits")) as pits:
        yield pits


def played(crowds: list[RovingCrowd]) -> int:
    return sum(len(crowd.outcomes) for crowd in crowds)


def restart_in_turn(pits: Pits, crowds: list[RovingCrowd], times: int) -> None:
    """Each service is stopped and started again while everybody plays on."""
    for service in islice(cycle((pits.a, pits.b)), times):
        wanted = played(crowds) + 20
        assert service.stop() == 0
        soon(partial(lambda wanted: played(crowds) > wanted, wanted))
        service.start()
        soon(partial(lambda service: service in pits.owners.values(), service))


async def evening(pits: Pits, crowds: list[RovingCrowd], restarts: int) -> None:
    playing = asyncio.gather(*(crowd.evening(ENDLESS) for crowd in crowds))
    try:
        await asyncio.to_thread(restart_in_turn, pits, crowds, restarts)
    finally:
        for crowd in crowds:
            crowd.is_over = True
        await playing


def roll(pits: Pits, tables: int, restarts: int) -> None:
    """Nothing is lost, nothing happens twice: what was answered is there once, in its order."""
    made = [install(pits.people, f"R{n}", link="roll") for n in range(tables)]
    crowds = [RovingCrowd(pits, table, Random(n)) for n, table in enumerate(made)]
    asyncio.run(evening(pits, crowds, restarts))
    assert pits.audited().rounds >= tables
    with closing(open_ledger(pits.address, read_only=True)) as ledger:
        for table, crowd in zip(made, crowds, strict=True):
            words = [line.command for line in ledger.read(f"table/{table.name}") if line.command]
            asked = [json.loads(command)["do"] for command in words[1:]]
            # Some optional wagers are asked for on the side, and not counted.
            assert [do for do in asked if do != "place-wagers"] == [
                do for do in crowd.outcomes if do != "place-wagers"
            ]
            nobody_saw_too_much(ledger, pits, table, crowd)


def nobody_saw_too_much(ledger: Ledger, pits: Pits, table: Table, crowd: RovingCrowd) -> None:
    dealt = list(kept_rounds(ledger, table.name, the_registry(), read_ring(pits.keys)))
    for who, seat in crowd.seats.items():
        assert not any(leaks(seat.frames, Allowed(dealt, VIEWERS[who]))), (table.name, who)
    assert any(leaks(crowd.seats["ann"].frames, Allowed(dealt, VIEWERS["public"])))


def test_services_restart_in_turn_and_no_command_is_lost(pits: Pits) -> None:
    roll(pits, tables=2, restarts=2)


@pytest.mark.prove
def test_services_restart_in_turn_all_evening(server: Server, tmp_path: Path) -> None:
    with two_services(server, tmp_path) as pits:
        roll(pits, tables=6, restarts=12)


def test_one_link_over_two_services_loses_nothing(pits: Pits) -> None:
    """Tables of both services close their wagers on one link at the same moments."""
    staff = {role: pits.people[role] for role in ("manager", "admin")}
    tables = []
    for n, each in enumerate((pits.a, pits.b, pits.a, pits.b)):  # who confirms a table has it
        for role, one in staff.items():
            pits.people[role] = Client(each, one.token, one.name)
        tables.append(install(pits.people, f"L{n}", link="long").opened(("ann",)))
    before = meters_of(pits.people, "long")
    soon(lambda: len({pits.owners.get(table.name) for table in tables} - {None}) == 2)

    def play(table: Table) -> None:
        for _ in range(ROUNDS):
            table.done("dealer", "buy-in", box=1, cents=100_00, taken="cash")
            table.wagered(progressive=1_00)
            table.done("dealer", "no-more-bets")
            table.finished()

    far = [pits.at(each, table) for each, table in zip(cycle((pits.a, pits.b)), tables)]
    with ThreadPoolExecutor(len(tables)) as pool:
        list(pool.map(play, far))
    pits.audited()
    after = meters_of(pits.people, "long")
    shown = [table.people["ann"].get(f"/api/tables/{table.name}/rounds") for table in far]
    if not any(each["jackpots"] for rounds in shown for each in rounds):
        grown = {name: micros - before[name] for name, micros in after.items()}
        assert grown == {name: 4 * ROUNDS * GROWTH[name] for name in grown}
    for each in (pits.a, pits.b):
        assert meters_of({"ann": Client(each)}, "long") == after


def test_a_backup_taken_while_two_services_play_is_a_ledger(
    pits: Pits, server: Server, tmp_path: Path
) -> None:
    table, copy = install(pits.people, "B1", link="back").opened(), tmp_path / "backup.db"
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(lambda: [table.dealt().finished() for _ in range(5)])
        with closing(open_ledger(pits.address, read_only=True)) as kept:
            soon(lambda: kept.head("table/B1").version > 60)
            back_up(kept, copy)
        playing.result()
    elsewhere = server.new_database()
    restore(copy, elsewhere)
    with closing(open_ledger(elsewhere, read_only=True)) as ledger:
        assert audited(ledger, the_registry(), ring=read_ring(pits.keys)).differences == []
        assert ledger.head("table/B1").version > 60


NEWER = """
import sys
from croupier.ledger.store import migrations, sql as store
more = migrations.Migration(
    migrations.LATEST + 1,
    "a note beside each line",
    ("ALTER TABLE lines ADD COLUMN note {text}", "CREATE TABLE notes (name {text} NOT NULL)"),
)
migrations.MIGRATIONS = (*migrations.MIGRATIONS, more)
migrations.LATEST = store.LATEST = more.number
from croupier.cli import main
sys.exit(main())
"""


class NewerService(Service):
    program = "newer"


def test_a_newer_process_migrates_while_an_older_one_plays(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "newer.py").write_text(NEWER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    pits = Pits(server, server.empty_database(), tmp_path)
    pits.b = pits.service("c", kind=NewerService)
    with closing(pits), pits.a.running():
        pits.people = hire(pits.a)
        table = install(pits.people, "N1").opened().dealt()
        with pits.b.running():
            assert table.finished()["round"] == 2
            soon(lambda: pits.b in pits.owners.values())
            far = pits.at(pits.b, table).dealt()
            assert pits.a.stop() == 0
            assert far.finished()["round"] == 3
            with pytest.raises(Unavailable, match="written by a newer Croupier"):
                open_ledger(pits.address)
    server.take_back()


def test_a_second_service_on_a_file_is_turned_away(tmp_path: Path) -> None:
    service = Service(tmp_path)
    with service_lock(Path(service.address)):
        with pytest.raises(AssertionError, match="another service runs on"):
            service.start()
        assert not Path(service.address).exists()
    with service_lock(Path(service.address)):
        pass
