"""A clock that ran ahead: play stops until a manager lets it go on, and times never run back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from croupier.audit.ledger_audit import audited
from croupier.facts.errors import Unavailable, Unreadable
from croupier.games.registry import the_registry
from croupier.ledger.installation import install
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.store.address import open_ledger
from croupier.server.pit.clock import STREAM, PitClock
from croupier.submission.check import shipped_submission
from croupier.table import commands as do
from tests.ledger.evenings import START_US
from tests.ledger.kept import FREE

DAY_US = 86_400_000_000
TAKE = do.TakeBox(by="Ann", role="player", box=1)
BUY_IN = do.BuyIn(by="Dee", role="dealer", box=1, cents=100_00, taken="cash")


def test_a_manager_lets_play_go_on_after_the_clock_was_a_day_ahead(tmp_path: Path) -> None:
    shows = [START_US]
    ring, registry = new_ring(), the_registry()
    with closing(open_ledger(str(tmp_path / "pit.db"), create=True)) as ledger:
        clock = PitClock(ledger, lambda: shows[0])
        table = install(
            ledger,
            shipped_submission("UTH-S"),
            registry,
            ring,
            lambda: fresh_pack(FREE.getrandbits),
            by="manager",
            clock=clock.now,
        )
        with pytest.raises(Unreadable, match="no table is ahead of it"):
            clock.correct("mia", "manager")
        shows[0] += DAY_US
        table.give(TAKE, "a")
        shows[0] -= DAY_US - 60_000_000
        with pytest.raises(Unavailable, match="let a manager correct it"):
            table.give(BUY_IN, "b")
        told = clock.correct("mia", "manager")
        assert (told.stands_at_us, told.waits_seconds) == (START_US + DAY_US, 86_400 - 60)
        table.give(BUY_IN, "b")
        # A restart, or another process, knows of it as well.
        assert PitClock(ledger, lambda: shows[0]).now() == START_US + DAY_US
        shows[0] += 2 * DAY_US
        assert clock.now() == shows[0]
        table.give(do.Tip(by="Ann", role="player", box=1, cents=100), "c")
        times = [line.at_us for line in ledger.read(table.stream)]
        assert times == sorted(times)
        assert [line.kind for line in ledger.read(STREAM)] == [
            "clock-corrected",
            "staff-power-used",
        ]
        assert audited(ledger, registry, ring=ring).differences == []
