"""Four Card Poker solved: all 167 trillion deals, the dealer's up card known to the player.

The result of a hand is linear in the Play wager: with a share w of dealer's hands won or tied, a
Play of m Antes brings (1 + m)(2w - 1). So between the least and the most Play nothing is ever
better than both ends, and three actions remain: the most, the least, and the fold.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from operator import mul

import numpy as np
from numpy.typing import NDArray

from croupier.exact.assumptions import refuse_base
from croupier.exact.base_game import (
    FOLD,
    BaseGame,
    RoundEnding,
    Showdown,
    case_of,
    gathered,
    whole_numbers,
)
from croupier.exact.endings import PLAIN, paid_of
from croupier.exact.hand_classes import common_cells, lines_of_classes
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import four_card as kernel
from croupier.exact.kernels import four_card_sixth as sixth_kernel
from croupier.exact.kernels.poker_rank import rank_once
from croupier.exact.kernels.showdowns import Showdowns, showdowns
from croupier.exact.side_wagers import LineCounts
from croupier.exact.six_cards import SixCells
from croupier.exact.solution import HandValue
from croupier.exact.strategy.chart_names import facing, four_card_name
from croupier.facts.cards import DECK, Card, Rank
from croupier.facts.hands import FIVE_CARD, FOUR_CARD, Ranking
from croupier.facts.progress import Progress
from croupier.games.rules import Rules
from croupier.rulebook.book import Paytable, Street

SHOWN = {kernel.WIN: Showdown.WIN, kernel.TIE: Showdown.TIE, kernel.LOSS: Showdown.LOSS}
_TIES = {"win": 1, "push": 0, "lose": -1}


@dataclass(frozen=True)
class SolvedFourCard:
    """The base game under optimal play, and the tables it was counted from."""

    base: BaseGame
    stakes: kernel.Stakes
    shown: Showdowns
    actions: NDArray[np.uint8]

    @cached_property
    def by_hand(self) -> NDArray[np.int64]:
        """Every deal by kind of hand, action and outcome: what any side wager's lines add up."""
        return kernel.tally(self.shown, self.actions, np.arange(len(self.shown.hands)))[:, 0]


def solve_base(rules: Rules, progress: Progress = lambda what, done: None) -> SolvedFourCard:
    stakes = stakes_of(rules)
    shown = showdowns(progress=lambda done: progress("counting dealer's hands", done))
    actions = kernel.best_actions(shown, stakes)
    return SolvedFourCard(played(rules, shown, actions), stakes, shown, actions)


def played(rules: Rules, shown: Showdowns, actions: NDArray[np.uint8]) -> BaseGame:
    """The base game when these actions are taken."""
    cells, firsts = _cells(rules)
    counts = kernel.count_outcomes(shown, actions, cells)[0]
    return BaseGame(tuple(gathered(_cases(rules, counts, firsts))), action_names(rules))


