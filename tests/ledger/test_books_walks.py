"""Tables where anything may happen: whatever people try, the books agree with what came of it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from croupier.facts.errors import Refusal, Unreadable
from croupier.ledger.books import Interval
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.store.address import open_ledger
from croupier.table import commands as do
from croupier.table.shoe import Shoe
from croupier.table.state import State
from tests.ledger.accountant import Watched
from tests.ledger.reports.test_books_reports import Pit, every_report
from tests.table import walks

STEPS = 400


class Guest:
    """A kept table as the walkers of the engine's tests look at one."""

    def __init__(self, table: KeptTable) -> None:
        self.state: State = table.state
        self.shoe: Shoe = table.shoe()
        self.meters = table.readings()
        self.at_s = 0


def walked(evening: Watched, table: KeptTable, chance: Random) -> None:
    """Mostly the game goes on; now and then somebody does what a walker would."""
    for _ in range(STEPS):
        if not table.state.round.boxes and chance.random() < 0.5:
            evening.stack(" ".join(walks.a_deck(chance)))
        try:
            luck = chance.random()
            if luck < 0.85:
                evening.go_on(table)
            elif luck < 0.94:
                guest = Guest(table)
                evening.give(table, walks.any_command(guest, chance))  # type: ignore[arg-type]
            else:
                evening.give(table, trouble(table.state, chance))
        except (Refusal, Unreadable):
            continue


def trouble(state: State, chance: Random) -> do.Command:
    """An irregularity of the rulebook, or a round that the floorperson ends."""
    if chance.random() < 0.3:
        return do.VoidRound(by="floorperson", role="floorperson", cause="power-lost")
    rule = chance.choice(state.book.irregularities)
    dealers = state.round.places.get("dealer", ())[:1]
    return do.Declare(
        by="dealer",
        role="dealer",
        name=rule.name,
        cards=("2c",) if rule.effect == "set aside" else (),
        exposed=dealers if rule.name == "dealer-card-exposed" else (),
    )


@pytest.mark.parametrize(
    "book", ["UTH-S", pytest.param("UTH-14", marks=pytest.mark.prove), "FCP-14"]
)
def test_the_books_agree_whatever_happens(book: str, tmp_path: Path) -> None:
    chance = Random(book)
    ledger, evening = open_ledger(str(tmp_path / "walk.db"), create=True), Watched(seed=8)
    tables = [evening.install(ledger, book, name, "pit") for name in ("W-1", "W-2")]
    for table in tables:
        evening.sit(table, 4)
        walked(evening, table, chance)
    pit = Pit(evening, ledger)
    cuts = [None, *(each.at_us for each in chance.sample(evening.seen, 6))]
    for cut in cuts:
        for interval in (Interval(None, cut), Interval(cut, None)):
            for report in every_report(pit, pit.read(interval)):
                assert [check for check in report.checks if not check.holds] == []
    happened = {type(event).__name__ for each in evening.seen for event in each.events}
    assert happened >= {"WagerSettled", "RoundVoided", "WagerReturned", "MeterGrew", "MeterShrank"}
