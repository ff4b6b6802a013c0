"""A whole audit: the chain first, then everything that its lines say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from croupier.audit.chain import proved_lines
from croupier.audit.difference import Difference
from croupier.audit.proof import Proof, prove
from croupier.facts.errors import Unreadable
from croupier.games.house import House
from croupier.ledger.happenings import TABLE, ShoeCommitted
from croupier.ledger.heads import SignedHeads
from croupier.ledger.keyring import KeyRing
from croupier.ledger.port import Ledger
from croupier.ledger.record import Broken
from croupier.ledger.restoring import read_line
from croupier.table.events import BetsClosed

Progress = Callable[[int], None]
PASSES = 2
BETS_CLOSED = str(BetsClosed.__struct_config__.tag)
SHOE_COMMITTED = str(ShoeCommitted.__struct_config__.tag)


@dataclass
class Audit:
    """What an audit has proved, and all it found; the chain's first difference comes first."""

    proof: Proof
    heads: SignedHeads | None
    opened_seals: bool
    streams: int
    rounds: int
    differences: list[Difference] = field(default_factory=list)


def audited(
    ledger: Ledger,
    house: House,
    heads: SignedHeads | None = None,
    ring: KeyRing | None = None,
    progress: Progress = lambda lines: None,
) -> Audit:
    """The first break of the chain, and every line that does not say what it has to."""
    if ring is not None:
        _refuse_foreign_keys(ledger, ring)
    streams: set[str] = set()
    rounds, found = 0, []
    try:
        for line in proved_lines(ledger, heads):
            progress(1)
            rounds += line.kind == BETS_CLOSED
            streams.add(line.stream)
    except Broken as broken:
        first = broken.first
        found.append(Difference("chain", first.stream, first.version, first.why))
    proof = prove(ledger, house, ring, progress)
    found += proof.differences
    return Audit(proof, heads, ring is not None, len(streams), rounds, found)


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
