"""``croupier protect``: what a card seen too early is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.cli.book_choice import AS_PRINTED, VariantOption, chosen_book
from croupier.cli.commands.solve import chosen_rules, progress_bar, refuse_limit
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.protection import protection_report
from croupier.games.registry import Registry
from croupier.protection.knowledge import knowledge


def protect(
    game: str,
    /,
    *,
    knows: str,
    rulebook: str | None = None,
    submission: Path | None = None,
    paytable: tuple[str, ...] = (),
    variant: VariantOption = AS_PRINTED,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
    csv_: Annotated[bool, Parameter(name="--csv", negative="")] = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Tell what cards known too early are worth, exactly.

    The cards are known before the first decision and from then on; the player is perfect.

    For example:

        croupier protect uth --knows flop

        croupier protect uth --knows dealer+flop --paytable blind=B --csv

    Parameters
    ----------
    game
        The game by its id, such as uth or four-card; another word is answered with all of them.
    knows
        Which cards: dealer, dealers, flop, turn-or-river, burn, dealer+flop, dealer+turn-or-river
        or dealer+burn at Ultimate Texas Hold'em; dealer, dealer2 or burn at Four Card Poker; dealer
        or dealer2 at a game of one decision.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission whose paytables are the ones played.
    paytable
        WAGER=LETTER picks a paytable of the rulebook, WAGER=FILE.toml one of your own.
    json_
        Print one JSON document.
    csv_
        Print one line of CSV for each hand and ranks of known cards.
    """
    choice = chosen_book(registry, game, rulebook, submission, variant)
    rules = chosen_rules(registry, choice, paytable)
    refuse_limit(rules, "here: values are for each Ante, whatever its size")
    knowledge(rules, knows)  # a word that nobody knows is refused before the compiler is loaded
    from croupier.protection.protect import protect as worth_of

    with progress_bar() as progress:
        worth = worth_of(rules, knows, progress)
    if json_:
        print(worth.to_json())
    elif csv_:
        print(worth.to_csv(), end="")
    else:
        show(protection_report(rules.book, worth), Screen())
    return 0
