"""Who comes when everything is calm again, and plays every table to the end of its round."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from croupier.ledger.events import LINK
from croupier.table.handlers.numbers import SHOW_WITHIN_S
from soak.choosing import filled
from soak.judge import Asked, Failed
from soak.people import Person
from soak.wire import Lost

if TYPE_CHECKING:
    from soak.world import World

DEALERS_ORDER = ("void-unshown", "deal", "reveal", "settle-box", "clear-cards", "time-out")
MANAGERS_ORDER = ("confirm", "confirm-refusal", "second")
FLOORS_ORDER = (
    "unlock-table", "second", "rule-on-absence", "validate-progressive", "record-paperwork",
    "restore-device", "return-chip", "cancel-acceptance", "void-round", "confirm",
)  # fmt: skip
MOST_STEPS = 300
ATTEMPTS = 20
HEARD_S = 0.1  # whoever wrote a line hears a moment later that it is written


class Crew:
    def __init__(self, world: World) -> None:
        self._world = world
        self._chance = world.chance("crew")
        self._count, self._seen = 0, 0

    async def finish(self) -> None:
        for table in self._world.tables:
            for _ in range(MOST_STEPS):
                if not await self._moved(table):
                    break
            else:
                raise Failed(f"the round of {table} does not end")
        await self._meters_are_right()

    async def _moved(self, table: str) -> bool:
        """One step towards the end of the round; False when it is over."""
        seen, waits = [], False
        for who, order in (("max", MANAGERS_ORDER), ("dora", DEALERS_ORDER), ("flo", FLOORS_ORDER)):
            shown = await self._look(who, table)
            seen.append((shown["phase"], [option["do"] for option in shown.get("may", ())]))
            waits = any(box.get("number") == "committed" for box in shown.get("boxes", ()))
            if shown["phase"] == "betting" and "waits_for" not in shown:
                return False
            may = {option["do"]: option for option in reversed(shown.get("may", ()))}
            wanted = next((do for do in order if do in may), None)
            if wanted is not None:
                await self._do(who, table, filled(may[wanted], shown, self._chance))
                return True
        if waits:  # the players are gone, and with them their numbers: the round becomes void
            await asyncio.sleep(SHOW_WITHIN_S)
            return True
        raise Failed(f"nobody can go on at {table}: {seen}")

    async def _look(self, who: str, table: str) -> dict[str, Any]:
        least = self._world.judge.version(table)
        await asyncio.sleep(HEARD_S)
        _, told = await self._call(who, table, "GET", f"/api/tables/{table}")
        view: dict[str, Any] = told["view"]
        self._seen = told["version"]
        person = self._world.people[who]
        self._world.judge.shown(table, person.viewer, told["version"], view["phase"], str(told))
        if not least <= told["version"] <= self._world.judge.version(table):
            raise Failed(
                f"{table} is shown at version {told['version']}, and the ledger was at {least}"
            )
        return view

    async def _do(self, who: str, table: str, command: dict[str, Any]) -> None:
        self._count += 1
        asked = Asked(table, who, f"crew-{self._count}", command, None)
        self._world.judge.asked(asked)
        said = {"id": asked.id, "command": command}
        _, told = await self._call(who, table, "POST", f"/api/tables/{table}/commands", said)
        self._world.note("crew", who, table, str(said), str(told))
        self._world.judge.answered(asked.id, told)
        # Where the clock of a box was quicker, the table has moved on without him.
        has_moved = self._world.judge.version(table) > self._seen
        if told["outcome"] != "done" and not has_moved:
            raise Failed(f"when all is calm, {command} at {table} is answered {told}")

    async def _call(
        self, who: str, table: str, method: str, path: str, data: Any = None
    ) -> tuple[int, Any]:
        person: Person = self._world.people[who]
        why: object = ""
        for _ in range(ATTEMPTS):
            try:
                host = self._world.host_of(table, self._chance)
                token = await person.token(host)
                status, told = await person.call(host, method, path, data, token)
                if status == 401:
                    person.forget(host)
                elif status != 503:
                    return status, told
                why = told
            except Lost as lost:
                why = lost
            await asyncio.sleep(2)
        raise Failed(f"when all is calm, {path} is not answered to {who}: {why}")

    async def _meters_are_right(self) -> None:
        """What a link shows is what its stream says."""
        self._world.judge.look()
        await asyncio.sleep(5)
        _, shown = await self._call("flo", "", "GET", "/api/links")
        for link in shown:
            kept = self._world.judge.readings[f"{LINK}{link['name']}"]
            if link["meters"] != kept:
                raise Failed(f"link {link['name']} shows {link['meters']}, its stream {kept}")
