"""Collections for a test lab, made by the functions that deal at the table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.resources import files

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.audit.lab.chances import CARDS
from croupier.audit.lab.orders import DeckArray
from croupier.facts.cards import DECK
from croupier.facts.errors import Unreadable
from croupier.facts.progress import ShareDone
from croupier.ledger.shoe.entropy import Chance, fresh_order
from croupier.table.shoe import RandomBits

KEY_FILES = (
    "facts/cards.py",
    "table/shoe.py",
    "ledger/shoe/entropy.py",
    "ledger/shoe/pack.py",
    "ledger/shoe/seal.py",
    "ledger/shoe/key_ring.py",
    "ledger/shoe/sealed_shoe.py",
    "audit/lab/collect.py",
)
DIFFERENCES = (
    "Deals: none; the collector calls croupier.ledger.shoe.entropy.fresh_order, "
    "as every table does.",
    "Raw output: the collector writes all 32 bytes of each block that passed the continuous test; "
    "a shuffle uses the first bits of each block and throws the rest away.",
)
SEEDING = (
    "None of our own: every block is asked of the operating system (os.urandom), which seeds and "
    "reseeds its generator itself; nothing can set, save or repeat its state."
)
_STEP = 1_000
_RAW_STEP = 1 << 16
_CHARACTERS = 3  # a rank, a suit, and a space or the end of the line


class KeyFile(msgspec.Struct, frozen=True):
    path: str
    sha256: str


def key_files() -> tuple[KeyFile, ...]:
    """What decides the cards, with hashes to compare with the code that was reviewed."""
    return _KEY_FILES


def dealt(
    count: int, bits: RandomBits, progress: ShareDone = lambda done: None
) -> Iterator[DeckArray]:
    """So many fresh decks, some rows at a time."""
    for start in range(0, count, _STEP):
        size = min(_STEP, count - start)
        numbers = bytes(card.number for _ in range(size) for card in fresh_order(bits))
        yield np.frombuffer(numbers, dtype=np.uint8).reshape(size, CARDS)
        progress((start + size) / count)


def raw_output(
    count: int, chance: Chance, progress: ShareDone = lambda done: None
) -> Iterator[bytes]:
    """So many bytes of the source, as the shuffle gets them, some at a time."""
    for start in range(0, count, _RAW_STEP):
        size = min(_RAW_STEP, count - start)
        yield chance.take(size)
        progress((start + size) / count)


def as_text(decks: DeckArray) -> bytes:
    """A line of 52 cards a deck, the card dealt first in front."""
    written = np.full((*decks.shape, _CHARACTERS), ord(" "), dtype=np.uint8)
    written[..., :2] = _NAMES[decks]
    written[:, -1, -1] = ord("\n")
    return written.tobytes()


def as_bytes(decks: DeckArray) -> bytes:
    """52 bytes a deck, each the number of a card."""
    return decks.tobytes()


FORMATS = {"text": as_text, "bytes": as_bytes}


def read_decks(content: bytes) -> DeckArray:
    """Decks from a collected file, in either format; the first bad one is named."""
    is_text = any(byte >= CARDS for byte in content[:CARDS])
    width = CARDS * (_CHARACTERS if is_text else 1)
    if not content or len(content) % width:
        raise Unreadable(f"this is no collection of deals: {width} bytes a deck are expected")
    rows = np.frombuffer(content, dtype=np.uint8).reshape(-1, width)
    decks = _cards_in(rows) if is_text else rows
    whole = (np.sort(decks, axis=1) == np.arange(CARDS)).all(axis=1)
    if not whole.all():
        raise Unreadable(f"deck {int(whole.argmin()) + 1:,} does not hold every card once")
    return decks


def _cards_in(rows: NDArray[np.uint8]) -> DeckArray:
    written = rows.reshape(len(rows), CARDS, _CHARACTERS)
    numbers = np.full((256, 256), 255, dtype=np.uint8)
    numbers[_NAMES[:, 0], _NAMES[:, 1]] = np.arange(CARDS)
    ends = np.full(CARDS, ord(" "), dtype=np.uint8)
    ends[-1] = ord("\n")
    decks = numbers[written[..., 0], written[..., 1]]
    decks[(written[..., 2] != ends)] = 255
    return decks


_NAMES = np.array([list(str(card).encode()) for card in DECK], dtype=np.uint8)
# Taken when the code is loaded: a file that is changed during a long run is not what was run.
_KEY_FILES = tuple(
    KeyFile(path, hashlib.sha256((files("croupier") / path).read_bytes()).hexdigest())
    for path in KEY_FILES
)
