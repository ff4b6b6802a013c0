"""The entry of a line in the log: one text for all viewers, its private parts as salted hashes.

What is the affair of one player or of the house never stands in an entry, only a hash of it; who
may know it is given the part and its salt. What a meter read when a box drew on it is told to all,
so that anybody can settle that box again. Every entry hides the hash of its line, so that the log
binds each byte of the ledger and its chains. The salts come from a secret of the ledger: whoever
has the ledger makes every entry again, and nobody can guess a part from its hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from croupier.facts.errors import Unreadable
from croupier.ledger.cipher.keyed_hash import KeyedHash
from croupier.ledger.events import TABLE, ShoeCommitted, TableSnapshot, tag_of
from croupier.ledger.store.line import NO_ENTRIES, LedgerLine
from croupier.ledger.transparency.tree import leaf_hash
from croupier.table import redaction
from croupier.table.events import WagerSettled
from croupier.table.shoe import sized

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

PART_DOMAIN = b"croupier part 1"
BODY = "body"
TOLD = ("event", "box")
SETTLED = tag_of(WagerSettled)
DRAWN = ("meter", "meter_before_micros")
NOTHING = b"null"
NAMES = frozenset((*redaction.WHO, "player", "reason", "second"))
_PRIVATE = (*redaction.OWN, *redaction.HOUSE_ALONE, TableSnapshot)
PRIVATE_KINDS = frozenset(tag_of(kind) for kind in _PRIVATE)
COMMITTED, SEALED = tag_of(ShoeCommitted), "sealed"

Fields = dict[str, msgspec.Raw]
Parts = dict[str, bytes]


class LogEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line as the log has it. ``hidden`` has a salted hash, in hexadecimal digits, for each field
    that ``body`` lacks, or for all of it, and for ``hash``, ``actor`` and ``entries`` of the line.
    """

    stream: str
    version: int
    at_us: int
    role: str
    kind: str
    body: Fields
    hidden: dict[str, str]

    def text(self) -> bytes:
        return msgspec.json.encode(self)


class PartOpening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hidden part for somebody who may know it; ``value`` is its text, as it is stored."""

    part: str
    value: str
    salt: str


def entry_of(line: LedgerLine, blinding: bytes) -> LogEntry:
    body, hidden = _divided(line)
    salt = _salts(line, blinding)
    return LogEntry(
        stream=line.stream,
        version=line.version,
        at_us=line.at_us,
        role=line.role,
        kind=line.kind,
        body=body,
        hidden={part: part_hash(part, salt(part), value).hex() for part, value in hidden.items()},
    )


def line_leaf(line: LedgerLine, blinding: bytes) -> bytes:
    """The leaf of a line, whatever somebody made of it: what is no text any more has one too."""
    return leaf_hash(entry_of(line, blinding).text())


def openings(line: LedgerLine, blinding: bytes, parts: Iterable[str]) -> tuple[PartOpening, ...]:
    """Those of these parts that the line hides; ``body`` is every part of the body."""
    wanted = tuple(parts)
    hidden, salt = _divided(line)[1], _salts(line, blinding)
    return tuple(
        PartOpening(part, value.decode(), salt(part).hex())
        for part, value in hidden.items()
        if part.split(".")[0] in wanted
    )


def read_entry(text: bytes) -> LogEntry:
    """An entry that is written as one is; Unreadable otherwise."""
    try:
        entry = msgspec.json.decode(text, type=LogEntry)
        if entry.text() == text:
            return entry
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass
    raise Unreadable("this is no entry of a log")


def opened_parts(entry: LogEntry, given: Iterable[PartOpening]) -> Mapping[str, str]:
    """The parts that were opened; Unreadable where one is not what the entry hides."""
    found: dict[str, str] = {}
    for each in given:
        if each.part in found or not _fits(entry, each):
            raise Unreadable(f"its {each.part!r} is not what the log holds")
        found[each.part] = each.value
    return found


def part_hash(part: str, salt: bytes, value: bytes) -> bytes:
    """``digest`` of the domain and these three; what all parts of one name begin with is hashed
    once."""
    hashed = _begun(part).copy()
    sizes = len(salt).to_bytes(8, "big"), len(value).to_bytes(8, "big")
    hashed.update(b"".join([sizes[0], salt, sizes[1], value]))
    return hashed.digest()


@lru_cache(maxsize=64)
def _begun(part: str) -> Hash:
    return sha256(sized(PART_DOMAIN, part))


def _fits(entry: LogEntry, given: PartOpening) -> bool:
    """A salt is written in one way: without the spaces and capitals that ``fromhex`` allows."""
    try:
        salt = bytes.fromhex(given.salt)
        made = part_hash(given.part, salt, given.value.encode())
    except ValueError:
        return False
    return entry.hidden.get(given.part) == made.hex() and given.salt == salt.hex()


def _divided(line: LedgerLine) -> tuple[Fields, Parts]:
    """The body as all may read it, and every part that is hidden."""
    hidden: Parts = {"hash": (line.hash + line.mac).hex().encode(), "actor": _bytes(line.actor)}
    if line.entries != NO_ENTRIES:
        hidden["entries"] = _bytes(line.entries)
    fields = fields_of(line.body) if line.stream.startswith(TABLE) else {}
    if line.kind in PRIVATE_KINDS or not fields:
        hidden[BODY] = _bytes(line.body)
        drew = line.kind == SETTLED and bytes(fields.get("meter", NOTHING)) != NOTHING
        told = (*TOLD, *DRAWN) if drew else TOLD
        return {name: fields[name] for name in told if name in fields}, hidden
    sealed = (SEALED,) if line.kind == COMMITTED else ()
    for name in [name for name in fields if name in NAMES or name in sealed]:
        hidden[f"{BODY}.{name}"] = bytes(fields.pop(name))
    return fields, hidden


def fields_of(body: str) -> Fields:
    """Each field as it is written; nothing where somebody made of a body what is no object."""
    try:
        return _FIELDS.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}


def _salts(line: LedgerLine, blinding: bytes) -> Callable[[str], bytes]:
    """The salt of each part of a line."""
    digest, version, stream = _keyed(blinding).digest, line.version, line.stream
    return lambda part: digest(_bytes(f"{version} {part} {stream}"))


_keyed = lru_cache(maxsize=8)(KeyedHash)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


_FIELDS: msgspec.json.Decoder[Fields] = msgspec.json.Decoder(Fields)
