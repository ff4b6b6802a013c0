"""Each finding: a shipped submission spoilt in one place, and what the check says of it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.facts.money import Cents, cents, dollars
from tests.submission.forms import BOOKS, checked, edited, found, with_line, without_table

ANTE = '{ minimum = "%s", maximum = "%s", increment = "%s" }'
NO_MIN, NO_MAX = '{ maximum = "$50" }', '{ minimum = "$50" }'
ANTE_CLAUSES = ("7.F(1)", "7.F(1)", "7.E(1)")
WAY_CLAUSES = ("5.D(1)", "5.D(1)", "5.C(1)")
NO_BONUS = {"paytables__six_card_bonus": None, "limits__six_card_bonus": None}


def case(
    book: str, key: str, clause: str | None, says: str, *, warns: bool = False, **lines: Any
) -> Any:
    """One spoilt submission; a clause is one of the book's own unless it names another."""
    cited = clause if clause is None or " " in clause else f"{book} {clause}"
    marks = [pytest.mark.clause(cited)] if cited is not None else []
    severity = "warning" if warns else "error"
    name = f"{book} {key} {says}"
    return pytest.param(book, lines, key, severity, cited, says, id=name, marks=marks)


def in_uth(key: str, clause: str | None, says: str, **lines: Any) -> list[Any]:
    return [case(book, key, clause, says, **lines) for book in ("UTH-S", "UTH-14")]


def everywhere(key: str, clauses: tuple[str | None, ...], says: str, **lines: Any) -> list[Any]:
    asked = zip(BOOKS, clauses, strict=True)
    return [case(book, key, clause, says, **lines) for book, clause in asked]


TABLE = [
    *everywhere("facility.name", ("2.B(1)",) * 3, "is missing; write name", facility__name=None),
    *everywhere("facility.operator", ("2.B(1)",) * 3, "is missing", facility__operator=None),
    *everywhere("table.id", (None,) * 3, "is missing", table__id=None),
    *everywhere("table.boxes", ("2.A", "2.A", "2.A(1)"), "is missing", table__boxes=None),
    *everywhere("table.boxes", ("2.A", "2.A", "2.A(1)"), "has at most", table__boxes="8"),
    *everywhere(
        "table.abandoned_wagers",
        ("7.C(2)", "7.C(2)", "7.B(2)"),
        '"lost" or "default"',
        table__abandoned_wagers=None,
    ),
    *everywhere(
        "table.abandoned_wagers",
        ("7.C(2)", "7.C(2)", "7.B(2)"),
        'must be "lost"',
        table__abandoned_wagers='"keep"',
    ),
    case("UTH-S", "table.adjacent_boxes", "7.G", "is missing", table__adjacent_boxes=None),
    case("FCP-14", "table.adjacent_boxes", "7.F", "is missing", table__adjacent_boxes=None),
    case("UTH-S", "table.adjacent_boxes", "7.G", "at most 6", table__adjacent_boxes="7"),
    case("FCP-14", "table.adjacent_boxes", "7.F", "at most 7", table__adjacent_boxes="8"),
    case("UTH-14", "table.adjacent_boxes", "7.Fbis", "one box", table__adjacent_boxes="2"),
    case("UTH-14", "table.electronic", "UTH-S 11.L", "only UTH-S", table__electronic="true"),
    case("FCP-14", "table.electronic", "UTH-S 11.L", "only UTH-S", table__electronic="true"),
    case("UTH-S", "table.rulebook", None, "choose one of", table__rulebook='"UTH-15"'),
]

