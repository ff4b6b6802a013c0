"""Hold'em with one Play, exactly: the best decisions everywhere, and the count of every deal.

All 27.8 trillion ways to deal a hole, a flop, turn and river (as a set) and the dealer's hole are
counted, each under the action the player takes. Kernels count and compare integers; what a wager
pays for a count is multiplied by the caller, in Python's integers.

    best = decide(game)                              the best strategy, and the values it rests on
    counts = count(game, best.strategy, side_lines)  every deal, under this or any other strategy

A strategy must not tell suits apart: positions that differ by a renaming of suits are decided
alike. :class:`HoldemStrategy` says how its arrays are numbered, :mod:`.positions` finds the place
of cards in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.kernels import holdem_counts, holdem_values
from croupier.exact.kernels.array_types import Int64s, Integers, Uint8s, Uint64s
from croupier.exact.kernels.compiled import Progress, in_chunks, threads_to_use
from croupier.exact.kernels.holdem_counts import (
    ACTIONS,
    CHECK_PREFLOP,
    FLOP_BET,
    FOLD,
    HIGH_RAISE,
    LOW_RAISE,
    RIVER_BET,
    Boards,
    Decisions,
    FlopLines,
    Groups,
    HoldemCounts,
    LineTables,
)
from croupier.exact.kernels.holdem_values import HoldemPays
from croupier.exact.kernels.poker_rank import CLASSES, rank_once, tables
from croupier.exact.kernels.positions import (
    CHOOSE,
    FULL_DECK,
    HOLES,
    NO_SUIT,
    WORDS,
    Positions,
    positions,
)
from croupier.exact.kernels.showdown_rows import OUTCOME_SLOTS, OUTCOMES, WIN, WIN_QUALIFYING
from croupier.exact.kernels.suit_views import (
    FEWEST_SUITED,
    PAIRS,
    RANK_PAIRS,
    Views,
    rows,
    rows_of_boards,
    views,
)

Classes = Uint8s
NO_LINE = 255
MOST_SUMS = 4  # threads that add up boards
NO_RAISE = 255  # in a strategy: nothing is raised before the flop


def _one_line() -> Classes:
    return np.zeros(CLASSES, dtype=np.uint8)


def _one_hole_line() -> Uint8s:
    return np.zeros(HOLES, dtype=np.uint8)


@dataclass(frozen=True)
class HoldemGame:
    """What decides money and the player's choices. Classes are those of :mod:`.poker_rank`.

    Results are in units, by cell of the player's hand and by outcome. Multiples of the Ante stand
    street by street, the largest first; a street without any leaves nothing to do but to go on, and
    at the end to fold.
    """

    cell_of_class: Classes  # (7462,): the cells of hands that every wager pays alike, from 0
    stakes: Int64s  # (cells, outcomes): the wagers made at once, when the hand is shown down
    play: Int64s  # (cells, outcomes): a Play of one Ante
    folded: Int64s  # (cells, outcomes): all wagers, after a fold
    denominator: int  # units in one Ante
    first_qualifying: int  # the least class with which the dealer qualifies
    preflop: tuple[int, ...] = (4, 3)
    flop: tuple[int, ...] = (2,)
    river: tuple[int, ...] = (1,)
    # Under a payout limit (actions, cells, outcomes): what a round wins or loses, in units.
    limited: Int64s | None = None

    def __post_init__(self) -> None:
        if len(self.cell_of_class) != CLASSES or max(self.cell_of_class) >= len(self.stakes):
            raise ValueError(f"every one of the {CLASSES} classes needs a cell, and it a result")
        if {self.stakes.shape, self.play.shape, self.folded.shape} != {self.ends}:
            raise ValueError(f"a result is needed for each cell and each of {OUTCOMES} outcomes")
        for multiples in (self.preflop, self.flop, self.river):
            if tuple(sorted({*multiples}, reverse=True)) != multiples:
                raise ValueError("multiples stand from the largest to the smallest")
        if self.limited is not None and self.limited.shape != (self.actions, *self.ends):
            raise ValueError(
                f"a limit asks for what each of {self.actions} actions wins, cell by cell"
            )

    @property
    def actions(self) -> int:
        """Every Play that can be made, street by street, and last the fold."""
        return len(self.preflop) + len(self.flop) + len(self.river) + 1

    @property
    def ends(self) -> tuple[int, int]:
        """How many ways a round ends after one action: the player's cell, and the outcome."""
        return len(self.stakes), OUTCOMES

    @property
    def carried(self) -> int:
        """How many values of a position are added up; see :mod:`.holdem_values`."""
        return len(self.flop) + 1

    @property
    def results(self) -> Int64s:
        """What each action wins: (actions, cells, outcomes)."""
        if self.limited is not None:
            return self.limited
        shown = [self.stakes + m * self.play for m in (*self.preflop, *self.flop, *self.river)]
        return np.stack([*shown, self.folded])

    @property
    def forms(self) -> Int64s:
        """What is summed over the dealer's hands; see :class:`.holdem_values.HoldemPays`."""
        raises, first_end = len(self.preflop), len(self.preflop) + len(self.flop)
        found = self.results
        parts = found[raises:first_end], found[-1:], found[:raises], found[first_end:-1]
        return np.concatenate(parts)

    def is_asked_as(self, other: HoldemGame) -> bool:
        """Whether both games differ in nothing but in what is paid."""
        mine, theirs = (
            (game.preflop, game.flop, game.river, game.first_qualifying) for game in (self, other)
        )
        return mine == theirs

    @property
    def largest_result(self) -> int:
        """No round wins or loses more, in units."""
        if self.limited is not None:
            return int(np.abs(self.limited).max())
        multiple = max((*self.preflop, *self.flop, *self.river), default=0)
        shown = np.abs(self.stakes).max() + multiple * np.abs(self.play).max()
        return int(max(shown, np.abs(self.folded).max()))


