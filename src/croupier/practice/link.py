"""The one-time link into a practice room in the browser, and the next one once it is used.

The link that is good now lies in a file beside the ledger, which its owner alone can read: a second
``croupier play`` on that ledger leads there. Whoever holds the ledger's lock writes it.
"""

from __future__ import annotations

import secrets
import threading
from contextlib import suppress
from pathlib import Path

from croupier.disk import private_file

BESIDE = ".link"
CODE_BYTES = 16


class OneTimeLink:
    """``room`` is the address of the service, such as ``http://127.0.0.1:4711``."""

    def __init__(self, room: str, ledger: Path) -> None:
        self._room, self._file = room, _file_of(ledger)
        self._turn = threading.Lock()
        self._code = secrets.token_urlsafe(CODE_BYTES)

    def __str__(self) -> str:
        return f"{self._room}/sit/{self._code}"

    def admits(self, code: str) -> bool:
        """Whether this is the code that is good now; then it was good once, and another one is."""
        with self._turn:
            is_good = secrets.compare_digest(code.encode(), self._code.encode())
            if is_good:
                self._code = secrets.token_urlsafe(CODE_BYTES)
                self.publish()
            return is_good

    def publish(self) -> None:
        """Let a second start find the link, now that somebody answers there."""
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
