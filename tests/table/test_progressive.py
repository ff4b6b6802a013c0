"""Progressive wins: validated, pending, refused, paid off the table; Envy; returned growth."""

from __future__ import annotations

import pytest

from croupier.facts.errors import Unreadable
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, phase
from croupier.table.double_entry import entries
from tests.citing import in_book, in_uth
from tests.table.people import dealer, floor, player
from tests.table.tables import METERS, Table, opened, refused, terms, told

UTH = ("UTH-S", "UTH-14")
BOOKS = (*UTH, "FCP-14")
every_book = pytest.mark.parametrize("book", BOOKS)
every_uth = pytest.mark.parametrize("book", UTH)

# Bonus box, board, dealer, boxes 1 and 2: box 1 holds a royal flush with the flop.
ROYAL = "2c 3c 4d 5d Qh Jh Th 2s 3s 9c 9d Ah Kh 4c 4s"
# Both boxes hold a straight flush with the flop: jack high and king high.
TWO_STRAIGHT_FLUSHES = "2c 3c 4d 5d 9h Th Jh 2s 3s 9c 9d 8h 7h Qh Kh"
# Bonus box, the dealer's six, box 1 with four aces, box 2.
FOUR_ACES = "2c 3c 4d 5d 7h 8s 9s Ac Ad Ah As Kd 4c 6h 8h Th Jd"
# Box 1 has three nines with the flop (UTH), or three of a kind (FCP).
TRIPS = {
    "UTH-S": "2c 3c 4d 5d 9h 9c Th 2s 3s Kc Kd 9d Qh 4c 4s",
    "UTH-14": "2c 3c 4d 5d 9h 9c Th 2s 3s Kc Kd 9d Qh 4c 4s",
    "FCP-14": "2c 3c 4d 5d 7h 8s 9s Jc Jd Jh 2d Kd 4c 6h 8h Th Td",
}
TOP = {"UTH-S": ROYAL, "UTH-14": ROYAL, "FCP-14": FOUR_ACES}


def played(book: str, script: str, until: str = "settling") -> Table:
    """Both boxes have a Progressive wager and have played; the table is about to settle."""
    table = opened(terms(book), (1, 2), script)
    for box in (1, 2):
        base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
        table.bet(box, **base, progressive="$5")
    table.work()
    while phase(table.state) == "acting":
        asked = asked_box(table.state)
        assert asked is not None
        table.give(player(do.Play, f"P{asked.seat}", box=asked.seat, cents=3000))
        table.work(lambda state: phase(state) in ("acting", until))
    return table


def accounts(table: Table) -> dict[str, int]:
    total: dict[str, int] = {}
    for event in table.events:
        for account, micros in entries(event):
            total[account] = total.get(account, 0) + micros
    return total


def validate(table: Table, *, approved: bool) -> tuple[ev.Event, ...]:
    return table.give(floor(do.ValidateProgressive, box=1, approved=approved, meters=table.meters))


@pytest.mark.clause(*in_uth("11.J", "11.J(1)", "11.J(2)", "11.J(2)(a)", "11.J(2)(b)", "11.J(2)(c)"))
@pytest.mark.clause(*in_uth("11.J(2)(d)"))
@pytest.mark.clause(*in_book("FCP-14", "11.D(8)", "11.D(9)", "11.D(10)", "11.D(10)(a)"))
@pytest.mark.clause(*in_book("FCP-14", "11.D(10)(b)", "11.D(10)(c)", "11.D(10)(d)"))
@every_book
def test_every_win_waits_for_the_floorperson(book: str) -> None:
    table = played(book, TRIPS[book], "clearing")
    assert table.state.round.pending == {1}
    before = accounts(table)["purse 1"]
    refused(table, dealer(do.ClearCards))
    refused(table, dealer(do.ValidateProgressive, box=1, approved=True))
    refused(table, floor(do.ValidateProgressive, box=2, approved=True))
    (paid,) = validate(table, approved=True)
    assert isinstance(paid, ev.ProgressivePaid)
    assert paid.from_table
    stake_back = 500 if book != "FCP-14" else 0  # UTH pays "to 1", Four Card "for 1"
    assert paid.cents == 9 * 500 + stake_back
    assert accounts(table)["purse 1"] == before + paid.cents * 10_000
    refused(table, floor(do.RecordPaperwork, box=1))
    table.give(dealer(do.ClearCards))


