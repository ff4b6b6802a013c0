"""An evening at the practice table: what a newcomer does, sees and could never see."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from croupier.games.registry import the_registry
from tests.browser.rooms import (
    ASKED,
    MAY_DEAL,
    MOST_BYTES,
    Player,
    PracticeRoom,
    Visit,
    cards_in,
    serious,
)

TABLES = tuple(f"practice-{book}-1" for book in the_registry().books)
ROUNDS = 5
OVERHEAR = """() => {
  const said = document.getElementById("said");
  window.told = [];
  new MutationObserver(() => window.told.push(said.textContent)).observe(said, { childList: true });
}"""


@pytest.fixture
def player(chromium: Browser) -> Iterator[Player]:
    player = Player(chromium)
    yield player
    assert player.hosts == {"127.0.0.1"}
    assert player.complaints == []
    player.close()


@pytest.mark.parametrize(
    "table",
    [
        "practice-UTH-S-1",
        *(
            pytest.param(f"practice-{b}-1", marks=pytest.mark.prove)
            for b in ("FCP-14", "UTH-14", "TCP-1", "CH-1", "THB-1")
        ),
    ],
)
def test_an_evening(room: PracticeRoom, player: Player, table: str) -> None:
    player.sit(room, table)
    player.choose("pace", "at once")
    before = len(player.latest()["room"]["evening"])
    had = float(player.page.inner_text("#chips").replace(",", "").lstrip("$"))
    for number in range(ROUNDS):
        last = player.round(choice=number % 2 * 9)
        _headline(player, last)
    evening = last["room"]["evening"]
    assert len(evening) == before + ROUNDS
    chips = 100 * had + sum(each["net_cents"] for each in evening[before:])
    assert player.page.inner_text("#chips") == f"${chips / 100:,.2f}".removesuffix(".00")
    assert f"{before + ROUNDS} rounds" in player.page.inner_text("#evening")
    for line in evening[-1]["lines"]:
        assert line["clause"] in player.page.inner_text("#receipt")
    assert player.bytes < MOST_BYTES
    _refuse_hidden_cards(player)


def _headline(player: Player, last: dict[str, Any]) -> None:
    """What the round brought and which wagers won stand over the cards, in one line."""
    told = player.page.inner_text("#call").lower()
    yours = next(box for box in last["view"]["boxes"] if box["player"] == "You")
    net, won = yours["net_cents"], [x["wager"] for x in yours["lines"] if x["outcome"] == "win"]
    money = f"${abs(net) / 100:,.2f}".removesuffix(".00")
    assert (f"{'win' if net > 0 else 'lose'} {money}" if net else "end even") in told
    assert all(wager.replace("_", " ") in told for wager in won), (told, won)
    assert told.endswith(" won)") is bool(won)


@pytest.mark.prove
@pytest.mark.parametrize("table", TABLES)
def test_thirty_rounds_show_no_hidden_card(room: PracticeRoom, player: Player, table: str) -> None:
    player.sit(room, table)
    player.choose("pace", "at once")
    for number in range(30):
        player.round(choice=number % 2 * 9)
    _refuse_hidden_cards(player)


def _refuse_hidden_cards(player: Player) -> None:
    """In no frame is a card that the player could not see then.

    Before the reveal that is his own hand, the board as far as it is turned, and the up card.
    """
    dealers = {}
    for text in player.frames:
        told = json.loads(text)
        view = told["view"]
        shown = view.get("places", {})
        if view["phase"] in ("settling", "clearing"):
            dealers[view["round"]] = set(shown.get("dealer", ()))
    looked = 0
    for text in player.frames:
        told = json.loads(text)
        view = told["view"]
        if view["phase"] not in ("dealing", "acting"):
            continue
        looked += 1
        told["room"]["evening"] = []
        shown = view.get("places", {})
        seen = {
            card for box in view["boxes"] if box["player"] == "You" for card in box.get("cards", ())
        }
        seen |= set(shown.get("board", ()))
        up = {card for card in shown.get("dealer", ()) if card != "??"}
        assert len(up) <= (0 if "board" in shown else 1)
        assert cards_in(json.dumps(told)) <= seen | up
        assert not (dealers.get(view["round"], set()) - up - seen) & cards_in(json.dumps(told))
    assert looked
    assert dealers


def test_by_keyboard_alone(room: PracticeRoom, player: Player) -> None:
    player.sit(room, "practice-UTH-S-1")
    player.choose("pace", "at once")
    keyboard = player.page.keyboard
    player.page.evaluate(OVERHEAR)
    player.page.focus("body")
    for _ in range(60):
        keyboard.press("Tab")
        name = player.page.evaluate("document.activeElement.getAttribute('aria-label') || ''")
        if name.startswith("Ante"):
            break
    assert name.startswith("Ante: nothing on it")
    keyboard.press("Enter")
    player.page.wait_for_selector("[aria-label^='Ante: $10 on it']")
    keyboard.press("t")
    player.page.wait_for_selector("[aria-label^='Trips: $5 on it']")
    keyboard.press("Shift+T")
    player.page.wait_for_selector("[aria-label^='Trips: nothing on it']")
    keyboard.press("d")
    for key in ("c", "c", "1"):
        player.page.wait_for_selector(f"{ASKED}[aria-keyshortcuts='{key}']")
        keyboard.press(key)
    player.page.wait_for_selector("#receipt tfoot")
    player.page.wait_for_selector("#said:has-text('Your round')", state="attached")
    told = " ".join(player.page.evaluate("window.told"))
    assert all(said in told for said in ("Your cards: ", "The board: ", "The dealer shows: "))


def test_a_refusal_is_told_as_the_table_says_it(room: PracticeRoom, player: Player) -> None:
    player.sit(room, "practice-UTH-S-1")
    player.page.keyboard.press("a")
    for _ in range(2):
        player.page.click("[aria-label='$100 chip']")
        player.page.click("[aria-label^='Trips']")
    player.page.wait_for_selector("#no:not(:empty)")
    assert "The most on Trips is $100" in player.page.inner_text("#no")
    assert "UTH-S" in player.page.inner_text("#no .why")


def test_a_page_that_is_loaded_again_asks_again(room: PracticeRoom, player: Player) -> None:
    player.sit(room, "practice-FCP-14-1")
    player.choose("pace", "at once")
    player.page.click("[data-act=first]")
    player.page.click(MAY_DEAL)
    player.page.wait_for_selector(ASKED)
    before = player.page.get_attribute("#near", "aria-label")
    player.page.reload()
    player.page.wait_for_selector(ASKED)
    assert player.page.get_attribute("#near", "aria-label") == before
    player.page.keyboard.press("1")
    player.page.wait_for_selector("#receipt tfoot")


@pytest.mark.prove
def test_the_service_dies_in_the_middle_of_a_decision(tmp_path: Path, chromium: Browser) -> None:
    room = PracticeRoom(tmp_path).start()
    player = Player(chromium)
    player.sit(room, "practice-UTH-S-1")
    player.choose("pace", "at once")
    player.page.click("[data-act=first]")
    player.page.click(MAY_DEAL)
    player.page.wait_for_selector(ASKED)
    cards = player.page.get_attribute("#near", "aria-label")
    _refuse_second_visitor(room, chromium)
    room.kill()
    player.page.wait_for_selector("body[data-link=away]")
    room.start()
    player.page.wait_for_selector("body[data-link=login]")
    player.sit(room, "practice-UTH-S-1")
    player.page.wait_for_selector(ASKED)
    assert player.page.get_attribute("#near", "aria-label") == cards
    assert player.page.input_value("#pace") == "at once"  # what was chosen lasts
    while player.page.locator(ASKED).count():
        player.page.locator(ASKED).last.click()
        player.page.wait_for_selector(f"{ASKED}, {MAY_DEAL}")
    player.page.wait_for_selector("#receipt tfoot")
    player.close()
    assert room.stop() == 130


def _refuse_second_visitor(room: PracticeRoom, chromium: Browser) -> None:
    """The link is good once."""
    second = Visit(chromium)
    for address in (room.link, f"http://127.0.0.1:{room.port}/practice/practice-UTH-S-1"):
        answer = second.page.goto(address)
        assert answer is not None
        assert answer.status == 401
    second.close()


def test_a_second_browser_is_told_the_way_in(tmp_path: Path, chromium: Browser) -> None:
    """A used link says how to get another, and ``croupier play`` gives it while the first runs."""
    room = PracticeRoom(tmp_path).start()
    first, second = Player(chromium), Player(chromium)
    first.sit(room, "practice-UTH-S-1")
    second.page.goto(room.link)
    told = second.page.inner_text("main")
    assert "This link was used before" in told
    assert "start croupier play once more, in another terminal" in told
    assert not serious(second)
    again = room.start_another()
    assert (again.returncode, again.stdout) == (0, "")
    assert "A practice room runs on " in again.stderr
    link = re.search(r"http://\S+/sit/\S+", again.stderr)
    assert link is not None
    assert link[0] != room.link
    second.page.goto(link[0])
    second.page.click(".table-card .sit-down")
    second.page.wait_for_selector("[data-act]")
    # Each link is good once: what lies there for the next start is another one.
    refused = room.start_another("--terminal")
    assert refused.returncode == 2
    assert "somebody plays on this ledger now in the browser (http://" in refused.stderr
    assert link[0] not in refused.stderr
    first.close()
    second.close()
    assert room.stop() == 130
    assert not list(tmp_path.glob("*.link"))


def test_a_room_that_is_closed_says_so(tmp_path: Path, chromium: Browser) -> None:
    """Nothing is promised that only a person can do; started again at the same address, the room is
    found again as soon as its new link was opened in this browser."""
    room = PracticeRoom(tmp_path).start()
    player = Player(chromium)
    player.sit(room, "practice-UTH-S-1")
    room.stop()
    player.page.wait_for_selector("body[data-link=closed]")
    player.page.wait_for_selector("#no:has-text('was closed where croupier play ran')")
    assert "start croupier play again" in player.page.inner_text("#no")
    assert "by itself" not in player.page.inner_text("#no")
    room.start()
    player.page.wait_for_selector("body[data-link=login]")
    assert "open its new link in this browser" in player.page.inner_text("#no")
    player.page.context.new_page().goto(room.link)
    player.page.wait_for_selector("body[data-link=here]")
    assert player.page.inner_text("#no") == ""
    player.page.click("[data-act=first]")
    player.page.wait_for_selector("[aria-label^='Ante: $10 on it']")
    player.close()
    room.stop()


def test_the_coach_tells_before_and_after(room: PracticeRoom, player: Player) -> None:
    """Who is quicker than the coach is judged all the same: twice the Ante is never the best."""
    player.sit(room, "practice-FCP-14-1")
    player.choose("pace", "at once")
    player.choose("coach", "after")
    player.page.click("[data-act=first]")
    for _ in range(2):
        player.page.click(MAY_DEAL)
        player.page.click("[data-act='2x']")
    cost = "#advice p:has-text('Your mistakes this evening cost $')"
    player.page.wait_for_selector(cost, timeout=120_000)
    player.page.wait_for_selector(MAY_DEAL)
    player.choose("coach", "before")
    player.choose("level", "everything")
    player.page.click(MAY_DEAL)
    player.page.wait_for_selector(".choice i", timeout=120_000)
    player.page.wait_for_selector("#advice .chart td.is-lit", timeout=120_000)
    assert player.page.locator("#advice .rule-list li.is-lit").count() == 1
    assert "of the dealer's 1,370,754 hands" in player.page.inner_text("#advice").lower()
    assert serious(player) == []
    assert player.page.locator(".choice.is-best").count() == 1
    worst = player.latest()["room"]["advice"]["worths"][-1]["action"]
    player.page.click(f"[data-act='{worst}']")
    player.page.wait_for_selector("#advice:has-text('was better')")
    advice = player.latest()["room"]["advice"]
    assert advice["chosen"] == worst
    assert advice["cost_antes"] > 0
    player.page.wait_for_selector(MAY_DEAL)
    won = player.latest()["room"]["winning"]
    marked = "names => [...document.querySelectorAll('#stage .is-winning')].length === names.length"
    player.page.wait_for_function(marked, arg=won if worst != "fold" else [])
    player.choose("level", "brief")
    player.page.wait_for_selector("#advice:has-text('What mattered, play:')")
    player.choose("level", "reasons")
    player.choose("coach", "off")
