"""Charts of the mathematics report: distribution, edge by Ante, bands, strategy, a meter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from croupier.documents.chart import (
    FELT,
    GOLD,
    KEY_STEP,
    MINUS,
    PALE,
    QUIET,
    RED,
    SMALL,
    WIDE,
    Plot,
    box,
    drawing,
    in_dollars,
    key,
    longest,
    names,
    numbers,
    powers_of_ten,
    spread,
    whole,
    words,
)
from croupier.documents.mathematics.figures import CONFIDENCE, ByAnte, Figures
from croupier.exact.solution import HandValue, SideValue, net_label
from croupier.exact.strategy.chart_names import facing, square_name, without_up
from croupier.exact.strategy.decision_charts import StreetChart
from croupier.facts.cards import LETTERS, Rank

ACTIONS = {"4x": FELT, "3x": "#2f7a4a", "2x": "#6ea77f", "1x": GOLD, "check": PALE, "fold": PALE}
ROOM_FOR_WORDS = 0.1  # of a bar
OTHER_BET = "#8a6d1f"  # of a size that no shipped rulebook has
BANDS = {"90%": "#8fbb9c", "95%": "#d0e0d3"}
RANKS = list(LETTERS[::-1])
ENDS = {"lost": RED, "even": QUIET, "won": FELT}


def distribution(figures: Figures, most: int = 16) -> str:
    """How often each net result comes; the rare high ones stand in the table."""
    deals = figures.base.deals
    found = {net: ways for net, ways in figures.base.distribution().items() if net <= most}
    chances = [100 * float(Fraction(ways, deals)) for ways in found.values()]
    ends = ["lost" if net < 0 else "won" if net > 0 else "even" for net in found]
    plot = Plot(
        names([net_label(net).replace("-", MINUS) for net in found], "net result in Antes"),
        numbers([0.0, *chances], title="% of all deals", has_grid=False),
        180,
    )
    marks = []
    for n, (chance, end) in enumerate(zip(chances, ends, strict=True)):
        marks.append(plot.bar((n - 0.44, 0.0), (n + 0.44, chance), ENDS[end]))
        said = f"{chance:.1f}" if round(chance, 1) else "<0.1"
        marks.append(plot.words(said, n, chance, QUIET, by=(0, -4)))
    shown = {end: color for end, color in ENDS.items() if end in ends}
    return plot.drawn(*marks, *key(shown, WIDE - KEY_STEP * len(shown), 1.0))


def by_ante(found: ByAnte) -> str:
    """The house edge as the Ante grows, under the payout limit; exact at every point."""
    points = [(value.ante_cents / 100, -100 * float(value.ev)) for value in found.values]
    antes, edges = zip(*points, strict=True)
    room = spread([in_dollars(ante) for ante in antes])
    plot = Plot(
        numbers([0.0, *antes], in_dollars, "Ante", room=room),
        numbers(edges, title="house edge, % of the Ante"),
        170,
    )
    (first, last) = points[0], points[-1]
    return plot.drawn(
        plot.line(points, FELT),
        *(plot.dot(*point, FELT) for point in points),
        plot.words(f"{first[1]:.3f}%", *first, FELT, by=(4, -8), anchor="start"),
        plot.words(f"{last[1]:.3f}%", *last, FELT, by=(0, 16), anchor="end"),
    )


def bands(figures: Figures) -> str:
    """Where the house's result a round lies, by the number of rounds."""
    steps = [round(10 ** (power / 8)) for power in range(24, 57)]
    found = {rounds: figures.bands(rounds) for rounds in steps}
    low = {name: [(n, 100 * found[n][name][0]) for n in steps] for name in CONFIDENCE}
    high = {name: [(n, 100 * found[n][name][1]) for n in steps] for name in CONFIDENCE}
    ends = [y for lines in (low, high) for line in lines.values() for _, y in line]
    plot = Plot(
        powers_of_ten(3, 7, whole, "rounds played"),
        numbers(ends, title="house win, % of the Ante"),
        200,
    )
    inner, outer = CONFIDENCE
    edge, shown = -100 * float(figures.base.ev), steps[6]
    return plot.drawn(
        *(plot.band(low[name], high[name], BANDS[name]) for name in (outer, inner)),
        plot.across(edge, RED),
        plot.words(f"{outer} of the time", *high[outer][4], by=(8, -4), anchor="start"),
        plot.words(f"{inner} of the time", shown, (edge + high[inner][6][1]) / 2, by=(0, 4)),
        plot.words(f"edge {edge:.3f}%", steps[-1], edge, RED, by=(0, -10), anchor="end"),
    )


