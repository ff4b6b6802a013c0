"""Report of a simulation: wagers, sessions, the house, the meters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from croupier.cli.terminal import TerminalSection
from croupier.cli.text.solution import titled
from croupier.documents.blocks import AnyBlock, Grid, Heading, Prose
from croupier.facts.money import dollars, meter_dollars
from croupier.facts.percentage import percent
from croupier.simulate.figures import BoxFigures, JointFigure, Spread, WagerFigure
from croupier.simulate.meters import MeterStory
from croupier.simulate.sessions import DAYS, WHOLE, Band, Bands, HouseDays, Sessions, band
from croupier.simulate.simulation import Simulation

SHOWN = (5, 25, 50, 75, 95)
HANDLE = "What the house holds of the handle, of all money wagered"
DROP = "What the house holds of the drop, {} bought by each box for each session"


def simulation_report(found: Simulation) -> Iterator[TerminalSection]:
    rules = found.plan.rules
    counted = f"{found.rounds:,} rounds simulated, seed {found.plan.seed}"
    yield Heading(titled(rules.book, rules.letters)), Prose(counted, tone="note")
    for box in found.boxes:
        yield _box(found, box)
    win = -found.table.mean_cents
    share = percent(win / found.handle_cents)
    error, wagered = _cents(found.table.standard_error), _cents(found.handle_cents)
    wins = f"The table wins {_cents(win)} ± {error} a round, {share} of {wagered} wagered"
    yield (Prose(wins),)
    if found.sessions is not None:
        yield from _sessions(found.sessions)
    if found.house is not None:
        yield from _house(found.house, found.sessions)
    if found.meters:
        yield from _meters(found.meters)


def _box(found: Simulation, box: BoxFigures) -> Iterator[AnyBlock]:
    names = ("Wager", "Stake", "Mean", "± error", "Exact", "z", "Hits", "Exactly")
    rows = tuple(_wager_row(found, figure) for figure in box.figures)
    title = f"Box {box.box}, {box.strategy} play; means in stakes of each wager"
    yield Grid(names, rows, "lrrrrrrr", title)
    done = ", ".join(f"{name} {percent(share, 2)}" for name, share in box.actions)
    yield Prose(f"Done: {done}", tone="note")
    if box.with_six is not None:
        yield from _together(box.with_six)
    yield Prose(f"All wagers of the box: {_spread(box.net)}", tone="note")


def _wager_row(found: Simulation, figure: WagerFigure) -> tuple[str, ...]:
    hits, exact_hits = figure.hit_frequency, figure.exact_hit_frequency
    return (
        _name(found, figure),
        dollars(figure.stake_cents),
        f"{float(figure.mean):+.5f}",
        f"{figure.standard_error:.5f}",
        f"{float(figure.exact):+.5f}" if figure.exact is not None else "",
        f"{figure.z:+.2f}" if figure.z is not None else "",
        percent(hits, 3) if hits is not None else "",
        percent(exact_hits, 3) if exact_hits is not None else "",
    )


def _name(found: Simulation, figure: WagerFigure) -> str:
    book = found.plan.rules.book
    titles = {"base": "Base game", "envy": "Envy", "payout_limit": "Payout limit"}
    title = titles.get(figure.wager) or book.wager(figure.wager).title
    named = f"{title} {figure.paytable}".rstrip()
    return f"{named}, {figure.note}" if figure.note else named


def _spread(spread: Spread) -> str:
    mean, deviation = _cents(spread.mean_cents), _cents(spread.standard_deviation)
    words = f"mean {mean} ± {_cents(spread.standard_error)}, standard deviation {deviation}"
    if spread.deviation_error is not None:
        words += f" ± {_cents(spread.deviation_error)}"
    return words


def _together(both: JointFigure) -> Iterator[Prose]:
    yield Prose(f"Base game and Six Card Bonus in one round: {_spread(both)}", tone="note")
    correlation = f"{both.correlation:+.4f} ± {both.correlation_error:.4f}"
    exactly = f"their exact means make {_cents(both.exact_cents)}, z {both.z:+.2f}"
    simulated = f"  correlation {correlation}, the only part that is simulated; {exactly}"
    yield Prose(simulated, tone="note")


def _sessions(sessions: Sessions) -> Iterator[TerminalSection]:
    named = "session" if sessions.count == 1 else "sessions"
    title = f"{sessions.count:,} {named} of {sessions.rounds:,} rounds"
    if sessions.bankroll_cents is not None:
        title += f", {dollars(sessions.bankroll_cents)} brought along"
    title += "; so many % are at most"
    results = [(f"Box {box.box}, result", box.result_cents) for box in sessions.boxes]
    yield from _bands(title, results, _whole_dollars)
    droughts = [(f"Box {box.box}, rounds", box.drought) for box in sessions.boxes]
    yield from _bands("Longest run of rounds without a win in a session", droughts, _plain)
    won = []
    for box in sessions.boxes:
        words = f"Box {box.box}: {percent(Fraction(box.won, sessions.count), 2)} of sessions won"
        if box.ruined is not None:
            words += f"; risk of ruin {percent(Fraction(box.ruined, sessions.count), 2)}"
        won.append(Prose(words))
    yield won


def _house(house: HouseDays, sessions: Sessions | None) -> Iterator[TerminalSection]:
    title = f"What the house wins, {house.rounds_a_day:,} rounds a day; so many % are at most"
    yield from _bands(title, _periods(house.win_cents), _whole_dollars)
    yield from _bands(HANDLE, _periods(house.hold), _share)
    if sessions is not None and sessions.bankroll_cents is not None:
        title = DROP.format(dollars(sessions.bankroll_cents))
        yield from _bands(title, _periods(house.drop_hold), _share)
    missing = [name for name in DAYS if name not in dict(house.win_cents)]
    if missing:
        rounds = DAYS[missing[0]] * house.rounds_a_day
        words = f"Not one whole {missing[0]} was played; it takes {rounds:,} rounds"
        yield (Prose(words, tone="note"),)


def _periods(bands: Bands) -> list[tuple[str, Band]]:
    return [(f"A {name}", spread) for name, spread in bands]


def _meters(meters: Iterable[MeterStory]) -> Iterator[TerminalSection]:
    rows = tuple(
        (
            story.meter.name,
            meter_dollars(story.meter.reset),
            f"{len(story.awards):,}",
            f"{len(story.jackpots_cents):,}",
            dollars(sum(award.paid_cents for award in story.awards)),
            meter_dollars(story.last),
            dollars(story.reserve_cents),
        )
        for story in meters
    )
    names = ("Meter", "Reset", "Awards", "Emptied", "Paid", "Stands at", "Reserve")
    yield (Grid(names, rows, "lrrrrrr", "Meters"),)
    jackpots = [(s.meter.name, spread) for s in meters if (spread := band(s.jackpots_cents))]
    between = [(s.meter.name, spread) for s in meters if (spread := band(s.rounds_between))]
    yield from _bands("What a meter pays when it is emptied", jackpots, _whole_dollars)
    yield from _bands("Rounds from one emptying to the next", between, _plain)


def _bands(
    title: str, bands: list[tuple[str, Band]], written: Callable[[int], str]
) -> Iterator[TerminalSection]:
    """A row each; a column headed 5% is what five percent of the cases are at most."""
    names = ("", "Count", "Mean", *(f"{percent}%" for percent in SHOWN))
    rows = tuple(
        (
            name,
            f"{spread.count:,}",
            written(round(spread.mean)),
            *(written(dict(spread.at_most)[percent]) for percent in SHOWN),
        )
        for name, spread in bands
    )
    if rows:
        yield (Grid(names, rows, "lrrrrrrr", title),)


def _plain(number: int) -> str:
    return f"{number:,}"


def _share(millionths: int) -> str:
    return f"{millionths * 100 / WHOLE:,.2f}%"


def _whole_dollars(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.0f}"


def _cents(cents: Fraction | float) -> str:
    """Dollars to a hundredth of a cent: errors are small."""
    return f"{'-' if cents < 0 else ''}${abs(float(cents)) / 100:,.4f}"
