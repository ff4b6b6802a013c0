"""Report of a design: the paytables that meet a target, the given one's lines, a Progressive."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.cli.terminal import TerminalSection
from croupier.documents.blocks import AnyBlock, Grid, Heading, Prose
from croupier.facts.money import dollars
from croupier.facts.percentage import percent
from croupier.paytables.design import PaytableDesign
from croupier.paytables.progressive import ProgressiveDesign


def design_report(found: PaytableDesign, most: int) -> Iterator[TerminalSection]:
    if found.progressive is not None:
        yield from _progressive(found, found.progressive, most)
        return
    yield _head(found)
    yield (_effects(found),)
    if found.found:
        yield (_tables(found, most),)


def _head(found: PaytableDesign) -> Iterator[AnyBlock]:
    what = f"{found.wager} {found.letter} of {found.rulebook}"
    if found.solved is None:
        yield Heading(
            f"{found.there_are:,} paytables meet the targets, the nearest to {what} first"
        )
        return
    yield Heading(f"{len(found.found):,} paytables near {what}, each solved")
    yield Prose(
        f"{found.there_are:,} may meet the targets: their own best play takes at most "
        f"{percent(found.margin)} off their edge under that of {found.letter}. {found.solved:,} of "
        "them were solved, the nearest first.",
        tone="note",
    )


def _effects(found: PaytableDesign) -> Grid:
    """What one unit more on a line of the given paytable does."""
    rows = tuple(
        (
            effect.name,
            str(line.odds),
            percent(effect.chance),
            percent(effect.edge),
            f"{effect.deviation:+.4f}" if found.solved is None else "",
        )
        for effect in found.near.effects()
        for line in found.near.lines
        if line.name == effect.name
    )
    names = ("Line", found.letter, "Chance", "Edge, one more", "SD, one more")
    return Grid(names, rows, "lrrrr")


def _tables(found: PaytableDesign, most: int) -> Grid:
    """A row each; where a line is left out, nothing stands."""
    lines = [line.name for line in found.near.lines]
    rows = []
    for designed in found.found[:most]:
        pays = {line.name: _number(line.pays) for line in designed.table.lines}
        swing = f"{designed.table.standard_deviation:.3f}" if found.solved is None else ""
        hits = percent(designed.table.hit_frequency, 2) if found.solved is None else ""
        figures = (percent(designed.edge), hits, swing, f"{designed.table.distance:.3f}")
        rows.append((*figures, *(pays.get(name, "") for name in lines)))
    names = ("Edge", "Hits", "SD", "Distance", *(_short(name) for name in lines))
    return Grid(names, tuple(rows), "r" * len(names))


def _short(phrase: str) -> str:
    """The first letters of a line's words: the table above has them whole."""
    return "".join(word[0] for word in phrase.split() if word[0].isalnum())


def _number(pays: Fraction) -> str:
    return str(pays) if pays.denominator == 1 else f"{float(pays):g}"


def _progressive(
    found: PaytableDesign, plan: ProgressiveDesign, most: int
) -> Iterator[TerminalSection]:
    what = f"{found.wager} {found.letter} of {found.rulebook}"
    title = f"{found.there_are:,} plans of resets and rates for {what} meet the target"
    at = f"a wager of {dollars(plan.stake_cents)}; the edge is over many rounds"
    yield Heading(title), Prose(at, tone="note")
    rows = tuple(
        (
            ", ".join(f"{name} {dollars(cents)}" for name, cents in each.resets_cents),
            percent(each.rate, 0),
            percent(each.edge, 2),
            *(percent(part, 2) for part in each.returns),
        )
        for each in plan.plans[:most]
    )
    names = ("Resets", "Rate", "Edge", "By odds", "Resets", "Rate", "Envy")
    if rows:
        yield (Grid(names, rows, "lrrrrrr"),)
    meters = [name for name, _ in plan.break_even[0][1]]
    adds = dict(plan.envy)
    even = tuple(
        (str(n), percent(adds.get(n, Fraction(0)), 3), *(f"${float(v):,.0f}" for _, v in at_meters))
        for n, at_meters in plan.break_even
    )
    columns = ("Other boxes", "Envy adds", *(f"{name} is even at" for name in meters))
    yield (Grid(columns, even, "r" * len(columns)),)
    shares = "; ".join(f"{name} {share}" for name, share in plan.shares)
    yield (Prose(f"Paid from meters: {shares}", tone="note"),)
