"""The fast way and the readable way: the same findings, whatever is done to a log."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.audit.log.log_corruption import mutants
from croupier.audit.records import schema as rec
from croupier.audit.records.files import ledger_records
from croupier.audit.records.reader import write_record
from croupier.ledger.rounds import tables_of
from croupier.ledger.store.address import open_ledger
from croupier.submission.check import shipped_submission
from tests.audit.log.log_generator import LogMaker
from tests.audit.log.logs import BOOKS, HOUSE, found_in, good_log, with_letters, written
from tests.audit.nights import the_night

LETTERS = [
    ("UTH-S", {}),
    ("UTH-S", {"blind": "B", "trips": "D", "ultimate_pairs": "B", "bad_beat": "C"}),
    ("UTH-S", {"six_card_bonus": "B", "ultimate_pairs": "E", "play_the_board": "C"}),
    ("UTH-14", {}),
    ("UTH-14", {"blind": "B", "trips": "C", "six_card_bonus": "B"}),
    ("FCP-14", {}),
    ("FCP-14", {"aces_up": "F", "six_card_bonus": "B", "envy": "B"}),
]


@pytest.mark.parametrize(("book", "letters"), LETTERS)
def test_good_rounds_take_the_fast_path(book: str, letters: dict[str, str], tmp_path: Path) -> None:
    submission = with_letters(book, **letters)
    maker = LogMaker(submission, HOUSE, seed=7, stacked=False)
    file = written(tmp_path / "log.jsonl", [maker.table(), *maker.rounds(120)])
    found, audit = found_in(file, submission, fast=True)
    assert found == []
    assert audit.audited.passed_fast > 110
    slow, judge = found_in(file, submission)
    assert slow == []
    assert judge.audited.activity == audit.audited.activity
    assert judge.audited.passed_fast == 0


# The two editions of one game share their kernels: one of them is enough between two commits.
SHORT = [pytest.param(book, marks=[pytest.mark.prove] * (book == "UTH-14")) for book in BOOKS]


@pytest.mark.parametrize("book", SHORT)
def test_every_mutant_is_seen_alike(book: str, tmp_path: Path) -> None:
    submission = shipped_submission(book)
    for mutant in mutants(good_log(book, 30), HOUSE, 0):
        file = written(tmp_path / "log.jsonl", mutant.log)
        assert found_in(file, submission, fast=True)[0] == found_in(file, submission)[0]


def test_a_night_from_a_ledger_is_seen_alike(tmp_path: Path) -> None:
    """Real records have chips that moved, commands, places in the pack and hidden cards."""
    with closing(open_ledger(str(the_night().file), read_only=True)) as ledger:
        records = list(ledger_records(ledger, tables_of(ledger), HOUSE))
    file = written(tmp_path / "night.jsonl", records)
    found, audit = found_in(file, fast=True)
    assert found == found_in(file)[0] == []
    assert audit.audited.passed_fast > 1
    skimmed = file.read_bytes().replace(b'"chips_after_cents":', b'"chips_after_cents":1')
    file.write_bytes(skimmed)
    found, _ = found_in(file, fast=True)
    assert found == found_in(file)[0]
    assert {finding.kind for finding in found} == {"box-money"}


WORDS = ["", "ante", "win", "lose", "push", "box", "dealer", "1 to 1", "UTH-S 12.A", "Ah", "fold"]


@pytest.mark.parametrize("rounds", [150, pytest.param(1_000, marks=pytest.mark.prove)])
@pytest.mark.parametrize("book", BOOKS)
def test_anything_changed_anywhere_is_seen_alike(book: str, rounds: int, tmp_path: Path) -> None:
    """Many records of each book, one value of each changed by chance."""
    chance, submission = Random(3), shipped_submission(book)
    records = good_log(book, rounds=rounds, seed=11)
    lines = [write_record(records[0])]
    for record in records[1:]:
        assert isinstance(record, rec.RoundRecord)
        document = json.loads(write_record(record))
        _change(document, chance)
        lines.append(json.dumps(document, separators=(",", ":")).encode())
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"\n".join(lines))
    fast, audit = found_in(file, submission, fast=True)
    slow, judge = found_in(file, submission)
    assert fast == slow
    assert audit.audited.activity == judge.audited.activity
    assert rounds // 100 < audit.audited.passed_fast < rounds * 9 // 10
    assert len({finding.line for finding in slow}) > rounds * 3 // 10


def _change(document: Any, chance: Random) -> None:
    """One value somewhere: a number moved, a word exchanged, an entry doubled, dropped or moved."""
    places = list(_places(document))
    holder, key = chance.choice(places)
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int):
        holder[key] = chance.choice((value + 1, value - 1, value * 2, 0, -value))
    elif isinstance(value, str):
        holder[key] = chance.choice(WORDS)
    elif isinstance(value, list) and value:
        at = chance.randrange(len(value))
        holder[key] = chance.choice(
            (value[:at] + value[at + 1 :], [*value, value[at]], [*value[at:], *value[:at]], [])
        )
    elif isinstance(holder, dict):
        del holder[key]


def _places(inside: Any) -> Any:
    keys = inside if isinstance(inside, dict) else range(len(inside))
    for key in keys:
        yield inside, key
        if isinstance(inside[key], dict | list):
            yield from _places(inside[key])
