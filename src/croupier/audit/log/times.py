"""Times held against each other: a wager before "no more bets", a decision before the next card.

A card is shown after a street, so whoever decides on that street must have done so by then, and
whoever decides on the next one must have seen it. What has no time in the record is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from croupier.audit.log.case import RoundCase
from croupier.audit.log.finding import LogFinding
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import BOX, NO_PART
from croupier.facts.money import dollars
from croupier.rulebook.book import Rulebook, WayOfDealing

ALWAYS = -1  # shown as it is dealt, before anybody is asked


def times_found(case: RoundCase) -> Iterator[LogFinding]:
    ends_us = bets_end_us(case.record)
    for box in case.record.boxes:
        yield from _late_wagers(case, box, ends_us)
    late = list(_late_decisions(case))
    yield from late
    yield from _out_of_turn(case, {each.box for each in late})


def bets_end_us(record: rec.RoundRecord) -> int:
    """When bets are closed: "no more bets", or the first card where that came before; 0: unsaid."""
    dealt = (card.at_us for card in record.cards if card.place not in NO_PART)
    return min((at_us for at_us in (record.closed_at_us, *dealt) if at_us), default=0)


def _late_wagers(case: RoundCase, box: rec.BoxRecord, ends_us: int) -> Iterator[LogFinding]:
    for wager in box.wagers:
        if ends_us and wager.at_us > ends_us and not case.is_play(wager.wager):
            said = f"{case.title(wager.wager)} of {dollars(wager.cents)} came to lie after"
            what = '"no more bets"' if ends_us == case.record.closed_at_us else "the first card"
            clause = case.book.procedure.after_close_clause
            yield case.finding(
                "late-wager", f"{said} {what}", clause, box=box.seat, wager=wager.wager
            )


# Decisions


def _late_decisions(case: RoundCase) -> Iterator[LogFinding]:
    streets = case.book.streets
    number = {street.name: at for at, street in enumerate(streets)}
    shown = _shown_us(case)
    for box in case.record.boxes:
        for street, action, first_us, last_us in _decided(case, box):
            at = number.get(street)
            if at is None:
                continue
            by_us = min((us for after, us in shown if after >= at), default=0)
            from_us = max((us for after, us in shown if ALWAYS < after < at), default=0)
            clause = streets[at].ask_clause
            if by_us and last_us > by_us:
                play = case.book.played_on(streets[at]).title
                what = f"{play} came" if action == "play" else f"{action} said"
                sentence = f"{street}: {what} after the next card was shown"
                yield case.finding("late-decision", sentence, clause, box=box.seat)
            elif 0 < first_us < from_us:
                sentence = f"{street}: decided before the cards it is about were shown"
                yield case.finding("decision", sentence, clause, box=box.seat)


def _decided(case: RoundCase, box: rec.BoxRecord) -> Iterator[tuple[str, str, int, int]]:
    """Street and action of each decision, when it was said, and when its wager lay there.

    A record may leave decisions out; then Play was made on the last street that has its size.
    """
    book, laid = case.book, {wager.wager: wager for wager in box.wagers}
    made_on = {s.name: laid.get(book.played_on(s).name) for s in book.streets}
    for decision in box.decisions:
        play = made_on.get(decision.street) if decision.action == "play" else None
        last_us = max(decision.at_us, play.at_us if play is not None else 0)
        yield decision.street, decision.action, decision.at_us, last_us
    ante = laid.get(case.play[1])
    if ante is None or box.decisions:
        return
    for wager in book.plays:
        play = laid.get(wager.name)
        streets = book.streets_of(wager.name) if play is not None else ()
        fitting = [s.name for s in streets if play is not None and s.allows(play.cents, ante.cents)]
        if play is not None and fitting:
            yield fitting[-1], "play", play.at_us, play.at_us


def _shown_us(case: RoundCase) -> list[tuple[int, int]]:
    """Of each card that was turned: the street it was turned after, and when.

    A card that an irregularity exposed was not turned by the dealer, and tells nothing.
    """
    record = case.record
    exposed = {card for told in record.irregularities for card in (*told.exposed, *told.cards)}
    after, last = shown_after(case.book, record.way), len(case.book.streets) - 1
    lying: dict[tuple[str, int], int] = {}
    shown = []
    for dealt in record.cards:
        where = dealt.place, dealt.box
        at = lying[where] = lying.get(where, -1) + 1
        if dealt.turned_at_us and dealt.place not in NO_PART and dealt.card not in exposed:
            street = after.get((dealt.place, at), ALWAYS if dealt.face_up else last)
            shown.append((street, dealt.turned_at_us))
    return shown


@cache
def shown_after(book: Rulebook, way: str) -> dict[tuple[str, int], int]:
    """By place and card there: the street it is shown after; others are shown after the last."""
    numbers = {street.name: at for at, street in enumerate(book.streets)}
    found: dict[tuple[str, int], int] = {}
    dealt: dict[str, int] = {}
    turned: dict[str, int] = {}
    after = ALWAYS
    for step in _dealing(book, way).steps:
        place = BOX if step.to == "boxes" else step.to
        first = dealt.get(place, 0)
        dealt[place] = first + step.deal
        after = numbers.get(step.after or "", after)
        if step.deal and step.face == "up":
            found |= {(place, at): after for at in range(first, first + step.deal)}
        elif step.turn:
            first = turned.get(place, 0)
            turned[place] = first + step.turn
            found |= {(place, at): after for at in range(first, first + step.turn)}
    return found


def _dealing(book: Rulebook, way: str) -> WayOfDealing:
    return next((dealing for dealing in book.dealing if dealing.way == way), book.dealing[0])


def _out_of_turn(case: RoundCase, late: set[int]) -> Iterator[LogFinding]:
    """Boxes are asked one after the other, street by street; nobody is late because another was."""
    from_right = case.book.contest.order.asked_from == "right"
    boxes = sorted(case.record.boxes, key=lambda box: box.seat, reverse=from_right)
    latest, before = 0, 0
    for street in case.book.streets:
        for box in boxes:
            said = next((d for d in box.decisions if d.street == street.name and d.at_us), None)
            if said is None or box.absent or box.seat in late:
                continue
            if said.at_us < latest:
                sentence = f"{street.name}: decided before box {before}, which is asked first"
                yield case.finding("decision", sentence, street.ask_clause, box=box.seat)
            elif said.at_us > latest:
                latest, before = said.at_us, box.seat
