"""The same with real processes: ``python -m soak.real --minutes 5``.

``croupier serve`` several times over on a real PostgreSQL; processes are killed, restarted, stopped
and woken, and the server's sessions ended, while people play, each with one login at all processes.
What must hold is looked at when it is calm again. Nothing here replays: it is there to show that
the simulated world is like the real one.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any

from croupier.games.registry import the_registry
from croupier.ledger.shoe.key_ring import create_ring, read_ring
from croupier.ledger.store.address import open_ledger
from croupier.table.views import DEALER, FLOORPERSON, Viewer
from soak.choosing import choice, filled
from soak.crew import DEALERS_ORDER, FLOORS_ORDER, MANAGERS_ORDER, MOST_STEPS
from soak.judge import Asked, Failed, Judge
from tests.ledger.stores import Server, postgresql_server
from tests.server.service import PASSWORD, Client, Service
from tests.server.staff import PLAYERS, hire, install

TABLES = {"U1": ("UTH-S", "both"), "U2": ("UTH-S", "both"), "F1": ("FCP-14", "")}
PEOPLE = (*PLAYERS, "dealer", "floorperson", "manager")
ORDERS = {"manager": MANAGERS_ORDER, "dealer": DEALERS_ORDER, "floorperson": FLOORS_ORDER}
VIEWERS = {name: Viewer(role="player", name=name) for name in PLAYERS}
VIEWERS |= {"dealer": DEALER, "floorperson": FLOORPERSON, "manager": FLOORPERSON}
DECISION_S, CALM_S = 15, 20
LEAVES = 0.01  # of all turns end with somebody who logs out
OUT_WITHIN_S = 15.0  # a process that is stopped cannot hear of it
LONGEST_S = 60.0  # that a process is stopped, or takes to start, on a busy machine
END_SESSIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


class Unheard(Exception):
    """No answer from anybody: it may have happened."""


class House:
    """Services on one database, and everybody's one login at all of them."""

    def __init__(self, server: Server, address: str, folder: Path, processes: int) -> None:
        keys = folder / "keys.json"
        create_ring(keys)
        self.ring = read_ring(keys)
        self.address, self._server = address, server
        self._database = address.partition("?")[0].rpartition("/")[2]
        self.services = []
        for n in range(processes):
            place = folder / f"h{n}"
            place.mkdir()
            options = ("--keys", str(keys))
            self.services.append(Service(place, address, *options, decision_seconds=DECISION_S))
        self._tokens: dict[str, str] = {}
        self._lines: dict[tuple[str, int], Client] = {}
        self.counts: Counter[str] = Counter()

    def call(
        self, chance: Random, who: str, method: str, path: str, data: Any = None
    ) -> tuple[int, Any]:
        """One try, at one of the services; who logged in at any of them is known at this one."""
        at, me = chance.randrange(len(self.services)), f"{who} {threading.get_ident()}"
        if me not in self._tokens:
            said = {"name": who, "password": PASSWORD}
            status, told = self._send(me, at, "", "POST", "/api/login", said)
            if status != 200:
                raise Unheard(str(told))
            self._tokens[me] = told["token"]
        status, told = self._send(me, at, self._tokens[me], method, path, data)
        if status == 401:
            raise Failed(f"{who} is logged in, and is answered {told}")
        if status in (500, 502, 503):
            raise Unheard(str(told))
        return status, told

    def leave(self, chance: Random, who: str) -> None:
        """He logs out at one process, and is out at all of them."""
        me = f"{who} {threading.get_ident()}"
        if me not in self._tokens:
            return
        token, status = self._tokens[me], 0
        while status != 204:
            at = chance.randrange(len(self.services))
            try:
                status, _ = self._send(me, at, token, "POST", "/api/logout")
            except Unheard:
                time.sleep(0.3)
        del self._tokens[me]
        self.counts["logged out"] += 1
        for at in range(len(self.services)):
            self._is_out(me, at, token)

    def _is_out(self, me: str, at: int, token: str) -> None:
        """Asked until he is refused: a process that is away now cannot say so yet."""
        until_s, status = time.monotonic() + OUT_WITHIN_S + LONGEST_S, 0
        while time.monotonic() < until_s:
            began_s = time.monotonic()
            try:
                status, _ = self._send(me, at, token, "GET", "/api/me")
            except Unheard:
                status = 0
            if status == 401:
                return
            is_late = status == 200 and began_s > until_s - LONGEST_S
            if is_late and time.monotonic() - began_s < 1:
                break
            time.sleep(0.3)
        raise Failed(f"{me.partition(' ')[0]} logged out, and process {at} still says {status}")

    def _send(
        self, me: str, at: int, token: str, method: str, path: str, data: Any = None
    ) -> tuple[int, Any]:
        line = self._lines.setdefault((me, at), Client(self.services[at]))
        line.token = token
        try:
            return line.send(method, path, data)
        except (HTTPException, OSError, ValueError, AttributeError) as error:
            line.hang_up()
            raise Unheard(str(error)) from None

    # What goes wrong

    def kill(self, chance: Random) -> None:
        self.counts["killed"] += 1
        service = chance.choice(self.services)
        assert service.process is not None
        service.process.kill()
        service.process.wait()
        time.sleep(chance.uniform(0, 3))
        service.start()

    def restart(self, chance: Random) -> None:
        self.counts["restarted"] += 1
        service = chance.choice(self.services)
        assert service.process is not None
        service.process.send_signal(signal.SIGTERM)
        if service.process.wait(timeout=60):
            raise Failed(f"a process that was told to stop said: {service.said()[-1000:]}")
        service.start()

    def pause(self, chance: Random) -> None:
        self.counts["stopped and woken"] += 1
        process = chance.choice(self.services).process
        assert process is not None
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(chance.uniform(1, 12))
        os.kill(process.pid, signal.SIGCONT)

    def end_sessions(self, chance: Random) -> None:
        self.counts["sessions ended"] += 1
        self._server.run(END_SESSIONS, self._database)


