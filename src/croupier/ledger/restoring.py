"""A table read back from its ledger: the fold of its lines, with the cards that may be known.

A round's face-down cards stand as places in its pack. Its openings tell the turned ones; who has
the key knows all. Rounds that are over need no key, so an old key is never asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import msgspec
from msgspec.structs import astuple

from croupier.facts.errors import Unreadable, quoted
from croupier.games.house import House
from croupier.ledger.happenings import (
    OF_THE_LEDGER,
    TABLE,
    Kept,
    ShoeCommitted,
    TableInstalled,
    read_kept,
)
from croupier.ledger.keyring import KeyRing
from croupier.ledger.masking import all_cards, opened_cards, unmasked
from croupier.ledger.pack import Bound, Pack
from croupier.ledger.port import Ledger
from croupier.ledger.record import Record
from croupier.ledger.sealing import BrokenSeal, LostKey, opened
from croupier.submission.check import check
from croupier.submission.submission import Submission
from croupier.table.engine import evolve
from croupier.table.events import Event
from croupier.table.state import State, new_table
from croupier.table.terms import Terms, terms_of

Strange = Callable[[Record, str], None]
_TYPES = (str, int, int, str, str, str, str, str, str, str, bytes, bytes)
NO_EVENT = "this is no event that a ledger keeps"


@dataclass(frozen=True)
class Restored:
    """A table as its ledger has it; ``pack`` is None where nobody can open the round's pack."""

    installed: TableInstalled
    state: State
    version: int
    last_us: int
    pack: Pack | None
    why_no_pack: str = ""


@dataclass(frozen=True)
class Chapter:
    """The lines of one round, from the commitment of its pack up to the next."""

    committed: ShoeCommitted | None
    lines: tuple[Record, ...]
    events: tuple[Kept, ...]

    @property
    def round(self) -> int:
        """The round its pack was committed for."""
        return self.committed.round if self.committed is not None else 0

    def told(self, cards: Mapping[int, str] | None = None) -> Iterator[Event]:
        """The engine's events with the cards that are known: the opened ones, and these."""
        known = opened_cards(self.events) | dict(cards or {})
        for event in self.events:
            if not isinstance(event, OF_THE_LEDGER):
                yield unmasked(event, known)


def chapters(lines: Iterable[Record], strange: Strange | None = None) -> Iterator[Chapter]:
    """The lines of a table, round by round; the first chapter is its installation.

    A line that holds no event is Unreadable, or given to ``strange`` and left out.
    """
    committed: ShoeCommitted | None = None
    kept: list[Record] = []
    events: list[Kept] = []
    for line in lines:
        event = read_line(line, strange)
        if event is None:
            continue
        if isinstance(event, ShoeCommitted):
            if kept:
                yield Chapter(committed, tuple(kept), tuple(events))
            committed, kept, events = event, [], []
        kept.append(line)
        events.append(event)
    if kept:
        yield Chapter(committed, tuple(kept), tuple(events))


def read_line(line: Record, strange: Strange | None = None) -> Kept | None:
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


def restored(ledger: Ledger, stream: str, house: House, ring: KeyRing) -> Restored:
    """The table as it stood after its last line; the round before it can still be looked at."""
    told = chapters(ledger.read(stream))
    opening = next(told, None)
    if opening is None:
        raise Unreadable(f"there is no table {quoted(stream.removeprefix(TABLE))} in this ledger")
    installed = installed_in(opening, stream)
    state = new_table(kept_terms(installed, house))
    recent: deque[Chapter] = deque()
    for chapter in told:
        recent.append(chapter)
        while recent[0].round < chapter.round - 1:
            state = _after(state, recent.popleft())
    if not recent:
        raise Unreadable(f"{stream} ends before its first pack")
    pack, why = None, ""
    for chapter in recent:
        pack, why = _pack_of(ledger, stream, chapter, ring)
        state = _after(state, chapter, all_cards(pack) if pack is not None else None)
    newest = recent[-1].lines[-1]
    return Restored(installed, state, newest.version, newest.at_us, pack, why)


def installed_in(chapter: Chapter, stream: str) -> TableInstalled:
    first = chapter.events[0]
    if not isinstance(first, TableInstalled):
        raise Unreadable(f"{stream} does not begin with the installation of a table")
    return first


def kept_submission(installed: TableInstalled, house: House) -> Submission:
    checked = check(installed.submission, house)
    if checked.submission is None:
        raise Unreadable(f"the submission of table {installed.table}: {checked.errors[0]}")
    return checked.submission


def kept_terms(installed: TableInstalled, house: House) -> Terms:
    """What the table plays by: electronic cards and chips, whatever the submission files."""
    terms = terms_of(kept_submission(installed, house), house, electronic_shoe=True)
    return replace(terms, electronic=True, keeps_chips=True, sealed=installed.sealed is True)


def _after(state: State, chapter: Chapter, cards: Mapping[int, str] | None = None) -> State:
    try:
        for event in chapter.told(cards):
            state = evolve(state, event)
    except (LookupError, ValueError, TypeError, AssertionError):
        where = f"{chapter.lines[0].stream}, round {chapter.round}"
        raise Unreadable(
            f"{where}: its lines do not follow from each other; audit the ledger"
        ) from None
    return state


def _pack_of(
    ledger: Ledger, stream: str, chapter: Chapter, ring: KeyRing
) -> tuple[Pack | None, str]:
    committed = chapter.committed
    assert committed is not None
    bound = Bound(ledger.id, stream, committed.round)
    try:
        return opened(ring, committed.sealed, bound, committed.commitment.root), ""
    except (LostKey, BrokenSeal) as lost:
        return None, str(lost)
