"""Paytables of the base game by their targets: the best play changes with them, so each is solved.

Under the play that is best for the given paytable the edge is linear in the odds and can only be
too high: whoever plays for the new one does at least as well. How much too high is bounded: by in
how many deals a line's pay can depend on the play, times how far its odds are moved (see
:mod:`.foldable`). Paytables within that bound are solved, the nearest first, until enough meet the
target, so none that meets it is passed over.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import msgspec

from croupier.exact import holdem
from croupier.exact.base_game import BaseGame, LimitedAnte, Showdown, wager_results
from croupier.exact.endings import PLAIN, net_of
from croupier.exact.joint import NO_LIMIT, counted_endings, plays_of
from croupier.exact.side_wagers import line_number
from croupier.exact.solve import SOLVERS
from croupier.facts.cards import cards
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents
from croupier.facts.odds import For, To
from croupier.facts.progress import Progress
from croupier.facts.showings import Showing
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.paytables.foldable import Foldable, foldable_lines, paid_by
from croupier.paytables.search import PricedLine, PricedTable, Target, most_gained, search
from croupier.rulebook.book import Paytable


class SolvedTable(NamedTuple):
    """A paytable of the base game, priced under the play of the given one, and its own edge."""

    table: PricedTable
    edge: Fraction


class BaseSearch(NamedTuple):
    """What was looked for and found: the given paytable, the nearest that meet the target, how many
    were solved, how many may meet it, and by how much an edge under the given play is too high at
    the most."""

    near: PricedTable
    found: list[SolvedTable]
    solved: int
    there_are: int
    margin: Fraction


def solved_tables(
    rules: Rules, wager: str, target: Target, most: int, progress: Progress
) -> BaseSearch:
    if target.volatility is not None:
        raise Unreadable("the volatility of a base game is not looked for; leave --volatility out")
    near = counted_lines(rules, wager, progress)
    foldable = foldable_lines(rules, wager, progress)
    candidates = search(near, target, foldable)
    low, high = target.edge
    found: list[SolvedTable] = []
    solved = 0
    for candidate in candidates:
        if len(found) == most:
            break
        progress(f"solving paytable {solved + 1}", len(found) / most)
        edge = -best_ev(with_lines(rules, wager, candidate), progress)
        solved += 1
        if low <= edge <= high:
            found.append(SolvedTable(candidate, edge))
    margin = max((apart(near, table, foldable) for table in candidates), default=Fraction(0))
    return BaseSearch(near, found, solved, len(candidates), margin)


def apart(near: PricedTable, table: PricedTable, foldable: Foldable) -> Fraction:
    """By how much the edge of a paytable can be below the one under the play of the given one."""
    pays = {line.name: line.pays for line in table.lines}
    gained = (most_gained(line, pays.get(line.name), near, foldable) for line in near.lines)
    return sum(gained, Fraction(0)) / near.total


def counted_lines(rules: Rules, wager: str, progress: Progress) -> PricedTable:
    """How often each line of a base wager is paid under the best play of these Rules; everything
    else of the round is kept as it is."""
    table = rules.paytable(wager)
    assert table is not None, "a wager of the base game always has its paytable"
    ranking, plays = rules.game.ranking, plays_of(rules)
    endings = counted_endings(rules, (), LimitedAnte(Cents(100), NO_LIMIT), progress)
    ways: Counter[int] = Counter()
    kept: Counter[Fraction] = Counter()
    for end in endings:
        hand = ranking.hand(cards(end.hand))
        play, showdown = plays[end.action], Showdown(end.showdown)
        results = wager_results(rules, play, showdown, end.dealer_opens, hand)
        line = line_number(table, Showing(hand, hand.cards))
        rest = sum((net for name, (_, net) in results.items() if name != wager), Fraction(0))
        own = results.get(wager, (Fraction(0), Fraction(0)))[1]
        is_paid = line < len(table.lines) and own > 0
        kept[rest if is_paid else rest + own] += end.ways
        ways[line if is_paid else -1] += end.ways
    return _table(table, ways, kept)


def chances_of_lines(rules: Rules, base: BaseGame) -> dict[str, dict[str, Fraction]]:
    """By wager of the base game: how often each of its lines is paid, read from what was counted;
    no wager of which two lines pay alike."""
    found = {}
    for wager in rules.book.wagers:
        table = rules.paytable(wager.name)
        if wager.optional or table is None:
            continue
        pays = {line.phrase: net_of(line.odds, PLAIN) for line in table.lines}
        paid = {phrase: net for phrase, net in pays.items() if net > 0}
        if len(set(paid.values())) == len(paid):
            ways: Counter[Fraction] = Counter()
            for case in base.cases:
                for name, _, net in case.wagers:
                    ways[net] += case.ways if name == wager.name else 0
            found[wager.name] = {
                name: Fraction(ways[net], base.deals) for name, net in paid.items()
            }
    return found


def _table(table: Paytable, ways: Counter[int], kept: Counter[Fraction]) -> PricedTable:
    """What is not paid by a line brings its mean in each of the deals that no line pays: the edge
    is then right, and nothing else is asked of it."""
    lines = tuple(
        PricedLine(line.phrase, ways[number], line.odds)
        for number, line in enumerate(table.lines)
        if isinstance(line.odds, To | For)
    )
    paid = sum(line.ways for line in lines)
    total = sum(kept.values())
    mean = sum((net * count for net, count in kept.items()), Fraction(0))
    kept_mean = ((mean / (total - paid), total - paid),)
    return PricedTable(lines, kept_mean, PLAIN, left_out=Fraction(0))


def with_lines(rules: Rules, wager: str, priced: PricedTable) -> Rules:
    """The Rules with this wager paid so."""
    table = rules.paytable(wager)
    assert table is not None
    odds = {line.name: line.odds for line in priced.lines}
    return paid_by(
        rules,
        wager,
        tuple(
            msgspec.structs.replace(line, odds=odds[line.phrase])
            for line in table.lines
            if line.phrase in odds
        ),
    )


def best_ev(rules: Rules, progress: Progress) -> Fraction:
    """What one Ante is worth at its best."""
    if shape_of(rules) is GameShape.HOLDEM:
        return holdem.best_value(rules)
    return SOLVERS[shape_of(rules)](rules, progress).base.ev
