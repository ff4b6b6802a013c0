"""How rounds end, by what was done and by the hand that was held; and what each line matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from croupier.documents.blocks import AnyBlock, Grid
from croupier.documents.round_words import capital
from croupier.exact.side_wagers import line_number
from croupier.exact.staked_side import JointEnding
from croupier.facts.cards import cards
from croupier.facts.hands import Hand, Ranking
from croupier.facts.showings import Showing
from croupier.paytables.search import PricedTable
from croupier.rulebook.book import Paytable

WON, TIED, LOST = 1, 0, -1
COLUMNS = ("Deals", "Won", "Tied", "Lost")
ShowdownWays = dict[int, int]


def ends_by_action(
    endings: Sequence[JointEnding],
    actions: Sequence[str],
    ranking: Ranking,
    tables: Sequence[Paytable],
) -> Iterator[AnyBlock]:
    """Against the dealer's hand, folded hands too: what would have come is part of the count."""
    total = sum(end.ways for end in endings)
    by_action: dict[str, ShowdownWays] = {action: {} for action in actions}
    by_hand: dict[str, ShowdownWays] = {}
    for end in sorted(endings, key=lambda end: ranking.hand(cards(end.hand)), reverse=True):
        name = f"{_class(ranking.hand(cards(end.hand)), tables)}: {end.action}"
        for counts in (by_action[end.action], by_hand.setdefault(name, {})):
            counts[end.showdown] = counts.get(end.showdown, 0) + end.ways
    rows = tuple((action, *_cells(counts, total)) for action, counts in by_action.items())
    yield Grid(
        ("Action", *COLUMNS), rows, "lrrrr", "How hands compare with the dealer's, by action"
    )
    hands = tuple((capital(name), *_cells(counts, total)) for name, counts in by_hand.items())
    yield Grid(
        ("Hand and action", *COLUMNS),
        hands,
        "lrrrr",
        "The same by the hands that a paytable of the base game names",
    )


def _class(hand: Hand, tables: Sequence[Paytable]) -> str:
    """The line that names a hand; all that no line names have as much in common."""
    for table in tables:
        line = line_number(table, Showing(hand, hand.cards))
        if line < len(table.lines):
            return table.lines[line].phrase
    return "any other hand" if tables else "any hand"


def _cells(counts: ShowdownWays, total: int) -> tuple[str, ...]:
    ways = sum(counts.values())
    shares = (Fraction(counts.get(end, 0), ways) if ways else 0 for end in (WON, TIED, LOST))
    return (f"{100 * ways / total:.4f}%", *(f"{100 * float(share):.3f}%" for share in shares))


def sensitivity(table: PricedTable, of: str, *, with_deviation: bool = True) -> Grid:
    """What one more on each line does."""
    rows = tuple(
        (
            capital(effect.name),
            f"{100 * float(effect.chance):.6f}%",
            f"{100 * float(effect.edge):+.6f}%",
            *([f"{effect.deviation:+.6f}"] if with_deviation else []),
        )
        for effect in table.effects()
    )
    names = ("One more for one on", "Paid in", "Edge", *(["Deviation"] if with_deviation else []))
    return Grid(names, rows, "lrrr"[: len(names)], f"What each line matters, {of}")
