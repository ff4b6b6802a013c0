"""The door: people log out, and an administrator bars them, changes their roles and passwords.

Each is asked at one process and holds at all. One who guesses passwords is locked out everywhere,
until he is given a new one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import TYPE_CHECKING, Any

from soak.judge import Failed
from soak.passes import UNSETTLED_S, WITHIN_S
from soak.people import PASSWORD, Person
from soak.wire import Lost

if TYPE_CHECKING:
    from soak.hosts import Host
    from soak.world import World

EVERY_S = 4.0
BARRED_S = (2.0, 15.0)

GUESSES, ATTEMPTS = 3, 12
AUDITS = {"surveillance": "auditor", "auditor": "surveillance"}
WAITS = "waits already"
Act = Callable[[], Awaitable[None]]


class Door:
    """``ada`` is the administrator, ``wes`` looks on and is sent away, ``eli`` guesses."""

    def __init__(self, world: World, chance: Random) -> None:
        self._world, self._chance = world, chance
        self._loose_s = 0.0
        self._ada, self._wes, self._eli = (world.people[name] for name in ("ada", "wes", "eli"))

    async def work(self) -> None:
        desks = (self._leave,), (self._role, self._bar), (self._guess,)
        await asyncio.gather(*map(self._at, desks))

    async def _at(self, acts: tuple[Act, ...]) -> None:
        while not self._world.is_over:
            await asyncio.sleep(self._chance.expovariate(1 / EVERY_S))
            try:
                await self._chance.choice(acts)()
            except Lost as lost:
                self._world.note("door", "lost", str(lost))

    async def _leave(self) -> None:
        """Somebody logs out at one process, and looks whether he is out at another."""
        there = [person for person in self._world.people.values() if person.tokens]
        if not there:
            return
        person = self._chance.choice(there)
        host = self._host()
        token = await person.token(host)
        left = await person.leave(host, token)
        self._world.note("door", person.name, "left", str(left))
        self._world.count("logged out")
        await self._knock(person, token)

    async def _role(self) -> None:
        role = AUDITS[str(self._wes.role)]
        await self._changed("PUT", "/role", {"role": role}, "role changed")

    async def _bar(self) -> None:
        self._wes.is_out = True
        await self._changed("DELETE", "", None, "barred")
        await asyncio.sleep(self._chance.uniform(*BARRED_S))
        for path, data in (("/admission", None), ("/password", {"password": PASSWORD})):
            await self._asked("PUT" if data else "POST", f"wes{path}", data)
        self._world.passes.unsettle("wes")  # what was doubled on the way ends his logins once more
        self._wes.is_out = False

    async def _changed(self, method: str, path: str, data: Any, what: str) -> None:
        """What somebody was let in as no longer counts, wherever he is."""
        token = next(iter(self._wes.tokens.values()), "")
        own = self._world.passes.unsettle("wes")
        status = await self._asked(method, f"wes{path}", data, once=True)
        self._world.passes.unsettle("wes")
        self._world.note("door", "wes", what, str(status))
        if status == 200:
            self._world.count(what)
            self._world.passes.end(*own)
        if token:
            await self._knock(self._wes, token)

    async def _knock(self, person: Person, token: str) -> None:
        """At one process after the other, a few times over."""
        for _ in range(ATTEMPTS):
            await asyncio.sleep(self._chance.uniform(0, 1))
            try:
                await person.call(self._host(), "GET", "/api/me", None, token)
            except Lost:
                continue

    async def _guess(self) -> None:
        """Wherever he tried it, he is locked out everywhere; a new password ends that."""
        world, guessed = self._world, 0
        if world.loop.time() < self._loose_s:
            return  # the right one may still be on its way somewhere
        began = world.passes.asks()
        for _ in range(ATTEMPTS):
            status, _ = await self._try("a wrong one")
            guessed += status == 401
            if guessed == GUESSES:
                break
        else:
            return
        world.count("guessed")
        await asyncio.sleep(WITHIN_S)  # by then whoever was there has heard of it
        for _ in range(ATTEMPTS):
            host = self._host()
            status, _ = await self._try(PASSWORD, host)
            # Whoever was away when he was last let in may hear of that after the guesses.
            was_there = host.troubled_s < began.at_s - WITHIN_S
            if status == 200 and was_there and world.passes.is_locked_out(began.at_us):
                raise Failed(f"eli guessed three times, and {host.name} lets him in")
            if status in (0, 200):
                break  # where nobody has heard of the guesses, he may have been let in
            await asyncio.sleep(self._chance.uniform(0, 1))
        await self._forgiven()

    async def _forgiven(self) -> None:
        world = self._world
        if await self._asked("PUT", "eli/password", {"password": PASSWORD}) != 200:
            return
        since_s = world.loop.time()
        for _ in range(ATTEMPTS):
            await asyncio.sleep(self._chance.uniform(0, 2))
            host = self._host()
            asked_s = world.loop.time()
            status, told = await self._try(PASSWORD, host)
            late_s = asked_s - max(since_s, host.troubled_s)
            if status == 401 and late_s > WITHIN_S:
                raise Failed(f"eli has a new password, and {host.name} says: {told['sentence']}")

    async def _try(self, password: str, host: Host | None = None) -> tuple[int, Any]:
        said = {"name": "eli", "password": password}
        try:
            return await self._eli.call(host or self._host(), "POST", "/api/login", said)
        except Lost:
            self._loose_s = self._world.loop.time() + UNSETTLED_S
            return 0, None

    async def _asked(self, method: str, path: str, data: Any, *, once: bool = False) -> int:
        """What ada asks for and max seconds, until somebody has done it; the status of the last
        answer."""
        status = 0
        for _ in range(1 if once else ATTEMPTS):
            try:
                host = self._host()
                token = await self._ada.token(host)
                asked = self._ada.call(host, method, f"/api/people/{path}", data, token)
                status, told = await asked
                if status == 401:
                    self._ada.forget(host)
                if status == 200 and not told.get("waits"):
                    return status
                if status == 200 or (status == 400 and WAITS in told["sentence"]):
                    seconded, asked_for = await self._seconded(path.partition("/")[0]), status
                    if (seconded, asked_for) == (200, 200):
                        return seconded
                    status = 0
            except Lost:
                status = 0
            await asyncio.sleep(self._chance.uniform(0, 2))
        return status

    async def _seconded(self, name: str) -> int:
        host, max_ = self._host(), self._world.people["max"]
        token = await max_.token(host)
        said, at = {"upheld": True}, f"/api/people/{name}/second"
        status, _ = await max_.call(host, "POST", at, said, token)
        if status == 401:
            max_.forget(host)
        if status == 200:
            self._world.count("staff seconded")
        return status

    def _host(self) -> Host:
        return self._world.host_of("", self._chance)
