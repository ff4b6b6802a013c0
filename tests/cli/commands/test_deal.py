"""``croupier deal``: a whole round told, for every rulebook, way of dealing and mishap."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from croupier.cli import main
from croupier.cli.text.irregularity_script import irregularity_names
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_text
from croupier.table import events as ev
from croupier.table import narration

BOOKS = the_registry().books
WAYS = [(book.id, way.way) for book in BOOKS.values() for way in book.dealing]
MISHAPS = [(book.id, name) for book in BOOKS.values() for name in irregularity_names(book)]
CHAPTERS = [
    "Opening the table",
    "Wagers",
    "The deal",
    "Before the flop",
    "Flop",
    "River",
    "The reveal",
    "Settlement",
    "Clearing the table",
    "How it ended",
]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["deal", *arguments]) == 0
    return capsys.readouterr().out


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(said(capsys, *arguments, "--json"))
    return told


def test_a_round_is_told_chapter_by_chapter(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    told = said(capsys, "--game", "uth", "--seed", "42")
    headings = [line for line in told.splitlines() if line in CHAPTERS]
    assert headings == CHAPTERS
    lines = [
        r"Floorperson +The inspection of the red deck is verified\. +UTH-S 4\.A",
        r"Ben +Box 2: Ante \$20 and Blind \$20\. +UTH-S 7\.A, 7\.F\(1\)",
        r"“No more bets!” .* +UTH-S 10\.A\(1\), 10\.A\(2\)\(a\)",
        r"To the dealer, face down: 4♠ K♥\. +UTH-S 10\.B\(3\)",
        r"Ben +Box 2, holding 9♦ 9♠, makes the Play wager: \$80 \(4x\)\. +UTH-S 11\.B\(1\)",
        r"Turned up on the board: 7♦ J♥ 6♣\. +UTH-S 11\.C\(2\)",
        r"The dealer turns 4♠ K♥ and calls: “two pair, jacks and sixes”\. +UTH-S 11\.G\(1\)",
        r"Ante \$30, Blind \$30 and Play \$30 lose; .* kicker, against .* kicker\. +UTH-S 11\.H",
        r"Play the Board \$5 wins \$15 at 3 to 1; .* +UTH-S 12\.G\(1\)\(h\); ruling 15",
        r"Box 3 loses \$96\. +UTH-S 11\.H\(2\)\(d\)",
        r"round 1 is over; the blue deck is next\. +UTH-S 11\.K",
        r"Box 2 +Ben +\+\$100",
    ]
    at = 0
    for line in lines:
        found = re.compile(line).search(told, at)
        assert found is not None, line
        at = found.start()


def test_the_same_seed_gives_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    first = said(capsys, "--seed", "7", "--seats", "6")
    assert said(capsys, "--seed", "7", "--seats", "6") == first
    assert said(capsys, "--seed", "8", "--seats", "6") != first


def test_without_a_seed_one_is_drawn_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = document(capsys)
    assert document(capsys, "--seed", str(drawn["seed"])) == drawn


def test_a_submission_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = shipped_text("UTH-14")
    own.write_text(text, "utf-8")
    told = document(capsys, "--submission", str(own), "--seed", "4")
    assert told == document(capsys, "--rulebook", "UTH-14", "--seed", "4")
    own.write_text(text.replace('minimum = "$10"', 'minimum = "$25"'), "utf-8")
    told = document(capsys, "--submission", str(own), "--seed", "4")
    stakes = [e["data"]["cents"] for e in told["events"] if e["event"] == "wager-placed"]
    assert min(stakes) < stakes[0] == 25_00
    assert main(["deal", "--submission", str(own), "--rulebook", "UTH-S"]) == 2
    assert "the submission is for UTH-14; leave --rulebook UTH-S out" in capsys.readouterr().err


@pytest.mark.parametrize(("book_id", "way"), WAYS)
def test_every_way_of_dealing_with_any_number_of_boxes(
    book_id: str, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for seats in range(1, BOOKS[book_id].table.boxes.count + 1):
        told = document(
            capsys, "--rulebook", book_id, "--way", way, "--seats", str(seats), "--seed", "11"
        )
        names = [event["event"] for event in told["events"]]
        assert names[0] == "deck-received"
        assert names[-1] == "cards-cleared"
        order = ["deck-received", "box-taken", "wager-placed", "bets-closed", "cards-dealt"]
        order += ["dealer-revealed", "box-settled", "cards-cleared"]
        assert [names.index(name) for name in order] == sorted(names.index(n) for n in order)
        assert names.count("box-taken") == names.count("box-settled") == seats
        for event in told["events"]:
            assert event["clauses"], event
            assert all(clause.startswith(f"{book_id} ") for clause in event["clauses"])
            assert event["text"].endswith("."), event
            assert event["by"], event
        nets = {event["data"]["box"]: event["data"]["net_cents"] for event in told["events"]
                if event["event"] == "box-settled"}  # fmt: skip
        assert told["net_cents"] == {str(box): net for box, net in sorted(nets.items())}


@pytest.mark.parametrize(("book_id", "way"), [(b, w) for b, w in WAYS if w in ("shoe", "hand")])
def test_the_stub_is_counted_when_it_is_due(
    book_id: str, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    counted = []
    for number in range(1, 6):
        told = document(
            capsys, "--rulebook", book_id, "--way", way, "--round", str(number), "--seed", "3"
        )
        assert told["round"] == number
        counted += [number for event in told["events"] if event["event"] == "stub-counted"]
    assert counted == [5]


@pytest.mark.parametrize(("book_id", "name"), MISHAPS)
def test_every_irregularity_can_be_watched(
    book_id: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In some way of dealing; in the others one sentence says that it cannot happen there."""
    watched = 0
    for way in BOOKS[book_id].dealing:
        arguments = ["deal", "--rulebook", book_id, "--way", way.way, "--irregularity", name]
        status = main([*arguments, "--seed", "5"])
        told, sorry = capsys.readouterr()
        assert status in (0, 2)
        assert sorry.count("\n") == (1 if status else 0)
        if status == 0:
            watched += 1
            assert "Clearing the table" in told
            assert "irregularity" in told or "default" in told or "leaves the table" in told
    assert watched


