"""From Rules to the arrays that the simulator plays by and the log auditor checks by.

What the receipt of each case of :mod:`.rule_cases` says becomes a numbered verdict: its words, and
what it pays on any stake. The simulator adds the stakes of its boxes (:mod:`.staked_rules`), the
auditor what a record has to say (:mod:`croupier.audit.log.fast.record_rules`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from croupier.exact.hand_classes import lines_of_classes
from croupier.exact.hand_samples import samples
from croupier.facts.money import Cents
from croupier.facts.odds import For, Share, Sum, To, odds
from croupier.facts.showings import Showing
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.rulebook.book import Paytable, Wager
from croupier.simulate.kernels.settlement import (
    COLUMNS,
    MONEY,
    NOTHING,
    OUTCOMES,
    SHARE,
    TIE,
    WIN,
    CompiledRules,
)
from croupier.simulate.rule_cases import (
    envy_rule,
    first_opening,
    is_share,
    lines_by_look,
    looks_of,
    meetings,
    payout_limit,
    receipt,
    receipts_by_line,
)
from croupier.table.events import WagerSettled

STAKE = Cents(6_00)


class LineVerdict(NamedTuple):
    """What a receipt line says, whatever is staked: the numbers as kernels have them, the words."""

    kind: int = NOTHING
    gain: int = 0
    per: int = 1
    sum_cents: int = 0
    back: int = 0
    outcome: str = ""
    odds: str | None = None
    clause: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.kind, self.gain, self.per, self.sum_cents, self.back


NOTHING_DUE = LineVerdict()
FROM_METER = LineVerdict(SHARE)


def _verdict_on(line: WagerSettled | None) -> LineVerdict:
    if line is None:
        return NOTHING_DUE
    gain, per, sum_cents, returned = 0, 1, 0, 0
    if line.odds is not None:
        paid = odds(line.odds)
        assert not isinstance(paid, Share), "a meter pays what stands on it"
        if isinstance(paid, To | For):
            gain, per = paid.gain, paid.stake
        elif isinstance(paid, Sum):
            sum_cents = paid.sum_cents
        returned = int(paid.returns_stake and bool(line.stake_cents))
    words = str(line.outcome), line.odds, line.clause
    return LineVerdict(MONEY, gain, per, sum_cents, returned, *words)


class RuleArrays(NamedTuple):
    """The arrays of some Rules, and their verdicts in words, by number."""

    compiled: CompiledRules
    verdicts: tuple[LineVerdict, ...]


@lru_cache(maxsize=100)
def compiled_rules_of(rules: Rules) -> RuleArrays:
    """Every wager of some Rules in numbers; one that is not offered has no ending."""
    return _Compiler(rules).arrays()


class _Compiler:
    """Verdicts are numbered as they are met; equal ones have one number, and 0 is nothing due."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.wagers = rules, rules.book.wagers
        self._numbers: dict[LineVerdict, int] = {NOTHING_DUE: 0}
        tables = [table for w in self.wagers if (table := rules.paytable(w.name)) is not None]
        most = max((len(table.lines) for table in tables), default=0) + 2
        self.lines = np.zeros((len(self.wagers), COLUMNS), dtype=np.uint8)
        self.lost = np.zeros(len(self.wagers), dtype=np.int64)
        self.endings = np.full((len(self.wagers), OUTCOMES, most), -1, dtype=np.int64)

    def arrays(self) -> RuleArrays:
        rules, wagers = self.rules, self.wagers
        looks, names = looks_of(rules), [wager.name for wager in wagers]
        judged = [looks.index(rules.judged_by(w.name)) if self._has_look(w) else 0 for w in wagers]
        for number, wager in enumerate(wagers):
            table = rules.paytable(wager.name)
            if wager.judged_by == "contest":
                self._against_dealer(number, wager, table)
            elif table is not None:
                self._by_look(number, wager, table)
        compiled = CompiledRules(
            contest=np.array([wager.judged_by == "contest" for wager in wagers]),
            looks=np.array(judged, dtype=np.int64),
            lines=self.lines,
            lost=self.lost,
            forfeits=np.array([wager.fold.outcome == "forfeit" for wager in wagers]),
            must_win=np.array([wager.must_win is not None for wager in wagers]),
            endings=self.endings,
            forfeit=np.array([self._forfeit(wager) for wager in wagers], dtype=np.int64),
            first_opening=first_opening(rules),
            limit=payout_limit(rules),
            progressive=names.index(PROGRESSIVE) if PROGRESSIVE in names else -1,
            **_envy(rules),
            stays=np.array([wager.keeps_folded_cards for wager in wagers]),
            verdicts=np.array([verdict.numbers for verdict in self._numbers], dtype=np.int64),
        )
        return RuleArrays(compiled, tuple(self._numbers))

    def _has_look(self, wager: Wager) -> bool:
        return wager.judged_by != "contest" and self.rules.paytable(wager.name) is not None

    def _number(self, verdict: LineVerdict) -> int:
        return self._numbers.setdefault(verdict, len(self._numbers))

    def _by_look(self, number: int, wager: Wager, table: Paytable) -> None:
        """A wager that a paytable judges."""
        stakes = {wager.name: STAKE}
        if wager.paid_on is not None:
            stakes = {wager.paid_on: STAKE, **dict.fromkeys(wager.needs, STAKE)}
        lines = lines_by_look(self.rules, table, self.rules.judged_by(wager.name))
        self.lines[number], self.lost[number] = lines, len(table.lines)
        for line, settled in receipts_by_line(self.rules, wager.name, lines, stakes):
            verdict = FROM_METER if is_share(table, line) else _verdict_on(settled)
            self.endings[number, :, line] = self._number(verdict)
        if wager.must_win is not None:
            self._unless_won(number, wager)

    def _unless_won(self, number: int, wager: Wager) -> None:
        """What a wager that has to win says of a lower hand and of an equal one."""
        whole = np.zeros(COLUMNS, dtype=np.uint8)
        for meeting, _, own, dealer in meetings(self.rules, whole):
            if meeting // 2 != WIN:
                shown = Showing(own, own.cards)
                settled = receipt(self.rules, {wager.name: STAKE}, own, dealer, shown)
                line = self.lost[number] + (meeting // 2 == TIE)
                self.endings[number, meeting, line] = self._number(_verdict_on(_of(wager, settled)))

    def _against_dealer(self, number: int, wager: Wager, table: Paytable | None) -> None:
        """A wager against the dealer, by the line of its own paytable where it has one."""
        lines = self.lines[number]
        if table is not None and wager.pays is None:
            by_class = lines_of_classes(table, self.rules.game.ranking)
            lines[: len(by_class)] = by_class
            self.lost[number] = len(table.lines)
        # The wager beside all that stands against the dealer, so that nobody has folded.
        stakes = {each.name: STAKE for each in self.wagers if each.judged_by == "contest"}
        for meeting, line, own, dealer in meetings(self.rules, lines):
            settled = receipt(self.rules, stakes, own, dealer, Showing(own, own.cards))
            self.endings[number, meeting, line] = self._number(_verdict_on(_of(wager, settled)))

    def _forfeit(self, wager: Wager) -> int:
        """The verdict of a fold; nothing where a fold takes nothing."""
        if wager.fold.outcome != "forfeit":
            return 0
        play = next(each for each in self.wagers if each.decides is not None)
        hand = samples(self.rules.game.ranking)[0]
        stakes = {play.decides or "": STAKE, wager.name: STAKE}
        settled = receipt(self.rules, stakes, hand, hand, Showing(hand, hand.cards))
        return self._number(_verdict_on(_of(wager, settled)))


def _of(wager: Wager, settled: Iterable[WagerSettled]) -> WagerSettled:
    return next(line for line in settled if line.wager == wager.name)


def _envy(rules: Rules) -> dict[str, Any]:
    rule = envy_rule(rules)
    return {
        "envy_look": looks_of(rules).index(rule.look) if rule else 0,
        "envy_lines": rule.lines if rule else np.zeros(COLUMNS, dtype=np.uint8),
        "no_envy": len(rule.table.lines) if rule else 0,
        "holder_wagers": rule is not None and rule.holder_wagers,
        "folded_holds": rule is not None and rule.folded_holds,
    }
