"""Hold'em with one Play and cards known too early, exactly: all deals, the best of each decision.

Known cards of the dealer and out of play make one *problem* each: a deck without them. Problems
that differ by a renaming of suits are one. A known card of the board belongs to the deck and parts
what is known before the flop; later it is seen by everybody, or still known (turn and river).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.exact import holdem as honest_holdem
from croupier.exact.kernels.array_types import Bools, Int32s, Int64s, Integers, Uint8s
from croupier.exact.kernels.compiled import Progress, in_chunks, threads_to_use
from croupier.exact.kernels.poker_rank import tables
from croupier.exact.kernels.positions import CHOOSE, FULL_DECK, NO_SUIT, Positions, positions
from croupier.exact.kernels.suit_views import KINDS, PAIRS, RANK_PAIRS, Views, views
from croupier.exact.strategy.chart_names import start_name
from croupier.facts.cards import DECK
from croupier.games.rules import Rules
from croupier.protection.kernels import holdem as kernel
from croupier.protection.kernels import holdem_flops
from croupier.protection.knowledge import NOTHING, Knowledge
from croupier.protection.known_game import KnownGame, known_game
from croupier.protection.suits import ALL_NAMES, renamed, suit_names
from croupier.protection.worth import PlayValue, StrategyLine, line_of

_KINDS_OF_PAIR = [(low, high) for high in range(KINDS) for low in range(high + 1)]
_BY_PLACE = sorted(_KINDS_OF_PAIR, key=lambda both: (sum(k >= 13 for k in both), both[1], both[0]))
_PLACE_OF_PAIR = np.array([_BY_PLACE.index(both) for both in _KINDS_OF_PAIR])
ROWS_MOVED = 64


@dataclass(frozen=True)
class Problem:
    """Cards known to be the dealer's and out of play, and how many such choices are alike."""

    dealer: tuple[int, ...]
    burn: tuple[int, ...]
    weight: int
    cards: tuple[int, ...] = FULL_DECK

    @property
    def deck(self) -> tuple[int, ...]:
        return tuple(card for card in self.cards if card not in self.dealer + self.burn)

    @property
    def dealers(self) -> int:
        """How many hands the dealer can have when hole and board are dealt."""
        return comb(len(self.deck) - 7, 2 - len(self.dealer))


def problems(knowledge: Knowledge, cards: tuple[int, ...] = FULL_DECK) -> list[Problem]:
    """Every choice of the dealer's known cards and the one out of play, up to suits."""
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    names = suit_names(cards)
    for dealer in combinations(cards, knowledge.dealer):
        rest = [card for card in cards if card not in dealer]
        for burn in combinations(rest, knowledge.burn):
            found[min((renamed(dealer, n), renamed(burn, n)) for n in names)] += 1
    return [Problem(dealer, burn, ways, cards) for (dealer, burn), ways in found.items()]


