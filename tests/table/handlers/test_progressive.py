"""Progressive wins: waiting, validated, refused, paid off the table; Envy; returned growth."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import msgspec
import pytest

from croupier.audit.command_check import readings_before
from croupier.facts.errors import Unreadable
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, phase
from croupier.table.double_entry import entries
from croupier.table.engine import decide, options
from croupier.table.state import in_box, replace
from croupier.table.views import PUBLIC, SURVEILLANCE, view
from tests.citing import in_book, in_uth
from tests.table.people import dealer, floor, manager, player, seconded
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
# Box 2 holds a royal flush with the flop and box 1 a straight flush; or four aces and nothing.
ROYAL_SECOND = "2c 3c 4d 5d Qh Jh Th 2s 3s 9c 9d 9h 8h Ah Kh"
FOUR_ACES_SECOND = "2c 3c 4d 5d 7h 8s 9s 4c 6h 8h Th Jd Ac Ad Ah As Kd"
SECOND_WINS = {"UTH-S": ROYAL_SECOND, "UTH-14": ROYAL_SECOND, "FCP-14": FOUR_ACES_SECOND}
TOP = {"UTH-S": ROYAL, "UTH-14": ROYAL, "FCP-14": FOUR_ACES}


def played(
    book: str,
    script: str,
    until: str = "settling",
    *,
    wagering: tuple[int, ...] = (1, 2),
    holder_must_wager: bool = False,
    **changes: object,
) -> Table:
    """Boxes with a Progressive wager have played; the table is about to settle."""
    given = terms(book, "shuffler", **changes)
    assert given.rules.progressive is not None
    chosen = dataclasses.replace(given.rules.progressive, holder_must_wager=holder_must_wager)
    given = dataclasses.replace(given, rules=dataclasses.replace(given.rules, progressive=chosen))
    table = opened(given, (1, 2), script)
    for box in (1, 2):
        base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
        table.bet(box, **base, **({"progressive": "$5"} if box in wagering else {}))
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


def validate(table: Table, box: int = 1) -> tuple[ev.Event, ...]:
    return table.give(floor(do.ValidateProgressive, box=box, meters=table.meters))


def refuse(table: Table, reason: str, box: int = 1) -> tuple[ev.Event, ...]:
    """Flo proposes it and Mo confirms."""
    table.give(floor(do.ProposeRefusal, box=box, reason=reason))
    return table.give(manager(do.ConfirmRefusal, box=box, upheld=True, meters=table.meters))


def waits(book: str, script: str) -> Table:
    """The house has settled up to the first win, which waits."""
    table = played(book, script)
    table.work(lambda state: state.round.won is not None)
    return table


def test_a_table_is_shown_while_a_win_waits_and_other_hands_are_under_seal() -> None:
    """Who reads a ledger without its keys knows the cards that were turned, and no others."""
    table = waits("UTH-S", TOP["UTH-S"])
    sealed = in_box(table.state, 2, cards=("@11", "@12"))
    for state, is_known in (table.state, True), (sealed, False):
        lines = [line for box in view(state, SURVEILLANCE).boxes for line in box.lines]
        assert any(line.pending for line in lines) is is_known


def lines(events: Iterable[ev.Event]) -> list[tuple[int, str, str]]:
    settled = [event for event in events if isinstance(event, ev.WagerSettled)]
    return [(event.box, event.wager, event.outcome) for event in settled]


@pytest.mark.clause(*in_uth("11.J", "11.J(1)", "11.J(2)", "11.J(2)(a)", "11.J(2)(b)", "11.J(2)(c)"))
@pytest.mark.clause(*in_uth("11.J(2)(d)"))
@pytest.mark.clause(*in_book("FCP-14", "11.D(8)", "11.D(9)", "11.D(10)", "11.D(10)(a)"))
@pytest.mark.clause(*in_book("FCP-14", "11.D(10)(b)", "11.D(10)(c)", "11.D(10)(d)"))
@every_book
def test_every_win_waits_for_the_floorperson(book: str) -> None:
    table = waits(book, TRIPS[book])
    won = table.events[-1]
    assert isinstance(won, ev.ProgressiveWon)
    assert (won.box, won.stake_cents, won.meter) == (1, 500, None)
    by = table.state.book.procedure
    assert won.clauses == (f"{book} {by.won_clause}", f"{book} {by.light_clause}")
    before = accounts(table)["purse 1"]
    refused(table, dealer(do.ClearCards))
    refused(table, dealer(do.ValidateProgressive, box=1))
    refused(table, floor(do.ValidateProgressive, box=2))
    validated, paid, end = validate(table)
    assert isinstance(validated, ev.ProgressiveValidated)
    assert validated.by == "Flo"
    assert isinstance(paid, ev.WagerSettled)
    assert not paid.outside
    stake_back = 500 if book != "FCP-14" else 0  # UTH pays "to 1", Four Card "for 1"
    assert (paid.paid_cents, paid.returned_cents) == (9 * 500, stake_back)
    assert accounts(table)["purse 1"] == before + (9 * 500 + stake_back) * 10_000
    assert isinstance(end, ev.BoxSettled)
    refused(table, floor(do.ValidateProgressive, box=1))
    refused(table, floor(do.RecordPaperwork, box=1))
    table.give(dealer(do.ClearCards))


@pytest.mark.clause("UTH-S 11.H(2)(d)", "UTH-14 11.H(2)(iv)", *in_uth("12.D(4)"))
@pytest.mark.clause("FCP-14 11.D(4)", "FCP-14 11.D(10)")
@every_book
def test_while_a_win_waits_nothing_else_is_settled_drawn_or_paid(book: str) -> None:
    """Box 2, at the dealer's right, has won; box 1 comes next."""
    table = waits(book, SECOND_WINS[book])
    assert table.state.round.won is not None
    assert table.state.round.won.box == 2
    grown = METERS[book]["main"] + 2 * 500_000
    assert table.meters["main"] == accounts(table)["meter main"] + METERS[book]["main"] == grown
    assert not [line for line in lines(table.events) if line[0] == 1 or line[1] == "envy"]
    clause = f"{book} {table.state.book.procedure.validate_clause}"
    for box in (1, 2):
        command = dealer(do.SettleBox, box=box, meters=table.meters)
        assert refused(table, command).clause == clause
    assert phase(table.state) == "settling"
    told_then = validate(table, box=2)
    assert lines(told_then) == [(2, "progressive", "win"), (1, "envy", "win")]
    assert table.meters["main"] < grown
    table.give(dealer(do.SettleBox, box=1, meters=table.meters))


