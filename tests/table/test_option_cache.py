"""Options that are kept from change to change are those that would be worked out anew."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from croupier.table.agenda import PHASES, Moment, moment
from croupier.table.beyond import Beyond
from croupier.table.engine import evolve, options
from croupier.table.option_cache import UNREAD, OptionCache, shared_key
from croupier.table.state import Box, Round, SnapshotFields, State, replace
from tests.table.walks import PLAYERS, walk


class Unread:
    """Whatever is asked of it, somebody reads what nobody may."""

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} was read")

    def __len__(self) -> int:
        raise AssertionError("its length was read")

    def __contains__(self, item: object) -> bool:
        raise AssertionError(f"{item} was looked for")


def states(seed: int, steps: int = 250) -> Iterator[State]:
    """Every state of a walk, one after the other."""
    table = walk(Random(seed), steps)
    state = table.start
    for event in table.events:
        yield state
        state = evolve(state, event)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_is_what_would_be_found_anew(seed: int) -> None:
    cache, kept = OptionCache(), 0
    for state in states(seed):
        now, beyond = moment(state), Beyond(at_s=state.at_s)
        shared = shared_key(state, now, beyond)
        for name in PLAYERS:
            found = options(state, "player", name, now, beyond)
            told = cache.options(state, "player", name, now, beyond, shared)
            kept += told is not found
            assert told == found
    assert kept


@pytest.mark.parametrize("seed", range(4, 8))
def test_what_is_left_out_of_the_key_is_never_read(seed: int) -> None:
    looked_at = 0
    for state in states(seed):
        now, beyond = moment(state), Beyond(at_s=state.at_s)
        for name in PLAYERS:
            if now.asked is None or state.seats.get(now.asked.seat) != name:
                found = options(state, "player", name, now, beyond)
                hidden = hidden_from(state, name)
                shared = shared_key(state, now, beyond)
                for phase in PHASES:
                    other = Moment(phase, now.asked)
                    if shared_key(hidden, other, beyond)[1] == shared[1]:
                        assert options(hidden, "player", name, other, beyond) == found
                looked_at += bool(found)
    assert looked_at


def hidden_from(state: State, name: str) -> State:
    """The state without all that a player's options are not read from."""
    own = {seat for seat, player in state.seats.items() if player == name}
    own |= {seat for seat, box in state.round.boxes.items() if box.player == name}
    boxes = {
        seat: replace(box, **unread(Box)) if seat in own else Box(seat=seat, player=box.player)
        for seat, box in state.round.boxes.items()
    }
    step = state.round.step and state.round.step + 1
    round = replace(state.round, **(unread(Round) | {"boxes": boxes, "step": step}))
    chips = {seat: cents for seat, cents in state.chips.items() if seat in own}
    others = {"round": round, "chips": chips, "at_s": state.at_s + 1}
    return replace(state, **(unread(SnapshotFields) | others))


def unread(kind: type[SnapshotFields | Round | Box]) -> dict[str, object]:
    return dict.fromkeys(UNREAD[kind], Unread())
