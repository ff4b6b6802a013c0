"""The desks of those who work here: what they are told, and that their pages stay light."""

from __future__ import annotations

import gzip
import re
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser

from croupier.documents.help_line import HELP
from croupier.submission.check import shipped_text
from tests.browser.evenings import Evening, laid
from tests.browser.rooms import MOST_BYTES, Player, PracticeRoom, Visit, entered
from tests.server.service import Service

BY_HAND = [
    *["Deal 1 card to each of boxes 2 and 3", "Deal 1 card to the dealer"] * 2,
    *("Burn a card", "Deal the flop: 3 cards of the board"),
    *("Burn a card", "Deal the river: 2 cards of the board"),
    "Turn the dealer's cards",
]
BY_SHUFFLER = [
    "Deal 4 cards to the Six Card box",
    "Deal 5 cards to the board",
    "Deal 2 cards to the dealer",
    "Deal 2 cards to box 2",
    "Turn the flop: 3 cards of the board",
    "Turn the river: 2 cards of the board",
    "Turn the dealer's cards",
]


def _by_hand(*, six_card: bool = False) -> str:
    """A table of paper cards as it may be filed, or with a wager that its way cannot serve."""
    text = shipped_text("UTH-14").replace('method = "shuffler"', 'method = "hand"')
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if six_card or not line.startswith("six_card_bonus"))


def _install(visit: Visit, submission: str, name: str = "") -> None:
    visit.page.fill("#install [name=submission]", submission)
    visit.page.fill("#install [name=name]", name)
    visit.page.click("#install button")


def _labels(evening: Evening) -> list[str]:
    """What the dealer's first button says at each step until the cards are turned."""
    said: list[str] = []
    while True:
        if evening.view()["phase"] == "acting":
            evening.answer("1x")
            continue
        button = evening.dealer.locator("#next .duty.main b")
        said.append(button.first.inner_text())
        duty = evening.dealer.locator("#next .duty.main").first.get_attribute("data-do")
        if duty == "reveal":
            return said
        evening.do(str(duty))


def test_tables_are_installed_and_the_lobby_stays_light(
    service: Service, chromium: Browser
) -> None:
    """A refused submission says why on the page; seven tables weigh less than a page may."""
    ada = entered(service, chromium, service.set_up().token)
    ada.page.goto(f"{service.url}/offices", wait_until="networkidle")
    mine = ada.page.locator("#people tr", has_text="ada")
    assert mine.locator("button").count() == 0
    _install(ada, _by_hand(six_card=True))
    ada.page.wait_for_selector("#no:has-text('brings no cards for it')")
    _install(ada, _by_hand(), "HAND-1")
    ada.page.wait_for_selector("#tables a:has-text('HAND-1')")
    assert ada.page.inner_text("#no") == ""
    _install(ada, shipped_text("UTH-14"))
    ada.page.wait_for_selector("#tables a:has-text('UTH-2')")
    ada.page.click("main a:has-text('Back to the pit')")
    ada.page.wait_for_url(f"{service.url}/")
    ada.bytes = 0
    ada.page.goto(service.url, wait_until="networkidle")
    assert ada.page.locator(".table-card img").count() == 7
    drawn = "[...document.images].every((image) => image.complete && image.naturalWidth)"
    assert ada.page.evaluate(drawn)
    assert 0 < ada.bytes < MOST_BYTES / 2
    assert [said for said in ada.complaints if "400" not in said] == []
    ada.close()


def test_the_practice_room_is_light(room: PracticeRoom, chromium: Browser) -> None:
    player = Player(chromium)
    player.enter(room)
    for path in ("/practice", "/practice/practice-UTH-S-1", "/tables/practice-UTH-S-1/rules"):
        player.bytes = 0
        player.page.goto(f"http://127.0.0.1:{room.port}{path}", wait_until="networkidle")
        assert 0 < player.bytes < MOST_BYTES, path
    player.close()


def test_what_is_packed_is_the_same(pit: Service) -> None:
    """Whoever takes no gzip gets the plain file; whoever has it already gets nothing."""
    for path in ("/static/table/table.js", "/tables/UTH-1/small.svg"):
        plain = urlopen(pit.url + path, timeout=20).read()
        packed = urlopen(_asking(pit, path, "br, gzip"), timeout=20)
        assert packed.headers["Content-Encoding"] == "gzip"
        assert packed.headers["Vary"] == "Accept-Encoding"
        assert gzip.decompress(packed.read()) == plain
        refused = urlopen(_asking(pit, path, "gzip;q=0, br"), timeout=20)
        assert refused.headers["Content-Encoding"] is None
        again = _asking(pit, path, "gzip", packed.headers["ETag"])
        with pytest.raises(OSError, match="304"):
            urlopen(again, timeout=20)


