"""Croupier: casino poker against the house, by the book.

Read a finished round and ask what it should have paid:

>>> import croupier
>>> round = croupier.read_round(croupier.example("uth"))
>>> receipt = croupier.settle(round)
>>> [(line.wager, str(line.outcome), line.paid_cents) for line in receipt.of(2)][:3]
[('ante', 'push', 0), ('blind', 'push', 0), ('play', 'win', 2000)]
"""

from __future__ import annotations

from importlib.resources import files

from croupier.facts.errors import Refusal, Unreadable
from croupier.games.house import House, the_house
from croupier.games.round import Box, Round
from croupier.games.rules import ProgressiveTerms, Rules, bind
from croupier.table import round_file
from croupier.table.receipt import Line, Outcome, Receipt
from croupier.table.settlement import settle

__all__ = [
    "Box",
    "House",
    "Line",
    "Outcome",
    "ProgressiveTerms",
    "Receipt",
    "Refusal",
    "Round",
    "Rules",
    "Unreadable",
    "bind",
    "example",
    "read_round",
    "settle",
    "the_house",
]


def read_round(text: str, house: House | None = None) -> Round:
    """Read a round file's text; see ``docs/round-file.md`` for the format."""
    return round_file.read_round(text, house or the_house())


def example(game: str) -> str:
    """The text of a shipped example round: ``uth`` or ``four-card``."""
    return (files("croupier") / "examples" / f"{game}.toml").read_text("utf-8")
