"""The Rules Submission says what was chosen, each with its clause, and what changed."""

from __future__ import annotations

import hashlib
import json

import pytest

from croupier.documents.dealer_card import dealer_card
from croupier.documents.pdf import typeset
from croupier.documents.player_guide import player_guide
from croupier.documents.rules_submission import changed, rules_submission
from croupier.documents.submission_options import options
from croupier.submission.fingerprint import (
    rules_hash,
    rules_text,
    submission_hash,
    submission_text,
)
from tests.documents.printing import (
    assert_pays_only_what_is_offered,
    filed,
    is_tagged,
    plain,
    text_of,
    without_side_wagers,
)
from tests.submission.forms import BOOKS

LIMITS = "Wagers and limits"


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
        assert all(clause in text for clause in option.clause.split("\n"))
    assert "suspended" in text  # the finding of the shipped tables
    assert rules_hash(filing.rules) in text
    assert submission_hash(filing.submission) in text
    clauses = [clause for o in told for clause in o.clause.split("\n") if clause]
    cited = {clause.partition(" ")[2] for clause in clauses}
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
    old = filed("UTH-S", version='"1"', limits__ultimate_pairs=None, paytables__ultimate_pairs=None,
                limits__six_card_bonus=None, paytables__six_card_bonus=None)  # fmt: skip
    new = filed("UTH-S", version='"2"', paytables__blind='"B"', approved="2026-01-31",
                paytables__bad_beat=None, limits__bad_beat=None)  # fmt: skip
    rows = {key: rest for key, *rest in changed(old, new)}
    assert rows == {
        "Who files: Version": ["1", "2", ""],
        "Who files: Approved": ["not yet approved", "January 31, 2026", ""],
        f"{LIMITS}: Six Card Bonus": [
            *("(added)", rows[f"{LIMITS}: Six Card Bonus"][1], "UTH-S 7.F(4)(b)"),
        ],
        f"{LIMITS}: Ultimate Pairs": [
            *("(added)", rows[f"{LIMITS}: Ultimate Pairs"][1], "UTH-S 7.F(5)"),
        ],
        f"{LIMITS}: Bad Beat": [rows[f"{LIMITS}: Bad Beat"][0], "(removed)", "UTH-S 7.F(6)"],
        "Paytables: Blind": ["A, of A or B", "B, of A or B", "UTH-S 12.B(1)\nUTH-S 12.B(2)"],
        "Blind, straight": ["1 to 1", "-", ""],
        "Paytables: Six Card Bonus": ["(added)", "A, of A or B", "UTH-S 12.E(1)"],
        "Paytables: Ultimate Pairs": ["(added)", "A, of A, B, C, D, E or F", "UTH-S 12.Ebis(1)"],
        "Paytables: Bad Beat": ["B, of A, B or C", "(removed)", "UTH-S 12.Fbis(2)"],
    }
    text = text_of(typeset(rules_submission(new, old)))
    assert "Changes since version 1" in text
    assert rules_hash(old.rules) in text
    assert "Nothing has changed since version 2." in text_of(typeset(rules_submission(new, new)))


@pytest.mark.parametrize(
    ("book", "stake", "clause"),
    [
        ("UTH-S", "$1", "UTH-S 12.D(6)"),
        ("UTH-S", "$5", "UTH-S 12.D(7)"),
        ("UTH-14", "$5", "UTH-14 12.D(5)(b)"),
        ("FCP-14", "$5", "FCP-14 12.F"),
    ],
)
def test_the_stake_of_the_progressive_cites_its_own_clause(
    book: str, stake: str, clause: str
) -> None:
    said = {o.key: o.clause for o in options(filed(book, progressive__wager=f'"{stake}"'))}
    assert said["progressive.wager"] == clause
    assert said.get("progressive.hand", "1.B(6)").endswith(("12.D(2)", "1.B(6)"))


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_not_offered_keeps_its_area_and_is_named_nowhere_else(book: str) -> None:
    filing = without_side_wagers(book)
    side = next(w for w in filing.book.wagers if w.layout_clause is not None)
    said = {option.label: option.says for option in options(filing)}
    assert said[f"Area for {side.title}"] == "on the layout all the same, marked as not offered"
    for document in (dealer_card(filing), player_guide(filing)):
        assert side.title not in text_of(typeset(document))


def test_the_rulings_of_what_is_offered_are_told_in_full() -> None:
    text = text_of(typeset(rules_submission(filed("UTH-S", paytables__blind='"B"'))))
    for number in (5, 7, 12, 14, 15, 16, 18, 20, 24, 31, 38):
        assert f"Ruling {number} " in text, number
    assert "croupier " not in text
    plainer = text_of(typeset(rules_submission(plain("UTH-S"))))
    assert "Ruling 14 " not in plainer


@pytest.mark.parametrize(
    ("lines", "same"),
    [
        ({}, True),
        ({"table__boxes": "5"}, False),
        ({"limits__ante": '{ minimum = "$15", maximum = "$500", increment = "$5" }'}, False),
        ({"dealing__fallbacks": "[]"}, False),
        ({"decks__count": "1", "decks__backs": '["red"]'}, False),
    ],
)  # fmt: skip
def test_the_hash_of_the_submission_covers_the_rest(lines: dict[str, str], same: bool) -> None:
    shipped, other = filed("UTH-S"), filed("UTH-S", **lines)
    assert rules_hash(shipped.rules) == rules_hash(other.rules)
    one, two = submission_hash(shipped.submission), submission_hash(other.submission)
    assert (one == two) is same
    assert hashlib.sha256(submission_text(other.submission)).hexdigest() == two


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
