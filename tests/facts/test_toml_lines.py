"""Where a key stands: the scanner agrees with the reader of TOML on anything that is TOML."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.facts.toml_lines import DEEPEST, Path, TomlLines, _Scan
from croupier.submission.check import shipped_text
from tests.submission.forms import BOOKS

EVERYTHING = '''# a comment with [brackets] and = signs
top = 1
dotted.key."with space".'and \\ this' = 2
"quoted \\u0041" = "a # in text, a ] and a }"
date = 2026-01-31

[table]   # a comment
text = """
[not.a.table]
key = "no"
""""
literal = \'\'\'
x = 1
\'\'\'
after = true
list = [
  "a", # one
  "b",
  { name = "c", deep = { er = 1 } },
]
inline = { a = 1, "b c" = { d = 2 }, e.f = 3 }

[ table . sub ]
x = 1
[[box]]
seat = 1
[box.inner]
y = 2
[[box]]
seat = 2
[[box.part]]
z = 3
[[box.part]]
z = 4
[later.than]
w = 0
[later]
v = 0
'''.replace('""""\nliteral', '"""\nliteral')

PLACES: dict[Path, int] = {
    ("top",): 2,
    ("dotted",): 3,
    ("dotted", "key", "with space", "and \\ this"): 3,
    ("quoted A",): 4,
    ("date",): 5,
    ("table",): 7,
    ("table", "text"): 8,
    ("table", "literal"): 12,
    ("table", "after"): 15,
    ("table", "list"): 16,
    ("table", "list", 0): 17,
    ("table", "list", 1): 18,
    ("table", "list", 2, "deep", "er"): 19,
    ("table", "inline", "b c", "d"): 21,
    ("table", "inline", "e", "f"): 21,
    ("table", "sub"): 23,
    ("table", "sub", "x"): 24,
    ("box",): 25,
    ("box", 0): 25,
    ("box", 0, "inner", "y"): 28,
    ("box", 1, "seat"): 30,
    ("box", 1, "part", 0, "z"): 32,
    ("box", 1, "part", 1): 33,
    ("box", 1, "part", 1, "z"): 34,
    ("later", "than", "w"): 36,
    ("later",): 37,
    ("later", "v"): 38,
}


def paths(value: Any, above: Path = ()) -> set[Path]:
    """Every path of a document, as the reader of TOML gives it."""
    inside: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    found = {above} if above else set()
    for name, item in inside:
        found |= paths(item, (*above, name))
    return {path for path in found if len(path) <= DEEPEST}


@pytest.mark.parametrize(("path", "line"), PLACES.items())
def test_every_form_of_key(path: Path, line: int) -> None:
    assert TomlLines(EVERYTHING).of(path) == line


def test_the_same_keys_as_the_reader_of_toml() -> None:
    assert set(_Scan(EVERYTHING).scanned()) == paths(tomllib.loads(EVERYTHING))


@pytest.mark.parametrize("book", BOOKS)
def test_shipped_submissions(book: str) -> None:
    text = shipped_text(book)
    assert set(_Scan(text).scanned()) == paths(tomllib.loads(text))


def test_windows_line_ends() -> None:
    lines = TomlLines("a = 1\r\n[b]\r\nc = 2\r\n")
    assert (lines.of(("a",)), lines.of(("b",)), lines.of(("b", "c"))) == (1, 2, 3)


def test_what_is_missing_stands_with_its_table_and_a_missing_table_at_the_end() -> None:
    lines = TomlLines("\n[a]\nb = 1\n")
    assert lines.of(("a", "missing", "altogether")) == 2
    assert lines.of(("nothing",)) == 3
    assert TomlLines("").of(("nothing",)) == 1


def test_deep_brackets_are_passed_over() -> None:
    text = f"a = {'[' * 200}1{']' * 200}\nb = 2\n"
    assert TomlLines(text).of(("b",)) == 2
    assert TomlLines(f"a = {'{x = ' * 50}1{'}' * 50}\nb = 2\n").of(("b",)) == 2


keys = st.one_of(
    st.from_regex(r"[A-Za-z0-9_-]{1,4}", fullmatch=True),
    st.sampled_from(['"a b"', "'c.d'", '"\\u00e9"', '""', '"#"']),
)
values = st.recursive(
    st.sampled_from(["1", '"x"', "'y'", "true", '"a\\"b"', '"""m\n"\nn"""', "'''\n'\n'''", "1.5"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, max_size=3).map(
            lambda items: "[\n" + "".join(f"{i}, # c\n" for i in items) + "]"
        ),
        st.dictionaries(keys, inner, max_size=3).map(
            lambda items: "{" + ", ".join(f"{k} = {v}" for k, v in items.items()) + "}"
        ),
    ),
    max_leaves=6,
)
statements = st.one_of(
    st.tuples(st.lists(keys, min_size=1, max_size=3), values).map(
        lambda pair: f"{' . '.join(pair[0])} = {pair[1]}"
    ),
    st.lists(keys, min_size=1, max_size=3).map(lambda parts: f"[{'.'.join(parts)}] # t"),
    st.lists(keys, min_size=1, max_size=2).map(lambda parts: f"[[ {'.'.join(parts)} ]]"),
    st.sampled_from(["", "  # only a comment ] = ["]),
)


@given(st.lists(statements, max_size=8).map("\n".join))
def test_any_toml_has_the_same_keys(text: str) -> None:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        TomlLines(text)
        return
    assert set(_Scan(text).scanned()) == paths(document)


@given(st.text(alphabet="ab.=[]{}\"'#,\\\n 1"))
def test_any_text_is_scanned_to_its_end(text: str) -> None:
    TomlLines(text)
