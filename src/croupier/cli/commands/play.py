"""``croupier play``: a practice table in the browser or the terminal, with an automatic dealer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.cli.book_choice import chosen_book
from croupier.cli.practice.narrated_table import seats_asked
from croupier.cli.practice.terminal import TerminalSession, automatic, typed
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.games.registry import Registry
from croupier.practice import regulars
from croupier.practice.table import practice_table
from croupier.submission.submission import Submission

USUAL_SEATS = 3
EXAMPLE_SEED = 69  # a check, a Play on the flop, and a Blind that is paid


def play(
    *,
    game: str | None = None,
    rulebook: str | None = None,
    submission: Path | None = None,
    seats: int | None = None,
    others: regulars.Style | None = None,
    terminal: Annotated[bool, Parameter(negative="")] = False,
    coach: Annotated[bool, Parameter(negative="")] = False,
    example: Annotated[bool, Parameter(negative="")] = False,
    seed: int | None = None,
    ledger: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    browser: bool = True,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Sit down at a practice table, against an automatic dealer.

    You get $1,000 of practice chips, and others play beside you.

    For example:

        croupier play --terminal --game four-card --others optimal --coach

    Parameters
    ----------
    game
        The game by its id, such as uth or four-card; without it you choose in the browser.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission to play by; without it the shipped one of the rulebook.
    seats
        How many boxes are played, yours among them; without it as the last time, or three.
    others
        How the others decide: simple, optimal, bold or late; without it as last time, or simple.
    terminal
        Play here, in the terminal.
    coach
        Show the exact value of each choice before you choose; for practice only.
    example
        Play one round in the terminal by itself, as the coach advises, and end.
    seed
        The same seed deals the same cards; its rounds are kept only in a ledger that is named.
    ledger
        The ledger file the rounds are kept in; without it practice.db in your data folder.
    host
        An address of this machine in your network, for a phone: links as QR codes, too.
    port
        The port of the table in the browser; without it any that is free.
    browser
        Open a browser; the link is shown in any case. Ctrl-C ends the evening.
    """
    filed = chosen_book(registry, game, rulebook, submission).submission
    asked = seats_asked(seats, USUAL_SEATS, filed.boxes)
    if terminal or example:
        style = others or regulars.USUAL_STYLE
        _in_terminal(registry, filed, asked, style, ledger, seed, coach=coach, example=example)
        return 0
    named = {"seats": seats, "others": others, "coach": "before" if coach else None}
    chosen = {name: value for name, value in named.items() if value is not None}
    opens = filed if game or rulebook or submission else None
    with counting("setting up the room") as bar:
        # The service is imported here: a table in the terminal opens without waiting for it.
        from croupier.cli.practice.browser import play_in_browser

        ready = bar.end
        play_in_browser(registry, opens, chosen, ledger, seed, host, port, ready, browser=browser)
    return 0


def _in_terminal(
    registry: Registry,
    filed: Submission,
    seats: int,
    others: regulars.Style,
    ledger: Path | None,
    seed: int | None,
    *,
    coach: bool,
    example: bool,
) -> None:
    console = Screen(highlight=False)
    ask = automatic(console) if example else typed(console)
    if example:
        console.print("A round as the coach plays it; croupier play --terminal is yours.")
        if ledger is None and seed is None:
            seed = EXAMPLE_SEED
    with practice_table(filed, registry, ledger, seed, example=example) as table:
        session = TerminalSession(table, seats, others, console, ask, coach=coach or example)
        session.run(1 if example else None)
