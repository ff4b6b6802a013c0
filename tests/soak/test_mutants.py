"""The simulator can fail: bugs planted in the service are found, each by its sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

import soak.postgres
import soak.shaky
from croupier.facts.errors import Unavailable
from croupier.ledger import keeper, shared
from croupier.ledger.migrations import Session
from croupier.ledger.port import Writing
from croupier.ledger.shared import SharedLedger
from croupier.ledger.sqlite import SqliteLedger
from croupier.server.actor import TableActor
from croupier.table import views
from soak.world import World, simulate

STEPS = 600
MOST_SEEDS = 8
Patch = pytest.MonkeyPatch

pytestmark = pytest.mark.prove


def forgets_what_it_acknowledged(patch: Patch) -> None:
    """One write in fifty is rolled back, and told as done."""
    committed, count = soak.postgres._OWN["COMMIT"], iter(range(10**9))

    def commit(connection: Any, sql: str, values: tuple[Any, ...]) -> Any:
        is_ours = bool(connection.session.lines)
        if is_ours and next(count) % 50 == 49:
            return soak.postgres.Connection._rollback(connection, sql, values)
        return committed(connection, sql, values)

    patch.setitem(soak.postgres._OWN, "COMMIT", commit)

    @contextmanager
    def writing(self: Any) -> Iterator[Session]:
        try:
            with SqliteLedger._writing(self) as session:
                yield session
                if next(count) % 50 == 49:
                    raise EOFError
        except EOFError:
            pass

    patch.setattr(soak.shaky.Shaky, "_writing", writing)


def takes_doubt_for_done(patch: Patch) -> None:
    """An answer that was lost is taken for a yes."""
    appended = TableActor._appended

    async def hopeful(self: TableActor, planned: Any, *asked: Any) -> Any:
        try:
            return await appended(self, planned, *asked)
        except Unavailable:
            found = planned or self.kept.plan(*asked)
            return self.kept.believe(found) if isinstance(found, keeper.Plan) else found

    patch.setattr(TableActor, "_appended", hopeful)


def asks_again_under_another_id(patch: Patch) -> None:
    """A command that is sent again is given again."""
    plan, sent = keeper.KeptTable.plan, dict[str, int]()

    def planned(self: Any, command: Any, command_id: str, *rest: Any, **more: Any) -> Any:
        sent[command_id] = sent.get(command_id, 0) + 1
        return plan(self, command, f"{command_id}.{sent[command_id]}", *rest, **more)

    patch.setattr(keeper.KeptTable, "plan", planned)


def shows_hidden_cards(patch: Patch) -> None:
    patch.setattr(views, "_as_seen", lambda cards, up: cards)


def writes_without_the_table(patch: Patch) -> None:
    """A process that was paused wakes, and believes that it still has everything."""

    def locked(self: SharedLedger, pen: Any, tables: Any) -> set[str]:
        for table in tables:
            pen.execute("SELECT pg_try_advisory_lock(%s)", (self._number(table),))
        return set(tables)

    def nothing(writings: Sequence[Writing]) -> Sequence[str]:
        return ()

    patch.setattr(SharedLedger, "_locked", locked)
    patch.setattr(shared, "guarded", nothing)


def tells_no_viewer(patch: Patch) -> None:
    """Viewers hear nothing when a change was found in the ledger, and not made here."""
    patch.setattr(TableActor, "_note_change", lambda self: self._set_timer())


def lets_clocks_go_back(patch: Patch) -> None:
    patch.setattr(keeper, "refuse_set_back", lambda at_us, last_us: None)


MUTANTS: dict[Callable[[Patch], None], str] = {
    forgets_what_it_acknowledged: "",
    takes_doubt_for_done: "",
    asks_again_under_another_id: "",
    shows_hidden_cards: "was shown",
    writes_without_the_table: "without having the table",
    tells_no_viewer: "still sees",
    lets_clocks_go_back: "its time lies before",
}


@pytest.mark.parametrize("plant", MUTANTS, ids=lambda plant: plant.__name__)
def test_a_planted_bug_is_found(plant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    plant(monkeypatch)
    weather = only_clocks if plant is lets_clocks_go_back else None
    reports = (simulate(seed, STEPS, plant=weather) for seed in range(1, MOST_SEEDS + 1))
    found = next((report.failure for report in reports if report.failure), "")
    assert found
    assert MUTANTS[plant] in found


def only_clocks(world: World) -> None:
    """Quiet tables, where nothing but a clock goes wrong."""
    world.thinking_s = 10.0
    world.faults.only("clock back")
