"""The mathematics report: every figure in it is the solver's, in the PDF and in the page alike."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from croupier.documents.html import page
from croupier.documents.mathematics import charts
from croupier.documents.mathematics.figures import (
    CONFIDENCE,
    CUT_ANTES,
    Figures,
    antes_shown,
    figures_of,
)
from croupier.documents.mathematics.report import commands, mathematics, rule_words
from croupier.documents.mathematics.side_wagers import one_in
from croupier.documents.mathematics.verification import WIDE
from croupier.documents.pdf import typeset
from croupier.documents.returns import base_of
from croupier.exact.holdem import best_value
from croupier.exact.limited_ante import limited_ante
from croupier.exact.solution import net_label
from croupier.exact.solution_file import rules_digest
from croupier.exact.strategy.decision_charts import decision_charts
from croupier.exact.strategy.strategy_file import read_strategy, shipped
from croupier.facts.money import cents, money
from croupier.facts.percentage import percent
from croupier.games.registry import the_registry
from croupier.games.rules import with_paytable
from croupier.submission.check import shipped_submission
from croupier.submission.submission import WagerLimit
from tests.documents.printing import (
    ODDS,
    allowed_odds,
    filed,
    fonts_inside,
    is_tagged,
    plain,
    text_of,
)

TABLES = ("UTH-S", "FCP-14")


# Two Antes that are never cut and one that is: each of the latter is solved by itself.
THREE_ANTES = {"limits__ante": '{ minimum = "$10", maximum = "$100", increment = "$45" }'}


@pytest.fixture(scope="module")
def figures() -> dict[str, Figures]:
    lines = {"UTH-S": THREE_ANTES}
    return {book: figures_of(filed(book, **lines.get(book, {}))) for book in TABLES}


@pytest.fixture(scope="module")
def uth_text(figures: dict[str, Figures]) -> str:
    return told(page(mathematics(figures["UTH-S"])))


def told(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


@pytest.mark.parametrize("book", TABLES)
def test_paper_and_page_tell_every_figure(book: str, figures: dict[str, Figures]) -> None:
    every_figure_is_told(figures[book])


@pytest.mark.prove
def test_paper_and_page_tell_every_figure_of_the_shipped_table() -> None:
    """With all the Antes that a report shows."""
    found = figures_of(filed("UTH-S"))
    every_figure_is_told(found)
    assert found.by_ante is not None
    assert round(-found.by_ante.values[-1].ev, 4) == Fraction("0.0343")


def test_the_page_is_the_same_each_time(figures: dict[str, Figures]) -> None:
    one, two = (page(mathematics(figures["FCP-14"])) for _ in range(2))
    same = one == two
    assert same


def every_figure_is_told(found: Figures) -> None:
    document = mathematics(found)
    pdf = typeset(document)
    for text in (text_of(pdf), told(page(document))):
        for figure in expected(found):
            assert figure in text, figure
        assert set(ODDS.findall(text)) <= allowed_odds(found.filing)
    assert is_tagged(pdf)
    assert fonts_inside(pdf)


def test_the_edge_by_ante_is_the_solvers(figures: dict[str, Figures]) -> None:
    found = figures["UTH-S"]
    assert found.by_ante is not None
    assert figures["FCP-14"].by_ante is None
    antes = [value.ante_cents for value in found.by_ante.values]
    assert (antes, found.by_ante.uncut_cents) == ([1000, 5500, 10000], 9900)
    assert [found.by_ante.cuts(value) for value in found.by_ante.values] == [False, False, True]
    evs = {value.ante_cents: value.ev for value in found.by_ante.values}
    assert evs[antes[1]] == found.base.ev > evs[antes[2]]
    limited = limited_ante(found.filing.rules, found.filing.submission, antes[-1], {})
    assert evs[antes[-1]] == best_value(found.filing.rules, limited)


@pytest.mark.parametrize(
    ("limit", "uncut", "shown"),
    [
        (("$10", "$500", "$5"), "$99", "10 95 100 155 210 270 325 385 440 500"),
        (("$10", "$50", "$5"), "$99", "10 50"),
        (("$150", "$160", "$5"), "$99", "150 155 160"),
        (("$25", "$25", "$5"), "$99", "25"),
        (("$1", "$100,000", "$0.01"), "$99", None),
    ],
)
def test_which_antes_are_shown(limit: tuple[str, ...], uncut: str, shown: str | None) -> None:
    antes = antes_shown(WagerLimit(*map(cents, limit)), cents(uncut))
    if shown is not None:
        assert " ".join(f"{ante / 100:g}" for ante in antes) == shown
    assert len(antes) <= CUT_ANTES + 2


@pytest.mark.parametrize("book", TABLES)
def test_endings_and_lines_add_up_to_the_base_game(book: str, figures: dict[str, Figures]) -> None:
    found = figures[book]
    done = Counter[str]()
    for end in found.endings:
        done[end.action] += end.ways
    assert done == Counter(found.base.action_ways())
    lost = sum(end.ways for end in found.endings if end.showdown < 0 and end.action != "fold")
    assert lost == found.base.wager_ends()["play"].lost
    assert found.base_lines
    for _, table in found.base_lines:
        assert table.edge == -found.base.ev


@pytest.mark.parametrize("book", [pytest.param("UTH-S", marks=pytest.mark.prove), "FCP-14"])
def test_a_second_method_agrees_and_a_verifier_signs(
    book: str, figures: dict[str, Figures]
) -> None:
    found = figures[book]
    assert found.cross_check is not None
    assert found.cross_check.widest < WIDE
    assert {figure.wager for figure in found.cross_check.figures} >= {"base"}
    text = told(page(mathematics(found)))
    dealt = f"{found.cross_check.rounds:,} rounds of one box were dealt from seed"
    assert f"A second method agrees: {dealt} {found.cross_check.seed}" in text
    assert "Name Organization Verified, and how Signature Date" in text
    wrong = found.cross_check._replace(
        figures=tuple(replace(figure, mean=figure.mean + 1) for figure in found.cross_check.figures)
    )
    text = told(page(mathematics(replace(found, cross_check=wrong))))
    assert "A second method DIFFERS" in text


def expected(found: Figures) -> list[str]:
    """The figures a laboratory looks for, from the solution itself."""
    base = found.base
    wanted = [
        f"{base.deals:,}",
        percent(-base.ev),
        percent(-base.ev / base.average_wager),
        str(base.ev),
    ]
    wanted += [f"{float(base.average_wager):.6f}", f"{base.standard_deviation:.6f}"]
    wanted += [
        f"{z * base.standard_deviation:.4f} Antes z = {z:.3f}" for _, z in CONFIDENCE.values()
    ]
    wanted += [
        f"{net_label(net)} {ways:,} {percent(Fraction(ways, base.deals), 6)}"
        for net, ways in base.distribution().items()
    ]
    for side in found.solution.side_wagers:
        chosen = [s.reading for w, s in found.sides() if w.name == side.endings.wager]
        if side.reading in chosen and not side.depends_on_money:
            wanted.append(f"{side.endings.paytable} {percent(-side.ev)} {percent(1 + side.ev)}")
    for _, side in found.sides():
        for end in side.endings.endings[:-1]:
            chance = side.endings.chance(end)
            wanted.append(f"{end.pays} {end.ways:,} {percent(chance, 6)} {one_in(chance)}")
    for value in found.by_ante.values if found.by_ante is not None else ():
        limited = percent(found.base.ev - value.ev) if value.ev != found.base.ev else ""
        row = f"{money(value.ante_cents)} {percent(-value.ev)} {limited} {value.ev}"
        wanted.append(" ".join(row.split()))
    wanted += [money(found.exposure.table_bound_cents), money(found.exposure.table_witness_cents)]
    wanted += [command for _, command in commands(found)]
    return [*wanted, found.filing.imprint("").digest]


def test_the_base_game_is_given_back_but_for_the_element_of_risk(
    figures: dict[str, Figures],
) -> None:
    """The published figures of both games, which the solver's own tests prove."""
    uth, four = figures["UTH-S"], figures["FCP-14"]
    assert percent(-uth.base.ev) == "2.1850%"
    assert percent(-four.base.ev) == "2.7879%"
    assert uth.win_chance() < uth.even_chance() < Fraction(1, 2)


