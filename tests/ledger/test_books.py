"""The books of a ledger against an accountant who counts from receipts and never from entries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.facts.errors import Unreadable
from croupier.ledger.books import Accounts, Books, Interval, read_books
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.reports.single_pass import Reading, read_for_reports
from croupier.ledger.reports.tally import Sums
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger
from croupier.practice import regulars
from croupier.table import events as ev
from tests.ledger.accountant import (
    MICROS_A_CENT,
    Seen,
    Watched,
    eventful,
    felt_of,
    model_of,
)

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
LARGE_CENTS = 1_200_00
WHOLE = Interval()


@dataclass
class Night:
    """An eventful evening at one table, on a ledger that stays open."""

    evening: Watched
    ledger: Ledger
    table: KeptTable

    @property
    def seen(self) -> list[Seen]:
        return self.evening.seen

    def read(self, interval: Interval = WHOLE) -> Reading:
        return read_for_reports(
            self.ledger, self.evening.registry, interval, 0, large_cents=LARGE_CENTS
        )


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Night]:
    known: dict[str, Night] = {}

    def night(book: str) -> Night:
        if book not in known:
            folder = tmp_path_factory.mktemp(book)
            ledger = open_ledger(str(folder / "night.db"), create=True)
            evening = Watched(seed=5)
            known[book] = Night(evening, ledger, eventful(evening, ledger, book, "T-1"))
        return known[book]

    return night


@pytest.mark.parametrize("book", BOOKS)
def test_every_account_is_what_the_accountant_counts(
    book: str, nights: Callable[[str], Night]
) -> None:
    night = nights(book)
    model, accounts = model_of(night.seen), night.read().books.tables["T-1"].accounts
    assert accounts.of("drop").closing == sum(model.bought.values()) * MICROS_A_CENT
    assert accounts.of("tips").closing == sum(model.tipped.values()) * MICROS_A_CENT == 10_000_000
    cash = sum(model.cashed.values()) - sum(model.bought.values())
    assert accounts.of("cash").closing == cash * MICROS_A_CENT
    win = accounts.of("drop").closing + accounts.of("house").closing
    assert win == model.win_micros
    for box in (1, 2, 3):
        lines = model.by_box[box]
        has = model.bought[box] - model.cashed.get(box, 0) - model.tipped.get(box, 0)
        has += lines.paid + lines.jackpot + lines.returned - lines.wagered
        has -= model.outside.get(box, 0)
        kept = accounts.of(f"kept {regulars.name_of(box)}").closing  # of who left without it
        assert accounts.of(f"purse {box}").closing + kept == has * MICROS_A_CENT
        assert accounts.of(f"outside {box}").closing == model.outside.get(box, 0) * MICROS_A_CENT
        assert accounts.of(f"felt {box}").closing == 0


@pytest.mark.parametrize("book", BOOKS)
def test_the_evening_has_everything_that_moves_money(
    book: str, nights: Callable[[str], Night]
) -> None:
    kinds = {type(event).__name__ for each in nights(book).seen for event in each.events}
    assert kinds >= {
        "ProgressiveWon",
        "ProgressiveValidated",
        "RefusalProposed",
        "ProgressiveRefused",
        "LineReversed",
        "WagerReturned",
        "WagerForfeited",
        "RoundVoided",
        "MeterGrew",
        "MeterShrank",
        "AbsenceRuled",
        "TipGiven",
        "ChipsCashed",
    }
    happened = [event for each in nights(book).seen for event in each.events]
    settled = {event.wager for event in happened if isinstance(event, ev.WagerSettled)}
    assert settled > {"envy", "progressive", "ante"}
    undone = [event for event in happened if isinstance(event, ev.LineReversed)]
    assert any(event.outside for event in undone) is (book != "UTH-S")
    refusals = {e.reason for e in happened if isinstance(e, ev.ProgressiveRefused)}
    assert refusals == {"hand", "wager"}
    returned = [event for event in happened if isinstance(event, ev.WagerReturned)]
    assert {event.from_house for event in returned} == {True, False}


@pytest.mark.parametrize("book", BOOKS)
def test_the_books_at_any_moment_are_the_table_as_one_sees_it(
    book: str, nights: Callable[[str], Night]
) -> None:
    """After each command: chips and felt, box by box, and all meters."""
    night = nights(book)
    for each in night.seen[::7]:
        at_us = each.at_us + 1
        books = read_books(night.ledger, Interval(None, at_us))
        accounts, state = books.tables["T-1"].accounts, each.after
        felt = felt_of(state)
        for box in (1, 2, 3):
            assert accounts.of(f"felt {box}").closing == felt.get(box, 0) * MICROS_A_CENT
            chips = state.chips.get(box, 0)
            assert accounts.of(f"purse {box}").closing == chips * MICROS_A_CENT
        link = books.links["T-1"]
        for name, reading in link.readings.items():
            assert link.accounts.of(f"meter {name}").closing == reading
        assert _balances(accounts)
        assert _balances(link.accounts)


@settings(max_examples=30)
@given(data=st.data())
def test_the_parts_of_an_evening_add_up_to_it(
    data: st.DataObject, nights: Callable[[str], Night]
) -> None:
    """Cut anywhere, also in the middle of a round or between the lines of one moment's reports."""
    night = nights(data.draw(st.sampled_from(BOOKS)))
    first, last = night.seen[0].at_us, night.seen[-1].at_us
    cuts = sorted(data.draw(st.lists(st.integers(first - 10, last + 10), max_size=3)))
    edges = [None, *cuts, None]
    parts = [night.read(Interval(*edge)) for edge in pairwise(edges)]
    whole = night.read()
    _accounts_add_up([part.books for part in parts], whole.books)
    for name in ("T-1",):
        tallies = [part.tables[name].tally for part in parts]
        keys = {key for tally in tallies for key in tally.wagers}
        assert keys == set(whole.tables[name].tally.wagers)
        for key in keys:
            together = Sums()
            for tally in tallies:
                together.add(tally.wagers.get(key, Sums()))
            assert together == whole.tables[name].tally.wagers[key]
        assert sum(tally.rounds for tally in tallies) == whole.tables[name].tally.rounds
        wins = [win.cents for part in parts for win in part.tables[name].awards.wins]
        assert wins == [win.cents for win in whole.tables[name].awards.wins]
        found = [each for part in parts for each in part.tables[name].incidents.found]
        at = [(each.stream, each.version, each.what) for each in found]
        listed = whole.tables[name].incidents.found
        assert sorted(at) == sorted((each.stream, each.version, each.what) for each in listed)


