"""What a screen is offered: a command by its stored name, with what it would say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

Viewing = Literal["player", "dealer", "floorperson", "manager", "surveillance", "public"]


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command by its stored name, with what it would say.

    ``names`` are irregularities, devices, ways of dealing, reasons of a refusal, what is taken for
    chips or rulings on a player who left (the filed one first) to choose from; or the act that
    waits for a second person, or whose chips are kept; or how the dispute of a ``number`` may end.
    A shuffle is ``by_device`` where one works, and says how many ``cards`` one that counts has to
    find.
    ``sizes`` are the least and the most that may lie on each wager, and the steps between.
    A stub that is ``due`` is counted before anything else; any other may be. What somebody else
    began may be upheld or sent back; only sent back where not ``may_uphold``.
    """

    do: str
    box: int = 0
    cents: tuple[int, ...] = ()
    wagers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    cards: int = 0
    number: int = 0
    color: str = ""
    by_device: bool = False
    due: bool = False
    may_uphold: bool = True
    sizes: Mapping[str, tuple[int, int, int]] = {}


class Beyond(NamedTuple):
    """What a table cannot know of itself: that a clock runs for the box that is asked, why no
    Progressive wager is taken, what time it is, and whose win comes ahead of its own on a meter
    they share; ``here`` are the players who are connected, None where nobody can know."""

    clock_runs: bool = False
    no_progressive: str = ""
    at_s: int = 0
    ahead: str = ""
    here: frozenset[str] | None = None


ALONE = Beyond()
