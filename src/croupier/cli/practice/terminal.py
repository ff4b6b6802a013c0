"""The practice table in the terminal: shows what the driver does, and asks the player."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from uuid import uuid4

from rich.text import Text

from croupier.cli.commands.solve import solved
from croupier.cli.practice import wager_entry
from croupier.cli.practice.choices import choices_now, picked, show_choices
from croupier.cli.screen import Screen
from croupier.cli.signals import STOP
from croupier.cli.text.table import draw, draw_receipt, signed
from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.facts.money import money
from croupier.ledger.kept_table import KeptTable
from croupier.practice import coach as counting
from croupier.practice import regulars
from croupier.practice.driver import PracticeDriver, Step
from croupier.practice.regulars import YOU
from croupier.table import commands as do
from croupier.table.agenda import phase, street_of
from croupier.table.events import ChipsBought, ChipsCashed, KeptPaid
from croupier.table.narration import written_for
from croupier.table.state import State
from croupier.table.views import View, Viewer, view

Prompt = Callable[[State, Sequence[counting.Worth]], str]
"""What is answered in a state, and with a coach by what each choice is worth."""


def typed(console: Screen) -> Prompt:
    """Answers from the keyboard or a pipe, whose lines are shown as if they were typed."""

    def ask(state: State, worths: Sequence[counting.Worth]) -> str:
        console.print(Text("> ", style="bold green"), end="")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not sys.stdin.isatty():
            console.print(Text(line.strip()))
        return line.strip().lower()

    return ask


def automatic(console: Screen) -> Prompt:
    """The wagers as they lie, and the coach's choices; those of a regular where nothing counts."""

    def ask(state: State, worths: Sequence[counting.Worth]) -> str:
        best = worths[0].action if worths else ""
        answer = "" if phase(state) == "betting" else best or regulars.action_now(state)
        console.print(Text("> ", style="bold green").append(answer, "default"))
        return answer

    return ask


SHUFFLED = "Your number and those of the others are in every shuffle: nobody chooses it."
UNPROTECTED = "Not protected from the house's choice: a seed shuffles, and no number of yours."

LEAVES = ("q", "quit")
NOTHING_LIES = "nothing lies in your box; put a wager there, or type r for those of before"
GIVE_UP = "Your hand is not over. Give it up and leave? y leaves, Enter plays on."


