"""What is malformed, too large or out of order is told so, and nothing else happens."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.server.service import Client
from tests.server.staff import Table

BAD = (
    "",
    "no json",
    "[]",
    "null",
    "{}",
    '{"id": 7, "command": {}}',
    '{"id": "", "command": {"do": "deal"}}',
    '{"id": "x"}',
    '{"id": "x", "command": {"do": "deal"}, "more": 1}',
    '{"id": "x", "command": {}}',
    '{"id": "x", "command": {"do": "win"}}',
    '{"id": "x", "command": {"do": "tip", "box": "one", "cents": 1}}',
    '{"id": "x", "command": {"do": "tip", "box": 1, "cents": -1}}',
    '{"id": "x", "command": {"do": "tip", "box": 1, "cents": 1e300}}',
    '{"id": "x", "command": {"do": "tip", "box": 1, "cents": 1, "cards": ["As"]}}',
    '{"id": "x", "command": "deal", "seen": "now"}',
    '{"id": "x\\u0000y", "command": {"do": "tip", "box": 1, "cents": 100}}',
    '{"id": "x", "command": {"do": "take-box", "box": 999999999999999999999}}',
    "[" * 10_000,
    '{"id": "' + "x" * 101 + '", "command": {"do": "deal"}}',
)


def test_what_cannot_be_read_is_answered_and_the_socket_stays(
    table: Table, people: dict[str, Client]
) -> None:
    before = people["dealer"].look(table.name)
    with people["ann"].watching(table.name) as socket:
        socket.recv(timeout=20)
        for text in BAD:
            socket.send(text)
            told = json.loads(socket.recv(timeout=20))
            assert told["outcome"] == "unreadable", text[:80]
            assert len(told["sentence"]) < 300
        socket.send(b"\xff\xfe bytes")
        assert json.loads(socket.recv(timeout=20))["outcome"] == "unreadable"
    assert people["dealer"].look(table.name) == before


def test_the_same_over_http(table: Table, people: dict[str, Client]) -> None:
    path = f"/api/tables/{table.name}/commands"
    for text in BAD:
        status, told = people["ann"].send("POST", path, text.encode())
        assert (status, told["outcome"]) == (400, "unreadable"), text[:80]
    status, told = people["ann"].send("POST", path, b"x" * 70_000)
    assert status == 413
    assert people["ann"].send("POST", "/api/tables/none/commands", b"{}")[0] in (400, 404)
    status, told = people["ann"].send("PATCH", path, {})
    assert (status, told["outcome"]) == (405, "unreadable")
    assert people["ann"].send("GET", f"/api/tables/{'x' * 5000}")[0] == 404
    assert people["ann"].send("GET", "/api/tables/..%2F..%2Fetc")[0] == 404


def read_on(socket: ClientConnection) -> None:
    while True:
        socket.recv(timeout=20)


def test_a_frame_that_is_too_large_ends_its_socket_alone(
    table: Table, people: dict[str, Client]
) -> None:
    with people["ann"].watching(table.name) as socket, people["bob"].watching(table.name) as other:
        for each in (socket, other):
            each.recv(timeout=20)
        socket.send("x" * 100_000)
        with pytest.raises(ConnectionClosed) as closed:
            read_on(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        other.send(
            json.dumps({"id": f"{table.name} o", "command": {"do": "tip", "box": 2, "cents": 100}})
        )
        told = iter(lambda: json.loads(other.recv(timeout=20)), None)
        assert next(frame["outcome"] for frame in told if "outcome" in frame) == "done"


def test_commands_sent_at_once_are_answered_one_after_the_other(
    table: Table, people: dict[str, Client]
) -> None:
    with people["ann"].watching(table.name) as socket:
        socket.recv(timeout=20)
        for n in range(40):
            ask = {"id": f"{table.name} p{n}", "command": {"do": "tip", "box": 1, "cents": 1_00}}
            socket.send(json.dumps(ask))
        answers: list[dict[str, Any]] = []
        while len(answers) < 40:
            frame = json.loads(socket.recv(timeout=20))
            answers += [frame] if "outcome" in frame else []
    assert [told["id"] for told in answers] == [f"{table.name} p{n}" for n in range(40)]
    versions = [told["version"] for told in answers]
    assert versions == sorted(set(versions))
    assert table.view("ann")["boxes"][0]["chips_cents"] == 460_00


def test_what_is_out_of_order_is_refused_with_its_clause(table: Table) -> None:
    for who, do in (("dealer", "deal"), ("dealer", "reveal"), ("dealer", "clear-cards")):
        told = table.ask(who, do)
        assert told["outcome"] == "refused"
        assert told["clause"].startswith("UTH-S ")
    table.dealt()
    told = table.ask("bob", "check", box=2)
    assert (told["outcome"], told["sentence"]) == (
        "refused",
        "It is the turn of box 1, not of box 2",
    )


def test_no_table_of_that_name(people: dict[str, Client]) -> None:
    status, told = people["ann"].send("GET", "/api/tables/none")
    assert (status, told["sentence"]) == (404, 'there is no table "none" in this pit')
    with people["ann"].watching("none") as socket:
        assert json.loads(socket.recv(timeout=20))["sentence"] == told["sentence"]
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=20)
