"""TOML as people write it, read whole or refused in one sentence that says which line."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from croupier.facts.errors import Unreadable, quoted

MOST_DOTS = 500


class NotToml(Unreadable):
    """The text is no TOML; ``line`` is where its reader stopped, where it says so."""

    def __init__(self, sentence: str, line: int | None = None) -> None:
        super().__init__(sentence)
        self.line = line


def read_toml(text: str, repeated: str = "") -> dict[str, Any]:
    """Read TOML; ``repeated`` tells how to write what may stand there more than once."""
    # The reader of TOML takes its time over dotted keys: the square of their number of parts.
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > MOST_DOTS:
            raise NotToml("a line in it has more dots than anything on a table", number)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _complaint(text, str(error), repeated) from None
    except ValueError:
        raise NotToml("a number in it has more digits than anything on a table") from None
    except RecursionError:
        raise NotToml("its brackets are nested deeper than anything on a table") from None


def toml_quote(text: str) -> str:
    """A text as TOML writes it, in quotes."""
    # TOML wants its delete character escaped and knows no surrogate pairs.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _complaint(text: str, complaint: str, repeated: str) -> NotToml:
    """What the reader of TOML did not like, with the line itself and what would be right."""
    place = re.search(r"at line (\d{1,9})", complaint)
    lines = text.split("\n")
    if place is None or int(place[1]) > len(lines):
        return NotToml(f"this is not TOML: it ends too early ({complaint[:100]})", len(lines))
    number = int(place[1])
    hint = next((hint for sign, hint in _HINTS if sign in complaint), "check this line")
    also = f" ({repeated})" if repeated and hint == _TWICE else ""
    reads = quoted(lines[number - 1].strip(), 60)
    return NotToml(f"this is not TOML: line {number} reads {reads}; {hint}{also}", number)


_TWICE = "this name is written twice"
_HINTS = (
    ("Cannot overwrite", _TWICE),
    ("Cannot declare", _TWICE),
    ("Illegal character '\\n'", "a quote is not closed"),
    ("Illegal character", "it holds a character that cannot be seen"),
    ("Invalid value", 'text and amounts stand in straight quotes, like "$15"; yes is true'),
    ("Expected '='", "a line is a name, = and a value"),
)
