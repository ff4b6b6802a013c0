"""How a page of the reference is written down."""

from __future__ import annotations

from collections.abc import Iterable

MADE = "Made from the program itself when this site was built."


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heading = [_cell(each) for each in head]
    lines = [heading, ["---"] * len(heading), *([_cell(each) for each in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