@dataclass(frozen=True)
class SideLines:
    """How side wagers tell hands apart: by class, the line on which the wager pays it, from 0.

    Lines of the flop and of holes are counted together: the line of both is that of the flop times
    the lines of holes, and that of the hole. Holes are told apart by starting hand alone.
    """

    board: Classes = field(default_factory=_one_line)  # the five cards of the board
    flop: Classes = field(default_factory=_one_line)  # the player's two cards and the flop
    low: Classes = field(default_factory=_one_line)  # the lower of the two final hands
    mirrored_rank: int = 12  # a pair of it, aces, with both player and dealer is also counted
    hole: Uint8s = field(default_factory=_one_hole_line)  # (1326,): the player's two cards
    with_low: bool = False  # whether lines of hole and flop are counted with those of ``low``

    @property
    def flop_lines(self) -> int:
        """How many lines the flop and the holes have together."""
        return int(self.flop.max() + 1) * int(self.hole.max() + 1)


@dataclass(frozen=True)
class HoldemStrategy:
    """What the player does in every position."""

    preflop: Uint8s  # (1326,) by hole: which multiple is raised, from 0, or NO_RAISE
    flop: Uint8s  # (canonical flops, 1326): which is bet, from 1, or 0; see Positions.flop_spot
    river: Uint64s  # (multiples, canonical boards, 17): a bit a hole; Positions.board_spot


@dataclass(frozen=True)
class Best:
    """The best strategy and the values that decide it: sums, in units, over all that can come."""

    strategy: HoldemStrategy
    start_values: Int64s  # (starts, raises + 1): each raise, then check; over its holes
    flop_bets: Int64s  # (multiples, canonical flops, 1326), over all that is still unseen
    flop_checks: Int64s  # (canonical flops, 1326)
    also: tuple[Int64s, ...] = ()  # the start values of the games that were asked also


class _Flops(NamedTuple):
    """What is known when every flop is decided."""

    bet_values: Int64s
    check_values: Int64s
    bets: Uint8s
    start_values: Int64s