WAGERS = [
    *in_uth("paytables.blind", "12.B", "choose A or B", paytables__blind=None),
    *in_uth("paytables.blind", "12.B", "choose A or B", paytables__blind='"C"'),
    case("UTH-S", "paytables.trips", "12.C", "A, B, C, D or E", paytables__trips='"F"'),
    case("UTH-14", "paytables.trips", "12.C", "A, B, C or D", paytables__trips='"E"'),
    case("UTH-S", "paytables.envy", "12.D(5)(b)", "A, B, C or D", paytables__envy='"E"'),
    case("FCP-14", "paytables.six_card_bonus", "12.G", "super-B", paytables__six_card_bonus='"E"'),
    case("UTH-14", "paytables.bad_beat", "7.F", "no paytable for", paytables__bad_beat='"A"'),
    case("FCP-14", "paytables.trips", "7.E", "no paytable for", paytables__trips='"A"'),
    *in_uth(
        "paytables.six_card_bonus",
        "7.F(4)(b)",
        "offered without Trips",
        paytables__trips=None,
        limits__trips=None,
    ),
    case(
        "FCP-14",
        "paytables.six_card_bonus",
        "7.E(5)(a)",
        "offered without Aces Up",
        paytables__aces_up=None,
        limits__aces_up=None,
    ),
    *in_uth("paytables.trips", "7.F(2)", "may not leave it out", paytables__trips=None),
    case("FCP-14", "paytables.aces_up", "7.E(2)", "may not leave", paytables__aces_up=None),
    *everywhere(
        "paytables.envy",
        ("11.J(2)(e)", "11.J(2)(e)", "11.D(10)(e)"),
        "without a Progressive",
        paytables__progressive=None,
    ),
    *everywhere(
        "paytables.envy", ("12.D(5)(b)", "12.D(5)", "12.Dbis(2)"), "owed Envy", paytables__envy=None
    ),
]

LIMITS = [
    *everywhere("limits.ante", ANTE_CLAUSES, "Ante is offered", limits__ante=None),
    case("UTH-S", "limits.trips", "7.F(2)", "Trips is offered", limits__trips=None),
    case("UTH-S", "limits.ante.minimum", "7.F(1)", "is missing", limits__ante=NO_MIN),
    case("UTH-S", "limits.ante.maximum", "7.F(1)", "is missing", limits__ante=NO_MAX),
    case(
        "UTH-S",
        "limits.ante.maximum",
        "7.F(1)",
        "exchange them",
        limits__ante=ANTE % ("$50", "$5", "$5"),
    ),
    case(
        "UTH-S",
        "limits.ante.increment",
        "7.F(1)",
        "a maximum of $490.00 or $515.00",
        limits__ante=ANTE % ("$15", "$500", "$25"),
    ),
    case(
        "UTH-S",
        "limits.ante.minimum",
        "7.F(1)",
        "more than $0",
        limits__ante=ANTE % ("$0", "$5", "$5"),
    ),
    *in_uth(
        "limits.blind.minimum",
        "7.F(1)",
        "always equals Ante",
        limits__blind='{ minimum = "$5", maximum = "$500" }',
    ),
    case(
        "UTH-S",
        "limits.play",
        "7.F",
        "follows from the Ante",
        limits__play=ANTE % ("$1", "$5", "$1"),
    ),
    case(
        "FCP-14",
        "limits.progressive",
        "7.E",
        "one size only",
        limits__progressive=ANTE % ("$1", "$5", "$4"),
    ),
    case("FCP-14", "limits.luck", "7.E", "is no wager", limits__luck=ANTE % ("$1", "$5", "$4")),
    case("UTH-S", "limits.bad_beat", "7.F", "is not offered", paytables__bad_beat=None),
    *in_uth(
        "limits.ante.increment",
        "12.B(1)(e)",
        "rounded up (ruling 4)",
        warns=True,
        limits__ante=ANTE % ("$5", "$10", "$0.05"),
    ),
    *in_uth(
        "limits.ante.increment",
        "12.B(2)(e)",
        "multiples of $0.02",
        warns=True,
        paytables__blind='"B"',
        limits__ante='{ minimum = "$5.00", maximum = "$10" }',
    ),
]

PAYOUT_LIMIT = [
    *in_uth(
        "table.payout_limit", "12.F(1)", "at least $50,000.00", table__payout_limit='"$49,999.99"'
    ),
    case(
        "UTH-14",
        "table.payout_limit",
        "12.F(1)",
        "at least $50,750.00, the most one player can win in a round on one box",
        table__payout_limit='"$50,749.99"',
        limits__ante=ANTE % ("$100", "$500", "$5"),
    ),
    case(
        "UTH-S",
        "table.payout_limit",
        "12.F(1)",
        "at least $56,450.00, the most one player can win in a round on 2 boxes",
        table__payout_limit='"$56,449.99"',
        limits__ante=ANTE % ("$100", "$500", "$5"),
    ),
    case("FCP-14", "table.payout_limit", "12", "no payout limit", table__payout_limit='"$60,000"'),
]

