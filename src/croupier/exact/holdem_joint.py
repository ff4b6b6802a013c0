"""Hold'em counted jointly: how the base game and every staked side wager end in the same deal.

The kernel tells the final hand by its cell, the lower hand by its line, and hole and flop by one
line of both; boards are counted line by line, each board once. Starting hands that differ in the
names of their suits alone have as many deals of each kind, so what a paytable says of suits is
shared out evenly; deals in which player and dealer both hold aces are counted apart. A wager with
four cards of its own tells each of these deals apart by what its six cards make.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from croupier.exact import holdem, holdem_bets
from croupier.exact.base_game import BetsInAntes, LimitedAnte, Showdown
from croupier.exact.hand_partitions import FINAL, Partition, partition_of
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import holdem as kernel
from croupier.exact.kernels import six_card_tables
from croupier.exact.kernels.holdem_six_cards import count_with_six
from croupier.exact.kernels.poker_rank import rank_once
from croupier.exact.kernels.positions import positions
from croupier.exact.kernels.showdown_rows import (
    LOSS,
    LOSS_QUALIFYING,
    TIE,
    WIN,
    WIN_QUALIFYING,
)
from croupier.exact.side_wagers import ACES, line_after, line_number
from croupier.exact.six_cards import SIX_CARDS, MetPart, SharedLines, SixCells, sixes_with
from croupier.exact.staked_side import JointEnding, StakedSide, shared, written
from croupier.facts.cards import DECK, Rank
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FIVE_CARD, TWO_CARD, Category
from croupier.facts.progress import Progress
from croupier.facts.showings import Showing
from croupier.games.rules import Rules
from croupier.rulebook.book import Paytable

LOWER, BOARD, FLOP, HOLE = "lower hand", "board", "hole cards and flop", "first two cards"
LOOKS = (FINAL, LOWER, BOARD, FLOP, HOLE, SIX_CARDS)
JointCounts = NDArray[np.int64]
NO_SIX: SharedLines = (((), Fraction(1)),)
"""By wager its line, and what share of the deals is paid so: where none looks at six cards."""
_SIX_OF = {
    Category.THREE_OF_A_KIND: six_card_tables.THREE,
    Category.STRAIGHT: six_card_tables.STRAIGHT,
    Category.FLUSH: six_card_tables.FLUSH,
    Category.FULL_HOUSE: six_card_tables.FULL_HOUSE,
    Category.FOUR_OF_A_KIND: six_card_tables.FOUR,
    Category.STRAIGHT_FLUSH: six_card_tables.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH: six_card_tables.ROYAL,
}
_ACES = tuple(card.number for card in DECK if card.rank is Rank.ACE)


@dataclass(frozen=True)
class HoleLines:
    """Groups of starting hands that are paid alike on their first two cards; the pairs of aces are
    one of their own where it matters that the dealer holds the others."""

    group_of: NDArray[np.uint8]  # by hole
    shares: tuple[SharedLines, ...]  # by group
    aces: int
    against_aces: SharedLines


def joint_endings(
    rules: Rules, sides: Sequence[StakedSide], limited: LimitedAnte, progress: Progress
) -> Iterator[JointEnding]:
    """Every way a round of Hold'em with one Play ends, under the best play of its base game."""
    game, partitions = holdem.kernel_game(rules, limited)
    strategy = holdem.decided(game, progress).strategy
    by_look = {look: [side.table for side in sides if side.judged_by == look] for look in LOOKS}
    board, flop, low = (partition_of(by_look[look]) for look in (BOARD, FLOP, LOWER))
    holes = hole_lines([side for side in sides if side.judged_by == HOLE])
    lines = kernel.SideLines(
        flop=flop.cells,
        low=low.cells,
        hole=holes.group_of,
        with_low=bool(by_look[LOWER] and (by_look[FLOP] or by_look[HOLE])),
    )
    cells = JointCells(
        rules, holdem.actions(rules), sides, (partitions.final, board, flop, low), holes
    )
    on_board = board.cells[rank_once(positions().boards)]
    for number, line in enumerate(parts := np.unique(on_board).tolist()):

        def report(what: str, done: float, number: int = number) -> None:
            progress(what, (number + done) / len(parts))

        chosen = on_board == line
        if by_look[SIX_CARDS]:
            of_six = count_with_six(game, strategy, lines, progress=report, chosen=chosen)
            aces_of_six = np.zeros((len(of_six), len(flop.firsts), *of_six.shape[2:]), np.int64)
            if holes.against_aces:
                _add_both_aces(strategy, game, lines, chosen, aces_of_six)
            by_six = zip(of_six, aces_of_six, six_shares(by_look[SIX_CARDS]), strict=True)
            for table, both_aces, six in by_six:
                yield from cells.endings(line, table, both_aces, six)
            continue
        counts = kernel.count(game, strategy, lines, progress=report, chosen=chosen)
        table = counts.by_flop_low if lines.with_low else counts.by_low[None]
        if not by_look[LOWER]:
            table = counts.by_flop[:, None]
        both_aces = np.zeros((len(flop.firsts), *table.shape[1:]), dtype=np.int64)
        if holes.against_aces and both_aces.shape[:2] == (1, 1):
            both_aces[0, 0] = counts.mirrored
        elif holes.against_aces:
            _add_both_aces(strategy, game, lines, chosen, both_aces[None])
        yield from cells.endings(line, table, both_aces)


