"""A live round in separate browsers: players, a dealer, a floorperson and surveillance."""

from __future__ import annotations

import json

from playwright.sync_api import Browser

from tests.browser.rooms import ASKED, Visit, cards_in
from tests.browser.test_access import entered
from tests.server.service import PASSWORD, Service

TABLE = "UTH-1"
PLAYERS = {"Pia": 2, "Paul": 3, "Petra": 5}
STAFF = {"Dora": "dealer", "Flo": "floorperson", "Sam": "surveillance"}


class Evening:
    """Everybody at the table, each in a browser of his own."""

    def __init__(self, service: Service, chromium: Browser) -> None:
        administrator = service.set_up()
        for name, role in {**STAFF, **dict.fromkeys(PLAYERS, "player")}.items():
            administrator.hire(name, role)
        self.url = f"{service.url}/tables/{TABLE}"
        self.visits = {name: entered(service, chromium, name) for name in (*STAFF, *PLAYERS)}
        for visit in self.visits.values():
            visit.page.goto(self.url)
        self.dealer = self.visits["Dora"].page
        self.floor = self.visits["Flo"].page
        self.players = {name: self.visits[name] for name in PLAYERS}

    def open(self) -> None:
        self.dealer.click("[data-do=open-table]")
        for name, box in PLAYERS.items():
            self.visits[name].page.click(f"[data-act=sit-{box}]")
            self.dealer.wait_for_selector(f"#buy option[value='{box}']", state="attached")
            self.dealer.select_option("#buy [name=box]", str(box))
            self.dealer.click("#buy button")
            self.visits[name].page.wait_for_selector(".spot.is-open")

    def wager(self) -> None:
        for visit in self.players.values():
            visit.page.click("[aria-label^='Ante']")
            visit.page.wait_for_selector("[aria-label^='Blind: $10 on it']")
        self.dealer.wait_for_function(
            "() => [...document.querySelectorAll('#boxes tbody tr')]"
            ".every(row => row.textContent.includes('Blind $10'))"
        )
        self.do("no-more-bets")

    def do(self, duty: str) -> None:
        """The dealer does this, and the console has moved on."""
        before = len(self.visits["Dora"].frames)
        self.dealer.click(f"#next [data-do={duty}]")
        while len(self.visits["Dora"].frames) <= before:
            self.dealer.wait_for_timeout(20)

    def view(self, name: str) -> dict[str, object]:
        views = [json.loads(text).get("view") for text in self.visits[name].frames]
        last: dict[str, object] = [view for view in views if view][-1]
        return last

    def phase(self) -> object:
        self.dealer.wait_for_timeout(60)
        return self.view("Dora")["phase"]

    def answer(self, choice: str) -> None:
        """Whoever is asked checks, and at the end plays or folds."""
        for _ in range(40):
            turn = self.view("Dora").get("turn", 0)
            name = next((name for name, box in PLAYERS.items() if box == turn), None)
            if self.phase() != "acting" or name is None:
                return
            page = self.visits[name].page
            page.wait_for_selector(ASKED)
            act = "check" if page.locator("[data-act=check]").count() else choice
            before = len(self.visits["Dora"].frames)
            page.click(f"[data-act='{act}']")
            while len(self.visits["Dora"].frames) <= before:
                self.dealer.wait_for_timeout(20)

    def deal(self, until: str) -> None:
        for _ in range(40):
            now = self.phase()
            if now == until:
                return
            if now == "acting":
                self.answer("1x")
            else:
                self.do({"dealing": "deal", "revealing": "reveal"}[str(now)])

    def close(self) -> None:
        for visit in self.visits.values():
            assert visit.hosts == {"127.0.0.1"}
            visit.close()


def test_a_live_round_and_its_replay(service: Service, chromium: Browser) -> None:
    evening = Evening(service, chromium)
    evening.open()
    evening.wager()
    evening.deal("settling")
    for _ in PLAYERS:
        evening.do("settle-box")
    evening.dealer.wait_for_function("() => document.querySelectorAll('#paid table').length === 3")
    assert "UTH-S" in evening.dealer.inner_text("#paid")
    evening.do("clear-cards")
    for visit in evening.players.values():
        visit.page.wait_for_selector("#receipt tfoot")
        _refuse_hidden_cards(visit)
    watch = evening.visits["Sam"].page
    watch.click("#rounds button")
    watch.click("text=Cards turned")
    assert "cards-turned" in watch.inner_text("#raw")
    assert watch.locator("#ribbon.is-replay").count() == 1
    evening.close()


def _refuse_hidden_cards(visit: Visit) -> None:
    """Until the reveal a player's frames hold his own cards and what lies face up, no other."""
    looked = 0
    for text in visit.frames:
        view = json.loads(text).get("view")
        if view is None or view["phase"] not in ("dealing", "acting"):
            continue
        looked += 1
        shown = set(view.get("places", {}).get("board", ()))
        own = [set(box["cards"]) for box in view["boxes"] if box.get("cards")]
        open_hands = [hand for hand in own if hand != {"??"}]
        assert len(open_hands) <= 1
        seen = shown.union(*open_hands)
        assert cards_in(text) <= seen
    assert looked


def test_an_irregularity_is_declared_and_upheld(service: Service, chromium: Browser) -> None:
    evening = Evening(service, chromium)
    evening.open()
    evening.wager()
    evening.deal("acting")
    evening.dealer.click("#wrong summary:has-text('wrong number of cards')")
    evening.dealer.click("#wrong details[open] button")
    evening.floor.wait_for_selector("[data-do=confirm]")
    assert "wrong number of cards" in evening.floor.inner_text("#hint")
    for visit in evening.players.values():
        visit.page.wait_for_selector("#hint:has-text('The floorperson is called')")
    evening.floor.click("[data-do=confirm] >> nth=0")
    evening.dealer.wait_for_selector("[data-do=clear-cards]")
    evening.do("clear-cards")
    chips = evening.players["Pia"].page
    chips.wait_for_function("() => document.querySelector('#chips').textContent === '$500'")
    evening.close()


def test_the_service_dies_while_a_player_is_asked(service: Service, chromium: Browser) -> None:
    evening = Evening(service, chromium)
    evening.open()
    evening.wager()
    evening.deal("acting")
    visit = next(visit for visit in evening.players.values() if visit.page.query_selector(ASKED))
    cards = visit.page.get_attribute("#near", "aria-label")
    service.kill()
    visit.page.wait_for_selector("body[data-link=away]")
    service.start()
    visit.page.wait_for_url("**/login?to=*")
    name = next(name for name, known in evening.players.items() if known is visit)
    visit.page.fill("[name=name]", name)
    visit.page.fill("[name=password]", PASSWORD)
    visit.page.click("button.main")
    visit.page.wait_for_selector(ASKED)
    assert visit.page.get_attribute("#near", "aria-label") == cards
    visit.page.click("[data-act=check]")
    visit.page.wait_for_function("() => !document.querySelector('.choice')")
    evening.close()
