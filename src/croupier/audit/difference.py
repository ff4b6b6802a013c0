"""What an audit finds: where a ledger does not say what it has to."""

from __future__ import annotations

import msgspec

from croupier.ledger.store.line import LedgerLine


class Difference(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the findings: which part of the proof, where, and what is wrong there.

    Line 0 is the stream as a whole.
    """

    part: str
    stream: str
    version: int
    sentence: str
    round: int = 0
    clause: str = ""

    def __str__(self) -> str:
        line = f", line {self.version}" if self.version else ""
        round = f", round {self.round}" if self.round else ""
        clause = f" - {self.clause}" if self.clause else ""
        return f"{self.stream}{line}{round}: {self.sentence}{clause}"


def at(line: LedgerLine, part: str, sentence: str, round: int = 0, clause: str = "") -> Difference:
    return Difference(part, line.stream, line.version, sentence, round, clause)
