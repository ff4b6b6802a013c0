"""A solution told for people: the base game, its strategy, and every wager in one table."""

from __future__ import annotations

from fractions import Fraction

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.text.strategy_chart import strategy_chart
from croupier.exact.base_game import BaseGame
from croupier.exact.solution import SideValue, Solution, net_label
from croupier.facts.money import dollars
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE
from croupier.rulebook.book import Rulebook
from croupier.submission.submission import ProgressiveOffer

_LINEAR = (
    "A round's result is linear in Play, so nothing between the least and the most Play is better "
    "than both of them: only these two and the fold are ever best."
)


def tell_solution(
    registry: Registry, solution: Solution, console: Console, offer: ProgressiveOffer | None = None
) -> None:
    """``offer`` is the Progressive of a submission, where one was given."""
    book = registry.book(solution.rulebook)
    chosen = ", ".join(f"{name} {letter}" for name, letter in solution.paytables)
    heading = f"{book.title} ({book.id}{', ' + chosen if chosen else ''})"
    console.print(Text(heading, style="bold"))
    console.print(Text(f"{solution.base.deals:,} deals counted, optimal play", style="dim"))
    if solution.limited is not None:
        console.print(Text(f"{solution.limit_words()}.", style="dim"), soft_wrap=True)
    console.print()
    tell_base(solution.base, console)
    if any(street.least_multiple is not None for street in book.streets):
        console.print(Text(_LINEAR, style="dim"))
        console.print()
    if chart := strategy_chart(solution.hands):
        console.print(chart)
        console.print()
    _tell_sides(book, solution, console)
    _tell_progressives(solution, offer.growth if offer is not None else None, console)
    _tell_envy(solution, console)
    console.print(Text(f"Values: {solution.provenance}", style="dim"), soft_wrap=True)


def tell_base(base: BaseGame, console: Console) -> None:
    """The figures of a base game, however it was played."""
    facts = _table(None)
    facts.add_row("House edge", percent(-base.ev), "of the Ante")
    facts.add_row("Element of risk", percent(-base.ev / base.average_wager), "of all money wagered")
    facts.add_row("Average wager", f"{float(base.average_wager):.4f}", "Antes")
    facts.add_row("Standard deviation", f"{base.standard_deviation:.4f}", "Antes")
    facts.add_row("Skewness", f"{base.skewness:.4f}", "")
    console.print(facts)
    console.print(Text(f"Exact value of one Ante: {base.ev}", style="dim"), soft_wrap=True)
    console.print()
    total = base.deals
    actions = _table("What is done", "Action", "Chance")
    for name, ways in base.action_ways().items():
        actions.add_row(name, percent(Fraction(ways, total)))
    console.print(actions)
    console.print()
    wagers = _table("How the wagers end", "Wager", "Win", "Push", "Lose", "Value in Antes")
    for name, ends in base.wager_ends().items():
        parts = (percent(Fraction(part, total)) for part in (ends.won, ends.pushed, ends.lost))
        wagers.add_row(name.replace("_", " ").capitalize(), *parts, f"{float(ends.ev):+.6f}")
    console.print(wagers)
    console.print()
    results = _table("Net result", "Antes", "Chance")
    for net, ways in base.distribution().items():
        results.add_row(f"{net_label(net):>6}", percent(Fraction(ways, total), 6))
    console.print(results)
    console.print()


def _tell_sides(book: Rulebook, solution: Solution, console: Console) -> None:
    names = ("Wager", "Paytable", "House edge", "Hits", "SD", "SD with base")
    table = _table("Every paytable, per unit staked; the base game per Ante", *names)
    for wager, letter, ev in solution.base_values:
        name = f"{book.wager(wager).title} {letter}"
        table.add_row("Base game", name, percent(-ev), "", "", "")
    for side in solution.side_wagers:
        together = solution.together(side)
        reading = f" ({side.reading})" if side.reading else ""
        table.add_row(
            book.wager(side.endings.wager).title,
            f"{side.endings.paytable}{reading}",
            percent(-side.ev) + ("*" if side.depends_on_money else ""),
            percent(side.endings.hit_frequency()),
            f"{side.standard_deviation:.3f}",
            f"{together:.3f}" if together is not None else "",
        )
    console.print(table)
    if any(side.depends_on_money for side in solution.side_wagers):
        stake = _stake_assumed(solution)
        console.print(Text(f"* {stake}, meters at their resets, no Envy", style="dim"))
    console.print()


