"""Everybody's own: password, light or dark, limits; logins that the administrator ends; and an
address that leads nowhere."""

from __future__ import annotations

from playwright.sync_api import Browser, Route

from tests.browser.evenings import laid
from tests.browser.rooms import Player, PracticeRoom, Visit, entered, serious, wait_until
from tests.server.service import PASSWORD, Client, Service

GROUND = "getComputedStyle(document.querySelector('.panel')).backgroundColor"
NEXT = "quite another horse"


def test_ones_own_account(pit: Service, chromium: Browser) -> None:
    administrator, table = pit.set_up(), laid(pit, "UTH-S")
    zoe = entered(pit, chromium, administrator.hire("Zoe", "player").token)
    answer = zoe.page.goto(f"{pit.url}/nowhere")
    assert answer is not None
    assert answer.status == 404
    assert zoe.page.inner_text("h1") == "Not here"
    assert serious(zoe) == []
    zoe.page.click("text=To the entrance")
    sets_limits(zoe, table)
    changes_her_password(pit, zoe)
    ends_her_login(pit, chromium, zoe)
    zoe.complaints = [said for said in zoe.complaints if "404" not in said and "401" not in said]
    assert zoe.complaints == []
    zoe.close()


def sets_limits(zoe: Visit, table: str) -> None:
    """They are hers, so they are there again when the page is."""
    zoe.page.click(f".table-card a[href='/tables/{table}']")
    zoe.page.wait_for_selector(
        "#session:has-text('This evening, at all tables: 0 minutes, 0 rounds')"
    )
    zoe.page.fill("#limits [name=minutes]", "90")
    zoe.page.fill("#limits [name=dollars]", "200")
    with zoe.page.expect_response("**/care") as told:
        zoe.page.click("#limits button")
    assert told.value.status == 204
    zoe.page.reload()
    zoe.page.wait_for_selector("#limits")
    wait_until(
        zoe.page,
        lambda: zoe.page.input_value("#limits [name=minutes]") == "90",
        "her limits are there again",
    )
    assert zoe.page.input_value("#limits [name=dollars]") == "200"


def changes_her_password(pit: Service, zoe: Visit) -> None:
    page = zoe.page
    page.click(".tools summary")
    late: list[Route] = []
    page.route("**/pages/login.js", lambda route: late.append(route))
    page.click(".tools a[href='/account']")
    page.wait_for_selector("#password")
    light = page.evaluate(GROUND)
    page.select_option("#theme", "dark")  # the page is not done yet, and keeps it
    assert page.evaluate(GROUND) != light
    late[0].continue_()
    page.unroute("**/pages/login.js")
    page.reload()
    assert page.evaluate(GROUND) != light
    assert serious(zoe) == []
    for old, told in ((NEXT, "#no:not(:empty)"), (PASSWORD, "#changed:not(:empty)")):
        page.fill("[name=old]", old)
        page.fill("[name=new]", NEXT)
        page.click("#password button")
        page.wait_for_selector(told)
    anybody = Client(pit)
    for password, admitted in ((PASSWORD, False), (NEXT, True)):
        told = anybody.post("/api/login", {"name": "Zoe", "password": password})
        assert ("token" in told) is admitted


def ends_her_login(pit: Service, chromium: Browser, zoe: Visit) -> None:
    ada = entered(pit, chromium, pit.log_in("ada").token)
    ada.page.goto(f"{pit.url}/offices")
    ends = ada.page.locator("[data-end=Zoe]")
    ends.first.wait_for()
    while left := ends.count():
        ends.first.click()
        ada.page.wait_for_function(
            "left => document.querySelectorAll('[data-end=Zoe]').length < left", arg=left
        )
    zoe.page.goto(f"{pit.url}/account")
    zoe.page.wait_for_url("**/login?to=/account")
    assert ada.complaints == []
    ada.close()


def test_a_form_sent_before_its_script_came_leads_back_to_its_page(
    pit: Service, chromium: Browser
) -> None:
    pit.set_up()
    early = Visit(chromium)
    page = early.page
    page.route("**/pages/login.js", lambda route: route.abort())
    page.goto(f"{pit.url}/login?to=/floor")
    page.fill("[name=name]", "ann")
    page.fill("[name=password]", PASSWORD)
    page.click("button.main")
    page.wait_for_selector("[name=name]:invalid")  # it is there again, and empty
    assert page.url == f"{pit.url}/login?to=/floor"
    page.context.close()


def test_an_address_that_only_takes_something_leads_nobody_in_circles(
    room: PracticeRoom, chromium: Browser
) -> None:
    player = Player(chromium)
    player.enter(room)
    answer = player.page.goto(f"http://127.0.0.1:{room.port}/practice/limits")
    assert answer is not None
    assert answer.status == 405
    player.page.context.close()