def decide(
    game: HoldemGame,
    deck: tuple[int, ...] = FULL_DECK,
    threads: int | None = None,
    progress: Progress = lambda stage, done: None,
    also: Sequence[HoldemGame] = (),
) -> Best:
    """Find the best decision in every position; of equal ones the smaller wager.

    Of the games that are asked ``also`` only what their best decisions are worth is kept.
    """
    all_positions, deck_views, board_rows = prepared(deck)
    crew = [None] * threads_to_use(threads)
    (found, *others), river_bets = _decided_to_flop((game, *also), deck, crew, progress)
    river = np.zeros((len(game.river), len(board_rows), WORDS), dtype=np.uint64)
    for size, bits in enumerate(river, 1):

        def write(_: None, start: int, stop: int, size: int = size, bits: Uint64s = bits) -> None:
            boards = all_positions.boards
            holdem_values.write_river_bits(
                start, stop, boards, board_rows, deck_views, river_bets, size, bits
            )

        in_chunks(write, crew, len(board_rows), 2048, lambda done: progress("decisions", done))
    preflop = _best_preflop(found.start_values)[all_positions.start_of]
    strategy = HoldemStrategy(preflop, found.bets, river)
    values = tuple(other.start_values for other in others)
    return Best(strategy, found.start_values, found.bet_values, found.check_values, values)


def best_start_values(game: HoldemGame) -> Int64s:
    """What each starting hand's raises and its check are worth, and no decision written down."""
    crew = [None] * threads_to_use(None)
    (found,), _ = _decided_to_flop((game,), FULL_DECK, crew, lambda stage, done: None)
    return found.start_values


def _decided_to_flop(
    games: Sequence[HoldemGame], deck: tuple[int, ...], crew: list[None], progress: Progress
) -> tuple[list[_Flops], Uint8s]:
    """What each game is worth up to the flop; by row of boards and pair the first's last bets."""
    all_positions, deck_views, _ = prepared(deck)
    if not all(game.is_asked_as(games[0]) for game in games):
        raise ValueError("games that are decided together differ in what they pay alone")
    pays = _pays_of(games)
    largest = max(game.largest_result for game in games)
    of_four, raised, bets = board_sums(pays, deck_views, largest, len(crew), progress)
    sums = flop_sums(deck_views, of_four, crew, progress)
    del of_four
    raises = _raises_by_start(raised, all_positions, deck_views)
    found = []
    for number in range(len(games)):
        bet_values, check_values, flop_bets, checks = _decide_flops(
            number, pays.carried, all_positions, deck_views, sums, len(crew)
        )
        mine = raises[:, number * pays.raises : (number + 1) * pays.raises]
        start_values = np.column_stack([mine, checks])
        found.append(_Flops(bet_values, check_values, flop_bets, start_values))
    return found, bets


def _pays_of(games: Sequence[HoldemGame]) -> HoldemPays:
    """The games side by side; what a cell they have not would be paid is never asked."""
    first, forms = games[0], [game.forms for game in games]
    cells = max(len(game.stakes) for game in games)
    nets = np.zeros((len(games), len(forms[0]), cells, OUTCOMES), np.int64)
    for mine, theirs in zip(nets, forms, strict=True):
        mine[:, : theirs.shape[1]] = theirs
    cell_of_class = np.stack([game.cell_of_class for game in games]).astype(np.uint8)
    raises = len(first.preflop)
    return HoldemPays(cell_of_class, nets, first.carried, raises, first.first_qualifying)


def _raises_by_start(raised: Int64s, all_positions: Positions, deck_views: Views) -> Int64s:
    """From boards by pair of kinds, each suit's and no suit's, to starting hands and flops."""
    starts, in_deck = all_positions.start_of, all_positions.in_deck
    of_hole = sum(
        raised[family][:, pairs]
        for family, pairs in zip(deck_views.family_of, deck_views.pair_of, strict=True)
    )
    found = np.zeros((len(all_positions.starts), raised.shape[1]), np.int64)
    np.add.at(found, starts[in_deck], of_hole.T[in_deck])
    return found * holdem_counts.FLOPS_OF_A_BOARD


