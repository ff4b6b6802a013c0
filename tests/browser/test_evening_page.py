"""*An evening with people*, of docs/playing.md, followed to the letter in fresh browsers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from croupier.ledger.shoe.key_ring import create_ring
from tests.browser.evenings import DESK, PHONE, Evening, Visits
from tests.browser.rooms import Visit
from tests.ledger.stores import Server
from tests.server.service import PASSWORD, Service

PAGE = Path(__file__).parents[2] / "docs" / "playing.md"
SIX = {"Pia": 1, "Paul": 2, "Petra": 3, "Pablo": 4, "Penny": 5, "Piet": 6}
TWO = {"Pia": 1, "Paul": 2}
LEDGER = "evening.db"


class ByTheirPages(Visits):
    """Nobody is let in but by the pages: the first by the code, the others by the administrator."""

    def _begin(self) -> None:
        office = self["ada"] = Visit(self._chromium)
        page = office.page
        page.goto(self._service.url)
        codes = re.findall(r"Your setup code: (\S+)", self._service.said())
        for field, said in {"code": codes[-1], "name": "ada", "password": PASSWORD}.items():
            page.fill(f"[name={field}]", said)
        page.click("button.main")
        page.click("text=People, tables and links")

    def enter(self, name: str, role: str) -> Visit:
        office = self["ada"].page
        office.fill("#hire [name=name]", name)
        office.fill("#hire [name=password]", PASSWORD)
        office.select_option("#hire [name=role]", role)
        office.click("#hire button")
        office.wait_for_selector(f"#people tr:has-text('{name}')")
        visit = self[name] = Visit(self._chromium, PHONE if role == "player" else DESK)
        page = visit.page
        page.goto(self._service.url)
        page.fill("[name=name]", name)
        page.fill("[name=password]", PASSWORD)
        page.click("button.main")
        page.click(".table-card a[href='/tables/UTH-1']")
        return visit


@pytest.mark.parametrize(
    ("store", "players"),
    [
        ("sqlite", TWO),
        pytest.param("sqlite", SIX, marks=pytest.mark.prove),
        pytest.param("postgresql", TWO, marks=pytest.mark.prove),
    ],
    ids=["two", "six", "two-postgresql"],
)
def test_an_evening_with_people(
    tmp_path: Path,
    chromium: Browser,
    store: str,
    players: dict[str, int],
    request: pytest.FixtureRequest,
) -> None:
    place = [str(tmp_path / LEDGER)]
    if store == "postgresql":
        server: Server = request.getfixturevalue("server")
        create_ring(tmp_path / "keys")
        place = [server.empty_database(), "--keys", str(tmp_path / "keys")]
    with Service(tmp_path, *place, decision_seconds=0).running() as service:
        evening = Evening(service, chromium, "UTH-1", players, ByTheirPages)
        evening.do("open-table")
        for name, box in players.items():
            _buys(evening, name, box)
        evening.wager()
        evening.play_on("clearing")
        evening.do("clear-cards")
        for visit in evening.players.values():
            visit.page.wait_for_selector("#receipt tfoot")
        evening.floor.goto(f"{service.url}/floor")
        evening.floor.wait_for_selector(".tile")
        watch = evening.visits["Sam"].page
        watch.click("#rounds button")
        watch.wait_for_selector("#ribbon.is-replay")
        public = Visit(chromium)
        public.page.goto(f"{service.url}/sign/UTH-1")
        public.page.wait_for_selector("#meters b")
        public.close()
        for visit in evening.players.values():
            visit.page.click("#cash")
            visit.page.wait_for_selector("#purse-words:has-text('You leave with a voucher for')")
        evening.close()
    for command in _at_the_end():
        told = [sys.executable, "-m", *(place[0] if one == LEDGER else one for one in command)]
        said = subprocess.run(told, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert said.returncode == 0, said


def _buys(evening: Evening, name: str, box: int) -> None:
    """A player asks, the dealer sells, and the player says that the chips are there."""
    page, dealer = evening.visits[name].page, evening.dealer
    page.click(f"[data-act=sit-{box}]")
    page.fill("#ask [name=dollars]", "300")
    page.click("#ask button")
    dealer.click(f"[data-do=buy-in]:has-text('Sell box {box} $300 for cash')")
    page.click("#have")
    page.wait_for_selector("#have", state="hidden")


def _at_the_end() -> list[list[str]]:
    """The commands that the page ends with."""
    text = PAGE.read_text(encoding="utf-8").partition("## An evening with people")[2]
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    commands = [line.split() for block in blocks for line in block.splitlines()]
    assert commands
    return commands