@pytest.mark.parametrize("book", TABLES)
def test_bands_become_those_of_the_volatility_index(book: str, figures: dict[str, Figures]) -> None:
    found = figures[book]
    for name, band in found.bands(10_000_000).items():
        assert band == pytest.approx(found.normal_band(name, 10_000_000), abs=2e-5)


def test_bands_of_few_rounds_are_skewed(figures: dict[str, Figures], uth_text: str) -> None:
    """At 1,000 rounds the house's 2.5% point is -36.4%; a normal distribution has -28.4% there."""
    found = figures["UTH-S"]
    low, high = found.bands(1_000)["95%"]
    assert (round(100 * low, 1), round(100 * high, 1)) == (-36.4, 28.7)
    assert round(100 * found.normal_band("95%", 1_000)[0], 1) == -28.4
    assert "1,000 -22.500% to +24.650% -36.400% to +28.700%" in uth_text
    assert "for 1,000 rounds and z = 1.960 it is -28.429% to +32.799%" in uth_text


def test_over_many_rounds_meters_pay_what_was_put_into_them(figures: dict[str, Figures]) -> None:
    """UTH-S C: three meters emptied by 4, 36 and 624 of 2,598,960 hands, fed by 18% of a dollar."""
    side = next(s for w, s in figures["UTH-S"].sides() if w.name == "progressive")
    by_odds, resets, added = figures["UTH-S"].long_run(side)
    hands = 2_598_960
    assert resets == Fraction(4 * 10_000 + 36 * 1_000 + 624 * 250, hands)
    assert added == Fraction(18, 100)
    assert by_odds == Fraction(3_744 * 50 + 5_108 * 40 + 10_200 * 30 + 54_912 * 10, hands)
    assert by_odds + resets == 1 + side.ev


