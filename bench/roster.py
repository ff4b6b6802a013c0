"""What it costs to see who has which table: every process looks about once a second."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import msgspec

from bench.processor import family_s
from bench.report import Row
from croupier.ledger.store.shared_postgres import SharedLedger
from tests.ledger.stores import postgresql_server

TABLES, LOOKS = 1_000, 50


class Looked(msgspec.Struct, frozen=True):
    """Microseconds of CPU a look and table, in the process that looks and in the database."""

    process_us: float
    database_us: float


def rows() -> Iterator[Row]:
    found = measured()
    ours, theirs = found.process_us, found.database_us
    what = f"a look at who has {TABLES:,} tables, CPU a table"
    beside = f"CPU of the database for it ({theirs:,.1f} us)"
    yield Row(what, f"{ours:,.1f} us", ours / theirs, beside)


def measured() -> Looked:
    names = [f"T{n:05}" for n in range(TABLES)]
    with postgresql_server() as server:
        postmaster = int((server.folder / "postmaster.pid").read_text().split()[0])
        with closing(SharedLedger(server.new_database(), "http://bench")) as ledger:
            ledger.claim(names)
            ours, theirs = time.process_time(), family_s(postmaster)
            for _ in range(LOOKS):
                assert len(ledger.roster(names).owners) == TABLES
            ours, theirs = time.process_time() - ours, family_s(postmaster) - theirs
    return Looked(1e6 * ours / LOOKS / TABLES, 1e6 * theirs / LOOKS / TABLES)
