"""Strategy files: the vocabulary and its page, the words for values, and clear sentences."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from croupier.exact.hand_samples import samples
from croupier.exact.kernels import four_card_features, holdem_features
from croupier.exact.strategy.conditions import (
    CATEGORY,
    NUMBER,
    RANK,
    START,
    STARTS,
    Kind,
    hand_kind,
)
from croupier.exact.strategy.features import CardsInSight, streets_of
from croupier.exact.strategy.strategy_file import read_strategy, shipped
from croupier.facts.cards import Rank, cards
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FIVE_CARD, FOUR_CARD
from croupier.games.registry import open_registry, the_registry
from croupier.rulebook.loader import read_book

PAGE = (Path(__file__).parents[3] / "docs" / "strategy-files.md").read_text("utf-8")
CHAPTERS = {"uth": "Ultimate Texas Hold'em", "four-card": "Four Card Poker"}
NAMES = {"uth": holdem_features.NAMES, "four-card": four_card_features.NAMES}


# The vocabulary


@pytest.mark.parametrize("game", CHAPTERS)
def test_the_page_has_every_feature_and_no_other(game: str) -> None:
    chapter = PAGE.partition(f"## Features of {CHAPTERS[game]}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|", chapter, re.MULTILINE)
    assert [name for name, _, _ in rows] == list(NAMES[game])
    everywhere = {name for street in streets_of(the_registry(), game) for name in street.features}
    assert {name for name, _, _ in rows} == everywhere
    for name, _, seen in rows:
        streets = [
            street.name for street in streets_of(the_registry(), game) if name in street.features
        ]
        assert seen == ("always" if len(streets) == 3 else ", ".join(streets))


def test_the_page_has_the_features_of_any_other_game() -> None:
    chapter = PAGE.partition("## Features of any other game\n")[2].partition("\n## ")[0]
    names = re.findall(r"^\| `(\w+)` \|", chapter, re.MULTILINE)
    (plain,) = streets_of(the_registry(), "three-card")
    assert [*plain.features, "up_card"] == names
    assert list(plain.actions) == ["1x", "fold"]


def test_a_card_that_is_up_can_be_noticed_in_any_game() -> None:
    up = 'to = "dealer", face = "up", clause = "4.B" }'
    text = (files("croupier.rulebook") / "books" / "TCP-1.toml").read_text("utf-8")
    shown = read_book(text.replace('to = "dealer", clause = "4.B" }', up))
    registry = open_registry(the_registry().games.values(), [shown])
    (street,) = streets_of(registry, "three-card")
    assert (
        street.features["up_card"].read(CardsInSight(cards("2c 3c 4c"), cards("Qd"))) is Rank.QUEEN
    )


def test_the_page_has_every_decision() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| `\[\[(\w+)\]\]` \| (.+?) \|$", PAGE, re.MULTILINE)
    assert rows == [
        (game, street.key, ", ".join(f"`{action}`" for action in street.actions))
        for game in CHAPTERS
        for street in streets_of(the_registry(), game)
    ]


def test_the_page_shows_a_strategy_that_reads() -> None:
    (toml,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert read_strategy(toml, "page").game == "uth"


def test_the_page_writes_every_kind_of_value_as_it_is_read() -> None:
    kinds = {
        "rank": RANK,
        "number": NUMBER,
        "category": CATEGORY,
        "hand": hand_kind(FIVE_CARD),
        "starting hands": START,
    }
    rows = dict(re.findall(r"^\| ([a-z ]+) \| (.*`.*) \|$", PAGE, re.MULTILINE))
    for name, kind in kinds.items():
        written = re.findall(r'`"(.+?)"`', rows[name])
        assert len(written) > 3
        for value in written:
            assert any(kind.read(value))


def admitted(kind: Kind, value: object) -> list[object]:
    return [each for each, yes in zip(kind.values, kind.read(value), strict=True) if yes]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("T", [10]),
        ("tens", [10]),
        ("10", [10]),
        ("Q or higher", [12, 13, 14]),
        ("Q+", [12, 13, 14]),
        ("4 or lower", [2, 3, 4]),
        ("under 4", [2, 3]),
        ("over queen", [13, 14]),
        ("3 to 5", [3, 4, 5]),
        ("deuce, K or higher", [2, 13, 14]),
        ("none", [None]),
        ("any", list(range(2, 15))),
        (7, [7]),
    ],
)
def test_ranks(value: object, expected: list[int | None]) -> None:
    assert admitted(RANK, value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("AKs", "AKs"),
        ("AK", "AKs AKo"),
        ("KA", "AKs AKo"),
        ("QTs+", "QTs QJs"),
        ("QQ+", "QQ KK AA"),
        ("44-22", "22 33 44"),
        ("K4s-K2s", "K2s K3s K4s"),
        ("T9o, 10 8o", "T9o T8o"),
    ],
)
def test_starting_hands(value: str, expected: str) -> None:
    assert set(admitted(START, value.replace("10 ", "10"))) == set(expected.split())


def test_the_usual_names_of_many_starting_hands() -> None:
    assert len(STARTS) == 169
    sizes = {"any ace": 25, "any pair": 13, "any suited": 78, "any offsuit": 78}
    for name, size in {**sizes, "any two cards": 169, "any deuce": 25}.items():
        assert len(admitted(START, name)) == size


def test_hands_by_category_and_ranks() -> None:
    hands = hand_kind(FOUR_CARD)
    best, worst = samples(FOUR_CARD)[-1], samples(FOUR_CARD)[0]
    jacks = admitted(hands, "pair of jacks")
    assert len(jacks) == 66
    assert admitted(hands, "pair of jacks or better")[0] == jacks[0]
    assert admitted(hands, "pair of jacks or better")[-1] == best
    assert admitted(hands, "pair of jacks or worse")[0] == worst
    assert admitted(hands, "pair of jacks or worse")[-1] == jacks[-1]
    assert len(admitted(hands, "pair of jacks with A")) == 11
    assert (
        len(admitted(hands, "A-K-Q high")) == 8 + 1
    )  # with a ten to a two; with a jack, a straight
    assert len(admitted(hands, "trips to quads")) == 156 + 11 + 13
    assert len(admitted(hands, "two pair of aces and kings")) == 1


# Reading


def four_card_file(*rules: str, head: str = 'game = "four-card"') -> str:
    return "\n".join([head, *(f"[[play]]\n{rule}" for rule in rules)])


LAST = 'do = "fold"'
BAD = {
    "this is not TOML": "game = ",
    'game = "texas-holdem-bonus" or game = "three-card" or game = "uth"': LAST,
    'names its game: game = "casino-holdem" or game = "four-card"': 'game = "bridge"',
    'a strategy for four-card has no "flop"': four_card_file(LAST) + "\n[[flop]]\n" + LAST,
    "on the flop nothing is decided; write rules under [[flop]]": 'game = "uth"\n'
    '[[before_the_flop]]\ndo = "check"\n[[river]]\ndo = "fold"',
    "each rule starts with [[play]]": 'game = "four-card"\nplay = "3x"',
    "the rules have a hole: the last must stand without conditions": four_card_file(
        'do = "3x"\nwhen = { made = "pair or better" }'
    ),
    'rule 1: "2x" cannot be done here; choose 3x, 1x, fold': four_card_file('do = "2x"', LAST),
    "rule 1: do says what to do; choose 3x": four_card_file("when = {}", LAST),
    "rule 1: do says what": four_card_file("do = 3", LAST),
    "up_held: this is not a number": four_card_file(
        f"do = '3x'\nwhen = {{ up_held = 0x{'f' * 9999} }}", LAST
    ),
    'rule 1: "then" is no part of a rule': four_card_file('do = "3x"\nthen = 1', LAST),
    "rule 1: when holds features": four_card_file('do = "3x"\nwhen = "pair"', LAST),
    'there is no feature "mad"; did you mean made?': four_card_file(
        'do = "3x"\nwhen = { mad = "pair" }', LAST
    ),
    'there is no feature "luck"; there are made, kicker': four_card_file(
        "do = '3x'\nwhen = { luck = true }", LAST
    ),
    "rule 1: dealer_outs cannot be seen with five cards and an up card, only at the end": (
        four_card_file('do = "3x"\nwhen = { dealer_outs = 3 }', LAST)
    ),
    'made: "royal flush" is not a hand of this game': four_card_file(
        'do = "3x"\nwhen = { made = "royal flush" }', LAST
    ),
    'up_card: "true" is not a rank': four_card_file('do = "3x"\nunless = { up_card = true }', LAST),
    'up_held: "some" is not a number': four_card_file(
        'do = "3x"\nwhen = { up_held = "some" }', LAST
    ),
    'up_card: "under 2" leaves nothing': four_card_file(
        'do = "3x"\nwhen = { up_card = "under 2" }', LAST
    ),
    'is not one of lower, same, higher; write it like "lower"': four_card_file(
        'do = "3x"\nwhen = { up_against_made = "above" }', LAST
    ),
    "name is text": four_card_file(LAST, head='game = "four-card"\nname = 3'),
    '"any two" can mean two things': 'game = "uth"\n[[before_the_flop]]\ndo = "4x"\n'
    'when = { start = "any two" }',
    '"K2x" is not a range of starting hands': 'game = "uth"\n[[before_the_flop]]\ndo = "4x"\n'
    'when = { start = "AA, K2x" }',
    '"AKs-QJs" runs between two hands that differ in more than one card': 'game = "uth"\n'
    '[[before_the_flop]]\ndo = "4x"\nwhen = { start = "AKs-QJs" }',
    'suited: "yes" is not yes or no': 'game = "uth"\n[[before_the_flop]]\ndo = "4x"\n'
    'when = { suited = "yes" }',
}


@pytest.mark.parametrize("sentence", BAD)
def test_a_bad_file_gets_one_clear_sentence(sentence: str) -> None:
    with pytest.raises(Unreadable) as error:
        read_strategy(BAD[sentence], "mine.toml")
    assert sentence in str(error.value)
    assert str(error.value).startswith("mine.toml: ")
    assert "\n" not in str(error.value)


def test_rules_are_told_in_words() -> None:
    strategy = read_strategy(shipped()["uth-simple"], "uth-simple")
    assert [str(rule) for rule in strategy.rules["flop"]] == [
        "2x when the hand is two pair or better",
        "2x when there is a hidden pair, unless the pocket pair is 2",
        "2x when cards to a flush: 4 and the hidden one is T or higher",
        "check otherwise",
    ]
