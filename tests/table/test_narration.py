"""What the narration says comes from the event, not from what the table could have done."""

from __future__ import annotations

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.narration import narrate
from tests.table.people import dealer, floor
from tests.table.tables import opened, terms


def test_a_count_by_the_device_is_told_when_it_was_made() -> None:
    table = opened(terms("UTH-S", "shuffler", shuffler_counts=True))
    table.give(floor(do.OrderShuffle, color="red"))
    before = table.state
    (event,) = table.give(dealer(do.Shuffle, color="red", by_device=True, found=52))
    assert "the device counts 52 cards" in narrate(event, before)


def test_a_round_the_system_gave_up_is_told_with_its_reason() -> None:
    event = ev.RoundVoided(clauses=("UTH-S 13",), name="power-lost", reason="no power")
    assert "no power" in narrate(event, opened(terms("UTH-S")).state)
