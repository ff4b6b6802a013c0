"""Charts of a simulation: how far each mean lies from its exact value, sessions, days, jackpots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from croupier.documents.chart import (
    FELT,
    GOLD,
    PALE,
    QUIET,
    RED,
    Axis,
    AxisLabel,
    Plot,
    in_dollars,
    names,
    numbers,
    signed,
    spread,
    whole,
)
from croupier.documents.document_set import put
from croupier.simulate.sessions import WHOLE, Band
from croupier.simulate.simulation import Simulation

SLOTS = 30  # bars of a histogram
FARTHEST = 4  # standard errors that the axis of means reaches


@dataclass(frozen=True)
class Unit:
    """What is counted: how many of it make one on the axis, how that is written, the least step."""

    parts: int
    written: AxisLabel
    least_step: float

    def axis(self, values: list[float], title: str) -> Axis:
        room = spread([self.written(value) for value in values])
        return numbers(values, self.written, title, room=room, least_step=self.least_step)


DOLLARS, ROUNDS = Unit(100, in_dollars, 1), Unit(1, whole, 1)
SHARES = Unit(WHOLE, lambda share: signed(share, f"{abs(100 * share):.1f}%"), 0.001)


def write_charts(found: Simulation, folder: Path) -> None:
    """Every chart this simulation has something for, each a file of its own."""
    drawings = {f"{name}.svg": drawing.encode() for name, drawing in charts_of(found)}
    put(drawings, folder)


def charts_of(found: Simulation) -> Iterator[tuple[str, str]]:
    figures = [figure for box in found.boxes for figure in box.figures]
    off = [(f"{each.wager} {each.paytable}".strip(), each.z) for each in figures]
    yield "means", means([(wager, z) for wager, z in off if z is not None])
    if found.sessions is not None:
        boxes = found.sessions.boxes
        results = [(f"box {box.box}", box.result_cents) for box in boxes]
        yield "sessions", bands(results, "result of a session", DOLLARS)
        droughts = [(f"box {box.box}", box.drought) for box in boxes]
        yield "droughts", bands(droughts, "rounds without a win, the longest of a session", ROUNDS)
    if found.house is not None and found.house.win_cents:
        house = found.house
        yield "house-win", bands([*house.win_cents], "what the house wins", DOLLARS)
        yield "house-hold", bands([*house.hold], "held of the handle", SHARES)
        if house.drop_hold:
            yield "house-drop", bands([*house.drop_hold], "held of the drop", SHARES)
    for story in found.meters:
        if jackpots := story.jackpots_cents:
            name, between = story.meter.name, story.rounds_between
            paid = f"paid by the {name} meter when it was emptied"
            yield f"meter-{name}", histogram(jackpots, paid, DOLLARS)
            since = f"rounds from one emptying of the {name} meter to the next"
            yield f"meter-{name}-rounds", histogram(between, since, ROUNDS)


def means(off: list[tuple[str, float]]) -> str:
    """The z of every wager of every box: within two almost always, if all is right.

    One farther off than the axis reaches stands at its end, with its number.
    """
    wagers = list(dict.fromkeys(wager for wager, _ in off))
    ends = [float(-FARTHEST), float(FARTHEST)]
    plot = Plot(
        numbers(ends, whole, "standard errors from the exact value", room=8),
        names(wagers, is_down=True),
        24.0 * len(wagers),
    )
    marks = [plot.upright(z, RED, "4 3") for z in (-2, 0, 2)]
    for wager, z in off:
        row, shown = wagers.index(wager), max(-FARTHEST, min(FARTHEST, z))
        marks.append(plot.dot(shown, row, FELT, 4.0, opacity=0.7))
        if shown != z:
            side, anchor = (8, "start") if z < 0 else (-8, "end")
            said = signed(z, f"{abs(z):.1f}")
            marks.append(plot.words(said, shown, row, FELT, by=(side, 4), anchor=anchor))
    return plot.drawn(*marks)


def bands(spreads: list[tuple[str, Band]], title: str, unit: Unit) -> str:
    """Where results lie: the middle half thick, nine of ten thin, the middle one marked."""
    found = [
        (name, {percent: value / unit.parts for percent, value in spread.at_most})
        for name, spread in spreads
    ]
    values = [at[percent] for _, at in found for percent in (5, 95)]
    plot = Plot(
        unit.axis(values, f"{title}: middle, half, nine of ten"),
        names([name for name, _ in found], is_down=True),
        40.0 * len(found),
    )
    marks = []
    for row, (_, at) in enumerate(found):
        marks += [
            plot.row(row, at[5], at[95], 4, QUIET),
            plot.row(row, at[25], at[75], 16, FELT),
            plot.tick(at[50], row, 22, GOLD),
            plot.words(unit.written(at[50]), at[50], row, by=(0, -14)),
        ]
    return plot.drawn(*marks)


def histogram(values: list[int], title: str, unit: Unit) -> str:
    """How often each size came."""
    least, most = min(values), max(values)
    wide = max(1, -(-(most - least + 1) // SLOTS))
    counts = Counter((value - least) // wide for value in values)
    slots = [
        ((least + slot * wide) / unit.parts, (least + (slot + 1) * wide) / unit.parts, times)
        for slot, times in sorted(counts.items())
    ]
    plot = Plot(
        unit.axis([slots[0][0], slots[-1][1]], title),
        numbers([0.0, *counts.values()], whole, "times", room=4, least_step=1),
        170,
    )
    return plot.drawn(
        *(plot.bar((start, 0.0), (end, times), FELT, PALE) for start, end, times in slots)
    )
