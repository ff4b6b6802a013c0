"""Lines verified as they are read: chain, MAC and the signed log, before anybody believes them.

A line counts where it follows from the one before and a key of the ring wrote its MAC. A line of a
key that was retired counts where a checkpoint that a key of the ring signed has it in the log. The
log also tells when a stream was cut short, or is gone. Without a ring nothing is verified: that is
the audit's matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import Break, LedgerLine, genesis, misfit
from croupier.ledger.store.line_mac import LineMacs, key_of
from croupier.ledger.store.log import StoredLog
from croupier.ledger.store.port import Ledger
from croupier.ledger.transparency.checkpoint import Checkpoint, read_checkpoint
from croupier.ledger.transparency.entry import line_leaf
from croupier.ledger.transparency.signing_key import signer_with
from croupier.ledger.transparency.tree import WrongProof, inclusion, root, verify_inclusion

FOREIGN = "nobody who has the keys wrote it"
CUT_SHORT = "it ends here, and the log has lines after it"
NO_KEY = "which is not on this ring; bring the right keys, or say that they are lost"
GONE = "the log has it, and it is gone"
NOT_LOGGED = "it is not the line that the signed log has"
REWRITTEN = "the log is not the one that its last checkpoint was signed for"


class ForgedLine(Unreadable):
    """Something was read that nobody who has the keys wrote; ``first`` says where."""

    def __init__(self, first: Break) -> None:
        hint = "" if NO_KEY in first.why else "; audit the ledger, and restore a backup"
        super().__init__(f"{first}{hint}")
        self.first = first


def authenticated(ledger: Ledger, ring: KeyRing, *, keys_are_lost: bool = False) -> None:
    """From now on lines of this ledger are written and read under the ring."""
    macs = ledger.macs
    if macs is None or macs.ring != ring or (keys_are_lost and not macs.keys_are_lost):
        ledger.authenticate(LineMacs(ledger.id, ring, keys_are_lost=keys_are_lost))


def verified(
    ledger: Ledger, stream: str, after: int = 0, most: int | None = None
) -> Iterator[LedgerLine]:
    """The lines of a stream after a version; ForgedLine at the first that is not to be believed."""
    previous = genesis(ledger.id, stream) if not after else None
    for version, line in enumerate(ledger.read(stream, after, most), after + 1):
        if ledger.macs is not None:
            why = misfit(line, stream, version, line.previous if previous is None else previous)
            _refuse(ledger, stream, version, why or _stranger(ledger, line))
            previous = line.hash
        yield line


def verified_line(ledger: Ledger, line: LedgerLine) -> LedgerLine:
    """One line by itself, without those before it."""
    if ledger.macs is not None:
        why = misfit(line, line.stream, line.version, line.previous)
        _refuse(ledger, line.stream, line.version, why or _stranger(ledger, line))
    return line


def verify_end(ledger: Ledger, last: LedgerLine) -> None:
    """A stream ends no earlier than in the log, and its newest signed line is the one there."""
    if ledger.macs is None:
        return
    log, stream = ledger.log, last.stream
    if log.end_of(stream) > last.version:
        _refuse(ledger, stream, last.version, CUT_SHORT)
    signed = trusted_checkpoint(ledger)
    version = log.end_of(stream, signed.size) if signed is not None else 0
    if signed is not None and version:
        line = next(ledger.read(stream, after=version - 1, most=1))
        _refuse(ledger, stream, version, "" if _is_signed(log, line, signed) else NOT_LOGGED)


def verify_log(ledger: Ledger) -> None:
    """The log leads to what was signed last, and every stream that it has is there as long as it
    is there; what is not so is noted.
    """
    log, heads = ledger.log, ledger.heads()
    with suppress(ForgedLine):
        signed = trusted_checkpoint(ledger)
        size = signed.size if signed is not None else 0
        if signed is not None and (size > log.size or root(log.subtrees(), size) != signed.root):
            _refuse(ledger, "", 0, REWRITTEN)
    for stream, version in log.ends().items():
        found = heads[stream].version if stream in heads else 0
        if found < version:
            with suppress(ForgedLine):
                _refuse(ledger, stream, found, CUT_SHORT if found else GONE)


def trusted_checkpoint(ledger: Ledger) -> Checkpoint | None:
    """The newest that a key of the ring signed; None where there is none yet."""
    assert ledger.macs is not None
    signers = _verifier_keys(ledger.id, ledger.macs.ring)
    kept = ledger.log.checkpoint_by(tuple(signers))
    if kept is None:
        return None
    try:
        return _read(kept.note, ledger.id, ledger.macs.ring, kept.key)
    except Unreadable as why:
        _refuse(ledger, "", 0, str(why))
        return None


def _stranger(ledger: Ledger, line: LedgerLine) -> str:
    """Why a line is not to be believed that follows from the one before."""
    macs = ledger.macs
    assert macs is not None
    fits = macs.fits(line)
    if fits is not None:
        return "" if fits else FOREIGN
    if macs.keys_are_lost:
        return ""
    signed = trusted_checkpoint(ledger)
    if signed is not None and _is_signed(ledger.log, line, signed):
        return ""
    return f"it was written under key {key_of(line.mac)}, {NO_KEY}"


def _is_signed(log: StoredLog, line: LedgerLine, signed: Checkpoint) -> bool:
    place = log.places(line.stream, line.version, line.version).get(line.version, signed.size)
    if not 0 <= place < signed.size:
        return False
    path = inclusion(log.subtrees(), place, signed.size)
    try:
        leaf = line_leaf(line, log.blinding)
        verify_inclusion(leaf, place, signed.size, path, signed.root)
    except WrongProof:
        return False
    return True


@lru_cache(maxsize=8)
def _verifier_keys(ledger_id: str, ring: KeyRing) -> dict[str, int]:
    """The verifier keys of a ring, and at which place of it each is."""
    return {str(signer_with(ledger_id, key).verifier): place for place, key in enumerate(ring.keys)}


@lru_cache(maxsize=64)
def _read(note: str, ledger_id: str, ring: KeyRing, key: str) -> Checkpoint:
    place = _verifier_keys(ledger_id, ring)[key]
    return read_checkpoint(note, signer_with(ledger_id, ring.keys[place]).verifier)


def _refuse(ledger: Ledger, stream: str, version: int, why: str) -> None:
    """It is noted with the ledger, so that whoever runs the tables hears of it."""
    if why:
        assert ledger.macs is not None
        forged = ForgedLine(Break(stream, version, why))
        ledger.macs.refused.setdefault(stream, forged)
        raise forged
