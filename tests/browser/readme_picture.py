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
BEST = f"{ASKED}.is-best"
PATIENCE_MS = 300_000  # the coach may have to compile first


def main() -> None:
    """A full table after the flop, with what the coach says of it."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        room = PracticeRoom(Path(folder), "--coach", seed=SEED).start()
        player = Player(browser, 1280)
        player.page.set_default_timeout(PATIENCE_MS)
        player.sit(room, TABLE)
        player.choose("pace", "at once")
        player.choose("company", "6")
        player.page.click("[data-act=first]")
        player.page.keyboard.press("t")
        player.page.wait_for_timeout(300)
        while not _asked_after_the_flop(player):
            pass
        player.page.wait_for_timeout(500)
        player.page.screenshot(path=FILE, type="jpeg", quality=88)
        player.close()
        room.stop()
        browser.close()
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


def _asked_after_the_flop(player: Player) -> bool:
    """Deal a round, do what the coach finds best, and wait until it has counted the next choice."""
    player.page.click(MAY_DEAL)
    player.page.wait_for_selector(BEST)
    version = player.latest()["version"]
    player.page.click(BEST)
    player.wait_beyond(version)
    player.page.wait_for_selector(f"{BEST}, {MAY_DEAL}")
    return player.page.locator(BEST).count() > 0


if __name__ == "__main__":
    main()