PROGRESSIVE = [
    *everywhere(
        "progressive",
        ("7.F(3)", "7.F(3)", "7.E(4)"),
        "no Progressive is offered",
        paytables__progressive=None,
    ),
    *everywhere(
        "progressive.wager",
        ("12.D(6)", "12.D(5)", "12.E"),
        "$1 or $5",
        progressive__wager='"$2"',
    ),
    *everywhere(
        "progressive.wager", ("12.D(6)", "12.D(5)", "12.E"), "is missing", progressive__wager=None
    ),
    *everywhere("progressive.system", ("2.C",) * 3, "is missing", progressive__system=None),
    *in_uth("progressive.hand", "7.F(3)", "is missing; say which cards", progressive__hand=None),
    *in_uth("progressive.hand", "7.F(3)", '"final" (final hand)', progressive__hand='"turn"'),
    case("FCP-14", "progressive.hand", "7.E(4)", "leave hand out", progressive__hand='"flop"'),
    case(
        "UTH-S",
        "progressive.holder_must_wager",
        "11.J(2)(e)(ii)",
        "is missing",
        progressive__holder_must_wager=None,
    ),
    case(
        "UTH-14",
        "progressive.holder_must_wager",
        "11.J(2)(e)",
        "leave holder_must_wager out",
        progressive__holder_must_wager="false",
    ),
    case(
        "FCP-14",
        "progressive.holder_must_wager",
        "11.D(10)(e)",
        "leave holder_must_wager out",
        progressive__holder_must_wager="true",
    ),
    case(
        "UTH-S",
        "progressive.paid_from",
        "11.J(2)(d)",
        'must be "table" or "cage"',
        progressive__paid_from='"till"',
    ),
    case(
        "UTH-14",
        "progressive.paid_from",
        "11.J(2)(d)(i)",
        "leave paid_from out",
        progressive__paid_from='"cage"',
    ),
    case(
        "FCP-14",
        "progressive.paid_from",
        "11.D(10)(d)(i)",
        "leave paid_from out",
        progressive__paid_from='"table"',
    ),
]

METER = '{ initial = "%s", reset = "%s", rate = "%s" }'


def meters(name: str, amounts: tuple[str, str], rate: str | None) -> dict[str, Any]:
    """The line of one meter: initial and reset amount, and its rate."""
    rated = f', rate = "{rate}"' if rate is not None else ""
    line = f'{{ initial = "{amounts[0]}", reset = "{amounts[1]}"{rated} }}'
    return {f"progressive__meters__{name}": line}


def least(book: str, letter: str, meter: str, clause: str, under: str, at_least: str) -> list[Any]:
    """Initial and reset amounts just under what the paytable asks for."""
    return [
        case(
            book,
            f"progressive.meters.{meter}.{part}",
            clause,
            f"must be at least {at_least}",
            paytables__progressive=f'"{letter}"',
            **meters(meter, (under, "$90,000") if part == "initial" else ("$90,000", under), "1%"),
        )
        for part in ("initial", "reset")
    ]


