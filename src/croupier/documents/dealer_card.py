"""The dealer's card: one page with the round in its order, the payouts and what to do when."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.documents.blocks import (
    Columns,
    Document,
    Grid,
    Heading,
    Steps,
    balanced,
)
from croupier.documents.filing import Filing
from croupier.documents.round_words import RoundWords, capital, hand_words
from croupier.rulebook.book import Irregularity, Paytable


def dealer_card(filing: Filing) -> Document:
    way = filing.book.way(filing.submission.dealing.method)
    words = RoundWords(filing, way)
    before, cards, end = (tuple(part()) for part in (words.wagers_close, words.deal, words.settle))
    left = (
        Heading("Wagers"),
        Steps(before),
        Heading(f"The deal, {way.title}"),
        Steps(cards, first=len(before) + 1),
    )
    right = (Heading("Settling"), Steps(end, first=len(before) + len(cards) + 1))
    blocks = (
        Columns((left, right)),
        Heading("What is paid"),
        payout_slips(filing),
        Heading("When something goes wrong"),
        _irregular(filing),
    )
    return Document(filing.imprint("Dealer's Card"), blocks, form="card")


def payout_slips(filing: Filing) -> Columns:
    """Every paytable in little, its title for a heading; few of them have more room each."""
    slips = [slip(title, table) for title, table in _tables(filing)]
    return balanced(slips, across=4 if len(slips) > 6 else 3)


def _tables(filing: Filing) -> Iterator[tuple[str, Paytable]]:
    for wager, letter, table in filing.paytables():
        yield f"{wager.title} {letter}".strip(), table
    if filing.rules.envy is not None:
        yield "Envy, to each other", filing.rules.envy


def slip(title: str, table: Paytable) -> Grid:
    rows = tuple((hand_words(line, table), str(line.odds)) for line in table.lines)
    return Grid((title, ""), rows, "lr", widths=(1, 0))


def _remedy(filing: Filing, case: Irregularity) -> str:
    """What to do; where nothing can be settled after it, because it is not offered, all go back."""
    if case.still_settles and not any(map(filing.rules.offers, case.still_settles)):
        return "return every wager and reshuffle the cards"
    return case.remedy


def _irregular(filing: Filing) -> Columns:
    rows = [
        (case.happens, capital(_remedy(filing, case)), case.clause)
        for case in filing.book.irregularities
    ]
    half = -(-len(rows) // 2)
    return Columns(
        tuple(
            (Grid(("It happens", "You", "Clause"), tuple(part), "lll", widths=(5, 5, 0)),)
            for part in (rows[:half], rows[half:])
            if part
        )
    )
