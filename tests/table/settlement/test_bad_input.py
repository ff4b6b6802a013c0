"""Bad input of any kind: one short sentence, never a traceback."""

from __future__ import annotations

import json
import tomllib
from datetime import date, datetime, time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import the_registry
from croupier.table.receipt import Receipt, as_document
from croupier.table.round_file import read_round
from croupier.table.settlement import settle

UTH = """rulebook = "UTH-S"
payout_limit = "$50,000"
[paytables]
blind = "A"
trips = "A"
six_card_bonus = "A"
progressive = "A"
envy = "A"
[progressive]
wager = "$1"
holder_must_wager = false
hand = "flop"
meters = { main = "$25,000.10" }
resets = { main = "$10,000" }
[cards]
board = "Ah Kh Qh 7c 2c"
dealer = "2d 7d"
six_card_box = "9c 9d 4s 5s"
[[box]]
seat = 1
player = "Ann"
cards = "Jh Th"
ante = "$10"
blind = "$10"
trips = "$5"
play = "$40"
six_card_bonus = "$5"
progressive = true
[[box]]
seat = 2
cards = "3c 3d"
ante = "$20"
blind = "$20"
"""

FOUR_CARD = """rulebook = "FCP-14"
[paytables]
aces_up = "A"
six_card_bonus = "super-A"
progressive = "C"
envy = "A"
[progressive]
wager = "$5"
meters = { main = "$25,000.10" }
resets = { main = "$10,000" }
[cards]
dealer = "2c 4d 6h 8s Tc Qd"
six_card_box = "3h"
[[box]]
seat = 1
cards = "As Ad Ah Ac 9d"
ante = "$10"
play = "$30"
aces_up = "$5"
six_card_bonus = "$5"
progressive = true
"""

GOOD = [UTH, FOUR_CARD]
LONG = 1_000_000


def settled_or_said(text: str) -> Receipt | None:
    """A receipt, or None after one short sentence; anything else fails the test."""
    try:
        receipt = settle(read_round(text, the_registry()))
    except (Unreadable, Refusal) as error:
        said_why: Unreadable | Refusal = error
    else:
        json.dumps(as_document(receipt))
        return receipt
    sentence = str(said_why)
    assert 0 < len(sentence) < 400
    assert sentence.isprintable(), repr(sentence)
    assert getattr(said_why, "clause", "a clause is for refusals")
    return None


def said(text: str) -> str:
    """The sentence an unreadable round gets."""
    assert settled_or_said(text) is None
    with pytest.raises(Unreadable) as caught:
        settle(read_round(text, the_registry()))
    return str(caught.value)


def with_line(key: str, value: str, text: str = UTH) -> str:
    """The round with the first line of this key saying something else."""
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(f"{key} = "))
    lines[at] = f"{key} = {value}"
    return "\n".join(lines)


@pytest.mark.parametrize("text", GOOD, ids=["UTH-S", "FCP-14"])
def test_the_rounds_are_good_before_they_are_spoilt(text: str) -> None:
    assert settled_or_said(text) is not None


# Broken files


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("   \n\t\n", id="blank"),
        pytest.param("# only a comment", id="a comment"),
        pytest.param("rulebook", id="no value"),
        pytest.param("rulebook = ", id="nothing after the equals sign"),
        pytest.param('rulebook = "UTH-S', id="an open quote"),
        pytest.param("[paytables", id="an open bracket"),
        pytest.param("]", id="a stray bracket"),
        pytest.param("=", id="a stray equals sign"),
        pytest.param('{"rulebook": "UTH-S"}', id="JSON"),
        pytest.param("<html></html>", id="HTML"),
        pytest.param(UTH + UTH, id="twice the same file"),
        pytest.param(UTH[: len(UTH) // 2], id="half a file"),
        pytest.param(UTH.replace("\n", " "), id="one line"),
        pytest.param("\x00" + UTH, id="NUL first"),
        pytest.param(UTH.replace("Ann", "A\x00n"), id="NUL in a name"),
        pytest.param(UTH.replace("Ann", "A\x1b[31m"), id="an escape sequence"),
        pytest.param(UTH.replace("Ann", "A\x7f"), id="a delete character"),
        pytest.param("\ufeff" + UTH, id="a byte order mark"),
        pytest.param("\ufffd\ufffd" * 100, id="replacement characters"),
        pytest.param("\r".join(UTH.splitlines()), id="carriage returns"),
        pytest.param("[" * 100_000, id="100,000 open brackets"),
        pytest.param("a = " + "[" * 100_000, id="100,000 nested arrays"),
        pytest.param("a = " + "[" * 100_000 + "]" * 100_000, id="100,000 closed arrays"),
        pytest.param("a = " + "{a = " * 100_000, id="100,000 nested tables"),
        pytest.param("x" * LONG, id="a million letters"),
        pytest.param(f"{'k' * LONG} = 1", id="a key of a million letters"),
    ],
)
def test_a_broken_file_is_unreadable(text: str) -> None:
    said(text)


