"""The simple strategy that ships with a game, where it may be played."""

from __future__ import annotations

from functools import cache

from croupier.exact.base_game import actions
from croupier.exact.strategy.strategy_file import Strategy, read_strategy, shipped
from croupier.games.rules import Rules


def simple_text(rules: Rules) -> str | None:
    """As it is written."""
    return shipped().get(_name(rules))


def _name(rules: Rules) -> str:
    return f"{rules.game.id}-simple"


@cache
def simple_strategy(rules: Rules) -> Strategy | None:
    """The one that ships with this game; None: there is none, or it bets what may not be bet."""
    text = simple_text(rules)
    if text is None:
        return None
    strategy = read_strategy(text, _name(rules))
    asked = {street.name: actions(street) for street in rules.book.streets}
    if not {*asked} <= {*strategy.rules}:
        return None
    fits = all(rule.do in asked[street] for street in asked for rule in strategy.rules[street])
    return strategy if fits else None
