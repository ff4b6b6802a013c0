"""From the Rules and the submission of a table to the arrays that the kernel checks by.

What a receipt says for each case of :mod:`croupier.simulate.rule_cases` becomes a verdict. A table
whose rules do not fit the arrays is not compiled, and every round of it goes to the judge.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from croupier.audit.log.fast.grammar import Shapes, the_shapes
from croupier.audit.log.fast.kernels import check, gather, run
from croupier.audit.log.times import shown_after
from croupier.audit.records import schema as rec
from croupier.exact.assumptions import refuse_base, refuse_sides
from croupier.exact.hand_classes import lines_of_classes, samples
from croupier.exact.kernels.array_types import Int64s
from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, in_micros
from croupier.facts.odds import For, Odds, Push, Share, Sum, To
from croupier.facts.odds import odds as read_odds
from croupier.facts.showings import Showing
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.rulebook.book import Rulebook, Wager
from croupier.simulate.kernels import four_card, uth
from croupier.simulate.kernels.settlement import COLUMNS, OUTCOMES
from croupier.simulate.rule_cases import (
    LOOKS,
    envy_rule,
    first_opening,
    is_share,
    lines_by_look,
    meetings,
    payout_limit,
    receipt,
    receipts_by_line,
)
from croupier.submission.submission import Submission
from croupier.table.events import WagerSettled
from croupier.table.terms import RATE_WHOLE

ANY_STAKE = 10**13
STAKE = Cents(6_00)


class NotCompilable(Exception):
    """The rules of this table do not fit the arrays."""


class RulesCompiler:
    """Verdicts are numbered as they are met; equal ones have one number."""

    def __init__(self, rules: Rules, shapes: Shapes) -> None:
        if shape_of(rules) not in LOOKS or len(rules.book.plays) > 1:
            raise NotCompilable
        try:
            refuse_base(rules)
            refuse_sides(rules)
        except Refusal:
            raise NotCompilable from None
        self.rules, self.shapes, self.wagers = rules, shapes, rules.book.wagers
        self.looks = LOOKS[shape_of(rules)]
        self._verdicts: dict[tuple[int, ...], int] = {}
        self._outcomes = {w: n for n, w in enumerate(shapes.words(rec.LineRecord, "outcome"))}
        nothing = self._numbered((0, 0, 0, 0, 1, 0, 0, check.NOTHING))
        assert nothing == 0
        self._share = self._numbered((0, 0, 0, 0, 1, 0, 0, check.SHARE))

    # Verdicts

    def _numbered(self, verdict: tuple[int, ...]) -> int:
        return self._verdicts.setdefault(verdict, len(self._verdicts))

    def _verdict(self, line: WagerSettled | None) -> int:
        if line is None:
            return 0
        odds = read_odds(line.odds) if line.odds is not None else None
        gain, per, add, kind = 0, 1, 0, check.MONEY
        if isinstance(odds, To | For):
            gain, per = odds.gain, odds.stake
        elif isinstance(odds, Sum):
            add = odds.sum_cents
        elif isinstance(odds, Share):
            kind = check.SHARE
        elif odds is not None and not isinstance(odds, Push):
            raise NotCompilable
        back = int(odds is not None and odds.returns_stake and bool(line.stake_cents))
        words = (self._outcomes[str(line.outcome)], self._odds(odds), self.shapes.hash(line.clause))
        return self._numbered((*words, gain, per, add, back, kind))

    def _odds(self, odds: Odds | None) -> int:
        return self.shapes.hash(str(odds)) if odds is not None else gather.UNSAID

    def verdicts(self) -> Int64s:
        return np.array([*self._verdicts], dtype=np.int64)

    # Paytables

    def by_look(self, wager: Wager) -> Int64s:
        """By look: the verdict of a wager that a paytable judges; -1 for what cannot be seen."""
        table = self.rules.paytable(wager.name)
        if table is None:
            raise NotCompilable
        lines = lines_by_look(self.rules, table, self.rules.judged_by(wager.name))
        stakes = {wager.name: STAKE}
        if wager.paid_on is not None:
            stakes = {wager.paid_on: STAKE, **dict.fromkeys(wager.needs, STAKE)}
        found = np.full(COLUMNS, -1, dtype=np.int64)
        for line, settled in receipts_by_line(self.rules, wager.name, lines, stakes):
            share = is_share(table, line)
            found[lines == line] = self._share if share else self._verdict(settled)
        return found

    # Against the dealer

    def own_line(self, wager: Wager) -> Int64s:
        """By class of the player's hand: the line of the wager's own paytable, where it has one."""
        lines = np.zeros(COLUMNS, dtype=np.int64)
        table = self.rules.paytable(wager.name)
        if table is not None and wager.pays is None:
            by_class = lines_of_classes(table, self.rules.game.ranking)
            lines[: len(by_class)] = by_class
        return lines

    def against(self, wager: Wager, lines: Int64s) -> Int64s:
        """[meeting, own line]: the verdict; -1 for what cannot happen."""
        # The wager beside all that stands against the dealer, so that nobody has folded.
        stakes = {each.name: STAKE for each in self.wagers if each.judged_by == "contest"}
        found = np.full((OUTCOMES, int(lines.max()) + 1), -1, dtype=np.int64)
        for meeting, line, own, dealer in meetings(self.rules, lines):
            settled = receipt(self.rules, stakes, own, dealer, Showing(own, own.cards))
            found[meeting, line] = self._verdict(_of(wager, settled))
        return found

    def forfeit(self, wager: Wager) -> int:
        """The verdict of a fold; 0 where a fold takes nothing."""
        if wager.fold.outcome != "forfeit":
            return 0
        play = next(w for w in self.wagers if w.decides is not None)
        any_hand = samples(self.rules.game.ranking)[0]
        stakes = {play.decides or "": STAKE, wager.name: STAKE}
        shown = Showing(any_hand, any_hand.cards)
        return self._verdict(_of(wager, receipt(self.rules, stakes, any_hand, any_hand, shown)))


def _of(wager: Wager, settled: Iterable[WagerSettled]) -> WagerSettled:
    return next(line for line in settled if line.wager == wager.name)


@lru_cache(maxsize=100)
def compiled_rules_of(
    rules: Rules, submission: Submission | None, linked: bool
) -> check.CheckRules:
    """The arrays of a table; NotCompilable where its rules do not fit them."""
    shapes = the_shapes()
    book, made = rules.book, RulesCompiler(rules, shapes)
    wagers = book.wagers
    number = {wager.name: n for n, wager in enumerate(wagers)}
    contest = [wager.judged_by == "contest" for wager in wagers]
    offered = [rules.offers(wager.name) for wager in wagers]
    own = [made.own_line(wager) for wager in wagers]
    against = [
        made.against(w, own[n]) if contest[n] else np.zeros((OUTCOMES, 1), dtype=np.int64)
        for n, w in enumerate(wagers)
    ]
    lines = [
        made.by_look(w) if offered[n] and not contest[n] else np.zeros(COLUMNS, dtype=np.int64)
        for n, w in enumerate(wagers)
    ]
    forfeit = np.array([made.forfeit(wager) for wager in wagers], dtype=np.int64)
    play = next(wager for wager in wagers if wager.decides is not None)
    return check.CheckRules(
        names=_numbers(shapes.hash(wager.name) for wager in wagers),
        stakable=np.array([n and w.paid_on is None for n, w in zip(offered, wagers, strict=True)]),
        needs=_numbers(_bits(number, wager.needs) for wager in wagers),
        needs_any=_numbers(_bits(number, wager.needs_any) for wager in wagers),
        equals=_numbers(number.get(wager.equals or "", -1) for wager in wagers),
        **_limits(rules, submission),
        opening_all=_bits(number, book.opening.all_of),
        opening_any=_bits(number, book.opening.any_of),
        play=number[play.name],
        ante=number[play.decides or ""],
        paid_on=_numbers(number.get(wager.paid_on or "", -1) for wager in wagers),
        forfeits=np.array([wager.fold.outcome == "forfeit" for wager in wagers]),
        stays=_bits(number, (w.name for w in wagers if w.keeps_folded_cards)),
        contest=np.array(contest),
        looks=_numbers(
            made.looks.index(rules.judged_by(w.name)) if offered[n] and not contest[n] else 0
            for n, w in enumerate(wagers)
        ),
        lines=np.stack(lines),
        against=_stacked(against),
        own_line=np.stack(own),
        forfeit=forfeit,
        first_opening=first_opening(rules),
        verdicts=made.verdicts(),
        limited=_bits(number, book.payout_limit.wagers if book.payout_limit else ()),
        limit=payout_limit(rules),
        **_envy(rules, made),
        progressive=number.get(PROGRESSIVE, -1),
        **_table(rules, submission, linked, number),
    )


def _numbers(values: Iterable[int]) -> Int64s:
    return np.array([*values], dtype=np.int64)


def _bits(number: dict[str, int], names: Iterable[str]) -> int:
    return sum(1 << number[name] for name in names)


def _stacked(several: list[Int64s]) -> Int64s:
    most = max(array.shape[1] for array in several)
    together = np.full((len(several), OUTCOMES, most), -1, dtype=np.int64)
    for at, array in enumerate(several):
        together[at, :, : array.shape[1]] = array
    return together


def _limits(rules: Rules, submission: Submission | None) -> dict[str, Any]:
    """By wager: the least, the most and the steps of a stake."""
    rows: list[tuple[int, int, int]] = []
    for wager in rules.book.wagers:
        limit = submission.limit(wager.name) if submission is not None else None
        if wager.name == PROGRESSIVE and rules.progressive is not None:
            stake = rules.progressive.stake_cents
            rows.append((stake, stake, 0))
        elif limit is not None:
            rows.append((limit.minimum_cents, limit.maximum_cents, limit.increment_cents))
        else:
            rows.append((1, ANY_STAKE, 0))
    least, most, step = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return {"least": least, "most": most, "step": step}


def _envy(rules: Rules, made: RulesCompiler) -> dict[str, Any]:
    rule = envy_rule(rules)
    nothing = np.zeros(COLUMNS, dtype=np.bool_)
    return {
        "envy_look": made.looks.index(rule.look) if rule else -1,
        "envy_pays": rule.lines < len(rule.table.lines) if rule else nothing,
        "holder_wagers": rule is not None and rule.holder_wagers,
        "folded_holds": rule is not None and rule.folded_holds,
    }


def _table(
    rules: Rules, submission: Submission | None, linked: bool, number: dict[str, int]
) -> dict[str, Any]:
    """Streets, places, seats, ways and meters."""
    book, shapes = rules.book, the_shapes()
    streets = []
    actions = {word: n for n, word in enumerate(shapes.words(rec.DecisionRecord, "action"))}
    for street in book.streets:
        sizes = street.multiples or (street.least_multiple or 0, street.most_multiple or 0)
        if len(street.multiples) > 2:
            raise NotCompilable
        ends = bool(street.multiples)
        otherwise = actions[street.otherwise]
        streets.append((shapes.hash(street.name), otherwise, min(sizes), max(sizes), ends))
    boxes_first = sorted(book.places, key=lambda place: place.name != "box")
    places = [
        (
            shapes.hash(place.name),
            place.cards,
            number.get(place.only_for or "", -1),
            place.only_for is None or rules.offers(place.only_for),
        )
        for place in boxes_first
    ]
    offer = submission.progressive if submission is not None else None
    table = rules.paytable(PROGRESSIVE)
    meters = [meter.name for meter in table.meters] if table is not None else []
    growth = {}
    if offer is not None:
        stake = in_micros(offer.stake_cents)
        growth = {
            meter.name: stake * meter.rate_ppm // RATE_WHOLE
            for meter in offer.meters
            if meter.limit_cents is None
        }
    dealing = submission.dealing if submission is not None else None
    ways = (dealing.method, *dealing.fallbacks) if dealing else [way.way for way in book.dealing]
    validation = shapes.words(rec.LineRecord, "validation")
    return {
        "streets": np.array(streets, dtype=np.int64),
        "actions": _numbers(actions[word] for word in ("check", "play", "fold")),
        "places": np.array(places, dtype=np.int64),
        "shows": _shows(book, [place.name for place in boxes_first]),
        "asked_backward": book.contest.order.asked_from != book.contest.order.settled_from,
        "aside": _numbers(map(shapes.hash, ("burn", "set aside"))),
        "seats": min(book.table.boxes.count, submission.boxes if submission else 10**6),
        "from_right": book.contest.order.settled_from == "right",
        "ways": _numbers(map(shapes.hash, ways)),
        "meters": _numbers(map(shapes.hash, meters)),
        "growth": _numbers(growth.get(name, -1) for name in meters),
        "linked": linked,
        "complete": shapes.words(rec.RoundRecord, "status").index("complete"),
        "present": shapes.words(rec.BoxRecord, "absent").index(""),
        "unrefused": shapes.words(rec.BoxRecord, "refused").index(""),
        "validated": _numbers(validation.index(word) for word in ("", "paid")),
        "none": shapes.hash(""),
    }


def _shows(book: Rulebook, places: list[str]) -> Int64s:
    """By place and card there: the street it is shown after, the same however it is dealt."""
    first, *others = (shown_after(book, way.way) for way in book.dealing)
    if any(other != first for other in others) or len(book.streets) > check.STREETS:
        raise NotCompilable
    shows = np.full((len(places), check.MOST_IN_PLACE), gather.UNSAID, dtype=np.int64)
    for (place, at), street in first.items():
        shows[places.index(place), at] = street
    return shows


def hands_of(rules: Rules) -> run.RankTable:
    names = [place.name for place in sorted(rules.book.places, key=lambda p: p.name != "box")]

    def at(name: str) -> int:
        return names.index(name) if name in names else -1

    return run.RankTable(
        uth=uth.rank_tables(),
        four_card=four_card.rank_tables(),
        game=run.UTH if shape_of(rules) is GameShape.HOLDEM else run.FOUR_CARD,
        board=at("board"),
        dealer=at("dealer"),
        six_box=at("six_card_box"),
    )