class Spots:
    """What is known before the flop, up to suits: hole, and perhaps a card of the board."""

    def __init__(self, problem: Problem, by_card: bool, late: tuple[int, ...] = ()) -> None:
        self.by_card = by_card
        names = suit_names(problem.cards, problem.dealer, problem.burn, late)
        holes = np.array([(a, b) for b in range(52) for a in range(b)], dtype=np.int64)
        held = np.isin(holes, [card for card in problem.deck if card not in late])
        in_deck = held[:, 0] & held[:, 1]
        beside = np.arange(52) if by_card else np.zeros(1, np.int64)
        codes = np.full((len(holes), len(beside)), np.iinfo(np.int64).max)
        for name in names:
            new = 4 * (holes >> 2) + np.array(name)[holes & 3]
            code = CHOOSE[new.max(axis=1), 2] + new.min(axis=1)
            card = 4 * (beside >> 2) + np.array(name)[beside & 3] if by_card else beside
            codes = np.minimum(codes, code[:, None] * 52 + card)
        possible = np.broadcast_to(in_deck[:, None], codes.shape)
        if by_card:
            apart = (holes[:, :1] != beside) & (holes[:, 1:] != beside)
            possible = possible & apart & np.isin(beside, problem.deck)
        firsts, self.ways = np.unique(codes[possible], return_counts=True)
        self.holes, self.cards = holes[firsts // 52], firsts % 52
        infos = np.searchsorted(firsts, codes).clip(max=len(firsts) - 1)
        self.infos: Int32s = np.where(in_deck[:, None], infos, -1).astype(np.int32)


def flops_of(problem: Problem, late: tuple[int, ...] = ()) -> tuple[Uint8s, Int64s]:
    """The flops that can come, each the one of the least code under all names of the suits, and
    how many it stands for."""
    deck = np.array([card for card in problem.deck if card not in late])
    threes = np.array(list(combinations(deck.tolist(), 3)))
    codes = np.full(len(threes), np.iinfo(np.int64).max)
    for name in suit_names(problem.cards, problem.dealer, problem.burn, late):
        new = np.sort(4 * (threes >> 2) + np.array(name)[threes & 3], axis=1)
        codes = np.minimum(codes, _codes(new))
    least, weights = np.unique(codes, return_counts=True)
    own = _codes(threes)
    order = np.argsort(own)
    chosen = order[np.searchsorted(own, least, sorter=order)]
    return threes[chosen].astype(np.uint8), weights.astype(np.int64)


def views_of(problem: Problem) -> Views:
    """The views of a problem's deck; suits with different known cards are of different families."""
    names = suit_names(problem.cards, problem.dealer, problem.burn)
    alike = [min(s for s in range(4) if _swap(s, suit) in names) for suit in range(4)]
    none = np.empty((0, 5), np.uint8), np.empty(0, np.int64)
    flops = np.empty((0, 3), np.uint8), np.empty(0, np.int64)
    return views(Positions(problem.deck, np.array(alike), *flops, *none))


def _swap(one: int, other: int) -> tuple[int, ...]:
    swapped = {one: other, other: one}
    return tuple(swapped.get(suit, suit) for suit in range(4))


@dataclass(frozen=True)
class Solved:
    """What one problem, with one late card or none, brings: sums over its deals by spot."""

    problem: Problem
    late: tuple[int, ...]
    weight: int  # how many choices of known cards outside the spots are alike
    spots: Spots
    raised: Int64s  # (spots, raises, 3): results, then squares, low bits and the rest
    waited: Int64s  # (spots, 7): see the kernel
    deals: int  # behind each way of a spot

    @property
    def values(self) -> Int64s:
        """(spots, raises + 1): what each raise brings, and waiting."""
        waited = self.waited[:, holdem_flops.WAITED]
        return np.concatenate([self.raised[:, :, 0], waited[:, None]], axis=1)

    def honestly(self, spot: int, first: int) -> int:
        """What honest play to the end brings that first does this."""
        if first < self.raised.shape[1]:
            return int(self.raised[spot, first, 0])
        return int(self.waited[spot, holdem_flops.WAITED_HONESTLY])


class Solver:
    """Solves problems one after the other in the same memory.

    Each is also played as if nothing were known; without ``honest`` play that is left out.
    """

    def __init__(
        self,
        game: KnownGame,
        knowledge: Knowledge,
        threads: int | None = None,
        honest: HonestPlay | None = None,
    ) -> None:
        self.game, self.knowledge, self.honest = game, knowledge, honest
        self.crew = threads_to_use(threads)
        self.decided = np.zeros((0, 1326), np.bool_)  # honest play on the last flops
        self._rows: Integers = np.zeros(0, np.int32)
        self._honest: Integers = np.zeros((0, PAIRS), np.int32)
        self._sums = self._new_sums(0)
        self._summed: list[bytes] = []  # by family: of what the sums are
        self._raised: list[Int64s] = []  # and what raises bring

    def solve(self, problem: Problem) -> Iterator[Solved]:
        """The problem, or its parts by the known card of turn and river."""
        seen = views_of(problem)
        known = kernel.KnownDealer(kinds_of_cards(problem.dealer, seen))
        solve = self._solve_late if self.knowledge.late else self._solve_plain
        yield from solve(problem, seen, known)

    def _solve_plain(
        self, problem: Problem, seen: Views, known: kernel.KnownDealer
    ) -> Iterator[Solved]:
        """One family of suits after the other, each in the memory of the one before.

        A family that sees the same cards as one of the last problem has its sums already.
        """
        rows = self._rows_of(problem, seen, known, at_once=False)
        sums = self._room_for(len(seen.flops.kinds))
        families = len(seen.suit_of)
        done, raises = self._moved(seen, known, sums), self._room_for_raises(seen)
        before, self._raised = self._raised, []
        for family in range(families):
            if family in done:
                self._raised.append(before[done[family]])
                continue
            self._raised.append(self._value_rows(family, seen, known, rows, raises))
            first, flops = _first_and_count(seen.flops.families, family)
            self._in_chunks(first, flops, holdem_flops.add_up_flops, seen, rows, sums)
        size, by_card = len(problem.deck), bool(self.knowledge.flop)
        goes_on = comb(size - 5, 2) * problem.dealers
        spots = Spots(problem, by_card)
        waited = self._decide(problem, (), seen, (sums, sums), 0, spots, goes_on)
        raised = self._add_raises(spots, (), seen)
        flops = comb(size - 3, 2) if by_card else comb(size - 2, 3)
        yield Solved(problem, (), problem.weight, spots, raised, waited, flops * goes_on)

    def _solve_late(
        self, problem: Problem, seen: Views, known: kernel.KnownDealer
    ) -> Iterator[Solved]:
        """All families at once: each late card adds up the same rows."""
        flops = len(seen.flops.kinds)
        _, of_suit = _first_and_count(seen.flops.families, 1)
        rows = self._rows_of(problem, seen, known, at_once=True)
        if len(self._sums.honest) != flops + of_suit:
            self._sums = self._new_sums(flops + of_suit)
        sums, late_sums = (
            holdem_flops.KnownSums(*(each[part] for each in self._sums))
            for part in (slice(flops), slice(flops, None))
        )
        raises = self._room_for_raises(seen)
        self._raised = [
            self._value_rows(family, seen, known, rows, raises)
            for family in range(len(seen.suit_of))
        ]
        del raises
        size = len(problem.deck)
        goes_on = (size - 6) * problem.dealers
        names = suit_names(problem.cards, problem.dealer, problem.burn)
        lates = Counter(min(renamed((card,), name) for name in names) for card in problem.deck)
        summed = -1
        for late, ways in sorted(lates.items()):
            rank = late[0] >> 2
            first, _ = _first_and_count(seen.flops.families, int(seen.family_of[late[0] & 3]))
            add_up = holdem_flops.add_up_late
            if rank != summed:
                self._in_chunks(0, flops, add_up, 0, rank, seen, rows, sums)
                summed = rank
            self._in_chunks(first, of_suit, add_up, first, 13 + rank, seen, rows, late_sums)
            spots = Spots(problem, by_card=False, late=late)
            waited = self._decide(problem, late, seen, (sums, late_sums), first, spots, goes_on)
            raised = self._add_raises(spots, late, seen)
            deals = comb(size - 3, 3) * goes_on
            yield Solved(problem, late, problem.weight * ways, spots, raised, waited, deals)

    def _rows_of(
        self, problem: Problem, seen: Views, known: kernel.KnownDealer, at_once: bool
    ) -> kernel.KnownRows:
        """Room for the rows of all families ``at_once``, or of the ranks and any one of them."""
        families = seen.boards.families.astype(np.int64)
        first, last = _places_kept(seen, known)
        sizes = (last - first) * kernel.NUMBERS
        ends, slots = np.cumsum(sizes), np.arange(len(families))
        starts = ends - sizes
        if not at_once:  # every suit's rows begin where the ranks' end
            of_ranks = int(np.count_nonzero(families == 0))
            firsts = np.searchsorted(families, families)
            skipped = np.where(families > 0, firsts - of_ranks, 0)
            starts = starts - np.where(families > 0, starts[firsts] - ends[of_ranks - 1], 0)
            slots = slots - skipped
        # In 32 bits where the squares of one showdown, and differences of two, fit.
        small = 2 * problem.dealers * self.game.largest**2 < 1 << 31
        dtype = np.int32 if small else np.int64
        total, rows = int((starts + sizes).max()), int(slots.max()) + 1
        if len(self._rows) < total or self._rows.dtype != dtype:
            self._rows = np.zeros(total, dtype)
        if len(self._honest) < rows or self._honest.dtype != dtype:
            self._honest = np.zeros((rows, PAIRS), dtype)
        starts = starts - first * kernel.NUMBERS
        return kernel.KnownRows(first, last, starts, slots, self._rows, self._honest)

    def _new_sums(self, flops: int) -> holdem_flops.KnownSums:
        shapes = ((flops, PAIRS * kernel.NUMBERS), (flops, PAIRS))
        return holdem_flops.KnownSums(*(np.zeros(shape, np.int64) for shape in shapes))

    def _room_for(self, flops: int) -> holdem_flops.KnownSums:
        if len(self._sums.honest) < flops:
            self._sums, self._summed = self._new_sums(flops), []
        return self._sums

    def _room_for_raises(self, seen: Views) -> Int64s:
        """What raises bring on the rows by ranks."""
        _, of_ranks = _first_and_count(seen.boards.families, 0)
        return np.zeros((of_ranks, RANK_PAIRS, 2 * self.raises), np.int64)

    def _moved(
        self, seen: Views, known: kernel.KnownDealer, sums: holdem_flops.KnownSums
    ) -> dict[int, int]:
        """The families whose sums the last problem left, moved to where they belong; and which
        they were there."""
        asked = [
            cards.tobytes() + lies.tobytes()
            for cards, lies in zip(seen.live, known.kinds, strict=True)
        ]
        found = {
            family: self._summed.index(asked[family], 1)
            for family in range(1, len(asked))
            if asked[family] in self._summed[1:]
        }
        moved = {family: old for family, old in found.items() if family != old}
        if moved:
            _move(sums, *_first_and_count(seen.flops.families, 1), moved)
        self._summed = asked
        return found

    def _value_rows(
        self, family: int, seen: Views, known: kernel.KnownDealer, rows: kernel.KnownRows,
        plain_raises: Int64s,
    ) -> Int64s:  # fmt: skip
        """Values one family's rows, and adds up what raises bring over its boards."""
        first, count = _first_and_count(seen.boards.families, family)
        honest, by_kind = _honest_bets(self.honest, seen), self._knows_board_card
        rest = (seen, tables(7), self.game.pays, known, honest, rows)
        shape = (KINDS + 1, PAIRS, 3 * self.raises)
        sums = [np.zeros(shape, np.int64) for _ in range(self.crew)]
        in_chunks(
            lambda mine, start, stop: kernel.value_rows(
                first + start, first + stop, *rest, kernel.Raises(mine, plain_raises, by_kind)
            ),
            sums, count, 64, lambda done: None,
        )  # fmt: skip
        return sum(sums[1:], start=sums[0])

    def _add_raises(self, spots: Spots, late: tuple[int, ...], seen: Views) -> Int64s:
        """What raises bring each spot over all deals: the views of its board put together."""
        hole = CHOOSE[spots.holes[:, 1], 2] + spots.holes[:, 0]
        card = np.full(len(hole), late[0]) if late else spots.cards
        total = np.zeros((len(hole), 3 * self.raises), np.int64)
        for suit in (0, 1, 2, 3, NO_SUIT):
            kind = (card >> 2) + 13 * (card & 3 == suit) if self._knows_board_card else kernel.ANY
            place = _PLACE_OF_PAIR[seen.pair_of[suit, hole]]
            total += self._raised[seen.family_of[suit]][kind, place]
        # A board is a flop and two more cards in so many ways, the known card being where it lies.
        splits = comb(4, 3) if late else comb(4, 2) if self.knowledge.flop else comb(5, 3)
        raised: Int64s = (splits * spots.ways)[:, None] * total
        return raised.reshape(len(hole), self.raises, 3)

    @property
    def raises(self) -> int:
        return self.game.early - 1

    @property
    def _knows_board_card(self) -> bool:
        return self.knowledge.flop + self.knowledge.late > 0

    def _decide(
        self, problem: Problem, late: tuple[int, ...], seen: Views,
        sums: tuple[holdem_flops.KnownSums, holdem_flops.KnownSums], late_first: int, spots: Spots,
        goes_on: int,
    ) -> Int64s:  # fmt: skip
        flops, weights = flops_of(problem, late)
        shape = (len(spots.ways), holdem_flops.TALLIES)
        tallies = [np.zeros(shape, np.int64) for _ in range(self.crew)]
        self.decided = np.zeros((len(flops) if self.honest is None else 0, 1326), np.bool_)
        honest = self.honest.on_flops(flops) if self.honest is not None else self.decided
        asked = holdem_flops.FlopDecisions(
            flops, weights, spots.infos, bool(self.knowledge.flop), late[0] if late else -1,
            late_first, goes_on, _PLACE_OF_PAIR[seen.pair_of], honest, self.decided,
        )  # fmt: skip
        in_chunks(
            lambda tally, start, stop: holdem_flops.decide_flops(
                start, stop, asked, seen, *sums, tally
            ),
            tallies, len(flops), 64, lambda done: None,
        )  # fmt: skip
        return sum(tallies[1:], start=tallies[0])

    def _in_chunks(self, first: int, rows: int, work: Callable[..., None], *rest: object) -> None:
        """Call ``work(start, stop, *rest)`` for so many rows from the first on, by all threads."""
        in_chunks(
            lambda _, start, stop: work(first + start, first + stop, *rest),
            [None] * self.crew, rows, 64, lambda done: None,
        )  # fmt: skip


def _move(sums: holdem_flops.KnownSums, first: int, rows: int, found: dict[int, int]) -> None:
    """Put the rows of each family where another family has its, a few of all families at a time:
    a whole copy would not fit beside the rest."""
    to, of = (rows * (np.array([*each]) - 1) for each in (found.keys(), found.values()))
    for start in range(first, first + rows, ROWS_MOVED):
        places = np.arange(start, min(start + ROWS_MOVED, first + rows))[:, None]
        for each in sums:
            each[places + to] = each[places + of]


def _places_kept(seen: Views, known: kernel.KnownDealer) -> tuple[Int64s, Int64s]:
    """By row: the first place that may differ from the row by ranks, and past the last place.

    Where the dealer's known cards and others cannot make a flush, only holes that make one differ.
    """
    families = seen.boards.families
    suited = (seen.boards.kinds >= 13).sum(axis=1)
    in_suit = (known.kinds >= 13).sum(axis=1)[families]
    flush = suited + in_suit + 2 - known.kinds.shape[1] >= 5
    first = np.where(suited == 4, kernel.WITH_SUIT, kernel.BOTH_SUITED)
    first = np.where(flush | (suited == 5) | (families == 0), 0, first)
    return first.astype(np.int64), np.where(families == 0, RANK_PAIRS, PAIRS).astype(np.int64)


class HonestPlay:
    """What is best on a deck when nothing is known: first, on every flop and at the end."""

    def __init__(self, game: KnownGame, cards: tuple[int, ...] = FULL_DECK) -> None:
        problem = Problem((), (), 1, cards)
        self.cards = cards
        self.bets, self.starts = self._find_bets(game, problem)
        solver = Solver(game, NOTHING)
        (found,) = solver.solve(problem)
        self.first = decided(found)[found.spots.infos[:, 0]]
        flops, _ = flops_of(problem)
        codes = _codes(flops.astype(np.int64))
        order = np.argsort(codes)
        self._flop_codes, self._flop_bets = codes[order], solver.decided[order]

    def _find_bets(self, game: KnownGame, problem: Problem) -> tuple[Bools, Int64s]:
        """A row a view of the board; and by suit, and last for none, where its views begin."""
        seen = views_of(problem)
        rows = len(seen.boards.kinds)
        bets = np.zeros((rows, PAIRS), np.bool_)
        in_chunks(
            lambda _, start, stop: kernel.find_honest_bets(
                start, stop, seen, tables(7), game.pays, bets
            ),
            [None] * threads_to_use(None), rows, 64, lambda done: None,
        )  # fmt: skip
        starts = [_first_and_count(seen.boards.families, family)[0] for family in seen.family_of]
        return bets, np.array(starts)

    def on_flops(self, flops: Uint8s) -> Bools:
        """By flop and hole: whether it is bet."""
        least = np.full(len(flops), np.iinfo(np.int64).max)
        name_of = np.zeros(len(flops), np.int64)
        for name in suit_names(self.cards):
            new = np.sort(4 * (flops >> 2) + np.array(name)[flops & 3], axis=1)
            codes = _codes(new.astype(np.int64))
            name_of = np.where(codes < least, ALL_NAMES.index(name), name_of)
            least = np.minimum(codes, least)
        found = np.zeros((len(flops), 1326), np.bool_)
        for name in np.unique(name_of).tolist():
            mine = name_of == name
            rows = self._flop_bets[np.searchsorted(self._flop_codes, least[mine])]
            found[mine] = rows[:, positions().renamed_holes[name]]
        return found


def _codes(threes: Int64s) -> Int64s:
    codes: Int64s = CHOOSE[threes, np.arange(1, 4)].sum(axis=1)
    return codes


def _honest_bets(honest: HonestPlay | None, seen: Views) -> kernel.HonestBets:
    """The honest bets for the families of these views; of nobody's play, none."""
    families = [_first_and_count(seen.boards.families, f) for f in range(len(seen.suit_of))]
    firsts = np.array([first for first, _ in families])
    if honest is None:
        most = max(count for _, count in families)
        return kernel.HonestBets(np.zeros((most, PAIRS), np.bool_), firsts)
    return kernel.HonestBets(honest.bets, firsts - honest.starts[seen.suit_of])


def _first_and_count(families: Uint8s, family: int) -> tuple[int, int]:
    rows = np.flatnonzero(families == family)
    return int(rows[0]), len(rows)


def kinds_of_cards(cards: tuple[int, ...], seen: Views) -> Int64s:
    """By family: the kinds of these cards as its first suit sees them."""
    found = [
        [(card >> 2) + 13 * (suit != NO_SUIT and card & 3 == suit) for card in cards]
        for suit in seen.suit_of.tolist()
    ]
    return np.array(found, dtype=np.int64).reshape(len(seen.suit_of), len(cards))


def solved(
    rules: Rules,
    knowledge: Knowledge,
    progress: Progress = lambda what, done: None,
    cards: tuple[int, ...] = FULL_DECK,
) -> tuple[KnownGame, list[Solved]]:
    """Every problem of a kind of knowledge, solved."""
    game = known_game(rules)
    solver, found = Solver(game, knowledge, honest=HonestPlay(game, cards)), list[Solved]()
    asked = problems(knowledge, cards)
    for number, problem in enumerate(asked):
        progress("counting with known cards", number / len(asked))
        found += solver.solve(problem)
    return game, found


def decided(found: Solved) -> NDArray[np.intp]:
    """The best first decision by spot; of equal ones the later, which is the smaller wager."""
    values = found.values
    best: NDArray[np.intp] = values.shape[1] - 1 - np.argmax(values[:, ::-1], axis=1)
    return best


def play(rules: Rules, game: KnownGame, found: list[Solved]) -> PlayValue:
    """The whole game at its best: value, square, stakes and actions over all deals."""
    raises = game.early - 1
    value = square = deals = 0
    done: Counter[int] = Counter()  # by place in game.plays
    for one in found:
        first = decided(one)
        for choice in range(raises + 1):
            chosen = first == choice
            ways = int(one.spots.ways[chosen].sum()) * one.deals
            deals += one.weight * ways
            if choice < raises:
                result, low, rest = _column_sums(one.raised[chosen, choice])
                done[choice] += one.weight * ways
            else:
                result, on_flop, at_end, low, rest, *_ = _column_sums(one.waited[chosen])
                done[raises] += one.weight * on_flop
                done[raises + 1] += one.weight * at_end
                done[raises + 2] += one.weight * (ways - on_flop - at_end)
            value += one.weight * result
            square += one.weight * (low + (rest << 32))
    shares: Counter[str] = Counter()
    for at, (name, _) in enumerate(game.plays):
        shares[name] += done[at]
    staked = sum((stake * done[at] for at, stake in enumerate(game.staked)), Fraction(0))
    unit = game.denominator
    return PlayValue(
        Fraction(value, unit * deals),
        Fraction(square, unit**2 * deals),
        staked / deals,
        tuple((name, Fraction(shares[name], deals)) for name in honest_holdem.action_names(rules)),
    )


def _column_sums(numbers: Int64s) -> list[int]:
    """In whole numbers of any size."""
    return [sum(column) for column in numbers.T.tolist()]


def first_actions(game: KnownGame) -> list[str]:
    """What can be done first; where nothing is asked before the flop, on the flop."""
    raises = game.early - 1
    if not raises:
        return [name for name, _ in game.plays[:2]]
    return [*(name for name, _ in game.plays[:raises]), honest_holdem.CHECK]


def lines(
    game: KnownGame,
    found: list[Solved],
    honest: dict[str, str],
    knowledge: Knowledge,
    simple: Callable[[Solved], Int64s] | None = None,
) -> tuple[StrategyLine, ...]:
    """By ranks of known cards and starting hand: what is best first, and what honest play does.

    ``honest`` is by starting hand the first action where nothing is known; ``simple`` tells by spot
    how many deals a simple player begins with each action.
    """
    raises, names = game.early - 1, first_actions(game)
    columns = 3 + (2 if simple is None else 3) * len(names)
    sums: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * columns)
    throughout: Counter[tuple[str, str]] = Counter()
    total = 0
    for one in found:
        simply = simple(one).tolist() if simple else [()] * len(one.spots.ways)
        for spot, ways in enumerate(one.spots.ways.tolist()):
            known = known_ranks(knowledge, one, int(one.spots.cards[spot]))
            hole = one.spots.holes[spot]
            hand = start_name(DECK[hole[0]], DECK[hole[1]])
            first = names.index(honest[hand]) if raises else 0
            deals = ways * one.deals
            numbers = [deals, *_firsts(one, spot, first, deals), *simply[spot]]
            total += one.weight * deals
            throughout[known, hand] += one.weight * one.honestly(spot, first)
            mine = sums[known, hand]
            sums[known, hand] = [
                held + one.weight * more for held, more in zip(mine, numbers, strict=True)
            ]
    return tuple(
        line_of(*named, numbers, names, game.denominator, total, throughout[named])
        for named, numbers in sums.items()
    )


