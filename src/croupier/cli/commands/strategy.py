"""``croupier strategy``: a strategy people can remember, told in words and valued exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console

from croupier.cli.book_choice import AS_PRINTED, VariantOption, chosen_book, named_strategy
from croupier.cli.commands.solve import chosen_rules, progress_bar, refuse_limit, solved
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.cli.terminal import TerminalSection, show, show_block
from croupier.documents.blocks import Grid, Heading, Prose, Steps, StepText
from croupier.exact.assumptions import refuse_base, refuse_sides
from croupier.exact.base_game import BaseGame
from croupier.exact.solution import COUNTED_NOW, base_document
from croupier.exact.strategy.strategies import StrategyValue, play
from croupier.exact.strategy.strategy_file import Strategy, game_of, read_strategy, shipped
from croupier.facts.errors import Unreadable
from croupier.facts.percentage import percent
from croupier.games.registry import Registry
from croupier.games.rules import Rules


def strategy(
    file: str,
    /,
    *,
    rulebook: str | None = None,
    submission: Path | None = None,
    paytable: tuple[str, ...] = (),
    variant: VariantOption = AS_PRINTED,
    json_: AsJson = False,
    cache: bool = True,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Value a strategy exactly, beside optimal play.

    Its house edge, how often it does what, and what it costs against playing perfectly.

    For example:

        croupier strategy uth

        croupier strategy four-card-simple --json

        croupier strategy my-rules.toml --paytable blind=B

    Parameters
    ----------
    file
        A game by its id, for the strategy that is shipped for it; the name of a shipped one, like
        uth-simple; or a strategy file of your own.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission whose paytables are the ones played.
    paytable
        WAGER=LETTER picks a paytable of the rulebook, WAGER=FILE.toml one of your own.
    json_
        Print one JSON document.
    cache
        Take the optimum that is shipped or was counted before, if nothing has changed;
        --no-cache counts now.
    """
    name, text = _named(file, registry)
    choice = chosen_book(registry, game_of(text, name, registry), rulebook, submission, variant)
    chosen = read_strategy(text, name, registry, choice.book)
    rules = chosen_rules(registry, choice, paytable)
    refuse_limit(rules, "here: values are for each Ante, whatever its size")
    refuse_base(rules)
    refuse_sides(rules)
    with progress_bar() as progress:
        played = play(rules, chosen, progress)
    best = solved(rules, use_cache=cache)
    optimum = best.base
    if json_:
        document = _document(chosen, rules, played, optimum)
        document["provenance"] = COUNTED_NOW
        document["optimum"]["provenance"] = best.provenance
        print_json(document)
        return 0
    show(_report(chosen, rules, played, optimum), Screen())
    values = f"Values: {COUNTED_NOW}; of optimal play: {best.provenance}"
    show_block(Prose(values, tone="note"), Screen())
    for warning in _warnings(played):
        Console(stderr=True, soft_wrap=True).print(
            f"croupier: {file}: {warning}", markup=False, highlight=False
        )
    return 0


def _named(file: str, registry: Registry) -> tuple[str, str]:
    """The name and the text of the strategy that is meant: of a game the one that it brings."""
    brought = shipped(registry)
    name = f"{registry.newest(file).game}-simple" if file in registry.games else file
    if file in registry.games and name not in brought:
        raise Unreadable(
            f"no strategy comes with {registry.games[file].name}; name a file, or see what is best "
            f"with: croupier solve {file}"
        )
    return name, named_strategy(name, brought)


def _warnings(played: StrategyValue) -> list[str]:
    return [
        f"{street.title.lower()}, rule {number} never decides: no hand is left for it"
        for street, number in played.idle
    ]


def _document(
    strategy: Strategy, rules: Rules, played: StrategyValue, optimum: BaseGame
) -> dict[str, Any]:
    cost = optimum.ev - played.base.ev
    return {
        "strategy": strategy.name,
        "source": strategy.source,
        "game": strategy.game,
        "rulebook": rules.book.id,
        "paytables": dict(rules.letters),
        "rules": {
            street.key: [str(rule) for rule in strategy.rules[street.name]]
            for street in strategy.streets
        },
        "warnings": _warnings(played),
        **base_document(played.base),
        "optimum": {"ev": float(optimum.ev), "ev_exact": str(optimum.ev)},
        "cost": float(cost),
        "cost_exact": str(cost),
    }


def _report(
    strategy: Strategy, rules: Rules, played: StrategyValue, optimum: BaseGame
) -> Iterator[TerminalSection]:
    base = played.base
    source = [Prose(strategy.source, tone="note")] if strategy.source else []
    yield Heading(strategy.name), *source
    for street in strategy.streets:
        steps = tuple(StepText(str(rule)) for rule in strategy.rules[street.name])
        yield Heading(street.title), Steps(steps)
    letters = "".join(f", {wager} {letter}" for wager, letter in rules.letters)
    yield (
        Prose(f"{base.deals:,} deals counted under {rules.book.id}{letters}", tone="note"),
        _figures(base, optimum),
        Prose(f"Exact value of one Ante: {base.ev}", tone="note"),
        Prose(f"Exact cost against optimal play: {optimum.ev - base.ev}", tone="note"),
    )


def _figures(base: BaseGame, optimum: BaseGame) -> Grid:
    wagers = (base.average_wager, optimum.average_wager, base.average_wager - optimum.average_wager)
    rows = [
        _shares("House edge, of the Ante", -base.ev, -optimum.ev),
        _shares(
            "Element of risk", -base.ev / base.average_wager, -optimum.ev / optimum.average_wager
        ),
        ("Average wager, in Antes", *(f"{float(wager):.4f}" for wager in wagers)),
    ]
    of_optimum = optimum.action_ways()
    for action, ways in base.action_ways().items():
        best = Fraction(of_optimum[action], optimum.deals)
        rows.append(_shares(f"Chance of {action}", Fraction(ways, base.deals), best))
    return Grid(("", "This strategy", "Optimal play", "Difference"), tuple(rows), "lrrr")


def _shares(name: str, mine: Fraction, best: Fraction) -> tuple[str, ...]:
    return name, percent(mine), percent(best), f"{100 * float(mine - best):+.4f}%"
