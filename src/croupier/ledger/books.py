"""The double-entry books of a ledger, read from the entries that are kept with its lines.

An entry is an account and an amount in micros: plus is what the account received, minus what it
gave. Every line sums to zero, so does every table, and so does the whole. Nothing is ever changed:
what is taken back is a line of its own, with entries of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from croupier.facts.errors import Unreadable
from croupier.facts.names import known_entry
from croupier.ledger.events import LINK, PIT, REFUSALS, TABLE, LinkOpened, TableInstalled, read_kept
from croupier.ledger.link import readings_after
from croupier.ledger.store.line import LedgerLine, read_entries
from croupier.ledger.store.port import Head, Ledger
from croupier.table.double_entry import CASH, DROP, HOUSE, KEPT, METER, PURSE, TIPS, Entry

FELT, OUTSIDE, RESET, SHARE = "felt ", "outside ", "reset ", "table "

# The chart of accounts, in the order they are printed: how an account is written, and what it is.
CHART: Mapping[str, str] = {
    CASH: "Cash beyond the table",
    DROP: "Drop",
    HOUSE: "Table inventory",
    PURSE: "Patrons' chips",
    KEPT: "Chips kept for",
    FELT: "Felt",
    OUTSIDE: "Paid outside the table",
    TIPS: "Tips",
    METER: "Meter",
    RESET: "Reset fund",
    SHARE: "Moved by table",
}

# What moves a meter, by the kind of line and whether the meter received or gave.
CAUSES: Mapping[tuple[str, bool], str] = {
    ("link-opened", True): "start",
    ("meter-grew", True): "taken",
    ("meter-shrank", False): "given_back",
    ("wager-settled", False): "drawn",
    ("wager-settled", True): "reset",
    ("line-reversed", True): "put_back",
    ("line-reversed", False): "reset_back",
}

Watch = Callable[[LedgerLine, bool], None]
_ReadLines = Iterator[tuple[LedgerLine, tuple[Entry, ...], bool]]


class Interval(msgspec.Struct, frozen=True):
    """From a moment up to another, the second not included; None is the beginning or the end."""

    from_us: int | None = None
    until_us: int | None = None

    def is_over(self, at_us: int) -> bool:
        return self.until_us is not None and at_us >= self.until_us

    def holds(self, at_us: int) -> bool:
        return (self.from_us is None or at_us >= self.from_us) and not self.is_over(at_us)


@dataclass(slots=True)
class Movement:
    """One account over an interval: what it had, what came in, and what went out."""

    opening: int = 0
    into: int = 0
    out_of: int = 0

    @property
    def net(self) -> int:
        return self.into - self.out_of

    @property
    def closing(self) -> int:
        return self.opening + self.net

    def post(self, micros: int, within: bool) -> None:
        if not within:
            self.opening += micros
        elif micros > 0:
            self.into += micros
        else:
            self.out_of -= micros


@dataclass
class Accounts:
    """Accounts by name, each with its movement."""

    by_name: dict[str, Movement] = field(default_factory=dict)
    moved: bool = False

    def post(self, account: str, micros: int, within: bool) -> None:
        self.by_name.setdefault(account, Movement()).post(micros, within)
        self.moved |= within

    def of(self, account: str) -> Movement:
        return self.by_name.get(account, Movement())

    def all_of(self, kind: str) -> Movement:
        """Every account of a kind together: the chips of all boxes, all meters."""
        of_kind = [each for name, each in self.by_name.items() if kind_of(name) == kind]
        return Movement(
            sum(each.opening for each in of_kind),
            sum(each.into for each in of_kind),
            sum(each.out_of for each in of_kind),
        )

    def in_order(self) -> list[tuple[str, Movement]]:
        """As the chart has them; boxes by number."""
        kinds = list(CHART)

        def place(name: str) -> tuple[int, int, str]:
            kind = kind_of(name)
            rest = name.removeprefix(kind)
            at = kinds.index(kind) if kind in kinds else len(kinds)
            return at, int(rest) if rest.isdecimal() else 0, rest

        return sorted(self.by_name.items(), key=lambda item: place(item[0]))


@dataclass
class TableBooks:
    """One table: what its lines moved, its own share of the meters of its link included.

    ``refusals`` is where the stream of its refused commands ends.
    """

    stream: str
    head: Head
    installed: TableInstalled
    installed_us: int
    refusals: Head | None = None
    accounts: Accounts = field(default_factory=Accounts)


@dataclass
class LinkBooks:
    """One link: its meters and reset funds, moved by all its tables, and why each moved."""

    name: str
    head: Head
    accounts: Accounts = field(default_factory=Accounts)
    causes: dict[tuple[str, str], Movement] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)
    readings: dict[str, int] = field(default_factory=dict)
    opened: LinkOpened | None = None
    tables: list[TableInstalled] = field(default_factory=list)

    @property
    def meters(self) -> list[str]:
        names = (name for name, _ in self.accounts.in_order() if name.startswith(METER))
        return [name.removeprefix(METER) for name in names]

    @property
    def is_practice(self) -> bool:
        return bool(self.tables) and all(each.practice for each in self.tables)

    def cause(self, meter: str, why: str) -> Movement:
        return self.causes.get((meter, why), Movement())

    def post(self, line: LedgerLine, entries: tuple[Entry, ...], table: str, within: bool) -> None:
        """The side of a line that lies on the link; the table is its other side."""
        for account, micros in entries:
            if kind_of(account) not in (METER, RESET):
                continue
            self.accounts.post(account, micros, within)
            if table:
                self.accounts.post(f"{SHARE}{table}", -micros, within)
            if account.startswith(METER):
                name = account.removeprefix(METER)
                why = CAUSES.get((line.kind, micros > 0), line.kind)
                self.causes.setdefault((name, why), Movement()).post(micros, within)
                self.hits[name] = self.hits.get(name, 0) + (within and why == "drawn")


@dataclass
class Books:
    """The books of a ledger over an interval; practice tables are in it, and marked."""

    ledger: str
    interval: Interval
    tables: dict[str, TableBooks] = field(default_factory=dict)
    links: dict[str, LinkBooks] = field(default_factory=dict)
    pit: tuple[Head, ...] = ()
    """Streams of the service beside its tables, where no table is named."""


def kind_of(account: str) -> str:
    """``purse 3`` is of the kind ``purse ``, as :data:`CHART` writes it."""
    first, space, _ = account.partition(" ")
    return first + space


def account_title(account: str) -> str:
    """``Patrons' chips, box 3`` of ``purse 3``."""
    kind = kind_of(account)
    which, boxes = account.removeprefix(kind), kind in (PURSE, FELT, OUTSIDE)
    return f"{CHART.get(kind, kind)}{', box' if boxes and which else ''} {which}".strip()


