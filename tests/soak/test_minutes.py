"""Minutes of the fault simulator; ``make soak`` runs hours of it."""

from __future__ import annotations

import pytest

from soak.world import simulate


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(1000, 1012))
def test_whatever_goes_wrong(seed: int) -> None:
    report = simulate(seed, 2000)
    assert report.failure == "", f"python -m soak --seed {seed} --steps 2000"
    assert report.rounds > 10
