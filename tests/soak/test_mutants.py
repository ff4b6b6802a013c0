"""The simulator can fail: bugs planted in the service are found, each by its sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

import soak.postgres
import soak.shaky
from croupier.facts.errors import Unavailable
from croupier.ledger import kept_table
from croupier.ledger.store import shared_postgres
from croupier.ledger.store.migrations import Session
from croupier.ledger.store.ownership import Process
from croupier.ledger.store.port import Writing
from croupier.ledger.store.shared_postgres import SharedLedger
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.server.access import logins
from croupier.server.access.logins import Logins
from croupier.server.pit.shared_pit import SharedPit
from croupier.server.pit.shared_table import SharedTable
from croupier.server.pit.table_actor import TableActor
from croupier.table import views
from soak.cli import slowly
from soak.world import World, simulate

STEPS, LEISURELY_STEPS, THINKING_S = 600, 150, 20.0
MOST_SEEDS = 12
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
            return self.kept.believe(found) if isinstance(found, kept_table.AppendPlan) else found

    patch.setattr(TableActor, "_appended", hopeful)


def asks_again_under_another_id(patch: Patch) -> None:
    """A command that is sent again is given again."""
    plan, sent = kept_table.KeptTable.plan, dict[str, int]()

    def planned(self: Any, command: Any, command_id: str, *rest: Any, **more: Any) -> Any:
        sent[command_id] = sent.get(command_id, 0) + 1
        return plan(self, command, f"{command_id}.{sent[command_id]}", *rest, **more)

    patch.setattr(kept_table.KeptTable, "plan", planned)


def shows_hidden_cards(patch: Patch) -> None:
    patch.setattr(views, "_as_seen", lambda cards, up: cards)


def writes_without_the_table(patch: Patch) -> None:
    """A process that was paused wakes, and believes that it still has everything."""

    def locked(self: SharedLedger, writer: Any, tables: Any) -> set[str]:
        for table in tables:
            writer.execute("SELECT pg_try_advisory_lock(%s)", (self._number(table),))
        return set(tables)

    def nothing(writings: Sequence[Writing]) -> Sequence[str]:
        return ()

    patch.setattr(SharedLedger, "_locked", locked)
    patch.setattr(shared_postgres, "guarded", nothing)


def tells_no_viewer(patch: Patch) -> None:
    """Viewers hear nothing when a change was found in the ledger, and not made here."""
    patch.setattr(TableActor, "_note_change", lambda self: self._set_timer())


def lets_clocks_go_back(patch: Patch) -> None:
    patch.setattr(kept_table, "refuse_set_back", lambda at_us, last_us: None)


def hears_of_no_log_out(patch: Patch) -> None:
    """Who logged out at one process is still let in at the others."""
    patch.setitem(logins.FOLLOWING, "left", Logins._pass)


def forgets_who_asked_to_leave(patch: Patch) -> None:
    """A log-out that could not be written is taken for done when it is asked for again."""

    def end(self: Logins, mark: str, why: str, *, quietly: bool = False) -> None:
        login = self._open.pop(mark, None)
        if login is not None and not quietly:
            self._log(login.name, why, login.address, mark)

    patch.setattr(Logins, "_end", end)


def ends_no_login(patch: Patch) -> None:
    """Who was barred, or has another role, plays on as he was."""
    patch.setattr(Logins, "end_of", lambda self, name, but="": None)
    patch.setattr(Logins, "_is_the_same", lambda self, login: True)


def knows_only_its_own_logins(patch: Patch) -> None:
    patch.setattr(Logins, "follow", lambda self: False)


def counts_only_its_own_guesses(patch: Patch) -> None:
    patch.setitem(logins.FOLLOWING, "refused", Logins._pass)


def forgives_only_here(patch: Patch) -> None:
    """A new password does not end a lock-out at a process that reads of the failures later."""
    patch.setitem(logins.FOLLOWING, "forgiven", Logins._pass)


def plays_what_it_lost(patch: Patch) -> None:
    patch.setattr(SharedPit, "_lose", lambda self, name: None)


def passes_on_to_who_was_there(patch: Patch) -> None:
    """A process that knows an owner once believes in it for ever."""

    def belongs(self: SharedTable, owner: Process | None) -> None:
        if self._actor is None and self.owner is None:
            self.owner = owner
            self._move()

    patch.setattr(SharedTable, "belongs_to", belongs)


MUTANTS: dict[Callable[[Patch], None], str] = {
    forgets_what_it_acknowledged: "",
    takes_doubt_for_done: "",
    asks_again_under_another_id: "",
    shows_hidden_cards: "was shown",
    writes_without_the_table: "without having the table",
    tells_no_viewer: "still sees",
    lets_clocks_go_back: "its time lies before",
    hears_of_no_log_out: "has no login any more, and is still",
    forgets_who_asked_to_leave: "has no login any more, and is still",
    ends_no_login: "has no login any more, and is still",
    knows_only_its_own_logins: "is logged in, and",
    counts_only_its_own_guesses: "guessed three times, and",
    forgives_only_here: "has a new password, and",
    plays_what_it_lost: "plays without having it",
    passes_on_to_who_was_there: "does not pass on to",
}


# People come and go by the clock: where they think for long, that goes on around few commands.
AT_LEISURE = (
    hears_of_no_log_out,
    forgets_who_asked_to_leave,
    ends_no_login,
    knows_only_its_own_logins,
    counts_only_its_own_guesses,
    forgives_only_here,
    plays_what_it_lost,
    passes_on_to_who_was_there,
)


@pytest.mark.parametrize("plant", MUTANTS, ids=lambda plant: plant.__name__)
def test_a_planted_bug_is_found(plant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    plant(monkeypatch)
    steps = LEISURELY_STEPS if plant in AT_LEISURE else STEPS
    weather = slowly(THINKING_S if plant in AT_LEISURE else 1.0)
    weather = only_clocks if plant is lets_clocks_go_back else weather
    reports = (simulate(seed, steps, plant=weather) for seed in range(1, MOST_SEEDS + 1))
    found = next((report.failure for report in reports if report.failure), "")
    assert found
    assert MUTANTS[plant] in found


def only_clocks(world: World) -> None:
    """Quiet tables, where nothing but a clock goes wrong."""
    world.thinking_s = 10.0
    world.faults.only("clock back")
