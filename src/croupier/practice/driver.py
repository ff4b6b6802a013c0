"""A practice house: dealer, floorperson and regulars, who wait for one player.

It says what happens next and how long to wait before it, so that one can follow; it never decides
for the player, and closes the betting only when the player says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from croupier.practice import regulars
from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.automatic_dealer import next_duty
from croupier.table.shoe import Shoe
from croupier.table.state import State

BROUGHT_CENTS = 1_000_00
PACES: Mapping[str, float] = {"calm": 1.0, "brisk": 0.45, "at once": 0.0}
"""How much of each pause is waited."""

_PAUSES_S: Mapping[type[do.Command], float] = {
    do.PlaceWagers: 0.25,
    do.NoMoreBets: 0.7,
    do.Deal: 0.75,
    do.Check: 0.85,
    do.Play: 0.85,
    do.Fold: 0.85,
    do.Reveal: 1.3,
    do.SettleBox: 1.0,
    do.ClearCards: 0.6,
}


class Next(NamedTuple):
    command: do.Command
    pause_s: float


def next_of(
    state: State,
    shoe: Shoe,
    meters: Mapping[str, int],
    you: str,
    seats: int,
    *,
    deal: bool,
    others: regulars.Style = regulars.USUAL_STYLE,
) -> Next | None:
    """What happens next at the table, or None where it waits for you."""
    asked = asked_box(state) if phase(state) == "acting" and state.hold is None else None
    command: do.Command | None
    if asked is not None and not asked.absent:
        command = None if asked.player == you else regulars.decision(state, others)
    else:
        command = _next_command(state, shoe, meters, you, seats, deal=deal)
    return None if command is None else Next(command, _PAUSES_S.get(type(command), 0.0))


def seat_of(state: State, you: str) -> int:
    """Your box; in the middle of the table where you have none yet."""
    own = [seat for seat, name in state.seats.items() if name == you]
    return own[0] if own else (state.terms.boxes + 1) // 2


def _next_command(
    state: State, shoe: Shoe, meters: Mapping[str, int], you: str, seats: int, *, deal: bool
) -> do.Command | None:
    if phase(state) == "betting" and state.hold is None:
        if not state.round.boxes or you not in state.seats.values():
            for moved in _seating(state, you, seats):
                return moved
        return _before_the_deal(state, shoe, meters, you, deal=deal)
    return next_duty(state, shoe, meters)


def _before_the_deal(
    state: State, shoe: Shoe, meters: Mapping[str, int], you: str, *, deal: bool
) -> do.Command | None:
    """The table is made ready; the others wager and the betting closes once you say so."""
    duty = next_duty(state, shoe, meters)
    closes = isinstance(duty, do.NoMoreBets | do.WithdrawWagers)
    if duty is not None and not closes:
        return duty
    if not deal or seat_of(state, you) not in state.round.boxes:
        return None
    for seat, name in state.seats.items():
        if seat not in state.round.boxes and name != you:
            return regulars.wagers(state, seat)[0]
    return duty


def _seating(state: State, you: str, seats: int) -> Iterator[do.Command]:
    """Who shall sit sits, with chips; who shall not takes his chips and leaves."""
    mine = seat_of(state, you)
    wanted = _nearest(mine, state.terms.boxes, seats)
    for seat, name in sorted(state.seats.items()):
        if seat not in wanted and seat not in state.round.boxes:
            if state.chips.get(seat, 0):
                yield do.CashOut(by=name, role="player", box=seat)
            yield do.LeaveBox(by=name, role="player", box=seat)
    for seat in wanted:
        if seat not in state.seats:
            name = you if seat == mine else regulars.name_of(seat)
            yield do.TakeBox(by=name, role="player", box=seat)
        elif state.terms.keeps_chips and state.chips.get(seat, 0) < _enough(state, seat, you):
            yield do.BuyIn(by="dealer", role="dealer", box=seat, cents=BROUGHT_CENTS)


def _nearest(mine: int, boxes: int, seats: int) -> list[int]:
    """So many boxes around yours, yours first."""
    others = sorted(range(1, boxes + 1), key=lambda seat: (abs(seat - mine), -seat))
    return others[:seats]


def _enough(state: State, seat: int, you: str) -> int:
    """A regular keeps half of what he brought; you get more when you cannot open a hand."""
    if state.seats[seat] != you:
        return BROUGHT_CENTS // 2
    opening = state.book.opening
    needed = opening.all_of or opening.any_of[:1]
    return sum(state.terms.limit_of[name].minimum_cents for name in needed)
