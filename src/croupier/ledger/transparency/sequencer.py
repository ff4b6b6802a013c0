"""The sequencer: puts every committed line of every stream into the log, and signs checkpoints.

It works beside the commands and never in their way: what it has not done yet is simply not in the
log. Lines of a stream go in by version, those of different streams by time. Of several processes
that share a ledger one adds at a time, under a lock; whoever was slower reads again. What this
process wrote itself goes in as it was written; only what others wrote is read, and verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import merge
from itertools import islice

from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import Break, Broken, LedgerLine
from croupier.ledger.store.log import KeptCheckpoint, LogLeaf
from croupier.ledger.store.port import WRITTEN, Head, Ledger
from croupier.ledger.transparency.checkpoint import Checkpoint, read_checkpoint
from croupier.ledger.transparency.entry import line_leaf
from croupier.ledger.transparency.signed_note import Signer
from croupier.ledger.transparency.signing_key import signer_of
from croupier.ledger.transparency.tree import root
from croupier.ledger.verification import ForgedLine, verified

BATCH = 500  # lines a transaction: on SQLite others wait for it
REWRITTEN = "the log is not the one that its last checkpoint was signed for: it was written anew"


class Sequencer:
    """``size`` is how many leaves there are, as far as this process knows."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._log = ledger, ledger.log
        self._ends: dict[str, int] | None = None
        self._own: dict[tuple[str, int], LedgerLine] = {}
        self.size = 0

    def advance(self, most: int = BATCH) -> int:
        """Put in lines that are not in the log yet; how many were."""
        if self._ends is None:
            self.size, self._ends = self._log.size, dict(self._log.ends())
            self._own = {at: line for at, line in self._own.items() if _is_ahead(line, self._ends)}
        ends, blinding = self._ends, self._log.blinding
        self._take_written(ends)
        behind = [
            self._believed(head, ends.get(head.stream, 0), most)
            for head in self._ledger.heads().values()
            if head.version > ends.get(head.stream, 0)
        ]
        lines = list(islice(merge(*behind, key=lambda line: line.at_us), most))
        leaves = [LogLeaf(line.stream, line.version, line_leaf(line, blinding)) for line in lines]
        if not leaves:
            return 0
        if not self._log.extend(self.size, leaves):
            self._ends = None
            return 0
        self.size += len(leaves)
        for leaf in leaves:
            ends[leaf.stream] = leaf.version
            self._own.pop((leaf.stream, leaf.version), None)
        return len(leaves)

    def _take_written(self, ends: Mapping[str, int]) -> None:
        """Where too many wait already the others are left; what is dropped there will be read."""
        written = self._ledger.written
        while written and len(self._own) < WRITTEN:
            line = written.popleft()
            if _is_ahead(line, ends):
                self._own[line.stream, line.version] = line

    def _believed(self, head: Head, after: int, most: int) -> Iterator[LedgerLine]:
        """A forged line, and what comes after it in its stream, is never signed."""
        while (own := self._own.get((head.stream, after + 1))) is not None:
            yield own
            after += 1
        if after >= head.version:
            return
        try:
            yield from verified(self._ledger, head.stream, after, most)
        except ForgedLine:
            return  # noted where it was found; the other streams go on

    def catch_up(self) -> None:
        while self.advance():
            pass

    def sign(self, signer: Signer, at_us: int) -> KeptCheckpoint | None:
        """A checkpoint of the whole log; None where the last one is as new.

        Nothing is signed that the last checkpoint does not lead to: Broken, and the log is to be
        looked into.
        """
        of, last = self._log.subtrees(), self._log.checkpoint_of()
        size = self._log.size
        if last is not None:
            before = read_checkpoint(last.note)
            if before.size > size or root(of, before.size) != before.root:
                raise Broken(Break("", 0, REWRITTEN))
        if not size or (last is not None and last.size == size):
            return None
        note = Checkpoint(signer.name, size, root(of, size)).signed(signer)
        made = KeptCheckpoint(size, at_us, note, str(signer.verifier))
        return made if self._log.keep(made) else None


def _is_ahead(line: LedgerLine, ends: Mapping[str, int]) -> bool:
    return line.version > ends.get(line.stream, 0)


def checkpoint_now(ledger: Ledger, ring: KeyRing, at_us: int) -> KeptCheckpoint | None:
    """A checkpoint that reaches to the last line; None where there is no line. Unreadable where
    the log is not the one that was signed.
    """
    sequencer = Sequencer(ledger)
    try:
        sequencer.catch_up()
        sequencer.sign(signer_of(ledger.id, ring), at_us)
    except Broken as broken:
        raise Unreadable(f"nothing is signed: {broken}") from None
    return ledger.log.checkpoint_of()
