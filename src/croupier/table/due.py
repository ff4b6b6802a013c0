"""The step that is due at a table: what the house has to do next, or the decision of a box.

Read from the duties that the engine decides by; nothing of the order of play is written here.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from croupier.table.agenda import Moment, street_of
from croupier.table.automatic_dealer import due_command
from croupier.table.beyond import Beyond
from croupier.table.commands import Role
from croupier.table.handlers import decisions
from croupier.table.handlers.handler import tag
from croupier.table.options import Option, Viewing
from croupier.table.state import State

DECISIONS = frozenset(str(duty.kind.__struct_config__.tag) for duty in decisions.DUTIES)


class Due(msgspec.Struct, frozen=True, omit_defaults=True):
    """``role`` has to give one of the commands ``do``, by their stored names; nobody outside the
    house is told which, where it is the floor's.

    ``box`` is whose step it is or whom it is about, ``street`` what it is asked, ``color`` the
    deck; ``until_s``: when the time is up, where a clock runs.
    """

    role: Role
    do: tuple[str, ...] = ()
    box: int = 0
    street: str = ""
    color: str = ""
    until_s: int = 0


def due_step(
    state: State,
    now: Moment,
    beyond: Beyond,
    may: Callable[[Viewing, str], tuple[Option, ...]],
) -> Due | None:
    """None where everybody may do something and nobody has to: before the first wager. ``may`` says
    what somebody is offered now.
    """
    command, asked = due_command(state, now, beyond), now.asked
    street = street_of(state, asked).name if asked is not None else ""
    if command is not None:
        box = getattr(command, "box", 0)
        return Due(
            role=command.role,
            do=(tag(command),),
            box=box,
            street=street if asked is not None and box == asked.seat else "",
            color=getattr(command, "color", ""),
        )
    if asked is None:
        return None
    mine = (option.do for option in may("player", asked.player) if option.box == asked.seat)
    choices = tuple(choice for choice in mine if choice in DECISIONS)
    return Due(role="player", do=choices, box=asked.seat, street=street)
