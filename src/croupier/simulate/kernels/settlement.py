"""Settlement by arrays: what is seen of a round becomes lines, and lines become counts and cents.

A *look* is what a wager is judged by, as one number: the class of a hand, or a place after the
classes for what a class does not tell. A *meeting* is how the player's hand and the dealer's come
together. A *case* is how the wagers against the dealer end together: the action, the meeting, and
the cell of the player's hand. What each line pays was computed by
:mod:`croupier.simulate.compiled_rules` from the Rules; nothing here knows a payout. The simulator
plays by these kernels and the log auditor checks by them; ``tests/simulate`` and ``tests/audit``
hold every line against the settlement function.
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

# A verdict: whether a line is due; what it gains for each so many of the stake, a sum beside, and
# whether the stake comes back.
KIND, GAIN, PER, SUM, BACK = range(5)
NOTHING, MONEY, SHARE = range(3)  # no line is due; one is; a meter pays it


class CompiledRules(NamedTuple):
    """The Rules in numbers, whatever is staked. Wagers stand in the book's order."""

    contest: Bools  # by wager: whether it stands against the dealer
    looks: Int64s  # by wager: the look that judges it; a contest is judged by the hand's class
    lines: Uint8s  # [wager, look]: the line of its paytable, one past the last where it loses
    lost: Int64s  # by wager: one past its last line
    forfeits: Bools  # by wager: whether a fold gives it up
    must_win: Bools  # by wager: whether a lower hand loses it, and an equal one gives it back
    endings: Int64s  # [wager, meeting, line]: the verdict; -1 for what cannot happen
    forfeit: Int64s  # by wager: the verdict of a fold
    verdicts: Int64s  # [verdict, KIND ... BACK]
    first_opening: int  # the least class with which the dealer opens
    limit: int  # the payout limit in cents
    progressive: int  # the wager that pays from meters; -1 where none does
    envy_look: int
    envy_lines: Uint8s  # by look of the holder: the line of Envy, one past the last for none
    no_envy: int  # one past the last line of Envy; 0 where none is paid
    holder_wagers: bool  # whether only a hand with a Progressive wager gives it
    folded_holds: bool  # whether a folded hand gives it where a wager is left in action
    stays: Bools  # by wager: whether the cards of a folded box stay on the table for it


class StakedRules(NamedTuple):
    """The Rules at the stakes of every box of a simulated table. A *side* is an optional wager."""

    rules: CompiledRules
    stakes: Int64s  # [box, wager]: what is staked before anybody is asked
    cells: Uint8s  # by class: the cell of the player's hand
    cell_count: int
    fold: int  # the action that folds
    case_nets: Int64s  # [box, case]: cents won or lost against the dealer
    case_paid: Int64s  # [box, case]: of these what counts under the payout limit
    sides: Int64s  # by side: its wager
    nets: Int64s  # [box, side, line]: cents; of a share of a meter, the stake lost
    paid: Int64s  # [box, side, line]: what counts under the payout limit
    six: int  # the side whose lines are counted together with the cases
    progressive: int  # the side that pays from meters; -1 where none does
    shares: Bools  # [box, line of the Progressive]: whether a meter pays it
    envy_pays: Int64s  # by line, cents to each receiver; last nothing
    decides: Bools  # by box: whether it has an Ante to decide on
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


# One wager of one box


@part
def meeting_of(own: int, dealer: int, first_opening: int) -> int:
    """How two hands meet, by their classes: the outcome, and whether the dealer opens."""
    outcome = WIN if own > dealer else TIE if own == dealer else LOSS
    return 2 * outcome + (dealer >= first_opening)


