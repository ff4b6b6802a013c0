"""The analyst's page: choose, write over a line, compare, share and save; exact as the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from tests.browser.rooms import LEAST_SHIFT, MOST_BYTES, Player, PracticeRoom, Visit, entered
from tests.server.service import Service

SEVERE = ("serious", "critical")
BONUS = "[data-side=b] [data-wager=ante_bonus]"
SOON_MS, LONG_MS = 30_000, 300_000
SVG = "{http://www.w3.org/2000/svg}"
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def _serious(visit: Visit) -> list[Any]:
    found = Axe().run(visit.page).response["violations"]
    return [(each["id"], each["nodes"][0]["target"]) for each in found if each["impact"] in SEVERE]


def _solved(*words: str) -> str:
    command = [sys.executable, "-m", "croupier", "solve", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


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


def _save_all(page: Page, words: tuple[str, ...], folder: Path) -> None:
    """Every file of the second choice, held against what the command prints."""
    assert _saved(page, "[data-files=b] [data-form=csv]", folder).read_text() == _solved(
        *words, "--csv"
    )
    saved = _saved(page, "[data-files=b] [data-form=json]", folder)
    assert saved.read_text() == _solved(*words, "--json")
    for chart, least in (("spread", 9), ("chart", 351)):
        drawn = ElementTree.parse(_saved(page, f"[data-files=b] [data-svg={chart}]", folder))
        assert len(drawn.getroot().findall(f".//{SVG}rect")) > least


@pytest.mark.parametrize("wide", [360, pytest.param(1280, marks=pytest.mark.prove)])
def test_two_choices_side_by_side(
    service: Service, chromium: Browser, tmp_path: Path, wide: int
) -> None:
    visit = entered(service, chromium, service.set_up().hire("Mona", "manager").token, wide)
    page = visit.page
    page.goto(f"{service.url}/analysis", wait_until="networkidle")
    assert visit.bytes < MOST_BYTES
    assert _serious(visit) == []
    page.select_option("[data-side=a] [name=rulebook]", "FCP-14")
    _count(page)
    first = json.loads(_solved("four-card", "--json"))
    edge = f"{100 * first['house_edge']:.4f} %"
    assert _cells(page, "base", "House edge") == [edge]

    page.click("#compare")
    _write_over(page)
    assert _serious(visit) == []
    _count(page)

    own = _saved(page, f"{BONUS} .file", tmp_path)
    assert own.name == "A edited.toml"
    words = ("four-card", "--paytable", f"ante_bonus={own}")
    second = json.loads(_solved(*words, "--json"))
    told = _cells(page, "base", "House edge")
    moved = 100 * (second["house_edge"] - first["house_edge"])
    assert told == [
        edge,
        _written(f"{100 * second['house_edge']:.4f} %"),
        _written(f"{moved:+.4f} pp"),
    ]
    assert page.locator("#chart svg").count() == 2
    assert _serious(visit) == []
    assert page.evaluate(OVERFLOW) <= 0
    assert visit.shifted() < LEAST_SHIFT

    _save_all(page, words, tmp_path)

    again = page.context.new_page()
    again.goto(page.input_value("#link"))
    expect(again.locator("#standing")).to_contain_text("Counted in", timeout=LONG_MS)
    expect(again.locator(BONUS).get_by_label("Line 3: pays")).to_have_value(
        "5 to 1", timeout=SOON_MS
    )
    assert _cells(again, "base", "House edge") == told
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
    page.click("#count")
    page.click("#cancel")
    expect(page.locator("#standing")).to_have_text("Canceled.", timeout=LONG_MS)
    _count(page)
    own = _saved(page, "[data-side=a] [data-wager=trips] .file", tmp_path)
    printed = json.loads(_solved("uth", "--paytable", f"trips={own}", "--json"))
    (cell,) = _cells(page, "sides", "Trips")
    edge = printed["side_wagers"]["trips"]["C edited"]["house_edge"]
    assert f"{100 * edge:.4f} %" in cell
    assert page.locator("#chart svg g").count() == 169
    assert player.complaints == []
    player.close()
