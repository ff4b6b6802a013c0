"""People at their terminals: they look, act, lose the line, come back and ask again.

A command whose answer was lost is sent again under the same id until it is answered; some are sent
twice for no reason, some long after, and some with other words under an old id.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from croupier.server.access.roles import ROLE_ACCESS
from croupier.table.powers import PitRole
from croupier.table.views import PUBLIC, Viewer
from soak.choosing import choice
from soak.clockwork import Process
from soak.hosts import Host
from soak.judge import Asked, Failed
from soak.wire import Line, Lost, request

if TYPE_CHECKING:
    from soak.world import World

PASSWORD = "correct horse battery"
PATIENCE_S = 8.0
TOLD_WITHIN_S = 20.0
BY_REQUEST, TWICE, LATE, OTHER_WORDS, WITH_SEEN, GIVES_UP = 0.15, 0.05, 0.03, 0.01, 0.3, 0.1
LOCKED = "terminal is locked"
ASLEEP, ASLEEP_S = 0.004, 25.0
LEAVES, ELSEWHERE = 5, 0.3
LOOKS_ON = ("surveillance", "auditor", "administrator", "public")


class Person:
    """Somebody with a name and a role.

    Where several processes share the pit one login serves at all of them; where one has it alone,
    a login lives as long as the process that gave it.
    """

    def __init__(self, world: World, name: str, role: PitRole | None, chance: Random) -> None:
        self.world, self.name, self.role, self.chance = world, name, role, chance
        self.tokens: dict[str, str] = {}
        self.is_out = False

    @property
    def viewer(self) -> Viewer:
        if self.role is None:
            return PUBLIC
        sees = ROLE_ACCESS[self.role].sees
        return Viewer(role=sees, name=self.name if sees == "player" else "")

    async def token(self, host: Host) -> str:
        if self.role is None:
            return ""
        process = host.process
        if process is None or self.is_out:
            raise Lost("nobody is there" if process is None else "barred")
        place = self._place(process)
        if place not in self.tokens:
            asked = self.world.passes.asks()
            status, told = await self.call(
                host, "POST", "/api/login", {"name": self.name, "password": PASSWORD}
            )
            if status not in (200, 201):
                raise Lost(f"not let in: {told}")
            self.role = told["role"]
            self.tokens[place] = told["token"]
            self.world.passes.given(told["token"], self.name, told["role"], asked, place)
        return self.tokens[place]

    def forget(self, host: Host) -> None:
        if host.process is not None:
            self.tokens.pop(self._place(host.process), None)

    async def leave(self, host: Host, token: str) -> bool:
        """Whether he was told that he is out; he asks until he is."""
        self.forget(host)
        self.world.passes.doubt(token)
        for _ in range(LEAVES):
            try:
                status, _ = await self.call(host, "POST", "/api/logout", None, token)
            except Lost:
                status = 0
            if status == 204:
                self.world.passes.end(token)
                return True
            if status == 401:
                return False
            if self.chance.random() < ELSEWHERE:
                host = self.world.host_of("", self.chance)
        return False

    def _place(self, process: Process) -> str:
        return "" if len(self.world.hosts) > 1 else process.name

    async def call(
        self, host: Host, method: str, path: str, data: Any = None, token: str = ""
    ) -> tuple[int, Any]:
        if host.process is None or not host.ready:
            raise Lost("nobody is there")
        world = self.world
        call, asked = (method, path, data, token), world.passes.asks()
        told = await request(world.loop, world.roads, self.chance, host.process, host.app, call)
        if token:
            world.passes.answered(token, host, *told, asked)
            if method != "GET" and told[0] < 400:
                world.passes.touched(token, asked)
        return told


class Seat:
    """One person's place at one table, over whichever line he has now."""

    def __init__(self, person: Person, table: str, chance: Random) -> None:
        self.person, self.table, self.chance = person, table, chance
        self.world = person.world
        self.view: dict[str, Any] | None = None
        self.version = 0
        self.pending: Asked | None = None
        self.settled: list[Asked] = []
        self._heard: dict[str, Any] | None = None
        self._count = 0
        self._due: tuple[int, float] | None = None
        self.line: Line | None = None
        self.host: Host | None = None
        self._token, self._asked = "", self.world.passes.asks()

    def __str__(self) -> str:
        return f"{self.person.name}@{self.table}"

    async def work(self) -> None:
        while not self.world.is_over:
            try:
                await self._visit()
            except Lost as lost:
                self.world.note(self, "lost", str(lost))
                if self.host is not None and LOCKED in str(lost):
                    self.world.passes.refused(self._token, self.host, str(lost))
            await asyncio.sleep(self.chance.uniform(0.1, 2.0))

    async def _visit(self) -> None:
        world, host = self.world, self.world.host_of(self.table, self.chance)
        token = await self.person.token(host)
        if host.process is None:
            raise Lost("nobody is there")
        line = self.line = Line(world.loop, world.roads, self.chance)
        line.shows = partial(world.shows, token, host)
        self._token = token
        self.host, self.version, self.view, self._due = host, 0, None, None
        world.lines.append(line)
        line.open(host.process, host.app, f"/api/tables/{self.table}/live", token)
        try:
            while not world.is_over:
                await self._turn(host, line)
        finally:
            world.lines.remove(line)
            line.cut()

    async def _turn(self, host: Host, line: Line) -> None:
        """Look until something presses, then act; or fall asleep over it."""
        if self.person.role == "player" and self.chance.random() < ASLEEP:
            await asyncio.sleep(ASLEEP_S)
        text = await line.receive(self.chance.expovariate(1 / self.world.thinking_s))
        if text is not None:
            self._hear(host, text)
            return
        self._told_in_time(host)
        if self.view is None:
            if self.chance.random() < 0.05:
                raise Lost("nothing is shown")
            return
        if self.pending is None:
            self.pending = self._next()
        if self.pending is not None:
            await self._ask(host, line, self.pending)

    def _next(self) -> Asked | None:
        """Something new, something old again, or nothing."""
        assert self.view is not None
        role = self.person.role
        if role is None or role in LOOKS_ON:
            return None
        if self.settled and self.chance.random() < LATE:
            return self.chance.choice(self.settled[-10:])
        duty = str(ROLE_ACCESS[role].table)
        said = choice(duty, self.person.name, self.view, self.chance)
        if said is None:
            return None
        self._count += 1
        seen = self.version if self.chance.random() < WITH_SEEN else None
        asked = Asked(self.table, self.person.name, f"{self}-{self._count}", said, seen)
        self.world.judge.asked(asked)
        return asked

    async def _ask(self, host: Host, line: Line, asked: Asked) -> None:
        self.world.stepped()
        self._asked = self.world.passes.asks()
        ask = {"id": asked.id, "command": asked.command, "seen": asked.seen}
        self.world.note(self, "asks", json.dumps(ask))
        if self.chance.random() < BY_REQUEST:
            told = await self._by_request(host, ask)
        else:
            told = await self._by_socket(host, line, json.dumps(ask))
        self._answered(host, asked, told)

    async def _by_request(self, host: Host, ask: dict[str, Any]) -> dict[str, Any]:
        token = await self.person.token(host)
        path = f"/api/tables/{self.table}/commands"
        asked = self.world.judge
        try:
            _, told = await self.person.call(host, "POST", path, ask, token)
        except Lost:
            asked.doubted(str(ask["id"]))
            raise
        found: dict[str, Any] = told
        return found

    async def _by_socket(self, host: Host, line: Line, text: str) -> dict[str, Any]:
        wanted = json.loads(text)["id"]
        for _ in range(2 if self.chance.random() < TWICE else 1):
            line.send(text)
        self._heard = None
        until_s = self.world.loop.time() + PATIENCE_S
        while self.world.loop.time() < until_s:
            try:
                came = await line.receive(until_s - self.world.loop.time() + 0.001)
            except Lost:
                self.world.judge.doubted(wanted)
                raise
            if came is not None:
                self._hear(host, came)
            if self._heard is not None and self._heard.get("id") in (wanted, ""):
                return self._heard
        self.world.judge.doubted(wanted)
        raise Lost("no answer")

    def _hear(self, host: Host, text: str | bytes) -> None:
        text = text if isinstance(text, str) else text.decode()
        world, said = self.world, json.loads(text)
        world.note(self, "hears", text)
        if "view" in said:
            if said["version"] < self.version:
                raise Failed(f"{self} was shown version {said['version']} after {self.version}")
            self.view, self.version = said["view"], said["version"]
            events = json.dumps(said.pop("events"))
            now, lies = self.view["phase"], json.dumps(said)
            world.judge.shown(self.table, self.person.viewer, self.version, now, lies)
            world.judge.told(self.table, self.person.viewer, said["since"], self.version, events)
        elif "outcome" in said:
            self._heard = said
            if said["outcome"] == "not admitted":
                self.person.forget(host)
                world.passes.refused(self._token, host, said["sentence"])
            elif said["outcome"] in ("done", "refused"):
                world.passes.obeyed(self._token, host, self._asked)
            if said.get("id"):
                world.judge.answered(said["id"], said)
            now = self.view["phase"] if self.view else ""
            world.judge.shown(self.table, self.person.viewer, self.version, now, text)

    def _answered(self, host: Host, asked: Asked, told: dict[str, Any]) -> None:
        outcome = told["outcome"]
        self.world.count(f"answer: {outcome}")
        if told.get("id"):
            self.world.judge.answered(asked.id, told)
        if outcome == "done":
            self._due = (told["version"], self.world.loop.time())
        if outcome == "not admitted":
            self.person.forget(host)
            raise Lost("logged out")
        if outcome in ("unavailable", "too many") and self.chance.random() >= GIVES_UP:
            return
        if asked.answer is not None:
            self.settled.append(asked)
        self.pending = None

    def _told_in_time(self, host: Host) -> None:
        """Whoever's command is done sees it, unless the process had a bad moment."""
        if self._due is None:
            return
        version, since_s = self._due
        if self.version >= version:
            self._due = None
        elif host.disturbed_s > since_s:
            self._due = (version, host.disturbed_s)
        elif self.world.loop.time() - since_s > TOLD_WITHIN_S:
            raise Failed(f"{self} did version {version}, and still sees {self.version}")