def _stake_assumed(solution: Solution) -> str:
    """One dollar, but for the Progressive what the submission says."""
    stakes = {
        side.assumed.stake_cents for side in solution.side_wagers if side.assumed.meters_cents
    }
    other = [dollars(stake).removesuffix(".00") for stake in stakes if stake != 100]
    return f"a stake of $1 (Progressive {other[0]})" if other else "a stake of $1"


def _tell_progressives(solution: Solution, growth: Fraction | None, console: Console) -> None:
    """``growth`` is the share of a wager that meters grow by, None where no submission says it."""
    sides = [side for side in solution.side_wagers if side.assumed.meters_cents]
    if not sides:
        return
    names = (
        *("Paytable", "Meter", "Reset", "$1,000 adds"),
        *("Even at", "with Envy", "Long run", "Hit 1 in"),
    )
    table = _table("Progressive, by meter", *names)
    chosen = dict(solution.paytables).get(PROGRESSIVE)
    for side in sides:
        _add_meters(table, solution, side, growth if side.endings.paytable == chosen else None)
    console.print(table)
    others = f"{solution.boxes - 1} other boxes"
    told = (
        "Even at: what must stand on a meter for an even wager, the other meters as they are; "
        f"without Envy, and with Envy of {others} that all make the wager. Long run: what comes "
        "back over many rounds without Envy"
    )
    unsaid = " (+: and what each wager adds to the meters, which a submission says)"
    is_said = growth is not None and all(side.endings.paytable == chosen for side in sides)
    console.print(Text(f"{told}{'' if is_said else unsaid}.", style="dim"))
    console.print()


def _add_meters(table: Table, solution: Solution, side: SideValue, growth: Fraction | None) -> None:
    slopes, even = side.endings.slopes(side.assumed), side.break_even_dollars()
    envy = solution.envy_of(side)
    added = (solution.boxes - 1) * envy.ev_each_box if envy is not None else None
    with_envy = side.break_even_dollars(added) if added is not None else {}
    long_run = percent(sum(side.long_run(), growth or Fraction(0)), 2)
    name = side.endings.paytable + (f" ({side.reading})" if side.reading else "")
    for meter, reset_cents in side.resets_cents:
        emptied = side.chance_to_empty(meter)
        table.add_row(
            name,
            meter,
            dollars(reset_cents).removesuffix(".00"),
            percent(slopes[meter] * 1000),
            _even_at(even.get(meter)),
            _even_at(with_envy.get(meter)) if added is not None else "",
            f"{long_run}{'+' if growth is None else ''}",
            f"{float(1 / emptied):,.0f}" if emptied else "never",
        )


def _even_at(needed: Fraction | None) -> str:
    """What must stand on a meter for an even wager, in words."""
    if needed is None:
        return "never"
    return "always" if needed <= 0 else f"${float(needed):,.0f}"


def _tell_envy(solution: Solution, console: Console) -> None:
    if not solution.envy:
        return
    table = _table(
        "Envy, added to one Progressive wager", "Paytable", "Stake", "Each other box", ""
    )
    for envy in solution.envy:
        name = envy.paytable + (f" ({envy.reading})" if envy.reading else "")
        full = envy.ev_each_box * (solution.boxes - 1)
        others = f"{percent(full)} with {solution.boxes - 1} others"
        table.add_row(name, envy.stake, percent(envy.ev_each_box), others)
    console.print(table)
    console.print()


def percent(value: Fraction, digits: int = 4) -> str:
    return f"{100 * float(value):.{digits}f}%"


def _table(title: str | None, *columns: str) -> Table:
    table = Table(
        title=title, title_justify="left", title_style="bold", box=None, pad_edge=False,
        header_style="dim", show_header=bool(columns),
    )  # fmt: skip
    for number, name in enumerate(columns or ("", "", "")):
        table.add_column(name, justify="left" if number == 0 else "right", no_wrap=True)
    return table