METERS = [
    *least("UTH-S", "A", "main", "12.D(3)(b)(i)", "$9,999.99", "$10,000"),
    *least("UTH-S", "B", "major", "12.D(3)(b)(ii)(1)", "$999.99", "$1,000"),
    *least("UTH-S", "B", "minor", "12.D(3)(b)(ii)(2)", "$249.99", "$250"),
    *least("UTH-S", "C", "mega", "12.D(3)(b)(iii)(1)", "$9,999.99", "$10,000"),
    *least("UTH-S", "C", "major", "12.D(3)(b)(iii)(2)", "$999.99", "$1,000"),
    *least("UTH-S", "C", "minor", "12.D(3)(b)(iii)(3)", "$249.99", "$250"),
    *least("UTH-S", "D", "mega", "12.D(3)(b)(iv)(1)", "$9,999.99", "$10,000"),
    *least("UTH-S", "D", "major", "12.D(3)(b)(iv)(2)", "$999.99", "$1,000"),
    *least("UTH-S", "D", "minor", "12.D(3)(b)(iv)(3)", "$249.99", "$250"),
    *least("UTH-14", "A", "main", "12.D(3)(b)", "$9,999.99", "$10,000"),
    *least("FCP-14", "A", "main", "12.D(3)(b)(i)", "$4,999.99", "$5,000"),
    *least("FCP-14", "B", "main", "12.D(3)(b)(ii)", "$999.99", "$1,000"),
    *least("FCP-14", "C", "main", "12.D(3)(b)(iii)", "$9,999.99", "$10,000"),
    case(
        "UTH-S",
        "progressive.meters.minor",
        "12.D(3)(b)(iii)(3)",
        "minor meter is missing",
        progressive__meters__minor=None,
    ),
    case(
        "UTH-S",
        "progressive.meters.tiny",
        "12.D(1)(c)",
        "mega, major or minor",
        progressive__meters__tiny=METER % ("$1", "$1", "1%"),
    ),
    case(
        "UTH-14",
        "progressive.meters.main.reset",
        "12.D(3)(b)",
        "is missing",
        progressive__meters__main='{ initial = "$10,000", rate = "1%" }',
    ),
    *[
        case(
            book,
            f"progressive.meters.{meter}.rate",
            "12.D(3)(a)",
            "is missing",
            **meters(meter, ("$10,000", "$10,000"), None),
        )
        for book, meter in (("UTH-S", "mega"), ("UTH-14", "main"), ("FCP-14", "main"))
    ],
    *[
        case(
            book,
            f"progressive.meters.{meter}.rate",
            "12.D(3)(a)",
            "never grow",
            **meters(meter, ("$10,000", "$10,000"), "0%"),
        )
        for book, meter in (("UTH-S", "mega"), ("UTH-14", "main"), ("FCP-14", "main"))
    ],
    case(
        "UTH-S",
        "progressive.meters",
        "12.D(3)(a)",
        "make 108% of each wager",
        progressive__meters__mega=METER % ("$10,000", "$10,000", "100%"),
    ),
    case(
        "UTH-S",
        "progressive.meters.mega.initial",
        None,
        "starts at $10,000.00",
        warns=True,
        progressive__meters__mega=METER % ("$10,000", "$20,000", "1%"),
    ),
]

DEALING = [
    *everywhere("dealing.method", WAY_CLAUSES, "is missing", dealing__method=None),
    *everywhere("dealing.method", WAY_CLAUSES, "choose shoe", dealing__method='"catapult"'),
    case(
        "UTH-14",
        "dealing.method",
        "UTH-S 10.B(4)",
        "only UTH-S 10.B(4)",
        dealing__method='"shuffler-dealer-last"',
    ),
    case(
        "FCP-14",
        "devices.keeps_dealer_cards",
        "UTH-S 10.B(4)",
        "only UTH-S 10.B(4)",
        devices__keeps_dealer_cards="true",
    ),
    *everywhere(
        "dealing.method",
        ("9.A(1)",) * 3,
        "devices.shuffler = true",
        **NO_BONUS,
        dealing__method='"hand"',
        devices__shuffler=None,
        devices__counts_to_52=None,
        decks__count="1",
        decks__backs=None,
    ),
    *everywhere(
        "dealing.method",
        ("10",) * 3,
        "devices.shuffler or devices.automated_shoe",
        devices__shuffler=None,
        devices__counts_to_52=None,
        decks__count="1",
        decks__backs=None,
    ),
    case(
        "UTH-S",
        "dealing.method",
        "10.B(4)",
        "devices.keeps_dealer_cards = true",
        dealing__method='"shuffler-dealer-last"',
    ),
    *everywhere(
        "dealing.method",
        ("10.F", "10.F", "10.H"),
        "devices.reshuffling_shoe = true",
        dealing__method='"reshuffling-shoe"',
    ),
    *everywhere(
        "dealing.method",
        ("10.B(1)",) * 3,
        "brings no cards for it",
        dealing__method='"shoe"',
        dealing__fallbacks=None,
    ),
    case("UTH-S", "dealing.fallbacks.0", "5.D(1)", "knows no", dealing__fallbacks='["x"]'),
    case("UTH-S", "dealing.fallbacks.0", None, "already", dealing__fallbacks='["shuffler"]'),
    case("UTH-S", "dealing.fallbacks.1", None, "already", dealing__fallbacks='["shoe", "shoe"]'),
    *everywhere(
        "dealing.fallbacks.0",
        ("9.A(1)",) * 3,
        "out of order",
        dealing__fallbacks='["hand"]',
    ),
    *everywhere(
        "dealing.fallbacks.0",
        ("13.J", "13.J", "13.H"),
        "Six Card Bonus is suspended",
        warns=True,
    ),
    *everywhere(
        "dealing.method",
        ("13.J", "13.J", "13.H"),
        "the table closes",
        warns=True,
        dealing__fallbacks=None,
    ),
    *everywhere(
        "devices.counts_to_52",
        ("5.E", "5.E", "5.B"),
        "the table has none",
        devices__shuffler=None,
    ),
    case(
        "UTH-S",
        "devices.loads_shoe",
        None,
        "the table has none",
        devices__loads_shoe="true",
        devices__shuffler=None,
    ),
]