def _firsts(one: Solved, spot: int, honest: int, deals: int) -> list[int]:
    """What the best first decision brings and the honest one, then the deals by best action and by
    honest action."""
    waited, raises = one.waited[spot].tolist(), one.raised.shape[1]
    if not raises:
        bets = [waited[at] for at in (holdem_flops.BET_ON_FLOP, holdem_flops.BET_HONESTLY)]
        values = [waited[at] for at in (holdem_flops.WAITED, holdem_flops.WAITED_HONESTLY)]
        return [*values, *(number for bet in bets for number in (bet, deals - bet))]
    values = [*one.raised[spot, :, 0].tolist(), waited[holdem_flops.WAITED]]
    best = max(range(raises + 1), key=lambda choice: (values[choice], choice))
    done = [deals * (choice == made) for made in (best, honest) for choice in range(raises + 1)]
    return [values[best], values[honest], *done]


def known_ranks(knowledge: Knowledge, one: Solved, flop_card: int) -> str:
    """The known cards by rank, place by place."""
    places = (
        ("dealer", one.problem.dealer),
        ("flop", (flop_card,) if knowledge.flop else ()),
        ("late", one.late),
        ("burn", one.problem.burn),
    )
    return ", ".join(
        f"{name} {' '.join(DECK[card].rank.letter for card in sorted(cards, reverse=True))}"
        for name, cards in places
        if cards
    )
