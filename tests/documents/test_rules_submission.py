"""The Rules Submission says what was chosen, each with its clause, and what changed."""

from __future__ import annotations

import hashlib
import json

import pytest

from croupier.documents.options import options
from croupier.documents.rules_submission import changed, rules_submission
from croupier.documents.typesetting import typeset
from croupier.submission.fingerprint import rules_hash, rules_text
from tests.documents.printing import (
    assert_pays_only_what_is_offered,
    filed,
    is_tagged,
    plain,
    text_of,
)
from tests.submission.forms import BOOKS


@pytest.mark.parametrize("book", BOOKS)
def test_every_option_stands_there_with_its_clause(book: str) -> None:
    filing = filed(book)
    pdf = typeset(rules_submission(filing))
    text, told = text_of(pdf), list(options(filing))
    assert is_tagged(pdf)
    assert len(told) > 25
    for option in told:
        assert option.label in text
        assert option.says in text
        assert option.clause in text
    assert "suspended" in text  # the finding of the shipped tables
    assert rules_hash(filing.rules) in text
    cited = {o.clause.partition(" ")[2] for o in told if o.clause}
    assert cited <= set(filing.book.trace)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("make", [filed, plain], ids=["everything", "nothing optional"])
def test_every_payout_line_stands_there_and_no_other(book: str, make: type) -> None:
    filing = make(book)
    text = text_of(typeset(rules_submission(filing)))
    paid = text.partition("What is paid")[2].partition("Readings this submission")[0]
    assert_pays_only_what_is_offered(filing, paid)


def test_no_findings_are_none() -> None:
    text = text_of(typeset(rules_submission(plain("UTH-S"))))
    assert "Findings None." in text


def test_what_changed_since_the_version_before() -> None:
    old = filed("UTH-S", version='"1"', limits__trips=None, paytables__trips=None,
                limits__six_card_bonus=None, paytables__six_card_bonus=None)  # fmt: skip
    new = filed("UTH-S", version='"2"', paytables__blind='"B"', approved="2026-01-31",
                paytables__bad_beat=None, limits__bad_beat=None)  # fmt: skip
    rows = {key: rest for key, *rest in changed(old, new)}
    assert rows == {
        "version": ["1", "2", ""],
        "approved": ["not yet approved", "January 31, 2026", ""],
        "limits.trips": ["(added)", rows["limits.trips"][1], "UTH-S 7.F(2)"],
        "limits.six_card_bonus": ["(added)", rows["limits.six_card_bonus"][1], "UTH-S 7.F(4)(b)"],
        "limits.bad_beat": [rows["limits.bad_beat"][0], "(removed)", "UTH-S 7.F(6)"],
        "paytables.blind": ["A, of A or B", "B, of A or B", "UTH-S 12.B(1)\nUTH-S 12.B(2)"],
        "paytables.trips": ["(added)", "A, of A, B, C, D or E", "UTH-S 12.C(1)"],
        "paytables.six_card_bonus": ["(added)", "A, of A or B", "UTH-S 12.E(1)"],
        "paytables.bad_beat": ["B, of A, B or C", "(removed)", "UTH-S 12.Fbis(2)"],
    }
    text = text_of(typeset(rules_submission(new, old)))
    assert "Changes since version 1" in text
    assert rules_hash(old.rules) in text
    assert "Nothing has changed since version 2." in text_of(typeset(rules_submission(new, new)))


@pytest.mark.parametrize(
    ("lines", "same"),
    [
        ({"facility__name": '"Elsewhere"', "table__boxes": "5"}, True),
        ({"paytables__trips": '"B"'}, False),
        ({"progressive__hand": '"final"'}, False),
        ({"table__payout_limit": '"$60,000"'}, False),
    ],
)  # fmt: skip
def test_the_hash_is_of_what_decides_money_and_order(lines: dict[str, str], same: bool) -> None:
    shipped, other = filed("UTH-S").rules, filed("UTH-S", **lines).rules
    assert (rules_hash(shipped) == rules_hash(other)) is same
    text = rules_text(other)
    assert hashlib.sha256(text).hexdigest() == rules_hash(other)
    assert json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")).encode() == text


def test_the_hash_knows_to_from_for() -> None:
    """Odds are written as they are printed, so 50 to 1 and 50 for 1 are different Rules."""
    text = rules_text(filed("UTH-S").rules).decode()
    assert '"odds":"50 to 1"' in text
    assert '"odds":"50 for 1"' in text
