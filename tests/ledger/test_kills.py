"""Killed at any moment: what was acknowledged is there, nothing is there twice, the chain is whole.

A command writes to two streams; the writer says so only when the append came back. The kill comes
after a random number of acknowledgments and a random part of a millisecond more.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import IO

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from croupier.audit.chain import prove_chain
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Moved, Repeated, Unavailable, Writing
from tests.ledger.lines import answer
from tests.ledger.stores import Server
from tests.ledger.writer import LINK, TABLE

ROOT = Path(__file__).parents[2]
FEW, MANY = 15, 300


class Writers:
    """Writers forked one after the other, each killed before the next."""

    def __init__(self, said: IO[str], asked: IO[str]) -> None:
        self._said, self._asked = said, asked

    def killed_after(self, address: str, acknowledged: int, more_us: int) -> int:
        """The last version that a writer acknowledged before it was killed."""
        self._asked.write(f"{address}\n")
        self._asked.flush()
        pid, last = int(self._next("pid")), 0
        for _ in range(acknowledged):
            last = int(self._next("table"))
        wait_us(more_us)
        os.kill(pid, signal.SIGKILL)
        for line in iter(self._said.readline, "gone\n"):
            last = int(line.removeprefix("table "))
        return last

    def _next(self, word: str) -> str:
        line = self._said.readline()
        assert line.startswith(f"{word} "), line
        return line.removeprefix(f"{word} ")


@pytest.fixture(scope="module")
def writers() -> Iterator[Writers]:
    command = [sys.executable, "-m", "tests.ledger.writer"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as started:
        assert started.stdin is not None
        assert started.stdout is not None
        yield Writers(started.stdout, started.stdin)
        started.stdin.close()


def wait_us(micros: int) -> None:
    until = time.monotonic_ns() + 1000 * micros
    while time.monotonic_ns() < until:
        pass


def check(address: str, acknowledged: int) -> int:
    """Everything said is there, whole commands only, in both streams alike; the length now."""
    with closing(open_ledger(address)) as ledger:
        assert prove_chain(ledger) is None
        table, link = ledger.head(TABLE).version, ledger.head(LINK).version
        assert acknowledged <= table <= acknowledged + 2
        assert table == 2 * link
        if table:
            assert len(ledger.answered(f"command {table - 2}")) == 3
    return table


def kill_writers(writers: Writers, address: str, times: int) -> None:
    open_ledger(address, create=True).close()
    chance = Random(times)
    length = 0
    for _ in range(times):
        said = writers.killed_after(address, chance.randrange(4), chance.randrange(1500))
        length = check(address, max(said, length))
    assert length > times


def test_a_killed_writer_loses_nothing(writers: Writers, address: str) -> None:
    kill_writers(writers, address, FEW)


@pytest.mark.prove
def test_hundreds_of_killed_writers_lose_nothing(writers: Writers, address: str) -> None:
    kill_writers(writers, address, MANY)


# The server's side of the connection killed


def keep_writing(address: str, done: list[str], stop: threading.Event) -> None:
    """Every command acknowledged, by one who gives a command again until it is answered."""
    with closing(open_ledger(address)) as ledger:
        while not stop.is_set():
            command_id = f"command {len(done)}"
            try:
                ends = [ledger.head(stream).version for stream in (TABLE, LINK)]
                asked, caused = answer(command_id, 2)
                ledger.append(Writing(TABLE, ends[0], (asked,)), Writing(LINK, ends[1], (caused,)))
            except (Moved, Unavailable):
                stop.wait(0.01)
                continue
            except Repeated:
                assert len(ledger.answered(command_id)) == 2
            done.append(command_id)


def cut(server: Server, database: str, how: signal.Signals) -> None:
    """End the server's processes that serve a database, unless all are gone already."""
    with suppress(psycopg.OperationalError, ProcessLookupError):
        for (pid,) in server.run(f"SELECT pid FROM pg_stat_activity WHERE datname = '{database}'"):
            os.kill(int(str(pid)), how)


def cut_connections(server: Server, times: int, how: signal.Signals) -> None:
    address = server.empty_database()
    database = str(conninfo_to_dict(address)["dbname"])
    open_ledger(address, create=True).close()
    chance, stop, done = Random(times), threading.Event(), list[str]()
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(keep_writing, address, done, stop)
        for _ in range(times):
            wait_for(len(done) + chance.randrange(1, 4), done, writing)
            wait_us(chance.randrange(1500))
            cut(server, database, how)
        wait_for(len(done) + 1, done, writing)
        stop.set()
        writing.result()
    when_up(lambda: check_answers(address, done))
    when_up(server.take_back)
    assert len(done) > times


def check_answers(address: str, done: list[str]) -> None:
    with closing(open_ledger(address)) as ledger:
        assert prove_chain(ledger) is None
        for stream in (TABLE, LINK):
            assert [line.command_id for line in ledger.read(stream)] == done


def when_up(work: Callable[[], None]) -> None:
    """A server may notice only now that one of its processes was killed, and recover first."""
    for _ in range(1_000):
        try:
            return work()
        except (Unavailable, psycopg.OperationalError):
            time.sleep(0.05)
    raise AssertionError("the server does not come back")


def wait_for(length: int, done: list[str], writing: Future[None]) -> None:
    while len(done) < length and not writing.done():
        time.sleep(0.001)


# SIGTERM ends one connection. SIGKILL makes the server cut them all and recover from its log.


@pytest.mark.parametrize(("how", "times"), [(signal.SIGTERM, 30), (signal.SIGKILL, 4)])
def test_a_cut_connection_loses_nothing(server: Server, how: signal.Signals, times: int) -> None:
    cut_connections(server, times, how)


@pytest.mark.prove
@pytest.mark.parametrize(("how", "times"), [(signal.SIGTERM, 500), (signal.SIGKILL, 200)])
def test_hundreds_of_cuts_lose_nothing(server: Server, how: signal.Signals, times: int) -> None:
    cut_connections(server, times, how)
