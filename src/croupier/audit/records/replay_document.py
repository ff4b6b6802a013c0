"""The document of a replay: one round told again as one viewer saw it.

A card is told when the table had shown it to him. Service and command line show the same document;
everything in it is marked as a replay.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from croupier.audit.records import schema as rec
from croupier.ledger.events import tag_of
from croupier.ledger.redaction import (
    lay_to_the_end,
    refuse_stranger,
    seen,
    sees_chips,
    visible_actor,
)
from croupier.ledger.rounds import KeptRound
from croupier.table.event_base import particulars
from croupier.table.views import Viewer

MICROS = 1_000_000


class Jackpot(msgspec.Struct, frozen=True):
    box: int
    meter: str
    cents: int
    standing: str


class RoundShown(msgspec.Struct, frozen=True):
    """A round in one line; times are ISO 8601, UTC."""

    round: int
    status: str
    began_at: str
    ended_at: str
    boxes: int
    wagered_cents: int
    won_cents: int
    jackpots: tuple[Jackpot, ...]


class BoxShown(msgspec.Struct, frozen=True):
    """Chips before and after are told to the box's player and to the house."""

    seat: int
    player: str
    wagered_cents: int
    won_cents: int
    chips_before_cents: int | None
    chips_after_cents: int | None
    wagers: tuple[rec.WagerRecord, ...]
    decisions: tuple[rec.DecisionRecord, ...]


class EventShown(msgspec.Struct, frozen=True):
    event: str
    at: str
    by: str
    role: str
    clauses: tuple[str, ...]
    rulings: tuple[int, ...]
    data: dict[str, Any]


class Replay(msgspec.Struct, frozen=True):
    """A round told again; ``never_turned`` are the cards that lay face down to the end;
    ``training``: at a table that is not real."""

    replay: bool
    training: bool
    table: str
    rulebook: str
    seen_by: str
    summary: RoundShown
    boxes: tuple[BoxShown, ...]
    events: tuple[EventShown, ...]
    never_turned: dict[str, tuple[str, ...]]


def replay_document(record: rec.RoundRecord, kept: KeptRound, viewer: Viewer) -> Replay:
    """Unreadable where a player had no box in it."""
    refuse_stranger(viewer, kept)
    return Replay(
        replay=True,
        training=record.training,
        table=record.table,
        rulebook=record.rulebook,
        seen_by=viewer.role,
        summary=round_shown(record),
        boxes=tuple(_box(kept, box, viewer) for box in record.boxes),
        events=tuple(_events(kept, viewer)),
        never_turned=dict(lay_to_the_end(kept, viewer)),
    )


def round_shown(record: rec.RoundRecord) -> RoundShown:
    """The round in one line."""
    return RoundShown(
        round=record.round,
        status=record.status,
        began_at=iso_time(record.began_at_us),
        ended_at=iso_time(record.ended_at_us),
        boxes=len(record.boxes),
        wagered_cents=sum(box.wagered_cents for box in record.boxes),
        won_cents=sum(box.won_cents for box in record.boxes),
        jackpots=tuple(
            Jackpot(line.box, line.meter, line.paid_cents, line.validation)
            for line in record.lines
            if line.meter is not None and not line.reversed
        ),
    )


def _box(kept: KeptRound, box: rec.BoxRecord, viewer: Viewer) -> BoxShown:
    at = kept.closed.after if kept.closed is not None else kept.after
    own = sees_chips(viewer, at, box.seat)
    return BoxShown(
        seat=box.seat,
        player=box.player,
        wagered_cents=box.wagered_cents,
        won_cents=box.won_cents,
        chips_before_cents=box.chips_before_cents if own else None,
        chips_after_cents=box.chips_after_cents if own else None,
        wagers=box.wagers,
        decisions=box.decisions,
    )


def _events(kept: KeptRound, viewer: Viewer) -> Iterator[EventShown]:
    for told in seen(kept, viewer):
        yield EventShown(
            event=tag_of(told.event),
            at=iso_time(told.line.at_us),
            by=visible_actor(viewer, told.line),
            role=told.line.role,
            clauses=told.event.clauses,
            rulings=told.event.rulings,
            data=particulars(told.event),
        )


def iso_time(at_us: int) -> str:
    """Nothing where nobody knows, or it is still to come."""
    return datetime.fromtimestamp(at_us / MICROS, UTC).isoformat() if at_us else ""
