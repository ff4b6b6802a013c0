"""What a card seen too early is worth, in the browser: as the command prints it."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, expect

from croupier.cli import main
from tests.browser.rooms import Player, PracticeRoom, serious

LONG_MS = 120_000
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
WIDTHS = (360, 768, 1280)


def test_known_cards_are_valued_and_what_takes_minutes_is_named(
    room: PracticeRoom, chromium: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    """Chosen, counted, shown in three widths; both dealer's cards are left to the command line."""
    player = Player(chromium, WIDTHS[0])
    player.enter(room)
    page = player.page
    page.goto(f"http://127.0.0.1:{room.port}/practice")
    page.click("text=What a card seen too early is worth")
    page.select_option("[name=rulebook]", "TCP-1")
    page.select_option("#knows", "dealer")
    page.click("#count")
    expect(page.locator("#standing")).to_have_text("Counted.", timeout=LONG_MS)
    assert main(["protect", "three-card", "--knows", "dealer", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    edge = page.locator("#worth tr", has_text="edge").locator("td")
    expect(edge).to_have_text(f"{100 * told['player_edge']:.4f} %")
    first = told["changes"][0]
    row = page.locator("#changes tbody tr").first
    expect(row.locator("th")).to_have_text(f"{first['known']}: {first['hand']}")
    assert serious(player) == []
    for wide in WIDTHS:
        page.set_viewport_size({"width": wide, "height": 900})
        assert page.evaluate(OVERFLOW) <= 0
    page.select_option("[name=rulebook]", "UTH-S")
    expect(page.locator("#standing")).to_contain_text("Changed since it was counted")
    page.select_option("#knows", "dealers")
    page.click("#count")
    said = "croupier protect uth --rulebook UTH-S --knows dealers --paytable blind=A"
    expect(page.locator("#standing")).to_contain_text(said, timeout=LONG_MS)
    assert player.complaints == []
    player.close()
