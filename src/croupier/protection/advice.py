"""What each action is worth when some of the dealer's cards, or cards out of play, are known.

For practice and analysis only, as all advice.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from croupier.exact import advice, four_card
from croupier.exact import holdem as honest_holdem
from croupier.exact.advice import ValuesByAction
from croupier.exact.assumptions import refuse_base
from croupier.exact.enumeration import DealTable
from croupier.exact.hand_samples import samples
from croupier.exact.kernels import four_card as four_card_kernel
from croupier.exact.kernels import four_card_rank
from croupier.exact.kernels.compiled import Progress, compile_progress
from croupier.exact.kernels.showdowns import DEALER_SIZE
from croupier.extras import KERNELS, require
from croupier.facts.cards import DECK, Card, Cards
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FOUR_CARD
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.protection import holdem
from croupier.protection.knowledge import NOTHING
from croupier.protection.known_game import known_game
from croupier.protection.last_decision import unseen_hands


def advise(
    rules: Rules,
    own: Cards,
    seen: Cards,
    dealer: Cards,
    dead: Cards,
    progress: Progress = lambda what, done: None,
) -> ValuesByAction:
    """The exact value of each action in Antes, the best first; ``seen`` lies face up."""
    advice.refuse_twice(own + seen + dealer + dead)
    refuse_base(rules)
    _refuse_counts(rules, own, seen, dealer)
    with compile_progress(progress):
        shape = shape_of(rules)
        if shape is GameShape.HOLDEM:
            values = _holdem(rules, own, seen, dealer, dead, progress)
        elif shape is GameShape.HOLDEM_BETS:
            values = _holdem_bets(rules, own, seen, dealer, dead)
        elif shape is GameShape.FOUR_CARD:
            values = _four_card(rules, own, seen[0], dealer, dead)
        else:
            table = DealTable(rules, tuple(card for card in DECK if card not in dead))
            up = (seen + dealer, *((),) * len(table.shared))
            values = dict(table.decide(list(table.meetings(tuple(sorted(own)), up))).values)
    return dict(sorted(values.items(), key=lambda item: item[1], reverse=True))


def _refuse_counts(rules: Rules, own: Cards, seen: Cards, dealer: Cards) -> None:
    """So many cards as the place of each has; of a game of its own what it has on the table."""
    box, house = rules.book.place("box").cards, rules.book.place("dealer").cards
    way = rules.book.dealing[0]
    up = tuple(way.face_up(street.name).total() for street in rules.book.streets)
    if len(own) != box:
        raise Unreadable(f"{rules.game.name} is played with {box} cards, not with {len(own)}")
    if len(seen) not in up:
        said = " or ".join(map(str, up))
        raise Unreadable(f"{said} cards lie face up when {rules.game.name} is decided")
    hidden = house - way.face_up(rules.book.streets[0].name)["dealer"]
    if len(dealer) > hidden:
        raise Unreadable(f"the dealer has {hidden} cards face down, not {len(dealer)}")


def _holdem(
    rules: Rules, hole: Cards, board: Cards, dealer: Cards, dead: Cards, progress: Progress
) -> ValuesByAction:
    if board:
        return advice.on_board(rules, hole, board, dealer, dead)
    numbers = (tuple(sorted(card.number for card in cards)) for cards in (dealer, dead, hole))
    held, gone, (low, high) = numbers
    game = known_game(rules)
    require(KERNELS)
    progress("counting with known cards", 0.0)
    (found,) = holdem.Solver(game, NOTHING).solve(holdem.Problem(held, gone, 1))
    spot = int(found.spots.infos[high * (high - 1) // 2 + low, 0])
    deals = game.denominator * found.deals * int(found.spots.ways[spot])
    names = [*(name for name, _ in game.plays[: game.early - 1]), honest_holdem.CHECK]
    sums = found.values[spot].tolist()
    return {name: Fraction(sums[at], deals) for at, name in enumerate(names)}


def _holdem_bets(
    rules: Rules, hole: Cards, board: Cards, dealer: Cards, dead: Cards
) -> ValuesByAction:
    if not board:
        raise Unreadable(
            f"before the flop known cards are not counted at {rules.game.name}; once the flop lies "
            "there they are"
        )
    return advice.later_bet(rules, hole, board, dealer, dead)


def _four_card(rules: Rules, own: Cards, up: Card, dealer: Cards, dead: Cards) -> ValuesByAction:
    """Every way to complete the dealer's hand is dealt."""
    if not dealer:
        deck = [card.number for card in DECK if card not in dead]
        counted = four_card_kernel.deal_out(
            tuple(card.number for card in own), up.number, np.array(deck)
        )
    else:
        counted = _completions(own, (up, *dealer), dead)
    hand_class = samples(FOUR_CARD).index(FOUR_CARD.best(own))
    found = four_card_kernel.action_values(counted, four_card.stakes_of(rules), hand_class)
    names = four_card.action_names(rules)
    return {
        name: Fraction(value, found.denominator)
        for name, value in zip(names, found[:3], strict=True)
    }


def _completions(own: Cards, known: Cards, dead: Cards) -> tuple[int, int, int]:
    seen = tuple(card.number for card in own + known + dead)
    others = unseen_hands(seen, DEALER_SIZE - len(known))
    held = np.tile(np.array([card.number for card in known], np.uint8), (len(others), 1))
    classes = four_card_rank.rank_hands(np.hstack([held, others]))
    mine = four_card_rank.rank_hands(np.array([[card.number for card in own]]))[0]
    below, equal = int((classes < mine).sum()), int((classes == mine).sum())
    return below, equal, len(classes) - below - equal