def flop_sums(deck_views: Views, of_four: Integers, crew: list[None], progress: Progress) -> Int64s:
    """By view of a flop and pair: sums over turns and rivers, from those of four cards."""
    flops = deck_views.flops
    sums = np.empty((len(flops.kinds), *of_four.shape[1:]), dtype=np.int64)
    larger = rows(4, len(deck_views.live)), FEWEST_SUITED[4], 2
    in_chunks(
        lambda _, start, stop: holdem_values.add_next_card(
            start, stop, flops, *larger, deck_views, of_four, sums
        ),
        crew, len(sums), 64, lambda done: progress("flops", done),
    )  # fmt: skip
    return sums


def count(
    game: HoldemGame,
    strategy: HoldemStrategy,
    side_lines: SideLines | None = None,
    deck: tuple[int, ...] = FULL_DECK,
    threads: int | None = None,
    progress: Progress = lambda stage, done: None,
    chosen: NDArray[np.bool_] | None = None,
) -> HoldemCounts:
    """Count every deal under a strategy: by line, action, cell of the player's hand, and outcome.

    ``chosen`` says which canonical boards are counted, otherwise all. The kernel tells two raises
    and one bet on each later street apart. Where there are more sizes it counts again: each time
    with one of them apart from the others of its street.

    Four tables of the result count the same deals: ``by_start`` by the starting hand (the rows of
    ``Positions.starts``), ``by_board``, ``by_flop`` and ``by_low`` by the side wagers' lines; and
    where it is asked for ``by_flop_low`` by two of these. ``mirrored`` counts only those in which
    both players hold a pair of that rank.
    """
    all_positions, deck_views, board_rows = prepared(deck)
    side = side_lines or SideLines()
    crew = threads_to_use(threads)
    lines = lines_of(game, side, all_positions, board_rows, len(deck_views.boards.kinds))
    groups, boards = (
        groups_of(all_positions, deck_views),
        boards_by_row(all_positions, deck_views, board_rows, chosen),
    )

    def counted(plain: HoldemStrategy) -> HoldemCounts:
        decisions = decisions_of(plain, all_positions, crew)
        flop_lines, common = flop_lines_of(side, all_positions, decisions)
        tallies = _new_tallies(game, side, len(all_positions.starts), crew)
        spaces = [
            (holdem_counts.count_room(groups, lines, side.flop_lines), tally) for tally in tallies
        ]
        in_chunks(
            lambda space, start, stop: holdem_counts.count_rows(
                start, stop, deck_views, tables(7), boards, groups, decisions, lines, flop_lines,
                *space,
            ),
            spaces, len(deck_views.boards.kinds), 256, lambda done: progress("deals", done),
        )  # fmt: skip
        total = HoldemCounts(
            *(sum(parts)[..., :OUTCOMES].copy() for parts in zip(*tallies, strict=True))
        )
        every = total.by_start.sum(axis=0)
        fill(total.by_board, lines.common_board, every)
        fill(total.by_flop, common, every)
        fill(total.by_low, lines.common_low, every)
        if side.with_low:
            fill(total.by_flop_low.swapaxes(0, 1), lines.common_low, total.by_flop)
            fill(total.by_flop_low, common, total.by_low)
        return total

    return by_size(game, strategy, counted)


def fill(counts: Int64s, common: int, every: Int64s) -> None:
    """Give the common line what all other lines leave."""
    counts[common] = 0
    counts[common] = every - counts.sum(axis=0)


def _new_tallies(game: HoldemGame, side: SideLines, starts: int, crew: int) -> list[HoldemCounts]:
    cells = len(game.stakes)
    low = side.low.max() + 1
    shapes = [
        *((starts,), (side.board.max() + 1,), (side.flop_lines,), (low,), ()),
        (side.flop_lines if side.with_low else 0, low),
    ]
    return [
        HoldemCounts(
            *(np.zeros((*shape, ACTIONS, cells, OUTCOME_SLOTS), np.int64) for shape in shapes)
        )
        for _ in range(crew)
    ]