@pytest.mark.parametrize("book", ["", "uth-s", "UTH-15", "UTH-S ", "x" * LONG, "\\u0000", "\\n"])
def test_a_rulebook_nobody_wrote(book: str) -> None:
    assert said(with_line("rulebook", f'"{book}"')).startswith("there is no rulebook ")


# Wrong types

TEXTS = ["rulebook", "payout_limit", "blind", "wager", "hand", "board", "dealer", "player", "cards"]
NOT_TEXT = ["1", "-1", "1.5", "true", "[]", '["$10"]', "{}", "1979-05-27", "07:32:00", "inf", "nan"]


@pytest.mark.parametrize("value", NOT_TEXT)
@pytest.mark.parametrize("key", [*TEXTS, "six_card_box", "ante", "play", "trips", "envy"])
def test_a_text_must_be_text(key: str, value: str) -> None:
    said(with_line(key, value))


@pytest.mark.parametrize("value", ['"1"', "1.0", "true", "[1]", "{}", "1979-05-27", "nan"])
def test_a_seat_must_be_a_number(value: str) -> None:
    assert "seat must be a number" in said(with_line("seat", value))


def test_a_box_needs_a_seat_and_cards() -> None:
    assert "seat must be a number" in said(UTH.replace("seat = 1\n", ""))
    assert "cards is missing" in said(UTH.replace('cards = "Jh Th"\n', ""))


@pytest.mark.parametrize("value", ['"true"', "1", "0", '""', "[]", "{}", "1979-05-27"])
@pytest.mark.parametrize("key", ["holder_must_wager", "progressive"])
def test_yes_or_no_must_be_true_or_false(key: str, value: str) -> None:
    if key == "progressive":
        text = UTH.replace("progressive = true", f"progressive = {value}")
    else:
        text = with_line(key, value)
    assert "must be true or false" in said(text)


@pytest.mark.parametrize("value", ['"x"', "1", "true", "[]", "1979-05-27"])
@pytest.mark.parametrize("key", ["meters", "resets"])
def test_meters_and_resets_must_be_tables(key: str, value: str) -> None:
    said(with_line(key, value))


@pytest.mark.parametrize("value", ['"x"', "1", "true", "[]", "[{}]"])
@pytest.mark.parametrize("key", ["paytables", "progressive", "cards"])
def test_a_table_must_be_a_table(key: str, value: str) -> None:
    document = tomllib.loads(UTH)
    del document[key]
    said(f"{key} = {value}\n" + written_toml(document))


@pytest.mark.parametrize("key", ["paytables", "cards"])
def test_a_table_must_be_there(key: str) -> None:
    document = tomllib.loads(UTH)
    del document[key]
    assert f"{key} is missing" in said(written_toml(document))


@pytest.mark.parametrize("value", ['"x"', "1", "true", "{}", "[1]", "[[]]", '["x", {}]'])
def test_boxes_must_be_tables(value: str) -> None:
    head = UTH.partition("[[box]]")[0]
    said(f"box = {value}\n{head}")


@pytest.mark.parametrize("value", ["1", "true", "[]", "{}", '"10,000"'])
@pytest.mark.parametrize("key", ["meters", "resets"])
def test_a_meter_must_be_an_amount(key: str, value: str) -> None:
    said(with_line(key, f"{{ main = {value} }}"))


# Amounts

NO_AMOUNTS = [
    "",
    " ",
    "$",
    "10",
    "ten",
    "$ten",
    "$-1",
    "-$1",
    "$+1",
    "-1",
    "$1.5",
    "$1.",
    "$.50",
    "$1.123",
    "$1,00",
    "$1,0000",
    "$,100",
    "$1,000,00",
    "$10,00.00",
    "$1_000",
    "$1e3",
    "$1 000",
    " $10",
    "$10 ",
    "$$10",
    "10$",
    "€10",
    "$0x10",
    "$NaN",
    "$inf",
    "$1\\n",
    "$1\\u0000",
    "$\u0661\u0660",
    "$\uff11\uff10",
    "$\u00b2",
    "$1\u200b0",
    "$" + "9" * 14,
    "$1,000,000,000,001",
    "$" + "9" * LONG,
    "$1." + "0" * LONG,
    "$" + ",000" * 1_000,
    "\U000e0001" * 200,
    "\\u0007" * 200,
    '\\"' * 200,
    "x" * LONG,
]


