"""Rules a person wrote, as a program of small arrays: the first rule that holds decides.

A position is looked at through *features*, each a small number. A condition admits some values of
one feature: it is a row of yes and no. So a rule is checked by looking numbers up, whatever it
says, and one kernel serves every strategy anybody writes.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.exact.kernels.array_types import Bools, Int16s, Int64s, Uint8s
from croupier.exact.kernels.compiled import kernel


class RuleProgram(NamedTuple):
    """The rules of one street. The last has no conditions, so that some rule always holds."""

    used: Bools  # by feature: whether any condition asks for it
    writes: Uint8s  # by rule: what is written where it decides
    spans: Int64s  # (rules, 3): its conditions [0, 1) must hold, not all of [1, 2)
    features: Int64s  # by condition: the feature it looks at
    firsts: Int64s  # by condition: where its row of admitted values starts
    admits: Bools  # the rows, end to end


@kernel
def decide_columns(program: RuleProgram, values: Int16s, count: int, chosen: Int16s) -> None:
    """For each position, a column of the values of its features: the first rule that holds."""
    spans, features = program.spans, program.features
    firsts, admits = program.firsts, program.admits
    for at in range(count):
        rule = -1
        decided = False
        while not decided:
            rule += 1
            first, middle, last = spans[rule, 0], spans[rule, 1], spans[rule, 2]
            held = first  # the conditions before this one hold
            while held < last and admits[firsts[held] + values[features[held], at]]:
                held += 1
            decided = held >= middle and (held < last or middle == last)
        chosen[at] = rule
