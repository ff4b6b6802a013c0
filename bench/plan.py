"""``python -m bench.plan``: compute the plans, and write them into their page between its markers.

What was measured stands in measured.toml, what is supposed in plan.toml; here is arithmetic alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from bench.inputs import Inputs, read_inputs
from bench.sizes import Size as RoundSize
from bench.tables import Cell, bits, bold_greatest, bytes_, dollars, number, share, span, table
from croupier.server.pit.group_commit import MOST_AT_ONCE
from croupier.server.pit.pit import METERS_EVERY_S

ASSUMED = Path(__file__).with_name("plan.toml")
PAGE = Path(__file__).parents[1] / "docs" / "planning.md"
BEGIN, END = "<!-- {}, written by python -m bench.plan -->", "<!-- end of {} -->"
SOCKETS = 7  # six boxes and the dealer
HOUR_S, YEAR_DAYS, MONTH_DAYS = 3600, 365, 30


class Pit(msgspec.Struct, frozen=True):
    """One size to plan for; a price of its own counts before the general one."""

    name: str
    tables: int
    tables_on_a_link: int
    hours_a_day: float
    traffic_gb_usd: float = 0.0


class Assumed(msgspec.Struct, frozen=True):
    rounds_an_hour: float
    share_used: float
    patience_s: float
    kept_years: float
    ledger_days: float
    database_cores: int
    network_mbit: float
    database_copies: int
    archive_copies: int
    core_month_usd: float
    gb_month_usd: float
    archive_gb_month_usd: float
    sizes: list[Pit]


class Plan:
    """The arithmetic for one size. Every table is planned as the game that takes most."""

    def __init__(self, pit: Pit, assumed: Assumed, found: Inputs) -> None:
        self.pit, self.assumed, self.found = pit, assumed, found
        self.round = costliest(found)

    # The busiest hour

    @property
    def rounds_s(self) -> float:
        return self.pit.tables * self.assumed.rounds_an_hour / HOUR_S

    @property
    def commands_s(self) -> float:
        return self.rounds_s * self.round.commands

    def service_us(self, processes: int) -> float:
        """A command at its table's process, and carrying it and its views between processes."""
        alone, shared = sum(self.found.alone.services_us), sum(self.found.shared.services_us)
        carrying = max(0.0, shared - alone) / self.found.shared.forwarded
        return alone + carrying * (1 - 1 / processes)

    @property
    def processes(self) -> int:
        """As many as are needed for the busiest hour, and one that may be missing."""
        needed = 1
        while self.cores(needed + 1) > needed * self.assumed.share_used:
            needed += 1
        return needed + 1

    def cores(self, processes: int) -> float:
        return self.commands_s * self.service_us(processes) / 1e6 + self.meter_cores

    @property
    def service_cores(self) -> float:
        return self.cores(self.processes)

    @property
    def meter_frames_s(self) -> float:
        """A link that moved is told to every socket at its tables, twice a second at most."""
        on_it = min(self.pit.tables_on_a_link, self.pit.tables)
        told = min(self.moves_s, 1 / METERS_EVERY_S) * on_it * SOCKETS
        return told * self.pit.tables / on_it

    @property
    def meter_cores(self) -> float:
        return self.meter_frames_s * self.found.meters.frame_us / 1e6

    @property
    def database_cores(self) -> float:
        looking = self.processes * self.pit.tables * self.found.roster.database_us
        return (self.commands_s * (self.found.shared.database_us or 0) + looking) / 1e6

    @property
    def looking_cores(self) -> float:
        """What one process uses to see who has which table."""
        return self.pit.tables * self.found.roster.process_us / 1e6

    @property
    def views_mbit(self) -> float:
        return 8 * self.commands_s * self.found.shared.bytes / 1e6

    @property
    def log_bytes_s(self) -> float:
        return self.rounds_s * (self.round.log_bytes or 0)

    @property
    def moves_s(self) -> float:
        on_it = min(self.pit.tables_on_a_link, self.pit.tables)
        return on_it * self.assumed.rounds_an_hour / HOUR_S * self.round.link_appends

    @property
    def link_takes(self) -> float:
        """Where more processes were not measured the most that were."""
        fits = [each.moves for each in self.found.links if each.processes >= self.processes]
        return fits[0] if fits else self.found.links[-1].moves

    # What is kept

    @property
    def rounds_a_day(self) -> float:
        return self.pit.tables * self.assumed.rounds_an_hour * self.pit.hours_a_day

    @property
    def lines_a_year(self) -> float:
        return self.rounds_a_day * YEAR_DAYS * self.round.lines

    @property
    def bytes_a_year(self) -> float:
        return self.rounds_a_day * YEAR_DAYS * self.round.disk_bytes

    @property
    def online_bytes(self) -> float:
        return self.bytes_a_year * self.assumed.ledger_days / YEAR_DAYS

    @property
    def archive_bytes(self) -> float:
        return self.lines_a_year * self.found.upkeep.packed_bytes * self.assumed.kept_years

    @property
    def ledger_lines(self) -> float:
        return self.lines_a_year * self.assumed.ledger_days / YEAR_DAYS

    @property
    def audit_s(self) -> float:
        return self.ledger_lines * self.found.upkeep.audit_us / 1e6

    @property
    def backup_s(self) -> float:
        return self.ledger_lines * self.found.upkeep.backup_us / 1e6

    @property
    def tables_taken(self) -> float:
        """The tables of one process are shared out among the others, and each reads its part one
        after the other."""
        return max(1, self.pit.tables / self.processes / (self.processes - 1))

    @property
    def takeover_s(self) -> float:
        """However old the ledger is: a table is read from where it last told how it stands."""
        most_ms = max(each.from_standing_ms for each in self.found.read_back)
        return self.found.takeover.seconds + self.tables_taken * most_ms / 1e3

    @property
    def takeover_from_first_s(self) -> float:
        """If every table were read from its first line instead, with the ledger at its oldest."""
        young, old = self.found.read_back[0], self.found.read_back[-1]
        line_ms = (old.from_first_ms - young.from_first_ms) / (old.lines - young.lines)
        lines = self.ledger_lines / self.pit.tables
        return self.found.takeover.seconds + self.tables_taken * lines * line_ms / 1e3

    # Cost

    @property
    def cores_bought(self) -> float:
        each = max(2, math.ceil(self.database_cores / self.assumed.share_used))
        return self.processes + each * self.assumed.database_copies

    @property
    def traffic_gb_month(self) -> float:
        a_day = self.rounds_a_day * self.round.commands * self.found.shared.bytes
        return a_day * MONTH_DAYS / 1e9

    @property
    def month_usd(self) -> dict[str, float]:
        paid = self.assumed
        return {
            "cores": self.cores_bought * paid.core_month_usd,
            "disk": self.online_bytes / 1e9 * paid.database_copies * paid.gb_month_usd,
            "archive": self.archive_bytes / 1e9 * paid.archive_copies * paid.archive_gb_month_usd,
            "traffic": self.traffic_gb_month * self.pit.traffic_gb_usd,
        }

    # What binds

    @property
    def shares(self) -> dict[str, float]:
        """Of what one of each can take at most, the busiest hour's part: above 1, one is not
        enough."""
        flushes = min(each.syncs for each in self.found.links) * MOST_AT_ONCE
        return {
            "one process's event loop, for commands": self.service_cores - self.meter_cores,
            "one process's event loop, to tell of meters": self.meter_cores,
            "one database server's cores": self.database_cores / self.assumed.database_cores,
            "its waits for the disk, 64 commands each": self.commands_s / flushes,
            "one link's stream": self.moves_s / self.link_takes,
            "each process's look at who has what": self.looking_cores,
            "one network port": self.views_mbit / self.assumed.network_mbit,
            "a takeover in time": self.takeover_s / self.assumed.patience_s,
        }


