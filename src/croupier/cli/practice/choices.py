"""The choices of a player who is asked: a key for each, and what a coach says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from rich.table import Table

from croupier.cli.commands.solve import chosen_rules, solved
from croupier.cli.screen import Screen
from croupier.exact.advice import advise
from croupier.exact.solution_cache import known_hands
from croupier.facts.cards import Card, cards
from croupier.facts.errors import Unreadable, quoted
from croupier.games.registry import Registry
from croupier.practice.coach import with_sizes_between
from croupier.practice.offers import offered_actions
from croupier.practice.regulars import answer
from croupier.rulebook.book import Rulebook
from croupier.table import commands as do
from croupier.table.narration import money
from croupier.table.state import State
from croupier.table.views import BACK, View


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
    title = state.book.wager(state.terms.play[0]).title
    found = []
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


def show_choices(
    choices: Sequence[Choice], values: Mapping[str, Fraction], console: Screen
) -> None:
    """One line a choice; with a coach the exact value in Antes, and the best of them."""
    table = Table(box=None, pad_edge=False, show_header=False)
    best = _best(choices, values)
    for choice in choices:
        worth = values.get(choice.action) if best else None
        value = f"{float(worth):+.4f} Antes" if worth is not None else ""
        style = "bold green" if choice.action == best else ""
        mark = "best" if choice.action == best else ""
        table.add_row(f" {choice.key}", choice.says, value, mark, style=style)
    table.add_row(" q", "Leave the table", style="dim")
    console.print(table)


def _best(choices: Sequence[Choice], values: Mapping[str, Fraction]) -> str:
    """Of those offered; where only one is, there is nothing to choose."""
    judged = [choice.action for choice in choices if choice.action in values]
    return max(judged, key=lambda action: values[action]) if len(judged) > 1 else ""


class Coach:
    """What each choice is worth exactly, everything unseen counted; for practice tables only."""

    def __init__(self, registry: Registry, book: Rulebook) -> None:
        self._rules = chosen_rules(registry, book.game, book.id, ())

    def values(self, state: State, shown: View, seat: int) -> dict[str, Fraction]:
        own = next(box.cards for box in shown.boxes if box.seat == seat)
        board = _seen(shown.places.get("board", ()))
        up = _seen(shown.places.get("dealer", ()))
        rules = self._rules
        known = partial(known_hands, rules, partial(solved, rules))
        values = advise(rules, known, _seen(own), board, up[0] if up else None)
        return with_sizes_between(state.book.streets[state.round.boxes[seat].answered], values)


def _seen(names: tuple[str, ...]) -> tuple[Card, ...]:
    return cards(" ".join(name for name in names if name != BACK))
