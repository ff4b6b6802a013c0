"""What README and docs take from the program is fresh; `tests/docs` runs what they show."""

from __future__ import annotations

import doctest
import json
import re
import tomllib
from pathlib import Path

import pytest

import croupier
from croupier.table.receipt import as_document
from tests import help_pages
from website.pictures import FILE as CHART
from website.pictures import strategy_chart

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
PICTURES = help_pages.pictures()


def test_python_in_the_package() -> None:
    failures, tried = doctest.testmod(croupier)
    assert (failures, tried > 0) == (0, True)


def test_the_round_file_page_shows_a_round_that_settles() -> None:
    page = (ROOT / "docs" / "round-file.md").read_text("utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    receipt = croupier.settle(croupier.read_round(toml))
    assert set(tomllib.loads(toml)) == {
        *("rulebook", "payout_limit", "paytables", "progressive", "cards", "box")
    }
    (answer,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    shown, settled = json.loads(answer), as_document(receipt)
    assert set(shown) == {*settled, "file"}
    assert shown["boxes"][0]["lines"][0] == settled["boxes"][0]["lines"][0]
    assert shown["boxes"][0]["net_cents"] == settled["boxes"][0]["net_cents"]
    assert shown["meters"] == settled["meters"]


def test_the_page_of_commands_is_fresh() -> None:
    assert help_pages.PAGE.read_text("utf-8") == help_pages.page(), "run `make pages`"


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_the_pictures_are_fresh(picture: Path) -> None:
    assert picture.read_text("utf-8") == PICTURES[picture], "run `make pages`"
    shown = f"({picture.relative_to(help_pages.ROOT / 'docs')})"
    assert any(shown in page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md"))


def test_the_totals_of_the_clauses_are_fresh() -> None:
    assert help_pages.by_the_book() == help_pages.BOOK.read_text("utf-8"), "run `make pages`"


def test_the_readme_is_enough_to_try_it() -> None:
    """And no more: people, and the CI, find both tasks in it, one picture and one table."""
    assert "make play" in README
    assert "make test" in README
    assert README.count("![") == 1
    assert len(re.findall(r"^\|---", README, re.MULTILINE)) == 1
    assert len(README.split()) <= 500


def test_the_settings_on_the_page_of_the_pit_are_fresh() -> None:
    assert help_pages.security() == help_pages.SECURITY.read_text("utf-8"), "run `make pages`"
    assert help_pages.pit() == help_pages.PIT.read_text("utf-8"), "run `make pages`"


def test_the_strategy_chart_is_fresh() -> None:
    assert CHART.read_text("utf-8") == strategy_chart(), "run `make pages`"


def test_the_picture_of_the_table_is_light() -> None:
    """``python -m tests.browser.readme_picture`` takes it."""
    assert (help_pages.PICTURES / "table.jpg").stat().st_size < 300_000
    assert "(docs/pictures/table.jpg)" in README
