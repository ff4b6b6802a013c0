"""What the transparency log costs: appends beside the sequencer, its own rate, a proof of a round.

``python -m bench.log [LINES]`` on both stores. Appends are measured by turns without and with a
sequencer that works beside them as a pit's does, for a disk has other things to do as well.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from statistics import median

from bench.ledger import BODY, appends_a_second
from croupier.audit.proof_check import check_proof
from croupier.audit.round_proof import round_proof
from croupier.games.registry import the_registry
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LineDraft
from croupier.ledger.store.port import Ledger, Writing
from croupier.ledger.transparency.sequencer import Sequencer, checkpoint_now
from croupier.server.pit.log_publisher import EVERY_S
from croupier.table.views import Viewer
from tests.ledger.evenings import Evening
from tests.ledger.stores import postgresql_server

LINES = 1_000_000
ROUNDS, TURNS, PROOFS, APPEND = 20, 9, 20, 1000
FILLED = "table/filled"


def main(lines: int) -> None:
    with tempfile.TemporaryDirectory() as name, postgresql_server(Path(name)) as server:
        for store, address in (
            ("SQLite", str(Path(name) / "ledger.db")),
            ("PostgreSQL", server.new_database()),
        ):
            with closing(open_ledger(address, create=True)) as ledger:
                print(f"{store}: {beside(ledger)}", flush=True)
                print(f"{store}, {lines:,} lines: {proofs(ledger, lines)}", flush=True)


def beside(ledger: Ledger) -> str:
    """Appends of eight lines a second, by turns without and with a sequencer."""
    found: dict[bool, list[float]] = {False: [], True: []}
    Sequencer(ledger).catch_up()
    for turn in range(2 * TURNS):
        works = bool(turn % 2)
        done = threading.Event()
        helper = threading.Thread(target=_sequence, args=(ledger, done))
        if works:
            helper.start()
        found[works].append(median(appends_a_second(ledger, 8) for _ in range(3)))
        done.set()
        if works:
            helper.join()
        Sequencer(ledger).catch_up()
    alone, with_it = median(found[False]), median(found[True])
    return (
        f"{alone:,.0f} appends of eight lines a second alone, {with_it:,.0f} beside the "
        f"sequencer ({with_it / alone - 1:+.0%})"
    )


def _sequence(ledger: Ledger, done: threading.Event) -> None:
    """As a pit does: once a second, and what came meanwhile."""
    sequencer = Sequencer(ledger)
    while not done.wait(EVERY_S):
        sequencer.catch_up()


def proofs(ledger: Ledger, lines: int) -> str:
    """Rounds that were played, in a ledger that was filled up to so many lines."""
    evening = Evening(27)
    table = evening.install(ledger, "UTH-S", "one")
    evening.sit(table, 3)
    evening.play(table, ROUNDS)
    player = next(iter(table.state.seats.values()))
    _fill(ledger, lines)
    sequencer, began = Sequencer(ledger), time.perf_counter()
    waiting = sum(head.version for head in ledger.heads().values()) - ledger.log.size
    sequencer.catch_up()
    rate = waiting / (time.perf_counter() - began)
    checkpoint_now(ledger, evening.ring, 1)
    making, checking, sizes = [], [], []
    for number in range(PROOFS):
        began = time.perf_counter()
        made = round_proof(
            ledger, "one", number % ROUNDS + 1, Viewer(role="player", name=player)
        ).text()
        making.append(time.perf_counter() - began)
        began = time.perf_counter()
        assert not check_proof(made, the_registry()).differences
        checking.append(time.perf_counter() - began)
        sizes.append(len(made))
    return (
        f"{rate:,.0f} lines put into the log a second; a proof of a round made in "
        f"{1000 * median(making):.0f} ms (at most {1000 * max(making):.0f}), checked in "
        f"{1000 * median(checking):.0f} ms, {median(sizes) / 1000:,.0f} kB"
    )


def _fill(ledger: Ledger, lines: int) -> None:
    draft = LineDraft("wager-placed", BODY, 1_800_000_000_000_000, "Ann", "player", "")
    left = lines - sum(head.version for head in ledger.heads().values())
    while left > 0:
        now = min(APPEND, left)
        ledger.append(Writing(FILLED, ledger.head(FILLED).version, (draft,) * now))
        left -= now


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else LINES)