def _asking(service: Service, path: str, takes: str, has: str = "") -> Request:
    return Request(service.url + path, headers={"Accept-Encoding": takes, "If-None-Match": has})


@pytest.mark.prove
def test_a_dealer_deals_by_hand(pit: Service, chromium: Browser) -> None:
    """From the console alone; what a sealed shoe is spared stands there before it opens."""
    evening = Evening(pit, chromium, laid(pit, "HAND", _by_hand()), {"Pia": 2, "Paul": 3})
    evening.dealer.wait_for_selector("#checklist:has-text('ruling 38')")
    spared = evening.dealer.inner_text("#checklist")
    assert "Count the stub every 5 rounds" in spared
    assert "Change the deck every" in spared
    evening.do("open-table")
    evening.dealer.wait_for_selector("#checklist", state="hidden")
    _sat_down_without_chips(evening)
    evening.wager()
    assert _labels(evening) == BY_HAND
    evening.close()


def _sat_down_without_chips(evening: Evening) -> None:
    for name, box in evening.boxes.items():
        evening.players[name].page.click(f"[data-act=sit-{box}]")
    hint = evening.dealer.locator("#hint")
    hint.filter(has_text="Boxes 2 and 3 have no chips: sell chips").wait_for()
    for box, gone in ((2, "Boxes 2"), (3, "no chips")):
        evening.dealer.select_option("#buy [name=box]", str(box))
        evening.dealer.click("#buy button")
        hint.filter(has_not_text=gone).wait_for()


def test_who_waits_comes_first_and_every_step_is_told(pit: Service, chromium: Browser) -> None:
    table = laid(pit, "UTH-S")
    evening = Evening(pit, chromium, table, {"Pia": 2})
    evening.open()
    evening.wager()
    assert _labels(evening) == BY_SHUFFLER
    evening.floor.goto(f"{pit.url}/floor")
    evening.floor.wait_for_selector(".tile >> nth=2")
    assert table not in evening.floor.locator(".tile").first.inner_text()
    _floor_called(evening, table)
    evening.dealer.click("[data-irregularity=wrong-number-dealt] summary")
    evening.dealer.click("[data-declare=wrong-number-dealt]")
    first = evening.floor.locator(".tile").first
    first.filter(has_text=table).locator("[data-do=confirm] >> nth=1").click()
    evening.floor.wait_for_selector(".tile.waits", state="detached")
    assert table not in first.inner_text()
    evening.play_on("clearing")
    evening.do("clear-cards")
    watch = evening.visits["Sam"].page
    watch.click("#rounds button")
    told = watch.locator("#steps")
    told.filter(has_text="Box 2: Ante $10.").wait_for()
    assert "Turned up on the board: " in told.inner_text()
    assert "Pia · wager placed · UTH-S 7.A" in told.inner_text()
    evening.close()


def _floor_called(evening: Evening, table: str) -> None:
    """The house reads since when and why; the player, that somebody is called."""
    said = re.compile(r"^Floor called, \d\d:\d\d: a question$")
    evening.dealer.fill("#floor input", "a question")
    evening.dealer.click("#floor button")
    for page in (evening.dealer, evening.visits["Sam"].page):
        page.locator(".called").filter(has_text=said).wait_for()
    player = evening.players["Pia"]
    player.page.wait_for_selector("#call:has-text('The floorperson is called')")
    assert not any("a question" in text for text in player.frames)
    first = evening.floor.locator(".tile").first.filter(has_text=table)
    first.locator(".called").filter(has_text=said).wait_for()
    first.locator("[data-do=answer-call]").click()
    evening.floor.wait_for_selector(".tile.waits", state="detached")
    evening.dealer.wait_for_selector("#floor form")


def test_a_sign_shows_everything_at_once(pit: Service, chromium: Browser) -> None:
    visit = Visit(chromium)
    visit.page.set_viewport_size({"width": 1280, "height": 800})
    for table in ("UTH-1", "FCP-1", "TC-1"):
        visit.page.goto(f"{pit.url}/sign/{table}")
        visit.page.wait_for_selector("#call:not(:empty)")
        for part in visit.page.locator(f".limits-sign, .slips table, p:text-is('{HELP}')").all():
            assert part.evaluate("(part) => part.getBoundingClientRect().bottom") <= 800
        assert visit.page.get_by_text(HELP).count() == 1
    visit.close()
