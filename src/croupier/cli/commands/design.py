"""``croupier design``: every paytable of a wager that meets its targets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.cli.book_choice import AS_PRINTED, VariantOption, chosen_book
from croupier.cli.commands.solve import chosen_rules, in_dollars, progress_bar
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.design import design_report
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import Cents
from croupier.facts.names import known_name
from croupier.games.registry import Registry
from croupier.paytables.design import PaytableDesign
from croupier.paytables.design import design as design_of
from croupier.paytables.search import MOST_FOUND, MOST_PAID, Target

PARTS = {"whole": 1, "halves": 2}
AS_IS = "as-is"
SHOWN = 10
_NUMBER = r"(\d{1,4}(?:\.\d{1,9})?)%?"
_RANGE = re.compile(rf"(-?){_NUMBER}\.\.(-?){_NUMBER}", re.ASCII)
_PERCENT = re.compile(_NUMBER, re.ASCII)


@dataclass(frozen=True)
class Wanted:
    """What a paytable must meet.

    Parameters
    ----------
    edge
        The house edge in percent of the stake, like 1.8..2.2; of a base game, of the Ante; of a
        Progressive, over many rounds.
    top
        What the rarest line pays, for one; otherwise up to twice what a line pays now.
    odds
        How finely odds are written: whole or halves.
    hits
        as-is: every line pays. Otherwise the commonest ones may be left out.
    volatility
        The standard deviation of the wager in stakes, like 2.5..3.
    near
        The paytable by its letter to which others should be near; otherwise the first.
    """

    edge: str
    top: int | None = None
    odds: str = "whole"
    hits: str | None = None
    volatility: str | None = None
    near: str | None = None


@dataclass(frozen=True)
class Meters:
    """A Progressive.

    Parameters
    ----------
    seats
        How many boxes play a Progressive, which decides what Envy brings; otherwise all.
    rate
        The rate of all its meters together that others should be near, like 18%.
    """

    seats: int | None = None
    rate: str | None = None


NO_METERS = Meters()


def design(
    wager: str,
    /,
    *,
    wanted: Annotated[Wanted, Parameter(name="*")],
    meters: Annotated[Meters, Parameter(name="*")] = NO_METERS,
    stake: str = "1",
    most: int | None = None,
    game: str | None = None,
    rulebook: str | None = None,
    submission: Path | None = None,
    variant: VariantOption = AS_PRINTED,
    json_: AsJson = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Find all paytables of a wager that meet its targets.

    They stand by their distance from a given one; no line pays less than a commoner one. Of a base
    game each is solved, for the best play changes with it.

    For example:

        croupier design trips --edge 1.8..2.2 --top 50 --hits as-is --near B

        croupier design blind --edge 2.0..2.1 --top 500 --odds halves --most 3

        croupier design progressive --edge 20..25 --near A --seats 6

    Parameters
    ----------
    wager
        The wager by its name; another word is answered with all that have paytables.
    stake
        The stake in dollars, for a wager with lines that pay sums.
    most
        How many are shown, 10 where not told; of a base game how many are solved for, 5.
    game
        The game by its id; otherwise the first that has the wager.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission: its paytables and its Progressive are those near.
    json_
        Print one JSON document, with all that meet the targets.
    """
    target = _target(wanted)
    asked = game
    if rulebook is None and submission is None and variant == AS_PRINTED and game is None:
        asked = _game_with(registry, wager)
    choice = chosen_book(registry, asked, rulebook, submission, variant)
    rules = chosen_rules(registry, choice, ())
    if most is not None and not 1 <= most <= MOST_FOUND:
        raise Unreadable(f"1 to {MOST_FOUND:,} paytables can be shown, not {most:,}")
    if meters.seats is not None and not 1 <= meters.seats <= rules.book.table.boxes.count:
        boxes = rules.book.table.boxes.count
        raise Unreadable(f"a table has 1 to {boxes} boxes, not {meters.seats}")
    known_name(wager, rules.book.paytables, "wager with a paytable", where=rules.book.id)
    if wanted.near is not None:
        known_name(wanted.near, rules.book.paytables[wager], f"paytable of {wager}")
    rate = _percent(meters.rate) if meters.rate is not None else None
    stake_cents = _stake(stake)
    with progress_bar() as progress:
        found = design_of(
            rules, wager, target, near=wanted.near, stake_cents=stake_cents,
            seats=meters.seats, rate=rate, most=most, progress=progress,
        )  # fmt: skip
    _print(found, most or SHOWN, json_)
    return 0 if found.there_are else 1


def _print(found: PaytableDesign, most: int, as_json: bool) -> None:
    if as_json:
        print_json(found.document())
    else:
        show(design_report(found, most), Screen())


def _game_with(registry: Registry, wager: str) -> str:
    """The game of the first rulebook that has this wager and paytables for it."""
    games = {w: book.game for book in reversed([*registry.books.values()]) for w in book.paytables}
    return games[known_name(wager, games, "wager with a paytable")]


def _target(wanted: Wanted) -> Target:
    known_name(wanted.odds, PARTS, "way to write odds")
    if wanted.hits is not None:
        known_name(wanted.hits, (AS_IS,), "way to keep hits")
    if wanted.top is not None and not 1 <= wanted.top <= MOST_PAID:
        raise Unreadable(f"a line pays 1 to {MOST_PAID:,} for one, not {wanted.top:,}")
    low, high = _range(wanted.edge, "an edge", "1.8..2.2")
    swing = None
    if wanted.volatility is not None:
        least, most = _range(wanted.volatility, "a volatility", "2.5..3")
        swing = (float(least), float(most))
    return Target(
        (low / 100, high / 100), wanted.top, PARTS[wanted.odds], wanted.hits == AS_IS, swing
    )


def _range(written: str, what: str, like: str) -> tuple[Fraction, Fraction]:
    found = _RANGE.fullmatch(written)
    low, high = (Fraction(found[1] + found[2]), Fraction(found[3] + found[4])) if found else (1, 0)
    if low > high:
        raise Unreadable(f"{quoted(written)} is not {what}; write it from low to high, like {like}")
    return Fraction(low), Fraction(high)


def _percent(written: str) -> Fraction:
    found = _PERCENT.fullmatch(written)
    if not found:
        raise Unreadable(f"{quoted(written)} is no rate; write it in percent, like 18%")
    return Fraction(found[1]) / 100


def _stake(written: str) -> Cents:
    stake = in_dollars(written)
    if stake <= 0:
        raise Unreadable("nothing is staked; write an amount over $0")
    return stake
