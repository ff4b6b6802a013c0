"""The pit manager: closes the link now and then, and opens it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.people import Person
from soak.wire import Lost

if TYPE_CHECKING:
    from soak.world import World


class Manager:
    def __init__(self, world: World, person: Person) -> None:
        self._world, self._person = world, person

    async def close_link(self, is_open: bool) -> None:
        try:
            host = self._world.host_of("", self._person.chance)
            token = await self._person.token(host)
            said = {"open": is_open, "reason": "the sign is dark"}
            status, told = await self._person.call(host, "PUT", "/api/links/both", said, token)
            if status == 401:
                self._person.forget(host)
            self._world.note(self._person.name, "link", str(status), str(told))
        except Lost:
            return
