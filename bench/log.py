"""What the transparency log costs: appends with MAC and log, its rate, a proof of a round.

On both stores. Appends are measured by turns into a ledger that has neither, and into one whose
lines carry MACs, are put into the log meanwhile and signed, as a pit does it; by the clock and by
CPU, for disk and processors have other things to do as well. The log's CPU is what it took for
each line that it put in; how many it put in, and how many waited at the end, is told. The round
that is proved is one of a table with that many lines.

    python -m bench.log --lines 1000000 --turns 9
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.ledger import APPENDS, BODY, appends_a_second, seconds
from bench.report import Row, as_program
from bench.tables import bytes_
from croupier.audit.proof_check import check_proof
from croupier.audit.round_proof import round_proof
from croupier.games.registry import the_registry
from croupier.ledger.events import TABLE
from croupier.ledger.kept_table import system_clock
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LineDraft
from croupier.ledger.store.line_mac import LineMacs
from croupier.ledger.store.port import Ledger, Writing
from croupier.ledger.transparency.sequencer import Sequencer, checkpoint_now
from croupier.server.pit.log_publisher import EVERY_S, LogPublisher
from croupier.table.views import Viewer
from tests.ledger.evenings import Evening
from tests.ledger.stores import postgresql_server

LINES = 20_000
ROUNDS, TURNS, PROOFS, APPEND = 20, 3, 20, 1000
WARM_S, BLOCK_S = 1.5 * EVERY_S, 3 * EVERY_S
RING = new_ring()
NAME = "one"


def rows(lines: int = LINES, turns: int = TURNS) -> Iterator[Row]:
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
                closing(open_ledger(new(), create=True)) as filled,
            ):
                for authentic in (whole, filled):
                    authentic.authenticate(LineMacs(authentic.id, RING))
                yield from appending(store, plain, whole, turns)
                yield from proofs(store, filled, lines)


class Block(NamedTuple):
    """Seconds an append: by the clock, of CPU where it waits, and of CPU in all, with its eight
    lines put into the log. ``logged`` is how many lines were put in for each that was written
    meanwhile, ``waiting`` how many were left at the end.
    """

    clock_s: float
    waited_for_s: float
    cpu_s: float
    logged: float = 0
    waiting: float = 0


COUNTED = ("by the clock", "CPU where it waits", "CPU of the process, the log's too")
ANSWER = 8


def appending(store: str, plain: Ledger, whole: Ledger, turns: int) -> Iterator[Row]:
    """Appends of eight lines, by turns without and with all that proofs need."""
    blocks = [(_block(plain), _block(whole)) for _ in range(turns)]
    without, with_both = (
        Block(*map(median, zip(*own, strict=True))) for own in zip(*blocks, strict=True)
    )
    for here_s, there_s, how in zip(without, with_both, COUNTED, strict=False):
        what = f"{store}, an append of eight lines with MAC and log, {how}"
        told, beside = f"{1e6 * there_s:,.0f} us", f"time of one without ({1e6 * here_s:,.0f} us)"
        yield Row(what, told, there_s / here_s, beside)
    log_s = (with_both.cpu_s - with_both.waited_for_s) / ANSWER
    what, told = f"{store}, CPU of the log for a line", f"{1e6 * log_s:,.1f} us"
    a_line_s = without.cpu_s / ANSWER
    yield Row(what, told, log_s / a_line_s, f"CPU of its append without ({1e6 * a_line_s:,.1f} us)")
    what = f"{store}, lines put into the log while they are appended"
    told = f"{with_both.waiting:,.0f} wait at the end"
    yield Row(what, told, with_both.logged, "lines appended meanwhile")


def _block(ledger: Ledger) -> Block:
    """Measured once the log is as far behind as it always is; then what is left is worked off."""
    done = threading.Event()
    helper = threading.Thread(target=_publish, args=(ledger, done))
    if ledger.macs is not None:
        helper.start()
    _append_for(ledger, WARM_S)
    before = ledger.log.size
    began = time.perf_counter(), time.thread_time(), time.process_time()
    appends = _append_for(ledger, BLOCK_S)
    ended = time.perf_counter(), time.thread_time(), time.process_time()
    put_in, waiting = ledger.log.size - before, _held(ledger) - ledger.log.size
    done.set()
    spent = Block(*((there - here) / appends for here, there in zip(began, ended, strict=True)))
    if ledger.macs is None:
        return spent
    helper.join()
    Sequencer(ledger).catch_up()
    assert ledger.log.size == _held(ledger)
    logged = put_in / (ANSWER * appends)
    cpu_s = spent.waited_for_s + (spent.cpu_s - spent.waited_for_s) / logged
    return spent._replace(cpu_s=cpu_s, logged=logged, waiting=waiting)


def _append_for(ledger: Ledger, span_s: float) -> int:
    until_s, appends = time.perf_counter() + span_s, 0
    while time.perf_counter() < until_s:
        appends_a_second(ledger, ANSWER)
        appends += APPENDS
    return appends


def _publish(ledger: Ledger, done: threading.Event) -> None:
    """As a pit does: once a second what came meanwhile, and a checkpoint every thousand lines."""
    log = LogPublisher(ledger, RING, system_clock)
    while not done.wait(EVERY_S):
        log.step()


def proofs(store: str, ledger: Ledger, lines: int) -> Iterator[Row]:
    """Rounds that were played at a table whose stream was filled up to so many lines."""
    evening = Evening(27)
    evening.ring = RING
    table = evening.install(ledger, "UTH-S", NAME)
    evening.sit(table, 3)
    evening.play(table, ROUNDS)
    viewer = Viewer(role="player", name=next(iter(table.state.seats.values())))
    before = _held(ledger)
    filled_s = seconds(lambda: _fill(ledger, lines))
    filled, waiting = _held(ledger) - before, _held(ledger) - ledger.log.size
    rate = waiting / seconds(Sequencer(ledger).catch_up)
    beside = f"lines appended, {APPEND:,} at a time"
    told = f"{rate:,.0f} lines a second"
    yield Row(f"{store}, {lines:,} lines put into the log", told, rate * filled_s / filled, beside)
    checkpoint_now(ledger, evening.ring, 1)
    making_s, checking_s, sizes = list[float](), list[float](), list[int]()
    for number in range(PROOFS):
        began_s = time.perf_counter()
        made = round_proof(ledger, NAME, number % ROUNDS + 1, viewer).text()
        made_s = time.perf_counter()
        assert not check_proof(made, the_registry()).differences
        making_s.append(made_s - began_s)
        checking_s.append(time.perf_counter() - made_s)
        sizes.append(len(made))
    make_s, check_s = median(making_s), median(checking_s)
    told = f"{1000 * make_s:.1f} ms (at most {1000 * max(making_s):.1f}), {bytes_(median(sizes))}"
    beside = f"time to check it ({1000 * check_s:.1f} ms)"
    yield Row(f"{store}, {lines:,} lines, a proof of a round", told, make_s / check_s, beside)


def _held(ledger: Ledger) -> int:
    return sum(head.version for head in ledger.heads().values())


def _fill(ledger: Ledger, lines: int) -> None:
    draft = LineDraft("wager-placed", BODY, 1_800_000_000_000_000, "Ann", "player", "")
    stream, left = f"{TABLE}{NAME}", lines - _held(ledger)
    while left > 0:
        now = min(APPEND, left)
        ledger.append(Writing(stream, ledger.head(stream).version, (draft,) * now))
        left -= now


if __name__ == "__main__":
    as_program(rows)
