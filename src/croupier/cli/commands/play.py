"""``croupier play``: a practice table in the browser or the terminal, with a house of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from croupier.cli.practice import wager_entry
from croupier.cli.practice.choices import Coach, choices_now, picked, show_choices
from croupier.cli.practice.training_table import chosen_submission, seats_asked
from croupier.cli.screen import Screen
from croupier.cli.text.table import draw, draw_receipt, signed
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import Registry
from croupier.practice import regulars
from croupier.practice.announcements import overheard
from croupier.practice.table import PracticeTable, practice_table
from croupier.submission.submission import Submission
from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.narration import money, written_for
from croupier.table.state import State
from croupier.table.views import View, Viewer, view

YOU = "You"
BROUGHT_CENTS = 1_000_00
USUAL_SEATS = 3

Ask = Callable[[State], str]


def play(
    *,
    game: str | None = None,
    rulebook: str | None = None,
    submission: Path | None = None,
    seats: int | None = None,
    others: regulars.Style = regulars.USUAL_STYLE,
    terminal: Annotated[bool, Parameter(negative="")] = False,
    coach: Annotated[bool, Parameter(negative="")] = False,
    example: Annotated[bool, Parameter(negative="")] = False,
    seed: int | None = None,
    ledger: Path | None = None,
    port: int = 0,
    browser: bool = True,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Sit down at a practice table, with $1,000 of practice chips, against an automatic dealer.

    For example:

        croupier play

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
        How many boxes are played, yours among them; without it three.
    others
        How the others decide: simple, optimal, bold or late.
    terminal
        Play here, in the terminal.
    coach
        Show the exact value of each choice before you choose; for practice only.
    example
        Play one round in the terminal by itself, with automatic choices, and end.
    seed
        The same seed deals the same cards; its rounds are kept only in a ledger that is named.
    ledger
        The ledger file the rounds are kept in; without it practice.db in your data folder.
    port
        The port of the table in the browser; without it any that is free.
    browser
        Open a browser; the link is shown in any case. Ctrl-C ends the evening.
    """
    filed = chosen_submission(registry, game, rulebook, submission)
    asked = seats_asked(seats, USUAL_SEATS, filed.boxes)
    if terminal or example:
        _in_terminal(registry, filed, asked, others, ledger, seed, coach=coach, example=example)
    else:
        opens = filed if game or rulebook or submission else None
        _in_browser(
            registry, opens, asked, others, ledger, seed, port, coach=coach, browser=browser
        )
    return 0


def _in_browser(
    registry: Registry,
    filed: Submission | None,
    seats: int,
    others: regulars.Style,
    ledger: Path | None,
    seed: int | None,
    port: int,
    *,
    coach: bool,
    browser: bool,
) -> None:
    # The service is imported here, so that a table in the terminal opens without waiting for it.
    from croupier.cli.practice.browser import play_in_browser
    from croupier.server.pages.practice_room import PracticeSettings

    settings = PracticeSettings(seats=seats, others=others, coach="before" if coach else "off")
    play_in_browser(registry, filed, settings, ledger, seed, port, browser=browser)


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
    with practice_table(filed, registry, ledger, seed) as table:
        counts = Coach(registry, table.state.book)
        company = _Others(others, counts)
        ask = _Automatic(console) if example else _Typed(console)
        tutor = counts if coach else None
        _TerminalSession(table, seats, console, ask, tutor, company).run(1 if example else None)


class _Others:
    """How the regulars decide; the best there is has to be counted first."""

    def __init__(self, style: regulars.Style, counts: Coach) -> None:
        self._style, self._counts = style, counts

    def __call__(self, state: State) -> do.Command:
        box = asked_box(state)
        if self._style != "optimal" or box is None:
            return regulars.decision(state, self._style)
        shown = view(state, Viewer(role="player", name=box.player))
        values = self._counts.values(state, shown, box.seat)
        return regulars.answer(state, max(values, key=lambda action: values[action]))


class _Typed:
    """Answers from the keyboard or a pipe, whose lines are shown as if they were typed."""

    def __init__(self, console: Screen) -> None:
        self._console = console

    def __call__(self, state: State) -> str:
        self._console.print(Text("> ", style="bold green"), end="")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not sys.stdin.isatty():
            self._console.print(Text(line.strip()))
        return line.strip().lower()


class _Automatic:
    """The wagers as they lie, and the choices of a regular."""

    def __init__(self, console: Screen) -> None:
        self._console = console

    def __call__(self, state: State) -> str:
        answer = "" if phase(state) == "betting" else regulars.action_now(state)
        self._console.print(Text("> ", style="bold green").append(answer, "default"))
        return answer


