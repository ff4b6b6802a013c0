"""Charts of a risk: where the total lies, how it spreads as rounds go by, ruin by bankroll."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from croupier.bankroll.risk import Risk, total_of
from croupier.documents.chart import (
    FELT,
    GOLD,
    GRID,
    INK,
    PALE,
    RED,
    Plot,
    in_dollars,
    numbers,
    spread,
    whole,
)
from croupier.documents.document_set import put

SLOTS, STEPS = 40, 16
BANDS = (0.05, 0.25, 0.5, 0.75, 0.95)


def write_charts(found: Risk, folder: Path) -> None:
    """Every chart this risk has something for, each a file of its own."""
    put({f"{name}.svg": drawing.encode() for name, drawing in charts_of(found)}, folder)


def charts_of(found: Risk) -> Iterator[tuple[str, str]]:
    yield "total", total(found)
    yield "course", course(found)
    if found.ruin is not None:
        yield "ruin", ruin(found)


def total(found: Risk) -> str:
    """How likely each total is, from half a percent to all but half a percent."""
    shares = dict(found.quantiles)
    low, high = min(shares.values()) / 100, max(shares.values()) / 100
    edges = np.linspace(low, high if high > low else low + 1, SLOTS + 1)
    all_of = found.total
    amounts = (all_of.first + np.arange(len(all_of.chances))) * all_of.unit / 100
    heights, _ = np.histogram(amounts, edges, weights=100 * all_of.chances)
    room = spread([in_dollars(low), in_dollars(high)])
    plot = Plot(
        numbers([low, high], in_dollars, f"total of {found.asked.rounds:,} rounds", room=room),
        numbers([0.0, float(heights.max())], title="chance in percent", room=4),
        180,
    )
    bars = (
        plot.bar((edges[at], 0.0), (edges[at + 1], float(heights[at])), FELT, PALE)
        for at in range(SLOTS)
    )
    mean = plot.upright(min(max(found.mean / 100, low), high), GOLD)
    zero = [plot.upright(0.0, RED, "4 3")] if low < 0 < high else []
    return plot.drawn(*bars, *zero, mean)


def course(found: Risk) -> str:
    """Middle, half and nine of ten of all totals, as rounds go by."""
    rounds = sorted({max(1, found.asked.rounds * step // STEPS) for step in range(1, STEPS + 1)})
    at = [(n, [q / 100 for q in total_of(found.round, n).at_most(BANDS)]) for n in rounds]
    lines = [
        [(0.0, 0.0), *((float(n), found_at[band]) for n, found_at in at)]
        for band in range(len(BANDS))
    ]
    values = [amount for line in lines for _, amount in line]
    plot = Plot(
        numbers([0.0, float(rounds[-1])], whole, "rounds: middle, half, nine of ten", room=8),
        numbers(values, in_dollars, "total"),
        200,
    )
    return plot.drawn(
        plot.band(lines[0], lines[4], GRID),
        plot.band(lines[1], lines[3], PALE),
        plot.line(lines[2], FELT, 2),
        plot.across(0.0, RED, "4 3"),
    )


def ruin(found: Risk) -> str:
    """The chance that a bankroll does not last, by its size."""
    assert found.ruin is not None and found.asked.bankroll_cents is not None
    points = [(cents / 100, 100 * chance) for cents, chance in found.ruin.by_bankroll]
    title = f"bankroll for {found.asked.rounds:,} rounds"
    plot = Plot(
        numbers([x for x, _ in points], in_dollars, title, room=6),
        numbers([0.0, *(y for _, y in points)], title="ruined, in percent", room=5),
        180,
    )
    mine = (found.asked.bankroll_cents / 100, 100 * found.ruin.within)
    said = f"{mine[1]:.1f}%"
    return plot.drawn(
        plot.line(points, FELT, 2),
        plot.dot(*mine, GOLD, 4.5),
        plot.words(said, *mine, INK, anchor="start", by=(8, -6)),
    )
