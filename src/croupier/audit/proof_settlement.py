"""The round of a proof settled again from its own lines: each line that is told, and every box.

What a box was paid line by line is its player's affair; what it came to is told to everybody, so
every box is held against the rules, whoever the file was made for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, get_args

import msgspec

from croupier.audit.difference import Difference, at
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import round_of, terms_of_rules
from croupier.facts.money import Micros
from croupier.games.registry import Registry
from croupier.games.round import FinishedRound, Reason
from croupier.games.rules import ENVY, PROGRESSIVE, Rules
from croupier.ledger.events import tag_of
from croupier.ledger.replay import ReplayedLines
from croupier.ledger.shoe.card_tokens import is_token
from croupier.ledger.shoe.masked_cards import opened_cards, unmasked
from croupier.ledger.store.line import LedgerLine
from croupier.table import events as ev
from croupier.table.settlement import settle_box

PART = "settlement"
REFUSED, SETTLED = tag_of(ev.ProgressiveRefused), tag_of(ev.WagerSettled)
Due = defaultdict[int, list[ev.WagerSettled]]


class SettledAgain(NamedTuple):
    """How many wagers were settled again line by line, how many boxes as a whole, and what
    differs.
    """

    lines: int
    boxes: int
    differences: tuple[Difference, ...]


class HiddenLine(NamedTuple):
    """What everybody is told of a line that is the affair of one box: which, and what the ``meter``
    read that it drew on.
    """

    kind: str
    box: int
    meter: str
    before_micros: int


def settlement_differences(
    rules: Rules,
    chapters: Sequence[ReplayedLines],
    hidden: Sequence[HiddenLine],
    registry: Registry,
) -> SettledAgain:
    """Nothing is due in a round that became void: its wagers went back."""
    told = [
        (line, event)
        for chapter in chapters
        for line, event in zip(chapter.lines, chapter.events, strict=True)
    ]
    events = [event for _, event in told]
    if any(isinstance(event, ev.RoundVoided) for event in events):
        return SettledAgain(0, 0, tuple(_void_differences(told)))
    lost = _abandoned(events)
    drawn = [*_drawn(events), *hidden]
    dues = [
        _due(_finished(rules, chapters, told, refused, registry), drawn)
        for refused in _refusals(events, hidden)
    ]
    lines = [(line, event) for line, event in told if isinstance(event, ev.WagerSettled)]
    boxes = [(line, event) for line, event in told if isinstance(event, ev.BoxSettled)]
    found = (
        *_line_differences(lines, dues, lost),
        *_box_differences(boxes, dues, lost),
        *_envy_differences(told, hidden, dues),
    )
    return SettledAgain(len(lines), len(boxes), found)


def _line_differences(
    lines: Sequence[tuple[LedgerLine, ev.WagerSettled]],
    dues: Sequence[Due],
    lost: Mapping[int, int],
) -> Iterator[Difference]:
    """Lines that no due has; a box that was abandoned loses every wager."""
    for line, paid in lines:
        is_lost = paid.box in lost and not paid.paid_cents + paid.returned_cents
        if not is_lost and not any(_money(paid) in map(_money, due[paid.box]) for due in dues):
            yield at(line, PART, f"the {paid.wager} of box {paid.box} was paid wrong")


def _box_differences(
    boxes: Sequence[tuple[LedgerLine, ev.BoxSettled]], dues: Sequence[Due], lost: Mapping[int, int]
) -> Iterator[Difference]:
    for line, event in boxes:
        if not _comes_to(event, dues, lost):
            yield at(line, PART, f"box {event.box} came to another sum than the rules give")


def _comes_to(event: ev.BoxSettled, dues: Sequence[Due], lost: Mapping[int, int]) -> bool:
    return event.net_cents in [_net(due[event.box], lost.get(event.box, 0)) for due in dues]


def _refusals(events: Sequence[object], hidden: Sequence[HiddenLine]) -> list[dict[int, Reason]]:
    """Why the manager refused each win that was refused; where that is told to its winner alone,
    either reason may be the one.
    """
    told = {e.box: e.reason for e in events if isinstance(e, ev.ProgressiveRefused)}
    untold = [line.box for line in hidden if line.kind == REFUSED]
    reasons = product(get_args(Reason), repeat=len(untold))
    return [{**told, **dict(zip(untold, each, strict=True))} for each in reasons]


def _envy_differences(
    told: Sequence[tuple[LedgerLine, object]], hidden: Sequence[HiddenLine], dues: Sequence[Due]
) -> Iterator[Difference]:
    """Envy that a player who is told all of his lines was not paid."""
    names = _players(told)
    shut = {line.box for line in hidden if line.kind == SETTLED}
    paid = [event for _, event in told if isinstance(event, ev.WagerSettled)]
    given = {(each.box, each.holder or 0) for each in paid if each.wager == ENVY}
    for box in names.keys() - shut:
        due = [{each.holder or 0 for each in all[box] if each.wager == ENVY} for all in dues]
        for holder in sorted(set.intersection(*due)):
            if (box, holder) not in given:
                why = f"box {box} was paid no Envy for the hand of box {holder}"
                yield at(told[-1][0], PART, f"{why}, which it is due unless both are one player's")


def _net(due: Iterable[ev.WagerSettled], lost_cents: int) -> int:
    return sum(each.net_cents for each in due if each.wager != ENVY) - lost_cents


def _players(told: Iterable[tuple[LedgerLine, object]]) -> dict[int, str]:
    """Whose boxes these are, as far as it is told: who wagered."""
    wagered = (each for each in told if isinstance(each[1], ev.WagerPlaced) and each[0].actor)
    return {event.box: line.actor for line, event in wagered if isinstance(event, ev.WagerPlaced)}


def _abandoned(events: Sequence[object]) -> dict[int, int]:
    """What lay on boxes whose players walked off: all of it is lost (ruling 34)."""
    ruled = {e.box: e.outcome for e in events if isinstance(e, ev.AbsenceRuled)}
    stakes = _stakes(events)
    return {box: sum(stakes[box].values()) for box in ruled if ruled[box] == "abandoned"}


def _drawn(events: Iterable[object]) -> Iterator[HiddenLine]:
    """The lines that are told whole and moved a meter, as far as everybody is told of them."""
    for event in events:
        if isinstance(event, ev.WagerSettled) and event.meter:
            yield HiddenLine(SETTLED, event.box, event.meter, event.meter_before_micros)


def _money(line: ev.WagerSettled) -> ev.WagerSettled:
    """A line but for its time, and the purse that it was paid from."""
    return msgspec.structs.replace(line, at_s=0, outside=False)


def _void_differences(told: Sequence[tuple[LedgerLine, object]]) -> Iterator[Difference]:
    """Whatever lay on a box when bets closed went back to it."""
    lay, back, is_open = _stakes(event for _, event in told), Counter[int](), True
    for _, event in told:
        is_open = is_open and not isinstance(event, ev.BetsClosed)
        if isinstance(event, ev.WagerReturned) and not is_open:
            back[event.box] += event.cents
    for box, stakes in lay.items():
        if back[box] != sum(stakes.values()):
            yield at(told[-1][0], PART, f"the wagers of box {box} did not all go back")


def _due(round: FinishedRound, drawn: Sequence[HiddenLine]) -> Due:
    """Every line that the rules give, by box; other tables may have moved the meter that it drew
    on since the lock-out, so its line says what the meter read.
    """
    due: defaultdict[int, list[ev.WagerSettled]] = defaultdict(list)
    meters = dict(round.meters)
    for box in round.in_settling_order():
        for line in drawn:
            if line.box == box.seat and line.meter:
                meters[line.meter] = Micros(line.before_micros)
        for settled in settle_box(round, box, meters):
            due[settled.box].append(settled)
    return due


def _finished(
    rules: Rules,
    chapters: Sequence[ReplayedLines],
    told: Sequence[tuple[LedgerLine, object]],
    refused: Mapping[int, Reason],
    registry: Registry,
) -> FinishedRound:
    """The round as it lay when it was settled, from what the lines say."""
    events = [event for _, event in told]
    known = opened_cards(chapters[-1].events)
    dealt: list[rec.DealtCardRecord] = []
    hidden: Counter[tuple[str, int]] = Counter()
    for event in (unmasked(each, known) for each in chapters[-1].events):
        for lie in event.lies if isinstance(event, ev.CardsDealt) else ():
            for card in lie.cards:
                if is_token(card):
                    hidden[lie.place, lie.box] += 1
                else:
                    dealt.append(rec.DealtCardRecord(card=card, place=lie.place, box=lie.box))
    counts = [rec.HiddenRecord(place=place, box=box, count=n) for (place, box), n in hidden.items()]
    record = rec.RoundRecord(
        format=rec.FORMAT,
        rulebook=rules.book.id,
        terms=terms_of_rules(rules),
        status="complete",
        boxes=tuple(_boxes(rules, events, refused, _players(told))),
        cards=tuple(dealt),
        hidden=tuple(counts),
        meters=tuple(
            rec.MeterRecord(name=name, at_settlement_micros=reading)
            for name, reading in _readings(events).items()
        ),
    )
    return round_of(record, registry, rules)


def _boxes(
    rules: Rules, events: Sequence[object], refused: Mapping[int, Reason], names: Mapping[int, str]
) -> Iterator[rec.BoxRecord]:
    settles = next((e.still_settles for e in events if isinstance(e, ev.RoundSalvaged)), None)
    ruled = {e.box: e.outcome for e in events if isinstance(e, ev.AbsenceRuled)}
    for seat, stakes in _stakes(events).items():
        kept = {
            wager: cents
            for wager, cents in stakes.items()
            if rules.offers(wager) and (settles is None or wager in settles)
        }
        yield rec.BoxRecord(
            seat=seat,
            player=names.get(seat, ""),
            wagers=tuple(rec.WagerRecord(wager=name, cents=cents) for name, cents in kept.items()),
            absent="abandoned" if ruled.get(seat) == "abandoned" else "",
            refused=refused.get(seat, ""),
        )


def _stakes(events: Iterable[object]) -> dict[int, dict[str, int]]:
    """What lay on each box when the betting was over, and the wagers made since."""
    boxes: dict[int, dict[str, int]] = {}
    is_open = True
    for event in events:
        is_open = is_open and not isinstance(event, ev.BetsClosed)
        if isinstance(event, ev.WagerPlaced | ev.Played):
            boxes.setdefault(event.box, {})[event.wager] = event.cents
        elif isinstance(event, ev.WagerWithdrawn | ev.WagerReturned) and is_open:
            boxes[event.box].pop(event.wager, None)
        elif isinstance(event, ev.ChipReturned):
            boxes[event.box].pop(PROGRESSIVE, None)
    return {box: stakes for box, stakes in sorted(boxes.items()) if stakes}


def _readings(events: Iterable[object]) -> dict[str, int]:
    """The meters as the accepted wagers of the round left them."""
    moved = (e for e in events if isinstance(e, ev.MeterGrew | ev.MeterShrank))
    return {event.meter: event.reading_micros for event in moved}
