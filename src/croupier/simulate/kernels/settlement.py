"""Settlement by arrays: what is seen of a round becomes lines, and lines become counts and cents.

A *look* is what a wager is judged by, as one number: the class of a hand, or a place after the
classes for what a class does not tell. A *case* is how the wagers against the dealer end together:
the action, how the hands compare, whether the dealer opens, and the cell of the player's hand. What
each line and case pays was computed by :mod:`croupier.simulate.compiled_rules` from the Rules;
nothing here knows a payout. ``tests/simulate`` holds every line against the settlement function.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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

    cells: NDArray[np.uint8]  # by class: the cell of the player's hand
    cell_count: int
    first_opening: int  # the least class with which the dealer opens
    fold: int  # the action that folds
    case_nets: NDArray[np.int64]  # [box, case]: cents won or lost against the dealer
    case_paid: NDArray[np.int64]  # [box, case]: of these what counts under the payout limit
    looks: NDArray[np.int64]  # by side wager: the look that judges it
    lines: NDArray[np.uint8]  # [side wager, look]: the line, one past the last where it loses
    lost: NDArray[np.int64]  # by side wager: one past its last line
    forfeits: NDArray[np.bool_]  # by side wager: whether a fold gives it up
    nets: NDArray[np.int64]  # [box, side wager, line]: cents; of a share of a meter, the stake lost
    paid: NDArray[np.int64]  # [box, side wager, line]: what counts under the payout limit
    limit: int  # the payout limit in cents
    six: int  # the side wager whose lines are counted together with the cases
    progressive: int  # the side wager that pays from meters; -1 where none does
    shares: NDArray[np.bool_]  # [box, line of the Progressive]: whether a meter pays it
    envy_look: int
    envy_lines: NDArray[np.uint8]  # by look of the holder: the line, one past the last for none
    envy_pays: NDArray[np.int64]  # by line, cents to each receiver; last nothing
    decides: NDArray[np.bool_]  # by box: whether it has an Ante to decide on
    holds: NDArray[np.bool_]  # by box: whether its hand may give Envy
    holds_folded: NDArray[np.bool_]  # by box: also after a fold
    receives: NDArray[np.bool_]  # by box: whether it has a Progressive wager
    owners: NDArray[np.int64]  # by box: its player
    order: NDArray[np.int64]  # boxes as they are settled


class RoundArrays(NamedTuple):
    """One round as it lies on the table, and how it ended; scratch of one thread."""

    looks: NDArray[np.int64]  # [box, look]
    actions: NDArray[np.int64]  # by box
    cases: NDArray[np.int64]  # by box
    lines: NDArray[np.int64]  # [box, side wager]
    envy: NDArray[np.int64]  # by box: cents received
    given: NDArray[np.int64]  # by box: the Envy line its hand gives
    cuts: NDArray[np.int64]  # by box: cents over the payout limit
    nets: NDArray[np.int64]  # by box: all of its lines, without awards from meters


class RoundCounts(NamedTuple):
    """Counts of rounds. A sum is cents, then the parts of their squares, the lowest first."""

    cases: NDArray[np.int64]  # [box, case, line of Six Card Bonus]
    lines: NDArray[np.int64]  # [box, side wager, line]
    given: NDArray[np.int64]  # [box, line of Envy]
    sums: NDArray[np.int64]  # [box, the table last]: a sum of all that was won or lost
    extra: NDArray[np.int64]  # [box, Envy or the cut]: a sum, and how many times it was not zero


def new_seen(boxes: int, looks: int, sides: int) -> RoundArrays:
    def zeros(*shape: int) -> NDArray[np.int64]:
        return np.zeros((boxes, *shape), dtype=np.int64)

    return RoundArrays(
        zeros(looks), zeros(), zeros(), zeros(sides), zeros(), zeros(), zeros(), zeros()
    )  # fmt: skip


@part
def end_case(felt: Any, seen: Any, box: Any, action: Any, own: Any, dealer: Any) -> None:
    """How a box stands against the dealer, by the classes of both hands."""
    outcome = WIN if own > dealer else TIE if own == dealer else LOSS
    opens = dealer >= felt.first_opening
    seen.actions[box] = action
    seen.cases[box] = ((action * 3 + outcome) * 2 + opens) * felt.cell_count + felt.cells[own]


@part
def settle(felt: Any, seen: Any) -> None:
    """Every line of a round whose looks, actions and cases are known."""
    sides = len(felt.looks)
    seen.envy[:] = 0
    for box in range(len(seen.actions)):
        case = seen.cases[box]
        folded = felt.decides[box] and seen.actions[box] == felt.fold
        net, paid = felt.case_nets[box, case], felt.case_paid[box, case]
        for side in range(sides):
            line = np.int64(felt.lines[side, seen.looks[box, felt.looks[side]]])
            if folded and felt.forfeits[side]:
                line = felt.lost[side]
            seen.lines[box, side] = line
            net += felt.nets[box, side, line]
            paid += felt.paid[box, side, line]
        seen.cuts[box] = max(0, paid - felt.limit)
        seen.nets[box] = net - seen.cuts[box]
        _give_envy(felt, seen, box, folded)
    for box in range(len(seen.actions)):
        seen.nets[box] += seen.envy[box]


@part
def _give_envy(felt: Any, seen: Any, holder: Any, folded: Any) -> None:
    """Envy for this box's hand, to every other player's box with a Progressive wager."""
    none = len(felt.envy_pays) - 1
    seen.given[holder] = none
    if felt.holds_folded[holder] if folded else felt.holds[holder]:
        line = np.int64(felt.envy_lines[seen.looks[holder, felt.envy_look]])
        seen.given[holder] = line
        if line < none:
            for box in range(len(seen.actions)):
                if felt.receives[box] and felt.owners[box] != felt.owners[holder]:
                    seen.envy[box] += felt.envy_pays[line]


@part
def count(felt: Any, seen: Any, round: Any, tally: Any, hits: Any, found: Any) -> Any:
    """Add a settled round to the counts; what meters pay is noted, in settling order.

    Returns how many hits are noted now: rows of round, box, line, and the nets of the box and of
    the table without any award.
    """
    boxes = len(seen.actions)
    table, before = 0, found
    for box in felt.order:
        six = seen.lines[box, felt.six] if felt.six >= 0 else 0
        tally.cases[box, seen.cases[box], six] += 1
        for side in range(len(felt.looks)):
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
        if felt.progressive >= 0 and felt.shares[box, seen.lines[box, felt.progressive]]:
            hits[found, 0], hits[found, 1] = round, box
            hits[found, 2], hits[found, 3] = seen.lines[box, felt.progressive], seen.nets[box]
            found += 1
    for hit in range(before, found):
        hits[hit, 4] = table
    _add(tally.sums[boxes], table)
    return found


@part
def _add(sums: Any, cents: Any) -> None:
    square = cents * cents
    sums[0] += cents
    for limb in range(LIMBS):
        sums[1 + limb] += (square >> (LIMB_BITS * limb)) & ((1 << LIMB_BITS) - 1)


@part
def note(seen: Any, row: Any, noted: Any) -> None:
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