def short_id(text: str) -> str:
    """The start of a text, as it may stand in a test's name, and how long the text is."""
    start = ascii(text[:12]).replace("\\", "")
    return f"{start[:20]}, {len(text)} characters"


@pytest.mark.parametrize("amount", NO_AMOUNTS, ids=short_id)
@pytest.mark.parametrize("key", ["ante", "payout_limit", "wager"])
def test_a_stake_must_be_an_amount(key: str, amount: str) -> None:
    said(with_line(key, f'"{amount}"'))


@pytest.mark.parametrize("amount", sorted(set(NO_AMOUNTS) - {"$1.123"}), ids=short_id)
@pytest.mark.parametrize("key", ["meters", "resets"])
def test_what_stands_on_a_meter_must_be_an_amount(key: str, amount: str) -> None:
    said(with_line(key, f'{{ main = "{amount}" }}'))


# Numbers without end


def test_a_decimal_number_of_a_million_digits() -> None:
    for key in ("seat", "ante", "rulebook", "progressive"):
        assert "digits" in said(with_line(key, "9" * LONG))


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("digits", [10, 100, 4_000])
def test_a_seat_of_many_digits_gets_a_short_sentence(sign: str, digits: int) -> None:
    assert settled_or_said(with_line("seat", sign + "9" * digits)) is None


@pytest.mark.parametrize("prefix", ["0x", "0o", "0b"])
def test_a_seat_of_a_million_digits_in_another_base(prefix: str) -> None:
    # Python reads these however long they are, and then cannot print them.
    assert settled_or_said(with_line("seat", prefix + "1" * LONG)) is None


@pytest.mark.parametrize("extra", ['colour = "red"', "progressive = true"])
def test_a_huge_seat_in_a_box_with_something_else_wrong(extra: str) -> None:
    text = UTH.partition("[progressive]")[0].replace('progressive = "A"\nenvy = "A"\n', "")
    text += '[cards]\nboard = "Ah Kh Qh 7c 2c"\ndealer = "2d 7d"\n'
    text += f'[[box]]\nseat = 0x{"f" * LONG}\ncards = "Jh Th"\nante = "$1"\nblind = "$1"\n{extra}\n'
    assert settled_or_said(text) is None


def test_a_number_of_a_million_digits_where_text_belongs() -> None:
    for key in ("ante", "cards", "hand", "blind"):
        said(with_line(key, "0x" + "f" * LONG))


# Cards


@pytest.mark.parametrize(
    "cards",
    [
        "Jh T",
        "Jh 1h",
        "Jh 11h",
        "Jh Hj",
        "Jh Tx",
        "Jh, Th",
        "Jh-Th",
        "J\u0435 Th",
        "\u212ah Th",
        "Jh T\u017f",
        "Jh \uff19h",
        "Jh \u0669h",
        "\\u0000",
        "\\u001b[0m",
        "\\n\\n\\n.",
        "\U000e0001" * 200,
        "?" * LONG,
        "Jh" + " " * LONG + "?",
    ],
    ids=short_id,
)
def test_a_card_nobody_printed(cards: str) -> None:
    said(with_line("cards", f'"{cards}"'))


@pytest.mark.parametrize("cards", ["Jh" * 100_000, "Jh Th " * 100_000, " " * LONG], ids=short_id)
def test_more_cards_than_a_deck_are_refused(cards: str) -> None:
    assert settled_or_said(with_line("cards", f'"{cards}"')) is None


# Names and keys

ODD_KEYS = [
    "\\n",
    "a\\nb",
    "\\u0000",
    "\\u001b[31m",
    "\\u2028",
    "\U000e0001" * 200,
    "\\u0007" * 200,
    "k" * LONG,
    "",
    '\\"',
]


@pytest.mark.parametrize("name", ["", "x" * 101, "x" * LONG], ids=short_id)
def test_a_player_has_a_name_of_sensible_length(name: str) -> None:
    assert "player must be a name" in said(with_line("player", f'"{name}"'))