def by_size(
    game: HoldemGame, strategy: HoldemStrategy, counted: Callable[[HoldemStrategy], HoldemCounts]
) -> HoldemCounts:
    """Count under strategies of two raises and one bet a street, and put the sizes together."""
    raises, bets, ends = len(game.preflop), len(game.flop), len(game.river)
    any_bet = (strategy.flop > 0).astype(np.uint8)
    no_end = np.zeros((1, *strategy.river.shape[1:]), np.uint64)
    any_end = np.bitwise_or.reduce(strategy.river, axis=0)[None] if ends else no_end

    def plain(apart: int, flop: Uint8s, river: Uint64s) -> HoldemCounts:
        preflop = np.where(strategy.preflop == apart, HIGH_RAISE, LOW_RAISE).astype(np.uint8)
        preflop[strategy.preflop == NO_RAISE] = CHECK_PREFLOP
        return counted(HoldemStrategy(preflop, flop, river))

    together = plain(0, any_bet, any_end)
    total = HoldemCounts(
        *(np.zeros((*t.shape[:-3], game.actions, *t.shape[-2:]), np.int64) for t in together)
    )
    takes = _Sizes(together, total)
    for size in range(1, max(raises, ends)):
        taken = size < raises - 1 and (strategy.preflop == size).any()
        bits = strategy.river[size : size + 1]
        if taken or (size < ends and bits.any()):
            found = plain(size, any_bet, bits if size < ends else any_end)
            takes.part(found, HIGH_RAISE, size, size < raises - 1)
            takes.part(found, RIVER_BET, raises + bets + size, size < ends)
    for size in range(1, bets):
        if (strategy.flop == size + 1).any():
            found = plain(0, (strategy.flop == size + 1).astype(np.uint8), any_end)
            takes.part(found, FLOP_BET, raises + size, True)
    if raises:
        takes.rest(HIGH_RAISE, 0, ())
    if raises > 1:
        takes.rest(LOW_RAISE, raises - 1, range(1, raises - 1))
    if bets:
        takes.rest(FLOP_BET, raises, range(raises + 1, raises + bets))
    if ends:
        takes.rest(RIVER_BET, raises + bets, range(raises + bets + 1, raises + bets + ends))
    takes.rest(FOLD, game.actions - 1, ())
    return total


class _Sizes(NamedTuple):
    """Counts of the kernel's five actions, written as those of every size."""

    together: HoldemCounts
    total: HoldemCounts

    def part(self, found: HoldemCounts, action: int, size: int, wanted: bool) -> None:
        """What was counted apart."""
        for mine, other in zip(self.total, found, strict=True):
            if wanted:
                mine[..., size, :, :] = other[..., action, :, :]

    def rest(self, action: int, size: int, others: Iterable[int]) -> None:
        """What the other sizes of a street leave."""
        for mine, whole in zip(self.total, self.together, strict=True):
            mine[..., size, :, :] = whole[..., action, :, :]
            for other in others:
                mine[..., size, :, :] -= mine[..., other, :, :]


@cache
def prepared(deck: tuple[int, ...]) -> tuple[Positions, Views, Int64s]:
    all_positions = positions(deck)
    deck_views = views(all_positions)
    return all_positions, deck_views, rows_of_boards(all_positions.boards, deck_views, NO_SUIT)


