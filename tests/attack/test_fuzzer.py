"""A seeded fuzzer over roles, endpoints and commands, with the books done again after each.

Everybody sends whatever the screens offer, whatever they do not, and what is no command at all, to
whichever address; an accountant of its own holds chips, house, meters, drop and all that left the
table against what the ledger says was moved.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.facts.money import MICROS_A_CENT
from croupier.ledger.events import TABLE
from croupier.ledger.store.line import read_entries
from croupier.server.access.logins import Login
from croupier.server.access.roles import PIT_ROLES, ROLE_ACCESS
from croupier.server.pit.pit import Pit
from croupier.table import commands as do
from soak.choosing import choice, filled
from tests.attack.pits import Line, Watch, serving
from tests.server.service import PASSWORD

PEOPLE = {f"{role} {n}": role for role in PIT_ROLES for n in (1, 2)}
GENEROUS = {
    "commands_a_second": 100_000,
    "people_an_address": 100_000,
    "anonymous_requests_a_second": 100_000,
    "refusals_an_hour": 100_000,
    "logins_a_minute": 100_000,
    "decision_seconds": 0,
}
PATHS = (
    ("GET", "/api/tables"), ("GET", "/api/tables/UTH-1"), ("GET", "/api/tables/UTH-1/rounds"),
    ("GET", "/api/tables/UTH-1/rounds/1"), ("GET", "/api/links"), ("GET", "/api/people"),
    ("GET", "/api/people/waiting"), ("GET", "/api/access"), ("GET", "/api/me"),
    ("GET", "/api/program"), ("GET", "/tables/UTH-1/accidents"), ("GET", "/tables/UTH-1/replay/1"),
    ("POST", "/api/people"), ("PUT", "/api/people/dealer 1/role"), ("PUT", "/api/links/main"),
    ("POST", "/api/people/manager 1/second"), ("DELETE", "/api/people/manager 2/code"),
    ("POST", "/api/program/acceptance"), ("PUT", "/api/people/player 1/tables"),
    ("GET", "/api/keys"), ("POST", "/api/keys/acceptance"), ("PUT", "/api/people/nobody/code"),
)  # fmt: skip
BODIES: tuple[Any, ...] = (
    {}, [], None, {"role": "manager"}, {"upheld": True}, {"open": False, "reason": "x"},
    {"name": "eve", "role": "manager", "password": PASSWORD}, {"tables": None}, {"digest": "0"},
    {"key": "0"},
)  # fmt: skip
COMMANDS = [str(kind.__struct_config__.tag) for kind in do.AnyCommand.__args__]
STATUSES = {200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 413, 415, 429}
WINS: dict[str, Callable[[dict[str, Any]], int]] = {
    "wager-settled": lambda e: (
        (0 if e.get("outside") else e.get("paid_cents", 0) + e.get("returned_cents", 0))
        - (0 if e["outcome"] == "forfeit" else e["stake_cents"])
    ),
    "wager-forfeited": lambda e: -int(e["cents"]),
    "wager-returned": lambda e: e["cents"] if e.get("from_house") else 0,
    "line-reversed": lambda e: (
        (e["stake_cents"] if e.get("swept", True) else 0) - (0 if e.get("outside") else e["cents"])
    ),
}
"""What players have more or less by an event, in cents; told again, apart from the books."""
AT_TABLE = [name for name, role in PEOPLE.items() if ROLE_ACCESS[role].table is not None]
BESIDE, OTHERS, ANYTHING = 0.1, 0.15, 0.1
STEP_S = 0.5  # a number for the shuffle that is not shown within 40 steps voids its round


class Wire:
    """One connection that is kept, and whoever speaks on it; a server that is starved of time may
    take it for idle and hang up, so what had no answer is asked again on another."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._line: Line | None = None

    async def ask(
        self, method: str, path: str, login: Login | None, data: Any = None
    ) -> tuple[int, Any]:
        while True:
            try:
                return await self._asked(method, path, login, data)
            except (asyncio.IncompleteReadError, ConnectionError):
                self.close()

    def close(self) -> None:
        if self._line is not None:
            self._line[1].close()
        self._line = None

    async def _asked(
        self, method: str, path: str, login: Login | None, data: Any
    ) -> tuple[int, Any]:
        if self._line is None:
            self._line = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._line
        body = b"" if data is None else json.dumps(data).encode()
        said = [f"{method} {path.replace(' ', '%20')} HTTP/1.1", "host: x"]
        said += ["content-type: application/json", f"content-length: {len(body)}"]
        said += [f"authorization: Bearer {login.token}"] if login else []
        writer.write("\r\n".join([*said, "", ""]).encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        fields = dict(
            line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line
        )
        text = await reader.readexactly(int(fields.get("content-length", "0")))
        is_json = "json" in fields.get("content-type", "") and text
        return int(head.split()[1]), json.loads(text) if is_json else text


class Accountant:
    """What every account has, from the lines alone; nothing of the engine's own sums."""

    def __init__(self, pit: Pit) -> None:
        self._pit, self._read = pit, 0
        self.accounts: Counter[str] = Counter()
        self.in_cents: Counter[str] = Counter()
        self.events: Counter[str] = Counter()

    def look(self) -> None:
        (table,) = self._pit.actors.values()
        for line in self._pit.ledger.read(f"{TABLE}{table.name}", after=self._read):
            self._read = line.version
            self.events[line.kind] += 1
            for account, micros in read_entries(line.entries):
                self.accounts[account] += micros
            self._heard(line.kind, msgspec.json.decode(line.body))
        assert sum(self.accounts.values()) == 0
        state = table.kept.state
        for kind, has in (("purse ", dict(state.chips)), ("kept ", dict(state.kept))):
            found = {
                account.removeprefix(kind): micros // MICROS_A_CENT
                for account, micros in self.accounts.items()
                if account.startswith(kind) and micros
            }
            assert found == {str(name): cents for name, cents in has.items() if cents}
        self._money()
        link = table.link
        for name, micros in (table.kept.readings() if link else {}).items():
            opened = link.link.opened if link else None
            start = opened.meters[name] if opened else 0
            assert micros == start + self.accounts[f"meter {name}"], name

    def _money(self) -> None:
        """Whatever was bought lies in a box, on the felt, with the house or beyond the table."""
        told, has = self.in_cents, self.accounts
        assert has["drop"] == (told["bought"] - told["chips"]) * MICROS_A_CENT
        assert has["tips"] == told["tipped"] * MICROS_A_CENT
        assert has["cash"] == (told["paid out"] - told["bought"]) * MICROS_A_CENT
        held = sum(has[name] for name in has if name.startswith(("purse", "felt", "kept")))
        brought = told["bought"] - told["paid out"] - told["tipped"]
        assert held == (brought + told["won"]) * MICROS_A_CENT
        assert not any(
            micros < 0
            for account, micros in has.items()
            if account.startswith(("purse", "felt", "kept", "drop", "tips"))
        )

    def _heard(self, kind: str, event: dict[str, Any]) -> None:
        cents = event.get("cents", 0)
        if kind == "chips-bought":
            self.in_cents["bought"] += cents
            self.in_cents["chips"] += cents * (event["taken"] == "chips")
        elif kind in ("chips-cashed", "kept-paid"):
            self.in_cents["paid out"] += cents
        elif kind == "tip-given":
            self.in_cents["tipped"] += cents
        elif kind in WINS:
            self.in_cents["won"] += WINS[kind](event)
        elif kind == "power-used":
            assert event.get("second", "") != event["by"]


class Fuzz:
    def __init__(self, pit: Pit, wire: Wire, seed: int) -> None:
        self.pit, self.wire, self.chance = pit, wire, Random(seed)
        self.books = Accountant(pit)
        self.logins: dict[str, Login | None] = {"nobody": None}
        self.outcomes: Counter[str] = Counter()
        self.count = 0

    async def enter(self) -> None:
        for name, role in PEOPLE.items():
            await self.pit.with_password(self.pit.people.add, name, role, PASSWORD, "croupier")
            self.logins[name] = await self._log_in(name)

    async def _log_in(self, name: str) -> Login:
        return await self.pit.with_password(self.pit.logins.enter, name, PASSWORD, "")

    async def step(self) -> None:
        others = self.chance.random() < OTHERS
        name = self.chance.choice(list(self.logins) if others else AT_TABLE)
        login = self.logins[name]
        if self.chance.random() < BESIDE:
            method, path = self.chance.choice(PATHS)
            data = self.chance.choice(BODIES) if method != "GET" else None
            status, _ = await self.wire.ask(method, path, login, data)
        else:
            status = await self._command(name, login)
        assert status in STATUSES, status
        if status == 401 and login is not None:
            self.logins[name] = await self._log_in(name)
        self.books.look()

    async def _command(self, name: str, login: Login | None) -> int:
        self.count += 1
        _, frame = await self.wire.ask("GET", "/api/tables/UTH-1", login)
        view = frame.get("view", {"boxes": [], "phase": "betting"})
        ask = {"id": f"f{self.count}", "command": self._said(name, view)}
        status, told = await self.wire.ask("POST", "/api/tables/UTH-1/commands", login, ask)
        self.outcomes[told["outcome"]] += 1
        return status

    def _said(self, name: str, view: dict[str, Any]) -> dict[str, Any]:
        chance, may = self.chance, view.get("may", ())
        if chance.random() < ANYTHING:
            return {"do": chance.choice(COMMANDS), "box": chance.randrange(9), "cents": 10**9}
        found = choice(PEOPLE.get(name, "player"), name, view, chance)
        if found is None and may and chance.random() < ANYTHING:
            found = filled(chance.choice(may), view, chance)
        return found or {"do": "deal"}


async def _fuzzed(folder: Path, seed: int, commands: int) -> Fuzz:
    watch = Watch()
    async with serving(folder, watch, numbers=True, **GENEROUS) as (pit, port):
        fuzz = Fuzz(pit, Wire(port), seed)
        await fuzz.enter()
        while fuzz.count < commands:
            watch.later(STEP_S)
            await fuzz.step()
        fuzz.wire.close()
        return fuzz


def test_whatever_anybody_sends_the_books_are_right(tmp_path: Path) -> None:
    fuzz = asyncio.run(_fuzzed(tmp_path, 7, 300))
    assert fuzz.outcomes["done"] > 30
    assert {"refused", "unreadable", "forbidden", "not admitted"} <= set(fuzz.outcomes)


@pytest.mark.prove
def test_whatever_anybody_sends_a_hundred_thousand_times(tmp_path: Path) -> None:
    for seed in range(10):
        folder = tmp_path / str(seed)
        folder.mkdir()
        fuzz = asyncio.run(_fuzzed(folder, seed, 10_000))
        assert fuzz.books.events["cards-cleared"] > 20, (seed, fuzz.outcomes)
        assert fuzz.books.events["power-used"] > 5, seed
        assert fuzz.books.events["number-shown"] > 20, seed
