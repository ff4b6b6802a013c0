"""Records of Progressive wins that were validated or refused, judged by both auditors of logs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

import msgspec
import pytest

from croupier.audit.proof import prove
from croupier.audit.records import schema as rec
from croupier.audit.records.files import ledger_records
from croupier.audit.records.reader import round_of
from croupier.ledger.rounds import tables_of
from croupier.ledger.store.address import open_ledger
from croupier.table import commands as do
from croupier.table.settlement import settle
from tests.audit.log.logs import BOOKS, HOUSE, found_in, written
from tests.ledger.accountant import Watched, eventful

every_book = pytest.mark.parametrize("book", BOOKS)
replace = msgspec.structs.replace


@cache
def evening_of(book: str, folder: Path) -> tuple[rec.AnyRecord, ...]:
    """An evening with awards paid, refused for either reason and reversed, proved and exported."""
    evening = Watched(seed=5)
    with closing(open_ledger(str(folder / f"{book}.db"), create=True)) as ledger:
        eventful(evening, ledger, book, "T-1")
        assert prove(ledger, evening.registry, None).differences == []
        return tuple(ledger_records(ledger, list(tables_of(ledger)), HOUSE, evening.ring))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("refused")


def refused_round(records: tuple[rec.AnyRecord, ...]) -> rec.RoundRecord:
    """The round in which box 3 was refused for its hand and box 1 for its wager."""
    (found,) = [
        record
        for record in records
        if isinstance(record, rec.RoundRecord) and any(box.refused for box in record.boxes)
    ]
    return found


def told(path: Path, records: tuple[rec.AnyRecord, ...]) -> list[str]:
    """What is found, which is the same by the fast path and by the readable rules."""
    file = written(path / "log.jsonl", records)
    slow, _ = found_in(file)
    quick, _ = found_in(file, fast=True)
    assert slow == quick
    return [finding.sentence for finding in slow]


@every_book
def test_an_evening_of_refusals_is_sound_and_settles_again(
    book: str, folder: Path, tmp_path: Path
) -> None:
    records = evening_of(book, folder)
    record = refused_round(records)
    assert {box.seat: box.refused for box in record.boxes if box.refused} == {3: "hand", 1: "wager"}
    ends = {line.box: line for line in record.lines if line.validation == "refused"}
    assert (ends[3].outcome, ends[1].outcome) == ("lose", "returned")
    assert {(line.refusal_by, line.validated_by) for line in ends.values()} == {
        ("floor", "manager")
    }
    assert told(tmp_path, records) == []
    stands = [(x.box, x.wager, x.paid_cents) for x in record.lines if not x.reversed]
    again = settle(round_of(record, HOUSE)).lines
    assert [(x.box, x.wager, x.paid_cents) for x in again] == stands


def hidden(record: rec.RoundRecord) -> rec.RoundRecord:
    """Nothing is said of the refusal of box 3."""
    boxes = tuple(replace(b, refused="") if b.seat == 3 else b for b in record.boxes)
    return replace(record, boxes=boxes)


def alone(record: rec.RoundRecord) -> rec.RoundRecord:
    lines = tuple(
        replace(x, refusal_by="manager") if x.validation == "refused" else x for x in record.lines
    )
    return replace(record, lines=lines)


def of_another(record: rec.RoundRecord) -> rec.RoundRecord:
    """Box 2 is said to have been refused, which has won nothing."""
    boxes = tuple(replace(b, refused="hand") if b.seat == 2 else b for b in record.boxes)
    return replace(record, boxes=boxes)


def kept_back(record: rec.RoundRecord) -> rec.RoundRecord:
    """The chip that was not accepted is kept."""
    lines = tuple(
        replace(x, returned_cents=0, outcome="lose") if x.outcome == "returned" else x
        for x in record.lines
    )
    return replace(record, lines=lines)


@every_book
@pytest.mark.parametrize("forged", [hidden, alone, of_another, kept_back])
def test_a_refusal_that_was_not_so_is_found(
    book: str,
    forged: Callable[[rec.RoundRecord], rec.RoundRecord],
    folder: Path,
    tmp_path: Path,
) -> None:
    records = evening_of(book, folder)
    record = refused_round(records)
    spoilt = tuple(forged(each) if each is record else each for each in records)
    assert told(tmp_path, spoilt)


@every_book
def test_a_round_in_which_a_win_waits_is_in_order(book: str, folder: Path, tmp_path: Path) -> None:
    """In progress, the box that waits has all its lines but the Progressive and what follows."""
    records = evening_of(book, folder)
    record = refused_round(records)
    at = next(n for n, line in enumerate(record.lines) if line.validation == "refused")
    so_far = replace(
        record,
        status="in progress",
        ended_at_us=0,
        lines=record.lines[:at],
        boxes=tuple(replace(box, refused="", won_cents=0) for box in record.boxes),
        meters=tuple(
            replace(m, shrank_micros=0, after_micros=m.at_settlement_micros) for m in record.meters
        ),
        round=10**6,
    )
    table = records[0]
    assert told(tmp_path, (table, so_far)) == []


@every_book
@pytest.mark.parametrize("is_void", [False, True])
def test_an_acceptance_cancelled_beside_accepted_ones_accuses_nobody(
    book: str, is_void: bool, tmp_path: Path
) -> None:
    """The lock-out put its growth on the meter and the floorperson took it out again, before the
    deal: the sums of the round hold with it, and not without (ruling 25)."""
    evening = Watched(seed=7)
    with closing(open_ledger(str(tmp_path / "pit.db"), create=True)) as ledger:
        table = evening.install(ledger, book, "T-1")
        evening.sit(table, 3)
        evening.play(table, 1)
        base = {"ante": 10_00} | ({"blind": 10_00} if book != "FCP-14" else {})
        wagers = do.PlaceWagers(by=table.state.seats[2], role="player", box=2, stakes=base)
        evening.give(table, wagers)
        evening.give(table, do.AcceptProgressive(by="acceptor", role="device", box=2))
        evening.give(table, evening.until(table, do.CancelAcceptance))
        if is_void:
            evening.until(table, do.SettleBox)
            evening.void(table, "the lights went out")
        evening.finish(table)
        assert prove(ledger, evening.registry, None).differences == []
        records = tuple(ledger_records(ledger, list(tables_of(ledger)), HOUSE, evening.ring))
    (record,) = [r for r in records if isinstance(r, rec.RoundRecord) and r.round == 2]
    assert [box.cancelled for box in record.boxes] == [False, True, False]
    assert len({tuple(box.contributed_micros.items()) for box in record.boxes}) == 1
    assert told(tmp_path, records) == []
    untold = replace(record, boxes=tuple(replace(box, cancelled=False) for box in record.boxes))
    found = told(tmp_path, tuple(untold if each is record else each for each in records))
    assert any("its Progressive wager puts" in sentence for sentence in found)
