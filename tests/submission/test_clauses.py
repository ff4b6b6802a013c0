"""What a submission may say, clause by clause, where nothing is wrong with it."""

from __future__ import annotations

import pytest

from tests.citing import in_uth
from tests.submission.forms import BOOKS, checked, edited, found


@pytest.mark.clause(*in_uth("5.C"), "FCP-14 5.B")
@pytest.mark.parametrize("book", BOOKS)
def test_a_shuffler_that_loads_the_shoe_itself_may_be_named(book: str) -> None:
    """But only where there is a shuffler."""
    text = edited(book, devices__shuffler="true", devices__loads_shoe="true")
    submission = checked(text).submission
    assert submission is not None
    assert submission.devices.loads_shoe
    without = edited(book, devices__shuffler=None, devices__loads_shoe="true")
    (finding,) = found(without, "devices.loads_shoe")
    assert finding.severity == "error"
