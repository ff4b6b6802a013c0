"""Files people name on the command line, read whole or refused in one sentence."""

from __future__ import annotations

from pathlib import Path

from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.submission.check import CheckedSubmission, check
from croupier.submission.submission import Submission

MOST_BYTES = 4_000_000
FILE = "a file.toml"  # how a list of names says that a file may be named as well


def text_of(path: Path) -> str:
    """The whole file; whoever asks says which one it was when it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise Unreadable("there is no such file") from None
    except IsADirectoryError:
        raise Unreadable("this is a folder; name a file in it") from None
    except (OSError, ValueError):
        raise Unreadable("this file cannot be opened") from None
    if len(content) > MOST_BYTES:
        raise Unreadable(f"this file is larger than {MOST_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("this file is not text in UTF-8") from None


def checked_submission(path: Path, registry: Registry) -> CheckedSubmission:
    """What a check finds in a submission file."""
    try:
        return check(text_of(path), registry)
    except Unreadable as error:
        raise Unreadable(f"{path}: {error}") from None


def submission_in(path: Path, registry: Registry) -> Submission:
    """A submission to work with; one with errors is refused with the first of them."""
    checked = checked_submission(path, registry)
    if checked.submission is None:
        first, *more = checked.errors
        also = f"; and {len(more)} more, which croupier check {path} lists" if more else ""
        raise Unreadable(f"{path}: {first}{also}")
    return checked.submission
