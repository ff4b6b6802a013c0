"""The record at work: rounds read back, decisions counted by the coach, one round told again.

It knows no request, so that a room without a service keeps the same record; ``apart`` is where
reading a ledger holds up nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, Protocol

import msgspec

from croupier.audit.records.files import ledger_records
from croupier.audit.records.reader import write_record
from croupier.audit.records.schema import RoundRecord
from croupier.facts.csv_text import csv_text
from croupier.facts.errors import Refusal, Unavailable, Unreadable, quoted
from croupier.games.registry import Registry
from croupier.games.rules import Rules
from croupier.ledger.rounds import tables_of
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.port import Ledger
from croupier.practice.asked_hand import AskedHand
from croupier.practice.explanation import Explanation
from croupier.practice.played_round import PlayedDecision, PlayedRound
from croupier.practice.profile import Profile
from croupier.practice.record import PlayerRecord, RecordSummary, uncounted
from croupier.practice.winning_hand import winning_cards
from croupier.server.pages.practice_room import CoachAsked
from croupier.server.pit.messages import NotHere

MICROS = 1_000_000
COLUMNS = (
    *("time", "table", "rulebook", "round", "cards", "board", "dealer", "hand", "dealer_hand"),
    *("staked_cents", "net_cents", "decisions", "best", "cost_cents"),
)


class Apart(Protocol):
    """Runs what takes its time, such as ``asyncio.to_thread``."""

    def __call__(self, work: Callable[..., Any], /, *said: object) -> Awaitable[Any]: ...


class RoundTold(msgspec.Struct, frozen=True):
    """``why`` by decision, where the coach can say; ``winning`` are the cards of the higher hand;
    ``before`` and ``after`` are the rounds beside it at its table, 0 where there is none."""

    played: PlayedRound
    why: tuple[Explanation | None, ...]
    winning: tuple[str, ...]
    before: int
    after: int


class RecordReader:
    """One player's record, for whoever asks; what nobody has counted is counted in between."""

    def __init__(
        self,
        ledger: Ledger,
        registry: Registry,
        ring: KeyRing,
        profile: Profile,
        tutor: CoachAsked,
        apart: Apart = asyncio.to_thread,
    ) -> None:
        self._ledger, self._registry, self._ring = ledger, registry, ring
        self.kept = PlayerRecord(ledger, registry, ring, profile)
        self._tutor, self._apart = tutor, apart
        self._counting: asyncio.Task[None] | None = None

    async def rounds(self) -> list[PlayedRound]:
        found: list[PlayedRound] = await self._apart(self.kept.rounds)
        return found

    async def played(self, table: str, number: int) -> PlayedRound:
        found: PlayedRound | None = await self._apart(self.kept.round, table, number)
        if found is None:
            raise NotHere(f"there is no round {number} of yours at table {quoted(table)}")
        return found

    async def summary(self, *, whole: bool = False) -> RecordSummary:
        """All of it in sums; decisions that nobody has counted yet are counted from now on."""
        if self._counting is None or self._counting.done():
            self._counting = asyncio.ensure_future(self._count_all())
        summed_up = partial(self.kept.summary, whole=whole)
        found: RecordSummary = await self._apart(summed_up)
        return found

    async def told(self, rules: Rules, table: str, number: int) -> RoundTold:
        """The round with what each choice was worth, counted now where nobody has yet."""
        played = await self.played(table, number)
        for place in [place for _, place in uncounted([played])]:
            await self._count(played, place)
        played = await self.played(table, number)
        beside = sorted(each.round for each in await self.rounds() if each.table == table)
        place = beside.index(number)
        before, after = beside[place - 1] if place else 0, (beside[place + 1 :] or [0])[0]
        why = tuple([await self._why(played, decision) for decision in played.decisions])
        return RoundTold(played, why, _winning(rules, played), before, after)

    async def asked(self, table: str, number: int, decision: int) -> AskedHand:
        """The cards of a decision, or of the last one; none where nothing was decided."""
        played = await self.played(table, number)
        if not played.decisions:
            return AskedHand(own=())
        seen = played.decisions[min(decision or 99, len(played.decisions)) - 1].seen
        return AskedHand(seen.own, seen.board, (seen.up,) if seen.up else ())

    async def close(self) -> None:
        if self._counting is not None:
            self._counting.cancel()
            await asyncio.gather(self._counting, return_exceptions=True)

    # Files of it

    async def as_csv(self) -> str:
        """One line a round, for a spreadsheet."""
        return _csv(await self.rounds())

    def as_records(self) -> Iterator[bytes]:
        """Round records, as ``croupier export`` writes them; a round that is played is left out."""
        tables = tables_of(self._ledger)
        for record in ledger_records(self._ledger, tables, self._registry, self._ring):
            if not isinstance(record, RoundRecord) or record.status != "in progress":
                yield write_record(record) + b"\n"

    # Counting

    async def _count_all(self) -> None:
        for played, place in uncounted(await self.rounds()):
            await self._count(played, place)

    async def _count(self, played: PlayedRound, place: int) -> None:
        """Nothing is kept where the coach is away, or cannot count these rules."""
        seen, record = played.decisions[place].seen, self.kept
        with suppress(Unavailable, Unreadable, Refusal):
            submission = await self._apart(record.submission, played.table)
            worths = await self._tutor.worths(submission, seen)
            await self._apart(record.counted, played.table, played.round, place, worths)

    async def _why(self, played: PlayedRound, decision: PlayedDecision) -> Explanation | None:
        """The reasons behind a decision that was made; None where the coach cannot say."""
        with suppress(Unavailable, Unreadable, Refusal):
            submission = await self._apart(self.kept.submission, played.table)
            return (await self._tutor.explained(submission, decision.seen))[1]
        return None


def _winning(rules: Rules, played: PlayedRound) -> tuple[str, ...]:
    if not played.dealer_hand or not played.hand:
        return ()
    return winning_cards(rules, played.cards, played.board, played.dealer)


def _csv(rounds: list[PlayedRound]) -> str:
    return csv_text((COLUMNS, *map(_csv_row, rounds)))


def _csv_row(each: PlayedRound) -> tuple[object, ...]:
    decided = " ".join(decision.chosen for decision in each.decisions)
    best = " ".join(decision.best or "?" for decision in each.decisions)
    when = datetime.fromtimestamp(each.at_us / MICROS).astimezone().isoformat("T", "seconds")
    return (
        *(when, each.table, each.rulebook, each.round, " ".join(each.cards)),
        *(" ".join(each.board), " ".join(each.dealer), each.hand, each.dealer_hand),
        *(each.staked_cents, each.net_cents, decided, best, round(each.cost_cents, 2)),
    )
