"""More commands than can be carried out: what is beyond is told so at once."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import pytest
from websockets.asyncio.client import connect

from croupier.cli.commands import serve
from croupier.ledger.kept_table import Answer
from croupier.ledger.store.ownership import Process
from croupier.server.access.token_buckets import TooMany
from croupier.server.http import table_socket
from croupier.server.pit.load_shedder import (
    FALLS_TO,
    FIRST,
    FOR_HURRIED,
    LEAST,
    LOOK_S,
    MOST,
    TARGET_S,
    WAIT_S,
    CommandLimit,
)
from croupier.server.pit.peer_client import PeerLost, Peers
from croupier.server.pit.shared_table import SharedTable
from croupier.table import commands as do
from tests.attack.pits import Watch as PitWatch
from tests.attack.pits import asked, serving, small_pit
from tests.server.service import PASSWORD


class Watch:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def filled(limit: CommandLimit, flight: ExitStack, count: float) -> None:
    for n in range(int(count)):
        flight.enter_context(limit.admitted(f"player {n}"))


def test_only_so_many_commands_are_in_flight() -> None:
    limit = CommandLimit(Watch())
    with ExitStack() as flight:
        filled(limit, flight, FIRST)
        with pytest.raises(TooMany, match="nothing was done") as error, limit.admitted("one more"):
            pass
        assert error.value.wait_s == 1
    with limit.admitted("one more"):
        assert limit.in_flight == 1


def test_who_does_not_wait_leaves_room_for_those_who_do() -> None:
    watch = Watch()
    limit = CommandLimit(watch)
    with ExitStack() as flight:
        filled(limit, flight, FIRST)
        with pytest.raises(TooMany):
            limit.refuse_beyond("hasty")
    with ExitStack() as flight:
        filled(limit, flight, FIRST * FOR_HURRIED + 1)
        limit.refuse_beyond("calm")
        for _ in range(3):
            watch.now_s += WAIT_S - 0.1
            with pytest.raises(TooMany):
                limit.refuse_beyond("hasty")  # and he is told to wait from now on
        watch.now_s += WAIT_S
        limit.refuse_beyond("hasty")


def test_everybody_with_a_command_in_flight_has_the_same_share() -> None:
    """Who sends many at once waits for his own, and nobody else waits for them."""
    limit = CommandLimit(Watch())
    with ExitStack() as flight:
        for _ in range(int(FIRST) // 2):
            flight.enter_context(limit.admitted("loud"))
        limit.refuse_beyond("loud")  # alone he may have all of it
        flight.enter_context(limit.admitted("calm"))
        with pytest.raises(TooMany):
            limit.refuse_beyond("loud")
        for _ in range(int(FIRST) // 2 - 1):
            flight.enter_context(limit.admitted("calm"))
    limit.refuse_beyond("loud")


@pytest.mark.parametrize(
    ("looks", "falls"), [((1.0,), False), ((1.0, 0.0), False), ((1.0, 1.0), True)]
)
def test_a_loop_that_is_late_makes_commands_slow(looks: tuple[float, ...], falls: bool) -> None:
    """What waits before it is read is a queue too; one pause of a collector is none."""
    limit = CommandLimit(Watch())
    for late_s in looks:
        limit.note_lag(late_s)
    with limit.admitted("one"):
        pass
    assert (limit.most < FIRST) is falls


def test_the_pit_looks_at_how_late_its_loop_is(tmp_path: Path) -> None:
    async def lag() -> float:
        async with serving(tmp_path) as (pit, _):
            for _ in range(3):
                time.sleep(3 * LOOK_S)  # on the loop: nobody is served meanwhile
                await asyncio.sleep(0.01)
            return pit.load.lag_s

    assert asyncio.run(lag()) > LOOK_S


def test_the_limit_falls_while_commands_are_slow_and_rises_again() -> None:
    watch = Watch()
    limit = CommandLimit(watch)
    for _ in range(100):
        with limit.admitted("one"):
            watch.now_s += 2 * TARGET_S
    assert limit.most == LEAST
    for _ in range(100_000):
        with limit.admitted("one"):
            pass
    assert limit.most == MOST


def test_slow_ones_that_were_let_in_together_are_one_fall() -> None:
    watch = Watch()
    limit = CommandLimit(watch)
    with ExitStack() as flight:
        filled(limit, flight, 20)
        watch.now_s += 2 * TARGET_S
    assert limit.most == FIRST * FALLS_TO


@pytest.mark.parametrize("table", ["UTH-1", "no such table"])
def test_a_command_beyond_the_limit_is_shed_with_its_id(tmp_path: Path, table: str) -> None:
    """By a request it is shed before anybody looks for its table."""

    async def shed() -> bytes:
        async with serving(tmp_path) as (pit, port):
            login = await pit.with_password(pit.logins.enter, "dee", PASSWORD, "")
            pit.load.most = 0
            body = b'{"id": "mine", "command": {"do": "open-table"}}'
            status, headers, told = await asked(
                port,
                f"/api/tables/{quote(table)}/commands",
                body,
                Authorization=f"Bearer {login.token}",
            )
            assert (status, headers["retry-after"]) == (429, "1")
            return told

    told = asyncio.run(shed())
    assert b'"outcome":"too many","id":"mine"' in told
    assert b'"repeat":true' in told


OPEN = do.OpenTable(by="dee", role="dealer")


def test_what_a_peer_carries_here_is_shed_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks at another process is told it as if his table were played there."""

    async def carried() -> Answer:
        async with serving(tmp_path) as (pit, port):
            monkeypatch.setattr(pit, "is_shared", True)
            peers, at = Peers(pit.ring), f"http://127.0.0.1:{port}"
            pit.load.most = 0
            with pytest.raises(TooMany, match="nothing was done") as error:
                await peers.ask(at, "UTH-1", OPEN, "dee/1", None)
            assert (error.value.wait_s, pit.load.in_flight) == (1, 0)
            pit.load.most = FIRST
            answer = await peers.ask(at, "UTH-1", OPEN, "dee/1", None)
            await peers.close()
            return answer

    assert not asyncio.run(carried()).again


