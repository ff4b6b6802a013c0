"""What two people did beside the tables, held against who began it and who confirmed it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.audit.difference import Difference
from croupier.audit.proof import prove
from croupier.games.registry import the_registry
from croupier.ledger.events import StaffPowerAsked, StaffPowerUsed, TableInstalled, tag_of
from croupier.ledger.store.line import LedgerLine
from croupier.server.pit.pit import Pit
from croupier.submission.check import shipped_text
from croupier.table.powers import Actor
from tests.attack.pits import Watch, small_pit
from tests.audit.tampering import Change, body, field, removed, rewritten
from tests.server.service import PASSWORD

ADA, EVE = Actor("ada", "administrator"), Actor("eve", "administrator")
MIA = Actor("mia", "manager")
USED, ASKED = tag_of(StaffPowerUsed), tag_of(StaffPowerAsked)
LINKS, PEOPLE, WAITING = "pit/links", "pit/people", "pit/waiting"
TABLE = "table/UTH-9"


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pit]:
    """Mia's table is confirmed by Ada, her closed link by Eve, Ada's new floorperson by Eve, and
    Mia confirms what the service began."""
    watch = Watch()
    with small_pit(tmp_path_factory.mktemp("pit"), watch) as made:
        for by in (ADA, EVE, MIA):
            made.people.add(by.name, by.role, PASSWORD, by="croupier")
        made.begin_table(shipped_text("UTH-S"), MIA, "UTH-9")
        made.second("table", "UTH-9", True, ADA)
        made.begin_link("UTH-9", MIA, is_open=False, reason="the sign is dark")
        made.second("link", "UTH-9", False, ADA)
        made.begin_link("UTH-9", MIA, is_open=False, reason="the sign is dark")
        made.second("link", "UTH-9", True, EVE)
        made.people.add("flo", "floorperson", PASSWORD, by="ada")
        made.people.second("flo", True, "eve")
        watch.later(-86_400)
        made.clock.correct("mia", "manager")
        yield made


def accused(pit: Pit, folder: Path, *changes: Change) -> list[Difference]:
    with rewritten(pit.ledger, folder, *changes) as other:
        found = prove(other, the_registry()).differences
    return [one for one in found if one.part == "powers"]


def saying(line: LedgerLine, **words: Any) -> Change:
    told = {**msgspec.json.decode(line.body), **words}
    return body(line.stream, line.version, msgspec.json.encode(told).decode())


def test_two_people_are_accused_of_nothing(pit: Pit) -> None:
    proof = prove(pit.ledger, the_registry())
    assert proof.differences == []
    assert proof.powers["table", "mia", "ada"] == 1  # type: ignore[index]
    assert proof.powers["link", "mia", "eve"] == 1  # type: ignore[index]
    assert proof.powers["staff", "ada", "eve"] == 1  # type: ignore[index]
    assert proof.powers["clock", "croupier", "mia"] == 1  # type: ignore[index]


@pytest.mark.parametrize(
    ("stream", "kind", "words", "why"),
    [
        (TABLE, tag_of(TableInstalled), {"second": "eve"}, "eve is said to have confirmed it"),
        (TABLE, tag_of(TableInstalled), {"second": "mia"}, "mia alone is said to be two people"),
        (LINKS, USED, {"second": "ada"}, "ada is said to have confirmed it, and no line"),
        (LINKS, USED, {"by": "ada"}, "nobody began: link UTH-9, closed: the sign is dark, by ada"),
        (PEOPLE, USED, {"what": "let in as manager"}, "nobody began: flo, let in as manager"),
        (PEOPLE, USED, {"by": "mia"}, "nobody began: flo, let in as floorperson, by mia"),
        ("pit/clock", USED, {"second": "ada"}, "ada is said to have confirmed it, and no line"),
    ],
)
def test_an_act_that_is_told_otherwise_is_found(
    pit: Pit, tmp_path: Path, stream: str, kind: str, words: dict[str, str], why: str
) -> None:
    lines = [line for line in pit.ledger.read(stream) if line.kind == kind]
    (line,) = [one for one in lines if msgspec.json.decode(one.body).get("second")]
    found = accused(pit, tmp_path, saying(line, **words))
    assert (found[0].stream, found[0].version) == (stream, line.version)
    assert any(why in one.sentence for one in found), found


@pytest.mark.parametrize(
    ("act", "name", "by"),
    [("table", TABLE, "mia"), ("link", LINKS, "mia"), ("staff", PEOPLE, "ada")],
)
def test_an_act_that_nobody_began_is_found(
    pit: Pit, tmp_path: Path, act: str, name: str, by: str
) -> None:
    """The line that it waited in is gone, or told of somebody else."""
    asked = [
        line
        for stream in (WAITING, PEOPLE)
        for line in pit.ledger.read(stream)
        if line.kind == ASKED and msgspec.json.decode(line.body)["act"] == act
    ][-1]
    (gone,) = accused(pit, tmp_path, removed(asked.stream, asked.version))
    assert gone.stream == name
    assert "confirmed what nobody began" in gone.sentence
    (other, *_) = accused(pit, tmp_path, field(asked.stream, asked.version, actor="eve"))
    assert other.sentence == f"eve wrote what {by} is said to have begun"


def test_a_table_with_a_second_person_whom_nobody_asked_is_found(tmp_path: Path) -> None:
    """By whoever has the keys and the program, past the desk where two people meet."""
    with small_pit(tmp_path, Watch()) as pit:
        pit.install(shipped_text("UTH-S"), "mia", "UTH-9", second="ada")
        said = [one.sentence for one in prove(pit.ledger, the_registry()).differences]
        assert said[0] == "ada is said to have confirmed it, and no line says so"
        assert said[1].startswith("ada confirmed what nobody began: table UTH-9, brought in under")


def test_what_cannot_be_read_is_a_difference(pit: Pit, tmp_path: Path) -> None:
    line = next(line for line in pit.ledger.read(WAITING) if line.kind == ASKED)
    with rewritten(pit.ledger, tmp_path, body(WAITING, line.version, "{}")) as other:
        found = prove(other, the_registry()).differences
    assert ("streams", WAITING, line.version) in {(d.part, d.stream, d.version) for d in found}