def test_envy_is_told_by_boxes(figures: dict[str, Figures], uth_text: str) -> None:
    """Of 2,598,960 hands 4 pay $1,000 and 36 pay $300 to each other Progressive wager."""
    envy = figures["UTH-S"].envy()
    assert envy is not None
    each = Fraction(4 * 1_000 + 36 * 300, 2_598_960)
    assert envy.ev_each_box == each
    assert f"5 {percent(5 * each)}" in uth_text
    assert f"6 {percent(6 * each)}" not in uth_text


def test_an_even_wager_is_told_with_what_it_leaves_out(
    figures: dict[str, Figures], uth_text: str
) -> None:
    found = figures["UTH-S"]
    side = next(s for w, s in found.sides() if w.name == "progressive")
    alone, envied = side.break_even_dollars(), side.break_even_dollars(found.envy_added())
    whole = sum(found.long_run(side), Fraction(0))
    text = uth_text
    assert "Even at, no Envy Even at, Envy of 5" in text
    for meter in ("mega", "major", "minor"):
        assert envied[meter] < alone[meter]
        assert f"${float(alone[meter]):,.0f} ${float(envied[meter]):,.0f}" in text
    assert (
        f"returns {percent(whole)} without Envy and {percent(whole + found.envy_added())} with it"
        in text
    )


@pytest.mark.prove
def test_a_progressive_that_is_even_at_its_reset_has_no_break_even() -> None:
    """Judged by the final hand it returns some five times its stake (ruling 18)."""
    one_ante = '{ minimum = "$10", maximum = "$10", increment = "$5" }'  # which is never cut
    lines = {"progressive__hand": '"final"', "table__boxes": "1", "table__adjacent_boxes": "1"}
    lines |= {"limits__ante": one_ante}
    text = told(page(mathematics(figures_of(filed("UTH-S", **lines)))))
    assert "There is no break-even: with every meter at its reset" in text
    assert "this table has one box, so never" in text
    assert "1 boxes" not in text


def test_a_box_wins_its_best_lines_and_envy(figures: dict[str, Figures]) -> None:
    """FCP-14: $1,000,000 on a $25 Six Card Bonus is most of it; the table can lose no less."""
    found = figures["FCP-14"]
    assert 1_000_000_00 < found.box_wins_cents < found.exposure.table_bound_cents
    text = told(page(mathematics(found)))
    assert f"One box wins at most {money(found.box_wins_cents)}" in text


