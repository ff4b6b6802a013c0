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
from croupier.ledger.transparency.checkpoint import Checkpoint, read_checkpoint
from croupier.ledger.transparency.sequencer import BATCH, Sequencer
from croupier.ledger.transparency.signing_key import signer_of
from croupier.ledger.transparency.tiles import HEIGHT, WIDTH, Tile, tile_at, tiles_between
from croupier.ledger.transparency.tree import root
from croupier.table.views import Viewer

LOG = logging.getLogger("croupier")
EVERY_S = 1.0
LINES, MINUTE_US = 1000, 60_000_000
CHECKPOINT = "checkpoint"
WAITS = "lines wait to be put into the transparency log"
FOREIGN = "%s is not published: the checkpoint there is not one that this log leads from"


class LogPublisher:
    """``folder`` is where checkpoint and tiles are written, for whoever publishes them."""

    def __init__(
        self, ledger: Ledger, ring: KeyRing, clock: Clock, folder: Path | None = None
    ) -> None:
        self._log, self._clock, self._folder = ledger.log, clock, folder
        self._sequencer = Sequencer(ledger)
        self._signer = signer_of(ledger.id, ring)
        self._broken, self._is_refused = "", False
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
            while self._sequencer.advance(self._room()):
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
            self._publish(self._folder)

    def _publish(self, folder: Path) -> None:
        """What is refused is told once, and again where it was mended meanwhile."""
        was_refused, self._is_refused = self._is_refused, not publish(self._log, folder)
        if self._is_refused and not was_refused:
            LOG.error(FOREIGN, folder)

    def _is_due(self) -> bool:
        """Also where the minute would be over before this is asked again."""
        last, more = self._log.checkpoint_of(), self._unsigned()
        age_us = self._clock() - (last.at_us if last is not None else 0)
        return more >= LINES or (more > 0 and age_us + EVERY_S * 1_000_000 >= MINUTE_US)

    def _room(self) -> int:
        """How many lines may be put in before the next checkpoint; more than that may wait for one
        where others put them in."""
        return max(0, min(BATCH, LINES - self._unsigned()))

    def _unsigned(self) -> int:
        last = self._log.checkpoint_of()
        return self._log.size - (last.size if last is not None else 0)


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


def publish(log: StoredLog, folder: Path) -> bool:
    """The tiles that the folder lacks, and then the checkpoint that needs them. False, and nothing
    is written, where what was published there is of another log, or of more than this one has.
    """
    there = _published(folder)
    newest = log.checkpoint_of()  # after the folder: another process may publish there meanwhile
    if newest is None:
        return True
    if there is not None and not _leads(log, there, read_checkpoint(newest.note)):
        return False
    for tile in tiles_between(there.size if there is not None else 0, newest.size):
        _write(folder / tile.path, _tile_bytes(log, tile))
        if tile.width == WIDTH:
            shutil.rmtree(folder / f"{tile.path}.p", ignore_errors=True)
    _write(folder / CHECKPOINT, newest.note.encode())
    return True


def _published(folder: Path) -> Checkpoint | None:
    """What the folder's tiles hold; None where nobody can tell: then each is written anew."""
    try:
        return read_checkpoint((folder / CHECKPOINT).read_text("utf-8"))
    except (OSError, UnicodeError, Unreadable):
        return None


def _leads(log: StoredLog, there: Checkpoint, newest: Checkpoint) -> bool:
    if there.origin != newest.origin or there.size > newest.size:
        return False
    return there == newest or root(log.subtrees(), there.size) == there.root


def _tile_bytes(log: StoredLog, tile: Tile) -> bytes:
    return b"".join(log.hashes(tile.level, tile.start, tile.start + tile.width))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(content)
