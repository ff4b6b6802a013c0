"""The cases that Rules tell apart, numbered, with the receipt of each: what the compiler reads.

A *look* is what a wager is judged by, as one number (see :mod:`.kernels.settlement`); a *meeting*
is a way in which two hands can come together. No odds are known to the compiler: a sample of each
case is shown to the one settlement function, and its receipt says what is written into the arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from croupier.exact.hand_classes import lines_of_classes
from croupier.exact.hand_samples import samples
from croupier.exact.kernels.array_types import Int64s, Integers, Uint8s
from croupier.exact.side_wagers import ACES, line_number
from croupier.facts.cards import DECK, Card, Rank, Suit
from croupier.facts.hands import FIVE_CARD, SUPER_ROYAL_RANKS, TWO_CARD, Hand, Ranking
from croupier.facts.money import Cents
from croupier.facts.odds import Share
from croupier.facts.showings import Showing
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.rulebook.book import Paytable
from croupier.simulate.kernels import four_card, holdem
from croupier.simulate.kernels.settlement import COLUMNS, LOSS, SUPER_ROYALS, TIE, TIED, WIN
from croupier.table.events import WagerSettled
from croupier.table.settlement import settle_box

# As the kernels of a shape number them.
LOOKS = {
    GameShape.HOLDEM: holdem.LOOKS,
    GameShape.HOLDEM_BETS: holdem.LOOKS,
    GameShape.FOUR_CARD: four_card.LOOKS,
}
NO_LIMIT = 1 << 60
_SIX = tuple(sorted(SUPER_ROYAL_RANKS))


def looks_of(rules: Rules) -> tuple[str, ...]:
    """Looks by number, as the kernel of this game writes them."""
    return LOOKS.get(shape_of(rules)) or tuple(rules.game.looks)


def payout_limit(rules: Rules) -> int:
    return rules.payout_limit_cents if rules.payout_limit_cents is not None else NO_LIMIT


# Looks


def lines_by_look(rules: Rules, table: Paytable, look: str) -> Uint8s:
    """By look: the line of the paytable that pays for it, one past the last where it loses."""
    lines = np.full(COLUMNS, len(table.lines), dtype=np.uint8)
    if look == "first two cards":
        for column, showing in _first_twos().items():
            lines[column] = line_number(table, showing)
        return lines
    by_class = lines_of_classes(table, _ranking(rules, look))
    lines[: len(by_class)] = by_class
    for suit in Suit if look == "six cards" else ():
        lines[SUPER_ROYALS + suit] = line_number(table, _super_royal(suit))
    return lines


def receipts_by_line(
    rules: Rules, name: str, lines: Uint8s, stakes: dict[str, Cents]
) -> Iterator[tuple[int, WagerSettled | None]]:
    """Each line that a look can reach, and what this wager's receipt says for it.

    Nothing is said where a meter pays, which pays what stands on it, and of a bonus not due.
    """
    table, look = rules.paytable(name), rules.judged_by(name)
    assert table is not None, "a wager is only staked where its paytable is chosen"
    least, *_, best = samples(rules.game.ranking)  # some wagers must win
    columns = _columns(rules, look)
    reached, firsts = np.unique(lines[columns], return_index=True)
    for line, column in zip(reached.tolist(), columns[firsts].tolist(), strict=True):
        if is_share(table, line):
            yield line, None
        else:
            settled = receipt(rules, stakes, best, least, _shown(rules, look, column))
            yield line, next((each for each in settled if each.wager == name), None)


def is_share(table: Paytable, line: int) -> bool:
    """Whether a meter pays this line."""
    return line < len(table.lines) and isinstance(table.lines[line].odds, Share)


def _ranking(rules: Rules, look: str) -> Ranking:
    """Of the hand that meets the dealer's the game's own; everything else looks at five cards."""
    return rules.game.ranking if rules.game.looks[look] is rules.game.player else FIVE_CARD


@cache
def _first_twos() -> dict[int, Showing]:
    """Two cards and whether the dealer has a pair of aces, as the kernel numbers them."""
    return dict(_each_first_two())


def _each_first_two() -> Iterator[tuple[int, Showing]]:
    for high in range(len(DECK)):
        for low in range(high):
            two = (DECK[low], DECK[high])
            hole = high * (high - 1) // 2 + low
            yield 2 * hole, Showing(TWO_CARD.hand(two), two)
            yield 2 * hole + 1, Showing(TWO_CARD.hand(two), two, ACES)


def _super_royal(suit: Suit) -> Showing:
    six = tuple(Card(Rank(rank), suit) for rank in _SIX)
    return Showing(FIVE_CARD.best(six), six)


def _columns(rules: Rules, look: str) -> Int64s:
    """Every number a look can have."""
    if look == "first two cards":
        return np.array([*_first_twos()])
    beyond = {"six cards": [SUPER_ROYALS + suit for suit in Suit], "lower hand": [TIED]}
    return np.array([*range(len(samples(_ranking(rules, look)))), *beyond.get(look, [])])


def _shown(rules: Rules, look: str, column: int) -> Showing | None:
    """What lies on the table when a look has this number; nothing for a tie."""
    if look == "first two cards":
        return _first_twos()[column]
    if column == TIED:
        return None
    if column >= SUPER_ROYALS:
        return _super_royal(Suit(column - SUPER_ROYALS))
    hand = samples(_ranking(rules, look))[column]
    return Showing(hand, hand.cards)


# Envy


class EnvyRule(NamedTuple):
    table: Paytable
    look: str  # of the holder's hand
    lines: Uint8s  # by look: the line of Envy, one past the last where none is paid
    holder_wagers: bool  # whether only a hand with a Progressive wager gives it
    folded_holds: bool  # whether a hand that folded gives it where a wager is left in action


def envy_rule(rules: Rules) -> EnvyRule | None:
    """Whose hand gives Envy, and for what; nothing where none is paid."""
    bonus, table, terms = rules.book.envy_bonus, rules.envy, rules.progressive
    if bonus is None or table is None:
        return None
    look = rules.chosen_hand(bonus.judged_by)
    return EnvyRule(
        table=table,
        look=look,
        lines=lines_by_look(rules, table, look),
        holder_wagers=terms is not None and terms.holder_must_wager,
        folded_holds=bonus.folded_holder == "with an open wager",
    )


# Meetings


def first_opening(rules: Rules) -> int:
    """The least class of hand with which the dealer opens."""
    contest, ranking = rules.book.contest, rules.game.ranking
    return next(n for n, hand in enumerate(samples(ranking)) if contest.opens(ranking, hand))


def meetings(rules: Rules, cells: Integers) -> Iterator[tuple[int, int, Hand, Hand]]:
    """Two hands that meet in each way: the meeting's number, the cell, the player's, the dealer's.

    ``cells`` gives each class of the player's hand its cell. What cannot happen, such as to win
    with the weakest hand of all, is left out.
    """
    hands = samples(rules.game.ranking)
    opening, best = first_opening(rules), len(hands) - 1
    for cell in np.unique(cells[: len(hands)]).tolist():
        members = np.flatnonzero(cells[: len(hands)] == cell)
        least, most = int(members[0]), int(members[-1])
        for opens, weakest, strongest in ((1, opening, best), (0, 0, opening - 1)):
            tied = members[(members >= weakest) & (members <= strongest)]
            if weakest <= strongest and weakest < most:
                yield 2 * WIN + opens, cell, hands[most], hands[weakest]
            if len(tied):
                yield 2 * TIE + opens, cell, hands[tied[0]], hands[tied[0]]
            if weakest <= strongest and strongest > least:
                yield 2 * LOSS + opens, cell, hands[least], hands[strongest]


def receipt(
    rules: Rules, stakes: dict[str, Cents], player: Hand, dealer: Hand, shown: Showing | None
) -> tuple[WagerSettled, ...]:
    """The receipt of one box at a table where these hands are held and this is shown."""
    game = replace(
        rules.game,
        player=lambda round, box: Showing(player, player.cards),
        dealer=lambda round: dealer,
        looks={look: lambda round, box: shown for look in rules.game.looks},
    )
    bare = replace(rules, game=game, payout_limit_cents=None, envy=None)
    box = FinishedBox(1, (), stakes)
    return settle_box(FinishedRound(bare, {}, (box,)), box, {})
