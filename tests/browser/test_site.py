"""The docs site in a browser: no script complains, nothing is fetched from elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from playwright.sync_api import Browser, Route

from tests.browser.rooms import Visit, wait_until
from website.reference import book_pages

ROOT = Path(__file__).parents[2]
HERE = "127.0.0.1"
LINKS = "links => links.map(link => link.getAttribute('href'))"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        """Nobody reads along."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, built strictly and served as `python -m http.server` does it."""
    folder = tmp_path_factory.mktemp("site")
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder)))
    server = ThreadingHTTPServer((HERE, 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://{HERE}:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Whatever is looked at, the page does not complain and asks nobody else."""
    visit = Visit(chromium)
    yield visit
    assert visit.complaints == []
    assert visit.hosts == {HERE}
    visit.close()


def test_no_page_of_the_site_complains(site: str, visit: Visit) -> None:
    for page in (
        "index",
        "tutorial-player",
        "commands",
        "reference/python",
        "reference/trace-FCP-14",
    ):
        visit.page.goto(f"{site}/{page}.html", wait_until="load")
        assert visit.page.inner_text("h1")


def test_the_site_is_light_or_dark_as_the_system_is(site: str, visit: Visit) -> None:
    paper, white = "getComputedStyle(document.body).backgroundColor", "rgb(255, 255, 255)"
    visit.page.emulate_media(color_scheme="dark")
    visit.page.goto(f"{site}/tutorial-player.html")
    assert visit.page.evaluate(paper) != white
    visit.page.emulate_media(color_scheme="light")
    visit.page.wait_for_function(f"{paper} === '{white}'")
    visit.page.reload()
    assert visit.page.evaluate(paper) == white
    visit.page.emulate_media(color_scheme="dark")
    visit.page.wait_for_function(f"{paper} !== '{white}'")


def test_a_search_finds_each_chapter_once_and_in_its_own_words(site: str, visit: Visit) -> None:
    visit.page.goto(f"{site}/index.html?q=sealed+shoe")
    found = visit.page.locator("#mkdocs-search-results a")
    found.first.wait_for(state="attached")
    names = found.all_inner_texts()
    assert (names[0], names.count("The sealed shoe")) == ("The sealed shoe", 1)
    told = visit.page.locator("#mkdocs-search-results").inner_text()
    assert "The sealed shoe: Keys live in a file" in told, "a chapter says of which page it is"
    assert "¶" not in told


def test_the_site_can_be_searched(site: str, visit: Visit) -> None:
    visit.page.goto(f"{site}/index.html?q=sealed+shoe")
    found = visit.page.locator("#mkdocs-search-results a")
    found.first.wait_for(state="attached")
    assert any("sealed-shoe" in str(link) for link in found.evaluate_all(LINKS))


def test_what_is_typed_before_the_index_is_there_is_searched(site: str, visit: Visit) -> None:
    held: list[Route] = []
    visit.page.context.route("**/search_index.json", lambda route: held.append(route))
    visit.page.goto(f"{site}/index.html")
    visit.page.click("[data-bs-target='#mkdocs_search_modal']")
    visit.page.fill("#mkdocs-search-query", "stub")
    wait_until(visit.page, lambda: bool(held), "the index is asked for")
    held[0].continue_()
    results = visit.page.locator("#mkdocs-search-results a")
    results.first.wait_for()
    visit.page.fill("#mkdocs-search-query", "sealed shoe")
    visit.page.locator("#mkdocs-search-results a[href*='sealed-shoe.html']").first.click()
    visit.page.locator("[role=main] mark").first.wait_for()


def test_the_menu_has_the_pages_of_every_rulebook(site: str, visit: Visit) -> None:
    visit.page.goto(f"{site}/index.html")
    linked = visit.page.locator(".navbar a").evaluate_all(LINKS)
    assert {address.replace(".md", ".html") for address in book_pages()} <= set(linked)


def test_hits_are_marked_in_the_results_and_on_the_page(site: str, visit: Visit) -> None:
    visit.page.goto(f"{site}/index.html?q=sealed+shoe")
    found = visit.page.locator("#mkdocs-search-results a[href*='sealed-shoe.html']").first
    found.wait_for(state="attached")
    visit.page.wait_for_selector("#mkdocs-search-results mark", state="attached")
    address = found.evaluate("link => link.href")
    visit.page.goto(address)
    marks = visit.page.locator("[role=main] mark").all_inner_texts()
    assert {word.lower() for word in marks} == {"sealed", "shoe"}


def test_a_block_is_highlighted_and_its_commands_can_be_copied(site: str, visit: Visit) -> None:
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.page.goto(f"{site}/tutorial-player.html")
    block = visit.page.locator(".copied", has=visit.page.locator(".gp")).last
    block.hover()
    block.locator(".copy").click()
    block.get_by_text("Copied").wait_for()
    first, *rest = visit.page.evaluate("navigator.clipboard.readText()").splitlines()
    assert first.startswith("croupier simulate uth --rounds 200,000")
    assert first.endswith("\\")
    assert all(line.startswith("    --stake") for line in rest), "and nothing of what it says"


def test_the_site_has_the_icon_of_the_house(site: str, visit: Visit) -> None:
    visit.page.goto(f"{site}/reference/python.html")
    (address,) = visit.page.locator("link[rel='shortcut icon']").evaluate_all(LINKS)
    answer = visit.page.request.get(f"{site}/reference/{address}")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
