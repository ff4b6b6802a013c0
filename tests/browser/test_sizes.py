"""Every page of a player's evening in three sizes, with the finger where there is no mouse: a round
is played, found again, asked about and drilled; nothing is cut off, too small or hard to read."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route

from croupier.server.access.people import MOST_NAME
from tests.browser.evenings import laid, link
from tests.browser.rooms import (
    ASKED,
    LATE_NEWS,
    MAY_DEAL,
    Player,
    PracticeRoom,
    Visit,
    log_in,
    serious,
    wait_until,
)
from tests.server.service import Service

TABLE = "practice-TCP-1-1"
SIZES = [
    (390, 844),
    *(pytest.param(size, marks=pytest.mark.prove) for size in ((1280, 800), (844, 390))),
]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Words of one line that end before their last letter: what a phone has no room for is not told.
CUT_OFF = """() => [...document.querySelectorAll("main *, header *")].filter((one) => {
  const { overflowX, textOverflow } = getComputedStyle(one);
  return textOverflow === "ellipsis" && overflowX === "hidden" && one.scrollWidth > one.clientWidth;
}).map((one) => one.textContent.trim())"""


# The browser notes the status of what a page refuses on purpose.
REFUSALS = re.compile(r"status of (400|404|422)")
# A phone upright whose browser shows its own bars: the least height that a round is read on.
LEAST_PHONE = (390, 664)
# Playwright scrolls to what it presses; a player has the page before him from its top.
HIDDEN_CARDS = """() => {
  scrollTo({ top: 0, behavior: "instant" });
  return [...document.querySelectorAll("#near .card")].filter((card) => {
    const { left, right, bottom } = card.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, bottom - 1);
    return !document.getElementById("stage").contains(over);
  }).length;
}"""

LATE_S = 0.5
BESIDE, LEAST_CARD_PX = ("six_card_box", "dealer"), 28
SMALLEST_CARD = """() => Math.min(...[...document.querySelectorAll("#near .card, #far .card")]
  .map((card) => card.getBoundingClientRect().width))"""


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    wide, tall = request.param
    return wide, tall


@pytest.fixture
def player(chromium: Browser, size: tuple[int, int]) -> Iterator[Player]:
    player = Player(chromium, size[0], tall=size[1])
    yield player
    assert player.complaints == []
    player.close()


def look(player: Visit) -> None:
    """By day and by night."""
    page = player.page
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(CUT_OFF) == []
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert (page.url, theme, serious(player)) == (page.url, theme, [])


def test_an_evening_by_touch(room: PracticeRoom, player: Player) -> None:
    player.sit(room, TABLE)
    player.choose("pace", "at once")
    page = player.page
    player.press("[data-act=first]")
    player.press(MAY_DEAL)
    page.wait_for_selector(ASKED)
    look(player)
    player.press(f"{ASKED} >> nth=0")
    page.wait_for_selector("#receipt tfoot")
    page.wait_for_selector(MAY_DEAL)
    look(player)
    assert player.jumps(late_answers=True) == []
    player.press("#evening summary >> nth=0")
    player.press("#evening a[href^='/record/']")
    page.wait_for_selector("#decision-1 .worths", timeout=120_000)
    look(player)
    player.press("#decision-1 a:has-text('Ask about this hand')")
    page.wait_for_selector("#answer .is-best", timeout=120_000)
    look(player)
    player.press(".onward")
    page.wait_for_selector("[data-act]")
    for place, ready in (
        ("record", "#latest a"),
        (f"practice/{TABLE}/drill", "#buttons button"),
        ("practice", ".table-card"),
        (f"tables/{TABLE}/rules", "h1"),
    ):
        page.goto(f"http://127.0.0.1:{room.port}/{place}")
        page.wait_for_selector(ready, timeout=120_000)
        look(player)


def test_a_late_answer_moves_nothing_that_is_read(room: PracticeRoom, chromium: Browser) -> None:
    """A choice is answered, and the coach speaks, while the player reads the receipt below."""
    player = Player(chromium, 390, tall=844)
    page = player.page
    page.add_init_script(LATE_NEWS)
    player.sit(room, TABLE)
    player.choose("pace", "at once")
    player.choose("coach", "after")
    player.press("[data-act=first]")
    player.press(MAY_DEAL)
    page.wait_for_selector(ASKED)
    page.evaluate("window.late = 1000; scrollTo(0, 500)")
    page.dispatch_event(f"{ASKED} >> nth=0", "click")
    page.wait_for_selector("#receipt tfoot")
    page.wait_for_selector("#advice .worths", timeout=120_000)
    page.wait_for_selector(MAY_DEAL)
    assert player.jumps(late_answers=True) == []
    page.evaluate("window.late = 0")
    player.choose("coach", "off")
    assert player.complaints == []
    player.close()


@pytest.mark.parametrize("path", ["record", f"practice/{TABLE}/ask", f"practice/{TABLE}"])
def test_a_page_whose_scripts_come_late_stays_where_it_is(
    room: PracticeRoom, chromium: Browser, path: str
) -> None:
    player = Player(chromium, 390, tall=844)
    player.sit(room, TABLE)
    player.round()
    page, address = player.page, f"http://127.0.0.1:{room.port}"

    def is_counted() -> bool:
        uncounted: int = page.request.get(f"{address}/record/summary").json()["uncounted"]
        return uncounted == 0

    def late(route: Route) -> None:
        time.sleep(LATE_S)
        route.continue_()

    wait_until(page, is_counted, "every decision is counted")
    page.route("**/static/pages/*.js", late)
    page.goto(f"{address}/{path}")
    page.wait_for_selector("#files-panel, #deck button, [data-act]")
    assert player.jumps() == []
    player.close()


def test_a_page_opens_with_the_coach_where_he_will_stand(
    new_room: PracticeRoom, chromium: Browser
) -> None:
    player = Player(chromium)
    player.sit(new_room, TABLE)
    player.choose("coach", "before")
    player.page.reload()
    player.page.wait_for_selector("[data-act]")
    player.page.wait_for_selector("#advice p")
    assert player.page.is_visible("#coach-panel")
    assert player.jumps() == []
    player.close()


@pytest.mark.parametrize("table", ["practice-UTH-S-1", "practice-FCP-14-1"])
def test_the_guide_leaves_your_cards_in_sight(
    new_room: PracticeRoom, chromium: Browser, table: str
) -> None:
    player = Player(chromium, LEAST_PHONE[0], tall=LEAST_PHONE[1])
    player.sit(new_room, table)
    page = player.page
    page.wait_for_selector("#guide:has-text('Step 1')")
    player.choose("pace", "at once")
    player.press("[data-act=first]")
    player.press(MAY_DEAL)
    page.wait_for_selector(ASKED)
    assert page.is_visible("#guide:has-text('Step 3')")
    assert page.locator("#near .card").count() > 0
    assert page.evaluate(HIDDEN_CARDS) == 0
    look(player)
    player.press(f"{ASKED} >> nth=0")
    page.wait_for_selector("#guide:has-text('Step 4')")
    assert page.locator("#near .card").count() > 0
    assert page.evaluate(HIDDEN_CARDS) == 0
    assert player.complaints == []
    player.close()


@pytest.mark.parametrize("tall", [LEAST_PHONE[1], pytest.param(844, marks=pytest.mark.prove)])
@pytest.mark.parametrize(
    ("table", "first"), [("practice-UTH-S-1", "Trips"), ("practice-FCP-14-1", "Aces Up")]
)
def test_the_six_card_box_and_the_coach_leave_your_cards_in_sight(
    new_room: PracticeRoom, chromium: Browser, table: str, first: str, tall: int
) -> None:
    """Each of them takes room, and the guide some more; the cards stay whole, and large enough."""
    player = Player(chromium, LEAST_PHONE[0], tall=tall)
    player.sit(new_room, table)
    page = player.page
    player.choose("pace", "at once")
    player.choose("coach", "before")
    player.press("[data-act=first]")
    page.wait_for_selector("[data-act=undo]")
    for wager in (first, "Six Card Bonus"):
        page.click(f"#near .spot[aria-label^='{wager}']")
        page.wait_for_selector(f"#near .spot[aria-label^='{wager}: $']")
    player.press(MAY_DEAL)
    page.wait_for_selector(f"{ASKED} i")
    six, dealer = (page.locator(f".place-{place}").bounding_box() for place in BESIDE)
    assert six is not None
    assert dealer is not None
    assert abs(six["y"] - dealer["y"]) < 6, "the Six Card box stands beside the dealer"
    for guided in (True, False):
        assert page.is_visible("#guide") is guided
        assert page.locator("#near .card").count() > 0
        assert page.evaluate(HIDDEN_CARDS) == 0
        assert page.evaluate(SMALLEST_CARD) > LEAST_CARD_PX
        look(player)
        if guided:
            player.press("#guide button:has-text('No guide')")
            page.wait_for_selector("#guide", state="hidden")
    assert player.complaints == []
    player.close()


def test_the_pages_of_a_pit(pit: Service, chromium: Browser, size: tuple[int, int]) -> None:
    """To who works there, and to a player who takes a box by touch."""
    administrator, table = pit.set_up(), laid(pit, "UTH-S")
    staff = {"Dot": "dealer", "Fay": "floorperson", "Sue": "surveillance", "Pat": "player"}
    people = {name: administrator.hire(name, role) for name, role in staff.items()}
    people["Dot"].done(table, "open-table")
    visit = Visit(chromium, size[0], tall=size[1])
    page, at = visit.page, f"/tables/{table}"
    page.goto(f"{pit.url}/login")
    look(visit)
    for name, path, ready in (
        ("Pat", "/", ".table-card"),
        ("Pat", "/account", "#password"),
        ("Pat", "/nowhere", "h1"),
        ("Pat", f"{at}/spent", "#print"),
        ("Dot", at, "#next"),
        ("Fay", at, "#next"),
        ("Fay", "/floor", ".tile"),
        ("Sue", at, "#ribbon"),
        ("Sue", "/recordings", "#find"),
        ("Pat", at, "[data-act=sit-2]"),
    ):
        log_in(visit, pit, people[name].token)
        page.goto(pit.url + path)
        page.wait_for_selector(ready)
        look(visit)
    visit.press("[data-act=sit-2]")
    visit.press("[data-act=ask]")
    page.wait_for_selector("#hint:has-text('You asked for')")
    look(visit)
    assert [said for said in visit.complaints if "404" not in said] == []
    visit.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("home")
    with Service(folder, "", "--home", host="127.0.0.1", decision_seconds=0).running() as service:
        yield service


def test_the_pages_of_an_evening_at_home(
    home: Service, chromium: Browser, size: tuple[int, int]
) -> None:
    """To a guest with the longest name there may be, to the host, and to the guest who comes back
    on another device, by a link that is good once."""
    name = f"{size[0]}".ljust(MOST_NAME, "W")
    guest, host, back = (Visit(chromium, size[0], tall=size[1]) for _ in range(3))
    guest.page.goto(link(home, "join"))
    guest.page.wait_for_selector("#join button")
    look(guest)
    guest.page.fill("[name=name]", "manager")
    guest.press("#join button")
    guest.page.wait_for_selector("#no:has-text('of the house')")
    look(guest)
    guest.page.fill("[name=name]", name)
    guest.press("#join button")
    guest.page.wait_for_selector(".table-card")
    look(guest)
    host.page.goto(link(home, "host"))
    host.page.wait_for_selector(f"[data-back='{name}']")
    host.press(".phone summary")
    look(host)
    host.press(f"[data-back='{name}']")
    host.page.wait_for_selector("#way-back img")
    look(host)
    way = host.page.inner_text("#way-back .link")
    back.page.goto(way)
    back.page.wait_for_selector(f"h1:has-text('{name}')")
    back.page.wait_for_selector("#join button")
    look(back)
    back.press("#join button")
    back.page.wait_for_selector(".table-card")
    guest.page.goto(way)
    guest.page.wait_for_selector("h1:has-text('Not here')")
    look(guest)
    for visit in (guest, host, back):
        assert [said for said in visit.complaints if not REFUSALS.search(said)] == []
        visit.close()
