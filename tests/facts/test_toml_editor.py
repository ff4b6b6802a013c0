"""Single values of a TOML text changed, and every other character left as it was."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Any

import pytest

from croupier.facts.errors import Unreadable
from croupier.facts.toml_editor import KeyPath, with_value, without, written
from croupier.facts.toml_text import read_toml
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_text

BOOKS = tuple(the_registry().books)
ORDER = ("facility", "table", "paytables", "limits", "progressive", "dealing", "devices", "decks")
TEXT = """\
# Table 12, as the floor wants it.
version = "3"   # since May

[table]         # by the door
boxes = 6       # one broken

# what is paid
[paytables]
blind = "A"

[limits]
ante = { minimum = "$10", maximum = "$500" } # high on Saturdays

# The shoe is old.
[dealing]
method = "shoe"
"""


def leaves(document: dict[str, Any], above: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    for name, value in document.items():
        if isinstance(value, dict):
            yield from leaves(value, (*above, name))
        else:
            yield (*above, name), value


def comments(text: str) -> list[str]:
    return re.findall(r"#[^\n]*", text)


def changed_lines(before: str, after: str) -> list[str]:
    old = before.splitlines()
    return [line for line in after.splitlines() if line not in old]


@pytest.mark.parametrize("book", BOOKS)
def test_every_value_of_every_shipped_submission_changes_alone(book: str) -> None:
    text = shipped_text(book)
    for path, value in leaves(read_toml(text)):
        other = "something else" if isinstance(value, str) else "text"
        after = with_value(text, path, other)
        assert dict(leaves(read_toml(after)))[path] == other
        assert len(changed_lines(text, after)) == 1
        assert comments(after) == comments(text)
        assert re.sub(" +#", " #", with_value(after, path, value)) == re.sub(" +#", " #", text)


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_taken_out_can_be_put_back(book: str) -> None:
    text = shipped_text(book)
    document = read_toml(text)
    for path, value in leaves(document):
        gone = without(text, path)
        assert path not in dict(leaves(read_toml(gone)))
        assert read_toml(with_value(gone, path, value, ORDER)) == document


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("version",), "14", 'version = "14"  # since May'),
        (("table", "boxes"), 5, "boxes = 5       # one broken"),
        (("table", "boxes"), 1_000_000_000, "boxes = 1000000000  # one broken"),
        (("table", "electronic"), True, "electronic = true"),
        (("approved",), datetime.date(2026, 1, 31), "approved = 2026-01-31"),
        (
            ("limits", "ante", "increment"),
            "$5",
            'ante = { minimum = "$10", maximum = "$500", increment = "$5" } # high on Saturdays',
        ),
        (("limits", "trips", "minimum"), "$5", 'trips = { minimum = "$5" }'),
        (("dealing", "fallbacks"), ("shoe", "hand"), 'fallbacks = ["shoe", "hand"]'),
    ],
)
def test_a_line_as_a_person_would_write_it(path: KeyPath, value: Any, line: str) -> None:
    after = with_value(TEXT, path, value, ORDER)
    assert changed_lines(TEXT, after) == [line]
    assert comments(after) == comments(TEXT)


def test_a_new_table_comes_where_people_expect_it() -> None:
    after = with_value(TEXT, ("progressive", "wager"), "$1", ORDER)
    after = with_value(after, ("progressive", "meters", "mega"), {"rate": "4%"}, ORDER)
    assert (
        ' # high on Saturdays\n\n[progressive]\nwager = "$1"\n\n[progressive.meters]\n'
        'mega = { rate = "4%" }\n\n# The shoe is old.\n[dealing]\n'
    ) in after
    assert without(after, ("progressive",)) == TEXT


def test_a_table_that_goes_takes_its_own_lines_alone() -> None:
    assert without(TEXT, ("paytables",)) == TEXT.replace('[paytables]\nblind = "A"\n', "")
    assert without(TEXT, ("nothing", "here")) == TEXT
    assert without(TEXT, ("limits", "ante", "minimum")).count('{ maximum = "$500" }') == 1


def test_dotted_keys_and_empty_texts() -> None:
    assert with_value("a.b = 1\n", ("a", "c"), 2) == "a.b = 1\na.c = 2\n"
    assert with_value("", ("table", "boxes"), 3) == "[table]\nboxes = 3\n"
    assert with_value("# ours\n", ("version",), "1") == '# ours\nversion = "1"\n'
    assert with_value("a = {}\n", ("a", "b c"), 1) == 'a = { "b c" = 1 }\n'
    assert written({}) == "{}"


def test_what_would_change_more_is_refused() -> None:
    """Where a value stands that is no table, nothing can be put into it."""
    with pytest.raises(Unreadable, match="change it in the text"):
        with_value('table = "none"\n', ("table", "boxes"), 3)
    with pytest.raises(Unreadable, match="change it in the text"):
        with_value("[[table]]\nboxes = 3\n", ("table", "boxes"), 4)
