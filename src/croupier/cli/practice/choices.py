"""The choices of a player who is asked: a key for each, and what a coach says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table

from croupier.cli.screen import Screen
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import money
from croupier.practice.coach import Worth
from croupier.practice.offers import offered_actions
from croupier.practice.regulars import answer
from croupier.table import commands as do
from croupier.table.agenda import street_of
from croupier.table.state import State
from croupier.table.views import View


@dataclass(frozen=True)
class Choice:
    """``action`` is its name in strategies and advice: ``4x``, ``check``, ``fold``."""

    key: str
    action: str
    says: str
    command: do.Command
    cents: int = 0


def choices_now(state: State, shown: View, seat: int) -> list[Choice]:
    """What the view offers the player at this box, the largest Play first."""
    asked = street_of(state, state.round.boxes[seat])
    title, found = state.book.played_on(asked).title, []
    for action in offered_actions(state, shown, seat):
        command = answer(state, action)
        if isinstance(command, do.Play):
            key, cents = action.removesuffix("x"), command.cents
            says = f"{title} {action}, {money(cents)}"
            found.append(Choice(key, action, says, command, cents))
        else:
            found.append(Choice(action[0], action, action.capitalize(), command))
    return found


def picked(line: str, choices: Sequence[Choice]) -> Choice:
    """The choice that was typed, by key or by name."""
    for choice in choices:
        if line in (choice.key, choice.action):
            return choice
    known = ", ".join(choice.key for choice in choices)
    said = f"{quoted(line)} is none of them" if line else "an answer is needed"
    raise Unreadable(f"{said}; type {known} or q")


def show_choices(choices: Sequence[Choice], worths: Sequence[Worth], console: Screen) -> None:
    """One line a choice; with a coach the exact value in Antes, and the best of them."""
    table = Table(box=None, pad_edge=False, show_header=False)
    antes = {worth.action: worth.antes for worth in worths}
    best = worths[0].action if worths else ""
    for choice in choices:
        value = f"{antes[choice.action]:+.4f} Antes" if choice.action in antes else ""
        style = "bold green" if choice.action == best else ""
        mark = "best" if choice.action == best else ""
        table.add_row(f" {choice.key}", choice.says, value, mark, style=style)
    table.add_row(" q", "Leave the table", style="dim")
    console.print(table)
