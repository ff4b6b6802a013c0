"""A process that cannot reach the database: it shows nothing old as if it were so, and says so."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest
from psycopg.conninfo import conninfo_to_dict
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from croupier.facts.errors import Unavailable, Unreadable
from croupier.games.registry import the_registry
from croupier.ledger.shoe.key_ring import create_ring, new_ring
from croupier.ledger.store.shared_postgres import SharedLedger
from croupier.server.pit.shared_pit import CUT_OFF, NO_SIGN, NOT_SHARED, SharedPit
from croupier.server.settings import Settings
from croupier.submission.check import shipped_text
from croupier.table.views import PUBLIC
from tests.ledger.stores import Server
from tests.ledger.wire import wire_to
from tests.server.service import Service

QUICK = Settings(argon2_memory_kib=64, argon2_rounds=1, self_check=False, silence_seconds=1)
PATIENCE_S = 40
TABLES = ("one", "two", "three")


def messages(caplog: pytest.LogCaptureFixture) -> Counter[str]:
    return Counter(record.message for record in caplog.records)


async def soon(true: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until, "it did not come true"
        await asyncio.sleep(0.02)


def installed(ledger: SharedLedger, pit: SharedPit) -> None:
    for name in TABLES:
        pit.install(shipped_text("UTH-S"), by="mia", name=name)
    ledger.release(TABLES)


def test_who_is_cut_off_sends_everybody_away_until_it_is_back(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("croupier"), "propagate", True)
    name = str(conninfo_to_dict(server.empty_database())["dbname"])
    with wire_to(server) as wire:
        far = f"postgresql://postgres@127.0.0.1:{wire.port}/{name}?sslmode=disable"
        with closing(SharedLedger(f"{far}&gssencmode=disable", "http://one", 1)) as ledger:

            async def evening() -> None:
                pit = SharedPit(ledger, the_registry(), new_ring(), QUICK)
                sent: list[str] = []
                pit._send_away = sent.append
                pit.start()
                await asyncio.to_thread(pit.install, shipped_text("UTH-S"), by="mia", name="one")
                await soon(lambda: "one" in pit.actors)
                assert pit.why_away == ""
                wire.dead = True
                _cut(server, name)
                caplog.clear()
                await soon(lambda: sent)
                assert sent[0] == pit.why_away == CUT_OFF
                for looked in (pit.look("one", PUBLIC), pit.shown()):
                    with pytest.raises(Unavailable, match="cannot reach the ledger"):
                        await looked

                def told_of_both() -> bool:
                    pit.look_again()
                    return {NO_SIGN, NOT_SHARED} <= {*messages(caplog)}

                await soon(told_of_both)
                for _ in range(40):
                    pit.look_again()
                    await asyncio.sleep(0.02)
                told = messages(caplog)
                assert (told[NO_SIGN], told[NOT_SHARED]) == (1, 1)
                wire.dead = False
                await soon(lambda: not pit.why_away and "one" in pit.actors)
                assert (await pit.look("one", PUBLIC)).startswith(b'{"table":"one"')
                await pit.close()

            with caplog.at_level(logging.WARNING, "croupier"):
                asyncio.run(evening())
    server.take_back()


def test_a_socket_at_a_process_that_is_cut_off_is_closed_and_none_is_opened(
    server: Server, tmp_path: Path
) -> None:
    name = str(conninfo_to_dict(server.empty_database())["dbname"])
    create_ring(tmp_path / "keys")
    with wire_to(server) as wire:
        far = f"postgresql://postgres@127.0.0.1:{wire.port}/{name}?sslmode=disable"
        keys = ("--keys", str(tmp_path / "keys"))
        made = Service(tmp_path, f"{far}&gssencmode=disable", *keys, silence_seconds=1)
        with made.running() as service:
            live = f"ws{service.url.removeprefix('http')}/api/tables/UTH-1/live"
            with connect(live) as socket:
                assert json.loads(socket.recv(timeout=20))["table"] == "UTH-1"
                wire.dead = True
                _cut(server, name)
                with pytest.raises(ConnectionClosed) as gone:
                    _read_on(socket)
            assert gone.value.rcvd is not None
            assert gone.value.rcvd.code == 1013
            with pytest.raises(InvalidStatus), connect(live):
                pass
            wire.dead = False
            asyncio.run(soon(lambda: _is_open(live)))
    server.take_back()


def _read_on(socket: ClientConnection) -> NoReturn:
    """A frame that was on its way comes before the end."""
    while True:
        socket.recv(timeout=20)


def _is_open(live: str) -> bool:
    try:
        with connect(live) as socket:
            return bool(json.loads(socket.recv(timeout=20))["view"])
    except (InvalidStatus, ConnectionClosed):
        return False


def _cut(server: Server, name: str) -> None:
    server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")


def test_a_table_that_cannot_be_read_keeps_nobody_from_the_others(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A service that ran in this process before may have taken the log for itself.
    monkeypatch.setattr(logging.getLogger("croupier"), "propagate", True)
    with closing(SharedLedger(server.empty_database(), "http://one", 1)) as ledger:

        async def evening() -> None:
            pit = SharedPit(ledger, the_registry(), new_ring(), QUICK)
            await asyncio.to_thread(installed, ledger, pit)
            for name in TABLES:
                pit._let_go(name)
            opened, stumbled = pit._opened, set[str]()

            def stumbling(name: str) -> object:
                if name in ("one", "two"):
                    stumbled.add(name)
                    raise Unreadable("altered") if name == "one" else AssertionError(name)
                return opened(name)

            monkeypatch.setattr(pit, "_opened", stumbling)
            pit.start()
            await soon(lambda: stumbled == {"one", "two"})
            await soon(lambda: "three" in pit.actors and ledger.mine == {"three"})
            monkeypatch.setattr(pit, "_opened", opened)
            await soon(lambda: set(pit.actors) == set(TABLES) == ledger.mine)
            await pit.close()

        asyncio.run(evening())
    assert {record.message for record in caplog.records if record.levelname == "ERROR"} == {
        "table not taken"
    }
    server.take_back()