@pytest.mark.clause("UTH-14 11.J(2)(d)(i)", "UTH-14 11.J(2)(d)(ii)")
@pytest.mark.clause("FCP-14 11.D(10)(d)(i)", "FCP-14 11.D(10)(d)(ii)")
@pytest.mark.parametrize("book", ["UTH-14", "FCP-14"])
def test_a_meter_is_not_paid_from_the_table_and_the_cards_stay(book: str) -> None:
    table = waits(book, TOP[book])
    refused(table, floor(do.RecordPaperwork, box=1))  # not before it is validated
    validated, paid, *_ = validate(table)
    by = table.state.book.procedure
    assert f"{book} {by.off_table_clause}" in validated.clauses
    assert isinstance(paid, ev.WagerSettled)
    assert paid.outside
    assert table.state.round.paperwork == {1}
    assert refused(table, dealer(do.ClearCards)).clause == f"{book} {by.paperwork_clause}"
    refused(table, dealer(do.RecordPaperwork, box=1))
    table.give(floor(do.RecordPaperwork, box=1))
    table.give(dealer(do.ClearCards))
    grown = METERS[book]["main"] + 2 * 500_000
    assert paid.paid_cents == grown // 10_000
    assert accounts(table)["outside 1"] == paid.paid_cents * 10_000


@pytest.mark.clause("UTH-S 11.J(2)(d)")
@pytest.mark.parametrize("paid_from", ["table", "cage"])
def test_a_meter_is_paid_as_the_submission_says_and_no_papers_are_asked_for(paid_from: str) -> None:
    table = played("UTH-S", TOP["UTH-S"], paid_from=paid_from)
    table.work(lambda state: state.round.won is not None)
    before = accounts(table)["purse 1"]
    _, paid, *_ = validate(table)
    assert isinstance(paid, ev.WagerSettled)
    assert paid.outside == (paid_from == "cage")
    got = {"table": accounts(table)["purse 1"] - before, "cage": accounts(table).get("outside 1")}
    assert got[paid_from] == paid.paid_cents * 10_000
    refused(table, floor(do.RecordPaperwork, box=1))
    table.give(dealer(do.ClearCards))


