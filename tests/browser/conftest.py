"""A real browser, once for all tests; where there is none they say so, and CI fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

from croupier.ledger.shoe.key_ring import create_ring
from tests.browser.rooms import PracticeRoom
from tests.ledger.conftest import server as server
from tests.ledger.stores import Server
from tests.server.service import Service

# The one without windows starts and draws faster; either will do.
INSTALLED = [f"/usr/bin/{name}" for name in ("chromium-headless-shell", "chromium")]
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(os.path.exists, INSTALLED), INSTALLED[0])
STORES = ("sqlite", "postgresql")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        why = f"NO BROWSER: {CHROMIUM} is missing, so the pages are not tested (install chromium)"
        # CI sets this, so that there the pages are always tested.
        if "NEEDS_BROWSER" in os.environ:
            pytest.fail(why, pytrace=False)
        pytest.skip(why)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        try:
            browser.close()
        except Error:
            return


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PracticeRoom]:
    """One practice room for all who only play in it; each leaves the felt as he found it."""
    room = PracticeRoom(tmp_path_factory.mktemp("room")).start()
    yield room
    room.stop()


@pytest.fixture
def new_room(tmp_path: Path) -> Iterator[PracticeRoom]:
    """A practice room that nobody has been in: what it keeps of players is as at first."""
    room = PracticeRoom(tmp_path).start()
    yield room
    room.stop()


@pytest.fixture(
    scope="session",
    params=[pytest.param(one, marks=[pytest.mark.prove] * (one == "postgresql")) for one in STORES],
)
def pit(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """One pit for every evening that lays a table of its own (:func:`~tests.browser.evenings.laid`)
    and lets the service live, on either store."""
    folder, place = tmp_path_factory.mktemp("pit"), list[str]()
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("server")
        create_ring(folder / "keys")
        place = [server.empty_database(), "--keys", str(folder / "keys")]
    service = Service(folder, *place, decision_seconds=0).start()
    yield service
    service.stop()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path, decision_seconds=0).start()
    yield service
    service.stop()
