"""A side wager as it is staked beside a base game, and how both end in the same deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from croupier.exact.side_wagers import SideTerms
from croupier.facts.hands import Hand
from croupier.rulebook.book import Paytable

T = TypeVar("T")


@dataclass(frozen=True)
class StakedSide:
    """A side wager: the paytable that pays it, what it looks at, how it depends on play."""

    name: str
    table: Paytable
    judged_by: str
    terms: SideTerms


@dataclass(frozen=True)
class JointEnding:
    """One way a round ends, whatever the stakes: the action, the showdown (1 won, 0 tied, -1 lost),
    whether the dealer opens, a hand that stands for the player's, and by side wager its line: one
    past the last is a loss, two past it a tie."""

    action: str
    showdown: int
    dealer_opens: bool
    hand: str
    lines: tuple[int, ...]
    ways: int


def shared(ways: int, shares: Iterable[tuple[T, Fraction]]) -> Iterator[tuple[T, int]]:
    """These ways shared out: whose share they are, and how many."""
    for whose, share in shares:
        count = ways * share
        assert count.denominator == 1, "what its suits alone tell apart comes equally often"
        yield whose, count.numerator


def joined(endings: Iterable[JointEnding]) -> Iterator[JointEnding]:
    """Endings that differ in nothing but their ways, added up; those without any left out."""
    ways: dict[JointEnding, int] = {}
    for ending in endings:
        key = replace(ending, ways=0)
        ways[key] = ways.get(key, 0) + ending.ways
    for ending, count in ways.items():
        if count:
            yield replace(ending, ways=count)


def written(hand: Hand) -> str:
    """A hand's cards as text, so that an ending can be kept."""
    return " ".join(map(str, hand.cards))
