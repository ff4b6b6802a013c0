"""The manager's desk in a browser: from nothing to the pack that is filed."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser

from croupier.games.registry import the_registry
from croupier.submission.check import check
from tests.browser.rooms import Visit, serious, unseen_focus, wait_until

LIMIT_S = 600  # a machine may be busy with other things


@pytest.fixture
def link(tmp_path: Path) -> Iterator[str]:
    """``croupier desk`` in a process of its own, and the link that it shows."""
    log = tmp_path / "desk.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "croupier", "desk", "--no-browser"],
            stdout=file,
            stderr=file,
            env=dict(os.environ, COLUMNS="200"),
        )
    deadline = time.monotonic() + LIMIT_S
    while not (found := re.search(r"http://\S+/sit/\S+", log.read_text())):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    yield found[0]
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert "Traceback" not in log.read_text()


def test_from_nothing_to_a_filed_pack(link: str, chromium: Browser, tmp_path: Path) -> None:
    visit = Visit(chromium)
    page = visit.page
    page.goto(link)
    page.select_option("#field-table-rulebook", "TCP-1")
    page.wait_for_selector("#field-paytables-ante_bonus, #field-offer-pair_plus")
    page.fill("#field-facility-name", "Harbor Casino")
    page.fill("#field-facility-operator", "Harbor Gaming LLC")
    page.fill("#field-table-id", "TCP-12")
    page.fill("#field-table-boxes", "40")
    page.press("#field-table-boxes", "Tab")
    finding = page.locator("[data-key='table.boxes'] .finding.error")
    finding.wait_for()
    assert "at most" in finding.inner_text()
    assert page.locator("#pack").is_disabled()
    page.fill("#field-table-boxes", "5")
    page.press("#field-table-boxes", "Tab")
    page.wait_for_selector(".verdict.is-right")
    page.fill("#rounds", "45")
    page.press("#rounds", "Tab")
    page.get_by_text("45 rounds an hour with 5 boxes").wait_for()
    page.wait_for_selector("#paper img")
    for paper in ("signs", "player-guide"):
        page.click(f"#tab-{paper}")
        inside = page.frame_locator("#paper iframe")
        place = inside.get_by_text("Harbor Casino, table TCP-12").first
        wait_until(page, place.is_visible, f"{paper} is shown")  # frames come and go meanwhile
    page.click("#compare-opened")
    page.wait_for_selector("#compared-rules")
    assert serious(visit) == []
    page.click("#pack")
    page.wait_for_selector("#zip", timeout=LIMIT_S * 1000)
    with page.expect_download() as download:
        page.click("#zip")
    packed = tmp_path / "pack.zip"
    download.value.save_as(packed)
    _is_whole(packed)
    with page.expect_download() as download:
        page.click("#save")
    assert download.value.suggested_filename == "tcp-12.toml"
    with page.context.expect_page() as opened:
        page.click("#print")
    assert opened.value.locator("article").count() == 6
    assert visit.hosts == {"127.0.0.1"}
    # What the tests themselves put into every frame does not run in that of a paper.
    assert [said for said in visit.complaints if "frame is sandboxed" not in said] == []
    visit.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_link_lets_in_once(
    link: str, chromium: Browser, scheme: Literal["light", "dark"]
) -> None:
    """Who comes later by the same link is told how to get in, on a page that anybody can read."""
    first, later = Visit(chromium), Visit(chromium, 390)
    first.page.goto(link)
    first.page.wait_for_selector("#field-table-rulebook")
    later.page.emulate_media(color_scheme=scheme)
    answer = later.page.goto(link)
    assert answer is not None
    assert not answer.ok
    assert later.page.inner_text("h1") == "Not let in"
    assert serious(later) == []
    assert unseen_focus(later.page) == []
    for visit in (first, later):
        visit.close()


def _is_whole(packed: Path) -> None:
    with zipfile.ZipFile(packed) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    written = files["tcp-12.toml"].decode()
    filed = check(written, the_registry()).submission
    assert filed is not None
    assert (filed.facility, filed.boxes) == ("Harbor Casino", 5)
    assert "# " in written
    papers = ("layout", "signs", "submission", "mathematics", "dealer-card", "player-guide")
    assert [name for name in papers if not files[f"{name}.pdf"].startswith(b"%PDF")] == []
    digest = hashlib.sha256(files["submission.toml"]).hexdigest()
    assert digest in files["mathematics.html"].decode()
