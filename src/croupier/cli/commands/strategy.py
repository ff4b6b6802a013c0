"""``croupier strategy``: a strategy people can remember, told in words and valued exactly."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.commands.solve import chosen_rules, progress_bar, solved
from croupier.cli.files import FILE, text_of
from croupier.cli.screen import Screen
from croupier.cli.text.solution import percent
from croupier.exact.base_game import BaseGame
from croupier.exact.solution import COUNTED_NOW, base_document
from croupier.exact.strategies import Strategy, StrategyValue, play, read_strategy, shipped
from croupier.facts.errors import Unreadable
from croupier.facts.names import known_name
from croupier.games.registry import Registry
from croupier.games.rules import Rules


def strategy(
    file: str,
    /,
    *,
    rulebook: str | None = None,
    paytable: tuple[str, ...] = (),
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
    cache: bool = True,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Value a strategy file exactly: its house edge, and what it costs against optimal play.

    For example:

        croupier strategy uth-simple

        croupier strategy four-card-simple --json

        croupier strategy my-rules.toml --paytable blind=B

    Parameters
    ----------
    file
        A strategy file of your own, or the name of one that is shipped: the game's id and
        -simple.
    rulebook
        The rulebook; without it the newest one of the game.
    paytable
        WAGER=LETTER picks a paytable of the rulebook, WAGER=FILE.toml one of your own.
    json_
        Print one JSON document.
    cache
        Take the optimum that is shipped or was counted before, if nothing has changed;
        --no-cache counts now.
    """
    chosen = _found(file, registry)
    rules = chosen_rules(registry, chosen.game, rulebook, paytable)
    with progress_bar() as tell:
        played = play(rules, chosen, tell)
    best = solved(rules, use_cache=cache)
    optimum = best.base
    if json_:
        document = _document(chosen, rules, played, optimum)
        document["provenance"] = COUNTED_NOW
        document["optimum"]["provenance"] = best.provenance
        print(json.dumps(document))
        return 0
    _tell(chosen, rules, played, optimum, Screen())
    said = f"Values: {COUNTED_NOW}; of optimal play: {best.provenance}"
    Screen().print(Text(said, style="dim"), soft_wrap=True)
    for warning in _warnings(played):
        Console(stderr=True, soft_wrap=True).print(
            f"croupier: {file}: {warning}", markup=False, highlight=False
        )
    return 0


def _found(name: str, registry: Registry) -> Strategy:
    """A shipped strategy by its name, or a file by its path."""
    by_name = shipped(registry)
    if name in by_name:
        return read_strategy(by_name[name], name, registry)
    path = Path(name)
    if not path.suffix and not path.exists():
        known_name(name, (*by_name, FILE), "strategy")
    try:
        text = text_of(path)
    except Unreadable as error:
        raise Unreadable(f"{name}: {error}") from None
    return read_strategy(text, name, registry)


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


def _tell(
    strategy: Strategy, rules: Rules, played: StrategyValue, optimum: BaseGame, console: Console
) -> None:
    base = played.base
    console.print(Text(strategy.name, style="bold"))
    if strategy.source:
        console.print(Text(strategy.source, style="dim"))
    for street in strategy.streets:
        console.print()
        console.print(Text(street.title, style="bold"))
        numbered = Table.grid(padding=(0, 1))
        for number, rule in enumerate(strategy.rules[street.name], 1):
            numbered.add_row(f"  {number}.", Text(str(rule)))
        console.print(numbered)
    console.print()
    letters = "".join(f", {wager} {letter}" for wager, letter in rules.letters)
    console.print(Text(f"{base.deals:,} deals counted under {rules.book.id}{letters}", style="dim"))
    console.print(_figures(base, optimum))
    cost = optimum.ev - base.ev
    console.print(Text(f"Exact value of one Ante: {base.ev}", style="dim"), soft_wrap=True)
    console.print(Text(f"Exact cost against optimal play: {cost}", style="dim"), soft_wrap=True)


def _figures(base: BaseGame, optimum: BaseGame) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for name in ("This strategy", "Optimal play", "Difference"):
        table.add_column(name, justify="right")

    def add(name: str, mine: Fraction, best: Fraction) -> None:
        table.add_row(name, percent(mine), percent(best), f"{100 * float(mine - best):+.4f}%")

    add("House edge, of the Ante", -base.ev, -optimum.ev)
    add("Element of risk", -base.ev / base.average_wager, -optimum.ev / optimum.average_wager)
    wagers = (base.average_wager, optimum.average_wager, base.average_wager - optimum.average_wager)
    table.add_row("Average wager, in Antes", *(f"{float(wager):.4f}" for wager in wagers))
    of_optimum = optimum.action_ways()
    for action, ways in base.action_ways().items():
        best = Fraction(of_optimum[action], optimum.deals)
        add(f"Chance of {action}", Fraction(ways, base.deals), best)
    return table
