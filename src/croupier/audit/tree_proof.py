"""The transparency log proved: every line is the leaf it was, and every root is the one signed.

Without a checkpoint from elsewhere the proof says that ledger and log agree. With one that somebody
else kept it says that nothing before it was changed, by whoever may write the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from croupier.facts.errors import Unreadable
from croupier.ledger.store.line import Break, Broken, LedgerLine
from croupier.ledger.store.log import KeptCheckpoint
from croupier.ledger.store.port import Head, Ledger
from croupier.ledger.transparency.checkpoint import Checkpoint, origin_of, read_checkpoint
from croupier.ledger.transparency.entry import line_leaf
from croupier.ledger.transparency.signed_note import VerifierKey, read_verifier_key
from croupier.ledger.transparency.tiles import rows_above
from croupier.ledger.transparency.tree import EMPTY, node_hash

CHANGED = "it is not the line that the log holds"
PASSED_OVER = "the log passes it over"
MISSING = "the log holds it, and the ledger does not"
MOVED = "in the log it stands before an earlier line"


class TreeProof:
    """Begun before the ends of the streams are read: it proves the ``size`` leaves of that moment.

    ``given`` are checkpoints from elsewhere; of the checkpoints in the ledger each has to be signed
    with one of ``keys``, where any are named.
    """

    def __init__(
        self, ledger: Ledger, given: Iterable[Checkpoint] = (), keys: Iterable[VerifierKey] = ()
    ) -> None:
        newest = ledger.log.checkpoint_of()
        self._log, self._given, self._keys = ledger.log.up_to_now(), tuple(given), tuple(keys)
        self._origin = origin_of(ledger.id)
        self.size = self._log.size
        self.checkpoints = self._log.checkpoints()
        self._signed_size = max((kept.size for kept in (newest, *self._given) if kept), default=0)

    def lines(self, stream: str, lines: Iterable[LedgerLine]) -> Iterator[LedgerLine]:
        """The lines of a stream, each given when the log holds it; the last may still wait."""
        leaves, before = self._log.of_stream(stream), -1
        leaf = next(leaves, None)
        for line in lines:
            if leaf is not None:
                if leaf.version != line.version:
                    raise Broken(Break(stream, line.version, PASSED_OVER))
                if leaf.hash != self._leaf(line):
                    raise Broken(Break(stream, line.version, CHANGED))
                if leaf.place < before:
                    raise Broken(Break(stream, line.version, MOVED))
                before, leaf = leaf.place, next(leaves, None)
            yield line
        if leaf is not None:
            raise Broken(Break(stream, leaf.version, MISSING))

    def _leaf(self, line: LedgerLine) -> bytes:
        """None that fits where somebody put in bytes that are no text."""
        try:
            return line_leaf(line, self._log.blinding)
        except UnicodeError:
            return b""

    def close(self, ends: Mapping[str, Head]) -> None:
        """After the lines: no stream is missing, and the tree is the one that was signed."""
        for stream in self._log.ends():
            if stream not in ends:
                raise Broken(Break(stream, 1, MISSING))
        for given in self._given:
            if given.origin != self._origin:
                raise Broken(Break("", 0, f"the checkpoint is one of {given.origin}"))
        own = {kept.size: [self._read(kept)] for kept in self.checkpoints}
        sizes = {*own, *(given.size for given in self._given if given.size <= self.size)}
        good = 0
        for size, root in self._roots(sorted(sizes)):
            if any(each.root != root for each in (*own.get(size, ()), *self._given_at(size))):
                why = f"the first {size:,} lines of the log are not those that were signed"
                raise Broken(Break("", 0, f"{why}{_since(good)}"))
            if self._keys or not self._given or self._given_at(size):
                good = size  # what stands in the ledger alone anybody may have signed
        if self._signed_size > self.size:
            why = f"its log ends at {self.size:,} lines, and {self._signed_size:,} were signed"
            raise Broken(Break("", 0, f"{why}: lines were cut off{_since(good)}"))

    def _given_at(self, size: int) -> list[Checkpoint]:
        return [given for given in self._given if given.size == size]

    def _read(self, kept: KeptCheckpoint) -> Checkpoint:
        """A checkpoint of the ledger's own; Broken where it cannot have been made for this log."""
        try:
            signer = read_verifier_key(kept.key)
            found = read_checkpoint(kept.note, signer)
        except Unreadable as error:
            raise Broken(Break("", 0, f"the checkpoint of {kept.size:,} lines: {error}")) from None
        if (found.origin, found.size) != (self._origin, kept.size):
            raise Broken(Break("", 0, f"the checkpoint of {kept.size:,} lines is another's"))
        if self._keys and signer not in self._keys:
            why = f"the checkpoint of {kept.size:,} lines is not signed with any of these keys"
            raise Broken(Break("", 0, why))
        return found

    def _roots(self, sizes: list[int]) -> Iterator[tuple[int, bytes]]:
        """The root at each size, by hashing every leaf; the kept hashes of the tree on the way."""
        peaks: list[tuple[int, bytes]] = []  # complete subtrees from the left, with their leaves
        wanted, count = iter(sizes), 0
        next_size = next(wanted, None)
        leaves: list[bytes] = []
        for leaf in self._log.leaves():
            leaves.append(leaf.hash)
            peaks.append((1, leaf.hash))
            while len(peaks) > 1 and peaks[-1][0] == peaks[-2][0]:
                (_, right), (width, left) = peaks.pop(), peaks.pop()
                peaks.append((2 * width, node_hash(left, right)))
            count += 1
            if count == next_size:
                yield count, _root(peaks)
                next_size = next(wanted, None)
        if count != self.size:
            raise Broken(
                Break("", 0, f"of the log's {self.size:,} leaves only {count:,} are there")
            )
        self._prove_inner(leaves)

    def _prove_inner(self, leaves: list[bytes]) -> None:
        """The hashes that tiles and proofs are made from."""
        rows: dict[int, list[bytes]] = {}
        for level, _, found in rows_above(leaves, 0, lambda level, start, end: []):
            rows.setdefault(level, []).append(found)
        for level, row in rows.items():
            if self._log.hashes(level, 0, len(row)) != row:
                raise Broken(Break("", 0, f"a hash of level {level} of the log was changed"))


def _since(good: int) -> str:
    return f"; the first {good:,} are" if good else ""


def _root(peaks: list[tuple[int, bytes]]) -> bytes:
    if not peaks:
        return EMPTY
    root = peaks[-1][1]
    for _, left in reversed(peaks[:-1]):
        root = node_hash(left, root)
    return root
