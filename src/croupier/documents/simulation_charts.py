"""Charts of a simulation: how far each mean lies from its exact value, sessions, days, jackpots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import altair as alt

from croupier.documents.document_set import put
from croupier.documents.mathematics.charts import FELT, GOLD, PALE, QUIET, RED, WIDTH, drawn
from croupier.simulate.sessions import WHOLE, Band
from croupier.simulate.simulation import Simulation

SLOTS = 30  # bars of a histogram


@dataclass(frozen=True)
class Unit:
    """What is counted: how many of it make one on the axis, and how that is written."""

    parts: int
    format: str

    @property
    def axis(self) -> alt.Axis:
        return alt.Axis(format=self.format, tickCount=6)


DOLLARS, ROUNDS, SHARES = Unit(100, "$,.0f"), Unit(1, ",.0f"), Unit(WHOLE, ".1%")


def write_charts(found: Simulation, folder: Path) -> None:
    """Every chart this simulation has something for, each a file of its own."""
    drawings = {f"{name}.svg": drawing.encode() for name, drawing in charts_of(found)}
    put(drawings, folder)


def charts_of(found: Simulation) -> Iterator[tuple[str, str]]:
    yield "means", means(found)
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


def means(found: Simulation) -> str:
    """The z of every wager of every box: within two almost always, if all is right."""
    rows = [
        {"wager": f"{figure.wager} {figure.paytable}".strip(), "z": z, "box": str(box.box)}
        for box in found.boxes
        for figure in box.figures
        if (z := figure.z) is not None
    ]
    x = alt.X("z:Q", title="standard errors from the exact value",
              scale=alt.Scale(domain=[-4, 4], clamp=True))  # fmt: skip
    points = alt.Chart(alt.InlineData(values=rows)).mark_point(
        filled=True, size=60, color=FELT, opacity=0.7
    )
    dots = points.encode(x=x, y=alt.Y("wager:N", title=None, sort=None))
    lines = alt.Chart(alt.InlineData(values=[{"z": z} for z in (-2, 0, 2)]))
    rules = lines.mark_rule(color=RED, strokeDash=[4, 3]).encode(x="z:Q")
    return drawn(
        (dots + rules).properties(
            width=WIDTH - 120, height=24 * len({str(row["wager"]) for row in rows})
        )
    )


def bands(spreads: list[tuple[str, Band]], title: str, unit: Unit) -> str:
    """Where results lie: the middle half thick, nine of ten thin, the middle one marked."""
    rows = []
    for name, spread in spreads:
        at = {f"p{percent}": value / unit.parts for percent, value in spread.at_most}
        rows.append({"name": name, **at})
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("name:N", title=None, sort=[name for name, _ in spreads])
    )
    thin = base.mark_bar(size=4, color=QUIET).encode(
        x=alt.X("p5:Q", title=f"{title}: middle, half, nine of ten", axis=unit.axis),
        x2="p95:Q",
    )
    thick = base.mark_bar(size=16, color=FELT).encode(x="p25:Q", x2="p75:Q")
    middle = base.mark_tick(size=22, thickness=3, color=GOLD).encode(x="p50:Q")
    return drawn((thin + thick + middle).properties(width=WIDTH - 80, height=34 * len(rows)))


def histogram(values: list[int], title: str, unit: Unit) -> str:
    """How often each size came."""
    least, most = min(values), max(values)
    width = max(1, -(-(most - least + 1) // SLOTS))
    counts = Counter((value - least) // width for value in values)
    rows = [
        {
            "from": (least + slot * width) / unit.parts,
            "to": (least + (slot + 1) * width) / unit.parts,
            "times": times,
        }
        for slot, times in sorted(counts.items())
    ]
    bars = alt.Chart(alt.InlineData(values=rows)).mark_bar(color=FELT, stroke=PALE).encode(
        x=alt.X("from:Q", title=title, axis=unit.axis),
        x2="to:Q",
        y=alt.Y("times:Q", title="times", axis=alt.Axis(format=",d", tickMinStep=1)),
        y2=alt.datum(0),
    )  # fmt: skip
    return drawn(bars.properties(width=WIDTH, height=170))
