"""A training table in the browser: opened, dealt, counted, and its deck changed by consoles."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.evenings import Evening
from tests.browser.rooms import entered, serious, wait_until
from tests.server.school import by_shoe
from tests.server.service import Service
from tests.server.staff import Table

TABLE = "UTH-1-training"


def test_dora_and_flo_work_a_table_by_hand(service: Service, chromium: Browser) -> None:
    _installed_by_ada(service, chromium)
    evening = Evening(service, chromium, TABLE, {"Pia": 2})
    dealer, floor = evening.dealer, evening.floor
    dealer.wait_for_selector("#opening .is-next")
    assert evening.visits["Dora"].jumps() == []
    _opened(evening)
    evening.visits["Pia"].page.click("[data-act=sit-2]")
    dealer.click("#buy button")
    for duty in ("wash-deck", "stack-deck"):
        evening.do(duty)
    _four_rounds(service, evening)
    _shuffled_and_cut(evening, 20)
    evening.wager()
    wait_until(dealer, lambda: evening.view()["phase"] != "betting", "the bets are closed")
    evening.play_on("revealing")
    form = dealer.locator("#next form[data-do=count-stub]")
    asked = form.locator("input[required]")
    assert [box.input_value() for box in asked.all()] == ["", ""]
    expect(dealer.locator("#next .follows")).to_contain_text("the deck leaves the table. UTH-S 8.G")
    assert serious(evening.visits["Dora"]) == []
    form.locator("button").click()
    assert evening.view()["uncounted"] == 5  # Nothing is counted by who has counted nothing.
    form.locator("[name=stub]").fill("43")
    form.locator("[name=on_table]").fill("9")
    form.locator("button").click()
    form.wait_for(state="detached")
    evening.play_on("clearing")
    evening.do("clear-cards")
    floor.click("#more summary:has-text('Take the red deck away')")
    floor.click("#more [data-do=remove-deck]")
    expect(dealer.locator("#hint")).to_contain_text("There is no deck on the table")
    evening.do("receive-deck")
    expect(dealer.locator("#decks")).to_contain_text("red deckreceived")
    for visit in evening.visits.values():
        assert visit.page.inner_text(".training").startswith("TRAINING TABLE")
    evening.close()


def _installed_by_ada(service: Service, chromium: Browser) -> None:
    ada = entered(service, chromium, service.set_up().token)
    ada.page.goto(f"{service.url}/offices")
    ada.page.fill("#install [name=submission]", by_shoe("UTH-S"))
    ada.page.check("#install [name=training]")
    ada.page.click("#install button")
    ada.page.wait_for_selector(f"#tables tr:has-text('{TABLE}'):has-text('UTH-S, training')")
    assert ada.complaints == []
    ada.close()


ATTESTED = {
    "inspect-deck": ("I looked at the cards: all are alike", "2 cover cards are with them"),
    "verify-inspection": ("The shoe is in its approved place",),
}


def _opened(evening: Evening) -> None:
    """Received, inspected, verified and spread, with the checklist going along."""
    marked = evening.dealer.locator("#opening .is-next")
    for duty, who, following in (
        ("receive-deck", "Dora", "inspect it"),
        ("inspect-deck", "Dora", "Floorperson: verify"),
        ("verify-inspection", "Flo", "Spread it"),
        ("spread-deck", "Dora", "wash it"),
    ):
        asked = evening.visits[who].page.locator(f"#next [data-do={duty}]").first
        asked.wait_for()
        for attested in ATTESTED.get(duty, ()):
            expect(asked.get_by_label(attested)).not_to_be_checked()
            asked.locator("button").click()
            assert asked.is_visible()  # Nobody attests by pressing on.
        evening.do(duty, who)
        expect(marked).to_contain_text(following)


def _shuffled_and_cut(evening: Evening, cards: int) -> None:
    evening.do("shuffle")
    evening.dealer.fill("form[data-do=cut] [name=cards]", str(cards))
    evening.dealer.click("form[data-do=cut] button")
    evening.dealer.wait_for_selector("form[data-do=cut]", state="detached")


def _four_rounds(service: Service, evening: Evening) -> None:
    """By other terminals of the same people, so that nobody waits for pages."""
    names = {"dealer": "Dora", "floorperson": "Flo", "Pia": "Pia"}
    table = Table({who: service.log_in(name) for who, name in names.items()}, TABLE, "uth")
    for _ in range(4):
        table.done("dealer", "shuffle", color="red")
        table.done("dealer", "cut", cards=26)
        table.wagered()
        table.done("dealer", "no-more-bets")
        table.finished()
    wait_until(evening.dealer, lambda: evening.view().get("uncounted") == 4, "four are dealt")
