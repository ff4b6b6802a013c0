"""Submissions as a whole: the shipped ones, what they bind, written and read back, and any text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import croupier
from croupier.facts.errors import Unreadable
from croupier.facts.money import Cents
from croupier.facts.toml_text import toml_quote
from croupier.games.registry import the_registry
from croupier.submission.check import shipped_submission, shipped_text
from croupier.submission.keys import KEYS
from croupier.submission.submission import Submission, WagerLimit
from croupier.submission.toml_writer import write_submission
from croupier.table.terms import terms_of
from tests.submission.forms import BOOKS, checked, edited

every_book = pytest.mark.parametrize("book", BOOKS)


@every_book
def test_shipped_submissions_are_valid(book: str) -> None:
    """Their one warning is that the Six Card Bonus rests while the shoe stands in."""
    (warning,) = checked(shipped_text(book)).findings
    assert warning.severity == "warning"
    assert "suspended" in warning.sentence
    assert shipped_submission(book).rulebook == book


def test_a_submission_is_shipped_for_every_rulebook() -> None:
    books = the_registry().books
    assert [shipped_submission(book).rulebook for book in books] == list(books)
    with pytest.raises(Unreadable, match="no submission is shipped"):
        shipped_text("../UTH-S")


@every_book
def test_what_is_bound(book: str) -> None:
    said = shipped_submission(book)
    rules = said.rules(the_registry())
    assert rules.book.id == book
    assert dict(rules.letters) == dict(said.paytables)
    assert rules.payout_limit_cents == (None if book == "FCP-14" else 5_000_000)
    assert rules.progressive is not None
    assert rules.progressive.stake_cents == 100
    assert rules.progressive.hand == (None if book == "FCP-14" else "flop")
    assert not rules.progressive.holder_must_wager
    assert said.progressive is not None
    resets = {meter.name: meter.reset_cents for meter in said.progressive.meters}
    assert dict(rules.progressive.resets) == resets
    assert hash(said) == hash(shipped_submission(book))


def test_rulings_17_and_18_are_shipped() -> None:
    assert dict(shipped_submission("FCP-14").paytables)["six_card_bonus"] == "super-A"
    for book in ("UTH-S", "UTH-14"):
        offer = shipped_submission(book).progressive
        assert offer is not None
        assert offer.hand == "flop"


def test_blind_follows_the_ante() -> None:
    said = shipped_submission("UTH-S")
    assert (
        said.limit("blind")
        == said.limit("ante")
        == WagerLimit(Cents(1000), Cents(50000), Cents(500))
    )
    assert said.limit("play") is None
    assert said.limit("progressive") is None


@pytest.mark.parametrize(
    ("stake_cents", "allowed"),
    [(999, False), (1000, True), (1250, False), (50000, True), (50500, False)],
)
def test_what_a_limit_allows(stake_cents: int, allowed: bool) -> None:
    assert WagerLimit(Cents(1000), Cents(50000), Cents(500)).allows(Cents(stake_cents)) is allowed


def test_from_python() -> None:
    found = croupier.check_submission(edited("UTH-S", table__boxes="9"))
    assert [str(finding) for finding in found.errors] == [
        "line 12: table.boxes is 9; a table of UTH-S has at most 6 - UTH-S 2.A"
    ]
    assert croupier.shipped_submission("UTH-S").boxes == 6


# Written and read back


letters = st.characters(exclude_categories=["C", "Z"])  # those that are printed, and not a space
names = st.text(letters | st.just(" "), min_size=1, max_size=20).filter(str.strip)
dollars = st.integers(1, 10_000).map(lambda whole: Cents(100 * whole))


@st.composite
def limits(draw: st.DrawFn) -> WagerLimit:
    least, step = draw(dollars), draw(dollars)
    return WagerLimit(least, Cents(least + step * draw(st.integers(0, 50))), step)


@st.composite
def submissions(draw: st.DrawFn) -> Submission:
    said = shipped_submission(draw(st.sampled_from(BOOKS)))
    chosen = {name: draw(limits()) for name, _ in said.limits}
    if "blind" in chosen:
        chosen["blind"] = chosen["ante"]
    offer = said.progressive
    assert offer is not None
    meters = tuple(
        replace(
            meter,
            initial_cents=Cents(meter.initial_cents + draw(dollars)),
            rate_ppm=draw(st.integers(1, 300_000)),
        )
        for meter in offer.meters
    )
    stake = Cents(draw(st.sampled_from([100, 500])))
    return replace(
        said,
        facility=draw(names),
        operator=draw(names),
        table=draw(names),
        version=draw(st.none() | names),
        approved=draw(st.none() | st.dates()),
        boxes=draw(st.integers(2, 6)),
        electronic=draw(st.booleans()) and said.rulebook == "UTH-S",
        abandoned_wagers=draw(st.sampled_from(["lost", "default"])),
        payout_limit_cents=None,
        limits=tuple(chosen.items()),
        progressive=replace(offer, stake_cents=stake, system=draw(names), meters=meters),
    )


@given(submissions())
def test_written_and_read_back(said: Submission) -> None:
    again = checked(write_submission(said))
    assert not again.errors
    assert again.submission == said


# Any text


values = st.recursive(
    st.one_of(
        st.sampled_from(
            ['"$10"', '"$0"', '"A"', '"4%"', "true", "1", "-1", "inf", "nan", "1e400", "2026-01-31"]
        ),
        st.sampled_from(
            ['"flop"', '"hand"', '"UTH-S"', '"FCP-14"', '"shoe"', "0xffffffffffff", "07:30:00"]
        ),
        st.text(max_size=5).map(toml_quote),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, max_size=3).map(
            lambda items: "{" + ", ".join(f"k{n} = {item}" for n, item in enumerate(items)) + "}"
        ),
    ),
    max_leaves=4,
)
wagers = st.sampled_from(["ante", "blind", "trips", "envy", "aces_up", "progressive", "main", "x"])
paths = st.tuples(st.sampled_from([key.path for key in KEYS]), wagers).map(
    lambda pair: pair[0].replace("WAGER", pair[1]).replace("METER", pair[1])
)


@given(st.sampled_from(BOOKS), st.dictionaries(paths, values | st.none(), max_size=4))
def test_no_change_of_a_valid_submission_raises(book: str, lines: dict[str, str | None]) -> None:
    for key, value in lines.items():
        found = checked(edited(book, **{key.replace(".", "__"): value}))
        assert (found.submission is None) == bool(found.errors)
    found = checked(edited(book, **{key.replace(".", "__"): v for key, v in lines.items()}))
    assert (found.submission is None) == bool(found.errors)


@given(st.dictionaries(paths, values, max_size=12))
def test_no_document_raises(lines: dict[str, str]) -> None:
    text = "\n".join(f"{key} = {value}" for key, value in lines.items())
    assert checked(text).submission is None


@given(st.text())
def test_no_text_raises(text: str) -> None:
    assert checked(text).findings


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("table = [", "not TOML"),
        ("a = 1\na = 2\n[b]", "written twice"),
        ("x = \x00", "not TOML"),
        ("\x00", "not TOML"),
        ("boxes = " + "9" * 1_000_000, "more digits"),
        ("a = " + "[" * 100_000, "nested deeper"),
        ("a" + ".a" * 100_000 + " = 1", "more dots"),
        ("a = 1\n" * 3 + "b", "not TOML"),
        ("\ufeffa = 1", "not TOML"),
    ],
    ids=range(9),
)
def test_what_is_no_toml_is_one_finding(text: str, says: str) -> None:
    found = checked(text)
    (finding,) = found.findings
    assert says in finding.sentence
    assert (finding.severity, found.readable, found.submission) == ("error", False, None)
    assert len(finding.sentence) < 300


def test_a_large_file_is_checked_in_good_time() -> None:
    text = shipped_text("UTH-S") + "".join(f"[x.y{n}]\nz = '''\n'''\n" for n in range(20_000))
    found = checked(text)
    assert [finding.key for finding in found.errors] == ["x"]


@pytest.mark.clause("UTH-S 11.J(2)(d)")
@pytest.mark.parametrize("source", ["", "table", "cage"])
def test_a_submission_says_what_pays_an_award_of_a_meter(source: str) -> None:
    """Absent means the table; what is written is read back, and the table pays by it."""
    shipped = shipped_submission("UTH-S")
    assert shipped.progressive is not None
    assert shipped.progressive.paid_from is None
    line = "holder_must_wager = false\n" + (f'paid_from = "{source}"\n' if source else "")
    text = write_submission(shipped).replace("holder_must_wager = false\n", line)
    said = checked(text).submission
    assert said is not None
    assert checked(write_submission(said)).submission == said
    terms = terms_of(said, the_registry(), electronic_shoe=False)
    assert terms.paid_from == (source or "table")
