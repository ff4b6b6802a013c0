"""Strategies that people can remember: short rule files, read, told in words, and valued exactly.

A strategy is a list of rules for each street; the first rule that holds decides. A rule is about
features only (:mod:`croupier.exact.features`), so it can be asked of one position in plain code,
and of all positions by a kernel. The format is described in ``docs/strategy-files.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact import four_card, generic, uth
from croupier.exact.base_game import FOLD, BaseGame
from croupier.exact.conditions import Admits
from croupier.exact.enumeration import actions
from croupier.exact.features import STREETS, CardsInSight, Feature, StreetFeatures, streets_of
from croupier.exact.hand_classes import samples
from croupier.exact.kernels import four_card_features, uth_features
from croupier.exact.kernels.compiled import compile_progress
from croupier.exact.kernels.four_card_features import Called
from croupier.exact.kernels.positions import FULL_DECK, positions
from croupier.exact.kernels.rule_programs import RuleProgram, decide_columns
from croupier.exact.kernels.showdowns import Showdowns, showdowns
from croupier.exact.kernels.uth import NO_RAISE
from croupier.exact.kernels.uth import UthStrategy as Decisions
from croupier.facts.cards import DECK, Card
from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.facts.hands import FOUR_CARD
from croupier.facts.progress import Progress
from croupier.facts.toml_text import read_toml
from croupier.games.registry import Registry, the_registry
from croupier.games.rules import Rules
from croupier.rulebook.book import Rulebook

Uses = Mapping[str, NDArray[np.int64]]


@dataclass(frozen=True)
class Condition:
    """Some values of one feature, as they were written."""

    feature: Feature
    written: object
    admits: Admits

    def holds(self, sight: CardsInSight) -> bool:
        return self.admits[self.feature.number(sight)]

    def __str__(self) -> str:
        says, noun = self.feature.says, self.feature.noun
        if isinstance(self.written, bool):
            return says.format("" if self.written else " not")
        if noun and self.written in ("any", "none"):
            return f"there is {noun if self.written == 'any' else noun.replace('a ', 'no ', 1)}"
        return says.format(self.written)


@dataclass(frozen=True)
class Rule:
    """Do something when all conditions hold, unless all of others do."""

    do: str
    when: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()

    def holds(self, sight: CardsInSight) -> bool:
        excepted = bool(self.unless) and all(each.holds(sight) for each in self.unless)
        return all(each.holds(sight) for each in self.when) and not excepted

    def __str__(self) -> str:
        when = f" when {' and '.join(map(str, self.when))}" if self.when else ""
        unless = f", unless {' and '.join(map(str, self.unless))}" if self.unless else ""
        return f"{self.do}{when}{unless}" if when or unless else f"{self.do} otherwise"


@dataclass(frozen=True)
class Strategy:
    """What a player does at every decision of one game: by street, rules in order."""

    game: str
    name: str
    source: str
    rules: Mapping[str, tuple[Rule, ...]]
    streets: tuple[StreetFeatures, ...]

    def action(self, street: str, sight: CardsInSight) -> str:
        """What is done with these cards in sight: the first rule that holds decides."""
        return self.rules[street][self.deciding(street, sight)].do

    def deciding(self, street: str, sight: CardsInSight) -> int:
        """The number of the rule that decides, from 0."""
        return next(n for n, rule in enumerate(self.rules[street]) if rule.holds(sight))


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
        base, uses = PLAYERS.get(strategy.game, _play_generic)(rules, strategy, progress)
    idle = [
        (street, number)
        for street in strategy.streets
        for number, times in enumerate(uses[street.name], 1)
        if not times
    ]
    return StrategyValue(base, tuple(idle))


def _play_uth(rules: Rules, strategy: Strategy, progress: Progress) -> tuple[BaseGame, Uses]:
    decisions, uses = uth_decisions(strategy, uth.sizes(rules), progress=progress)
    return uth.play_strategy(rules, decisions, progress).base, uses


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


PLAYERS = {"uth": _play_uth, "four-card": _play_four_card}


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


def uth_decisions(
    strategy: Strategy,
    sizes: Sequence[Sequence[int]],
    deck: tuple[int, ...] = FULL_DECK,
    threads: int | None = None,
    progress: Progress = lambda what, done: None,
) -> tuple[Decisions, Uses]:
    """What is done in every position that can be reached; and the positions each rule decides.

    ``sizes`` are the multiples of each street, the largest first, by which the kernels number them.
    """
    raises, bets, ends = ([f"{multiple}x" for multiple in street] for street in sizes)
    before, flop, river = (
        _program(strategy.rules[street.name], numbers, uth_features.NAMES)
        for street, numbers in zip(
            strategy.streets,
            (
                {**_numbered(raises), uth.CHECK: NO_RAISE},
                {**_numbered(bets, 1), uth.CHECK: 0},
                {**_numbered(ends, 1), FOLD: 0},
            ),
            strict=True,
        )
    )
    spots = positions(deck)
    values = hole_values()
    chosen = np.zeros(len(values), dtype=np.int16)
    decide_columns(before, np.ascontiguousarray(values.T), len(values), chosen)
    preflop = before.writes[chosen]
    uses = np.bincount(chosen[spots.in_deck], minlength=len(before.writes))
    holes = uth_features.Holes(values, spots.in_deck & (preflop == NO_RAISE))
    flops, flop_uses = uth_features.decide_flops(spots, flop, holes, threads, progress)
    found = [
        uth_features.decide_boards(spots, _writing(river, size), holes, threads, progress)
        for size in range(1, len(ends) + 1)
    ] or [uth_features.decide_boards(spots, river, holes, threads, progress)]
    rivers = np.stack([bits for bits, _ in found])[: len(ends)]
    by_street = zip(strategy.streets, (uses, flop_uses, found[0][1]), strict=True)
    return Decisions(preflop, flops, rivers), {street.name: used for street, used in by_street}


def _numbered(names: Sequence[str], first: int = 0) -> dict[str, int]:
    return {name: number for number, name in enumerate(names, first)}


def _writing(program: RuleProgram, size: int) -> RuleProgram:
    """The same rules writing 1 for this number and 0 for all others."""
    return program._replace(writes=(program.writes == size).astype(np.uint8))


def four_card_actions(strategy: Strategy, shown: Showdowns) -> tuple[NDArray[np.uint8], Uses]:
    """By kind of hand and up card what is done; and the positions each rule decides."""
    (street,) = strategy.streets
    rules = strategy.rules[street.name]
    program = _program(rules, street.actions, four_card_features.NAMES)
    actions, uses = four_card_features.decide_hands(shown, program, called())
    return actions, {street.name: uses}


def hole_values() -> NDArray[np.int16]:
    """(1326, 5): the features of each hole, by the plain code."""
    features = STREETS["uth"][0].features
    holes = positions().holes
    sights = [CardsInSight((DECK[low], DECK[high])) for low, high in holes]
    names = uth_features.OF_THE_HOLE
    rows = [[features[name].number(sight) for name in names] for sight in sights]
    return np.array(rows, dtype=np.int16)


def called() -> Called:
    """By class of four-card hands: the rank that names it and its kicker, by the plain code."""
    kicker = STREETS["four-card"][0].features["kicker"]
    hands = samples(FOUR_CARD)
    leads = np.array([hand.ranks[0] - 2 for hand in hands])
    return Called(leads, np.array([kicker.number(CardsInSight(hand.cards)) for hand in hands]))


def _program(
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


# Reading a rule file


def shipped(registry: Registry | None = None) -> dict[str, str]:
    """The strategies that come with the product and with its rulebooks: text by name."""
    folder = files("croupier") / "strategies"
    found = sorted((entry.name, entry.read_text("utf-8")) for entry in folder.iterdir())
    texts = {name.removesuffix(".toml"): text for name, text in found if name.endswith(".toml")}
    brought = {
        f"{book.game}-simple": book.comes_with.strategy
        for book in (registry or the_registry()).books.values()
        if book.comes_with.strategy
    }
    return texts | brought


def read_strategy(
    text: str, where: str, registry: Registry | None = None, book: Rulebook | None = None
) -> Strategy:
    """Read a rule file, or say in one sentence what is wrong with it and where.

    A book has the sizes that may be bet; without one they are those of the game.
    """
    registry = registry or the_registry()
    document, game = _document(text, where), game_of(text, where, registry)
    found = streets_of(registry, game)
    if book is not None:
        found = tuple(s.with_actions(asked) for s, asked in zip(found, book.streets, strict=True))
    streets = {street.key: street for street in found}
    for key in document:
        if key not in ("game", "name", "source", *streets):
            known = ", ".join(f"[[{name}]]" for name in streets)
            raise Unreadable(
                f"{where}: a strategy for {game} has no {quoted(key)}; it has name, source, {known}"
            )
    rules = {
        street.name: _read_street(street, document.get(key), where)
        for key, street in streets.items()
    }
    name, source = (_read_text(document, key, where) for key in ("name", "source"))
    return Strategy(game, name or where, source, rules, tuple(streets.values()))


def game_of(text: str, where: str, registry: Registry) -> str:
    """The game that a rule file is for."""
    game = _document(text, where).get("game")
    if not isinstance(game, str) or game not in registry.games:
        known = " or ".join(f'game = "{name}"' for name in registry.games)
        raise Unreadable(f"{where}: a strategy file names its game: {known}")
    return game


def _document(text: str, where: str) -> Mapping[str, Any]:
    try:
        return read_toml(text)
    except Unreadable as error:
        raise Unreadable(f"{where}: {error}") from None


def _read_text(document: Mapping[str, Any], key: str, where: str) -> str:
    value = document.get(key, "")
    if not isinstance(value, str):
        raise Unreadable(f'{where}: {key} is text; write {key} = "..."')
    return " ".join(value.split())


def _read_street(street: StreetFeatures, entries: object, where: str) -> tuple[Rule, ...]:
    at = f"{where}: {street.title.lower()}"
    if entries is None or entries == []:
        raise Unreadable(f"{at} nothing is decided; write rules under [[{street.key}]]")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Unreadable(f"{at} each rule starts with [[{street.key}]]")
    rules = tuple(
        _read_rule(street, entry, f"{at}, rule {number}") for number, entry in enumerate(entries, 1)
    )
    if rules[-1].when or rules[-1].unless:
        raise Unreadable(
            f"{at} the rules have a hole: the last must stand without conditions, "
            "so that every hand is decided"
        )
    return rules


def _read_rule(street: StreetFeatures, entry: Mapping[str, Any], at: str) -> Rule:
    for key in entry:
        if key not in ("do", "when", "unless"):
            raise Unreadable(f"{at}: {quoted(key)} is no part of a rule; it has do, when, unless")
    do = entry.get("do")
    if not isinstance(do, str) or do not in street.actions:
        choices = ", ".join(street.actions)
        said = f"{quoted(do)} cannot be done here" if isinstance(do, str) else "do says what to do"
        raise Unreadable(f"{at}: {said}; choose {choices}")
    when, unless = (_read_conditions(street, entry, key, at) for key in ("when", "unless"))
    return Rule(do, when, unless)


def _read_conditions(
    street: StreetFeatures, entry: Mapping[str, Any], key: str, at: str
) -> tuple[Condition, ...]:
    conditions = entry.get(key, {})
    if not isinstance(conditions, dict):
        raise Unreadable(f'{at}: {key} holds features; write it like {key} = {{ high = "K" }}')
    found = []
    for name, value in conditions.items():
        feature = street.features.get(name)
        if feature is None:
            raise Unreadable(f"{at}: {_unknown_feature(street, name)}")
        try:
            found.append(Condition(feature, value, feature.kind.read(value)))
        except Unreadable as error:
            raise Unreadable(f"{at}: {name}: {error}") from None
    return tuple(found)


def _unknown_feature(street: StreetFeatures, name: str) -> str:
    for other in (other for streets in STREETS.values() for other in streets):
        if name in other.features:
            return f"{name} cannot be seen {street.title.lower()}, only {other.title.lower()}"
    near = get_close_matches(name, street.features, n=1)
    known = f"did you mean {near[0]}?" if near else f"there are {', '.join(street.features)}"
    return f"there is no feature {quoted(name)}; {known}"
