"""Several services share one pit: one has a table at a time, and another when that one is gone."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.ledger.shoe.key_ring import create_ring
from tests.ledger.stores import Server
from tests.server.pit.pits import Pits, soon, two_services
from tests.server.service import Client, Service
from tests.server.staff import Table, install, run_link

_names = count(1)


@pytest.fixture(scope="module")
def pits(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pits]:
    with two_services(server, tmp_path_factory.mktemp("pits")) as pits:
        yield pits
        pits.audited()


@pytest.fixture
def table(pits: Pits) -> Table:
    """Open, with Ann and Bob."""
    return install(pits.people, f"M{next(_names)}").opened()


def settled(pits: Pits, tables: int) -> bool:
    """Both have their share, and somebody has every table."""
    owners = [*pits.owners.values()]
    shares = [owners.count(each) for each in (pits.a, pits.b)]
    return len(owners) == tables and max(shares) - min(shares) <= 1


def processes(pits: Pits) -> int:
    return len(pits.people["ann"].get("/api/tables"))


def told(pits: Pits, service: Service, event: str, table: str = "") -> bool:
    lines = [json.loads(line) for line in service.said().splitlines() if line.startswith("{")]
    return any(line["event"] == event and line.get("table", "") == table for line in lines)


def test_tables_are_shared_out_and_both_serve_all_of_them(pits: Pits, table: Table) -> None:
    for _ in range(2):
        install(pits.people, f"M{next(_names)}")
    soon(lambda: settled(pits, processes(pits)))
    lists = [Client(each).get("/api/tables") for each in (pits.a, pits.b)]
    assert lists[0] == lists[1]
    assert [Client(each).send("GET", "/ready")[0] for each in (pits.a, pits.b)] == [200, 200]
    here, there = pits.at(pits.a, table), pits.at(pits.b, table)
    here.dealt()
    for who in ("ann", "bob", "dealer", "surveillance", "admin"):
        assert here.view(who) == there.view(who)
    accidents = f"/tables/{table.name}/accidents"
    assert here.people["dealer"].get(accidents) == there.people["dealer"].get(accidents) != []
    assert "??" not in there.view("ann")["boxes"][0]["cards"]
    assert there.view("ann")["boxes"][1]["cards"] == ["??", "??"]
    assert there.finished()["round"] == 2
    rounds = [
        people["ann"].get(f"/api/tables/{table.name}/rounds")
        for people in (here.people, there.people)
    ]
    assert rounds[0] == rounds[1]
    refused = there.ask("ann", "play", box=1, cents=1)
    assert refused["outcome"] == "refused"
    assert refused["clause"]
    twice = {"id": "twice", "command": {"do": "tip", "box": 1, "cents": 1_00}}
    path = f"/api/tables/{table.name}/commands"
    first = here.people["ann"].post(path, twice)
    assert there.people["ann"].post(path, twice) == {**first, "again": True}
    stale = {**twice, "id": "stale", "seen": 1}
    assert there.people["ann"].post(path, stale)["outcome"] == "stale"


def test_a_socket_at_the_wrong_process_sees_and_asks_as_at_the_right_one(
    pits: Pits, table: Table
) -> None:
    far = pits.at(pits.other(pits.owners[table.name]), table)
    ann = far.people["ann"]
    with ann.watching(table.name) as socket, ann.watching(table.name) as second:
        frame = json.loads(socket.recv(timeout=20))
        assert frame["view"] == far.view("ann")
        json.loads(second.recv(timeout=20))
        ask = {"id": far.people["ann"].next_id(), "command": {"do": "tip", "box": 1, "cents": 1_00}}
        socket.send(json.dumps(ask))
        answer: dict[str, Any] = {}
        view = frame
        while not answer or view["version"] == frame["version"]:
            came = json.loads(socket.recv(timeout=20))
            answer, view = (came, view) if "outcome" in came else (answer, came)
        assert answer["outcome"] == "done"
        assert view["version"] == answer["version"]
        assert view["view"]["boxes"][0]["chips_cents"] == 499_00
        for told in (view, after(second, answer["version"])):
            assert told["since"] == frame["version"]
            assert [event["event"] for event in told["events"]] == ["tip-given"]


def drained(socket: Any) -> None:
    while True:
        socket.recv(timeout=20)


def after(socket: Any, version: int) -> dict[str, Any]:
    """The first view of a table at this version or later."""
    while True:
        frame: dict[str, Any] = json.loads(socket.recv(timeout=40))
        if frame.get("version", 0) >= version and "view" in frame:
            return frame


def test_killed_in_the_middle_of_a_round_another_goes_on_with_the_same_cards(
    pits: Pits, table: Table
) -> None:
    owner = pits.owners[table.name]
    other = pits.other(owner)
    far = pits.at(other, table).dealt()
    before = {who: far.view(who) for who in ("ann", "bob", "dealer", "surveillance")}
    with far.people["bob"].watching(table.name) as socket:
        seen = json.loads(socket.recv(timeout=20))
        owner.kill()
        try:
            # Ann answers at once, and her answer waits for whoever has the table next.
            far.answer(far.view())
            assert after(socket, seen["version"] + 1)["view"]["round"] == 1
            assert pits.owners[table.name] is other
            assert {who: far.view(who)["boxes"][1] for who in before} == {
                who: view["boxes"][1] for who, view in before.items()
            }
            assert far.finished()["round"] == 2
        finally:
            owner.start()


def test_a_paused_owner_that_wakes_does_not_write(pits: Pits, table: Table) -> None:
    owner = pits.owners[table.name]
    near, far = pits.at(owner, table), pits.at(pits.other(owner), table)
    assert owner.process is not None
    with near.people["ann"].watching(table.name) as socket:
        socket.recv(timeout=20)
        os.kill(owner.process.pid, signal.SIGSTOP)
        try:
            # What reaches it while it sleeps, it does when it wakes: as the owner, it thinks.
            late = {"id": f"late-{table.name}", "command": {"do": "tip", "box": 1, "cents": 5_00}}
            socket.send(json.dumps(late))
            far.done("bob", "tip", box=2, cents=1_00)
            assert pits.owners[table.name] is pits.other(owner)
            version = far.people["bob"].look(table.name)["version"]
        finally:
            os.kill(owner.process.pid, signal.SIGCONT)
        answer = None
        while answer is None:
            frame = json.loads(socket.recv(timeout=40))
            answer = frame if "outcome" in frame else None
    assert answer["outcome"] == "done"
    assert answer["version"] == version + 1
    soon(lambda: told(pits, owner, "table lost", table.name))
    chips = [box["chips_cents"] for box in far.view("surveillance")["boxes"]]
    assert chips == [495_00, 499_00]
    assert far.people["ann"].post(f"/api/tables/{table.name}/commands", late)["again"]


def test_a_cut_pen_and_a_cut_ear_are_mended(pits: Pits, table: Table) -> None:
    owner = pits.owners[table.name]
    pits.server.run(f"SELECT pg_terminate_backend({pits.backend_of(owner)}, 5000)")
    pits.at(owner, table).done("ann", "tip", box=1, cents=1_00)
    ears = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'ClientRead'"
    pits.server.run(f"{ears} AND query IN ('LISTEN croupier', 'SELECT 1')")
    pits.at(pits.other(owner), table).done("ann", "tip", box=1, cents=1_00)
    linked = install(pits.people, f"M{next(_names)}", link="ears").opened(("ann",))
    install(pits.people, f"M{next(_names)}", link="ears").opened(("ann",))
    soon(lambda: linked.name in pits.owners)
    linked.wagered(progressive=1_00)
    linked.done("dealer", "no-more-bets")

    def meters(service: Service) -> Any:
        links = Client(service).get("/api/links")
        return next((link["meters"] for link in links if link["name"] == "ears"), None)

    soon(lambda: meters(pits.a) == meters(pits.b) == linked.view("ann")["meters"])


def test_logins_end_at_every_process(pits: Pits, table: Table) -> None:
    admin = pits.people["admin"]
    eve = admin.hire(f"eve{next(_names)}", "player")
    far = Client(pits.b, eve.token, eve.name)
    assert far.get("/api/me")["name"] == eve.name
    with far.watching(table.name) as socket:
        socket.recv(timeout=20)
        admin.delete(f"/api/people/{eve.name}")
        with pytest.raises(ConnectionClosed) as closed:
            drained(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
    assert far.send("GET", "/api/me")[0] == 401


def test_links_are_closed_and_opened_everywhere(pits: Pits) -> None:
    table = install(pits.people, f"M{next(_names)}", link="gate").opened(("ann",))
    far = pits.at(pits.b, table)
    run_link(pits.people, "gate", open=False, reason="dark")

    def closed(service: Service) -> str:
        links = Client(service).get("/api/links")
        return next((str(link["closed"]) for link in links if link["name"] == "gate"), "?")

    soon(lambda: closed(pits.b) == "dark")
    stakes = {"ante": 10_00, "progressive": 1_00}  # refused at an open link, for want of a Blind

    def told() -> str:
        return str(far.ask("ann", "place-wagers", box=1, stakes=stakes))

    soon(lambda: "(dark)" in told())
    run_link(far.people, "gate", open=True)
    soon(lambda: closed(pits.a) == "")


def test_a_process_with_other_keys_stays_out(pits: Pits, table: Table) -> None:
    wrong = pits.folder / f"wrong{next(_names)}"
    create_ring(wrong)
    with pytest.raises(AssertionError, match="which is not on this ring; bring the right keys"):
        pits.service(f"c{next(_names)}", wrong).start()
    assert table.name in pits.owners


@pytest.mark.parametrize(
    "headers", [{}, {"x-croupier-key": "0" * 16, "x-croupier-nonce": "00" * 32}]
)
def test_nobody_but_a_peer_is_answered(pits: Pits, headers: dict[str, str]) -> None:
    url = f"ws://127.0.0.1:{pits.a.port}/peers"
    with connect(url, additional_headers=headers) as socket, pytest.raises(ConnectionClosed) as no:
        socket.recv(timeout=20)
    assert no.value.rcvd is not None
    assert no.value.rcvd.code == 4401


def test_who_knows_the_name_of_a_key_but_not_the_key_is_told_nothing(pits: Pits) -> None:
    key_id = json.loads(pits.keys.read_text())["keys"][0]["id"]
    headers = {"x-croupier-key": key_id, "x-croupier-nonce": "00" * 32}
    with connect(f"ws://127.0.0.1:{pits.a.port}/peers", additional_headers=headers) as socket:
        assert len(socket.recv(timeout=20)) == 32
        socket.send(bytes(32) + json.dumps({"type": "count", "n": 1}).encode())
        with pytest.raises(ConnectionClosed) as no:
            socket.recv(timeout=20)
    assert no.value.rcvd is not None
    assert no.value.rcvd.code == 4401
