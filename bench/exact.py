"""Advice and ranking, each beside eval7 in the same run.

Everything is measured in processor time, the best of several turns, and eval7 takes its turn
between them: what else the machine does then blurs the ratios little. Rankings stand beside as
many hands of eval7, advice in process beside one, from the shell beside Python that loads NumPy.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

import croupier
from bench.processor import cpu_s, croupier_ran, ran
from bench.report import Row, progress
from bench.tables import number

HANDS = 2_000_000
EVAL7_HANDS = 100_000
TURNS = 4
ADVISE = ("advise", "uth", "Kd 5c", "--board", "Qh 8s 2d")


class Timed(NamedTuple):
    """What was done, its processor time, how a reader wants to be told, and how many hands of eval7
    it stands beside."""

    what: str
    seconds: float
    told: str
    hands: int


def eval7_unit() -> Callable[[], float]:
    """Times one hand of eval7."""
    import eval7

    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    chance = random.Random(3)
    hands = [chance.sample(deck, 7) for _ in range(EVAL7_HANDS)]
    evaluate = eval7.evaluate
    return lambda: cpu_s(lambda: [evaluate(hand) for hand in hands]) / EVAL7_HANDS


def random_hands(size: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Random hands: each row is the start of a shuffled deck."""
    chance = np.random.default_rng(4)
    cards = np.tile(np.arange(52, dtype=np.uint8), (HANDS // 10, 1))
    some = chance.permuted(cards, axis=1)[:, :size]
    return np.ascontiguousarray(np.tile(some, (10, 1)))


def best(turn: Callable[[], float], between: Callable[[], object]) -> float:
    """The least of several turns, with something else between them."""
    least = turn()
    for _ in range(TURNS - 1):
        between()
        least = min(least, turn())
    return least


def advices(between: Callable[[], object]) -> Iterator[Timed]:
    rules = croupier.rules("UTH-S", blind="A")
    for street, board in (("flop", "Qh 8s 2d"), ("river", "Qh 8s 2d 3h 3s")):
        ask = partial(croupier.advise, rules, "Kd 5c", board=board)
        ask()
        seconds = best(partial(_each, ask), between)
        yield Timed(f"advice on the {street}, in process", seconds, f"{seconds * 1e3:.2f} ms", 1)


def from_the_shell(between: Callable[[], object]) -> Row:
    """The shortest of advice, beside what any program with NumPy takes at least."""
    croupier_ran(*ADVISE)  # writes bytecode
    seconds = best(lambda: croupier_ran(*ADVISE).processor_s, between)
    numpy_s = best(lambda: ran(sys.executable, "-c", "import numpy").processor_s, between)
    what = "croupier advise on the flop, from the shell"
    beside = f"time of Python that loads NumPy ({numpy_s:.2f} s)"
    return Row(what, f"{seconds:.2f} s of processor time", seconds / numpy_s, beside)


def _each(ask: Callable[[], object], times: int = 20) -> float:
    return cpu_s(lambda: [ask() for _ in range(times)]) / times


def rankings(between: Callable[[], object]) -> Iterator[Timed]:
    sevens = random_hands(7)
    for name, rank, hands in (
        ("rank_hands, five cards, uint8", croupier.rank_hands, random_hands(5)),
        ("rank_hands, seven cards, uint8", croupier.rank_hands, sevens),
        (
            "rank_hands, seven cards, uint8 by columns",
            croupier.rank_hands,
            np.asfortranarray(sevens),
        ),
        ("rank_hands, seven cards, int64", croupier.rank_hands, sevens.astype(np.int64)),
        (
            "rank_hands, seven cards, int64 by columns",
            croupier.rank_hands,
            np.asfortranarray(sevens, dtype=np.int64),
        ),
        ("rank_four_card_hands, five cards", croupier.rank_four_card_hands, random_hands(5)),
    ):
        rank(hands[:10])
        seconds = best(partial(cpu_s, partial(rank, hands)), between)
        yield Timed(name, seconds, f"{HANDS / seconds / 1e6:.0f} M hands/s", HANDS)
    one = sevens[0].tolist()
    croupier.rank_hand(one)
    times = 100_000
    seconds = best(lambda: cpu_s(lambda: [croupier.rank_hand(one) for _ in range(times)]), between)
    each = seconds / times
    yield Timed("rank_hand, one hand at a time", each, f"{each * 1e6:.2f} us a hand", 1)


def rows() -> Iterator[Row]:
    turn = eval7_unit()
    units: list[float] = []

    def between() -> None:
        units.append(turn())

    yield from_the_shell(between)
    found: list[Timed] = []
    for timed in chain(advices(between), rankings(between)):
        progress(f"  {timed.what}: {timed.told}")
        found.append(timed)
    hand_s = min(units)
    for timed in found:
        one = timed.hands == 1
        many = f"one hand ({1e6 * hand_s:.2f} us)" if one else f"{number(timed.hands)} hands"
        beside = f"time of eval7 for {many}"
        yield Row(timed.what, timed.told, timed.seconds / hand_s / timed.hands, beside)
