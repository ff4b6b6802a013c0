"""``python -m tests.browser.readme_picture``: take the picture of the table for the README."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, QUIET
from tests.browser.rooms import ASKED, MAY_DEAL, Player, PracticeRoom

FILE = Path(__file__).parents[2] / "docs" / "pictures" / "table.jpg"
TABLE = "practice-UTH-S-1"
SEED = 7


def main() -> None:
    """A full table at the first decision, with what the coach says of it."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        room = PracticeRoom(Path(folder), "--coach", seed=SEED).start()
        player = Player(browser, 1280)
        player.sit(room, TABLE)
        player.choose("pace", "at once")
        player.choose("company", "6")
        player.page.click("[data-act=first]")
        player.page.keyboard.press("t")
        player.page.wait_for_timeout(300)
        player.page.click(MAY_DEAL)
        player.page.wait_for_selector(".choice i", timeout=300_000)
        player.page.locator(ASKED).last.click()
        player.page.wait_for_selector(".choice i", timeout=300_000)
        player.page.wait_for_timeout(500)
        player.page.screenshot(path=FILE, type="jpeg", quality=88)
        player.close()
        room.stop()
        browser.close()
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
