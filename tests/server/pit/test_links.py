"""Progressive links across tables: one set of meters, moved by one table at a time, seen by all."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection

from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission
from tests.server.service import Client, Service
from tests.server.staff import Table, confirm, hire, install, run_link

Staff = dict[str, Client]
GROWTH = {"mega": 100_000, "major": 50_000, "minor": 30_000}  # 10, 5 and 3 percent of $1, in micros


def meters_of(people: Staff, link: str) -> dict[str, int]:
    shown = next(each for each in people["ann"].get("/api/links") if each["name"] == link)
    meters: dict[str, int] = shown["meters"]
    return meters


def next_meters(socket: ClientConnection) -> dict[str, int]:
    while True:
        frame: dict[str, Any] = json.loads(socket.recv(timeout=30))
        if "meters" in frame:
            meters: dict[str, int] = frame["meters"]
            return meters


def test_one_table_grows_the_meters_and_the_other_shows_it(people: Staff) -> None:
    one = install(people, "L1", link="harbor").opened()
    install(people, "L2", link="harbor").opened()
    before = meters_of(people, "harbor")
    with people["bob"].watching("L2") as socket:
        assert json.loads(socket.recv(timeout=20))["view"]["meters"] == before
        one.wagered(progressive=1_00)
        one.done("dealer", "no-more-bets")
        after = {name: micros + 2 * GROWTH[name] for name, micros in before.items()}
        assert next_meters(socket) == after
    assert people["bob"].look("L2")["view"]["meters"] == after == meters_of(people, "harbor")
    told = one.ask("ann", "place-wagers", box=1, stakes={"progressive": 1_00})
    assert told["outcome"] == "refused"
    assert "no more bets" in told["sentence"]
    one.finished()


def test_no_contribution_is_lost_when_many_tables_close_at_once(people: Staff) -> None:
    tables = [install(people, f"M{n}", link="mole").opened(("ann",)) for n in range(6)]
    before = meters_of(people, "mole")
    dealers = [people["dealer"].service.log_in("dealer") for _ in tables]
    for table in tables:
        table.wagered(progressive=1_00)
    with ThreadPoolExecutor(len(tables)) as pool:
        told = pool.map(
            lambda pair: pair[0].ask(pair[1].name, "no-more-bets"),
            zip(dealers, tables, strict=True),
        )
        assert [each["outcome"] for each in told] == ["done"] * len(tables)
    after = meters_of(people, "mole")
    assert after == {name: micros + 6 * GROWTH[name] for name, micros in before.items()}


def test_a_link_that_is_closed_takes_no_wager_and_comes_back_as_it_was(tmp_path: Path) -> None:
    with Service(tmp_path).running() as service:
        people = hire(service)
        table = install(people, "C1", link="cove").opened(("ann",))
        closed = {"open": False, "reason": "the sign is dark"}
        for who in ("ann", "dealer", "floorperson", "admin"):
            assert people[who].send("PUT", "/api/links/cove", closed)[0] == 403
        assert people["manager"].put("/api/links/cove", {"open": False})["sentence"] == (
            "say why the link is closed"
        )
        status, waits = people["manager"].send("PUT", "/api/links/cove", closed)
        assert (status, waits) == (
            202,
            {"act": "link", "name": "cove", "what": "closed: the sign is dark", "by": "manager"},
        )
        assert people["admin"].get("/api/waiting") == [waits]
        assert people["dealer"].send("GET", "/api/waiting")[0] == 403
        again = people["manager"].send("POST", "/api/waiting/link/cove", {"upheld": True})
        assert (again[0], again[1]["sentence"]) == (
            403,
            "manager began it; a second person confirms it",
        )
        table.wagered(progressive=1_00)
        confirm(people, waits)
        # What was accepted before is in the round.
        table.done("dealer", "no-more-bets")
        table.finished()
        before = meters_of(people, "cove")
        told = table.ask("ann", "place-wagers", box=1, stakes={"ante": 10_00, "progressive": 1_00})
        assert (told["outcome"], told["sentence"], told["clause"]) == (
            "refused",
            "Box 1, Progressive: it is not available, its link does not run (the sign is dark)",
            "UTH-S 7.F(3)",
        )
        table.wagered()
        service.stop()
        service.start()
        people = {name: service.log_in(client.name) for name, client in people.items()}
        shown = next(each for each in people["ann"].get("/api/links") if each["name"] == "cove")
        assert shown["closed"] == "the sign is dark"
        assert shown["tables"] == ["C1"]
        table = Table(people, "C1", "uth")
        assert (
            table.ask("ann", "place-wagers", box=1, stakes={"progressive": 1_00})["outcome"]
            == "refused"
        )
        run_link(people, "cove", open=True)
        assert meters_of(people, "cove") == before
        table.done("ann", "place-wagers", box=1, stakes={"progressive": 1_00})
        assert people["manager"].send("PUT", "/api/links/none", {"open": True})[0] == 404


def test_a_link_has_one_set_of_terms_and_they_stay(people: Staff) -> None:
    install(people, "P1", link="pier")
    text = write_submission(shipped_submission("UTH-S"))
    other = text.replace('rate = "10%"', 'rate = "9%"')
    assert other != text
    told = people["manager"].post(
        "/api/tables", {"submission": other, "name": "P2", "link": "pier"}
    )
    assert (
        told["sentence"] == "link pier runs with other meters, resets or rates than this submission"
    )


def test_practice_never_moves_a_real_meter(people: Staff) -> None:
    install(people, "R1", link="real")
    text = write_submission(shipped_submission("UTH-S")).replace("electronic = true\n", "")
    told = people["manager"].post("/api/tables", {"submission": text, "name": "R2", "link": "real"})
    assert told["sentence"] == "link real is real; a practice table needs its own"
    own = people["manager"].post("/api/tables", {"submission": text, "name": "R2", "link": "play"})
    assert own["practice"]
    real = write_submission(shipped_submission("UTH-S"))
    told = people["manager"].post("/api/tables", {"submission": real, "name": "R3", "link": "play"})
    assert told["sentence"] == "link play is for practice; a real table needs its own"
    for who in ("ann", "dealer", "floorperson", "surveillance", "auditor"):
        new = {"submission": real, "name": "R4"}
        assert people[who].send("POST", "/api/tables", new)[0] == 403
