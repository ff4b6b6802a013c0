"""Charts of a simulation: how far each mean lies from its exact value, sessions, days, jackpots."""

from __future__ import annotations

from pathlib import Path

import altair as alt

from croupier.documents.charts import FELT, GOLD, QUIET, RED, WIDTH, drawn
from croupier.simulate.sessions import Band
from croupier.simulate.simulation import Simulation


def write_charts(found: Simulation, folder: Path) -> list[Path]:
    """Every chart this simulation has something for, each a file of its own."""
    charts = {"means": means(found)}
    if found.sessions is not None:
        results = [(f"box {box.box}", box.result_cents) for box in found.sessions.boxes]
        charts["sessions"] = bands(results, "result of a session")
    if found.house is not None:
        charts["house"] = bands([*found.house.bands], "what the house wins")
    for story in found.meters:
        if jackpots := story.jackpots_cents:
            charts[f"meter-{story.meter.name}"] = jackpots_of(jackpots, story.meter.name)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, drawing in charts.items():
        path = folder / f"{name}.svg"
        path.write_text(drawing, encoding="utf-8")
        written.append(path)
    return written


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


def bands(spreads: list[tuple[str, Band]], title: str) -> str:
    """Where results lie: the middle half thick, nine of ten thin, the middle one marked."""
    rows = []
    for name, spread in spreads:
        at = dict(spread.at_most)
        dollars = {f"p{percent}": value / 100 for percent, value in at.items()}
        rows.append({"name": name, **dollars})
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("name:N", title=None, sort=[name for name, _ in spreads])
    )
    axis = alt.Axis(format="$,.0f", tickCount=6)
    thin = base.mark_bar(size=4, color=QUIET).encode(
        x=alt.X("p5:Q", title=f"{title}: middle, half, nine of ten", axis=axis), x2="p95:Q"
    )
    thick = base.mark_bar(size=16, color=FELT).encode(x="p25:Q", x2="p75:Q")
    middle = base.mark_tick(size=22, thickness=3, color=GOLD).encode(x="p50:Q")
    return drawn((thin + thick + middle).properties(width=WIDTH - 80, height=34 * len(rows)))


def jackpots_of(jackpots_cents: list[int], meter: str) -> str:
    """How large the jackpots were."""
    least, most = min(jackpots_cents), max(jackpots_cents)
    width = max(1, -(-(most - least + 1) // 30))
    counts: dict[int, int] = {}
    for paid in jackpots_cents:
        counts[(paid - least) // width] = counts.get((paid - least) // width, 0) + 1
    rows = [
        {
            "from": (least + slot * width) / 100,
            "to": (least + (slot + 1) * width) / 100,
            "times": times,
        }
        for slot, times in sorted(counts.items())
    ]
    bars = alt.Chart(alt.InlineData(values=rows)).mark_bar(color=FELT).encode(
        x=alt.X("from:Q", title=f"paid by the {meter} meter when it was emptied",
                axis=alt.Axis(format="$,.0f", tickCount=6)),
        x2="to:Q",
        y=alt.Y("times:Q", title="times"),
    )  # fmt: skip
    return drawn(bars.properties(width=WIDTH, height=170))
