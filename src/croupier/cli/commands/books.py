"""``croupier books``: what a ledger's books say, and that they agree with what happened."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Literal

from cyclopts import Parameter

from croupier.cli.commands.solve import solved
from croupier.cli.ledger_address import reading as opened
from croupier.cli.output_formats import AsCsv, AsJson, print_csv, print_json
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.cli.terminal import TerminalSection, show
from croupier.cli.text.books import books_csv, books_report
from croupier.documents.blocks import Prose
from croupier.exact.solution_cache import kept
from croupier.facts.errors import Unreadable, quoted
from croupier.facts.money import cents
from croupier.games.registry import Registry
from croupier.ledger.books import Interval
from croupier.ledger.kept_table import system_clock
from croupier.ledger.reports.incident_list import incidents
from croupier.ledger.reports.large_wins import large_wins
from croupier.ledger.reports.meters import meters
from croupier.ledger.reports.sheet import MICROS_A_SECOND, Report, document
from croupier.ledger.reports.single_pass import Reading, read_for_reports
from croupier.ledger.reports.table_win import win
from croupier.ledger.reports.theory import Solutions
from croupier.ledger.reports.tip_list import tips
from croupier.ledger.reports.trial_balance import trial
from croupier.ledger.reports.wagers import wagers
from croupier.ledger.store.port import Ledger

BookName = Literal["trial", "win", "wagers", "meters", "events", "large-wins", "tips", "all"]
# From here on United States slot floors have long paid by hand; no rulebook here names an amount.
LARGE = "$1,200"
A_DAY_US = 86_400 * MICROS_A_SECOND


@dataclass(frozen=True)
class When:
    """The interval of a report.

    Parameters
    ----------
    from_
        The first moment, as 2026-11-15 or 2026-11-15T18:00:00; otherwise the beginning.
    until
        The moment before which the report ends; otherwise the last line.
    day
        One gaming day, as 2026-11-15.
    day_starts
        When a gaming day starts, as 06:00; otherwise midnight.
    """

    from_: Annotated[str | None, Parameter(name="--from")] = None
    until: str | None = None
    day: str | None = None
    day_starts: str | None = None

    def interval(self) -> Interval:
        if self.day is not None:
            if self.from_ is not None or self.until is not None:
                raise Unreadable("--day is an interval of its own; leave --from and --until out")
            starts, named = _hour(self.day_starts or "00:00"), _day(self.day)
            if named == datetime.date.max:
                raise Unreadable(f"{named} is the last day there is, and has no end; name another")
            begins = _micros(datetime.datetime.combine(named, starts, datetime.UTC))
            return Interval(begins, begins + A_DAY_US)
        if self.day_starts is not None:
            raise Unreadable("--day-starts says when a gaming day starts; name the --day")
        begins_us, ends_us = _moment(self.from_), _moment(self.until)
        if begins_us is not None and ends_us is not None and begins_us >= ends_us:
            raise Unreadable("the interval ends before it begins; --until is later than --from")
        return Interval(begins_us, ends_us)


ALWAYS = When()


def books(
    ledger: str,
    report: BookName = "all",
    /,
    *,
    table: str = "",
    when: Annotated[When, Parameter(name="*")] = ALWAYS,
    kind: str = "",
    large: str = LARGE,
    theory: Annotated[bool, Parameter(negative="")] = False,
    json_: AsJson = False,
    csv_: AsCsv = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Print the books of a ledger: balance, win, meters, tips.

    The reports are the trial balance, table win, wagers, meters, events, large wins and tips. Each
    reads the double entries kept with the lines and the events themselves, and says
    where the two differ; the exit status is then 1. Practice tables are marked as such and never
    summed with others. Times are UTC. The accounts and reports are told in docs/books.md.

    For example:

        croupier books casino.db

        croupier books casino.db win --table UTH-1 --day 2026-11-15 --day-starts 06:00

        croupier books casino.db events --kind void --from 2026-11-15T18:00

        croupier books casino.db meters --csv

    Parameters
    ----------
    ledger
        The ledger: a file, or a postgresql:// address.
    report
        trial, win, wagers, meters, events, large-wins, tips, or all of them.
    table
        Only this table, and its link.
    kind
        Only significant events of this kind, as void or refused.
    large
        From which amount on a win or a wager is large; otherwise $1,200.
    theory
        Compute exact returns that no earlier run has left; this can take minutes.
    json_
        Print one JSON document.
    csv_
        Print every sheet as lines of CSV.
    """
    if json_ and csv_:
        raise Unreadable("--json and --csv are two ways to print; choose one")
    if kind and report not in ("all", "events"):
        raise Unreadable(f"--kind chooses among significant events; leave it out for {report}")
    large_cents = cents(large if large.startswith("$") else f"${large}")
    with opened(ledger) as kept_in:
        reading = _read(kept_in, registry, when.interval(), table, large_cents)
    names = list(REPORTS) if report == "all" else [report]
    solutions: Solutions = solved if theory else kept
    made = [each for name in names for each in REPORTS[name](reading, registry, solutions, kind)]
    _print(made, reading, json_, csv_)
    return 0 if all(each.holds for each in made) else 1


