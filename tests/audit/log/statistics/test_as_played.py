"""Edge as played: every decision valued, added up by who made it and where, with its error."""

from __future__ import annotations

import csv
import io
import math
from fractions import Fraction

import msgspec
import numpy as np
import pytest

from croupier.audit.log.case import RoundCase
from croupier.audit.log.log_audit import LogAudit
from croupier.audit.log.statistics import as_played
from croupier.audit.log.statistics.as_played import (
    AsPlayed,
    GroupSums,
    PlayedDecisions,
    standard_error,
)
from croupier.audit.log.statistics.counts import cards_lying, valued_box
from croupier.audit.log.statistics.skill import lost
from croupier.audit.records import schema as rec
from croupier.documents.as_played import CSV_COLUMNS, as_played_csv
from croupier.exact.solution_cache import solved
from croupier.submission.check import shipped_submission
from tests.audit.log.log_generator import LogMaker
from tests.audit.log.logs import HOUSE


def made(book: str, rounds: int, table: str = "") -> list[rec.RoundRecord]:
    maker = LogMaker(shipped_submission(book), HOUSE, seed=4, stacked=False)
    records = list(maker.rounds(rounds))
    return [msgspec.structs.replace(record, table=table or record.table) for record in records]


def found_in(records: list[rec.RoundRecord]) -> AsPlayed:
    played = PlayedDecisions()
    assert not list(LogAudit(HOUSE, witness=played).records(records))
    (found,) = played.found()
    return found


def one_by_one(records: list[rec.RoundRecord]) -> list[tuple[rec.RoundRecord, str, int, Fraction]]:
    """By box: its round, its player, its Ante, and what it gave away, by plain advice."""
    rules = shipped_submission(records[0].rulebook).rules(HOUSE)
    given = []
    for number, record in enumerate(records, 1):
        case = RoundCase(number, record, rules)
        for box in record.boxes:
            choice = valued_box(case, box, cards_lying(record), by_chips=False)
            if box.decisions and choice is not None:
                cost = lost(rules, solved(rules), choice)
                given.append((record, box.player, choice.ante_cents, cost))
    return given


@pytest.mark.parametrize(
    ("book", "rounds"),
    [
        pytest.param("UTH-S", 6, marks=pytest.mark.prove),
        pytest.param("THB-1", 6, marks=pytest.mark.prove),
        ("FCP-14", 8),
        ("TCP-1", 6),
        ("CH-1", 6),
    ],
)
def test_sums_are_those_of_plain_advice(
    book: str, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By player, table and all together, over several batches; the error by rounds, by hand."""
    monkeypatch.setattr(as_played, "BATCH", 5)
    records = made(book, rounds)
    records = [*records[: rounds // 2], *(_moved(record) for record in records[rounds // 2 :])]
    found, slow = found_in(records), one_by_one(records)
    assert found.whole.boxes == len(slow) > 12
    assert found.whole.given_away_cents == pytest.approx(float(sum(a * c for _, _, a, c in slow)))
    assert found.whole.ante_cents == sum(ante for _, _, ante, _ in slow)
    edge = -float(solved(shipped_submission(book).rules(HOUSE)).base.ev)
    assert found.whole.optimal_cents == pytest.approx(edge * found.whole.ante_cents)
    assert len(found.tables) == 2
    for group in found.tables:
        due = sum(ante * cost for record, _, ante, cost in slow if record.table == group.of)
        assert group.given_away_cents == pytest.approx(float(due))
    for group in found.players:
        due = sum(ante * cost for _, player, ante, cost in slow if player == group.of)
        assert group.given_away_cents == pytest.approx(float(due))
        assert sum(group.street_cents.values()) == pytest.approx(group.given_away_cents)
    assert sum(one.given_away_cents for one in found.streets) == pytest.approx(
        found.whole.given_away_cents
    )
    assert sum(one.times for one in found.mistakes) == found.whole.mistakes
    assert found.whole.error_cents == pytest.approx(_error_by_rounds(records, slow))


def _moved(record: rec.RoundRecord) -> rec.RoundRecord:
    return msgspec.structs.replace(record, table="elsewhere")


def _error_by_rounds(
    records: list[rec.RoundRecord], slow: list[tuple[rec.RoundRecord, str, int, Fraction]]
) -> float:
    """What is left of each round's sum when the mean share of its Antes is taken off."""
    sums = [
        (sum(a for one, _, a, _ in slow if one is record),
         sum(float(a * c) for one, _, a, c in slow if one is record))
        for record in records
    ]  # fmt: skip
    antes, given = np.array([each for each in sums if each[0]]).T
    left = given - antes * given.sum() / antes.sum()
    return math.sqrt((left**2).sum() * len(left) / (len(left) - 1))


def test_the_error_is_that_of_many_logs() -> None:
    """Boxes of a round give away alike and stakes differ: logs differ as much as each one says."""
    chance = np.random.default_rng(7)
    shares, told = [], []
    for _ in range(400):
        rounds = np.repeat(np.arange(120), 3)
        ante = chance.choice([500, 1_000, 10_000], len(rounds))
        given = ante * (chance.random(120) < 0.1)[rounds] * chance.random(len(rounds))
        sums = GroupSums()
        of = np.full(len(rounds), sums.number("all"))
        sums.add(of, rounds, {"ante": ante, "given": given})
        found = sums.of("all")
        shares.append(found["given"] / found["ante"])
        told.append((standard_error(found) or 0.0) / found["ante"])
    assert np.std(shares) == pytest.approx(np.mean(told), rel=0.15)


def test_unnamed_cards_are_told_and_csv_has_every_group() -> None:
    records = made("FCP-14", 6)
    shown = tuple(card for card in records[0].cards if card.place != "box")
    hidden = tuple(rec.HiddenRecord(place="box", count=5, box=box.seat) for box in records[0].boxes)
    records[0] = msgspec.structs.replace(records[0], cards=shown, hidden=hidden)
    played = PlayedDecisions()
    list(LogAudit(HOUSE, witness=played).records(records))
    (found,) = played.found()
    assert found.unseen == sum(bool(box.decisions) for box in records[0].boxes) > 0
    rows = list(csv.DictReader(io.StringIO(as_played_csv([found]))))
    assert tuple(rows[0]) == CSV_COLUMNS
    assert [row["kind"] for row in rows].count("player") == len(found.players)
    whole = rows[0]
    assert float(whole["theoretical_win_as_played"]) == pytest.approx(
        found.whole.as_played_cents / 100, abs=1e-3
    )
