"""``--vary`` and ``--book`` as their users write them: named in answers, refused in a sentence."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from croupier.cli import main
from croupier.games.registry import the_registry
from croupier.games.variants import book_over

HAND = ("Kd 5c", "--board", "Kh 8s 2d 7c 4h")
COMMANDS = (
    ("solve", "uth"),
    ("advise", "uth", *HAND),
    ("strategy", "uth"),
    ("simulate", "uth", "--rounds", "1"),
    ("exposure", "uth"),
    ("protect", "uth", "--knows", "dealer"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (("--vary", "tie=perhaps"), 'tie cannot be "perhaps"; write lose, push or win'),
        (("--vary", "qualifeir=none"), "did you mean qualifier?"),
        (("--vary", "tie"), '"tie" varies nothing; write it like tie=lose'),
        (("--vary", "tie=lose", "--vary", "tie=win"), '"tie" is varied twice'),
        (("--book", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_what_cannot_be_varied_is_refused(
    command: tuple[str, ...], wrong: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main((*command, *wrong)) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert says in err


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("solve", "three-card", "--vary", "play="), 'streets.sizes is "none"'),
        (("strategy", "texas-holdem-bonus"), "no strategy comes with Texas Hold'em Bonus"),
        (("rules", "XX", "--variants"), 'there is no rulebook "XX"'),
        (("strategy", "three-card", "--vary", "pair_plus.fold=forfeit"), "pair_plus.fold.outcome"),
        *(
            ((*known, "--vary", "pair_plus.needs=win"), "pair_plus.must_win")
            for known in (
                ("protect", "three-card", "--knows", "dealer"),
                ("simulate", "three-card", "--rounds", "9", "--knows", "dealer"),
            )
        ),
    ],
)
def test_what_cannot_be_counted_is_refused_in_one_line(
    command: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert says in err


@pytest.mark.parametrize(
    "command", [("solve", "uth"), ("advise", "uth", *HAND), ("strategy", "uth")]
)
def test_a_limit_that_changes_nothing_is_refused(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main((*command, "--vary", "payout_limit=60000")) == 2
    assert "payout_limit changes nothing" in capsys.readouterr().err


def test_advice_names_the_variant(capsys: pytest.CaptureFixture[str]) -> None:
    varied = ("--vary", "river=1,2", "--vary", "qualifier=none")
    assert main(("advise", "uth", *HAND, *varied)) == 0
    assert "Under UTH-S[qualifier=none; river=2,1]" in capsys.readouterr().out
    assert main(("advise", "uth", *HAND, *varied, "--json")) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["rulebook"] == "UTH-S[qualifier=none; river=2,1]"
    assert set(document["values"]) == {"2x river", "1x", "fold"}


def test_exposure_by_a_book_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "five.toml"
    file.write_text('base = "UTH-S"\n[[streets]]\nname = "before the flop"\nmultiples = [3, 5]\n')
    asked = ("exposure", "uth", "ante=10", "--boxes", "1", "--json")
    assert main(asked) == 0
    printed = json.loads(capsys.readouterr().out)
    assert main((*asked, "--book", str(file))) == 0
    varied = json.loads(capsys.readouterr().out)
    assert (printed["rulebook"], varied["rulebook"]) == ("UTH-S", "UTH-S[five]")
    assert (printed["stakes"]["play"], varied["stakes"]["play"]) == ("$40.00", "$50.00")
    assert main((*asked, "--book", str(file), "--rulebook", "UTH-14")) == 2
    assert "is laid over UTH-S, not over UTH-14" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("over", "place"),
    [
        ('[[streets]]\nname = "rivers"\nmultiples = [2]\n', "line 3: there is no entry of streets"),
        ("[[streets]]\nmultiples = [2]\n", "line 2: each of streets says with name which one"),
        ('[[streets]]\nname = "river"\nmultiples = ["2"]\n', "line 4: Expected `int`, got `str`"),
        ('[[wagers]]\nname = "trips"\nflod = {}\n', "line 4: Object contains unknown field"),
        ('[[wagers]]\nname = "trips"\noptional = "no"\n', "line 4: Expected `bool`, got `str`"),
        ('[paytables.tripz.A]\nlines = ["flush: 7 to 1"]\n', "line 2: UTH-S[mine] has no wager"),
    ],
)
def test_what_is_wrong_in_a_book_of_ones_own_is_told_with_its_line(
    over: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'base = "UTH-S"\n{over}')
    assert main(("exposure", "uth", "ante=10", "--book", str(file))) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"mine.toml, {place}" in err


def test_exposure_refuses_a_book_by_which_no_round_can_be_settled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What only decides how it is best played may be anything: rounds of it are settled all the
    same."""
    file = tmp_path / "mine.toml"
    for over, says in (
        ('[[places]]\nname = "board"\ncards = 6\n', 'places.board.cards is "6" in UTH-S[mine]'),
        ('[[wagers]]\nname = "play"\njudged_by = "final hand"\n', "wagers.play.judged_by is"),
    ):
        file.write_text(f'base = "UTH-S"\n{over}')
        assert main(("exposure", "uth", "ante=10", "--book", str(file))) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert says in err
    settled = ("four-card", "--vary", "qualifier=pair"), ("uth", "--vary", "bad_beat.fold=forfeit")
    for varied in settled:
        assert main(("exposure", *varied, "--boxes", "1")) == 0
    assert "FCP-14[qualifier=pair]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("over", "name"),
    [
        ('[payout_limit]\nleast = "$60,000"\n', "payout_limit"),
        ('[progressive]\nstakes = ["$5"]\n', "progressive"),
        ('[envy_bonus]\nfolded_holder = "never"\n', "envy_bonus"),
    ],
)
def test_a_rule_that_a_reading_explains_can_be_laid_over(over: str, name: str) -> None:
    registry = the_registry()
    book, shipped = book_over(registry, f'base = "UTH-S"\n{over}', "mine"), registry.book("UTH-S")
    varied, printed = getattr(book, name), getattr(shipped, name)
    assert (varied.clause, varied.ruling) == ("varied", printed.ruling)
    assert varied != printed


