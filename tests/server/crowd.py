"""A crowd around a table: everybody at a socket of his own, and every frame kept.

Players do at random what their own screens offer; dealer and floor do their duty.
"""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.server.service import Client
from tests.server.staff import DEALERS_ORDER, FLOORS_ORDER, STAKES

PLAYERS = ("ann", "bob", "cyd")
WATCHERS = ("dealer", "floorperson", "manager", "surveillance", "auditor", "admin", "public")
DECISIONS = ("check", "fold", "play")
PATIENCE_S = 60
ENOUGH_CENTS = 1_000_00


class Seat:
    """One person's socket at one table."""

    def __init__(self, who: str, client: Client, table: str) -> None:
        self.who, self._client, self._table = who, client, table
        self.frames: list[dict[str, Any]] = []
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._news = asyncio.Condition()
        self._socket: ClientConnection | None = None
        self._listening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        url = f"ws://127.0.0.1:{self._client.service.port}/api/tables/{self._table}/live"
        token = self._client.token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._socket = await connect(url, additional_headers=headers, compression=None)
        self._listening = asyncio.ensure_future(self._listen(self._socket))
        await self.until(1)

    async def close(self) -> None:
        assert self._socket is not None
        assert self._listening is not None
        await self._socket.close()
        await self._listening

    @property
    def view(self) -> dict[str, Any]:
        shown: dict[str, Any] = self.frames[-1]["view"]
        return shown

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Told "too many", it waits as long as it is told to and asks again by the same id."""
        command_id = self._client.next_id()
        text = json.dumps({"id": command_id, "command": {"do": do, **fields}})
        told = await self._answered(command_id, text)
        while told["outcome"] == "too many":
            await asyncio.sleep(told["wait_s"])
            told = await self._answered(command_id, text)
        if told["outcome"] == "done":
            await self.until(told["version"])
        return told

    async def _answered(self, command_id: str, text: str) -> dict[str, Any]:
        answer = self._answers[command_id] = asyncio.get_running_loop().create_future()
        await self._send(command_id, text)
        told: dict[str, Any] = await asyncio.wait_for(answer, PATIENCE_S)
        return told

    async def _send(self, command_id: str, text: str) -> None:
        assert self._socket is not None, command_id
        await self._socket.send(text)

    async def until(self, version: int) -> None:
        async with self._news:
            await asyncio.wait_for(
                self._news.wait_for(
                    lambda: bool(self.frames) and self.frames[-1]["version"] >= version
                ),
                PATIENCE_S,
            )

    async def _listen(self, socket: ClientConnection) -> None:
        async for text in socket:
            frame = json.loads(text)
            if "outcome" in frame:
                self._answers.pop(frame["id"]).set_result(frame)
            elif "view" in frame:
                async with self._news:
                    self.frames.append(frame)
                    self._news.notify_all()


class Crowd:
    """Everybody at one table."""

    def __init__(self, people: dict[str, Client], table: str, game: str, chance: Random) -> None:
        public = {"public": Client(people["ann"].service)}
        who = people | public
        self.seats = {name: Seat(name, who[name], table) for name in (*PLAYERS, *WATCHERS)}
        self._game, self._chance = game, chance
        self.is_real = game == "uth"  # what is shipped for the others is for practice
        self.outcomes: list[str] = []

    async def evening(self, rounds: int) -> None:
        await asyncio.gather(*(seat.open() for seat in self.seats.values()))
        try:
            await self._do("dealer", "open-table")
            for box, name in enumerate(PLAYERS, 1):
                await self._do(name, "take-box", box=box)
                await self._do("dealer", "buy-in", box=box, cents=2_000_00, taken="cash")
            until = await self._dealers_round() + rounds
            while await self._dealers_round() < until:
                await self._round()
        finally:
            await asyncio.gather(*(seat.close() for seat in self.seats.values()))

    async def _dealers_round(self) -> int:
        return int(self.seats["dealer"].view["round"])

    async def _round(self) -> None:
        for box, name in enumerate(PLAYERS, 1):
            if box == 1 or self._chance.random() < 0.8:
                await self._wager(name, box)
        for who in ("floorperson", "manager"):
            # A touch, or their terminals lock in a long evening; dealing is the dealer's duty.
            assert (await self.seats[who].ask("deal"))["outcome"] == "refused"
        await self._do("dealer", "no-more-bets")
        while self.seats["dealer"].view["phase"] != "betting":
            await self._next()

    async def _wager(self, name: str, box: int) -> None:
        seat = self.seats[name]
        if seat.view["boxes"][box - 1].get("chips_cents", 0) < ENOUGH_CENTS:
            await self._do("dealer", "buy-in", box=box, cents=ENOUGH_CENTS, taken="cash")
        await self._do(name, "place-wagers", box=box, stakes=STAKES[self._game])
        offered = next(o["wagers"] for o in seat.view["may"] if o["do"] == "place-wagers")
        for wager in offered:
            if wager not in STAKES[self._game] and self._chance.random() < 0.4:
                cents = 1_00 if wager == "progressive" else 5_00
                told = await seat.ask("place-wagers", box=box, stakes={wager: cents})
                # Some need another beside them, which this player may not have.
                assert told["outcome"] == "done" or told["sentence"].startswith(f"Box {box}, "), (
                    told
                )
        version = seat.frames[-1]["version"]
        await asyncio.gather(*(other.until(version) for other in self.seats.values()))

    async def _next(self) -> None:
        shown = self.seats["dealer"].view
        if shown["phase"] == "acting" and "waits_for" not in shown:
            await self._decide(shown)
            return
        for who, order in (("dealer", DEALERS_ORDER), ("floorperson", FLOORS_ORDER)):
            may = {option["do"]: option for option in self.seats[who].view["may"]}
            wanted = next((do for do in order if do in may), None)
            if wanted is not None:
                extra = {"box": may[wanted]["box"]} if "box" in may[wanted] else {}
                if wanted == "confirm":
                    extra["upheld"] = True
                await self._do(who, wanted, **extra)
                return
        raise AssertionError(f"nobody knows what comes next: {shown}")

    async def _decide(self, shown: dict[str, Any]) -> None:
        turn = shown["turn"]
        name = next(box["player"] for box in shown["boxes"] if box["seat"] == turn)
        if self._chance.random() < 0.1 and self.is_real:
            await self._try_to_turn_a_card()
        may = {option["do"] for option in self.seats["dealer"].view["may"]}
        if self._chance.random() < 0.03 and "time-out" in may:
            await self._do("dealer", "time-out", box=turn)
            return
        options = [o for o in self.seats[name].view["may"] if o["do"] in DECISIONS]
        option = self._chance.choice(options)
        extra = {"cents": self._chance.choice(option["cents"])} if option["do"] == "play" else {}
        await self._do(name, option["do"], box=turn, **extra)

    async def _try_to_turn_a_card(self) -> None:
        """A dealer's word alone: everybody who looks on would see the card."""
        name = self._chance.choice(["other-card-exposed", "dealer-card-exposed"])
        exposed = [f"@{self._chance.randrange(20)}"]
        told = await self.seats["dealer"].ask("declare", name=name, exposed=exposed)
        assert told["outcome"] == "refused", told
        assert "ruling 42" in told["sentence"]

    async def _do(self, who: str, do: str, **fields: Any) -> None:
        """Done, and seen by all who act: then the next one looks at his screen."""
        told = await self.seats[who].ask(do, **fields)
        assert told["outcome"] == "done", (who, do, fields, told)
        self.outcomes.append(do)
        acting = (*PLAYERS, "dealer", "floorperson")
        await asyncio.gather(*(self.seats[name].until(told["version"]) for name in acting))
