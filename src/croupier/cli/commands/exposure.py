"""``croupier exposure``: the most one round can cost a player and the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.cli.book_choice import AS_PRINTED, BookChoice, VariantOption, chosen_book
from croupier.cli.commands.solve import amounts, chosen_rules
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.cli.terminal import TerminalSection, show
from croupier.cli.text.receipt import receipt_report
from croupier.documents.blocks import Grid, Heading, Prose
from croupier.exact.exposure import Exposure
from croupier.exact.exposure import exposure as exposure_of
from croupier.facts.money import Cents, dollars, money
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE, ProgressiveTerms, Rules, check_terms, with_paytable


def exposure(
    game: str,
    /,
    *stakes: str,
    meter: tuple[str, ...] = (),
    boxes: int | None = None,
    rulebook: str | None = None,
    submission: Path | None = None,
    paytable: tuple[str, ...] = (),
    variant: VariantOption = AS_PRINTED,
    json_: AsJson = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Tell the most one round can cost a player and the table.

    With nothing but a game: at the largest stakes, with all boxes and by the paytables of the
    submission that is shipped.

    For example:

        croupier exposure uth

        croupier exposure uth ante=100 trips=25

        croupier exposure four-card ante=50 aces_up=25 progressive=5 --meter main=20,000

        croupier exposure uth --submission table-12.toml

    Parameters
    ----------
    game
        The game by its id, such as uth or four-card; another word is answered with all of them.
    stakes
        WAGER=AMOUNT, the largest stake on each wager; Blind and Play follow from the Ante.
        Where none is named, the maximums of the submission.
    meter
        NAME=AMOUNT, what stands on a meter; without it the least it may be reset to.
    boxes
        How many boxes are in play; without it all of the table.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission: its paytables, limits, boxes, Progressive and payout limit. Without it,
        and without stakes, the shipped one of the rulebook.
    paytable
        WAGER=LETTER picks a paytable, WAGER=FILE.toml one of your own; without it the first.
    json_
        Print one JSON document.
    """
    choice = chosen_book(registry, game, rulebook, submission, variant)
    staked = amounts(stakes, "stake")
    if not staked:
        choice = BookChoice(choice.book, choice.submission)
    rules, filed = chosen_rules(registry, choice, paytable), choice.filed
    if filed is not None:
        staked = staked or {name: limit.maximum_cents for name, limit in filed.limits}
        boxes = boxes if boxes is not None else filed.boxes
    else:
        rules = _offering(rules, staked)
    meters = amounts(meter, "--meter")
    with counting("looking for the dearest round"):
        found = exposure_of(rules, staked, meters=meters, boxes=boxes)
    if json_:
        print_json({"rulebook": rules.book.id, **found.document()})
    else:
        show(_report(found, rules.book.id), Screen())
    return 0


def _offering(rules: Rules, staked: dict[str, Cents]) -> Rules:
    """These Rules with every staked wager offered, by its first paytable where none is chosen."""
    book = rules.book
    for name in staked:
        tables = book.paytables.get(name, {})
        if tables and rules.paytable(name) is None:
            letter, table = next(iter(tables.items()))
            rules = with_paytable(rules, name, letter, table)
    if PROGRESSIVE not in staked or book.progressive is None:
        return rules
    hand = "flop" if "flop" in book.progressive.hands else None
    terms = ProgressiveTerms(staked[PROGRESSIVE], hand)
    check_terms(rules, terms)
    letter = dict(rules.letters)[PROGRESSIVE]
    by_stake = book.envy.get(letter) or next(iter(book.envy.values()), {})
    envy = by_stake.get(money(terms.stake_cents))
    return replace(rules, progressive=terms, envy=envy)


def _report(found: Exposure, book: str) -> Iterator[TerminalSection]:
    yield (
        Prose(f"Under {book}", tone="note"),
        Heading(f"One box can lose {dollars(found.player_cents)}"),
        Heading(
            f"{found.boxes} boxes cannot cost the table more than "
            f"{dollars(found.table_bound_cents)}"
        ),
        Grid(
            ("Wager", "Stake a box", "At most"),
            tuple(
                (wager.replace("_", " "), dollars(stake) if stake else "", dollars(most))
                for wager, most in found.bound.items()
                for stake in (found.stakes.get(wager),)
            ),
            "lrr",
        ),
    )
    cards, *boxes = receipt_report(found.witness)
    yield Heading(f"A round that costs it {dollars(found.table_witness_cents)}:"), *cards
    yield from boxes
