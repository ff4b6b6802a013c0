"""The regulars: players who sit at training tables, wager and decide by rules one can read.

Box 1 takes the first side wager and the Progressive, box 2 only what a hand needs, box 3 everything
on offer, box 4 the other opening wager where a book has one; then from the start again. How they
decide is chosen for all of them: the shipped simple strategy, the best choice counted exactly, the
most as early as may be, or the least as late as may be.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from croupier.exact.strategy.features import CardsInSight
from croupier.exact.strategy.strategy_file import Strategy, read_strategy, shipped
from croupier.facts.cards import Card, cards
from croupier.facts.money import Cents
from croupier.games.rules import PROGRESSIVE
from croupier.rulebook.book import Street
from croupier.table import commands as do
from croupier.table.agenda import asked_box
from croupier.table.feasibility import enough
from croupier.table.state import State
from croupier.table.terms import Terms
from croupier.table.views import BACK, Viewer, view

Style = Literal["simple", "optimal", "bold", "late"]
STYLES: Mapping[Style, str] = {
    "simple": "a simple strategy",
    "optimal": "the best there is",
    "bold": "the most, early",
    "late": "the least, late",
}
USUAL_STYLE: Style = "simple"

YOU = "You"  # the one player whom nobody plays for
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus")


def name_of(seat: int) -> str:
    return NAMES[seat - 1] if seat <= len(NAMES) else f"Player {seat}"


# Wagers


def wagers(state: State, seat: int) -> list[do.Command]:
    """What a regular puts down, and the acceptor's word on the Progressive."""
    by, stakes = state.seats[seat], usual_stakes(state.terms, state.way, seat)
    placed: list[do.Command] = [do.PlaceWagers(by=by, role="player", box=seat, stakes=stakes)]
    if PROGRESSIVE in stakes and not state.terms.electronic:
        placed.append(do.AcceptProgressive(by="acceptor", role="device", box=seat))
    return placed


def usual_stakes(terms: Terms, way: str, seat: int) -> dict[str, int]:
    """The stakes of a box, in cents, by the rule told above."""
    opening, offered = terms.book.opening, terms.offered[way]
    base = enough(opening)[0]
    sides = [name for name in offered if name not in base]
    habit = seat % 4
    if habit == 0 and opening.any_of:
        base = opening.any_of[1:2]
        chosen = list(base)
    elif habit == 1:
        chosen = [*base, *(name for name in sides if name in (sides[0], PROGRESSIVE))]
    else:
        chosen = [*base, *(sides if habit == 3 else ())]
    return {name: stake(terms, name, seat) for name in offered if name in chosen}


def stake(terms: Terms, wager: str, seat: int) -> int:
    """The least that may lie there; in some boxes a few steps more on what opens a hand."""
    if wager == PROGRESSIVE:
        return terms.progressive_cents or Cents(0)
    limit = terms.limit_of.get(wager)
    if limit is None:
        return Cents(1_00)
    opens = wager in (*terms.book.opening.all_of, *terms.book.opening.any_of)
    steps = (seat - 1) % 3 * 2 if opens else 0
    more = limit.minimum_cents + steps * limit.increment_cents
    return more if more <= limit.maximum_cents else limit.minimum_cents


# Decisions


def decision(state: State, style: Style = USUAL_STYLE) -> do.Command:
    """What the regular who is asked answers, seeing only what a player sees."""
    return answer(state, action_now(state, style))


def answer(state: State, action: str) -> do.Command:
    """An action by its name in strategies and advice, as the asked box's command."""
    box = asked_box(state)
    assert box is not None
    if action == "check":
        return do.Check(by=box.player, role="player", box=box.seat)
    if action == "fold":
        return do.Fold(by=box.player, role="player", box=box.seat)
    cents = int(action.removesuffix("x")) * box.stakes[state.terms.play[1]]
    return do.Play(by=box.player, role="player", box=box.seat, cents=cents)


def action_now(state: State, style: Style = USUAL_STYLE) -> str:
    """``check``, ``fold``, ``4x``; in a game without a strategy the least Play, as late as may be.

    The optimal choice takes counting, which is a coach's work: until he has counted, the simple
    one stands for it. Rules of a strategy are about the board, or where there is none about the
    dealer's up card.
    """
    box = asked_box(state)
    assert box is not None
    street = state.book.streets[box.answered]
    if style == "bold":
        return f"{street.most}x"
    strategy = simple_strategy(state.book.game)
    if style == "late" or strategy is None:
        return _as_late_as_may_be(street)
    shown = view(state, Viewer(role="player", name=box.player))
    own = next(other.cards for other in shown.boxes if other.seat == box.seat)
    table = shown.places.get("board", shown.places.get("dealer", ()))
    return strategy.action(street.name, CardsInSight(_seen(own), _seen(table)))


def _as_late_as_may_be(street: Street) -> str:
    return "check" if street.otherwise == "check" else f"{street.least}x"


def _seen(names: tuple[str, ...]) -> tuple[Card, ...]:
    return cards(" ".join(name for name in names if name != BACK))


@cache
def simple_strategy(game: str) -> Strategy | None:
    """The first shipped strategy for a game."""
    read = [read_strategy(text, name) for name, text in shipped().items()]
    return next((strategy for strategy in read if strategy.game == game), None)
