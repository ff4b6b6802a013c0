"""The stakes of a simulated table put to its compiled rules: cents for each line and case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from croupier.exact import holdem as exact_holdem
from croupier.exact import holdem_bets
from croupier.exact.base_game import BetsInAntes, actions
from croupier.exact.hand_classes import common_cells
from croupier.exact.hand_samples import samples
from croupier.exact.kernels.array_types import Int64s, Uint8s
from croupier.facts.money import Cents
from croupier.facts.odds import StakeOdds
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.simulate.compiled_rules import compiled_rules_of
from croupier.simulate.kernels.settlement import (
    KIND,
    OUTCOMES,
    SHARE,
    CompiledRules,
    StakedRules,
    add_cases,
    pays,
    wins,
)
from croupier.simulate.plan import BoxPlan, SimulationPlan
from croupier.simulate.rule_cases import envy_rule

NamedActions = tuple[tuple[str, BetsInAntes], ...]  # by name, what is bet in Antes


def _listed_actions(rules: Rules) -> NamedActions:
    (street,) = rules.book.streets
    return tuple(actions(street).items())


# As the kernels number them, the fold last; the kernels stand in croupier.simulate.rounds.SHAPES.
ACTIONS: dict[GameShape, Callable[[Rules], NamedActions]] = {
    GameShape.HOLDEM: lambda rules: tuple(exact_holdem.actions(rules)),
    GameShape.HOLDEM_BETS: lambda rules: tuple(holdem_bets.actions(rules)),
    GameShape.FOUR_CARD: _listed_actions,
    GameShape.OWN_CARDS: _listed_actions,
}


def actions_of(rules: Rules) -> NamedActions:
    """The actions that a box can take, by number."""
    return ACTIONS[shape_of(rules)](rules)


def staked_rules_of(plan: SimulationPlan) -> StakedRules:
    """The arrays of a table."""
    rules, seats = plan.rules, plan.seats
    compiled = compiled_rules_of(rules).compiled
    names = [wager.name for wager in rules.book.wagers]
    cells, firsts = _cells(rules, compiled)
    case_nets, case_paid = _case_money(plan, compiled, firsts)
    nets, paid = _side_money(plan, compiled)
    order = list(range(len(seats)))
    if rules.book.contest.order.settled_from == "right":
        order.reverse()
    return StakedRules(
        rules=compiled,
        stakes=np.array([[seat.stake(name) for name in names] for seat in seats], dtype=np.int64),
        cells=cells,
        cell_count=len(firsts),
        fold=len(actions_of(rules)) - 1,
        case_nets=case_nets,
        case_paid=case_paid,
        sides=np.array([names.index(name) for name in plan.sides], dtype=np.int64),
        nets=nets,
        paid=paid,
        six=_with_own_cards(rules, plan.sides),
        progressive=_place(plan.sides, PROGRESSIVE),
        shares=_shares(plan, compiled),
        envy_pays=_envy_pays(rules),
        decides=np.array([bool(base_stakes(rules, seat, None)) for seat in seats]),
        owners=np.array([seat.player for seat in seats]),
        order=np.array(order),
    )


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else -1


def _with_own_cards(rules: Rules, sides: Sequence[str]) -> int:
    """The place of the side wager that brings cards of its own."""
    brought = {place.only_for for place in rules.book.places}
    return next((number for number, name in enumerate(sides) if name in brought), -1)


def _is_limited(rules: Rules, name: str) -> bool:
    """Whether what a wager is paid counts under the payout limit."""
    limit = rules.book.payout_limit
    return limit is not None and name in limit.wagers


# Side wagers


def _side_money(plan: SimulationPlan, compiled: CompiledRules) -> tuple[Int64s, Int64s]:
    """[box, side, line]: cents won or lost, and cents paid that count under the payout limit."""
    shape = (len(plan.seats), len(plan.sides), compiled.endings.shape[2])
    nets, paid = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    names = [wager.name for wager in plan.rules.book.wagers]
    for side, name in enumerate(plan.sides):
        number = names.index(name)
        # A line pays the same however the hands meet, where it can happen at all.
        verdicts = compiled.endings[number].max(axis=0).tolist()
        for box, seat in enumerate(plan.seats):
            stake = seat.stake(name)
            for line, verdict in enumerate(verdicts):
                if stake and verdict >= 0:
                    nets[box, side, line] = wins(compiled, verdict, stake, stake)
                    paid[box, side, line] = pays(compiled, verdict, stake)
            nets[box, side, compiled.lost[number]] = -stake  # also after a fold
        paid[:, side] *= _is_limited(plan.rules, name)
    return nets, paid


def _shares(plan: SimulationPlan, compiled: CompiledRules) -> NDArray[np.bool_]:
    """[box, line of the Progressive]: whether a meter pays it."""
    shares = np.zeros((len(plan.seats), compiled.endings.shape[2]), dtype=np.bool_)
    if PROGRESSIVE in plan.sides:
        verdicts = compiled.endings[compiled.progressive].max(axis=0)
        by_meter = (verdicts >= 0) & (compiled.verdicts[verdicts, KIND] == SHARE)
        shares[[seat.stake(PROGRESSIVE) > 0 for seat in plan.seats]] = by_meter
    return shares


def _envy_pays(rules: Rules) -> Int64s:
    """By line of Envy what each receiver gets; last nothing."""
    rule, terms = envy_rule(rules), rules.progressive
    if rule is None or terms is None:
        return np.zeros(1, dtype=np.int64)
    stake, lines = terms.stake_cents, rule.table.lines
    each = [o.pays_cents(stake) for line in lines if isinstance(o := line.odds, StakeOdds)]
    assert len(each) == len(lines), "Envy is never a share of a meter"
    return np.array([*each, 0], dtype=np.int64)


# The wagers against the dealer


def _cells(rules: Rules, compiled: CompiledRules) -> tuple[Uint8s, Int64s]:
    """Classes of the player's hand that the base game pays alike, and a class of each cell."""
    classes = len(samples(rules.game.ranking))
    base = [number for number, wager in enumerate(rules.book.wagers) if not wager.optional]
    return common_cells([compiled.lines[number, :classes] for number in base])