def _print(made: list[Report], reading: Reading, as_json: bool, as_csv: bool) -> None:
    if as_json:
        holds = all(each.holds for each in made)
        said = {"ledger": reading.books.ledger, "holds": holds}
        print_json(said | {"reports": [document(each) for each in made]})
    elif as_csv:
        print_csv(books_csv(made))
    else:
        empty: list[TerminalSection] = [(Prose("There is no table in this ledger."),)]
        show(chain.from_iterable(map(books_report, made)) if made else empty, Screen())


ReportMaker = Callable[[Reading, Registry, Solutions, str], Iterator[Report]]
REPORTS: Mapping[str, ReportMaker] = {
    "trial": lambda reading, registry, solutions, kind: trial(reading),
    "win": lambda reading, registry, solutions, kind: win(reading),
    "wagers": lambda reading, registry, solutions, kind: wagers(reading, registry, solutions),
    "meters": lambda reading, registry, solutions, kind: meters(reading),
    "events": lambda reading, registry, solutions, kind: incidents(reading, kind),
    "large-wins": lambda reading, registry, solutions, kind: large_wins(reading),
    "tips": lambda reading, registry, solutions, kind: tips(reading),
}


def _read(
    ledger: Ledger, registry: Registry, interval: Interval, table: str, large_cents: int
) -> Reading:
    lines = sum(head.version for head in ledger.heads().values())
    with counting("reading the lines", lines) as progress:
        return read_for_reports(
            ledger,
            registry,
            interval,
            system_clock(),
            table=table,
            large_cents=large_cents,
            progress=progress,
        )


def _moment(written: str | None) -> int | None:
    """A moment as people write it; without a zone it is UTC."""
    if written is None:
        return None
    try:
        at = datetime.datetime.fromisoformat(written)
    except ValueError:
        raise Unreadable(
            f"{quoted(written)} is no time; write it like 2026-11-15 or 2026-11-15T18:00:00"
        ) from None
    return _micros(at if at.tzinfo is not None else at.replace(tzinfo=datetime.UTC))


def _day(written: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(written)
    except ValueError:
        raise Unreadable(f"{quoted(written)} is no day; write it like 2026-11-15") from None


def _hour(written: str) -> datetime.time:
    try:
        at = datetime.time.fromisoformat(written)
    except ValueError:
        at = None
    if at is None or at.tzinfo is not None:
        raise Unreadable(f"{quoted(written)} is no time of day; write it like 06:00, in UTC")
    return at


def _micros(at: datetime.datetime) -> int:
    since = at - datetime.datetime.fromtimestamp(0, datetime.UTC)
    return since.days * A_DAY_US + since.seconds * MICROS_A_SECOND + since.microseconds
