"""The table without an install, in Chromium, from a static folder with the network cut."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from croupier.games.registry import the_registry
from tests.browser.rooms import ASKED, MAY_DEAL, Visit
from tests.browser.static_host import HERE, StaticHost
from website.demo import parts
from website.demo.folder import inputs_digest

pytestmark = pytest.mark.prove  # the folder is built first, which takes Node and 20 s of CPU
FOLDER = parts.ROOT / "build" / "demo"
STAMP = parts.ROOT / "build" / "demo-inputs"
BOOKS = list(the_registry().books)
CACHED = """async () => {
  await navigator.serviceWorker.ready;
  for (const name of await caches.keys()) return (await (await caches.open(name)).keys()).length;
}"""
BROKEN_RULE = """() => new Promise((done) => {
  addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
  fetch("http://127.0.0.1:9/").catch(() => setTimeout(() => done("none"), 1000));
})"""


@pytest.fixture(scope="module")
def folder() -> Path:
    """The folder as `make demo` builds it; what it is made of is unchanged since the last time."""
    digest = inputs_digest()
    if not STAMP.exists() or STAMP.read_text() != digest or not FOLDER.exists():
        # In a process of its own: in this one the browser's event loop is running already.
        subprocess.run((sys.executable, "-m", "website.demo"), cwd=parts.ROOT, check=True)
        STAMP.write_text(digest)
    return FOLDER


@pytest.fixture
def host(folder: Path) -> Iterator[StaticHost]:
    with StaticHost(folder) as host:
        yield host


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Whatever is looked at, the page does not complain and asks nobody else."""
    visit = Visit(chromium)
    visit.page.set_default_timeout(60_000)
    yield visit
    assert visit.complaints == []
    assert visit.hosts <= {HERE}
    visit.close()


def sit(page: Page, host: StaticHost, book: str) -> None:
    page.goto(f"{host.url}/practice/practice-{book}-1/index.html")
    page.click("#how-done")
    page.wait_for_selector("#worker-note", state="hidden")


def test_a_round_offline_reloaded_saved_and_audited(
    host: StaticHost, visit: Visit, tmp_path: Path
) -> None:
    page = visit.page
    sit(page, host, "UTH-S")
    page.click("[data-act=first]")
    page.click(MAY_DEAL)
    page.wait_for_selector(ASKED)
    own = page.locator("#near").inner_html()
    assert page.evaluate(CACHED) > 80
    host.cut()
    page.reload()
    page.wait_for_selector("#worker-note", state="hidden")
    page.wait_for_selector(ASKED)
    assert page.locator("#near").inner_html() == own
    page.click(f"{ASKED}.choice-play")
    page.wait_for_selector("#receipt table")
    page.goto(f"{host.url}/ledger/index.html")
    with page.expect_download() as saved:
        page.click("a[download]")
    file = tmp_path / "practice.db"
    saved.value.save_as(file)
    told = subprocess.run(
        (sys.executable, "-m", "croupier", "audit", str(file), "--json"),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(parts.ROOT / "src")},
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert json.loads(told.stdout)["proved"] is True


def test_the_worker_has_the_policy_of_its_page(host: StaticHost, chromium: Browser) -> None:
    """The host sends no header: what Python runs in may ask nobody else all the same."""
    page = chromium.new_page()
    page.set_default_timeout(60_000)
    sit(page, host, "TCP-1")
    (worker,) = page.workers
    assert worker.evaluate(BROKEN_RULE) == "connect-src"
    page.close()


def test_a_second_tab_waits_and_goes_on(host: StaticHost, chromium: Browser) -> None:
    """Two tabs at one ledger would deal over each other."""
    visitor = chromium.new_context()
    first, second = visitor.new_page(), visitor.new_page()
    for page in (first, second):
        page.set_default_timeout(60_000)
    sit(first, host, "TCP-1")
    first.click("[data-act=first]")
    first.wait_for_selector(MAY_DEAL)
    second.goto(f"{host.url}/practice/practice-TCP-1-1/index.html")
    second.wait_for_selector("#worker-note:has-text('open in another tab')")
    first.close()
    second.wait_for_selector("#worker-note", state="hidden")
    second.wait_for_selector(MAY_DEAL)
    visitor.close()


