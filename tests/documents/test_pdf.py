"""PDFs: the same bytes each time, tagged, their fonts inside, every page saying what it is."""

from __future__ import annotations

import datetime

import msgspec
import pytest

from croupier.documents.blocks import (
    Columns,
    CommandLine,
    Document,
    Fact,
    Facts,
    Grid,
    Heading,
    Imprint,
    Picture,
    Prose,
    Steps,
    StepText,
    balanced,
)
from croupier.documents.dealer_card import dealer_card
from croupier.documents.html import page
from croupier.documents.layout.plan import plan
from croupier.documents.layout.svg import drawn
from croupier.documents.pdf import typeset, typeset_drawing
from croupier.documents.rules_submission import rules_submission
from croupier.documents.signs import typeset_signs
from croupier.games.registry import the_registry
from tests.documents.printing import (
    filed,
    fonts_inside,
    furthest_right,
    is_tagged,
    made_on,
    pages,
    text_of,
)

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" cx="4" cy="4"/></svg>'
)
HOSTILE = '#panic("x") $1 + 1$ *bold* _it_ @label <b>&amp; \\ " [x] // no'
IMPRINT = Imprint(
    title="Test Paper",
    game="A Game",
    place=HOSTILE,
    version="7",
    digest="0123456789abcdef" * 4,
    submission="fedcba9876543210" * 4,
    approved=None,
)
APPROVED = msgspec.structs.replace(IMPRINT, approved=datetime.date(2026, 1, 31))
BLOCKS = (
    Heading(HOSTILE, clause="1.A"),
    Prose(HOSTILE, clause="1.B", head="Head."),
    Grid((HOSTILE, "B"), ((HOSTILE, "2"),) * 80, "lr", caption=HOSTILE, marked=(0,)),
    Grid(("A", "B"), (("1", "2"), ("3", "4")), "lr", marked=(1,), beneath=(HOSTILE, HOSTILE)),
    Facts((Fact(HOSTILE, HOSTILE, HOSTILE),)),
    Picture(SVG, "A circle."),
    Columns(((Steps((StepText(HOSTILE, "1.C"),), first=4),), (CommandLine("croupier --help"),))),
)


@pytest.mark.parametrize("imprint", [IMPRINT, APPROVED], ids=["draft", "approved"])
@pytest.mark.parametrize("form", ["report", "card"])
def test_a_pdf_is_the_same_each_time_tagged_and_complete(imprint: Imprint, form: str) -> None:
    document = Document(imprint, BLOCKS[1:2] if form == "card" else BLOCKS, form)
    pdf = typeset(document)
    again = typeset(document) == pdf
    assert again
    assert is_tagged(pdf)
    assert fonts_inside(pdf)


def test_what_people_write_is_never_markup() -> None:
    text = text_of(typeset(Document(IMPRINT, BLOCKS))).replace(" ", "")
    assert text.count(HOSTILE.replace(" ", "")) >= 88


@pytest.mark.parametrize("imprint", [IMPRINT, APPROVED], ids=["draft", "approved"])
def test_every_page_tells_version_hash_and_standing(imprint: Imprint) -> None:
    told = pages(typeset(Document(imprint, BLOCKS)))
    assert len(told) > 1
    for number, text in enumerate(told, 1):
        for part in ("Version 7", "Rules 0123456789abcdef", f"Page {number} of {len(told)}"):
            assert part in text
        draft = imprint.approved is None
        assert ("Draft: not yet approved" in text, "DRAFT" in text) == (draft, draft)
        assert ("Approved January 31, 2026" in text) is not draft


def test_the_date_of_a_pdf_is_that_of_its_approval() -> None:
    assert made_on(typeset(Document(IMPRINT, BLOCKS[:1]))) == ""
    assert made_on(typeset(Document(APPROVED, BLOCKS[:1]))).startswith("D:20260131")


def test_a_drawing_fills_a_page_of_its_own_size() -> None:
    filing = filed("FCP-14", facility__name='"' + "W" * 60 + '"')
    layout = plan(filing.submission, the_registry())
    said = drawn(layout), layout.size_mm, "A felt", filing.imprint("Table Layout")
    pdf = typeset_drawing(*said)
    again = typeset_drawing(*said) == pdf
    assert again
    (text,) = pages(pdf)
    for part in ("Scale 1:1", "Draft: not yet approved", "W" * 60, "ANTE"):
        assert part in text
    assert fonts_inside(pdf)


def test_a_long_name_stays_on_the_page() -> None:
    name = "Wwwwww" * 16
    (text,) = pages(typeset(dealer_card(filed("UTH-S", facility__name=f'"{name}"'))))
    assert name in text.replace(" ", "")


@pytest.mark.parametrize(
    "key",
    [
        "facility__name",
        *(pytest.param(k, marks=pytest.mark.prove) for k in ("facility__operator", "table__id")),
    ],
)
def test_a_word_without_a_space_ends_before_the_edge(key: str) -> None:
    filing = filed("UTH-S", progressive__system=f'"{"M" * 90}"', **{key: f'"{"W" * 60}"'})
    for pdf in (typeset(rules_submission(filing)), typeset_signs(filing)):
        assert furthest_right(pdf) < 8.5 * 72 - 20


def test_columns_are_balanced_in_the_order_of_reading() -> None:
    grids = [Grid((str(n), ""), (("a", "b"),) * rows, "lr") for n, rows in enumerate((9, 3, 4, 8))]
    columns = balanced(grids, across=2)
    assert columns.parts == (tuple(grids[:2]), tuple(grids[2:]))
    assert balanced(grids[:1], across=3).parts == ((grids[0],), (), ())


def test_the_page_for_the_browser_says_the_same_and_fetches_nothing() -> None:
    html = page(Document(IMPRINT, BLOCKS))
    assert "<b>" not in html
    assert html.count("&lt;b&gt;&amp;amp;") >= 86
    for part in ('lang="en-US"', 'aria-label="A circle."', "Draft: not yet approved", SVG):
        assert part in html
    for foreign in ("src=", "@import", "url(", "<script", "<link"):
        assert foreign not in html
    assert 'class="draft"' not in page(Document(APPROVED, BLOCKS))


def test_a_remark_stands_below_its_row_on_a_page_too() -> None:
    grid = Grid(("A", "B"), (("1", "2"), ("3", "4")), "lr", beneath=("<one>", "other"))
    html = page(Document(IMPRINT, (grid,)))
    at = [html.index(part) for part in (">1<", "&lt;one&gt;", ">3<", "other</td>")]
    assert at == sorted(at)
    assert html.count('colspan="2"') == 2
