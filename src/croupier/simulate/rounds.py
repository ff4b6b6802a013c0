"""Rounds played in shards: what one shard gives, and how many are added up on this machine.

A round's cards depend on the seed and the round's number alone, counts are integers, and awards
from meters are noted and paid afterwards in the order of the rounds. So nothing depends on how the
rounds were cut into shards, on the number of workers, or on which of them took what.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.assumptions import refuse_base, refuse_sides
from croupier.exact.kernels.compiled import in_chunks, threads_to_use
from croupier.facts.errors import Unreadable
from croupier.games.shapes import GameShape, shape_of
from croupier.simulate.decision_tables import four_card_minds, holdem_bets_minds, holdem_minds
from croupier.simulate.kernels import four_card, holdem, holdem_bets, known_cards
from croupier.simulate.kernels.counter_shoe import deal_rounds, new_hand, new_shoe
from croupier.simulate.kernels.settlement import (
    LIMBS,
    MOST_NET,
    RoundArrays,
    RoundCounts,
    StakedRules,
    new_notes,
    new_seen,
)
from croupier.simulate.knowing_tables import known_card_minds
from croupier.simulate.listed_game import listed_game, listed_minds, refuse_unlisted
from croupier.simulate.plan import MOST_ROUNDS, KnowingStrategy, SimulationPlan
from croupier.simulate.staked_rules import staked_rules_of

SHARD = 1 << 16
HANDFUL = 128  # rounds decided together
PIECE = 1 << 12  # rounds noted together: small enough to stay in a processor's cache
# By shape: what makes the tables of strategies, and the module of kernels; a game of another shape
# is listed, where its hands are few enough.
SHAPES: dict[GameShape, tuple[Callable[[SimulationPlan], tuple[Any, Any]], Any]] = {
    GameShape.HOLDEM: (holdem_minds, holdem),
    GameShape.HOLDEM_BETS: (holdem_bets_minds, holdem_bets),
    GameShape.FOUR_CARD: (four_card_minds, four_card),
}
# The same where some players know cards too early.
KNOWING: dict[GameShape, tuple[Callable[[SimulationPlan], tuple[Any, Any]], Any]] = {
    GameShape.HOLDEM: (known_card_minds, known_cards),
}
_preparing = threading.Lock()


@dataclass(frozen=True, eq=False)
class KernelTables:
    """A plan in numbers: what its game's kernels need."""

    staked: StakedRules
    minds: Any
    hands: Any
    game: Any  # the module of the game's kernels

    def new_tally(self) -> RoundCounts:
        staked = self.staked
        boxes, cases = staked.case_nets.shape
        most = staked.nets.shape[2]
        return RoundCounts(
            np.zeros((boxes, cases, most), dtype=np.int64),
            np.zeros((boxes, len(staked.sides), most), dtype=np.int64),
            np.zeros((boxes, len(staked.envy_pays)), dtype=np.int64),
            np.zeros((boxes + 1, 1 + LIMBS), dtype=np.int64),
            np.zeros((boxes, 2, 2 + LIMBS), dtype=np.int64),
        )

    @property
    def cards(self) -> int:
        """How many cards a round takes."""
        return int(self.game.dealt_cards(len(self.staked.decides), self.staked.six >= 0))

    def new_seen(self) -> RoundArrays:
        return new_seen(len(self.staked.decides), len(self.game.LOOKS), len(self.staked.sides))


@dataclass(frozen=True, eq=False)
class ShardResult:
    """What some rounds brought: counts, and every award a meter owes, in order.

    A hit is a row: the round, the box, the line of the Progressive, and what the box and the table
    won or lost in that round without any award.
    """

    rounds: int
    tally: RoundCounts
    hits: NDArray[np.int64]


@dataclass
class ShardSum:
    """Shards added up in whatever order they come."""

    rounds: int = 0
    tally: RoundCounts | None = None
    hits: list[NDArray[np.int64]] = field(default_factory=list)

    def add(self, played: ShardResult) -> None:
        self.rounds += played.rounds
        self.hits.append(played.hits)
        if self.tally is None:
            self.tally = played.tally
        else:
            for mine, more in zip(self.tally, played.tally, strict=True):
                mine += more


def together(heaps: Iterable[ShardSum]) -> ShardResult:
    """Everything that was played, the hits in the order of the rounds.

    A round is played in one shard, which notes its hits in settling order; sorting keeps that.
    """
    whole = ShardSum()
    for heap in heaps:
        if heap.tally is not None:
            whole.add(ShardResult(heap.rounds, heap.tally, np.concatenate(heap.hits)))
    assert whole.tally is not None, "at least one round was played"
    hits = np.concatenate(whole.hits)
    return ShardResult(whole.rounds, whole.tally, hits[np.argsort(hits[:, 0], kind="stable")])


