"""A flood of logins: passwords wait for each other, and the ledger for none of them."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import argon2
import pytest

from croupier.server.access.token_buckets import TooMany
from croupier.server.threads import (
    PASSWORD_THREADS,
    PASSWORDS_WAITING,
    BoundedExecutor,
    hashing_threads,
    ledger_threads,
    page_threads,
)
from tests.attack.pits import Watch, serving, small_pit
from tests.server.service import PASSWORD

T = TypeVar("T")
P = ParamSpec("P")


def test_a_queue_has_an_end_and_places_become_free() -> None:
    gate = threading.Event()
    with BoundedExecutor("test", 1, 2) as pool:
        begun = [pool.submit(gate.wait) for _ in range(3)]
        with pytest.raises(TooMany, match="wait a moment"):
            pool.submit(gate.wait)
        gate.set()
        assert all(one.result() for one in begun)
        assert pool.submit(int).result() == 0


def test_passwords_wait_apart_from_the_ledger(tmp_path: Path) -> None:
    async def flooded() -> list[str]:
        async with serving(tmp_path) as (pit, _):
            gate = threading.Event()
            flood = [
                asyncio.ensure_future(pit.with_password(gate.wait))
                for _ in range(PASSWORD_THREADS + PASSWORDS_WAITING)
            ]
            await asyncio.sleep(0)
            with pytest.raises(TooMany):
                await pit.with_password(pit.logins.enter, "dee", PASSWORD, "")
            # While none of them goes on, the ledger is read and written.
            await asyncio.to_thread(pit.prove_ledger)
            gate.set()
            await asyncio.gather(*flood)
            login = await pit.with_password(pit.logins.enter, "dee", PASSWORD, "")
            return [login.name]

    assert asyncio.run(flooded()) == ["dee"]


def test_a_password_is_hashed_in_a_thread_for_passwords(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        seen: list[str] = []
        admits = pit.people.admits

        def noted(name: str, password: str) -> object:
            seen.append(threading.current_thread().name)
            return admits(name, password)

        monkeypatch.setattr(pit.people, "admits", noted)
        asyncio.run(pit.with_password(pit.logins.enter, "dee", PASSWORD, ""))
    assert seen[0].startswith("croupier-passwords")


def priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_passwords_and_pages_give_way_to_the_tables() -> None:
    with hashing_threads() as hashing, page_threads() as pages, ledger_threads() as ledger:
        assert [pool.submit(priority).result() for pool in (hashing, pages)] == [19, 19]
        assert ledger.submit(priority).result() == priority()


def test_who_gives_way_never_holds_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that gives way on a busy machine keeps what it has locked for as long."""
    found: dict[str, int] = {}

    def noted(what: str, work: Callable[P, T]) -> Callable[P, T]:
        def seen(*given: P.args, **named: P.kwargs) -> T:
            found[what] = priority()
            return work(*given, **named)

        return seen

    with small_pit(tmp_path, Watch()) as pit:
        monkeypatch.setattr(
            argon2.PasswordHasher, "verify", noted("hashed", argon2.PasswordHasher.verify)
        )
        monkeypatch.setattr(pit.ledger, "append", noted("written", pit.ledger.append))
        asyncio.run(pit.with_password(pit.logins.enter, "dee", PASSWORD, ""))
    assert found == {"hashed": 19, "written": priority()}
