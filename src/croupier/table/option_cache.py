"""Memo of players' options, kept from change to change while what they are read from stands.

At a table of six every change is somebody's, and the five others are offered what they were. Whose
turn it is is offered something else each time, and so is the house: that is never kept.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter

from croupier.table.agenda import Moment
from croupier.table.beyond import Beyond
from croupier.table.engine import options
from croupier.table.options import Option, Viewing
from croupier.table.state import Box, Round, SnapshotFields, State

# What no option of a player is read from while it is not his turn. Every other field counts, and so
# does one that is new; of chips and boxes his own do, and whether there is any box at all; of the
# deal, whether a card was dealt.
UNREAD: dict[type[SnapshotFields | Round | Box], frozenset[str]] = {
    SnapshotFields: frozenset({"round", "chips", "meters", "at_s", "uncounted"}),
    Round: frozenset({"boxes", "places", "up", "out", "set_aside", "step", "lines", "revealed"}),
    Box: frozenset({"cards", "answered", "folded", "forfeited", "settled"}),
}
MOST = 256  # viewers of one table that are remembered

_of_table, _of_round, _of_box = (
    attrgetter(*(name for name in kind.__struct_fields__ if name not in unread))
    for kind, unread in UNREAD.items()
)
OptionKey = tuple[object, ...]


class OptionCache:
    """One table's: what each player was offered when he was last looked for, and read from what."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[OptionKey, tuple[Option, ...]]] = {}

    def options(
        self, state: State, role: Viewing, name: str, now: Moment, beyond: Beyond, shared: OptionKey
    ) -> tuple[Option, ...]:
        """The same as :func:`~croupier.table.engine.options`; ``shared`` is the key of the table
        without the player's own part."""
        work = partial(options, state, role, name, now, beyond)
        if role != "player" or (now.asked is not None and _is_of(state, now.asked.seat, name)):
            return work()
        key, kept = (*shared, *_own(state, name)), self._kept.get(name)
        if kept is not None and kept[0] == key:
            return kept[1]
        if len(self._kept) >= MOST:
            self._kept.clear()
        found = work()
        self._kept[name] = key, found
        return found


def shared_key(state: State, now: Moment, beyond: Beyond) -> OptionKey:
    """What the options of every player are read from; of the clock none is, and of the phase none
    once cards are dealt: what it tells apart is whose turn it is."""
    round = state.round
    phase = "" if round.was_dealt and now.phase != "betting" else now.phase
    known = beyond._replace(seconds_left=0, at_s=0)
    return state.terms, phase, known, bool(round.boxes), _of_table(state), _of_round(round)


def _own(state: State, name: str) -> OptionKey:
    boxes = state.round.boxes
    seats = [seat for seat, player in state.seats.items() if player == name]
    chips = tuple([(seat, state.chips.get(seat)) for seat in seats])
    return chips, tuple([_of_box(box) for box in boxes.values() if _is_his(state, box, name)])


def _is_of(state: State, seat: int, name: str) -> bool:
    return state.seats.get(seat) == name


def _is_his(state: State, box: Box, name: str) -> bool:
    """He wagered there, or he sits there now."""
    return box.player == name or _is_of(state, box.seat, name)
