"""The log of a pit kept up and published: lines put into the tree, checkpoints, tiles in a folder.

It runs beside the tables in a thread of its own. A checkpoint is made every minute and every
thousand lines. A log that is not what was signed stops the pit: nothing is signed on top of it.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import threading
from pathlib import Path

from croupier.audit.round_proof import round_proof
from croupier.disk import whole_file
from croupier.facts.errors import Unavailable, Unreadable
from croupier.ledger.kept_table import Clock
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import Broken
from croupier.ledger.store.log import StoredLog
from croupier.ledger.store.port import Ledger
from croupier.ledger.transparency.checkpoint import read_checkpoint
from croupier.ledger.transparency.sequencer import Sequencer
from croupier.ledger.transparency.signing_key import signer_of
from croupier.ledger.transparency.tiles import HEIGHT, WIDTH, Tile, tile_at, tiles_between
from croupier.table.views import Viewer

LOG = logging.getLogger("croupier")
EVERY_S = 1.0
LINES, MINUTE_US = 1000, 60_000_000
CHECKPOINT = "checkpoint"
WAITS = "lines wait to be put into the transparency log"


class LogPublisher:
    """``folder`` is where checkpoint and tiles are written, for whoever publishes them."""

    def __init__(
        self, ledger: Ledger, ring: KeyRing, clock: Clock, folder: Path | None = None
    ) -> None:
        self._log, self._clock, self._folder = ledger.log, clock, folder
        self._sequencer = Sequencer(ledger)
        self._signer = signer_of(ledger.id, ring)
        self._broken = ""
        self._ledger, self._turn = ledger, threading.Lock()

    @property
    def key(self) -> str:
        """The verifier key that auditors and players are told."""
        return str(self._signer.verifier)

    def gate(self) -> None:
        """Unavailable once the log turned out to be another than the one that was signed."""
        if self._broken:
            raise Unavailable(self._broken)

    async def run(self) -> None:
        """Lines wait while the ledger is away: that it is, the log of the service tells once."""
        is_away = False
        while True:
            await asyncio.sleep(EVERY_S)
            try:
                await asyncio.to_thread(self.step)
                is_away = False
            except Unavailable as error:
                if not is_away:
                    LOG.warning(WAITS, extra={"why": str(error)})
                is_away = True
            except Exception:
                LOG.exception(WAITS)

    def step(self) -> None:
        """Lines that are not in the log yet, and a checkpoint when one is due."""
        with self._turn:
            while self._sequencer.advance():
                if self._is_due():
                    self.sign()
            if self._is_due():
                self.sign()

    def proof(self, table: str, number: int, viewer: Viewer) -> bytes:
        """A round as one file; nobody waits for the next checkpoint, one is made now."""
        try:
            return round_proof(self._ledger, table, number, viewer).text()
        except Unavailable:
            self.step()
            with self._turn:
                self.sign()
        return round_proof(self._ledger, table, number, viewer).text()

    def sign(self) -> None:
        """A checkpoint of all that is in the log, published."""
        try:
            self._sequencer.sign(self._signer, self._clock())
        except Broken as broken:
            self._broken = str(broken)
            LOG.error("play stops: %s", broken)
            return
        if self._folder is not None:
            publish(self._log, self._folder)

    def _is_due(self) -> bool:
        last = self._log.checkpoint_of()
        size, at_us = (last.size, last.at_us) if last is not None else (0, 0)
        more = self._sequencer.size - size
        return more >= LINES or (more > 0 and self._clock() - at_us >= MINUTE_US)


def served(log: StoredLog, path: str) -> bytes | None:
    """The newest checkpoint, or a tile of it; None for what is not there."""
    newest = log.checkpoint_of()
    if newest is None:
        return None
    if path == CHECKPOINT:
        return newest.note.encode()
    tile = tile_at(path)
    if tile is None or tile.start + tile.width > newest.size >> (HEIGHT * tile.level):
        return None
    return _tile_bytes(log, tile)


def publish(log: StoredLog, folder: Path) -> None:
    """The tiles that the folder lacks, and then the checkpoint that needs them."""
    newest = log.checkpoint_of()
    if newest is None:
        return
    for tile in tiles_between(_published(folder), newest.size):
        _write(folder / tile.path, _tile_bytes(log, tile))
        if tile.width == WIDTH:
            shutil.rmtree(folder / f"{tile.path}.p", ignore_errors=True)
    _write(folder / CHECKPOINT, newest.note.encode())


def _published(folder: Path) -> int:
    """How many leaves the folder's tiles hold; none where nobody can tell."""
    try:
        return read_checkpoint((folder / CHECKPOINT).read_text("utf-8")).size
    except (OSError, UnicodeError, Unreadable):
        return 0


def _tile_bytes(log: StoredLog, tile: Tile) -> bytes:
    return b"".join(log.hashes(tile.level, tile.start, tile.start + tile.width))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(content)
