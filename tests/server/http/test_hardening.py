"""What one person must not be able to do, and what must not stop everybody else."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import py_compile
import re
import stat
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.cli import main
from croupier.facts.errors import Refusal, Unavailable
from croupier.games.registry import the_registry
from croupier.ledger.kept_table import system_clock
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.server import self_check
from croupier.server.access.logins import Login, NotAdmitted
from croupier.server.analysis import jobs
from croupier.server.http import table_socket
from croupier.server.metrics import Metrics
from croupier.server.pit import clock
from croupier.server.pit import pit as pit_module
from croupier.server.pit.pit import Pit
from croupier.server.settings import Settings, refuse_misspelt
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission
from croupier.table import commands as do
from tests.server.service import ADMINISTRATOR, PASSWORD, Client, Service
from tests.server.staff import Table, hire, install, run_link

Staff = dict[str, Client]


def offered(table: Table, who: str) -> dict[str, Any]:
    return {option["do"]: option for option in table.view(who)["may"]}


def test_a_dealers_word_turns_no_card_of_a_real_table(table: Table) -> None:
    table.dealt()
    before = table.view("ann")
    for name, more in {
        "other-card-exposed": {"exposed": ["@4"]},
        "dealer-card-exposed": {"exposed": ["@9"]},
        "card-face-up": {"cards": ["2c"]},
    }.items():
        told = table.ask("dealer", "declare", name=name, **more)
        assert told["outcome"] == "refused"
        assert "ruling 42" in told["sentence"]
        for who in ("dealer", "floorperson"):
            assert name not in offered(table, who).get("declare", {}).get("names", [])
    assert table.view("ann") == before


def test_a_round_of_a_real_table_is_void_when_a_manager_agrees(table: Table) -> None:
    table.dealt()
    table.done("floorperson", "void-round", cause="power-lost", reason="the screens are dark")
    assert table.view()["waits_for"] == "power-lost"
    assert table.view()["waits_reason"] == "the screens are dark"
    assert table.ask("floorperson", "confirm", upheld=True)["outcome"] == "refused"
    table.done("manager", "confirm", upheld=True)
    assert table.finished()["phase"] == "betting"


def test_only_the_clock_hurries_a_box(table: Table) -> None:
    table.dealt()
    box = table.view()["turn"]
    assert "time-out" not in offered(table, "dealer")
    for who in ("dealer", "floorperson", "manager"):
        told = table.ask(who, "time-out", box=box)
        assert told["outcome"] == "refused"
        assert told["sentence"].endswith(" seconds left to answer")
    assert table.view()["turn"] == box


def test_nobody_uses_up_the_ids_of_another(table: Table, people: Staff) -> None:
    path = f"/api/tables/{table.name}/commands"
    ask = {"id": "the-next-one", "command": {"do": "tip", "box": 2, "cents": 1_00}}
    assert people["bob"].post(path, ask)["outcome"] == "done"
    own = {"id": "the-next-one", "command": {"do": "tip", "box": 1, "cents": 1_00}}
    told = people["ann"].post(path, own)
    assert (told["outcome"], told["id"]) == ("done", "the-next-one")
    again = people["ann"].post(path, own)
    assert (again["version"], again["again"]) == (told["version"], True)
    other = people["ann"].post(path, ask)
    assert other["sentence"] == "command the-next-one was given before, with other words"


def test_a_link_that_is_closed_is_shown_and_its_wager_not_offered(people: Staff) -> None:
    table = install(people, "H-closed", link="hollow").opened()
    assert "progressive" in offered(table, "ann")["place-wagers"]["wagers"]
    with people["ann"].watching(table.name) as socket:
        socket.recv(timeout=20)
        run_link(people, "hollow", open=False, reason="the sign is dark")
        shown = json.loads(socket.recv(timeout=20))
    assert shown["view"]["unavailable"] == {"progressive": "the sign is dark"}
    assert "progressive" not in offered(table, "ann")["place-wagers"]["wagers"]
    stakes = {"ante": 10_00, "blind": 10_00, "progressive": 0}
    table.done("ann", "place-wagers", box=1, stakes=stakes)
    run_link(people, "hollow", open=True)


def test_what_may_lie_on_each_wager_is_told(table: Table) -> None:
    option = offered(table, "ann")["place-wagers"]
    limit = shipped_submission("UTH-S").limit("ante")
    assert limit is not None
    assert option["sizes"]["ante"] == [
        *(limit.minimum_cents, limit.maximum_cents, limit.increment_cents)
    ]
    assert option["sizes"]["progressive"] == [1_00, 1_00, 1_00]
    assert set(option["sizes"]) <= set(option["wagers"])


def test_the_api_describes_itself_without_a_script_of_anybody(people: Staff) -> None:
    for path in ("/api/schema", "/api/schema/openapi.json"):
        assert people["ann"].get(path)["openapi"].startswith("3.")
    for path in ("/api/schema/redoc", "/api/schema/swagger", "/api/schema/elements"):
        assert people["ann"].send("GET", path)[0] == 404


def test_who_sends_only_rubbish_is_sent_away(people: Staff, table: Table) -> None:
    with Client(people["ann"].service).watching(table.name) as socket:
        socket.recv(timeout=20)
        for _ in range(table_socket.MOST_BAD_FRAMES - 1):
            socket.send("{")
            assert json.loads(socket.recv(timeout=20))["outcome"] == "unreadable"
        socket.send("{")
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=20)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == table_socket.TOO_BAD


def test_what_cannot_be_read_costs_its_sender(tmp_path: Path) -> None:
    with Service(tmp_path, commands_a_second=1, anonymous_sockets=1).running() as service:
        people = hire(service)
        table = install(people, "R")
        with people["bob"].watching(table.name) as socket:
            socket.recv(timeout=20)
            told = []
            for _ in range(4):
                socket.send("{")
                told.append(json.loads(socket.recv(timeout=20))["outcome"])
        assert told[0] == "unreadable"
        assert told[-1] == "too many"
        stranger = Client(service)
        with stranger.watching(table.name) as first:
            assert "view" in json.loads(first.recv(timeout=20))
            with stranger.watching(table.name) as second:
                assert json.loads(second.recv(timeout=20))["outcome"] == "too many"


def test_names_that_are_no_part_of_an_address_are_none(people: Staff) -> None:
    filed, text = people["manager"], write_submission(shipped_submission("UTH-S"))
    for name in ("a/b", "..", ".hidden", "a?b", "a#b"):
        told = filed.post("/api/tables", {"submission": text, "name": name})
        assert told["sentence"].endswith("is no name for a table"), name
        told = filed.post("/api/tables", {"submission": text, "name": "L", "link": name})
        assert told["sentence"].endswith("is no name for a link"), name


# The program


def test_a_compiled_file_that_is_not_its_source_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, other = tmp_path / "honest.py", tmp_path / "crooked.py"
    source.write_text("def paid():\n    return 1\n")
    other.write_text("def paid():\n    return 2\n")
    compiled = Path(importlib.util.cache_from_source(str(source)))
    py_compile.compile(str(source), str(compiled))
    loaded = ModuleType("honest")
    loaded.__file__ = str(source)
    monkeypatch.setitem(sys.modules, "honest", loaded)
    assert list(self_check._foreign([source])) == []
    crooked = tmp_path / "crooked.pyc"
    py_compile.compile(str(other), str(crooked))
    head = compiled.read_bytes()[: self_check.HEADER_BYTES]
    compiled.write_bytes(head + crooked.read_bytes()[self_check.HEADER_BYTES :])
    assert list(self_check._foreign([source])) == [compiled]
    compiled.write_bytes(head + b"no code at all")
    assert list(self_check._foreign([source])) == [compiled]


def test_a_library_is_hashed_with_what_was_put_beside_it(tmp_path: Path) -> None:
    named = {name.lower() for name in self_check.parts()}
    assert {"croupier", "litestar", "uvloop", "prometheus-client", "h11", "python"} <= named


def test_a_start_without_the_self_check_is_told(tmp_path: Path) -> None:
    with Service(tmp_path).running() as service:
        assert Client(service).get("/ready").startswith("the program is not checked; ")
        assert "the program is not checked" in service.said()
        assert stat.S_IMODE(os.stat(service.address).st_mode) == 0o600
    with closing(open_ledger(service.address, read_only=True)) as ledger:
        kinds = [line.kind for line in ledger.read("pit/program")]
    assert kinds == ["program-unchecked"]


def test_an_analysis_is_told_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CROUPIER_KEYS", "PGPASSWORD", "CROUPIER_LEDGER"):
        monkeypatch.setenv(name, "secret")
    assert "secret" not in jobs._environment().values()
    assert "PATH" in jobs._environment()


# Watchmen


class _Deaf:
    """A socket whose other end never reads."""

    client = None

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {}

    async def close(self, code: int, reason: str) -> None:
        await asyncio.Event().wait()


class _Broken:
    """Logins whose ledger is away, and which have all ended."""

    def __init__(self) -> None:
        self.looked = 0

    def sweep(self) -> None:
        self.looked += 1
        raise OSError("the disk is full")

    def why_closed(self, login: object) -> str:
        return "log in again"


def test_the_watchman_survives_a_full_disk_and_a_socket_that_nobody_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_socket, "LOOK_AGAIN_S", 0.01)
    monkeypatch.setattr(table_socket, "CLOSE_WITHIN_S", 0.05)

    async def watched() -> tuple[int, int]:
        sockets, logins = table_socket.Sockets(Metrics()), _Broken()
        for _ in range(3):
            sockets.add(_Deaf(), Login("dee", "dealer", "", 0, ""))  # type: ignore[arg-type]
        watching = asyncio.ensure_future(sockets.watch(logins))  # type: ignore[arg-type]
        while logins.looked < 3:
            await asyncio.sleep(0.01)
        assert not watching.done()
        watching.cancel()
        left = len(sockets._open)
        await sockets.close_all()
        return logins.looked, left

    looked, left = asyncio.run(watched())
    assert looked >= 3
    assert left == 0


# Locked out


def test_the_console_lets_a_new_administrator_in(tmp_path: Path) -> None:
    with Service(tmp_path).running() as service:
        service.set_up()
        told = Client(service).send("POST", "/api/setup", {"name": "x", "password": PASSWORD})
        assert told[0] == 400
    again = Service(tmp_path, "", "--new-administrator")
    with again.running():
        code = re.findall(r"setup code: (\S+)", again.said())[-1]
        new = {"name": ADMINISTRATOR, "password": "another long password"}
        headers = {"X-Setup-Code": code}
        assert Client(again).post("/api/setup", new, headers)["role"] == "administrator"
        assert Client(again).post("/api/login", new)["name"] == ADMINISTRATOR
        assert Client(again).post("/api/setup", new, headers)["outcome"] == "not admitted"


def test_a_setting_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By every command, with the names that exist; help is told in any case."""
    refuse_misspelt({"CROUPIER_PORT": "80", "CROUPIER_KEYS": "x", "CROUPIER_CACHE": "", "PROT": ""})
    monkeypatch.setenv("CROUPIER_PROT", "80")
    for arguments in (["serve"], ["keys", "show"], ["rules"]):
        assert main(arguments) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith('croupier: Croupier has no environment variable "CROUPIER_PROT"')
        assert "CROUPIER_PORT" in said.err
    for told in (["--help"], ["serve", "--help"], ["--version"]):
        assert main(told) == 0


