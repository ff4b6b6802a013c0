"""``croupier replay``: rounds listed, and told as each viewer saw them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.ledger.shoe.key_ring import create_ring
from tests.audit.nights import LEDGER_ID, the_night
from tests.citing import in_book, in_uth
from tests.cli.ledger_commands import run, sentence


def replay(*arguments: object) -> str:
    ran = run("replay", the_night().file, *arguments, columns=140)
    assert (ran.status, ran.err) == (0, "")
    return ran.out


def plain(text: str) -> str:
    return " ".join(text.split())


def test_the_rounds_are_listed() -> None:
    told = replay("--table", "1")
    assert f"Table 1, ledger {LEDGER_ID}" in told
    rows = [line for line in told.splitlines() if re.match(r" +\d+  2027-01-15", line)]
    assert len(rows) == 9
    assert "jackpot $10,000.40, box 1" in rows[1]
    assert "void: wrong-number-dealt" in rows[3]
    assert "void but for trips" in rows[5]
    assert "in progress" in rows[8]
    document = run("replay", the_night().file, "--table", "1", "--json").document
    assert [row["round"] for row in document["rounds"]] == list(range(1, 10))
    assert document["rounds"][1]["jackpots"][0]["cents"] == 10_000_40
    assert document["rounds"][8]["ended_at"] is None


@pytest.mark.clause(*in_uth("11.K"), *in_book("FCP-14", "11.D(11)(b)"))
@pytest.mark.parametrize("table", ["1", "2"])
def test_a_replay_shows_all_that_a_recall_has_to(table: str) -> None:
    """R16: marked as a replay, with its time, funds, wagers, winnings, choices and jackpots."""
    told = replay("1", "--table", table, "--viewer", "surveillance")
    assert told.startswith("REPLAY ")
    assert "began 2027-01-15 08:0" in told
    header, _, ended = told.partition("How it ended")
    assert re.search(r"2027-01-15 +Ann +Box 1: Ante \$10", header)
    for title in ("Choices", "Before", "Wagered", "Won", "After", "Net"):
        assert title in ended
    assert "$5,000" in ended
    assert "No jackpot was awarded." in ended
    document = run("replay", the_night().file, "1", "--table", table, "--json").document
    assert document["replay"] is True
    assert {event["role"] for event in document["events"]} >= {"dealer", "player"}
    assert all(event["clauses"] and event["at"] and event["line"] for event in document["events"])


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_every_line_has_its_date_time_and_zone(columns: int) -> None:
    """Beside the line, or above it where the screen is narrow; and so do the lines at the top."""
    told = run("replay", the_night().file, "1", "--table", "1", columns=columns).out
    header, _, rest = told.partition("\n\n")
    story = rest.partition("How it ended")[0]
    assert len(re.findall(r"\d\d:\d\d:\d\d", header)) == 4
    assert len(re.findall(r"2027-01-15 \d\d:\d\d:\d\d UTC", header)) == 4
    assert max(map(len, story.splitlines())) <= columns
    days, times = (
        re.findall(form, story, re.MULTILINE)
        for form in (r"^2027-01-15\b", r"(?:^|^2027-01-15 )\d\d:\d\d:\d\d UTC")
    )
    events = re.findall(r"\bUTH-S \d", story)
    assert len(days) == len(times) == len(events) > 30


def test_a_jackpot_is_told() -> None:
    told = replay("2", "--table", "1")
    assert "Jackpot: box 1 won $10,000.40 from the mega meter; paid." in told


def test_each_viewer_is_told_his_own() -> None:
    """Ben folds in the first round, and his cards are never turned."""
    keys = ("--keys", the_night().keys)
    own = plain(replay("1", "--table", "1", "--viewer", "player:Ben", *keys))
    (cards,) = re.findall(r"Box 2, holding (\S\S \S\S), folds", own)
    assert f"box 2 {cards}" in own
    assert f"Never turned, box 2: {cards}" in own
    for viewer in ("public", "dealer", "floorperson", "player:Ann"):
        other = plain(replay("1", "--table", "1", "--viewer", viewer, *keys))
        assert cards not in other
        assert "Box 2 folds" in other
        assert "Never turned, box 2: ▒▒ ▒▒" in other
    watched = plain(replay("1", "--table", "1", "--viewer", "surveillance", *keys))
    assert "Box 2 folds" in watched
    assert f"Never turned, box 2: {cards}" in watched
    assert cards not in replay("1", "--table", "1", "--viewer", "player:Ben")


def test_a_round_in_progress_shows_surveillance_nothing_early() -> None:
    keys = ("--keys", the_night().keys)
    told = replay("9", "--table", "1", "--viewer", "surveillance", *keys)
    assert "still in progress" in told
    assert not re.search(r"[2-9TJQKA][♣♦♥♠]", told)
    own = replay("9", "--table", "1", "--viewer", "player:Ben", *keys)
    assert len(re.findall(r"[2-9TJQKA][♣♦♥♠]", own)) >= 2


def test_chips_of_others_are_not_told() -> None:
    document = run(
        "replay", the_night().file, "1", "--table", "1", "--viewer", "player:Ann", "--json"
    ).document
    funds = {box["player"]: box["chips_before_cents"] for box in document["boxes"]}
    assert funds == {"Ann": 500_000, "Ben": None, "Cleo": None}
    bought = [event for event in document["events"] if event["event"] == "chips-bought"]
    assert [event["data"]["box"] for event in bought] == [1]


@pytest.mark.parametrize(
    ("viewer", "boxes"),
    [("player:Ann", {1}), ("player:Ben", {2}), ("public", set()), ("dealer", {1, 2, 3})],
)
def test_lines_of_others_are_not_told(viewer: str, boxes: set[int]) -> None:
    """What each wager of a box was paid is its player's own affair, as in the frames he gets."""
    at = (the_night().file, "1", "--table", "1", "--viewer", viewer)
    events = run("replay", *at, "--json").document["events"]
    settled = [event["data"]["box"] for event in events if event["event"] == "wager-settled"]
    assert set(settled) == boxes
    lines = re.findall(r"Box (\d): [\w $,]+ (?:win|lose|were given up)", run("replay", *at).out)
    assert {int(box) for box in lines} == boxes


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    night = the_night()
    foreign = tmp_path / "foreign.json"
    create_ring(foreign)
    at_table = (night.file, "1", "--table", "1")
    assert "--table; there are: 1, 2" in sentence(run("replay", night.file))
    assert "has no round 99; it has rounds 1 to 9" in sentence(
        run("replay", night.file, "99", "--table", "1")
    )
    assert "no round 0" in sentence(run("replay", night.file, "0", "--table", "1"))
    assert 'no viewer "boss"' in sentence(run("replay", *at_table, "--viewer", "boss"))
    assert 'no player "Zed"' in sentence(run("replay", *at_table, "--viewer", "player:Zed"))
    assert "are these the keys of this ledger?" in sentence(
        run("replay", *at_table, "--keys", foreign)
    )
    assert "there is no file" in sentence(run("replay", tmp_path / "none.db", "1"))
    assert sentence(run("replay", night.file, "x"))
