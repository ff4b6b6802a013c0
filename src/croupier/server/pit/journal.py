"""An append-only stream of the service itself: its people, logins, links, the program."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import UnionType
from typing import Generic, TypeVar

import msgspec

from croupier.ledger.append_retry import append_anew
from croupier.ledger.kept_table import Clock
from croupier.ledger.store.line import LedgerLine, LineDraft
from croupier.ledger.store.port import Ledger, Writing
from croupier.ledger.verification import ForgedLine, verified

STEP = 1000
E = TypeVar("E", bound=msgspec.Struct)


class Journal(Generic[E]):
    """Events of one kind, or a union of kinds; whoever writes waits for the disk."""

    def __init__(
        self, ledger: Ledger, stream: str, kinds: type[E] | UnionType, clock: Clock
    ) -> None:
        self._ledger, self._stream, self._clock = ledger, stream, clock
        self._decoder: msgspec.json.Decoder[E] = msgspec.json.Decoder(kinds)
        self._read = 0
        self._own: set[int] | None = None
        self._lock = threading.Lock()  # passwords are checked in threads of their own

    def write(self, event: E, by: str, role: str) -> None:
        self.write_all((event,), by, role)

    def write_all(
        self, events: Sequence[E], by: str, role: str, beside: Callable[[], Writing] | None = None
    ) -> None:
        """All of them or none, one after the other; ``beside`` is what another stream is to have in
        the same transaction."""
        with self._lock:
            lines = append_anew(
                self._ledger,
                self._stream,
                lambda: (self.writing(events, by, role), *((beside(),) if beside else ())),
            )
            if self._own is not None:
                self._own |= {line.version for line in lines if line.stream == self._stream}

    def writing(self, events: Sequence[E], by: str, role: str) -> Writing:
        """What :meth:`write_all` would append now, for who appends it with lines of his own."""
        at_us = self._clock()
        drafts = tuple(
            LineDraft(str(one.__struct_config__.tag), _text(one), at_us, by, role, "")
            for one in events
        )
        return Writing(self._stream, self._ledger.head(self._stream).version, drafts)

    def news(self) -> Iterator[E]:
        """What was written since it was last read here."""
        return (event for _, event in self.with_lines())

    def with_lines(self) -> Iterator[tuple[LedgerLine, E]]:
        """The same, each with its line, which says who wrote it."""
        for line in self._believed(self._read):
            self._read = line.version
            yield line, self._decoder.decode(line.body)

    def of_others(self) -> list[tuple[LedgerLine, E]]:
        """What other processes wrote since this was last asked; never what was written here."""
        with self._lock:
            lines = list(self._believed(self._read))
            if lines:
                self._read = lines[-1].version
            own, self._own = self._own or set(), set()
        others = [line for line in lines if line.version not in own]
        return [(line, self._decoder.decode(line.body)) for line in others]

    def begin_at(self, at_us: int) -> None:
        """Follow others from a time on; what was written before is passed over, however much."""
        self._own = set()
        first = self._ledger.head(self._stream).version
        while first > 0:
            first = max(0, first - STEP)
            line = next(self._ledger.read(self._stream, after=first, most=1), None)
            if line is None or line.at_us < at_us:
                break
        self._read = first

    def latest(self, most: int) -> Iterator[tuple[LedgerLine, E]]:
        """The newest lines, in their order."""
        after = max(0, self._ledger.head(self._stream).version - most)
        for line in self._believed(after):
            yield line, self._decoder.decode(line.body)

    def _believed(self, after: int) -> Iterator[LedgerLine]:
        """Up to the first line that nobody who has the keys wrote; the pit stops for it."""
        with suppress(ForgedLine):
            yield from verified(self._ledger, self._stream, after)


def _text(event: msgspec.Struct) -> str:
    return msgspec.json.encode(event).decode()
