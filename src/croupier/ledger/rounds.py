"""The rounds of a table read back one by one, each event with the table as it stood around it.

One round is held at a time, so a ledger of any length can be told, exported or checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from croupier.facts.errors import Unreadable, quoted
from croupier.games.registry import Registry
from croupier.ledger.events import OF_THE_LEDGER, TABLE, TableInstalled
from croupier.ledger.replay import (
    ReplayedLines,
    chapters,
    first_line,
    installed_in,
    kept_terms,
)
from croupier.ledger.shoe.commitment import SealBinding
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.masked_cards import all_cards, opened_cards, unmasked
from croupier.ledger.shoe.pack import Pack
from croupier.ledger.shoe.seal import LostKey, opened
from croupier.ledger.snapshot import newest_snapshot, snapshot_at, table_at
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.table.commands import UNREADABLE
from croupier.table.engine import evolve
from croupier.table.events import BetsClosed, CardsCleared, Event, RoundVoided
from croupier.table.state import State, new_table

NO_FOLD = (KeyError, ValueError, IndexError, AssertionError, StopIteration, TypeError)


@dataclass(frozen=True)
class RoundEvent:
    """One event of a round: its line in the ledger, and the table before and after it.

    A card that nobody here can know stands as its place in the pack.
    """

    line: LedgerLine
    event: Event
    before: State
    after: State


@dataclass(frozen=True)
class Bookmark:
    """Where a round begins: the line before it, and the table as it stood there."""

    installed: TableInstalled
    line: int
    state: State


@dataclass(frozen=True)
class KeptRound:
    """A round as the ledger has it.

    A shoe that had to be renewed before bets closed gives it another chapter; no card was dealt
    from the one before, and nobody needs to open it.
    """

    installed: TableInstalled
    stream: str
    number: int
    before: State
    chapters: tuple[ReplayedLines, ...]
    told: tuple[RoundEvent, ...]
    packs: tuple[Pack | None, ...]

    @property
    def after(self) -> State:
        return self.told[-1].after if self.told else self.before

    @property
    def bookmark(self) -> Bookmark:
        return Bookmark(self.installed, self.chapters[0].lines[0].version - 1, self.before)

    @property
    def is_over(self) -> bool:
        return any(isinstance(told.event, CardsCleared) for told in self.told)

    @property
    def has_begun(self) -> bool:
        """Whether anybody wagered on it."""
        return self.is_over or bool(self.after.round.boxes) or self.closed is not None

    @property
    def closed(self) -> RoundEvent | None:
        """Where wagers closed."""
        return next((told for told in self.told if isinstance(told.event, BetsClosed)), None)


def kept_rounds(
    ledger: Ledger,
    table: str,
    registry: Registry,
    ring: KeyRing | None = None,
    lines: Iterable[LedgerLine] | None = None,
    wanted: range | None = None,
    since: Bookmark | None = None,
) -> Iterator[KeptRound]:
    """Every round of a table; with keys, the face-down cards of the wanted ones are known.

    ``lines`` are the table's own, where the caller proves them while they are read. ``since`` a
    bookmark nothing before it is read again.
    """
    stream = f"{TABLE}{table}"
    if since is not None:
        told = chapters(ledger.read(stream, after=since.line))
        installed, state = since.installed, since.state
    else:
        told = chapters(ledger.read(stream) if lines is None else lines)
        opening = next(told, None)
        if opening is None:
            raise Unreadable(f"there is no table {quoted(table)} in this ledger")
        installed = installed_in(opening, stream)
        state = new_table(kept_terms(installed, registry))
    for number, group in _by_round(told):
        keys = ring if wanted is None or number in wanted else None
        packs = (*[None] * (len(group) - 1), _pack(ledger.id, stream, group[-1], keys))
        events = tuple(_round_events(state, zip(group, packs, strict=True)))
        yield KeptRound(installed, stream, number, state, group, events, packs)
        state = events[-1].after if events else state


def bookmark(ledger: Ledger, table: str, registry: Registry, rounds: int) -> Bookmark | None:
    """Where to begin for at least the last so many rounds; None is at the first line.

    From the newest line that says how the table stood to the one before it, and so on.
    """
    stream = f"{TABLE}{table}"
    found = newest = newest_snapshot(ledger, stream)
    while found is not None and newest is not None and found[1].round > newest[1].round - rounds:
        found = snapshot_at(ledger, stream, found[1].before)
    if found is None:
        return None
    installed = first_line(ledger, stream)
    return Bookmark(installed, found[0], table_at(found[1], kept_terms(installed, registry)))


def tables_of(ledger: Ledger) -> list[str]:
    return sorted(
        stream.removeprefix(TABLE) for stream in ledger.heads() if stream.startswith(TABLE)
    )


def _by_round(told: Iterator[ReplayedLines]) -> Iterator[tuple[int, tuple[ReplayedLines, ...]]]:
    group: list[ReplayedLines] = []
    for chapter in told:
        if group and chapter.round != group[0].round:
            yield group[0].round, tuple(group)
            group = []
        group.append(chapter)
    if group:
        yield group[0].round, tuple(group)


def _pack(ledger_id: str, stream: str, chapter: ReplayedLines, ring: KeyRing | None) -> Pack | None:
    committed = chapter.committed
    if ring is None or committed is None:
        return None
    bound = SealBinding(ledger_id, stream, committed.round)
    try:
        return opened(ring, committed.sealed, bound, committed.commitment.root)
    except LostKey:
        if any(isinstance(e, RoundVoided) and e.name == UNREADABLE for e in chapter.events):
            return None  # it was void for that
        raise


def _round_events(
    state: State, group: Iterable[tuple[ReplayedLines, Pack | None]]
) -> Iterator[RoundEvent]:
    for chapter, pack in group:
        known = opened_cards(chapter.events) | (all_cards(pack) if pack is not None else {})
        for line, kept in zip(chapter.lines, chapter.events, strict=True):
            if isinstance(kept, OF_THE_LEDGER):
                continue
            event = unmasked(kept, known)
            try:
                after = evolve(state, event)
            except NO_FOLD:
                raise _altered(line.stream, line.version) from None
            yield RoundEvent(line, event, state, after)
            state = after


def _altered(stream: str, version: int) -> Unreadable:
    return Unreadable(
        f"{stream}, line {version}: this cannot have been written here; croupier audit says more"
    )
