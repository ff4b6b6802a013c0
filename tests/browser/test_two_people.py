"""What one begins and another confirms, each in a browser of his own."""

from __future__ import annotations

import base64
import re

from playwright.sync_api import Browser

from croupier.ledger.kept_table import system_clock
from croupier.server.access.one_time_code import code_at, step_at
from croupier.submission.check import shipped_text
from tests.browser.evenings import Evening, laid
from tests.browser.rooms import Visit, entered, serious, wait_until
from tests.server.service import MANAGERS, PASSWORD, Client, Service

CALLED = r": (Dispute \d+ is open|Your word is waited for|Floor called)"


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


def test_a_large_voucher_waits_and_says_so(pit: Service, chromium: Browser) -> None:
    """It is there with the second person's word, and not before; then its player leaves."""
    evening = Evening(pit, chromium, laid(pit, "UTH-S"), {"Rich": 4})
    evening.do("open-table")
    page, dealer, floor = evening.players["Rich"].page, evening.dealer, evening.floor
    page.click("[data-act=sit-4]")
    page.click("[data-act=ask]")
    dealer.click("#next button:has-text('Sell box 4 nothing')")
    page.wait_for_selector("#hint:has-text('The dealer sells you no chips now. Ask the dealer')")
    page.click("[data-act=ask]")
    page.wait_for_selector("#hint:has-text('You asked for')")
    assert "sells you no chips" not in page.inner_text("#hint")
    dealer.fill("#buy [name=dollars]", "12000")
    dealer.click("#buy button")
    floor.click("[data-do=second]:has-text('Second Dora')")
    page.wait_for_selector("#chips:has-text('$12,000')")
    page.click("#cash")
    waits = "Your voucher for $12,000 waits for a second person"
    page.wait_for_selector(f"#purse-words:has-text('{waits}')")
    assert page.inner_text("#no") == ""
    assert page.is_disabled("#cash")
    assert page.is_disabled("#part button")
    assert page.is_enabled("#tip button")
    floor.click("[data-do=second]:has-text('Second Rich')")
    page.wait_for_selector("#have:has-text('a voucher for $12,000')")
    page.click("#cash")
    page.wait_for_selector("#purse-words:has-text('You left the box.')")
    evening.close()


def test_chips_are_asked_for_and_a_dispute_has_an_end(pit: Service, chromium: Browser) -> None:
    table = laid(pit, "UTH-S")
    evening = Evening(pit, chromium, table, {"Quinn": 3})
    evening.do("open-table")
    page, dealer, floor = evening.players["Quinn"].page, evening.dealer, evening.floor
    page.click("[data-act=sit-3]")
    page.fill("#ask [name=dollars]", "300")
    page.click("#ask button")
    page.wait_for_selector("#hint:has-text('You asked for $300')")
    dealer.wait_for_selector("#boxes:has-text('asks for $300')")
    assert dealer.title().startswith("Box 3 asks for $300: ")
    dealer.click("[data-do=buy-in]:has-text('Sell box 3 $300 for cash')")
    page.click("#have:has-text('I have $300 in chips')")
    page.wait_for_selector("#have", state="hidden")
    evening.wager("Ante")
    evening.play_on("settling", "4x")
    page.fill("#dispute [name=reason]", "that is a straight")
    page.select_option("#dispute [name=wager]", "blind")
    page.click("#dispute button")
    page.wait_for_selector("#disputes:has-text('Dispute 1, round 1, Blind: that is a straight')")
    dealer.wait_for_selector("#next [data-do=settle-box]", state="detached")
    floor.goto(f"{pit.url}/floor")
    floor.wait_for_selector(f".waits:has-text('{table}')")
    # Other tables of this pit may wait as well; one of them is named.
    wait_until(floor, lambda: bool(re.search(CALLED, floor.title())), "the floor is called")
    floor.click(".case summary:has-text('Look into dispute 1: Quinn, box 3, round 1, blind')")
    floor.wait_for_selector(".case tr:has-text('ante'):has-text('$10')")
    assert serious(evening.visits["Flo"]) == []
    assert serious(evening.players["Quinn"]) == []
    stands = "form[data-do=end-dispute]:has-text('what was settled stands')"
    floor.fill(f"{stands} [name=note]", "no straight on the film")
    floor.click(f"{stands} button")
    page.wait_for_selector("#disputes li", state="detached")
    page.wait_for_selector("#hint:has-text('Dispute 1 is ended: what was settled stands.')")
    _about_one_wager(evening)
    evening.do("settle-box")
    evening.do("clear-cards")
    _find_it(pit, evening, table)
    evening.close()


def _about_one_wager(evening: Evening) -> None:
    """The dealer opens one too, and the floorperson ends it."""
    dealer, floor = evening.dealer, evening.floor
    dealer.click("#wrong summary:has-text('Open a dispute of box 3')")
    assert serious(evening.visits["Dora"]) == []
    form = dealer.locator("#wrong form:has([name=wager])")
    form.locator("[name=wager]").select_option("ante")
    form.locator("[name=reason]").fill("she says raise")
    form.locator("button").click()
    floor.wait_for_selector(
        ".case summary:has-text('Quinn, box 3, round 1, ante: “she says raise”')"
    )
    stands = "form[data-do=end-dispute]:has-text('Dispute 2: what was settled stands')"
    floor.fill(f"{stands} [name=note]", "it stands")
    floor.click(f"{stands} button")
    dealer.wait_for_selector("#next [data-do=settle-box]")


