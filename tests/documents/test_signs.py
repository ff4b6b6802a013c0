"""The signs: every payout, limit and rule of the table, and nothing that it does not offer."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from croupier.documents.filing import Filing, filing_of
from croupier.documents.layout.texts import Payout, payouts, statements
from croupier.documents.signs import Sign, signs, typeset_signs
from croupier.facts.money import Cents
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Devices, Submission
from tests.citing import cited
from tests.documents.layouts import BOOKS, every_letter, every_offer, with_letter, without
from tests.documents.printing import (
    assert_pays_only_what_is_offered,
    fonts_inside,
    is_tagged,
    pages,
    struck_letters,
)

SIGNED = ("2.B(7)", "2.B(8)(a)", "2.B(8)(b)", "2.B(8)(c)", "2.B(8)(d)", "2.B(9)")


def filing(submission: Submission) -> Filing:
    return filing_of(submission, the_registry())


def hung(submission: Submission) -> dict[str, Sign]:
    return {sign.name: sign for sign in signs(filing(submission))}


def posted(sign: Sign) -> list[Payout]:
    lines = [line for section in sign.sections for line in section.lines]
    return [Payout(line.left, line.right, line.clause) for line in lines]


def hand_of(phrase: str) -> str:
    """The rulebook's data keeps the suits of a Super Royal to the line that is for one suit."""
    royal = re.sub(
        "super royal of (hearts, spades or clubs|any suit)", "super royal", phrase.lower()
    )
    return royal


def sentences(sign: Sign) -> dict[str, str]:
    return {statement.name: statement.text for statement in sign.sentences}


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("UTH-S", marks=cited("UTH-S", *SIGNED)),
        pytest.param("UTH-14", marks=cited("UTH-14", *SIGNED)),
        pytest.param("FCP-14", marks=cited("FCP-14", "2.B(5)")),
    ],
)
def test_the_signs_carry_what_the_layout_may_leave_out(book: str) -> None:
    """Every payout as the rulebook prints it and every rule in words, whatever is offered."""
    for table in (*every_offer(book), *every_letter(book)):
        rules = table.rules(the_registry())
        found = hung(table)
        lines = [line for posted_table in payouts(rules) for line in posted_table.lines]
        assert posted(found["payouts"]) == lines
        printed = {(line.clause, hand_of(line.phrase), line.odds) for line in lines}
        booked = {
            (line.clause, line.phrase, str(line.odds))
            for chosen in [*dict(rules.paytables).values(), rules.envy]
            for line in (chosen.lines if chosen is not None else ())
        }
        assert printed == booked
        assert {*statements(rules)} <= {*found["rules"].sentences}


@pytest.mark.parametrize(
    ("book", "blind", "said"),
    [
        pytest.param("UTH-S", "A", "below a straight", marks=cited("UTH-S", "2.B(8)(b)")),
        pytest.param("UTH-S", "B", "below a flush", marks=cited("UTH-S", "2.B(8)(b)")),
        pytest.param("UTH-14", "A", "below a straight", marks=cited("UTH-14", "2.B(8)(b)")),
        pytest.param("UTH-14", "B", "below a flush", marks=cited("UTH-14", "2.B(8)(b)")),
    ],
)
def test_the_blind_push_follows_the_chosen_paytable(book: str, blind: str, said: str) -> None:
    table = with_letter(shipped_submission(book), "blind", blind)
    assert sentences(hung(table)["rules"])["least_paid"].endswith(said)


def test_the_rules_in_words() -> None:
    assert sentences(hung(shipped_submission("UTH-S"))["rules"]) == {
        "dealer_needs": "Ante pushes if the dealer has less than a pair",
        "least_paid": "Blind pushes if the winning hand is below a straight",
        "play_sizes": "Play 3 or 4 times the Ante before the flop, 2 times on the flop, "
        "1 time on the river",
        "even_money": "Ante and Play pay 1 to 1",
        "tie": "A tie pushes",
        "payout_limit": "Payout limit $50,000 a hand for Ante, Blind, Play and Trips together",
        "fold": "A fold loses Ante and Blind; Trips, Six Card Bonus, Ultimate Pairs, Bad Beat, "
        "Play the Board and Progressive stay in play",
        "abandoned": "The hand of a player who leaves during a round is played by the default: "
        "check, then fold",
        "late": "A box that does not answer in time, or loses its connection, is played by the "
        "default: check, then fold",
        "malfunction": "If a malfunction stops a round, it is void, and every wager goes back",
    }
    lost = replace(shipped_submission("FCP-14"), abandoned_wagers="lost")
    assert sentences(hung(lost)["rules"]) == {
        "play_sizes": "Play 1 to 3 times the Ante",
        "even_money": "Ante and Play pay 1 to 1",
        "paid_anyway": "Ante bonus is paid win or lose once Play is made",
        "tie": "A tie wins",
        "fold": "A fold loses Ante and Progressive; Aces Up and Six Card Bonus stay in play",
        "abandoned": "A player who leaves during a round loses every wager",
    }


def test_without_a_payout_limit_none_is_posted() -> None:
    table = replace(shipped_submission("UTH-S"), payout_limit_cents=None)
    for sign in hung(table).values():
        assert "payout_limit" not in sentences(sign)


