"""What a hand is called in charts, solutions and strategy files: ``AKs``, ``flush, ace up``."""

from __future__ import annotations

from croupier.facts.cards import Card, Rank
from croupier.facts.hands import Category, Hand


def start_name(one: Card, other: Card) -> str:
    """Two cards of Hold'em: a pair, suited or offsuit."""
    low, high = sorted((one.rank, other.rank))
    return square_name(high, low) if one.suit == other.suit else square_name(low, high)


def square_name(row: Rank, column: Rank) -> str:
    """One square of the chart of starting hands: suited above the diagonal, offsuit below it."""
    high, low = max(row, column), min(row, column)
    return high.letter + low.letter + ("" if row == column else "s" if row > column else "o")


def four_card_name(hand: Hand) -> str:
    """Pairs and high cards by their rank, everything better by its category."""
    if hand.category in (Category.PAIR, Category.HIGH_CARD):
        return hand.aloud
    return str(hand.category)


def facing(name: str, *ups: Rank) -> str:
    """A hand against the ranks that the dealer shows."""
    return f"{name}, {' and '.join(up.one for up in ups)} up" if ups else name


def without_up(name: str) -> str:
    """The hand of a name that :func:`facing` made."""
    return name.rpartition(", ")[0]
