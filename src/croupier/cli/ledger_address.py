"""A ledger named on the command line, opened read-only; its tables, rounds and times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from croupier.cli.progress_bar import Bar, counting
from croupier.facts.errors import Unreadable
from croupier.facts.names import known_name
from croupier.games.registry import Registry
from croupier.ledger.events import TABLE
from croupier.ledger.rounds import KeptRound, kept_rounds, tables_of
from croupier.ledger.shoe.key_ring import KeyRing, read_ring
from croupier.ledger.shoe.seal import LostKey
from croupier.ledger.store.address import is_postgresql, open_ledger, sqlite_path
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger

SQLITE_HEADER = b"SQLite format 3\0"
SIGNING = "putting lines into the log"


@contextmanager
def reading(address: str) -> Iterator[Ledger]:
    """The ledger at an address; what cannot be one is refused in one sentence."""
    if not is_ledger(address):
        raise Unreadable(f"{address} is not a ledger; check the name")
    ledger = open_ledger(address, read_only=True)
    try:
        yield ledger
    finally:
        ledger.close()


def is_ledger(address: str) -> bool:
    """Whether this may be one, by its first bytes; a database is asked when it is opened."""
    if is_postgresql(address):
        return True
    path = sqlite_path(address)
    if not path.exists():
        raise Unreadable(f"there is no file {path}; check the name")
    if path.is_dir():
        raise Unreadable(f"{path} is a folder; name a file in it")
    if not path.is_file():
        return False  # a pipe can be read once only, and is no ledger
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}") from None


def keys_in(file: Path | None) -> KeyRing | None:
    return read_ring(file) if file is not None else None


@contextmanager
def with_keys(file: Path | None) -> Iterator[None]:
    """A key that is not there is told with the file that should have held it."""
    try:
        yield
    except LostKey as error:
        raise Unreadable(f"{file}: {error}; are these the keys of this ledger?") from None


def chosen_table(ledger: Ledger, name: str | None) -> str:
    """The table asked for, or the only one there is."""
    tables = tables_of(ledger)
    if name is None and len(tables) == 1:
        return tables[0]
    if name is None:
        known = ", ".join(tables) or "none"
        raise Unreadable(f"name a table of this ledger with --table; there are: {known}")
    return known_name(name, tables, "table", where="this ledger")


def round_called(
    ledger: Ledger,
    table: str,
    number: int,
    registry: Registry,
    ring: KeyRing | None = None,
    lines: Iterable[LedgerLine] | None = None,
) -> KeptRound:
    """The round of this number, if anybody wagered on it."""
    last = 0
    for kept in kept_rounds(ledger, table, registry, ring, lines, range(number, number + 1)):
        if kept.number == number and kept.has_begun:
            return kept
        last = kept.number if kept.has_begun else last
    there = f"it has rounds 1 to {last}" if last else "it has none yet"
    raise Unreadable(f"table {table} has no round {number}; {there}")


def when(at_us: int) -> str:
    """To the second, as a ledger is read by people: 2027-01-15 08:00:00 UTC."""
    return f"{_moment(at_us):%Y-%m-%d %H:%M:%S} UTC"


def iso(at_us: int) -> str | None:
    """For JSON, to the microsecond; nothing for a moment that has not come."""
    return _moment(at_us).isoformat(timespec="microseconds") if at_us else None


def _moment(at_us: int) -> datetime:
    seconds, micros = divmod(at_us, 1_000_000)
    try:
        return datetime.fromtimestamp(seconds, UTC).replace(microsecond=micros)
    except (ValueError, OverflowError, OSError):
        raise Unreadable(f"{at_us} microseconds is no moment; croupier audit says more") from None


@contextmanager
def lines_of(ledger: Ledger, table: str) -> Iterator[Iterator[LedgerLine]]:
    """The lines of a table, with a bar that says how many of them have been read."""
    stream = f"{TABLE}{table}"
    with counting("reading the lines", ledger.head(stream).version) as bar:
        yield _counted(ledger.read(stream), bar)


def _counted(lines: Iterable[LedgerLine], bar: Bar) -> Iterator[LedgerLine]:
    for line in lines:
        yield line
        bar(1)
