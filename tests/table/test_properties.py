"""Properties of every table: money is conserved, no card twice, nothing seen that may not be."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.table import events as ev
from croupier.table.events import AnyEvent
from tests.table.walks import walk


@settings(max_examples=5)
@given(st.integers(0, 2**32))
def test_any_walk_keeps_every_promise(seed: int) -> None:
    walk(Random(seed), 250)


def come_through(walks: int) -> Counter[type]:
    return Counter(type(event) for seed in range(walks) for event in walk(Random(seed), 250).events)


def test_walks_come_through_most_parts_of_a_table() -> None:
    """A property says nothing about what its generator never makes."""
    seen = come_through(4)
    assert seen[ev.CardsCleared] > 8
    assert len(seen) > 2 * len(AnyEvent.__args__) / 3


@pytest.mark.prove
def test_walks_come_through_every_part_of_a_table() -> None:
    seen = come_through(64)
    assert seen[ev.CardsCleared] > 160
    never = {kind.__name__ for kind in set(AnyEvent.__args__) - set(seen)}
    rare = {"BoxLeft", "TableIdle", "PaperworkRecorded", "ProgressiveRefused"}
    rare |= {"RefusalProposed", "RefusalSentBack", "TableLocked", "TableUnlocked", "KeptPaid"}
    rare |= {"OverpaymentTaken", "IrregularityDismissed", "LineReversed", "NumberMissing"}
    assert never <= rare  # the golden rounds have each of them


@pytest.mark.prove
def test_a_hundred_thousand_steps() -> None:
    for seed in range(400):
        walk(Random(10_000 + seed), 250)
