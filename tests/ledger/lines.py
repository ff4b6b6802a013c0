"""Lines to write, for tests that do not care what happened at the table."""

from __future__ import annotations

from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.line import LineDraft
from croupier.ledger.store.port import Ledger, Writing
from croupier.ledger.transparency.checkpoint import Checkpoint, read_checkpoint
from croupier.ledger.transparency.sequencer import Sequencer
from croupier.ledger.transparency.signing_key import signer_of

RING = new_ring()


def answer(command_id: str, lines: int = 1, kind: str = "wager_placed") -> tuple[LineDraft, ...]:
    """What one command causes: the first line holds the command."""
    return tuple(
        LineDraft(
            kind=kind,
            body=f'{{"n":{n}}}',
            at_us=1_700_000_000_000_000 + n,
            actor="Ann",
            role="player",
            command_id=command_id,
            command='{"do":"place_wagers"}' if n == 0 else "",
            entries=(("purse 1", -10_000_000), ("felt 1", 10_000_000)) if n == 0 else (),
        )
        for n in range(lines)
    )


def loose(text: str = "{}", kind: str = "noted") -> LineDraft:
    """A line that no command caused."""
    return LineDraft(kind=kind, body=text, at_us=1, actor="croupier", role="system", command_id="")


def writing(stream: str, expected: int, command_id: str, lines: int = 1) -> Writing:
    return Writing(stream, expected, answer(command_id, lines))


def checkpoint(ledger: Ledger) -> Checkpoint:
    """Every line in the log, and its root signed."""
    sequencer = Sequencer(ledger)
    sequencer.catch_up()
    made = sequencer.sign(signer_of(ledger.id, RING), 1)
    assert made is not None
    return read_checkpoint(made.note, signer_of(ledger.id, RING).verifier)
