"""The practice table in the browser: a service for one player, on this machine or his phone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
import uvicorn

from croupier.cli.qr_code import show_qr_code
from croupier.cli.screen import Screen
from croupier.cli.service import LOOPBACK, Server, address_of, listening, show_link
from croupier.games.registry import Registry
from croupier.practice.link import OneTimeLink
from croupier.practice.profile import profile_beside
from croupier.practice.table import Occupied, practice_ledger, table_for, with_numbers
from croupier.server.access.console_admin import Setup
from croupier.server.app import make_app
from croupier.server.pages import drill_routes, practice_routes, record_routes
from croupier.server.pages.practice_room import SETTINGS, PracticeSettings
from croupier.server.pit.pit import Pit
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Submission

HANDLERS = (*practice_routes.HANDLERS, *drill_routes.HANDLERS, *record_routes.HANDLERS)


def play_in_browser(
    registry: Registry,
    filed: Submission | None,
    chosen: Mapping[str, object],
    ledger: Path | None,
    seed: int | None,
    host: str,
    port: int,
    ready: Callable[[], None],
    *,
    browser: bool,
) -> None:
    """Serve the practice room until Ctrl-C; with a submission, its table is opened at once.

    What is ``chosen`` now takes the place of what was chosen the last time. Where a room runs on
    this ledger already, the way leads into that one. ``ready`` is told before anything is shown.
    Where other machines are let in, each link is shown for their cameras too, and the next one as
    soon as it was used.
    """
    console = Screen(stderr=True, highlight=False)
    is_shared = host != LOOPBACK

    def show_next(link: str) -> None:
        show_link(console, "For one more device", link, browser=False)
        show_qr_code(console, link)

    try:
        with practice_ledger(ledger, seed) as (kept, ring, bits), listening(port, host) as door:
            link = OneTimeLink(
                address_of(door), Path(kept.address), show_next if is_shared else None
            )
            profile = profile_beside(Path(kept.address), kept.id)
            last = profile.note(SETTINGS, PracticeSettings) or PracticeSettings()
            settings = msgspec.structs.replace(last, **chosen)
            names = [
                table_for(kept, with_numbers(one, seed), registry, ring, bits).name
                for one in _tables(registry, filed)
            ]
            opens = f"/practice/{names[0]}" if filed is not None else "/practice"

            def opened(pit: Pit, setup: Setup) -> None:
                link.publish()
                ready()
                show_link(console, "Your table is ready", str(link), browser=browser)
                if is_shared:
                    show_qr_code(console, str(link))
                console.print("Ctrl-C ends the evening.")

            app = make_app(
                lambda: practice_routes.PracticePit(kept, registry, ring, bits),
                opened,
                HANDLERS,
                [
                    practice_routes.room(
                        lambda pit: practice_routes.PracticeEvening(
                            pit, settings, opens, link, profile
                        )
                    )
                ],
            )
            config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
            Server(config).run(sockets=[door])
    except Occupied as taken:
        if not taken.link:
            raise
        ready()
        runs = f"A practice room runs on {taken.place} already, as it was started there"
        show_link(console, runs, taken.link, browser=browser)


def _tables(registry: Registry, filed: Submission | None) -> Sequence[Submission]:
    """The table asked for, and the shipped one of every rulebook."""
    shipped = [shipped_submission(book) for book in registry.books]
    return [*([filed] if filed is not None else []), *shipped]
