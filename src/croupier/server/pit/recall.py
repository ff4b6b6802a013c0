"""Game recall: the last rounds of a table, for whoever may see them again (R15, R16)."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator

from croupier.audit.records.replay_document import (
    Replay,
    RoundShown,
    replay_document,
    round_shown,
)
from croupier.audit.records.writer import round_record
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.ledger.rounds import Bookmark, KeptRound, bookmark, kept_rounds
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.seal import BrokenSeal, LostKey
from croupier.ledger.store.port import Ledger
from croupier.table.views import Viewer

KEPT = 50


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
        return replay_document(round_record(self._ledger.id, kept), kept, viewer)

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
                record = round_record(self._ledger.id, kept)
                self._over[kept.number] = round_shown(record)
        kept_numbers = dict(self._marks)
        self._over = {n: shown for n, shown in self._over.items() if n in kept_numbers}

    def _since(
        self, mark: Bookmark | None, wanted: range | None = None, ring: KeyRing | None = None
    ) -> Iterator[KeptRound]:
        return kept_rounds(
            self._ledger, self._table, self._registry, ring, wanted=wanted, since=mark
        )
