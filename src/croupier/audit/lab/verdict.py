"""Holm's rule over all trials: a fair shuffle fails the whole list once in a hundred times.

Each trial by itself is failed by chance now and then, so the list is judged by Holm's rule at 99%
confidence. The Maryland rule for shufflers asks for a chi-square at 95%: it is told apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from croupier.audit.lab.trials import Trial

LEVEL = 0.01
MARYLAND_LEVEL = 0.05
MARYLAND_TRIAL = "cards by place"


class TrialLine(msgspec.Struct, frozen=True):
    """One trial as it is told. ``adjusted`` is Holm's p; ``finds`` the power, in words.

    ``seen`` is what was least likely, where a trial looks at several counts.
    """

    name: str
    statistic: float
    degrees: int | None
    size: int
    p: float
    adjusted: float
    passed: bool
    finds: str
    seen: str = ""


class Maryland(msgspec.Struct, frozen=True):
    """The chi-square of cards by place, judged alone at 95%."""

    p: float
    passed: bool


class Verdict(msgspec.Struct, frozen=True):
    confidence: float
    passed: bool
    lines: tuple[TrialLine, ...]
    maryland: Maryland | None

    @property
    def failed(self) -> tuple[TrialLine, ...]:
        return tuple(line for line in self.lines if not line.passed)


def judged(trials: Sequence[Trial]) -> Verdict:
    adjusted = holm([trial.p for trial in trials])
    lines = tuple(
        TrialLine(
            name=trial.name,
            statistic=trial.statistic,
            degrees=trial.degrees,
            size=trial.size,
            p=trial.p,
            adjusted=p,
            passed=p >= LEVEL,
            finds=trial.deviation.format(trial.smallest(LEVEL / len(trials))),
            seen=trial.seen,
        )
        for trial, p in zip(trials, adjusted, strict=True)
    )
    alone = [
        Maryland(line.p, line.p >= MARYLAND_LEVEL) for line in lines if line.name == MARYLAND_TRIAL
    ]
    passed = all(line.passed for line in lines)
    return Verdict(1 - LEVEL, passed, lines, alone[0] if alone else None)


def holm(several: Sequence[float]) -> list[float]:
    """Each p made good for how many were looked at; the smallest pays for all of them."""
    adjusted = [0.0] * len(several)
    most = 0.0
    for rank, number in enumerate(sorted(range(len(several)), key=several.__getitem__)):
        most = max(most, min(1.0, several[number] * (len(several) - rank)))
        adjusted[number] = most
    return adjusted
