"""Rules a person wrote, as a program of small arrays: the first rule that holds decides.

A position is looked at through *features*, each a small number. A condition admits some values of
one feature: it is a row of yes and no. So a rule is checked by looking numbers up, whatever it
says, and one kernel serves every strategy anybody writes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.kernels.compiled import kernel


class RuleProgram(NamedTuple):
    """The rules of one street. The last has no conditions, so that some rule always holds."""

    used: NDArray[np.bool_]  # by feature: whether any condition asks for it
    writes: NDArray[np.uint8]  # by rule: what is written where it decides
    spans: NDArray[np.int64]  # (rules, 3): its conditions [0, 1) must hold, not all of [1, 2)
    features: NDArray[np.int64]  # by condition: the feature it looks at
    firsts: NDArray[np.int64]  # by condition: where its row of admitted values starts
    admits: NDArray[np.bool_]  # the rows, end to end


@kernel
def decide_columns(program: Any, values: Any, count: Any, chosen: Any) -> None:
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
