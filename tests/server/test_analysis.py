"""Analyses run apart from the tables, for analysts; a live round never shows odds or advice."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from croupier.submission.check import shipped_submission
from croupier.submission.written import write_submission
from tests.server.service import Client, Service
from tests.server.staff import Table, hire

ADVICE = {
    "advice", "best", "coach", "edge", "ev", "ev_exact", "expected", "hint", "house_edge",
    "probability", "strategy", "value", "worth", "worths",
}  # fmt: skip


def waited(client: Client, analysis: str, *standings: str) -> Any:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        known = client.get(f"/api/analysis/{analysis}")
        if known["standing"] in standings:
            return known
        time.sleep(0.1)
    raise AssertionError(known)


def test_an_analysis_runs_in_a_process_of_its_own(people: dict[str, Client]) -> None:
    analyst = people["manager"]
    begun = analyst.post("/api/analysis", {"rulebook": "FCP-14"})
    assert begun["standing"] == "waiting"
    found = waited(analyst, begun["id"], "done", "failed")
    assert found["standing"] == "done", found
    assert found["result"]["ev_exact"].startswith("-")
    assert found["result"]["side_wagers"]
    assert [a["id"] for a in people["auditor"].get("/api/analysis")] == [begun["id"]]
    process = people["ann"].service.process
    assert process is not None
    loaded = Path(f"/proc/{process.pid}/maps").read_text()
    assert "msgspec" in loaded
    assert "llvmlite" not in loaded


def test_a_submission_is_analyzed_as_it_is_filed(people: dict[str, Client]) -> None:
    text = write_submission(shipped_submission("FCP-14"))
    begun = people["auditor"].post("/api/analysis", {"submission": text})
    found = waited(people["auditor"], begun["id"], "done", "failed")
    assert found["standing"] == "done", found


def test_who_may_ask_and_for_what(people: dict[str, Client], tmp_path: Path) -> None:
    for who in ("ann", "dealer", "floorperson", "surveillance", "admin"):
        assert people[who].send("POST", "/api/analysis", {"rulebook": "UTH-S"})[0] == 403
        assert people[who].send("GET", "/api/analysis")[0] == 403
    secret = tmp_path / "secret.toml"
    secret.write_text("x = 1")
    for wrong in (
        {},
        {"rulebook": "UTH-99"},
        {"rulebook": "--help"},
        {"rulebook": "UTH-S", "paytables": {"blind": str(secret)}},
        {"rulebook": "UTH-S", "paytables": {"--no-cache": "A"}},
        {"rulebook": "UTH-S", "submission": "x"},
        {"rulebook": "UTH-S", "cards": "As Ks"},
    ):
        status, told = people["auditor"].send("POST", "/api/analysis", wrong)
        assert (status, told["outcome"]) == (400, "unreadable"), wrong
    assert people["auditor"].send("GET", "/api/analysis/none")[0] == 404
    begun = people["auditor"].post("/api/analysis", {"submission": "nothing"})
    found = waited(people["auditor"], begun["id"], "failed")
    assert found["sentence"].startswith("the submission cannot be used")


def test_it_waits_in_a_line_that_ends_is_canceled_and_does_not_take_forever(
    tmp_path: Path,
) -> None:
    with Service(tmp_path, analysis_seconds=1).running() as service:
        people = hire(service)
        analyst = people["manager"]
        ids = [analyst.post("/api/analysis", {"rulebook": "UTH-S"}).get("id") for _ in range(11)]
        assert ids[-1] is None
        for analysis in ids[1:10]:
            assert analyst.delete(f"/api/analysis/{analysis}")["standing"] == "canceled"
        known = waited(analyst, ids[0], "done", "failed")
        assert known["standing"] == "done" or known["sentence"] == "it took longer than 1 seconds"


def keys_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {*value, *(key for each in value.values() for key in keys_in(each))}
    return {key for each in value for key in keys_in(each)} if isinstance(value, list) else set()


def test_a_live_round_never_shows_odds_or_advice(table: Table, people: dict[str, Client]) -> None:
    """In every frame of a round, and in everything that the API could say of a table."""
    watching = {who: people[who].watching(table.name) for who in ("ann", "dealer", "floorperson")}
    frames: list[dict[str, Any]] = []
    with watching["ann"] as ann, watching["dealer"] as dealer, watching["floorperson"] as floor:
        table.dealt().finished()
        last = table.people["dealer"].look(table.name)["version"]
        for socket in (ann, dealer, floor):
            while not frames or frames[-1].get("version") != last:
                frames.append(json.loads(socket.recv(timeout=20)))
            frames.append({})
    assert len(frames) > 10
    assert not keys_in(frames) & ADVICE
    replay = people["ann"].get(f"/api/tables/{table.name}/rounds/1")
    assert not keys_in(replay) & ADVICE
    schema = people["ann"].get("/api/schema/openapi.json")
    shapes = schema["components"]["schemas"]
    told = {name: set(shape.get("properties", {})) for name, shape in shapes.items()}
    assert {name for name, fields in told.items() if fields & ADVICE} == set()
    assert [path for path in schema["paths"] if "analysis" in path and "table" in path] == []
