"""One address, one ledger: a file's path, or where a PostgreSQL server is."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.extras import POSTGRESQL, require
from croupier.facts.errors import Unreadable
from croupier.ledger.store.port import Ledger
from croupier.ledger.store.sqlite import SqliteLedger

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
POSTGRESQL_SCHEMES = ("postgresql", "postgres")


def open_ledger(address: str, create: bool = False, read_only: bool = False) -> Ledger:
    """``PATH``, ``sqlite:PATH`` or ``postgresql://user@host:port/database``.

    An address that cannot be understood is Unreadable; a ledger that cannot be had, Unavailable.
    """
    if is_postgresql(address):
        require(POSTGRESQL)
        from croupier.ledger.store.postgres import PostgresLedger

        return PostgresLedger(address, create=create, read_only=read_only)
    return SqliteLedger(sqlite_path(address), create=create, read_only=read_only)


def is_postgresql(address: str) -> bool:
    scheme = SCHEME.match(address)
    return bool(scheme) and scheme[1].lower() in POSTGRESQL_SCHEMES  # type: ignore[index]


def sqlite_path(address: str) -> Path:
    """The file an address names; no more than the scheme of a foreign one, which may hold a
    password, is repeated.
    """
    scheme = SCHEME.match(address)
    if scheme and scheme[1].lower() != "sqlite":
        raise Unreadable(
            f"a ledger is a file or a postgresql:// address; {scheme[1]}:// is neither"
        )
    path = address.removeprefix("sqlite:")
    if not path.strip() or "\0" in path or path == ":memory:":
        raise Unreadable(
            "the address names no file; write a path, sqlite:PATH or postgresql://host/database"
        )
    return Path(path)