@part
def line_of(rules: CompiledRules, wager: int, look: int, meeting: int, folded: bool) -> int:
    """The line of a wager: of its paytable, one past the last where it is lost, or one more where
    it has to win and is tied."""
    if folded and rules.forfeits[wager]:
        return rules.lost[wager]
    if rules.must_win[wager] and meeting // 2 != WIN:
        return rules.lost[wager] + (meeting // 2 == TIE)
    return int64(rules.lines[wager, look])


@part
def verdict_of(rules: CompiledRules, wager: int, look: int, meeting: int, folded: bool) -> int:
    """The verdict of a wager; -1 where none is known for the case."""
    if folded and rules.forfeits[wager]:
        return rules.forfeit[wager]
    return rules.endings[wager, meeting, line_of(rules, wager, look, meeting, folded)]


@part
def pays(rules: CompiledRules, verdict: int, base: int) -> int:
    """The cents that a verdict pays on so many; a broken cent is a whole one."""
    row = rules.verdicts[verdict]
    return row[SUM] - (-(row[GAIN] * base) // row[PER])


@part
def wins(rules: CompiledRules, verdict: int, base: int, stake: int) -> int:
    """The cents that a verdict wins or loses of a stake, where it pays on ``base``."""
    back = stake if rules.verdicts[verdict, BACK] else 0
    return pays(rules, verdict, base) + back - stake


@part
def envy_line_of(rules: CompiledRules, stakes: Int64s, folded: bool, look: int) -> int:
    """The line of Envy that a box gives with its hand; one past the last where it gives none."""
    line = int64(rules.envy_lines[look])
    if line == rules.no_envy or (rules.holder_wagers and not stakes[rules.progressive]):
        return rules.no_envy
    if folded:
        keeps = False
        for wager in range(len(rules.stays)):
            keeps |= rules.stays[wager] and stakes[wager] > 0
        if not (rules.folded_holds and keeps):
            return rules.no_envy
    return line


@part
def add_cases(
    rules: CompiledRules, wager: int, classes: Int64s, base: int, stake: int, folded: bool,
    nets: Int64s, paid: Int64s,
) -> None:  # fmt: skip
    """Add what a wager against the dealer wins and is paid, [meeting, cell], by a class of each."""
    for meeting in range(OUTCOMES):
        for cell in range(len(classes)):
            verdict = verdict_of(rules, wager, classes[cell], meeting, folded)
            if verdict >= 0:
                nets[meeting, cell] += wins(rules, verdict, base, stake)
                paid[meeting, cell] += pays(rules, verdict, base)


# A round of the simulator


@part
def end_case(
    staked: StakedRules, seen: RoundArrays, box: int, action: int, own: int, dealer: int
) -> None:
    """How a box stands against the dealer, by the classes of both hands."""
    meeting = meeting_of(own, dealer, staked.rules.first_opening)
    seen.actions[box] = action
    seen.cases[box] = (action * OUTCOMES + meeting) * staked.cell_count + staked.cells[own]


@part
def settle(staked: StakedRules, seen: RoundArrays) -> None:
    """Every line of a round whose looks, actions and cases are known."""
    rules = staked.rules
    seen.envy[:] = 0
    for box in range(len(seen.actions)):
        case = seen.cases[box]
        meeting = case // staked.cell_count % OUTCOMES
        folded = staked.decides[box] and seen.actions[box] == staked.fold
        net, paid = staked.case_nets[box, case], staked.case_paid[box, case]
        for side in range(len(staked.sides)):
            wager = staked.sides[side]
            line = line_of(rules, wager, seen.looks[box, rules.looks[wager]], meeting, folded)
            seen.lines[box, side] = line
            net += staked.nets[box, side, line]
            paid += staked.paid[box, side, line]
        seen.cuts[box] = max(0, paid - rules.limit)
        seen.nets[box] = net - seen.cuts[box]
        _give_envy(staked, seen, box, folded)
    for box in range(len(seen.actions)):
        seen.nets[box] += seen.envy[box]


@part
def _give_envy(staked: StakedRules, seen: RoundArrays, holder: int, folded: bool) -> None:
    """Envy for this box's hand, to every other player's box with a Progressive wager."""
    rules = staked.rules
    line = rules.no_envy
    if line:
        look = seen.looks[holder, rules.envy_look]
        line = envy_line_of(rules, staked.stakes[holder], folded, look)
    seen.given[holder] = line
    if line < rules.no_envy:
        for box in range(len(seen.actions)):
            wagers = staked.stakes[box, rules.progressive] > 0
            if wagers and staked.owners[box] != staked.owners[holder]:
                seen.envy[box] += staked.envy_pays[line]


@part
def count(
    staked: StakedRules,
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
    for box in staked.order:
        six = seen.lines[box, staked.six] if staked.six >= 0 else 0
        tally.cases[box, seen.cases[box], six] += 1
        for side in range(len(staked.sides)):
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
        if staked.progressive >= 0 and staked.shares[box, seen.lines[box, staked.progressive]]:
            hits[found, 0], hits[found, 1] = round, box
            hits[found, 2], hits[found, 3] = seen.lines[box, staked.progressive], seen.nets[box]
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
