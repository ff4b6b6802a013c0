"""Shipped submissions with a line or two changed, and what the check then says."""

from __future__ import annotations

from croupier.games.registry import the_registry
from croupier.submission.check import CheckedSubmission, check, shipped_text
from croupier.submission.finding import Finding

BOOKS = ("UTH-S", "UTH-14", "FCP-14")


def edited(book: str, **lines: str | None) -> str:
    """The shipped text with ``table__boxes="9"`` written, or left out where it is None."""
    text = shipped_text(book)
    for key, value in lines.items():
        *table, name = key.split("__")
        text = with_line(text, ".".join(table), name, value)
    return text


def with_line(text: str, table: str, name: str, value: str | None) -> str:
    """The same text with one line of a table changed, added or left out."""
    written = [f"{name} = {value}"] if value is not None else []
    before, body, after = _split(text.split("\n"), f"[{table}]" if table else "")
    place = next((n for n, line in enumerate(body) if line.startswith(f"{name} = ")), None)
    body = [*body[:place], *written, *body[place + 1 :]] if place is not None else written + body
    return "\n".join([*before, *body, *after])


def without_table(text: str, table: str) -> str:
    """The same text without a table; its header goes too."""
    before, _, after = _split(text.split("\n"), f"[{table}]")
    return "\n".join([*before[:-1], *after])


def _split(lines: list[str], header: str) -> tuple[list[str], list[str], list[str]]:
    """The lines up to and with a header, those of its table, and the rest."""
    starts = [n for n, line in enumerate(lines) if line.startswith("[")]
    if not header:
        return [], lines[: starts[0]], lines[starts[0] :]
    named = (n for n in starts if lines[n].split("#")[0].strip() == header)
    start = next(named, None)
    if start is None:
        return [*lines, header], [], []
    end = next((n for n in starts if n > start), len(lines))
    return lines[: start + 1], lines[start + 1 : end], lines[end:]


def checked(text: str) -> CheckedSubmission:
    return check(text, the_registry())


def found(text: str, key: str) -> list[Finding]:
    """The findings about one key."""
    return [finding for finding in checked(text).findings if finding.key == key]
