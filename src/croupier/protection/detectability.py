"""How soon a player who knows cards is found out: a likelihood-ratio test of first decisions.

The ratio is between a player who knows and one who does not, each of whom does
the other thing in one of twenty decisions. It looks at rounds in which the two would decide
differently, and counts which side each of these decisions takes.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.protection.worth import SIMPLE, Detectability, StrategyLine, apart

LAPSES = 0.05
CONFIDENCE, POWER = 0.99, 0.95
MOST_ROUNDS = 1 << 14


def detectability_of(lines: tuple[StrategyLine, ...]) -> tuple[Detectability, ...]:
    """Against an optimal player, and where the game has one, against a simple one."""
    shares = {"optimal": differing(lines), SIMPLE: differing_from_simple(lines)}
    return tuple(
        Detectability(name, share, rounds_to_detect(share))
        for name, share in shares.items()
        if share is not None
    )


def differing(lines: tuple[StrategyLine, ...]) -> Fraction:
    """The chance of a round whose first decision shows what is known."""
    return sum((line.chance * apart(line) for line in lines), Fraction(0))


def differing_from_simple(lines: tuple[StrategyLine, ...]) -> Fraction | None:
    """The same beside a simple player; None where there is none."""
    found = Fraction(0)
    for line in lines:
        if line.simple is None:
            return None
        found += line.chance * apart(line, line.simple)
    return found


def rounds_to_detect(chance: Fraction) -> int | None:
    """After how many rounds the test holds its confidence and has its power; None: too many."""
    fewest, most = 1, 1
    while not _detects(chance, most):
        fewest, most = most + 1, 2 * most
        if most > MOST_ROUNDS:
            return None
    while fewest < most:
        middle = (fewest + most) // 2
        fewest, most = (fewest, middle) if _detects(chance, middle) else (middle + 1, most)
    return most


def _detects(chance: Fraction, rounds: int) -> bool:
    """Whether some excess of knowing over honest decisions parts the two well enough."""
    knowing = _excesses(float(chance), 1 - LAPSES, rounds)
    honest = knowing[::-1]  # the same with sides exchanged
    from_above = np.cumsum(honest[::-1])[::-1]
    enough = np.flatnonzero(from_above <= 1 - CONFIDENCE)
    return len(enough) > 0 and knowing[enough[0] :].sum() >= POWER


def _excesses(chance: float, side: float, rounds: int) -> NDArray[np.float64]:
    """The chances of each excess from -rounds to rounds."""
    one = np.array([chance * (1 - side), 1 - chance, chance * side])
    size = 1 << (2 * rounds + 1).bit_length()
    whole = np.fft.irfft(np.fft.rfft(one, size) ** rounds, size)[: 2 * rounds + 1]
    return np.clip(whole, 0.0, 1.0)
