"""A derived index over recordings: one row for each box of each round, beside the ledger's lines.

It says nothing that the lines do not say, and is made from them again whenever it is missing, of
another ledger or of another format. On SQLite it is a file of its own beside the ledger's, on
PostgreSQL a schema of its own: nobody who gives a command ever waits for it. Rows are put in by
their key, so that two processes that do it at once do it once.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

from croupier.games.registry import Registry
from croupier.ledger.events import TABLE, TableSnapshot, tag_of
from croupier.ledger.recordings.recording import (
    DISPUTE,
    Recording,
    later_disputes,
    recordings_of,
)
from croupier.ledger.replay import first_line, kept_terms
from croupier.ledger.rounds import Bookmark, KeptRound, kept_rounds, tables_of
from croupier.ledger.snapshot import readable, table_at
from croupier.ledger.store.address import is_postgresql
from croupier.ledger.store.port import Ledger

FORMAT = 2
BATCH = 200  # rounds a transaction
MOST = 1000  # rows that are told of one search
RARE = 5_000  # boxes that are read and sorted; of more, some are soon met among the newest
FIELDS = Recording.__struct_fields__
MADE = (
    "CREATE TABLE made_for (ledger {text} NOT NULL, format {integer} NOT NULL)",
    "CREATE TABLE reached (table_name {text} NOT NULL PRIMARY KEY, round {integer} NOT NULL, "
    "line {integer} NOT NULL)",
    "CREATE TABLE recordings (at_us {integer} NOT NULL, table_name {text} NOT NULL, "
    "round {integer} NOT NULL, box {integer} NOT NULL, player {text} NOT NULL, "
    "amount_cents {integer} NOT NULL, staked_cents {integer} NOT NULL, "
    "net_cents {integer} NOT NULL, outcome {text} NOT NULL, hand {text} NOT NULL, "
    "wagers {text} NOT NULL, irregularities {text} NOT NULL, player_key {text} NOT NULL, "
    "PRIMARY KEY (table_name, round, box))",
    # Every text of wagers and outcomes that some box has: some hundreds, however many rounds.
    "CREATE TABLE wager_texts (wagers {text} NOT NULL PRIMARY KEY)",
)
INDEXES = (
    "CREATE INDEX by_time ON recordings (at_us)",
    "CREATE INDEX by_wagers ON recordings (wagers, at_us)",
    "CREATE INDEX by_player ON recordings (player_key, at_us)",
    "CREATE INDEX by_table ON recordings (table_name, at_us)",
    "CREATE INDEX by_hand ON recordings (hand, at_us)",
    "CREATE INDEX by_outcome ON recordings (outcome, at_us)",
    "CREATE INDEX by_amount ON recordings (amount_cents, at_us)",
    "CREATE INDEX by_irregularity ON recordings (at_us) WHERE irregularities <> ''",
)
INSERT = (
    f"INSERT INTO recordings ({', '.join(FIELDS)}, player_key) "
    f"VALUES ({', '.join('?' * (len(FIELDS) + 1))}) ON CONFLICT DO NOTHING"
)
INSERT_TEXT = "INSERT INTO wager_texts VALUES (?) ON CONFLICT DO NOTHING"
NEWEST = (
    "SELECT max((SELECT at_us FROM recordings WHERE recordings.wagers = wager_texts.wagers "
    "ORDER BY at_us DESC LIMIT 1)) FROM wager_texts WHERE wagers LIKE ?"
)
REACHED = (
    "INSERT INTO reached VALUES (?, ?, ?) ON CONFLICT (table_name) "
    "DO UPDATE SET round = excluded.round, line = excluded.line"
)
DISPUTED = (
    f"UPDATE recordings SET irregularities = irregularities || '|{DISPUTE}|' WHERE table_name = ? "
    f"AND round = ? AND box = ? AND irregularities NOT LIKE '%|{DISPUTE}|%'"
)


class RecordingQuery(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is looked for; what is not said does not matter. Times in microseconds since 1970, sums
    in cents; ``wager`` may be followed by its outcome: ``trips win``."""

    player: str = ""
    table: str = ""
    since_us: int = 0
    until_us: int = 0
    least_cents: int = 0
    most_cents: int = 0
    hand: str = ""
    wager: str = ""
    irregularity: str = ""
    outcome: str = ""
    most: int = 100


