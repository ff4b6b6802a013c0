"""Every golden round by its name: both games, each way of dealing, each irregularity, each viewer.

A scenario plays a table and looks at it where it matters; ``make golden`` writes what came of it.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.golden import rounds, trouble
from tests.golden.points import Points, every_point
from tests.golden.stage import SCENARIOS
from tests.golden.writing import Written

__all__ = ["SCENARIOS", "golden", "rounds", "trouble"]


def golden() -> dict[str, Callable[[], Written | Points]]:
    return {**SCENARIOS, **every_point()}
