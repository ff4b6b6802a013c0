"""What the records of a table have to say, beside its compiled rules, as the kernel checks it.

Words and limits become numbers here; what a wager is paid stands in the arrays that the simulator
has too (:mod:`croupier.simulate.compiled_rules`). A table whose rules do not fit the arrays is not
compiled, and every round of it goes to the judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from croupier.audit.log.fast.grammar import the_shapes
from croupier.audit.log.fast.kernels import check, gather, run
from croupier.audit.log.times import shown_after
from croupier.audit.records import schema as rec
from croupier.exact.assumptions import refuse_base, refuse_sides
from croupier.exact.kernels.array_types import Int64s
from croupier.facts.errors import Refusal
from croupier.facts.money import in_micros
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.games.shapes import GameShape, shape_of
from croupier.rulebook.book import Place, Rulebook
from croupier.simulate.compiled_rules import compiled_rules_of
from croupier.simulate.kernels import four_card, holdem
from croupier.simulate.rule_cases import LOOKS
from croupier.submission.submission import Submission
from croupier.table.terms import RATE_WHOLE

ANY_STAKE = 10**13


class NotCompilable(Exception):
    """The rules of this table do not fit the arrays."""


@lru_cache(maxsize=100)
def record_rules_of(rules: Rules, submission: Submission | None, linked: bool) -> check.RecordRules:
    """The arrays of a table; NotCompilable where its rules do not fit them."""
    shapes, book, wagers = the_shapes(), rules.book, rules.book.wagers
    _refuse_unknown(rules)
    compiled, verdicts = compiled_rules_of(rules)
    outcomes = {word: n for n, word in enumerate(shapes.words(rec.LineRecord, "outcome"))}
    number = {wager.name: n for n, wager in enumerate(wagers)}
    play = next(wager for wager in wagers if wager.decides is not None)
    said = [
        (
            outcomes[verdict.outcome] if verdict.outcome else gather.UNSAID,
            shapes.hash(verdict.odds) if verdict.odds is not None else gather.UNSAID,
            shapes.hash(verdict.clause),
        )
        for verdict in verdicts
    ]
    return check.RecordRules(
        rules=compiled,
        said=np.array(said, dtype=np.int64),
        names=_numbers(shapes.hash(wager.name) for wager in wagers),
        stakable=np.array([rules.offers(w.name) and w.paid_on is None for w in wagers]),
        needs=_numbers(_bits(number, wager.needs) for wager in wagers),
        needs_any=_numbers(_bits(number, wager.needs_any) for wager in wagers),
        equals=_numbers(number.get(wager.equals or "", -1) for wager in wagers),
        **_limits(rules, submission),
        opening_all=_bits(number, book.opening.all_of),
        opening_any=_bits(number, book.opening.any_of),
        play=number[play.name],
        ante=number[play.decides or ""],
        paid_on=_numbers(number.get(wager.paid_on or "", -1) for wager in wagers),
        limited=_bits(number, book.payout_limit.wagers if book.payout_limit else ()),
        **_table(rules, submission, linked, number),
    )


def _refuse_unknown(rules: Rules) -> None:
    """Leave to the judge what the kernels of looks, or those of decisions, do not know."""
    if shape_of(rules) not in LOOKS or len(rules.book.plays) > 1:
        raise NotCompilable
    try:
        refuse_base(rules)
        refuse_sides(rules)
    except Refusal:
        raise NotCompilable from None
    for wager in rules.book.wagers:
        by_table = rules.offers(wager.name) and wager.judged_by != "contest"
        if by_table and rules.paytable(wager.name) is None:
            raise NotCompilable


def _numbers(values: Iterable[int]) -> Int64s:
    return np.array([*values], dtype=np.int64)


def _bits(number: dict[str, int], names: Iterable[str]) -> int:
    return sum(1 << number[name] for name in names)


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


def _table(
    rules: Rules, submission: Submission | None, linked: bool, number: dict[str, int]
) -> dict[str, Any]:
    """Streets, places, seats, ways and meters."""
    book, shapes = rules.book, the_shapes()
    actions = {word: n for n, word in enumerate(shapes.words(rec.DecisionRecord, "action"))}
    boxes_first = sorted(book.places, key=lambda place: place.name != "box")
    validation = shapes.words(rec.LineRecord, "validation")
    return {
        "streets": _streets(book, actions),
        "actions": _numbers(actions[word] for word in ("check", "play", "fold")),
        "places": _places(rules, boxes_first, number),
        "shows": _shows(book, [place.name for place in boxes_first]),
        "asked_backward": book.contest.order.asked_from != book.contest.order.settled_from,
        "aside": _numbers(map(shapes.hash, ("burn", "set aside"))),
        "seats": min(book.table.boxes.count, submission.boxes if submission else 10**6),
        "from_right": book.contest.order.settled_from == "right",
        "ways": _numbers(map(shapes.hash, _ways(book, submission))),
        **_meters(rules, submission),
        "linked": linked,
        "complete": shapes.words(rec.RoundRecord, "status").index("complete"),
        "present": shapes.words(rec.BoxRecord, "absent").index(""),
        "unrefused": shapes.words(rec.BoxRecord, "refused").index(""),
        "validated": _numbers(validation.index(word) for word in ("", "paid")),
        "none": shapes.hash(""),
    }


def _streets(book: Rulebook, actions: Mapping[str, int]) -> Int64s:
    """By street: its name, the answer that is not Play, the least and the most Antes of Play, and
    whether it is one of these two alone.
    """
    rows = []
    for street in book.streets:
        if len(street.multiples) > 2:
            raise NotCompilable
        name, otherwise = the_shapes().hash(street.name), actions[street.otherwise]
        rows.append((name, otherwise, street.least, street.most, bool(street.multiples)))
    return np.array(rows, dtype=np.int64)


def _places(rules: Rules, places: Sequence[Place], number: dict[str, int]) -> Int64s:
    """By place: its name, its cards, the wager that it is dealt for or -1, and whether it is."""
    rows = [
        (
            the_shapes().hash(place.name),
            place.cards,
            number.get(place.only_for or "", -1),
            place.only_for is None or rules.offers(place.only_for),
        )
        for place in places
    ]
    return np.array(rows, dtype=np.int64)


def _ways(book: Rulebook, submission: Submission | None) -> Sequence[str]:
    if submission is None:
        return [way.way for way in book.dealing]
    return (submission.dealing.method, *submission.dealing.fallbacks)


def _meters(rules: Rules, submission: Submission | None) -> dict[str, Int64s]:
    """The meters by name, and what one wager adds to each; -1 where that is not known."""
    offer = submission.progressive if submission is not None else None
    table = rules.paytable(PROGRESSIVE)
    names = [meter.name for meter in table.meters] if table is not None else []
    growth = {}
    if offer is not None:
        stake = in_micros(offer.stake_cents)
        growth = {
            meter.name: stake * meter.rate_ppm // RATE_WHOLE
            for meter in offer.meters
            if meter.limit_cents is None
        }
    return {
        "meters": _numbers(map(the_shapes().hash, names)),
        "growth": _numbers(growth.get(name, -1) for name in names),
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
        holdem=holdem.rank_tables(),
        four_card=four_card.rank_tables(),
        game=run.HOLDEM if shape_of(rules) is GameShape.HOLDEM else run.FOUR_CARD,
        board=at("board"),
        dealer=at("dealer"),
        six_box=at("six_card_box"),
    )
