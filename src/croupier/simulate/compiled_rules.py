"""From Rules and stakes to the arrays kernels settle by.

No payout is computed here: each line and each case is shown to the one settlement function, with a
sample of the hands it stands for, and what the receipt says is written into the arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact import uth as exact_uth
from croupier.exact.enumeration import actions as plays
from croupier.exact.hand_classes import common_cells, lines_of_classes, samples
from croupier.exact.side_wagers import ACES, line_number
from croupier.facts.cards import DECK, Card, Rank, Suit
from croupier.facts.hands import FIVE_CARD, SUPER_ROYAL_RANKS, TWO_CARD, Hand, Ranking
from croupier.facts.money import Cents
from croupier.facts.odds import Share, StakeOdds
from croupier.facts.showings import Showing
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.rulebook.book import Paytable
from croupier.simulate.kernels import four_card, uth
from croupier.simulate.kernels.settlement import (
    COLUMNS,
    LOSS,
    OUTCOMES,
    SUPER_ROYALS,
    TIE,
    TIED,
    WIN,
    CompiledRules,
)
from croupier.simulate.plan import Seat, SimulationPlan
from croupier.table.receipt import ReceiptLine
from croupier.table.settlement import settle_box

SIX_CARD_BONUS, PROGRESSIVE = "six_card_bonus", "progressive"
NO_LIMIT = 1 << 60
_SIX = tuple(sorted(SUPER_ROYAL_RANKS))


@dataclass(frozen=True)
class KernelSight:
    """What a game's kernel sees: its looks by number, and the actions a box can take."""

    looks: tuple[str, ...]
    actions: tuple[tuple[str, int | None], ...]  # by name, the Play in Antes

    @property
    def fold(self) -> int:
        return len(self.actions) - 1


def _uth_sight(rules: Rules) -> KernelSight:
    actions = [(name, _whole(multiple)) for name, multiple in exact_uth.actions(rules)]
    return KernelSight(uth.LOOKS, tuple(actions))


def _four_card_sight(rules: Rules) -> KernelSight:
    return KernelSight(four_card.LOOKS, _listed_sight(rules).actions)


def _listed_sight(rules: Rules) -> KernelSight:
    (street,) = rules.book.streets
    actions = [(name, _whole(multiple)) for name, multiple in plays(street).items()]
    return KernelSight(tuple(rules.game.looks), tuple(actions))


# By game; its kernels stand in croupier.simulate.rounds.GAMES. Any other game is listed.
SIGHTS: dict[str, Callable[[Rules], KernelSight]] = {
    "uth": _uth_sight,
    "four-card": _four_card_sight,
}


def sight_of(rules: Rules) -> KernelSight:
    return SIGHTS.get(rules.game.id, _listed_sight)(rules)


def _whole(multiple: Fraction | None) -> int | None:
    return int(multiple) if multiple is not None else None


def felt_of(plan: SimulationPlan) -> CompiledRules:
    """The arrays of a table."""
    rules, sight = plan.rules, sight_of(plan.rules)
    cells, firsts = _cells(rules)
    tables = [_bound(rules, name) for name in plan.sides]
    looks = [sight.looks.index(rules.judged_by(name)) for name in plan.sides]
    most = max((len(table.lines) for table in tables), default=0) + 1
    lines = np.zeros((len(tables), COLUMNS), dtype=np.uint8)
    for side, table in enumerate(tables):
        lines[side] = _lines(rules, table, sight.looks[looks[side]])
    shape = (len(plan.seats), len(tables), most)
    nets, paid = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for box, seat in enumerate(plan.seats):
        for side, name in enumerate(plan.sides):
            for line, (net, capped) in _side_nets(rules, seat, name, lines[side]).items():
                nets[box, side, line], paid[box, side, line] = net, capped
    case_nets, case_paid = _case_nets(plan, sight, cells)
    limit = rules.payout_limit_cents
    envy_lines, envy_pays, envy_look = _envy(rules, sight)
    return CompiledRules(
        cells=cells,
        cell_count=len(firsts),
        first_opening=_first_opening(rules),
        fold=sight.fold,
        case_nets=case_nets,
        case_paid=case_paid,
        looks=np.array(looks, dtype=np.int64),
        lines=lines,
        lost=np.array([len(table.lines) for table in tables], dtype=np.int64),
        forfeits=np.array([_is_forfeit(rules, name) for name in plan.sides], dtype=np.bool_),
        nets=nets,
        paid=paid,
        limit=limit if limit is not None else NO_LIMIT,
        six=_place(plan.sides, SIX_CARD_BONUS),
        progressive=_place(plan.sides, PROGRESSIVE),
        shares=_shares(plan, most),
        envy_look=envy_look,
        envy_lines=envy_lines,
        envy_pays=envy_pays,
        **_seats(plan),
    )


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else -1