def test_a_payout_limit_in_a_file_is_the_one_of_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "higher.toml"
    file.write_text('base = "UTH-S"\n[payout_limit]\nleast = "$60,000"\n')
    bounds = []
    for variant in (("--book", str(file)), ("--vary", "payout_limit=60000"), ()):
        assert main(("exposure", "uth", *variant, "--boxes", "2", "--json")) == 0
        bounds.append(json.loads(capsys.readouterr().out)["table_bound"])
    assert bounds[0] == bounds[1] != bounds[2]


def test_rules_lists_what_may_be_varied(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("rules", "UTH-S", "--variants", "--json")) == 0
    listed = json.loads(capsys.readouterr().out)["UTH-S"]
    assert {"qualifier", "preflop", "flop", "river", "tie", "ante.unqualified"} <= set(listed)
    assert {"trips.fold", "trips.needs", "payout_limit"} <= set(listed)
    assert main(("rules", "FCP-14", "--variants", "--json")) == 0
    assert "play" not in json.loads(capsys.readouterr().out)["FCP-14"]  # any amount in between
    assert main(("rules", "--variants")) == 0
    assert "pair_plus.fold" in capsys.readouterr().out
    assert main(("rules", "11.H", "--variants")) == 2


def test_every_line_of_a_spreadsheet_names_the_variant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, varied = tmp_path / "rounds.csv", ("--vary", "tie=lose")
    assert main(("simulate", "three-card", "--rounds", "999", *varied, "--csv", str(file))) == 0
    capsys.readouterr()
    assert main(("solve", "three-card", *varied, "--csv")) == 0
    for text in (file.read_text("utf-8"), capsys.readouterr().out):
        books = {row["rulebook"] for row in csv.DictReader(io.StringIO(text))}
        assert books == {"TCP-1[tie=lose]"}


@pytest.mark.prove
def test_a_variant_is_solved_played_and_simulated_by_its_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    varied = ("--vary", "trips.fold=forfeit", "--vary", "tie=lose")
    name = "UTH-S[tie=lose; trips.fold=forfeit]"
    for command in (("solve", "uth"), ("strategy", "uth"), ("simulate", "uth", "--rounds", "9000")):
        assert main((*command, *varied)) == 0
        assert name in " ".join(capsys.readouterr().out.split())
        assert main((*command, *varied, "--json")) == 0
        assert json.loads(capsys.readouterr().out)["rulebook"] == name
