"""Killed with SIGKILL at every boundary and at any moment: nothing lost, nothing twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def killed(address: str, lives: int, when: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", "tests.ledger.killing", address, str(lives), when],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=3000,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    return run.stdout


def test_a_keeper_killed_at_every_boundary_of_a_round(address: str, backend: str) -> None:
    """Before each transaction, inside it, and after it with the answer unheard."""
    lives = 60 if backend == "sqlite" else 30
    acknowledged = int(killed(address, lives, "boundary").split()[0])
    assert acknowledged >= lives // 3 - 1


def test_a_keeper_killed_at_any_moment(address: str) -> None:
    assert "acknowledged" in killed(address, 15, "random")


@pytest.mark.prove
@pytest.mark.parametrize("when", ["boundary", "random"])
def test_hundreds_of_kills(address: str, when: str) -> None:
    killed(address, 600, when)
