"""The one-time link into a room in the browser, and the next one once it is used.

The link that is good now lies in a file beside the ledger, which its owner alone can read: a second
``croupier play`` on that ledger leads there. Whoever holds the ledger's lock writes it.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from croupier.disk import private_file

BESIDE = ".link"
CODE_BYTES = 16


class OneTimeLink:
    """``room`` is the address of the service, such as ``http://127.0.0.1:4711``.

    Without a ledger the next link is told to nobody: who wants in starts the service again.
    ``hears`` is called with each next one.
    """

    def __init__(
        self, room: str, ledger: Path | None = None, hears: Callable[[str], None] | None = None
    ) -> None:
        self._room, self._file = room, _file_of(ledger) if ledger is not None else None
        self._hears = hears
        self._turn = threading.Lock()
        self._code = secrets.token_urlsafe(CODE_BYTES)

    def __str__(self) -> str:
        return f"{self._room}/sit/{self._code}"

    @property
    def is_for_others(self) -> bool:
        """Whether another machine can follow it."""
        return not self._room.startswith("http://127.0.0.1:")

    def admits(self, code: str) -> bool:
        """Whether this is the code that is good now; then it was good once, and another one is."""
        with self._turn:
            is_good = secrets.compare_digest(code.encode(), self._code.encode())
            if is_good:
                self._next()
            return is_good

    def renew(self) -> str:
        """The next link: the one before it is good no more, used or not."""
        with self._turn:
            self._next()
            return str(self)

    def _next(self) -> None:
        self._code = secrets.token_urlsafe(CODE_BYTES)
        self.publish()
        if self._hears is not None:
            self._hears(str(self))

    def publish(self) -> None:
        """Let a second start find the link, now that somebody answers there."""
        if self._file is None:
            return
        with suppress(OSError):  # without the file a second start cannot lead here; nothing else
            self._file.unlink(missing_ok=True)
            with private_file(self._file) as file:
                file.write(str(self).encode())


def link_into(ledger: Path) -> str:
    """The link into the room that runs on this ledger; nothing where none is open to browsers."""
    try:
        return _file_of(ledger).read_text().strip()
    except OSError:
        return ""


def forget_link(ledger: Path) -> None:
    """A link that was left by a room that is gone leads nowhere."""
    with suppress(OSError):
        _file_of(ledger).unlink(missing_ok=True)


def _file_of(ledger: Path) -> Path:
    return ledger.with_name(ledger.name + BESIDE)
