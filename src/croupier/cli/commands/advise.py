"""``croupier advise``: the exact value of each action with the cards in sight."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from croupier.cli.book_choice import AS_PRINTED, VariantOption, chosen_book
from croupier.cli.commands.solve import chosen_rules, progress_bar, refuse_limit, solved
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.cli.terminal import show_block
from croupier.documents.blocks import Grid, Prose
from croupier.exact.advice import advise as values_of
from croupier.exact.solution import COUNTED_NOW
from croupier.exact.solution_cache import KnownHands, known_hands
from croupier.facts.cards import Cards, card, cards
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.games.rules import Rules


def advise(
    game: str,
    /,
    *hand: str,
    board: str = "",
    upcard: str = "",
    dealer: str = "",
    dead: str = "",
    rulebook: str | None = None,
    submission: Path | None = None,
    paytable: tuple[str, ...] = (),
    variant: VariantOption = AS_PRINTED,
    json_: AsJson = False,
    cache: bool = True,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Tell what each action is worth with the cards in sight.

    The values are exact. For practice and analysis: no live table shows them.

    For example:

        croupier advise uth Kd5c --board "Kh 8s 2d"

        croupier advise four-card "Ah Kd 9c 7s 2d" --upcard 3c

        croupier advise uth "Kd 5c" --dealer 9h --dead "2c 7s"

    Parameters
    ----------
    game
        The game by its id, such as uth or four-card; another word is answered with all of them.
    hand
        The player's cards: two at Ultimate Texas Hold'em, five at Four Card Poker.
    board
        The three or five community cards in sight.
    upcard
        The dealer's up card at Four Card Poker.
    dealer
        Cards of the dealer that are known though they lie face down.
    dead
        Cards known to be out of play: burnt, at the bottom, in other boxes.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission whose paytables are the ones played.
    paytable
        WAGER=LETTER picks a paytable, WAGER=FILE.toml one of your own.
    json_
        Print one JSON document.
    cache
        Before the flop take what is shipped or was counted before, if nothing has changed;
        --no-cache counts now.
    """
    own, seen = _named(hand), cards(board)
    chosen = chosen_book(registry, game, rulebook, submission, variant)
    rules = chosen_rules(registry, chosen, paytable)
    refuse_limit(rules, "here: values are for each Ante, whatever its size")
    if dealer or dead:
        open_cards, provenance = seen + cards(upcard), COUNTED_NOW
        values = _knowing(rules, own, open_cards, cards(dealer), cards(dead))
    else:
        values, provenance = _honest(rules, own, seen, upcard, cache)
    if json_:
        print_json({"rulebook": rules.book.id, **_document(values, provenance)})
    else:
        for block in _report(rules, values, provenance):
            show_block(block, Screen())
    return 0


def _named(hand: tuple[str, ...]) -> Cards:
    if not hand:
        raise Unreadable('name the player\'s cards, like "Kd 5c"')
    return cards(" ".join(hand))


def _report(
    rules: Rules, values: dict[str, Fraction], provenance: str
) -> tuple[Grid, Prose, Prose]:
    under, counted = f"Under {rules.book.id}", f"Values: {provenance}"
    return _values_grid(values), Prose(under, tone="note"), Prose(counted, tone="note")


def _honest(
    rules: Rules, own: Cards, board: Cards, upcard: str, cache: bool
) -> tuple[dict[str, Fraction], str]:
    """What each action is worth, and where that was taken from."""
    provenance = COUNTED_NOW

    def known() -> KnownHands:
        nonlocal provenance
        count = partial(solved, rules, use_cache=cache)
        found = known_hands(rules, count) if cache else count()
        provenance = found.provenance
        return found

    values = values_of(rules, known, own, board, card(upcard) if upcard else None)
    return values, provenance


def _knowing(
    rules: Rules, own: Cards, seen: Cards, dealer: Cards, dead: Cards
) -> dict[str, Fraction]:
    from croupier.protection.advice import advise as advise_knowing  # with the compiler behind it

    with progress_bar() as progress:
        return advise_knowing(rules, own, seen, dealer, dead, progress)


def _document(values: dict[str, Fraction], provenance: str) -> dict[str, Any]:
    return {
        "best": next(iter(values)),
        "values": {action: float(value) for action, value in values.items()},
        "values_exact": {action: str(value) for action, value in values.items()},
        "provenance": provenance,
    }


def _values_grid(values: dict[str, Fraction]) -> Grid:
    """The best action first, the others with what they cost."""
    best = next(iter(values.values()))
    rows = tuple(
        (action, f"{float(value):+.6f}", f"{cost:.6f}" if cost else "", str(value))
        for action, value in values.items()
        for cost in (float(best - value),)
    )
    return Grid(("Action", "Value in Antes", "Costs", "Exactly"), rows, "lrrl", marked=(0,))
