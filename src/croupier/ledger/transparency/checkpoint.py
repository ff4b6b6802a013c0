"""Checkpoints (c2sp.org/tlog-checkpoint): the size and root of the tree, in a signed note."""

from __future__ import annotations

import base64
import binascii
import re
from typing import NamedTuple

from croupier.facts.errors import Unreadable
from croupier.ledger.transparency.signed_note import Signer, VerifierKey, read_note

NUMBER = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
ROOT_BYTES = 32


class Checkpoint(NamedTuple):
    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    def signed(self, signer: Signer) -> str:
        return signer.sign(self.text)


def read_checkpoint(note: str, key: VerifierKey | None = None) -> Checkpoint:
    """What a note says; with ``key``, Unreadable unless that key signed it."""
    signed = read_note(note)
    lines = signed.text.split("\n")
    try:
        origin, size, root, last = lines
        found = Checkpoint(origin, int(size), base64.b64decode(root, validate=True))
        if last or not NUMBER.fullmatch(size) or not origin or len(found.root) != ROOT_BYTES:
            raise ValueError
    except (ValueError, binascii.Error):
        raise Unreadable("this is no checkpoint of a log") from None
    if found.text != signed.text:
        raise Unreadable("this checkpoint is not written as one is")
    if key is not None and not signed.signed_by(key):
        raise Unreadable(f"this checkpoint is not signed with the key of {key.name}")
    return found


def origin_of(ledger_id: str) -> str:
    """What the log of a ledger is called, and its key."""
    return f"croupier/{ledger_id}"
