"""The shipped Rules as arrays for the coach's kernel of the browser, `static/kernel.js`.

Everything that takes a rule is worked out here by the solver's own functions: which hands are
equal, what each way to end pays, what a starting hand is worth. The kernel deals and adds.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.documents.returns import base_rules
from croupier.exact import four_card, holdem, holdem_bets
from croupier.exact.advice import round_results
from croupier.exact.base_game import FOLD, BaseGame, BetsInAntes, Showdown
from croupier.exact.enumeration import DealTable, Meeting
from croupier.exact.hand_partitions import final_partition, first_opening_class
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import four_card_rank, poker_rank
from croupier.exact.solution_cache import known_hands, solved
from croupier.exact.solution_file import to_bytes
from croupier.exact.strategy.chart_names import start_name
from croupier.facts.cards import DECK
from croupier.facts.hands import FIVE_CARD
from croupier.games.registry import Registry
from croupier.games.rules import Rules, first_letters
from croupier.games.shapes import GameShape, shape_of
from croupier.rulebook.book import Rulebook
from croupier.submission.check import shipped_submission
from croupier.submission.fingerprint import rules_hash

Compiled = dict[str, Any]
Nets = Mapping[str, Sequence[Sequence[Fraction]]]


def compiled(registry: Registry) -> Compiled:
    """What the kernel needs of every shipped submission, by the hash of its Rules."""
    bound = [shipped_submission(book).rules(registry) for book in registry.books]
    return {
        "deck": [str(card) for card in DECK],
        "five": _rank_tables_of_five(),
        "four": _rank_tables_of_four(),
        "categories": _categories(),
        "rules": {rules_hash(rules): COMPILERS[shape_of(rules)](rules) for rules in bound},
        "sides": kept_sides(registry),
    }


def kept_sides(registry: Registry) -> dict[str, object]:
    """What is kept of the solution of each base game: side wagers and Envy, for their returns."""
    bases = (base for book in registry.books.values() for base in _every_base(registry, book))
    return {rules_hash(base): _sides(base) for base in bases}


def _every_base(registry: Registry, book: Rulebook) -> Iterator[Rules]:
    """The base game of a book under each of its paytables."""
    wagers = first_letters(book)
    for letters in product(*(book.paytables[name] for name in wagers)):
        yield base_rules(registry, book, dict(zip(wagers, letters, strict=True)))


def _sides(rules: Rules) -> object:
    kept = replace(solved(rules), base=BaseGame((), ()), hands=())
    return msgspec.json.decode(to_bytes(kept))


def _packed(numbers: ArrayLike, kind: type[np.generic] = np.uint16) -> str:
    """Little-endian numbers as base64."""
    found = np.asarray(numbers)
    made = found.astype(np.dtype(kind).newbyteorder("<"))
    assert (made == found).all(), "the numbers fit"
    return base64.b64encode(made.tobytes()).decode()


def _rank_tables_of_five() -> Compiled:
    known = poker_rank.counted_tables(7)
    return {
        "lowRanks": poker_rank.LOW_RANKS,
        "flush": 5,
        "rows": _packed(known.rows[:-1]),
        "columns": _packed(known.columns),
        "classes": _packed(known.classes),
        "flushes": _packed(known.flushes),
    }


def _categories() -> list[tuple[str, int]]:
    """Each category of five cards with the first class of its hands, the lowest first."""
    firsts: dict[str, int] = {}
    for number, hand in enumerate(samples(FIVE_CARD)):
        firsts.setdefault(str(hand.category), number)
    return list(firsts.items())


def _rank_tables_of_four() -> Compiled:
    known, low = four_card_rank.tables(), four_card_rank.LOW_RANKS
    return {
        "lowRanks": low,
        "flush": 4,
        "rows": _packed(known.rows[: 5 ** (13 - low)]),
        "columns": _packed(known.columns[: 5**low]),
        "classes": _packed(known.classes),
        "flushes": _packed(np.maximum(known.flushes, 0)),
    }


def _in_units(nets: Nets, fold: Fraction) -> Compiled:
    """Fractions of an Ante as whole numbers of one unit."""
    every = [net for rows in nets.values() for row in rows for net in row]
    unit = lcm(fold.denominator, *(net.denominator for net in every))
    whole = {
        name: [[int(net * unit) for net in row] for row in rows] for name, rows in nets.items()
    }
    return {"unit": unit, "nets": whole, "fold": int(fold * unit)}


# Hold'em


def _cells(rules: Rules) -> tuple[NDArray[np.uint8], list[int]]:
    """Classes that are paid alike and open alike, and one class of each such cell."""
    classes = np.arange(len(samples(FIVE_CARD)))
    opens = classes >= first_opening_class(rules)
    together = final_partition(rules).cells.astype(np.int64) * 2 + opens
    _, firsts, cells = np.unique(together, return_index=True, return_inverse=True)
    return cells.reshape(-1).astype(np.uint8), [int(first) for first in firsts]


def _holdem_nets(rules: Rules, actions: Mapping[str, BetsInAntes]) -> Compiled:
    cells, firsts = _cells(rules)
    hands = samples(FIVE_CARD)
    nets = {
        name: [round_results(rules, play, hands[first]) for first in firsts]
        for name, play in actions.items()
    }
    return {
        "firstOpening": first_opening_class(rules),
        "cells": _packed(cells, np.uint8),
        **_in_units(nets, round_results(rules, None, hands[0])[0]),
    }


def _starts(rules: Rules) -> Compiled:
    """By starting hand what each action is worth, where a book asks before the flop."""
    if holdem.on_board_at(rules, rules.book.streets[0]):
        return {"starts": [], "startOf": ""}
    hands = known_hands(rules, lambda: solved(rules)).hands
    places = {hand.name: place for place, hand in enumerate(hands)}
    of_hole = [places[start_name(DECK[a], DECK[b])] for b in range(52) for a in range(b)]
    worth = [{name: str(value) for name, value in hand.values} for hand in hands]
    return {"starts": worth, "startOf": _packed(of_hole)}


def _holdem(rules: Rules) -> Compiled:
    first, flop, end = (dict(holdem.actions_on(rules, street)) for street in range(3))
    before, asked, _ = holdem.asked(rules)
    return {
        "shape": "holdem",
        "before": before and {"sizes": [*first], "or": before.otherwise},
        "flop": [*flop],
        "end": [*end],
        "otherwise": holdem.CHECK if asked is None else asked.otherwise,
        "folds": FOLD,
        **_holdem_nets(rules, first | flop | end),
        **_starts(rules),
    }


def _holdem_bets(rules: Rules) -> Compiled:
    names = ("stays", "flop", "turn")
    plays = [play for _, play in holdem_bets.actions(rules)][: len(names)]
    streets = holdem_bets.later_streets(rules)
    asked = {
        str(cards): {"sizes": [f"{size}x" for size in street.multiples], "or": street.otherwise}
        for cards, street in zip((holdem.BOARDS[1], holdem_bets.TURN), streets, strict=True)
        if street is not None
    }
    return {
        "shape": "holdem-bets",
        "asked": asked,
        **_holdem_nets(rules, dict(zip(names, plays, strict=True))),
        **_starts(rules),
    }


# Cards of one's own


def _four_card(rules: Rules) -> Compiled:
    stakes, (most, least, fold) = four_card.stakes_of(rules), four_card.action_names(rules)
    return {
        "shape": "four-card",
        "most": [most, stakes.most],
        "least": [least, stakes.least],
        "folds": fold,
        "ties": stakes.ties,
        "unit": stakes.unit,
        "bonus": _packed(stakes.bonus_of_class),
    }


def _own_cards(rules: Rules) -> Compiled:
    """Three cards each, all the dealer's hidden: every hand by its code, and what each class is
    paid."""
    table = DealTable(rules, DECK)
    assert (table.own, table.dealer.cards, sum(table.ups), table.shared) == (3, 3, 0, [])
    ranking = rules.game.ranking
    classes = {hand: place for place, hand in enumerate(samples(ranking))}
    held = [classes[ranking.hand(tuple(DECK[at] for at in each))] for each in _by_code()]
    needs = rules.book.contest
    opening = next(n for n, hand in enumerate(samples(ranking)) if needs.opens(ranking, hand))
    nets = {
        action: [
            [table.ending(action, Meeting(table.paid_as(hand), *end, 1)).net for end in ends]
            for hand in samples(ranking)
            for ends in (_ends(opens=needs.opens(ranking, hand)),)
        ]
        for action in table.actions
    }
    whole = _in_units(nets, Fraction(0))
    return {
        "shape": "own-cards",
        "actions": [*table.actions],
        "firstOpening": opening,
        "classes": _packed(held),
        **whole,
    }


def _ends(*, opens: bool) -> tuple[tuple[Showdown, bool], ...]:
    """How a showdown ends, in the order of `holdem.ends_of`; a dealer who ties opens as the
    player's hand would."""
    won, lost = Showdown.WIN, Showdown.LOSS
    return ((won, True), (won, False), (Showdown.TIE, opens), (lost, True), (lost, False))


def _by_code() -> Iterator[tuple[int, ...]]:
    """Three cards in the order of their codes, see `exact.kernels.positions`."""
    return iter(sorted(combinations(range(52), 3), key=lambda held: held[::-1]))


COMPILERS = {
    GameShape.HOLDEM: _holdem,
    GameShape.HOLDEM_BETS: _holdem_bets,
    GameShape.FOUR_CARD: _four_card,
    GameShape.OWN_CARDS: _own_cards,
}
