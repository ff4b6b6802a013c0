"""Meters with a limit, and tables that would share a link on other terms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents
from croupier.games.registry import the_registry
from croupier.ledger.books import Interval, read_books
from croupier.ledger.installation import install
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger
from croupier.submission.check import check, shipped_submission
from croupier.submission.fingerprint import rules_hash
from croupier.submission.submission import Submission
from croupier.submission.toml_writer import write_submission
from tests.ledger.evenings import Evening
from tests.ledger.kept import accounts, is_sound, resumes_as


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Ledger]:
    with closing(open_ledger(str(tmp_path / "ledger.db"), create=True)) as ledger:
        yield ledger


def limited(above_cents: int) -> Submission:
    """The shipped table, each meter with so much room above what it begins at."""
    said = shipped_submission("UTH-S")
    assert said.progressive is not None
    meters = tuple(
        replace(meter, limit_cents=Cents(meter.initial_cents + above_cents))
        for meter in said.progressive.meters
    )
    return replace(said, progressive=replace(said.progressive, meters=meters))


def installed(evening: Evening, ledger: Ledger, filed: Submission, name: str) -> KeptTable:
    return install(
        ledger,
        filed,
        evening.registry,
        evening.ring,
        evening.packs,
        by="manager",
        name=name,
        link="harbor",
        clock=evening.clock,
    )


def test_two_tables_on_a_link_fill_its_meters_to_the_limit_and_lose_nothing(file: Ledger) -> None:
    evening, filed = Evening(3), limited(10)
    tables = [installed(evening, file, filed, f"t{n}") for n in (1, 2)]
    for table in tables:
        evening.sit(table, 3)
    for _ in range(3):
        for table in tables:
            table.link.refresh()  # type: ignore[union-attr]
            evening.play(table, 1)
    assert filed.progressive is not None
    readings = resumes_as(tables[1], evening).readings()
    for meter in filed.progressive.meters:
        assert readings[meter.name] <= int(meter.limit_cents or 0) * 10_000
        assert accounts(file)[f"meter {meter.name} overflow"] == readings[f"{meter.name} overflow"]
    assert any(readings[f"{meter.name} overflow"] for meter in filed.progressive.meters)
    is_sound(file, evening)
    books = read_books(file, Interval()).links["harbor"]
    assert {f"{meter.name} overflow" for meter in filed.progressive.meters} <= {*books.meters}


def test_a_limit_is_part_of_the_submission_and_leaves_the_rules_as_they_are() -> None:
    registry, plain = the_registry(), shipped_submission("UTH-S")
    filed = limited(1)
    assert check(write_submission(filed), registry).submission == filed
    assert "limit" not in write_submission(plain).partition("[progressive]")[2]
    assert rules_hash(filed.rules(registry)) == rules_hash(plain.rules(registry))
    told = check(write_submission(limited(0)), registry)
    assert told.submission is None
    assert "a limit stands above both (ruling 43)" in str(told.errors[0])


def test_tables_on_a_link_have_the_same_chances_at_its_meters(file: Ledger) -> None:
    evening, filed = Evening(), shipped_submission("UTH-S")
    installed(evening, file, filed, "t1")
    offer = filed.progressive
    assert offer is not None
    letters = dict(filed.paytables)
    assert letters["progressive"] == "C"
    dear = Cents(500 if offer.stake_cents == 100 else 100)
    others = {
        "hand": replace(filed, progressive=replace(offer, hand="final")),
        "wager": replace(filed, progressive=replace(offer, stake_cents=dear)),
        "limit": limited(100),
        "paytable": replace(filed, paytables=tuple({**letters, "progressive": "D"}.items())),
    }
    before = file.heads()
    for term, other in others.items():
        with pytest.raises(Unreadable, match=f"has another .*{term}.* for the Progressive"):
            installed(evening, file, other, "t2")
    assert file.heads() == before
    installed(evening, file, filed, "t2")