@pytest.mark.clause("UTH-14 11.J(2)(d)(i)", "UTH-14 11.J(2)(d)(ii)", "UTH-S 11.J(2)(d)")
@pytest.mark.clause("FCP-14 11.D(10)(d)(i)", "FCP-14 11.D(10)(d)(ii)")
@every_book
def test_a_meter_is_not_paid_from_the_table_and_the_cards_stay(book: str) -> None:
    table = played(book, TOP[book], "clearing")
    assert table.state.round.paperwork == {1}
    refused(table, floor(do.RecordPaperwork, box=1))  # not before it is validated
    (paid,) = validate(table, approved=True)
    assert isinstance(paid, ev.ProgressivePaid)
    assert not paid.from_table
    by = table.state.book.procedure
    assert refused(table, dealer(do.ClearCards)).clause == f"{book} {by.paperwork_clause}"
    refused(table, dealer(do.RecordPaperwork, box=1))
    table.give(floor(do.RecordPaperwork, box=1))
    table.give(dealer(do.ClearCards))
    grown = METERS[book]["main"] + 2 * 500_000
    assert paid.cents == grown // 10_000


@pytest.mark.clause(*in_uth("12.D(4)"), "FCP-14 12.D(4)")
@every_uth
def test_a_meter_pays_what_stands_on_it_when_the_turn_comes(book: str) -> None:
    table = played(book, TWO_STRAIGHT_FLUSHES, "clearing")
    awards = [e for e in table.events if isinstance(e, ev.WagerSettled) and e.meter]
    grown = METERS[book]["main"] + 2 * 500_000
    assert [(e.box, e.meter_before_micros) for e in awards] == [
        (2, grown),
        (1, grown - grown // 100_000 * 10_000),
    ]
    assert awards[1].paid_cents < awards[0].paid_cents


@every_book
def test_a_refused_win_goes_back_to_its_meter(book: str) -> None:
    table = played(book, TOP[book], "clearing")
    grown = METERS[book]["main"] + 2 * 500_000
    assert table.meters["main"] < grown
    with pytest.raises(Unreadable):
        table.give(floor(do.ValidateProgressive, box=1, approved=False))
    (refused_event,) = validate(table, approved=False)
    assert isinstance(refused_event, ev.ProgressiveRefused)
    assert table.meters["main"] == grown
    assert not table.state.round.paperwork
    table.give(dealer(do.ClearCards))
    assert accounts(table)["pending 1"] == 0


@pytest.mark.clause(*in_uth("11.J(2)(e)", "11.J(2)(e)(i)"), "FCP-14 11.D(10)(e)")
@pytest.mark.clause("FCP-14 11.D(10)(e)(i)", "FCP-14 11.D(10)(e)(iii)", "UTH-S 11.J(2)(e)(iv)")
@pytest.mark.clause("UTH-14 11.J(2)(e)(iii)")
@every_book
def test_envy_is_paid_in_the_holders_turn(book: str) -> None:
    table = played(book, TOP[book], "clearing")
    lines = [e for e in table.events if isinstance(e, ev.WagerSettled | ev.BoxSettled)]
    envy = [e for e in lines if isinstance(e, ev.WagerSettled) and e.wager == "envy"]
    assert [(e.box, e.holder) for e in envy] == [(2, 1)]
    ends = [n for n, e in enumerate(lines) if isinstance(e, ev.BoxSettled)]
    assert ends[0] < lines.index(envy[0]) < ends[1]
    assert envy[0].paid_cents == (500_00 if book == "FCP-14" else 5_000_00)


@pytest.mark.clause(*in_uth("7.C(2)"), "FCP-14 7.B(2)")
@pytest.mark.parametrize("gone", [1, 2])
@every_book
def test_an_abandoned_box_neither_gives_nor_gets_envy(book: str, gone: int) -> None:
    """Box 1 has the top hand. Every wager of an abandoned box is lost (ruling 34)."""
    table = opened(terms(book), (1, 2), TOP[book])
    for box in (1, 2):
        base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
        table.bet(box, **base, progressive="$5")
    table.work()
    table.give(dealer(do.ReportAbsence, box=gone))
    table.give(floor(do.RuleOnAbsence, box=gone, outcome="abandoned"))
    stays = 3 - gone
    table.give(player(do.Play, f"P{stays}", box=stays, cents=3000))
    table.work()
    assert table.state.last is not None
    lines = table.state.last.lines
    assert not [line for line in lines if line.wager == "envy"]
    assert {line.outcome for line in lines if line.box == gone} == {"lose"}


@every_book
def test_a_returned_wager_takes_its_growth_back_and_no_meter_falls_below_its_reset(
    book: str,
) -> None:
    table = opened(terms(book), (1,))
    base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
    reset = table.state.terms.rules.progressive
    assert reset is not None
    floor_micros = (reset.reset_of("main") or 0) * 10_000
    table.meters = {"main": floor_micros - 300_000}
    table.bet(1, **base, progressive="$5")
    table.work(lambda state: bool(state.round.out))
    assert table.meters["main"] == floor_micros + 200_000
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    (shrank,) = told(table, ev.MeterShrank)
    assert isinstance(shrank, ev.MeterShrank)
    assert (shrank.by_micros, shrank.borne_micros) == (200_000, 300_000)
    assert table.meters["main"] == floor_micros


@every_book
def test_readings_are_complete_and_known(book: str) -> None:
    table = played(book, TRIPS[book])
    for meters in ({}, {"lucky": 7}, {"main": 5, "lucky": 7}):
        with pytest.raises(Unreadable):
            table.give(dealer(do.SettleBox, box=2, meters=meters))


# Limits


@every_book
def test_at_its_limit_a_meter_stays_and_what_is_beyond_waits_for_it_to_be_won(book: str) -> None:
    """Ruling 43: two $5 wagers at 10% are a dollar; the meter has room for 30 cents of it."""
    standing = METERS[book]["main"]
    limit = standing + 300_000
    table = opened(terms(book, meter_limits=(("main", limit),)), (1, 2), TOP[book])
    for box in (1, 2):
        base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
        table.bet(box, **base, progressive="$5")
    table.work(lambda state: state.round.stage == "play")
    assert table.meters == {"main": limit, "main overflow": 700_000}
    table.work()
    while phase(table.state) == "acting":
        asked = asked_box(table.state)
        assert asked is not None
        table.give(player(do.Play, f"P{asked.seat}", box=asked.seat, cents=3000))
        table.work()
    (won,) = (e for e in table.events if isinstance(e, ev.WagerSettled) and e.meter == "main")
    assert won.paid_cents == limit // 10_000
    after = won.meter_after_micros
    for box in (1, 2):
        base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
        table.bet(box, **base, progressive="$5")
    table.work(lambda state: state.round.stage == "play")
    assert table.meters == {"main": after + 1_700_000, "main overflow": 0}
    total = accounts(table)
    assert sum(total.values()) == 0
    assert total["meter main overflow"] == 0


@every_book
def test_a_void_takes_growth_back_from_the_overflow_first(book: str) -> None:
    standing = METERS[book]["main"]
    table = opened(terms(book, meter_limits=(("main", standing + 100_000),)), (1,))
    base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
    table.bet(1, **base, progressive="$5")
    table.work(lambda state: bool(state.round.out))
    assert table.meters == {"main": standing + 100_000, "main overflow": 400_000}
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    assert table.meters == {"main": standing, "main overflow": 0}
    assert not accounts(table).get("house")
