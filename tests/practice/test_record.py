"""The player's record: read from the ledger, counted once, and there again after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from croupier.games.registry import the_registry
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.port import Ledger
from croupier.practice import coach
from croupier.practice.played_round import PlayedRound
from croupier.practice.profile import BESIDE, profile_beside
from croupier.practice.record import PAUSE_US, PlayerRecord, sessions_of, thinned, uncounted
from croupier.practice.table import practice_ledger, table_for
from croupier.submission.check import shipped_submission
from tests.practice.evenings import play_rounds


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[Ledger, KeyRing, Path]]:
    """A ledger where You raised once, and then checked and folded."""
    file = tmp_path / "practice.db"
    with practice_ledger(file, 3) as (ledger, ring, bits):
        submission = shipped_submission("UTH-S")
        table = table_for(ledger, submission, the_registry(), ring, bits)
        play_rounds(table, ["4x", "fold"])
        yield ledger, ring, file


def record_of(kept: tuple[Ledger, KeyRing, Path]) -> PlayerRecord:
    ledger, ring, file = kept
    return PlayerRecord(ledger, the_registry(), ring, profile_beside(file, ledger.id))


def test_rounds_are_read_back_with_every_decision(kept: tuple[Ledger, KeyRing, Path]) -> None:
    raised, folded = record_of(kept).rounds()
    assert [each.chosen for each in raised.decisions] == ["4x"]
    assert raised.decisions[0].offered == ("4x", "3x", "check")
    assert [each.chosen for each in folded.decisions] == ["check", "check", "fold"]
    # A hand that was folded is never turned: the key of this ledger tells it.
    assert folded.decisions[2].seen.own == folded.cards
    assert folded.decisions[2].seen.board == folded.board
    assert [len(each.seen.board) for each in folded.decisions] == [0, 3, 5]
    assert raised.net_cents == sum(
        line.paid_cents + line.returned_cents - line.stake_cents for line in raised.lines
    )


def test_decisions_are_counted_once_and_kept(kept: tuple[Ledger, KeyRing, Path]) -> None:
    record = record_of(kept)
    asked = list(uncounted(record.rounds()))
    assert len(asked) == 4
    for played, place in asked:
        worths = coach.worths(record.submission(played.table), played.decisions[place].seen)
        record.counted(played.table, played.round, place, worths)
    again = record_of(kept)
    summary = again.summary()
    assert (summary.rounds, summary.uncounted, summary.tally.decisions) == (2, 0, 4)
    assert [street.street for street in summary.streets] == ["before the flop", "flop", "river"]
    cost = sum(each.cost_cents for each in again.rounds())
    assert summary.tally.cost_cents == pytest.approx(cost)
    assert sum(mistake.cost_cents for mistake in summary.mistakes) == pytest.approx(cost)
    assert len(summary.mistakes) == summary.tally.decisions - summary.tally.right
    assert summary.bankroll[-1] == summary.net_cents


def test_a_profile_of_another_ledger_is_read_again(kept: tuple[Ledger, KeyRing, Path]) -> None:
    ledger, _, file = kept
    rounds = record_of(kept).rounds()
    strange = profile_beside(file, "another ledger")
    strange.keep_note("pace", "brisk")
    assert strange.rounds() == []
    strange.close()
    assert record_of(kept).rounds() == rounds
    assert profile_beside(file, ledger.id).note("pace", str) == "brisk"
    assert file.with_name(file.name + BESIDE).stat().st_mode & 0o077 == 0


def test_sessions_are_parted_by_a_pause(kept: tuple[Ledger, KeyRing, Path]) -> None:
    first, second = record_of(kept).rounds()
    assert sessions_of([first, second]) == [[first, second]]
    late: PlayedRound = msgspec.structs.replace(second, at_us=first.at_us + PAUSE_US + 1)
    assert sessions_of([first, late]) == [[first], [late]]


def test_a_long_record_is_told_whole_to_who_asks(kept: tuple[Ledger, KeyRing, Path]) -> None:
    """No session, no mistake and no round is beyond reach, however many there are."""
    record, (ledger, _, file) = record_of(kept), kept
    folded = record.rounds()[1]
    asked = folded.decisions[2]
    worths = tuple(coach.Worth(name, antes, "") for name, antes in (("1x", 1.0), ("fold", -2.0)))
    wrong = msgspec.structs.replace(asked, offered=("1x", "fold"), chosen="fold", worths=worths)
    many: list[PlayedRound] = [
        msgspec.structs.replace(
            folded, round=n, at_us=folded.at_us + n * (PAUSE_US + 1), decisions=(wrong,)
        )
        for n in range(3, 63)
    ]
    profile = profile_beside(file, ledger.id)
    profile.keep_rounds(many)
    first, whole = record.summary(), record.summary(whole=True)
    assert (len(first.mistakes), len(first.latest), len(first.sessions)) == (50, 50, 12)
    assert (len(whole.mistakes), len(whole.latest), len(whole.sessions)) == (60, 62, 61)
    assert first.sessions_before == 61 - 12
    assert whole.sessions_before == 0
    assert first.tally == whole.tally
    assert whole.tally.decisions - whole.tally.right == 60


def test_a_long_curve_keeps_its_ends_and_its_extremes() -> None:
    sums = [(n * 37) % 1000 - 500 for n in range(5_000)]
    sums[1234], sums[4321] = 10_000, -10_000
    points = list(thinned(sums, 100))
    assert len(points) <= 101
    assert (max(points), min(points), points[-1]) == (10_000, -10_000, sums[-1])
    assert list(thinned(sums[:50], 100)) == sums[:50]