def read_books(
    ledger: Ledger,
    interval: Interval,
    table: str = "",
    watch: Watch = lambda line, within: None,
) -> Books:
    """One pass over the lines; with a table's name only it, its link and who shares that.

    The heads are taken first and nothing after them is read, so a table that plays on is seen at
    one moment. ``watch`` is told each line up to the end of the interval and whether it is in it.
    """
    heads = ledger.heads()
    books = Books(ledger.id, interval)
    for stream in sorted(heads):
        if stream.startswith(TABLE):
            name = stream.removeprefix(TABLE)
            books.tables[name] = _installed(ledger, heads[stream], heads.get(f"{REFUSALS}{name}"))
    if table:
        _keep_only(books, table)
    else:
        books.pit = tuple(heads[stream] for stream in sorted(heads) if stream.startswith(PIT))
    for each in books.tables.values():
        _join_link(books, each, heads)
    for name, one in books.tables.items():
        link = books.links.get(one.installed.link)
        _post_table(name, one, link, _read(ledger, one.head, interval, watch))
    for link in books.links.values():
        _post_link(link, _read(ledger, link.head, interval, watch))
    beside = [one.refusals for one in books.tables.values() if one.refusals is not None]
    for head in (*beside, *books.pit):
        deque(_read(ledger, head, interval, watch), maxlen=0)
    return books


def _post_table(name: str, table: TableBooks, link: LinkBooks | None, lines: _ReadLines) -> None:
    for line, entries, within in lines:
        for account, micros in entries:
            table.accounts.post(account, micros, within)
        if link is not None:
            link.post(line, entries, name, within)


def _post_link(link: LinkBooks, lines: _ReadLines) -> None:
    for line, entries, within in lines:
        link.post(line, entries, "", within)
        event = _kept(line)
        if isinstance(event, LinkOpened):
            link.opened = event
        link.readings = readings_after(link.readings, event)


def _installed(ledger: Ledger, head: Head, refusals: Head | None) -> TableBooks:
    first = next(ledger.read(head.stream, most=1))
    event = _kept(first)
    if not isinstance(event, TableInstalled):
        raise Unreadable(f"{head.stream} does not begin with the installation of a table")
    return TableBooks(head.stream, head, event, first.at_us, refusals)


def _keep_only(books: Books, table: str) -> None:
    link = known_entry(table, books.tables, "table", where="this ledger").installed.link
    books.tables = {
        name: each
        for name, each in books.tables.items()
        if name == table or (link and each.installed.link == link)
    }


def _join_link(books: Books, table: TableBooks, heads: Mapping[str, Head]) -> None:
    name = table.installed.link
    head = heads.get(f"{LINK}{name}")
    if not name or head is None:
        return
    link = books.links.setdefault(name, LinkBooks(name, head))
    link.tables.append(table.installed)


def _read(ledger: Ledger, head: Head, interval: Interval, watch: Watch) -> _ReadLines:
    """The lines of a stream up to its head and the end of the interval."""
    for line in ledger.read(head.stream, most=head.version):
        if interval.is_over(line.at_us):
            continue
        within = interval.holds(line.at_us)
        watch(line, within)
        yield line, _entries(line), within


def _entries(line: LedgerLine) -> tuple[Entry, ...]:
    try:
        return read_entries(line.entries)
    except msgspec.DecodeError:
        raise _unreadable(line) from None


def _kept(line: LedgerLine) -> object:
    try:
        return read_kept(line.body)
    except msgspec.DecodeError:
        raise _unreadable(line) from None


def _unreadable(line: LedgerLine) -> Unreadable:
    return Unreadable(
        f"{line.stream}, line {line.version} cannot be read; croupier audit says what is wrong"
    )
