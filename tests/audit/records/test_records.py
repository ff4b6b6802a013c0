"""Round records: each settles again to what the ledger says, and reads back as it was written."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest
from hypothesis import given, settings

import croupier
from croupier.audit.records import schema as rec
from croupier.audit.records.files import ledger_records, read_records, round_file_record
from croupier.audit.records.reader import (
    read_record,
    round_of,
    rules_of,
    write_record,
)
from croupier.facts.cards import DECK
from croupier.facts.errors import Unreadable
from croupier.games.registry import the_registry
from croupier.ledger.replay import kept_terms
from croupier.ledger.rounds import KeptRound, kept_rounds, tables_of
from croupier.ledger.shoe.key_ring import read_ring
from croupier.ledger.shoe.masked_cards import shown_cards
from croupier.ledger.store.address import open_ledger
from croupier.table.events import WagerSettled
from croupier.table.round_file import read_round, write_round
from croupier.table.settlement import settle
from tests.audit.log.logs import good_log
from tests.audit.nights import the_night
from tests.citing import in_book, in_uth
from tests.table.settlement.strategies import rounds as some_rounds

HOUSE = the_registry()
PAGE = Path(__file__).parents[3] / "docs" / "round-records.md"


def kept(with_keys: bool) -> Iterator[tuple[KeptRound, rec.RoundRecord]]:
    night = the_night()
    ring = read_ring(night.keys) if with_keys else None
    with closing(open_ledger(str(night.file), read_only=True)) as ledger:
        for table in tables_of(ledger):
            rounds = (k for k in kept_rounds(ledger, table, HOUSE, ring) if k.has_begun)
            records = ledger_records(ledger, [table], HOUSE, ring)
            first = next(records)
            assert isinstance(first, rec.TableRecord)
            for round, record in zip(rounds, records, strict=True):
                assert isinstance(record, rec.RoundRecord)
                yield round, record


def paid(line: rec.LineRecord | WagerSettled) -> tuple[object, ...]:
    meter = (line.meter, line.meter_before_micros, line.meter_after_micros, line.reset_cents)
    money = (line.stake_cents, line.paid_cents, line.returned_cents)
    said = (line.outcome, line.odds, line.clause, line.rulings, line.shows, line.holder)
    return (line.box, line.wager, *money, *said, *meter)


@pytest.mark.clause(*in_uth("11.K"), *in_book("FCP-14", "11.D(11)(b)"))
@pytest.mark.parametrize("with_keys", [False, True])
def test_every_record_settles_again_to_the_lines_of_the_ledger(with_keys: bool) -> None:
    settled = 0
    for round, record in kept(with_keys):
        if record.status != "complete" or record.still_settles:
            continue
        rebuilt = round_of(record, HOUSE)
        assert rebuilt.rules == kept_terms(round.installed, HOUSE).rules
        abandoned = {box.seat for box in record.boxes if box.absent == "abandoned"}
        lines = [paid(line) for line in record.lines if line.box not in abandoned]
        assert [paid(line) for line in settle(rebuilt).lines] == lines
        settled += len(lines)
    assert settled > 100


def test_the_keys_name_every_dealt_card_and_without_them_the_rest_is_counted() -> None:
    for (round, blind), (_, full) in zip(kept(False), kept(True), strict=True):
        turned = {card for told in round.told for card in shown_cards(told.event)}
        assert {card.card for card in blind.cards} == turned
        assert len(blind.cards) + sum(h.count for h in blind.hidden) == len(full.cards) + sum(
            h.count for h in full.hidden
        )
        assert bool(full.hidden) is (full.status == "in progress")
        assert [card.pack for card in full.cards] == sorted(card.pack or 0 for card in full.cards)


def test_a_record_says_what_became_of_each_round() -> None:
    found = {(record.table, record.round): record for _, record in kept(True)}
    jackpot, void, left = found["1", 2], found["1", 4], found["1", 5]
    salvaged, late, unfinished = found["1", 6], found["1", 8], found["1", 9]
    (royal,) = [line for line in jackpot.lines if line.meter == "mega"]
    assert (royal.box, royal.validation, royal.outside) == (1, "paid", False)
    assert royal.paid_cents == royal.meter_before_micros // 10_000
    assert (void.status, void.void and void.void.name) == ("void", "wrong-number-dealt")
    assert {(r.box, r.wager, r.cents) for r in void.returns} == {
        (box.seat, wager.wager, wager.cents) for box in void.boxes for wager in box.wagers
    }
    assert [i.ruling for i in void.irregularities] == ["upheld"]
    assert {box.absent for box in left.boxes} > {""}
    assert salvaged.still_settles
    assert any(d.defaulted for box in late.boxes for d in box.decisions)
    assert (unfinished.status, unfinished.lines, unfinished.ended_at_us) == ("in progress", (), 0)
    assert {card.place for card in found["1", 7].cards} >= {"set aside"}


def test_the_money_of_a_box_adds_up() -> None:
    """What it had, less what it wagered, plus what it won, and what it bought or cashed."""
    for _, record in kept(False):
        began = {w.at_us for box in record.boxes for w in box.wagers}
        outside = {line.box: line.paid_cents for line in record.lines if line.outside}
        for box in record.boxes:
            moved = [m for m in record.chips if m.box == box.seat and m.at_us > min(began)]
            assert {m.kind for m in moved} <= {"kept"}
            assert box.chips_before_cents is not None
            assert box.chips_after_cents is not None
            net = box.won_cents - box.wagered_cents - outside.get(box.seat, 0)
            net -= sum(m.cents for m in moved)
            assert box.chips_after_cents - box.chips_before_cents == net
            assert box.wagered_cents == sum(wager.cents for wager in box.wagers)
        for meter in record.meters:
            drawn = sum(
                line.meter_after_micros - line.meter_before_micros
                for line in record.lines
                if line.meter == meter.name and not line.reversed
            )
            assert meter.before_micros is not None
            grown = meter.before_micros + meter.grew_micros - meter.shrank_micros
            assert (meter.at_settlement_micros, meter.after_micros) == (grown, grown + drawn)


def test_contributions_are_what_the_meters_grew_by() -> None:
    for _, record in kept(False):
        for meter in record.meters:
            given = sum(box.contributed_micros.get(meter.name, 0) for box in record.boxes)
            assert given == meter.grew_micros


def test_written_and_read_back() -> None:
    for round, record in kept(True):
        assert read_record(write_record(record)) == record
        assert record.commands[0].line >= record.first_line
        assert rules_of(record, HOUSE) == round.before.terms.rules


@settings(max_examples=60)
@given(some_rounds())
def test_a_round_file_becomes_a_record_and_a_round_file_again(round: Any) -> None:
    record = round_file_record(write_round(round), HOUSE)
    back = round_of(read_record(write_record(record)), HOUSE)  # type: ignore[arg-type]
    assert read_round(write_round(back), HOUSE) == read_round(write_round(round), HOUSE)
    assert back == round


# The format


def test_the_shipped_schema_is_the_one_of_the_shapes() -> None:
    shipped = files("croupier.audit.records") / "schema.json"
    fresh = "run: croupier export --schema > src/croupier/audit/records/schema.json"
    assert shipped.read_bytes() == rec.schema(), fresh


ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**63,
    1.5,
    "",
    "x" * 101,
    "1h",
    [],
    {},
    "win",
    "croupier-record-2",
)


def test_the_schema_says_no_where_the_reader_does() -> None:
    """One value of a record exchanged, dropped or misspelled, hundreds of times."""
    chance = Random(4)
    checker = jsonschema.Draft202012Validator(json.loads(rec.schema()))
    good = [json.loads(write_record(record)) for _, record in kept(True)]
    good += [json.loads(write_record(record)) for record in good_log("UTH-S")[:8]]
    assert all(map(checker.is_valid, good))
    refused = 0
    for _ in range(120):
        document = copy.deepcopy(chance.choice(good))
        holder, key = chance.choice(list(places_in(document)))
        way = chance.randrange(3)
        if way and isinstance(holder, dict):
            value = holder.pop(key)
            holder |= {f"{key}s": value} if way == 1 else {}
        else:
            holder[key] = chance.choice(ODD)
        is_read = True
        try:
            read_record(json.dumps(document).encode())
        except Unreadable:
            is_read = False
            refused += 1
        assert checker.is_valid(document) is is_read, document
    assert 50 < refused < 120


def test_a_key_that_nobody_knows_is_named_wherever_it_stands() -> None:
    """In each object of a record; what is kept by wager or by meter has names of its own."""
    by_name = ("paytables", "resets_cents", "contributed_micros")
    good = [json.loads(write_record(record)) for _, record in kept(True)]
    for document in good:
        inside = [within[key] for within, key in places_in(document) if key not in by_name]
        for holder in [document, *(each for each in inside if isinstance(each, dict))]:
            holder["lucky"] = 7
            with pytest.raises(Unreadable, match="lucky"):
                read_record(json.dumps(document).encode())
            del holder["lucky"]


def places_in(inside: Any) -> Iterator[tuple[Any, Any]]:
    for key in inside if isinstance(inside, dict) else range(len(inside)):
        yield inside, key
        if isinstance(inside[key], dict | list):
            yield from places_in(inside[key])


def test_every_field_has_its_line_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    described = msgspec.json.schema(rec.AnyRecord)["$defs"]
    fields = {
        (name, field) for name in described for field in described[name].get("properties", ())
    }
    missing = [f"{name}.{field}" for name, field in sorted(fields) if f"`{field}`" not in page]
    assert missing == []
    assert rec.FORMAT in page


GOOD = write_record(round_file_record(croupier.example("uth"), HOUSE))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (GOOD.replace(b"croupier-record-1", b"croupier-record-2"), 'of "croupier-record-2"'),
        (GOOD[:-20], "no round record"),
        (b"\xff\xfe" + GOOD, "no round record"),
        (b"[" * 100_000, "no round record"),
        (b"{}", "no round record"),
        (GOOD.replace(b'"card":"', b'"card":"1'), "no round record"),
        (GOOD.replace(b'"seat":1', b'"seat":-1'), "no round record"),
        (GOOD.replace(b'"seat":1', b'"saet":1'), "no round record"),
    ],
)
def test_what_is_no_record_is_one_sentence(line: bytes, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=sentence):
        read_record(line)
    file = tmp_path / "records.jsonl"
    file.write_bytes(GOOD + b"\n\n" + line + b"\n")
    found = read_records(file)
    assert next(found)[0] == 1
    with pytest.raises(Unreadable, match=rf"records.jsonl, line 3: .*{sentence}"):
        next(found)


def test_more_hidden_cards_than_a_deck_holds() -> None:
    record = read_record(GOOD)
    assert isinstance(record, rec.RoundRecord)
    hidden = (rec.HiddenRecord(place="burn", count=len(DECK)),)
    with pytest.raises(Unreadable, match="more cards than a deck"):
        round_of(msgspec.structs.replace(record, hidden=hidden), HOUSE)


def test_the_program_on_the_page_settles_a_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = PAGE.read_text("utf-8")
    (source,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    night = the_night()
    with closing(open_ledger(str(night.file), read_only=True)) as ledger:
        lines = [write_record(record) for record in ledger_records(ledger, ["2"], HOUSE)]
    (tmp_path / "evening.jsonl").write_bytes(b"\n".join(lines))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(source, PAGE.name, "exec"), names)
    assert names["receipt"].lines