def test_a_void_round_gives_everything_back(capsys: pytest.CaptureFixture[str]) -> None:
    told = document(capsys, "--irregularity", "wrong-number-dealt", "--seed", "5")
    assert set(told["net_cents"].values()) == {0}
    names = [event["event"] for event in told["events"]]
    first = names.index("irregularity-declared")
    assert names[first : first + 3] == [
        "irregularity-declared",
        "irregularity-confirmed",
        "round-voided",
    ]


def test_every_event_has_its_sentence() -> None:
    assert set(narration._SENTENCES) == set(get_args(ev.AnyEvent))


def test_a_terminal_without_suits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.cli.screen.Screen.shows_suits", False)
    told = said(capsys, "--seed", "42")
    assert "holding 9d 9s" in " ".join(told.split())
    assert not set("♣♦♥♠“”") & set(told)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--game", "whist"], 'no game "whist"; choose'),
        (["--rulebook", "UTH-99"], "choose one of UTH-S"),
        (["--game", "four-card", "--rulebook", "UTH-S"], "not a rulebook of four-card"),
        (["--way", "catapult"], 'no way of dealing "catapult"; choose one of shoe, hand'),
        (["--seats", "0"], "1 to 6 boxes"),
        (["--seats", "9"], "1 to 6 boxes"),
        (["--round", "0"], "choose 1 to"),
        (["--irregularity", "rain"], "card-face-up, "),
        (["--irregularity", "cards-face-up-late"], "choose --way shoe or hand"),
        (["--submission", "no-such.toml"], "no such file"),
        (["--seed", "x"], "seed"),
    ],
)
def test_nonsense_is_one_sentence(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deal", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert err.count("\n") == 1
