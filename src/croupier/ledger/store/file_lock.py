"""One service on a ledger file: a second one is turned away before it has done anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.ledger.store.port import Unavailable

BESIDE = ".serving"


@contextmanager
def alone_on(ledger: Path) -> Iterator[None]:
    """The lock is on a file beside the ledger, which stays; the system lets go of it with the
    process, however that ends.
    """
    if os.name != "posix":
        yield
        return
    import fcntl

    beside = ledger.with_name(ledger.name + BESIDE)
    try:
        opened = beside.open("wb")
    except OSError as error:
        raise Unavailable(f"{beside} cannot be written: {error.strerror}") from None
    with opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unavailable(
                f"another service runs on {ledger}; stop that one, or keep the ledger on "
                "PostgreSQL, where several share a pit"
            ) from None
        yield
