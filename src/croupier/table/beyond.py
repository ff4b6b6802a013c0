"""What a table cannot know of itself: clock, link and connections; and how a command is told of it.

Whoever serves the table knows; the duties decide by what stands in the command, so that what is
offered, what is due and what is accepted cannot differ.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeVar

import msgspec

from croupier.table.commands import Command
from croupier.table.state import State

C = TypeVar("C", bound=Command)


class Beyond(NamedTuple):
    """How long a clock leaves the box that is asked, why no Progressive wager is taken, what time
    it is, and whose win comes ahead of its own on a meter they share; ``here`` are the players who
    are connected, None where nobody can know."""

    seconds_left: int = 0
    no_progressive: str = ""
    at_s: int = 0
    ahead: str = ""
    here: frozenset[str] | None = None


ALONE = Beyond()


def informed(state: State, command: C, beyond: Beyond) -> C:
    """The command with what its rule asks for of all that; whatever stood there is replaced."""
    asked = _asked_by(type(command))
    if not asked:
        return command
    known: dict[str, object] = {name: getattr(beyond, name) for name in asked}
    if "here" in asked:
        known["here"] = state.seats.get(getattr(command, "box", 0)) in (beyond.here or ())
    return msgspec.structs.replace(command, **known)


@cache
def _asked_by(kind: type[Command]) -> tuple[str, ...]:
    """What the rule of a command asks for of all that."""
    fields = kind.__struct_fields__
    known = ("seconds_left", "no_progressive", "ahead", "here")
    return tuple(name for name in known if name in fields)