def strategy(hands: Sequence[HandValue]) -> tuple[str, str] | None:
    """What is best with each hand: the drawing, and what its rows and columns are."""
    best = {hand.name: hand.best for hand in hands}
    if "AKs" in best:
        high_to_low = sorted(Rank, reverse=True)
        started = {
            (row.letter, column.letter): square_name(row, column)
            for row, column in product(high_to_low, repeat=2)
        }
        done = {place: best[hand] for place, hand in started.items()}
        drawn = _matrix(done, started, RANKS, 22)
        return drawn, "suited hands above the diagonal, others below"
    rows = list(dict.fromkeys(map(without_up, best)))
    done = {
        (hand, up.letter): best[facing(hand, up)]
        for hand, up in product(rows, Rank)
        if facing(hand, up) in best
    }
    if done:
        said = {place: _short(do) for place, do in done.items()}
        told = "hands by the dealer's up card; where kickers decide, what is best more often"
        return _matrix(done, said, rows, 16), told
    return None


ChartCell = tuple[str, str]


def _matrix(
    done: Mapping[ChartCell, str], said: Mapping[ChartCell, str], rows: Sequence[str], tall: float
) -> str:
    """A cell for each row and rank, in the color of what is done; below, which color is which."""
    left = longest(rows) + 10
    wide, top = (WIDE - left) / len(RANKS), 20.0
    marks = [words(rank, left + (n + 0.5) * wide, 13.0, QUIET) for n, rank in enumerate(RANKS)]
    for row, hand in enumerate(rows):
        y = top + row * tall
        marks.append(words(hand, left - 8, y + tall / 2 + 4, QUIET, anchor="end"))
        for column, rank in enumerate(RANKS):
            x, do = left + column * wide, done[hand, rank]
            marks.append(box(x + 0.7, y + 0.7, wide - 1.4, tall - 1.4, _color(do)))
            middle = x + wide / 2
            marks.append(words(said[hand, rank], middle, y + tall / 2 + 3.5, _ink(do), size=SMALL))
    foot = top + len(rows) * tall + 12
    marks += key({do: _color(do) for do in dict.fromkeys(done.values())}, left, foot)
    return drawing(foot + 16, *marks)


def later_street(chart: StreetChart) -> str:
    """A bar for each kind of hand: how much of it each action is best with; beside it, how much of
    all positions it is."""
    left, right, tall, top = longest([row.name for row in chart.rows]) + 10, 62.0, 19.0, 20.0
    whole_bar, total = WIDE - left - right, sum(sum(row.ways) for row in chart.rows)
    marks = [words("of all, %", WIDE, 13.0, QUIET, anchor="end")]
    for number, row in enumerate(chart.rows):
        y, x, held = top + number * tall, left, sum(row.ways)
        marks.append(words(row.name, left - 8, y + tall / 2 + 4, QUIET, anchor="end"))
        marks.append(words(f"{100 * held / total:.2f}", WIDE, y + tall / 2 + 4, anchor="end"))
        for do, ways in zip(chart.actions, row.ways, strict=True):
            share = ways / held if held else 0.0
            marks.append(box(x, y + 1.5, whole_bar * share, tall - 3, _color(do)))
            if share > ROOM_FOR_WORDS:
                middle = x + whole_bar * share / 2
                said = f"{100 * share:.1f}%"
                marks.append(words(said, middle, y + tall / 2 + 3.5, _ink(do), size=SMALL))
            x += whole_bar * share
    foot = top + len(chart.rows) * tall + 10
    marks += key({do: _color(do) for do in chart.actions}, left, foot)
    return drawing(foot + 16, *marks)


def _color(action: str) -> str:
    return ACTIONS.get(action, OTHER_BET)


def _ink(action: str) -> str:
    return QUIET if _color(action) == PALE else "white"


def _short(action: str) -> str:
    return "·" if action in ("check", "fold") else action


def meter_line(side: SideValue, meter: str, highest_cents: int) -> str:
    """What one stake gives back as a meter grows, the others at their resets."""
    reset = dict(side.assumed.meters_cents)[meter]
    slope = float(side.endings.slopes(side.assumed)[meter])
    at_reset = 100 * float(1 + side.ev)
    points = [
        (cents / 100, at_reset + 100 * slope * (cents - reset) / 100)
        for cents in (reset, highest_cents)
    ]
    dollars, back = zip(*points, strict=True)
    room = spread([in_dollars(amount) for amount in dollars])
    plot = Plot(
        numbers([0.0, *dollars], in_dollars, f"on the {meter} meter", room=room),
        numbers([*back, 100.0], title="given back, %"),
        150,
    )
    return plot.drawn(
        plot.across(100.0, RED, "4 3"),
        plot.words("an even wager", plot.x.last, 100.0, RED, by=(0, 13), anchor="end"),
        plot.line(points, FELT, 2.5),
        plot.words(f"{back[0]:.1f}%", *points[0], FELT, by=(-4, -14), anchor="start"),
        plot.words(f"{back[1]:.1f}%", *points[1], FELT, by=(-10, -2), anchor="end"),
    )
