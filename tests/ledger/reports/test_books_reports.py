"""Each report of the books against the same accountant, and against itself cut in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from croupier.exact.solution_cache import solved
from croupier.facts.errors import Refusal, Unreadable
from croupier.ledger.books import Interval
from croupier.ledger.installation import install
from croupier.ledger.reports.incident_list import incidents
from croupier.ledger.reports.large_wins import large_wins
from croupier.ledger.reports.meters import meters
from croupier.ledger.reports.sheet import Report, document, finely, plain, shown
from croupier.ledger.reports.single_pass import Reading, read_for_reports
from croupier.ledger.reports.table_win import win
from croupier.ledger.reports.theory import BASE, base_rules, theory_of
from croupier.ledger.reports.tip_list import tips
from croupier.ledger.reports.trial_balance import trial
from croupier.ledger.reports.wagers import EXPECTED, UNKNOWN, wagers
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger
from croupier.submission.check import shipped_submission
from croupier.table import commands as do
from croupier.table import events as ev
from tests.ledger.accountant import MICROS_A_CENT, Watched, eventful, model_of

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
WHOLE = Interval()
LARGE_CENTS = 1_200_00


@dataclass
class Pit:
    """Two tables of one book on one link, and a practice table beside them."""

    evening: Watched
    ledger: Ledger

    def read(
        self, interval: Interval = WHOLE, table: str = "", large: int = LARGE_CENTS
    ) -> Reading:
        registry = self.evening.registry
        return read_for_reports(self.ledger, registry, interval, 0, table=table, large_cents=large)

    def of(self, table: str) -> list[Any]:
        return [each for each in self.evening.seen if each.table == table]


@pytest.fixture(scope="module")
def pits(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Pit]:
    known: dict[str, Pit] = {}

    def pit(book: str) -> Pit:
        if book not in known:
            address = str(tmp_path_factory.mktemp(book) / "pit.db")
            evening, ledger = Watched(seed=11), open_ledger(address, create=True)
            eventful(evening, ledger, book, "T-1", link="pit")
            eventful(evening, ledger, book, "T-2", link="pit")
            known[book] = Pit(evening, ledger)
        return known[book]

    return pit


def rows(report: Report, sheet: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document(report)["sheets"][sheet]["rows"]
    return found


def only(reports: Iterable[Report], table: str) -> Report:
    return next(each for each in reports if each.heading.table == table)


def every_report(pit: Pit, reading: Reading) -> list[Report]:
    registry = pit.evening.registry
    return [
        *trial(reading),
        *win(reading),
        *wagers(reading, registry, lambda rules: None),
        *meters(reading),
        *incidents(reading),
        *large_wins(reading),
        *tips(reading),
    ]


@pytest.mark.parametrize("book", BOOKS)
def test_win_and_boxes(book: str, pits: Callable[[str], Pit]) -> None:
    pit = pits(book)
    for table in ("T-1", "T-2"):
        model = model_of(pit.of(table))
        report = only(win(pit.read()), table)
        figures = {row["figure"]: row["amount_micros"] for row in rows(report)}
        both = [amount for name, amount in figures.items() if name.startswith("Table win")]
        assert both == [model.win_micros] * 2
        assert figures["Cash-outs"] == sum(model.cashed.values()) * MICROS_A_CENT
        assert figures["Contributions to meters"] == -sum(model.grown.values())
        *boxes, total = rows(report, 1)
        for row in boxes:
            lines = model.by_box[row["box"]]
            assert row["bought_cents"] == model.bought[row["box"]]
            assert row["cashed_cents"] == model.cashed.get(row["box"], 0)
            assert row["tipped_cents"] == model.tipped.get(row["box"], 0)
            assert row["outside_cents"] == model.outside.get(row["box"], 0)
            assert (row["wagered_cents"], row["paid_cents"]) == (lines.wagered, lines.paid)
            assert (row["returned_cents"], row["jackpot_cents"]) == (lines.returned, lines.jackpot)
        assert total["bought_cents"] == sum(model.bought.values())


@pytest.mark.parametrize("book", BOOKS)
def test_totals_by_wager(book: str, pits: Callable[[str], Pit]) -> None:
    pit = pits(book)
    registry = pit.evening.registry
    titles = {w.title: w.name for w in registry.book(book).wagers} | {"Envy": "envy"}
    report = only(wagers(pit.read(), registry, lambda rules: None), "T-2")
    model = model_of(pit.of("T-2"))
    assert rows(report)[0]["rounds"] == model.rounds
    assert rows(report)[0]["voids"] == model.voids == 3
    *by_wager, base, everything = rows(report, 1)
    assert {titles[row["wager"]] for row in by_wager} == set(model.by_wager)
    letters = dict(shipped_submission(book).paytables)
    for row in by_wager:
        lines = model.by_wager[titles[row["wager"]]]
        assert row["paytable"] == letters.get(titles[row["wager"]], "")
        assert (row["wagers"], row["wagered_cents"]) == (lines.wagers, lines.wagered)
        assert (row["paid_cents"], row["returned_cents"]) == (lines.paid, lines.returned)
        assert (row["jackpots"], row["jackpot_cents"]) == (lines.jackpots, lines.jackpot)
        assert (row["voids"], row["voided_cents"]) == (lines.voids, lines.voided)
        back = lines.paid + lines.returned + lines.jackpot
        if lines.wagered:
            assert row["actual_exact"] == str(Fraction(back, lines.wagered))
    assert base["wager"] == "Base game"
    assert everything["wagered_cents"] == sum(each.wagered for each in model.by_wager.values())
    assert UNKNOWN in report.notes


@pytest.mark.parametrize("book", BOOKS)
def test_every_meter_is_paid_or_displayed(book: str, pits: Callable[[str], Pit]) -> None:
    pit = pits(book)
    (report,) = meters(pit.read())
    assert report.holds
    assert report.heading.table == "T-1, T-2"
    offer = shipped_submission(book).progressive
    assert offer is not None
    for row in rows(report):
        meter = next(each for each in offer.meters if each.name == row["meter"])
        happened = [
            event for each in pit.evening.seen for event in each.events if hasattr(event, "meter")
        ]
        own = [event for event in happened if event.meter == meter.name]
        grew = sum(event.by_micros for event in own if isinstance(event, ev.MeterGrew))
        won = [event for event in own if isinstance(event, ev.WagerSettled)]
        assert row["start_micros"] == meter.initial_cents * MICROS_A_CENT
        assert row["taken_micros"] == grew
        assert row["hits"] == len(won)
        assert row["drawn_micros"] == -sum(event.paid_cents for event in won) * MICROS_A_CENT
        newest: Any = own[-1]
        won_it = isinstance(newest, ev.WagerSettled)
        reading = newest.meter_after_micros if won_it else newest.reading_micros
        assert row["displayed_micros"] == reading
    models = [model_of(pit.of(table)) for table in ("T-1", "T-2")]
    outside = sum(sum(model.outside.values()) for model in models)
    assert sum(row["outside_micros"] for row in rows(report)) == outside * MICROS_A_CENT


@pytest.mark.parametrize("book", BOOKS)
def test_an_award_that_waits_is_still_displayed(book: str, pits: Callable[[str], Pit]) -> None:
    pit = pits(book)
    waits = next(
        each
        for each in pit.evening.seen
        if each.after.round.won is not None and each.after.round.won.meter is not None
    )
    reading = pit.read(Interval(None, waits.at_us + 1))
    (report,) = meters(reading)
    assert report.holds
    (won,) = [event for event in waits.events if isinstance(event, ev.ProgressiveWon)]
    (row,) = [row for row in rows(report) if row["meter"] == won.meter]
    assert row["displayed_micros"] == won.reading_micros
    assert row["drawn_micros"] == 0
    listed = rows(only(large_wins(reading), waits.table))
    assert [(row["status"], row["amount_cents"]) for row in listed if row["meter"]] == [
        ("waits", won.cents)
    ]


@pytest.mark.parametrize("book", BOOKS)
def test_every_report_holds_wherever_the_evening_is_cut(
    book: str, pits: Callable[[str], Pit]
) -> None:
    pit = pits(book)
    times = [each.at_us for each in pit.evening.seen]
    for at_us in times[3::41]:
        for interval in (Interval(None, at_us), Interval(at_us, None)):
            for report in every_report(pit, pit.read(interval)):
                differs = [check for check in report.checks if not check.holds]
                assert differs == []


def is_large(event: ev.WagerSettled | ev.ProgressiveWon, least: int) -> bool:
    """A Progressive win is listed when it is won, and its line only says what became of it."""
    if isinstance(event, ev.ProgressiveWon):
        return event.meter is not None or event.cents >= least
    return event.wager != "progressive" and event.paid_cents >= least


@pytest.mark.parametrize("book", BOOKS)
def test_large_wins_say_who_validated_them(book: str, pits: Callable[[str], Pit]) -> None:
    pit = pits(book)
    found = rows(only(large_wins(pit.read()), "T-1"))
    happened = [
        event.cents if isinstance(event, ev.ProgressiveWon) else event.paid_cents
        for each in pit.of("T-1")
        for event in each.events
        if isinstance(event, ev.WagerSettled | ev.ProgressiveWon) and is_large(event, LARGE_CENTS)
    ]
    assert [row["amount_cents"] for row in found] == happened
    assert {row["player"] for row in found} <= {"Ann", "Ben", "Cleo"}
    status = {row["status"] for row in found if row["meter"]}
    where, papers = "paid outside the table", "floorperson"
    if book == "UTH-S":
        where, papers = "paid at the table", ""
    assert {"refused", "reversed", where} <= status
    paid = next(row for row in found if row["status"] == where)
    assert (paid["validated_by"], paid["paperwork_by"]) == ("floorperson", papers)
    assert {row["validated_by"] for row in found if row["status"] == "refused"} == {"manager"}
    assert any(row["level"].startswith("100%") for row in found)


def test_the_threshold_of_large_wins_is_an_option(pits: Callable[[str], Pit]) -> None:
    pit = pits("UTH-S")
    few = rows(only(large_wins(pit.read(large=100_000_00)), "T-1"))
    assert {bool(row["meter"]) for row in few} == {True}
    many = rows(only(large_wins(pit.read(large=10_00)), "T-1"))
    assert len(many) > len(few)


def test_the_theory_beside_what_was(pits: Callable[[str], Pit]) -> None:
    """Exact values, from an earlier run or found now: UTH returns 99.47% of all money wagered
    at its best play, and Trips A 99.10% (both as published analyses have them).
    """
    pit = pits("UTH-S")
    registry, filed = pit.evening.registry, shipped_submission("UTH-S")
    solution = solved(base_rules(filed, registry))
    returns = theory_of(filed, registry, lambda rules: solution)
    assert returns[BASE] == 1 + solution.base.ev / solution.base.average_wager
    assert shown(returns[BASE], "share") == "99.47%"
    assert shown(returns["trips"], "share") == "99.10%"
    report = only(wagers(pit.read(), registry, lambda rules: solution), "T-1")
    told = {row["wager"]: row["theory_exact"] for row in rows(report, 1)}
    assert told["Base game"] == str(returns[BASE])
    assert told["Six Card Bonus"] == str(returns["six_card_bonus"])
    assert EXPECTED in report.notes


def test_tips(pits: Callable[[str], Pit]) -> None:
    report = only(tips(pits("FCP-14").read()), "T-1")
    *given, total = rows(report)
    assert [(row["box"], row["player"], row["amount_cents"]) for row in given] == [
        (1, "Ann", 7_50),
        (2, "Ben", 2_50),
    ]
    assert (total["tips"], total["amount_cents"]) == (2, 10_00)
    assert rows(report, 1)[0]["closing_micros"] == 10_00 * MICROS_A_CENT


@pytest.mark.parametrize("book", BOOKS)
def test_significant_events_are_found_by_kind(book: str, pits: Callable[[str], Pit]) -> None:
    pit = pits(book)
    reading = pit.read()
    listed = rows(only(incidents(reading), "T-1"))
    assert [row["at"] for row in listed] == sorted(row["at"] for row in listed)
    counts = {
        kind: sum(isinstance(event, of) for each in pit.of("T-1") for event in each.events)
        for kind, of in {
            "void": ev.RoundVoided,
            "reversed": ev.LineReversed,
            "returned": ev.WagerReturned | ev.AcceptanceCancelled,
            "award refused": ev.ProgressiveRefused,
            "award waits": ev.ProgressiveWon,
            "award validated": ev.ProgressiveValidated,
            "refusal proposed": ev.RefusalProposed,
            **({} if book == "UTH-S" else {"paperwork": ev.PaperworkRecorded}),
        }.items()
    }
    for kind, count in counts.items():
        alone = rows(only(incidents(reading, kind), "T-1"))
        assert len(alone) == count > 0
        assert {row["kind"] for row in alone} == {kind}
        assert [row for row in listed if row["kind"] == kind] == alone
    assert {row["kind"] for row in listed} >= {"installed", "link", "opened", "absence"}
    with pytest.raises(Unreadable, match="no kind"):
        list(incidents(reading, "earthquake"))


def test_refused_commands_are_counted_and_those_of_the_house_listed(tmp_path: Path) -> None:
    ledger = open_ledger(str(tmp_path / "desk.db"), create=True)
    evening = Watched(seed=2)
    table = evening.install(ledger, "UTH-S", "T-1")
    evening.sit(table, 1)
    refused: list[do.Command] = [
        do.Tip(by="Ann", role="player", box=1, cents=10_000_00),
        do.Tip(by="Ann", role="player", box=1, cents=20_000_00),
        do.Reveal(by="dealer", role="dealer"),
    ]
    for command in refused:
        with pytest.raises(Refusal):
            evening.give(table, command)
    pit = Pit(evening, ledger)
    report = only(incidents(pit.read(), "refused"), "T-1")
    (listed,) = rows(report)
    assert (listed["by"], listed["stream"], listed["version"]) == ("dealer", "desk/T-1", 3)
    assert {row["role"]: row["refused"] for row in rows(report, 1)} == {"player": 2, "dealer": 1}


def test_a_changed_key_and_a_lost_pack_are_told(tmp_path: Path) -> None:
    ledger = open_ledger(str(tmp_path / "keys.db"), create=True)
    evening = Watched(seed=2)
    evening.install(ledger, "UTH-S", "T-1")
    evening.resumed(ledger, "T-1", new_ring())
    pit = Pit(evening, ledger)
    kinds = [row["kind"] for row in rows(only(incidents(pit.read()), "T-1"))]
    assert kinds.count("key") == kinds.count("pack") == 1


def test_practice_is_marked_and_never_summed_with_the_rest(tmp_path: Path) -> None:
    ledger = open_ledger(str(tmp_path / "mixed.db"), create=True)
    evening = Watched(seed=4)
    for name in ("R-1", "R-2"):
        evening.sit(evening.install(ledger, "UTH-S", name), 1)
    for name in ("P-1", "P-2", "P-3"):
        filed = shipped_submission("UTH-S")
        practice = install(
            ledger,
            filed,
            evening.registry,
            evening.ring,
            evening.packs,
            by="manager",
            name=name,
            practice=True,
            clock=evening.clock,
        )
        evening.sit(practice, 1)
    reports = every_report(Pit(evening, ledger), Pit(evening, ledger).read())
    assert all(report.holds for report in reports)
    for report in reports:
        names = report.heading.table.split(", ")
        assert report.heading.practice == names[0].startswith("P")
        assert len({name[0] for name in names}) == 1
    whole = [each for each in reports if each.heading.title == "Trial balance, all tables"]
    drops = [
        row["closing_micros"] for each in whole for row in rows(each) if row["account"] == "drop"
    ]
    assert drops == [2 * 5_000_000_000, 3 * 5_000_000_000]


def test_no_activity_is_said(pits: Callable[[str], Pit]) -> None:
    pit = pits("UTH-S")
    after = pit.evening.seen[-1].at_us + 1
    reports = every_report(pit, pit.read(Interval(after, after + 1)))
    assert len(reports) > 10
    assert not any(report.active for report in reports)
    assert all(report.holds for report in reports)


def test_a_report_says_what_it_is_of(pits: Callable[[str], Pit]) -> None:
    pit = pits("FCP-14")
    reading = pit.read(Interval(1_800_000_000_000_000, 1_900_000_000_000_000), table="T-2")
    (report,) = win(reading)
    said = document(report)
    filed = shipped_submission("FCP-14")
    assert (said["operator"], said["facility"]) == (filed.operator, filed.facility)
    assert (said["table"], said["link"], said["rulebook"]) == ("T-2", "pit", "FCP-14")
    assert said["version"] == filed.version
    assert (said["from"], said["until"]) == ("2027-01-15T08:00:00Z", "2030-03-17T17:46:40Z")
    assert said["generated"] == "1970-01-01T00:00:00Z"
    head = pit.ledger.head("table/T-2")
    assert said["heads"] == [
        {"stream": "table/T-2", "version": head.version, "hash": head.hash.hex()}
    ]
    assert said["ledger"] == pit.ledger.id


def test_amounts_finer_than_a_cent_are_shown_to_the_end() -> None:
    assert [finely(each) for each in (12_340_000, 12_345_600, -1, 0)] == [
        "$12.34",
        "$12.3456",
        "-$0.000001",
        "$0.00",
    ]
    assert shown(Fraction(2, 3), "share") == "66.67%"
    assert plain(Fraction(-1, 2), "share") == "-0.50000000"
    assert plain(-123_456_00, "cents") == "-123456.00"
    assert plain("=1+1", "text") == "'=1+1"
    assert shown("Ann\x1b[2J", "text") == "Ann\\x1b[2J"


def test_the_reports_of_either_store_are_the_same(address: str, tmp_path: Path) -> None:
    """The same evening on a file and on the store of the test: the same figures."""
    told = []
    for where in (address, str(tmp_path / "other.db")):
        with closing(open_ledger(where, create=True)) as ledger:
            evening = Watched(seed=7)
            table = evening.install(ledger, "UTH-S", "T-1")
            evening.sit(table, 2)
            evening.play(table, 2)
            pit = Pit(evening, ledger)
            reports = every_report(pit, pit.read())
            assert all(report.holds for report in reports)
            told.append([[sheet.rows for sheet in report.sheets] for report in reports])
    assert told[0] == told[1]
