"""How kernels are compiled and where the machine code is kept between runs.

Numba's own cache looks only at the file of the function it compiles, so a change in a function
called from there, in another file, would bring back the old answer. Here the cache lives in a
folder named by the hash of every kernel source and the version of Numba: any change, anywhere among
the kernels, starts a fresh folder. For the same reason a kernel takes every rule as an argument.

Kernels release the interpreter's lock and are run by ordinary threads, so no threading layer of
Numba is involved and nothing breaks when two solvers run in one process.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config as numba_config
from numba.core.dispatcher import Dispatcher
from numpy.typing import NDArray

from croupier.disk import whole_file

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
Work = TypeVar("Work")
Progress = Callable[[str, float], None]
Arrays = dict[str, NDArray[Any]]

config: Any = numba_config  # its settings are made when it is imported
HERE = Path(__file__).parent
_decorating = threading.Lock()
_computing = threading.Lock()


def kernel(function: Kernel) -> Kernel:
    """Compile a function on its first call, or take its machine code from the cache."""
    return whole(function, cache_folder())


def whole(function: Kernel, folder: Path) -> Kernel:
    """A kernel that may make arrays, its machine code kept in this folder."""
    return cast(Kernel, _kept(numba.njit(nogil=True, error_model="numpy")(function), folder))


def lean(function: Kernel, folder: Path, *, inline: bool) -> Kernel:
    """A kernel that makes no arrays, or a part of one, written out where it is called if wanted.

    A round reads dozens of arrays. Counting who holds each of them, and passing them on from part
    to part, took longer than the round itself; whoever makes no array need not count.
    """
    njit: Any = numba.njit  # its stubs do not tell of the last option
    made = njit(nogil=True, error_model="numpy", forceinline=inline, _nrt=False)(function)
    return cast(Kernel, _kept(made, folder))


def _kept(compiled: Dispatcher, folder: Path) -> Dispatcher:
    with _decorating:
        # Numba reads the folder when caching is switched on; other users of Numba keep their own.
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            compiled.enable_caching()
        finally:
            config.CACHE_DIR = before
    return compiled


def cache_folder() -> Path:
    """The folder of the solver's kernels."""
    return folder_of("kernels", HERE)


@cache
def folder_of(name: str, *sources: Path) -> Path:
    """A folder for the machine code of these sources: a temporary one where none can be written."""
    folder = cache_home() / f"{name}-{'-'.join(map(fingerprint, sources))}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix=f"croupier-{name}-"))


def kept_arrays(name: str, compute: Callable[[], Arrays]) -> Arrays:
    """Arrays computed once and kept beside the kernels they were computed by."""
    place = cache_folder() / f"{name}.npz"
    try:
        with np.load(place) as kept:
            return dict(kept)
    except (OSError, ValueError, zipfile.BadZipFile, EOFError):
        arrays = compute()
    try:
        with whole_file(place) as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
    except OSError:
        pass  # a full disk costs time, not the answer
    return arrays


def cache_home() -> Path:
    """Where Croupier keeps what it can compute again; ``CROUPIER_CACHE`` names another place."""
    if chosen := os.environ.get("CROUPIER_CACHE"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier"


def fingerprint(sources: Path = HERE) -> str:
    """A hash of every kernel source below this folder and of the version of Numba."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(sources.rglob("*.py")):
        digest.update(f"\0{path.relative_to(sources)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def in_chunks(
    work: Callable[[Work, int, int], None],
    workspaces: list[Work],
    total: int,
    chunk: int,
    progress: Callable[[float], None],
) -> None:
    """Call ``work(workspace, start, stop)`` over ``range(total)``, one thread for each workspace.

    Which thread takes which chunk is chance, so whatever is gathered in the workspaces must be sums
    of integers: these do not depend on it. One such run at a time has the machine's cores.
    """
    starts = iter(range(0, total, chunk))
    taking = threading.Lock()
    done = 0

    def take(workspace: Work) -> None:
        nonlocal done
        while True:
            with taking:
                start = next(starts, None)
            if start is None:
                return
            stop = min(start + chunk, total)
            work(workspace, start, stop)
            with taking:
                done += stop - start
                progress(done / total)

    with _computing, ThreadPoolExecutor(len(workspaces)) as threads:
        working = [threads.submit(take, workspace) for workspace in workspaces]
        try:
            for finished in working:
                finished.result()
        except BaseException:
            with taking:
                starts = iter(())  # nobody takes another chunk, for nobody waits for it
            raise


def threads_to_use(threads: int | None) -> int:
    """The number of threads asked for, or as many as this process may have cores."""
    if threads is not None:
        return max(1, threads)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