class Crowd(threading.Thread):
    """Everybody at one table, one after the other, until it is time."""

    def __init__(self, house: House, judge: Judge, table: str, until_s: float, seed: int) -> None:
        super().__init__()
        self._house, self._judge, self._table, self._until_s = house, judge, table, until_s
        self._chance = Random(f"{seed} {table}")
        self._count, self._seen = 0, 0
        self.calm = threading.Event()
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            while time.monotonic() < self._until_s:
                who = self._chance.choice(PEOPLE)
                self.turn(who)
                if self._chance.random() < LEAVES:
                    self._house.leave(self._chance, who)
            self.calm.wait()
            for _ in range(MOST_STEPS):
                if not self._towards_the_end():
                    return
            raise Failed(f"the round of {self._table} does not end")
        except Exception as error:
            self.error = error

    def turn(self, who: str) -> None:
        try:
            shown = self._look(who)
        except Unheard:
            time.sleep(0.2)
            return
        said = choice("player" if who in PLAYERS else who, who, shown, self._chance)
        if said is not None:
            self._do(who, said)

    def _towards_the_end(self) -> bool:
        for who, order in ORDERS.items():
            shown = self._patiently(who)
            if shown["phase"] == "betting" and "waits_for" not in shown:
                return False
            may = {option["do"]: option for option in reversed(shown.get("may", ()))}
            wanted = next((do for do in order if do in may), None)
            if wanted is not None:
                self._one_step(who, filled(may[wanted], shown, self._chance))
                return True
        raise Failed(f"nobody can go on at {self._table}")

    def _one_step(self, who: str, command: dict[str, Any]) -> None:
        """Where the clock of a box was quicker, the table has moved on without him."""
        before, told = self._seen, self._do(who, command)
        if told["outcome"] != "done":
            self._patiently(who)
            if self._seen == before:
                raise Failed(f"when all is calm, {command} at {self._table} is answered {told}")

    def _patiently(self, who: str) -> dict[str, Any]:
        for _ in range(120):
            try:
                return self._look(who)
            except Unheard:
                time.sleep(1)
        raise Failed(f"when all is calm, {self._table} is not shown to {who}")

    def _look(self, who: str) -> dict[str, Any]:
        path = f"/api/tables/{self._table}"
        _, told = self._house.call(self._chance, who, "GET", path)
        view: dict[str, Any] = told["view"]
        viewer, self._seen = VIEWERS[who], told["version"]
        self._judge.shown(self._table, viewer, told["version"], view["phase"], str(told))
        return view

    def _do(self, who: str, said: dict[str, Any]) -> dict[str, Any]:
        """Under the same id until somebody answers, wherever."""
        self._count += 1
        self._house.counts["commands"] += 1
        asked = Asked(self._table, who, f"{self._table}-{self._count}", said, None)
        self._judge.asked(asked)
        path, ask = f"/api/tables/{self._table}/commands", {"id": asked.id, "command": said}
        for _ in range(200):
            try:
                _, told = self._house.call(self._chance, who, "POST", path, ask)
            except Unheard:
                self._judge.doubted(asked.id)
                self._house.counts["asked again"] += 1
                time.sleep(0.3)
                continue
            self._judge.answered(asked.id, told)
            answer: dict[str, Any] = told
            return answer
        raise Failed(f"nobody ever answered {ask}")