def _is_forfeit(rules: Rules, name: str) -> bool:
    return rules.book.wager(name).fold.outcome == "forfeit"


def _bound(rules: Rules, name: str) -> Paytable:
    table = rules.paytable(name)
    assert table is not None, "a wager is only staked where its paytable is chosen"
    return table


# Looks


def _lines(rules: Rules, table: Paytable, look: str) -> NDArray[np.uint8]:
    """By look: the line of the paytable that pays for it."""
    lines = np.full(COLUMNS, len(table.lines), dtype=np.uint8)
    if look == "first two cards":
        for column, showing in _first_twos().items():
            lines[column] = line_number(table, showing)
        return lines
    by_class = lines_of_classes(table, _ranking(rules, look))
    lines[: len(by_class)] = by_class
    for suit in Suit:
        lines[SUPER_ROYALS + suit] = line_number(table, _super_royal(suit))
    return lines


def _ranking(rules: Rules, look: str) -> Ranking:
    """Of the hand that meets the dealer's the game's own; everything else looks at five cards."""
    return rules.game.ranking if rules.game.looks[look] is rules.game.player else FIVE_CARD


@cache
def _first_twos() -> dict[int, Showing]:
    """Two cards and whether the dealer has a pair of aces, as the kernel numbers them."""
    return dict(_each_first_two())


def _each_first_two() -> Iterator[tuple[int, Showing]]:
    for high in range(len(DECK)):
        for low in range(high):
            two = (DECK[low], DECK[high])
            hole = high * (high - 1) // 2 + low
            yield 2 * hole, Showing(TWO_CARD.hand(two), two)
            yield 2 * hole + 1, Showing(TWO_CARD.hand(two), two, ACES)


def _super_royal(suit: Suit) -> Showing:
    six = tuple(Card(Rank(rank), suit) for rank in _SIX)
    return Showing(FIVE_CARD.best(six), six)


def _columns(rules: Rules, look: str) -> NDArray[np.int64]:
    """Every number a look can have."""
    if look == "first two cards":
        return np.array([*_first_twos()])
    beyond = {"six cards": [SUPER_ROYALS + suit for suit in Suit], "lower hand": [TIED]}
    return np.array([*range(len(samples(_ranking(rules, look)))), *beyond.get(look, [])])


def _shown(rules: Rules, look: str, column: int) -> Showing | None:
    """What lies on the table when a look has this number; nothing for a tie."""
    if look == "first two cards":
        return _first_twos()[column]
    if column == TIED:
        return None
    if column >= SUPER_ROYALS:
        return _super_royal(Suit(column - SUPER_ROYALS))
    hand = samples(_ranking(rules, look))[column]
    return Showing(hand, hand.cards)


# What is paid


def _settled(
    rules: Rules, stakes: dict[str, Cents], player: Hand, dealer: Hand, shown: Showing | None
) -> tuple[ReceiptLine, ...]:
    """The receipt of one box at a table where these hands are held and this is shown."""
    game = replace(
        rules.game,
        player=lambda round, box: Showing(player, player.cards),
        dealer=lambda round: dealer,
        looks={look: lambda round, box: shown for look in rules.game.looks},
    )
    bare = replace(rules, game=game, payout_limit_cents=None, envy=None)
    box = FinishedBox(1, (), stakes)
    return settle_box(FinishedRound(bare, {}, (box,)), box, {})


