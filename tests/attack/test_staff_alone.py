"""An administrator who makes himself a second person, or takes somebody's login over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from croupier.audit.proof import prove
from croupier.facts.errors import Unavailable, Unreadable
from croupier.games.registry import the_registry
from croupier.ledger.books import Interval
from croupier.ledger.reports.incident_list import incidents
from croupier.ledger.reports.single_pass import read_for_reports
from croupier.ledger.store.port import Writing
from croupier.server.access.people import NotTheSecond, People
from croupier.server.access.roles import OF_THE_POLICY, PIT_ROLES, ROLE_ACCESS
from croupier.server.pit.pit import Pit
from croupier.server.pit.waiting_acts import WaitingAct
from croupier.server.settings import Settings
from croupier.submission.check import shipped_text
from croupier.table.powers import Actor
from tests.attack.pits import CHEAP, Watch, small_pit
from tests.server.service import PASSWORD

HOME = Settings(argon2_memory_kib=64, argon2_rounds=1, self_check=False, policy="home")
OTHER = "another password"
A_DAY_S = 86_400
Act = Callable[[People], bool]
ADA, EVE = Actor("ada", "administrator"), Actor("eve", "administrator")
MIA, DEE = Actor("mia", "manager"), Actor("dee", "dealer")
DARK = "the sign is dark"


def significant(pit: Pit) -> list[str]:
    """What the books tell of powers beside the tables."""
    reading = read_for_reports(pit.ledger, pit.registry, Interval(), 0, large_cents=1_200_00)
    *_, beside = incidents(reading, "power")
    assert beside.heading.title == "Significant events beside the tables: power"
    return [str(row[3]) for sheet in beside.sheets for row in sheet.rows]


def staffed(pit: Pit) -> People:
    """Ada and Eve at the console of the pit; then Ada's first manager, whom nobody can second."""
    for name in ("ada", "eve"):
        pit.people.add(name, "administrator", PASSWORD, by="croupier")
    pit.people.add("mia", "manager", PASSWORD, by="croupier")
    return pit.people


@pytest.mark.parametrize(
    "act",
    [
        lambda people: people.add("flo", "floorperson", PASSWORD, by="ada"),
        lambda people: people.change_role("ann", "manager", by="ada"),
        lambda people: people.change_password("mia", OTHER, by="ada"),
        lambda people: people.change_tables("dee", ("UTH-2",), by="ada"),
        lambda people: people.forget_code("mia", by="ada"),
        lambda people: people.forget_code("ada", by="ada"),
    ],
    ids=["new staff", "role", "password", "tables", "code", "own code"],
)
def test_nobody_lets_staff_in_alone(tmp_path: Path, act: Act) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        people = staffed(pit)
        before = dict(people.known)
        assert not act(people)
        assert people.known == before
        (name,) = people.waiting
        for by in ("ada", "dee"):
            with pytest.raises(NotTheSecond):
                people.second(name, True, by)
        second = "eve" if name == "mia" else "mia"
        if name == "mia":
            with pytest.raises(NotTheSecond, match="about himself"):
                people.second(name, True, "mia")
        people.second(name, True, second)
        assert people.waiting == {}
        if name not in ("ada", "mia"):
            assert people.known != before
        (line,) = [use for use in prove(pit.ledger, the_registry()).powers if use.second]
        assert line == ("staff", "ada", second)
        (told,) = [what for what in significant(pit) if "ada and" in what]
        assert told.startswith(f"{name}, ")
        assert told.endswith(f": ada and {second}")


