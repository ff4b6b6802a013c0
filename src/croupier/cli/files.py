"""Files named on the command line, read and written whole, or refused in one sentence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.cli.screen import Screen
from croupier.disk import whole_file
from croupier.facts.errors import Unreadable, quoted
from croupier.games.registry import Registry
from croupier.submission.check import CheckedSubmission, check
from croupier.submission.submission import Submission

MOST_BYTES = 4_000_000
LONG = 200  # letters of a path that are shown
FILE = "a file.toml"  # how a list of names says that a file may be named as well


def new_key_place(place: Path) -> Path:
    """Where a key is, or will be: its folder is made for its owner alone."""
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Unreadable(f"{place.parent}: no folder can be made: {error.strerror}") from None
    return place


def warn_together(key: Path, ledger: Path) -> None:
    """Whoever gets hold of a folder should not have a ledger and its key."""
    if os.path.realpath(key.parent) == os.path.realpath(ledger.parent):
        console = Screen(stderr=True, highlight=False)
        console.print(
            f"Warning: {key} lies in the folder of its ledger; whoever copies that folder has "
            "both. Move it elsewhere, and name it there.",
            soft_wrap=True,
        )


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


def refuse_unwritable(path: Path) -> None:
    """See that a file can be written before anything is computed for it; what is there stays."""
    there = os.path.lexists(path)
    if there and path.exists() and not path.is_file() and not path.is_dir():
        return  # a pipe or a device, which only those who read it can try
    with _refusing_unwritable(path):
        with path.open("ab"):
            pass
        if not there:
            path.unlink()


def write_file(path: Path, content: bytes, *, is_new: bool = False) -> None:
    """Write a file whole or not at all; a new one never takes the place of one that is there."""
    with _refusing_unwritable(path), whole_file(path, is_new=is_new) as file:
        file.write(content)


@contextmanager
def _refusing_unwritable(path: Path) -> Iterator[None]:
    """Turn what goes wrong with writing into a refusal of one sentence."""
    try:
        yield
    except IsADirectoryError:
        raise Unreadable(f"{quoted(path, LONG)} is a folder; name a file in it") from None
    except FileExistsError:
        raise Unreadable(f"{path} is there already and is not written over") from None
    except FileNotFoundError:
        folder = quoted(path.parent, LONG)
        raise Unreadable(f"{quoted(path, LONG)} cannot be written: no folder {folder}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no such name"
        raise Unreadable(f"{quoted(path, LONG)} cannot be written: {reason}") from None
