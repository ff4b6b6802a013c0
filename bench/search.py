"""How long a search over recordings takes, on SQLite and PostgreSQL.

The rows of the index are drawn, not played: what is measured is the index. Each question is asked
by each condition alone and by some together, one that finds nothing among them; beside the time
stands its ratio to the cheapest one, the newest rounds, and the plan of the slowest.

    python -m bench.search --rounds 1000000 --boxes 6
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from bench.report import Row, as_program, progress
from croupier.facts.hands import Category
from croupier.ledger.recordings.index import (
    IndexStore,
    RecordingQuery,
    put,
    row_of,
    statement,
)
from croupier.ledger.recordings.postgres_index import PostgresIndex
from croupier.ledger.recordings.recording import Recording
from croupier.ledger.recordings.sqlite_index import SqliteIndex
from tests.ledger.stores import postgresql_server

START_US, ROUND_US = 1_800_000_000_000_000, 60_000_000
ROUNDS = 50_000
MOST_PLAN = 1_000  # a list of wagers makes it endless
BATCH, TRIES = 20_000, 3
PLAYERS, TABLES, MOST_BOXES = 5_000, 40, 6
ENDS = ("win", "lose")
HANDS = list(map(str, Category))
QUESTIONS = {
    "the newest": RecordingQuery(),
    "player": RecordingQuery(player="player 77"),
    "nobody": RecordingQuery(player="nobody"),
    "table": RecordingQuery(table="T7"),
    "time": RecordingQuery(since_us=START_US + 10**9, until_us=START_US + 5 * 10**9),
    "amount": RecordingQuery(least_cents=99_000),
    "hand": RecordingQuery(hand="royal flush"),
    "wager": RecordingQuery(wager="trips win"),
    "rare wager": RecordingQuery(wager="progressive win"),
    "a wager of long ago": RecordingQuery(wager="bonus lose"),
    "table, rare wager": RecordingQuery(table="T7", wager="progressive win"),
    "no such wager": RecordingQuery(wager="envy win"),
    "irregularity": RecordingQuery(irregularity="misdeal"),
    "no such irregularity": RecordingQuery(irregularity="card-shown"),
    "outcome": RecordingQuery(outcome="void"),
    "player, hand": RecordingQuery(player="player 77", hand="full house"),
    "table, wager, amount": RecordingQuery(table="T7", wager="trips win", least_cents=90_000),
    "all but nothing": RecordingQuery(hand="pair", outcome="won", table="T7", player="nobody"),
}


def drawn(rounds: int, boxes: int, seed: int = 1) -> Iterator[Recording]:
    """So many boxes a round, of different players; hands and sums as chance has them, the rare ones
    rare. A void round is void at all its boxes."""
    chance = random.Random(seed)
    weights = [1 / 4**place for place in range(len(HANDS))]
    for number in range(rounds):
        is_void = chance.random() < 0.001
        seats = chance.sample(range(1, MOST_BOXES + 1), boxes)
        players = chance.sample(range(PLAYERS), boxes)
        for box, player in zip(sorted(seats), players, strict=True):
            yield _box(chance, number, rounds, box, player, weights, is_void=is_void)


def _box(
    chance: random.Random,
    number: int,
    rounds: int,
    box: int,
    player: int,
    weights: list[float],
    *,
    is_void: bool,
) -> Recording:
    staked, net = chance.randrange(10, 500) * 100, chance.randrange(-500, 1000) * 100
    return Recording(
        at_us=START_US + number * ROUND_US,
        table_name=f"T{number % TABLES}",
        round=number // TABLES + 1,
        box=box,
        player=f"Player {player}",
        amount_cents=max(staked, abs(net)),
        staked_cents=staked,
        net_cents=0 if is_void else net,
        outcome="void" if is_void else "won" if net > 0 else "lost",
        hand=chance.choices(HANDS, weights)[0],
        wagers=_wagers(chance, number / rounds),
        irregularities=("misdeal",) if is_void else (),
    )


def _wagers(chance: random.Random, since: float) -> tuple[str, ...]:
    """Some hundreds of texts in all; one wager was taken off the felt when a fifth was played."""
    sides = ("trips", "pairs", "badbeat", *(("bonus",) if since < 0.2 else ()))
    taken = [side for side in sides if chance.random() < 0.5]
    hit = ("progressive win",) if chance.random() < 0.0002 else ("progressive lose",)
    ended = (f"{side} {chance.choices(ENDS, (1, 9))[0]}" for side in taken)
    return (f"ante {chance.choice(ENDS)}", f"play {chance.choice(ENDS)}", *ended, *hit)


def fill(store: IndexStore, rounds: int, boxes: int) -> None:
    store.make("bench")
    rows = map(row_of, drawn(rounds, boxes))
    while batch := list(islice(rows, BATCH)):
        with store.writing():
            put(store, batch)
    store.rows("VACUUM")
    if isinstance(store, PostgresIndex):  # as autovacuum does; a SQLite index measures itself
        store.rows("ANALYZE")


def asked(store: IndexStore, query: RecordingQuery) -> tuple[float, int]:
    """The best of some tries, in seconds, and how many rows it found."""
    took, found = float("inf"), 0
    for _ in range(TRIES):
        began = time.perf_counter()
        sql, values = statement(store, query)
        found = len(store.rows(sql, *values))
        took = min(took, time.perf_counter() - began)
    return took, found


def rows(rounds: int = ROUNDS, boxes: int = 1) -> Iterator[Row]:
    """Every question goes to the progress; into the table the slowest, with its plan."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteIndex(Path(folder) / "bench.index")
        fill(store, rounds, boxes)
        yield _slowest(f"SQLite, {rounds:,} rounds", store, "EXPLAIN QUERY PLAN")
        store.close()
    with postgresql_server() as server:
        shared = PostgresIndex(server.empty_database())
        fill(shared, rounds, boxes)
        yield _slowest(f"PostgreSQL, {rounds:,} rounds", shared, "EXPLAIN")
        shared.close()


def _slowest(name: str, store: IndexStore, explain: str) -> Row:
    taken = {what: asked(store, query) for what, query in QUESTIONS.items()}
    least_s = taken["the newest"][0]
    for what, (took_s, found) in taken.items():
        progress(f"  {name}, {what}: {1000 * took_s:.2f} ms, {found} found")
    slowest = max(taken, key=lambda what: taken[what][0])
    progress(f"  the slowest, {slowest}: {plan_of(store, QUESTIONS[slowest], explain)[:MOST_PLAN]}")
    took_s = taken[slowest][0]
    what = f"a search of recordings, {name}, the slowest of {len(taken)} ({slowest})"
    beside = f"time of the newest ({1000 * least_s:.2f} ms)"
    return Row(what, f"{1000 * took_s:.2f} ms", took_s / least_s, beside)


def plan_of(store: IndexStore, query: RecordingQuery, explain: str) -> str:
    sql, values = statement(store, query)
    return "; ".join(str(row[-1]).strip() for row in store.rows(f"{explain} {sql}", *values))


if __name__ == "__main__":
    as_program(rows)
