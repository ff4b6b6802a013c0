"""From Rules and stakes to the arrays kernels settle by, in cents; see :mod:`.rule_cases`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact import uth as exact_uth
from croupier.exact.enumeration import actions as plays
from croupier.exact.hand_classes import common_cells, lines_of_classes, samples
from croupier.facts.money import Cents
from croupier.facts.odds import StakeOdds
from croupier.facts.showings import Showing
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.rulebook.book import Paytable
from croupier.simulate.kernels.settlement import COLUMNS, OUTCOMES, CompiledRules
from croupier.simulate.plan import BoxPlan, SimulationPlan
from croupier.simulate.rule_cases import (
    LOOKS,
    envy_rule,
    first_opening,
    is_share,
    lines_by_look,
    meetings,
    payout_limit,
    receipt,
    receipts_by_line,
)
from croupier.table.events import WagerSettled

SIX_CARD_BONUS = "six_card_bonus"


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
    return KernelSight(LOOKS["uth"], tuple(actions))


def _four_card_sight(rules: Rules) -> KernelSight:
    return KernelSight(LOOKS["four-card"], _listed_sight(rules).actions)


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


def compiled_rules_of(plan: SimulationPlan) -> CompiledRules:
    """The arrays of a table."""
    rules, sight = plan.rules, sight_of(plan.rules)
    cells, firsts = _cells(rules)
    tables = [_bound(rules, name) for name in plan.sides]
    looks = [sight.looks.index(rules.judged_by(name)) for name in plan.sides]
    most = max((len(table.lines) for table in tables), default=0) + 2
    lines = np.zeros((len(tables), COLUMNS), dtype=np.uint8)
    for side, table in enumerate(tables):
        lines[side] = lines_by_look(rules, table, sight.looks[looks[side]])
    shape = (len(plan.seats), len(tables), most)
    nets, paid = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for box, seat in enumerate(plan.seats):
        for side, name in enumerate(plan.sides):
            for line, (net, capped) in _side_nets(rules, seat, name, lines[side]).items():
                nets[box, side, line], paid[box, side, line] = net, capped
    case_nets, case_paid = _case_nets(plan, sight, cells)
    envy_lines, envy_pays, envy_look = _envy(rules, sight)
    return CompiledRules(
        cells=cells,
        cell_count=len(firsts),
        first_opening=first_opening(rules),
        fold=sight.fold,
        case_nets=case_nets,
        case_paid=case_paid,
        looks=np.array(looks, dtype=np.int64),
        lines=lines,
        lost=np.array([len(table.lines) for table in tables], dtype=np.int64),
        forfeits=np.array([_is_forfeit(rules, name) for name in plan.sides], dtype=np.bool_),
        must_win=np.array(
            [rules.book.wager(name).must_win is not None for name in plan.sides], dtype=np.bool_
        ),
        nets=nets,
        paid=paid,
        limit=payout_limit(rules),
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


# What is paid


def _side_nets(
    rules: Rules, seat: BoxPlan, name: str, lines: NDArray[np.uint8]
) -> dict[int, tuple[int, int]]:
    """By line: what it wins or loses, and what of it counts under the payout limit."""
    stake = seat.stake(name)
    if not stake:
        return {}
    found = {len(_bound(rules, name).lines): (-int(stake), 0)}
    for line, settled in receipts_by_line(rules, name, lines, {name: stake}):
        if settled is None:
            found[line] = -stake, 0
        else:
            found[line] = settled.net_cents, _under_limit(rules, [settled])
    return found


def _under_limit(rules: Rules, lines: Sequence[WagerSettled]) -> int:
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


def _case_nets(
    plan: SimulationPlan, sight: KernelSight, cells: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """[box, case]: cents won or lost, and cents paid that count under the payout limit."""
    count = int(cells.max()) + 1
    shape = (len(plan.seats), len(sight.actions), OUTCOMES, count)
    nets, paid = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for meeting, cell, own, dealer in meetings(plan.rules, cells):
        shown = Showing(own, own.cards)
        for box, seat in enumerate(plan.seats):
            for action, (_, multiple) in enumerate(sight.actions):
                stakes = base_stakes(plan.rules, seat, multiple)
                lines = receipt(plan.rules, stakes, own, dealer, shown)
                place = (box, action, meeting, cell)
                nets[place] = sum(line.net_cents for line in lines)
                paid[place] = _under_limit(plan.rules, lines)
    flat = (len(plan.seats), -1)
    return nets.reshape(flat), paid.reshape(flat)


def base_stakes(rules: Rules, seat: BoxPlan, multiple: int | None) -> dict[str, Cents]:
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
    rule, terms = envy_rule(rules), rules.progressive
    if rule is None or terms is None:
        return np.zeros(COLUMNS, dtype=np.uint8), np.zeros(1, dtype=np.int64), 0
    stake = terms.stake_cents
    lines = rule.table.lines
    pays = [o.pays_cents(stake) for line in lines if isinstance(o := line.odds, StakeOdds)]
    assert len(pays) == len(lines), "Envy is never a share of a meter"
    return rule.lines, np.array([*pays, 0]), sight.looks.index(rule.look)


def _shares(plan: SimulationPlan, most: int) -> NDArray[np.bool_]:
    shares = np.zeros((len(plan.seats), most), dtype=np.bool_)
    if PROGRESSIVE in plan.sides:
        table = _bound(plan.rules, PROGRESSIVE)
        for line in range(len(table.lines)):
            for box, seat in enumerate(plan.seats):
                shares[box, line] = is_share(table, line) and seat.stake(PROGRESSIVE) > 0
    return shares


def _seats(plan: SimulationPlan) -> dict[str, Any]:
    """By box: who decides, who gives Envy, who receives it; and the order of settlement."""
    rules, seats = plan.rules, plan.seats
    rule = envy_rule(rules)
    open_wagers = [w.name for w in rules.book.wagers if w.keeps_folded_cards]
    must_wager = rule is not None and rule.holder_wagers
    holds = [bool(seat.stake(PROGRESSIVE)) or not must_wager for seat in seats]
    stays = rule is not None and rule.folded_holds
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
