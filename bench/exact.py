"""How long the exact solutions take and how fast hands are ranked, beside eval7 in the same run."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import croupier
from croupier.exact import uth
from croupier.exact.solve import solve

HANDS = 10_000_000
EVAL7_HANDS = 1_000_000


def eval7_seconds() -> float:
    """What eval7 needs for ten million seven-card hands: a tenth of them timed, times ten."""
    import eval7

    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    chance = random.Random(3)
    hands = [chance.sample(deck, 7) for _ in range(EVAL7_HANDS)]
    evaluate = eval7.evaluate
    return took(lambda: [evaluate(hand) for hand in hands]) * HANDS / EVAL7_HANDS


def took(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def random_hands(size: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Ten million random hands: each row is the start of a shuffled deck."""
    chance = np.random.default_rng(4)
    cards = np.tile(np.arange(52, dtype=np.uint8), (HANDS // 10, 1))
    some = chance.permuted(cards, axis=1)[:, :size]
    return np.ascontiguousarray(np.tile(some, (10, 1)))


def command_seconds(*arguments: str) -> float:
    command = [sys.executable, "-m", "croupier", *arguments]
    return took(lambda: subprocess.run(command, check=True, capture_output=True))


def main() -> None:
    unit = eval7_seconds()
    print(f"eval7, {HANDS:,} seven-card hands: {unit:.2f} s, the unit of the ratios below")
    for name, rank, sizes in (
        ("rank_hands", croupier.rank_hands, (5, 6, 7)),
        ("rank_four_card_hands", croupier.rank_four_card_hands, (4, 5, 6)),
    ):
        for size in sizes:
            hands = random_hands(size)
            rank(hands[:10])
            seconds = took(partial(rank, hands))
            speed = HANDS / seconds / 1e6
            print(f"{name}, {size} cards: {speed:.0f} M hands/s, {unit / seconds:.0f} times eval7")
    for game, rules in (
        ("uth", croupier.rules("UTH-S", blind="A")),
        ("four-card", croupier.rules("FCP-14")),
    ):
        solve(rules)
        uth.forget()
        seconds = took(partial(solve, rules))
        print(f"solve {game}, in a running process: {seconds:.2f} s, {seconds / unit:.3f} units")
        seconds = command_seconds("solve", game, "--no-cache", "--json")
        print(
            f"croupier solve {game} --no-cache --json: {seconds:.2f} s, {seconds / unit:.3f} units"
        )
