"""Report of a submission: the table, its wagers, its Progressive and how it is dealt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from croupier.cli.terminal import TerminalSection
from croupier.documents.blocks import AnyBlock, Grid, Heading, Prose
from croupier.facts.money import money
from croupier.games.registry import Registry
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import Rulebook
from croupier.submission.labels import ABANDONED, DEVICES
from croupier.submission.submission import MeterOffer, ProgressiveOffer, Submission
from croupier.submission.value_kinds import rate_text


def submission_report(submission: Submission, registry: Registry) -> Iterator[TerminalSection]:
    book = registry.book(submission.rulebook)
    name = f"{submission.facility}, table {submission.table}"
    yield Heading(name), *map(Prose, _table_lines(submission, book))
    yield (_wagers(submission, book),)
    if submission.progressive is not None:
        yield _progressive(submission.progressive, book)
    yield map(Prose, _dealing_lines(submission, book))


def _table_lines(submission: Submission, book: Rulebook) -> Iterator[str]:
    approved = f"approved {submission.approved}" if submission.approved else "not yet approved"
    version = f"version {submission.version}, " if submission.version else ""
    yield f"{book.title} ({book.id}); operator {submission.operator}; {version}{approved}"
    boxes = f"{submission.boxes} boxes, {submission.adjacent_boxes} side by side for one player"
    yield f"{boxes}; {'an electronic table' if submission.electronic else 'not electronic'}"
    if submission.payout_limit_cents is not None:
        yield f"Payout limit {money(submission.payout_limit_cents)} a hand"
    yield f"Abandoned wagers {ABANDONED[submission.abandoned_wagers]}"


def _wagers(submission: Submission, book: Rulebook) -> Grid:
    rows = []
    letters = dict(submission.paytables)
    for wager in book.wagers:
        if wager.optional and wager.name not in letters:
            continue
        pays = letters.get(wager.name) or (str(wager.pays.odds) if wager.pays else "")
        limit, amounts = submission.limit(wager.name), ["", "", ""]
        if limit is not None:
            amounts = [money(amount) for amount in asdict(limit).values()]
        elif wager.name == PROGRESSIVE and submission.progressive is not None:
            amounts[:2] = [money(submission.progressive.stake_cents)] * 2
        rows.append((wager.title, pays, *amounts))
    if ENVY in letters:
        rows.append(("Envy", letters[ENVY], "", "", ""))
    return Grid(("Wager", "Paytable", "Minimum", "Maximum", "In steps of"), tuple(rows), "llrrr")


def _progressive(offer: ProgressiveOffer, book: Rulebook) -> Iterator[AnyBlock]:
    rows = tuple(
        (meter.name, money(meter.initial_cents), money(meter.reset_cents), _growth(meter))
        for meter in offer.meters
    )
    yield Grid(("Meter", "Starts at", "Resets to", "Grows by"), rows, "lrrr")
    hands = book.progressive.hands if book.progressive is not None else {}
    if offer.hand is not None:
        yield Prose(f"The Progressive hand is the {hands[offer.hand]}")
    if offer.holder_must_wager is not None:
        needs = "must" if offer.holder_must_wager else "need not"
        yield Prose(f"The holder of an Envy hand {needs} have made the Progressive wager")
    yield Prose(f"Accepted by {offer.system}")


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
    return f"{rate_text(meter.rate_ppm)} of each wager{limit}"
