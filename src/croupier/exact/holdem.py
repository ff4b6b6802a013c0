"""Hold'em with one Play solved: all 27.8 trillion deals, the best decision wherever one is asked.

A book may ask before the flop, on the flop and at the end, or at some of these; where it does not
ask, nothing can be bet. The kernels count deals by cells of hands that all paytables treat alike.
Here the Rules are put into numbers for them, checked against what the same Rules pay case by case,
and counts become values.
"""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from math import comb, lcm
from operator import mul
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from croupier.exact.assumptions import refuse_base
from croupier.exact.base_game import (
    FOLD,
    BaseGame,
    BetsInAntes,
    LimitedAnte,
    RoundEnding,
    Showdown,
    case_of,
    gathered,
    wager_results,
    whole_numbers,
)
from croupier.exact.endings import PLAIN, net_of
from croupier.exact.hand_partitions import (
    FINAL,
    Partition,
    Partitions,
    all_partitions,
    first_opening_class,
)
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import holdem as kernel
from croupier.exact.kernels.holdem_counts import HoldemCounts
from croupier.exact.kernels.positions import positions
from croupier.exact.kernels.showdown_rows import (
    LOSS,
    LOSS_QUALIFYING,
    TIE,
    WIN,
    WIN_QUALIFYING,
)
from croupier.exact.side_wagers import (
    ACES,
    LineCounts,
    SideTerms,
    endings_of,
    line_after,
    lines_of_two,
    paytables_of,
)
from croupier.exact.solution import HandValue
from croupier.exact.strategy.chart_names import start_name
from croupier.facts.cards import DECK
from croupier.facts.hands import FIVE_CARD, TWO_CARD, Hand
from croupier.facts.progress import Progress
from croupier.games.rules import Rules
from croupier.rulebook.book import Paytable, Street, Wager

T = TypeVar("T")
CHECK = "check"
BOARDS = (0, 3, 5)  # cards of the board in sight before the flop, on it and at the end
DEALS_A_HOLE = comb(50, 3) * comb(47, 2) * comb(45, 2)
_ENDS = {
    WIN_QUALIFYING: (Showdown.WIN, True),
    WIN: (Showdown.WIN, False),
    TIE: (Showdown.TIE, True),
    LOSS_QUALIFYING: (Showdown.LOSS, True),
    LOSS: (Showdown.LOSS, False),
}


def ends_of(rules: Rules, hand: Hand) -> tuple[tuple[Showdown, bool], ...]:
    """How a showdown ends, outcome by outcome: who wins, and whether the dealer opens. A dealer who
    ties opens with what the player has."""
    opens = rules.book.contest.opens(rules.game.ranking, hand)
    return tuple((who, opens if who is Showdown.TIE else open_) for who, open_ in _ENDS.values())


@dataclass(frozen=True)
class SolvedHoldem:
    """The base game under one way of playing, and the counts it rests on, action by action."""

    rules: Rules
    actions: Sequence[tuple[str, BetsInAntes]]
    cells: Partitions
    counts: HoldemCounts
    best: kernel.Best | None
    limited: LimitedAnte | None = None

    @cached_property
    def base(self) -> BaseGame:
        cases = gathered(self._cases(self.counts.by_start.sum(axis=0)))
        return BaseGame(tuple(cases), tuple(name for name, _ in self.actions))

    def _cases(self, counts: NDArray[np.int64]) -> Iterator[RoundEnding]:
        for action, (name, play) in enumerate(self.actions):
            for cell, first in enumerate(self.cells.final.firsts):
                hand = samples(FIVE_CARD)[first]
                for outcome, (showdown, opens) in enumerate(ends_of(self.rules, hand)):
                    ways = int(counts[action, cell, outcome])
                    end = (showdown, opens, hand, ways, self.limited)
                    yield case_of(self.rules, name, play, *end)

    @cached_property
    def _net_of_case(self) -> tuple[int, list[int]]:
        """What each of (action, cell, outcome) wins or loses, in that order: so many units in one
        Ante, and whole units."""
        empty = np.zeros(self.counts.by_start.shape[1:], dtype=np.int64)
        nets = [case.net for case in self._cases(empty)]
        unit = lcm(*(net.denominator for net in nets))
        return unit, [int(net * unit) for net in nets]

    @cached_property
    def means_of_starts(self) -> list[Fraction]:
        """By starting hand: what its deals add to the mean."""
        return [self.mean_over(counts) for counts in self.counts.by_start]

    def mean_over(self, counts: NDArray[np.int64]) -> Fraction:
        """What these deals add to the mean of the base game."""
        unit, nets = self._net_of_case
        summed = sum(map(mul, nets, counts.reshape(-1).tolist()))
        return Fraction(summed, unit * self.base.deals)


