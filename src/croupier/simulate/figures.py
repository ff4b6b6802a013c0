"""Mean, standard error and z of every wager, of two together, and of a box, from counted rounds.

Sums are exact; floats appear only where a root is taken. The standard error of a mean comes from
the exact standard deviation where that is known: a sample of rare jackpots would understate it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from croupier.exact.endings import LOST
from croupier.exact.solution import SideValue, Solution
from croupier.facts.money import Cents
from croupier.games.rules import ENVY, PROGRESSIVE, Rules
from croupier.simulate.kernels.settlement import OUTCOMES, StakedRules, envy_line_of, square_of
from croupier.simulate.meters import Award
from croupier.simulate.plan import OPTIMAL, ExactSpread, SimulationPlan
from croupier.simulate.rounds import ShardResult, prepared
from croupier.simulate.staked_rules import actions_of, wagered_cents

AT_RESETS = "at resets"


@dataclass(frozen=True)
class Hit:
    """One way for a wager to end: how often it came, and how often it must."""

    name: str
    times: int
    chance: Fraction | None


@dataclass(frozen=True)
class WagerFigure:
    """The mean of one wager, in its stakes; ``exact`` and ``z`` where the solver knows it."""

    wager: str
    paytable: str
    stake_cents: int
    rounds: int
    mean: Fraction
    variance: Fraction
    exact: Fraction | None = None
    exact_variance: Fraction | None = None
    hits: tuple[Hit, ...] = ()
    note: str = ""

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        known = self.exact_variance if self.exact_variance is not None else self.variance
        return sqrt(known / self.rounds)

    @property
    def z(self) -> float | None:
        if self.exact is None or not self.standard_error:
            return None
        return float(self.mean - self.exact) / self.standard_error

    @property
    def hit_frequency(self) -> Fraction | None:
        """How often it did not lose."""
        lost = self._lost
        return 1 - Fraction(lost.times, sum(hit.times for hit in self.hits)) if lost else None

    @property
    def exact_hit_frequency(self) -> Fraction | None:
        chance = self._lost.chance if self._lost is not None else None
        return 1 - chance if chance is not None else None

    @property
    def _lost(self) -> Hit | None:
        return next((hit for hit in self.hits if hit.name == LOST), None)


@dataclass(frozen=True)
class Spread:
    """A mean and a standard deviation in cents, the second with its own error."""

    mean_cents: Fraction
    variance: Fraction
    rounds: int
    deviation_error: float | None = None

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        return sqrt(self.variance / self.rounds)


@dataclass(frozen=True, kw_only=True)
class JointFigure(Spread):
    """Two wagers of one round, in cents: only how they move together had to be simulated."""

    exact_cents: Fraction
    covariance: Fraction
    covariance_error: float
    alone: Fraction  # the product of both variances

    @property
    def z(self) -> float:
        return float(self.mean_cents - self.exact_cents) / self.standard_error

    @property
    def correlation(self) -> float:
        return float(self.covariance) / sqrt(self.alone)

    @property
    def correlation_error(self) -> float:
        return self.covariance_error / sqrt(self.alone)


@dataclass(frozen=True)
class BoxFigures:
    """One box: its wagers one by one, the base game with Six Card Bonus, and all together."""

    box: int
    strategy: str
    actions: tuple[tuple[str, Fraction], ...]
    figures: tuple[WagerFigure, ...]
    with_six: JointFigure | None
    net: Spread
    staked_cents: Fraction


def figures_of(
    plan: SimulationPlan,
    played: ShardResult,
    awards: list[Award],
    solution: Solution,
    bases: Sequence[ExactSpread],
) -> tuple[BoxFigures, ...]:
    """Every box of a run; ``bases`` are the exact base games by mind."""
    staked = prepared(plan).staked
    return tuple(
        _box(plan, played, awards, solution, bases[plan.minds.index(seat.mind)], staked, box)
        for box, seat in enumerate(plan.seats)
    )


def table_net(played: ShardResult, awards: list[Award], boxes: tuple[BoxFigures, ...]) -> Spread:
    """What all boxes won or lost together, awards included."""
    return _net(played, awards, len(boxes), [figure for box in boxes for figure in box.figures])


def _box(
    plan: SimulationPlan,
    played: ShardResult,
    awards: list[Award],
    solution: Solution,
    base: ExactSpread,
    staked: StakedRules,
    box: int,
) -> BoxFigures:
    cases = played.tally.cases[box].sum(axis=1)
    actions = cases.reshape(-1, OUTCOMES * staked.cell_count).sum(axis=1)
    names = [name for name, _ in actions_of(plan.rules)]
    counted = zip(names, actions.tolist(), strict=True)
    figures = [
        *_base(plan, played, base, staked, box),
        *_sides(plan, played, awards, solution, staked, box),
        *_envy(plan, played, solution, staked, box),
        *_cut(plan, played, box),
    ]
    own = [award for award in awards if award.box == box]
    return BoxFigures(
        box + 1,
        plan.seats[box].mind.name,
        tuple((name, Fraction(times, played.rounds)) for name, times in counted),
        tuple(figures),
        _with_six(plan, played, staked, figures, box),
        _net(played, own, box, figures),
        Fraction(int(actions @ wagered_cents(plan)[box]), played.rounds),
    )


def _base(
    plan: SimulationPlan, played: ShardResult, base: ExactSpread, staked: StakedRules, box: int
) -> Iterator[WagerFigure]:
    ante = plan.seats[box].stake("ante")
    if not ante:
        return
    counts = played.tally.cases[box].sum(axis=1)
    mean, variance = _moments(counts, staked.case_nets[box], played.rounds)
    yield WagerFigure(
        "base",
        _paid_by(plan.rules),
        ante,
        played.rounds,
        mean / ante,
        variance / ante**2,
        base.ev,
        base.variance,
    )


def _paid_by(rules: Rules) -> str:
    """The letter of the table by which a wager against the dealer is paid, if there is one."""
    against = {wager.name for wager in rules.book.wagers if wager.judged_by == "contest"}
    return next((letter for name, letter in rules.letters if name in against), "")


def _sides(
    plan: SimulationPlan,
    played: ShardResult,
    awards: list[Award],
    solution: Solution,
    staked: StakedRules,
    box: int,
) -> Iterator[WagerFigure]:
    seat = plan.seats[box]
    for side, name in enumerate(plan.sides):
        if not seat.stake(name):
            continue
        exact = exact_side(plan, solution, name, seat.stake(name))
        counts = played.tally.lines[box, side][: len(exact.endings.endings)]
        by_play = plan.rules.book.wager(name).depends_on_play
        known = not by_play or seat.mind.name == OPTIMAL
        if name == PROGRESSIVE:
            nets = [end.net(exact.assumed) * seat.stake(name) for end in exact.endings.endings]
            note = AT_RESETS if plan.meters else ""
        else:
            nets, note = [Fraction(int(net)) for net in staked.nets[box, side]], ""
        yield _side(exact, counts, nets, played.rounds, known, note)
        if name == PROGRESSIVE and plan.meters:
            yield _as_paid(plan, played, awards, exact, staked, box)


def _side(
    exact: SideValue,
    counts: NDArray[np.int64],
    nets: list[Fraction],
    rounds: int,
    known: bool,
    note: str,
) -> WagerFigure:
    stake, ends = exact.assumed.stake_cents, exact.endings
    times = counts.tolist()
    mean = sum((n * net for n, net in zip(times, nets, strict=False)), Fraction(0)) / rounds
    square = sum((n * net**2 for n, net in zip(times, nets, strict=False)), Fraction(0)) / rounds
    hits = tuple(
        Hit(end.name, n, ends.chance(end) if known else None)
        for end, n in zip(ends.endings, times, strict=True)
    )
    return WagerFigure(
        ends.wager,
        ends.paytable,
        stake,
        rounds,
        mean / stake,
        (square - mean**2) / stake**2,
        exact.ev if known else None,
        ends.variance(exact.assumed) if known else None,
        hits,
        note,
    )


def _as_paid(
    plan: SimulationPlan,
    played: ShardResult,
    awards: list[Award],
    exact: SideValue,
    staked: StakedRules,
    box: int,
) -> WagerFigure:
    """The Progressive with what its meters really held when they were hit."""
    stake = exact.assumed.stake_cents
    counts, nets = (
        played.tally.lines[box, staked.progressive],
        staked.nets[box, staked.progressive],
    )
    total = sum(n * int(net) for n, net in zip(counts.tolist(), nets, strict=True))
    square = sum(n * int(net) ** 2 for n, net in zip(counts.tolist(), nets, strict=True))
    for award in awards:
        if award.box == box:
            total += award.paid_cents
            square += award.paid_cents**2 - 2 * award.paid_cents * stake
    mean = Fraction(total, played.rounds)
    variance = Fraction(square, played.rounds) - mean**2
    return WagerFigure(
        exact.endings.wager,
        exact.endings.paytable,
        stake,
        played.rounds,
        mean / stake,
        variance / stake**2,
        note="as paid",
    )


def exact_side(plan: SimulationPlan, solution: Solution, name: str, stake: Cents) -> SideValue:
    terms = plan.rules.progressive
    reading = terms.hand if name == PROGRESSIVE and terms is not None else None
    letter = dict(plan.rules.letters)[name]
    return solution.side(name, letter, reading).assuming({name: stake}, {})


def _envy(
    plan: SimulationPlan, played: ShardResult, solution: Solution, staked: StakedRules, box: int
) -> Iterator[WagerFigure]:
    others = [at for at in range(len(plan.seats)) if staked.owners[at] != staked.owners[box]]
    if plan.rules.envy is None or not plan.seats[box].stake(PROGRESSIVE) or not others:
        return
    terms = plan.rules.progressive
    assert terms is not None, "Envy goes to Progressive wagers only"
    stake = terms.stake_cents
    sums = played.tally.extra[box, 0].tolist()
    cents, times = sums[0], sums[-1]
    mean = Fraction(cents, played.rounds)
    variance = Fraction(square_of(sums), played.rounds) - mean**2
    letter = dict(plan.rules.letters)[ENVY]
    (exact,) = [
        envy
        for envy in solution.envy
        if envy.paytable == letter and envy.assumed.stake_cents == stake
        if envy.reading in (None, terms.hand)
    ]
    known = all(_always_holds(plan, staked, at) for at in others)
    yield WagerFigure(
        ENVY,
        letter,
        stake,
        played.rounds,
        mean / stake,
        variance / stake**2,
        exact.ev_each_box * len(others) if known else None,
        hits=(Hit("paid", times, None), Hit("lose", played.rounds - times, None)),
        note=f"from {len(others)} others" if len(others) > 1 else "from one other",
    )


def _always_holds(plan: SimulationPlan, staked: StakedRules, box: int) -> bool:
    """Whether this box gives Envy for every hand that has it; best play folds none of those."""
    folds = plan.seats[box].mind.name != OPTIMAL
    hand = int(np.argmax(staked.rules.envy_lines < staked.rules.no_envy))
    return envy_line_of(staked.rules, staked.stakes[box], folds, hand) < staked.rules.no_envy


def _cut(plan: SimulationPlan, played: ShardResult, box: int) -> Iterator[WagerFigure]:
    """What the payout limit took back, in Antes."""
    sums = played.tally.extra[box, 1].tolist()
    cents, times = sums[0], sums[-1]
    ante = plan.seats[box].stake("ante")
    if times and ante:
        mean = Fraction(-cents, played.rounds)
        variance = Fraction(square_of(sums), played.rounds) - mean**2
        hits = (Hit("cut", times, None), Hit("lose", played.rounds - times, None))
        yield WagerFigure(
            "payout_limit", "", ante, played.rounds, mean / ante, variance / ante**2, hits=hits
        )


def _moments(
    counts: NDArray[np.int64], nets: NDArray[np.int64], rounds: int
) -> tuple[Fraction, Fraction]:
    pairs = [(int(n), int(net)) for n, net in zip(counts, nets, strict=True) if n]
    mean = Fraction(sum(n * net for n, net in pairs), rounds)
    return mean, Fraction(sum(n * net**2 for n, net in pairs), rounds) - mean**2


def _with_six(
    plan: SimulationPlan,
    played: ShardResult,
    staked: StakedRules,
    figures: list[WagerFigure],
    box: int,
) -> JointFigure | None:
    """Base game and the wager with cards of its own: all is exact but their covariance."""
    by_name = {figure.wager: figure for figure in figures}
    six = by_name.get(plan.sides[staked.six]) if staked.six >= 0 else None
    if "base" not in by_name or six is None:
        return None
    (base_mean, base_variance), (six_mean, six_variance) = map(_in_cents, (by_name["base"], six))
    simulated = (by_name["base"].mean * by_name["base"].stake_cents) + six.mean * six.stake_cents
    nets = [int(net) - six_mean for net in staked.nets[box, staked.six]]
    away = [int(net) - base_mean for net in staked.case_nets[box]]
    covariance, error = _covariance(played.tally.cases[box].tolist(), away, nets, six.hits)
    alone = base_variance * six_variance
    # A few rounds can move together more than any two wagers could.
    most = Fraction(sqrt(alone))
    covariance = max(-most, min(covariance, most))
    variance = base_variance + six_variance + 2 * covariance
    return JointFigure(
        mean_cents=simulated,
        variance=variance,
        rounds=played.rounds,
        deviation_error=error / sqrt(variance),
        exact_cents=base_mean + six_mean,
        covariance=covariance,
        covariance_error=error,
        alone=alone,
    )


def _covariance(
    joint: list[list[int]], away: list[Fraction], nets: list[Fraction], hits: tuple[Hit, ...]
) -> tuple[Fraction, float]:
    """How two wagers move together, and the error of that, both about their means.

    ``away`` is by case of the first wager, ``nets`` by line of the second. Each line counts with
    its exact chance, and with the mean of the first wager in the rounds that hit it. A line that
    never came adds nothing; its error is as far as the first wager ever went.
    """
    rounds = sum(hit.times for hit in hits)
    farthest = max(abs(net) for net, row in zip(away, joint, strict=True) if any(row))
    covariance, square = Fraction(0), Fraction(0)
    for line, hit in enumerate(hits):
        chance = hit.chance if hit.chance is not None else Fraction(hit.times, rounds)
        weight, times = chance * nets[line], max(1, hit.times)
        came = [(row[line], net) for row, net in zip(joint, away, strict=True) if row[line]]
        covariance += weight * sum((n * net for n, net in came), Fraction(0)) / times
        spread = sum((n * net**2 for n, net in came), Fraction(0)) / times if came else farthest**2
        square += weight**2 * spread / times
    return covariance, sqrt(square)


def _in_cents(figure: WagerFigure) -> tuple[Fraction, Fraction]:
    """Mean and variance of a wager, exact where they are known."""
    mean = figure.exact if figure.exact is not None else figure.mean
    known = figure.exact_variance if figure.exact_variance is not None else figure.variance
    return mean * figure.stake_cents, known * figure.stake_cents**2


def _net(played: ShardResult, awards: list[Award], row: int, figures: list[WagerFigure]) -> Spread:
    """All lines of a box, or of the whole table in the last row, with the awards it was paid.

    Each wager's own part of the variance is exact where it is known, so that a run without its
    rarest awards does not make errors look small.
    """
    sums = played.tally.sums[row].tolist()
    cents, square = sums[0], square_of(sums)
    whole = row == len(played.tally.sums) - 1
    nets = {r: of_table if whole else net for r, b, _, net, of_table in played.hits.tolist()
            if whole or b == row}  # fmt: skip
    drawn: Counter[int] = Counter()
    for award in awards:
        drawn[award.round] += award.paid_cents
    for round, paid in drawn.items():
        cents += paid
        square += paid**2 + 2 * paid * nets[round]
    mean = Fraction(cents, played.rounds)
    unseen = sum(
        ((figure.exact_variance - figure.variance) * figure.stake_cents**2
         for figure in figures
         if figure.exact_variance is not None and figure.note != AT_RESETS),
        Fraction(0),
    )  # fmt: skip
    variance = Fraction(square, played.rounds) - mean**2 + unseen
    return Spread(mean, max(Fraction(0), variance), played.rounds)