def test_a_table_with_nothing_optional_has_no_side_wagers(figures: dict[str, Figures]) -> None:
    found = replace(figures["FCP-14"], filing=plain("FCP-14"))
    text = told(page(mathematics(found)))
    assert "Aces Up, paytable A" in text
    assert "Six Card" not in text.partition("Exposure The most")[0]
    assert "rogressive" not in text.partition("To get these figures again")[0]


def test_a_strategy_is_told_in_english() -> None:
    uth, four = (read_strategy(shipped()[f"{game}-simple"], game) for game in ("uth", "four-card"))
    flop = [rule_words(rule) for rule in uth.rules["flop"]]
    assert flop[2:] == [
        "2x when there are 4 cards to a flush and the highest of them in the hole is T or higher",
        "check otherwise",
    ]
    assert rule_words(uth.rules["river"][0]) == "1x when the hole cards make a pair or better"
    assert rule_words(four.rules["play"][3]) == "1x when the hand is a pair of threes or better"


def test_every_later_street_is_told_in_words_and_drawn(
    figures: dict[str, Figures], uth_text: str
) -> None:
    later = figures["UTH-S"].later
    assert [chart.actions for chart in later] == [("2x", "check"), ("1x", "fold")]
    for chart in later:
        assert f"{chart.title}, more often than not: {chart.actions[0]} with" in uth_text
        drawn = charts.later_street(chart)
        assert [row.name for row in chart.rows if row.name.split("'")[0] not in drawn] == []
        for row in chart.rows:
            assert f">{100 * sum(row.ways) / sum(sum(r.ways) for r in chart.rows):.2f}<" in drawn
    assert figures["FCP-14"].later == ()
    assert uth_text.count("without hands bet before the flop") == 2
    assert uth_text.count("The dealer's outs are the unseen cards") == 1


def test_streets_whose_bets_add_up_are_told_in_words_and_drawn(
    figures: dict[str, Figures],
) -> None:
    bonus = decision_charts(shipped_submission("THB-1").rules(the_registry()))
    assert [(chart.title, chart.actions) for chart in bonus] == [
        ("On the flop", ("1x", "check")),
        ("On the turn", ("1x", "check")),
    ]
    text = told(page(mathematics(replace(figures["FCP-14"], later=bonus))))
    for chart in bonus:
        assert f"{chart.title}, more often than not: 1x with" in text
        drawn = charts.later_street(chart)
        assert [row.name for row in chart.rows if row.name.split("'")[0] not in drawn] == []
    assert text.count("without hands folded before the flop") == 2
    assert text.count("The dealer's outs are the unseen cards") == 1


def test_where_the_flop_comes_first_no_hand_is_left_out(figures: dict[str, Figures]) -> None:
    casino = decision_charts(shipped_submission("CH-1").rules(the_registry()))
    text = told(page(mathematics(replace(figures["FCP-14"], later=casino))))
    assert "Best action, on the flop: read from the top" in text
    assert "without hands" not in text


def test_one_in() -> None:
    assert (one_in(Fraction(1, 649_740)), one_in(Fraction(2, 5)), one_in(Fraction(0))) == (
        *("649,740", "2.50", "never"),
    )


def test_tables_with_one_base_game_share_what_side_wagers_do_not_change() -> None:
    """Endings, charts and values by Ante are kept under the same name for all of them."""
    shipped = shipped_submission("UTH-S").rules(the_registry())
    tables = dict(shipped.book.paytables["trips"])
    letter = next(each for each in tables if each != dict(shipped.letters)["trips"])
    other = with_paytable(shipped, "trips", letter, tables[letter])
    assert rules_digest(other) != rules_digest(shipped)
    assert rules_digest(base_of(other)) == rules_digest(base_of(shipped))
    blind = with_paytable(shipped, "blind", "B", shipped.book.paytables["blind"]["B"])
    assert rules_digest(base_of(blind)) != rules_digest(base_of(shipped))