class IndexStore(ABC):
    """Where an index is kept: statements with ``?`` for values, in transactions."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """A transaction; what it did is there whole, or not at all."""

    @abstractmethod
    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    def many(self, sql: str, rows: Sequence[Sequence[object]]) -> None: ...

    @abstractmethod
    def is_made_for(self, ledger_id: str) -> bool:
        """Whether there is an index here, of this ledger and in this format."""

    @abstractmethod
    def make(self, ledger_id: str) -> None:
        """An empty one, in place of whatever is here."""

    @abstractmethod
    def close(self) -> None: ...


class RecordingIndex:
    """``catch_up`` reads the lines that are new; ``find`` looks among the rounds that are over."""

    def __init__(self, ledger: Ledger, registry: Registry, store: IndexStore) -> None:
        self._ledger, self._registry, self._store = ledger, registry, store
        self._marks: dict[str, Bookmark] = {}
        self._turn = threading.Lock()
        if not store.is_made_for(ledger.id):
            store.make(ledger.id)

    def rebuild(self) -> None:
        with self._turn:
            self._store.make(self._ledger.id)
            self._marks = {}

    def catch_up(self, tables: Iterable[str] | None = None) -> bool:
        """A batch of the rounds that are over at each table; whether there may be more."""
        names = tables_of(self._ledger) if tables is None else tables
        more = False
        for table in names:
            with self._turn:
                more |= self._follow(table)
        return more

    def find(self, query: RecordingQuery) -> list[Recording]:
        """The newest first."""
        with self._turn:
            sql, values = statement(self._store, query)
            rows = self._store.rows(sql, *values)
        return [
            Recording(*row[: len(FIELDS) - 2], *(_words(text) for text in row[len(FIELDS) - 2 :]))
            for row in rows
        ]

    def players(self) -> list[str]:
        """Everybody who had a box in a round that is over."""
        with self._turn:
            rows = self._store.rows("SELECT DISTINCT player FROM recordings ORDER BY player")
        return [player for (player,) in rows]

    def close(self) -> None:
        self._store.close()

    def _follow(self, table: str) -> bool:
        reached = self._store.rows("SELECT round, line FROM reached WHERE table_name = ?", table)
        number, line = reached[0] if reached else (0, 0)
        if self._ledger.head(f"{TABLE}{table}").version <= line:
            return False
        mark = self._marks.get(table) or self._mark_before(table, line)
        found: list[KeptRound] = []
        for kept in kept_rounds(self._ledger, table, self._registry, since=mark):
            self._marks[table] = kept.bookmark
            if kept.number > number:
                found.append(kept)
            if len(found) >= BATCH:
                break
        if found:
            self._put(table, found)
        return len(found) >= BATCH

    def _mark_before(self, table: str, line: int) -> Bookmark | None:
        """The last line, up to one that was read, that says how the table stood."""
        stream = f"{TABLE}{table}"
        kept = self._ledger.last_of(stream, tag_of(TableSnapshot), line) if line else None
        found = readable(kept) if kept is not None else None
        if found is None:
            return None
        installed = first_line(self._ledger, stream)
        terms = kept_terms(installed, self._registry)
        return Bookmark(installed, found[0], table_at(found[1], terms))

    def _put(self, table: str, rounds: Sequence[KeptRound]) -> None:
        """Rounds that are over, and disputes about them that were opened later, also in one that
        goes on."""
        over = [kept for kept in rounds if kept.is_over]
        rows = [row_of(each) for kept in over for each in recordings_of(kept)]
        later = [each for kept in rounds for each in later_disputes(kept)]
        if not (rows or later):
            return
        with self._store.writing():
            put(self._store, rows)
            for one in later:
                self._store.rows(DISPUTED, one.table_name, one.round, one.box)
            if over:
                last = over[-1].chapters[-1].lines[-1].version
                self._store.rows(REACHED, table, over[-1].number, last)


def row_of(each: Recording) -> tuple[object, ...]:
    told = list(msgspec.structs.astuple(each))
    told[-2:] = _text(each.wagers), _text(each.irregularities)
    return (*told, each.player.casefold())


def put(store: IndexStore, rows: Sequence[Sequence[object]]) -> None:
    """Rows of boxes, and the texts of their wagers."""
    store.many(INSERT, rows)
    place = FIELDS.index("wagers")
    store.many(INSERT_TEXT, [(text,) for text in sorted({str(row[place]) for row in rows})])


def statement(store: IndexStore, query: RecordingQuery) -> tuple[str, tuple[object, ...]]:
    """The query as SQL: each condition has an index that leads with it, or is held against the
    rows that another one finds, the newest first.

    A wager is looked for among the texts first. Where few boxes have one of these, they are read
    and the other conditions held against them; where many have, the newest boxes are read until
    enough of them fit, from the last one that has it.
    """
    if not query.wager:
        return _select(query)
    like = _like_wager(query.wager)
    known = store.rows("SELECT wagers FROM wager_texts WHERE wagers LIKE ?", like)
    texts = tuple(text for (text,) in known)
    if not texts:
        return _select(query, "(SELECT * FROM recordings LIMIT 0) AS boxes")
    boxes = f"recordings WHERE wagers IN ({', '.join('?' * len(texts))}) LIMIT"
    counted = f"SELECT count(*) FROM (SELECT 1 FROM {boxes} {RARE + 1}) AS boxes"
    if store.rows(counted, *texts)[0][0] <= RARE:
        return _select(query, f"(SELECT * FROM {boxes} {RARE}) AS boxes", texts)
    newest = store.rows(NEWEST, like)[0][0]
    until = min(query.until_us or newest, newest)
    return _select(msgspec.structs.replace(query, until_us=until))


def _select(
    query: RecordingQuery, among: str = "recordings", values: tuple[object, ...] = ()
) -> tuple[str, tuple[object, ...]]:
    said = [(sql, value) for sql, value in _conditions(query) if value]
    where = " AND ".join(sql for sql, _ in said) or "1 = 1"
    if query.irregularity:
        where = f"irregularities <> '' AND {where}"
    return (
        f"SELECT {', '.join(FIELDS)} FROM {among} WHERE {where} "
        "ORDER BY at_us DESC, table_name, round DESC, box LIMIT ?",
        (*values, *(value for _, value in said), max(1, min(query.most, MOST))),
    )


def open_index(ledger: Ledger, registry: Registry) -> RecordingIndex:
    """The index of a ledger, kept by the kind of database that keeps its lines."""
    if is_postgresql(ledger.address):
        from croupier.ledger.recordings.postgres_index import PostgresIndex

        return RecordingIndex(ledger, registry, PostgresIndex(ledger.conninfo))
    from croupier.ledger.recordings.sqlite_index import BESIDE, SqliteIndex

    return RecordingIndex(ledger, registry, SqliteIndex(Path(ledger.conninfo + BESIDE)))


def _conditions(query: RecordingQuery) -> Iterator[tuple[str, object]]:
    yield "player_key = ?", query.player.casefold()
    yield "table_name = ?", query.table
    yield "at_us >= ?", query.since_us
    yield "at_us <= ?", query.until_us
    yield "amount_cents >= ?", query.least_cents
    yield "amount_cents <= ?", query.most_cents
    yield "hand = ?", query.hand
    yield "outcome = ?", query.outcome
    yield "wagers LIKE ?", _like_wager(query.wager)
    yield "irregularities LIKE ?", f"%|{query.irregularity}|%" if query.irregularity else ""


def _like_wager(wager: str) -> str:
    """With its outcome to the end, or a wager whatever came of it."""
    return f"%|{wager}{'|' if ' ' in wager else ' '}%" if wager else ""


def _text(words: Sequence[str]) -> str:
    return "".join(f"|{word}|" for word in words)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split("|") if word)
