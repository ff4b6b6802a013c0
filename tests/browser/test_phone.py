"""A practice room for more than this machine: links for other devices, each good once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.rooms import PracticeRoom, Visit

HOST = "127.0.0.2"  # an address of its own that no other machine can reach


@pytest.fixture
def room(tmp_path: Path) -> Iterator[PracticeRoom]:
    room = PracticeRoom(tmp_path, "--host", HOST, host=HOST).start()
    yield room
    room.stop()


def test_a_second_device_comes_in_by_a_link_of_its_own(
    room: PracticeRoom, chromium: Browser, tmp_path: Path
) -> None:
    desk, phone, late = Visit(chromium), Visit(chromium, 390), Visit(chromium, 390)
    assert room.link.startswith(f"http://{HOST}:")
    desk.page.goto(room.link)
    told = (tmp_path / "play.log").read_text()
    (second,) = (line for line in told.splitlines() if line.startswith("For one more device: "))
    desk.page.click(".phone summary")
    desk.page.click("#renew")
    picture = desk.page.locator("#next-link img")
    picture.wait_for()
    assert picture.evaluate("async image => { await image.decode(); return image.naturalWidth; }")
    link = desk.page.inner_text("#next-link .link")
    assert link not in second
    late.page.goto(second.partition(": ")[2])
    late.page.get_by_text("Not let in").first.wait_for()
    phone.page.goto(link)
    phone.page.get_by_text("Choose your table").wait_for()
    for visit in (desk, phone):
        assert visit.complaints == []
        assert visit.hosts == {HOST}
    for visit in (desk, phone, late):
        visit.close()
