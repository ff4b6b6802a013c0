"""Whether a gathered round is as it must be: wagers, decisions, cards, every line, every sum.

Each test here is at least as strict as the readable code's: it may leave a good round to the judge,
and must never vouch for a bad one. ``tests/audit`` holds the two against each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.audit.log.fast.kernels.compiled import inlined, part
from croupier.audit.log.fast.kernels.gather import (
    ABSENT,
    AFTER,
    ASKED,
    AT,
    AT_BOX,
    BEFORE,
    BOX,
    BOXES,
    CARD,
    CARDS,
    CLAUSE,
    COUNT,
    GREW,
    LEFT,
    LIES,
    N_BOXES,
    N_CARDS,
    N_HIDDEN,
    N_LINES,
    N_METERS,
    N_MOVES,
    NAME,
    ODD,
    ODDS,
    OF,
    OUTCOME,
    PACK,
    PAID,
    PLACE,
    PLAYER,
    REFUSED,
    RETURNED,
    SEAT,
    SHRANK,
    STAKE,
    STATUS,
    STOOD,
    UNSAID,
    VALIDATION,
    WAGER,
    WAGERED,
    WAGERS,
    WAY,
    WON,
    GatheredRound,
)
from croupier.exact.kernels.array_types import Bools, Int64s, int64
from croupier.simulate.kernels.settlement import (
    BACK,
    KIND,
    NOTHING,
    SHARE,
    CompiledRules,
    envy_line_of,
    meeting_of,
    pays,
    verdict_of,
)

MOST_IN_PLACE = 6
STREETS = ASKED


class RecordRules(NamedTuple):
    """The compiled rules of a table, and what its records have to say. Wagers are in book order."""

    rules: CompiledRules
    said: Int64s  # [verdict, outcome / odds / clause] as the tape has them
    names: Int64s  # by wager: the hash of its name
    stakable: Bools  # offered, and not paid on another
    needs: Int64s  # a bit for each wager it needs
    needs_any: Int64s
    equals: Int64s  # the wager it must equal, or -1
    least: Int64s  # what may be staked; no steps: 0
    most: Int64s
    step: Int64s
    opening_all: int
    opening_any: int
    play: int
    ante: int
    paid_on: Int64s  # a bonus: the wager it is paid on; -1 for others
    limited: int  # bits of the wagers under the payout limit
    streets: Int64s  # [street, name / otherwise / least / most / both ends only]
    actions: Int64s  # check, play, fold as the tape has them
    places: Int64s  # [place, name / cards / only for / offered]; the box first
    shows: Int64s  # [place, n]: the street a card is shown after; UNSAID: the last
    asked_backward: bool  # whether boxes are asked from where settling ends
    aside: Int64s  # names of places whose cards no rule looks at
    seats: int
    from_right: bool
    ways: Int64s
    meters: Int64s  # by meter: its name
    growth: Int64s  # by meter: what one wager puts there; -1 where nobody filed it
    linked: bool
    complete: int
    present: int  # the word for nobody absent
    unrefused: int  # the word for no win refused: one that was is settled by the readable code
    validated: Int64s  # words of a validation that leave nothing to say
    none: int  # the hash of an empty text


SAID_OUTCOME, SAID_ODDS, SAID_CLAUSE = range(3)


class RecordArrays(NamedTuple):
    """A round by wager and place; scratch."""

    stakes: Int64s  # [box, wager]
    order: Int64s  # boxes as they are settled
    folded: Bools
    cards: Int64s  # [place, n], of boxes [places + box, n]
    dealt: Int64s  # how many lie there
    looks: Int64s  # [box, look]
    classes: Int64s  # by box: the class of the final hand; last the dealer's
    blind: Bools  # by box: whether its cards are hidden
    where: Int64s  # by card of the record: its place as above, and its number there
    shown: Int64s  # [street, the first and the last card shown after it]


def new_table(places: int, looks: int) -> RecordArrays:
    return RecordArrays(
        stakes=np.zeros((BOXES, WAGERS), dtype=np.int64),
        order=np.zeros(BOXES, dtype=np.int64),
        folded=np.zeros(BOXES, dtype=np.bool_),
        cards=np.zeros((places + BOXES, MOST_IN_PLACE), dtype=np.int64),
        dealt=np.zeros(places + BOXES, dtype=np.int64),
        looks=np.zeros((BOXES, looks), dtype=np.int64),
        classes=np.zeros(BOXES + 1, dtype=np.int64),
        blind=np.zeros(BOXES, dtype=np.bool_),
        where=np.zeros((CARDS, 2), dtype=np.int64),
        shown=np.zeros((STREETS, 2), dtype=np.int64),
    )


@part
def boxes_are_right(seen: GatheredRound, compiled: RecordRules, table: RecordArrays) -> bool:
    """Seats, players and the order of settlement."""
    head, boxes = seen.head, seen.counts[N_BOXES]
    if head[STATUS] != compiled.complete or boxes == 0 or seen.counts[N_LINES] == 0:
        return False
    known = head[WAY] == compiled.none
    for way in compiled.ways:
        known |= head[WAY] == way
    if not known:
        return False
    for box in range(boxes):
        seat = seen.boxes[box, SEAT]
        if seat < 1 or seat > compiled.seats or seen.boxes[box, REFUSED] != compiled.unrefused:
            return False
        turn = turn_of(seen, compiled, box)
        if turn < 0 or seen.boxes[box, ABSENT] != compiled.present:
            return False
        table.order[turn] = box
    return True


@inlined
def turn_of(seen: GatheredRound, compiled: RecordRules, box: int) -> int:
    """When a box is settled, from 0 on; -1 where another has its seat or its player."""
    seat, player, turn = seen.boxes[box, SEAT], seen.boxes[box, PLAYER], 0
    for other in range(seen.counts[N_BOXES]):
        if other == box:
            continue
        if seen.boxes[other, SEAT] == seat:
            return -1
        if player != compiled.none and player == seen.boxes[other, PLAYER]:
            return -1
        turn += (seen.boxes[other, SEAT] > seat) == compiled.from_right
    return turn


@part
def wagers_are_right(
    seen: GatheredRound, compiled: RecordRules, table: RecordArrays, box: int
) -> bool:
    """Every wager of a box within its limits, and together as they must be."""
    held = 0
    table.stakes[box, :] = 0
    for place in range(seen.held[box]):
        wager, cents = wager_at(seen, compiled, box, place), seen.cents[box, place]
        if wager < 0 or held >> wager & 1 or not compiled.stakable[wager]:
            return False
        if cents < compiled.least[wager] or cents > compiled.most[wager] or cents <= 0:
            return False
        if compiled.step[wager] and (cents - compiled.least[wager]) % compiled.step[wager]:
            return False
        table.stakes[box, wager] = cents
        held |= 1 << wager
    return wagers_go_together(compiled, table, box, held)


@inlined
def wager_at(seen: GatheredRound, compiled: RecordRules, box: int, place: int) -> int:
    """Which wager is named at this place of a box; -1 where none is called so."""
    wager = -1
    for number in range(len(compiled.names)):
        if compiled.names[number] == seen.names[box, place]:
            wager = number
    return wager


@inlined
def wagers_go_together(compiled: RecordRules, table: RecordArrays, box: int, held: int) -> bool:
    """Whether the wagers held, a bit each, open a round, and each has those that it needs."""
    if held & compiled.opening_all != compiled.opening_all:
        return False
    if compiled.opening_any and not held & compiled.opening_any:
        return False
    for wager in range(len(compiled.names)):
        if held >> wager & 1:
            if held & compiled.needs[wager] != compiled.needs[wager]:
                return False
            if compiled.needs_any[wager] and not held & compiled.needs_any[wager]:
                return False
            equals = compiled.equals[wager]
            if equals >= 0 and table.stakes[box, wager] != table.stakes[box, equals]:
                return False
    return True


@part
def cards_are_right(seen: GatheredRound, compiled: RecordRules, table: RecordArrays) -> bool:
    """Each card once, and each place as full as it must be."""
    boxes, places = seen.counts[N_BOXES], len(compiled.places)
    table.dealt[:] = 0
    drawn, packs = np.uint64(0), np.uint64(0)
    for row in range(seen.counts[N_CARDS]):
        card, pack = seen.cards[row, CARD], seen.cards[row, PACK]
        bit = np.uint64(1) << np.uint64(card)
        if drawn & bit:
            return False
        drawn |= bit
        if pack != UNSAID:
            if pack < 0 or pack > 63 or packs >> np.uint64(pack) & np.uint64(1):
                return False
            packs |= np.uint64(1) << np.uint64(pack)
        place = place_of(seen, compiled, seen.cards[row, LIES], seen.cards[row, AT_BOX])
        table.where[row, 0] = place
        if place == -1 or (place >= 0 and table.dealt[place] == MOST_IN_PLACE):
            return False
        if place >= 0:
            table.where[row, 1] = table.dealt[place]
            table.cards[place, table.dealt[place]] = card
            table.dealt[place] += 1
    return hidden_are_right(seen, compiled, table) and places_are_full(
        boxes, places, compiled, table
    )


@inlined
def place_of(seen: GatheredRound, compiled: RecordRules, name: int, seat: int) -> int:
    """Where a card lies: a place, a box after the places, -2 aside, -1 nowhere known."""
    for aside in compiled.aside:
        if name == aside:
            return -2
    for place in range(1, len(compiled.places)):
        if compiled.places[place, 0] == name:
            return place if seat == 0 else -1
    if name == compiled.places[0, 0]:
        for box in range(seen.counts[N_BOXES]):
            if seen.boxes[box, SEAT] == seat:
                return len(compiled.places) + box
    return -1


@part
def hidden_are_right(seen: GatheredRound, compiled: RecordRules, table: RecordArrays) -> bool:
    """No rule looks at the cards of a box that folded everything; others are not vouched for."""
    places, total = len(compiled.places), seen.counts[N_CARDS]
    table.blind[:] = False
    for row in range(seen.counts[N_HIDDEN]):
        total += seen.hidden[row, COUNT]
        place = place_of(seen, compiled, seen.hidden[row, PLACE], seen.hidden[row, OF])
        if place == -2:
            continue
        box = place - places
        if box < 0 or not table.folded[box]:
            return False
        for wager in range(len(compiled.names)):
            if compiled.rules.stays[wager] and table.stakes[box, wager]:
                return False
        table.blind[box] = True
        table.dealt[place] += seen.hidden[row, COUNT]
    return total <= 52


@part
def places_are_full(boxes: int, places: int, compiled: RecordRules, table: RecordArrays) -> bool:
    for box in range(boxes):
        if table.dealt[places + box] != compiled.places[0, 1]:
            return False
    for place in range(1, places):
        only_for, needed = compiled.places[place, 2], compiled.places[place, 2] < 0
        if only_for >= 0:
            for box in range(boxes):
                needed |= table.stakes[box, only_for] > 0
        lies = table.dealt[place]
        if lies and not compiled.places[place, 3]:
            return False
        if (needed or lies) and lies != compiled.places[place, 1]:
            return False
    return True


@inlined
def verdict_on(rules: CompiledRules, table: RecordArrays, box: int, wager: int) -> int:
    """Which verdict a wager of a box gets; -1 where none is known for the case."""
    own = table.classes[box]
    look = own if rules.contest[wager] else table.looks[box, rules.looks[wager]]
    meeting = meeting_of(own, table.classes[BOXES], rules.first_opening)
    return verdict_of(rules, wager, look, meeting, table.folded[box])


@part
def lines_are_right(
    seen: GatheredRound, compiled: RecordRules, table: RecordArrays, sums: Int64s
) -> bool:
    """Every line in its turn, to the cent; ``sums`` gets what came back to each box."""
    boxes, count, at, rules = seen.counts[N_BOXES], len(compiled.names), 0, compiled.rules
    for turn in range(boxes):
        box = table.order[turn]
        sums[box] = 0
        limited = 0
        for wager in range(count):
            paid_on, stake = compiled.paid_on[wager], table.stakes[box, wager]
            if not is_settled(compiled, table, box, wager):
                continue
            verdict = verdict_on(rules, table, box, wager)
            if verdict < 0 or rules.verdicts[verdict, KIND] == SHARE:
                return False
            if rules.verdicts[verdict, KIND] == NOTHING:
                continue
            base = table.stakes[box, paid_on] if paid_on >= 0 else stake
            if at == seen.counts[N_LINES]:
                return False
            paid = line_pays(seen, compiled, at, seen.boxes[box, SEAT], wager, verdict, stake, base)
            if paid < 0:
                return False
            sums[box] += paid + seen.lines[at, RETURNED]
            limited += paid if compiled.limited >> wager & 1 else 0
            at += 1
        if limited > rules.limit or envy_is_due(seen, compiled, table, box):
            return False
    return at == seen.counts[N_LINES]


@inlined
def is_settled(compiled: RecordRules, table: RecordArrays, box: int, wager: int) -> bool:
    """A wager where it was staked; a bonus where its wager and all that it needs were."""
    paid_on = compiled.paid_on[wager]
    if paid_on < 0:
        return table.stakes[box, wager] > 0
    if not table.stakes[box, paid_on]:
        return False
    for other in range(len(compiled.names)):
        if compiled.needs[wager] >> other & 1 and not table.stakes[box, other]:
            return False
    return True


@inlined
def line_pays(
    seen: GatheredRound, compiled: RecordRules, at: int, seat: int, wager: int, verdict: int,
    stake: int, base: int,
) -> int:  # fmt: skip
    """What a line pays, when it is the one that is due; -1 where it is another."""
    line, due = seen.lines[at], compiled.said[verdict]
    if (
        line[BOX] != seat
        or line[WAGER] != compiled.names[wager]
        or line[STAKE] != stake
        or line[ODD]
    ):
        return -1
    if line[OUTCOME] != due[SAID_OUTCOME]:
        return -1
    if line[ODDS] not in (UNSAID, due[SAID_ODDS]) or line[CLAUSE] not in (
        compiled.none,
        due[SAID_CLAUSE],
    ):
        return -1
    known = False
    for word in compiled.validated:
        known |= line[VALIDATION] == word
    if not known or base > 10**13:
        return -1
    paid = pays(compiled.rules, verdict, base)
    back = stake if compiled.rules.verdicts[verdict, BACK] else 0
    return paid if line[PAID] == paid and line[RETURNED] == back else -1


@part
def envy_is_due(seen: GatheredRound, compiled: RecordRules, table: RecordArrays, box: int) -> bool:
    """Whether this hand gives Envy to anybody: such a round is settled by the readable code."""
    rules = compiled.rules
    if not rules.no_envy or table.blind[box]:
        return False
    look = table.looks[box, rules.envy_look]
    if envy_line_of(rules, table.stakes[box], table.folded[box], look) == rules.no_envy:
        return False
    for other in range(seen.counts[N_BOXES]):
        if other != box and table.stakes[other, compiled.rules.progressive]:
            return True
    return False


@part
def sums_are_right(
    seen: GatheredRound, compiled: RecordRules, table: RecordArrays, sums: Int64s
) -> bool:
    """The money of the boxes and the meters."""
    anything = False
    for box in range(seen.counts[N_BOXES]):
        row = seen.boxes[box]
        anything |= seen.gave[box] > 0
        staked = int64(0)
        for wager in range(len(compiled.names)):
            staked += table.stakes[box, wager]
        if row[WAGERED] or row[WON]:
            if row[WAGERED] != staked or row[WON] != sums[box]:
                return False
            said = row[BEFORE] != UNSAID and row[AFTER] != UNSAID
            if said and row[AFTER] != row[BEFORE] - row[WAGERED] + row[WON]:
                return False
        if not moves_came_before(seen, box):
            return False
        if (
            seen.gave[box]
            and seen.counts[N_METERS]
            and not contribution_is_right(seen, compiled, table, box)
        ):
            return False
    right = True
    for meter in range(seen.counts[N_METERS]):
        right &= meter_is_right(seen, compiled, meter, anything)
    return right


@inlined
def moves_came_before(seen: GatheredRound, box: int) -> bool:
    """Whether the chips of a box moved before its first wager only: they change no sum then."""
    for move in range(seen.counts[N_MOVES]):
        if seen.moves[move, 0] == seen.boxes[box, SEAT]:
            for place in range(seen.held[box]):
                if seen.moves[move, 1] > seen.times[box, place]:
                    return False
    return True


@part
def contribution_is_right(
    seen: GatheredRound, compiled: RecordRules, table: RecordArrays, box: int
) -> bool:
    for meter in range(len(compiled.meters)):
        if compiled.growth[meter] < 0:
            continue
        due = compiled.growth[meter] if table.stakes[box, compiled.rules.progressive] else 0
        found = int64(0)
        for row in range(seen.gave[box]):
            if seen.given[box, row, 0] == compiled.meters[meter]:
                found = seen.given[box, row, 1]
        if found != due:
            return False
    return True


@part
def meter_is_right(seen: GatheredRound, compiled: RecordRules, meter: int, anything: bool) -> bool:
    row, known, given = seen.meters[meter], False, int64(0)
    for name in compiled.meters:
        known |= name == row[NAME]
    for other in range(meter):
        known &= seen.meters[other, NAME] != row[NAME]
    if not known:
        return False
    for box in range(seen.counts[N_BOXES]):
        for at in range(seen.gave[box]):
            given += seen.given[box, at, 1] if seen.given[box, at, 0] == row[NAME] else 0
    if anything and given != row[GREW]:
        return False
    if compiled.linked or row[STOOD] == UNSAID or row[LEFT] == UNSAID:
        return True
    grown = row[STOOD] + row[GREW] - row[SHRANK]
    return row[AT] == grown and row[LEFT] == grown
