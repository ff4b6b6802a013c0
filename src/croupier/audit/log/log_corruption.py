"""Good records corrupted from a seed, one way at a time, to see that an auditor finds each.

A mutant is a lie told well: whatever else the record says of the same money is changed with it, so
that only the rules show what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

import msgspec

from croupier.audit.log.line_comparison import LIMIT
from croupier.audit.records import schema as rec
from croupier.audit.records.money import line_record
from croupier.audit.records.reader import BOX, round_of
from croupier.games.registry import Registry
from croupier.games.rules import ENVY
from croupier.rulebook.book import Rulebook
from croupier.table.receipt_line import Outcome
from croupier.table.settlement import settle_box

HOUR_US = 3_600_000_000
replace = msgspec.structs.replace
Log = list[rec.AnyRecord]
Changed = rec.RoundRecord | None


class CorruptionInput(NamedTuple):
    """What a corruption may look at."""

    record: rec.RoundRecord
    book: Rulebook
    registry: Registry
    chance: Random


class Mutant(NamedTuple):
    """A corrupted log; ``kinds`` are those an auditor may call it by, ``at`` where it was done."""

    name: str
    kinds: tuple[str, ...]
    at: int
    log: Log


Corruption = Callable[[CorruptionInput], Changed]


def mutants(log: Sequence[rec.AnyRecord], registry: Registry, seed: int) -> Iterator[Mutant]:
    """One of each kind that this log gives an opportunity for."""
    chance = Random(seed)
    for name, (corrupt, *kinds) in CORRUPTIONS.items():
        places = list(range(len(log) - 1))  # after the last round nothing can fall overdue
        chance.shuffle(places)
        for at in places:
            record = log[at]
            if not isinstance(record, rec.RoundRecord) or record.status != "complete":
                continue
            changed = corrupt(
                CorruptionInput(record, registry.book(record.rulebook), registry, chance)
            )
            if changed is not None:
                yield Mutant(name, tuple(kinds), at, [*log[:at], changed, *log[at + 1 :]])
                break


# Payments


def _one(eyes: CorruptionInput, wanted: Callable[[rec.LineRecord], bool]) -> rec.LineRecord | None:
    found = [line for line in eyes.record.lines if wanted(line)]
    return eyes.chance.choice(found) if found else None


def _with_lines(record: rec.RoundRecord, lines: Sequence[rec.LineRecord]) -> rec.RoundRecord:
    """The boxes get what the lines say."""
    won = {
        box.seat: sum(x.paid_cents + x.returned_cents for x in lines if x.box == box.seat)
        for box in record.boxes
    }
    boxes = tuple(replace(box, won_cents=won[box.seat]) for box in record.boxes)
    return replace(record, lines=tuple(lines), boxes=boxes)


def _instead(eyes: CorruptionInput, line: rec.LineRecord | None, **changes: object) -> Changed:
    if line is None:
        return None
    lines = [replace(x, **changes) if x is line else x for x in eyes.record.lines]
    return _with_lines(eyes.record, lines)


def _wrong_payout(eyes: CorruptionInput) -> Changed:
    line = _one(eyes, lambda x: x.outcome == "win" and x.meter is None and x.wager != ENVY)
    more = eyes.chance.choice((-1, 1)) * (line.paid_cents // 2 or 1) if line else 0
    return _instead(eyes, line, paid_cents=line.paid_cents + more if line else 0)


def _lost_wager_paid(eyes: CorruptionInput) -> Changed:
    line = _one(eyes, lambda x: x.outcome == "lose" and x.stake_cents > 0)
    stake = line.stake_cents if line else 0
    return _instead(eyes, line, outcome="win", paid_cents=stake, returned_cents=stake)


def _paid_on_push(eyes: CorruptionInput) -> Changed:
    by_table = {w.name for w in eyes.book.wagers if w.pays is None and not w.optional}
    line = _one(eyes, lambda x: x.outcome == "push" and x.wager in by_table) or _one(
        eyes, lambda x: x.outcome == "push"
    )
    return _instead(eyes, line, outcome="win", paid_cents=line.stake_cents if line else 0)


def _for_as_to(eyes: CorruptionInput) -> Changed:
    line = _one(eyes, lambda x: x.wager != ENVY and " for " in (x.odds or ""))
    return _instead(eyes, line, returned_cents=line.stake_cents if line else 0)


def _wrong_order(eyes: CorruptionInput) -> Changed:
    """Boxes settled from the wrong side, each meter as it then stood."""
    drawn = [line.meter for line in eyes.record.lines if line.meter is not None]
    if not any(drawn.count(name) > 1 for name in drawn):
        return None
    return _from_the_left(eyes)


def _from_the_left(eyes: CorruptionInput) -> Changed:
    round = round_of(eyes.record, eyes.registry)
    meters = dict(round.meters)
    lines = [
        line_record(line)
        for box in reversed(round.in_settling_order())
        for line in settle_box(round, box, meters)
    ]
    changed = _with_lines(eyes.record, lines)
    after = tuple(replace(x, after_micros=meters[x.name]) for x in eyes.record.meters)
    return replace(changed, meters=after) if changed.lines != eyes.record.lines else None


def _envy_missed(eyes: CorruptionInput) -> Changed:
    line = _one(eyes, lambda x: x.wager == ENVY)
    if line is None:
        return None
    return _with_lines(eyes.record, [x for x in eyes.record.lines if x is not line])


def _envy_to_holder(eyes: CorruptionInput) -> Changed:
    line = _one(eyes, lambda x: x.wager == ENVY)
    return _instead(eyes, line, box=line.holder if line else 1)


def _limit_misapplied(eyes: CorruptionInput) -> Changed:
    """What the limit does not cover is cut by it."""
    rule = eyes.book.payout_limit
    covered = rule.wagers if rule is not None else ()
    line = _one(eyes, lambda x: x.wager not in (*covered, ENVY, LIMIT) and x.paid_cents > 1)
    if line is None or any(x.wager == LIMIT for x in eyes.record.lines):
        return None
    cut = rec.LineRecord(
        box=line.box,
        wager=LIMIT,
        stake_cents=0,
        outcome=Outcome.LOSE,
        paid_cents=-(line.paid_cents // 2),
    )
    at = eyes.record.lines.index(line) + 1
    return _with_lines(eyes.record, [*eyes.record.lines[:at], cut, *eyes.record.lines[at:]])


# Wagers


def _restaked(eyes: CorruptionInput, seat: int, name: str, cents: int) -> Changed:
    """Another stake on one wager, with decision, lines and sums to match."""
    record = eyes.record
    lines = []
    for line in record.lines:
        if line.box == seat and line.wager == name and line.stake_cents:
            paid = line.paid_cents * cents // line.stake_cents
            back = cents if line.returned_cents else 0
            line = replace(line, stake_cents=cents, paid_cents=paid, returned_cents=back)
        lines.append(line)
    boxes = tuple(
        replace(
            box,
            wagers=tuple(replace(w, cents=cents) if w.wager == name else w for w in box.wagers),
            decisions=tuple(
                replace(d, cents=cents) if d.wager == name else d for d in box.decisions
            ),
            wagered_cents=sum(cents if w.wager == name else w.cents for w in box.wagers),
        )
        if box.seat == seat
        else box
        for box in record.boxes
    )
    return _with_lines(replace(record, boxes=boxes), lines)


def _held(eyes: CorruptionInput, *names: str) -> rec.BoxRecord | None:
    boxes = [b for b in eyes.record.boxes if {*names} <= {w.wager for w in b.wagers}]
    return eyes.chance.choice(boxes) if boxes else None


def _wrong_play(eyes: CorruptionInput) -> Changed:
    play = next(wager for wager in eyes.book.wagers if wager.decides is not None)
    box = _held(eyes, play.name)
    if box is None:
        return None
    ante = next(w.cents for w in box.wagers if w.wager == play.decides)
    return _restaked(eyes, box.seat, play.name, 5 * ante)


def _late(eyes: CorruptionInput) -> Changed:
    decided = [wager.name for wager in eyes.book.wagers if wager.decides is not None]
    box = eyes.chance.choice(eyes.record.boxes)
    at = eyes.chance.choice([n for n, w in enumerate(box.wagers) if w.wager not in decided])
    wagers = list(box.wagers)
    wagers[at] = replace(wagers[at], at_us=eyes.record.closed_at_us + 1)
    return _box_instead(eyes, box, replace(box, wagers=tuple(wagers)))


def _late_decision(eyes: CorruptionInput) -> Changed:
    """A Play that waits for the card it should have come before."""
    play = next(wager.name for wager in eyes.book.wagers if wager.decides is not None)
    box = _held(eyes, play)
    shown_us = max((card.turned_at_us for card in eyes.record.cards), default=0)
    if box is None or not shown_us or not box.decisions:
        return None
    at_us = shown_us + 1
    wagers = tuple(replace(w, at_us=at_us) if w.wager == play else w for w in box.wagers)
    last = replace(box.decisions[-1], at_us=at_us)
    decisions = (*box.decisions[:-1], last)
    return _box_instead(eyes, box, replace(box, wagers=wagers, decisions=decisions))


def _out_of_turn(eyes: CorruptionInput) -> Changed:
    """The box that is asked last answers first."""
    asked = [box for box in eyes.record.boxes if box.decisions and box.decisions[0].at_us]
    if len(asked) < 2:
        return None
    box = max(asked, key=lambda box: box.decisions[0].at_us)
    first_us = min(other.decisions[0].at_us for other in asked)
    first = replace(box.decisions[0], at_us=first_us - 1)
    return _box_instead(eyes, box, replace(box, decisions=(first, *box.decisions[1:])))


def _hidden(eyes: CorruptionInput) -> Changed:
    """A round that ended, said to be in progress, without the time at which it did."""
    return replace(eyes.record, status="in progress", ended_at_us=0)


def _box_instead(eyes: CorruptionInput, box: rec.BoxRecord, changed: rec.BoxRecord) -> Changed:
    boxes = tuple(changed if other is box else other for other in eyes.record.boxes)
    return replace(eyes.record, boxes=boxes)


def _unneeded(eyes: CorruptionInput) -> Changed:
    """A wager taken away that another one stands beside."""
    for wager in eyes.book.wagers:
        for needed in wager.needs if wager.optional else ():
            box = _held(eyes, wager.name, needed)
            if box is not None and needed not in eyes.book.opening.all_of:
                return _without(eyes, box, needed)
    return None


def _without(eyes: CorruptionInput, box: rec.BoxRecord, name: str) -> Changed:
    wagers = tuple(w for w in box.wagers if w.wager != name)
    changed = replace(box, wagers=wagers, wagered_cents=sum(w.cents for w in wagers))
    record = _box_instead(eyes, box, changed)
    assert record is not None
    lines = [x for x in record.lines if (x.box, x.wager) != (box.seat, name)]
    return _with_lines(record, lines)


# Cards, and what a table owes them


def _card_twice(eyes: CorruptionInput) -> Changed:
    one, other = eyes.chance.sample(range(len(eyes.record.cards)), 2)
    cards = list(eyes.record.cards)
    cards[one] = replace(cards[one], card=cards[other].card)
    return replace(eyes.record, cards=tuple(cards))


def _card_missing(eyes: CorruptionInput) -> Changed:
    at = eyes.chance.choice([n for n, c in enumerate(eyes.record.cards) if c.place == BOX])
    return replace(eyes.record, cards=eyes.record.cards[:at] + eyes.record.cards[at + 1 :])


def _stub_uncounted(eyes: CorruptionInput) -> Changed:
    return replace(eyes.record, stub_count=None) if eyes.record.stub_count else None


def _stub_wrong(eyes: CorruptionInput) -> Changed:
    count = eyes.record.stub_count
    if count is None:
        return None
    return replace(eyes.record, stub_count=replace(count, stub=count.stub - 1))


def _old_deck(eyes: CorruptionInput) -> Changed:
    deck, hours = eyes.record.deck, eyes.book.deck.change_hours_otherwise.count
    if deck is None:
        return None
    opened_us = eyes.record.closed_at_us - hours * HOUR_US
    return replace(eyes.record, deck=replace(deck, opened_at_us=opened_us))


# Sums and terms


def _other_terms(eyes: CorruptionInput) -> Changed:
    letters = eyes.record.terms.paytables
    for wager, letter in letters.items():
        others = [other for other in eyes.book.paytables.get(wager, {}) if other != letter]
        if others:
            terms = replace(eyes.record.terms, paytables={**letters, wager: others[0]})
            return replace(eyes.record, terms=terms)
    return None


def _meter_skimmed(eyes: CorruptionInput) -> Changed:
    if not eyes.record.meters:
        return None
    first, *rest = eyes.record.meters
    after = (first.after_micros or 0) - 1
    return replace(eyes.record, meters=(replace(first, after_micros=after), *rest))


def _box_skimmed(eyes: CorruptionInput) -> Changed:
    box = eyes.chance.choice(eyes.record.boxes)
    return _box_instead(eyes, box, replace(box, won_cents=box.won_cents + 1))


CORRUPTIONS: dict[str, tuple[Corruption, *tuple[str, ...]]] = {
    "wrong payout": (_wrong_payout, "payout"),
    "lost wager paid": (_lost_wager_paid, "payout"),
    "Blind paid on a push": (_paid_on_push, "paid-on-push"),
    '"for" paid as "to"': (_for_as_to, "for-as-to"),
    "wrong order against a meter": (_wrong_order, "order"),
    "wrong order of boxes": (_from_the_left, "order"),
    "envy missed": (_envy_missed, "envy-missed"),
    "envy paid to the holder": (_envy_to_holder, "envy-holder"),
    "limit on the wrong wager": (_limit_misapplied, "payout-limit"),
    "Play of the wrong size": (_wrong_play, "play-size"),
    'wager after "no more bets"': (_late, "late-wager"),
    "Play after the card it waits for": (_late_decision, "late-decision"),
    "decision out of turn": (_out_of_turn, "decision"),
    "wager without the one it needs": (_unneeded, "needs"),
    "card twice": (_card_twice, "card-twice"),
    "too few cards": (_card_missing, "card-count"),
    "stub count overdue": (_stub_uncounted, "stub-count"),
    "stub counted wrong": (_stub_wrong, "stub-count"),
    "deck change overdue": (_old_deck, "deck-change"),
    "another paytable": (_other_terms, "terms"),
    "meter skimmed": (_meter_skimmed, "meter"),
    "box skimmed": (_box_skimmed, "box-money"),
    "round hidden as in progress": (_hidden, "status"),
}
