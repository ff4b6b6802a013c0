"""What each viewer may know of the cards, told from the ledger and its keys, not from any view."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from croupier.facts.cards import DECK
from croupier.games.registry import Registry
from croupier.ledger.envelope import SYSTEM
from croupier.ledger.rounds import Bookmark, KeptRound, kept_rounds
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.masked_cards import shown_cards
from croupier.ledger.store.port import Ledger
from croupier.table.agenda import first_cards_are_out, moment, phase
from croupier.table.views import Viewer

BREATH_S = 1.0
RECENT = 4  # rounds that are looked at again: what was under way may tell of them
NAMES = frozenset(map(str, DECK))
QUOTED = re.compile(r'"([2-9TJQKA][cdhs])"')
IN_WORDS = re.compile(r"[2-9TJQKA][♣♦♥♠]")
SYMBOLS = {card.symbol: str(card) for card in DECK}


def named(text: str) -> set[str]:
    """Every card that a text names, as a frame does or as a sentence does."""
    return {*QUOTED.findall(text), *(SYMBOLS[found] for found in IN_WORDS.findall(text))}


def open_to(kept: KeptRound, viewer: Viewer) -> Iterator[frozenset[str]]:
    """After each event: what was turned, his own cards once the first were out, and for
    surveillance all that was dealt when it was over.
    """
    known: set[str] = set()
    for told in kept.told:
        known |= {*shown_cards(told.event)}
        over = told.after.round.number != kept.number
        round = told.after.last if over else told.after.round
        assert round is not None
        if viewer.role == "player" and (over or first_cards_are_out(told.after)):
            own = (box for box in round.boxes.values() if box.player == viewer.name)
            known |= {card for box in own for card in box.cards}
        if viewer.role == "surveillance" and (
            over or phase(told.after) in ("settling", "clearing")
        ):
            known |= round.out
        yield frozenset(known & NAMES)


class Watched:
    """One table's cards, version by version, for each viewer who was shown anything of it.

    ``written_s`` is when each line was written, in told time: no clock of the house tells that.
    """

    def __init__(self, table: str, registry: Registry, ring: KeyRing, patience_s: float) -> None:
        self.table, self._registry, self._ring = table, registry, ring
        self._patience_s = patience_s
        self.written_s: dict[int, float] = {}
        self._since: Bookmark | None = None
        self._frames: dict[Viewer, list[tuple[int, str, str]]] = {}
        self._events: dict[Viewer, list[tuple[int, int, str]]] = {}

    def shown(self, viewer: Viewer, version: int, now: str, text: str) -> None:
        """A text that reached a viewer; ``now`` is the phase it tells of."""
        self._frames.setdefault(viewer, []).append((version, now, text))

    def told(self, viewer: Viewer, since: int, version: int, text: str) -> None:
        """What happened after one version and until another, as it reached a viewer."""
        self._events.setdefault(viewer, []).append((since, version, text))

    def wrongs(self, ledger: Ledger) -> Iterator[str]:
        """Every card that reached somebody who might not know it, and everybody who was hurried,
        since the last look.
        """
        firsts = [frame[0] for told in self._frames.values() for frame in told]
        firsts += [events[0] for told in self._events.values() for events in told]
        oldest = min(firsts, default=0)
        since = self._since if self._since is not None and oldest > self._since.line else None
        rounds = list(kept_rounds(ledger, self.table, self._registry, self._ring, since=since))
        for kept in rounds:
            yield from self._hurried(kept)
        for viewer, frames in self._frames.items():
            allowed, who = _Allowed(rounds, viewer), viewer.name or viewer.role
            for version, now, text in frames:
                for card in sorted(named(text) - allowed.at(version, now)):
                    yield f"{who} was shown {card} at {self.table}, version {version} ({now})"
            for before, version, text in self._events.get(viewer, ()):
                for card in sorted(named(text) - allowed.between(before, version)):
                    yield f"{who} was told {card} at {self.table}, version {version}"
        self._frames.clear()
        self._events.clear()
        if len(rounds) > RECENT:
            self._since = rounds[-RECENT].bookmark

    def _hurried(self, kept: KeptRound) -> Iterator[str]:
        """A box has its whole time from when it was asked, whoever plays the table meanwhile."""
        asked: tuple[int, int] | None = None
        since_s = 0.0
        for told in kept.told:
            box = moment(told.before).asked
            late = told.line.actor == SYSTEM and '"do":"time-out"' in told.line.command
            is_known = told.line.version in self.written_s
            if late and is_known and box is not None and box.absent != "default":
                had_s = self.written_s[told.line.version] - since_s
                if had_s < self._patience_s - BREATH_S:
                    yield f"box {box.seat} of {self.table} was timed out after {had_s:.1f} seconds"
            box = moment(told.after).asked
            if box is not None and (box.seat, box.answered) != asked:
                asked = (box.seat, box.answered)
                since_s = self.written_s.get(told.line.version, 0.0)


class _Allowed:
    """What one viewer may know at each version."""

    def __init__(self, rounds: list[KeptRound], viewer: Viewer) -> None:
        self._versions: list[int] = [0]
        self._known: list[tuple[frozenset[str], frozenset[str]]] = [(frozenset(), frozenset())]
        before: frozenset[str] = frozenset()
        for kept in rounds:
            known: frozenset[str] = frozenset()
            for told, known in zip(kept.told, open_to(kept, viewer), strict=True):
                self._versions.append(told.line.version)
                self._known.append((known, before))
            before = known

    def at(self, version: int, now: str) -> frozenset[str]:
        """While nothing is dealt, the round before still lies there."""
        known, before = self._known[bisect_right(self._versions, version) - 1]
        return known | before if now == "betting" else known

    def between(self, since: int, version: int) -> frozenset[str]:
        """What he learned, or knew already, after one version and until another."""
        first, last = (bisect_right(self._versions, at) for at in (since, version))
        return frozenset().union(*(known for known, _ in self._known[first:last]))
