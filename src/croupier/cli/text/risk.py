"""Report of a risk: a round, so many of them, ruin, the bankroll, the house, and what was dealt."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from croupier.bankroll.risk import HousePeriod, Risk, RuinChances, SafeBankroll
from croupier.bankroll.ruin import Within
from croupier.bankroll.trial import Measured
from croupier.cli.terminal import TerminalSection
from croupier.cli.text.solution import titled
from croupier.documents.blocks import AnyBlock, Grid, Heading, Prose
from croupier.facts.money import dollars
from croupier.facts.percentage import percent
from croupier.games.rules import PROGRESSIVE

SHOWN = (0.005, 0.05, 0.25, 0.5, 0.75, 0.95, 0.995)
EXACT_TO = "exact but for a chance of {:.0e}"


def risk_report(found: Risk) -> Iterator[TerminalSection]:
    asked, one = found.asked, found.round
    stakes = [f"Ante {dollars(asked.ante_cents)}"]
    stakes += [f"{asked.rules.book.wager(n).title} {dollars(s)}" for n, s in asked.stakes]
    meters = ", ".join(f"{name} {dollars(held)}" for name, held in asked.meters)
    standing = f"; meters stand at {meters}" if meters and PROGRESSIVE in one.wagers else ""
    yield (
        Heading(titled(asked.rules.book, _letters(found))),
        Prose(f"{', '.join(stakes)}{standing}; best play of the base game", tone="lead"),
        Prose(f"{one.deals:,} deals counted, base game and side wagers together", tone="note"),
    )
    yield (_rounds(found),)
    yield (_quantiles(found), Prose(_how_exact(found), tone="note"))
    if found.ruin is not None:
        yield _ruin(found, found.ruin)
    if found.bankroll is not None:
        yield _bankroll(found, found.bankroll)
    if found.house:
        yield _house(found.house)
    yield (_covariances(found),)
    if found.envy is not None:
        each, chance = found.envy.cents_each_box, float(found.envy.endings.hit_frequency())
        yield (
            Prose(
                f"Envy is in none of these figures: each other box adds {_cents(float(each), 4)} a "
                f"round, and brings any in {percent(chance)} of rounds",
                tone="note",
            ),
        )
    if found.trial is not None:
        said = f"{found.trial.rounds:,} rounds simulated, seed {found.trial.seed}"
        yield (Prose(f"{said}: {found.trial.sessions:,} times {asked.rounds:,}", tone="note"),)


def _letters(found: Risk) -> tuple[tuple[str, str], ...]:
    """The paytables of the wagers that are made."""
    return tuple((w, letter) for w, letter in found.asked.rules.letters if w in found.round.wagers)


def _rounds(found: Risk) -> Grid:
    """One round and so many of them, each with what the simulator found."""
    one, trial = found.round, found.trial
    no = Measured(0.0, 0.0)
    mean, deviation = (trial.mean, trial.deviation) if trial is not None else (no, no)
    total = (trial.total_mean, trial.total_deviation) if trial is not None else (None, None)
    many = f"{found.asked.rounds:,} rounds"
    has = trial is not None
    rows = [
        ("A round", "mean", _cents(float(one.mean)), _simulated(mean if has else None)),
        ("", "deviation", _cents(one.standard_deviation), _simulated(deviation if has else None)),
        ("", "skewness", f"{one.skewness:.3f}", ""),
        ("", "wagered", _cents(float(one.staked_cents)), ""),
        (many, "mean", _cents(found.mean), _simulated(total[0])),
        ("", "deviation", _cents(found.deviation), _simulated(total[1])),
        ("", "skewness", f"{found.skewness:.3f}", ""),
        ("", "ahead", percent(found.ahead), _chance(trial.ahead if trial is not None else None)),
    ]
    return Grid(("", "", "Exactly", "Simulated"), tuple(rows), "llrr")


def _quantiles(found: Risk) -> Grid:
    dealt = dict(found.trial.quantiles) if found.trial is not None else {}
    rows = tuple(
        (f"{100 * share:g}%", _cents(amount), _simulated(dealt.get(share)))
        for share, amount in found.quantiles
    )
    title = f"{found.asked.rounds:,} rounds bring at most"
    return Grid(("Chance", "Exactly", "Simulated"), rows, "lrr", title)


def _how_exact(found: Risk) -> str:
    if found.total.is_exact:
        return f"In steps of {_cents(found.total.unit)}, {EXACT_TO.format(found.total.off_by)}."
    away = found.total.unit * sqrt(found.asked.rounds)
    return f"The steps of these odds are too fine to be followed: off by less than {_cents(away)}."


def _ruin(found: Risk, ruin: RuinChances) -> Iterator[AnyBlock]:
    asked, trial = found.asked, found.trial
    assert asked.bankroll_cents is not None
    many = f"in {asked.rounds:,} rounds"
    rows = [
        ("Ruin", many, percent(ruin.within), _chance(trial.ruin if trial else None)),
        ("", "for ever", _within(ruin.for_ever), ""),
    ]
    if ruin.first is not None and ruin.first_for_ever is not None:
        dealt = (trial.ruin_first, trial.goal_first) if trial else (None, None)
        rows += [
            ("Ruin before the goal", many, _within(ruin.first.ruin), _chance(dealt[0])),
            ("", "for ever", _within(ruin.first_for_ever.ruin), ""),
            ("Goal before ruin", many, _within(ruin.first.goal), _chance(dealt[1])),
            ("", "for ever", _within(ruin.first_for_ever.goal), ""),
        ]
    goal = f", goal {dollars(asked.goal_cents)}" if asked.goal_cents is not None else ""
    title = f"Bankroll {dollars(asked.bankroll_cents)}{goal}"
    yield Grid(("", "", "Exactly", "Simulated"), tuple(rows), "llrr", title)
    yield Prose(
        f"Ruined is who cannot begin a round, which needs {dollars(asked.needed_cents)}"
        + ("." if asked.funded is not None else "; a Play is always paid for."),
        tone="note",
    )


def _bankroll(found: Risk, safe: SafeBankroll) -> Iterator[AnyBlock]:
    chance = f"{float(100 * safe.risk):g}%"
    rounds = f"{found.asked.rounds:,} rounds"
    yield Prose(f"{dollars(safe.within_cents)} are ruined in {rounds} at most {chance} of the time")
    if safe.for_ever_cents is None:
        yield Prose("For ever no bankroll is enough: the player loses on average", tone="note")
    else:
        yield Prose(f"{dollars(safe.for_ever_cents)} are enough for ever", tone="note")


def _house(periods: tuple[HousePeriod, ...]) -> Iterator[AnyBlock]:
    wider = periods[0].spread
    names = ("The house wins", "Rounds of a box", "Mean", "Deviation", "Loses")
    rows = tuple(
        (
            period.period,
            f"{period.box_rounds:,}",
            _cents(period.mean, 0),
            _cents(period.deviation * (wider.value if wider else 1), 0),
            percent(period.chance_to_lose),
        )
        for period in periods
    )
    yield Grid(names, rows, "lrrrr")
    shown = [f"{100 * share:g}%" for share in SHOWN]
    at_most = tuple(
        (period.period, *(_cents(period.at_table(dict(period.quantiles)[s]), 0) for s in SHOWN))
        for period in periods
    )
    yield Grid(("At most", *shown), at_most, "l" + "r" * len(shown))
    if wider is None:
        yield Prose("As if boxes shared no cards.", tone="note")
    else:
        yield Prose(
            f"Boxes of one table meet one dealer: simulated, that makes the deviation "
            f"{wider.value:.3f} ± {wider.error:.3f} times as large, which is counted here.",
            tone="note",
        )


def _covariances(found: Risk) -> Grid:
    """In square dollars; the diagonal is each wager's variance."""
    one = found.round
    names = tuple(name.replace("_", " ") for name in one.wagers)
    rows = tuple(
        (name, *(f"{float(value) / 10_000:,.1f}" for value in row))
        for name, row in zip(names, one.covariances, strict=True)
    )
    title = "Covariances in square dollars"
    return Grid(("", *names), rows, "l" + "r" * len(names), title)


def _cents(amount: float, digits: int = 2) -> str:
    sign = "-" if round(amount / 100, digits) < 0 else ""
    return f"{sign}${abs(amount) / 100:,.{digits}f}"


def _simulated(found: Measured | None) -> str:
    return f"{_cents(found.value)} ± {_cents(found.error)}" if found is not None else ""


def _chance(found: Measured | None) -> str:
    return f"{percent(found.value)} ± {percent(found.error)}" if found is not None else ""


def _within(chance: Within) -> str:
    if chance.most - chance.least < 1e-6:
        return percent(chance.middle)
    return f"{percent(chance.least)} to {percent(chance.most)}"