def test_readiness_is_about_writing_too(tmp_path: Path) -> None:
    """After a writing that failed, a line is tried; while that fails, nobody is ready."""
    ledger = open_ledger(str(tmp_path / "pit.db"), create=True)
    pit = Pit(ledger, the_registry(), new_ring())
    pit.prove_ledger()
    assert not ledger.head("pit/program").version
    pit._writer.failed = "the disk is full"
    pit.prove_ledger()
    assert not pit._writer.failed
    assert [line.kind for line in ledger.read("pit/program")] == ["ledger-tried"]
    pit._writer.failed = "the disk is full"
    (tmp_path / "pit.db").unlink()
    with pytest.raises(Unavailable):
        pit.prove_ledger()
    assert pit._writer.failed
    pit._writer.close()
    ledger.close()


class _Noting:
    """A ledger that notes what is asked of it on the loop, where everybody would wait for it."""

    def __init__(self, real: Any) -> None:
        self._real, self.on_loop, self.asked = real, list[str](), 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._real, name)
        if not callable(found):
            return found

        def noted(*given: Any, **named: Any) -> Any:
            self.asked += 1
            try:
                asyncio.get_running_loop()
                self.on_loop.append(name)
            except RuntimeError:
                pass
            return found(*given, **named)

        return noted


