"""Killed in the middle of rounds: what was acknowledged is there, and clients go on."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.service import Client, Service
from tests.server.staff import Table, hire, install


def again(service: Service, people: dict[str, Client], table: Table) -> Table:
    """Killed and started; everybody logs in anew."""
    service.kill()
    service.start()
    back = {name: service.log_in(client.name) for name, client in people.items()}
    return Table(back, table.name, table.game)


def test_killed_in_the_middle_of_rounds_it_goes_on(tmp_path: Path) -> None:
    chance = Random(7)
    with Service(tmp_path, decision_seconds=0).running() as service:
        people = hire(service)
        table = install(people, "K").opened()
        for killing in range(2):
            table.wagered()
            table.done("dealer", "no-more-bets")
            for _ in range(chance.randrange(1, 6)):
                shown = table.view()
                if shown["phase"] == "dealing":
                    table.done("dealer", "deal")
                elif shown["phase"] == "acting":
                    table.answer(shown)
            before = {who: table.people[who].look("K") for who in ("dealer", "ann", "bob")}
            with table.people["ann"].watching("K") as socket:
                socket.recv(timeout=20)
                table = again(service, people, table)
                with pytest.raises(ConnectionClosed):
                    socket.recv(timeout=20)
            assert {who: table.people[who].look("K") for who in before} == before
            with table.people["ann"].watching("K") as socket:
                assert json.loads(socket.recv(timeout=20)) == before["ann"]
            assert table.finished()["round"] == killing + 2
        replayed = table.people["ann"].get("/api/tables/K/rounds")
        assert [shown["round"] for shown in replayed] == [2, 1]
        assert {shown["status"] for shown in replayed} == {"complete"}


def test_answers_outlive_the_service(tmp_path: Path) -> None:
    """The same id gets its first answer, done or refused, also from the next process."""
    with Service(tmp_path).running() as service:
        people = hire(service)
        table = install(people, "K").opened(("ann",))
        done = {"id": "a", "command": {"do": "tip", "box": 1, "cents": 5_00}}
        refused = {"id": "b", "command": {"do": "play", "box": 1, "cents": 5_00}}
        path = "/api/tables/K/commands"
        first = [people["ann"].post(path, ask) for ask in (done, refused)]
        table = again(service, people, table)
        second = [table.people["ann"].post(path, ask) for ask in (done, refused)]
        assert second == [{**told, "again": True} for told in first]
        other = {"id": "a", "command": {"do": "tip", "box": 1, "cents": 6_00}}
        assert table.people["ann"].post(path, other)["outcome"] == "unreadable"
        assert table.view("ann")["boxes"][0]["chips_cents"] == 495_00
        assert people["ann"].send("GET", "/api/me")[0] == 401


def test_a_lost_key_is_told_and_voids_a_round_only_when_said(tmp_path: Path) -> None:
    service = Service(tmp_path)
    with service.running():
        people = hire(service)
        install(people, "K").opened(("ann",)).dealt()
    (keys,) = (tmp_path / "config" / "croupier" / "keys").iterdir()
    keys.rename(tmp_path / "elsewhere")
    with pytest.raises(AssertionError, match="bring the right keys, or say that they are lost"):
        service.start()
    lost = Service(tmp_path, "", "--keys-lost")
    with lost.running():
        people = {name: lost.log_in(name) for name in ("dealer", "manager", "ann")}
        table, manager = Table(people, "K", "uth"), people["manager"]
        assert table.view("ann")["waits_for"] == "cards-unreadable"
        assert table.ask("manager", "confirm", upheld=True)["outcome"] == "unavailable"
        manager.post("/api/keys/acceptance", {"key": manager.get("/api/keys")["key"]})
        table.done("manager", "confirm", upheld=True)
        assert table.view("ann")["boxes"][0]["chips_cents"] == 500_00
        assert table.finished()["round"] == 2
        shown = table.people["ann"].get("/api/tables/K/rounds")
        assert [round["status"] for round in shown] == ["void"]
