"""Strategy files: short rules that people can remember, read, told in words, asked of one position.

A strategy is a list of rules for each street; the first rule that holds decides. A rule is about
features only (:mod:`croupier.exact.strategy.features`). The format is described in
``docs/strategy-files.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from typing import Any

from croupier.exact.strategy.conditions import Admits
from croupier.exact.strategy.features import (
    FOUR_CARD_WORDS,
    HOLDEM,
    CardsInSight,
    Feature,
    StreetFeatures,
    streets_of,
)
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.toml_text import read_toml
from croupier.games.registry import Registry, the_registry
from croupier.rulebook.book import Rulebook


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
    for title, features in (*HOLDEM.values(), FOUR_CARD_WORDS):
        if name in features:
            return f"{name} cannot be seen {street.title.lower()}, only {title.lower()}"
    near = get_close_matches(name, street.features, n=1)
    known = f"did you mean {near[0]}?" if near else f"there are {', '.join(street.features)}"
    return f"there is no feature {quoted(name)}; {known}"