@pytest.mark.clause(*in_uth("12.D(4)"), "FCP-14 12.D(4)")
@every_uth
def test_a_meter_pays_what_stands_on_it_when_the_turn_comes(book: str) -> None:
    table = waits(book, TWO_STRAIGHT_FLUSHES)
    validate(table, box=2)
    table.work(lambda state: state.round.won is not None)
    validate(table, box=1)
    awards = [e for e in table.events if isinstance(e, ev.WagerSettled) and e.meter]
    grown = METERS[book]["main"] + 2 * 500_000
    assert [(e.box, e.meter_before_micros) for e in awards] == [
        (2, grown),
        (1, grown - grown // 100_000 * 10_000),
    ]
    assert awards[1].paid_cents < awards[0].paid_cents


@pytest.mark.clause(*in_uth("12.D(4)"))
@pytest.mark.parametrize("reason", ["hand", "wager"])
@every_uth
def test_after_a_refusal_the_next_box_finds_the_meter_as_it_stood(book: str, reason: str) -> None:
    """Box 2 shows a royal flush, for all of the meter; box 1 a straight flush, for a tenth."""
    table = waits(book, SECOND_WINS[book])
    grown = METERS[book]["main"] + 2 * 500_000
    assert table.state.round.won is not None
    refuse(table, reason, box=2)
    assert table.meters["main"] == grown
    table.work(lambda state: state.round.won is not None)
    _, paid, *_ = validate(table, box=1)
    assert isinstance(paid, ev.WagerSettled)
    assert paid.meter_before_micros == grown
    assert paid.paid_cents == grown // 10_000 // 10


@pytest.mark.clause(*in_uth("11.J(2)(c)"), "FCP-14 11.D(10)(c)")
@every_book
def test_a_hand_that_does_not_qualify_loses_and_gives_no_envy(book: str) -> None:
    table = waits(book, TOP[book])
    before = accounts(table)
    told_then = refuse(table, "hand")
    assert lines(told_then) == [(1, "progressive", "lose")]
    refusal = told_then[0]
    assert isinstance(refusal, ev.ProgressiveRefused)
    assert (refusal.reason, refusal.proposed_by, refusal.by) == ("hand", "Flo", "Mo")
    after = accounts(table)
    assert after["purse 1"] == before["purse 1"]
    assert after["purse 2"] == before["purse 2"]
    assert after["meter main"] == before["meter main"]
    assert after["felt 1"] == 0
    table.give(dealer(do.ClearCards))


@pytest.mark.clause(*in_uth("11.J(2)(c)"), "FCP-14 11.D(10)(c)", "UTH-S 11.J(2)(e)(ii)")
@pytest.mark.parametrize("must_wager", [False, True])
@every_book
def test_a_wager_that_was_not_accepted_goes_back(book: str, must_wager: bool) -> None:
    """Envy is as if the holder had not wagered; the growth leaves the meter with the cards."""
    table = played(book, TOP[book], holder_must_wager=must_wager)
    table.work(lambda state: state.round.won is not None)
    before, meter = accounts(table), table.meters["main"]
    told_then = refuse(table, "wager")
    envy = [] if must_wager else [(2, "envy", "win")]
    assert lines(told_then) == [(1, "progressive", "returned"), *envy]
    assert accounts(table)["purse 1"] == before["purse 1"] + 500 * 10_000
    assert table.meters["main"] == meter
    with pytest.raises(Unreadable):
        table.give(dealer(do.ClearCards))
    cancelled, shrank, _ = table.give(dealer(do.ClearCards, meters=table.meters))
    assert isinstance(cancelled, ev.AcceptanceCancelled)
    assert isinstance(shrank, ev.MeterShrank)
    assert table.meters["main"] == meter - 500_000


@every_uth
def test_who_made_no_accepted_wager_gives_envy_back(book: str) -> None:
    """Box 2 holds an Envy hand and is paid first; box 1 had its Envy of it before it is refused."""
    table = waits(book, SECOND_WINS[book])
    validate(table, box=2)
    table.work(lambda state: state.round.won is not None)
    before = accounts(table)["purse 1"]
    told_then = refuse(table, "wager", box=1)
    (back,) = [event for event in told_then if isinstance(event, ev.LineReversed)]
    assert (back.box, back.wager) == (1, "envy")
    assert accounts(table)["purse 1"] == before - back.cents * 10_000 + 500 * 10_000
    end = next(event for event in told_then if isinstance(event, ev.BoxSettled))
    play = sum(e.paid_cents for e in table.events if isinstance(e, ev.WagerSettled) and e.box == 1)
    assert end.net_cents == play - back.cents


@pytest.mark.clause(*in_uth("11.J(2)(c)"), "FCP-14 11.D(10)(c)")
@every_book
def test_a_refusal_takes_two_people_and_one_of_them_is_a_manager(book: str) -> None:
    table = waits(book, TOP[book])
    refused(table, manager(do.ConfirmRefusal, box=1, upheld=True, meters=table.meters))
    refused(table, dealer(do.ProposeRefusal, box=1, reason="hand"))
    refused(table, floor(do.ProposeRefusal, box=2, reason="hand"))
    (proposed,) = table.give(manager(do.ProposeRefusal, box=1, reason="wager"))
    assert isinstance(proposed, ev.RefusalProposed)
    refused(table, floor(do.ConfirmRefusal, box=1, upheld=True, meters=table.meters))
    refused(table, floor(do.ValidateProgressive, box=1, meters=table.meters))
    refused(table, floor(do.ProposeRefusal, box=1, reason="hand"))
    refused(table, manager(do.ConfirmRefusal, box=1, upheld=True, meters=table.meters))
    refused(table, dealer(do.SettleBox, box=1, meters=table.meters))
    (back,) = table.give(manager(do.ConfirmRefusal, box=1, upheld=False))
    assert isinstance(back, ev.RefusalSentBack)
    table.give(floor(do.ProposeRefusal, box=1, reason="hand"))
    said = table.give(manager(do.ConfirmRefusal, box=1, upheld=True, meters=table.meters))
    assert isinstance(said[0], ev.ProgressiveRefused)


@every_book
def test_a_refusal_needs_the_readings_and_a_win(book: str) -> None:
    table = waits(book, TOP[book])
    table.give(floor(do.ProposeRefusal, box=1, reason="hand"))
    with pytest.raises(Unreadable):
        table.give(manager(do.ConfirmRefusal, box=1, upheld=True))


@every_book
def test_a_box_whose_win_waits_is_not_left(book: str) -> None:
    """The hands are turned: nobody's is abandoned any more, won or not."""
    table = waits(book, SECOND_WINS[book])
    for box in (1, 2):
        assert "turned" in refused(table, dealer(do.ReportAbsence, box=box)).sentence
    validate(table, box=2)
    table.work()
    assert table.state.round.number == 2


@pytest.mark.parametrize("when", ["waits", "proposed", "hand", "wager", "wager at the end", "paid"])
@every_book
def test_a_void_returns_everything_however_far_a_win_has_come(book: str, when: str) -> None:
    table = waits(book, SECOND_WINS[book])
    if when == "proposed":
        table.give(floor(do.ProposeRefusal, box=2, reason="hand"))
    elif when in ("hand", "wager", "wager at the end"):
        refuse(table, when[:5].strip(), box=2)
    elif when == "paid":
        validate(table, box=2)
    if when.endswith("end"):
        table.work(lambda state: phase(state) == "clearing")
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    assert table.state.round.won is None
    assert table.meters == METERS[book]
    assert not [name for name, amount in accounts(table).items() if amount], accounts(table)
    table.work()
    assert table.state.round.number == 2


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


@every_book
def test_envy_of_a_holder_without_a_wager_waits_for_nobody(book: str) -> None:
    table = played(book, TOP[book], "clearing", wagering=(2,))
    assert [e.box for e in table.events if isinstance(e, ev.WagerSettled) and e.holder] == [2]
    assert not told(table, ev.ProgressiveWon, ev.ProgressiveValidated)


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
    table.give(seconded("abandon", gone))
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


def test_who_proposed_a_refusal_is_offered_to_send_it_back_and_no_more() -> None:
    table = waits("UTH-S", ROYAL)
    table.give(do.ProposeRefusal(by="Mo", role="manager", box=1, reason="hand"))
    offered = {
        name: [option for option in options(table.state, "manager", name) if "refusal" in option.do]
        for name in ("Mo", "Max")
    }
    assert [option.may_uphold for option in offered["Mo"]] == [False]
    assert [option.may_uphold for option in offered["Max"]] == [True]
    table.give(do.ConfirmRefusal(by="Mo", role="manager", box=1, upheld=False, meters=table.meters))
    assert table.state.round.won is not None
    assert not table.state.round.won.refusal


def test_a_win_whose_cards_nobody_can_open_is_seen_all_the_same() -> None:
    table = waits("UTH-S", ROYAL_SECOND)
    sealed = in_box(table.state, 2, cards=("@40", "@41"))
    assert view(sealed, PUBLIC).turn == 2


def test_a_void_that_waits_for_a_manager_may_be_dismissed_by_another_floorperson() -> None:
    table = waits("UTH-S", ROYAL)
    table.give(floor(do.VoidRound, cause="power-lost"))
    (option,) = (one for one in options(table.state, "floorperson", "Fay") if one.do == "confirm")
    assert not option.may_uphold
    table.give(do.Confirm(by="Fay", role="floorperson", upheld=False, meters=table.meters))
    assert table.state.hold is None


@every_book
def test_what_lay_beyond_a_limit_is_read_again_as_it_was(book: str) -> None:
    """Elsewhere on the link the meter was won and the overflow used up; the auditor decides again
    with nothing there, whatever this table last knew of it."""
    standing = METERS[book]["main"]
    table = opened(terms(book, meter_limits=(("main", standing + 1_000_000),)), (1, 2))
    known = replace(table.state, meters={"main": standing, "main overflow": 300_000})
    close = dealer(do.NoMoreBets, meters={"main": standing, "main overflow": 0})
    for box in (1, 2):
        base = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
        table.bet(box, **base, progressive="$5")
    table.work(lambda state: state.round.stage == "betting" and len(state.round.boxes) == 2)
    known = replace(table.state, meters=known.meters)
    events = decide(known, close)
    again = msgspec.structs.replace(close, meters=dict(readings_before(events, known)))
    assert decide(known, again) == events
