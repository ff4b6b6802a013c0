"""What the player who is asked is offered, by the names of strategies and advice: ``4x``, ``fold``.

A coach judges among these alone: a Play that one's chips do not cover is nobody's mistake.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.table.state import State
from croupier.table.views import View


def offered_actions(state: State, shown: View, seat: int) -> tuple[str, ...]:
    """The largest Play first."""
    return tuple(_actions(state, shown, seat))


def _actions(state: State, shown: View, seat: int) -> Iterator[str]:
    box = state.round.boxes[seat]
    ante, street = box.stakes[state.terms.play[1]], state.book.streets[box.answered]
    for option in shown.may:
        if option.box == seat and option.do == "play":
            least, most = min(option.cents), max(option.cents)
            covered = [size for size in street.sizes if least <= size * ante <= most]
            yield from (f"{size}x" for size in sorted(covered, reverse=True))
        elif option.box == seat and option.do in ("check", "fold"):
            yield option.do
