"""A manager who voids a settled round alone."""

from __future__ import annotations

from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import phase
from tests.table.people import floor, manager, player
from tests.table.tables import opened, refused, terms


def test_a_manager_alone_voids_no_settled_round() -> None:
    table = opened(terms("UTH-S"))
    table.bet(1, ante="$10", blind="$10")
    table.work()
    table.give(player(do.Play, box=1, cents=40_00))
    table.work(lambda state: phase(state) == "clearing")
    settled = table.state.round.lines
    table.give(manager(do.VoidRound, cause="power-lost"))
    own = manager(do.Confirm, upheld=True, meters=table.meters)
    assert "began it" in refused(table, own).sentence
    assert "began it" in refused(table, manager(do.Confirm, upheld=False)).sentence
    assert (table.state.round.stage, table.state.round.lines) == ("play", settled)
    *_, used = table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    assert isinstance(used, ev.PowerUsed)
    assert (used.act, used.by, used.second) == ("void", "Mo", "Flo")
