"""Logs audited: good ones are not accused, every corruption is found, bad lines are told."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from croupier.audit.log.finding import KINDS, Finding, totals
from croupier.audit.log.mutants import CORRUPTIONS, mutants
from croupier.audit.log.whole import LogAudit
from croupier.audit.records import shapes as rec
from croupier.audit.records.files import ledger_records
from croupier.audit.records.reading import write_record
from croupier.ledger.keyring import read_ring
from croupier.ledger.opening import open_ledger
from croupier.ledger.rounds import tables_of
from croupier.submission.check import shipped_submission
from tests.audit.logs import BOOKS, HOUSE, found_in, good_log, written
from tests.audit.nights import the_night

replace = msgspec.structs.replace
# A rulebook without a Blind, without "for" odds or without a periodic stub count has no such slip.
NEVER = {
    "UTH-S": set(),
    "UTH-14": {'"for" paid as "to"'},
    "FCP-14": {
        "Blind paid on a push",
        "wrong order against a meter",
        "stub count overdue",
        "stub counted wrong",
    },
}


def found(records: Sequence[rec.AnyRecord], book: str | None = None) -> list[Finding]:
    submissions = [shipped_submission(book)] if book is not None else []
    return list(LogAudit(HOUSE, submissions).records(records))


@pytest.mark.parametrize("book", BOOKS)
def test_a_good_log_is_not_accused(book: str) -> None:
    for seed in range(3):
        assert found(good_log(book, 60, seed), book) == []
    assert found(good_log(book)) == []


@pytest.mark.parametrize("with_keys", [False, True])
def test_a_night_of_mishaps_is_not_accused(with_keys: bool) -> None:
    """Void rounds, one void in part, a jackpot, players who leave, a round in progress."""
    night = the_night()
    ring = read_ring(night.keys) if with_keys else None
    with closing(open_ledger(str(night.file), read_only=True)) as ledger:
        records = list(ledger_records(ledger, tables_of(ledger), HOUSE, ring))
    audit = LogAudit(HOUSE)
    assert list(audit.records(records)) == []
    assert audit.audited.activity["UTH-S"].void == 1
    assert audit.audited.activity["UTH-S"].jackpots == 1


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("seed", range(2))
def test_every_mutant_is_found(book: str, seed: int) -> None:
    log = good_log(book, 60, seed)
    missing = set(CORRUPTIONS)
    for mutant in mutants(log, HOUSE, seed):
        missing.discard(mutant.name)
        differences = found(mutant.log, book)
        is_found = bool({difference.kind for difference in differences} & set(mutant.kinds))
        assert is_found, mutant.name
        first = differences[0]
        assert first.line >= mutant.at + 1
        assert first.clause or first.kind == "terms"
    assert missing <= NEVER[book] | {"wrong order against a meter"}


def test_a_mutant_is_the_same_for_the_same_seed() -> None:
    one, other = (list(mutants(good_log("UTH-S"), HOUSE, 9)) for _ in range(2))
    assert one == other
    assert one != list(mutants(good_log("UTH-S"), HOUSE, 10))


def test_totals_are_by_kind_and_by_money() -> None:
    findings = [
        Finding(1, "payout", "", paid_cents=500, due_cents=300),
        Finding(2, "payout", "", paid_cents=0, due_cents=100),
        Finding(3, "card-twice", ""),
    ]
    added = totals(findings)
    assert list(added) == ["payout", "card-twice"]
    payout = added["payout"]
    assert (payout.count, payout.over_cents, payout.under_cents) == (2, 200, 100)
    assert set(added) < set(KINDS)


# Rounds that are not played to their end


def night_record(table: str, round: int) -> list[rec.AnyRecord]:
    with closing(open_ledger(str(the_night().file), read_only=True)) as ledger:
        wanted = range(round, round + 1)
        return list(ledger_records(ledger, [table], HOUSE, None, wanted))


def test_a_void_round_that_keeps_a_wager_is_found() -> None:
    table, void = night_record("1", 4)
    assert isinstance(void, rec.RoundRecord)
    kept = replace(void, returns=void.returns[1:])
    back = void.returns[0]
    (missed,) = [difference for difference in found([table, kept]) if difference.kind == "void"]
    assert (missed.box, missed.wager) == (back.box, back.wager)
    assert (missed.paid_cents, missed.due_cents) == (0, back.cents)


def test_a_round_void_in_part_settles_what_it_may() -> None:
    table, salvaged = night_record("1", 6)
    assert isinstance(salvaged, rec.RoundRecord)
    assert salvaged.still_settles == ("trips",)
    (line, *_) = salvaged.lines
    wrong = replace(line, paid_cents=line.paid_cents + 100)
    kinds = {f.kind for f in found([table, replace(salvaged, lines=(wrong, *salvaged.lines[1:]))])}
    assert kinds == {"payout", "box-money"}


def test_an_abandoned_box_that_is_paid_is_found() -> None:
    table, left = night_record("1", 5)
    assert isinstance(left, rec.RoundRecord)
    boxes = tuple(replace(box, absent="abandoned") for box in left.boxes)
    assert "payout" in {f.kind for f in found([table, replace(left, boxes=boxes)])}


# Linked meters


def test_on_a_link_other_tables_move_the_meter_between_two_boxes() -> None:
    table, *rounds = good_log("UTH-S", 80)
    assert isinstance(table, rec.TableRecord)
    drawn = next(r for r in rounds if isinstance(r, rec.RoundRecord) and _drawn(r))
    line = _drawn(drawn)[0]
    by_cents = 250
    moved = replace(
        line,
        paid_cents=line.paid_cents + by_cents,
        meter_before_micros=line.meter_before_micros + by_cents * 10_000,
    )
    lines = tuple(moved if other is line else other for other in drawn.lines)
    boxes = tuple(
        replace(box, won_cents=box.won_cents + by_cents) if box.seat == line.box else box
        for box in drawn.boxes
    )
    record = replace(drawn, lines=lines, boxes=boxes)
    assert found([replace(table, link="pit 4"), record]) == []
    assert {f.kind for f in found([table, record])} >= {"payout"}


def _drawn(record: rec.RoundRecord) -> list[rec.Line]:
    return [line for line in record.lines if line.meter and line.reset_cents]


# Between rounds


def test_a_round_twice_and_a_round_missing() -> None:
    table, *rounds = good_log("FCP-14")
    assert [f.kind for f in found([table, *rounds, rounds[-1]], "FCP-14")] == ["sequence"]
    assert found([table, *rounds[:3], *rounds[7:]], "FCP-14") == []


def test_another_submission_than_the_one_filed() -> None:
    log = good_log("UTH-14", 12)
    other = {f.kind for f in found(log, "FCP-14")}
    assert other == {"terms"}
    assert len(found(log, "FCP-14")) == 1


# Bad lines


GOOD = b"".join(write_record(record) + b"\n" for record in good_log("FCP-14", 6))
LAST = GOOD.splitlines()[-1]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (LAST[:-30], "truncated"),
        (LAST.replace(b"croupier-record-1", b"croupier-record-7"), 'record of "croupier-record-7"'),
        (LAST.decode().encode("utf-16"), "this is UTF-16"),
        (LAST.replace(b"Player 1", b"Andr\xe9"), "not UTF-8: byte"),
        (b"[" * 200_000, "no round record"),
        (b"{" + b" " * 17_000_000 + b"}", "longer than any record"),
        (b"\x00" * 100, "this is UTF-16"),
    ],
)
@pytest.mark.parametrize("glance", [False, True])
def test_a_bad_line_is_named_and_the_rest_audited(
    line: bytes, sentence: str, glance: bool, tmp_path: Path
) -> None:
    lines = GOOD.splitlines()
    bad = lines[5].replace(b'"won_cents":', b'"won_cents":1', 1)
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"\n".join((*lines[:3], line, *lines[3:5], b"", bad, *lines[6:])))
    findings, audit = found_in(file, shipped_submission("FCP-14"), glance=glance)
    assert [f.kind for f in findings if f.line == 4] == ["unreadable"]
    assert sentence in findings[0].sentence
    assert {f.line for f in findings if f.kind == "box-money"} == {8}
    assert audit.audited.rounds == 6


def test_a_line_of_any_length_takes_no_room(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    with file.open("wb") as opened:
        opened.truncate(300_000_000)
        opened.seek(0, 2)
        opened.write(b"\n" + GOOD)
    tracemalloc.start()
    try:
        findings, audit = found_in(file, shipped_submission("FCP-14"))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [(f.line, f.kind) for f in findings] == [(1, "unreadable")]
    assert audit.audited.rounds == 6
    assert most < 80_000_000


def test_a_file_begins_with_a_mark_or_holds_nothing(tmp_path: Path) -> None:
    marked = tmp_path / "marked.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + GOOD)
    assert found_in(marked, shipped_submission("FCP-14"))[0] == []
    empty = written(tmp_path / "empty.jsonl", [])
    findings, audit = found_in(empty)
    assert (findings, audit.audited.rounds) == ([], 0)