class _TerminalSession:
    """One player's stay at the table."""

    def __init__(
        self,
        table: PracticeTable,
        seats: int,
        console: Screen,
        ask: Ask,
        coach: Coach | None,
        others: _Others,
    ) -> None:
        self.table, self.console, self.ask, self.coach = table, console, ask, coach
        self.others = others
        self.rounds = 0
        self._heard: list[str] = []
        own = [seat for seat, name in table.state.seats.items() if name == YOU]
        self.seat = own[0] if own else (seats + 1) // 2
        if not own:
            self._sit(seats)
        elif table.state.round.stage != "betting":
            self.console.print("You were in the middle of a round; it goes on.")
        down = table.state.round.boxes.get(self.seat)
        least = wager_entry.least_stakes(table.state.terms)
        self._stakes: dict[str, int] = {**down.stakes} if down else least
        self.brought_cents = self.chips_cents + (sum(down.stakes.values()) if down else 0)

    def _sit(self, seats: int) -> None:
        """You and the regulars take your boxes, with chips for each."""
        self._clear_chips()
        taken = self.table.state.seats
        for seat in range(1, seats + 1):
            name = YOU if seat == self.seat else regulars.name_of(seat)
            if seat not in taken:
                self.table.give(do.TakeBox(by=name, role="player", box=seat))
            self._buy_in(seat)
        self.table.work()

    def _buy_in(self, seat: int) -> None:
        self.table.give(do.BuyIn(by="dealer", role="dealer", box=seat, cents=BROUGHT_CENTS))

    @property
    def chips_cents(self) -> int:
        """What is in hand; what lies on the felt is not."""
        return self.table.state.chips.get(self.seat, 0)

    def run(self, most_rounds: int | None = None) -> None:
        """Round after round, until you leave or so many are played."""
        book = self.table.state.book
        if book.table.electronic is None:
            practice = f"{book.id} provides for no electronic table; this one is for practice only."
            self.console.print(Text(practice, style="dim"))
        try:
            if self.table.state.round.stage != "betting":
                self._finish_round()
            while self.rounds != most_rounds and self._bet():
                self._play_round()
        except EOFError:
            self.console.print()
        except KeyboardInterrupt:
            self.console.print()
            self._leave()
            raise
        self._leave()

    # Wagers

    def _bet(self) -> bool:
        """Whether a round is to be dealt; what lay there last lies there again."""
        self._bring_chips()
        self._place(self._stakes)
        self._show_wagers()
        while True:
            line = self.ask(self.table.state)
            if line in ("q", "quit"):
                return False
            if not line:
                return True
            try:
                terms = self.table.state.terms
                self._place(wager_entry.read_stakes(line, terms, self._stakes))
                self._show_wagers()
            except (Refusal, Unreadable) as error:
                self._sorry(error)

    def _place(self, stakes: dict[str, int]) -> None:
        """Put these on the felt instead of what lies there, or leave it all as it was."""
        down = self.table.state.round.boxes.get(self.seat)
        lies: dict[str, int] = dict(down.stakes) if down else {}
        if lies == stakes:
            return
        if lies:
            self.table.give(do.WithdrawWagers(by=YOU, role="player", box=self.seat))
        try:
            self._put_down(stakes)
        except (Refusal, Unreadable):
            if lies:
                self._put_down(lies)
            raise
        self._stakes = stakes

    def _put_down(self, stakes: dict[str, int]) -> None:
        self.table.give(do.PlaceWagers(by=YOU, role="player", box=self.seat, stakes=stakes))

    def _bring_chips(self) -> None:
        """A player who cannot wager as before goes back to the least, or gets fresh chips."""
        if self.seat in self.table.state.round.boxes:
            return
        if self.chips_cents < sum(self._stakes.values()):
            self._stakes = wager_entry.least_stakes(self.table.state.terms)
        if self.chips_cents < sum(self._stakes.values()):
            self._buy_in(self.seat)
            self.brought_cents += BROUGHT_CENTS
            self.console.print(f"Your chips are gone; {money(BROUGHT_CENTS)} more are brought.")

    def _show_wagers(self) -> None:
        self.console.print()
        number, chips = self.table.state.round.number, money(self.chips_cents)
        title = f"Your wagers for round {number}; {chips} in hand"
        self.console.print(Text(title, style="bold"))
        wager_entry.show_wagers(self.table.state.terms, self._stakes, self.console)

    # The round

    def _play_round(self) -> None:
        for seat in self.table.state.seats:
            if seat not in self.table.state.round.boxes:
                if self.table.state.chips.get(seat, 0) < BROUGHT_CENTS // 2:
                    self._buy_in(seat)
                for command in regulars.wagers(self.table.state, seat):
                    self.table.give(command)
        self._finish_round()

    def _finish_round(self) -> None:
        try:
            self._until_the_end(self._choose)
        except (EOFError, KeyboardInterrupt):
            self._walk_away()
            raise
        self._settle_up()

    def _until_the_end(self, choose: Callable[[], do.Command]) -> None:
        """The house and the others act; you are asked when it is your turn."""
        while True:
            command = self.table.duty()
            if isinstance(command, do.ClearCards):
                return
            if command is None:
                asked = asked_box(self.table.state)
                yours = asked is not None and asked.seat == self.seat
                command = choose() if yours else self.others(self.table.state)
            self._give(command)

    def _give(self, command: do.Command) -> None:
        before = self.table.state
        for event in self.table.give(command):
            said = overheard(event, before, YOU)
            self._heard += [said] if said else []

    def _choose(self) -> do.Command:
        shown = self._draw()
        choices = choices_now(self.table.state, shown, self.seat)
        values = self.coach.values(self.table.state, shown, self.seat) if self.coach else {}
        show_choices(choices, values, self.console)
        if not any(isinstance(choice.command, do.Play) for choice in choices):
            short = f"A Play wager takes more than the {money(self.chips_cents)} you have in chips."
            self.console.print(Text(short, style="yellow"))
        while True:
            try:
                line = self.ask(self.table.state)
                if line in ("q", "quit"):
                    raise EOFError
                return picked(line, choices).command
            except (Refusal, Unreadable) as error:
                self._sorry(error)

    def _draw(self) -> View:
        shown = view(self.table.state, Viewer(role="player", name=YOU))
        heard = written_for(" ".join(self._heard), self.console.shows_suits)
        self._heard = []
        self.console.print()
        self.console.print(Text(heard, style="dim"))
        draw(self.table.state, shown, YOU, self.chips_cents, self.console)
        return shown

    def _settle_up(self) -> None:
        shown = self._draw()
        yours = next(box for box in shown.boxes if box.seat == self.seat)
        draw_receipt(self.table.state, yours.lines, self.console)
        net = signed(yours.net_cents)
        total = Text("This round ", style="bold").append(net).append("; you have ", "bold")
        self.console.print(total.append(money(self.chips_cents), "bold"))
        self.rounds += 1
        self.table.work(lambda state: phase(state) == "betting")

    # Leaving

    def _walk_away(self) -> None:
        """A player who leaves during a round: the floorperson rules by the submission."""
        box = self.table.state.round.boxes.get(self.seat)
        if box is None or self.table.state.round.stage == "betting":
            return
        if not box.settled and not box.absent:
            away = do.ReportAbsence(by="dealer", role="dealer", box=self.seat)
            self.table.give(away)
        self.console.print("\nYou leave during a round; it is finished as the house rules say.")
        self._until_the_end(lambda: regulars.decision(self.table.state))
        self._settle_up()

    def _leave(self) -> None:
        """Everybody takes back what lies there, cashes out and leaves."""
        state = self.table.state
        if state.round.stage == "betting":
            for seat in state.round.boxes:
                self.table.give(do.WithdrawWagers(by=state.seats[seat], role="player", box=seat))
        have = self.chips_cents
        for seat, name in sorted(state.seats.items()):
            if self.table.state.chips.get(seat, 0):
                self.table.give(do.CashOut(by=name, role="player", box=seat))
            self.table.give(do.LeaveBox(by=name, role="player", box=seat))
        self._clear_chips()
        won = have - self.brought_cents
        ends = f"{money(abs(won))} {'more' if won > 0 else 'less'} than" if won else "just what"
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        told = f"You played {rounds} and leave with {money(have)}, {ends} you brought."
        self.console.print(Text(told, style="bold"))

    def _clear_chips(self) -> None:
        """What lies at a box whose player walked off in a round, the floorperson cashes out."""
        for seat, cents in self.table.state.chips.items():
            if cents and seat not in self.table.state.seats:
                self.table.give(do.CashOut(by="floorperson", role="floorperson", box=seat))

    def _sorry(self, error: Refusal | Unreadable) -> None:
        said = str(error)
        self.console.print(Text(f"{said[:1].upper()}{said[1:]}.", style="yellow"))