def prepared(plan: SimulationPlan) -> KernelTables:
    """The table of a plan, made once in a process, however many threads ask for it."""
    with _preparing:
        return _prepared(plan)


@lru_cache(maxsize=4)
def _prepared(plan: SimulationPlan) -> KernelTables:
    refuse_game(plan)
    rules = plan.rules
    shape = shape_of(rules)
    minds_of, game = SHAPES.get(shape) or (listed_minds, listed_game(rules))
    if _knowing(plan):
        minds_of, game = KNOWING[shape]
    staked = staked_rules_of(plan)
    _refuse_large_sums(staked)
    minds, hands = minds_of(plan)
    return KernelTables(staked, minds, hands, game)


def refuse_game(plan: SimulationPlan) -> None:
    """A game without kernels of its own must be small enough to be listed; what a kernel takes for
    granted of the rules must be so."""
    refuse_base(plan.rules)
    refuse_sides(plan.rules)
    if shape_of(plan.rules) not in SHAPES:
        refuse_unlisted(plan.rules)
    if _knowing(plan) and shape_of(plan.rules) not in KNOWING:
        raise Unreadable(f"{plan.rules.game.name} has no kernels for players who know cards")


def _knowing(plan: SimulationPlan) -> bool:
    return any(isinstance(mind, KnowingStrategy) for mind in plan.minds)


def _refuse_large_sums(staked: StakedRules) -> None:
    """What all boxes together may win or lose in a round must be small enough to be squared."""
    sides = np.abs(staked.nets).max(axis=2, initial=0).sum()
    envy = int(staked.envy_pays.max()) * len(staked.decides) ** 2
    if int(np.abs(staked.case_nets).max(axis=1).sum()) + int(sides) + envy >= MOST_NET:
        raise Unreadable("these stakes are too large to be added up exactly; stake less")


def play_shard(plan: SimulationPlan, start: int, stop: int) -> ShardResult:
    """The rounds from ``start`` to before ``stop``; anybody anywhere gets the same."""
    table = prepared(plan)
    staked, tally = table.staked, table.new_tally()
    most = (stop - start) * len(staked.decides) if staked.progressive >= 0 else 1
    hits = np.empty((most, 5), dtype=np.int64)
    found = table.game.play_rounds(
        np.uint64(plan.seed), start, stop, table.cards, staked, table.minds, table.hands,
        new_shoe(), new_hand(HANDFUL, len(staked.decides)), table.new_seen(), tally, hits,
    )  # fmt: skip
    return ShardResult(stop - start, tally, hits[:found].copy())


def look_at(plan: SimulationPlan, dealt: NDArray[np.int64]) -> RoundArrays:
    """How rounds of given cards are played and end, each as the kernel sees it."""
    table = prepared(plan)
    seen = table.new_seen()
    noted = new_notes(len(dealt), seen)
    hand = new_hand(len(dealt), len(plan.seats), dealt)
    table.game.note_rounds(hand, table.staked, table.minds, table.hands, seen, noted)
    return noted


def nets_and_actions(
    plan: SimulationPlan, first: int, rounds: int
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """[round, box]: what each won or lost without awards, and what it did; for who follows them."""
    table = prepared(plan)
    seen = table.new_seen()
    noted = new_notes(min(PIECE, rounds), seen)
    nets = np.empty((rounds, len(plan.seats)), dtype=np.int64)
    actions = np.empty(nets.shape, dtype=np.uint8)
    for start in range(0, rounds, PIECE):
        count = min(PIECE, rounds - start)
        hand = new_hand(count, len(plan.seats), dealt(plan, first + start, count))
        table.game.note_rounds(hand, table.staked, table.minds, table.hands, seen, noted)
        nets[start : start + count] = noted.nets[:count]
        actions[start : start + count] = noted.actions[:count]
    return nets, actions


def dealt(plan: SimulationPlan, first: int, rounds: int) -> NDArray[np.int64]:
    """The cards of some rounds, a row each, in the order of the game's kernel."""
    table = prepared(plan)
    rows = np.zeros((rounds, table.cards), dtype=np.int64)
    deal_rounds(np.uint64(plan.seed), first, table.cards, rounds, new_shoe(), rows)
    return rows


def play(
    plan: SimulationPlan,
    rounds: int,
    workers: int | None = None,
    progress: Callable[[float], None] = lambda done: None,
) -> ShardResult:
    """Play so many rounds on this machine's cores."""
    refuse_rounds(rounds)
    heaps = [ShardSum() for _ in range(threads_to_use(workers))]
    prepared(plan)
    in_chunks(
        lambda heap, start, stop: heap.add(play_shard(plan, start, stop)),
        heaps, rounds, SHARD, progress,
    )  # fmt: skip
    return together(heaps)


def refuse_rounds(rounds: int) -> None:
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Unreadable(f"1 to {MOST_ROUNDS:,} rounds can be played, not {rounds:,}")
