"""How soon a player who knows cards is found out: a likelihood-ratio test of first decisions.

The ratio is between a player who knows and one who does not, each of whom does
the other thing in one of twenty decisions. It looks at rounds in which the two would decide
differently, and counts which side each of these decisions takes.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.chart_names import start_name
from croupier.exact.strategy.features import CardsInSight
from croupier.exact.strategy.strategy_file import read_strategy, shipped
from croupier.facts.cards import DECK
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.protection.worth import Detectability, Shares, StrategyLine

LAPSES = 0.05
CONFIDENCE, POWER = 0.99, 0.95
MOST_ROUNDS = 1 << 14


def tellings(lines: tuple[StrategyLine, ...], rules: Rules) -> tuple[Detectability, ...]:
    """Against an optimal player, and where it is known what he does, against a simple one."""
    simple = simple_play(rules)
    shares = {"optimal": differing(lines)}
    if simple is not None:
        shares["simple"] = differing(lines, simple)
    return tuple(
        Detectability(name, share, rounds_to_tell(share)) for name, share in shares.items()
    )


def apart(line: StrategyLine, honest: Shares | None = None) -> Fraction:
    """How often at least what is best here is not what this play, or honest play, does."""
    otherwise = dict(line.honest if honest is None else honest)
    each = (min(share, otherwise.get(action, Fraction(0))) for action, share in line.best)
    return 1 - sum(each, Fraction(0))


def differing(
    lines: tuple[StrategyLine, ...], play: Callable[[str], Shares] | None = None
) -> Fraction:
    """The chance of a round whose first decision shows what is known.

    ``play`` says what another player does with each hand; without it, honest play does it best.
    """
    each = (line.chance * apart(line, play(line.hand) if play else None) for line in lines)
    return sum(each, Fraction(0))


def simple_play(rules: Rules) -> Callable[[str], Shares] | None:
    """What the shipped simple strategy does first with each starting hand, where hands have such
    names and there is one."""
    name = f"{rules.game.id}-simple"
    text = shipped().get(name)
    if text is None or shape_of(rules) is not GameShape.HOLDEM:
        return None
    strategy, street = read_strategy(text, name), rules.book.streets[0].name
    hands = {start_name(*two): two for two in combinations(DECK, 2)}
    done = {hand: strategy.action(street, CardsInSight(two)) for hand, two in hands.items()}
    return lambda hand: ((done[hand], Fraction(1)),)


def most_telling(lines: tuple[StrategyLine, ...], most: int) -> list[StrategyLine]:
    """The lines that bring most such rounds."""
    showing = [line for line in lines if apart(line)]
    return sorted(showing, key=lambda line: line.chance * apart(line), reverse=True)[:most]


def rounds_to_tell(chance: Fraction) -> int | None:
    """After how many rounds the test holds its confidence and has its power; None: too many."""
    fewest, most = 1, 1
    while not _tells(chance, most):
        fewest, most = most + 1, 2 * most
        if most > MOST_ROUNDS:
            return None
    while fewest < most:
        middle = (fewest + most) // 2
        fewest, most = (fewest, middle) if _tells(chance, middle) else (middle + 1, most)
    return most


def _tells(chance: Fraction, rounds: int) -> bool:
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