def six_shares(tables: Sequence[Paytable]) -> list[SharedLines]:
    """By what six cards make, as the kernel tells it: the lines that these paytables pay."""
    if not tables:
        return []
    cells = SixCells.of(tables)
    made = [_SIX_OF.get(hand.category, six_card_tables.LESS) for hand in samples(FIVE_CARD)]
    found = {*zip(made, cells.of_class.tolist(), strict=True)}
    if len(found) != six_card_tables.SUPER_ROYAL:
        raise Unreadable(
            "a wager with cards of its own is counted where it pays all hands of a category alike, "
            "and none below three of a kind"
        )
    by_made = [cells.shares[cell] for _, cell in sorted(found)]
    return [*by_made, cells.shares[-1]]


def bets_endings(
    rules: Rules, sides: Sequence[StakedSide], progress: Progress
) -> Iterator[JointEnding]:
    """The same where bets add up; its kernel tells final hands apart and nothing else."""
    solved = holdem_bets.solve_base(rules, progress)
    table = solved.counts.by_start.sum(axis=0)[None, None]
    one = partition_of([])
    partitions = (solved.cells.final, one, one, one)
    cells = JointCells(rules, solved.actions, sides, partitions, hole_lines([]))
    yield from cells.endings(0, table, np.zeros_like(table))


def hole_lines(sides: Sequence[StakedSide]) -> HoleLines:
    """How wagers on the first two cards tell starting hands apart."""
    spots = positions()
    alone: list[Counter[tuple[int, ...]]] = [Counter() for _ in spots.starts]
    against, aces = Counter[tuple[int, ...]](), 0
    for hole, start in zip(spots.holes.tolist(), spots.start_of.tolist(), strict=True):
        two = (DECK[hole[0]], DECK[hole[1]])
        hand = TWO_CARD.hand(two)
        alone[start][_lines(sides, Showing(hand, two, None))] += 1
        if hand == ACES:
            aces = start
            against[_lines(sides, Showing(hand, two, ACES))] += 1
    apart = _shares(against) if against != alone[aces] else ()
    groups: dict[tuple[SharedLines, bool], int] = {}
    of_start = np.array(
        [
            groups.setdefault((_shares(lines), bool(apart) and start == aces), len(groups))
            for start, lines in enumerate(alone)
        ],
        dtype=np.uint8,
    )
    shares = tuple(shared for shared, _ in groups)
    return HoleLines(of_start[spots.start_of], shares, int(of_start[aces]), apart)


def _lines(sides: Sequence[StakedSide], showing: Showing) -> tuple[int, ...]:
    return tuple(line_number(side.table, showing) for side in sides)


def _shares(lines: Counter[tuple[int, ...]]) -> SharedLines:
    whole = sum(lines.values())
    return tuple(sorted((line, Fraction(holes, whole)) for line, holes in lines.items()))


