"""An evening at home: guests come by one link, the house deals, and somebody takes the console."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from croupier.ledger.shoe.key_ring import create_ring
from tests.browser.evenings import link
from tests.browser.rooms import Visit, serious, wait_until
from tests.ledger.stores import BACKENDS, Server
from tests.server.service import Service

GUESTS = {"Pia": 360, "Paul": 360, "Lena": 1280}  # two phones and a laptop
TABLE = "UTH-1"


def at_home(folder: Path, backend: str, request: pytest.FixtureRequest) -> Service:
    if backend != "postgresql":
        return Service(folder, "", "--home", host="127.0.0.1", decision_seconds=0)
    server: Server = request.getfixturevalue("server")
    create_ring(folder / "keys")
    options = ("--home", "--keys", str(folder / "keys"))
    return Service(folder, server.empty_database(), *options, host="127.0.0.1", decision_seconds=0)


def come_in(service: Service, chromium: Browser, name: str, wide: int) -> Visit:
    visit = Visit(chromium, wide)
    page = visit.page
    page.goto(link(service, "join"))
    page.fill("[name=name]", name)
    page.click("#join button")
    page.click(f".table-card a[href='/tables/{TABLE}']")
    page.click("[data-act^=sit-] >> nth=0")
    page.click("[data-act=ask]")
    page.click("[data-act=first]")
    page.wait_for_selector("[data-act=ready]")
    return visit


def is_asked(page: Page) -> bool:
    return page.locator(".choice:not(:disabled)").count() > 0


@pytest.mark.parametrize(
    "backend",
    [pytest.param(one, marks=[pytest.mark.prove] * (one == "postgresql")) for one in BACKENDS],
)
def test_two_phones_and_a_laptop(
    tmp_path: Path, chromium: Browser, backend: str, request: pytest.FixtureRequest
) -> None:
    with at_home(tmp_path, backend, request).running() as service:
        guests = {n: come_in(service, chromium, n, wide) for n, wide in GUESTS.items()}
        for visit in guests.values():
            assert "HOME TABLE" in visit.page.inner_text(".training")
            visit.page.click("[data-act=ready]")
        pia, paul, lena = (visit.page for visit in guests.values())
        lena.wait_for_selector("#near .card")
        wait_until(pia, lambda: is_asked(pia), "the first box is asked")
        assert pia.title().startswith("Your turn: ")
        assert not paul.title().startswith("Your turn: ")
        takes_up_again(service, pia)
        sent_away(service, chromium, paul)
        comes_back(service, chromium, pia)
        assert serious(guests["Pia"]) == []
        for visit in guests.values():
            assert visit.hosts == {"127.0.0.1"}
            visit.close()


def takes_up_again(service: Service, pia: Page) -> None:
    """A new page in the same browser, and the pit started anew: back at the box, asked again."""
    pia.goto("about:blank")
    assert service.stop() == 0
    service.start()
    pia.goto(f"{service.url}/tables/{TABLE}")
    wait_until(pia, lambda: is_asked(pia), "the same box is asked again")
    assert "1 you" in pia.inner_text("#seats")


def sent_away(service: Service, chromium: Browser, paul: Page) -> None:
    """The host sends one away, and deals himself: then nothing happens before he does it."""
    host = Visit(chromium)
    page = host.page
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(link(service, "host"))
    page.click("[data-away=Paul]")
    page.wait_for_selector("#guests tr:has-text('Paul'):has-text('sent away')")
    paul.wait_for_selector("h1:has-text('Come by the link')")
    page.click(f"[data-console='{TABLE}']")
    page.wait_for_selector("#hint:has-text('Box 1, Pia, is asked')")
    assert host.complaints == []
    host.close()


def comes_back(service: Service, chromium: Browser, pia: Page) -> None:
    """Pia's phone has forgotten her: her name is not given away, but the host leads her back to her
    box, once; the browser before is let in no more."""
    host, phone, thief = Visit(chromium), Visit(chromium, 360), Visit(chromium, 360)
    phone.page.goto(link(service, "join"))
    phone.page.fill("[name=name]", "pia")
    phone.page.click("#join button")
    phone.page.wait_for_selector("#no:has-text('ask your host for your way back in')")
    host.page.goto(link(service, "host"))
    host.page.click("[data-back=Pia]")
    host.page.wait_for_selector("#way-back img")
    assert serious(host) == []
    way = host.page.inner_text("#way-back .link")
    phone.page.goto(way)
    phone.page.wait_for_selector("h1:has-text('Welcome back, Pia')")
    phone.page.click("#join button")
    phone.page.click(f".table-card a[href='/tables/{TABLE}']")
    wait_until(phone.page, lambda: is_asked(phone.page), "she is asked at her box")
    assert "1 you" in phone.page.inner_text("#seats")
    pia.wait_for_selector("h1:has-text('Come by the link')")
    thief.page.goto(way)
    thief.page.wait_for_selector("h1:has-text('Not here')")
    for visit in (host, phone, thief):
        visit.close()
