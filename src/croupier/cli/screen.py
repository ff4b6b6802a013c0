"""Console of all commands; a closed pipe ends the program quietly."""

from __future__ import annotations

import os
import sys

from rich.console import Console

from croupier.facts.cards import SUIT_SYMBOLS


class Screen(Console):
    @property
    def shows_suits(self) -> bool:
        """Whether the symbols of the suits can be written here."""
        try:
            return bool(SUIT_SYMBOLS.encode(self.encoding))
        except (UnicodeEncodeError, LookupError):
            return False

    def on_broken_pipe(self) -> None:
        leave_quietly()


def leave_quietly() -> None:
    """The reader of a pipe went away: nothing is left to say, not even when Python closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(0)
