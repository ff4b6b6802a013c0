"""How each kind of value is written in a submission; a reader says what would be right."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import Cents, cents

Reader = Callable[[object], object]
LONGEST_NAME = 100
PPM = 1_000_000
_PERCENT = re.compile(r"(\d{1,3})(?:\.(\d{1,4}))?%", re.ASCII)


def name(value: object) -> str:
    """A word or a few, on one line."""
    text = _text(value, 'must be text in quotes, like "..."')
    if not text.strip() or not text.isprintable() or len(text) > LONGEST_NAME:
        raise Unreadable(f"must be a text of 1 to {LONGEST_NAME} characters on one line")
    return text


def names(value: object) -> tuple[str, ...]:
    """A list of words."""
    if not isinstance(value, list):
        raise Unreadable('must be a list of texts, like ["...", "..."]')
    return tuple(name(item) for item in value)


def one_of(*words: str) -> Reader:
    """One of a few words."""
    allowed = " or ".join(f'"{word}"' for word in words)

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise Unreadable(f"must be {allowed}")
        return value

    return read


def amount(value: object) -> Cents:
    """Money, in quotes."""
    return cents(_text(value, 'must be an amount in quotes, like "$10"'))


def stake(value: object) -> Cents:
    """Money that can be wagered: more than nothing."""
    read = amount(value)
    if read == 0:
        raise Unreadable("must be more than $0")
    return read


def count(value: object) -> int:
    """A whole number of things, one or more."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Unreadable("must be a whole number without quotes, like 6")
    if not 1 <= value <= 1000:
        raise Unreadable("must be a number of things that can be counted: 1 or more")
    return value


def flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise Unreadable("must be true or false, without quotes")
    return value


def rate_ppm(value: object) -> int:
    """A share of each wager, written as a percentage and kept in millionths."""
    text = _text(value, 'must be a percentage in quotes, like "4%"')
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise Unreadable(f'is {quoted(text)}; it must be a percentage, like "4%" or "2.5%"')
    return int(match[1]) * PPM // 100 + int((match[2] or "").ljust(4, "0"))


def date(value: object) -> datetime.date:
    if not isinstance(value, datetime.date) or isinstance(value, datetime.datetime):
        raise Unreadable("must be a date without quotes, like 2026-01-31")
    return value


def rate_text(ppm: int) -> str:
    """A rate as :func:`rate_ppm` reads it."""
    whole, rest = divmod(ppm, PPM // 100)
    decimals = f"{rest:04}".rstrip("0")
    return f"{whole}.{decimals}%" if decimals else f"{whole}%"


def _text(value: object, form: str) -> str:
    if not isinstance(value, str):
        raise Unreadable(form)
    return value