def solve_base(
    rules: Rules,
    progress: Progress = lambda what, done: None,
    limited: LimitedAnte | None = None,
) -> SolvedHoldem:
    """Find the best strategy and count every deal under it."""
    game, partitions = kernel_game(rules, limited)
    best = decided(game, progress, _games_of_other_paytables(rules, limited, game))
    counted = _counted(rules, game, partitions, best.strategy, best, progress)
    return replace(counted, limited=limited)


def best_play(rules: Rules) -> kernel.HoldemStrategy:
    """The best decision in every position, and no deal counted."""
    game, _ = kernel_game(rules)
    return decided(game).strategy


def flop_values(
    rules: Rules, progress: Progress = lambda what, done: None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What each bet on the flop and a check are worth, in Antes; see Positions.flop_spot."""
    game, _ = kernel_game(rules)
    best = decided(game, progress)
    whole = game.denominator * comb(47, 2) * comb(45, 2)
    return best.flop_bets / whole, best.flop_checks / whole


def play_strategy(
    rules: Rules, strategy: kernel.HoldemStrategy, progress: Progress
) -> SolvedHoldem:
    """Count every deal under a given strategy."""
    game, partitions = kernel_game(rules)
    return _counted(rules, game, partitions, strategy, None, progress)


def _counted(
    rules: Rules,
    game: kernel.HoldemGame,
    partitions: Partitions,
    strategy: kernel.HoldemStrategy,
    best: kernel.Best | None,
    progress: Progress,
) -> SolvedHoldem:
    _, board, flop, low = (partition.cells for partition in partitions)
    lines = kernel.SideLines(board=board, flop=flop, low=low)
    cells = (game.cell_of_class, board, flop, low)
    asked = hashed(*cells, strategy.preflop, strategy.flop, strategy.river, game.first_qualifying)
    counts = lately(_COUNTED, asked, lambda: kernel.count(game, strategy, lines, progress=progress))
    return SolvedHoldem(rules, actions(rules), partitions, counts, best)


# What was asked last is asked again with other side wagers, other stakes, for another document:
# the decisions depend on the Blind alone, the counts on the decisions and on what is told apart.
_DECIDED: OrderedDict[bytes, kernel.Best] = OrderedDict()
_COUNTED: OrderedDict[bytes, HoldemCounts] = OrderedDict()
_VALUED: OrderedDict[bytes, NDArray[np.int64]] = OrderedDict()  # start values, a few kB each
_KEPT, _KEPT_VALUES = 2, 16


def forget() -> None:
    """Whoever asks next has everything decided and counted anew."""
    _DECIDED.clear()
    _COUNTED.clear()
    _VALUED.clear()


def decided(
    game: kernel.HoldemGame,
    progress: Progress = lambda what, done: None,
    also: Sequence[kernel.HoldemGame] = (),
) -> kernel.Best:
    """The best decisions; what those of other games are worth is kept for whoever asks next."""

    def find() -> kernel.Best:
        found = kernel.decide(game, progress=progress, also=also)
        values = (found.start_values, *found.also)
        for other, of_other in zip((game, *also), values, strict=True):
            lately(_VALUED, _asked(other), partial(np.asarray, of_other), _KEPT_VALUES)
        return found

    return lately(_DECIDED, _asked(game), find)


def decision_digest(rules: Rules) -> str:
    """One hash of everything that the best decisions depend on, whatever else the Rules say."""
    game, _ = kernel_game(rules)
    return _asked(game).hex()


def _asked(game: kernel.HoldemGame) -> bytes:
    results = (each[game.cell_of_class] for each in (game.stakes, game.play, game.folded))
    multiples = (game.preflop, game.flop, game.river)
    limited = None if game.limited is None else game.limited[:, game.cell_of_class]
    return hashed(*results, game.denominator, game.first_qualifying, multiples, limited)


def lately(
    kept: OrderedDict[bytes, T], asked: bytes, find: Callable[[], T], most: int = _KEPT
) -> T:
    """What was found lately for what is asked; a few answers are kept."""
    found = kept.pop(asked, None)
    if found is None:
        found = find()
    kept[asked] = found
    while len(kept) > most:
        kept.popitem(last=False)
    return found


def hashed(*parts: object) -> bytes:
    """One hash of arrays and values."""
    digest = hashlib.sha256()
    for part in parts:
        whole = part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode()
        digest.update(b"%d:" % len(whole) + whole)
    return digest.digest()


def values_by_paytable(solved: SolvedHoldem) -> Iterator[tuple[str, str, Fraction]]:
    """By wager of the base game and letter: what one Ante is worth under each paytable, played its
    best. These are the paytables of the book, and the one bound where it is a designer's own."""
    rules = solved.rules
    for wager in _paid_by_table(rules):
        for letter, table in paytables_of(rules, wager).items():
            if table == rules.paytable(wager.name):
                yield wager.name, letter, solved.base.ev
            else:
                other = _with_paytable(rules, wager, table)
                yield wager.name, letter, best_value(other, solved.limited)


def _paid_by_table(rules: Rules) -> list[Wager]:
    wagers = (wager for wager in rules.book.wagers if not wager.optional)
    return [wager for wager in wagers if rules.paytable(wager.name) is not None]


def _with_paytable(rules: Rules, wager: Wager, table: Paytable) -> Rules:
    tables = {**dict(rules.paytables), wager.name: table}
    return replace(rules, paytables=tuple(tables.items()))


def _games_of_other_paytables(
    rules: Rules, limited: LimitedAnte | None, mine: kernel.HoldemGame
) -> list[kernel.HoldemGame]:
    """The base game under each other paytable, where nothing else is asked otherwise."""
    others = (
        _with_paytable(rules, wager, table)
        for wager in _paid_by_table(rules)
        for table in paytables_of(rules, wager).values()
        if table != rules.paytable(wager.name)
    )
    games = (kernel_game(other, limited)[0] for other in others)
    return [game for game in games if game.is_asked_as(mine)]


def best_value(rules: Rules, limited: LimitedAnte | None = None) -> Fraction:
    """What one Ante is worth at its best, and no deal counted."""
    game, _ = kernel_game(rules, limited)
    find = partial(kernel.best_start_values, game)
    best = lately(_VALUED, _asked(game), find, _KEPT_VALUES).max(axis=1)
    deals = comb(52, 2) * DEALS_A_HOLE
    return Fraction(sum(best.tolist()), game.denominator * deals)


def action_names(rules: Rules) -> tuple[str, ...]:
    return tuple(name for name, _ in actions(rules))


def actions(rules: Rules) -> list[tuple[str, Fraction | None]]:
    """The kernel's actions by name and Play: those of each street, the largest first; the fold.

    A size that two streets have is told apart by the later street's name.
    """
    found: dict[str, Fraction | None] = {}
    for street, multiples in zip(asked(rules), sizes(rules), strict=True):
        later = f" {street.key}" if street is not None else ""
        for multiple in multiples:
            plain = f"{multiple}x"
            name = plain if plain not in found else plain + later
            found[name] = Fraction(multiple)
    return [*found.items(), (FOLD, None)]


@lru_cache(maxsize=8)
def actions_on(rules: Rules, street: int) -> list[tuple[str, Fraction | None]]:
    """The actions that bet on one street, the largest first."""
    before = sum(map(len, sizes(rules)[:street]))
    return actions(rules)[before : before + len(sizes(rules)[street])]


@lru_cache(maxsize=8)
def asked(rules: Rules) -> tuple[Street | None, ...]:
    """The streets of the book before the flop, on the flop and at the end; None: not asked."""
    on_board = {on_board_at(rules, street): street for street in rules.book.streets}
    return tuple(on_board.get(cards) for cards in BOARDS)


def on_board_at(rules: Rules, street: Street) -> int:
    """How many cards of the board are in sight when a street is asked."""
    return rules.book.dealing[0].face_up(street.name)["board"]


@lru_cache(maxsize=8)
def sizes(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """The multiples that may be bet before the flop, on it and at the end, the largest first."""
    return tuple(
        tuple(sorted({*street.multiples}, reverse=True)) if street is not None else ()
        for street in asked(rules)
    )


@lru_cache(maxsize=4)
def kernel_game(
    rules: Rules, limited: LimitedAnte | None = None
) -> tuple[kernel.HoldemGame, Partitions]:
    """The Rules in whole numbers, and the partitions in which all paytables are counted."""
    refuse_base(rules)
    found = all_partitions(rules)
    linear = _linear_game(rules, found.final)
    return (
        linear if limited is None else _limited_game(rules, linear, found.final, limited)
    ), found


class WagerBeside(NamedTuple):
    """A side wager that depends on play, by one of its paytables, and its stake in Antes."""

    terms: SideTerms
    table: Paytable
    stake: Fraction


def solve_jointly(rules: Rules, beside: WagerBeside, progress: Progress) -> SolvedHoldem:
    """Every deal counted under the play that is best for the base game and this wager together."""
    game, partitions = kernel_game(rules)
    joint = _linear_game(rules, partitions.final, beside)
    strategy = decided(joint, progress).strategy
    return _counted(rules, game, partitions, strategy, None, progress)


def _linear_game(
    rules: Rules, final: Partition, beside: WagerBeside | None = None
) -> kernel.HoldemGame:
    """What each way to end wins or loses: at once, for each Ante of Play, and after a fold."""
    none, one = (round_nets(rules, final, Fraction(multiple)) for multiple in (0, 1))
    played = [more - less for more, less in zip(one, none, strict=True)]
    shown, folded = (
        [net + more for net, more in zip(nets, _nets_beside(final, beside, gone), strict=True)]
        for nets, gone in ((none, False), (round_nets(rules, final, None), True))
    )
    unit, units = whole_numbers([*shown, *played, *folded], rules)
    results = np.array(units, dtype=np.int64).reshape(3, len(final.firsts), len(_ENDS))
    preflop, flop, river = sizes(rules)
    return kernel.HoldemGame(
        cell_of_class=final.cells,
        stakes=results[0],
        play=results[1],
        folded=results[2],
        denominator=unit,
        first_qualifying=first_opening_class(rules),
        preflop=preflop,
        flop=flop,
        river=river,
    )


def _nets_beside(final: Partition, beside: WagerBeside | None, folded: bool) -> list[Fraction]:
    """By cell, then by outcome: what a side wager wins or loses, in Antes."""
    if beside is None:
        return [Fraction(0)] * (len(final.firsts) * len(_ENDS))
    terms, table, stake = beside
    paid = [net_of(line.odds, PLAIN) for line in table.lines] + [Fraction(-1), Fraction(0)]
    return [
        stake * paid[line_after(terms, table, line, folded, showdown)]
        for line in final.lines(table)
        for showdown, _ in _ENDS.values()
    ]


def _limited_game(
    rules: Rules, linear: kernel.HoldemGame, final: Partition, limited: LimitedAnte
) -> kernel.HoldemGame:
    """The same game where every way a round can end is paid at this Ante, under this limit."""
    nets, unlimited = (
        [net for _, multiple in actions(rules) for net in round_nets(rules, final, multiple, paid)]
        for paid in (limited, None)
    )
    if nets == unlimited:
        return linear
    unit, units = whole_numbers(nets, rules)
    shape = (linear.actions, *linear.ends)
    return replace(linear, denominator=unit, limited=np.array(units).reshape(shape))


def round_nets(
    rules: Rules, final: Partition, play: BetsInAntes, limited: LimitedAnte | None = None
) -> list[Fraction]:
    """By cell, then by outcome: what a round with this Play wins or loses, in Antes."""
    return [
        sum((net for _, net in results.values()), Fraction(0))
        for first in final.firsts
        for hand in [samples(FIVE_CARD)[first]]
        for end in ends_of(rules, hand)
        for results in [wager_results(rules, play, *end, hand, limited)]
    ]


def hand_values(solved: SolvedHoldem) -> tuple[HandValue, ...]:
    """What each raise and the check are worth with each of the 169 starting hands, in Antes.

    There is nothing to list where nobody is asked before the flop.
    """
    assert solved.best is not None
    if asked(solved.rules)[0] is None:
        return ()
    game, _ = kernel_game(solved.rules, solved.limited)
    names = (*(f"{multiple}x" for multiple in game.preflop), CHECK)
    return values_of_starts(solved.best.start_values, names, game.denominator, DEALS_A_HOLE)


def values_of_starts(
    sums: NDArray[np.int64], actions: tuple[str, ...], denominator: int, deals: int
) -> tuple[HandValue, ...]:
    """By starting hand, the best first, from its sums over so many deals of each of its holes: the
    value of each action, from the largest wager on, and the best; of equal ones the smaller."""
    spots = positions()
    holes_of = Counter(int(start) for start in spots.start_of)
    found = []
    for start, cards in enumerate(spots.starts):
        ways = holes_of[start] * deals
        values = {
            name: Fraction(int(total), denominator * ways)
            for name, total in zip(actions, sums[start], strict=True)
        }
        best = max(reversed(values), key=lambda name: values[name])
        name = start_name(DECK[cards[0]], DECK[cards[1]])
        found.append(HandValue(name, ways, tuple(values.items()), best))
    return tuple(sorted(found, key=lambda hand: hand.values[0][1], reverse=True))


def by_final(solved: SolvedHoldem, terms: SideTerms) -> Callable[[Paytable], LineCounts]:
    """Count a wager judged by the player's best five of seven, as it is played and shown down."""
    counts = solved.counts.by_start.sum(axis=0)

    def counted(table: Paytable) -> LineCounts:
        tally: LineCounts = Counter()
        for cell, line in enumerate(solved.cells.final.lines(table)):
            for action, outcome in np.argwhere(counts[:, cell]).tolist():
                folded, showdown = action == len(counts) - 1, list(_ENDS.values())[outcome][0]
                ended = line_after(terms, table, line, folded, showdown)
                tally[ended] += int(counts[action, cell, outcome])
        return tally

    return counted


def by_lower(solved: SolvedHoldem) -> Callable[[Paytable], LineCounts]:
    """Count Bad Beat: the lower of both final hands, a tie lost."""
    by_low = solved.counts.by_low.sum(axis=(1, 2))
    apart = by_low.sum(axis=1) - by_low[:, TIE]

    def counted(table: Paytable) -> LineCounts:
        tally: LineCounts = Counter({len(table.lines): int(by_low[:, TIE].sum())})
        for line, ways in zip(solved.cells.low.lines(table), apart.tolist(), strict=True):
            tally[line] += ways
        return tally

    return counted


def base_with(
    solved: SolvedHoldem, terms: SideTerms, table: Paytable, judged_by: str
) -> list[Fraction] | None:
    """Line by line of a paytable, then for a loss: what the deals that end so add to the mean of
    the base game. None for what other cards than these nine decide."""
    means = [Fraction(0)] * endings_of(terms, table)
    counts = solved.counts
    if judged_by == FINAL:
        _add_final(solved, terms, table, means)
    elif judged_by in ("board", "hole cards and flop"):
        partition, joint = {
            "board": (solved.cells.board, counts.by_board),
            "hole cards and flop": (solved.cells.flop, counts.by_flop),
        }[judged_by]
        for cell, line in enumerate(partition.lines(table)):
            means[line] += solved.mean_over(joint[cell])
    elif judged_by == "lower hand":
        _add_lower(solved, table, means)
    elif judged_by == "first two cards":
        _add_first_two(solved, table, means)
    else:
        return None
    return means


def _add_final(
    solved: SolvedHoldem, terms: SideTerms, table: Paytable, means: list[Fraction]
) -> None:
    counts = solved.counts.by_start.sum(axis=0)
    ended_as: dict[int, NDArray[np.int64]] = {}
    for cell, line in enumerate(solved.cells.final.lines(table)):
        for action in range(len(counts)):
            for outcome, (showdown, _) in _ENDS.items():
                ended = line_after(terms, table, line, action == len(counts) - 1, showdown)
                only = ended_as.setdefault(ended, np.zeros_like(counts))
                only[action, cell, outcome] = counts[action, cell, outcome]
    for ended, only in ended_as.items():
        means[ended] += solved.mean_over(only)


def _add_lower(solved: SolvedHoldem, table: Paytable, means: list[Fraction]) -> None:
    for cell, line in enumerate(solved.cells.low.lines(table)):
        apart = solved.counts.by_low[cell].copy()
        apart[:, :, TIE] = 0
        means[line] += solved.mean_over(apart)
        means[len(table.lines)] += solved.mean_over(solved.counts.by_low[cell] - apart)


def _add_first_two(solved: SolvedHoldem, table: Paytable, means: list[Fraction]) -> None:
    """Two holes of one starting hand bring the same to the base game, whatever their suits."""
    spots = positions()
    of_start = solved.means_of_starts
    holes_of = Counter(spots.start_of.tolist())
    both_aces = solved.mean_over(solved.counts.mirrored)
    lines = zip(spots.start_of.tolist(), lines_of_two(table).values(), strict=True)
    for (start, (alone, against_aces)), holes in Counter(lines).items():
        means[alone] += of_start[start] * holes / holes_of[start]
        if TWO_CARD.hand(tuple(DECK[card] for card in spots.starts[start])) == ACES:
            share = both_aces * holes / holes_of[start]
            means[alone] -= share
            means[against_aces] += share
