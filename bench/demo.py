"""The table without an install: what goes over the wire, and how long until felt, Python and cards.

Chromium opens the built folder (`make demo`) as a visitor who was never there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import msgspec
from playwright.sync_api import Page, sync_playwright

import croupier
from bench.processor import cpu_s
from bench.report import NotMeasured, Row
from bench.tables import bytes_
from croupier.practice import coach
from croupier.practice.coach import Position
from tests.browser.conftest import CHROMIUM, QUIET
from tests.browser.static_host import StaticHost
from website.demo.folder import wire_size
from website.demo.parts import ROOT

FOLDER = ROOT / "build" / "demo"
PLAIN = "about/index.html"
TABLE = "practice/practice-UTH-S-1/index.html"
COUNTED = """async ([hash, position, times]) => {
  const { Kernel } = await import("../../demo/kernel.js");
  const kernel = new Kernel(await (await fetch("../../demo/coach.json")).json());
  const rules = [...kernel.rules.keys()];
  kernel.values(rules[hash], position);
  const began = performance.now();
  for (let time = 0; time < times; time++) kernel.values(rules[hash], position);
  return (performance.now() - began) / times;
}"""


KING_HIGH, BOARD = ("Kd", "5c"), ("Qh", "8s", "2d", "9c", "3h")
# The rules are counted among those of the shipped rulebooks.
POSITIONS = (
    ("on a flop", 0, Position("flop", KING_HIGH, BOARD[:3]), 10),
    ("on a flop, a card known", 0, Position("flop", KING_HIGH, BOARD[:3], known=("9h",)), 10),
    ("before it, a card known", 0, Position("before the flop", KING_HIGH, known=("9h",)), 1),
    ("on a river", 0, Position("river", KING_HIGH, BOARD), 100),
    ("with four cards", 2, Position("play", ("Kd", "5c", "5h", "2s", "9d"), up="Qh"), 10),
)


def rows() -> Iterator[Row]:
    if not FOLDER.exists():
        raise NotMeasured("build/demo is not there; run make demo first")
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    sent = sum(wire_size(path.name, path.read_bytes()) for path in files)
    whole = sum(path.stat().st_size for path in files)
    beside = f"bytes of its {len(files)} files ({bytes_(whole)})"
    yield Row("the demo over the wire, gzip", bytes_(sent), sent / whole, beside)
    with StaticHost(FOLDER) as host, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        plain_s = _open_s(browser.new_page(), f"{host.url}/{PLAIN}")  # each page with its own cache
        yield from _opened(browser.new_page(), host.url, plain_s)
        browser.close()


def _open_s(page: Page, url: str) -> float:
    began_s = time.perf_counter()
    page.goto(url)
    return time.perf_counter() - began_s


def _opened(page: Page, url: str, plain_s: float) -> Iterator[Row]:
    beside = f"time to open its page about itself ({plain_s:.2f} s)"
    began_s = time.perf_counter()

    def told(what: str) -> Row:
        taken_s = time.perf_counter() - began_s
        return Row(f"the demo: {what}", f"{taken_s:.2f} s", taken_s / plain_s, beside)

    page.goto(f"{url}/{TABLE}")
    page.wait_for_selector("[data-act=first]", state="attached")
    yield told("felt on the screen")
    page.click("#how-done")
    page.click("[data-act=first]")
    page.click("[data-act=deal]:not(:disabled)")
    page.wait_for_selector("#worker-note", state="hidden")
    yield told("Python is there")
    page.wait_for_selector("#near .card", state="attached")
    yield told("own cards dealt")
    page.wait_for_selector(".choice:not(:disabled)")
    yield told("the player asked, at a calm pace")
    yield from _coached(page)


def _coached(page: Page) -> Iterator[Row]:
    """The coach in JavaScript beside the one in Python."""
    for what, at, position, times in POSITIONS:
        coach_ms = page.evaluate(COUNTED, [at, msgspec.to_builtins(position), times])
        ask = partial(_advise, at, position)
        ask()
        here_ms = 1000 * cpu_s(lambda: [ask() for _ in range(times)]) / times  # noqa: B023
        beside = f"time in Python ({here_ms:.2f} ms)"
        yield Row(f"the demo: the coach {what}", f"{coach_ms:.2f} ms", coach_ms / here_ms, beside)


def _advise(at: int, position: Position) -> object:
    registry = croupier.the_registry()
    rules = croupier.shipped_submission(list(registry.books)[at]).rules(registry)
    return coach.counted(None, rules, position)