@pytest.mark.parametrize(
    "name", ["\\n", "\\u0000", "\U000e0001" * 100, "\\u0007" * 100], ids=short_id
)
def test_a_player_of_odd_characters_in_two_far_boxes(name: str) -> None:
    text = with_line("player", f'"{name}"').replace("seat = 2", f'seat = 5\nplayer = "{name}"')
    assert settled_or_said(text) is None


@pytest.mark.parametrize("value", ['"x"', "1", '"$5"', "true"])
@pytest.mark.parametrize(
    "before", ["rulebook", "[paytables]", "[progressive]", "[cards]", "[[box]]", "meters", "resets"]
)
@pytest.mark.parametrize("key", ODD_KEYS, ids=short_id)
def test_an_odd_key_anywhere_gets_one_sentence(key: str, before: str, value: str) -> None:
    line = f'"{key}" = {value}'
    if before == "rulebook":
        text = f"{line}\n{UTH}"
    elif before in ("meters", "resets"):
        text = UTH.replace(f"{before} = {{ ", f"{before} = {{ {line}, ")
    else:
        text = UTH.replace(f"{before}\n", f"{before}\n{line}\n", 1)
    assert settled_or_said(text) is None


# Fuzzing


@st.composite
def spoilt_texts(draw: st.DrawFn) -> str:
    """A good round file with a few spans cut out, doubled, or written over."""
    text = draw(st.sampled_from(GOOD))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 40)))
        span = text[start:end]
        inserted = draw(
            st.sampled_from(["", span, span * 2, span[::-1], span.swapcase()])
            | st.text(max_size=8)
            | st.text('"$[]{}=,.#\\\n0123456789AKhs-', max_size=8)
        )
        text = text[:start] + inserted + text[end:]
    return text


@given(spoilt_texts())
def test_a_spoilt_text_gives_a_receipt_or_one_sentence(text: str) -> None:
    settled_or_said(text)


SCALARS = (
    st.booleans()
    | st.integers(-10, 10)
    | st.integers()
    | st.sampled_from([10**4_000, -(10**4_000)])
    | st.floats()
    | st.sampled_from([date(1979, 5, 27), time(7, 32), datetime(1979, 5, 27, 7, 32)])
    | st.text(max_size=20)
    | st.sampled_from(["$10", "$0", "$5", "$1.50", "A", "B", "Ah Kh", "final", "UTH-14", "\n"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=4,
)
KEYS = st.text(max_size=8) | st.sampled_from(
    ["seat", "player", "cards", "ante", "blind", "play", "wager", "hand", "main", "envy", "board"]
)


@st.composite
def spoilt_documents(draw: st.DrawFn) -> dict[str, Any]:
    """A good round with some values replaced, removed or added, wherever they stand."""
    document: dict[str, Any] = tomllib.loads(draw(st.sampled_from(GOOD)))
    for _ in range(draw(st.integers(1, 3))):
        table = draw(st.sampled_from(_tables(document)))
        kind = draw(st.sampled_from(["replace", "replace", "remove", "add"]))
        if kind == "add" or not table:
            table[draw(KEYS)] = draw(VALUES)
        elif kind == "remove":
            del table[draw(st.sampled_from(sorted(table)))]
        else:
            table[draw(st.sampled_from(sorted(table)))] = draw(VALUES)
    return document


def _tables(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [table for entry in value for table in _tables(entry)]
    if not isinstance(value, dict):
        return []
    return [value, *(table for inner in value.values() for table in _tables(inner))]


@given(spoilt_documents())
def test_a_spoilt_document_gives_a_receipt_or_one_sentence(document: dict[str, Any]) -> None:
    settled_or_said(written_toml(document))


@given(st.text(max_size=200))
def test_any_text_at_all_gives_one_sentence(text: str) -> None:
    assert settled_or_said(text) is None


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_the_little_writer_writes_toml(document: dict[str, Any]) -> None:
    assert repr(tomllib.loads(written_toml(document))) == repr(document)


# A little TOML writer: one key a line, everything below it inline.


def written_toml(document: dict[str, Any]) -> str:
    return "".join(f"{_string(key)} = {_inline(value)}\n" for key, value in document.items())


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, dict):
        pairs = (f"{_string(key)} = {_inline(inner)}" for key, inner in value.items())
        return "{" + ", ".join(pairs) + "}"
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _string(text: str) -> str:
    return '"' + "".join(f"\\U{ord(letter):08x}" for letter in text) + '"'
