"""Players' numbers of one round proved: each shown as committed, and before the first card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.audit.difference import Difference, at
from croupier.ledger.events import Kept
from croupier.ledger.replay import ReplayedLines
from croupier.table import events as ev
from croupier.table.shoe import number_hash

PART = "shoe"


def shown_numbers(events: Iterable[Kept]) -> dict[int, str]:
    """The numbers that made the order of a round, by box."""
    return {event.box: event.number for event in events if isinstance(event, ev.NumberShown)}


def committed_numbers(events: Iterable[Kept]) -> dict[int, str]:
    """What each box committed itself to, last."""
    given = (event for event in events if isinstance(event, ev.NumberCommitted))
    return {event.box: event.number_hash for event in given}


def numbers_differences(chapter: ReplayedLines) -> Iterator[Difference]:
    """A number that is another than its box committed to, and cards dealt while one is missing."""
    committed, lies, waits = dict[int, str](), dict[int, set[str]](), set[int]()
    for line, event in zip(chapter.lines, chapter.events, strict=True):
        if isinstance(event, ev.WagerPlaced):
            lies.setdefault(event.box, set()).add(event.wager)
        elif isinstance(event, ev.WagerWithdrawn | ev.WagerReturned):
            own = lies.setdefault(event.box, set())
            own.discard(event.wager)
            if not own:  # who takes back everything is in the round no more
                committed.pop(event.box, None)
        elif isinstance(event, ev.NumberCommitted):
            committed[event.box] = event.number_hash
        elif isinstance(event, ev.BetsClosed):
            waits = {box for box in committed if box in event.boxes}
        elif isinstance(event, ev.NumberShown):
            waits.discard(event.box)
            if committed.get(event.box) != number_hash(chapter.round, event.box, event.number):
                why = f"box {event.box} shows another number than it committed itself to"
                yield at(line, PART, why, chapter.round)
        elif isinstance(event, ev.CardsDealt) and waits:
            boxes = ", ".join(map(str, sorted(waits)))
            yield at(line, PART, f"dealt before box {boxes} showed its number", chapter.round)
            waits = set()