def costliest(found: Inputs) -> RoundSize:
    on_server = [each for each in found.sizes if each.log_bytes is not None]
    return max(on_server, key=lambda each: each.disk_bytes)


PlanRow = tuple[str, Callable[[Plan], Cell]]
ROWS: tuple[PlanRow, ...] = (
    ("tables", lambda p: number(p.pit.tables)),
    ("boxes", lambda p: number(p.pit.tables * (SOCKETS - 1))),
    ("sockets of players and dealers", lambda p: number(p.pit.tables * SOCKETS)),
    ("links", lambda p: number(math.ceil(p.pit.tables / p.pit.tables_on_a_link))),
    ("rounds a second", lambda p: number(p.rounds_s)),
    ("commands a second", lambda p: number(p.commands_s)),
    ("processes, one of them to spare", lambda p: number(p.processes)),
    ("cores they use", lambda p: number(p.service_cores)),
    ("cores the database uses", lambda p: number(p.database_cores)),
    ("views sent", lambda p: bits(p.views_mbit)),
    ("write-ahead log a second", lambda p: bytes_(p.log_bytes_s)),
    ("frames a second that tell of meters", lambda p: number(p.meter_frames_s)),
    ("cores to tell of meters", lambda p: number(p.meter_cores)),
    ("movements of a link a second", lambda p: number(p.moves_s)),
    ("the link can take", lambda p: number(p.link_takes)),
    ("lines a year", lambda p: number(p.lines_a_year)),
    ("database a year", lambda p: bytes_(p.bytes_a_year)),
    ("database, the ledger at its oldest", lambda p: bytes_(p.online_bytes)),
    ("archive, all years, one copy", lambda p: bytes_(p.archive_bytes)),
    ("backup of a ledger, one core", lambda p: span(p.backup_s)),
    ("audit of a ledger, one core", lambda p: span(p.audit_s)),
    ("takeover, however old the ledger", lambda p: span(p.takeover_s)),
    (
        "the same, if tables were read from their first line",
        lambda p: span(p.takeover_from_first_s),
    ),
)
COSTS: tuple[PlanRow, ...] = (
    ("cores bought", lambda p: number(p.cores_bought)),
    ("for cores", lambda p: dollars(p.month_usd["cores"])),
    ("for fast disk", lambda p: dollars(p.month_usd["disk"])),
    ("for the archive", lambda p: dollars(p.month_usd["archive"])),
    ("for traffic", lambda p: dollars(p.month_usd["traffic"])),
    ("together", lambda p: dollars(sum(p.month_usd.values()))),
    ("for each table", lambda p: dollars(sum(p.month_usd.values()) / p.pit.tables)),
)