def board_sums(
    pays: HoldemPays, deck_views: Views, largest_result: int, threads: int, progress: Progress
) -> tuple[Integers, Int64s, Uint8s]:
    """The sums of all boards by view of four cards, those of raises, and the last decisions.

    Each thread has sums of its own, of 19 MB a value that is carried, so there are few.
    """
    boards, fours = deck_views.boards, rows(4, len(deck_views.live))
    total, of_ranks = len(boards.kinds), int(np.count_nonzero(boards.families == 0))
    narrow = np.dtype(showdown_dtype(largest_result))
    wide = np.dtype(four_card_dtype(largest_result))
    bets = np.zeros((total, PAIRS), np.uint8)
    spaces = [
        holdem_values.value_room(pays, deck_views, fours, narrow, wide)
        for _ in range(min(threads, MOST_SUMS))
    ]
    plain = np.zeros((of_ranks, len(spaces[0].values), RANK_PAIRS), narrow)
    seven = tables(7)
    for begin, end in ((0, of_ranks), (of_ranks, total)):

        def solve(
            space: holdem_values.ValueRoom, start: int, stop: int, begin: int = begin
        ) -> None:
            first, last = begin + start, begin + stop
            holdem_values.value_rows(
                first, last, deck_views, fours, seven, pays, space, plain, bets
            )

        def report(done: float, begin: int = begin, end: int = end) -> None:
            progress("showdowns", (begin + done * (end - begin)) / total)

        in_chunks(solve, spaces, end - begin, 512, report)
    of_four, raised = spaces[0].of_four, spaces[0].raised
    for space in spaces[1:]:
        of_four += space.of_four
        raised += space.raised
    return of_four, raised, bets


def showdown_dtype(largest_result: int) -> type[np.int32] | type[np.int64]:
    """32 bits where the sums of one showdown (and differences of two) fit, which is quicker."""
    one_showdown = 2 * 990 * largest_result
    if one_showdown * 1081 * 19600 * 12 >= 1 << 63:
        raise ValueError("the paytable's numbers are too large to be added up exactly in 64 bits")
    return np.int32 if one_showdown < 1 << 31 else np.int64


def four_card_dtype(largest_result: int) -> type[np.int32] | type[np.int64]:
    """The same for the sums of four cards, over at most 48 showdowns."""
    return np.int32 if 48 * 2 * 990 * largest_result < 1 << 31 else np.int64


def _decide_flops(
    game: int, carried: int, all_positions: Positions, deck_views: Views, sums: Int64s, crew: int
) -> tuple[Int64s, Int64s, Uint8s, Int64s]:
    shape = all_positions.flops.shape[0], len(all_positions.holes)
    bet_values = np.zeros((carried - 1, *shape), dtype=np.int64)
    check_values = np.zeros(shape, dtype=np.int64)
    bets = np.zeros(shape, dtype=np.uint8)
    tallies = [np.zeros(len(all_positions.starts), np.int64) for _ in range(crew)]
    spaces = [(holdem_values.flop_room(carried), tally) for tally in tallies]
    in_chunks(
        lambda space, start, stop: holdem_values.decide_flops(
            start, stop, all_positions.flops, all_positions.flop_weights, all_positions.start_of,
            deck_views, sums, game * carried, space[0], bet_values, check_values, bets, space[1],
        ),
        spaces, shape[0], 64, lambda done: None,
    )  # fmt: skip
    return bet_values, check_values, bets, sum(tallies[1:], tallies[0])


def _best_preflop(values: Int64s) -> Uint8s:
    """The best of each row; of equal ones the later, which is the smaller wager."""
    last = values.shape[1] - 1
    actions = np.array([*range(last), NO_RAISE], dtype=np.uint8)
    best: Uint8s = actions[last - np.argmax(values[:, ::-1], axis=1)]
    return best


def decisions_of(strategy: HoldemStrategy, all_positions: Positions, crew: int) -> Decisions:
    start_of, in_deck = all_positions.start_of, all_positions.in_deck
    preflop = np.zeros(len(all_positions.starts), dtype=np.uint8)
    preflop[start_of[in_deck]] = strategy.preflop[in_deck]
    if (preflop[start_of[in_deck]] != strategy.preflop[in_deck]).any():
        raise ValueError("the strategy tells suits apart before the flop")
    if preflop.max() > CHECK_PREFLOP or strategy.flop.max() > 1:
        raise ValueError("before the flop a strategy is 0, 1 or 2, on the flop 0 or 1")
    if strategy.flop.shape != (len(all_positions.flops), HOLES):
        raise ValueError("a strategy has a row for each canonical flop and a column for each hole")
    if strategy.river.shape != (1, len(all_positions.boards), WORDS):
        raise ValueError(f"a strategy has {WORDS} words for each canonical board")
    flop_of, name_of = all_positions.flop_places
    spread = np.zeros((len(flop_of), HOLES), dtype=np.uint8)
    renamed = all_positions.renamed_holes
    in_chunks(
        lambda _, start, stop: holdem_counts.spread_flop_bets(
            start, stop, strategy.flop, flop_of, name_of, renamed, spread
        ),
        [None] * crew, len(spread), 1024, lambda done: None,
    )  # fmt: skip
    return Decisions(preflop, spread, strategy.river[0])


