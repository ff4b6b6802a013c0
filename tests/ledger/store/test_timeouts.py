"""A server that hangs without hanging up: one sentence in bounded time, and nothing lost."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from croupier.audit.chain import prove_chain
from croupier.ledger.store import postgres
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.ownership import Owners
from croupier.ledger.store.port import Repeated, Unavailable
from croupier.ledger.store.shared_postgres import SharedLedger
from tests.ledger.lines import writing
from tests.ledger.stores import Server
from tests.ledger.wire import wire_to

ONE = "table/one"
PATIENCE_S = 30


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an address that waits a second for the server."""
    monkeypatch.setattr(postgres, "LONGER_S", 0)
    monkeypatch.setattr(postgres, "ASLEEP_S", 0.5)


@contextmanager
def stopped(server: Server) -> Iterator[None]:
    """The server and all that it started, as a machine that is short of everything."""
    first = int((server.folder / "postmaster.pid").read_text().split()[0])
    pids = [first, *_children(first)]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def _children(parent: int) -> Iterator[int]:
    for process in Path("/proc").glob("[0-9]*/stat"):
        try:
            told = process.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if told[1] == str(parent):
            yield int(process.parent.name)


def test_a_stopped_server_is_not_waited_for_and_all_goes_on_when_it_is_back(server: Server) -> None:
    address = f"{server.empty_database()}&connect_timeout=1"
    with closing(SharedLedger(address, "http://here")) as ledger:
        assert isinstance(ledger, Owners)
        assert ledger.claim(["one"]) == {"one"}
        ledger.append(writing(ONE, 0, "a"))
        asked = [(writing(f"pit/{n}", 0, f"c{n}"),) for n in range(20)]
        with stopped(server):
            told = ledger.append_each([(writing(ONE, 1, "b"),), *asked])
            assert all(isinstance(each, Unavailable) for each in told)
            assert "cannot be reached" in str(told[0])
        _once_back(lambda: ledger.append(writing(ONE, 1, "b")))
        assert [line.command_id for line in ledger.read(ONE)] == ["a", "b"]
        assert ledger.mine == {"one"}
        assert prove_chain(ledger) is None
    server.take_back()


def test_a_commit_that_is_never_answered_is_a_doubt_that_the_command_id_ends(
    server: Server,
) -> None:
    name = conninfo_to_dict(server.empty_database())["dbname"]
    with wire_to(server) as wire:
        far = f"postgresql://postgres@127.0.0.1:{wire.port}/{name}?sslmode=disable"
        with closing(open_ledger(f"{far}&gssencmode=disable&connect_timeout=1", create=True)) as it:
            it.append(writing(ONE, 0, "a"))
            wire.fault = "answer, then asleep"
            with pytest.raises(Unavailable, match="whether the last lines were written"):
                it.append(writing(ONE, 1, "b", 2))
            wire.asleep.clear()
            with pytest.raises(Repeated):
                _once_back(lambda: it.append(writing(ONE, 1, "b", 2)))
            assert len(it.answered("b")) == 2
    server.take_back()


def _once_back(work: Callable[[], object]) -> None:
    """Again and again, for as long as the server, or an old connection of ours, is not awake."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            work()
        except Unavailable:
            assert time.monotonic() < until, "the server did not come back"
            time.sleep(0.05)
        else:
            return
