"""A table read back from its ledger: the fold of its lines, with the cards that may be known.

A round's face-down cards stand as places in its pack. Its openings tell the turned ones; who has
the key knows all. Rounds that are over need no key, so an old key is never asked for. What lies
before the newest line that says how the table stands is not read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import msgspec
from msgspec.structs import astuple

from croupier.facts.errors import Unreadable, quoted
from croupier.games.registry import Registry
from croupier.ledger.events import (
    OF_THE_LEDGER,
    TABLE,
    Kept,
    ShoeCommitted,
    TableInstalled,
    TableSnapshot,
    read_kept,
)
from croupier.ledger.shoe.commitment import SealBinding
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.masked_cards import all_cards, opened_cards, unmasked
from croupier.ledger.shoe.pack import Pack
from croupier.ledger.shoe.seal import BrokenSeal, LostKey, opened
from croupier.ledger.snapshot import newest_snapshot, table_at, with_last
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.ledger.verification import verified, verified_line, verify_end
from croupier.submission.check import check
from croupier.submission.submission import Submission
from croupier.table.engine import evolve
from croupier.table.events import Event
from croupier.table.powers import POLICIES
from croupier.table.state import State, new_table
from croupier.table.terms import Terms, terms_of

Strange = Callable[[LedgerLine, str], None]
_TYPES = (str, int, int, str, str, str, str, str, str, str, bytes, bytes, bytes)
NO_EVENT = "this is no event that a ledger keeps; another version wrote it, or it was changed"


@dataclass(frozen=True)
class ReplayedTable:
    """A table as its ledger has it; ``pack`` is None where nobody can open the round's pack.

    ``snapshot_line`` is the snapshot that it was read from, 0 where it was read whole.
    """

    installed: TableInstalled
    state: State
    version: int
    last_us: int
    pack: Pack | None
    why_no_pack: str = ""
    snapshot_line: int = 0


@dataclass(frozen=True)
class ReplayedLines:
    """The lines of one round, from the commitment of its pack up to the next."""

    committed: ShoeCommitted | None
    lines: tuple[LedgerLine, ...]
    events: tuple[Kept, ...]

    @property
    def round(self) -> int:
        """The round its pack was committed for."""
        return self.committed.round if self.committed is not None else 0

    def unmasked_events(self, cards: Mapping[int, str] | None = None) -> Iterator[Event]:
        """The engine's events with the cards that are known: the opened ones, and these."""
        known = opened_cards(self.events) | dict(cards or {})
        for event in self.events:
            if not isinstance(event, OF_THE_LEDGER):
                yield unmasked(event, known)


def chapters(
    lines: Iterable[LedgerLine], strange: Strange | None = None
) -> Iterator[ReplayedLines]:
    """The lines of a table, round by round; the first chapter is its installation.

    A line that holds no event is Unreadable, or given to ``strange`` and left out.
    """
    committed: ShoeCommitted | None = None
    kept: list[LedgerLine] = []
    events: list[Kept] = []
    for line in lines:
        event = read_line(line, strange)
        if event is None:
            continue
        if isinstance(event, ShoeCommitted):
            if kept:
                yield ReplayedLines(committed, tuple(kept), tuple(events))
            committed, kept, events = event, [], []
        kept.append(line)
        events.append(event)
    if kept:
        yield ReplayedLines(committed, tuple(kept), tuple(events))


def read_line(line: LedgerLine, strange: Strange | None = None) -> Kept | None:
    """The event of a line; Unreadable where it has none, unless somebody takes note of that."""
    if tuple(map(type, astuple(line))) == _TYPES:
        try:
            return read_kept(line.body)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            pass
    if strange is None:
        raise Unreadable(f"{line.stream}, line {line.version}: {NO_EVENT}")
    strange(line, NO_EVENT)
    return None