def evening(minutes: float, processes: int, seed: int) -> Counter[str]:
    """Failed where something did not hold."""
    chance = Random(seed)
    with (
        tempfile.TemporaryDirectory() as folder,
        postgresql_server() as server,
    ):
        house = House(server, server.new_database(), Path(folder), processes)
        try:
            _open(house)
            with closing(open_ledger(house.address)) as ledger:
                judge = Judge(ledger, the_registry(), house.ring, TABLES, DECISION_S)
                _play(house, judge, chance, minutes, seed)
                for service in house.services:
                    service.stop()
                judge.last_look()
                house.counts["lines"] = judge.lines
                house.counts["awards"] = judge.awards
        finally:
            for service in house.services:
                if service.process is not None and service.process.poll() is None:
                    service.kill()
    return house.counts


def _open(house: House) -> None:
    first, *others = house.services
    first.start()
    people = hire(first)
    for name, (book, link) in TABLES.items():
        install(people, name, book, link)
    for service in others:
        service.start()


def _play(house: House, judge: Judge, chance: Random, minutes: float, seed: int) -> None:
    until_s = time.monotonic() + 60 * minutes
    crowds = [Crowd(house, judge, table, until_s, seed) for table in TABLES]
    for crowd in crowds:
        crowd.start()
    try:
        faults = (house.kill, house.restart, house.pause, house.end_sessions)
        while time.monotonic() < until_s - 5 and not any(crowd.error for crowd in crowds):
            time.sleep(chance.uniform(2, 6))
            chance.choice(faults)(chance)
        # Whoever was stopped has to find out first what he lost meanwhile.
        time.sleep(CALM_S)
    finally:
        for crowd in crowds:
            crowd.calm.set()
    for crowd in crowds:
        crowd.join()
        if crowd.error is not None:
            raise crowd.error


def main() -> int:
    said = argparse.ArgumentParser(prog="python -m soak.real", description=__doc__)
    said.add_argument("--minutes", type=float, default=5.0)
    said.add_argument("--processes", type=int, default=2)
    said.add_argument("--seed", type=int, default=1)
    asked = said.parse_args()
    try:
        counts = evening(asked.minutes, asked.processes, asked.seed)
    except Failed as failed:
        print(f"It did not hold: {failed}")
        return 1
    print(f"{asked.minutes:g} minutes on {asked.processes} processes: it held")
    for what, many in sorted(counts.items()):
        print(f"  {many:7,}  {what}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
