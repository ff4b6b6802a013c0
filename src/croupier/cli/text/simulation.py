"""A simulation told for people: wagers, sessions, the house, the meters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.text.solution import percent
from croupier.facts.money import dollars, meter_dollars
from croupier.simulate.figures import BoxFigures, JointFigure, Spread, WagerFigure
from croupier.simulate.sessions import DAYS, WHOLE, Band, Bands, HouseDays, Sessions, band
from croupier.simulate.simulation import Simulation

SHOWN = (5, 25, 50, 75, 95)
HANDLE = "What the house holds of the handle, of all money wagered"
DROP = "What the house holds of the drop, {} bought by each box for each session"


def tell_simulation(found: Simulation, console: Console) -> None:
    rules = found.plan.rules
    chosen = ", ".join(f"{name} {letter}" for name, letter in rules.letters)
    heading = f"{rules.book.title} ({rules.book.id}{', ' + chosen if chosen else ''})"
    console.print(Text(heading, style="bold"), soft_wrap=True)
    console.print(
        Text(f"{found.rounds:,} rounds simulated, seed {found.plan.seed}", style="dim"),
        soft_wrap=True,
    )
    for box in found.boxes:
        console.print()
        _tell_box(found, box, console)
    console.print()
    _tell_table(found, console)
    if found.sessions is not None:
        _tell_sessions(found.sessions, console)
    if found.house is not None:
        _tell_house(found.house, found.sessions, console)
    if found.meters:
        _tell_meters(found, console)


def _tell_box(found: Simulation, box: BoxFigures, console: Console) -> None:
    title = f"Box {box.box}, {box.strategy} play; means in stakes of each wager"
    names = ("Stake", "Mean", "± error", "Exact", "z", "Hits", "Exactly")
    table = _table("Wager", *names)
    for figure in box.figures:
        table.add_row(*_cells(found, figure))
    _tell_titled(title, table, console)
    done = ", ".join(f"{name} {percent(share, 2)}" for name, share in box.actions)
    console.print(Text(f"Done: {done}", style="dim"))
    if box.with_six is not None:
        for told in _together(box.with_six):
            console.print(Text(told, style="dim"), soft_wrap=True)
    console.print(Text(f"All wagers of the box: {_spread(box.net)}", style="dim"), soft_wrap=True)


def _cells(found: Simulation, figure: WagerFigure) -> tuple[str, ...]:
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
    told = f"mean {mean} ± {_cents(spread.standard_error)}, standard deviation {deviation}"
    if spread.deviation_error is not None:
        told += f" ± {_cents(spread.deviation_error)}"
    return told


def _together(both: JointFigure) -> Iterator[str]:
    yield f"Base game and Six Card Bonus in one round: {_spread(both)}"
    correlation = f"{both.correlation:+.4f} ± {both.correlation_error:.4f}"
    exactly = f"their exact means make {_cents(both.exact_cents)}, z {both.z:+.2f}"
    yield f"  correlation {correlation}, the only part that is simulated; {exactly}"


def _cents(cents: Fraction | float) -> str:
    """Dollars to a hundredth of a cent: errors are small."""
    return f"{'-' if cents < 0 else ''}${abs(float(cents)) / 100:,.4f}"


def _tell_table(found: Simulation, console: Console) -> None:
    win = -found.table.mean_cents
    share = percent(win / found.handle_cents)
    told = (
        f"The table wins {_cents(win)} ± {_cents(found.table.standard_error)} a round, "
        f"{share} of {_cents(found.handle_cents)} wagered"
    )
    console.print(Text(told), soft_wrap=True)
    console.print()


def _tell_sessions(sessions: Sessions, console: Console) -> None:
    named = "session" if sessions.count == 1 else "sessions"
    title = f"{sessions.count:,} {named} of {sessions.rounds:,} rounds"
    if sessions.bankroll_cents is not None:
        title += f", {dollars(sessions.bankroll_cents)} brought along"
    title += "; so many % are at most"
    results = [(f"Box {box.box}, result", box.result_cents) for box in sessions.boxes]
    _tell_bands(title, results, console, _whole_dollars)
    droughts = [(f"Box {box.box}, rounds", box.drought) for box in sessions.boxes]
    _tell_bands("Longest run of rounds without a win in a session", droughts, console, _plain)
    for box in sessions.boxes:
        told = f"Box {box.box}: {percent(Fraction(box.won, sessions.count), 2)} of sessions won"
        if box.ruined is not None:
            risk = percent(Fraction(box.ruined, sessions.count), 2)
            told += f"; risk of ruin {risk}"
        console.print(Text(told))
    console.print()


def _tell_house(house: HouseDays, sessions: Sessions | None, console: Console) -> None:
    title = f"What the house wins, {house.rounds_a_day:,} rounds a day; so many % are at most"
    _tell_bands(title, _a(house.win_cents), console, _whole_dollars)
    _tell_bands(HANDLE, _a(house.hold), console, _share)
    if sessions is not None and sessions.bankroll_cents is not None:
        title = DROP.format(dollars(sessions.bankroll_cents))
        _tell_bands(title, _a(house.drop_hold), console, _share)
    missing = [name for name in DAYS if name not in dict(house.win_cents)]
    if missing:
        rounds = DAYS[missing[0]] * house.rounds_a_day
        told = f"Not one whole {missing[0]} was played; it takes {rounds:,} rounds"
        console.print(Text(told, style="dim"))
        console.print()


def _a(bands: Bands) -> list[tuple[str, Band]]:
    return [(f"A {name}", spread) for name, spread in bands]


def _tell_meters(found: Simulation, console: Console) -> None:
    names = ("Reset", "Awards", "Emptied", "Paid", "Stands at", "Reserve")
    table = _table("Meter", *names)
    for story in found.meters:
        paid = sum(award.paid_cents for award in story.awards)
        table.add_row(
            story.meter.name,
            meter_dollars(story.meter.reset),
            f"{len(story.awards):,}",
            f"{len(story.jackpots_cents):,}",
            dollars(paid),
            meter_dollars(story.last),
            dollars(story.reserve_cents),
        )
    _tell_titled("Meters", table, console)
    console.print()
    jackpots = [(s.meter.name, spread) for s in found.meters if (spread := band(s.jackpots_cents))]
    between = [(s.meter.name, spread) for s in found.meters if (spread := band(s.rounds_between))]
    _tell_bands("What a meter pays when it is emptied", jackpots, console, _whole_dollars)
    _tell_bands("Rounds from one emptying to the next", between, console, _plain)


def _tell_bands(
    title: str, bands: list[tuple[str, Band]], console: Console, say: Callable[[int], str]
) -> None:
    """A row each; a column headed 5% is what five percent of the cases are at most."""
    if not bands:
        return
    table = _table("", "Count", "Mean", *(f"{percent}%" for percent in SHOWN))
    for name, spread in bands:
        values = (say(dict(spread.at_most)[percent]) for percent in SHOWN)
        table.add_row(name, f"{spread.count:,}", say(round(spread.mean)), *values)
    _tell_titled(title, table, console)
    console.print()


def _plain(number: int) -> str:
    return f"{number:,}"


def _share(millionths: int) -> str:
    return f"{millionths * 100 / WHOLE:,.2f}%"


def _whole_dollars(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.0f}"


def _table(first: str, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(first)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _tell_titled(title: str, table: Table, console: Console) -> None:
    """The title on a line of its own, however narrow the table is."""
    console.print(Text(title, style="bold"), soft_wrap=True)
    console.print(table)
