"""From blocks to a PDF: typst, the house style, and nothing that changes from run to run.

The document goes to ``house.typ`` as JSON, so no word of an operator is ever read as markup. Fonts
are the ones typst carries in itself; those of the machine are not looked at, and neither is its
clock: the date of a PDF is the date of the approval, or none. Every PDF is tagged (PDF/UA-1), and
an approved one also fit for the archive (PDF/A-2a).
"""

from __future__ import annotations

import datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.documents.blocks import Document, Imprint
from croupier.extras import DOCUMENTS, require

if TYPE_CHECKING:
    from typst import PDFStandard


def typeset(document: Document) -> bytes:
    """The finished PDF."""
    said = {"standing": document.imprint.standing, **msgspec.to_builtins(document)}
    return compiled("house.typ", said, document.imprint)


def typeset_drawing(svg: str, size_mm: tuple[float, float], alt: str, imprint: Imprint) -> bytes:
    """A drawing to scale on one page of its own size."""
    wide, tall = size_mm
    said = {"svg": svg, "alt": alt, "wide": wide, "tall": tall, "standing": imprint.standing}
    return compiled("layout.typ", {**said, "imprint": msgspec.to_builtins(imprint)}, imprint)


def compiled(style: str, said: dict[str, Any], imprint: Imprint | None) -> bytes:
    """What a style of this folder makes of the data; the same bytes for the same data."""
    require(DOCUMENTS)
    import typst

    approved = imprint.approved if imprint is not None else None
    standards: list[PDFStandard] = ["ua-1"] if approved is None else ["a-2a", "ua-1"]
    return typst.compile(
        _style(style),
        ignore_system_fonts=True,
        sys_inputs={"document": msgspec.json.encode(said).decode()},
        pdf_standards=standards,
        timestamp=_timestamp(approved),
    )


@cache
def _style(name: str) -> bytes:
    return (files("croupier.documents") / name).read_bytes()


def _timestamp(approved: datetime.date | None) -> datetime.datetime:
    day = approved or datetime.date(1970, 1, 1)
    return datetime.datetime.combine(day, datetime.time(), datetime.UTC)