def restored(ledger: Ledger, stream: str, registry: Registry, ring: KeyRing) -> ReplayedTable:
    """The table as it stood after its last line; the round before it can still be looked at."""
    installed = first_line(ledger, stream)
    state = new_table(kept_terms(installed, registry))
    snapshot = newest_snapshot(ledger, stream)
    if snapshot is not None:
        state = table_at(snapshot[1], state.terms)
    from_line = snapshot[0] if snapshot is not None else 1
    recent: deque[ReplayedLines] = deque()
    for chapter in chapters(verified(ledger, stream, after=from_line)):
        if chapter.committed is None:
            raise Unreadable(f"{stream}, line {from_line + 1}: no pack is committed to here")
        recent.append(chapter)
        while recent[0].round < chapter.round - 1:
            state = _after(state, recent.popleft())
    if not recent:
        raise Unreadable(f"{stream} ends before its first pack")
    if snapshot is not None and snapshot[1].round == recent[-1].round:
        state = _with_last(ledger, stream, snapshot[1], state, ring)
    pack, why = None, ""
    for chapter in recent:
        pack, why = _pack_of(ledger, stream, chapter, ring)
        state = _after(state, chapter, all_cards(pack) if pack is not None else None)
    newest = recent[-1].lines[-1]
    verify_end(ledger, newest)
    version, last_us = newest.version, newest.at_us
    return ReplayedTable(
        installed, state, version, last_us, pack, why, snapshot[0] if snapshot else 0
    )


def first_line(ledger: Ledger, stream: str) -> TableInstalled:
    """What the table plays by."""
    opening = next(chapters(map(partial(verified_line, ledger), ledger.read(stream, most=1))), None)
    if opening is None:
        raise Unreadable(f"there is no table {quoted(stream.removeprefix(TABLE))} in this ledger")
    return installed_in(opening, stream)


def installed_in(chapter: ReplayedLines, stream: str) -> TableInstalled:
    first = chapter.events[0]
    if not isinstance(first, TableInstalled):
        raise Unreadable(f"{stream} does not begin with the installation of a table")
    return first


def kept_submission(installed: TableInstalled, registry: Registry) -> Submission:
    checked = check(installed.submission, registry)
    if checked.submission is None:
        raise Unreadable(f"the submission of table {installed.table}: {checked.errors[0]}")
    return checked.submission


def kept_terms(installed: TableInstalled, registry: Registry) -> Terms:
    """What the table plays by: electronic cards and chips, whatever the submission files.

    A training table has the filed way of dealing with all its duties (ruling 38).
    """
    training = installed.training is True
    terms = terms_of(kept_submission(installed, registry), registry, electronic_shoe=not training)
    return replace(
        terms,
        electronic=True,
        keeps_chips=True,
        sealed=installed.sealed is True,
        training=training,
        practice=installed.practice,
        policy=POLICIES[installed.policy],
    )


def _after(state: State, chapter: ReplayedLines, cards: Mapping[int, str] | None = None) -> State:
    try:
        for event in chapter.unmasked_events(cards):
            state = evolve(state, event)
    except (LookupError, ValueError, TypeError, AssertionError):
        where = f"{chapter.lines[0].stream}, round {chapter.round}"
        raise Unreadable(
            f"{where}: its lines do not follow from each other; audit the ledger"
        ) from None
    return state


def _with_last(
    ledger: Ledger, stream: str, told: TableSnapshot, state: State, ring: KeyRing
) -> State:
    """The round before can still be looked at, and its cards are under seal.

    No other pack is opened for it, whatever the line says: not the one that is played from now.
    """
    line = next(chapters(ledger.read(stream, after=told.pack - 1, most=1)), None)
    if line is None or line.committed is None or line.round != told.round - 1:
        raise Unreadable(f"{stream}, line {told.pack}: a pack is told of, and is not there")
    pack, _ = _pack_of(ledger, stream, line, ring)
    return with_last(state, all_cards(pack)) if pack is not None else state


def _pack_of(
    ledger: Ledger, stream: str, chapter: ReplayedLines, ring: KeyRing
) -> tuple[Pack | None, str]:
    committed = chapter.committed
    assert committed is not None
    bound = SealBinding(ledger.id, stream, committed.round)
    try:
        return opened(ring, committed.sealed, bound, committed.commitment.root), ""
    except (LostKey, BrokenSeal) as lost:
        return None, str(lost)
