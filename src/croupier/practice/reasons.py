"""Reasons behind the coach's numbers, in words: what is left to come, what beats you, which rule.

Each sentence is counted from the cards in sight by the same code that values the choices; the rule
comes from the shipped strategy of the game, and whether the hand is an exception from comparing it
with the best choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb
from typing import NamedTuple, Protocol

from croupier.exact.strategy.chart_names import facing, four_card_name, start_name
from croupier.exact.strategy.features import CardsInSight, dealer_outs
from croupier.exact.strategy.strategy_file import Strategy
from croupier.facts.cards import DECK, Cards
from croupier.facts.hands import FIVE_CARD, FOUR_CARD, Category, Hand
from croupier.facts.odds import To
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.practice.explanation import Explanation
from croupier.practice.regulars import simple_strategy

HOLDEM = (GameShape.HOLDEM, GameShape.HOLDEM_BETS)
WHOLE_BOARD, HOLE = 5, 2
MOST_BEATING = 3
_UNCOUNTED = (Category.TWO_PAIR, Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND)


class ShowdownOdds(NamedTuple):
    """How many of all ways to go on win, tie and lose, and in how many the dealer opens."""

    wins: int
    ties: int
    losses: int
    opens: int

    @property
    def ways(self) -> int:
        return self.wins + self.ties + self.losses


class ShowdownCount(Protocol):
    """Who counts what can follow: the solver's kernels, or those of a browser."""

    def odds(self, rules: Rules, own: Cards, board: Cards, up: Cards) -> ShowdownOdds | None:
        """Everything unseen counted; None before the flop, where too much is to come."""

    def beaten_by(self, own: Cards, board: Cards) -> Counter[Category]:
        """The dealer's hands that beat you on a whole board, by category."""


def explained(
    rules: Rules,
    street: str,
    own: Cards,
    board: Cards,
    up: Cards,
    values: Mapping[str, Fraction],
    count: ShowdownCount,
) -> Explanation:
    """Why the best of these values is the best; ``values`` stand in Antes, the best first."""
    ways = _ways_to_come(rules, own, board)
    asked = next(each for each in rules.book.streets if each.name == street)
    title = rules.book.played_on(asked).title
    words = [*_counted_words(rules, own, board, up, count), *_size_words(values, ways, title)]
    strategy = simple_strategy(rules.book.game)
    cell = chart_cell(rules, own, board, up)
    if strategy is None or street not in strategy.rules:
        return Explanation(tuple(words), cell=cell)
    sight = CardsInSight(own, board or up)
    decides = strategy.deciding(street, sight)
    words.append(_rule_words(strategy, street, decides, values))
    told = tuple(str(rule) for rule in strategy.rules[street])
    return Explanation(tuple(words), strategy.name, told, decides, cell)


# What was counted


def _counted_words(
    rules: Rules, own: Cards, board: Cards, up: Cards, count: ShowdownCount
) -> Iterator[str]:
    ranking = rules.game.ranking
    odds = count.odds(rules, own, board, up)
    if odds is not None:
        yield _odds_words(odds, is_last=shape_of(rules) not in HOLDEM or len(board) == WHOLE_BOARD)
    if len(own) + len(board) >= ranking.size:
        yield f"You hold {_held(ranking.best(own + board))}."
    if shape_of(rules) in HOLDEM and board:
        yield from _board_words(own, board, count)
    if odds is not None and odds.opens < odds.ways:
        share = f"{odds.opens / odds.ways:.1%}"
        yield f"The dealer opens in {share} of them."


def _odds_words(odds: ShowdownOdds, *, is_last: bool) -> str:
    shares = [f"{ways / odds.ways:.1%}" for ways in (odds.wins, odds.ties, odds.losses)]
    if not is_last:
        won, tied, lost = shares
        return f"Over every board and dealer's hand to come you win {won}, tie {tied}, lose {lost}."
    ties = f", tie {odds.ties:,}" if odds.ties else ""
    return (
        f"Of the dealer's {odds.ways:,} hands you beat {odds.wins:,} ({shares[0]})"
        f"{ties} and lose to {odds.losses:,}."
    )


def _board_words(own: Cards, board: Cards, count: ShowdownCount) -> Iterator[str]:
    if len(board) < WHOLE_BOARD:
        yield _outs_words(outs(own, board))
        return
    beating = count.beaten_by(own, board)
    if beating:
        most = [f"{category} {ways:,}" for category, ways in beating.most_common(MOST_BEATING)]
        yield f"What beats you: {', '.join(most)}."
        cards = dealer_outs(CardsInSight(own, board))
        yield _dealer_outs_words(cards)


def _dealer_outs_words(cards: int) -> str:
    if not cards:
        return "No single card beats you: the dealer needs two that fit."
    one = "1 unseen card beats" if cards == 1 else f"{cards} unseen cards beat"
    return f"{one} you when the dealer holds {'it' if cards == 1 else 'one of them'}."