def test_nobody_waits_for_a_ledger_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meters, the clock, idle terminals, refusals and repeated ids are looked up off the loop."""
    monkeypatch.setattr(pit_module, "METERS_EVERY_S", 0.01)
    monkeypatch.setattr(clock, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(Pit, "is_shared", True)
    real = open_ledger(str(tmp_path / "pit.db"), create=True)
    ledger, now = _Noting(real), [system_clock()]
    cheap = Settings(argon2_memory_kib=64, argon2_rounds=1, self_check=False)
    pit = Pit(ledger, the_registry(), new_ring(), cheap, lambda: now[0])
    table = pit.install(write_submission(shipped_submission("UTH-S")), by="mia")
    pit.people.add("dee", "dealer", PASSWORD, by="ada")
    login = pit.logins.enter("dee", PASSWORD, "")

    async def served() -> None:
        pit.start()
        await asyncio.sleep(0.1)
        with pytest.raises(Refusal):
            await table.ask(do.Reveal(by="dee", role="dealer"), "dee/1")
        with pytest.raises(Refusal):
            await table.ask(do.Reveal(by="dee", role="dealer"), "dee/1")
        now[0] += 6 * 60 * 1_000_000
        with pytest.raises(NotAdmitted, match="locked"):
            pit.logins.by_token(login.token)
        await pit.logins.hear_of("a token of nobody")
        assert ledger.asked > 20
        assert ledger.on_loop == []
        await pit.close()

    asyncio.run(served())
