"""The receipt of a settled round as sections of the report model: each wager with its clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.cli.terminal import TerminalSection
from croupier.documents.blocks import AnyBlock, Fact, Facts, Grid, Heading, Prose
from croupier.facts.cards import Card
from croupier.facts.money import Micros, dollars, meter_dollars
from croupier.games.round import FinishedBox
from croupier.rulebook.book import Rulebook
from croupier.table.events import Outcome, WagerSettled
from croupier.table.receipt import Receipt

COLUMNS, ALIGN = ("Wager", "Stake", "Outcome", "Odds", "Paid", "Back"), "lrllrr"


def receipt_report(receipt: Receipt) -> Iterator[TerminalSection]:
    """The cards, each box in the order it was settled, and what the house has to reconcile."""
    yield _cards_dealt(receipt)
    for box in receipt.round.in_settling_order():
        yield _box(receipt, box)
    yield _whole_table(receipt)


def _cards_dealt(receipt: Receipt) -> Iterator[AnyBlock]:
    round, book = receipt.round, receipt.round.rules.book
    yield Heading(f"{book.title} ({book.id}, {book.edition})")
    places = [
        Fact(place.name.replace("_", " ").capitalize(), _symbols(round.cards[place.name]))
        for place in book.places
        if place.name in round.cards
    ]
    dealer = round.rules.game.dealer(round).aloud
    yield Facts((*places, Fact("Dealer's hand", dealer)))


def _box(receipt: Receipt, box: FinishedBox) -> Iterator[AnyBlock]:
    round = receipt.round
    whose = f" ({box.player})" if box.player else ""
    folded = ", folded" if round.folded(box) else ""
    held = f"{round.rules.game.player(round, box).hand.aloud}{folded}"
    yield Prose(f"  {_symbols(box.cards)}  {held}", head=f"Box {box.seat}{whose}", tone="lead")
    lines = receipt.of(box.seat)
    yield Grid(
        COLUMNS,
        tuple(_row(round.rules.book, line) for line in lines),
        ALIGN,
        beneath=tuple(f"{line.clause}  {_because(line)}" for line in lines),
    )
    net_cents = receipt.net_cents(box.seat)
    ends = "wins" if net_cents > 0 else "loses" if net_cents < 0 else "ends even"
    amount = f" {dollars(abs(net_cents))}" if net_cents else ""
    yield Prose(f"Box {box.seat} {ends}{amount}", tone="lead")


def _row(book: Rulebook, line: WagerSettled) -> tuple[str, ...]:
    return (
        _title(book, line.wager),
        dollars(line.stake_cents) if line.stake_cents else "",
        "cut" if line.wager == "payout_limit" else line.outcome,
        line.odds if line.odds is not None and line.outcome is Outcome.WIN else "",
        dollars(line.paid_cents) if line.paid_cents else "",
        dollars(line.returned_cents) if line.returned_cents else "",
    )


def _because(line: WagerSettled) -> str:
    because = line.shows
    if line.meter is not None:
        after = meter_dollars(Micros(line.meter_after_micros))
        because += f"; the {line.meter} meter goes to {after}"
    if line.rulings:
        because += f" (ruling {', '.join(map(str, line.rulings))})"
    return because


def _title(book: Rulebook, wager: str) -> str:
    if book.has_wager(wager):
        return book.wager(wager).title
    return wager.replace("_", " ").capitalize()


def _whole_table(receipt: Receipt) -> Iterator[AnyBlock]:
    won_cents = -sum(receipt.net_cents(box.seat) for box in receipt.round.boxes)
    ends = "wins" if won_cents >= 0 else "loses"
    from_meters = sum(line.paid_cents for line in receipt.lines if line.meter is not None)
    meters = f", {dollars(from_meters)} of it paid from meters" if from_meters else ""
    yield Prose(f"The table {ends} {dollars(abs(won_cents))}{meters}", tone="lead")
    for name, amount in receipt.meters.items():
        before = receipt.round.meters[name]
        moved = f", was {meter_dollars(before)}" if before != amount else ""
        label = "Meter" if name == "main" else f"{name.capitalize()} meter"
        yield Prose(f"{label}: {meter_dollars(amount)}{moved}")


def _symbols(cards: Iterable[Card]) -> str:
    return " ".join(card.symbol for card in cards)
