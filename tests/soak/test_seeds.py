"""Seeds of the fault simulator that say something: a handful of whole evenings gone wrong, and one
for each bug that the simulator has found. ``python -m soak --seed N --trace`` tells each of them.

A seed's evening changes with the code. That such bugs would still be found is shown by planting
them again (``test_mutants.py``).
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

STEPS = 200

# What each seed is about: the number of hosts comes from the seed, and so does everything else.
SEEDS = {
    5: "one process with a file to itself, killed and restarted while its disk fills up",
    12: "two processes on one server, their sessions ended and their network bad",
    7: "three processes, hosts killed without a word, others taking their tables over",
    2: "an answer was lost after the write: the repeated command was answered, and viewers were "
    "never told of it, so the dealer went on with an old screen",
    4: "a clock set back between two refusals: the desk's times went back, which an audit calls "
    "altered; tables on one link had the same",
    100: "a process that had lost its table read it once more, and its viewer was shown an older "
    "version when the new owner was followed",
    108: "a write in doubt that nobody asked about again: the table showed an old state until "
    "somebody gave a command",
}


@cache
def played(*seeds: int) -> list[dict[str, Any]]:
    """In a process with a fixed order of sets, as the command line has it."""
    command = [sys.executable, "-m", "soak", "--json", "--steps", str(STEPS)]
    ran = subprocess.run(
        [*command, "--seeds", ",".join(map(str, seeds))], capture_output=True, text=True
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_must_hold_holds(seed: int) -> None:
    report = played(*SEEDS)[[*SEEDS].index(seed)]
    assert report["seed"] == seed
    assert report["failure"] == ""
    assert report["steps"] >= STEPS
    assert report["lines"] > STEPS / 2


def test_a_seed_replays_exactly() -> None:
    """In another process, with nothing played before it."""
    first, other = (played(*SEEDS)[[*SEEDS].index(seed)] for seed in (12, 7))
    assert played(12) == [first]
    assert first["trace"] != other["trace"]
