"""Pages for everybody: axe finds nothing serious, on a phone as on a desk, and nothing foreign."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Browser

from tests.browser.rooms import (
    ASKED,
    MAY_DEAL,
    MOST_BYTES,
    Player,
    PracticeRoom,
    Visit,
    log_in,
    serious,
)
from tests.server.service import PASSWORD, Service

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'"
PEOPLE = {"Dora": "dealer", "Flo": "floorperson", "Sam": "surveillance", "Pia": "player"}


@pytest.mark.parametrize("wide", [360, pytest.param(1280, marks=pytest.mark.prove)])
def test_the_practice_room(room: PracticeRoom, chromium: Browser, wide: int) -> None:
    player = Player(chromium, wide)
    player.enter(room)
    assert serious(player) == []
    player.sit(room, "practice-UTH-S-1")
    player.choose("pace", "at once")
    player.page.click(".tools summary")
    player.page.check("#colors")
    player.page.click(".tools summary")
    player.page.click("[data-act=first]")
    player.page.click(MAY_DEAL)
    player.page.wait_for_selector(ASKED)
    assert serious(player) == []
    while player.page.locator(ASKED).count():
        player.page.locator(ASKED).last.click()
        player.page.wait_for_selector(f"{ASKED}, {MAY_DEAL}")
    player.page.wait_for_selector("#receipt tfoot")
    assert serious(player) == []
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert player.page.evaluate(overflow) <= 0
    assert player.jumps() == []
    player.page.goto(f"http://127.0.0.1:{room.port}/tables/practice-UTH-S-1/rules")
    assert serious(player) == []
    player.page.goto(f"http://127.0.0.1:{room.port}/practice/practice-UTH-S-1/drill")
    player.page.wait_for_selector("body.four-colors")
    assert player.complaints == []
    player.close()


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.prove)])
def test_the_pit(service: Service, chromium: Browser, scheme: Literal["light", "dark"]) -> None:
    """Each page once, to who works there; the analyst's page has a test of its own."""
    visit = Visit(chromium)
    visit.page.emulate_media(color_scheme=scheme)
    answer = visit.page.goto(service.url)
    assert answer is not None
    assert answer.headers["content-security-policy"].startswith(POLICY)
    assert visit.page.url.endswith("/setup")
    assert serious(visit) == []
    _never_in_the_address(service, chromium)
    administrator = service.set_up()
    people = {name: administrator.hire(name, role).token for name, role in PEOPLE.items()}
    visit.page.goto(f"{service.url}/sign/UTH-1")
    visit.page.wait_for_selector("#meters b")
    assert serious(visit) == []
    visit.page.goto(f"{service.url}/login")
    assert serious(visit) == []
    visit.page.fill("[name=name]", "ada")
    visit.page.fill("[name=password]", PASSWORD)
    visit.page.click("button.main")
    visit.page.wait_for_url(f"{service.url}/")
    for name, path in (
        *(("ada", "/"), ("ada", "/offices"), ("Dora", "/tables/UTH-1"), ("Flo", "/floor")),
        *(("Sam", "/tables/UTH-1"), ("Sam", "/recordings"), ("Pia", "/tables/FCP-1")),
    ):
        if name in people:
            log_in(visit, service, people[name])
        visit.bytes = 0
        visit.page.goto(service.url + path, wait_until="networkidle")
        assert (path, serious(visit)) == (path, [])
        assert visit.page.evaluate("getComputedStyle(document.body).colorScheme") == "light dark"
        assert visit.bytes < MOST_BYTES
        assert visit.jumps() == []
    assert visit.hosts == {"127.0.0.1"}
    assert visit.complaints == []
    visit.close()


def _never_in_the_address(service: Service, chromium: Browser) -> None:
    """Whoever is quicker than the page's script sends the form with his password as it stands."""
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{service.url}/setup")
    for name in ("code", "name", "password"):
        page.fill(f"[name={name}]", PASSWORD)
    page.click("button.main")
    assert page.url == f"{service.url}/setup"
    context.close()