DECKS = [
    *everywhere("decks.count", ("3.B",) * 3, "2 and a shuffler", decks__count="3"),
    *everywhere("decks.count", ("3.B",) * 3, "needs a shuffler", devices__shuffler="false"),
    *everywhere("decks.backs", ("3.B(2)",) * 3, "twice", decks__backs='["red", "Red "]'),
    *everywhere("decks.backs", ("3.B(2)",) * 3, "0 colors for 2", decks__backs=None),
    *everywhere("decks.backs", ("3.B(2)",) * 3, "2 colors for 1 deck", decks__count="1"),
]


@pytest.mark.parametrize(
    ("book", "lines", "key", "severity", "clause", "says"),
    [*TABLE, *WAGERS, *LIMITS, *PAYOUT_LIMIT, *PROGRESSIVE, *METERS, *DEALING, *DECKS],
)
def test_finding(
    book: str,
    lines: dict[str, str | None],
    key: str,
    severity: str,
    clause: str | None,
    says: str,
) -> None:
    text = edited(book, **lines)
    (finding,) = [finding for finding in found(text, key) if says in finding.sentence]
    assert (finding.severity, finding.clause) == (severity, clause)
    assert (checked(text).submission is None) == any(
        other.severity == "error" for other in checked(text).findings
    )
    assert finding.line is not None
    assert names_key_or_its_table(text.split("\n")[finding.line - 1], key)


def names_key_or_its_table(line: str, key: str) -> bool:
    """Whether a line is where a key stands, or the header of the table it is missing from."""
    parts = [part for part in key.split(".") if not part.isdigit()]
    headers = [f"[{'.'.join(parts[:length])}]" for length in range(1, len(parts) + 1)]
    return any(line.startswith(f"{part} = ") for part in parts) or line.split(" ")[0] in headers


@pytest.mark.parametrize("book", BOOKS)
def test_a_progressive_without_its_terms(book: str) -> None:
    text = without_table(without_table(edited(book), "progressive.meters"), "progressive")
    (finding,) = checked(text).errors
    assert finding.clause == f"{book} 12.D(3)(a)"
    assert "[progressive] is missing" in finding.sentence


# By boxes of one player: Antes and Trips that one board gives, worked out by hand. Two boxes: the
# ace and the nine beside K Q J T of spades. Three: with a second king on the board, the other two.
# Four: Q J T of spades with Q J beside them has a royal flush, a straight flush and both fours.
# Six: then tens full, and a flush.
BEST_BOARDS = {
    1: ("505", 50),
    2: ("560", 90),
    3: ("575", 120),
    4: ("590", 150),
    5: ("598", 159),
    6: ("604.5", 166),
}


@pytest.mark.clause("UTH-S 12.F(1)")
@pytest.mark.parametrize("boxes", BEST_BOARDS)
def test_the_least_payout_limit_is_for_all_boxes_of_a_player(boxes: int) -> None:
    antes, trips = BEST_BOARDS[boxes]
    least = f"${int(100 * float(antes)) + 5 * trips:,}"
    lines = {
        "limits__ante": ANTE % ("$100", "$500", "$10"),
        "table__adjacent_boxes": str(boxes),
    }
    assert checked(edited("UTH-S", **lines, table__payout_limit=f'"{least}"')).submission
    under = dollars(Cents(cents(least) - 1))
    (finding,) = checked(edited("UTH-S", **lines, table__payout_limit=f'"{under}"')).errors
    assert f"at least {least}.00" in finding.sentence


