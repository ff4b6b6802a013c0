"""The solutions that come with the package: of these sources and rules, and counted again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from croupier.exact import holdem, shipped_solutions, solution_file
from croupier.exact.shipped_solutions import (
    FOLDER,
    PROOF,
    shipped_hands,
    shipped_index,
    shipped_solution,
)
from croupier.exact.solution import COUNTED_NOW, Solution
from croupier.exact.solution_cache import known_hands, solved
from croupier.exact.solve import solve
from croupier.facts.money import Cents
from croupier.games.rules import Rules
from tests.exact.conftest import rules_of
from tests.shipped_solutions import shipped_rules

STALE = "a rulebook or a source has changed: run `make solutions`"
COMMANDS = (
    ("solve", "uth", "--json"),
    ("solve", "four-card", "--json"),
    ("solve", "three-card", "--json"),
    ("advise", "uth", "Kd 5c", "--json"),
    ("advise", "uth", "Kd 5c", "--board", "Qh 8s 2d", "--json"),
    ("advise", "uth", "Kd 5c", "--board", "Qh 8s 2d 3h 3s", "--json"),
    ("advise", "four-card", "Ah Kd 9c 7s 2d", "--upcard", "3c", "--json"),
    ("advise", "three-card", "Qs 6c 4d", "--json"),
)
RUN = f"""
import sys
from croupier.cli import main
for command in {COMMANDS!r}:
    assert main(command) == 0
print(sorted({{"numba", "llvmlite", "scipy"}} & set(sys.modules)))
"""


@pytest.fixture
def read_anew() -> Iterator[None]:
    shipped_index.cache_clear()
    yield
    shipped_index.cache_clear()


def test_the_hashes_fit_the_sources_and_the_rules() -> None:
    index = msgspec.json.decode((FOLDER / "index.json").read_bytes(), type=shipped_solutions.Index)
    assert index.code == solution_file.code_digest(), STALE
    digests = {solution_file.rules_digest(rules) for rules in shipped_rules().values()}
    assert set(index.solutions) == digests, STALE
    files = {path.name for path in FOLDER.iterdir()} - {"index.json"}
    assert files == set(index.solutions.values()) >= set(index.hands.values())


def test_the_newest_books_are_as_they_are_counted_here(
    uth_rules: Rules, fcp_rules: Rules, uth_solution: Solution, fcp_solution: Solution
) -> None:
    for rules, counted in ((uth_rules, uth_solution), (fcp_rules, fcp_solution)):
        kept = shipped_solution(rules)
        assert kept == counted, STALE
        assert kept.provenance == f"kept, proved by {PROOF}"
        assert counted.provenance == COUNTED_NOW
        assert solved(rules).provenance == kept.provenance


@pytest.mark.prove
@pytest.mark.parametrize("name", shipped_rules())
def test_every_kept_solution_is_counted_again(name: str) -> None:
    rules = shipped_rules()[name]
    holdem.forget()
    assert shipped_solution(rules) == solve(rules)


def test_the_proof_is_this_file() -> None:
    assert Path(__file__).as_posix().endswith(PROOF)


def test_a_changed_figure_is_not_answered(uth_rules: Rules) -> None:
    assert shipped_solution(uth_rules) is not None
    assert shipped_solution(replace(uth_rules, payout_limit_cents=Cents(1))) is None
    needs = uth_rules.book.contest.dealer_needs
    assert needs is not None
    contest = msgspec.structs.replace(
        uth_rules.book.contest, dealer_needs=msgspec.structs.replace(needs, hand="two pair")
    )
    changed = replace(uth_rules, book=msgspec.structs.replace(uth_rules.book, contest=contest))
    assert shipped_solution(changed) is None
    assert shipped_hands(changed) is None


def test_other_code_is_not_answered(
    uth_rules: Rules, monkeypatch: pytest.MonkeyPatch, read_anew: None
) -> None:
    monkeypatch.setattr(shipped_solutions, "code_digest", lambda: "of other sources")
    assert shipped_solution(uth_rules) is None
    assert shipped_hands(uth_rules) is None


def test_the_hash_of_the_code_reads_every_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, digest = solution_file._PACKAGE, solution_file.code_digest.__wrapped__
    for room in solution_file._ROOMS:
        shutil.copytree(package / room, tmp_path / room)
    before = digest()
    monkeypatch.setattr(solution_file, "_PACKAGE", tmp_path)
    assert digest() == before
    source = tmp_path / "exact" / "kernels" / "holdem_values.py"
    source.write_bytes(source.read_bytes().replace(b"\n", b"\r\n"))
    for name in solution_file._READERS:
        (tmp_path / name).write_bytes(b"")
    assert digest() == before
    source.write_bytes(source.read_bytes().replace(b">= 13", b">= 12"))
    assert digest() != before


def test_starting_hands_are_known_under_other_side_wagers() -> None:
    """A table's own Trips decides nothing before the flop: nobody waits to be told that."""
    shipped = shipped_solution(rules_of("UTH-S", blind="A"))
    assert shipped is not None
    rules = rules_of("UTH-S", blind="A", trips="C")
    assert shipped_solution(rules) is None

    def no_solution() -> Solution:
        raise AssertionError("the starting hands are kept")

    assert known_hands(rules, no_solution).hands == shipped.hands
    known = shipped_hands(rules_of("UTH-14", blind="B"))
    assert known is not None
    assert known.hands != shipped.hands


def test_what_is_kept_and_single_positions_need_no_compiler(tmp_path: Path) -> None:
    """With an empty cache, and nothing put there: no kernel is compiled and none is loaded."""
    environment = {**os.environ, "CROUPIER_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, check=True
    )
    *answers, loaded = done.stdout.splitlines()
    kept, now = f"kept, proved by {PROOF}", COUNTED_NOW
    said = [json.loads(answer)["provenance"] for answer in answers]
    assert said == [kept, kept, kept, kept, now, now, now, now]
    assert loaded == "[]"
    assert done.stderr == ""
    assert not list(tmp_path.iterdir())
