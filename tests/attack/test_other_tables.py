"""Staff of one table at another: no command, no console, no past round, no page."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from croupier.server.access.logins import Login
from croupier.server.pit.pit import Pit
from tests.attack.pits import asked, serving
from tests.server.service import PASSWORD

ASK = b'{"id": "one", "command": {"do": "open-table"}}'
STRANGERS = (("del", "dealer"), ("flo", "floorperson"), ("sue", "surveillance"))


async def _enter(pit: Pit, name: str, role: str, *tables: str) -> Login:
    await pit.with_password(pit.people.add, name, role, PASSWORD, "croupier", tables)
    return await pit.with_password(pit.logins.enter, name, PASSWORD, "")


async def _get(port: int, path: str, login: Login | None = None) -> tuple[int, dict[str, str], Any]:
    said = {"Authorization": f"Bearer {login.token}"} if login else {}
    status, headers, body = await asked(port, path, b"", **said)
    return status, headers, json.loads(body) if body.startswith((b"{", b"[")) else body


def test_staff_see_and_do_nothing_where_they_do_not_work(tmp_path: Path) -> None:
    async def tried() -> None:
        async with serving(tmp_path) as (pit, port):
            _, _, public = await _get(port, "/api/tables/UTH-1")
            for name, role in STRANGERS:
                login = await _enter(pit, name, role, "elsewhere")
                said = {"Authorization": f"Bearer {login.token}"}
                _, _, seen = await _get(port, "/api/tables/UTH-1", login)
                assert seen["view"] == public["view"], role
                status, _, told = await asked(port, "/api/tables/UTH-1/commands", ASK, **said)
                assert status == 403, told
                for path in ("rounds", "rounds/1"):
                    assert (await _get(port, f"/api/tables/UTH-1/{path}", login))[0] == 403
                for path in ("accidents", "replay/1"):
                    assert (await _get(port, f"/tables/UTH-1/{path}", login))[0] == 403
                _, headers, _ = await _get(port, "/tables/UTH-1", login)
                assert headers["location"] == "/sign/UTH-1"
                floor = (await _get(port, "/floor", login))[2]
                assert b"tile-0" not in floor
                assert b'<b id="policy">casino</b>' in floor
            own = await _enter(pit, "dot", "dealer", "UTH-1")
            said = {"Authorization": f"Bearer {own.token}"}
            assert (await asked(port, "/api/tables/UTH-1/commands", ASK, **said))[0] == 200
            _, _, seen = await _get(port, "/api/tables/UTH-1", own)
            assert seen["view"]["may"]

    asyncio.run(tried())


@pytest.mark.parametrize("tables", [("elsewhere",), ()])
def test_other_tables_end_a_login_at_once(tmp_path: Path, tables: tuple[str, ...]) -> None:
    async def tried() -> None:
        async with serving(tmp_path) as (pit, port):
            login = await _enter(pit, "dot", "dealer", "UTH-1")
            await asyncio.to_thread(pit.people.change_tables, "dot", tables, "croupier")
            assert (await _get(port, "/api/me", login))[0] == 401

    asyncio.run(tried())