@pytest.mark.clause("UTH-14 12.F(1)")
def test_the_least_payout_limit_of_one_box() -> None:
    """(500 + 4 + 1) x $100 + 50 x $5."""
    lines = {"limits__ante": ANTE % ("$100", "$500", "$5")}
    assert checked(edited("UTH-14", **lines, table__payout_limit='"$50,750"')).submission
    (finding,) = checked(edited("UTH-14", **lines, table__payout_limit='"$50,749.99"')).errors
    assert "$50,750.00" in finding.sentence


@pytest.mark.clause("UTH-S 12.F(1)")
def test_where_trips_is_the_larger_wager_a_royal_flush_on_the_board_pays_most() -> None:
    """Nobody beats the dealer then, and every box is paid 50 to 1 on Trips."""
    lines = {
        "limits__ante": ANTE % ("$5", "$500", "$5"),
        "limits__trips": ANTE % ("$1,000", "$1,000", "$5"),
    }
    (finding,) = checked(edited("UTH-S", **lines, table__payout_limit='"$99,999.99"')).errors
    assert "at least $100,000.00" in finding.sentence


@pytest.mark.clause("UTH-S 9.A(1)", "UTH-14 9.A(1)", "FCP-14 9.A(1)")
@pytest.mark.parametrize("book", BOOKS)
def test_hand_may_stand_in_for_an_automated_shoe(book: str) -> None:
    """The shuffler still works when the shoe does not."""
    text = edited(book, dealing__fallbacks='["hand"]', devices__automated_shoe="true")
    assert checked(text).submission is not None
    text = edited(
        book,
        dealing__method='"reshuffling-shoe"',
        dealing__fallbacks='["hand", "shoe"]',
        devices__reshuffling_shoe="true",
    )
    assert checked(text).submission is not None


@pytest.mark.clause("UTH-S 10.B(4)")
def test_the_dealers_cards_may_wait_in_the_shuffler() -> None:
    text = edited(
        "UTH-S", dealing__method='"shuffler-dealer-last"', devices__keeps_dealer_cards="true"
    )
    said = checked(text).submission
    assert said is not None
    assert said.dealing.method == "shuffler-dealer-last"


def test_steps_that_keep_three_to_two_whole_are_not_found() -> None:
    for ante in (ANTE % ("$5", "$10", "$0.10"), '{ minimum = "$5", maximum = "$5" }'):
        text = edited("UTH-S", limits__ante=ante)
        assert not [f for f in checked(text).findings if "ruling 4" in f.sentence]


def test_every_finding_is_listed_the_most_serious_first() -> None:
    text = edited("UTH-S", table__boxes="9", paytables__blind=None, decks__backs='["red", "red"]')
    severities = [(f.severity, f.line) for f in checked(text).findings]
    assert [severity for severity, _ in severities] == ["error"] * 3 + ["warning"]
    assert severities[:3] == sorted(severities[:3])


def test_a_file_that_names_no_rulebook_is_still_read() -> None:
    text = with_line(edited("UTH-S", table__boxes='"six"'), "table", "rulebook", None)
    keys = {finding.key for finding in checked(text).findings}
    assert keys == {"table.rulebook", "table.boxes"}


@pytest.mark.parametrize("table", ["dealing", "limits", "facility"])
def test_a_table_that_is_missing_is_found_at_the_end_of_the_file(table: str) -> None:
    text = without_table(edited("UTH-S"), table)
    last = len(text.rstrip().split("\n"))
    lacking = [found for found in checked(text).findings if found.key.startswith(table)]
    assert lacking
    assert {found.line for found in lacking} == {last}


def test_every_error_about_limits_and_dealing_has_its_clause() -> None:
    text = without_table(without_table(edited("UTH-S"), "dealing"), "limits")
    findings = [f for f in checked(text).findings if f.key.startswith(("dealing", "limits"))]
    assert findings
    assert all(found.clause is not None for found in findings)
