"""The rules of a strategy file as sentences; the file itself keeps to short names."""

from __future__ import annotations

import re

from croupier.exact.strategies import Condition, Rule

_COUNTED = re.compile(r"([^:]+): (.+)")
_HAND = re.compile(r"(the hand is|make|shows) (pair|straight|flush|full house)")
_FLUSH_CARD, _ITS_HIGHEST = "the hidden one is", "the highest of them in the hole is"


def rule_words(rule: Rule) -> str:
    """``2x when there are 4 cards to a flush``, ``check otherwise``."""
    when = f" when {' and '.join(map(_condition, rule.when))}" if rule.when else ""
    unless = f", unless {' and '.join(map(_condition, rule.unless))}" if rule.unless else ""
    return f"{rule.do}{when}{unless}" if when or unless else f"{rule.do} otherwise"


def _condition(condition: Condition) -> str:
    """A count stands before what is counted, and a hand has its article."""
    said = _COUNTED.sub(r"there are \2 \1", str(condition))
    said = said.replace(_FLUSH_CARD, _ITS_HIGHEST)
    return _HAND.sub(r"\1 a \2", said)