def test_the_record_and_its_reasons(host: StaticHost, visit: Visit) -> None:
    """From the evening's list to the round, to its cards and to the record; a second visit goes on
    where the first ended."""
    page = visit.page
    sit(page, host, "UTH-S")
    page.locator(".tools summary").click()
    page.select_option("#pace", "at once")
    page.select_option("#coach", "before")
    page.locator(".tools summary").click()
    page.click("[data-act=first]")
    page.click(MAY_DEAL)
    page.click(f"{ASKED}.choice-check")
    page.wait_for_selector("#advice .reasons li:has-text('you win')")
    page.click(f"{ASKED}.choice-check")
    page.click(f"{ASKED}.choice-fold")
    page.click("#evening summary")
    page.click("#evening a:has-text('The whole round')")
    page.wait_for_selector("#decision-3 .is-chosen")
    assert "Round 1" in page.inner_text("h1")
    page.click("#decision-3 a:has-text('Ask about this hand')")
    page.wait_for_selector("#answer .reasons li:has-text('hands you beat')")
    page.click("a.onward")
    page.wait_for_selector("#evening summary:has-text('Round 1')")
    page.click("a[href$='record/index.html']")
    page.wait_for_selector("#standing:has-text('Every decision is counted')")
    assert page.locator("#latest a, #rounds a, .row").count() > 0
    with page.expect_download() as saved:
        page.click("a:has-text('Rounds as CSV')")
    assert saved.value.suggested_filename == "croupier-rounds.csv"


@pytest.mark.parametrize("touch", [False, True], ids=["keys", "touch"])
@pytest.mark.parametrize("book", BOOKS)
def test_ten_rounds_of_each_game(book: str, touch: bool, host: StaticHost, visit: Visit) -> None:
    page = visit.page
    sit(page, host, book)
    page.locator(".tools summary").click()
    page.select_option("#pace", "at once")
    page.locator(".tools summary").click()
    page.locator(".tools summary").blur()  # Enter belongs to whatever has the focus
    for number in range(1, 11):
        if page.locator("[data-act=first]").count():
            page.click("[data-act=first]") if touch else page.keyboard.press("Enter")
        page.wait_for_selector(MAY_DEAL)
        page.click(MAY_DEAL) if touch else page.keyboard.press("Enter")
        _answer_all(page, number, touch=touch)


def _answer_all(page: Page, number: int, *, touch: bool) -> None:
    over = f"#receipt-title:has-text('{number}')"
    while True:
        page.wait_for_selector(f"{ASKED}, {over}")
        asked = page.locator(ASKED)
        if page.locator(over).count():
            page.wait_for_selector(MAY_DEAL)
            return
        if touch:
            asked.first.click()
        else:
            page.keyboard.press(asked.first.locator("kbd").inner_text())
        page.wait_for_timeout(50)


def test_the_coach_says_what_advise_says(host: StaticHost, visit: Visit) -> None:
    page = visit.page
    page.goto(f"{host.url}/look-up/hand/index.html")
    page.fill("[name=own]", "Kd 5c")
    page.fill("[name=table]", "Qh 8s 2d")
    page.click("#asked button")
    page.wait_for_selector("#told table")
    told = page.locator("#told tbody tr").all_inner_texts()
    assert told == ["check\t-1.103111\t-590269/535095", "2x\t-1.319255\t-1411853/1070190"]
    page.fill("[name=known]", "9h")
    page.fill("[name=dead]", "2c")
    page.click("#asked button")
    page.wait_for_selector("#told td:has-text('-2672/4257')")
    told = page.locator("#told tbody tr").all_inner_texts()
    assert told == ["check\t-0.627672\t-2672/4257", "2x\t-0.796993\t-16964/21285"]


def test_every_look_up_answers(host: StaticHost, visit: Visit) -> None:
    page = visit.page
    for what, words in (("settle", "Dealer:"), ("check", "is valid")):
        page.goto(f"{host.url}/look-up/{what}/index.html")
        page.click("#asked button")
        page.wait_for_selector("#told p:not(.fine)")
        assert words in page.inner_text("#told")
    page.goto(f"{host.url}/practice/practice-TCP-1-1/drill/index.html")
    page.wait_for_selector("[data-action=fold]")
    page.click("[data-action=fold]")
    page.wait_for_selector("[data-action=next]")
    assert "Antes" in page.inner_text("#advice")


@pytest.mark.parametrize("book", ["UTH-S", "TCP-1"])
def test_a_drill_where_the_dealer_flashed_a_card(book: str, host: StaticHost, visit: Visit) -> None:
    """On the first question, which at Ultimate Texas Hold'em is put before the flop."""
    page = visit.page
    page.goto(f"{host.url}/practice/practice-{book}-1/drill/index.html")
    page.wait_for_selector("[data-action=check], [data-action=fold]")
    page.click("#flashed")
    page.wait_for_selector("#hand:has-text('The dealer flashed')")
    page.click("[data-action=check], [data-action=fold]")
    page.wait_for_selector("[data-action=next]")
    assert "Antes" in page.inner_text("#advice")