def _side_nets(
    rules: Rules, seat: Seat, name: str, lines: NDArray[np.uint8]
) -> dict[int, tuple[int, int]]:
    """By line: what it wins or loses, and what of it counts under the payout limit."""
    if not seat.stake(name):
        return {}
    table, look = _bound(rules, name), rules.judged_by(name)
    ranking = _ranking(rules, look)
    any_hand = samples(ranking)[0]
    found = {len(table.lines): (-int(seat.stake(name)), 0)}
    columns = _columns(rules, look)
    reached, firsts = np.unique(lines[columns], return_index=True)
    for line, column in zip(reached.tolist(), columns[firsts].tolist(), strict=True):
        if line < len(table.lines) and isinstance(table.lines[line].odds, Share):
            found[line] = -seat.stake(name), 0
            continue
        shown = _shown(rules, look, column)
        (settled,) = _settled(rules, {name: seat.stake(name)}, any_hand, any_hand, shown)
        found[line] = settled.net_cents, _under_limit(rules, [settled])
    return found


def _under_limit(rules: Rules, lines: Sequence[ReceiptLine]) -> int:
    rule = rules.book.payout_limit
    capped = rule.wagers if rule is not None else ()
    return sum(line.paid_cents for line in lines if line.wager in capped)


# The wagers against the dealer


def _base_wagers(rules: Rules) -> list[str]:
    return [wager.name for wager in rules.book.wagers if not wager.optional]


def _cells(rules: Rules) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Classes of the player's hand that the base game pays alike."""
    ranking = rules.game.ranking
    tables = [table for name in _base_wagers(rules) if (table := rules.paytable(name)) is not None]
    whole = np.zeros(len(samples(ranking)), dtype=np.uint8)
    return common_cells([whole, *(lines_of_classes(table, ranking) for table in tables)])


def _first_opening(rules: Rules) -> int:
    """The least class of hand with which the dealer opens."""
    contest, ranking = rules.book.contest, rules.game.ranking
    return next(n for n, hand in enumerate(samples(ranking)) if contest.opens(ranking, hand))