def _add_both_aces(
    strategy: kernel.HoldemStrategy, game: kernel.HoldemGame, lines: kernel.SideLines,
    chosen: NDArray[np.bool_], found: JointCounts,
) -> None:  # fmt: skip
    """Add the deals in which player and dealer both hold aces: by what six cards make (or all in
    one), line of the flop, line of the lower hand, action, cell and outcome. A board of each kind
    meets all six pairs."""
    raised = int(strategy.preflop[_ACES[1] * (_ACES[1] - 1) // 2 + _ACES[0]])
    if raised == kernel.NO_RAISE:
        raise Unreadable(
            "where aces are not raised before the flop, a wager on the dealer's aces is counted "
            "with no other on the flop, the lower hand or six cards; leave one of them out"
        )
    spots = positions()
    kept = chosen & ~np.isin(spots.boards, _ACES).any(axis=1)
    boards, weights = spots.boards[kept], spots.board_weights[kept, None]
    for own in combinations(_ACES, 2):
        others = [card for card in _ACES if card not in own]
        if len(found) > 1:
            weights = spots.board_weights[kept, None] * sixes_with(own, _with(boards, others))
        mine, theirs = (rank_once(_with(boards, hole)) for hole in (own, others))
        opens = theirs >= game.first_qualifying
        won = np.where(opens, WIN_QUALIFYING, WIN)
        lost = np.where(opens, LOSS_QUALIFYING, LOSS)
        ends = np.where(mine == theirs, TIE, np.where(mine > theirs, won, lost))
        low, cells = lines.low[np.minimum(mine, theirs)], game.cell_of_class[mine]
        for three in combinations(range(boards.shape[1]), 3):
            flop = lines.flop[rank_once(_with(boards[:, three], own))]
            for six, ways in zip(found, weights.T, strict=True):
                np.add.at(six[:, :, raised], (flop, low, cells, ends), ways)


def _with(cards: NDArray[np.uint8], hole: Sequence[int]) -> NDArray[np.uint8]:
    held = np.tile(np.array(hole, dtype=np.uint8), (len(cards), 1))
    return np.concatenate([cards, held], axis=1)


@dataclass(frozen=True)
class JointCells:
    """From the kernel's numbers to how each wager ends."""

    rules: Rules
    actions: Sequence[tuple[str, BetsInAntes]]
    sides: Sequence[StakedSide]
    partitions: tuple[Partition, Partition, Partition, Partition]
    holes: HoleLines

    def endings(
        self, board: int, table: JointCounts, both_aces: JointCounts, six: SharedLines = NO_SIX
    ) -> Iterator[JointEnding]:
        """``table`` is by line of flop and hole, of the lower hand, action, cell and outcome; all
        its six cards make the same."""
        groups = len(self.holes.shares)
        others = table.copy()
        others.reshape(-1, groups, *table.shape[1:])[:, self.holes.aces] -= both_aces
        for line, *at in np.argwhere(others).tolist():
            flop, group = divmod(line, groups)
            ways = int(others[line, *at])
            shares = self.holes.shares[group]
            yield from self._shared_out((board, flop, *at), product(shares, six), ways)
        for at in np.argwhere(both_aces).tolist():
            shares = self.holes.against_aces
            yield from self._shared_out((board, *at), product(shares, six), int(both_aces[*at]))

    def _shared_out(
        self, at: tuple[int, ...], shares: Iterable[tuple[MetPart, MetPart]], ways: int
    ) -> Iterator[JointEnding]:
        board, flop, low, action, cell, outcome = at
        hand, ends = self._hands[cell]
        showdown, opens = ends[outcome]
        places = {FINAL: cell, BOARD: board, FLOP: flop, LOWER: low}
        folded = action == len(self.actions) - 1
        both = (((of_hole, of_six), a * b) for (of_hole, a), (of_six, b) in shares)
        for (of_holes, of_sixes), count in shared(ways, both):
            lines, of_hole, of_six = [], iter(of_holes), iter(of_sixes)
            for side, by_place in zip(self.sides, self._lines_by_place, strict=True):
                if side.judged_by == HOLE:
                    line = next(of_hole)
                elif side.judged_by == SIX_CARDS:
                    line = next(of_six)
                elif side.judged_by == LOWER and outcome == TIE:
                    line = len(side.table.lines)
                else:
                    line = by_place[places[side.judged_by]]
                lines.append(line_after(side.terms, side.table, line, folded, showdown))
            name = self.actions[action][0]
            yield JointEnding(name, showdown, opens, hand, tuple(lines), count)

    @cached_property
    def _hands(self) -> list[tuple[str, tuple[tuple[Showdown, bool], ...]]]:
        """By cell: a hand of it, and how its showdowns end."""
        hands = [samples(FIVE_CARD)[first] for first in self.partitions[0].firsts]
        return [(written(hand), holdem.ends_of(self.rules, hand)) for hand in hands]

    @cached_property
    def _lines_by_place(self) -> list[list[int]]:
        """By side wager, then by cell of what it looks at: its line."""
        looked_at = dict(zip((FINAL, BOARD, FLOP, LOWER), self.partitions, strict=True))
        return [
            looked_at[side.judged_by].lines(side.table) if side.judged_by in looked_at else []
            for side in self.sides
        ]
