"""HTML renderer of the report model: one page that fetches nothing, made for a phone too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from itertools import zip_longest

from croupier.documents.blocks import (
    AnyBlock,
    Columns,
    CommandLine,
    Document,
    Facts,
    Grid,
    Heading,
    Imprint,
    Picture,
    Prose,
    Steps,
    Story,
    changes,
)


def page(document: Document, style: str = "", above: str = "") -> str:
    """The document as one HTML file that needs no other.

    A page of a service forbids styles inside itself: it gives links in their place, and what stands
    above the document.
    """
    imprint = document.imprint
    title = escape(f"{imprint.title}: {imprint.game}")
    inside = f"{_header(imprint)}{_contents(document.blocks)}{_main(document)}{_footer(imprint)}"
    return framed(title, style or _style(), above + inside, draft=imprint.approved is None)


def framed(title: str, style: str, inside: str, *, draft: bool) -> str:
    """A page around what is written already; a draft says so behind everything."""
    marked = ' class="draft"' if draft else ""
    return (
        '<!doctype html>\n<html lang="en-US">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n{style}\n</head>\n<body{marked}>\n{inside}</body>\n</html>\n"
    )


def article(document: Document) -> str:
    """The document as one of several on a page, which has no anchors into it."""
    imprint = document.imprint
    main = _blocks(document.blocks, anchored=False)
    return f"<article>\n{_header(imprint)}{main}{_footer(imprint)}</article>\n"


def _header(imprint: Imprint) -> str:
    return (
        f'<header><p class="place">{escape(imprint.place)}</p><h1>{escape(imprint.title)}</h1>'
        f'<p class="game">{escape(imprint.game)}</p></header>\n'
    )


def _main(document: Document) -> str:
    return f"<main>\n{_blocks(document.blocks)}</main>\n"


def _footer(imprint: Imprint) -> str:
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
    return f"<footer>{foot}</footer>\n"


@cache
def _style() -> str:
    return f"<style>\n{(files('croupier.documents') / 'house.css').read_text('utf-8')}</style>"


def _contents(blocks: Iterable[AnyBlock]) -> str:
    heads = [block for block in blocks if isinstance(block, Heading) and block.level == 1]
    links = "".join(f'<a href="#{_anchor(head)}">{escape(head.text)}</a>' for head in heads)
    return f'<nav aria-label="Contents">{links}</nav>\n' if heads else ""


def _anchor(heading: Heading) -> str:
    return re.sub(r"[^a-z0-9]+", "-", heading.text.lower()).strip("-")


def _blocks(blocks: Iterable[AnyBlock], *, anchored: bool = True) -> str:
    return "".join(f"{_block(block, anchored)}\n" for block in blocks)


def _block(block: AnyBlock, anchored: bool) -> str:
    match block:
        case Heading():
            tag = f"h{block.level + 1}"
            anchor = f' id="{_anchor(block)}"' if anchored else ""
            return f"<{tag}{anchor}>{escape(block.text)}</{tag}>"
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
        case Story():
            return _story(block)
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
            parts = "".join(
                f"<div>{_blocks(part, anchored=anchored)}</div>" for part in block.parts
            )
            return f'<div class="columns">{parts}</div>'


def _story(story: Story) -> str:
    rows = "".join(
        f"<tr><td>{escape(line.time)}</td><td>{escape(line.who)}</td>"
        f'<td class="w">{escape(line.text)}</td><td><small>{escape(line.cited)}</small></td></tr>'
        for line in changes(story)
    )
    return f'<div class="wide" tabindex="0"><table><tbody>{rows}</tbody></table></div>'


def _clause(clause: str | None) -> str:
    return f" <small>{escape(clause)}</small>" if clause else ""


def _table(grid: Grid) -> str:
    widths = grid.widths or (0,) * len(grid.align)
    sides = [_side(letter, width) for letter, width in zip(grid.align, widths, strict=True)]
    head = "".join(
        f'<th scope="col"{side}>{escape(name)}</th>'
        for side, name in zip(sides, grid.columns, strict=True)
    )
    rows = [_row(row, sides, chosen=number in grid.marked) for number, row in enumerate(grid.rows)]
    remarks = [
        f'<tr><td class="beneath" colspan="{len(sides)}">{escape(remark)}</td></tr>'
        for remark in grid.beneath
    ]
    body = "".join(map("".join, zip_longest(rows, remarks, fillvalue="")))
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
