"""Keys: known, of their kind, and each with its line in the docs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from croupier.submission import value_kinds
from croupier.submission.check import shipped_text
from croupier.submission.keys import KEYS
from tests.submission.forms import checked, edited, found, with_line

PAGE = (Path(__file__).parents[2] / "docs" / "submission.md").read_text("utf-8")


def test_every_key_is_documented_and_every_documented_key_exists() -> None:
    documented = re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)
    assert documented == [key.path for key in KEYS]


def test_the_submission_on_the_page_is_valid() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert not checked(text).errors
    (answer,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    shown = json.loads(answer)["findings"][0]
    wrong = with_line(text, "table", "boxes", "9")
    (finding,) = checked(wrong).errors
    shown_line = {"line": finding.line}
    assert shown | shown_line == {
        "severity": finding.severity,
        "sentence": finding.sentence,
        "clause": finding.clause,
        "line": finding.line,
        "key": finding.key,
    }


@pytest.mark.parametrize(
    ("table", "name", "says"),
    [
        ("", "rulebook", "rulebook belongs under [table]"),
        ("", "facilty", "did you mean facility?"),
        ("table", "colour", "it has id, rulebook, boxes"),
        ("table", "box", "did you mean boxes?"),
        ("table", "system", "system belongs under [progressive]"),
        ("progressive", "resets", "it has system, wager"),
        ("devices", "shufler", "did you mean shuffler?"),
        ("progressive.meters.mega", "ceiling", "it has initial, reset, rate, limit"),
    ],
)
def test_a_key_nobody_knows(table: str, name: str, says: str) -> None:
    meters = {"progressive__meters__mega": None}
    text = edited("UTH-S", **meters) if "mega" in table else edited("UTH-S")
    key = f"{table}.{name}".lstrip(".")
    (finding,) = found(with_line(text, table, name, '"x"'), key)
    assert says in finding.sentence
    assert (finding.severity, finding.clause) == ("error", None)


@pytest.mark.parametrize("name", ['"a.b"', '"\\u0000"', "'WAGER'", f'"{"x" * 5000}"', '""'])
def test_a_key_of_odd_letters(name: str) -> None:
    text = with_line(shipped_text("UTH-S"), "paytables", name, '"A"')
    (finding,) = checked(text).errors
    assert len(finding.sentence) < 300
    assert finding.sentence.isprintable()
    assert finding.line is not None
    assert text.split("\n")[finding.line - 1] == f'{name} = "A"'


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("version", "3", "must be text in quotes"),
        ("approved", '"2026-01-31"', "must be a date without quotes"),
        ("approved", "2026-01-31T12:00:00", "must be a date without quotes"),
        ("facility__name", '""', "1 to 100 characters"),
        ("facility__name", '"a\\nb"', "1 to 100 characters"),
        ("facility__name", f'"{"x" * 101}"', "1 to 100 characters"),
        ("table__boxes", '"6"', "whole number without quotes"),
        ("table__boxes", "true", "whole number without quotes"),
        ("table__boxes", "0", "1 or more"),
        ("table__boxes", "0x" + "f" * 9999, "1 or more"),
        ("table__boxes", "6.0", "whole number without quotes"),
        ("table__electronic", '"yes"', "true or false"),
        ("table__abandoned_wagers", '"kept"', '"lost" or "default"'),
        ("table__payout_limit", "50000", "amount in quotes"),
        ("table__payout_limit", '"50,000"', "is not an amount"),
        ("paytables__blind", "1", "must be text in quotes"),
        ("limits__ante", '"$10"', "must be a table"),
        ("limits", "3", "must be a table"),
        ("progressive__meters__mega", '"$1"', "must be a table"),
        ("dealing__fallbacks", '"shoe"', "must be a list"),
        ("dealing__fallbacks", "[1]", "must be text in quotes"),
        ("decks__backs", '["red", 3]', "must be text in quotes"),
        ("devices__shuffler", "1", "true or false"),
    ],
)
def test_a_value_of_the_wrong_kind(key: str, value: str, says: str) -> None:
    text = edited("UTH-S", **{key: value})
    if key == "limits":
        text = re.sub(r"\[limits\][^[]*", "", text)
    dotted = key.replace("__", ".")
    (finding,) = found(text, dotted)
    assert (finding,) == checked(text).errors, "one slip is one error"
    assert says in finding.sentence
    assert finding.line is not None
    assert text.split("\n")[finding.line - 1].startswith(f"{dotted.split('.')[-1]} = ")


@pytest.mark.parametrize(
    ("rate", "ppm"), [("4%", 40_000), ("2.5%", 25_000), ("0.0001%", 1), ("100%", 1_000_000)]
)
def test_rates_are_kept_in_millionths(rate: str, ppm: int) -> None:
    assert value_kinds.rate_ppm(rate) == ppm
    assert value_kinds.rate_text(ppm) == rate


@pytest.mark.parametrize("rate", ['"4"', "4", '"4.00001%"', '"-4%"', '"four%"', '"1234%"'])
def test_a_rate_that_is_none(rate: str) -> None:
    meter = f'{{ initial = "$10,000", reset = "$10,000", rate = {rate} }}'
    (finding,) = found(
        edited("UTH-S", progressive__meters__mega=meter), "progressive.meters.mega.rate"
    )
    assert '"4%"' in finding.sentence
