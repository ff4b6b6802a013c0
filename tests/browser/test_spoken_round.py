"""A round played by what a screen reader is told alone: roles and names, no picture."""

from __future__ import annotations

import re

from playwright.sync_api import Browser

from tests.browser.rooms import ASKED, MAY_DEAL, Player, PracticeRoom


def test_a_hand_that_somebody_left_is_ended_by_who_sits_down_next(
    room: PracticeRoom, chromium: Browser
) -> None:
    """Tests share the room in any order."""
    leaves, comes = Player(chromium), Player(chromium)
    leaves.sit(room, "practice-UTH-S-1")
    leaves.choose("pace", "at once")
    leaves.press("[data-act=first]")
    leaves.press(MAY_DEAL)
    leaves.page.wait_for_selector(ASKED)
    leaves.close()
    comes.sit(room, "practice-UTH-S-1")
    comes.page.wait_for_selector("[data-act=first]")
    comes.close()


def test_a_round_by_names_alone(room: PracticeRoom, chromium: Browser) -> None:
    player = Player(chromium)
    player.sit(room, "practice-UTH-S-1")
    player.choose("pace", "at once")
    page = player.page
    page.get_by_role("button", name=re.compile(r"\$10 on the Ante")).click()
    page.get_by_role("button", name=re.compile("^Deal ")).click()
    for says in ("Check", "Check", "Fold"):
        page.get_by_role("button", name=re.compile(says)).click()
    page.get_by_role("heading", name="Receipt of round").wait_for()
    page.get_by_role("button", name=re.compile("^Deal again")).wait_for()
    tree = page.locator("body").aria_snapshot()
    for told in (
        r"banner",
        r"main",
        r"rowheader \"Together|rowheader \"Ante",
        r"Your cards?|You: ",
    ):
        assert re.search(told, tree), (told, tree)
    unnamed = [line for line in tree.splitlines() if re.match(r"\s*- (button|link)\s*$", line)]
    assert unnamed == []
    player.close()