def outs(own: Cards, board: Cards) -> Counter[Category]:
    """The unseen cards that would lift your hand to a higher category than now, and than what the
    board would show to everybody; by that category."""
    seen, now = own + board, FIVE_CARD.best(own + board)
    found = Counter[Category]()
    for card in DECK:
        if card in seen:
            continue
        made = FIVE_CARD.best((*seen, card))
        if made.strength > max(now.strength, _strength_of_board((*board, card))):
            found[made.category] += 1
    return found


def _strength_of_board(board: Cards) -> int:
    """Of the groups among the board's cards: fewer than five make no straight and no flush."""
    groups = sorted(Counter(card.rank for card in board).values(), reverse=True)
    category = {
        (2,): Category.PAIR,
        (2, 2): Category.TWO_PAIR,
        (3,): Category.THREE_OF_A_KIND,
        (4,): Category.FOUR_OF_A_KIND,
    }.get(tuple(size for size in groups if size > 1), Category.HIGH_CARD)
    return FIVE_CARD.order.index(category)


def _outs_words(found: Counter[Category]) -> str:
    if not found:
        return "No card that can come next makes it a better kind of hand."
    told = [
        f"{cards} {'makes' if cards == 1 else 'make'} {_one(kind)}"
        for kind, cards in found.most_common()
    ]
    return f"{sum(found.values())} cards that can come next improve it: {', '.join(told)}."


def _held(hand: Hand) -> str:
    plain = (*_UNCOUNTED, Category.HIGH_CARD)
    return hand.aloud if hand.category in plain else f"a {hand.aloud}"


def _one(category: Category) -> str:
    return str(category) if category in _UNCOUNTED else f"a {category}"


def _ways_to_come(rules: Rules, own: Cards, board: Cards) -> int:
    """In how many ways the board and the dealer's hand can still come; 0 where Play is not paid
    evenly, so that its value is no count of wins and losses."""
    if shape_of(rules) is not GameShape.HOLDEM or not _is_play_even(rules):
        return 0
    unseen, to_come = len(DECK) - len(own) - len(board), WHOLE_BOARD - len(board)
    return comb(unseen, to_come) * comb(unseen - to_come, HOLE)


def _is_play_even(rules: Rules) -> bool:
    """Whether Play wins or loses its stake by the better hand alone, and comes back on a tie."""
    contest = rules.book.contest
    needs = contest.dealer_needs
    spared = needs.pushes if needs is not None else ()
    return contest.tie.outcome == "push" and all(
        play.pays is not None and play.pays.odds == To(1) and play.name not in spared
        for play in rules.book.plays
    )


def _size_words(values: Mapping[str, Fraction], ways: int, title: str) -> Iterator[str]:
    """What one Ante more on this wager adds, where there are two sizes. One that is paid evenly,
    and back on a tie, brings wins less losses over all ways to go on: that many are counted."""
    sizes = sorted((int(name[:-1]), name) for name in values if name.endswith("x"))
    if len(sizes) < 2:
        return
    (low, least), (high, most) = sizes[0], sizes[-1]
    each = (values[most] - values[least]) / (high - low)
    more = each * ways
    if ways and more.denominator == 1:
        often = f"{abs(int(more)):,} more {'wins than losses' if more > 0 else 'losses than wins'}"
        yield (
            f"Over all {ways:,} boards and dealer's hands to come it has {often}: each Ante more "
            f"on {title} brings {float(each):+.3f}."
        )
    elif each:
        often = "more often than it loses" if each > 0 else "less often than it loses"
        yield f"Each Ante more on {title} brings {float(each):+.3f}: the hand wins {often}."


# What a player can remember


def _rule_words(
    strategy: Strategy, street: str, decides: int, values: Mapping[str, Fraction]
) -> str:
    rule, best = strategy.rules[street][decides], next(iter(values))
    if rule.do == best:
        why = str(rule) if rule.when else f"{rule.do}, for none of its other rules holds"
        return f"The simple strategy says so too: {why}."
    more = float(values[best] - values[rule.do]) if rule.do in values else 0.0
    return (
        f"An exception: the simple strategy says {rule}; counted exactly, {best} is worth "
        f"{more:.3f} Antes more."
    )


def chart_cell(rules: Rules, own: Cards, board: Cards, up: Cards) -> str:
    """What the hand is called in the chart of its game; nothing where it is not about a chart."""
    shape = shape_of(rules)
    if shape is GameShape.HOLDEM and not board:
        return start_name(*own)
    if shape is GameShape.FOUR_CARD and up:
        return facing(four_card_name(FOUR_CARD.best(own)), up[0].rank)
    return ""
