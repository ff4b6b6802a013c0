"""Strategies valued exactly: their rules played through every deal.

A rule is about features only, so it can be asked of one position in plain code
(:mod:`croupier.exact.strategy.strategy_file`), and of all positions by a kernel, as here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from croupier.exact import four_card, generic, holdem
from croupier.exact.base_game import BaseGame, actions
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import four_card_features, holdem_features
from croupier.exact.kernels.compiled import compile_progress
from croupier.exact.kernels.four_card_features import Called
from croupier.exact.kernels.holdem import NO_RAISE
from croupier.exact.kernels.holdem import HoldemStrategy as Decisions
from croupier.exact.kernels.positions import FULL_DECK, positions
from croupier.exact.kernels.rule_programs import RuleProgram, decide_columns
from croupier.exact.kernels.showdowns import Showdowns, showdowns
from croupier.exact.strategy.features import (
    FOUR_CARD_WORDS,
    HOLDEM,
    CardsInSight,
    StreetFeatures,
)
from croupier.exact.strategy.strategy_file import Condition, Rule, Strategy
from croupier.facts.cards import DECK, Card
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.hands import FOUR_CARD
from croupier.facts.progress import Progress
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.rulebook.book import Street

Uses = Mapping[str, NDArray[np.int64]]


@dataclass(frozen=True)
class StrategyValue:
    """A strategy played through every deal, and its rules that never decide, by street."""

    base: BaseGame
    idle: tuple[tuple[StreetFeatures, int], ...]


def evaluate(
    rules: Rules, strategy: Strategy, progress: Progress = lambda what, done: None
) -> BaseGame:
    """The base game when the player keeps to this strategy: every deal counted."""
    return play(rules, strategy, progress).base


def play(rules: Rules, strategy: Strategy, progress: Progress) -> StrategyValue:
    """The base game under this strategy, and the rules that could as well be left out."""
    _refuse_other_games(rules, strategy)
    with compile_progress(progress):
        base, uses = PLAYERS[shape_of(rules)](rules, strategy, progress)
    idle = [
        (street, number)
        for street in strategy.streets
        for number, times in enumerate(uses[street.name], 1)
        if not times
    ]
    return StrategyValue(base, tuple(idle))


def _play_holdem(rules: Rules, strategy: Strategy, progress: Progress) -> tuple[BaseGame, Uses]:
    decisions, uses = holdem_decisions(strategy, holdem.asked(rules), progress=progress)
    return holdem.play_strategy(rules, decisions, progress).base, uses


def _play_four_card(rules: Rules, strategy: Strategy, progress: Progress) -> tuple[BaseGame, Uses]:
    shown = showdowns(progress=lambda done: progress("counting dealer's hands", done))
    chosen, uses = four_card_actions(strategy, shown)
    return four_card.played(rules, shown, chosen), uses


def _play_generic(rules: Rules, strategy: Strategy, progress: Progress) -> tuple[BaseGame, Uses]:
    """A game without kernels: the rules are asked about every hand, in plain code."""
    street = strategy.streets[0]
    uses = np.zeros(len(strategy.rules[street.name]), dtype=np.int64)

    def choose(own: tuple[Card, ...], up: tuple[Card, ...]) -> str:
        number = strategy.deciding(street.name, CardsInSight(own, up))
        uses[number] += 1
        return strategy.rules[street.name][number].do

    return generic.played(rules, choose, progress), {street.name: uses}


def _refuse_bets(rules: Rules, strategy: Strategy, progress: Progress) -> tuple[BaseGame, Uses]:
    raise Unreadable(
        f"no strategy file is valued for {rules.game.name}: its bets add up; solve tells the best"
    )


PLAYERS = {
    GameShape.HOLDEM: _play_holdem,
    GameShape.HOLDEM_BETS: _refuse_bets,
    GameShape.FOUR_CARD: _play_four_card,
    GameShape.OWN_CARDS: _play_generic,
}


def _refuse_other_games(rules: Rules, strategy: Strategy) -> None:
    if rules.game.id != strategy.game:
        raise Unreadable(f"{strategy.name} is a strategy for {strategy.game}, not {rules.game.id}")
    for street, in_book in zip(strategy.streets, rules.book.streets, strict=True):
        there = actions(in_book)
        for rule in strategy.rules[street.name]:
            if rule.do not in there:
                raise Refusal(
                    f"{strategy.name} says {rule.do} {street.title.lower()}; "
                    f"{rules.book.id} has {', '.join(there)}",
                    rules.book.cite(in_book.clause),
                )


# From rules to the decisions kernels play


def holdem_decisions(
    strategy: Strategy,
    asked: Sequence[Street | None],
    deck: tuple[int, ...] = FULL_DECK,
    threads: int | None = None,
    progress: Progress = lambda what, done: None,
) -> tuple[Decisions, Uses]:
    """What is done in every position that can be reached; and the positions each rule decides.

    ``asked`` are the streets before the flop, on it and at the end; on one that is None nothing can
    be bet.
    """
    before, flop, river = (
        _program_on(strategy, street, first, otherwise)
        for street, first, otherwise in zip(asked, (0, 1, 1), (NO_RAISE, 0, 0), strict=True)
    )
    ends = len({*asked[2].multiples}) if asked[2] is not None else 0
    spots = positions(deck)
    values = hole_values()
    chosen = np.zeros(len(values), dtype=np.int16)
    decide_columns(before, np.ascontiguousarray(values.T), len(values), chosen)
    preflop = before.writes[chosen]
    uses = np.bincount(chosen[spots.in_deck], minlength=len(before.writes))
    holes = holdem_features.Holes(values, spots.in_deck & (preflop == NO_RAISE))
    flops, flop_uses = holdem_features.decide_flops(spots, flop, holes, threads, progress)
    found = [
        holdem_features.decide_boards(spots, _writing(river, size), holes, threads, progress)
        for size in range(1, ends + 1)
    ] or [holdem_features.decide_boards(spots, river, holes, threads, progress)]
    rivers = np.stack([bits for bits, _ in found])[:ends]
    by_street = zip(asked, (uses, flop_uses, found[0][1]), strict=True)
    used_on = {street.name: used for street, used in by_street if street is not None}
    return Decisions(preflop, flops, rivers), used_on


def _program_on(
    strategy: Strategy, street: Street | None, first: int, otherwise: int
) -> RuleProgram:
    """The rules of a street, writing the kernels' numbers: the sizes from the largest on, and what
    is done otherwise; where nobody is asked, one rule that does nothing."""
    if street is None:
        return rule_program((Rule(holdem.CHECK),), {holdem.CHECK: otherwise}, holdem_features.NAMES)
    sizes = [f"{multiple}x" for multiple in sorted({*street.multiples}, reverse=True)]
    numbers = {**_numbered(sizes, first), street.otherwise: otherwise}
    return rule_program(strategy.rules[street.name], numbers, holdem_features.NAMES)


def _numbered(names: Sequence[str], first: int = 0) -> dict[str, int]:
    return {name: number for number, name in enumerate(names, first)}


def _writing(program: RuleProgram, size: int) -> RuleProgram:
    """The same rules writing 1 for this number and 0 for all others."""
    return program._replace(writes=(program.writes == size).astype(np.uint8))


def four_card_actions(strategy: Strategy, shown: Showdowns) -> tuple[NDArray[np.uint8], Uses]:
    """By kind of hand and up card what is done; and the positions each rule decides."""
    (street,) = strategy.streets
    rules = strategy.rules[street.name]
    program = rule_program(rules, street.actions, four_card_features.NAMES)
    actions, uses = four_card_features.decide_hands(shown, program, called())
    return actions, {street.name: uses}


def hole_values() -> NDArray[np.int16]:
    """(1326, 5): the features of each hole, by the plain code."""
    _, features = HOLDEM[0]
    holes = positions().holes
    sights = [CardsInSight((DECK[low], DECK[high])) for low, high in holes]
    names = holdem_features.OF_THE_HOLE
    rows = [[features[name].number(sight) for name in names] for sight in sights]
    return np.array(rows, dtype=np.int16)


def called() -> Called:
    """By class of four-card hands: the rank that names it and its kicker, by the plain code."""
    kicker = FOUR_CARD_WORDS[1]["kicker"]
    hands = samples(FOUR_CARD)
    leads = np.array([hand.ranks[0] - 2 for hand in hands])
    return Called(leads, np.array([kicker.number(CardsInSight(hand.cards)) for hand in hands]))


def rule_program(
    rules: Sequence[Rule], numbers: Mapping[str, int], names: tuple[str, ...]
) -> RuleProgram:
    conditions: list[Condition] = []
    spans = []
    for rule in rules:
        first = len(conditions)
        conditions += [*rule.when, *rule.unless]
        spans.append((first, first + len(rule.when), len(conditions)))
    lengths = [len(condition.admits) for condition in conditions]
    asked = {condition.feature.name for condition in conditions}
    return RuleProgram(
        used=np.array([name in asked for name in names]),
        writes=np.array([numbers[rule.do] for rule in rules], dtype=np.uint8),
        spans=np.array(spans, dtype=np.int64),
        features=np.array([names.index(c.feature.name) for c in conditions], dtype=np.int64),
        firsts=np.cumsum([0, *lengths], dtype=np.int64)[:-1],
        admits=np.array([yes for c in conditions for yes in c.admits], dtype=np.bool_),
    )
