"""The mutants themselves: each can be planted, each enforced clause has one, and a dozen die."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants.__main__ import every_mutant, main, without_mutant
from tests.mutants.changes import Change, DoesNotApply, kept_changes
from tests.mutants.figures import equivalents, figures
from tests.mutants.mutant import PACKAGE, ROOT, Mutant, enforced
from tests.mutants.results import Results
from tests.mutants.tree import plant
from tests.mutants.trial import Verdict

DOZEN = 12


def lost(changes: list[Change]) -> list[str]:
    """The kept changes that no longer apply, and why."""
    found = []
    for change in changes:
        try:
            change.mutant()
        except DoesNotApply as why:
            found.append(f"{change.name}: {why}")
    return found


def test_every_kept_change_still_applies() -> None:
    assert lost(kept_changes()) == []


def test_a_change_whose_text_has_gone_is_found() -> None:
    home, text = "table.handlers.decisions._why_not_asked", "why_stranger("
    elsewhere = "table.handlers.wagers._why_not_asked"
    (moved,) = lost([Change("moved", elsewhere, text, "pass", ())])
    assert "there is no _why_not_asked" in moved
    assert f"it may be meant at {home}" in moved
    (gone,) = lost([Change("gone", home, "a text of nobody", "pass", ())])
    assert "0 times" in gone
    (broken,) = lost([Change("broken", home, text, "((", ())])
    assert "no Python" in broken


def test_kept_changes_break_only_clauses_that_are_enforced() -> None:
    strange = [(c.name, clause) for c in kept_changes() for clause in c.clauses]
    assert [pair for pair in strange if pair[1] not in enforced()] == []
    names = [change.name for change in kept_changes()]
    assert len(names) == len(set(names))


def test_every_enforced_clause_has_a_mutant() -> None:
    assert without_mutant(every_mutant()) == []


def test_what_is_called_equivalent_is_a_figure_of_a_book() -> None:
    known = {f"{m.clauses[0]}: {m.name.partition(': ')[2]}" for m in figures()}
    assert [named for named in equivalents() if named not in known] == []
    assert all(why.endswith(".") for why in equivalents().values())


def test_a_mutant_is_planted_beside_the_sources_and_never_in_them(tmp_path: Path) -> None:
    mutant = next(figures())
    before = (PACKAGE / mutant.place).read_text("utf-8")
    plant(mutant, tmp_path / "tree")
    assert (tmp_path / "tree" / "croupier" / mutant.place).read_text("utf-8") == mutant.text
    assert (PACKAGE / mutant.place).read_text("utf-8") == before != mutant.text
    assert (tmp_path / "tree" / "croupier" / "facts" / "cards.py").is_file()


def test_a_verdict_is_kept_until_something_it_rests_on_changes(tmp_path: Path) -> None:
    mutant = Mutant("m", "facts/odds.py", "text", ("UTH-S 12.A",))
    verdict = Verdict(killed={"UTH-S 12.A": "a test"}, ran=1, files=("src/croupier/facts/odds.py",))
    results = Results(tmp_path / "kept.json")
    assert results.of(mutant, ("a test",)) is None
    results.keep(mutant, ("a test",), verdict)
    results.write()
    again = Results(tmp_path / "kept.json")
    kept = again.of(mutant, ("a test",))
    assert kept is not None
    assert kept.killed == verdict.killed
    assert again.of(mutant, ("a test", "another")) is None
    assert again.of(Mutant("m", "facts/odds.py", "other", ("UTH-S 12.A",)), ("a test",)) is None


def test_a_seeded_dozen_dies() -> None:
    """Which dozen depends on the sources alone, so that a failure comes again."""
    seed = hashlib.sha256(b"".join(m.text.encode() for m in figures())).hexdigest()[:8]
    command = [sys.executable, "-m", "tests.mutants", "--no-cache"]
    command += ["--sample", str(DOZEN), "--seed", seed]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.partition(";")[0]) == (
        0,
        f"{DOZEN} mutants: {DOZEN} killed, 0 alive",
    )


def test_a_mutant_that_nobody_sees_is_told(tmp_path: Path) -> None:
    """A change of a comment breaks no rule: the run ends with 1 and names it."""
    folder = tmp_path / "changes"
    folder.mkdir()
    (folder / "harmless.toml").write_text(
        '[[change]]\nname = "another comment"\nat = "facts.hands._best"\n'
        'find = "# One round"\nput = "# A round"\nclauses = ["UTH-S 6.E(2)"]\n',
        "utf-8",
    )
    command = [sys.executable, "-m", "tests.mutants", "--changes", str(folder), "--no-cache"]
    command += ["--name", "another comment"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "LIVES  another comment  [UTH-S 6.E(2)]" in run.stdout


def test_a_name_of_no_mutant_is_refused() -> None:
    with pytest.raises(SystemExit, match="no mutant is chosen"):
        main(["--clause", "UTH-S 99.Z"])
