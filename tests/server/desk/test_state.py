"""The form, what it says the rulebook allows, and findings beside the fields they concern."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from croupier.exact.exposure import exposure
from croupier.exact.solution_cache import kept
from croupier.games.registry import the_registry
from croupier.server.desk.earnings import NOT_YET, PlayAssumptions, percent
from croupier.server.desk.form import FormField, FormGroup, field_keys, field_of
from croupier.server.desk.state import DeskState, desk_state
from croupier.submission.check import shipped_submission, shipped_text
from croupier.submission.keys import KEYS
from tests.submission import test_findings as spoilt
from tests.submission.forms import edited

BOOKS = tuple(the_registry().books)
HOUR = PlayAssumptions()
SPOILT = (
    *(*spoilt.TABLE, *spoilt.WAGERS, *spoilt.LIMITS, *spoilt.PAYOUT_LIMIT),
    *(*spoilt.PROGRESSIVE, *spoilt.METERS, *spoilt.DEALING, *spoilt.DECKS),
)
ON_TOP = {
    ("FCP-14", "limits.luck"),
    ("FCP-14", "paytables.trips"),
    ("UTH-14", "paytables.bad_beat"),
}


def state(text: str, assumed: PlayAssumptions = HOUR) -> DeskState:
    return desk_state(text, the_registry(), assumed)


def groups(shown: DeskState) -> Iterator[FormGroup]:
    for section in shown.sections:
        yield from section.groups


def field(shown: DeskState, key: str) -> FormField:
    return next(one for group in groups(shown) for one in group.fields if one.key == key)


@pytest.mark.parametrize("book", BOOKS)
def test_every_shipped_submission_is_a_form_that_can_be_filed(book: str) -> None:
    shown = state(shipped_text(book))
    assert shown.valid
    assert shown.earnings.lines
    assert [one.sentence for one in shown.findings if one.severity == "error"] == []
    paytables = [one for g in groups(shown) for one in g.fields if one.key[:9] == "paytables"]
    told = [c for one in paytables for c in one.choices if one.key != "paytables.envy"]
    assert [choice.value for choice in told if "house edge" not in choice.earns] == []


def test_names_that_nobody_has_written_are_minded() -> None:
    def minded(text: str) -> list[str]:
        return [one.field for one in state(text).findings if "write who files" in one.sentence]

    shipped = shipped_text("TCP-1")
    assert minded(shipped) == ["facility.name", "facility.operator"]
    assert minded(shipped.replace('"Croupier Practice Room"', '"Harbor Casino"')) == [
        "facility.operator"
    ]


def test_an_error_elsewhere_changes_no_edge() -> None:
    """Some lines pay dollars, so an edge depends on the minimum; and on which cards count."""
    right, wrong = state(shipped_text("UTH-S")), state(edited("UTH-S", table__boxes="40"))
    assert (right.valid, wrong.valid) == (True, False)
    for wager in ("six_card_bonus", "progressive"):
        key = f"paytables.{wager}"
        assert field(wrong, key).choices == field(right, key).choices
    moved = state(edited("UTH-S", table__boxes="40", limits__six_card_bonus='{ minimum = "$25" }'))
    six = "paytables.six_card_bonus"
    assert field(moved, six).choices[0].earns != field(right, six).choices[0].earns
    for odd in ('"much"', "7", '["flop"]'):
        state(edited("UTH-S", limits__six_card_bonus=f"{{ minimum = {odd} }}"))
        state(edited("UTH-S", progressive__hand=odd))


def test_who_pays_awards_need_not_be_said() -> None:
    shown = field(state(shipped_text("UTH-S")), "progressive.paid_from")
    assert shown.value == ""
    assert "the table inventory" in next(c.label for c in shown.choices if c.value == "")


def test_every_key_of_a_submission_has_a_field() -> None:
    shown = [key for book in BOOKS for key in field_keys(state(shipped_text(book)).sections)]
    wild = re.compile(r"(paytables|limits|progressive\.meters)\.\w+")
    known = {wild.sub(lambda m: f"{m[1]}.NAME", key) for key in shown}
    asked = {re.sub("WAGER|METER", "NAME", key.path) for key in KEYS}
    assert asked <= known


def test_what_is_allowed_comes_from_the_rulebook() -> None:
    uth, four = state(shipped_text("UTH-S")), state(shipped_text("FCP-14"))
    book = the_registry().book("UTH-S")
    boxes = field(uth, "table.boxes")
    assert (boxes.allows, boxes.most) == (f"1 to {book.table.boxes.count}", book.table.boxes.count)
    assert boxes.clause == book.cite(book.table.boxes.clause)
    letters = [choice.value for choice in field(uth, "paytables.trips").choices]
    assert letters == list(book.paytables["trips"])
    ways = [choice.value for choice in field(uth, "dealing.method").choices]
    assert ways == [way.way for way in book.dealing]
    keys = field_keys(four.sections)
    assert "table.payout_limit" not in keys
    assert "table.payout_limit" in field_keys(uth.sections)


def test_every_finding_stands_beside_the_field_it_concerns() -> None:
    """Each spoilt submission of the check's own tests: what is said of it is found in the form,
    with its clause in plain words; only what no form has room for stands on top."""
    on_top = set()
    for case in SPOILT:
        book, lines, key, severity, clause, says = case.values
        shown = state(edited(book, **lines))
        found = next(one for one in shown.findings if says in one.sentence)
        assert (found.severity, bool(found.means)) == (severity, clause is not None), key
        if found.field:
            assert found.field in field_keys(shown.sections)
        else:
            assert found.stray in (key, ""), key
            on_top.add((book, key))
    assert on_top == ON_TOP


def test_the_nearest_field_is_found() -> None:
    fields = ["limits.trips.minimum", "dealing.fallbacks", "offer.trips"]
    assert field_of("dealing.fallbacks.0", fields) == "dealing.fallbacks"
    assert field_of("limits.trips", fields) == "limits.trips.minimum"
    assert field_of("limits.tripsy", fields) == ""
    shown = state(edited("UTH-S", paytables__trips=None))
    assert {"offer.trips"} <= {one.field for one in shown.findings}


def test_what_is_no_toml_or_has_no_rulebook_says_so() -> None:
    shown = state("boxes = ")
    assert (shown.valid, shown.sections) == (False, ())
    assert "not TOML" in shown.findings[0].sentence
    shown = state('[table]\nrulebook = "UTH-15"\n')
    assert [section.name for section in shown.sections] == ["game"]
    assert "table.rulebook" in {found.field for found in shown.findings}
    assert shown.earnings.sentence == NOT_YET


def test_a_wager_that_pays_too_much_is_told_beside_its_paytable() -> None:
    (found,) = (
        one
        for one in state(edited("UTH-S", progressive__hand='"final"')).findings
        if "% of what players stake" in one.sentence
    )
    assert found.field == "paytables.progressive"


# Earnings


def test_the_hold_of_an_hour_is_the_exact_edge_of_what_is_wagered() -> None:
    """The same sum by hand: rounds, boxes, stakes and edges of the solution itself."""
    said = shipped_submission("FCP-14")
    solution = kept(said.rules(the_registry()))
    assert solution is not None
    shown = state(shipped_text("FCP-14"), PlayAssumptions(40, 5, 2_500, 0))
    base = -float(solution.ev) * 25 * 5 * 40
    assert shown.earnings.house[0] == ("Hold an hour", f"${base:,.2f}")
    low, high = (solution.base.standard_deviation * 25 * 40**0.5 * n for n in (5**0.5, 5))
    assert shown.earnings.house[1][1] == f"${low:,.2f} to ${high:,.2f}"
    side = solution.side("aces_up", "A")
    full = state(shipped_text("FCP-14"), PlayAssumptions(40, 5, 2_500, 100)).earnings
    line = next(one for one in full.lines if one.title == "Aces Up")
    assert (line.stake, line.edge) == ("$5", percent(-side.ev))
    assert line.hold == f"${-float(side.ev) * 5 * 5 * 40:,.2f}"


def test_the_bound_is_that_of_croupier_exposure() -> None:
    said = shipped_submission("CH-1")
    limits = {name: limit.maximum_cents for name, limit in said.limits}
    found = exposure(said.rules(the_registry()), limits, boxes=said.boxes)
    told = state(shipped_text("CH-1")).earnings
    house, player = dict(told.house), dict(told.player)
    most = house["The table cannot lose more in a round than"]
    assert most == f"${found.table_bound_cents // 100:,}"
    assert player["One box can lose in a round"] == f"${found.player_cents // 100:,}"
