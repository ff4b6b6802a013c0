"""Charts as vector drawings: the distribution, the bands, the strategy and the Progressive."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import altair as alt

from croupier.documents.chart_process import ARTIST
from croupier.documents.mathematics.figures import CONFIDENCE, ByAnte, Figures
from croupier.exact.solution import HandValue, SideValue, net_label
from croupier.facts.cards import LETTERS, Rank

INK, QUIET, FELT, GOLD, RED, PALE = (
    *("#1c1b19", "#66625a", "#14532d", "#b8862d", "#8f2d23", "#ece7da"),
)
FONT = "Libertinus Serif, Georgia, serif"
ACTIONS = {"4x": FELT, "3x": "#2f7a4a", "2x": "#6ea77f", "1x": GOLD, "check": PALE, "fold": PALE}
WIDTH = 560
RANKS = list(LETTERS[::-1])


def drawn(chart: alt.TopLevelMixin) -> str:
    """The chart as SVG, without anything to click on."""
    styled = chart.configure(
        font=FONT,
        background="transparent",
        axis=alt.AxisConfig(
            labelFontSize=11, titleFontSize=12, titleFontWeight="normal", labelColor=QUIET,
            titleColor=INK, gridColor="#e4dfd2", domainColor=QUIET, tickColor=QUIET,
        ),
        legend=alt.LegendConfig(labelFontSize=11, titleFontSize=11, labelColor=INK),
        view=alt.ViewConfig(stroke=None),
    )  # fmt: skip
    return _named(ARTIST.drawn(styled.to_dict()))


def _named(svg: str) -> str:
    """The same drawing with names of its own.

    The renderer counts its names up from chart to chart; here they depend on the drawing alone, so
    that it is the same each time, and no other on the same page has them.
    """
    for number, name in enumerate(re.findall(r'id="([^"]+)"', svg)):
        svg = svg.replace(f'id="{name}"', f'id="\0{number}"').replace(f"#{name})", f"#\0{number})")
    return svg.replace("\0", f"chart-{hashlib.sha256(svg.encode()).hexdigest()[:8]}-")


def _of(rows: list[Any]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=rows))


def distribution(figures: Figures, most: int = 16) -> str:
    """How often each net result comes; the rare high ones stand in the table."""
    deals = figures.base.deals
    rows = [
        {
            "net": net_label(net),
            "chance": 100 * float(Fraction(ways, deals)),
            "end": "loss" if net < 0 else "win" if net > 0 else "even",
        }
        for net, ways in figures.base.distribution().items()
        if net <= most
    ]
    bars = _of(rows).mark_bar().encode(
        x=alt.X("net:N", sort=[str(row["net"]) for row in rows], title="net result in Antes",
                axis=alt.Axis(labelAngle=0)),
        y=alt.Y("chance:Q", title="% of all deals"),
        color=alt.Color("end:N", legend=None, scale=alt.Scale(
            domain=["loss", "even", "win"], range=[RED, QUIET, FELT])),
    )  # fmt: skip
    return drawn(bars.properties(width=WIDTH, height=180))


def by_ante(found: ByAnte) -> str:
    """The house edge as the Ante grows, under the payout limit; exact at every point."""
    rows = [
        {"ante": value.ante_cents / 100, "edge": -100 * float(value.ev)} for value in found.values
    ]
    line = _of(rows).mark_line(color=FELT, strokeWidth=2, point=alt.OverlayMarkDef(color=FELT,
        filled=True, size=38)).encode(
        x=alt.X("ante:Q", title="Ante", axis=alt.Axis(format="$,.0f", tickCount=6)),
        y=alt.Y("edge:Q", title="house edge, % of the Ante", scale=alt.Scale(zero=False)),
    )  # fmt: skip
    return drawn(line.properties(width=WIDTH, height=170))


def bands(figures: Figures) -> str:
    """Where the house's result a round lies, by the number of rounds."""
    steps = [round(10 ** (power / 8)) for power in range(24, 57)]
    found = {rounds: figures.bands(rounds) for rounds in steps}
    rows = [
        {"rounds": rounds, "low": 100 * low, "high": 100 * high, "confidence": name}
        for name in sorted(CONFIDENCE, reverse=True)
        for rounds in steps
        for low, high in [found[rounds][name]]
    ]
    least, most = (100 * end for end in found[steps[2]][max(CONFIDENCE)])
    x = alt.X("rounds:Q", scale=alt.Scale(type="log", nice=False), title="rounds played",
              axis=alt.Axis(format="~s", values=[10**power for power in range(3, 8)]))  # fmt: skip
    y = alt.Y("low:Q", title="house win, % of the Ante", scale=alt.Scale(domain=[least, most]))
    area = _of(rows).mark_area(opacity=0.55, clip=True).encode(
        x=x, y=y, y2="high:Q",
        color=alt.Color("confidence:N", title="holds", scale=alt.Scale(
            domain=[*CONFIDENCE], range=["#6ea77f", "#b9d2bf"])),
    )  # fmt: skip
    edge = _of([{"edge": -100 * float(figures.base.ev)}])
    line = edge.mark_rule(color=RED, strokeWidth=1.5).encode(y="edge:Q")
    return drawn((area + line).properties(width=WIDTH - 70, height=190))


