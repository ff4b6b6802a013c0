"""A table drawn in the terminal from the view of one player: boxes, cards, stakes, meters.

The felt is a picture of one moment that only a terminal draws, so it is no report of
``documents/blocks.py``; the receipt below it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.box import ROUNDED
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from croupier.cli.screen import Screen
from croupier.cli.terminal import show_block
from croupier.documents.blocks import Grid
from croupier.facts.cards import Suit, card
from croupier.facts.money import meter_dollars, money
from croupier.table.narration import place_title, wager_title
from croupier.table.state import State
from croupier.table.views import BACK, BoxView, LineView, View

BoxRow = tuple[Text | str, ...]
FELT = "white on #0f3d2a"
WIDEST, NARROW = 100, 60


def draw(state: State, shown: View, you: str, balance_cents: int, console: Screen) -> None:
    """Dealer and board above, the boxes below, meters at the edge."""
    places = Table.grid(padding=(0, 2))
    for place in state.book.places:
        if place.name in shown.places:
            title = place_title(place.name).removeprefix("the ")
            places.add_row(
                title[:1].upper() + title[1:], cards_drawn(shown.places[place.name], console)
            )
    rows = [_box_row(state, shown, box, you, console) for box in shown.boxes]
    is_narrow = console.width < NARROW
    boxes = list(_stacked(rows)) if is_narrow else [_side_by_side(rows)]
    parts: list[RenderableType] = [places, Text(), *boxes]
    if shown.meters:
        meters = "   ".join(f"{n} {meter_dollars(micros)}" for n, micros in shown.meters.items())
        parts += [Text(), Text(f"Meters   {meters}", style="dim")]
    game = "" if is_narrow else f"{state.book.title.partition(',')[0]}, "
    panel = Panel(
        Group(*parts),
        title=f"{game}{state.book.id}, round {shown.round}",
        subtitle=f"your chips {money(balance_cents)}",
        box=ROUNDED,
        padding=(1, 1 if is_narrow else 2),
        width=min(console.width, WIDEST),
        style=FELT,
    )
    console.print(panel)


def _side_by_side(rows: list[BoxRow]) -> Table:
    boxes = Table.grid(padding=(0, 2), expand=True)
    for _ in range(4):
        boxes.add_column()
    boxes.add_column(ratio=1)
    boxes.add_column(justify="right")
    for row in rows:
        boxes.add_row(*row)
    return boxes


def _stacked(rows: list[BoxRow]) -> Iterator[RenderableType]:
    """On a narrow screen the wagers of a box stand below it."""
    for *head, stakes, net in rows:
        yield Text(" ").join(Text(each) if isinstance(each, str) else each for each in (*head, net))
        if stakes:
            yield Padding(stakes, (0, 0, 0, 4))


def _box_row(state: State, shown: View, box: BoxView, you: str, console: Screen) -> BoxRow:
    """Whose turn, which box, whose, its cards, its wagers, and how it stands."""
    own = "bold" if box.player == you else ""
    stakes = ", ".join(
        f"{wager_title(state, name)} {money(cents)}" for name, cents in box.stakes.items()
    )
    net = signed(box.net_cents, on_felt=True)
    return (
        ">" if shown.turn == box.seat else " ",
        Text(f"Box {box.seat}", style=own),
        Text(box.player, style=own),
        cards_drawn(box.cards, console),
        Text(stakes, style="dim" if box.folded else ""),
        Text("folded") if box.folded and box.net_cents is None else net,
    )


def cards_drawn(names: Iterable[str], console: Screen) -> Text:
    """Little cards: red and black on white, and their backs."""
    drawn = Text()
    for name in names:
        if name == BACK:
            drawn.append("▒▒" if console.shows_suits else "##", "white on blue")
        else:
            real = card(name)
            red = real.suit in (Suit.DIAMONDS, Suit.HEARTS)
            face = real.symbol if console.shows_suits else str(real)
            drawn.append(face, f"bold {'red' if red else 'black'} on white")
        drawn.append(" ")
    return drawn


def signed(net_cents: int | None, *, on_felt: bool = False) -> Text:
    """A result with its sign; on the green felt the colours are brighter."""
    if net_cents is None:
        return Text()
    bright = "bright_" if on_felt else ""
    if net_cents == 0:
        return Text("even", style=f"{bright}yellow")
    if net_cents > 0:
        return Text(f"+{money(net_cents)}", style=f"{bright}green")
    return Text(money(net_cents), style=f"{bright}red")


def draw_receipt(state: State, lines: Iterable[LineView], console: Screen) -> None:
    """Each wager of one box: what it staked, how it ended, what came back, and why."""
    rows, won = [], []
    for number, line in enumerate(lines):
        got = line.paid_cents + line.returned_cents
        won += [number] if line.outcome == "win" else []
        rows.append(
            (
                wager_title(state, line.wager),
                money(line.stake_cents) if line.stake_cents else "",
                line.outcome,
                line.odds or "" if line.outcome == "win" else "",
                money(got) if got else "",
                f"{line.shows}  {line.clause}".strip(),
            )
        )
    titles, widths = ("Wager", "Stake", "", "Odds", "To you", "Why"), (0, 0, 0, 0, 0, 1)
    if rows:
        show_block(Grid(titles, tuple(rows), "lrllrl", marked=tuple(won), widths=widths), console)
