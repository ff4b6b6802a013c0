"""What one begins and another confirms, each in a browser of his own."""

from __future__ import annotations

import base64

from playwright.sync_api import Browser

from croupier.ledger.kept_table import system_clock
from croupier.server.access.one_time_code import code_at, step_at
from tests.browser.evenings import Evening, laid
from tests.browser.rooms import Visit, entered
from tests.server.service import PASSWORD, Client, Service


def test_a_large_sale_and_the_drop_take_two(pit: Service, chromium: Browser) -> None:
    evening = Evening(pit, chromium, laid(pit, "UTH-S"), {"Pia": 2})
    evening.open()
    evening.dealer.fill("#buy [name=dollars]", "20000")
    evening.dealer.click("#buy button")
    floor = evening.floor
    floor.wait_for_selector("[data-do=second]:has-text('Second Dora: sell chips, box 2, $20,000')")
    assert evening.view("Flo")["boxes"][0]["chips_cents"] == 500_00
    floor.click("[data-do=second] >> nth=0")
    evening.players["Pia"].page.wait_for_selector("#chips:has-text('$20,500')")
    floor.click("#wrong summary:has-text('Count the drop')")
    for taken, dollars in {"cash": "20400", "chips": "0", "voucher": "0.50"}.items():
        floor.fill(f"form[data-do=count-drop] [name='found.{taken}']", dollars)
    floor.click("form[data-do=count-drop] button")
    floor.wait_for_selector("[data-do=second]:has-text('Do not second Flo')")
    assert floor.locator("[data-do=second]").count() == 1
    mona = entered(pit, chromium, pit.log_in("ada").hire("Mona", "manager").token)
    mona.page.goto(f"{pit.url}/floor")
    mona.page.click("[data-do=second]:has-text('Second Flo: the count of the drop, $20,400.50')")
    floor.wait_for_selector("[data-do=second]", state="detached")
    mona.close()
    evening.close()


def test_staff_come_by_two_and_with_a_code(service: Service, chromium: Browser) -> None:
    administrator = service.set_up()
    administrator.hire("Mona", "manager")
    ada = entered(service, chromium, administrator.token)
    ada.page.goto(f"{service.url}/offices")
    for field, said in {"name": "Flo", "password": PASSWORD, "tables": "UTH-1"}.items():
        ada.page.fill(f"#hire [name={field}]", said)
    ada.page.select_option("#hire [name=role]", "floorperson")
    ada.page.click("#hire button")
    ada.page.wait_for_selector("#waiting:has-text('let Flo in as floorperson')")
    assert ada.page.locator("#waiting button:has-text('Confirm')").count() == 0
    mona = entered(service, chromium, service.log_in("Mona").token)
    mona.page.goto(f"{service.url}/offices")
    mona.page.click("#waiting button:has-text('Confirm')")
    mona.page.wait_for_selector("#waiting:has-text('Nothing waits')")
    assert service.log_in("Flo").get("/api/me")["role"] == "floorperson"
    ada.page.reload()
    ada.page.select_option("#change [name=name]", "Flo")
    ada.page.select_option("#change [name=code]", "PUT")
    ada.page.click("#change button")
    ada.page.wait_for_selector("#people tr:has-text('Flo'):has-text('code not set up')")
    for visit in (ada, mona):
        assert visit.complaints == []
        visit.close()
    _log_in_with_a_code(service, chromium)


def _log_in_with_a_code(service: Service, chromium: Browser) -> None:
    anybody, said = Client(service), {"name": "Flo", "password": PASSWORD}
    padded = anybody.post("/api/enrolment", said)["secret"]
    secret, step = base64.b32decode(padded), step_at(system_clock())
    assert anybody.post("/api/login", {**said, "code": code_at(secret, step)})["token"]
    visit = Visit(chromium)
    visit.page.goto(f"{service.url}/login")
    for field, value in said.items():
        visit.page.fill(f"[name={field}]", value)
    visit.page.click("#login button")
    visit.page.fill("#code input", code_at(secret, step + 1))
    visit.page.click("#login button")
    visit.page.wait_for_selector("#leave")
    visit.close()