def main() -> None:
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")


def filled(page: str) -> str:
    """The page with all that is computed put in anew."""
    found = read_inputs()
    assumed = msgspec.toml.decode(ASSUMED.read_text("utf-8"), type=Assumed)
    plans = [Plan(pit, assumed, found) for pit in assumed.sizes]
    for name, text in {
        "measured": measured(found),
        "supposed": supposed(assumed),
        "plans": _rows("plan", plans, ROWS),
        "shares": shares(plans),
        "costs": _rows("a month", plans, COSTS),
    }.items():
        begin, end = BEGIN.format(name), END.format(name)
        before, _, rest = page.partition(begin)
        _, found_end, after = rest.partition(end)
        assert found_end, f"the page has no place for {name}"
        page = f"{before}{begin}\n\n{text}\n\n{end}{after}"
    return page


def _rows(head: str, plans: list[Plan], rows: tuple[PlanRow, ...]) -> str:
    return table((head, *(p.pit.name for p in plans)), [
        (name, *(tell(p) for p in plans)) for name, tell in rows
    ])  # fmt: skip


def shares(plans: list[Plan]) -> str:
    """The greatest share of each size is its bottleneck; what comes after it counts once that is
    seen to."""
    columns = [bold_greatest(p.shares) for p in plans]
    rows = [(name, *(column[name] for column in columns)) for name in plans[0].shares]
    ranked = [sorted(p.shares, key=p.shares.__getitem__, reverse=True) for p in plans]
    named = [
        (f"**{place}**", *(names[n] for names in ranked))
        for n, place in enumerate(("the bottleneck", "the next"))
    ]
    return table(("share of", *(p.pit.name for p in plans)), [*rows, *named])


