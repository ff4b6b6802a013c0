"""Pictures of every page in three sizes, light and dark, for whoever reviews how they look.

``python -m tests.browser.pictures`` writes them under ``build/pictures``; ``practice``, ``record``,
``pit``, ``home``, ``training`` or ``worth`` after it takes those alone.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from croupier.games.registry import the_registry
from croupier.ledger.kept_table import system_clock
from tests.browser.conftest import CHROMIUM, QUIET
from tests.browser.evenings import Evening, link
from tests.browser.rooms import ASKED, MAY_DEAL, Player, PracticeRoom, Visit, entered, log_in
from tests.server.school import HOUR_US, by_shoe, school
from tests.server.service import Service

FOLDER = Path(__file__).parents[2] / "build" / "pictures"
SIZES = ((390, 844), (1280, 800), (844, 390))
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
TABLE = "UTH-1"
PLAYERS = {"Pia": 2, "Paul": 3, "Petra": 5}
TABLES = tuple(f"practice-{book}-1" for book in the_registry().books)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        for part in sys.argv[1:] or PARTS:
            with tempfile.TemporaryDirectory() as folder:
                PARTS[part](browser, Path(folder))
        browser.close()


def take(page: Page, name: str) -> None:
    """Each size by day and by night, and by day what is below the fold too."""
    size = page.viewport_size
    assert size is not None
    for wide, tall in SIZES:
        page.set_viewport_size({"width": wide, "height": tall})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(150)
            page.screenshot(path=FOLDER / f"{name}-{wide}-{scheme}.png")
        page.emulate_media(color_scheme="light")
        if page.evaluate("document.documentElement.scrollHeight > innerHeight + 40"):
            page.screenshot(path=FOLDER / f"{name}-{wide}-whole.png", full_page=True)
    page.set_viewport_size(size)


# The practice room


def _practice(browser: Browser, folder: Path) -> None:
    room = PracticeRoom(folder, "--coach", seed=7).start()
    player = Player(browser, 1440)
    player.page.goto(room.link)
    take(player.page, "practice-start")
    for table in TABLES:
        _table(player, room, table)
    player.page.goto(f"http://127.0.0.1:{room.port}/tables/{TABLES[0]}/rules")
    take(player.page, "rules")
    player.page.goto(f"http://127.0.0.1:{room.port}/practice/{TABLES[0]}/drill")
    player.page.click("[data-street='1']")
    player.page.wait_for_selector("[data-action='2x']", timeout=300_000)
    player.page.click("[data-action='2x']")
    player.page.wait_for_selector(".worths")
    take(player.page, "practice-drill")
    player.close()
    stranger = Visit(browser)
    stranger.page.goto(room.link)
    take(stranger.page, "sorry")
    stranger.close()
    room.stop()


def _table(player: Player, room: PracticeRoom, table: str) -> None:
    page = player.page
    page.goto(f"http://127.0.0.1:{room.port}/practice/{table}")
    page.wait_for_selector("[data-act=first]")
    if page.locator("#how[open]").count():
        take(page, f"{table}-0-welcome")
        page.click("#how-done")
    take(page, f"{table}-1-empty")
    player.choose("pace", "at once")
    player.choose("company", "6")
    page.click("[data-act=first]")
    for key in ("t", "e", "s"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    take(page, f"{table}-2-wagers")
    page.click(MAY_DEAL)
    page.wait_for_selector(".choice i", timeout=300_000)
    take(page, f"{table}-3-asked")
    for number in range(12):
        while page.locator(ASKED).count():
            page.locator(ASKED).nth(number % page.locator(ASKED).count()).click()
            page.wait_for_selector(f"{ASKED}, {MAY_DEAL}")
        if number < 11:
            page.click(MAY_DEAL)
            page.wait_for_selector(ASKED)
    take(page, f"{table}-4-settled")


def _record(browser: Browser, folder: Path) -> None:
    """Two evenings by who chooses the last button, and what is kept and told of them."""
    room = PracticeRoom(folder, "--coach", seed=7).start()
    player = Player(browser)
    page, address = player.page, f"http://127.0.0.1:{room.port}"
    for table in TABLES[:2]:
        player.sit(room, table)
        player.choose("pace", "at once")
        for number in range(6):
            player.round(choice=number % 3)
    page.click("details.care summary")
    page.locator("details.care").scroll_into_view_if_needed()
    take(page, "care-practice")
    page.goto(f"{address}/record")
    page.wait_for_selector("#standing:has-text('Every decision is counted')", timeout=300_000)
    take(page, "record")
    page.click("#mistakes a >> nth=0")
    page.wait_for_selector("#decision-1 .worths", timeout=300_000)
    take(page, "round")
    page.goto(f"{address}/practice/{TABLES[0]}/ask")
    take(page, "ask-1-empty")
    for name in ("Kd", "5c", "Qh", "8s", "2d"):
        page.click(f"#deck [data-card='{name}']")
    page.wait_for_selector("#answer .is-best", timeout=300_000)
    take(page, "ask-2-answer")
    page.goto(f"{address}/nowhere")
    take(page, "nowhere-practice")
    player.close()
    room.stop()


# The pit


def _pit(browser: Browser, folder: Path) -> None:
    with _service(folder) as service:
        first = Visit(browser)
        first.page.goto(service.url)
        take(first.page, "setup")
        evening = Evening(service, browser, TABLE, PLAYERS)
        first.page.goto(f"{service.url}/login")
        take(first.page, "login")
        administrator = entered(service, browser, service.log_in("ada").token)
        administrator.page.goto(service.url, wait_until="networkidle")
        take(administrator.page, "lobby")
        for place in ("offices", "account", "nowhere"):
            administrator.page.goto(f"{service.url}/{place}", wait_until="networkidle")
            take(administrator.page, place)
        take(evening.dealer, "dealer-1-opening")
        player = evening.players["Paul"].page
        take(player, "player-1-seats")
        administrator.close()
        _evening(evening, first, service)


def _evening(evening: Evening, visitor: Visit, service: Service) -> None:
    public = visitor.page
    player, watch = evening.players["Paul"].page, evening.visits["Sam"].page
    evening.open()
    evening.wager()
    evening.play_on("acting")
    take(evening.dealer, "dealer-2-decisions")
    take(player, "player-2-waiting")
    evening.play_on("clearing")
    evening.dealer.wait_for_selector("#paid table")
    take(evening.dealer, "dealer-3-settled")
    take(player, "player-3-settled")
    player.click("#receipt .why >> nth=0")
    player.wait_for_selector(".why-words h3, .why-words p:not(.fine)")
    take(player, "player-4-why")
    player.keyboard.press("Escape")
    take(watch, "surveillance-1-live")
    public.goto(f"{service.url}/sign/{TABLE}")
    public.wait_for_selector("#meters b")
    take(public, "sign")
    evening.do("clear-cards")
    watch.click("#rounds button")
    watch.click("text=Cards turned")
    take(watch, "surveillance-2-replay")
    watch.goto(f"{service.url}/recordings")
    watch.click("#find button")
    watch.wait_for_selector("#found td")
    take(watch, "recordings")
    player.locator("#limits").scroll_into_view_if_needed()
    take(player, "care-live")
    log_in(visitor, service, service.log_in("Paul").token)
    public.goto(f"{service.url}/tables/{TABLE}/spent")
    take(public, "spent")
    evening.wager()
    evening.play_on("acting")
    player.fill("#dispute [name=reason]", "I said raise, not check")
    player.click("#dispute button")
    player.wait_for_selector("#disputes li")
    evening.floor.click(".case summary")
    evening.floor.wait_for_selector(".case td")
    take(evening.floor, "floorperson-dispute")
    take(player, "player-5-dispute")
    evening.dealer.click("[data-irregularity=wrong-number-dealt] summary")
    take(evening.dealer, "dealer-4-irregularity")
    evening.dealer.click("[data-declare=wrong-number-dealt]")
    evening.floor.wait_for_selector("[data-do=confirm]")
    take(evening.floor, "floorperson-table")
    evening.floor.goto(f"{service.url}/floor")
    evening.floor.wait_for_selector(".tile.waits")
    take(evening.floor, "floorperson-floor")
    evening.close()


def _home(browser: Browser, folder: Path) -> None:
    service = Service(folder, "", "--home", host="127.0.0.1", decision_seconds=3600)
    with service.running():
        guests = {name: Visit(browser, 390) for name in ("Pia", "Paul")}
        for name, visit in guests.items():
            visit.page.goto(link(service, "join"))
            visit.page.wait_for_selector("#join:not([hidden])")
            take(visit.page, "join")
            visit.page.fill("[name=name]", name)
            visit.page.click("#join button")
            visit.page.wait_for_selector(".table-card")
            take(visit.page, "home-lobby")
            visit.page.click(f".table-card a[href='/tables/{TABLE}']")
            visit.page.click("[data-act^=sit-] >> nth=0")
            visit.page.wait_for_selector("[data-act=ask]")
            take(visit.page, "home-1-seated")
            visit.page.click("[data-act=ask]")
            visit.page.click("[data-act=first]")
            visit.page.wait_for_selector("[data-act=ready]")
            take(visit.page, "home-2-wagered")
        for visit in guests.values():
            visit.page.click("[data-act=ready]")
        pia = guests["Pia"].page
        pia.wait_for_selector(ASKED)
        take(pia, "home-3-asked")
        host = Visit(browser)
        host.page.goto(link(service, "host"))
        host.page.wait_for_selector("#guests tr")
        take(host.page, "host")
        for visit in (host, *guests.values()):
            visit.close()


def _training(browser: Browser, folder: Path) -> None:
    """One table whose deck has been in use since this morning, and one that is opened now."""
    with school(folder, by_shoe("UTH-14"), system_clock() - 9 * HOUR_US) as table:
        table.play(3)
    with _service(folder) as service:
        sent = {"submission": by_shoe("UTH-S"), "training": True}
        service.set_up().post("/api/tables", sent)
        evening = Evening(service, browser, "UTH-1-training", {"Pia": 2})
        _opened(evening)
        evening.wager()
        evening.play_on("revealing")
        evening.dealer.click("#more summary")
        take(evening.dealer, "training-4-count")
        evening.dealer.fill("#more [name=stub]", "42")
        evening.dealer.fill("#more [name=on_table]", "9")
        evening.dealer.click("#more form button")
        evening.floor.wait_for_selector("[data-do=confirm]")
        take(evening.floor, "training-5-floor")
        for page in (evening.dealer, evening.floor):
            page.goto(f"{service.url}/tables/UTH-2-training")
            page.wait_for_selector("#decks .is-overdue")
        take(evening.dealer, "training-6-overdue")
        take(evening.floor, "training-7-overdue-floor")
        evening.floor.goto(f"{service.url}/floor")
        evening.floor.wait_for_selector(".tile.waits")
        take(evening.floor, "training-8-floor")


def _opened(evening: Evening) -> None:
    evening.dealer.wait_for_selector("#opening .is-next")
    take(evening.dealer, "training-1-opening")
    evening.do("receive-deck")
    evening.do("inspect-deck")
    evening.floor.wait_for_selector("[data-do=verify-inspection]")
    take(evening.floor, "training-2-verify")
    evening.do("verify-inspection", "Flo")
    evening.do("spread-deck")
    evening.players["Pia"].page.click("[data-act=sit-2]")
    evening.dealer.click("#buy button")
    for duty in ("wash-deck", "stack-deck", "shuffle"):
        evening.dealer.wait_for_selector(f"#next [data-do={duty}]")
        evening.do(duty)
    evening.dealer.wait_for_selector("form[data-do=cut]")
    take(evening.dealer, "training-3-cut")
    evening.dealer.click("form[data-do=cut] button")


def _worth(browser: Browser, folder: Path) -> None:
    with _service(folder) as service:
        manager = entered(service, browser, service.set_up().hire("Mona", "manager").token)
        manager.page.goto(f"{service.url}/analysis")
        manager.page.click("#count")
        manager.page.wait_for_selector("#spread svg", timeout=580_000)
        take(manager.page, "analysis-1-one")
        manager.page.click("#compare")
        manager.page.select_option("[data-side=b] [name='table blind']", index=1)
        manager.page.click("[data-side=b] [data-wager=trips] summary")
        manager.page.fill("[data-side=b] [data-wager=trips] [data-line='3'] .pays", "25 to 1")
        manager.page.click("#count")
        done = manager.page.locator("#standing", has_text="Counted in")
        done.wait_for(timeout=580_000)
        take(manager.page, "analysis-2-two")
        manager.close()


@contextmanager
def _service(folder: Path) -> Iterator[Service]:
    service = Service(folder, decision_seconds=3600).start()
    yield service
    service.stop()


PARTS = {
    "practice": _practice,
    "record": _record,
    "pit": _pit,
    "home": _home,
    "training": _training,
    "worth": _worth,
}


if __name__ == "__main__":
    main()
