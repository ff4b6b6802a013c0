"""What a screen is offered: a command by its stored name, with what it would say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Viewing = Literal["player", "dealer", "floorperson", "manager", "surveillance", "public"]


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command by its stored name, with what it would say.

    ``names`` are irregularities, devices, ways of dealing, reasons of a refusal, what is taken for
    chips or rulings on a player who left (first what is ruled where nothing else is said) to choose
    from; or the act that waits for a second person, or whose chips are kept; or how the dispute of
    a ``number`` may end; of a deal the number is that of its step in the way, counted from 0.
    A shuffle is ``by_device`` where one works, and says how many ``cards`` one that counts has to
    find; an inspection, how many cover cards there have to be; a cut, how many lie above its
    middle. ``hands`` are the cards that each box was dealt of a round whose stub is counted, and as
    box 0 the dealer; between two rounds the whole deck is counted, and there are none. ``again``
    are those of the ``names`` that would be a second one, by what follows.
    ``sizes`` are the least and the most that may lie on each wager, and the steps between.
    A stub that is ``due`` is counted before anything else, a deck that is leaves before the next
    round, a way that is stands in for this one; any other may be. What somebody else
    began may be upheld or sent back; only sent back where not ``may_uphold``.
    """

    do: str
    box: int = 0
    cents: tuple[int, ...] = ()
    wagers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    cards: int = 0
    hands: Mapping[int, int] = {}
    again: tuple[str, ...] = ()
    number: int = 0
    color: str = ""
    by_device: bool = False
    due: bool = False
    may_uphold: bool = True
    sizes: Mapping[str, tuple[int, int, int]] = {}
