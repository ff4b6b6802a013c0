"""Backup and restore: a backup is always one SQLite file that stands alone, and is a ledger itself.

Nothing is ever written over, and a copy gets its name only when it is whole and on the disk.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from croupier.disk import unfinished
from croupier.extras import POSTGRESQL, require
from croupier.ledger.store.address import is_postgresql, sqlite_path
from croupier.ledger.store.port import Ledger, Unavailable
from croupier.ledger.store.sqlite import OURS_ALONE, SqliteLedger, sync_folder

BESIDE = ("-wal", "-shm", "-journal")


def back_up(ledger: Ledger, target: Path) -> None:
    """One moment of the ledger, in a new file; the ledger goes on being written meanwhile."""
    with _new_file(target) as made:
        ledger.copy_to(made)


def restore(backup: Path, address: str) -> None:
    """A backup's lines in a new ledger with the same id; every line is proved on its way in, and
    Broken where one does not fit. A PostgreSQL database must hold no ledger yet.
    """
    with closing(SqliteLedger(backup, read_only=True)) as source:
        if is_postgresql(address):
            require(POSTGRESQL)
            from croupier.ledger.store.postgres import PostgresLedger

            PostgresLedger(address, create=True, copied=source.whole()).close()
            return
        with _new_file(sqlite_path(address)) as made:
            SqliteLedger(made, create=True, copied=source.whole()).close()


@contextmanager
def _new_file(target: Path) -> Iterator[Path]:
    """A place to write where nobody looks, in the same folder; the name comes last."""
    _refuse_to_overwrite(target)
    try:
        with tempfile.TemporaryDirectory(
            prefix=".croupier-", dir=target.absolute().parent
        ) as folder:
            made = Path(folder) / target.name
            with unfinished(Path(folder)):
                yield made
                made.chmod(OURS_ALONE)
                _sync(made)
                _refuse_to_overwrite(target)
                made.rename(target)
                sync_folder(target)
    except OSError as error:
        raise Unavailable(f"{target} cannot be written: {error.strerror}") from error


def _refuse_to_overwrite(target: Path) -> None:
    for path in (target, *(target.with_name(target.name + end) for end in BESIDE)):
        if path.exists():
            raise Unavailable(f"{path} is there already and is not written over; name another file")


def _sync(path: Path) -> None:
    with path.open("rb+") as opened:
        os.fsync(opened.fileno())
