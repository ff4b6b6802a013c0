"""Filings to print, and what can be read in a finished PDF."""

from __future__ import annotations

import re
from dataclasses import replace

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from croupier.documents.filing import Filing, filing_of
from croupier.documents.round_words import hand_words
from croupier.facts.odds import odds
from croupier.games.registry import the_registry
from croupier.rulebook.book import Paytable
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Dealing
from tests.documents.layouts import without
from tests.submission.forms import checked, edited, with_line

ODDS = re.compile(r"\d[\d,]* (?:to|for) \d+|\d+% of (?:meter|mega|major|minor)")


def filed(book: str, **lines: str | None) -> Filing:
    """The shipped table of a book with some lines of its submission changed."""
    return filing_in(edited(book, **lines))


def filing_in(text: str) -> Filing:
    found = checked(text)
    assert found.submission is not None, found.errors
    return filing_of(found.submission, the_registry(), found.findings)


def plain(book: str) -> Filing:
    """The same table with nothing but its base game and what its layout always has."""
    text = edited(book)
    for wager in ("six_card_bonus", "ultimate_pairs", "bad_beat", "play_the_board"):
        text = with_line(text, "paytables", wager, None)
        text = with_line(text, "limits", wager, None)
    for wager in ("progressive", "envy"):
        text = with_line(text, "paytables", wager, None)
    text = re.sub(r"\[progressive\].*?(?=\[dealing\])", "", text, flags=re.DOTALL)
    return filing_in(text)


def without_side_wagers(book: str) -> Filing:
    """The base game alone."""
    table = shipped_submission(book)
    optional = [w.name for w in the_registry().book(book).wagers if w.optional]
    return filing_of(without(table, *optional), the_registry())


def dealt_by(filing: Filing, way: str) -> Filing:
    return replace(filing, submission=replace(filing.submission, dealing=Dealing(way)))


def pages(pdf: bytes) -> list[str]:
    """What each page says, on one line and with plain quotes."""
    document = pypdfium2.PdfDocument(pdf)
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return [_plain(text) for text in texts]


def text_of(pdf: bytes) -> str:
    return " ".join(pages(pdf))


def _plain(text: str) -> str:
    quotes = str.maketrans({"\u2019": "'", "\u201c": '"', "\u201d": '"', "\ufffe": "-"})
    return " ".join(text.translate(quotes).split())


def fonts_inside(pdf: bytes) -> bool:
    """Whether there is text, and the font of every piece of it lies in the file."""
    document = pypdfium2.PdfDocument(pdf)
    inside = [
        bool(pdfium.FPDFFont_GetIsEmbedded(pdfium.FPDFTextObj_GetFont(thing.raw)))
        for page in document
        for thing in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], max_depth=6)
    ]
    document.close()
    return bool(inside) and all(inside)


def furthest_right(pdf: bytes) -> float:
    """Where the outermost letter of all pages ends, in points."""
    document = pypdfium2.PdfDocument(pdf)
    texts = [page.get_textpage() for page in document]
    most = max(
        text.get_charbox(n, loose=True)[2] for text in texts for n in range(text.count_chars())
    )
    document.close()
    return float(most)


def is_tagged(pdf: bytes) -> bool:
    return b"/StructTreeRoot" in pdf and b"/Marked true" in pdf


def made_on(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    day = document.get_metadata_value("CreationDate")
    document.close()
    return str(day)


def tables(filing: Filing) -> list[Paytable]:
    """Everything that pays at this table."""
    envy = [filing.rules.envy] if filing.rules.envy is not None else []
    return [*(table for _, _, table in filing.paytables()), *envy]


def allowed_odds(filing: Filing) -> set[str]:
    """Every odds the table pays, as they are printed."""
    even = {str(w.pays.odds) for w in filing.offered() if w.pays is not None}
    return even | {str(line.odds) for table in tables(filing) for line in table.lines}


def assert_pays_only_what_is_offered(filing: Filing, text: str) -> None:
    """Every payout line is there, and no odds that the table does not pay."""
    for table in tables(filing):
        for line in table.lines:
            shown = hand_words(line, table)
            assert f"{shown} {line.odds}" in text, (line.phrase, str(line.odds))
    told = {found for found in ODDS.findall(text) if not found.startswith("0")}
    assert {str(odds(found)) for found in told} <= allowed_odds(filing)
    for wager in filing.book.wagers:
        if not filing.rules.offers(wager.name):
            assert wager.title not in text


def struck_letters(pdf: bytes, most_pt: float) -> list[str]:
    """Letters up to this size that a horizontal rule goes through, each with its page."""
    document, struck = pypdfium2.PdfDocument(pdf), []
    for number, page in enumerate(document, 1):
        drawn = [thing.get_bounds() for thing in page.get_objects((pdfium.FPDF_PAGEOBJ_PATH,))]
        rules = [
            (left, (low + high) / 2, right) for left, low, right, high in drawn if high - low < 3
        ]
        text = page.get_textpage()
        for at in range(text.count_chars()):
            letter = text.get_text_range(at, 1)
            if not letter.strip() or pdfium.FPDFText_GetFontSize(text, at) > most_pt:
                continue
            left, bottom, right, top = text.get_charbox(at)
            if any(x < right and left < end and bottom < y < top for x, y, end in rules):
                struck.append(f"page {number}: {letter}")
    document.close()
    return struck
