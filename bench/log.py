"""What the transparency log costs: appends with MAC and sequencer, its rate, a proof of a round.

``python -m bench.log [LINES]`` on both stores. Appends are measured by turns into a ledger that has
neither, and into one whose lines carry MACs and are put into the log meanwhile, as a pit does it;
by the clock and by CPU, for disk and processors have other things to do as well.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.ledger import APPENDS, BODY, appends_a_second
from croupier.audit.proof_check import check_proof
from croupier.audit.round_proof import round_proof
from croupier.games.registry import the_registry
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LineDraft
from croupier.ledger.store.line_mac import LineMacs
from croupier.ledger.store.port import Ledger, Writing
from croupier.ledger.transparency.sequencer import Sequencer, checkpoint_now
from croupier.server.pit.log_publisher import EVERY_S
from croupier.table.views import Viewer
from tests.ledger.evenings import Evening
from tests.ledger.stores import postgresql_server

LINES = 1_000_000
ROUNDS, TURNS, PROOFS, APPEND = 20, 9, 20, 1000
BLOCK = 3 * APPENDS
RING = new_ring()
FILLED = "table/filled"


def main(lines: int) -> None:
    with tempfile.TemporaryDirectory() as name, postgresql_server(Path(name)) as server:
        files = (str(Path(name) / f"{n}.db") for n in count())
        stores: dict[str, Callable[[], str]] = {
            "SQLite": lambda: next(files),
            "PostgreSQL": server.new_database,
        }
        for store, new in stores.items():
            with (
                closing(open_ledger(new(), create=True)) as plain,
                closing(open_ledger(new(), create=True)) as whole,
            ):
                whole.authenticate(LineMacs(whole.id, RING))
                print(f"{store}: {appending(plain, whole)}", flush=True)
                print(f"{store}, {lines:,} lines: {proofs(whole, lines)}", flush=True)


class Block(NamedTuple):
    """Seconds for some appends: by the clock, of CPU where they wait, and of CPU in all."""

    clock_s: float
    waited_for_s: float
    cpu_s: float


def appending(plain: Ledger, whole: Ledger) -> str:
    """Appends of eight lines, by turns without and with all that proofs need."""
    blocks = [(_block(plain), _block(whole)) for _ in range(TURNS)]
    without, with_both = (
        Block(*map(median, zip(*own, strict=True))) for own in zip(*blocks, strict=True)
    )
    clock, waited_for, cpu = (
        f"{1e6 * here / BLOCK:,.0f} and {1e6 * there / BLOCK:,.0f} us ({there / here - 1:+.1%})"
        for here, there in zip(without, with_both, strict=True)
    )
    return (
        f"an append of eight lines without and with MAC and sequencer: {clock}; "
        f"CPU where it waits: {waited_for}; CPU of the process, the sequencer's too: {cpu}"
    )


def _block(ledger: Ledger) -> Block:
    done = threading.Event()
    helper = threading.Thread(target=_sequence, args=(ledger, done))
    if ledger.macs is not None:
        helper.start()
    began = time.perf_counter(), time.thread_time(), time.process_time()
    for _ in range(BLOCK // APPENDS):
        appends_a_second(ledger, 8)
    ended = time.perf_counter(), time.thread_time(), time.process_time()
    done.set()
    if ledger.macs is not None:
        helper.join()
        Sequencer(ledger).catch_up()
    return Block(*(there - here for here, there in zip(began, ended, strict=True)))


def _sequence(ledger: Ledger, done: threading.Event) -> None:
    """As a pit does: once a second, and what came meanwhile."""
    sequencer = Sequencer(ledger)
    while not done.wait(EVERY_S):
        sequencer.catch_up()


def proofs(ledger: Ledger, lines: int) -> str:
    """Rounds that were played, in a ledger that was filled up to so many lines."""
    evening = Evening(27)
    evening.ring = RING
    table = evening.install(ledger, "UTH-S", "one")
    evening.sit(table, 3)
    evening.play(table, ROUNDS)
    player = next(iter(table.state.seats.values()))
    _fill(ledger, lines)
    sequencer, started_s = Sequencer(ledger), time.perf_counter()
    waiting = sum(head.version for head in ledger.heads().values()) - ledger.log.size
    sequencer.catch_up()
    rate = waiting / (time.perf_counter() - started_s)
    checkpoint_now(ledger, evening.ring, 1)
    making, checking, sizes = list[Took](), list[Took](), []
    for number in range(PROOFS):
        began = Took.now()
        made = round_proof(
            ledger, "one", number % ROUNDS + 1, Viewer(role="player", name=player)
        ).text()
        making.append(Took.now() - began)
        began = Took.now()
        assert not check_proof(made, the_registry()).differences
        checking.append(Took.now() - began)
        sizes.append(len(made))
    return (
        f"{rate:,.0f} lines put into the log a second; a proof of a round made in "
        f"{_typical(making)}, checked in {_typical(checking)}, {median(sizes) / 1000:,.0f} kB"
    )


class Took(NamedTuple):
    """Milliseconds by the clock, and of CPU."""

    clock_ms: float
    cpu_ms: float

    @classmethod
    def now(cls) -> Took:
        return cls(1000 * time.perf_counter(), 1000 * time.process_time())

    def __sub__(self, other: Took) -> Took:
        return Took(self.clock_ms - other.clock_ms, self.cpu_ms - other.cpu_ms)


def _typical(took: list[Took]) -> str:
    clock, cpu = zip(*took, strict=True)
    return f"{median(clock):.0f} ms (at most {max(clock):.0f}; CPU {median(cpu):.1f})"


def _fill(ledger: Ledger, lines: int) -> None:
    draft = LineDraft("wager-placed", BODY, 1_800_000_000_000_000, "Ann", "player", "")
    left = lines - sum(head.version for head in ledger.heads().values())
    while left > 0:
        now = min(APPEND, left)
        ledger.append(Writing(FILLED, ledger.head(FILLED).version, (draft,) * now))
        left -= now


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else LINES)
