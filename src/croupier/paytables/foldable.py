"""How often the pay of a base wager can depend on the play: by line, what may be folded.

A line is paid to who has not folded, whatever else was done, so two ways of playing differ in how
often it is paid by no more than the deals in which one of them folds what it would have paid. The
less a wager pays, the more is folded: nobody at his best folds more than the player whom it never
pays anything. What that one folds is counted, and bounds what better play can gain by other odds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

import msgspec
import numpy as np

from croupier.exact import holdem
from croupier.exact.base_game import FOLD, LimitedAnte, Showdown, wager_results
from croupier.exact.hand_samples import samples
from croupier.exact.joint import NO_LIMIT, counted_endings, plays_of
from croupier.exact.kernels.holdem import NO_RAISE
from croupier.exact.side_wagers import line_number
from croupier.facts.cards import cards
from croupier.facts.hands import FIVE_CARD, Hand
from croupier.facts.money import Cents
from croupier.facts.odds import PUSH, For, To
from croupier.facts.progress import Progress
from croupier.facts.showings import Showing
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.rulebook.book import PayLine

Foldable = Mapping[str, int]
"""By line: in how many deals the most timid player folds what it would have paid."""


def foldable_lines(rules: Rules, wager: str, progress: Progress) -> Foldable:
    """What is folded where every line of this wager pays as little as can be, line by line."""
    table = rules.paytable(wager)
    assert table is not None
    least = tuple(
        msgspec.structs.replace(line, odds=For(0, 1) if isinstance(line.odds, For) else PUSH)
        for line in table.lines
    )
    return dict(_folded(rules, paid_by(rules, wager, least), wager, progress))


def _folded(
    rules: Rules, timid: Rules, wager: str, progress: Progress
) -> Iterator[tuple[str, int]]:
    """By line: in how many deals the timid fold what it would have paid."""
    table = rules.paytable(wager)
    assert table is not None
    play = next(bet for bet in plays_of(rules).values() if bet is not None)
    ways: Counter[int] = Counter()
    for folds, hand, showdown, opens, count in _ends_of_the_timid(timid, progress):
        line = line_number(table, Showing(hand, hand.cards))
        if not folds or line == len(table.lines):
            continue
        paid = table.lines[line].odds
        results = wager_results(rules, play, showdown, opens, hand)
        if isinstance(paid, To | For) and results.get(wager, (0, Fraction(0)))[1] > 0:
            ways[line] += count
    yield from ((line.phrase, ways[number]) for number, line in enumerate(table.lines))


def _ends_of_the_timid(
    timid: Rules, progress: Progress
) -> Iterator[tuple[bool, Hand, Showdown, bool, int]]:
    """Every way a round ends: whether it was folded, the hand, who would have won, whether the
    dealer opens, and in how many deals. Where a fold is asked about last, nobody has bet before, so
    that everything which may be folded comes to it."""
    if shape_of(timid) is not GameShape.HOLDEM:
        ranking = timid.game.ranking
        for end in counted_endings(timid, (), LimitedAnte(Cents(100), NO_LIMIT), progress):
            hand, folds = ranking.hand(cards(end.hand)), end.action == FOLD
            yield folds, hand, Showdown(end.showdown), end.dealer_opens, end.ways
        return
    best = holdem.best_play(timid)
    last = max(at for at, street in enumerate(holdem.asked(timid)) if street is not None)
    waiting = replace(
        best,
        preflop=best.preflop if last == 0 else np.full_like(best.preflop, NO_RAISE),
        flop=best.flop if last == 1 else np.zeros_like(best.flop),
    )
    solved = holdem.play_strategy(timid, waiting, progress)
    counts = solved.counts.by_start.sum(axis=0)
    for cell, first in enumerate(solved.cells.final.firsts):
        hand = samples(FIVE_CARD)[first]
        for outcome, (showdown, opens) in enumerate(holdem.ends_of(timid, hand)):
            for action, count in enumerate(counts[:, cell, outcome].tolist()):
                yield action == len(counts) - 1, hand, showdown, opens, count


def paid_by(rules: Rules, wager: str, lines: tuple[PayLine, ...]) -> Rules:
    """The Rules with a wager paid by these lines."""
    table = rules.paytable(wager)
    assert table is not None
    paid = msgspec.structs.replace(table, lines=lines)
    tables = {**dict(rules.paytables), wager: paid}
    return replace(rules, paytables=tuple(tables.items()))
