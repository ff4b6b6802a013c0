"""``croupier serve`` with packs that a test has stacked: every round is else as in a real pit.

The cards lie in the pack as they were written, the others shuffled below them; the pack is sealed,
committed to and dealt like any other.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from croupier.cli import main
from croupier.cli.commands import serve
from croupier.ledger.shoe.entropy import Chance
from croupier.ledger.shoe.pack import Pack, pack_of
from croupier.server.pit.pit import Pit
from croupier.submission.submission import Submission
from tests.server.service import Service

PACKS = "RIGGED_PACKS"


class RiggedService(Service):
    """Its table gets these packs, one a round, and then fresh ones."""

    program = "tests.browser.rigged"

    def __init__(self, folder: Path, submission: Path, *packs: str) -> None:
        stacked = {PACKS: ";".join(packs)}
        super().__init__(folder, "", str(submission), environment=stacked, decision_seconds=0)


def _stacked() -> Iterator[str]:
    yield from os.environ[PACKS].split(";")
    while True:
        yield ""


class RiggedPit(Pit):
    _packs = _stacked()

    def _with_numbers(self, filed: Submission) -> Submission:
        return filed  # numbers of players would deal the stacked cards in another order

    def _pack(self) -> Pack:
        return pack_of(next(self._packs).split(), Chance())


if __name__ == "__main__":
    serve.__dict__["Pit"] = RiggedPit  # the one part that differs from the pit people run
    raise SystemExit(main())
