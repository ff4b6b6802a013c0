"""The analyst's page: choose, write over a line, compare, share and save; exact as the command."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from croupier.cli import main
from croupier.exact.endings import PLAIN
from croupier.exact.solution_cache import solved
from croupier.games.registry import the_registry
from croupier.paytables.search import PricedTable, priced
from croupier.submission.check import shipped_submission
from tests.browser.rooms import (
    MOST_BYTES,
    Player,
    PracticeRoom,
    entered,
    serious,
)
from tests.server.service import Service

BONUS = "[data-side=b] [data-wager=ante_bonus]"
METER = "[data-side=b] [data-amount='progressive.meter.main']"
SOON_MS, LONG_MS = 30_000, 300_000
SVG = "{http://www.w3.org/2000/svg}"
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


# Wagers in whose closed line letters lie over one another, and those too wide when they are open.
OVERPRINTED = """() => {
  const around = (part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return part.matches("select") ? part.getBoundingClientRect() : range.getBoundingClientRect();
  };
  const over = (a, b) => (
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
  return [...document.querySelectorAll("[data-side=a] .wager")].filter((wager) => {
    if (wager.scrollWidth > wager.clientWidth) return true;
    wager.querySelector("details").open = false;
    const parts = [...wager.querySelectorAll(".letter span, .letter select, summary")].map(around);
    return parts.some((one, n) => parts.slice(n + 1).some((other) => over(one, other)));
  }).map((wager) => wager.innerText);
}"""
OTHER_FONT = "document.documentElement.style.setProperty('--serif', 'monospace')"


def _solved(*words: str) -> str:
    said = io.StringIO()
    with redirect_stdout(said):
        assert main(["solve", *words]) == 0
    return said.getvalue()


def _count(page: Page) -> None:
    page.click("#count")
    expect(page.locator("#standing")).to_contain_text("Counted in", timeout=LONG_MS)


def _saved(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download() as download:
        page.click(button)
    place = folder / download.value.suggested_filename
    download.value.save_as(place)
    return place


def _written(number: str) -> str:
    return number.replace("-", "\N{MINUS SIGN}")


def _cells(page: Page, table: str, row: str) -> list[str]:
    return page.locator(f"#{table} tr", has_text=row).first.locator("td").all_inner_texts()


def _even_at(solved: dict[str, Any]) -> str:
    """Where the first Progressive is even, without Envy and with it, as the command has it."""
    told = solved["side_wagers"]["progressive"]["A"]["progressive"]

    def dollars(amount: float) -> str:
        return f"${ceil(amount):,}" if amount > 0 else "always"

    alone, envy = told["break_even_meter"]["main"], told["with_envy"]
    beside = f"{dollars(envy['break_even_meter']['main'])} with Envy of {envy['other_boxes']}"
    return f" (even at {dollars(alone)} without Envy, {beside} other boxes)"


def _write_over(page: Page) -> None:
    """One line out, one wrong and put right, one new."""
    bonus = page.locator(BONUS)
    bonus.locator("summary").click()
    bonus.get_by_label("Remove line 3").click()
    bonus.get_by_label("Line 1: pays").fill("40 two 1")
    expect(bonus.locator(".faults")).to_contain_text(
        'Line 1: "40 two 1" is not odds', timeout=SOON_MS
    )
    expect(bonus.get_by_label("Line 1: pays")).to_have_attribute(
        "aria-invalid", "true", timeout=SOON_MS
    )
    bonus.get_by_label("Line 1: pays").fill("40 to 1")
    bonus.get_by_text("Add a line").click()
    bonus.get_by_label("Line 3: paid for").fill("three of a kind")
    bonus.get_by_label("Line 3: pays").fill("5 to 1")
    expect(bonus.locator(".faults")).to_be_empty(timeout=SOON_MS)


def _wherever_from(printed: str) -> str:
    """The first who asks has it counted now, the second as it was kept."""
    return re.sub(r'"provenance": "(counted now|kept, [^"]+)"', "", printed)


def _save_all(page: Page, words: tuple[str, ...], folder: Path) -> str:
    """Every file of the second choice, held against what the command prints: its JSON."""
    assert _saved(page, "[data-files=b] [data-form=csv]", folder).read_text() == _solved(
        *words, "--csv"
    )
    saved = _saved(page, "[data-files=b] [data-form=json]", folder)
    assert _wherever_from(saved.read_text()) == _wherever_from(_solved(*words, "--json"))
    for chart, least in (("spread", 9), ("chart", 351)):
        drawn = ElementTree.parse(_saved(page, f"[data-files=b] [data-svg={chart}]", folder))
        assert len(drawn.getroot().findall(f".//{SVG}rect")) > least
    return saved.read_text()


@pytest.mark.parametrize("wide", [360, pytest.param(1280, marks=pytest.mark.prove)])
def test_two_choices_side_by_side(
    pit: Service, chromium: Browser, tmp_path: Path, wide: int
) -> None:
    visit = entered(pit, chromium, pit.set_up().hire("Mona", "manager").token, wide)
    page = visit.page
    page.goto(f"{pit.url}/analysis", wait_until="networkidle")
    assert visit.bytes < MOST_BYTES
    page.select_option("[data-side=a] [name=rulebook]", "FCP-14")
    _count(page)
    first = json.loads(_solved("four-card", "--json"))
    edge = f"{100 * first['house_edge']:.4f} %"
    assert _cells(page, "base", "House edge") == [edge]
    assert _even_at(first) in _cells(page, "sides", "Progressive")[0]

    page.click("#compare")
    _write_over(page)
    page.fill(METER, "25,000")
    _count(page)

    own = _saved(page, f"{BONUS} .file", tmp_path)
    assert own.name == "A edited.toml"
    words = ("four-card", "--paytable", f"ante_bonus={own}", "--meter", "main=25,000")
    second = json.loads(_save_all(page, words, tmp_path))
    told = _cells(page, "base", "House edge")
    moved = 100 * (second["house_edge"] - first["house_edge"])
    assert told == [
        edge,
        _written(f"{100 * second['house_edge']:.4f} %"),
        _written(f"{moved:+.4f} pp"),
    ]
    assert page.locator("#chart svg").count() == 2
    assert serious(visit) == []
    assert page.evaluate(OVERFLOW) <= 0
    assert visit.jumps() == []

    again = page.context.new_page()
    again.goto(page.input_value("#link"))
    expect(again.locator(BONUS).get_by_label("Line 3: pays")).to_have_value(
        "5 to 1", timeout=SOON_MS
    )
    expect(again.locator(METER)).to_have_value("25,000")
    expect(again.locator("#standing")).not_to_contain_text("Not counted", timeout=SOON_MS)
    address = page.url.partition("?")[0]
    for word in (
        "a.tirps=C",
        "a.trips=Z",
        "a.progressive.meter.Mega=5",
        "a.trips.stake=much",
        "c=1",
    ):
        again.goto(f"{address}?a=UTH-S&{word}")
        expect(again.locator("#no")).to_have_text(
            f"The link says {word}, which means nothing here.", timeout=SOON_MS
        )
    assert visit.hosts == {"127.0.0.1"}
    assert visit.complaints == []
    visit.close()


def test_a_line_of_trips_in_the_practice_room(
    room: PracticeRoom, chromium: Browser, tmp_path: Path
) -> None:
    """From the room by its link; the edge is the one that the command prints for the file."""
    player = Player(chromium)
    player.enter(room)
    page = player.page
    page.goto(f"http://127.0.0.1:{room.port}/practice")
    page.click("text=What a game is worth")
    page.select_option("[data-side=a] [name='table trips']", "C")
    trips = page.locator("[data-wager=trips]").first
    trips.locator("summary").click()
    trips.get_by_label("Line 4: pays").fill("9 to 1")
    page.get_by_label("Six Card Bonus: stake, in dollars").first.fill("5")
    page.click("#count")
    page.click("#cancel")
    expect(page.locator("#standing")).to_have_text("Canceled.", timeout=LONG_MS)
    _count(page)
    own = _saved(page, "[data-side=a] [data-wager=trips] .file", tmp_path)
    words = ("uth", "--paytable", f"trips={own}", "--stake", "six_card_bonus=5", "--json")
    printed = json.loads(_solved(*words))["side_wagers"]
    for title, edge in (
        ("Trips", printed["trips"]["C edited"]["house_edge"]),
        ("Six Card Bonus", printed["six_card_bonus"]["A"]["house_edge"]),
    ):
        (cell,) = _cells(page, "sides", title)
        assert f"{100 * edge:.4f} %" in cell
    assert page.locator("#chart svg g").count() == 169
    _slide(page, trips)
    assert player.complaints == []
    player.close()


def _slide(page: Page, trips: Locator) -> None:
    """A line is worth at once what the search for paytables says of it, and of one more on it."""
    trips.get_by_label("flush pays", exact=True).fill("8")
    expect(trips.get_by_label("Line 5: pays")).to_have_value("8 to 1")
    rules = shipped_submission("UTH-S").rules(the_registry())
    near = priced(solved(rules).side("trips", "C").endings, PLAIN)
    moved = {"full house": 9, "flush": 8}
    lines = (line.at(Fraction(moved.get(line.name, line.pays))) for line in near.lines)
    due = PricedTable(tuple(lines), near.kept, PLAIN)
    told = (
        f"Edge {float(100 * due.edge):.4f} %, deviation {due.standard_deviation:.4f}, "
        f"hits {float(100 * due.hit_frequency):.4f} %"
    )
    expect(trips.locator(".live")).to_have_text(_written(told))
    for number, effect in enumerate(due.effects(), 1):
        edge, deviation = float(100 * effect.edge), effect.deviation
        expect(trips.locator(f"[data-line='{number}'] .effect")).to_have_text(
            _written(f"one more: edge {edge:+.4f} pp, deviation {deviation:+.4f}")
        )
    trips.get_by_label("Line 5: paid for").fill("straight")
    expect(trips.locator(".live")).to_have_text("Count to see what other lines are worth.")
    assert page.evaluate(OVERFLOW) <= 0


def _slide_base(page: Page) -> None:
    """A wager of the base game: at once what it is worth under the play of the last count, which
    here nobody changes for it, so that the count, which begins by itself, says the same."""
    _count(page)
    bonus = page.locator("[data-side=a] [data-wager=ante_bonus]")
    bonus.locator("summary").click()
    live = bonus.locator(".live")
    (counted,) = _cells(page, "base", "House edge")
    expect(live).to_have_text(f"Edge of the Ante {_written(counted)}")
    bonus.get_by_label("straight pays", exact=True).fill("2")
    expect(live).to_contain_text("Edge of the Ante at most")
    said = live.inner_text().removeprefix("Edge of the Ante at most ").partition(": ")[0]
    expect(live).to_have_text(f"Edge of the Ante {_written(said)}", timeout=LONG_MS)
    assert _cells(page, "base", "House edge") == [said] != [counted]
    bonus.locator(".printed").click()


def test_an_ante_under_the_payout_limit_and_a_blind_of_ones_own(
    room: PracticeRoom, chromium: Browser, tmp_path: Path
) -> None:
    """Both as the command prints them; the link keeps the Ante, and one not of the table is
    refused, which a browser notes as a bad request."""
    player = Player(chromium)
    player.enter(room)
    page = player.page
    page.goto(f"http://127.0.0.1:{room.port}/analysis")
    ante = page.get_by_label("Blind: ante, under the payout limit, in dollars").first
    ante.fill("502")
    page.click("#count")
    expect(page.locator("#standing")).to_contain_text(
        "there it is $10.00 to $500.00 in steps of $5.00", timeout=SOON_MS
    )
    ante.fill("500")
    blind = page.locator("[data-side=a] [data-wager=blind]")
    blind.locator("summary").click()
    blind.get_by_label("Line 1: pays").fill("400 to 1")
    _count(page)
    own = _saved(page, "[data-side=a] [data-wager=blind] .file", tmp_path)
    printed = json.loads(_solved("uth", "--paytable", f"blind={own}", "--ante", "500", "--json"))
    assert _cells(page, "base", "House edge") == [f"{100 * printed['house_edge']:.4f} %"]
    cut = printed["payout_limit"]["cut"]
    assert _cells(page, "base", "Cut by the payout limit") == [f"{100 * cut:.4f} %"]
    expect(page.locator("#limit")).to_have_text(f"{printed['payout_limit']['says']}.")
    page.click("text=Every paytable of the rulebook")
    for letter, value in printed["base_paytables"]["blind"].items():
        cells = _cells(page, "every", f"Base game, Blind {letter}")
        assert cells == [f"{100 * value['house_edge']:.4f} %"]
    assert set(printed["base_paytables"]["blind"]) == {"A", "B", "A edited"}
    assert "a.ante.stake=500" in page.input_value("#link")
    ante.fill("")
    expect(page.locator("#standing")).to_contain_text("Changed since it was counted")
    assert "ante.stake" not in page.input_value("#link")
    (complaint,) = player.complaints
    assert "400" in complaint
    player.close()


def test_a_rule_said_otherwise(room: PracticeRoom, chromium: Browser) -> None:
    """Counted as the command counts it, kept in the link; a value nobody knows is refused."""
    player = Player(chromium)
    player.enter(room)
    page = player.page
    page.goto(f"http://127.0.0.1:{room.port}/analysis")
    page.select_option("[data-side=a] [name=rulebook]", "TCP-1")
    _slide_base(page)
    page.click("[data-side=a] .vary summary")
    tie = page.locator("[data-side=a] [data-vary=tie]")
    tie.fill("lose")
    _count(page)
    printed = json.loads(_solved("three-card", "--vary", "tie=lose", "--json"))
    assert _cells(page, "base", "House edge") == [f"{100 * printed['house_edge']:.4f} %"]
    assert "a.vary.tie=lose" in page.input_value("#link")
    tie.fill("maybe")
    page.click("#count")
    expect(page.locator("#standing")).to_contain_text('tie cannot be "maybe"', timeout=SOON_MS)
    (complaint,) = player.complaints
    assert "400" in complaint
    player.close()


@pytest.mark.parametrize(
    "wide", [390, *(pytest.param(wide, marks=pytest.mark.prove) for wide in (820, 1280))]
)
def test_titles_leave_room_for_their_lines_in_any_font(
    room: PracticeRoom, chromium: Browser, wide: int
) -> None:
    """Without the serif font letters are wider; a title never lies over *Lines* or the choice."""
    player = Player(chromium, wide)
    player.enter(room)
    player.page.goto(f"http://127.0.0.1:{room.port}/analysis")
    player.page.wait_for_selector("#ready:not([hidden])")
    player.page.evaluate(OTHER_FONT)
    for book in ("UTH-S", "FCP-14", "TCP-1"):
        player.page.select_option("[data-side=a] [name=rulebook]", book)
        for wager in player.page.locator("[data-side=a] .wager").all():
            wager.locator("summary").click()
            wager.get_by_label("Line 1: pays").fill("2 to 1")
        assert player.page.evaluate(OVERPRINTED) == []
        assert player.page.evaluate(OVERFLOW) <= 0
    player.close()