def _find_it(pit: Service, evening: Evening, table: str) -> None:
    """Surveillance finds the round by its dispute, sees its times, and has the evidence."""
    watch = evening.visits["Sam"].page
    watch.goto(f"{pit.url}/recordings")
    watch.fill("#find [name=player]", "quinn")
    watch.select_option("#find [name=irregularity]", "dispute")
    watch.select_option("#find [name=wager]", "ante")
    watch.click("#find button")
    watch.click(f"#found a:has-text('{table}, 1')")
    watch.wait_for_selector("#ribbon:has-text('Replay of round 1')")
    assert re.search(r"20\d\d, \d\d:\d\d:\d\d \w", watch.inner_text("#steps li >> nth=0"))
    watch.select_option("#pace", "20")
    watch.click("#play")
    watch.wait_for_selector("#play:has-text('Play')")
    assert watch.input_value("#at") == watch.get_attribute("#at", "max")
    told = pit.log_in("Sam").get(f"/api/tables/{table}/disputes/1")
    assert told["case"]["state"] == "stands"
    assert told["case"]["note"] == "no straight on the film"
    assert {one["wager"]: one["due_cents"] for one in told["wagers"]} == {
        one["wager"]: one["paid_cents"] for one in told["wagers"]
    }
    assert told["proof"]["format"] == "croupier round proof 1"
    assert "player" not in str(pit.log_in("Quinn").get("/api/recordings").get("found", ""))


def test_only_the_filed_ruling_on_who_left_is_called_so(pit: Service, chromium: Browser) -> None:
    filed = shipped_text("UTH-S").replace(
        'abandoned_wagers = "default"', 'abandoned_wagers = "lost"'
    )
    table = laid(pit, "UTH-S", filed)
    evening = Evening(pit, chromium, table, {"Pia": 2})
    evening.open()
    evening.wager()
    evening.play_on("acting")
    pia, floor, dealer = evening.players["Pia"].page, evening.floor, pit.log_in("Dora")
    floor.goto(f"{pit.url}/floor")

    def may(duty: str) -> bool:
        return any(option["do"] == duty for option in dealer.look(table)["view"]["may"])

    def offered(*rulings: str) -> None:
        """On the floor's page, word for word."""
        rows = floor.locator("[data-do=rule-on-absence]")
        words = [f"Box 2 left: {ruling}" for ruling in rulings]
        wait_until(floor, lambda: rows.all_inner_texts() == words, f"{words} are offered")

    pia.goto("about:blank")
    wait_until(floor, lambda: may("report-absence"), "her absence may be reported")
    dealer.done(table, "report-absence", box=2)
    offered("every wager is lost, as filed", "its default is played")
    pia.goto(evening.url)
    offered("its player is back")
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
    told = anybody.post("/api/login", {**said, "code": code_at(secret, step)})
    assert told["sentence"].startswith("your device waits for")
    mona = entered(service, chromium, service.log_in("Mona").token)
    mona.page.goto(f"{service.url}/offices")
    asked = "vouch for the device of Flo, who typed a right code of it at"
    mona.page.click(f"#waiting li:has-text('{asked}') button:has-text('Confirm')")
    mona.page.wait_for_selector("#waiting:has-text('Nothing waits')")
    mona.close()
    visit = Visit(chromium)
    visit.page.goto(f"{service.url}/login")
    for field, value in said.items():
        visit.page.fill(f"[name={field}]", value)
    visit.page.click("#login button")
    visit.page.fill("#code input", code_at(secret, step + 1))
    visit.page.click("#login button")
    visit.page.wait_for_selector("#leave")
    visit.close()


def test_a_table_and_a_link_take_two(pit: Service, chromium: Browser) -> None:
    """What a manager begins, the administrator reads in the offices, and confirms or denies."""
    name = laid(pit, "UTH-S")
    admin = pit.log_in("ada")
    manager = pit.log_in(MANAGERS.get(pit.address) or admin.hire("Mo", "manager").name)
    new = f"{name}-beside"
    manager.post("/api/tables", {"submission": shipped_text("UTH-S"), "name": new})
    manager.put(f"/api/links/{name}", {"open": False, "reason": "the sign is dark"})
    office = entered(pit, chromium, admin.token)
    page = office.page
    page.goto(f"{pit.url}/offices")
    asked = f"#waiting li:has-text('{manager.name} asks: table {new}, brought in under UTH-S')"
    page.click(f"{asked} summary")
    assert 'rulebook = "UTH-S"' in page.inner_text(f"{asked} pre")
    page.click(f"{asked} button:has-text('Confirm')")
    page.wait_for_selector(f"#tables tr:has-text('{new}')")
    asked = f"#waiting li:has-text('link {name}, closed: the sign is dark')"
    page.click(f"{asked} button:has-text('Deny')")
    page.wait_for_selector(asked, state="detached")
    assert [each["closed"] for each in admin.get("/api/links") if each["name"] == name] == [""]
    assert office.complaints == []
    office.close()
