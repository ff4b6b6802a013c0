"""Risk: what so many rounds at the same stakes bring a player and a house, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from typing import Any

from croupier.bankroll.question import DAYS, SHARES, SHIFT, RiskQuestion, refuse_question
from croupier.bankroll.ruin import NEXT_TO_NOTHING, BalanceWalk, FirstOf, Within
from croupier.bankroll.trial import Measured, RiskTrial, shared_spread, tried
from croupier.exact.joint import JointRound, joint_round
from croupier.exact.many_rounds import RoundsTotal, rounds_total
from croupier.exact.solution import EnvyValue
from croupier.exact.solution_cache import solved
from croupier.extras import KERNELS, require
from croupier.facts.money import Cents, dollars
from croupier.facts.progress import Progress, ShareDone
from croupier.games.rules import PROGRESSIVE

POINTS = 40  # of a curve, up to the bankroll


@dataclass(frozen=True)
class RuinChances:
    """What becomes of a bankroll: ruin alone, and which of ruin and goal comes first."""

    within: float
    for_ever: Within
    by_bankroll: tuple[tuple[int, float], ...]  # cents, and the chance that they do not last
    first: FirstOf | None = None
    first_for_ever: FirstOf | None = None


@dataclass(frozen=True)
class SafeBankroll:
    """The least bankroll that is ruined at most so often; None where no bankroll is enough."""

    risk: Fraction
    within_cents: Cents
    for_ever_cents: Cents | None


@dataclass(frozen=True)
class HousePeriod:
    """What the house wins in a shift, a week or a month.

    ``deviation`` and ``quantiles`` are of boxes that share no cards; ``spread`` says how much wider
    the simulator found them where boxes of one table meet one dealer, and the chance to lose is
    taken so.
    """

    period: str
    box_rounds: int
    mean: float
    deviation: float
    quantiles: tuple[tuple[float, float], ...]
    chance_to_lose: float
    spread: Measured | None = None

    def at_table(self, amount: float) -> float:
        """A quantile of boxes that meet one dealer, as far from the mean as was measured."""
        wider = self.spread.value if self.spread is not None else 1.0
        return self.mean + (amount - self.mean) * wider


@dataclass(frozen=True)
class Risk:
    """Everything that was asked, in cents; ``total`` is the sum of the asked rounds."""

    asked: RiskQuestion
    round: JointRound
    total: RoundsTotal
    ruin: RuinChances | None = None
    bankroll: SafeBankroll | None = None
    house: tuple[HousePeriod, ...] = ()
    trial: RiskTrial | None = None
    envy: EnvyValue | None = None  # what each other box adds; in no other figure

    @property
    def mean(self) -> float:
        return float(self.round.mean) * self.asked.rounds

    @property
    def deviation(self) -> float:
        return self.round.standard_deviation * sqrt(self.asked.rounds)

    @property
    def skewness(self) -> float:
        return self.round.skewness / sqrt(self.asked.rounds)

    @property
    def quantiles(self) -> tuple[tuple[float, float], ...]:
        return tuple(zip(SHARES, self.total.at_most(SHARES), strict=True))

    @property
    def ahead(self) -> float:
        return self.total.chance_over(0.0)

    def document(self) -> dict[str, Any]:
        """What ``croupier risk --json`` prints; amounts are in dollars."""
        return {
            "rulebook": self.asked.rules.book.id,
            "paytables": dict(self.asked.rules.letters),
            "stakes": _dollars({"ante": self.asked.ante_cents, **dict(self.asked.stakes)}),
            "meters": _dollars(dict(self.asked.meters)),
            "round": self._round_document(),
            "rounds": self.asked.rounds,
            "total": self._total_document(),
            **({"ruin": self._ruin_document(self.ruin)} if self.ruin is not None else {}),
            **({"bankroll": _safe_document(self.bankroll)} if self.bankroll is not None else {}),
            **({"house": {p.period: _house_document(p) for p in self.house}} if self.house else {}),
            **({"envy": _envy_document(self.envy)} if self.envy is not None else {}),
            **({"simulated": _trial_document(self.trial)} if self.trial is not None else {}),
        }

    def _round_document(self) -> dict[str, Any]:
        one = self.round
        return {
            "deals": one.deals,
            "mean": float(one.mean) / 100,
            "mean_exact_cents": str(one.mean),
            "standard_deviation": one.standard_deviation / 100,
            "skewness": one.skewness,
            "wagered": float(one.staked_cents) / 100,
            "needed": self.asked.needed_cents / 100,
            "wagers": {
                name: float(mean) / 100 for name, mean in zip(one.wagers, one.means, strict=True)
            },
            "covariances": {
                name: {
                    other: float(value) / 10_000
                    for other, value in zip(one.wagers, row, strict=True)
                }
                for name, row in zip(one.wagers, one.covariances, strict=True)
            },
            "distribution": {
                f"{net / 100:.2f}": ways / one.deals for net, ways in one.distribution.items()
            },
        }

    def _total_document(self) -> dict[str, Any]:
        return {
            "mean": self.mean / 100,
            "standard_deviation": self.deviation / 100,
            "skewness": self.skewness,
            "quantiles": {f"{100 * share:g}%": cents / 100 for share, cents in self.quantiles},
            "ahead": self.ahead,
            "is_exact": self.total.is_exact,
            "step": self.total.unit / 100,
            "off_by": self.total.off_by,
        }

    def _ruin_document(self, ruin: RuinChances) -> dict[str, Any]:
        assert self.asked.bankroll_cents is not None
        document: dict[str, Any] = {
            "bankroll": self.asked.bankroll_cents / 100,
            "within": ruin.within,
            "off_by": NEXT_TO_NOTHING,
            "for_ever": _within(ruin.for_ever),
        }
        if self.asked.goal_cents is not None:
            document["goal"] = self.asked.goal_cents / 100
        for name, first in (("first", ruin.first), ("first_for_ever", ruin.first_for_ever)):
            if first is not None:
                document[name] = {"ruin": _within(first.ruin), "goal": _within(first.goal)}
        return document


def _dollars(amounts: Mapping[str, Cents]) -> dict[str, str]:
    return {name: dollars(amount) for name, amount in amounts.items()}


def _within(chance: Within) -> float | dict[str, float]:
    if chance.least == chance.most:
        return chance.least
    return {"least": chance.least, "most": chance.most}


def _safe_document(found: SafeBankroll) -> dict[str, Any]:
    for_ever = found.for_ever_cents
    return {
        "risk": float(found.risk),
        "within": found.within_cents / 100,
        "for_ever": for_ever / 100 if for_ever is not None else None,
    }


def _house_document(period: HousePeriod) -> dict[str, Any]:
    quantiles = {f"{100 * share:g}%": cents / 100 for share, cents in period.quantiles}
    document: dict[str, Any] = {
        "box_rounds": period.box_rounds,
        "mean": period.mean / 100,
        "standard_deviation": period.deviation / 100,
        "quantiles": quantiles,
        "chance_to_lose": period.chance_to_lose,
    }
    if period.spread is not None:
        document["wider_at_one_dealer"] = _measured(period.spread)
        document["quantiles_at_one_dealer"] = {
            f"{100 * share:g}%": period.at_table(cents) / 100 for share, cents in period.quantiles
        }
    return document


def _envy_document(envy: EnvyValue) -> dict[str, Any]:
    """What one other box brings a round: on average, and how likely each amount is."""
    return {
        "paytable": envy.paytable,
        "each_box": float(envy.cents_each_box) / 100,
        "each_box_exact_cents": str(envy.cents_each_box),
        "distribution": {
            f"{float(paid) / 100:.2f}": chance for paid, chance in envy.chances_each_box.items()
        },
    }


def _trial_document(trial: RiskTrial) -> dict[str, Any]:
    amounts = {
        "mean": trial.mean,
        "standard_deviation": trial.deviation,
        "total_mean": trial.total_mean,
        "total_standard_deviation": trial.total_deviation,
    }
    chances = {
        "ahead": trial.ahead,
        "ruin": trial.ruin,
        "ruin_first": trial.ruin_first,
        "goal_first": trial.goal_first,
    }
    return {
        **{"rounds": trial.rounds, "seed": trial.seed, "sessions": trial.sessions},
        **{name: _measured(m, 100) for name, m in amounts.items() if m is not None},
        "quantiles": {f"{100 * share:g}%": _measured(m, 100) for share, m in trial.quantiles},
        **{name: _measured(m) for name, m in chances.items() if m is not None},
    }


def _measured(found: Measured, parts: int = 1) -> dict[str, float]:
    return {"value": found.value / parts, "error": found.error / parts}


def risk(asked: RiskQuestion, progress: Progress = lambda what, done: None) -> Risk:
    """Count one round, then follow as many as are asked for."""
    refuse_question(asked)
    require(KERNELS)
    meters = dict(asked.meters)
    one = joint_round(asked.rules, asked.ante_cents, dict(asked.stakes), meters, progress)
    walk = BalanceWalk(one.distribution, asked.needed_cents)
    total = total_of(one, asked.rounds)
    spread = None
    if asked.floor is not None and asked.trial_rounds:
        boxes = ceil(asked.floor.boxes_in_play)
        if boxes > 1:
            spread = shared_spread(asked, boxes, _step(progress, "dealing tables"))
    return Risk(
        asked,
        one,
        total,
        _ruin(asked, walk, progress),
        _safe_bankroll(asked, walk, progress),
        tuple(_house(asked, one, period, spread) for period in (SHIFT, *DAYS) if asked.floor),
        tried(asked, total, _step(progress, "dealing")) if asked.trial_rounds else None,
        _envy(asked, progress),
    )


def _envy(asked: RiskQuestion, progress: Progress) -> EnvyValue | None:
    """What each other box adds to the Progressive that is staked, where the table has Envy."""
    rules, stakes = asked.rules, dict(asked.stakes)
    if PROGRESSIVE not in stakes or rules.envy is None or rules.progressive is None:
        return None
    found, letter = solved(rules, progress), dict(rules.letters)[PROGRESSIVE]
    return found.envy_of(
        found.side(PROGRESSIVE, letter, rules.progressive.hand).assuming(stakes, {})
    )


def _step(progress: Progress, what: str) -> ShareDone:
    return lambda done: progress(what, done)


def total_of(one: JointRound, rounds: int, sign: int = 1) -> RoundsTotal:
    """The sum of rounds in cents, on the grid of the amounts that one can bring."""
    unit = BalanceWalk(one.distribution, 0).unit_cents
    units = {Fraction(sign * net, unit): ways for net, ways in one.distribution.items()}
    total = rounds_total(units, rounds)
    return RoundsTotal(
        rounds, total.unit * unit, total.first, total.chances, total.is_exact, total.off_by
    )


def _ruin(asked: RiskQuestion, walk: BalanceWalk, progress: Progress) -> RuinChances | None:
    if asked.bankroll_cents is None:
        return None
    start = walk.place(asked.bankroll_cents)
    within = walk.ruin_within(asked.rounds, start, _step(progress, "following a bankroll"))
    sampled = range(0, min(len(within), 2 * start + 2), max(1, start // POINTS))
    by_bankroll = tuple(
        (walk.needed_cents + n * walk.unit_cents, float(within[n])) for n in sampled
    )
    alone = (float(within[start]), walk.ruin_for_ever(start), by_bankroll)
    if asked.goal_cents is None:
        return RuinChances(*alone)
    above = asked.goal_cents - asked.bankroll_cents
    goal = start + -(-above // walk.unit_cents)
    to_goal = _step(progress, "following it to a goal")
    return RuinChances(
        *alone,
        walk.first_of(start, goal, asked.rounds, to_goal),
        walk.first_for_ever(start, goal, to_goal),
    )


def _safe_bankroll(
    asked: RiskQuestion, walk: BalanceWalk, progress: Progress
) -> SafeBankroll | None:
    if asked.risk is None:
        return None
    following = _step(progress, "looking for a bankroll")
    chances = walk.ruin_within(asked.rounds, 0, following)
    units = int((chances > float(asked.risk)).sum())  # the more there is, the less it is ruined
    return SafeBankroll(
        asked.risk,
        Cents(walk.amount(units)),
        _for_ever_cents(walk, float(asked.risk)),
    )


def _for_ever_cents(walk: BalanceWalk, share: float) -> Cents | None:
    if walk.ruin_for_ever(0).least == 1:
        return None
    units = 0
    while walk.ruin_for_ever(units).most > share:
        units = max(1, 2 * units)
    low = units // 2
    while units - low > 1:
        middle = (low + units) // 2
        low, units = (low, middle) if walk.ruin_for_ever(middle).most <= share else (middle, units)
    return Cents(walk.amount(units))


def _house(
    asked: RiskQuestion, one: JointRound, period: str, spread: Measured | None
) -> HousePeriod:
    assert asked.floor is not None
    rounds = asked.floor.box_rounds(period)
    total = total_of(one, rounds, sign=-1)
    found = total.at_most(SHARES)
    mean = -float(one.mean) * rounds
    no_win = mean - mean / (spread.value if spread is not None else 1.0)
    return HousePeriod(
        period,
        rounds,
        mean,
        one.standard_deviation * sqrt(rounds),
        tuple(zip(SHARES, found, strict=True)),
        1 - total.chance_over(no_win - total.unit),
        spread,
    )