def _accounts_add_up(parts: list[Books], whole: Books) -> None:
    tables = [books.tables["T-1"].accounts for books in (*parts, whole)]
    links = [books.links["T-1"].accounts for books in (*parts, whole)]
    for *accounts, together in (tables, links):
        for name, each in together.by_name.items():
            assert sum(part.of(name).into for part in accounts) == each.into
            assert sum(part.of(name).out_of for part in accounts) == each.out_of
            assert accounts[-1].of(name).closing == each.closing
            for before, after in pairwise(accounts):
                assert before.of(name).closing == after.of(name).opening
        assert all(map(_balances, accounts))


def _balances(accounts: Accounts) -> bool:
    moves = accounts.by_name.values()
    return all(
        sum(getattr(each, at) for each in moves) == 0 for at in ("opening", "closing", "net")
    )


def test_an_empty_interval_has_balances_and_no_movements(nights: Callable[[str], Night]) -> None:
    night = nights("UTH-S")
    last = night.seen[-1].at_us
    accounts = night.read(Interval(last + 1, None)).books.tables["T-1"].accounts
    assert not accounts.moved
    assert accounts.of("drop").opening == accounts.of("drop").closing > 0
    assert {each.net for each in accounts.by_name.values()} == {0}


def test_a_line_at_the_edge_belongs_to_the_interval_that_it_begins() -> None:
    interval = Interval(10, 20)
    assert [interval.holds(at) for at in (9, 10, 19, 20)] == [False, True, True, False]
    assert Interval().holds(0)


def test_tables_on_one_link_move_the_same_meters(tmp_path: Path) -> None:
    ledger = open_ledger(str(tmp_path / "pit.db"), create=True)
    evening = Watched(seed=9)
    one = eventful(evening, ledger, "UTH-S", "U-1", link="pit")
    two = eventful(evening, ledger, "UTH-S", "U-2", link="pit")
    alone = evening.install(ledger, "FCP-14", "F-1")
    evening.sit(alone, 1)
    books = read_books(ledger, WHOLE)
    link = books.links["pit"]
    assert [each.table for each in link.tables] == ["U-1", "U-2"]
    assert two.link is not None
    two.link.refresh()
    for meter, reading in two.link.readings.items():
        assert link.accounts.of(f"meter {meter}").closing == reading == link.readings[meter]
        shares = [books.tables[name].accounts.of(f"meter {meter}").net for name in ("U-1", "U-2")]
        funded = link.cause(meter, "start").net
        assert sum(shares) + funded == reading
    assert _balances(link.accounts)
    only = read_books(ledger, WHOLE, table="U-1")
    assert set(only.tables) == {"U-1", "U-2"}
    assert only.links["pit"].accounts == link.accounts
    assert set(read_books(ledger, WHOLE, table="F-1").tables) == {"F-1"}
    assert one.name == "U-1"


def test_a_table_that_is_not_there(nights: Callable[[str], Night]) -> None:
    with pytest.raises(Unreadable, match="no table"):
        read_books(nights("UTH-S").ledger, WHOLE, table="T-9")


def test_what_was_paid_is_never_changed_but_taken_back(nights: Callable[[str], Night]) -> None:
    """A reversed line moves the same accounts the other way; the first line stands as it was."""
    night = nights("UTH-S")
    lines = list(night.ledger.read("table/T-1"))
    kinds = [line.kind for line in lines]
    undone = [line for line in lines if line.kind == "line-reversed"]
    assert 0 < len(undone) < kinds.count("wager-settled")
    assert all(line.entries != "[]" for line in undone if '"cents":0' not in line.body)


def test_sums_add_and_take_away() -> None:
    some = Sums(wagers=2, wagered_cents=500, paid_cents=100, voids=1)
    sums = Sums()
    sums.add(some)
    sums.add(some)
    sums.add(some, -1)
    assert sums == some
    assert {each.name for each in fields(Sums)} >= {"wagers", "wagered_cents"}