def strategy(hands: Sequence[HandValue]) -> tuple[str, str] | None:
    """What is best with each hand: the drawing, and what its rows and columns are."""
    best = {hand.name: hand.best for hand in hands}
    if "AKs" in best:
        rows = [
            {
                "row": high,
                "column": low,
                "do": best[_starting(high, low)],
                "hand": _starting(high, low),
            }
            for high in RANKS
            for low in RANKS
        ]
        return _matrix(rows, RANKS, RANKS, 300), "suited hands above the diagonal, others below"
    if any(name.endswith(" up") for name in best):
        names = list(dict.fromkeys(name.rpartition(", ")[0] for name in best))
        ups = {rank.one: LETTERS[rank - 2] for rank in sorted(Rank, reverse=True)}
        rows = [
            {"row": hand, "column": ups[up.removesuffix(" up")], "do": do, "hand": _short(do)}
            for name, do in best.items()
            for hand, _, up in [name.rpartition(", ")]
        ]
        told = "hands by the dealer's up card; where kickers decide, what is best more often"
        return _matrix(rows, names, RANKS, 430), told
    return None


def _matrix(rows: list[dict[str, str]], down: list[str], across: list[str], height: int) -> str:
    base = _of(rows).encode(
        x=alt.X("column:N", sort=across, title=None, axis=alt.Axis(orient="top", labelAngle=0,
                domain=False, ticks=False)),
        y=alt.Y("row:N", sort=down, title=None, axis=alt.Axis(domain=False, ticks=False)),
    )  # fmt: skip
    done = list(dict.fromkeys(row["do"] for row in rows))
    cells = base.mark_rect(stroke="white", strokeWidth=1.2).encode(
        color=alt.Color("do:N", title=None, scale=alt.Scale(
            domain=done, range=[ACTIONS[action] for action in done]),
            legend=alt.Legend(orient="bottom")),
    )  # fmt: skip
    said = base.mark_text(fontSize=9).encode(
        text="hand:N",
        color=alt.condition(
            alt.FieldOneOfPredicate(field="do", oneOf=["check", "fold"]),
            alt.value(QUIET),
            alt.value("white"),
        ),
    )
    return drawn((cells + said).properties(width=420, height=height))


def _starting(row: str, column: str) -> str:
    if row == column:
        return row + column
    suited = RANKS.index(column) > RANKS.index(row)
    return f"{row}{column}s" if suited else f"{column}{row}o"


def _short(action: str) -> str:
    return "·" if action in ("check", "fold") else action


def meter_line(side: SideValue, meter: str, highest_cents: int) -> str:
    """What one stake gives back as a meter grows, the others at their resets."""
    held = dict(side.assumed.meters_cents)
    reset = held[meter]
    slope = float(side.endings.slopes(side.assumed)[meter])
    at_reset = 100 * float(1 + side.ev)
    rows = [
        {"meter": cents / 100, "back": at_reset + 100 * slope * (cents - reset) / 100}
        for cents in (reset, highest_cents)
    ]
    line = _of(rows).mark_line(color=FELT, strokeWidth=2.5).encode(
        x=alt.X("meter:Q", title=f"on the {meter} meter",
                axis=alt.Axis(format="$,.0f", tickCount=6)),
        y=alt.Y("back:Q", title="given back, %", scale=alt.Scale(zero=False)),
    )  # fmt: skip
    even = _of([{"even": 100}])
    rule = even.mark_rule(color=RED, strokeDash=[4, 3]).encode(y="even:Q")
    return drawn((line + rule).properties(width=WIDTH, height=150))
