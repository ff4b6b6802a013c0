"""A slip in a rulebook of one's own: who needs it is told file and line, all others go on."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from croupier import games
from croupier.cli import main
from croupier.games.registry import Registry, games_in, readable_registry
from croupier.rulebook.loader import volumes_in
from croupier.submission.check import shipped_text

SHIPPED = files("croupier.rulebook") / "books"


def house(folder: Path, slips: dict[str, tuple[str, str]]) -> Registry:
    """The shipped books, with one text in some of them written as another."""
    (folder / "books").mkdir(parents=True)
    (folder / "trace").mkdir()
    for path in SHIPPED.iterdir():
        text = path.read_text("utf-8")
        right, wrong = slips.get(path.name, ("", ""))
        assert right in text
        (folder / "books" / path.name).write_text(text.replace(right, wrong, 1), "utf-8")
    return readable_registry(games_in(games.__name__, games.__path__), volumes_in(folder))


TYPO = {"TCP-1.toml": ("40 to 1", "40 too 1")}
LINE = next(
    n
    for n, line in enumerate((SHIPPED / "TCP-1.toml").read_text("utf-8").splitlines(), 1)
    if "40 to 1" in line
)


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    return house(tmp_path_factory.mktemp("typo"), TYPO)


@pytest.mark.parametrize(
    "words",
    [
        "solve three-card",
        "solve three-card --rulebook TCP-1",
        "deal --game three-card",
        "deal --rulebook TCP-1",
        "strategy three-card",
        "exposure three-card",
        "advise three-card KdKc2s",
        "simulate three-card --rounds 10",
        "check --new TCP-1",
        "rules TCP-1",
        "print --shipped --out nowhere",
    ],
)
def test_what_needs_the_book_names_its_file_and_line(
    words: str, registry: Registry, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split(), registry) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"croupier: rulebook TCP-1.toml, line {LINE}: ")
    assert "40 too 1" in err


@pytest.mark.parametrize(
    "words",
    [
        "solve four-card",
        "deal --seed 1",
        "exposure four-card ante=50",
        "advise uth KdKc",
        "check --new UTH-S",
        "rules UTH-S",
        "settle --example",
    ],
)
def test_every_other_command_goes_on(
    words: str, registry: Registry, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split(), registry) == 0
    assert "TCP-1" not in capsys.readouterr().err


def test_the_list_of_books_and_a_check_say_what_is_wrong(
    registry: Registry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules"], registry) == 0
    assert f"Not read: rulebook TCP-1.toml, line {LINE}: " in capsys.readouterr().out
    filed = tmp_path / "table.toml"
    filed.write_text(shipped_text("TCP-1"), "utf-8")
    assert main(["check", str(filed)], registry) == 1
    assert f"rulebook TCP-1.toml, line {LINE}: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("slip", "word"),
    [
        (('game = "three-card"', 'game = "three-cards"'), "three-cards"),
        (('judged_by = "three cards"', 'judged_by = "tea leaves"'), "tea leaves"),
        (('hand = "queen high"', 'hand = "joker high"'), "joker high"),
    ],
)
def test_what_its_game_does_not_know_is_told_with_the_line(
    slip: tuple[str, str], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    registry = house(tmp_path / "house", {"TCP-1.toml": slip})
    text = (tmp_path / "house" / "books" / "TCP-1.toml").read_text("utf-8")
    line = next(n for n, each in enumerate(text.splitlines(), 1) if word in each)
    assert main(["solve", "three-card"], registry) == 2
    assert f"rulebook TCP-1.toml, line {line}: " in capsys.readouterr().err
    assert main(["solve", "four-card"], registry) == 0


def test_an_older_book_does_not_take_the_place_of_one_with_a_slip(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    registry = house(tmp_path / "house", {"UTH-S.toml": ("[table]", "[table")})
    for words in ("solve uth", "deal", "exposure uth"):
        assert main(words.split(), registry) == 2
        assert "rulebook UTH-S.toml" in capsys.readouterr().err
    assert main(["deal", "--rulebook", "UTH-14"], registry) == 0


def test_a_book_that_comes_later_on_the_shelf_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    registry = house(tmp_path / "house", {"UTH-14.toml": ("[table]", "[table")})
    assert main(["deal", "--game", "uth"], registry) == 0
    assert main(["exposure", "uth", "--rulebook", "UTH-14"], registry) == 2
    assert "rulebook UTH-14.toml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "text", "line", "word"),
    [
        ("--book", 'base = "UTH-S"\n\n[contest]\ndealer_nedds = "none"', 4, "dealer_nedds"),
        ("--book", 'base = "UTH-S"\n[contest]\ntie = { outcome = "tea" }', 3, "tea"),
        ("--paytable", 'lines = [\n  { for = "flush", pays = "6 too 1" },\n]', 2, "6 too 1"),
        ("--paytable", 'lines = [\n  { four = "flush", pays = "6 to 1" },\n]', 2, "four"),
        ("--paytable", 'lines = [\n  { for = "flash", pays = "6 to 1" },\n]', 2, "flash"),
    ],
)
def test_a_slip_in_a_file_of_options_is_told_with_its_line(
    option: str,
    text: str,
    line: int,
    word: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, "utf-8")
    value = f"trips={file}" if option == "--paytable" else str(file)
    assert main(["solve", "uth", option, value]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"croupier: {file}, line {line}: ")
    assert word in err
