"""A pit in this process, with a clock that goes on when it is told to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from croupier.games.registry import the_registry
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.server.pit.pit import Pit
from croupier.server.settings import Settings
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission
from tests.server.service import PASSWORD

SECOND = 1_000_000
CHEAP = Settings(argon2_memory_kib=64, argon2_rounds=1, self_check=False)


class Watch:
    now_us = 1_800_000_000_000_000

    def __call__(self) -> int:
        return self.now_us

    def later(self, seconds: float) -> None:
        self.now_us += int(seconds * SECOND)


@contextmanager
def small_pit(folder: Path, watch: Watch, chosen: Settings = CHEAP) -> Iterator[Pit]:
    """One table of UTH-S, a player and a dealer."""
    with closing(open_ledger(str(folder / "pit.db"), create=True)) as ledger:
        pit = Pit(ledger, the_registry(), new_ring(), chosen, watch)
        pit.install(write_submission(shipped_submission("UTH-S")), by="mia")
        for name, role in (("ann", "player"), ("dee", "dealer")):
            pit.people.add(name, role, PASSWORD, by="ada")
        yield pit
