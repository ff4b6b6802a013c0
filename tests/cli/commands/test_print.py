"""``croupier print`` as a table games manager runs it."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from croupier.cli import main
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_text
from tests.submission.forms import edited

FILES = {
    "layout": ["layout.svg", "layout.pdf"],
    "signs": ["signs.pdf"],
    "submission": ["submission.pdf", "submission.toml", "rules.json"],
    "mathematics": ["mathematics.pdf", "mathematics.html"],
    "dealer-card": ["dealer-card.pdf"],
    "player-guide": ["player-guide.pdf"],
}
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082"
)


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    capsys.readouterr()
    status = main(["print", *(str(argument) for argument in arguments)])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table-12.toml"
    path.write_text(shipped_text("UTH-14"), "utf-8")
    return path


def checked_set(tmp_path: Path, out: str) -> list[str]:
    """What was told of each table is what lies in its folder; the rulebooks, in order."""
    told = json.loads(out)["tables"]
    for table in told:
        folder = Path(table["folder"])
        assert sorted(path.name for path in folder.iterdir()) == sorted(table["files"])
        assert (table["version"], table["approved"]) == ("1", None)
        for name, said in table["files"].items():
            content = (folder / name).read_bytes()
            assert hashlib.sha256(content).hexdigest() == said["sha256"]
            assert len(content) == said["bytes"]
    return [table["rulebook"] for table in told]


def test_a_whole_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = ran(capsys, "--rulebook", "FCP-14", "--out", tmp_path, "--json")
    assert (status, checked_set(tmp_path, out)) == (0, ["FCP-14"])
    (table,) = json.loads(out)["tables"]
    assert list(table["files"]) == [name for names in FILES.values() for name in names]
    assert table["rules_hash"] == table["files"]["rules.json"]["sha256"]
    assert table["submission_hash"] == table["files"]["submission.toml"]["sha256"]
    assert [found["severity"] for found in table["findings"]] == ["warning"]


@pytest.mark.prove
def test_the_commands_of_the_report_give_its_figures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only = "submission,mathematics"
    assert ran(capsys, "--rulebook", "FCP-14", "--out", tmp_path, "--only", only)[0] == 0
    report = (tmp_path / "mathematics.html").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    told = {}
    for command in re.findall(r"<code>croupier (.*?)</code>", report):
        assert main(command.replace("--no-cache", "").split()) == 0
        told[command.split()[0]] = json.loads(capsys.readouterr().out)
    assert f"{told['solve']['deals']:,}" in report
    assert told["solve"]["ev_exact"] in report
    assert f"{100 * told['solve']['element_of_risk']:.4f}%" in report
    assert f"{100 * told['strategy']['house_edge']:.4f}%" in report
    assert f"{100 * told['strategy']['cost']:.4f}%" in report
    assert told["exposure"]["table_bound"].removesuffix(".00") in report
    assert told["exposure"]["table_witness"].removesuffix(".00") in report


def test_all_shipped_tables_by_one_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    only = "layout,dealer-card"
    status, out, _ = ran(capsys, "--shipped", "--out", tmp_path, "--only", only, "--json")
    assert (status, checked_set(tmp_path, out)) == (0, list(the_registry().books))
    assert {path.name for path in tmp_path.iterdir()} == {*the_registry().books}


@pytest.mark.prove
def test_all_shipped_sets_are_the_same_each_time(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first, second = (
        ran(capsys, "--shipped", "--out", tmp_path / name, "--json")[1] for name in ("one", "two")
    )
    assert checked_set(tmp_path, first) == list(the_registry().books)
    one, two = (json.loads(told)["tables"] for told in (first, second))
    assert [table["files"] for table in one] == [table["files"] for table in two]


@pytest.mark.parametrize("only", ["layout", "player-guide,dealer-card"])
def test_only_what_is_asked_for_and_the_same_each_time(
    only: str, capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    folders = [tmp_path / "deep" / "one", tmp_path / "two"]
    for folder in folders:
        status, out, err = ran(capsys, file, "--out", folder, "--only", only)
        assert (status, err) == (0, "")
    names = [name for part in only.split(",") for name in FILES[part]]
    assert [line.split("/")[-1] for line in out.splitlines()] == names
    one, two = ({path.name: path.read_bytes() for path in f.iterdir()} for f in folders)
    same = one == two
    assert (same, sorted(one)) == (True, sorted(names))


def test_what_was_there_is_replaced_whole(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    (tmp_path / "dealer-card.pdf").write_text("an old one", "utf-8")
    (tmp_path / "mine.txt").write_text("stays", "utf-8")
    assert ran(capsys, file, "--out", tmp_path, "--only", "dealer-card")[0] == 0
    assert (tmp_path / "dealer-card.pdf").read_bytes().startswith(b"%PDF")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("dealer-card.pdf", "mine.txt", "table-12.toml"),
    ]


def test_several_tables_get_a_folder_each(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "table-13.toml"
    other.write_text(shipped_text("FCP-14"), "utf-8")
    out = tmp_path / "out"
    assert ran(capsys, file, other, "--out", out, "--only", "player-guide")[0] == 0
    assert (out / "table-12" / "player-guide.pdf").exists()
    assert (out / "table-13" / "player-guide.pdf").exists()


def test_errors_are_told_and_nothing_is_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(edited("UTH-S", table__boxes="9"), "utf-8")
    status, out, _ = ran(capsys, wrong, "--out", tmp_path / "out")
    assert status == 1
    assert "table.boxes is 9; a table of UTH-S has at most 6 - UTH-S 2.A" in out
    assert not (tmp_path / "out").exists()


def test_a_comparison_with_the_version_before(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    old = tmp_path / "old.toml"
    old.write_text(edited("UTH-14", paytables__trips='"B"', version='"0"'), "utf-8")
    arguments = (file, "--out", tmp_path / "out", "--only", "submission")
    assert ran(capsys, *arguments)[0] == 0
    before = (tmp_path / "out" / "submission.pdf").stat().st_size
    assert ran(capsys, *arguments, "--against", old)[0] == 0
    assert (tmp_path / "out" / "submission.pdf").stat().st_size > before


def test_a_logo_beside_the_submission(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    (tmp_path / "logo.png").write_bytes(PNG)
    file.write_text(edited("UTH-14", facility__logo='"logo.png"'), "utf-8")
    assert ran(capsys, file, "--out", tmp_path / "out", "--only", "layout")[0] == 0
    assert b"data:image/png;base64," in (tmp_path / "out" / "layout.svg").read_bytes()


def odd(tmp_path: Path, what: str) -> tuple[list[object], str]:
    """Something that cannot be printed, and what the sentence says of it."""
    file, out = tmp_path / "table-12.toml", tmp_path / "out"
    in_the_way = tmp_path / "file"
    in_the_way.write_text("", "utf-8")
    signs, other = tmp_path / "signs.toml", tmp_path / "other.toml"
    signs.write_text(edited("UTH-14", facility__name='"\u6e2f Casino"'), "utf-8")
    other.write_text(shipped_text("UTH-S"), "utf-8")
    if what == "logo":
        (tmp_path / "no.png").write_text("no image", "utf-8")
        file.write_text(edited("UTH-14", facility__logo='"no.png"'), "utf-8")
    return {
        "logo": ([file, "--out", out], "is no picture"),
        "a file for a folder": ([file, "--out", in_the_way], "is no folder"),
        "below a file": ([file, "--out", in_the_way / "x"], "is no folder"),
        "a name that is none": ([file, "--out", "a\0b"], "nothing can be written into"),
        "no such file": ([tmp_path / "none.toml", "--out", out], "there is no such file"),
        "no such document": ([file, "--out", out, "--only", "menu"], "no document"),
        "nothing named": (["--out", out], "name a submission"),
        "twice": ([file, file, "--out", out], "would share the folder"),
        "letters no font has": ([signs, "--out", out], "facility.name has letters"),
        "against another rulebook": (
            [file, "--out", out, "--against", other],
            "versions are compared under the same rulebook",
        ),
        "against two": (
            [file, "--rulebook", "UTH-S", "--out", out, "--against", file],
            "--against compares one submission",
        ),
        "no such book": (["--rulebook", "X", "--out", out], "there is no rulebook"),
    }[what]  # fmt: skip


@pytest.mark.parametrize(
    "what",
    [
        *("logo", "a file for a folder", "below a file", "a name that is none", "no such file"),
        *("no such document", "nothing named", "twice", "against two", "no such book"),
        *("letters no font has", "against another rulebook"),
    ],
)
def test_odd_inputs_get_one_sentence(
    what: str, capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    arguments, sentence = odd(tmp_path, what)
    if "--only" not in arguments:
        arguments = [*arguments, "--only", "layout"]
    status, out, err = ran(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sentence in err


def test_a_name_of_sixty_letters_is_printed(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    name = f'"{"Wonderful " * 6}"'.replace(' "', '"')
    file.write_text(edited("UTH-14", facility__name=name, facility__operator=name), "utf-8")
    only = "layout,dealer-card"
    assert ran(capsys, file, "--out", tmp_path / "out", "--only", only)[0] == 0
