"""One line of the ledger: an event, who caused it and when, chained to the line before it.

The chain is over the bytes that are stored, so a line is checked without understanding its event:
a field of the wrong length, a removed line or two lines swapped break it at that place.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from croupier.facts.errors import quoted
from croupier.table.double_entry import Entry

DOMAIN = b"croupier ledger line 1"
NO_ENTRIES = "[]"


class LineDraft(msgspec.Struct, frozen=True):
    """What somebody wants written: a line without its place in the chain.

    ``command`` is the asking itself, as it was read; only the first line of its answer holds it.
    """

    kind: str
    body: str
    at_us: int
    actor: str
    role: str
    command_id: str
    command: str = ""
    entries: tuple[Entry, ...] = ()


class LedgerLine(msgspec.Struct, frozen=True):
    """A line as it is kept. ``body`` and ``entries`` are JSON texts, hashed as they stand; ``mac``
    is over the hash (``line_mac``), and empty where no key was at hand.
    """

    stream: str
    version: int
    at_us: int
    actor: str
    role: str
    command_id: str
    command: str
    kind: str
    body: str
    entries: str
    previous: bytes
    hash: bytes
    mac: bytes = b""

    def digest(self) -> bytes:
        """What the hash has to be: over every field before it, with its length."""
        place = (self.stream, str(self.version), str(self.at_us), self.actor, self.role)
        return hashed(
            self.previous, *place, self.command_id, self.command, self.kind, self.body, self.entries
        )


def genesis(ledger_id: str, stream: str) -> bytes:
    """What the first line of a stream points back to: no line of another ledger fits here."""
    return hashed(b"", "genesis", ledger_id, stream)


def unsigned(hash: bytes) -> bytes:
    """No MAC, where no key is at hand."""
    return b""


def chained(
    stream: str,
    version: int,
    previous: bytes,
    drafts: Iterable[LineDraft],
    mac: Callable[[bytes], bytes] = unsigned,
) -> tuple[LedgerLine, ...]:
    """The lines after ``version``, each holding the hash of the one before."""
    lines: list[LedgerLine] = []
    for draft in drafts:
        version += 1
        line = _line(stream, version, previous, draft, mac)
        lines.append(line)
        previous = line.hash
    return tuple(lines)


class Break(msgspec.Struct, frozen=True):
    """Where a ledger first differs from what it has to be: version 0 is the stream as a whole, and
    no stream the ledger as a whole.
    """

    stream: str
    version: int
    why: str

    def __str__(self) -> str:
        place = f"{quoted(self.stream)}, line {self.version}" if self.version else ""
        return f"{place or (quoted(self.stream) if self.stream else 'the ledger')}: {self.why}"


class Broken(Exception):
    """The chain does not hold; ``first`` says where."""

    def __init__(self, first: Break) -> None:
        super().__init__(str(first))
        self.first = first


def followed(ledger_id: str, stream: str, lines: Iterable[LedgerLine]) -> Iterator[LedgerLine]:
    """The lines of a stream from its first on, each one given only when it fits the one before."""
    previous = genesis(ledger_id, stream)
    for version, line in enumerate(lines, 1):
        why = misfit(line, stream, version, previous)
        if why:
            raise Broken(Break(stream, version, why))
        yield line
        previous = line.hash


def written_entries(entries: Sequence[Entry]) -> str:
    return msgspec.json.encode(entries).decode() if entries else NO_ENTRIES


def read_entries(text: str) -> tuple[Entry, ...]:
    return () if text == NO_ENTRIES else msgspec.json.decode(text, type=tuple[Entry, ...])


def misfit(line: LedgerLine, stream: str, version: int, previous: bytes) -> str:
    """What is wrong with a line that should stand here; nothing when it is right."""
    if line.version != version:
        return f"line {version} is not there; line {line.version} stands in its place"
    if tuple(map(type, msgspec.structs.astuple(line))) != _TYPES:
        return "a field is not of the kind it was written as"
    if line.previous != previous:
        return (
            "it does not point back to the line before it"
            if version > 1
            else "it does not point back to the beginning of this stream of this ledger"
        )
    if line.stream != stream or line.hash != line.digest():
        return "its content does not have the hash that was written with it"
    return ""


def _line(
    stream: str, version: int, previous: bytes, draft: LineDraft, mac: Callable[[bytes], bytes]
) -> LedgerLine:
    line = LedgerLine(
        stream=stream,
        version=version,
        at_us=draft.at_us,
        actor=draft.actor,
        role=draft.role,
        command_id=draft.command_id,
        command=draft.command,
        kind=draft.kind,
        body=draft.body,
        entries=written_entries(draft.entries),
        previous=previous,
        hash=b"",
    )
    hash = line.digest()
    return msgspec.structs.replace(line, hash=hash, mac=mac(hash))


def hashed(previous: bytes, *texts: str) -> bytes:
    """SHA-256 over how many parts there are, how long each is, and then the parts themselves, so
    that no two lists can be taken for one another. Bytes that are no text hash as they stand.
    """
    parts = [DOMAIN, previous, *[text.encode("utf-8", "surrogateescape") for text in texts]]
    sizes = struct.pack(f">{1 + len(parts)}Q", len(parts), *map(len, parts))
    return hashlib.sha256(sizes + b"".join(parts)).digest()


_TYPES = (str, int, int, str, str, str, str, str, str, str, bytes, bytes, bytes)
