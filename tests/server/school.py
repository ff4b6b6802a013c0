"""A pit with a training table in it, and a clock that whoever teaches there sets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from croupier.audit.ledger_audit import audited
from croupier.audit.log.finding import LogFinding
from croupier.audit.log.log_audit import LogAudit
from croupier.audit.records.schema import AnyRecord, RoundRecord
from croupier.audit.records.writer import round_record, table_record
from croupier.facts.errors import Refusal
from croupier.games.registry import the_registry
from croupier.ledger.rounds import kept_rounds
from croupier.ledger.shoe.key_ring import create_ring
from croupier.ledger.store.address import open_ledger
from croupier.practice import regulars
from croupier.server.pit.pit import Pit
from croupier.server.settings import Settings
from croupier.submission.check import shipped_text
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box
from croupier.table.automatic_dealer import next_duty
from croupier.table.engine import options
from croupier.table.options import Viewing
from croupier.table.state import State
from croupier.table.terms import Terms

START_US = 1_800_000_000_000_000
SECOND_US = 1_000_000
HOUR_US = 3600 * SECOND_US
PATIENCE_S = 30
T = TypeVar("T")
CHEAP = Settings(argon2_memory_kib=64, argon2_rounds=1, self_check=False, decision_seconds=0)
NEVER: Callable[[State], bool] = lambda state: False  # noqa: E731


def by_shoe(book: str) -> str:
    """The shipped table with one deck in a manual shoe: shuffled by hand, cut, and counted."""
    head, _, _ = shipped_text(book).partition("[dealing]")
    kept = (line for line in head.splitlines() if not line.startswith("six_card_bonus"))
    return "\n".join((*kept, "[dealing]", 'method = "shoe"', "", "[decks]", "count = 1", ""))


class School:
    """``table`` is where everything happens; Ann sits at its first box."""

    def __init__(self, folder: Path, submission: str, start_us: int = START_US) -> None:
        self.now_us, self.registry, self._ids = start_us, the_registry(), count(1)
        self.ledger = open_ledger(str(folder / "pit.db"), create=True)
        self.ring = create_ring(folder / "pit.db.keys")
        self.pit = Pit(self.ledger, self.registry, self.ring, CHEAP, lambda: self.now_us)
        self.table = self.pit.install(submission, by="mia", training=True)
        # In a thread of its own, because a browser's tests keep a loop running in the first.
        self._loop, self._desk = asyncio.Runner(), ThreadPoolExecutor(1)
        self.give(do.TakeBox(by="Ann", role="player", box=1))
        self.give(do.BuyIn(by="Flo", role="floorperson", box=1, cents=500_000_00, taken="cash"))

    @property
    def state(self) -> State:
        return self.table.kept.state

    @property
    def terms(self) -> Terms:
        return self.state.terms

    def give(self, command: do.Command) -> tuple[ev.Event, ...]:
        """A second passes; the table answers, or refuses."""
        self.now_us += SECOND_US
        return self.run(self.table.ask(command, f"c{next(self._ids)}")).events

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._desk.submit(self._loop.run, work).result(PATIENCE_S)

    def dealer(self, kind: type[do.Command], **said: Any) -> tuple[ev.Event, ...]:
        return self.give(kind(by="Dora", role="dealer", **said))

    def floor(self, kind: type[do.Command], **said: Any) -> tuple[ev.Event, ...]:
        return self.give(kind(by="Flo", role="floorperson", **said))

    def refused(self, command: do.Command) -> str:
        try:
            self.give(command)
        except Refusal as refusal:
            return refusal.sentence
        raise AssertionError(f"{command} was not refused")

    def work(self, until: Callable[[State], bool] = NEVER) -> None:
        """The house does what its consoles offer, until it waits for Ann, or this is so."""
        while not until(self.state):
            kept = self.table.kept
            duty = next_duty(kept.state, kept.shoe(), kept.readings(), self.now_us // SECOND_US + 1)
            if duty is None:
                return
            self._refuse_unoffered(duty)
            self.give(duty)

    def wager(self) -> None:
        for command in regulars.wagers(self.state, 1):
            self.give(command)

    def play(self, rounds: int = 1, until: Callable[[State], bool] = NEVER) -> None:
        """So many rounds, to where the next can be closed; or until this is so."""
        last = self.state.round.number + rounds
        while self.state.round.number < last:
            if self.state.round.stage == "betting" and not self.state.round.boxes:
                self.work()
                self.wager()
            self.work(until)
            if until(self.state):
                return
            if asked_box(self.state) is not None:
                self.give(regulars.decision(self.state))
        self.work()

    def _refuse_unoffered(self, duty: do.Command) -> None:
        """What has to be done next stands on somebody's console."""
        role: Viewing = "floorperson" if duty.role == "floorperson" else "dealer"
        offered = {option.do for option in options(self.state, role, "")}
        assert duty.__struct_config__.tag in offered, (duty, offered)

    # What an auditor says

    def records(self) -> Iterator[AnyRecord]:
        name = self.table.name
        kept = list(kept_rounds(self.ledger, name, self.registry, self.ring))
        first = next(self.ledger.read(f"table/{name}", most=1))
        yield table_record(self.ledger.id, kept[0].installed, first)
        yield from (round_record(self.ledger.id, each) for each in kept if each.has_begun)

    def rounds(self) -> list[RoundRecord]:
        return [record for record in self.records() if isinstance(record, RoundRecord)]

    def findings(self) -> list[LogFinding]:
        """What the audit of the exported log finds."""
        return list(LogAudit(self.registry).records(self.records()))

    def refuse_unsound(self) -> None:
        """The ledger proved, with its keys and without; and its log judged."""
        for ring in (self.ring, None):
            found = audited(self.ledger, self.registry, ring=ring)
            assert found.differences == [], found.differences
        assert self.findings() == []

    def told(self) -> list[ev.Event]:
        kept = kept_rounds(self.ledger, self.table.name, self.registry, self.ring)
        return [told.event for each in kept for told in each.told]

    def close(self) -> None:
        self._desk.submit(self._loop.run, self.pit.close()).result(PATIENCE_S)
        self._desk.submit(self._loop.close).result(PATIENCE_S)
        self._desk.shutdown()


@contextmanager
def school(folder: Path, submission: str, start_us: int = START_US) -> Iterator[School]:
    opened = School(folder, submission, start_us)
    try:
        yield opened
    finally:
        opened.close()