def by_own_cards(
    rules: Rules, solved: SolvedFourCard, table: Paytable, judged_by: str
) -> LineCounts:
    """Count a wager that the player's cards decide and a fold forfeits (ruling 13)."""
    counts = _joint(rules, solved, table, judged_by, forfeits=True).sum(axis=(1, 2, 3))
    deals_a_hand = solved.base.deals // int(solved.shown.weights.sum())
    whole_hands = all(int(ways) % deals_a_hand == 0 for ways in counts)
    scale = deals_a_hand if whole_hands else 1  # hands are easier to read than deals
    return Counter({line: int(ways) // scale for line, ways in enumerate(counts)})


def base_with(
    rules: Rules, solved: SolvedFourCard, table: Paytable, judged_by: str, forfeits: bool
) -> list[Fraction]:
    """Line by line of a paytable that the player's five cards decide, and last for a loss: what
    the deals that end so add to the mean of the base game."""
    unit, nets = _nets(rules)
    return [
        Fraction(sum(map(mul, nets, of_line.reshape(-1).tolist())), unit * solved.base.deals)
        for of_line in _joint(rules, solved, table, judged_by, forfeits)
    ]


@lru_cache(maxsize=4)
def _nets(rules: Rules) -> tuple[int, list[int]]:
    """What each of (action, cell, outcome) wins or loses, in that order: so many units in one
    Ante, and whole units."""
    _, firsts = _cells(rules)
    empty = np.zeros((len(plays(rules)), len(firsts), len(SHOWN)), dtype=np.int64)
    nets = [case.net for case in _cases(rules, empty, firsts)]
    unit = lcm(*(net.denominator for net in nets))
    return unit, [int(net * unit) for net in nets]


def lines_of_hands(solved: SolvedFourCard, table: Paytable, ranking: Ranking) -> NDArray[np.uint8]:
    """By kind of five cards the line of a side wager on their best four, or on all five."""
    classes = rank_once(solved.shown.hands) if ranking is FIVE_CARD else solved.shown.classes
    return lines_of_classes(table, ranking)[classes]


def count_with(
    rules: Rules, solved: SolvedFourCard, lines: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every deal by line of its five cards, action, cell and outcome; and a class of each cell."""
    cells, firsts = _cells(rules)
    places = lines.astype(np.int64) * len(firsts) + cells[solved.shown.classes]
    order = np.argsort(places, kind="stable")
    found, begin = np.unique(places[order], return_index=True)
    counts = np.zeros((int(lines.max()) + 1, len(firsts), *solved.by_hand.shape[1:]), np.int64)
    counts.reshape(-1, *solved.by_hand.shape[1:])[found] = np.add.reduceat(
        solved.by_hand[order], begin, axis=0
    )
    return counts.transpose(0, 2, 1, 3), firsts


def count_with_sixth(
    rules: Rules, solved: SolvedFourCard, lines: NDArray[np.integer], six: SixCells
) -> NDArray[np.int64]:
    """Every deal of a sixth card too: by line of five cards, cell of six, action, cell, outcome."""
    cells, firsts = _cells(rules)
    shown = solved.shown
    sixth = np.full((len(shown.hands), len(DECK)), sixth_kernel.NO_CARD, dtype=np.uint8)
    for card in shown.sets.deck:
        held = (shown.hands == card).any(axis=1)
        others = shown.hands[~held]
        both = np.column_stack([others, np.full(len(others), card, dtype=np.uint8)])
        sixth[~held, card] = six.of_hands(both)
    places = lines.astype(np.int64) * len(firsts) + cells[shown.classes]
    found = sixth_kernel.tally_with_sixth(shown, solved.actions, places, sixth)
    shape = int(lines.max()) + 1, len(firsts)
    counts = np.zeros((shape[0] * shape[1], *found.shape[1:]), dtype=np.int64)
    counts[: len(found)] = found
    return counts.reshape(*shape, *found.shape[1:]).transpose(0, 2, 3, 1, 4)


def _joint(
    rules: Rules, solved: SolvedFourCard, table: Paytable, judged_by: str, forfeits: bool
) -> NDArray[np.int64]:
    """Every deal by line of a side wager, action, cell of the hand and outcome."""
    ranking = FIVE_CARD if judged_by == "five cards" else FOUR_CARD
    found, _ = count_with(rules, solved, lines_of_hands(solved, table, ranking))
    counts = np.zeros((len(table.lines) + 1, *found.shape[1:]), dtype=np.int64)
    counts[: len(found)] = found
    if forfeits:
        counts[-1, kernel.FOLD] += counts[:-1, kernel.FOLD].sum(axis=0)
        counts[:-1, kernel.FOLD] = 0
    return counts


def _cells(rules: Rules) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    return common_cells([lines_of_classes(_bonus(rules), FOUR_CARD)])


def stakes_of(rules: Rules) -> kernel.Stakes:
    """What the kernel needs to know of the Rules, in whole numbers."""
    bonus, street = _bonus(rules), _street(rules)
    pays = [paid_of(line.odds, PLAIN) for line in bonus.lines] + [Fraction(0)]
    unit, units = whole_numbers(pays, rules)
    by_line = np.array(units, dtype=np.int64)
    return kernel.Stakes(
        least=street.least_multiple or 0,
        most=street.most_multiple or 0,
        ties=_TIES[rules.book.contest.tie.outcome],
        unit=unit,
        bonus_of_class=by_line[lines_of_classes(bonus, FOUR_CARD)],
    )


def action_names(rules: Rules) -> tuple[str, str, str]:
    street = _street(rules)
    return f"{street.most_multiple}x", f"{street.least_multiple}x", FOLD


def plays(rules: Rules) -> dict[str, Fraction | None]:
    """By the name of each action what it bets, in Antes; None for the fold."""
    street = _street(rules)
    bets = (Fraction(street.most_multiple or 0), Fraction(street.least_multiple or 0), None)
    return dict(zip(action_names(rules), bets, strict=True))


def values_of_hand(rules: Rules, cards: tuple[Card, ...], up: Card) -> dict[str, Fraction]:
    """The exact value of each action with these five cards against this up card, in Antes."""
    numbers = tuple(card.number for card in cards)
    below, equal, above = kernel.deal_out(numbers, up.number)
    hand_class = samples(FOUR_CARD).index(FOUR_CARD.best(cards))
    values = kernel.action_values((below, equal, above), stakes_of(rules), hand_class)
    return {
        name: Fraction(value, values.denominator)
        for name, value in zip(action_names(rules), values[:3], strict=True)
    }


def hand_values(rules: Rules, solved: SolvedFourCard) -> tuple[HandValue, ...]:
    """By what the hand is called and the rank that is up: the average value of each action."""
    names = [four_card_name(hand) for hand in samples(FOUR_CARD)]
    held = [names[hand_class] for hand_class in np.unique(solved.shown.classes)[::-1]]
    lines = {name: line for line, name in enumerate(dict.fromkeys(held))}
    hand_lines = np.array([lines.get(name, 0) for name in names])[solved.shown.classes]
    counts = kernel.tally(solved.shown, solved.actions, hand_lines, np.arange(52) // 4)
    bonus = {name: solved.stakes.bonus_of_class[number] for number, name in enumerate(names)}
    return tuple(
        _hand_value(rules, solved, facing(name, rank), counts[line, rank - 2], bonus[name])
        for name, line in lines.items()
        for rank in Rank
        if counts[line, rank - 2].any()
    )


def _hand_value(
    rules: Rules, solved: SolvedFourCard, name: str, counts: NDArray[np.int64], bonus: int
) -> HandValue:
    stakes = solved.stakes
    win, tie, loss = (int(ways) for ways in counts.sum(axis=0))
    ways = win + tie + loss
    edge = stakes.unit * (win + stakes.ties * tie - loss)
    most, least = ((1 + m) * edge + int(bonus) * ways for m in (stakes.most, stakes.least))
    values = (most, least, -stakes.unit * ways)
    names = action_names(rules)
    taken = dict(zip(names, counts.sum(axis=1), strict=True))
    return HandValue(
        name,
        ways,
        tuple((n, Fraction(v, stakes.unit * ways)) for n, v in zip(names, values, strict=True)),
        max(names, key=lambda action: int(taken[action])),
    )


def _cases(rules: Rules, counts: NDArray[np.int64], firsts: NDArray[np.int64]) -> list[RoundEnding]:
    return [
        case_of(
            rules,
            name,
            play,
            SHOWN[outcome],
            True,
            samples(FOUR_CARD)[first],
            int(counts[action, cell, outcome]),
        )
        for action, (name, play) in enumerate(plays(rules).items())
        for cell, first in enumerate(firsts)
        for outcome in SHOWN
    ]


def _bonus(rules: Rules) -> Paytable:
    table = rules.paytable("ante_bonus")
    assert table is not None, "a rulebook of Four Card Poker always has its Ante bonus"
    return table


def _street(rules: Rules) -> Street:
    refuse_base(rules)
    (street,) = rules.book.streets
    return street