def _case_money(
    plan: SimulationPlan, compiled: CompiledRules, firsts: Int64s
) -> tuple[Int64s, Int64s]:
    """[box, case]: cents won or lost, and cents paid that count under the payout limit."""
    rules, bets = plan.rules, actions_of(plan.rules)
    shape = (len(plan.seats), len(bets), OUTCOMES, len(firsts))
    nets, paid = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    unlimited = np.zeros(shape[2:], dtype=np.int64)
    for box, seat in enumerate(plan.seats):
        for action, (_, bet) in enumerate(bets):
            stakes = base_stakes(rules, seat, bet)
            lies = FinishedBox(1, (), stakes)
            folded = FinishedRound(rules, {}, (lies,)).folded(lies)
            for number, wager in enumerate(rules.book.wagers):
                riding = (wager.paid_on, *wager.needs) if wager.paid_on else (wager.name,)
                if wager.optional or not all(map(lies.has, riding)):
                    continue
                limited = paid[box, action] if _is_limited(rules, wager.name) else unlimited
                base, stake = stakes[riding[0]], stakes.get(wager.name, Cents(0))
                add_cases(compiled, number, firsts, base, stake, folded, nets[box, action], limited)
    flat = (len(plan.seats), -1)
    return nets.reshape(flat), paid.reshape(flat)


def base_stakes(rules: Rules, seat: BoxPlan, play: BetsInAntes) -> dict[str, Cents]:
    """The wagers against the dealer beside what is bet in Antes; none of that after a fold."""
    stakes: dict[str, Cents] = {}
    for wager in rules.book.wagers:
        if wager.optional or wager.paid_on is not None:
            continue
        if wager.beside is not None:
            multiple = play.get(wager.name) if isinstance(play, Mapping) else play
            stake = Cents(int(stakes.get(wager.beside, 0) * (multiple or 0)))
        else:
            stake = stakes[wager.equals] if wager.equals is not None else seat.stake(wager.name)
        if stake:
            stakes[wager.name] = stake
    return stakes


def wagered_cents(plan: SimulationPlan) -> NDArray[np.int64]:
    """[box, action]: everything a box has wagered when its round ends with this action."""
    plays = [play for _, play in actions_of(plan.rules)]
    return np.array(
        [
            [
                sum(base_stakes(plan.rules, seat, play).values())
                + sum(seat.stake(name) for name in plan.sides)
                for play in plays
            ]
            for seat in plan.seats
        ],
        dtype=np.int64,
    )
