"""Files that are there whole or not at all, whenever the program ends; locks; and where caches are.

A file is written under a temporary name beside its own and renamed when it is whole. What is
unfinished is known here, so that a program that is cut off can remove it first.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

_UNFINISHED: set[Path] = set()
_numbers = count()


@contextmanager
def whole_file(path: Path, *, is_new: bool = False) -> Iterator[BinaryIO]:
    """A file to write; a new one never takes the place of one that is there.

    A pipe or a device has no place for another name, and is written as it is.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file() and not target.is_dir():
        with target.open("wb") as file:
            yield file
        return
    if target.is_dir() or (is_new and os.path.lexists(path)):
        kind = IsADirectoryError if target.is_dir() else FileExistsError
        raise kind(0, "it is there already", str(path))
    made = target.with_name(f".{target.name[:100]}.{os.getpid()}.{next(_numbers)}")
    with unfinished(made):
        with made.open("xb") as file:
            yield file
        if is_new:
            os.link(made, target)  # unlike a rename, this fails where somebody was faster
        else:
            if target.exists():
                shutil.copymode(target, made)
            os.replace(made, target)


@contextmanager
def private_file(path: Path) -> Iterator[BinaryIO]:
    """A new file that its owner alone can read (mode 0600); gone again if it stays unfinished.

    FileExistsError where there is one: what is there is left alone.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        try:
            yield file
        except BaseException:
            _remove(path)
            raise


def flush_to_disk(file: BinaryIO) -> None:
    """What was written is on the disk, and not only with the system (fsync)."""
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def one_process_at_a_time(lock: Path) -> Iterator[None]:
    """An advisory lock on a file, waited for; the system lets go of it with the process.

    Where nothing can be locked there is nobody to wait for.
    """
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):
            lock_handle(handle, wait=True)
        yield
    finally:
        os.close(handle)


def lock_handle(handle: int, *, wait: bool = False) -> None:
    """Lock an open file; where another process holds it, wait or raise BlockingIOError."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from None
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


@contextmanager
def unfinished(path: Path) -> Iterator[None]:
    """While this runs, what is at the path is no use to anybody; afterwards it is removed."""
    _UNFINISHED.add(path)
    try:
        yield
    finally:
        _remove(path)
        _UNFINISHED.discard(path)


def remove_unfinished() -> None:
    """Everything that is being written goes away; for a program that ends in the middle."""
    for path in tuple(_UNFINISHED):
        _remove(path)


def cache_home() -> Path:
    """Where Croupier keeps what it can compute again; ``CROUPIER_CACHE`` names another place."""
    if chosen := os.environ.get("CROUPIER_CACHE"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier"


def _remove(path: Path) -> None:
    try:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    except OSError:
        pass  # a disk that is gone keeps nothing
