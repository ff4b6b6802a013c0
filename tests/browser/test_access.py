"""Pages for everybody: axe finds nothing serious, on a phone as on a desk, and nothing foreign."""

from __future__ import annotations

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser

from tests.browser.rooms import (
    ASKED,
    LEAST_SHIFT,
    MAY_DEAL,
    MOST_BYTES,
    Player,
    PracticeRoom,
    Visit,
)
from tests.server.service import PASSWORD, Service

SERIOUS = ("serious", "critical")
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'"
PEOPLE = {
    "Dora": "dealer",
    "Flo": "floorperson",
    "Sam": "surveillance",
    "Pia": "player",
    "Mona": "manager",
}
AXE = Axe()


def _serious(visit: Visit) -> list[str]:
    found: dict[str, Any] = AXE.run(visit.page).response
    return [
        f"{each['id']}: {json.dumps([node['target'] for node in each['nodes']][:3])}"
        for each in found["violations"]
        if each["impact"] in SERIOUS
    ]


@pytest.mark.parametrize("wide", [360, 1280])
def test_the_practice_room(room: PracticeRoom, chromium: Browser, wide: int) -> None:
    player = Player(chromium, wide)
    player.enter(room)
    assert _serious(player) == []
    player.sit(room, "practice-UTH-S-1")
    player.choose("pace", "at once")
    assert _serious(player) == []
    player.page.click("[data-act=first]")
    player.page.click(MAY_DEAL)
    player.page.wait_for_selector(ASKED)
    assert _serious(player) == []
    while player.page.locator(ASKED).count():
        player.page.locator(ASKED).last.click()
        player.page.wait_for_selector(f"{ASKED}, {MAY_DEAL}")
    player.page.wait_for_selector("#receipt tfoot")
    assert _serious(player) == []
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert player.page.evaluate(overflow) <= 0
    assert player.shifted() < LEAST_SHIFT
    player.page.goto(f"http://127.0.0.1:{room.port}/tables/practice-UTH-S-1/rules")
    assert _serious(player) == []
    player.page.goto(f"http://127.0.0.1:{room.port}/practice/practice-UTH-S-1/drill")
    assert _serious(player) == []
    assert player.complaints == []
    player.close()


def test_the_pit(service: Service, chromium: Browser) -> None:
    visit = Visit(chromium)
    answer = visit.page.goto(service.url)
    assert answer is not None
    assert answer.headers["content-security-policy"].startswith(POLICY)
    assert visit.page.url.endswith("/setup")
    assert _serious(visit) == []
    administrator = service.set_up()
    for name, role in PEOPLE.items():
        administrator.hire(name, role)
    visit.page.goto(f"{service.url}/login")
    assert _serious(visit) == []
    visit.page.goto(f"{service.url}/sign/UTH-1")
    visit.page.wait_for_selector("#meters b")
    assert _serious(visit) == []
    assert visit.hosts == {"127.0.0.1"}
    visit.close()
    for name, paths in {
        "ada": ["/", "/offices"],
        "Dora": ["/tables/UTH-1"],
        "Flo": ["/floor", "/tables/FCP-1"],
        "Sam": ["/tables/UTH-1"],
        "Pia": ["/", "/tables/FCP-1"],
        "Mona": ["/analysis"],
    }.items():
        visit = _came_in(service, chromium, name)
        for path in paths:
            visit.bytes = 0
            visit.page.goto(service.url + path, wait_until="networkidle")
            assert (path, _serious(visit)) == (path, [])
            assert visit.bytes < MOST_BYTES
            assert visit.shifted() < LEAST_SHIFT
        assert visit.hosts == {"127.0.0.1"}
        assert visit.complaints == []
        visit.close()


def _came_in(service: Service, chromium: Browser, name: str) -> Visit:
    """By the login page."""
    visit = Visit(chromium)
    visit.page.goto(f"{service.url}/login")
    visit.page.fill("[name=name]", name)
    visit.page.fill("[name=password]", PASSWORD)
    visit.page.click("button.main")
    visit.page.wait_for_url(f"{service.url}/")
    return visit
