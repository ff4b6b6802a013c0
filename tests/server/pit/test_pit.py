"""The pit as people use it: over real sockets, in every role."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection

from tests.server.service import Client, Service
from tests.server.staff import Table, hire, install

People = dict[str, Client]


def test_a_round_with_everybody_over_http(table: Table) -> None:
    table.wagered()
    table.done("dealer", "no-more-bets")
    over = table.finished()
    assert over["round"] == 2
    assert [box["net_cents"] for box in over["boxes"]] == [-20_00, -20_00]
    assert [box["chips_cents"] for box in over["boxes"]] == [480_00, 480_00]


def test_buying_in_tipping_and_cashing_out(table: Table) -> None:
    table.done("floorperson", "buy-in", box=1, cents=100_00, taken="cash")
    table.done("ann", "tip", box=1, cents=5_00)
    table.done("ann", "cash-out", box=1, cents=95_00)
    assert table.view("ann")["boxes"][0]["chips_cents"] == 500_00
    assert "chips_cents" not in table.view("bob")["boxes"][0]
    for who in ("ann", "admin", "surveillance", "auditor"):
        assert table.ask(who, "buy-in", box=1, cents=100_00, taken="cash")["outcome"] in (
            "refused",
            "forbidden",
        )


def test_the_floor_is_called_and_comes_and_only_the_house_reads_why(
    table: Table, people: People
) -> None:
    why = "box 2 disputes a payout"
    table.done("dealer", "call-floor", reason=why)
    for who in ("dealer", "floorperson", "surveillance"):
        call = table.view(who)["call"]
        assert (call["by"], call["reason"]) == ("dealer", why)
    assert set(table.view("ann")["call"]) == {"at_s"}
    assert "called already" in table.ask("dealer", "call-floor")["sentence"]
    assert "for dealer" in table.ask("ann", "call-floor")["sentence"]
    table.dealt().finished()
    assert table.view("dealer")["call"] == call
    table.done("manager", "answer-call")
    assert "call" not in table.view("ann")
    recalled = f"/api/tables/{table.name}/rounds/1"
    for who, reads in (("ann", False), ("floorperson", True)):
        told = people[who].get(recalled)
        assert "floor-called" in {event["event"] for event in told["events"]}
        assert (why in json.dumps(told)) is reads


def test_a_refusal_reaches_the_person_word_for_word(table: Table) -> None:
    told = table.ask("ann", "play", box=1, cents=30_00)
    assert told["outcome"] == "refused"
    assert told["sentence"] == "No box is being asked now"
    assert told["clause"].startswith("UTH-S 11")


def test_nobody_acts_for_another(table: Table, people: People) -> None:
    table.wagered()
    assert "not yours" in table.ask("bob", "withdraw-wagers", box=1)["sentence"]
    table.ask("bob", "take-box", box=3, by="ann", role="dealer")
    assert {box["player"] for box in table.view()["boxes"]} == {"ann", "bob"}
    assert table.ask("ann", "no-more-bets")["outcome"] == "refused"
    for who in ("admin", "surveillance", "auditor"):
        told = table.ask(who, "no-more-bets")
        role = people[who].get("/api/me")["role"]
        assert told["outcome"] == "forbidden"
        assert told["sentence"] == f"the {role} gives no commands at a table"
    assert people["ann"].ask(table.name, "no-more-bets", role="dealer")["outcome"] == "refused"


def test_the_same_id_again_is_answered_as_before(table: Table, people: People) -> None:
    path = f"/api/tables/{table.name}/commands"
    ask = {"id": f"{table.name} once", "command": {"do": "take-box", "box": 4}}
    first, again = (people["cyd"].post(path, ask) for _ in range(2))
    assert (first["outcome"], again["outcome"], again["again"]) == ("done", "done", True)
    assert first["version"] == again["version"]
    other = {"id": f"{table.name} once", "command": {"do": "take-box", "box": 5}}
    status, told = people["cyd"].send("POST", path, other)
    assert (status, told["outcome"]) == (400, "unreadable")
    assert "with other words" in told["sentence"]
    refused = {"id": f"{table.name} no", "command": {"do": "take-box", "box": 1}}
    noes = [people["cyd"].post(path, refused) for _ in range(2)]
    assert noes[1] == {**noes[0], "again": True}
    assert noes[0]["outcome"] == "refused"
    mine = {"id": f"{table.name} once", "command": {"do": "take-box", "box": 4}}
    told = people["bob"].post(path, mine)  # his ids are his own
    assert (told["outcome"], told["sentence"]) == ("refused", "Box 4 is taken")


def test_one_id_from_many_sockets_at_once_is_answered_once(table: Table, people: People) -> None:
    """Whichever comes first is done; the same words get its answer, other words an error."""
    asks = [{"id": f"{table.name} race", "command": {"do": "take-box", "box": n}} for n in (4, 5)]
    told = _raced(people["cyd"], table.name, [asks[n % 2] for n in range(8)])
    done = [answer for answer in told if answer["outcome"] == "done"]
    wrong = [answer for answer in told if answer["outcome"] == "unreadable"]
    assert (len(done), len(wrong)) == (4, 4)
    assert sorted(answer.get("again", False) for answer in done) == [False, True, True, True]
    assert len({answer["version"] for answer in done}) == 1
    assert all("with other words" in answer["sentence"] for answer in wrong)
    refused = {"id": f"{table.name} vain", "command": {"do": "take-box", "box": 1}}
    noes = _raced(people["cyd"], table.name, [refused] * 4)
    assert {(no["outcome"], no["sentence"]) for no in noes} == {("refused", "Box 1 is taken")}


def test_one_id_at_two_tables_at_once_is_answered_at_one(table: Table, people: People) -> None:
    other = install(people, f"{table.name}-beside").opened(("ann",))
    ask = {"id": f"{table.name} twice", "command": {"do": "take-box", "box": 6}}
    told = [
        *_raced(people["cyd"], table.name, [ask], other.name),
        *_raced(people["cyd"], other.name, [ask], table.name),
    ]
    done = [answer for answer in told if answer["outcome"] == "done"]
    wrong = [answer for answer in told if answer["outcome"] == "unreadable"]
    assert (len(done), len(wrong)) == (2, 2)
    assert sum(not answer.get("again", False) for answer in done) == 1


def _raced(
    who: Client, table: str, asks: Sequence[Mapping[str, object]], beside: str = ""
) -> list[Any]:
    """Each ask on a socket of its own, and at the table beside it too, all before any answer."""
    with ExitStack() as stack:
        tables = [table, beside] if beside else [table]
        sockets = [stack.enter_context(who.watching(at)) for _ in asks for at in tables]
        for socket, ask in zip(sockets, [ask for ask in asks for _ in tables], strict=True):
            socket.send(json.dumps(ask))
        return [_answer_on(socket) for socket in sockets]


def _answer_on(socket: ClientConnection) -> Any:
    while True:
        frame = json.loads(socket.recv(timeout=20))
        if "outcome" in frame:
            return frame


def test_a_version_that_is_no_longer_so_is_stale(table: Table, people: People) -> None:
    seen = people["cyd"].look(table.name)["version"]
    path = f"/api/tables/{table.name}/commands"
    ask = {"id": f"{table.name} s", "seen": seen, "command": {"do": "take-box", "box": 4}}
    assert people["cyd"].post(path, ask)["outcome"] == "done"
    told = people["bob"].ask(table.name, "tip", seen=seen, box=2, cents=1_00)
    assert told["outcome"] == "stale"
    assert told["sentence"] == f"the table is at version {seen + 1}, not {seen}; look again"
    # The first answer comes before the question whether it is stale.
    assert people["cyd"].post(path, ask)["again"]


def test_views_arrive_and_commands_are_answered_on_one_socket(table: Table, people: People) -> None:
    with (
        people["cyd"].watching(table.name) as socket,
        Client(table.people["ann"].service).watching(table.name) as public,
    ):
        first = json.loads(socket.recv(timeout=20))
        assert json.loads(public.recv(timeout=20))["version"] == first["version"]
        ask = {"id": f"{table.name} w1", "command": {"do": "take-box", "box": 4}}
        socket.send(json.dumps(ask))
        told = [json.loads(socket.recv(timeout=20)) for _ in range(2)]
        seen = json.loads(public.recv(timeout=20))
        public.send(json.dumps(ask))
        assert json.loads(public.recv(timeout=20))["outcome"] == "not admitted"
    answer = next(frame for frame in told if "outcome" in frame)
    shown = next(frame for frame in told if "view" in frame)
    assert (answer["outcome"], answer["id"]) == ("done", f"{table.name} w1")
    assert shown["version"] == seen["version"] > first["version"]
    assert shown["view"]["boxes"][2]["player"] == "cyd"


def test_two_clients_with_one_login(table: Table, people: People) -> None:
    """The second sees what the first did; the same wish twice is done once."""
    with people["cyd"].watching(table.name) as one, people["cyd"].watching(table.name) as two:
        for socket in (one, two):
            socket.recv(timeout=20)
        ask = json.dumps({"id": f"{table.name} both", "command": {"do": "take-box", "box": 5}})
        for socket in (one, two):
            socket.send(ask)
        heard = {}
        for name, socket in (("one", one), ("two", two)):
            frames = [json.loads(socket.recv(timeout=20)) for _ in range(2)]
            heard[name] = next(frame for frame in frames if "outcome" in frame)
            assert any("view" in frame for frame in frames)
    assert heard["one"]["outcome"] == heard["two"]["outcome"] == "done"
    assert sorted(told.get("again", False) for told in heard.values()) == [False, True]


def test_a_box_that_does_not_answer_is_played_by_the_default(tmp_path: Path) -> None:
    with Service(tmp_path, decision_seconds=1).running() as service:
        people = hire(service)
        table = install(people, "slow").opened(("ann",)).dealt()
        with people["ann"].watching("slow") as socket:
            frame = json.loads(socket.recv(timeout=20))
            while frame["view"]["phase"] == "acting":
                # Asking for what is refused gives nobody more time.
                table.ask("ann", "play", box=1, cents=1)
                frame = json.loads(socket.recv(timeout=20))
                while "view" not in frame:
                    frame = json.loads(socket.recv(timeout=20))
        over = table.finished()
        assert over["round"] == 2
        told = people["surveillance"].get("/api/tables/slow/rounds/1")
        decisions = told["boxes"][0]["decisions"]
        assert decisions[0]["action"] == "check"
        assert decisions[0]["defaulted"]
        assert decisions[0]["by"] == "croupier"


def test_everybody_sees_how_long_the_box_that_is_asked_has_left(tmp_path: Path) -> None:
    with Service(tmp_path, decision_seconds=600).running() as service:
        people = hire(service)
        table = install(people, "clock").opened(("ann", "bob"))
        assert "seconds_left" not in people["ann"].look("clock")
        table.dealt()
        began = time.monotonic()
        with people["bob"].watching("clock") as socket:
            first = json.loads(socket.recv(timeout=20))["seconds_left"]
            assert 600 >= first > 600 - 60
            time.sleep(0.3)
            # Nobody's asking in vain gives more time, and who comes late is told what is left.
            table.ask("bob", "check", box=2)
            late = people["surveillance"].look("clock")["seconds_left"]
            assert first - 0.2 >= late >= first - (time.monotonic() - began) - 0.2
            table.done("ann", "check", box=1)
            frame = json.loads(socket.recv(timeout=20))
            assert frame["view"]["turn"] == 2
            assert frame["seconds_left"] > late


def test_it_stops_within_seconds_with_sockets_open(tmp_path: Path) -> None:
    service = Service(tmp_path).start()
    with Client(service).watching("UTH-1") as socket:
        socket.recv(timeout=20)
        assert service.stop() == 0
