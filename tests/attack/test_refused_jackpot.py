"""A floorperson, or a manager, who refuses a Progressive win alone."""

from __future__ import annotations

from dataclasses import replace as changed

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.powers import HOME
from croupier.table.state import replace
from tests.table.handlers.test_progressive import TOP, waits
from tests.table.people import floor, manager
from tests.table.tables import refused


def test_nobody_refuses_a_win_alone() -> None:
    for first in (floor, manager):
        table = waits("UTH-S", TOP["UTH-S"])
        table.give(first(do.ProposeRefusal, box=1, reason="hand"))
        alone = first(do.ConfirmRefusal, box=1, upheld=True, meters=table.meters)
        refused(table, alone)
        assert table.state.round.won is not None
        another = manager(do.ConfirmRefusal, by="Mia", box=1, upheld=True, meters=table.meters)
        *_, used = table.give(another)
        assert isinstance(used, ev.PowerUsed)
        assert (used.by, used.second) == (alone.by, "Mia")


def test_at_home_one_may_and_is_marked() -> None:
    table = waits("UTH-S", TOP["UTH-S"])
    table.state = replace(table.state, terms=changed(table.state.terms, policy=HOME))
    table.give(floor(do.ProposeRefusal, box=1, reason="hand"))
    *_, used = table.give(floor(do.ConfirmRefusal, box=1, upheld=True, meters=table.meters))
    assert isinstance(used, ev.PowerUsed)
    assert (used.act, used.by, used.second) == ("refuse-win", "Flo", "")
