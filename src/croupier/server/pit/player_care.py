"""A player's evening by the recordings: what he spent, and limits that he set himself."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import groupby

import msgspec

from croupier.ledger.recordings.index import MOST, RecordingQuery
from croupier.ledger.recordings.recording import Recording
from croupier.practice.care import CHANGE_IT, CareShown, OwnLimits, care_shown
from croupier.server.pit.messages import Forbidden
from croupier.server.pit.pit import Pit

SECOND_US = 1_000_000
PAUSE_US = 4 * 3600 * SECOND_US
"""Who plays again after so long begins another evening."""


class RoundSpent(msgspec.Struct, frozen=True):
    """What one player wagered in a round, at all his boxes, and what came of it."""

    table_name: str
    round: int
    at_us: int
    staked_cents: int
    net_cents: int

    @property
    def began_at(self) -> str:
        return datetime.fromtimestamp(self.at_us // SECOND_US, UTC).isoformat()


async def spent_by(pit: Pit, player: str, table: str = "") -> list[RoundSpent]:
    """His rounds that are over, the oldest first; of a long life as many as one search tells."""
    found = await pit.recordings.find(RecordingQuery(player=player, table=table, most=MOST))
    return _rounds(reversed(found.found))


async def care_of(pit: Pit, player: str) -> CareShown:
    """The evening since his last long pause, at all tables."""
    now_us = pit.clock.now()
    evening = evening_of(await spent_by(pit, player), now_us)
    seconds = (now_us - evening[0].at_us) / SECOND_US if evening else 0.0
    return care_shown(pit.people.person(player).limits, seconds, evening)


async def refuse_beyond(pit: Pit, player: str) -> None:
    """No wager over a limit that the player set himself; who set none is not looked up."""
    if pit.people.person(player).limits == OwnLimits():
        return
    reached = (await care_of(pit, player)).reached
    if reached:
        raise Forbidden(f"{reached}; {CHANGE_IT}")


def evening_of(rounds: list[RoundSpent], now_us: int) -> list[RoundSpent]:
    """Those after which nobody paused for long, until now."""
    began, last_us = len(rounds), now_us
    while began and last_us - rounds[began - 1].at_us < PAUSE_US:
        began -= 1
        last_us = rounds[began].at_us
    return rounds[began:]


def _rounds(boxes: Iterable[Recording]) -> list[RoundSpent]:
    def where(box: Recording) -> tuple[int, str, int]:
        return box.at_us, box.table_name, box.round

    told = []
    for (at_us, table, number), group in groupby(sorted(boxes, key=where), where):
        own = list(group)
        staked = sum(box.staked_cents for box in own)
        told.append(RoundSpent(table, number, at_us, staked, sum(box.net_cents for box in own)))
    return told