def lines_of(
    game: HoldemGame,
    side: SideLines,
    all_positions: Positions,
    board_rows: Int64s,
    rows: int,
) -> LineTables:
    qualifies = np.arange(CLASSES) >= game.first_qualifying
    pairs, dealer_line = np.unique(2 * side.low.astype(np.int64) + qualifies, return_inverse=True)
    board_line = np.zeros(rows, dtype=np.uint8)
    board_line[board_rows] = side.board[rank_once(all_positions.boards)]
    return LineTables(
        np.ascontiguousarray(game.cell_of_class, dtype=np.uint8),
        board_line,
        np.ascontiguousarray(side.low, dtype=np.uint8),
        dealer_line.astype(np.uint8),
        pairs >> 1,
        np.where(pairs & 1, WIN_QUALIFYING, WIN),
        int(side.board[0]),
        int(side.low[0]),
        game.first_qualifying,
        side.mirrored_rank,
    )


def flop_lines_of(
    side: SideLines, all_positions: Positions, decisions: Decisions
) -> tuple[FlopLines, int]:
    """The flops and holes of every line but the most common, which is what the others leave."""
    if side.flop_lines > NO_LINE:
        raise ValueError(f"hands with the flop have at most {NO_LINE} lines")
    classes = holdem_counts.flop_classes(all_positions.flops, all_positions.start_of, tables(5))
    lines = side.flop * np.uint8(side.hole.max() + 1)
    by_spot = np.append(lines, np.uint8(NO_LINE))[classes]
    by_spot += np.where(by_spot != NO_LINE, side.hole, np.uint8(0))
    common = int(np.argmax(np.bincount(by_spot.reshape(-1))[:NO_LINE]))
    flops, holes = np.nonzero((by_spot != common) & (by_spot != NO_LINE))
    first, packed = holdem_counts.list_flop_lines(
        np.searchsorted(flops, np.arange(len(all_positions.flops) + 1)),
        holes,
        by_spot[flops, holes].astype(np.int64),
        *all_positions.flop_places,
        np.argsort(all_positions.renamed_holes, axis=1),
        all_positions.holes.astype(np.int64),
        all_positions.start_of,
        decisions.preflop,
        decisions.flop,
    )
    return FlopLines(first, packed), common


def groups_of(all_positions: Positions, deck_views: Views) -> Groups:
    starts = len(all_positions.starts)
    in_deck, start_of = all_positions.in_deck, all_positions.start_of
    found = [
        np.unique(pairs[in_deck] * np.int64(starts) + start_of[in_deck], return_inverse=True)
        for pairs in deck_views.pair_of
    ]
    most = max(len(keys) for keys, _ in found)
    groups = Groups(
        np.zeros((5, HOLES), np.uint16),
        np.zeros((5, most), np.int64),
        np.zeros((5, most), np.int64),
        np.array([len(keys) for keys, _ in found]),
    )
    for suit, (keys, group) in enumerate(found):
        groups.group_of[suit] = len(keys)
        groups.group_of[suit, in_deck] = group
        groups.pairs[suit, : len(keys)], groups.starts[suit, : len(keys)] = np.divmod(keys, starts)
    return groups


def boards_by_row(
    all_positions: Positions,
    deck_views: Views,
    board_rows: Int64s,
    chosen: NDArray[np.bool_] | None = None,
) -> Boards:
    order = np.argsort(board_rows, kind="stable")
    if chosen is not None:
        order = order[chosen[order]]
    first = np.searchsorted(board_rows[order], np.arange(len(deck_views.boards.kinds) + 1))
    return Boards(all_positions.boards, all_positions.board_weights, order, first, CHOOSE)
