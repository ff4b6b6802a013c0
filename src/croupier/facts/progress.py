"""The callbacks that long work reports its progress to."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, float], None]  # the step in words, and the share of it that is done
ShareDone = Callable[[float], None]
CountDone = Callable[[int], None]  # of rounds or lines, since it was last told
