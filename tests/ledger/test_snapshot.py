"""A table and a link are read back from where they last told how they stand, and no earlier."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.proof import prove
from croupier.facts.cards import DECK
from croupier.ledger.events import CardsOpened, TableSnapshot, read_kept
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.link import Link
from croupier.ledger.replay import restored
from croupier.ledger.rounds import bookmark, kept_rounds
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.server.pit.pit import Pit
from croupier.submission.check import shipped_text
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.views import PUBLIC, SURVEILLANCE, Viewer, view
from tests.ledger.evenings import Evening
from tests.ledger.kept import Faulty, is_sound, lines_of, resumes_as
from tests.server.school import School, by_shoe

NAMES = frozenset(map(str, DECK))
EVERY = 60


class Counting(Faulty):
    """A ledger that counts the lines that are read from it."""

    lines = 0

    def read(self, stream: str, after: int = 0, most: int | None = None) -> Iterator[LedgerLine]:
        for line in super().read(stream, after, most):
            self.lines += 1
            yield line


@pytest.fixture
def ledger(address: str) -> Iterator[Ledger]:
    with closing(open_ledger(address, create=True)) as ledger:
        yield ledger


def played(ledger: Ledger, book: str = "UTH-S", rounds: int = 4) -> tuple[Evening, KeptTable]:
    evening = Evening(5, snapshot_every=EVERY)
    table = evening.install(ledger, book, name="one", link="pit" if book == "UTH-S" else "")
    evening.sit(table, 4)
    evening.play(table, rounds)
    return evening, table


@pytest.mark.parametrize("book", ["UTH-S", "FCP-14"])
def test_a_table_resumes_the_same_wherever_in_a_round_it_stopped(ledger: Ledger, book: str) -> None:
    evening, table = played(ledger, book, 2)
    for _ in range(2):
        evening.play(table, 1)
        resumes_as(table, evening)
        evening._wager(table)
        for _ in range(7):
            evening.step(table)
            resumes_as(table, evening)
    is_sound(ledger, evening)


def test_what_a_takeover_reads_does_not_grow_with_the_ledger(ledger: Ledger) -> None:
    evening, table = played(ledger)
    read = []
    for _ in range(3):
        counting = Counting(ledger)
        evening.resumed(counting, "one")
        read.append(counting.lines)
        evening.play(table, 3)
    assert table.version > 4 * max(read)
    round_long = 90
    assert max(read) < EVERY + 2 * round_long


def test_the_meters_of_a_link_are_read_from_where_they_stood(ledger: Ledger) -> None:
    evening, table = played(ledger, rounds=2)
    evening.snapshot_every = 4
    table = evening.resumed(ledger, "one")
    evening.play(table, 4)
    counting = Counting(ledger)
    link = Link(counting, "pit")
    assert table.link is not None
    assert (link.version, link.readings) == (table.link.version, table.link.readings)
    assert link.opened == Link(ledger, "pit").opened is not None
    assert counting.lines < link.version
    is_sound(ledger, evening)


def test_no_card_is_told_that_nobody_was_shown(ledger: Ledger) -> None:
    played(ledger, "FCP-14", 8)
    opened: set[str] = set()
    hidden = 0
    for line in lines_of(ledger, "one"):
        event = read_kept(line.body)
        if line.kind == "shoe-committed":
            opened = set()
        elif isinstance(event, CardsOpened):
            opened |= {each.card for each in event.openings}
        elif isinstance(event, TableSnapshot):
            assert _cards_in(event.table) <= opened
            hidden += "@" in line.body
    assert hidden


def _cards_in(told: Any) -> set[str]:
    match told:
        case dict():
            return set().union(*map(_cards_in, told.values()))
        case list():
            return set().union(*map(_cards_in, told))
        case str() if told in NAMES:
            return {told}
    return set()


def with_a_folded_hand(ledger: Ledger) -> tuple[Evening, KeptTable]:
    """A table that has just told how it stands, with cards that nobody was shown."""
    evening, table = played(ledger, "FCP-14", 1)
    for _ in range(20):
        if "@" in lines_of(ledger, "one")[-2].body:
            return evening, table
        evening.play(table, 1)
    raise AssertionError("nobody folded")


def test_everybody_still_sees_the_round_before(ledger: Ledger) -> None:
    """It is under seal, and whoever takes the table over opens it."""
    evening, table = with_a_folded_hand(ledger)
    again = evening.resumed(ledger, "one")
    viewers = [PUBLIC, SURVEILLANCE, Viewer(role="player", name=table.state.seats[1])]
    for viewer in viewers:
        assert view(again.state, viewer) == view(table.state, viewer)


def test_with_a_lost_key_the_round_before_stays_face_down(ledger: Ledger) -> None:
    evening, _ = with_a_folded_hand(ledger)
    again = evening.resumed(ledger, "one", new_ring())
    assert again.state.last is not None
    assert any(card.startswith("@") for card in again.state.last.out)
    evening.play(again, 2)
    assert prove(ledger, evening.registry).differences == []


def test_the_last_rounds_are_found_without_the_first(ledger: Ledger) -> None:
    evening, table = played(ledger, rounds=9)
    every = list(kept_rounds(ledger, "one", evening.registry))
    mark = bookmark(ledger, "one", evening.registry, 3)
    assert mark is not None
    assert mark.line > table.version // 2
    since = list(kept_rounds(ledger, "one", evening.registry, since=mark))
    assert [kept.number for kept in since] == [kept.number for kept in every][-len(since) :]
    assert len(since) >= 4
    assert since[-1].told == every[-1].told
    assert bookmark(ledger, "one", evening.registry, 50) is None


def test_a_table_without_a_standing_is_read_from_its_first_line(ledger: Ledger) -> None:
    evening = Evening(6)
    table = evening.install(ledger, name="one")
    evening.sit(table, 2)
    evening.play(table, 2)
    assert not [line for line in lines_of(ledger, "one") if line.kind == "table-stands"]
    resumes_as(table, evening)


class Reread(School):
    """After every command a second keeper reads the table back."""

    def give(self, command: do.Command) -> tuple[ev.Event, ...]:
        told = super().give(command)
        again = restored(self.ledger, self.table.kept.stream, self.registry, self.ring)
        assert (again.state, again.version) == (self.state, self.table.kept.version)
        return told


@pytest.mark.parametrize("submission", [shipped_text("FCP-14"), by_shoe("UTH-14")])
def test_a_training_table_resumes_the_same_with_its_decks_and_its_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, submission: str
) -> None:
    """Two decks that come and go, or one that is shuffled, cut and counted by hand."""
    monkeypatch.setattr(Pit, "snapshot_every", 1)
    with closing(Reread(tmp_path, submission)) as table:
        table.play(3)
        table.refuse_unsound()
        stood = lines_of(table.ledger, table.table.name)
        assert sum(line.kind == "table-stands" for line in stood) == 3
        assert table.state.decks
