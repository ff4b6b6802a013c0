"""HTML renderer of the report model: one page that fetches nothing, made for a phone too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files

from croupier.documents.blocks import (
    AnyBlock,
    Columns,
    CommandLine,
    Document,
    Facts,
    Grid,
    Heading,
    Picture,
    Prose,
    Steps,
)


def page(document: Document, style: str = "", above: str = "") -> str:
    """The document as one HTML file that needs no other.

    A page of a service forbids styles inside itself: it gives links in their place, and what stands
    above the document.
    """
    imprint = document.imprint
    title = escape(f"{imprint.title}: {imprint.game}")
    draft = ' class="draft"' if imprint.approved is None else ""
    foot = " · ".join(
        escape(part)
        for part in (
            imprint.place,
            imprint.title,
            f"Version {imprint.version}",
            imprint.standing,
            f"Rules {imprint.digest}" if imprint.digest else "",
            f"Submission {imprint.submission}" if imprint.submission else "",
        )
        if part
    )
    return (
        '<!doctype html>\n<html lang="en-US">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n{style or _style()}\n</head>\n<body{draft}>\n{above}"
        f'<header><p class="place">{escape(imprint.place)}</p><h1>{escape(imprint.title)}</h1>'
        f'<p class="game">{escape(imprint.game)}</p></header>\n'
        f"{_contents(document.blocks)}<main>\n{_blocks(document.blocks)}</main>\n"
        f"<footer>{foot}</footer>\n</body>\n</html>\n"
    )


@cache
def _style() -> str:
    return f"<style>\n{(files('croupier.documents') / 'house.css').read_text('utf-8')}</style>"


def _contents(blocks: Iterable[AnyBlock]) -> str:
    heads = [block for block in blocks if isinstance(block, Heading) and block.level == 1]
    links = "".join(f'<a href="#{_anchor(head)}">{escape(head.text)}</a>' for head in heads)
    return f'<nav aria-label="Contents">{links}</nav>\n' if heads else ""


def _anchor(heading: Heading) -> str:
    return re.sub(r"[^a-z0-9]+", "-", heading.text.lower()).strip("-")


def _blocks(blocks: Iterable[AnyBlock]) -> str:
    return "".join(f"{_block(block)}\n" for block in blocks)


def _block(block: AnyBlock) -> str:
    match block:
        case Heading():
            tag = f"h{block.level + 1}"
            return f'<{tag} id="{_anchor(block)}">{escape(block.text)}</{tag}>'
        case Prose():
            head = f"<strong>{escape(block.head)}</strong> " if block.head else ""
            return f'<p class="{block.tone}">{head}{escape(block.text)}{_clause(block.clause)}</p>'
        case Grid():
            return _table(block)
        case Facts():
            rows = "".join(
                f"<div><dt>{escape(row.label)}</dt><dd>{escape(row.value)}"
                f"<small>{escape(row.beside)}</small></dd></div>"
                for row in block.rows
            )
            return f"<dl>{rows}</dl>"
        case Picture():
            caption = f"<figcaption>{escape(block.caption)}</figcaption>" if block.caption else ""
            drawing = f'<div role="img" aria-label="{escape(block.alt)}">{block.svg}</div>'
            return f"<figure>{caption}{drawing}</figure>"
        case Steps():
            steps = "".join(
                f"<li>{escape(step.text)}{_clause(step.clause)}</li>" for step in block.steps
            )
            return f'<ol start="{block.first}">{steps}</ol>'
        case CommandLine():
            return f"<pre><code>{escape(block.text)}</code></pre>"
        case Columns():
            parts = "".join(f"<div>{_blocks(part)}</div>" for part in block.parts)
            return f'<div class="columns">{parts}</div>'


def _clause(clause: str | None) -> str:
    return f" <small>{escape(clause)}</small>" if clause else ""


def _table(grid: Grid) -> str:
    widths = grid.widths or (0,) * len(grid.align)
    sides = [_side(letter, width) for letter, width in zip(grid.align, widths, strict=True)]
    head = "".join(
        f'<th scope="col"{side}>{escape(name)}</th>'
        for side, name in zip(sides, grid.columns, strict=True)
    )
    body = "".join(
        _row(row, sides, chosen=number in grid.marked) for number, row in enumerate(grid.rows)
    )
    caption = f"<caption>{escape(grid.caption)}</caption>" if grid.caption else ""
    table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide" tabindex="0">{table}</div>'


def _side(letter: str, width: int) -> str:
    """A column that has a share of the line holds sentences, which break."""
    if letter == "r":
        return ' class="r"'
    return ' class="w"' if width else ""


def _row(row: Iterable[str], sides: list[str], chosen: bool) -> str:
    cells = (f"<td{side}>{escape(cell)}</td>" for side, cell in zip(sides, row, strict=True))
    return f"<tr{' class=chosen' if chosen else ''}>{''.join(cells)}</tr>"
