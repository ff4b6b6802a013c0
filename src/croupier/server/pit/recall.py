"""Game recall: the last rounds of a table, each told again as one viewer saw it (R15, R16).

A card is told when the table had shown it to him. Everything here is marked as a replay.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from croupier.audit.records import schema as rec
from croupier.audit.records.writer import round_record
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.ledger.redaction import (
    actor_told,
    lay_to_the_end,
    refuse_stranger,
    seen,
    sees_chips,
)
from croupier.ledger.rounds import Bookmark, KeptRound, bookmark, kept_rounds
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.seal import BrokenSeal, LostKey
from croupier.ledger.store.port import Ledger
from croupier.table.views import Viewer

KEPT = 50
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


class Recall:
    """The rounds of one table; bookmarks spare reading a long evening again for each of them."""

    def __init__(self, ledger: Ledger, table: str, registry: Registry, ring: KeyRing) -> None:
        self._ledger, self._table, self._registry, self._ring = ledger, table, registry, ring
        self._marks: deque[tuple[int, Bookmark]] = deque(maxlen=KEPT + 1)
        self._over: dict[int, RoundShown] = {}
        self._desk = threading.Lock()

    def rounds(self) -> list[RoundShown]:
        """At least the last fifty, the newest first; the one that is played now, too."""
        with self._desk:
            self._follow()
            return [
                self._over[number] for number, _ in reversed(self._marks) if number in self._over
            ]

    def kept(self, number: int) -> KeptRound:
        """With the cards that are under seal; without them where the key is lost."""
        with self._desk:
            self._follow()
            mark = dict(self._marks).get(number)
            if mark is None or number not in self._over:
                raise Unreadable(f"there is no round {number} among the last {KEPT} of this table")
        try:
            return next(self._since(mark, range(number, number + 1), self._ring))
        except (LostKey, BrokenSeal):
            return next(self._since(mark))

    def ever(self, number: int) -> KeptRound:
        """A round of any age, for who watches over the table; an old one is looked for from the
        last line before it that says how the table stood."""
        try:
            return self.kept(number)
        except Unreadable:
            newest = self._marks[-1][0] if self._marks else 0
            if not 1 <= number < newest:
                raise
        mark = bookmark(self._ledger, self._table, self._registry, newest - number + 1)
        try:
            return self._only(mark, number, self._ring)
        except (LostKey, BrokenSeal):
            return self._only(mark, number, None)

    def _only(self, mark: Bookmark | None, number: int, ring: KeyRing | None) -> KeptRound:
        since = self._since(mark, range(number, number + 1), ring)
        return next(kept for kept in since if kept.number == number)

    def replay(self, kept: KeptRound, viewer: Viewer) -> Replay:
        """Unreadable where a player had no box in it."""
        refuse_stranger(viewer, kept)
        record = round_record(self._ledger.id, kept)
        return Replay(
            replay=True,
            training=record.training,
            table=self._table,
            rulebook=record.rulebook,
            seen_by=viewer.role,
            summary=_summary(record),
            boxes=tuple(_box(kept, box, viewer) for box in record.boxes),
            events=tuple(_events(kept, viewer)),
            never_turned=dict(lay_to_the_end(kept, viewer)),
        )

    def _follow(self) -> None:
        """What happened since the last look."""
        last = self._marks[-1] if self._marks else None
        if last is not None:
            mark: Bookmark | None = last[1]
        else:
            mark = bookmark(self._ledger, self._table, self._registry, KEPT)
        for kept in deque(self._since(mark), maxlen=KEPT + 1):
            if last is None or kept.number != last[0]:
                self._marks.append((kept.number, kept.bookmark))
            if kept.has_begun:
                self._over[kept.number] = _summary(round_record(self._ledger.id, kept))
        kept_numbers = dict(self._marks)
        self._over = {n: shown for n, shown in self._over.items() if n in kept_numbers}

    def _since(
        self, mark: Bookmark | None, wanted: range | None = None, ring: KeyRing | None = None
    ) -> Iterator[KeptRound]:
        return kept_rounds(
            self._ledger, self._table, self._registry, ring, wanted=wanted, since=mark
        )


def _summary(record: rec.RoundRecord) -> RoundShown:
    return RoundShown(
        round=record.round,
        status=record.status,
        began_at=_iso(record.began_at_us),
        ended_at=_iso(record.ended_at_us),
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
        stored = msgspec.to_builtins(told.event)
        yield EventShown(
            event=stored.pop("event"),
            at=_iso(told.line.at_us),
            by=actor_told(viewer, told.line),
            role=told.line.role,
            clauses=tuple(stored.pop("clauses")),
            rulings=tuple(stored.pop("rulings")),
            data=stored,
        )


def _iso(at_us: int) -> str:
    """Nothing where nobody knows, or it is still to come."""
    return datetime.fromtimestamp(at_us / MICROS, UTC).isoformat() if at_us else ""
