"""Real processes on a real PostgreSQL: the simulated world is like the real one."""

from __future__ import annotations

import pytest

from soak.real import evening

FAULTS = ("killed", "restarted", "stopped and woken", "sessions ended")


@pytest.mark.prove
def test_a_minute_of_real_faults() -> None:
    counts = evening(minutes=1, processes=2, seed=3)
    assert counts["commands"] > 50
    assert counts["lines"] > counts["commands"]
    assert sum(counts[what] for what in FAULTS) > 3
