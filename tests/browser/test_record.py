"""The player's record in the browser: from a round at the table to its mistakes and its files."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route

from tests.browser.rooms import ASKED, MAY_DEAL, Player, PracticeRoom, serious

TABLE = "practice-FCP-14-1"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PracticeRoom]:
    """A room of their own: what is costly in its record is what these tests did."""
    room = PracticeRoom(tmp_path_factory.mktemp("record")).start()
    yield room
    room.stop()


@pytest.mark.parametrize("wide", [390, pytest.param(1280, marks=pytest.mark.prove)])
def test_a_round_is_found_again(room: PracticeRoom, chromium: Browser, wide: int) -> None:
    player = Player(chromium, wide)
    player.sit(room, TABLE)
    player.choose("pace", "at once")
    played = player.round(choice=1)["view"]  # twice the Ante is never the best there is
    number = played["round"] - 1 if played["phase"] == "betting" else played["round"]
    page = player.page
    page.click("#evening summary")
    page.click(f"#evening a[href='/record/{TABLE}/{number}']")
    page.wait_for_selector("#decision-1 .is-chosen:has-text('2\u00d7')", timeout=120_000)
    assert "2\u00d7 costs" in page.inner_text("#decision-1")
    assert page.locator("#end svg[role=img]").count() == 2
    assert page.locator("#lines tfoot").count() == 1
    assert serious(player) == []
    page.goto(f"http://127.0.0.1:{room.port}/record")
    page.wait_for_selector("#standing:has-text('Every decision is counted')", timeout=120_000)
    assert page.locator("#bankroll svg").count() == 1
    mistake = page.locator(f"#mistakes a[href^='/record/{TABLE}/{number}#']")
    assert mistake.count() == 1
    assert serious(player) == []
    assert page.evaluate(OVERFLOW) <= 0
    mistake.click()
    page.wait_for_selector("#decision-1")
    _files(player, room, number)
    _all_of_it(player, room)
    assert player.complaints == []
    player.close()


def _all_of_it(player: Player, room: PracticeRoom) -> None:
    """A long record begins short, and a touch shows the rest of it."""
    page, asked = player.page, list[str]()

    def long(route: Route) -> None:
        asked.append(route.request.url)
        told = route.fetch().json()
        if "whole" not in asked[-1]:
            told |= {"mistakes": [], "sessions_before": 7}
        route.fulfill(json=told)

    page.route("**/record/summary*", long)
    page.goto(f"http://127.0.0.1:{room.port}/record")
    page.wait_for_selector("#sessions button:has-text('sessions')")
    player.press("#mistakes button:has-text('mistakes')")
    page.wait_for_selector("#mistakes a")
    assert page.locator(".whole").count() == 0
    assert serious(player) == []


def _files(player: Player, room: PracticeRoom, number: int) -> None:
    address = f"http://127.0.0.1:{room.port}/record/rounds"
    rows = list(csv.DictReader(player.page.request.get(f"{address}.csv").text().splitlines()))
    row = next(row for row in rows if (row["table"], row["round"]) == (TABLE, str(number)))
    assert row["decisions"] == "2x"
    records = player.page.request.get(f"{address}.jsonl").text().splitlines()
    told = [json.loads(line) for line in records]
    assert all(line["status"] != "in progress" for line in told if line["record"] == "round")
    mine = [line for line in told if (line.get("round"), line["table"]) == (number, TABLE)]
    assert len(mine) == 1


def test_the_lobby_shows_a_round_that_waits(room: PracticeRoom, chromium: Browser) -> None:
    player = Player(chromium)
    player.sit(room, TABLE)
    player.choose("pace", "at once")
    page = player.page
    page.click("[data-act=first]")
    page.click(MAY_DEAL)
    page.wait_for_selector(ASKED)
    page.goto(f"http://127.0.0.1:{room.port}/practice")
    page.click(".waits a:has-text('waits for your answer')")
    page.wait_for_selector(ASKED)
    page.locator(ASKED).last.click()
    page.wait_for_selector(MAY_DEAL)
    page.goto(f"http://127.0.0.1:{room.port}/practice")
    assert page.locator(f".table-card:has(a[href$='/{TABLE}']) .waits").count() == 0
    player.close()


def test_any_hand_is_asked_about(room: PracticeRoom, chromium: Browser) -> None:
    """Cards are put where they lie, by touch; each game has the places that it deals to."""
    player = Player(chromium, 390)
    player.enter(room)
    page = player.page
    page.goto(f"http://127.0.0.1:{room.port}/practice/practice-UTH-S-1/ask")
    for name in ("Kd", "5c"):
        page.click(f"#deck [data-card='{name}']")
    page.wait_for_selector("#answer .is-best:has-text('4')", timeout=120_000)
    assert page.locator("#answer .chart td.is-lit").count() == 1
    for name in ("Qh", "8s"):
        page.click(f"#deck [data-card='{name}']")
    page.wait_for_selector("#answer:has-text('0, 3 or 5 cards are needed')")
    page.click("#deck [data-card='2d']")
    page.wait_for_selector("#answer:has-text('6 make a pair')", timeout=120_000)
    assert "1.103" in page.inner_text("#answer .is-best")
    assert serious(player) == []
    assert page.evaluate(OVERFLOW) <= 0
    page.goto(f"http://127.0.0.1:{room.port}/practice/{TABLE}/ask")
    assert page.locator(".slot").count() == 4
    assert player.complaints == []
    player.close()


def test_a_drill_remembers(room: PracticeRoom, chromium: Browser) -> None:
    player = Player(chromium, 820)
    player.enter(room)
    page = player.page
    page.goto(f"http://127.0.0.1:{room.port}/practice/practice-TCP-1-1/drill")
    page.wait_for_selector("[data-action='1x']", timeout=120_000)
    page.keyboard.press("f")
    page.wait_for_selector(".rule-list .is-lit", timeout=120_000)
    assert "of 1 right" in page.inner_text("#tally")
    assert "seconds each" in page.inner_text("#tally")
    page.reload()
    page.wait_for_selector("#tally:has-text('of 1 right')", timeout=120_000)
    assert serious(player) == []
    assert player.complaints == []
    player.close()


def test_the_first_round_is_guided(room: PracticeRoom, chromium: Browser) -> None:
    player = Player(chromium, 390)
    player.enter(room)
    page = player.page
    page.goto(f"http://127.0.0.1:{room.port}/practice/practice-TCP-1-1")
    page.wait_for_selector("#how[open] .ranks svg")
    assert serious(player) == []
    page.click("#how-done")
    page.wait_for_selector("#guide:has-text('Step 1 of 4')")
    player.choose("pace", "at once")
    page.click("[data-act=first]")
    page.wait_for_selector("#guide:has-text('Step 2 of 4')")
    page.click(MAY_DEAL)
    page.wait_for_selector("#guide:has-text('one decision. You have')")
    page.locator(ASKED).first.click()
    page.wait_for_selector("#guide:has-text('Step 4 of 4')")
    page.click("#guide button:has-text('Done')")
    page.reload()
    page.wait_for_selector("[data-act]")
    assert not page.is_visible("#guide")
    player.close()