class TerminalSession:
    """One player's stay at the table."""

    def __init__(
        self,
        table: KeptTable,
        seats: int,
        others: regulars.Style,
        console: Screen,
        ask: Prompt,
        *,
        coach: bool,
    ) -> None:
        self.table, self.console, self.ask, self.coach = table, console, ask, coach
        mine = (seats + 1) // 2
        self.driver = PracticeDriver(seats, others, own_seat=mine, keeps_yours=True)
        self.rounds = 0
        self.seat = self.driver.seat(table.state)
        down = table.state.round.boxes.get(self.seat)
        least = wager_entry.least_stakes(table.state.terms)
        self._stakes: dict[str, int] = {**down.stakes} if down else least
        self._last, self._undos = self._stakes, list[dict[str, int]]()
        sits = self.seat in table.state.seats
        on_felt = sum(down.stakes.values()) if down else 0
        self._brought_cents = self.chips_cents + on_felt if sits else 0
        self._cashed_cents = 0
        if sits and table.state.round.stage != "betting":
            self.console.print("You were in the middle of a round; it goes on.")

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
        if most_rounds is None:
            shuffle = SHUFFLED if self.table.state.terms.takes_numbers else UNPROTECTED
            self.console.print(Text(shuffle, style="dim"))
        try:
            self._advance()
            while self.rounds != most_rounds and self._take_turn():
                self._advance()
        except (EOFError, KeyboardInterrupt) as ended:
            self._leave(in_a_line=True)
            if isinstance(ended, KeyboardInterrupt):
                raise
        else:
            self._leave()

    def _advance(self) -> None:
        """The driver gives the commands of everybody else, until it waits for you."""
        while (step := self.driver.next(self.table)) is not None:
            if isinstance(step.command, do.ClearCards):
                self._show_result()
            if isinstance(step.command, do.VoidUnshown):
                self.console.print("A number for the shuffle is missing; the round will be void.")
                time.sleep(step.pause_s)
            self._give(self._counted(step))

    def _take_turn(self) -> bool:
        """You wager, or answer; whether you stay."""
        if phase(self.table.state) == "betting":
            return self._bet()
        self._give(self._choose())
        return True

    def _give(self, command: do.Command) -> None:
        before = self.table.state
        events = self.table.give(command, str(uuid4())).events
        self.driver.hear(events, before, self.table.state)
        for event in events:
            if isinstance(event, ChipsBought) and event.box == self.seat:
                self._note_chips(event.cents)
            elif (isinstance(event, ChipsCashed) and event.box == self.seat) or (
                isinstance(event, KeptPaid) and event.player == YOU
            ):
                self._cashed_cents += event.cents

    def _counted(self, step: Step) -> do.Command:
        if step.counts is None:
            return step.command
        try:
            worths = self._worths(step.counts)
        except (Refusal, Unreadable, Unavailable):
            worths = ()
        return self.driver.counted(self.table.state, step, worths)

    def _worths(self, seen: counting.Position) -> tuple[counting.Worth, ...]:
        """The worth of each choice; an error where no kernel counts these rules."""
        return counting.worths(self.table.installed.submission, seen, solved)

    # Wagers

    def _note_chips(self, cents: int) -> None:
        if self._brought_cents and self._stakes and self.seat not in self.table.state.round.boxes:
            self.console.print(f"Your chips are gone; {money(cents)} more are brought.")
            self._stakes = wager_entry.least_stakes(self.table.state.terms)
        elif self._brought_cents:
            self.console.print(f"{money(cents)} more are brought.")
        self._brought_cents += cents

    def _bet(self) -> bool:
        """Whether a round is to be dealt; what lay there last lies there again."""
        if self.seat not in self.table.state.round.boxes:
            if self.chips_cents < sum(self._stakes.values()):
                self._stakes = wager_entry.least_stakes(self.table.state.terms)
            self._place(self._stakes)
        self._undos.clear()
        self._show_wagers()
        while True:
            line = self.ask(self.table.state, ())
            if line in LEAVES:
                return False
            try:
                self._change_wagers(line)
            except (Refusal, Unreadable) as error:
                self._sorry(error)
            if self.driver.deals:
                return True

    def _change_wagers(self, line: str) -> None:
        """What was typed while the betting is open, but to leave."""
        before = self._stakes
        if line in ("", "d"):
            if not before:
                raise Unreadable(NOTHING_LIES)
            self._last, self.driver.deals = before, True
            return
        if line == "?":
            wager_entry.show_help(self.console)
            return
        if line == "+":
            self._give(self.driver.top_up(self.table.state))
        elif line == "z":
            if not self._undos:
                raise Unreadable("nothing was changed since the betting opened")
            self._place(self._undos[-1])
            self._undos.pop()
        else:
            self._place(self._asked_for(line))
            if self._stakes != before:
                self._undos.append(before)
        self._show_wagers()

    def _asked_for(self, line: str) -> dict[str, int]:
        """The stakes that a line means: none, the last ones, or some of them changed."""
        if line == "x":
            return {}
        if line == "r":
            return self._last
        return wager_entry.read_stakes(line, self.table.state.terms, self._stakes)

    def _place(self, stakes: dict[str, int]) -> None:
        """Put these on the felt instead of what lies there, or leave it all as it was."""
        down = self.table.state.round.boxes.get(self.seat)
        lies: dict[str, int] = dict(down.stakes) if down else {}
        if lies == stakes:
            return
        if lies:
            self._give(do.WithdrawWagers(by=YOU, role="player", box=self.seat))
        try:
            if stakes:
                self._put_down(stakes)
        except (Refusal, Unreadable):
            if lies:
                self._put_down(lies)
            raise
        self._stakes = stakes

    def _put_down(self, stakes: dict[str, int]) -> None:
        placed = do.PlaceWagers(by=YOU, role="player", box=self.seat, stakes=stakes)
        self._give(self.driver.numbers.committed(self.table.state, placed))

    def _show_wagers(self) -> None:
        self.console.print()
        number, chips = self.table.state.round.number, money(self.chips_cents)
        title = f"Your wagers for round {number}; {chips} in hand"
        self.console.print(Text(title, style="bold"))
        wager_entry.show_wagers(self.table.state.terms, self._stakes, self.console)

    # The round

    def _choose(self) -> do.Command:
        shown = self._draw()
        choices = choices_now(self.table.state, shown, self.seat)
        advice = self._advice()
        show_choices(choices, advice, self.console)
        if not any(isinstance(choice.command, do.Play) for choice in choices):
            asked = street_of(self.table.state, self.table.state.round.boxes[self.seat])
            title = self.table.state.book.played_on(asked).title
            short = f"{title} takes more than the {money(self.chips_cents)} you have in chips."
            self.console.print(Text(short, style="yellow"))
        while True:
            try:
                line = self._answer(advice)
                if line in LEAVES:
                    raise EOFError
                if line == "?":
                    wager_entry.show_help(self.console)
                    continue
                return picked(line, choices).command
            except (Refusal, Unreadable) as error:
                self._sorry(error)

    def _answer(self, advice: Sequence[counting.Worth]) -> str:
        """What is typed; at a keyboard q and Ctrl-C ask before the hand is given up, and Ctrl-C
        once more is Ctrl-C as ever."""
        if not sys.stdin.isatty():
            return self.ask(self.table.state, advice)
        try:
            with STOP.taken_as_answer():
                line = self.ask(self.table.state, advice)
        except KeyboardInterrupt:
            self.console.print()
            line = "q"
        if line not in LEAVES:
            return line
        self.console.print(Text(GIVE_UP, style="yellow"))
        return "q" if self.ask(self.table.state, advice) in ("y", "yes") else self._answer(advice)

    def _advice(self) -> tuple[counting.Worth, ...]:
        question = self.driver.question(self.table.state) if self.coach else None
        if question is None:
            return ()
        try:
            self.driver.lesson.hear(question, self._worths(question.seen))
        except (Refusal, Unreadable, Unavailable) as error:
            self._sorry(error)
        return question.worths

    def _draw(self) -> View:
        shown = view(self.table.state, Viewer(role="player", name=YOU))
        heard = self.driver.evening.heard
        self.console.print()
        said = written_for(" ".join(heard), self.console.shows_suits)
        self.console.print(Text(said, style="dim"))
        heard.clear()
        draw(self.table.state, shown, YOU, self.chips_cents, self.console)
        return shown

    def _show_result(self) -> None:
        shown = self._draw()
        yours = next(box for box in shown.boxes if box.seat == self.seat)
        draw_receipt(self.table.state, yours.lines, self.console)
        net = signed(yours.net_cents)
        total = Text("This round ", style="bold").append(net).append("; you have ", "bold")
        self.console.print(total.append(money(self.chips_cents), "bold"))
        self.rounds += 1

    # Leaving

    def _leave(self, *, in_a_line: bool = False) -> None:
        """You go, and the others with you; a round that is dealt ends by the submission."""
        if self.table.state.round.stage != "betting":
            self.console.print("\nYou leave during a round; it is finished as the house rules say.")
        self.driver.leaves = True
        self._advance()
        if in_a_line:
            self.console.print()
        have, won = self._cashed_cents, self._cashed_cents - self._brought_cents
        ends = f"{money(abs(won))} {'more' if won > 0 else 'less'} than" if won else "just what"
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        left = f"You played {rounds} and leave with {money(have)}, {ends} you brought."
        self.console.print(Text(left, style="bold"))

    def _sorry(self, error: Refusal | Unreadable | Unavailable) -> None:
        said = str(error)
        self.console.print(Text(f"{said[:1].upper()}{said[1:]}.", style="yellow"))
