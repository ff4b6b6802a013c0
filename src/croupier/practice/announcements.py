"""What everybody at a practice table hears; never a card that lies face down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.facts.money import money
from croupier.table import events as ev
from croupier.table.narration import wager_title
from croupier.table.state import State

Sentence = Callable[[Any, State], str]


def overheard(event: ev.Event, before: State, you: str) -> str:
    """The event as it is called out, told by the table as it stood just before; often nothing."""
    says = _CALLED.get(type(event))
    if says is None or _who(event, before) == you:
        return ""
    return says(event, before)


def _who(event: ev.Event, before: State) -> str:
    if not isinstance(event, ev.Checked | ev.Played | ev.Folded):
        return ""
    return before.round.boxes[event.box].player


_CALLED: Mapping[type[ev.Event], Sentence] = {
    ev.BetsClosed: lambda event, before: "“No more bets!”",
    ev.DealerRevealed: lambda event, before: f"The dealer calls: “{event.hand}”.",
    ev.Checked: lambda event, before: f"{_who(event, before)} checks.",
    ev.Folded: lambda event, before: f"{_who(event, before)} folds.",
    ev.Played: lambda event, before: (
        f"{_who(event, before)}: {wager_title(before, event.wager)} {money(event.cents)}."
    ),
    ev.ProgressiveWon: lambda event, before: (
        f"{_who(event, before)} has won the Progressive: everything waits for the floorperson."
    ),
    ev.ProgressiveValidated: lambda event, before: (
        f"The floorperson validates the Progressive win of box {event.box}."
    ),
}
