"""Everybody at a live table, each in a browser context of his own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import count
from typing import Any

from playwright.sync_api import Browser, Page

from croupier.submission.check import shipped_text
from tests.browser.rooms import ASKED, Visit, cards_in, entered, wait_until
from tests.server.service import Service

STAFF = {"Dora": "dealer", "Flo": "floorperson", "Max": "manager", "Sam": "surveillance"}
DESK, PHONE = 1280, 360
DEALERS_ORDER = ("deal", "reveal", "settle-box")
NUMBERS = count(101)


def laid(service: Service, book: str, submission: str = "") -> str:
    """A table that nobody has sat at, by its name; who shares a pit asks for one."""
    name = f"{book}-{next(NUMBERS)}"
    sent = {"submission": submission or shipped_text(book), "name": name}
    told = service.set_up().post("/api/tables", sent)
    assert told["name"] == name
    if "act" in told:
        service.confirm(told)
    return name


def link(service: Service, whose: str) -> str:
    """The link for guests (``join``) or for the host, as an evening at home shows it."""
    found = re.search(rf"http://\S+/{whose}/\S+", service.said())
    assert found is not None, service.said()
    return found[0]


class Visits(dict[str, Visit]):
    """Who is at the table in a browser of his own; who works here comes when he is called."""

    def __init__(self, service: Service, chromium: Browser, url: str) -> None:
        super().__init__()
        self._service, self._chromium, self._url = service, chromium, url
        self._begin()

    def _begin(self) -> None:
        self._administrator = self._service.set_up()

    def enter(self, name: str, role: str) -> Visit:
        token = self._administrator.hire(name, role).token
        wide = PHONE if role == "player" else DESK
        visit = self[name] = entered(self._service, self._chromium, token, wide)
        visit.page.goto(self._url, wait_until="commit")
        return visit

    def __missing__(self, name: str) -> Visit:
        visit = self.enter(name, STAFF[name])
        wait_until(visit.page, lambda: bool(visit.frames), f"{name} sees the table")
        return visit


class Evening:
    """``players`` by name, each with his box; the dealer is always there."""

    def __init__(
        self,
        service: Service,
        chromium: Browser,
        table: str,
        players: Mapping[str, int],
        visits: type[Visits] = Visits,
    ) -> None:
        self.boxes = dict(players)
        self.url = f"{service.url}/tables/{table}"
        self.visits = visits(service, chromium, self.url)
        self.visits.enter("Dora", STAFF["Dora"])
        self.players = {name: self.visits.enter(name, "player") for name in players}

    @property
    def dealer(self) -> Page:
        return self.visits["Dora"].page

    @property
    def floor(self) -> Page:
        return self.visits["Flo"].page

    def open(self) -> None:
        self.do("open-table")
        for name, box in self.boxes.items():
            self.visits[name].page.click(f"[data-act=sit-{box}]")
            self.dealer.wait_for_selector(f"#buy option[value='{box}']", state="attached")
            self.dealer.select_option("#buy [name=box]", str(box))
            self.dealer.click("#buy button")
            self.visits[name].page.wait_for_selector(".spot.is-open")

    def wager(self, *wagers: str) -> None:
        """Everybody puts the least on these, and the dealer closes the betting."""
        for visit in self.players.values():
            for wager in wagers or ("Ante",):
                visit.page.click(f"[aria-label^='{wager}: nothing']")
                visit.page.wait_for_selector(f"[aria-label^='{wager}: $']")
        count = len(self.players)
        last = (wagers or ("Ante",))[-1]
        self.dealer.wait_for_function(
            "([count, last]) => [...document.querySelectorAll('#boxes tbody tr')]"
            ".filter(row => row.textContent.includes(`${last} $`)).length === count",
            arg=[count, last],
        )
        self.do("no-more-bets")

    def do(self, duty: str, who: str = "Dora") -> None:
        """Somebody who works here does this and attests what there is to attest, and the dealer's
        console has moved on."""
        page, before = self.visits[who].page, self.version()
        asked = page.locator(f"#next [data-do={duty}]").first
        asked.wait_for()
        for attested in asked.locator("input[type=checkbox]").all():
            attested.check()
        (asked.locator("button") if asked.locator("button").count() else asked).click()
        self.wait_beyond(before)

    def frame(self, name: str = "Dora") -> dict[str, Any]:
        """The last frame with a whole view; before there is one, an empty table."""
        for text in reversed(self.visits[name].frames):
            told: dict[str, Any] = json.loads(text)
            if "view" in told:
                return told
        return {"version": 0, "view": {"phase": ""}}

    def view(self, name: str = "Dora") -> dict[str, Any]:
        told: dict[str, Any] = self.frame(name)["view"]
        return told

    def version(self) -> int:
        return int(self.frame()["version"])

    def asked(self) -> Visit:
        turn = self.view()["turn"]
        return self.visits[next(name for name, box in self.boxes.items() if box == turn)]

    def answer(self, choice: str) -> None:
        """Whoever is asked chooses this where he can, and else checks."""
        page, before = self.asked().page, self.version()
        page.wait_for_selector(ASKED)
        chosen = page.locator(f"[data-act='{choice}']")
        (chosen if chosen.count() else page.locator("[data-act=check]")).click()
        self.wait_beyond(before)

    def wait_beyond(self, version: int) -> None:
        wait_until(self.dealer, lambda: self.version() > version, "the console moves on")

    def play_on(self, until: str, choice: str = "1x") -> None:
        """Dealt, answered and settled until this phase begins."""
        while self.view()["phase"] != until:
            if self.view()["phase"] == "acting":
                self.answer(choice)
                continue
            # What the floor did a moment ago may not have reached the console yet.
            wait_until(self.dealer, lambda: bool(self._duties()), "the dealer has something to do")
            self.do(self._duties()[0])

    def _duties(self) -> list[str]:
        offered = [option["do"] for option in self.view().get("may", ())]
        return [duty for duty in DEALERS_ORDER if duty in offered]

    def settle_on(self) -> None:
        """Box after box, until the round is settled or a Progressive win waits."""
        while "settle-box" in [option["do"] for option in self.view().get("may", ())]:
            self.do("settle-box")

    def close(self) -> None:
        for visit in self.visits.values():
            assert visit.hosts == {"127.0.0.1"}, visit.hosts
            assert not visit.complaints, visit.complaints
            visit.close()


def refuse_hidden_cards(visit: Visit) -> int:
    """Until the reveal a player's frames hold his own cards and what lies face up, no other."""
    looked = 0
    for text in visit.frames:
        view = json.loads(text).get("view")
        if view is None or view["phase"] not in ("dealing", "acting"):
            continue
        looked += 1
        hands = [set(box["cards"]) for box in view["boxes"] if box.get("cards")]
        open_hands = [hand for hand in hands if hand != {"??"}]
        assert len(open_hands) <= 1
        places = view.get("places", {})
        up = {card for card in places.get("dealer", ()) if card != "??"}
        assert len(up) <= (0 if "board" in places else 1)
        seen = up.union(places.get("board", ()), *open_hands)
        assert cards_in(text) <= seen
    assert looked
    return looked