def test_what_is_denied_never_happens(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        people = staffed(pit)
        people.add("flo", "floorperson", PASSWORD, by="ada")
        people.second("flo", False, "mia")
        assert ("flo" in people.known, people.waiting) == (False, {})
        assert not [use for use in prove(pit.ledger, the_registry()).powers if use.by == "ada"]
        assert [what for what in significant(pit) if what.startswith("flo, ")] == [
            "flo, let in as floorperson: begun by ada, waits for a second person",
            "flo, let in as floorperson: begun by ada, not confirmed by mia",
        ]


def test_what_one_manager_does_to_the_pit_is_marked(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch) as pit:
        (link,) = (each.name for each in pit.shown_links())
        for is_open, reason in ((False, DARK), (True, "")):
            assert pit.begin_link(link, MIA, is_open=is_open, reason=reason) is None
        watch.later(-A_DAY_S)
        pit.clock.correct("mia", "manager")
        pit.program.check()
        pit.program.accept(pit.program.shown().digest, "mia", "manager")
        powers = prove(pit.ledger, the_registry()).powers
        assert {use: times for use, times in powers.items() if "mia" in use} == {
            ("table", "mia", ""): 1,
            ("link", "mia", ""): 2,
            ("clock", "croupier", "mia"): 1,
            ("program", "croupier", "mia"): 1,
        }
        told = [what for what in significant(pit) if "mia" in what]
        assert [what.rpartition(": ")[2] for what in told] == [
            *("croupier and mia", "croupier and mia", "mia alone", "mia alone")
        ]


def test_nobody_closes_a_link_or_opens_it_alone(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch) as pit:
        staffed(pit)
        (link,) = (each.name for each in pit.shown_links())
        for is_open, reason in ((False, DARK), (True, "")):
            before = pit.shown_links()
            assert pit.begin_link(link, MIA, is_open=is_open, reason=reason) is not None
            with pytest.raises(Unreadable, match="waits already"):
                pit.begin_link(link, MIA, is_open=is_open, reason=reason)
            for by in (MIA, DEE):
                with pytest.raises(NotTheSecond):
                    pit.second("link", link, True, by)
            assert pit.shown_links() == before
            watch.later(1)
            pit.second("link", link, True, EVE)
            assert [each.closed for each in pit.shown_links()] == [reason]
            assert pit.acts.now() == []
        powers = prove(pit.ledger, the_registry()).powers
        assert powers["link", "mia", "eve"] == 2  # type: ignore[index]
        assert [what for what in significant(pit) if what.startswith(f"link {link}, closed")] == [
            f"link {link}, closed: {DARK}: begun by mia, waits for a second person",
            f"link {link}, closed: {DARK}: mia and eve",
        ]


def test_nobody_brings_in_a_real_table_alone(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        staffed(pit)
        asked = pit.begin_table(shipped_text("UTH-S"), MIA, "UTH-9")
        assert isinstance(asked, WaitingAct)
        with pytest.raises(Unreadable, match="waits already"):
            pit.begin_table(shipped_text("UTH-S"), ADA, "UTH-9")
        with pytest.raises(Unreadable, match="in this ledger already"):
            pit.begin_table(shipped_text("UTH-S"), MIA)
        for by in (MIA, DEE):
            with pytest.raises(NotTheSecond):
                pit.second("table", "UTH-9", True, by)
        assert "UTH-9" not in pit.tables
        again = Pit(pit.ledger, pit.registry, pit.ring, CHEAP, Watch())
        assert again.acts.now() == [asked]
        again.second("table", "UTH-9", True, ADA)
        assert "UTH-9" in again.tables
        assert again.acts.now() == pit.acts.now() == []
        proof = prove(pit.ledger, the_registry())
        assert proof.differences == []
        assert proof.powers["table", "mia", "ada"] == 1  # type: ignore[index]
        reading = read_for_reports(pit.ledger, pit.registry, Interval(), 0, large_cents=1_200_00)
        told = [
            str(row)
            for report in incidents(reading, "power")
            for sheet in report.sheets
            for row in sheet.rows
        ]
        assert [line for line in told if "its link: mia and ada" in line]


@pytest.mark.parametrize("kind", ["table", "link"])
def test_a_process_that_dies_at_the_second_word_leaves_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """What two people did and the word of the second are one transaction."""
    with small_pit(tmp_path, Watch()) as pit:
        staffed(pit)
        (link,) = (each.name for each in pit.shown_links())
        if kind == "table":
            pit.begin_table(shipped_text("UTH-S"), MIA, "UTH-9")
        else:
            pit.begin_link(link, MIA, is_open=False, reason=DARK)
        append = pit.ledger.append

        def the_last(*writings: Writing) -> object:
            told = append(*writings)
            monkeypatch.setattr(pit.ledger, "append", dead)
            return told

        def dead(*writings: Writing) -> object:
            raise Unavailable("the process is gone")

        monkeypatch.setattr(pit.ledger, "append", the_last)
        with suppress(Unavailable):
            pit.second(kind, "UTH-9" if kind == "table" else link, True, ADA)
        monkeypatch.undo()
        again = Pit(pit.ledger, pit.registry, pit.ring, CHEAP, Watch())
        closed = [each.name for each in again.shown_links() if each.closed]
        assert closed == ([link] if kind == "link" else [])
        assert ("UTH-9" in again.tables) is (kind == "table")
        assert again.acts.now() == []
        proof = prove(pit.ledger, the_registry())
        assert proof.differences == []
        assert proof.powers[kind, "mia", "ada"] == 1  # type: ignore[index]


@pytest.mark.parametrize("kind", ["table", "link"])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("then", [True, False])
def test_of_two_who_answer_at_once_at_two_processes_the_first_has_the_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, first: bool, then: bool
) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        staffed(pit)
        (link,) = (each.name for each in pit.shown_links())
        name = "UTH-9" if kind == "table" else link
        if kind == "table":
            pit.begin_table(shipped_text("UTH-S"), MIA, name)
        else:
            pit.begin_link(name, MIA, is_open=False, reason=DARK)
        other = Pit(pit.ledger, pit.registry, pit.ring, CHEAP, Watch())
        append = pit.ledger.append

        def after_the_other(*writings: Writing) -> object:
            monkeypatch.setattr(pit.ledger, "append", append)
            other.second(kind, name, first, ADA)
            return append(*writings)

        monkeypatch.setattr(pit.ledger, "append", after_the_other)
        with pytest.raises(Unreadable):
            pit.second(kind, name, then, EVE)
        assert pit.acts.now() == other.acts.now() == []
        proof = prove(pit.ledger, the_registry())
        assert proof.differences == []
        assert proof.powers[kind, "mia", "ada"] == first  # type: ignore[index]
        assert not [use for use in proof.powers if use.second == "eve"]
        assert not [what for what in significant(pit) if what.endswith((" by eve", " and eve"))]


def test_a_table_comes_in_under_the_rules_that_it_was_asked_for_with(tmp_path: Path) -> None:
    """Another program may have other rules for the same submission."""
    with small_pit(tmp_path, Watch()) as pit:
        staffed(pit)
        asked = pit.begin_table(shipped_text("UTH-S"), MIA, "UTH-9")
        assert isinstance(asked, WaitingAct)
        pit.second("table", "UTH-9", False, ADA)
        pit.acts.begin(msgspec.structs.replace(asked.act, rules_hash="0" * 64), MIA)
        with pytest.raises(Unreadable, match="other rules than it was asked for with"):
            pit.second("table", "UTH-9", True, ADA)
        assert "UTH-9" not in pit.tables


def test_a_table_or_a_link_that_is_denied_stays_as_it_was(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        staffed(pit)
        (link,) = before = [each.name for each in pit.shown_links()]
        pit.begin_table(shipped_text("UTH-S"), MIA, "UTH-9")
        pit.begin_link(link, MIA, is_open=False, reason=DARK)
        pit.second("table", "UTH-9", False, ADA)
        pit.second("link", link, False, MIA)
        assert pit.acts.now() == []
        assert [each.name for each in pit.shown_links() if not each.closed] == before
        assert list(pit.tables) == before
        told = [what for what in significant(pit) if what.startswith(("link", "table"))]
        assert [what.rpartition(": ")[2] for what in told] == [
            *["begun by mia, waits for a second person"] * 2,
            *("begun by mia, not confirmed by ada", "taken back by mia"),
        ]
        with pytest.raises(Unreadable, match="nothing about table"):
            pit.second("table", "UTH-9", True, ADA)


def test_a_table_for_practice_or_training_is_one_persons(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        staffed(pit)
        pit.begin_table(shipped_text("UTH-14"), MIA, "P-1")
        pit.begin_table(shipped_text("UTH-S"), MIA, training=True)
        assert pit.acts.now() == []
        assert {"P-1", "UTH-1-training"} < {*pit.tables}


def test_at_home_one_brings_in_a_table_and_closes_a_link(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch(), HOME) as pit:
        staffed(pit)
        pit.begin_table(shipped_text("UTH-S"), ADA, "UTH-9")
        pit.begin_link("UTH-9", MIA, is_open=False, reason=DARK)
        powers = prove(pit.ledger, the_registry()).powers
        assert powers["table", "ada", ""] == 1  # type: ignore[index]
        assert powers["link", "mia", ""] == 1  # type: ignore[index]


def test_the_policy_says_who_has_the_rights_of_the_pit() -> None:
    for right, roles in OF_THE_POLICY.items():
        assert {role for role in PIT_ROLES if right in ROLE_ACCESS[role].rights} == {*roles}


def test_barring_everybody_who_may_second_frees_nobody(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        people = staffed(pit)
        for name in ("eve", "mia"):
            assert people.bar(name, True, by="ada")
        assert not people.add("flo", "manager", PASSWORD, by="ada")
        assert not people.bar("mia", False, by="ada")


def test_the_first_administrator_begins_alone_and_it_is_marked(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        people = pit.people
        people.add("ada", "administrator", PASSWORD, by="croupier")
        assert people.add("mia", "manager", PASSWORD, by="ada")
        assert not people.add("flo", "floorperson", PASSWORD, by="ada")
        powers = prove(pit.ledger, the_registry()).powers
        assert powers["staff", "ada", ""] == 1  # type: ignore[index]
        assert [what for what in significant(pit) if what.endswith(": ada alone")]


def test_at_home_one_is_enough_and_is_marked(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch(), HOME) as pit:
        people = staffed(pit)
        assert people.add("flo", "floorperson", PASSWORD, by="ada")
        powers = prove(pit.ledger, the_registry()).powers
        assert powers["staff", "ada", ""] == 1  # type: ignore[index]


def test_what_waits_waits_also_after_a_restart(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch) as pit:
        staffed(pit).add("flo", "floorperson", PASSWORD, by="ada")
        again = Pit(pit.ledger, pit.registry, pit.ring, CHEAP, watch)
        with closing(again.ledger):
            again.people.second("flo", True, "mia")
            assert again.people.person("flo").role == "floorperson"
