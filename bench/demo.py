"""The table without an install: what goes over the wire, and how long until felt, Python and cards.

Chromium opens the built folder (`make demo`) as a visitor who was never there.
"""

from __future__ import annotations

import sys
import time

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM, QUIET
from tests.browser.static_host import StaticHost
from website.demo.folder import wire_size
from website.demo.parts import ROOT

FOLDER = ROOT / "build" / "demo"
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
FLOP = {"street": "flop", "own": ["Kd", "5c"], "board": ["Qh", "8s", "2d"], "up": ""}
RIVER = FLOP | {"street": "river", "board": ["Qh", "8s", "2d", "9c", "3h"]}
FOUR = {"street": "play", "own": ["Kd", "5c", "5h", "2s", "9d"], "board": [], "up": "Qh"}


def main() -> None:
    if not FOLDER.exists():
        sys.exit("croupier: build/demo is not there; run make demo first")
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    sent = {path: wire_size(path.name, path.read_bytes()) for path in files}
    print(f"{'over the wire, gzip':38} {sum(sent.values()) / 1e6:8.2f} MB, {len(files)} files")
    for path, size in sorted(sent.items(), key=lambda item: -item[1])[:5]:
        print(f"  {path.relative_to(FOLDER)!s:36} {size / 1e6:8.2f} MB")
    with StaticHost(FOLDER) as host, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        _measure(browser.new_page(), host.url)
        browser.close()


def _measure(page: Page, url: str) -> None:
    began = time.perf_counter()

    def told(what: str) -> None:
        print(f"{what:38} {time.perf_counter() - began:8.2f} s")

    page.goto(f"{url}/{TABLE}")
    page.wait_for_selector("[data-act=first]", state="attached")
    told("felt on the screen")
    page.click("#how-done")
    page.click("[data-act=first]")
    page.click("[data-act=deal]:not(:disabled)")
    page.wait_for_selector("#worker-note", state="hidden")
    told("Python is there")
    page.wait_for_selector("#near .card", state="attached")
    told("own cards dealt, at a calm pace")
    page.wait_for_selector(".choice:not(:disabled)")
    told("the player asked, at a calm pace")
    for what, at, position, times in (
        ("the coach on a flop", 0, FLOP, 10),
        ("the coach on a river", 0, RIVER, 100),
        ("the coach with four cards", 2, FOUR, 10),
    ):
        print(f"{what:38} {page.evaluate(COUNTED, [at, position, times]):8.2f} ms")


if __name__ == "__main__":
    main()