class Cut:
    """A peer whose connection is cut once, and who then sheds once; then it was done."""

    def __init__(self, *told: Exception) -> None:
        self.told = list(told or (PeerLost(), TooMany("nothing was done")))

    async def ask(self, *_: object) -> Answer:
        if self.told:
            raise self.told.pop(0)
        return Answer((), 2, again=True)


@pytest.mark.parametrize("is_cut", [True, False])
def test_what_was_cut_off_is_never_told_that_nothing_was_done(tmp_path: Path, is_cut: bool) -> None:
    """It may have been carried out where it was cut off: it is given again until that is known."""
    shed = Cut() if is_cut else Cut(TooMany("nothing was done"))

    async def outcome() -> str:
        with small_pit(tmp_path, PitWatch()) as pit:
            kept, gate = pit.table("UTH-1").kept, pit.gate
            table = SharedTable(kept, shed, lambda: None, gate)  # type: ignore[arg-type]
            table.belongs_to(Process("http://there", 1))
            try:
                return "done before" if (await table.ask(OPEN, "dee/1")).again else "done"
            except TooMany:
                return "too many"

    assert asyncio.run(outcome()) == ("done before" if is_cut else "too many")


def test_who_is_shed_and_goes_on_is_not_read_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To tell somebody "too many" costs something, too: nobody is told it as fast as he can ask."""
    monkeypatch.setattr(table_socket, "PAUSE_S", 3600)
    monkeypatch.setattr(serve, "STOP_WITHIN_S", 1)

    async def hammered() -> float:
        async with serving(tmp_path) as (pit, port):
            login = await pit.with_password(pit.logins.enter, "dee", PASSWORD, "")
            pit.load.most = 0
            said = {"Authorization": f"Bearer {login.token}"}
            uri = f"ws://127.0.0.1:{port}/api/tables/UTH-1/live"
            async with connect(uri, additional_headers=said) as line:
                for n in range(5):
                    await line.send(json.dumps({"id": f"{n}", "command": {"do": "open-table"}}))
                while '"outcome":"too many"' not in str(await line.recv()):
                    pass
                for _ in range(5):
                    assert (await asked(port, "/health"))[0] == 200
                line.transport.abort()
            return float(pit.metrics.commands.labels("too many")._value.get())

    assert asyncio.run(hammered()) == 1


class Hasty:
    """A socket whose other end has sent the next message already, or not yet."""

    def __init__(self, *, hurries: bool) -> None:
        self._hurries = hurries

    async def receive_text(self) -> str:
        if not self._hurries:
            await asyncio.Event().wait()
        return "{}"


def test_who_does_not_wait_is_read_ever_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await real_sleep(0)

    real_sleep = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", sleep)

    async def paused(*, hurries: bool) -> list[float]:
        pace = table_socket.Pace(Hasty(hurries=hurries))  # type: ignore[arg-type]
        for _ in range(8):
            await pace.slow_down(is_shed=True)
            if hurries:
                assert await pace.next_text() == "{}"
        await pace.slow_down(is_shed=False)
        told = slept.copy()
        slept.clear()
        return told

    first, longest = table_socket.PAUSE_S, table_socket.LONGEST_PAUSE_S
    assert asyncio.run(paused(hurries=True)) == [min(longest, first * 2**n) for n in range(8)]
    assert asyncio.run(paused(hurries=False)) == [first] * 8
