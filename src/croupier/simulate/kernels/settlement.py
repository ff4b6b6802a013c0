"""Settlement by arrays: what is seen of a round becomes lines, and lines become counts and cents.

A *look* is what a wager is judged by, as one number: the class of a hand, or a place after the
classes for what a class does not tell. A *case* is how the wagers against the dealer end together:
the action, how the hands compare, whether the dealer opens, and the cell of the player's hand. What
each line and case pays was computed by :mod:`croupier.simulate.compiled_rules` from the Rules;
nothing here knows a payout. ``tests/simulate`` holds every line against the settlement function.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.kernels.array_types import Bools, Int64s, Uint8s, int64
from croupier.simulate.kernels.compiled import part

CLASSES = 7462  # five-card classes; four-card ones are fewer
SUPER_ROYALS = CLASSES  # one place a suit
TIED = CLASSES + 4  # the lower hand, where neither is
COLUMNS = CLASSES + 5
WIN, TIE, LOSS = range(3)
OUTCOMES = 6  # each with and without the dealer's opening
LIMBS, LIMB_BITS = 3, 24  # squares are added up in parts that no number of rounds makes too large
MOST_NET = 1 << 31  # cents a round may win or lose: its square still has 64 bits


class CompiledRules(NamedTuple):
    """The Rules and the stakes of every box, in numbers."""

    cells: Uint8s  # by class: the cell of the player's hand
    cell_count: int
    first_opening: int  # the least class with which the dealer opens
    fold: int  # the action that folds
    case_nets: Int64s  # [box, case]: cents won or lost against the dealer
    case_paid: Int64s  # [box, case]: of these what counts under the payout limit
    looks: Int64s  # by side wager: the look that judges it
    lines: Uint8s  # [side wager, look]: the line, one past the last where it loses
    lost: Int64s  # by side wager: one past its last line
    forfeits: Bools  # by side wager: whether a fold gives it up
    must_win: Bools  # by side wager: whether a lower hand loses it, and an equal one gives it back
    nets: Int64s  # [box, side wager, line]: cents; of a share of a meter, the stake lost
    paid: Int64s  # [box, side wager, line]: what counts under the payout limit
    limit: int  # the payout limit in cents
    six: int  # the side wager whose lines are counted together with the cases
    progressive: int  # the side wager that pays from meters; -1 where none does
    shares: Bools  # [box, line of the Progressive]: whether a meter pays it
    envy_look: int
    envy_lines: Uint8s  # by look of the holder: the line, one past the last for none
    envy_pays: Int64s  # by line, cents to each receiver; last nothing
    decides: Bools  # by box: whether it has an Ante to decide on
    holds: Bools  # by box: whether its hand may give Envy
    holds_folded: Bools  # by box: also after a fold
    receives: Bools  # by box: whether it has a Progressive wager
    owners: Int64s  # by box: its player
    order: Int64s  # boxes as they are settled


class RoundArrays(NamedTuple):
    """One round as it lies on the table, and how it ended; scratch of one thread."""

    looks: Int64s  # [box, look]
    actions: Int64s  # by box
    cases: Int64s  # by box
    lines: Int64s  # [box, side wager]
    envy: Int64s  # by box: cents received
    given: Int64s  # by box: the Envy line its hand gives
    cuts: Int64s  # by box: cents over the payout limit
    nets: Int64s  # by box: all of its lines, without awards from meters


class RoundCounts(NamedTuple):
    """Counts of rounds. A sum is cents, then the parts of their squares, the lowest first."""

    cases: Int64s  # [box, case, line of Six Card Bonus]
    lines: Int64s  # [box, side wager, line]
    given: Int64s  # [box, line of Envy]
    sums: Int64s  # [box, the table last]: a sum of all that was won or lost
    extra: Int64s  # [box, Envy or the cut]: a sum, and how many times it was not zero


def new_seen(boxes: int, looks: int, sides: int) -> RoundArrays:
    def zeros(*shape: int) -> Int64s:
        return np.zeros((boxes, *shape), dtype=np.int64)

    return RoundArrays(
        zeros(looks), zeros(), zeros(), zeros(sides), zeros(), zeros(), zeros(), zeros()
    )  # fmt: skip


@part
def end_case(
    compiled: CompiledRules, seen: RoundArrays, box: int, action: int, own: int, dealer: int
) -> None:
    """How a box stands against the dealer, by the classes of both hands."""
    meeting = meeting_of(own, dealer, compiled.first_opening)
    seen.actions[box] = action
    seen.cases[box] = (action * OUTCOMES + meeting) * compiled.cell_count + compiled.cells[own]


@part
def meeting_of(own: int, dealer: int, first_opening: int) -> int:
    """How two hands meet, by their classes: the outcome, and whether the dealer opens."""
    outcome = WIN if own > dealer else TIE if own == dealer else LOSS
    return 2 * outcome + (dealer >= first_opening)


@part
def settle(compiled: CompiledRules, seen: RoundArrays) -> None:
    """Every line of a round whose looks, actions and cases are known."""
    sides = len(compiled.looks)
    seen.envy[:] = 0
    for box in range(len(seen.actions)):
        case = seen.cases[box]
        folded = compiled.decides[box] and seen.actions[box] == compiled.fold
        net, paid = compiled.case_nets[box, case], compiled.case_paid[box, case]
        for side in range(sides):
            line = int64(compiled.lines[side, seen.looks[box, compiled.looks[side]]])
            if folded and compiled.forfeits[side]:
                line = compiled.lost[side]
            elif compiled.must_win[side]:
                outcome = case // compiled.cell_count % OUTCOMES // 2
                if outcome != WIN:
                    line = compiled.lost[side] + (outcome == TIE)
            seen.lines[box, side] = line
            net += compiled.nets[box, side, line]
            paid += compiled.paid[box, side, line]
        seen.cuts[box] = max(0, paid - compiled.limit)
        seen.nets[box] = net - seen.cuts[box]
        _give_envy(compiled, seen, box, folded)
    for box in range(len(seen.actions)):
        seen.nets[box] += seen.envy[box]


@part
def _give_envy(compiled: CompiledRules, seen: RoundArrays, holder: int, folded: bool) -> None:
    """Envy for this box's hand, to every other player's box with a Progressive wager."""
    none = len(compiled.envy_pays) - 1
    seen.given[holder] = none
    if compiled.holds_folded[holder] if folded else compiled.holds[holder]:
        line = int64(compiled.envy_lines[seen.looks[holder, compiled.envy_look]])
        seen.given[holder] = line
        if line < none:
            for box in range(len(seen.actions)):
                if compiled.receives[box] and compiled.owners[box] != compiled.owners[holder]:
                    seen.envy[box] += compiled.envy_pays[line]


@part
def count(
    compiled: CompiledRules,
    seen: RoundArrays,
    round: int,
    tally: RoundCounts,
    hits: Int64s,
    found: int,
) -> int:
    """Add a settled round to the counts; what meters pay is noted, in settling order.

    Returns how many hits are noted now: rows of round, box, line, and the nets of the box and of
    the table without any award.
    """
    boxes = len(seen.actions)
    table, before = 0, found
    for box in compiled.order:
        six = seen.lines[box, compiled.six] if compiled.six >= 0 else 0
        tally.cases[box, seen.cases[box], six] += 1
        for side in range(len(compiled.looks)):
            tally.lines[box, side, seen.lines[box, side]] += 1
        tally.given[box, seen.given[box]] += 1
        _add(tally.sums[box], seen.nets[box])
        table += seen.nets[box]
        if seen.envy[box]:
            _add(tally.extra[box, 0], seen.envy[box])
            tally.extra[box, 0, -1] += 1
        if seen.cuts[box]:
            _add(tally.extra[box, 1], seen.cuts[box])
            tally.extra[box, 1, -1] += 1
        if (
            compiled.progressive >= 0
            and compiled.shares[box, seen.lines[box, compiled.progressive]]
        ):
            hits[found, 0], hits[found, 1] = round, box
            hits[found, 2], hits[found, 3] = seen.lines[box, compiled.progressive], seen.nets[box]
            found += 1
    for hit in range(before, found):
        hits[hit, 4] = table
    _add(tally.sums[boxes], table)
    return found


@part
def _add(sums: Int64s, cents: int) -> None:
    square = cents * cents
    sums[0] += cents
    for limb in range(LIMBS):
        sums[1 + limb] += (square >> (LIMB_BITS * limb)) & ((1 << LIMB_BITS) - 1)


@part
def note(seen: RoundArrays, row: int, noted: RoundArrays) -> None:
    """Keep a settled round as it is, for whoever compares or follows it."""
    for box in range(len(seen.actions)):
        noted.actions[row, box] = seen.actions[box]
        noted.cases[row, box] = seen.cases[box]
        noted.envy[row, box] = seen.envy[box]
        noted.given[row, box] = seen.given[box]
        noted.cuts[row, box] = seen.cuts[box]
        noted.nets[row, box] = seen.nets[box]
        for look in range(seen.looks.shape[1]):
            noted.looks[row, box, look] = seen.looks[box, look]
        for side in range(seen.lines.shape[1]):
            noted.lines[row, box, side] = seen.lines[box, side]


def new_notes(rounds: int, seen: RoundArrays) -> RoundArrays:
    """Room for so many rounds."""
    return RoundArrays(*(np.zeros((rounds, *array.shape), dtype=np.int64) for array in seen))


def square_of(row: list[int]) -> int:
    """The sum of squares of a row of sums, put together again."""
    return sum(part << (LIMB_BITS * limb) for limb, part in enumerate(row[1 : 1 + LIMBS]))
