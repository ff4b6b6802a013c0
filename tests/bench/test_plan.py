"""The page of plans says what was measured and what follows from it, and nothing else."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest

from bench import plan
from bench.inputs import FILE, Inputs, read_inputs, write_inputs
from bench.plan import ASSUMED, PAGE, Assumed, Plan
from bench.tables import bits, bytes_, dollars, number, share, span


@pytest.fixture(scope="module")
def found() -> Inputs:
    return read_inputs()


@pytest.fixture(scope="module")
def assumed() -> Assumed:
    return msgspec.toml.decode(ASSUMED.read_text("utf-8"), type=Assumed)


def test_the_page_of_plans_is_fresh() -> None:
    page = PAGE.read_text("utf-8")
    assert page == plan.filled(page), "run `python -m bench.plan`"


def test_what_was_measured_is_written_as_it_is_read(found: Inputs, tmp_path: Path) -> None:
    file = tmp_path / "measured.toml"
    write_inputs(found, file)
    assert file.read_text("utf-8") == FILE.read_text("utf-8")
    assert read_inputs(file) == found


def test_nothing_was_lost_and_nothing_went_wrong_while_measuring(found: Inputs) -> None:
    assert not found.takeover.lost
    errors = [found.sqlite.errors, found.alone.errors, found.shared.errors, found.takeover.errors]
    assert not any(errors)


def test_each_size_has_enough_processes_and_one_to_spare(found: Inputs, assumed: Assumed) -> None:
    for pit in assumed.sizes:
        made = Plan(pit, assumed, found)
        assert made.service_cores <= (made.processes - 1) * assumed.share_used * 1.01
        fewer = made.processes - 2
        if fewer > 0:
            assert made.cores(fewer + 1) > fewer * assumed.share_used


def test_twice_the_tables_are_twice_the_lines_and_no_other_ledger_a_table(
    found: Inputs, assumed: Assumed
) -> None:
    pit = assumed.sizes[0]
    one, two = (
        Plan(msgspec.structs.replace(pit, tables=n * pit.tables), assumed, found) for n in (1, 2)
    )
    for kept in ("lines_a_year", "bytes_a_year", "online_bytes", "archive_bytes", "commands_s"):
        assert getattr(two, kept) == pytest.approx(2 * getattr(one, kept))
    assert two.moves_s > one.moves_s or pit.tables_on_a_link <= pit.tables


def test_a_year_of_one_table_by_hand(found: Inputs, assumed: Assumed) -> None:
    """35 rounds an hour for 16 hours and 365 days are 204,400 rounds."""
    supposed = msgspec.structs.replace(assumed, rounds_an_hour=35)
    pit = msgspec.structs.replace(assumed.sizes[0], tables=1, hours_a_day=16)
    made = Plan(pit, supposed, found)
    assert made.lines_a_year == pytest.approx(204_400 * plan.costliest(found).lines)
    assert made.bytes_a_year == pytest.approx(204_400 * plan.costliest(found).disk_bytes)


def test_a_takeover_does_not_wait_for_an_old_ledger(found: Inputs, assumed: Assumed) -> None:
    older = msgspec.structs.replace(assumed, ledger_days=10 * assumed.ledger_days)
    for pit in assumed.sizes:
        now, later = (Plan(pit, days, found) for days in (assumed, older))
        assert now.takeover_s == later.takeover_s < now.takeover_from_first_s
        assert later.takeover_from_first_s > now.takeover_from_first_s


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (number(7_350_000), "7.35 million"),
        (number(360), "360"),
        (number(0.2917), "0.292"),
        (number(10_000), "10,000"),
        (bytes_(80_282), "80.3 kB"),
        (bytes_(246e12), "246 TB"),
        (bits(1_234), "1.23 Gbit/s"),
        (dollars(1_234.5), "$1,234"),
        (share(0.0123), "1.23%"),
        (share(17.2), "1720%"),
        (span(90), "1.50 minutes"),
        (span(0.3), "0.300 s"),
        (span(math.inf), "any"),
    ],
)
def test_numbers_read_well(shown: str, told: str) -> None:
    assert shown == told