def supposed(assumed: Assumed) -> str:
    fields = msgspec.to_builtins(assumed)
    rows = [(f"`{name}`", f"{value:g}") for name, value in fields.items() if name != "sizes"]
    return table(("in `bench/plan.toml`", "supposed"), rows)


def measured(found: Inputs) -> str:
    most = costliest(found)
    by = "`python -m bench.measure {}`".format
    shared, size, back = by("shared"), by("sizes"), by("read_back")
    rows = [
        ("a command, one process on SQLite", _us(found.sqlite.services_us), by("sqlite")),
        ("a command, one process on PostgreSQL", _us(found.alone.services_us),
         by("alone")),
        ("a command, two processes on PostgreSQL", _us(found.shared.services_us), shared),
        ("of its sockets forwarded", share(found.shared.forwarded), shared),
        ("a command, the database", _us([found.shared.database_us or 0]), shared),
        ("a command, bytes to all seven sockets", bytes_(found.shared.bytes), shared),
        ("latency, half and 99 of 100", f"{found.shared.p50_ms:.0f} and {found.shared.p99_ms:.0f} "
         "ms", shared),
        (f"takeover of {found.takeover.tables} young tables under load, {found.takeover.lost} "
         "answered commands lost", f"{found.takeover.seconds:.1f} s", shared),
        (f"commands a round, {most.book}, six boxes", f"{most.commands:.1f}", size),
        ("lines a round", f"{most.lines:.1f}", size),
        *((f"database a round, {each.book}, {each.store}", bytes_(each.disk_bytes), size)
          for each in found.sizes),
        ("a line in the database, with its part of the indexes",
         bytes_(most.disk_bytes / most.lines), size),
        ("write-ahead log a round", bytes_(most.log_bytes or 0), size),
        ("a line in a compressed backup", bytes_(found.upkeep.packed_bytes), size),
        ("a line, to audit", _us([found.upkeep.audit_us]), size),
        ("a line, to back up", _us([found.upkeep.backup_us]), size),
        (f"a table and its link of {_each(f'{one.lines:,}' for one in found.read_back)} lines, to "
         "read back from the first line",
         _each(f"{one.from_first_ms:,.0f}" for one in found.read_back) + " ms", back),
        ("the same from where they stood, at most",
         _each(f"{one.from_standing_ms:,.1f}" for one in found.read_back) + " ms", back),
        (f"movements of one link a second, {_each(str(one.processes) for one in found.links)} "
         f"processes ({_each(f'{one.tries:.1f}' for one in found.links)} tries each)",
         _each(number(one.moves) for one in found.links), by("links")),
        ("waits for the disk a second, plain writes",
         number(min(each.syncs for each in found.links)), by("links")),
        ("a movement of a link, told to one socket", _us([found.meters.frame_us]),
         by("meters")),
        ("a table, to see who has it", _us([found.roster.process_us]), by("roster")),
        ("the same in the database", _us([found.roster.database_us]), by("roster")),
    ]  # fmt: skip
    named = [
        (what, value, how if n == 0 or how != rows[n - 1][2] else "")
        for n, (what, value, how) in enumerate(rows)
    ]
    return (
        f"{found.machine} Times are CPU, if nothing else is said; an empty place is as above.\n\n"
        + table(("what", "measured", "by"), named)
    )


def _each(values: Iterable[str]) -> str:
    return ", ".join(values)


def _us(parts: list[float]) -> str:
    return f"{sum(parts):,.{0 if sum(parts) > 10 else 1}f} µs"


if __name__ == "__main__":
    main()
