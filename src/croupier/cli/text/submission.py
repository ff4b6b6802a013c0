"""A submission told for people: the table, its wagers, its Progressive and how it is dealt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.games.registry import Registry
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import Rulebook
from croupier.submission.labels import ABANDONED, DEVICES, money
from croupier.submission.submission import MeterOffer, ProgressiveOffer, Submission
from croupier.submission.value_kinds import percent


def tell_submission(submission: Submission, registry: Registry, console: Console) -> None:
    book = registry.book(submission.rulebook)
    name = f"{submission.facility}, table {submission.table}"
    console.print(Text(name, style="bold"), soft_wrap=True)
    for line in _table_lines(submission, book):
        console.print(Text(line), soft_wrap=True)
    console.print()
    console.print(_wagers(submission, book))
    console.print()
    if submission.progressive is not None:
        _tell_progressive(submission.progressive, book, console)
    for line in _dealing_lines(submission, book):
        console.print(Text(line), soft_wrap=True)
    console.print()


def _table_lines(submission: Submission, book: Rulebook) -> Iterator[str]:
    approved = f"approved {submission.approved}" if submission.approved else "not yet approved"
    version = f"version {submission.version}, " if submission.version else ""
    yield f"{book.title} ({book.id}); operator {submission.operator}; {version}{approved}"
    boxes = f"{submission.boxes} boxes, {submission.adjacent_boxes} side by side for one player"
    yield f"{boxes}; {'an electronic table' if submission.electronic else 'not electronic'}"
    if submission.payout_limit_cents is not None:
        yield f"Payout limit {money(submission.payout_limit_cents)} a hand"
    yield f"Abandoned wagers {ABANDONED[submission.abandoned_wagers]}"


def _wagers(submission: Submission, book: Rulebook) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("Wager", "Paytable", "Minimum", "Maximum", "In steps of"):
        table.add_column(name, justify="left" if name in ("Wager", "Paytable") else "right")
    letters = dict(submission.paytables)
    for wager in book.wagers:
        if wager.optional and wager.name not in letters:
            continue
        pays = letters.get(wager.name) or (str(wager.pays.odds) if wager.pays else "")
        limit = submission.limit(wager.name)
        if limit is not None:
            amounts = [money(amount) for amount in asdict(limit).values()]
        elif wager.name == PROGRESSIVE and submission.progressive is not None:
            amounts = [money(submission.progressive.stake_cents)] * 2
        else:
            amounts = []
        table.add_row(wager.title, pays, *amounts)
    if ENVY in letters:
        table.add_row("Envy", letters[ENVY])
    return table


def _tell_progressive(offer: ProgressiveOffer, book: Rulebook, console: Console) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("MeterOffer", "Starts at", "Resets to", "Grows by"):
        table.add_column(name, justify="left" if name == "MeterOffer" else "right")
    for meter in offer.meters:
        amounts = (money(meter.initial_cents), money(meter.reset_cents))
        table.add_row(meter.name, *amounts, _growth(meter))
    console.print(table)
    hands = book.progressive.hands if book.progressive is not None else {}
    if offer.hand is not None:
        console.print(Text(f"The Progressive hand is the {hands[offer.hand]}"))
    if offer.holder_must_wager is not None:
        needs = "must" if offer.holder_must_wager else "need not"
        console.print(Text(f"The holder of an Envy hand {needs} have made the Progressive wager"))
    console.print(Text(f"Accepted by {offer.system}"), soft_wrap=True)
    console.print()


def _dealing_lines(submission: Submission, book: Rulebook) -> Iterator[str]:
    titles = {way.way: way.title for way in book.dealing}
    yield f"Dealt {titles[submission.dealing.method]}"
    if submission.dealing.fallbacks:
        others = ", or ".join(titles[way] for way in submission.dealing.fallbacks)
        yield f"If a device is out of order, dealt {others}"
    there = [DEVICES[name] for name, is_there in asdict(submission.devices).items() if is_there]
    if there:
        yield f"Devices: {', '.join(there)}"
    backs = (
        f" with backs of {' and '.join(submission.decks.backs)}" if submission.decks.backs else ""
    )
    yield f"{submission.decks.count} {'deck' if submission.decks.count == 1 else 'decks'}{backs}"


def _growth(meter: MeterOffer) -> str:
    limit = f", up to {money(meter.limit_cents)}" if meter.limit_cents is not None else ""
    return f"{percent(meter.rate_ppm)} of each wager{limit}"
