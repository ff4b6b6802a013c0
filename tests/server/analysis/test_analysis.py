"""Analyses run apart from the tables, for analysts; a live round never shows odds or advice."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

import msgspec
import pytest

from croupier.exact.base_game import LimitedAnte
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.money import Cents
from croupier.games.registry import the_registry
from croupier.rulebook.book import Rulebook
from croupier.rulebook.loader import read_paytable
from croupier.server.analysis.designs import (
    NewAnalysis,
    WrittenLine,
    limited_of,
    looked_over,
    rules_of,
)
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission
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


def saved(client: Client, path: str) -> bytes:
    """A file as a browser saves it, byte for byte."""
    url, who = client.service.url + path, {"Authorization": f"Bearer {client.token}"}
    with urlopen(Request(url, headers=who), timeout=60) as answer:
        assert answer.headers["content-disposition"].startswith("attachment")
        return bytes(answer.read())


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


ACES_UP = [
    *({"for": "four of a kind", "pays": "50 to 1"}, {"for": "straight flush", "pays": "40 to 1"}),
    *({"for": "three of a kind", "pays": "9 to 1"}, {"for": "flush", "pays": "6 to 1"}),
    *({"for": "straight", "pays": "4 to 1"}, {"for": "two pair", "pays": "2 to 1"}),
    {"for": "pair of aces", "pays": "1 to 1"},
]
TOML = """\
lines = [
  { for = "four of a kind", pays = "50 to 1" },
  { for = "straight flush", pays = "40 to 1" },
  { for = "three of a kind", pays = "9 to 1" },
  { for = "flush", pays = "6 to 1" },
  { for = "straight", pays = "4 to 1" },
  { for = "two pair", pays = "2 to 1" },
  { for = "pair of aces", pays = "1 to 1" },
]
"""


def _wherever_from(printed: bytes) -> bytes:
    """The first who asks has it counted now, the second as it was kept."""
    return re.sub(rb'"provenance": "(counted now|kept, [^"]+)"', b"", printed)


def test_lines_of_ones_own_are_counted_as_the_command_counts_them(
    people: dict[str, Client], tmp_path: Path
) -> None:
    analyst = people["manager"]
    asked = {"rulebook": "FCP-14", "paytables": {"aces_up": "B"}, "lines": {"aces_up": ACES_UP}}
    design = analyst.send("POST", "/api/analysis/check", asked)[1]
    assert design == {"faults": [], "files": {"aces_up": {"B edited.toml": TOML}}}
    begun = analyst.post("/api/analysis", asked)
    found = waited(analyst, begun["id"], "done", "failed")
    assert found["standing"] == "done", found
    assert found["result"]["paytables"] == {"aces_up": "B edited"}
    own = tmp_path / "B edited.toml"
    own.write_text(TOML, encoding="utf-8")
    for form in ("json", "csv"):
        command = ["solve", "four-card", "--paytable", f"aces_up={own}", f"--{form}"]
        printed = subprocess.run(
            [sys.executable, "-m", "croupier", *command], capture_output=True, check=True
        )
        found = saved(analyst, f"/api/analysis/{begun['id']}/{form}")
        assert _wherever_from(found) == _wherever_from(printed.stdout)
    assert people["ann"].send("GET", f"/api/analysis/{begun['id']}/csv")[0] == 403
    assert analyst.send("GET", "/api/analysis/none/json")[0] == 404


@pytest.mark.parametrize(
    ("wager", "line", "wrong", "said"),
    [
        ("trips", 2, {"for": "flush", "pays": "7 too 1"}, '"7 too 1" is not odds'),
        ("trips", 2, {"for": "flash", "pays": "7 to 1"}, 'nothing is known as "flash"'),
        ("trips", 2, {"for": "flush", "pays": "10% of meter"}, "names other meters"),
        ("blind", 2, {"for": "flush", "pays": "$100"}, "paid by odds, not by a sum"),
        ("trips", None, {"for": "straight", "pays": "7 to 1"}, '"straight" stands in it twice'),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    wager: str, line: int | None, wrong: dict[str, str], said: str
) -> None:
    lines = [{"for": "straight", "pays": "4 to 1"}, wrong]
    asked = msgspec.convert({"rulebook": "UTH-S", "lines": {wager: lines}}, NewAnalysis)
    design = looked_over(asked, the_registry())
    assert not design.files
    (fault,) = design.faults
    assert (fault.wager, fault.line) == (wager, line)
    assert said in fault.sentence
    with pytest.raises(Unreadable, match="line 2" if line else "Trips: "):
        rules_of(asked, the_registry())


@pytest.mark.parametrize(
    ("amounts", "said"),
    [
        ({"stakes_cents": {"ante": 5_00}}, 'UTH-S has no side wager "ante"'),
        ({"meters_cents": {"main street": 0}}, 'UTH-S has no meter "main street"'),
    ],
)
def test_an_amount_is_for_something_that_the_book_has(
    amounts: dict[str, dict[str, int]], said: str
) -> None:
    asked = msgspec.convert({"rulebook": "UTH-S", **amounts}, NewAnalysis)
    with pytest.raises(Unreadable, match=said):
        rules_of(asked, the_registry())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"rulebook": "UTH-S", "ante_cents": 502_00}, "in steps of"),
        ({"rulebook": "FCP-14", "ante_cents": 10_00}, "FCP-14 has no payout limit"),
        (
            {"rulebook": "UTH-S", "ante_cents": 10_00, "stakes_cents": {"trips": 5_00}},
            "which paytable pays Trips is not said",
        ),
    ],
)
def test_an_ante_is_one_of_the_table(asked: dict[str, Any], said: str) -> None:
    design = msgspec.convert(asked, NewAnalysis)
    with pytest.raises((Unreadable, Refusal), match=said):
        limited_of(design, rules_of(design, the_registry()), the_registry())


def test_an_ante_is_under_the_limit_of_its_submission() -> None:
    said = replace(shipped_submission("UTH-S"), payout_limit_cents=Cents(75_000_00))
    text = write_submission(said)
    trips = {"trips": Cents(100_00)}
    design = NewAnalysis(submission=text, ante_cents=Cents(500_00), stakes_cents=trips)
    limited = limited_of(design, rules_of(design, the_registry()), the_registry())
    assert limited == LimitedAnte(Cents(500_00), Cents(75_000_00), (("trips", Cents(100_00)),))
    without = NewAnalysis("UTH-S")
    assert limited_of(without, rules_of(without, the_registry()), the_registry()) is None


def test_a_paytable_needs_a_line_and_its_wager() -> None:
    empty = NewAnalysis("UTH-S", lines={"trips": ()})
    assert "at least one line" in looked_over(empty, the_registry()).faults[0].sentence
    with pytest.raises(Unreadable, match='no paytable of "ante"'):
        looked_over(NewAnalysis("UTH-S", lines={"ante": ()}), the_registry())


@pytest.mark.parametrize("book", the_registry().books.values(), ids=lambda book: book.id)
def test_every_paytable_of_the_house_can_be_written_over(book: Rulebook) -> None:
    """As it is printed it is a design without a fault, and as a file it is the same paytable."""
    for wager in book.wagers:
        for letter, table in book.paytables.get(wager.name, {}).items():
            lines = tuple(WrittenLine(line.phrase, str(line.odds)) for line in table.lines)
            asked = NewAnalysis(book.id, {wager.name: letter}, {wager.name: lines})
            design = looked_over(asked, the_registry())
            assert design.faults == ()
            (text,) = design.files[wager.name].values()
            read = read_paytable(text, "own.toml")
            assert [(line.phrase, line.odds) for line in read.lines] == [
                (line.phrase, line.odds) for line in table.lines
            ]
            assert [(m.name, m.least) for m in read.meters] == [
                (m.name, m.least) for m in table.meters
            ]
            bound = rules_of(asked, the_registry())
            assert dict(bound.letters)[wager.name] == f"{letter} edited"


def test_a_count_tells_how_far_it_is() -> None:
    """In steps that begin at once and then come no more often than somebody could read."""
    lines = [{"for": "flush", "pays": "9 to 1"}]
    asked = {"rulebook": "TCP-1", "lines": {"ante_bonus": lines}}
    heard = subprocess.run(
        [sys.executable, "-m", "croupier.server.analysis.worker"],
        input=json.dumps(asked).encode(),
        capture_output=True,
        check=True,
    ).stdout.splitlines()
    first, *_, last = (json.loads(line) for line in heard)
    assert first == {"doing": "getting ready"}
    assert json.loads(last["json"])["paytables"] == {"ante_bonus": "A edited"}
    assert last["csv"].startswith("wager,paytable,")


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
        {"rulebook": "UTH-S", "lines": {"trips": [{"for": "flush", "pays": str(secret)}]}},
        {"rulebook": "UTH-S", "lines": {"trips": []}},
        {"lines": {"trips": []}, "submission": "x"},
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
        own = {"trips": [{"for": "flush", "pays": "9 to 1"}]}  # what is shipped takes no time
        asked = {"rulebook": "UTH-S", "paytables": {"trips": "C"}, "lines": own}
        ids = [analyst.post("/api/analysis", asked).get("id") for _ in range(11)]
        assert ids[-1] is None
        for analysis in ids[1:10]:
            assert analyst.delete(f"/api/analysis/{analysis}")["standing"] == "canceled"
        known = waited(analyst, ids[0], "done", "failed")
        assert known["standing"] == "done" or known["sentence"] == "it took longer than 1 seconds"


def test_a_link_is_kept_on_the_way_through_the_login(people: dict[str, Client]) -> None:
    asked = "/analysis?a=UTH-S&a.blind=B&a.blind.line=flush%3A+2+to+1"
    stranger = Client(people["ann"].service)
    assert stranger.send("GET", asked)[0] in (302, 307)
    assert stranger.headers["location"] == f"/login?to={quote(asked)}"
    assert people["ann"].send("GET", asked)[0] == 403
    status, page = people["auditor"].send("GET", asked)
    assert status == 200
    for book in the_registry().books:
        assert f'"{book}":' in page


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


def test_a_design_may_say_rules_otherwise() -> None:
    """As ``croupier solve --vary`` takes them, and refused as there."""
    house = the_registry()
    varied = rules_of(NewAnalysis("UTH-S", vary={"tie": "lose", "river": "none"}), house)
    assert varied.book.id == "UTH-S[river=none; tie=lose]"
    limit = NewAnalysis("UTH-S", vary={"payout_limit": "60000"}, ante_cents=Cents(500_00))
    limited = limited_of(limit, rules_of(limit, house), house)
    assert limited is not None
    assert limited.limit_cents == 60_000_00
    for vary, says in (
        ({"tie": "never"}, "tie cannot be"),
        ({"ties": "lose"}, "did you mean tie"),
        ({"payout_limit": "60000"}, "without an Ante"),
    ):
        with pytest.raises(Unreadable, match=says):
            rules_of(NewAnalysis("UTH-S", vary=vary), house)
