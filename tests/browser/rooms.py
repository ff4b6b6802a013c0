"""``croupier play`` in a process of its own, and a player at its table in a browser."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, WebSocket

from tests.server.service import Service

ASKED = ".choice:not(:disabled)"
MAY_DEAL = "[data-act=deal]:not(:disabled)"
READY = "[data-act]:not([data-act=skip], .choice)"
MOST_BYTES = 300_000
PATIENCE_S = 30
LEAST_SHIFT = 0.05
REFUSED = "status of 409 (Conflict)"
# What answers a player's own press within half a second is no jump. That clock stands still while
# the answer is under way: on a busy machine it comes later, and is the answer still.
SHIFTS = """
window.jumps = [];
const GRACE_MS = 500;
const answered = window.fetch;
let pressed = -Infinity, graceEnds = -Infinity, underWay = 0;
for (const kind of ["pointerdown", "click", "keydown", "change"]) {
  addEventListener(kind, () => { pressed = performance.now(); }, { capture: true });
}
window.fetch = async (...asked) => {
  const isOfPress = performance.now() < Math.max(pressed + GRACE_MS, graceEnds);
  if (!isOfPress) return answered(...asked);
  underWay += 1;
  graceEnds = Infinity;
  try {
    return await answered(...asked);
  } finally {
    underWay -= 1;
    if (!underWay) graceEnds = performance.now() + GRACE_MS;
  }
};
new PerformanceObserver((list) => {
  for (const { hadRecentInput, startTime, value, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    const moved = sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? node?.textContent);
    window.jumps.push({ value, moved, answers: startTime < graceEnds });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
AXE = Axe()
# The papers in the desk's frame run no scripts: axe cannot ask them anything, and says so.
WCAG = {
    "iframes": False,
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "rules": {"target-size": {"enabled": True}},
}
MOST_TABS = 200
# Null where the page has no focus any more or the round begins anew; nothing where it is seen.
# The browser scrolls to where Tab led with the next picture, not before.
FOCUS = """async () => {
  await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  const at = document.activeElement;
  window.tabbed ??= new Set();
  if (!at || at === document.body || window.tabbed.has(at)) return (window.tabbed = null);
  window.tabbed.add(at);
  const { left, top, width, height } = at.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  const isCovered = !over || !(at.contains(over) || over.contains(at));
  const ring = at.matches(".spot") ? getComputedStyle(at.firstElementChild).stroke !== "none"
    : getComputedStyle(at).outlineStyle !== "none";
  const name = at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 40);
  return isCovered || !ring ? `${isCovered ? "covered" : "no ring"}: ${at.tagName} ${name}` : "";
}"""
# A network where answers come later than the news of what they say, and one where the news come
# later: whoever clicks meanwhile must not lose the click.
SLOW_ANSWERS = """
const quick = window.fetch;
window.fetch = async (...asked) => {
  const answer = await quick(...asked);
  await new Promise((go) => setTimeout(go, 120));
  return answer;
};
"""
LATE_NEWS = """
const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", {
  set(hears) { set.call(this, (news) => setTimeout(() => hears(news), window.late ?? 0)); },
});
"""
A_CARD = re.compile(r'"([2-9TJQKA][shdc])"')


class PracticeRoom:
    def __init__(self, folder: Path, *options: str, seed: int = 5, host: str = "127.0.0.1") -> None:
        self._folder, self._options, self._seed, self._host = folder, options, seed, host
        self.port = _free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.link = ""
        self.cookies: list[Any] = []

    def start(self) -> PracticeRoom:
        log = self._folder / "play.log"
        words = self._words("--port", str(self.port), "--seed", str(self._seed), *self._options)
        with log.open("wb") as file:
            self.process = subprocess.Popen(words, stdout=file, stderr=file, env=self._home())
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found = re.search(r"http://\S+/sit/\S+", log.read_text())
            if found and _answers(self._host, self.port):
                self.link, self.cookies = found[0], []
                return self
            assert self.process.poll() is None, log.read_text()
            time.sleep(0.05)
        raise AssertionError(log.read_text())

    def start_another(self, *options: str) -> subprocess.CompletedProcess[str]:
        """``croupier play`` once more on the same ledger, while this one runs."""
        return subprocess.run(
            self._words(*options), env=self._home(), capture_output=True, text=True, timeout=60
        )

    def _words(self, *options: str) -> list[str]:
        ledger = str(self._folder / "practice.db")
        told = [sys.executable, "-m", "croupier", "play", "--no-browser", "--ledger", ledger]
        return [*told, *options]

    def _home(self) -> dict[str, str]:
        return dict(os.environ, XDG_DATA_HOME=str(self._folder), COLUMNS="200")

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """As Ctrl-C does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=30)


class Visit:
    """One page and everything it asked for, heard and said."""

    def __init__(self, browser: Browser, wide: int = 1280, tall: int = 0) -> None:
        tall = tall or (740 if wide < 500 else 900)
        self._is_touched = min(wide, tall) < 500  # a phone, upright or on its side
        self._context = browser.new_context(
            viewport={"width": wide, "height": tall},
            reduced_motion="reduce",
            has_touch=self._is_touched,
        )
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(60_000)
        self.hosts: set[str] = set()
        self.complaints: list[str] = []
        self.frames: list[str] = []
        self.bytes = 0
        self.page.add_init_script(SHIFTS)
        self.page.on("request", self._asked)
        self.page.on("response", self._answered)
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("websocket", self._opened)

    def close(self) -> None:
        self._context.close()

    def press(self, selector: str) -> None:
        """With the finger where this is a phone, with the mouse where it is not."""
        if self._is_touched:
            self.page.tap(selector)
        else:
            self.page.click(selector)

    def jumps(self, *, late_answers: bool = False) -> list[dict[str, Any]]:
        """What has moved on this page by itself, where it is more than users begin to notice; with
        what late answers moved."""
        every: list[dict[str, Any]] = self.page.evaluate("window.jumps")
        jumps = [jump for jump in every if late_answers or not jump["answers"]]
        return jumps if sum(jump["value"] for jump in jumps) >= LEAST_SHIFT else []

    def _asked(self, request: Request) -> None:
        self.hosts.add(str(urlsplit(request.url.removeprefix("blob:")).hostname))

    def _answered(self, response: Response) -> None:
        self.bytes += int(response.headers.get("content-length", "0"))

    def _said(self, message: ConsoleMessage) -> None:
        """A refusal is an answer: that the browser notes its status is no fault of the page."""
        if message.type in ("error", "warning") and REFUSED not in message.text:
            self.complaints.append(message.text)

    def _opened(self, socket: WebSocket) -> None:
        self.hosts.add(str(urlsplit(socket.url).hostname))
        socket.on("framereceived", lambda text: self.frames.append(str(text)))


def entered(service: Service, browser: Browser, token: str, wide: int = 1280) -> Visit:
    """Somebody who is logged in already; the login page has tests of its own."""
    visit = Visit(browser, wide)
    log_in(visit, service, token)
    return visit


def log_in(visit: Visit, service: Service, token: str) -> None:
    visit.page.context.add_cookies([{"name": "croupier", "value": token, "url": service.url}])


class Player(Visit):
    """Somebody at a practice table, who plays by what the page offers."""

    def __init__(self, browser: Browser, wide: int = 1280, tall: int = 0) -> None:
        super().__init__(browser, wide, tall)
        self._sat: set[str] = set()

    def enter(self, room: PracticeRoom) -> None:
        """By the link, which is good once; whoever comes later has the cookie of the first."""
        if room.cookies:
            self.page.context.add_cookies(room.cookies)
            self.page.goto(f"http://127.0.0.1:{room.port}/practice")
        else:
            self.page.goto(room.link)
            room.cookies = list(self.page.context.cookies())

    def sit(self, room: PracticeRoom, table: str) -> None:
        self.enter(room)
        self.bytes = 0
        self.page.goto(f"http://127.0.0.1:{room.port}/practice/{table}")
        self.page.wait_for_selector("[data-act]")
        if table not in self._sat:
            self._end_what_others_left()
        self._sat.add(table)
        if self.page.locator("#how[open]").count():
            self.page.click("#how-done")
        if self.page.locator("[data-act=clear]").count():
            self.page.click("[data-act=clear]")
            self.page.wait_for_selector("[data-act=first]")

    def _end_what_others_left(self) -> None:
        """A round that somebody left before its end goes on, and this page would take its wagers
        for its own player's: he begins with none."""
        page = self.page
        page.wait_for_selector(f"{ASKED}, {READY}")
        if page.locator("#how[open]").count() and page.locator(ASKED).count():
            page.click("#how-done")
        while page.locator(ASKED).count():
            version = self.latest()["version"]
            page.locator(ASKED).last.click()
            self.wait_beyond(version)
            page.wait_for_selector(f"{ASKED}, {READY}")
        if page.locator("[data-act=again]").count():
            page.evaluate("sessionStorage.clear()")
            page.reload()
            page.wait_for_selector(READY)

    def choose(self, setting: str, value: str) -> None:
        tools = self.page.locator(".tools")
        if not tools.evaluate("tools => tools.open"):
            tools.locator("summary").click()
        with self.page.expect_response("**/settings"):
            self.page.select_option(f"#{setting}", value)
        tools.locator("summary").click()

    def round(self, choice: int = 0) -> dict[str, Any]:
        """Wager as before, or the least; choose the same button each time; the last frame."""
        first = self.page.locator("[data-act=first]")
        if first.count():
            first.click()
        self.page.click(MAY_DEAL)
        number = self.latest()["view"]["round"]
        while True:
            self.page.wait_for_function(
                "number => document.querySelector('.choice:not(:disabled)')"
                " || document.querySelector('#receipt-title').textContent.endsWith(` ${number}`)"
                " && document.querySelector('[data-act=deal]:not(:disabled)')",
                arg=number,
            )
            asked = self.page.locator(ASKED)
            if not asked.count():
                return self.latest()
            version = self.latest()["version"]
            asked.nth(min(choice, asked.count() - 1)).click()
            self.wait_beyond(version)

    def latest(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.frames[-1])
        return told

    def wait_beyond(self, version: int) -> None:
        wait_until(self.page, lambda: self.latest()["version"] > version, "the table moves on")


def serious(visit: Visit) -> list[str]:
    """What axe finds against WCAG 2.2 AA on the page as it is, sizes of targets included."""
    found: dict[str, Any] = AXE.run(visit.page, options=WCAG).response
    return [
        f"{each['id']}: {json.dumps([node['target'] for node in each['nodes']][:3])}"
        for each in found["violations"]
    ]


def unseen_focus(page: Page) -> list[str]:
    """Where Tab leads and nobody sees it: no ring, or something else lies over it."""
    page.evaluate("document.activeElement.blur()")
    hidden: list[str] = []
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        told = page.evaluate(FOCUS)
        if told is None:
            return hidden
        if told:
            hidden.append(told)
    raise AssertionError("Tab never comes to an end")


def wait_until(page: Page, true: Callable[[], bool], what: str) -> None:
    """Let the pages live until this is true; what takes too long fails with what they show."""
    until = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until, f"waited in vain until {what}: {page.inner_text('body')}"
        page.wait_for_timeout(10)


def cards_in(text: str) -> set[str]:
    return set(A_CARD.findall(text))


def _answers(host: str, port: int) -> bool:
    with socket.socket() as door:
        return door.connect_ex((host, port)) == 0


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
