"""Wagers and decisions: what could lie on the felt, when, and how it came there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.audit.log.case import RoundCase, staked
from croupier.audit.log.finding import LogFinding
from croupier.audit.records import schema as rec
from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, dollars
from croupier.games.round import FinishedBox
from croupier.games.rules import PROGRESSIVE
from croupier.rulebook.book import Street
from croupier.table.feasibility import check_box, lacking


def wagers_found(case: RoundCase) -> Iterator[LogFinding]:
    for box in case.record.boxes:
        yield from _twice(case, box)
        yield from _impossible(case, staked(box))
        yield from _outside_limits(case, box)
        yield from _decisions(case, box)


def _twice(case: RoundCase, box: rec.BoxRecord) -> Iterator[LogFinding]:
    for name, times in Counter(wager.wager for wager in box.wagers).items():
        if times > 1:
            sentence = f"{case.title(name)} is written {times} times"
            yield case.finding(
                "wager", sentence, case.book.refusals.wagers, box=box.seat, wager=name
            )


def _impossible(case: RoundCase, box: FinishedBox) -> Iterator[LogFinding]:
    """What the rules refuse: first the wagers that open a box, then each beside what it needs."""
    book = case.book
    opening = {*book.opening.all_of, *book.opening.any_of}
    base = {name: cents for name, cents in box.stakes.items() if name in opening}
    refusal = _refusal(case, box, base)
    if refusal is not None:
        kind = "needs" if any(name not in base for name in book.opening.all_of) else "wager"
        kind = "needs" if not base else kind
        yield case.refused(kind, refusal, box=box.seat, wager=next(iter(box.stakes), ""))
        return
    for name, cents in box.stakes.items():
        if name in opening:
            continue
        beside = _needed(case, name)
        held = {other: box.stakes[other] for other in beside if other in box.stakes}
        refusal = _refusal(case, box, {**base, **held, name: cents})
        if refusal is not None and _refusal(case, box, {**base, **held}) is None:
            yield case.refused(_kind(case, box, name), refusal, box=box.seat, wager=name)


def _refusal(case: RoundCase, box: FinishedBox, stakes: dict[str, Cents]) -> Refusal | None:
    try:
        check_box(case.rules, FinishedBox(box.seat, (), stakes, box.player))
    except Refusal as refusal:
        return refusal
    return None


def _needed(case: RoundCase, name: str) -> tuple[str, ...]:
    if not case.book.has_wager(name):
        return ()
    wager = case.book.wager(name)
    return (*wager.needs, *wager.needs_any, *((wager.beside,) if wager.beside else ()))


def _kind(case: RoundCase, box: FinishedBox, name: str) -> str:
    if not case.book.has_wager(name) or not case.rules.offers(name):
        return "wager"
    wager = case.book.wager(name)
    beside = (*wager.needs, *((wager.beside,) if wager.beside else ()))
    if lacking(beside, wager.needs_any, box.stakes):
        return "needs"
    return "play-size" if wager.beside is not None else "wager"


def _outside_limits(case: RoundCase, box: rec.BoxRecord) -> Iterator[LogFinding]:
    """A wager outside them is still paid or lost in full (ruling 8)."""
    submission, terms = case.submission, case.rules.progressive
    for wager in box.wagers:
        limit = submission.limit(wager.wager) if submission is not None else None
        where = {"box": box.seat, "wager": wager.wager}
        if limit is not None and not limit.allows(wager.cents):
            sentence = (
                f"{case.title(wager.wager)} of {dollars(wager.cents)} is outside the posted {limit}"
            )
            clause = case.book.wager(wager.wager).clause
            yield case.finding("limits", sentence, clause, **where)  # type: ignore[arg-type]
        if wager.wager == PROGRESSIVE and terms is not None and wager.cents != terms.stake_cents:
            sentence = f"Progressive is {dollars(terms.stake_cents)}, not {dollars(wager.cents)}"
            clause = case.book.wager(PROGRESSIVE).clause
            yield case.finding("wager", sentence, clause, **where)  # type: ignore[arg-type]


# Decisions


def _decisions(case: RoundCase, box: rec.BoxRecord) -> Iterator[LogFinding]:
    """Each street is asked once, in order, until a fold, but none whose wager lies there already;
    what was played lies there."""
    if not box.decisions:
        return
    beside = case.play[1]
    stakes = {wager.wager: wager.cents for wager in box.wagers}
    asked = list(case.book.streets)
    played: dict[str, rec.DecisionRecord] = {}
    for decision in box.decisions:
        if not asked or asked[0].name != decision.street:
            sentence = f"nobody asks this box {decision.street} now"
            clause = case.book.streets[0].ask_clause
            yield case.finding("decision", sentence, clause, box=box.seat)
            return
        street, play = asked[0], case.book.played_on(asked[0]).name
        if decision.action == "play":
            played[play] = decision
            if beside in stakes and _is_wrong_here(case, street, decision, stakes):
                sentence = (
                    f"{case.title(play)} {street.name} is {street.sizes_of(stakes[beside])}, "
                    f"not {dollars(decision.cents)}"
                )
                yield case.finding("play-size", sentence, street.clause, box=box.seat, wager=play)
        elif decision.action != street.otherwise:
            sentence = f"{street.name} a box that does not play must {street.otherwise}"
            yield case.finding("decision", sentence, street.otherwise_clause, box=box.seat)
        later = (s for s in asked[1:] if case.book.played_on(s).name not in played)
        asked = list(later) if decision.action != "fold" else []
    for wager in case.book.plays:
        yield from _made(case, box, wager.name, played.get(wager.name), stakes)
    yield from _undecided(case, box, bool(asked) or case.play[0] not in played)


def _is_wrong_here(
    case: RoundCase, street: Street, decision: rec.DecisionRecord, stakes: dict[str, int]
) -> bool:
    """A size of another street; one that is of no street is found with the wagers."""
    play, ante = case.book.played_on(street).name, stakes[case.play[1]]
    if street.allows(decision.cents, ante):
        return False
    elsewhere = any(other.allows(decision.cents, ante) for other in case.book.streets_of(play))
    return elsewhere or decision.cents != stakes.get(play)


def _made(
    case: RoundCase,
    box: rec.BoxRecord,
    play: str,
    played: rec.DecisionRecord | None,
    stakes: dict[str, int],
) -> Iterator[LogFinding]:
    lies_cents, clause = stakes.get(play, 0), case.book.streets_of(play)[-1].play_clause
    if lies_cents != (played.cents if played is not None else 0):
        said = f"a play of {dollars(played.cents)}" if played is not None else "no play"
        sentence = f"{dollars(lies_cents)} lies on {case.title(play)} after {said}"
        kind = "play-size" if played is not None else "decision"
        yield case.finding(kind, sentence, clause, box=box.seat, wager=play)


def _undecided(case: RoundCase, box: rec.BoxRecord, is_open: bool) -> Iterator[LogFinding]:
    clause = case.book.streets[-1].play_clause
    is_open = is_open and box.decisions[-1].action != "fold"
    if is_open and case.is_settled and not case.record.still_settles and box.absent != "abandoned":
        yield case.finding(
            "decision", "the box was settled before it had decided", clause, box=box.seat
        )
