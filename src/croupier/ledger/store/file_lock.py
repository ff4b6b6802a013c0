"""An advisory lock on a file beside a ledger: one service or practice table on it.

The file stays; the system lets go of the lock with the process, however that ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from croupier.disk import lock_handle
from croupier.facts.errors import Unavailable

BESIDE = ".lock"


class FileLock:
    """Held inside a ``with``; ``taken`` is what is raised where another process holds it."""

    def __init__(self, ledger: Path, taken: Callable[[], Unavailable]) -> None:
        # By whichever name it is called, the lock lies beside the file itself.
        self._ledger = Path(os.path.realpath(ledger))
        self._file, self._taken = self._ledger.with_name(self._ledger.name + BESIDE), taken

    def __enter__(self) -> None:
        if self._ledger.is_file() and self._ledger.stat().st_nlink > 1:
            raise Unavailable(
                f"{self._ledger} has a second name (a hard link), under which another could run "
                "on it; remove that name"
            )
        try:
            self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Unavailable(f"{self._file} cannot be written: {error.strerror}") from None
        try:
            lock_handle(self._handle)
        except OSError as error:
            os.close(self._handle)
            if isinstance(error, BlockingIOError):
                raise self._taken() from None
            raise Unavailable(f"{self._file} cannot be locked: {error.strerror}") from None

    def __exit__(self, *raised: object) -> None:
        os.close(self._handle)


def service_lock(ledger: Path) -> FileLock:
    """The lock of a service, which is turned away before it has done anything."""
    return FileLock(
        ledger,
        lambda: Unavailable(
            f"another service runs on {ledger}, or a practice table; stop that one, or keep the "
            "ledger on PostgreSQL, where several share a pit"
        ),
    )
