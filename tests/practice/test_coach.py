"""The coach's drill for surveillance: hands that a flashed card changes."""

from __future__ import annotations

import msgspec
import pytest

from croupier.practice.coach import flashed_hand, worths
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission


@pytest.mark.parametrize(("book", "street"), [("UTH-S", "river"), ("TCP-1", "play")])
def test_a_flashed_card_changes_what_is_best(book: str, street: str) -> None:
    submission = write_submission(shipped_submission(book))
    seen = flashed_hand(submission, street, seed=7)
    assert seen.flashed not in (*seen.own, *seen.board, "")
    honest = msgspec.structs.replace(seen, flashed="")
    assert worths(submission, seen)[0].action != worths(submission, honest)[0].action
