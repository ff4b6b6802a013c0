"""Solve a game: the base game under optimal play, and every side wager of its rulebook.

The shape of a game says how. Answers are kept by the Rules and the code that found them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from croupier.exact import four_card, generic, holdem, holdem_bets
from croupier.exact.assumptions import refuse_base, refuse_sides
from croupier.exact.base_game import BaseGame, LimitedAnte, is_limited
from croupier.exact.endings import Assumed
from croupier.exact.hand_partitions import FINAL
from croupier.exact.kernels.compiled import compile_progress
from croupier.exact.limited_ante import refuse_without_limit
from croupier.exact.side_wagers import (
    WITHOUT_A_DEALER,
    Counted,
    SideTerms,
    endings,
    paytables_of,
)
from croupier.exact.solution import EnvyValue, HandValue, JointValue, SideValue, Solution
from croupier.exact.solution_cache import StakesInAntes
from croupier.facts.money import Cents, cents
from croupier.facts.progress import Progress
from croupier.games.rules import ENVY, PROGRESSIVE, Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.rulebook.book import Paytable, Wager

BaseWith = Callable[[SideTerms, Paytable, str], list[Fraction] | None]


@dataclass(frozen=True)
class SolvedBase:
    """What a game's own solver gives: the base game, its hands, and what only it can count.

    ``counted`` is by what a wager looks at, ``played`` the same for wagers that depend on play.
    """

    base: BaseGame
    hands: tuple[HandValue, ...]
    counted: Mapping[str, Counted]
    base_with: BaseWith
    played: Mapping[str, Callable[[SideTerms], Counted]] = field(default_factory=dict)
    base_values: tuple[tuple[str, str, Fraction], ...] = ()
    jointly: Callable[[SideTerms, Paytable, Fraction], tuple[BaseGame, Counted]] | None = None

    def counting(self, judged_by: str, terms: SideTerms) -> Counted:
        if any(terms) and judged_by in self.played:
            return self.played[judged_by](terms)
        return self.counted.get(judged_by) or WITHOUT_A_DEALER[judged_by]


def solve_four_card(rules: Rules, progress: Progress) -> SolvedBase:
    solved = four_card.solve_base(rules, progress)

    own_cards = ("four-card hand", "five cards")

    def base_with(terms: SideTerms, table: Paytable, judged_by: str) -> list[Fraction] | None:
        if judged_by not in own_cards:
            return None
        return four_card.base_with(rules, solved, table, judged_by, terms.forfeits)

    def forfeited(judged_by: str, terms: SideTerms) -> Counted:
        return lambda table: four_card.by_own_cards(rules, solved, table, judged_by)

    hands = four_card.hand_values(rules, solved)
    by_look = {judged_by: partial(forfeited, judged_by) for judged_by in own_cards}
    return SolvedBase(solved.base, hands, {}, base_with, by_look)


def solve_generic(rules: Rules, progress: Progress) -> SolvedBase:
    solved = generic.solve_base(rules, progress=progress)

    looks = generic.OwnCards(rules)

    def base_with(terms: SideTerms, table: Paytable, judged_by: str) -> list[Fraction] | None:
        return looks.base_with(solved, table, judged_by)

    return SolvedBase(solved.base, generic.hand_values(rules, solved), looks.counted(), base_with)


def solve_holdem(
    rules: Rules, progress: Progress, limited: LimitedAnte | None = None
) -> SolvedBase:
    solved = holdem.solve_base(rules, progress, limited)
    counted = {
        FINAL: holdem.by_final(solved, SideTerms()),
        "lower hand": holdem.by_lower(solved),
    }

    def base_with(terms: SideTerms, table: Paytable, judged_by: str) -> list[Fraction] | None:
        return holdem.base_with(solved, terms, table, judged_by)

    values = tuple(holdem.values_by_paytable(solved))
    hands = holdem.hand_values(solved)
    played = {FINAL: partial(holdem.by_final, solved)}

    def jointly(terms: SideTerms, table: Paytable, stake: Fraction) -> tuple[BaseGame, Counted]:
        both = holdem.solve_jointly(rules, holdem.WagerBeside(terms, table, stake), progress)
        return both.base, holdem.by_final(both, terms)

    return SolvedBase(solved.base, hands, counted, base_with, played, values, jointly)


def solve_holdem_bets(rules: Rules, progress: Progress) -> SolvedBase:
    solved = holdem_bets.solve_base(rules, progress)

    def base_with(terms: SideTerms, table: Paytable, judged_by: str) -> list[Fraction] | None:
        return holdem.base_with(solved, terms, table, judged_by)

    counted = {FINAL: holdem.by_final(solved, SideTerms())}
    played = {FINAL: partial(holdem.by_final, solved)}
    return SolvedBase(solved.base, holdem_bets.hand_values(rules), counted, base_with, played)


SOLVERS: Mapping[GameShape, Callable[[Rules, Progress], SolvedBase]] = {
    GameShape.HOLDEM: solve_holdem,
    GameShape.HOLDEM_BETS: solve_holdem_bets,
    GameShape.FOUR_CARD: solve_four_card,
    GameShape.OWN_CARDS: solve_generic,
}


def solve(
    rules: Rules,
    progress: Progress = lambda what, done: None,
    limited: LimitedAnte | None = None,
    beside: StakesInAntes = (),
) -> Solution:
    """The exact value of every wager under these Rules, computed afresh.

    With a ``limited`` Ante the base game is played and paid under its payout limit. Wagers that
    depend on play are valued with the stakes ``beside``, one Ante where none is said.
    """
    refuse_base(rules)
    refuse_sides(rules)
    if limited is not None:
        refuse_without_limit(rules)
    with compile_progress(progress):
        return _solve(rules, progress, limited, beside)


def _solve(
    rules: Rules, progress: Progress, limited: LimitedAnte | None, beside: StakesInAntes
) -> Solution:
    if limited is None:
        solved = SOLVERS[shape_of(rules)](rules, progress)
    else:
        solved = solve_holdem(rules, progress, limited)
    return Solution(
        game=rules.game.id,
        rulebook=rules.book.id,
        paytables=rules.letters,
        boxes=rules.book.table.boxes.count,
        base=solved.base,
        hands=solved.hands,
        side_wagers=tuple(_side_values(rules, solved, limited)),
        envy=tuple(_envy_values(rules, solved)),
        base_values=solved.base_values,
        limited=limited,
        beside=beside,
        joint=tuple(_joint_values(rules, solved, dict(beside), progress)) if not limited else (),
        depend_on_play=tuple(w.name for w in rules.book.wagers if w.optional and w.depends_on_play),
    )


def _joint_values(
    rules: Rules, solved: SolvedBase, stakes: Mapping[str, Fraction], progress: Progress
) -> Iterator[JointValue]:
    """Of each wager that depends on play: it and the base game played for both together."""
    for wager in rules.book.wagers:
        terms = SideTerms.of(wager)
        if not wager.optional or solved.jointly is None or not any(terms):
            continue
        stake = stakes.get(wager.name, Fraction(1))
        for letter, table in paytables_of(rules, wager).items():
            base, counted = solved.jointly(terms, table, stake)
            ends = endings(wager.name, letter, table, counted)
            yield JointValue(ends, stake, base.ev)


def _side_values(
    rules: Rules, solved: SolvedBase, limited: LimitedAnte | None
) -> Iterator[SideValue]:
    """With a limit nothing is said of the base game together with a wager it cuts as well."""
    for wager in rules.book.wagers:
        terms = SideTerms.of(wager)
        if not wager.optional:
            continue
        for letter, table in paytables_of(rules, wager).items():
            for reading, judged_by in readings(rules, wager, table):
                counted = solved.counting(judged_by, terms)
                apart = limited is not None and is_limited(rules, wager.name)
                base_with = None if apart else solved.base_with(terms, table, judged_by)
                at_resets = _assumed(rules, wager, table)
                yield SideValue(
                    endings(wager.name, letter, table, counted),
                    at_resets,
                    reading,
                    tuple(base_with) if base_with is not None else None,
                    at_resets.meters_cents,
                )


def readings(rules: Rules, wager: Wager, table: Paytable) -> list[tuple[str | None, str]]:
    """What a wager may look at: one thing, or each reading until a submission chooses one."""
    if table.judged_by is not None:
        return [(None, table.judged_by)]
    return _choices(rules, wager.judged_by)


def _choices(rules: Rules, judged_by: str) -> list[tuple[str | None, str]]:
    book = rules.book.progressive
    if judged_by != "progressive hand" or book is None:
        return [(None, judged_by)]
    if rules.progressive is not None and rules.progressive.hand is not None:
        return [(rules.progressive.hand, book.hands[rules.progressive.hand])]
    return sorted(book.hands.items(), key=lambda reading: reading[0] != "flop")


def _assumed(rules: Rules, wager: Wager, table: Paytable) -> Assumed:
    """The stake and the resets of a submission, or one dollar and the least resets."""
    terms = rules.progressive
    stake = terms.stake_cents if terms is not None and wager.name == PROGRESSIVE else Cents(100)
    resets = dict(terms.resets) if terms is not None and table == rules.paytable(wager.name) else {}
    meters = ((meter.name, resets.get(meter.name, cents(meter.least))) for meter in table.meters)
    return Assumed(stake, tuple(meters))


def _envy_values(rules: Rules, solved: SolvedBase) -> Iterator[EnvyValue]:
    bonus = rules.book.envy_bonus
    if bonus is None:
        return
    for letter, by_stake in rules.book.envy.items():
        for stake, table in by_stake.items():
            for reading, judged_by in _choices(rules, bonus.judged_by):
                gone = bonus.folded_holder == "never"
                counted = solved.counting(judged_by, SideTerms(forfeits=gone))
                found = endings(ENVY, letter, table, counted)
                yield EnvyValue(letter, stake, reading, found, Assumed(cents(stake)))
