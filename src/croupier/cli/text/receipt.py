"""A settled round printed as the dealer would call it: cards, hands, each wager with its clause."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.padding import Padding
from rich.text import Text

from croupier.cli.screen import Screen
from croupier.facts.cards import Card, Suit
from croupier.facts.money import Micros, dollars, meter_dollars
from croupier.games.round import FinishedBox
from croupier.rulebook.book import Rulebook
from croupier.table.events import Outcome, WagerSettled
from croupier.table.receipt import Receipt

_COLORS = {
    Outcome.WIN: "green",
    Outcome.PUSH: "yellow",
    Outcome.LOSE: "red",
    Outcome.FORFEIT: "red",
    Outcome.RETURNED: "yellow",
}


def narrate(receipt: Receipt, console: Screen) -> None:
    """Print one settled round in the order it was settled."""
    round, book = receipt.round, receipt.round.rules.book
    console.print(Text(f"{book.title} ({book.id}, {book.edition})", style="bold"))
    for place in book.places:
        if place.name in round.cards:
            title = place.name.replace("_", " ").capitalize()
            console.print(Text(f"  {title:14}").append(_cards(round.cards[place.name], console)))
    dealer = round.rules.game.dealer(round).aloud
    console.print(Text(f"  Dealer's hand {dealer}"))
    for box in round.in_settling_order():
        console.print()
        _print_box(receipt, box, console)
    console.print()
    _print_table(receipt, console)
    console.print()


def _print_box(receipt: Receipt, box: FinishedBox, console: Screen) -> None:
    round = receipt.round
    whose = f" ({box.player})" if box.player else ""
    folded = ", folded" if round.folded(box) else ""
    heading = Text(f"Box {box.seat}{whose}  ", style="bold").append(_cards(box.cards, console))
    heading.append(f"  {round.rules.game.player(round, box).hand.aloud}{folded}", style="not bold")
    console.print(heading)
    for line in receipt.of(box.seat):
        _print_line(round.rules.book, line, console)
    net_cents = receipt.net_cents(box.seat)
    ends = "wins" if net_cents > 0 else "loses" if net_cents < 0 else "ends even"
    amount = f" {dollars(abs(net_cents))}" if net_cents else ""
    console.print(Text(f"  Box {box.seat} {ends}{amount}", style="bold"))


def _print_line(book: Rulebook, line: WagerSettled, console: Screen) -> None:
    stake = dollars(line.stake_cents) if line.stake_cents else ""
    odds = line.odds if line.odds is not None and line.outcome is Outcome.WIN else ""
    verb = "pays " if line.paid_cents > 0 else ""
    paid = f"{verb}{dollars(line.paid_cents)}" if line.paid_cents else ""
    back = f"back {dollars(line.returned_cents)}" if line.returned_cents else ""
    row = Text(f"  {_title(book, line.wager):15}{stake:>10}  ")
    outcome = "cut" if line.wager == "payout_limit" else line.outcome
    row.append(f"{outcome:8}", style=_COLORS[line.outcome])
    row.append(f"{odds:14}{paid:>14}{back:>14}".rstrip())
    if console.is_terminal and row.cell_len > console.width:  # broken between words, without gaps
        console.print(Padding(Text(re.sub(r" {3,}", "  ", row.plain.strip())), (0, 0, 0, 2)))
    else:
        console.print(row, soft_wrap=True)
    reason = Text(f"{line.clause}  {_because(line)}", style="dim")
    console.print(Padding(reason, (0, 0, 0, 6)))


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


def _print_table(receipt: Receipt, console: Screen) -> None:
    """What the house has to reconcile: the round as a whole, and each meter."""
    won_cents = -sum(receipt.net_cents(box.seat) for box in receipt.round.boxes)
    ends = "wins" if won_cents >= 0 else "loses"
    from_meters = sum(line.paid_cents for line in receipt.lines if line.meter is not None)
    meters = f", {dollars(from_meters)} of it paid from meters" if from_meters else ""
    sentence = f"The table {ends} {dollars(abs(won_cents))}{meters}"
    console.print(Text(sentence, style="bold"))
    for name, amount in receipt.meters.items():
        before = receipt.round.meters[name]
        moved = f", was {meter_dollars(before)}" if before != amount else ""
        label = "Meter" if name == "main" else f"{name.capitalize()} meter"
        console.print(Text(f"{label}: {meter_dollars(amount)}{moved}"))


def _cards(cards: Iterable[Card], console: Screen) -> Text:
    text = Text()
    for card in cards:
        red = card.suit in (Suit.DIAMONDS, Suit.HEARTS)
        text.append(
            f"{card.symbol if console.shows_suits else card} ", style="bold red" if red else "bold"
        )
    return text
