"""A whole audit: the chain first, then everything that its lines say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from croupier.audit.chain import proved_lines
from croupier.audit.difference import Difference
from croupier.audit.proof import Proof, prove
from croupier.audit.tree_proof import TreeProof
from croupier.facts.errors import Unreadable
from croupier.facts.progress import CountDone
from croupier.games.registry import Registry
from croupier.ledger.events import TABLE, ShoeCommitted
from croupier.ledger.replay import read_line
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import Broken
from croupier.ledger.store.line_mac import LineMacs
from croupier.ledger.store.port import Ledger
from croupier.ledger.transparency.checkpoint import Checkpoint
from croupier.ledger.transparency.signing_key import signer_with
from croupier.ledger.verification import FOREIGN

PASSES = 2
SHOE_COMMITTED = str(ShoeCommitted.__struct_config__.tag)


@dataclass
class Audit:
    """What an audit has proved, and all it found; the chain's first difference comes first.

    Of the ``held`` lines the first ``chained`` follow from each other, and ``logged`` are in the
    log; ``unsigned`` ones came after ``given``, the newest checkpoint from elsewhere, and are not
    protected by it.
    """

    proof: Proof
    given: Checkpoint | None
    logged: int
    checkpoints: int
    opened_seals: bool
    streams: int
    held: int
    chained: int
    unsigned: int
    differences: list[Difference] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        return self.proof.closed

    @property
    def followed_to_the_end(self) -> bool:
        """Whether the chain was followed through every line, and held against the checkpoint."""
        return self.chained == self.held


def audited(
    ledger: Ledger,
    registry: Registry,
    given: Sequence[Checkpoint] = (),
    ring: KeyRing | None = None,
    progress: CountDone = lambda lines: None,
) -> Audit:
    """The first break of the chain, and every line that does not say what it has to.

    A ledger that is being written is audited as it stood at one moment.
    """
    if ring is not None:
        _refuse_foreign_keys(ledger, ring)
    keys = [signer_with(ledger.id, key).verifier for key in ring.keys] if ring is not None else ()
    tree = TreeProof(ledger, given, keys)
    macs = LineMacs(ledger.id, ring) if ring is not None else None
    ends, found, chained = ledger.heads(), [], 0
    try:
        for line in proved_lines(ledger, tree, ends):
            progress(1)
            chained += 1
            if macs is not None and macs.fits(line) is False:
                found.append(Difference("chain", line.stream, line.version, FOREIGN))
    except Broken as broken:
        first = broken.first
        found.append(Difference("chain", first.stream, first.version, first.why))
    proof = prove(ledger, registry, ring, progress, ends)
    held = sum(head.version for head in ends.values())
    newest = max(given, key=lambda each: each.size, default=None)
    return Audit(
        proof=proof,
        given=newest,
        logged=tree.size,
        checkpoints=len(tree.checkpoints),
        opened_seals=ring is not None,
        streams=len(ends),
        held=held,
        chained=chained,
        unsigned=max(0, held - (newest.size if newest is not None else 0)),
        differences=found + proof.differences,
    )


def _refuse_foreign_keys(ledger: Ledger, ring: KeyRing) -> None:
    """Keys that open not even the newest pack of any table are those of another house."""
    sealed_with = set()
    for stream in ledger.heads():
        line = ledger.last_of(stream, SHOE_COMMITTED) if stream.startswith(TABLE) else None
        event = read_line(line, lambda line, why: None) if line is not None else None
        if isinstance(event, ShoeCommitted):
            sealed_with.add(event.sealed.partition(".")[2].partition(".")[0])
    if sealed_with and not any(ring.key(key_id) for key_id in sealed_with):
        raise Unreadable(
            f"these keys are not those of this ledger, which was sealed with "
            f"{', '.join(sorted(sealed_with))}"
        )
