"""The papers of a table: previews while it is being chosen, the pack that is filed, and a print.

A preview is drawn from the same model as the paper; the pack holds what ``croupier print`` writes,
and the submission as it was written, with its comments.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape

import msgspec

from croupier.documents.blocks import Document
from croupier.documents.dealer_card import dealer_card
from croupier.documents.document_set import MAKERS, PrintOrder
from croupier.documents.filing import Filing, filing_of
from croupier.documents.glyphs import check_letters
from croupier.documents.html import article, framed
from croupier.documents.html import page as printed_page
from croupier.documents.layout.check import checked_plan
from croupier.documents.layout.logo import Logo
from croupier.documents.layout.svg import drawn
from croupier.documents.mathematics.figures import Figures, figures_of
from croupier.documents.mathematics.report import mathematics
from croupier.documents.player_guide import player_guide
from croupier.documents.returns import base_rules
from croupier.documents.rules_submission import rules_submission
from croupier.documents.signs import signs_document
from croupier.exact.solution_cache import solved
from croupier.facts.errors import Unreadable
from croupier.facts.names import known_name
from croupier.facts.progress import Progress
from croupier.games.registry import Registry
from croupier.server.desk.earnings import TableValue
from croupier.server.desk.state import with_returns
from croupier.server.pages.rules_page import LINKED
from croupier.submission.check import check

LAYOUT = "layout"
PRINTED = f'{LINKED}<link rel="stylesheet" href="/static/style/printed.css">'
PRINTS = '<script type="module" src="/static/pages/printed.js"></script>'
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that a zip file knows: the same bytes every time
Papers = Mapping[str, bytes]


class Preview(msgspec.Struct, frozen=True, omit_defaults=True):
    """A paper as it would be now: a drawing, or a page that fetches our own style alone."""

    svg: str = ""
    html: str = ""


@dataclass(frozen=True)
class FilingPack:
    """The filing pack: every file by its name, and the same papers as one page to print."""

    files: Papers
    page: str

    def zipped(self) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, content in self.files.items():
                info = zipfile.ZipInfo(name, EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                packed.writestr(info, content)
        return out.getvalue()


PREVIEWS: Mapping[str, Callable[[Filing], Document]] = {
    "signs": signs_document,
    "submission": rules_submission,
    "dealer-card": dealer_card,
    "player-guide": player_guide,
}
"""By the name of the paper: the document that is shown of it."""


def filing_in(text: str, registry: Registry, value: TableValue | None = None) -> Filing:
    """A submission that can be filed; one with errors is refused with the first of them."""
    checked = check(text, registry)
    if checked.submission is None:
        raise Unreadable(f"this submission cannot be filed yet: {checked.errors[0]}")
    return filing_of(checked.submission, registry, with_returns(checked, registry, value))


def preview(text: str, name: str, registry: Registry, logo: Logo | None) -> Preview:
    """One paper as it would be now."""
    known_name(name, (LAYOUT, *PREVIEWS), "paper")
    filing = filing_in(text, registry)
    if name == LAYOUT:
        return Preview(svg=_drawing(filing, registry, logo))
    return Preview(html=printed_page(PREVIEWS[name](filing), LINKED))


def packed(
    text: str,
    file: str,
    registry: Registry,
    logo: Logo | None,
    before: str,
    progress: Progress,
) -> FilingPack:
    """The whole pack; what cannot be printed is told before anything is counted."""
    filing = filing_in(text, registry)
    check_letters(filing.submission)
    against = _version_before(before, filing, registry) if before else None
    letters = dict(filing.submission.paytables)
    rules = base_rules(registry, filing.book, letters)
    filing = filing_in(text, registry, TableValue(rules, solved(rules, progress)))
    figures = figures_of(filing, progress)
    order = PrintOrder(filing, registry, lambda _: figures, against, logo)
    files: dict[str, bytes] = {file: text.encode()}
    for number, (name, make) in enumerate(MAKERS.items()):
        progress(f"setting the {name.replace('-', ' ')}", number / len(MAKERS))
        files |= make(order)
    return FilingPack(files, _print_page(order, figures))


def _version_before(text: str, now: Filing, registry: Registry) -> Filing:
    before = filing_in(text, registry)
    if before.book is not now.book:
        raise Unreadable(
            f"the version before is under {before.book.id}, and this one under {now.book.id}; "
            "versions are compared under the same rulebook"
        )
    return before


def _drawing(filing: Filing, registry: Registry, logo: Logo | None) -> str:
    said = filing.submission
    if said.logo is not None and logo is None:
        raise Unreadable(f"facility.logo names {said.logo}; choose that file, or leave logo out")
    return drawn(checked_plan(said, registry, logo), logo)


def _print_page(order: PrintOrder, figures: Figures) -> str:
    """Every paper of the pack after the other, each on pages of its own."""
    filing = order.filing
    alt = escape(f"The table layout of {filing.place}, seen from the players' side.")
    articles = [
        article(rules_submission(filing, order.against)),
        f'<article><h1>Table Layout</h1><img alt="{alt}" src="files/layout.svg"></article>\n',
        article(signs_document(filing)),
        article(mathematics(figures)),
        article(dealer_card(filing)),
        article(player_guide(filing)),
    ]
    title = escape(f"{filing.place}: the pack")
    inside = f"<main>\n{''.join(articles)}</main>\n"
    style = PRINTED + PRINTS
    return framed(title, style, inside, draft=filing.submission.approved is None)
