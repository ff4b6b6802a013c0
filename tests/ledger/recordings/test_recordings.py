"""The index over recordings: whatever somebody remembers finds the round, on both stores, and the
index is made again from the lines."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.facts.errors import Unavailable, Unreadable
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.recordings.index import RecordingIndex, RecordingQuery, open_index
from croupier.ledger.recordings.query import moment_of, query_of
from croupier.ledger.recordings.recording import Recording
from croupier.ledger.rounds import kept_rounds
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger
from croupier.table import commands as do
from croupier.table import events as ev
from tests.ledger.evenings import Evening

ROUNDS = 6


@pytest.fixture
def ledger(address: str) -> Iterator[Ledger]:
    with closing(open_ledger(address, create=True)) as ledger:
        yield ledger


@pytest.fixture
def index(ledger: Ledger, evening: Evening) -> Iterator[RecordingIndex]:
    with closing(open_index(ledger, evening.registry)) as index:
        yield index


@pytest.fixture
def evening() -> Evening:
    return Evening(seed=3, snapshot_every=60)


@pytest.fixture
def table(ledger: Ledger, evening: Evening) -> KeptTable:
    table = evening.install(ledger)
    evening.sit(table, 2)
    evening.play(table, ROUNDS)
    return table


def up_to_date(index: RecordingIndex) -> None:
    while index.catch_up():
        pass


def test_every_box_of_every_round_is_found(
    ledger: Ledger, evening: Evening, table: KeptTable, index: RecordingIndex
) -> None:
    up_to_date(index)
    found = index.find(RecordingQuery())
    assert [(one.round, one.box) for one in found] == [
        (number, box) for number in range(ROUNDS, 0, -1) for box in (1, 2)
    ]
    for kept in kept_rounds(ledger, table.name, evening.registry):
        events = [each.event for each in kept.told]
        told = " ".join(each.hand for each in events if isinstance(each, ev.BoxTurned))
        for one in (each for each in found if each.round == kept.number):
            assert one.hand in told or one.hand == "high card"
            assert one.amount_cents == max(one.staked_cents, abs(one.net_cents))
    evening.play(table, 2)
    dispute(evening, table)
    evening.play(table, 1)
    up_to_date(index)
    assert index.find(RecordingQuery())[0].round == ROUNDS + 3
    disputed = index.find(RecordingQuery(irregularity="dispute"))
    assert [(one.round, one.box) for one in disputed] == [(ROUNDS + 2, 1)]
    same_from_the_lines(ledger, evening, index)


def dispute(evening: Evening, table: KeptTable) -> None:
    """About a round that is over: it is found by it all the same."""
    evening.give(table, do.OpenDispute(by="dealer", role="dealer", box=1, reason="paid twice"))
    ended = do.EndDispute(by="Flo", role="floorperson", number=1, outcome="stands", note="once")
    evening.give(table, ended)


def same_from_the_lines(ledger: Ledger, evening: Evening, index: RecordingIndex) -> None:
    before = index.find(RecordingQuery())
    index.rebuild()
    assert index.find(RecordingQuery()) == []
    up_to_date(index)
    assert index.find(RecordingQuery()) == before
    with closing(open_index(ledger, evening.registry)) as again:
        assert again.find(RecordingQuery()) == before


def test_each_condition_is_what_it_says(
    table: KeptTable, index: RecordingIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    up_to_date(index)
    every = index.find(RecordingQuery())
    one = next(each for each in every if each.hand)
    wager = one.wagers[0]

    def found(query: RecordingQuery) -> list[Recording]:
        return index.find(query)

    assert found(RecordingQuery(player=one.player.upper())) == [
        each for each in every if each.player == one.player
    ]
    assert found(RecordingQuery(hand=one.hand)) == [e for e in every if e.hand == one.hand]
    assert found(RecordingQuery(outcome="won")) == [e for e in every if e.net_cents > 0]
    assert found(RecordingQuery(wager=wager)) == [e for e in every if wager in e.wagers]
    assert found(RecordingQuery(wager=wager.split()[0])) == every
    assert found(RecordingQuery(wager="envy win")) == found(RecordingQuery(wager="envy")) == []
    for rare in (0, len(every)):  # both ways of looking for a wager find the same
        monkeypatch.setattr("croupier.ledger.recordings.index.RARE", rare)
        assert found(RecordingQuery(wager=wager, player=one.player)) == [
            each for each in every if wager in each.wagers and each.player == one.player
        ]
    assert found(RecordingQuery(least_cents=one.amount_cents, most_cents=one.amount_cents)) == [
        each for each in every if each.amount_cents == one.amount_cents
    ]
    assert found(RecordingQuery(since_us=one.at_us, until_us=one.at_us)) == [
        each for each in every if each.at_us == one.at_us
    ]
    assert found(RecordingQuery(table="another")) == []
    assert len(found(RecordingQuery(most=3))) == 3


def test_what_cannot_be_looked_for_is_said(evening: Evening) -> None:
    registry = evening.registry
    said = {"hand": "full house", "wager": "trips", "outcome": "win", "since": "2027-01-15"}
    query = query_of(said, registry, ["A"], 10)
    assert (query.wager, query.outcome, query.hand) == ("trips win", "", "full house")
    assert query.since_us == moment_of("2027-01-15T01:00+01:00")
    assert moment_of("2027-01-15", ends=True) + 1 == moment_of("2027-01-16")
    for wrong in ({"hand": "fullhouse"}, {"table": "B"}, {"outcome": "win"}, {"since": "noon"}):
        with pytest.raises(Unreadable):
            query_of(wrong, registry, ["A"], 10)


def test_where_no_file_can_be_written_it_is_made_in_memory(tmp_path: Path) -> None:
    """Whoever reads a ledger of somebody else leaves its folder as it is."""
    evening = Evening(seed=5)
    with closing(open_ledger(str(tmp_path / "l.db"), create=True)) as ledger:
        table = evening.install(ledger)
        evening.sit(table, 1)
        evening.play(table, 1)
        (tmp_path / "l.db.index").mkdir()
        with closing(open_index(ledger, evening.registry)) as index:
            up_to_date(index)
            assert len(index.find(RecordingQuery())) == 1


def test_a_closed_index_opens_no_line_to_the_database_again(
    table: KeptTable, ledger: Ledger, evening: Evening
) -> None:
    """A thread may still be at work on it when a pit closes."""
    index = open_index(ledger, evening.registry)
    up_to_date(index)
    index.close()
    with pytest.raises((Unavailable, sqlite3.ProgrammingError)):
        index.find(RecordingQuery())
