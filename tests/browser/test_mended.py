"""What players ran into at the table: refused chips, keys, a second box, and the company."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.evenings import Evening, laid
from tests.browser.rooms import (
    ASKED,
    LATE_NEWS,
    MAY_DEAL,
    Player,
    PracticeRoom,
    entered,
    wait_until,
)
from tests.server.service import Service

FCP, UTH = "practice-FCP-14-1", "practice-UTH-S-1"
RECEIPT = """async (lines) => {
  const [{ receiptTable }, { facts }] = await Promise.all(
    ["table/receipt", "shared/connection"].map((name) => import(`/static/${name}.js`)));
  return [...receiptTable(lines, facts()).querySelectorAll("small")].map((one) => one.textContent);
}"""


@pytest.fixture
def player(chromium: Browser) -> Iterator[Player]:
    player = Player(chromium)
    yield player
    player.close()


def finish(player: Player) -> None:
    """Answer with the last choice until the next round can be dealt."""
    while True:
        player.page.wait_for_selector(f"{ASKED}, {MAY_DEAL}")
        asked = player.page.locator(ASKED)
        if not asked.count():
            return
        version = player.latest()["version"]
        asked.last.click()
        player.wait_beyond(version)


@pytest.mark.parametrize("deals", ["button", "key"])
def test_a_refused_chip_leaves_the_rest_to_be_dealt(
    room: PracticeRoom, player: Player, deals: str
) -> None:
    player.sit(room, FCP)
    player.choose("pace", "at once")
    player.page.keyboard.press("a")
    player.page.wait_for_selector("[aria-label^='Ante: $']")
    player.page.click(".spot[aria-label^='Six Card Bonus']")
    player.page.wait_for_selector("#no:has-text('Aces Up')")
    if deals == "button":
        player.page.click(MAY_DEAL)
    else:
        player.page.keyboard.press("Enter")
    player.page.wait_for_selector(ASKED)
    # The refusal is over with the betting: nothing hides the question.
    assert player.page.inner_text("#no") == ""
    assert player.page.locator("#hint").is_visible()
    assert player.page.inner_text("#hint").startswith("Your turn")
    finish(player)


def test_after_a_click_on_a_spot_enter_deals(room: PracticeRoom, player: Player) -> None:
    player.sit(room, UTH)
    player.choose("pace", "at once")
    player.page.click("[aria-label^='Ante: nothing']")
    player.page.wait_for_selector("[aria-label^='Ante: $10 on it']")
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector(ASKED)
    stakes = next(b for b in player.latest()["view"]["boxes"] if b["player"] == "You")["stakes"]
    assert stakes["ante"] == 10_00
    finish(player)


def test_a_spot_with_the_focus_shows_it_and_takes_space(room: PracticeRoom, player: Player) -> None:
    player.sit(room, UTH)
    player.page.keyboard.press("a")
    player.page.wait_for_selector("[aria-label^='Ante: $10 on it']")
    trips = player.page.locator(".spot[aria-label^=Trips]")
    trips.focus()
    ring = trips.locator("*").evaluate("shape => getComputedStyle(shape).stroke")
    assert ring == "rgb(255, 255, 255)"
    player.page.keyboard.press("Space")
    player.page.wait_for_selector("[aria-label^='Trips: $5 on it']")
    player.page.keyboard.press("Delete")
    player.page.wait_for_selector("[aria-label^='Trips: nothing on it']")


def test_the_clause_of_a_wager_is_reached_by_mouse(room: PracticeRoom, player: Player) -> None:
    """On the way from a wager to its clause others are passed; none of them takes its place."""
    player.page.clock.install()
    player.sit(room, UTH)
    player.page.hover(".spot[aria-label^=Trips]")
    player.page.wait_for_selector("#hint:has-text('Trips, ')")
    clause = player.page.inner_text("#hint .why")
    assert clause != player.latest()["view"]["clause"]
    # However slow the machine, the hand rests on no other wager.
    player.page.clock.pause_at(player.page.evaluate("Date.now()") + 60_000)
    player.page.mouse.move(*_middle(player.page, ".spot[aria-label^=Blind]"))
    player.page.hover("#hint .why")
    # Nothing else is said as long as somebody reads: longer than it is kept by itself.
    player.page.clock.run_for(2500)
    player.page.clock.resume()
    player.page.click("#hint .why")
    player.page.wait_for_selector(f"dialog[open] h2:text-is('{clause}')")
    player.page.keyboard.press("Escape")
    player.page.mouse.move(5, 5)
    player.page.evaluate("document.activeElement.blur()")
    player.page.wait_for_selector("#hint:not(:has-text('Trips, '))")


def test_the_clause_of_a_wager_is_reached_by_tab(room: PracticeRoom, player: Player) -> None:
    player.sit(room, UTH)
    focused = "document.activeElement.getAttribute('aria-label') || ''"
    player.page.locator(".spot[aria-label^=Trips]").focus()
    player.page.wait_for_selector("#hint:has-text('Trips, ')")
    clause = player.page.inner_text("#hint .why")
    player.page.keyboard.press("Tab")
    assert player.page.evaluate(focused) == f"{clause}: why"
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector(f"dialog[open] h2:text-is('{clause}')")
    player.page.keyboard.press("Escape")
    assert player.page.evaluate(focused) == f"{clause}: why"
    player.page.keyboard.press("Shift+Tab")
    assert player.page.evaluate(focused).startswith("Trips: ")
    player.page.keyboard.press("Tab")
    player.page.keyboard.press("Tab")
    after = player.page.evaluate(focused)
    assert ": nothing on it" in after
    assert not after.startswith("Trips")


def test_the_others_play_as_one_chose(room: PracticeRoom, player: Player) -> None:
    player.sit(room, FCP)
    player.choose("pace", "at once")
    player.choose("company", "3")
    for style, least in (("bold", 3), ("late", 1)):
        player.choose("others", style)
        player.round(choice=9)
        assert player.latest()["room"]["settings"]["others"] == style
        others = [
            box["stakes"]
            for text in player.frames
            for box in _boxes(text, player.latest()["view"]["round"] - 1)
            if box["player"] != "You" and "play" in box.get("stakes", {})
        ]
        assert others
        assert {box["play"] // box["ante"] for box in others if "ante" in box} == {least}
    player.page.reload()
    player.page.wait_for_selector("[data-act]")
    assert player.page.input_value("#others") == "late"
    player.choose("others", "simple")


def _boxes(text: str, number: int) -> list[dict[str, Any]]:
    view: dict[str, Any] = json.loads(text)["view"]
    over = view["phase"] in ("settling", "clearing")
    return view["boxes"] if over and view["round"] == number else []


def test_a_player_plays_two_boxes(pit: Service, chromium: Browser) -> None:
    evening = Evening(pit, chromium, laid(pit, "UTH-S"), {"Pia": 2})
    evening.open()
    pia = evening.visits["Pia"].page
    pia.click("[data-act=sit-3]:has-text('Take box 3 too')")
    evening.dealer.wait_for_selector("#buy option[value='3']", state="attached")
    evening.dealer.select_option("#buy [name=box]", "3")
    evening.dealer.click("#buy button")
    pia.click(".spot[aria-label^='Ante: nothing']")
    pia.wait_for_selector("[aria-label^='Ante: $10 on it']")
    pia.click("[data-act=box-3]:has-text('To your box 3')")
    pia.wait_for_selector("#cash:has-text('Cash out box 3')")
    pia.wait_for_selector("#chips:has-text('$500')")
    pia.click(".spot[aria-label^='Ante: nothing']")
    pia.wait_for_selector("[data-act=clear]")
    evening.dealer.wait_for_selector("#boxes tbody tr:has-text('Ante $') >> nth=1")
    evening.do("no-more-bets")
    evening.boxes = {"Pia": 0}
    asked = []
    while evening.view()["phase"] != "clearing":
        if evening.view()["phase"] != "acting":
            offered = [option["do"] for option in evening.view()["may"]]
            evening.do(next(do for do in ("deal", "reveal", "settle-box") if do in offered))
            continue
        turn, before = evening.view()["turn"], evening.version()
        asked.append(turn)
        pia.wait_for_selector(f"body[data-turn=you] #near[data-seat='{turn}']")
        cards = next(b["cards"] for b in evening.view("Pia")["boxes"] if b["seat"] == turn)
        assert "??" not in cards
        pia.click(f"{ASKED}:not(.choice-play), {ASKED}.choice-fold")
        evening.wait_beyond(before)
    assert set(asked) == {2, 3}
    pia.wait_for_selector("#receipt h3:has-text('Box 2')")
    pia.wait_for_selector("#receipt h3:has-text('Box 3')")
    pia.wait_for_selector("#last:has-text('$40')")
    evening.do("clear-cards")
    pia.click("#cash")
    pia.wait_for_selector("[data-act^=sit-]:has-text('too')")
    evening.close()


# The second half of a double click, in the very frame in which what is new has appeared.
SECOND_CLICK = """([x, y, fresh]) => new Promise((go) => {
  new MutationObserver((_, watch) => {
    if (!document.querySelector(fresh)) return;
    watch.disconnect();
    requestAnimationFrame(() => {
      const hit = document.elementFromPoint(x, y);
      hit.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 2 }));
      go(hit.closest("button")?.dataset.act ?? "");
    });
  }).observe(document.body, { subtree: true, childList: true });
})"""


def test_a_double_click_lands_on_nothing_new(pit: Service, chromium: Browser) -> None:
    """Where *Check* was there is *Take box 4 too* a moment later: it takes no click so soon, and
    then it is a button like any other."""
    evening = Evening(pit, chromium, laid(pit, "UTH-S"), {"Pia": 2, "Paul": 5})
    evening.open()
    evening.wager()
    evening.play_on("acting")
    pia = evening.visits["Pia"].page
    x, y = _middle(pia, f"{ASKED}[data-act=check]")
    pia.evaluate(f"window.second = ({SECOND_CLICK})([{x}, {y}, '[data-act^=sit-]']); null")
    pia.mouse.click(x, y)
    assert pia.evaluate("window.second") == ""
    assert [box["seat"] for box in evening.view()["boxes"] if box["player"] == "Pia"] == [2]
    under = "([x, y]) => document.elementFromPoint(x, y).closest('[data-act^=sit-]')"
    pia.wait_for_function(under, arg=[x, y])
    pia.mouse.click(x, y)
    evening.dealer.wait_for_selector("#boxes tr:has-text('Pia') >> nth=1")
    evening.close()


def test_quick_clicks_on_what_was_there_all_count(room: PracticeRoom, player: Player) -> None:
    player.sit(room, UTH)
    for dollars in (10, 15, 20):
        player.page.click(".spot[aria-label^=Ante]")
        player.page.wait_for_selector(f"[aria-label^='Ante: ${dollars} on it']")
    at = _middle(player.page, "[data-act=undo]")
    for _ in range(2):
        player.page.mouse.click(*at)
    player.page.wait_for_selector("[aria-label^='Ante: $10 on it']")


def _middle(page: Page, selector: str) -> tuple[float, float]:
    frame = page.locator(selector).bounding_box()
    assert frame is not None
    return frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2


def test_after_a_sale_enter_is_for_what_is_next(pit: Service, chromium: Browser) -> None:
    """The button of the sale had the focus: Enter sold the same chips once more."""
    evening = Evening(pit, chromium, laid(pit, "UTH-S"), {"Pip": 1})
    evening.open()
    evening.players["Pip"].page.click("[aria-label^='Ante: nothing']")
    evening.dealer.wait_for_selector("#next [data-do=no-more-bets]")
    before = evening.version()
    evening.dealer.keyboard.press("Enter")
    evening.wait_beyond(before)
    assert evening.view()["phase"] == "dealing"
    assert evening.view()["boxes"][0]["chips_cents"] == 480_00
    evening.close()


@pytest.mark.prove
def test_the_coach_charges_nobody_for_what_was_not_offered(tmp_path: Path, player: Player) -> None:
    """Of $1,000 an Ante of $400 and its Blind leave too little for any Play."""
    room = PracticeRoom(tmp_path).start()
    player.sit(room, UTH)
    player.choose("pace", "at once")
    player.choose("coach", "after")
    player.page.click("[aria-label='$100 chip']")
    for dollars in (100, 200, 300, 400):
        player.page.click(".spot[aria-label^=Ante]")
        player.page.wait_for_selector(f"[aria-label^='Ante: ${dollars} on it']")
    player.page.click(MAY_DEAL)
    for action in ("check", "check", "fold"):
        player.page.wait_for_selector(ASKED)
        assert player.page.locator(ASKED).count() == 1
        player.page.wait_for_selector(f"#advice:has-text('only {action} is open to you')")
        question = player.page.get_attribute(ASKED, "data-question")
        player.page.click(f"{ASKED}[data-act={action}]")
        player.page.wait_for_selector(f"{ASKED}[data-question='{question}']", state="detached")
    player.page.wait_for_selector("[data-act=first]")
    assert player.latest()["room"]["mistakes_cents"] == 0
    room.stop()


def test_chips_go_by_the_steps_from_the_least(tmp_path: Path, player: Player) -> None:
    """From $15 in steps of $10 a chip of $25 is a wager, and one of $5 more makes none."""
    filed = tmp_path / "steps.toml"
    shipped = resources.files("croupier.submission") / "shipped" / "UTH-S.toml"
    limit = 'ante = { minimum = "$15", maximum = "$505", increment = "$10" }'
    filed.write_text(re.sub(r"(?m)^ante = .*", limit, shipped.read_text("utf-8"), count=1))
    room = PracticeRoom(tmp_path, "--submission", str(filed)).start()
    player.enter(room)
    player.page.wait_for_selector("[data-act=first]")
    if player.page.locator("#how[open]").count():
        player.page.click("#how-done")
    for chip, ante in (("$25", 25_00), ("$100", 125_00)):
        player.page.click(f"[aria-label='{chip} chip']")
        player.page.click(".spot[aria-label^=Ante]")
        wait_until(player.page, partial(_lies, player, ante), "the chips lie")
    player.page.click("[aria-label='$5 chip']")
    player.page.click(".spot[aria-label^=Ante]")
    player.page.wait_for_selector("#no:has-text('Ante goes in steps of $10; take a larger chip')")
    room.stop()


def _lies(player: Player, ante: int) -> bool:
    boxes = player.latest()["view"]["boxes"]
    return {"ante": ante, "blind": ante} in [box.get("stakes") for box in boxes]


def test_a_receipt_says_what_would_have_won(room: PracticeRoom, player: Player) -> None:
    """And where odds "for 1" keep the stake, which the sum below leaves out."""
    player.sit(room, UTH)
    lost = {"outcome": "lose", "stake_cents": 5_00}
    lines = [
        {"wager": "trips", "shows": "pair of threes"} | lost,
        {"wager": "bad_beat", "shows": "a tie"} | lost,
        {"wager": "ante", "shows": "ace high against pair of twos"} | lost,
        {"wager": "progressive", "outcome": "win", "stake_cents": 1_00, "paid_cents": 30_00},
    ]
    assert player.page.evaluate(RECEIPT, lines) == [
        "pair of threes; pays from: three of a kind",
        "a tie",
        "ace high against pair of twos",
        "the stake is not returned",
    ]


# An evening drawn: amounts that its dot covers, or one another, and what is cut off.
DRAWN = """async (nets) => {
  const { curve } = await import("/static/table/coach.js");
  document.getElementById("curve").replaceChildren(curve(nets));
  const parts = [...document.querySelectorAll("#curve :is(.curve-now, .curve-scale)")];
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const all = document.querySelector("#curve svg").getBoundingClientRect();
  const over = (a, b) => (
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
  const dot = boxes.at(-1), amounts = boxes.slice(0, -1);
  return [
    amounts.filter((box) => over(box, dot)).length,
    amounts.filter((one, n) => amounts.slice(n + 1).some((other) => over(one, other))).length,
    boxes.filter((box) => box.left < all.left).length,
  ];
}"""


def test_the_evenings_curve_leaves_its_amounts_to_be_read(
    room: PracticeRoom, player: Player
) -> None:
    """The dot at its end covered the minus sign of an amount of six letters or more."""
    player.sit(room, UTH)
    for nets in ([-1_500_00], [-12_345_67, 1_00], [250_00, -1_260_50], [5_00, -2_000_00], [0]):
        assert player.page.evaluate(DRAWN, nets) == [0, 0, 0], nets


def test_who_forgot_the_password_gets_a_new_one(pit: Service, chromium: Browser) -> None:
    administrator = pit.set_up()
    administrator.hire("Bea", "player")
    ada = entered(pit, chromium, administrator.token)
    ada.page.goto(f"{pit.url}/offices")
    ada.page.select_option("#change [name=name]", "Bea")
    ada.page.fill("#change [name=password]", "quite another one")
    ada.page.click("#change button")
    ada.page.wait_for_selector("#changed:has-text('Changed for Bea: password.')")
    ada.close()


def test_a_chip_comes_back_by_a_button(room: PracticeRoom, player: Player) -> None:
    """However late the table's news are, and where the line fails, each click counts."""
    player.page.add_init_script(LATE_NEWS)
    player.sit(room, UTH)
    player.page.evaluate("window.late = 250")
    for says in ("$10", "$15", "$20"):
        player.page.click(".spot[aria-label^=Ante]")
        player.page.wait_for_selector(f"[aria-label^='Ante: {says} on it']")
        player.page.wait_for_timeout(150)
    player.page.click("[data-act=undo]")
    player.page.wait_for_selector("[aria-label^='Ante: $15 on it']")
    player.page.wait_for_selector("#said:has-text('$15 on Ante')", state="attached")
    wait_until(player.page, lambda: _staked(player) == 15_00, "the table has heard it")
    player.page.context.set_offline(True)
    player.page.click(".spot[aria-label^=Ante]")
    player.page.wait_for_timeout(100)
    player.page.context.set_offline(False)
    wait_until(player.page, lambda: _staked(player) == 20_00, "it was asked again")
    menu = player.page.locator(".tools summary")
    menu.click()
    player.page.keyboard.press("Escape")
    player.page.wait_for_selector(".tools:not([open])")
    menu.click()
    player.page.click("#call", force=True)
    player.page.wait_for_selector(".tools:not([open])")


def _staked(player: Player) -> int:
    boxes = player.latest()["view"]["boxes"]
    yours = next(box for box in boxes if box["player"] == "You")
    return int(yours.get("stakes", {}).get("ante", 0))