def test_the_limits_are_those_of_the_submission() -> None:
    table = shipped_submission("UTH-S")
    sign = hung(table)["limits"]
    assert [(line.phrase, line.odds) for line in posted(sign)] == [
        ("Ante", "$10 to $500 in steps of $5"),
        ("Blind", "equal to the Ante"),
        ("Play", "3 or 4, then 2, then 1 times the Ante"),
        ("Trips", "$5 to $100 in steps of $5"),
        ("Six Card Bonus", "$5 to $25 in steps of $5"),
        ("Ultimate Pairs", "$5 to $100 in steps of $5"),
        ("Bad Beat", "$5 to $25 in steps of $5"),
        ("Play the Board", "$5 to $100 in steps of $5"),
        ("Progressive", "$1"),
    ]
    assert sentences(sign)["boxes"] == "Up to 2 adjacent boxes a player"
    assert sentences(hung(shipped_submission("UTH-14"))["limits"])["boxes"] == "One box a player"
    any_cent = tuple((name, replace(own, increment_cents=Cents(1))) for name, own in table.limits)
    lines = posted(hung(replace(table, limits=any_cent))["limits"])
    assert lines[0].odds == "$10 to $500"
    four_card = posted(hung(shipped_submission("FCP-14"))["limits"])
    assert ("Play", "1 to 3 times the Ante") in [(line.phrase, line.odds) for line in four_card]


def test_the_progressive_sign() -> None:
    table = shipped_submission("UTH-S")
    sign = hung(table)["progressive"]
    assert sign.title == "Progressive wager $1"
    assert [section.title for section in sign.sections] == [
        "Progressive pays",
        "Envy bonus pays",
        "Meters begin at",
        "Meters reset to",
    ]
    assert posted(sign)[-1] == Payout("Minor meter", "$250", "12.D(3)(b)")
    said = sentences(sign)
    assert said["needs"] == "Needs a wager on Ante and Blind"
    assert said["hand"] == "The hand that counts: hole cards and flop"
    assert "holder" not in said
    assert "progressive" not in hung(without(table, "progressive"))
    assert table.progressive is not None
    asks = replace(table, progressive=replace(table.progressive, holder_must_wager=True))
    assert "holder" in sentences(hung(asks)["progressive"])
    four_card = sentences(hung(shipped_submission("FCP-14"))["progressive"])
    assert four_card["needs"] == "Needs a wager on Ante or Aces Up"


@pytest.mark.parametrize("book", BOOKS)
def test_the_sign_for_a_broken_device(book: str) -> None:
    table = shipped_submission(book)
    assert hung(table)["out-of-order"].clauses == {"13.H" if book == "FCP-14" else "13.J"}
    assert "out-of-order" not in hung(replace(table, devices=Devices()))


def test_to_and_for_are_told_apart_where_both_are_used() -> None:
    table = shipped_submission("UTH-S")
    assert sentences(hung(table)["payouts"])["to_and_for"] == (
        "Odds with \u201cto\u201d and amounts in dollars give the winning wager back beside the "
        "payout; odds with \u201cfor\u201d and shares of a meter do not"
    )
    plainer = sentences(hung(with_letter(table, "progressive", "A"))["payouts"])["to_and_for"]
    assert plainer.endswith("; shares of a meter do not")
    assert "to_and_for" not in sentences(hung(without(table, "progressive"))["payouts"])


def test_a_bonus_without_its_cards_is_suspended_by_a_sign() -> None:
    """The shoe in the shuffler's place deals no cards to the Six Card Bonus box."""
    table = shipped_submission("UTH-S")
    sign = hung(table)["six_card_bonus-suspended"]
    assert sign.title == "Six Card Bonus suspended"
    assert sign.clauses == {"13.J"}
    assert "six_card_bonus-suspended" not in hung(without(table, "six_card_bonus"))
    no_shoe = replace(table, dealing=replace(table.dealing, fallbacks=()))
    assert "six_card_bonus-suspended" not in hung(no_shoe)


def test_a_fold_that_loses_the_progressive_is_said() -> None:
    said = sentences(hung(shipped_submission("FCP-14"))["progressive"])
    assert said["fold"] == (
        "A fold loses the Progressive wager, though not Envy for the hands of others"
    )
    assert "fold" not in sentences(hung(shipped_submission("UTH-S"))["progressive"])


def straight_quotes(text: str) -> str:
    return text.translate(str.maketrans("\u201c\u201d", '""'))


# The signs of the two editions of one game are alike.
UNLIKE = [pytest.param(b, marks=[pytest.mark.prove] * (b == "UTH-14")) for b in BOOKS]


@pytest.mark.parametrize("book", UNLIKE)
def test_each_sign_is_one_page_that_says_all_of_it(book: str) -> None:
    name = "Harbor Casino and Resort of the Upper Chesapeake Bay, Baltimore"
    table = replace(shipped_submission(book), facility=name)
    printed = typeset_signs(filing(table))
    assert is_tagged(printed)
    assert fonts_inside(printed)
    for sign, page in zip(signs(filing(table)), pages(printed), strict=True):
        for line in posted(sign):
            assert f"{line.phrase} {line.odds}" in page, line
        for sentence in sentences(sign).values():
            assert straight_quotes(sentence) in page
        assert sign.title in page
    assert_pays_only_what_is_offered(filing(table), pages(printed)[1])


@pytest.mark.parametrize("book", UNLIKE)
def test_no_rule_strikes_through_a_letter(book: str) -> None:
    """The one below a title keeps clear of what hangs below the line; DRAFT lies behind it all."""
    printed = typeset_signs(filing(shipped_submission(book)))
    assert struck_letters(printed, most_pt=140) == []


def test_an_electronic_table_tells_what_happens_to_the_late_and_on_a_malfunction() -> None:
    table = shipped_submission("UTH-S")
    said = {s.name: s.text for s in hung(table)["rules"].sentences}
    assert said["late"].endswith("is played by the default: check, then fold")
    assert said["malfunction"].endswith("it is void, and every wager goes back")
    paper = {s.name for s in hung(replace(table, electronic=False))["rules"].sentences}
    assert not {"late", "malfunction"} & paper
