"""Table feel and safe hands: sound, turn in the title, every control in reach, undo and top-up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.rooms import ASKED, MAY_DEAL, Player, PracticeRoom, serious, unseen_focus
from tests.browser.test_mended import finish

UTH, FCP, CH = "practice-UTH-S-1", "practice-FCP-14-1", "practice-CH-1-1"
HEARD = """() => {
  window.heard = [];
  const hear = (changes) => window.heard.push(...changes.map(({ oldValue }) => oldValue));
  const asked = { attributeFilter: ["data-heard"], attributeOldValue: true };
  new MutationObserver(hear).observe(document.body, asked);
}"""
OUT_OF_REACH = """() => {
  scrollTo(0, 0);
  const controls = [...document.querySelectorAll("#buttons button, .rack-chip")];
  return controls.filter((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
  }).map((one) => one.dataset.act ?? one.dataset.value);
}"""


@pytest.fixture
def player(chromium: Browser) -> Iterator[Player]:
    player = Player(chromium)
    yield player
    assert player.complaints == []
    player.close()


def test_sound_and_turn(room: PracticeRoom, player: Player) -> None:
    """Who asked the system for less motion hears nothing until he turns it on, by one key."""
    player.sit(room, FCP)
    player.choose("pace", "at once")
    page = player.page
    assert not page.is_checked("#sound")
    page.keyboard.press("m")
    assert page.is_checked("#sound")
    page.wait_for_function("() => new AudioContext().state === 'running'")
    page.click("[data-act=first]")
    page.wait_for_selector("body[data-heard=chip]")
    page.evaluate(HEARD)
    page.click(MAY_DEAL)
    page.wait_for_selector(ASKED)
    page.wait_for_selector("body[data-heard=turn]")
    assert "card" in page.evaluate("() => window.heard")
    assert page.title().startswith("Your turn: ")
    assert page.get_attribute("link[rel=icon]", "href") == "/static/icon-turn.svg"
    ranks = [
        card[0]
        for card in page.locator("#near [data-card]").evaluate_all(
            "cards => cards.map((card) => card.dataset.card)"
        )
    ]
    most = sorted(ranks, key=lambda rank: (ranks.count(rank), "23456789TJQKA".index(rank)))
    assert ranks == most[::-1]
    page.keyboard.press("m")
    finish(player)
    assert not page.title().startswith("Your turn")
    page.reload()
    page.wait_for_selector("[data-act]")
    assert not page.is_checked("#sound")


@pytest.mark.parametrize("size", [(844, 390), pytest.param((640, 400), marks=pytest.mark.prove)])
def test_everything_is_in_reach(room: PracticeRoom, player: Player, size: tuple[int, int]) -> None:
    """A phone on its side, and a desk at twice the size: nothing is scrolled for."""
    player.sit(room, UTH)
    player.choose("pace", "at once")
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.click("[data-act=first]")
    page.wait_for_selector("[data-act=undo]")
    assert page.evaluate(OUT_OF_REACH) == []
    page.click(MAY_DEAL)
    page.wait_for_selector(ASKED)
    assert page.evaluate(OUT_OF_REACH) == []
    assert serious(player) == []
    finish(player)


def test_light_and_dark(room: PracticeRoom, player: Player) -> None:
    """As the system is, until the player says otherwise; every page keeps to it. In light they are
    looked at by the tests of what they do."""
    page, ground = player.page, "getComputedStyle(document.querySelector('.panel')).backgroundColor"
    seen = {}
    for system in ("dark", "light"):
        page.emulate_media(color_scheme=system)
        player.sit(room, UTH)
        seen[system] = page.evaluate(ground)
    assert seen["dark"] != seen["light"]
    page.click(".tools summary")
    page.select_option("#theme", "dark")
    assert page.evaluate(ground) == seen["dark"]
    assert serious(player) == []
    for place in ("record", f"practice/{UTH}/drill", f"practice/{UTH}/ask", "practice"):
        page.goto(f"http://127.0.0.1:{room.port}/{place}")
        page.wait_for_load_state("load")
        for theme in ("light", "dark"):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            assert page.evaluate("getComputedStyle(document.body).colorScheme") == theme
        assert serious(player) == []
        assert unseen_focus(page) == []


def test_a_stake_that_leaves_too_little_is_warned_of(room: PracticeRoom, player: Player) -> None:
    player.sit(room, UTH)
    player.choose("pace", "at once")
    page = player.page
    page.click("[data-act=first]")
    page.wait_for_selector("[aria-label^='Ante: $10 on it']")
    page.click("[aria-label='$100 chip']")
    for says in ("$110", "$210"):
        page.click(".spot[aria-label^='Ante']")
        page.wait_for_selector(f"[aria-label^='Ante: {says} on it']")
    page.wait_for_selector("#hint:has-text('for the largest Play wager')")
    page.click("[data-act=top-up]")
    page.wait_for_selector("#hint:has-text('deal when you are ready')")
    assert page.locator("[data-act=top-up]").count() == 0
    page.click("[data-act=clear]")
    page.wait_for_selector("[aria-label^='Ante: nothing']")
    for words in ("$210 on it", "$110 on it", "$10 on it", "nothing"):
        page.click("[data-act=undo]")
        page.wait_for_selector(f"[aria-label^='Ante: {words}']")
    assert page.locator("[data-act=undo]").count() == 0


def test_a_wager_is_called_as_its_book_calls_it(room: PracticeRoom, player: Player) -> None:
    """At Casino Hold'em the Call: in the question, on the buttons, and across the felt."""
    player.sit(room, CH)
    player.choose("pace", "at once")
    page = player.page
    page.click("[data-act=first]")
    page.click(MAY_DEAL)
    page.wait_for_selector(ASKED)
    assert "Call 2\u00d7" in page.inner_text(f"{ASKED} >> nth=0")
    assert page.inner_text("#hint").startswith("Your turn: Call 2\u00d7 your Ante, or fold")
    page.click(f"{ASKED} >> nth=0")
    page.wait_for_selector("#receipt tfoot")
    page.goto(f"http://127.0.0.1:{room.port}/practice/{CH}/drill")
    page.wait_for_selector("[data-action='2x']:has-text('Call 2\u00d7')")
