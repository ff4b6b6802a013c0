"""``croupier play``: a practice table in the terminal, against an automatic dealer."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from croupier.cli import betting, regulars
from croupier.cli.choices import Choice, Coach, choices_now, picked, show_choices
from croupier.cli.felt import draw, draw_receipt, signed
from croupier.cli.screen import Screen
from croupier.cli.tell_events import money, written_for
from croupier.cli.training import (
    TrainingTable,
    chosen_submission,
    first_readings,
    seats_asked,
    training_terms,
)
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.house import House
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, phase
from croupier.table.double_entry import entries
from croupier.table.state import State
from croupier.table.views import View, Viewer, view

YOU = "You"
BROUGHT_CENTS = 1_000_00
USUAL_SEATS = 3
LATER = "The browser table is still to come"

Ask = Callable[[State], str]


def play(
    *,
    game: str | None = None,
    rulebook: str | None = None,
    submission: Path | None = None,
    seats: int | None = None,
    terminal: Annotated[bool, Parameter(negative="")] = False,
    coach: Annotated[bool, Parameter(negative="")] = False,
    example: Annotated[bool, Parameter(negative="")] = False,
    seed: int | None = None,
    house: Annotated[House, Parameter(parse=False)],
) -> int:
    """Sit down at a practice table, with $1,000 of practice chips, against an automatic dealer.

    Each round: place your wagers, press Enter, answer when you are asked, read your receipt. The
    other boxes are played by simple rules. Nothing here is a live game.

    For example:

        croupier play --terminal

        croupier play --terminal --game four-card --seats 1 --coach

        croupier play --terminal --example --seed 1

    Parameters
    ----------
    game
        The game: uth or four-card.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission to play by; without it the shipped one of the rulebook.
    seats
        How many boxes are played, yours among them; without it three.
    terminal
        Play here, in the terminal.
    coach
        Show the exact value of each choice before you choose; for practice only.
    example
        Play one round by itself, with automatic choices, and end.
    seed
        The same seed deals the same cards.
    """
    on_screen = example or sys.stdin.isatty()
    if not terminal and not on_screen:
        raise Unreadable(f"{LATER}; croupier play --terminal plays here, from a pipe too")
    console = Screen(highlight=False)
    if not terminal:
        console.print(f"{LATER}; this is the one in the terminal")
    filed = chosen_submission(house, game, rulebook, submission)
    asked = seats_asked(seats, USUAL_SEATS, filed.boxes)
    drawn = secrets.randbits(64) if seed is None else seed
    terms = training_terms(filed, house, on_screen=True)
    table = TrainingTable(terms, first_readings(filed), drawn)
    tutor = Coach(house, table.state.book) if coach else None
    ask = _Automatic(console) if example else _Typed(console)
    _Session(table, asked, console, ask, tutor).run(1 if example else None)
    return 0


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


class _Session:
    """One player's stay at the table."""

    def __init__(
        self, table: TrainingTable, seats: int, console: Screen, ask: Ask, coach: Coach | None
    ) -> None:
        self.table, self.console, self.ask, self.coach = table, console, ask, coach
        self.seat = (seats + 1) // 2
        self.brought_cents = BROUGHT_CENTS
        self.rounds = 0
        self._heard: list[str] = []
        self._stakes = betting.least_stakes(table.state.terms)
        for seat in range(1, seats + 1):
            name = YOU if seat == self.seat else regulars.name_of(seat)
            table.give(do.TakeBox(by=name, role="player", box=seat))
        table.work()

    @property
    def chips_cents(self) -> int:
        """What is in hand, by double entry; what lies on the felt is not."""
        moved = sum(
            micros
            for happening in self.table.happenings
            for account, micros in entries(happening.event)
            if account == f"purse {self.seat}"
        )
        return self.brought_cents + moved // 10_000

    def run(self, most_rounds: int | None = None) -> None:
        """Round after round, until you leave or so many are played."""
        book = self.table.state.book
        if book.table.electronic is None:
            practice = f"{book.id} provides for no electronic table; this one is for practice only."
            self.console.print(Text(practice, style="dim"))
        try:
            while self.rounds != most_rounds and self._bet():
                self._play_round()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
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
                self._place(betting.read_stakes(line, terms, self._stakes))
                self._show_wagers()
            except (Refusal, Unreadable) as error:
                self._sorry(error)

    def _place(self, stakes: dict[str, int]) -> None:
        """Put these on the felt instead of what lies there, or leave it all as it was."""
        mark, box = self.table.mark(), self.seat
        try:
            if box in self.table.state.round.boxes:
                self.table.give(do.WithdrawWagers(by=YOU, role="player", box=box))
            self.table.give(do.PlaceWagers(by=YOU, role="player", box=box, stakes=stakes))
            if self.chips_cents < 0:
                short = money(-self.chips_cents)
                raise Unreadable(f"that is {short} more than you have; wager less")
        except (Refusal, Unreadable):
            self.table.rewind(mark)
            raise
        self._stakes = stakes

    def _bring_chips(self) -> None:
        """A player who cannot wager as before goes back to the least, or gets fresh chips."""
        if self.chips_cents < sum(self._stakes.values()):
            self._stakes = betting.least_stakes(self.table.state.terms)
        if self.chips_cents < sum(self._stakes.values()):
            self.brought_cents += BROUGHT_CENTS
            self.console.print(f"Your chips are gone; {money(BROUGHT_CENTS)} more are brought.")

    def _show_wagers(self) -> None:
        self.console.print()
        number, chips = self.table.state.round.number, money(self.chips_cents)
        title = f"Your wagers for round {number}; {chips} in hand"
        self.console.print(Text(title, style="bold"))
        betting.show_wagers(self.table.state.terms, self._stakes, self.console)

    # The round

    def _play_round(self) -> None:
        for seat in self.table.state.seats:
            if seat != self.seat:
                for command in regulars.wagers(self.table.state, seat):
                    self.table.give(command)
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
                command = choose() if yours else regulars.decision(self.table.state)
            self._give(command)

    def _give(self, command: do.Command) -> None:
        first = len(self.table.happenings)
        self.table.give(command)
        for happening in self.table.happenings[first:]:
            said = _overheard(happening.event, happening.before)
            self._heard += [said] if said else []

    def _choose(self) -> do.Command:
        shown = self._draw()
        choices = choices_now(self.table.state, shown, self.seat)
        values = self.coach.values(self.table.state, shown, self.seat) if self.coach else {}
        show_choices(choices, values, self.console)
        while True:
            try:
                line = self.ask(self.table.state)
                if line in ("q", "quit"):
                    raise EOFError
                return self._affordable(picked(line, choices))
            except (Refusal, Unreadable) as error:
                self._sorry(error)

    def _affordable(self, choice: Choice) -> do.Command:
        if choice.cents > self.chips_cents:
            raise Unreadable(f"you have {money(self.chips_cents)} left; choose something smaller")
        return choice.command

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
        box = self.table.state.round.boxes.get(self.seat)
        if box is not None and self.table.state.round.stage == "betting":
            self.table.give(do.WithdrawWagers(by=YOU, role="player", box=self.seat))
        won = self.chips_cents - self.brought_cents
        ends = f"{money(abs(won))} {'more' if won > 0 else 'less'} than" if won else "just what"
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        told = f"You played {rounds} and leave with {money(self.chips_cents)}, {ends} you brought."
        self.console.print(Text(told, style="bold"))

    def _sorry(self, error: Refusal | Unreadable) -> None:
        said = str(error)
        self.console.print(Text(f"{said[:1].upper()}{said[1:]}.", style="yellow"))


def _overheard(event: ev.Event, before: State) -> str:
    """What everybody at the table hears; never a card that lies face down."""
    if isinstance(event, ev.BetsClosed):
        return "“No more bets!”"
    if isinstance(event, ev.DealerRevealed):
        return f"The dealer calls: “{event.hand}”."
    if isinstance(event, ev.Checked | ev.Played | ev.Folded):
        player = before.round.boxes[event.box].player
        if player == YOU:
            return ""
        if isinstance(event, ev.Played):
            return f"{player} plays {money(event.cents)}."
        return f"{player} {'checks' if isinstance(event, ev.Checked) else 'folds'}."
    if isinstance(event, ev.ProgressivePaid):
        return f"The floorperson validates the Progressive win of box {event.box}."
    return ""
