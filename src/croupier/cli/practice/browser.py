"""The practice table in the browser: a service for one player, on this machine alone."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import uvicorn

from croupier.cli.screen import Screen
from croupier.cli.service import Server
from croupier.facts.errors import Unavailable
from croupier.games.registry import Registry
from croupier.practice.link import OneTimeLink
from croupier.practice.table import Occupied, practice_ledger, table_for
from croupier.server.access.console_admin import Setup
from croupier.server.app import make_app
from croupier.server.pages import practice_routes
from croupier.server.pages.practice_room import PracticeSettings
from croupier.server.pit.pit import Pit
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Submission

LOOPBACK = "127.0.0.1"


def play_in_browser(
    registry: Registry,
    filed: Submission | None,
    settings: PracticeSettings,
    ledger: Path | None,
    seed: int | None,
    port: int,
    *,
    browser: bool,
) -> None:
    """Serve the practice room until Ctrl-C; with a submission, its table is opened at once.

    Where a room runs on this ledger already, the way leads into that one.
    """
    console = Screen(stderr=True, highlight=False)
    try:
        with practice_ledger(ledger, seed) as (kept, ring, bits), _listening(port) as door:
            room = f"http://{LOOPBACK}:{door.getsockname()[1]}"
            link = OneTimeLink(room, Path(kept.address))
            names = [
                table_for(kept, one, registry, ring, bits).name for one in _tables(registry, filed)
            ]
            opens = f"/practice/{names[0]}" if filed is not None else "/practice"

            def opened(pit: Pit, setup: Setup) -> None:
                link.publish()
                _show(console, "Your table is ready", str(link), browser=browser)
                console.print("Ctrl-C ends the evening.")

            app = make_app(
                lambda: practice_routes.PracticePit(kept, registry, ring, bits),
                opened,
                practice_routes.HANDLERS,
                [
                    practice_routes.room(
                        lambda pit: practice_routes.PracticeEvening(pit, settings, opens, link)
                    )
                ],
            )
            config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
            Server(config).run(sockets=[door])
    except Occupied as taken:
        if not taken.link:
            raise
        runs = f"A practice room runs on {taken.place} already, as it was started there"
        _show(console, runs, taken.link, browser=browser)


def _show(console: Screen, says: str, link: str, *, browser: bool) -> None:
    console.print(f"{says}: {link}", soft_wrap=True)
    if browser:
        webbrowser.open(link)


def _tables(registry: Registry, filed: Submission | None) -> Sequence[Submission]:
    """The table asked for, and the shipped one of every rulebook."""
    shipped = [shipped_submission(book) for book in registry.books]
    return [*([filed] if filed is not None else []), *shipped]


def _listening(port: int) -> socket.socket:
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((LOOPBACK, port))
        door.listen()  # who follows the link at once waits in line, and is not turned away
    except OSError as error:
        door.close()
        raise Unavailable(f"port {port} cannot be used: {error.strerror}") from None
    return door
