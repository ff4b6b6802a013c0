"""How a rule file says which values it means: ``T or higher``, ``pair of kings``, ``K5o+``.

Each kind of feature has a list of all values it can take, and reads what a player writes into a yes
or no for each of them. Nothing else is known of a condition, to plain code or to kernels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from croupier.exact.hand_samples import samples
from croupier.exact.strategy.chart_names import square_name
from croupier.facts.cards import LETTERS, Rank
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.hands import Category, Ranking

Admits = tuple[bool, ...]
Span = tuple[int, int]


@dataclass(frozen=True)
class Kind:
    """Values by number; ``read`` gives the admitted ones, or says what would be right.

    The values are listed when first needed: those of hands take a moment.
    """

    list_values: Callable[[], Sequence[Hashable]]
    read: Callable[[object], Admits]

    @cached_property
    def values(self) -> Sequence[Hashable]:
        return self.list_values()

    @cached_property
    def _numbers(self) -> Mapping[Hashable, int]:
        return {value: number for number, value in enumerate(self.values)}

    def number(self, value: Hashable) -> int:
        return self._numbers[value]


def _wrong(value: object, what: str, example: str) -> Unreadable:
    if isinstance(value, bool):
        shown = quoted(str(value).lower())
    else:
        shown = quoted(value) if isinstance(value, str) or value in range(100) else "this"
    return Unreadable(f"{shown} is not {what}; write it like {example}")


# Scales: ranks, numbers and hands have an order, and share their words for parts of it.


def _scale(
    what: str,
    example: str,
    list_values: Callable[[], Sequence[Hashable]],
    span: Callable[[str], Span | None],
    lowest: int = 0,
) -> Kind:
    """``span`` tells where a word stands: its first and its last place among the values. What is
    below the lowest is no value at all: "none"."""

    def part(text: str) -> Span:
        if lowest and text in ("any", "none"):
            return (lowest, _END) if text == "any" else (0, lowest - 1)
        for shape, ends in _SHAPES:
            if match := shape.fullmatch(text):
                spans = [found for word in match.groups() if (found := span(word)) is not None]
                if len(spans) == len(match.groups()):
                    first, last = ends(spans)
                    return max(first, lowest), last
        raise _wrong(text, what, example)

    def read(value: object) -> Admits:
        if isinstance(value, bool) or not (isinstance(value, str) or value in range(100)):
            raise _wrong(value, what, example)
        spans = [part(" ".join(text.split())) for text in str(value).lower().split(",")]
        admits = tuple(any(a <= n <= b for a, b in spans) for n in range(len(list_values())))
        if not any(admits):
            raise Unreadable(f"{quoted(value)} leaves nothing to hold; write it like {example}")
        return admits

    return Kind(list_values, read)


_END = 1 << 30
_SHAPES: tuple[tuple[re.Pattern[str], Callable[[list[Span]], Span]], ...] = (
    (re.compile(r"(.+?)(?: ?\+| or (?:more|higher|better))"), lambda of: (of[0][0], _END)),
    (re.compile(r"(.+?) or (?:fewer|less|lower|worse)"), lambda of: (0, of[0][1])),
    (re.compile(r"(?:under|below) (.+)"), lambda of: (0, of[0][0] - 1)),
    (re.compile(r"(?:over|above) (.+)"), lambda of: (of[0][1] + 1, _END)),
    (re.compile(r"(.+?) to (.+)"), lambda of: (min(of)[0], max(of)[1])),
    (re.compile(r"(.+)"), lambda of: of[0]),
)

RANK_WORDS: Mapping[str, Rank] = {
    word.lower(): rank
    for rank in Rank
    for word in (rank.letter, rank.one, rank.many, *(["10", "10s"] if rank == 10 else []))
} | {"deuce": Rank.TWO, "deuces": Rank.TWO, **{f"{r.letter.lower()}s": r for r in Rank}}


def _place_of_rank(word: str) -> Span | None:
    rank = RANK_WORDS.get(word)
    return None if rank is None else (rank - 1, rank - 1)


def _place_of_number(word: str) -> Span | None:
    return (int(word), int(word)) if re.fullmatch(r"\d{1,2}", word, re.ASCII) else None


RANK = _scale("a rank", '"T or higher" or "2 to 9"', lambda: (None, *Rank), _place_of_rank, 1)
NUMBER = _scale("a number", '"20 or fewer" or 4', lambda: range(100), _place_of_number)

_CATEGORY_WORDS: Mapping[str, Category] = {
    **{str(category): category for category in Category},
    "trips": Category.THREE_OF_A_KIND,
    "quads": Category.FOUR_OF_A_KIND,
}
_FILLERS = re.compile(r"\b(?:of|and|over|with|high)\b|-")


def _place_of_category(word: str) -> Span | None:
    category = _CATEGORY_WORDS.get(word)
    return None if category is None else (list(Category).index(category),) * 2


CATEGORY = _scale("a category", '"pair or better"', lambda: tuple(Category), _place_of_category)


@cache
def hand_kind(ranking: Ranking) -> Kind:
    """Hands by class: a category, with as many of its ranks as one cares to name."""

    def place(word: str) -> Span | None:
        fitting = (name for name in _CATEGORY_WORDS if word.startswith(name))
        named = max(fitting, key=len, default="")
        words = _FILLERS.sub(" ", word.removeprefix(named)).split()
        ranks = tuple(RANK_WORDS[each] for each in words if each in RANK_WORDS)
        if len(ranks) < len(words) or not (named or (ranks and word.endswith(" high"))):
            return None
        category = _CATEGORY_WORDS[named] if named else Category.HIGH_CARD
        called = [
            number
            for number, hand in enumerate(samples(ranking))
            if hand.category is category and hand.ranks[: len(ranks)] == ranks
        ]
        return (called[0], called[-1]) if called else None

    what, example = "a hand of this game", '"pair of kings or better" or "A-K high"'
    return _scale(what, example, lambda: samples(ranking), place)


# Yes and no, words to choose from


def _read_yes_or_no(value: object) -> Admits:
    if not isinstance(value, bool):
        raise _wrong(value, "yes or no", "true or false, without quotes")
    return (not value, value)


YES_OR_NO = Kind(lambda: (False, True), _read_yes_or_no)


def choice(*words: str) -> Kind:
    def read(value: object) -> Admits:
        chosen = [part.strip().lower() for part in value.split(",")] if type(value) is str else []
        if not chosen or not set(chosen) <= set(words):
            raise _wrong(value, "one of " + ", ".join(words), f'"{words[0]}"')
        return tuple(word in chosen for word in words)

    return Kind(lambda: words, read)


# Starting hands: the usual notation for ranges


STARTS = tuple(square_name(row, column) for row in Rank for column in Rank)
_ONE_START = re.compile(r"([2-9TJQKA])([2-9TJQKA])([so]?)")
_RANGE_EXAMPLE = '"any ace, K2s+, JTo, 99-66"'


def _read_starts(value: object) -> Admits:
    if not isinstance(value, str):
        raise _wrong(value, "a range of starting hands", _RANGE_EXAMPLE)
    chosen = {name for part in value.split(",") for name in _starts_of(part.strip())}
    return tuple(name in chosen for name in STARTS)


def _starts_of(part: str) -> list[str]:
    if part.lower().startswith("any "):
        return _any(part)
    first, dash, last = part.partition("-")
    plus = first.endswith("+") and not dash
    found = _one(first.removesuffix("+").strip(), part)
    if plus:
        high, low, how = found
        steps = (
            [(rank, rank) for rank in range(high, 13)]
            if high == low
            else [(high, rank) for rank in range(low, high)]
        )
        return [name for pair in steps for name in _named(*pair, how)]
    if dash:
        return _between(found, _one(last.strip(), part), part)
    return _named(*found)


def _one(text: str, part: str) -> tuple[int, int, str]:
    """The higher and the lower rank, from 0, and whether suited, offsuit or both are meant."""
    match = _ONE_START.fullmatch(text.replace("10", "T"))
    if match is None or (match[1] == match[2] and match[3]):
        raise _wrong(part, "a range of starting hands", _RANGE_EXAMPLE)
    low, high = sorted((LETTERS.index(match[1]), LETTERS.index(match[2])))
    return high, low, match[3]


def _between(one: tuple[int, int, str], other: tuple[int, int, str], part: str) -> list[str]:
    """From one hand to another of the same shape: two pairs, or the same high card."""
    pairs = one[0] == one[1] and other[0] == other[1]
    if not pairs and (one[0] != other[0] or one[2] != other[2] or one[0] in (one[1], other[1])):
        raise Unreadable(f"{quoted(part)} runs between two hands that differ in more than one card")
    lows = range(min(one[1], other[1]), max(one[1], other[1]) + 1)
    return [name for low in lows for name in _named(low if pairs else one[0], low, one[2])]


def _named(high: int, low: int, how: str) -> list[str]:
    squares = {"s": [(high, low)], "o": [(low, high)], "": [(high, low), (low, high)]}[how]
    return list(
        dict.fromkeys(square_name(Rank(row + 2), Rank(column + 2)) for row, column in squares)
    )


def _any(part: str) -> list[str]:
    word = part.lower().removeprefix("any ").strip()
    if word == "two":
        raise Unreadable('"any two" can mean two things; write "any two cards" or "any deuce"')
    if word in RANK_WORDS:
        return [name for name in STARTS if RANK_WORDS[word].letter in name[:2]]
    tests: dict[str, Callable[[str], bool]] = {
        "two cards": lambda name: True,
        "pair": lambda name: len(name) == 2,
        "suited": lambda name: name.endswith("s"),
        "offsuit": lambda name: name.endswith("o"),
    }
    if word not in tests:
        raise _wrong(part, "a range of starting hands", _RANGE_EXAMPLE)
    return [name for name in STARTS if tests[word](name)]


START = Kind(lambda: STARTS, _read_starts)
