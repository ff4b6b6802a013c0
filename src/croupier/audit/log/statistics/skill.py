"""The cost of skill: what decisions gave away against the best ones, by exact values.

Values come from everything still unseen being counted, so a sample of boxes is valued, each as
likely as any other, and the standard error is told with the mean.
"""

from __future__ import annotations

import math
from fractions import Fraction

import msgspec

from croupier.audit.log.statistics.counts import LogCounts, ValuedBox
from croupier.exact.advice import advise
from croupier.exact.solution import Solution
from croupier.games.rules import Rules


class Skill(msgspec.Struct, frozen=True):
    """Per box that had to decide, in Antes; ``perfect`` is the share that gave nothing away."""

    decided: int
    valued: int
    cost: float
    error: float
    perfect: float


def skill_of(gathered: LogCounts, solution: Solution) -> Skill | None:
    losses = [float(lost(gathered.rules, solution, choice)) for choice in gathered.choices]
    if not losses:
        return None
    mean = sum(losses) / len(losses)
    spread = math.sqrt(sum((loss - mean) ** 2 for loss in losses) / max(1, len(losses) - 1))
    return Skill(
        decided=gathered.decided,
        valued=len(losses),
        cost=mean,
        error=spread / math.sqrt(len(losses)),
        perfect=sum(loss == 0 for loss in losses) / len(losses),
    )


def lost(rules: Rules, solution: Solution, choice: ValuedBox) -> Fraction:
    """What the decisions of one box gave away, in Antes."""
    in_sight = {0: 0, 1: 3, 2: 5} if choice.board else {0: 0}
    total = Fraction(0)
    for at, decision in enumerate(choice.decisions):
        board = choice.board[: in_sight.get(at, 0)]
        values = advise(rules, lambda: solution, choice.cards, board, choice.up)
        action = decision.action
        if action == "play":
            worth = _worth_of_play(values, decision.cents, choice.ante_cents)
        else:
            worth = values[action]
        total += max(values.values()) - worth
    return total


def _worth_of_play(values: dict[str, Fraction], cents: int, ante_cents: int) -> Fraction:
    """A Play between two sizes is worth what lies between them: a result is linear in Play."""
    multiple = Fraction(cents, ante_cents)
    sizes = {Fraction(name[:-1]): value for name, value in values.items() if name.endswith("x")}
    if multiple in sizes:
        return sizes[multiple]
    least, most = min(sizes), max(sizes)
    if least == most:
        return sizes[least]
    share = (multiple - least) / (most - least)
    return sizes[least] * (1 - share) + sizes[most] * share
