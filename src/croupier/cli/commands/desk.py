"""``croupier desk``: the manager's form in the browser, from nothing to the pack that is filed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.cli.files import text_of
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry


def desk(
    submission: Path | None = None,
    /,
    *,
    port: int = 0,
    browser: bool = True,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Choose a table's rules in the browser, and make its pack.

    The form shows for each choice what the rulebook allows, what it earns and what it asks for;
    what the check finds stands beside the field it concerns. It makes the pack that is filed:
    submission, layout, signs, mathematics, the dealer's card and the player's guide. It runs on
    this machine alone, and the link it shows lets one browser in.

    For example:

        croupier desk

        croupier desk table-12.toml

        croupier desk --no-browser --port 8080

    Parameters
    ----------
    submission
        A submission to begin with, in TOML; without it the shipped one of the newest rulebook.
    port
        The port of the page; without it any that is free.
    browser
        Open a browser; the link is shown in any case. Ctrl-C closes the desk.
    """
    opens = _read(submission) if submission is not None else None
    with counting("setting up the desk") as waiting:
        _serve(registry, opens, port, waiting.end, browser=browser)
    return 0


def _serve(
    registry: Registry,
    opens: str | None,
    port: int,
    ready: Callable[[], None],
    *,
    browser: bool,
) -> None:
    """Until Ctrl-C; ``ready`` is told when it listens."""
    # The service is imported here, so that a file that cannot be read is told at once.
    import uvicorn

    from croupier.cli.service import Server, address_of, listening, show_link
    from croupier.practice.link import OneTimeLink
    from croupier.server.desk.routes import Desk, desk_app

    console = Screen(stderr=True, highlight=False)
    with listening(port) as door:
        link = OneTimeLink(address_of(door))

        def opened() -> None:
            ready()
            show_link(console, "Your desk is ready", str(link), browser=browser)
            console.print("Ctrl-C closes it.")

        app = desk_app(Desk(registry, link, opens), opened)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
        Server(config).run(sockets=[door])


def _read(submission: Path) -> str:
    try:
        return text_of(submission)
    except Unreadable as error:
        raise Unreadable(f"{submission}: {error}") from None
