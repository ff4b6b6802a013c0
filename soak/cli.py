"""The command line of the simulator: one seed to look at, or new ones for hours."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from soak.hours import soak
from soak.report import replay, told
from soak.world import Report, World, simulate

STEPS = 5000


def main(arguments: list[str] | None = None) -> int:
    """The exit status is 1 where an invariant did not hold."""
    asked = _asked().parse_args(arguments)
    if asked.hours:
        first = asked.seed if asked.seed is not None else int(time.time())
        return soak(asked.hours, first, asked.steps, asked.report)
    failed = 0
    one = asked.seed if asked.seed is not None else 1
    for seed, steps in asked.seeds or [(one, asked.steps)]:
        tell = print if asked.trace else None
        report = simulate(seed, steps or asked.steps, tell, slowly(asked.thinking))
        if asked.json:
            print(report.as_json(), flush=True)
        else:
            _print(report, steps or asked.steps)
        failed += bool(report.failure)
    return 1 if failed else 0


def slowly(thinking_s: float) -> Callable[[World], None]:
    """People who take their time: more goes wrong around each command."""

    def plant(world: World) -> None:
        world.thinking_s = thinking_s

    return plant


def _asked() -> argparse.ArgumentParser:
    said = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    said.add_argument("--seed", type=int, help="the seed to play, or the first of a long soak")
    said.add_argument("--seeds", type=_numbers, help="several, as in 1,2,3:40 (of 40 commands)")
    said.add_argument("--steps", type=int, default=STEPS, help="commands that people give")
    said.add_argument(
        "--thinking", type=float, default=1.0, help="seconds that people take for a command"
    )
    said.add_argument("--trace", action="store_true", help="tell everything that happens")
    said.add_argument("--json", action="store_true", help="one line of JSON for each seed")
    said.add_argument("--hours", type=float, default=0.0, help="new seeds for so long")
    said.add_argument("--report", type=Path, help="the page whose last chapter is the report")
    return said


def _numbers(text: str) -> list[tuple[int, int]]:
    parts = (part.partition(":") for part in text.split(","))
    return [(int(seed), int(steps or 0)) for seed, _, steps in parts]


def _print(report: Report, steps: int) -> None:
    print("\n".join(told(report)), file=sys.stderr)
    if report.failure:
        print(f"Seed {report.seed}, step {report.failed_at}: {report.failure}", file=sys.stderr)
        print(f"Play it again: {replay(report.seed, steps)} --trace", file=sys.stderr)