def _case_nets(
    plan: SimulationPlan, sight: KernelSight, cells: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """[box, case]: cents won or lost, and cents paid that count under the payout limit."""
    count = int(cells.max()) + 1
    shape = (len(plan.seats), len(sight.actions), OUTCOMES, count)
    nets, paid = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    hands = samples(plan.rules.game.ranking)
    for outcome, opens, cell, own, dealer in _meetings(plan.rules, cells):
        shown = Showing(hands[own], hands[own].cards)
        for box, seat in enumerate(plan.seats):
            for action, (_, multiple) in enumerate(sight.actions):
                stakes = base_stakes(plan.rules, seat, multiple)
                lines = _settled(plan.rules, stakes, hands[own], hands[dealer], shown)
                place = (box, action, 2 * outcome + opens, cell)
                nets[place] = sum(line.net_cents for line in lines)
                paid[place] = _under_limit(plan.rules, lines)
    flat = (len(plan.seats), -1)
    return nets.reshape(flat), paid.reshape(flat)


def _meetings(rules: Rules, cells: NDArray[np.uint8]) -> Iterator[tuple[int, bool, int, int, int]]:
    """Two classes that meet in each way: outcome, dealer's opening, cell, player's and dealer's.

    What cannot happen, such as to win with the weakest hand of all, is left out.
    """
    opening, best = _first_opening(rules), len(cells) - 1
    for cell in range(int(cells.max()) + 1):
        members = np.flatnonzero(cells == cell)
        least, most = int(members[0]), int(members[-1])
        tied = {bool(own >= opening): int(own) for own in members}
        for opens, weakest, strongest in ((True, opening, best), (False, 0, opening - 1)):
            if weakest <= strongest and weakest < most:
                yield WIN, opens, cell, most, weakest
            if opens in tied:
                yield TIE, opens, cell, tied[opens], tied[opens]
            if weakest <= strongest and strongest > least:
                yield LOSS, opens, cell, least, strongest


def base_stakes(rules: Rules, seat: Seat, multiple: int | None) -> dict[str, Cents]:
    """The wagers against the dealer beside a Play of so many Antes; none of it after a fold."""
    stakes: dict[str, Cents] = {}
    for wager in rules.book.wagers:
        if wager.optional or wager.paid_on is not None:
            continue
        if wager.decides is not None:
            stake = Cents(stakes.get(wager.decides, 0) * (multiple or 0))
        else:
            stake = stakes[wager.equals] if wager.equals is not None else seat.stake(wager.name)
        if stake:
            stakes[wager.name] = stake
    return stakes


def wagered_cents(plan: SimulationPlan) -> NDArray[np.int64]:
    """[box, action]: everything a box has wagered when its round ends with this action."""
    multiples = [multiple for _, multiple in sight_of(plan.rules).actions]
    return np.array(
        [
            [
                sum(base_stakes(plan.rules, seat, multiple).values())
                + sum(seat.stake(name) for name in plan.sides)
                for multiple in multiples
            ]
            for seat in plan.seats
        ],
        dtype=np.int64,
    )


# Envy and seats


def _envy(rules: Rules, sight: KernelSight) -> tuple[NDArray[np.uint8], NDArray[np.int64], int]:
    """By look of the holder the line of Envy; what each pays; and which look it is."""
    bonus, table, terms = rules.book.envy_bonus, rules.envy, rules.progressive
    if bonus is None or table is None or terms is None:
        return np.zeros(COLUMNS, dtype=np.uint8), np.zeros(1, dtype=np.int64), 0
    look = rules.chosen_hand(bonus.judged_by)
    stake = terms.stake_cents
    pays = [o.pays_cents(stake) for line in table.lines if isinstance(o := line.odds, StakeOdds)]
    assert len(pays) == len(table.lines), "Envy is never a share of a meter"
    return _lines(rules, table, look), np.array([*pays, 0]), sight.looks.index(look)


def _shares(plan: SimulationPlan, most: int) -> NDArray[np.bool_]:
    shares = np.zeros((len(plan.seats), most), dtype=np.bool_)
    if PROGRESSIVE in plan.sides:
        for number, line in enumerate(_bound(plan.rules, PROGRESSIVE).lines):
            for box, seat in enumerate(plan.seats):
                shares[box, number] = isinstance(line.odds, Share) and seat.stake(PROGRESSIVE) > 0
    return shares


def _seats(plan: SimulationPlan) -> dict[str, Any]:
    """By box: who decides, who gives Envy, who receives it; and the order of settlement."""
    rules, seats = plan.rules, plan.seats
    bonus, terms = rules.book.envy_bonus, rules.progressive
    open_wagers = [w.name for w in rules.book.wagers if w.keeps_folded_cards]
    must_wager = terms is not None and terms.holder_must_wager
    holds = [bool(seat.stake(PROGRESSIVE)) or not must_wager for seat in seats]
    stays = bonus is not None and bonus.folded_holder == "with an open wager"
    keeps = [stays and any(map(seat.stake, open_wagers)) for seat in seats]
    order = list(range(len(seats)))
    if rules.book.contest.order.settled_from == "right":
        order.reverse()
    return {
        "decides": np.array([bool(base_stakes(rules, seat, None)) for seat in seats]),
        "holds": np.array(holds),
        "holds_folded": np.array(holds) & np.array(keeps),
        "receives": np.array([bool(seat.stake(PROGRESSIVE)) for seat in seats]),
        "owners": np.array([seat.player for seat in seats]),
        "order": np.array(order),
    }
