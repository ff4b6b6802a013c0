"""Charts, read back by the numbers on their own axes: what is drawn is what was computed."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from croupier.documents import chart
from croupier.documents.blocks import Document, Picture
from croupier.documents.chart import FELT, GOLD, MINUS, QUIET, RED, Plot, names, numbers
from croupier.documents.mathematics import charts
from croupier.documents.mathematics.figures import CONFIDENCE, ByAnte, Figures, figures_of
from croupier.documents.pdf import typeset
from croupier.documents.simulation_charts import DOLLARS, ROUNDS, SHARES, bands, histogram, means
from croupier.exact.payout_limit import AnteValue
from croupier.exact.solution import HandValue
from croupier.exact.strategy.chart_names import square_name
from croupier.facts.cards import Rank
from croupier.facts.money import Cents
from croupier.simulate.sessions import WHOLE, Band
from tests.documents.printing import filed, text_of

SVG = "{http://www.w3.org/2000/svg}"


class ReadChart:
    """A chart as a reader sees it: values are found between the numbers that stand on its axes."""

    def __init__(self, text: str) -> None:
        self.root = ElementTree.fromstring(text)
        self.size = tuple(float(n) for n in (self.root.get("viewBox") or "").split()[2:])
        self.texts = [
            (
                part.text or "",
                float(part.get("x", 0)),
                float(part.get("y", 0)),
                part.get("fill"),
                part.get("text-anchor"),
            )
            for part in self.root.iter(f"{SVG}text")
        ]

    def says(self, text: str) -> bool:
        return text in [said for said, *_ in self.texts]

    def parts(self, tag: str, color: str) -> list[ElementTree.Element]:
        return [
            part
            for part in self.root.iter(f"{SVG}{tag}")
            if color in (part.get("fill"), part.get("stroke"))
        ]

    def bars(self, color: str) -> list[tuple[float, float, float, float]]:
        """Left, top, right and bottom of every bar of a color."""
        found = []
        for part in self.parts("rect", color):
            x, y, wide, tall = (float(part.get(key, 0)) for key in ("x", "y", "width", "height"))
            found.append((x, y, x + wide, y + tall))
        return found

    def points(self, color: str) -> list[tuple[float, float]]:
        """The corners of the first path of a color."""
        path = self.parts("path", color)[0].get("d") or ""
        pairs = (pair.split() for pair in path.strip("MZ").split("L"))
        return [(float(x), float(y)) for x, y in pairs]

    def y(self, at: float) -> float:
        """The value at a height, by the two outermost numbers of the axis."""
        marked = [(y - 4, number) for number, x, y in self._marked("end")]
        return _between(at, marked[0], marked[-1])

    def x(self, at: float) -> float:
        foot = max(y for _, _, y in self._marked("middle"))
        marked = [(x, number) for number, x, y in self._marked("middle") if y == foot]
        return _between(at, marked[0], marked[-2])  # the last may be moved to have room

    def _marked(self, anchor: str) -> list[tuple[float, float, float]]:
        return [
            (_number(said), x, y)
            for said, x, y, *looks in self.texts
            if looks == [QUIET, anchor] and _is_number(said)
        ]


def _is_number(said: str) -> bool:
    return said.strip(f"{MINUS}$%").replace(",", "").replace(".", "").isdigit()


def _number(said: str) -> float:
    share = 0.01 if said.endswith("%") else 1
    return float(said.strip("$%").replace(MINUS, "-").replace("-$", "-").replace(",", "")) * share


def _between(at: float, one: tuple[float, float], other: tuple[float, float]) -> float:
    return one[1] + (at - one[0]) / (other[0] - one[0]) * (other[1] - one[1])


def near(value: float, reach: float) -> object:
    """As near as a hundredth of a unit of the drawing can be read."""
    return pytest.approx(value, abs=reach / 5000)


@pytest.fixture(scope="module")
def figures() -> Figures:
    return figures_of(filed("TCP-1"))


def test_axes_go_from_round_number_to_round_number() -> None:
    for values, ticks in (
        ((0.0, 19.4), (0, 5, 10, 15, 20)),
        ((-36.4, 28.7), (-40, -20, 0, 20, 40)),
        ((2.185, 3.43), (2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5)),
        ((0.0, 0.3), (0.0, 0.1, 0.2, 0.3)),
        ((7.0, 7.0), (7, 8)),
    ):
        axis = numbers(values, least_step=1 if values == (7.0, 7.0) else 0)
        assert axis.ticks == pytest.approx(ticks), values
        assert (axis.first, axis.last) == (axis.ticks[0], axis.ticks[-1])
    assert numbers([-1.0, 1.0]).labels == [f"{MINUS}1.0", f"{MINUS}0.5", "0.0", "0.5", "1.0"]
    assert numbers([0.0, 3.0], chart.whole, least_step=1).labels == ["0", "1", "2", "3"]
    assert (chart.in_dollars(-1500), chart.in_dollars(-0.2)) == (f"{MINUS}$1,500", "$0")


def test_labels_never_touch() -> None:
    long = [f"an outcome with a long name, {n}" for n in range(9)]
    plot = Plot(names(long), numbers([0.0, 1.0]), 100)
    shown = [x for said, x, *_ in ReadChart(plot.drawn()).texts if said in long]
    assert 1 < len(shown) < len(long)
    assert all(right - left > 150 for left, right in pairwise(shown))


def test_the_distribution_is_every_chance(figures: Figures) -> None:
    read = ReadChart(charts.distribution(figures))
    found, deals = figures.base.distribution(), figures.base.deals
    bars = sorted(bar for color in (RED, QUIET, FELT) for bar in read.bars(color) if bar[3] > 20)
    assert len(bars) == len(found)
    for (_, top, _, bottom), ways in zip(bars, found.values(), strict=True):
        chance = 100 * float(Fraction(ways, deals))
        assert read.y(bottom) == near(0, 40)
        assert read.y(top) == near(chance, 40)
        assert read.says(f"{chance:.1f}" if round(chance, 1) else "<0.1")


def test_the_bands_are_the_exact_ones(figures: Figures) -> None:
    read = ReadChart(charts.bands(figures))
    for name in CONFIDENCE:
        points = read.points(charts.BANDS[name])
        low, high = figures.bands(1_000)[name]
        assert read.y(points[0][1]) == near(100 * low, 40)
        assert read.y(points[-1][1]) == near(100 * high, 40)
        assert read.says(f"{name} of the time")
    assert read.y(read.points(RED)[0][1]) == near(-100 * float(figures.base.ev), 40)
    assert {"1,000", "10,000", "10,000,000"} <= {said for said, *_ in read.texts}


def test_the_edge_by_ante_is_drawn_at_each_ante() -> None:
    edges = {1000: Fraction(-2, 100), 9900: Fraction(-2, 100), 50000: Fraction(-7, 200)}
    values = tuple(AnteValue(Cents(ante), ev) for ante, ev in edges.items())
    read = ReadChart(charts.by_ante(ByAnte(Cents(1), Cents(9900), values)))
    for (x, y), (ante, ev) in zip(read.points(FELT), edges.items(), strict=True):
        assert read.x(x) == near(ante / 100, 500)
        assert read.y(y) == near(-100 * float(ev), 2)
    assert read.says("2.000%")
    assert read.says("3.500%")


def test_the_strategy_has_a_cell_for_every_hand() -> None:
    hands = [
        HandValue(square_name(row, column), 1, (), "4x" if Rank.ACE in (row, column) else "check")
        for row in Rank
        for column in Rank
    ]
    drawn = charts.strategy(hands)
    assert drawn is not None
    read = ReadChart(drawn[0])
    assert len(read.bars(FELT)) == 25 + 1
    assert len(read.bars(chart.PALE)) == 144 + 1
    said = [text for text, *_ in read.texts]
    assert [said.count(hand) for hand in ("AA", "AKs", "AKo", "72o", "4x", "check")] == [1] * 6
    assert charts.strategy([HandValue("a pair", 1, (), "1x")]) is None


def test_bars_of_a_histogram_hold_every_value() -> None:
    values = [25_000, 25_010, 31_000, 40_000, 99_900, 99_950]
    read = ReadChart(histogram(values, "paid", DOLLARS))
    bars = read.bars(FELT)
    assert sum(round(read.y(top)) for _, top, _, _ in bars) == len(values)
    for cents in values:
        assert any(
            read.x(left) - 1 <= cents / 100 <= read.x(right) + 1 for left, _, right, _ in bars
        )
    assert len(ReadChart(histogram([7], "rounds", ROUNDS)).bars(FELT)) == 1


def test_a_spread_has_its_middle_its_half_and_nine_of_ten() -> None:
    at = {5: -150_000, 25: -140_000, 50: -66_500, 75: 1_000, 95: 125_000}
    band = Band(10, 0.0, tuple(at.items()), -150_000, 125_000)
    read = ReadChart(bands([("box 1", band)], "result", DOLLARS))
    for color, (low, high) in ((QUIET, (5, 95)), (FELT, (25, 75))):
        ((left, _, right, _),) = read.bars(color)
        assert read.x(left) == near(at[low] / 100, 3000)
        assert read.x(right) == near(at[high] / 100, 3000)
    ((left, _, right, _),) = read.bars(GOLD)
    assert read.x((left + right) / 2) == near(-665, 3000)
    assert read.says(f"{MINUS}$665")
    shares = Band(10, 0.0, tuple((n, WHOLE * n // 1000) for n in at), 0, 1)
    assert ReadChart(bands([("day", shares)], "held", SHARES)).says("5.0%")


def test_means_lie_by_their_standard_errors() -> None:
    off = [("base A", -0.8), ("trips A", 1.6), ("base A", 2.5), ("bad_beat B", -7.25)]
    read = ReadChart(means(off))
    dots = [float(dot.get("cx", 0)) for dot in read.parts("circle", FELT)]
    assert [read.x(dot) for dot in dots] == [near(z, 8) for z in (-0.8, 1.6, 2.5, -4)]
    assert read.says(f"{MINUS}7.2"), "one beyond the axis says how far it is"
    heights = [float(dot.get("cy", 0)) for dot in read.parts("circle", FELT)]
    assert heights[0] == heights[2] < heights[1] < heights[3]
    assert ReadChart(means([])).parts("circle", FELT) == []


def test_words_of_a_chart_can_be_selected_in_a_pdf(figures: Figures) -> None:
    picture = Picture(charts.distribution(figures), "A chart.", "Net result")
    document = Document(figures.filing.imprint("Mathematics Report"), (picture,))
    assert "net result in Antes" in text_of(typeset(document))
