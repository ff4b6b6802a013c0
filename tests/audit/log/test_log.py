"""Logs audited: good ones are not accused, every corruption is found, bad lines are told."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from contextlib import closing
from itertools import takewhile
from pathlib import Path

import msgspec
import pytest

from croupier.audit.log.finding import KINDS, LogFinding, totals
from croupier.audit.log.log_audit import LogAudit
from croupier.audit.log.log_corruption import CORRUPTIONS, mutants
from croupier.audit.records import schema as rec
from croupier.audit.records.blocks import LONGEST_LINE, blocks
from croupier.audit.records.files import ledger_records
from croupier.audit.records.reader import write_record
from croupier.audit.records.writer import round_record
from croupier.ledger.events import TABLE
from croupier.ledger.rounds import kept_rounds, tables_of
from croupier.ledger.shoe.key_ring import read_ring
from croupier.ledger.store.address import open_ledger
from croupier.submission.check import shipped_submission
from tests.audit.log.logs import BOOKS, HOUSE, found_in, good_log, written
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


def found(records: Sequence[rec.AnyRecord], book: str | None = None) -> list[LogFinding]:
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


@pytest.mark.parametrize(
    "book", [pytest.param(b, marks=[pytest.mark.prove] * (b == "UTH-14")) for b in BOOKS]
)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.prove)])
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
        LogFinding(1, "payout", "", paid_cents=500, due_cents=300),
        LogFinding(2, "payout", "", paid_cents=0, due_cents=100),
        LogFinding(3, "card-twice", ""),
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


def _drawn(record: rec.RoundRecord) -> list[rec.LineRecord]:
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


def test_missing_rounds_are_counted_and_nobody_is_accused() -> None:
    table, *rounds = good_log("FCP-14")
    audit = LogAudit(HOUSE)
    assert list(audit.records([table, *rounds[:3], *rounds[7:9], *rounds[10:]])) == []
    assert audit.watch.missing == 5
    assert [(gap.table, gap.numbers) for gap in audit.watch.gaps] == [
        ("FCP-1", "4 to 7"),
        ("FCP-1", "10"),
    ]


def test_a_stub_is_counted_to_the_whole_deck_whether_or_not_the_deck_is_told() -> None:
    table, *rounds = good_log("UTH-S")
    counted = next(r for r in rounds if isinstance(r, rec.RoundRecord) and r.stub_count)
    stub = counted.stub_count
    assert stub is not None
    bare = replace(counted, deck=None)
    assert found([table, bare]) == []
    wrong = replace(bare, stub_count=replace(stub, stub=stub.stub - 1))
    assert [f.kind for f in found([table, wrong])] == ["stub-count"]


# What a status hides


def settled(at: int, **changes: object) -> rec.RoundRecord:
    record = good_log("FCP-14")[at]
    assert isinstance(record, rec.RoundRecord)
    return replace(record, **changes)


def robbed(record: rec.RoundRecord) -> rec.RoundRecord:
    """The first line that wins pays nothing."""
    lines = list(record.lines)
    at = next(n for n, line in enumerate(lines) if line.paid_cents)
    lines[at] = replace(lines[at], paid_cents=0)
    return replace(record, lines=tuple(lines))


def kinds(records: Sequence[rec.AnyRecord]) -> set[str]:
    return {difference.kind for difference in found(records)}


def test_a_round_in_progress_is_the_last_of_its_table() -> None:
    table, *rounds = good_log("FCP-14")
    open_yet = settled(3, status="in progress", ended_at_us=0)
    assert found([table, *rounds[:2], open_yet]) == []
    followed = found([table, *rounds[:2], open_yet, *rounds[3:6]])
    assert [(f.kind, f.line, f.round) for f in followed] == [("status", 4, 3)]
    unnumbered = [replace(record, round=0) for record in (open_yet, settled(4))]
    assert kinds([table, *unnumbered]) == {"status"}
    again = [open_yet, settled(3)]
    assert found([table, *rounds[:2], *again, *rounds[3:6]]) == []


def test_what_was_done_in_a_round_that_hides_is_told_when_it_is_found() -> None:
    table, *rounds = good_log("FCP-14")
    open_yet = settled(3, status="in progress", ended_at_us=0, lines=())
    assert found([table, *rounds[:2], open_yet]) == []
    unpaid = replace(open_yet, boxes=tuple(replace(b, won_cents=1) for b in open_yet.boxes))
    assert kinds([table, *rounds[:2], unpaid, *rounds[3:6]]) == {"status", "payout"}


def test_a_round_that_ended_is_not_in_progress_whatever_it_says() -> None:
    table, *_ = good_log("FCP-14")
    assert kinds([table, settled(3, status="in progress")]) == {"status"}
    wrong = robbed(settled(3, status="in progress"))
    assert kinds([table, wrong]) == {"status", "payout", "box-money"}
    void = rec.VoidRecord(name="power-lost", reason="power")
    for status in ("in progress", "complete"):
        assert kinds([table, settled(3, status=status, void=void)]) == {"status", "void"}


def test_what_a_round_in_progress_has_paid_is_judged() -> None:
    table, *_ = good_log("FCP-14")
    record = settled(3, status="in progress", ended_at_us=0)
    box = record.lines[0].box
    part = replace(record, lines=tuple(takewhile(lambda line: line.box == box, record.lines)))
    assert found([table, part]) == []
    assert "payout" in kinds([table, robbed(record)])


def test_nobody_is_accused_at_any_moment_of_a_night() -> None:
    """Every other command of a night that ends there: what is exported then is in order."""
    with closing(open_ledger(str(the_night().file), read_only=True)) as ledger:
        for table in tables_of(ledger):
            lines = list(ledger.read(f"{TABLE}{table}"))
            (first, *_) = ledger_records(ledger, [table], HOUSE)
            ends = [n for n, line in enumerate(lines) if n > 1 and line.command]
            for end in ends[::8]:
                kept = kept_rounds(ledger, table, HOUSE, None, lines[:end])
                last = [round_record(ledger.id, k) for k in kept if k.has_begun][-1:]
                assert found([first, *last]) == []


# Times


def decided(record: rec.RoundRecord, seat: int, at_us: int) -> rec.RoundRecord:
    boxes = tuple(
        replace(box, decisions=tuple(replace(d, at_us=at_us) for d in box.decisions))
        if box.seat == seat
        else box
        for box in record.boxes
    )
    return replace(record, boxes=boxes)


def test_a_decision_after_the_card_it_waits_for_and_one_out_of_turn() -> None:
    table, *_ = good_log("FCP-14")
    record = settled(5)
    shown_us = max(card.turned_at_us for card in record.cards)
    asked = [box for box in record.boxes if box.decisions]
    assert len(asked) > 1
    first, last = asked[0], asked[-1]
    assert kinds([table, decided(record, last.seat, shown_us)]) == set()
    assert kinds([table, decided(record, last.seat, shown_us + 1)]) == {"late-decision"}
    assert kinds([table, decided(record, first.seat, shown_us)]) == {"decision"}
    assert kinds([table, decided(record, last.seat, first.decisions[0].at_us - 1)]) == {"decision"}
    for box in asked:
        record = decided(record, box.seat, 0)
    assert kinds([table, record]) == set()


def test_a_street_is_decided_between_the_cards_before_and_after_it() -> None:
    table, *rounds = good_log("UTH-S")
    checked = next(
        (record, box)
        for record in rounds
        if isinstance(record, rec.RoundRecord)
        for box in record.boxes
        if len(box.decisions) > 1
    )
    record, box = checked
    early, after = box.decisions[0], box.decisions[1]
    for decision, at_us, kind in (
        (early, after.at_us, "late-decision"),
        (after, early.at_us, "decision"),
    ):
        wrong = tuple(replace(d, at_us=at_us) if d is decision else d for d in box.decisions)
        boxes = tuple(replace(b, decisions=wrong) if b is box else b for b in record.boxes)
        assert kind in kinds([table, replace(record, boxes=boxes)])


def test_without_no_more_bets_the_first_card_closes_the_betting() -> None:
    table, *_ = good_log("FCP-14")
    record = settled(5, closed_at_us=0)
    assert kinds([table, record]) == set()
    dealt_us = min(card.at_us for card in record.cards)
    (box, *others) = record.boxes
    wagers = (replace(box.wagers[0], at_us=dealt_us + 1), *box.wagers[1:])
    late = replace(record, boxes=(replace(box, wagers=wagers), *others))
    (difference,) = found([table, late])
    assert (difference.kind, difference.box) == ("late-wager", box.seat)
    assert "after the first card" in difference.sentence


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
@pytest.mark.parametrize("fast", [False, True])
def test_a_bad_line_is_named_and_the_rest_audited(
    line: bytes, sentence: str, fast: bool, tmp_path: Path
) -> None:
    lines = GOOD.splitlines()
    bad = lines[5].replace(b'"won_cents":', b'"won_cents":1', 1)
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"\n".join((*lines[:3], line, *lines[3:5], b"", bad, *lines[6:])))
    findings, audit = found_in(file, shipped_submission("FCP-14"), fast=fast)
    assert [f.kind for f in findings if f.line == 4] == ["unreadable"]
    assert sentence in findings[0].sentence
    assert {f.line for f in findings if f.kind == "box-money"} == {8}
    assert audit.audited.rounds == 6


@pytest.mark.parametrize("size", [16_000_000, 16_000_001, 16_500_000, 18_000_000])
@pytest.mark.parametrize("before", [b"", GOOD])
@pytest.mark.parametrize("after", [b"", b"\n", b"\n" + GOOD[:-1]])
def test_lines_are_numbered_whatever_is_passed_over(
    size: int, before: bytes, after: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(before + b"x" * size + after)
    count, seen = 0, 0
    for block in blocks(file, lambda read: None):
        assert block.first == count + 1
        count += 1 if block.too_long else block.content.count(b"\n")
        seen += block.too_long
        assert len(block.content) < 17_000_100
    assert count == len((before + b"x" + after).splitlines())
    assert seen == (size > LONGEST_LINE)


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
