"""The joint distribution of a round: base game and side wagers at real stakes, from one count.

How a round ends is counted once, whatever is staked, and kept. What each ending wins or loses is
then read from the same Rules that settle rounds, in whole cents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import sqrt

import numpy as np

from croupier.exact import four_card, generic, holdem, holdem_bets, holdem_joint
from croupier.exact.assumptions import refuse_base, refuse_sides
from croupier.exact.base_game import (
    BetsInAntes,
    LimitedAnte,
    Showdown,
    actions,
    wager_results,
)
from croupier.exact.endings import net_cents
from croupier.exact.enumeration import DealTable
from croupier.exact.hand_partitions import FINAL
from croupier.exact.hand_samples import samples
from croupier.exact.kernels.compiled import compile_progress
from croupier.exact.side_wagers import SideTerms, line_after
from croupier.exact.six_cards import SIX_CARDS, SixCells
from croupier.exact.solution_cache import kept_answer
from croupier.exact.staked_side import JointEnding, StakedSide, joined, shared, written
from croupier.facts.cards import DECK, Cards, cards
from croupier.facts.errors import Unreadable
from croupier.facts.hands import FIVE_CARD, FOUR_CARD, Hand
from croupier.facts.money import Cents, in_micros
from croupier.facts.odds import PUSH, Odds
from croupier.facts.progress import Progress
from croupier.games.rules import Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.games.watched_places import places_looked_at

NO_LIMIT = Cents(10**15)
OWN_HANDS = {"four-card hand": FOUR_CARD, "five cards": FIVE_CARD}
Plays = Mapping[str, BetsInAntes]


@dataclass(frozen=True)
class JointRound:
    """Every way one round ends at these stakes: what each wager wins or loses in cents, and in how
    many deals; and what is wagered in a round on average."""

    wagers: tuple[str, ...]
    nets: tuple[tuple[tuple[int, ...], int], ...]
    staked_cents: Fraction

    @cached_property
    def deals(self) -> int:
        return sum(ways for _, ways in self.nets)

    @cached_property
    def distribution(self) -> dict[int, int]:
        """By what the round wins or loses in cents, from the worst: in how many deals."""
        ways: dict[int, int] = {}
        for nets, count in self.nets:
            ways[sum(nets)] = ways.get(sum(nets), 0) + count
        return dict(sorted(ways.items()))

    def moment(self, power: int) -> Fraction:
        summed = sum(ways * net**power for net, ways in self.distribution.items())
        return Fraction(summed, self.deals)

    @cached_property
    def mean(self) -> Fraction:
        """In cents, as everything here."""
        return self.moment(1)

    @cached_property
    def variance(self) -> Fraction:
        return self.moment(2) - self.mean**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def skewness(self) -> float:
        third = self.moment(3) - 3 * self.mean * self.moment(2) + 2 * self.mean**3
        return float(third) / self.standard_deviation**3

    @cached_property
    def means(self) -> tuple[Fraction, ...]:
        """By wager."""
        summed = (sum(n[at] * ways for n, ways in self.nets) for at in range(len(self.wagers)))
        return tuple(Fraction(total, self.deals) for total in summed)

    @cached_property
    def covariances(self) -> tuple[tuple[Fraction, ...], ...]:
        """By wager and wager: how they move together, in square cents."""
        places = range(len(self.wagers))
        products = [
            [Fraction(sum(n[a] * n[b] * w for n, w in self.nets), self.deals) for b in places]
            for a in places
        ]
        return tuple(
            tuple(products[a][b] - self.means[a] * self.means[b] for b in places) for a in places
        )


def staked_sides(rules: Rules, names: Sequence[str]) -> tuple[StakedSide, ...]:
    """These side wagers of the Rules; one that cannot be counted beside others is refused."""
    sides = []
    for name in names:
        table = rules.paytable(name)
        if table is None:
            raise Unreadable(f"{name} is not offered at this table; choose a paytable for it")
        side = StakedSide(name, table, rules.judged_by(name), SideTerms.of(rules.book.wager(name)))
        if not _is_counted(rules, side):
            title = rules.book.wager(name).title
            raise Unreadable(
                f"{title} is decided by cards that the count of the base game does not see, so how "
                f"the two end together is not known exactly; leave {name} out"
            )
        sides.append(side)
    if shape_of(rules) is GameShape.HOLDEM:
        holdem_joint.six_shares([s.table for s in sides if s.judged_by == SIX_CARDS])
    return tuple(sides)


def _is_counted(rules: Rules, side: StakedSide) -> bool:
    match shape_of(rules):
        case GameShape.HOLDEM:
            return side.judged_by in holdem_joint.LOOKS
        case GameShape.HOLDEM_BETS:
            return side.judged_by == FINAL
        case GameShape.FOUR_CARD:
            return side.judged_by in (*OWN_HANDS, SIX_CARDS)
        case GameShape.OWN_CARDS:
            return side.judged_by in rules.game.looks and not places_looked_at(
                rules, side.judged_by
            )


def joint_round(
    rules: Rules,
    ante_cents: Cents,
    stakes: Mapping[str, Cents],
    meters: Mapping[str, Cents],
    progress: Progress = lambda what, done: None,
) -> JointRound:
    """One round at these stakes, each in cents, with so much on the meters, which stand still.

    Played as is best for the base game, under the payout limit that the Rules bind.
    """
    refuse_base(rules)
    refuse_sides(rules)
    sides = staked_sides(rules, [*stakes])
    limited = _limited(rules, ante_cents, stakes)
    with compile_progress(progress):
        endings = counted_endings(rules, sides, limited, progress)
    return staked_round(rules, sides, endings, limited, stakes, meters)


def staked_round(
    rules: Rules,
    sides: Sequence[StakedSide],
    endings: Sequence[JointEnding],
    limited: LimitedAnte,
    stakes: Mapping[str, Cents],
    meters: Mapping[str, Cents],
) -> JointRound:
    """What counted endings win and lose at these stakes."""
    ante, plays = limited.ante_cents, plays_of(rules)
    by_line = [_nets_by_line(side, stakes[side.name], meters) for side in sides]
    settled = _settling(rules, plays, limited)
    names = dict.fromkeys(w.name for w in rules.book.wagers if not w.optional)
    results = [settled(e.action, e.showdown, e.dealer_opens, e.hand) for e in endings]
    names |= dict.fromkeys(name for result in results for name in result)
    ways: dict[tuple[int, ...], int] = {}
    staked = Fraction(0)
    for ending, result in zip(endings, results, strict=True):
        base = (int(result[n][1] * ante) if n in result else 0 for n in names)
        nets = (*base, *(by_line[at][line] for at, line in enumerate(ending.lines)))
        ways[nets] = ways.get(nets, 0) + ending.ways
        staked += ending.ways * sum(stake for stake, _ in result.values()) * ante
    return JointRound(
        (*names, *(side.name for side in sides)),
        tuple(ways.items()),
        staked / sum(ways.values()) + sum(stakes.values()),
    )


def _limited(rules: Rules, ante_cents: Cents, stakes: Mapping[str, Cents]) -> LimitedAnte:
    """The Ante in whole cents; where the book has no limit, under one that never cuts."""
    rule = rules.book.payout_limit
    if rule is None or rules.payout_limit_cents is None:
        return LimitedAnte(ante_cents, NO_LIMIT)
    beside = tuple((name, stake) for name, stake in stakes.items() if name in rule.wagers)
    return LimitedAnte(ante_cents, rules.payout_limit_cents, beside)


def _nets_by_line(side: StakedSide, stake: Cents, meters: Mapping[str, Cents]) -> list[int]:
    """By line, then for a loss and a tie: cents won or lost."""
    standing = {name: in_micros(held) for name, held in meters.items()}
    odds: list[Odds | None] = [*(line.odds for line in side.table.lines), None, PUSH]
    return [net_cents(paid, stake, standing) for paid in odds]


def _settling(
    rules: Rules, plays: Plays, limited: LimitedAnte
) -> Callable[[str, int, bool, str], Mapping[str, tuple[Fraction, Fraction]]]:
    """What the wagers of the base game stake and win, each different ending settled once."""
    known: dict[tuple[str, int, bool, str], Mapping[str, tuple[Fraction, Fraction]]] = {}
    hands: dict[str, Hand] = {}

    def settled(
        action: str, showdown: int, opens: bool, hand: str
    ) -> Mapping[str, tuple[Fraction, Fraction]]:
        asked = (action, showdown, opens, hand)
        if asked not in known:
            if hand not in hands:
                hands[hand] = rules.game.ranking.hand(cards(hand))
            end = (plays[action], Showdown(showdown), opens, hands[hand], limited)
            known[asked] = wager_results(rules, *end)
        return known[asked]

    return settled


def plays_of(rules: Rules) -> Plays:
    """By the name of each action what it bets, in Antes."""
    match shape_of(rules):
        case GameShape.HOLDEM:
            return dict(holdem.actions(rules))
        case GameShape.HOLDEM_BETS:
            return dict(holdem_bets.actions(rules))
        case GameShape.FOUR_CARD:
            return four_card.plays(rules)
        case GameShape.OWN_CARDS:
            return actions(rules.book.streets[0])


def counted_endings(
    rules: Rules, sides: Sequence[StakedSide], limited: LimitedAnte, progress: Progress
) -> tuple[JointEnding, ...]:
    """How a round with these side wagers ends: counted before, or counted now and kept."""
    cut = None
    if shape_of(rules) is GameShape.HOLDEM:
        game, _ = holdem.kernel_game(rules, limited)
        cut = limited if game.limited is not None else None
    count: Mapping[GameShape, Callable[[], Iterator[JointEnding]]] = {
        GameShape.HOLDEM: partial(holdem_joint.joint_endings, rules, sides, limited, progress),
        GameShape.HOLDEM_BETS: partial(holdem_joint.bets_endings, rules, sides, progress),
        GameShape.FOUR_CARD: partial(_four_card_endings, rules, sides, progress),
        GameShape.OWN_CARDS: partial(own_card_endings, rules, sides, progress),
    }
    asked = ("joint", tuple(side.name for side in sides), cut)
    find = count[shape_of(rules)]
    return kept_answer(rules, asked, tuple[JointEnding, ...], lambda: tuple(joined(find())))


def _four_card_endings(
    rules: Rules, sides: Sequence[StakedSide], progress: Progress
) -> Iterator[JointEnding]:
    """Four-card hands: side wagers that the player's five cards decide, all lines of all of them
    at once, and those that a card of their own decides too."""
    solved = four_card.solve_base(rules, progress)
    own = [side for side in sides if side.judged_by in OWN_HANDS]
    six = [side for side in sides if side.judged_by == SIX_CARDS]
    columns = [four_card.lines_of_hands(solved, s.table, OWN_HANDS[s.judged_by]) for s in own]
    hands = np.stack([np.zeros(len(solved.shown.weights), np.int64), *columns], axis=1)
    together, codes = np.unique(hands, axis=0, return_inverse=True)
    six_cells = SixCells.of([side.table for side in six])
    counts, firsts = four_card.count_with(rules, solved, codes.reshape(-1))
    counts = counts[:, None]
    if six:
        counts = four_card.count_with_sixth(rules, solved, codes.reshape(-1), six_cells)
    names = list(four_card.plays(rules))
    for code, of_six, action, cell, outcome in np.argwhere(counts).tolist():
        showdown = four_card.SHOWN[outcome]
        folded = action == len(names) - 1
        hand = written(samples(FOUR_CARD)[firsts[cell]])
        ways = int(counts[code, of_six, action, cell, outcome])
        for lines_of_six, count in shared(ways, six_cells.shares[of_six]):
            of_own, of_sixes = iter(together[code, 1:].tolist()), iter(lines_of_six)
            found = ((s, next(of_own if s.judged_by in OWN_HANDS else of_sixes)) for s in sides)
            lines = (line_after(s.terms, s.table, line, folded, showdown) for s, line in found)
            yield JointEnding(names[action], showdown, True, hand, tuple(lines), count)


def own_card_endings(
    rules: Rules,
    sides: Sequence[StakedSide],
    progress: Progress = lambda what, done: None,
    deck: Cards = DECK,
) -> Iterator[JointEnding]:
    """One decision with cards of one's own: every hand dealt out."""
    table, looks = DealTable(rules, tuple(sorted(deck))), generic.OwnCards(rules)
    hands = table.hands()
    for number, (own, alike) in enumerate(hands, 1):
        progress("dealing every hand out", number / len(hands))
        looked = [looks.line(side.table, side.judged_by, own) for side in sides]
        for up in table.face_up(own):
            meetings = list(table.meetings(own, up))
            best = table.decide(meetings).best
            folded = table.actions[best] is None
            for met in meetings:
                lines = (
                    line_after(side.terms, side.table, line, folded, met.showdown)
                    for side, line in zip(sides, looked, strict=True)
                )
                hand, ways = written(met.hand), met.ways * alike
                yield JointEnding(best, met.showdown, met.dealer_opens, hand, tuple(lines), ways)
