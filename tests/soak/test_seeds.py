"""Seeds of the fault simulator that say something: a handful of whole evenings gone wrong, and one
for each bug that the simulator has found. ``python -m soak --seed N --steps M --thinking
20 --trace`` tells each of them.

A seed's evening changes with the code. That such bugs would still be found is shown by planting
them again (``test_mutants.py``); seeds 311 and 302 failed within their steps with their bugs in
place, on the code that they were mended in.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

# People who think for long: much goes wrong around each command, and commands are what costs time.
THINKING_S = 20

# How many commands each seed takes to say what it is about: the number of hosts comes from the
# seed, and so does everything else.
SEEDS = {
    (5, 15): "one process with a file to itself, killed and restarted while its disk fills up",
    (12, 30): "two processes on one server: full disk, bad network, one killed and two restarted",
    (7, 25): "three processes on one server, whose tables pass from one to another",
    (2, 15): "an answer was lost after the write: the repeated command was answered, and viewers "
    "were never told of it, so the dealer went on with an old screen",
    (4, 15): "a clock set back between two refusals: the desk's times went back, which an audit "
    "calls altered; tables on one link had the same",
    (100, 15): "a process that had lost its table read it once more, and its viewer was shown an "
    "older version when the new owner was followed",
    (108, 15): "a write in doubt that nobody asked about again: the table showed an old state "
    "until somebody gave a command",
    (311, 12): "a log-out that could not be written: asked for again it was told as done, and the "
    "other processes never heard of it",
    (302, 28): "a new password ended a lock-out only where it was known: a process that read of "
    "the failures later locked its owner out again",
}
TOLD = [(12, 12), (5, 10)]  # enough to be broken into, and never the whole story


@cache
def played(*seeds: tuple[int, int]) -> list[dict[str, Any]]:
    """In a process with a fixed order of sets, as the command line has it."""
    named = ",".join(f"{seed}:{steps}" for seed, steps in seeds)
    command = [sys.executable, "-m", "soak", "--json", "--thinking", str(THINKING_S)]
    ran = subprocess.run([*command, "--seeds", named], capture_output=True, text=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize(("seed", "steps"), TOLD)
def test_what_must_hold_holds(seed: int, steps: int) -> None:
    holds(played(*TOLD)[TOLD.index((seed, steps))], seed, steps)


@pytest.mark.prove
def test_what_must_hold_holds_in_all_of_them() -> None:
    for report, (seed, steps) in zip(played(*SEEDS), SEEDS, strict=True):
        holds(report, seed, steps)


def holds(report: dict[str, Any], seed: int, steps: int) -> None:
    assert report["seed"] == seed
    assert report["failure"] == ""
    assert report["steps"] >= steps
    assert report["lines"] > steps
    assert sum(report["counts"].values()) > steps


def test_a_seed_replays_exactly() -> None:
    """In another process, with nothing played before it."""
    one, another = (5, 10), (12, 12)
    first, other = (played(*TOLD)[TOLD.index(seed)] for seed in (one, another))
    assert played(one) == [first]
    assert first["trace"] != other["trace"]
