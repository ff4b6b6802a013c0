"""A player who has sat at a live table for an hour is told so, once, and keeps to limits of her
own; by a clock that is moved, at three sizes, with touch where there is no mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.moved_clock import MovedService
from tests.browser.rooms import Visit, log_in, serious
from tests.server.service import Client, Service

TABLE, BOX = "FCP-1", 4
MINUTE_S, HOUR_S = 60, 3600
LATER_MS = 310_000  # longer than a page waits before it asks once more


@pytest.mark.parametrize(
    "size",
    [(390, 844), *(pytest.param(s, marks=pytest.mark.prove) for s in ((1280, 800), (844, 390)))],
)
def test_the_hourly_word_and_a_limit(
    tmp_path: Path, chromium: Browser, size: tuple[int, int]
) -> None:
    service = MovedService(tmp_path)
    with service.running():
        administrator = service.set_up()
        dealer = administrator.hire("Dora", "dealer")
        pia = administrator.hire("Pia", "player")
        visit = Visit(chromium, size[0], tall=size[1])
        log_in(visit, service, pia.token)
        page = visit.page
        page.clock.install()
        _a_round(service, dealer, pia)
        page.goto(f"{service.url}/tables/{TABLE}")
        page.wait_for_selector("#session:has-text('0 minutes, 1 round,')")
        service.move(HOUR_S - MINUTE_S)
        page.clock.fast_forward(LATER_MS)
        page.wait_for_selector("#session:has-text('59 minutes')")
        assert "A break does good" not in page.inner_text("#hint")
        page.fill("#limits [name=minutes]", "60")
        with page.expect_response("**/care"):
            visit.press("#limits button")
        service.move(HOUR_S + MINUTE_S)
        page.clock.fast_forward(LATER_MS)
        page.wait_for_selector("#hint:has-text('You have played for an hour: 1 round, result')")
        assert serious(visit) == []
        visit.press("[aria-label^='Ante: nothing']")
        page.wait_for_selector("#no:has-text('set yourself 60')")
        # The limit is an answer: that the browser notes its status is no fault of the page.
        assert [said for said in visit.complaints if "403 (Forbidden)" not in said] == []
        visit.close()


def _a_round(service: Service, dealer: Client, pia: Client) -> None:
    """At another terminal: what is looked at here comes after it."""
    dealer.done(TABLE, "open-table")
    pia.done(TABLE, "take-box", box=BOX)
    dealer.done(TABLE, "buy-in", box=BOX, cents=200_00, taken="cash")
    pia.done(TABLE, "place-wagers", box=BOX, stakes={"ante": 10_00})
    dealer.done(TABLE, "no-more-bets")
    while dealer.look(TABLE)["view"]["phase"] == "dealing":
        dealer.done(TABLE, "deal")
    pia.done(TABLE, "fold", box=BOX)
    dealer.done(TABLE, "reveal")
    dealer.done(TABLE, "settle-box", box=BOX)
    dealer.done(TABLE, "clear-cards")
