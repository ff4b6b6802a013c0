"""Numba compilation, lazy, with a machine-code cache keyed by the hash of all kernel sources.

Numba's own cache looks only at the file of the function it compiles, so a change in a function
called from there, in another file, would bring back the old answer. Here the cache lives in a
folder named by the hash of every kernel source and the version of Numba: any change, anywhere among
the kernels, starts a fresh folder. For the same reason a kernel takes every rule as an argument.

Numba is loaded when a kernel is first called: whoever only reads what was counted before, or counts
little enough for NumPy, never waits for it.

Kernels release the interpreter's lock and are run by ordinary threads, so no threading layer of
Numba is involved and nothing breaks when two solvers run in one process.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from croupier.disk import cache_home, one_process_at_a_time, whole_file
from croupier.extras import KERNELS, require
from croupier.facts.progress import Progress as Progress

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher
    from numba.core.typing.context import Context
    from numba.core.typing.templates import Signature

KernelFunction = TypeVar("KernelFunction", bound=Callable[..., Any])
T = TypeVar("T")
Arrays = dict[str, NDArray[Any]]
Folder = Callable[[], Path]

HERE = Path(__file__).parent
COMPILING = "compiling for this machine, once"
_computing = threading.Lock()
_compile_progress: Progress | None = None


def kernel(function: KernelFunction) -> KernelFunction:
    """Compile a function on its first call, or take its machine code from the cache."""
    return whole(function, cache_folder)


def leaf(function: KernelFunction) -> KernelFunction:
    """A kernel that makes no arrays and counts no holders of any."""
    return lean(function, cache_folder, inline=False)


def part(function: KernelFunction) -> KernelFunction:
    """A part of a kernel that makes no arrays, written out where it is called."""
    return lean(function, cache_folder, inline=True)


def whole(function: KernelFunction, folder: Folder) -> KernelFunction:
    """A kernel that may make arrays, its machine code kept in this folder."""
    return cast(KernelFunction, LazyKernel(function, folder, {}))


def lean(function: KernelFunction, folder: Folder, *, inline: bool) -> KernelFunction:
    """A kernel that makes no arrays, or a part of one, written out where it is called if wanted.

    A round reads dozens of arrays. Counting who holds each of them, and passing them on from part
    to part, took longer than the round itself; whoever makes no array need not count.
    """
    return cast(
        KernelFunction, LazyKernel(function, folder, {"forceinline": inline, "_nrt": False})
    )


class LazyKernel:
    """A function that becomes Numba's when it is first called, by a caller or by another kernel."""

    made = 0

    def __init__(self, function: Callable[..., Any], folder: Folder, options: dict[str, bool]):
        self.py_func, self._folder, self._options = function, folder, options
        self._dispatcher: Dispatcher | None = None
        update_wrapper(self, function)
        LazyKernel.made += 1

    def __call__(self, *arguments: object) -> object:
        return (self._dispatcher or self.dispatcher())(*arguments)

    def dispatcher(self) -> Dispatcher:
        """Numba's own function; it is made once, whatever thread is first."""
        require(KERNELS)
        _meet_numba()
        import numba
        from numba.core.compiler_lock import global_compiler_lock

        # Whoever compiles holds this lock and may come here for another kernel: one lock for both.
        with global_compiler_lock:
            if self._dispatcher is None:
                njit: Any = numba.njit  # its stubs do not tell of every option
                made = njit(nogil=True, error_model="numpy", **self._options)(self.py_func)
                self._dispatcher = _kept(made, self._folder())
            return self._dispatcher


@cache
def _meet_numba() -> None:
    """Tell Numba that a kernel's type, wherever another kernel names it, is its dispatcher's."""
    from numba.core import event, types
    from numba.extending import models, register_model, typeof_impl

    class KernelType(types.Dispatcher):
        """Compiled for a number, not once more for each number that stands in a call."""

        def get_call_type(
            self, context: Context, args: Sequence[types.Type], kws: Mapping[str, types.Type]
        ) -> Signature | None:
            plain = tuple(map(types.unliteral, args))
            return super().get_call_type(context, plain, kws)

    register_model(KernelType)(models.OpaqueModel)

    @typeof_impl.register(LazyKernel)
    def _(found: LazyKernel, context: object) -> types.Dispatcher:
        return KernelType(found.dispatcher())

    class Listener(event.Listener):
        """Hears of each kernel whose machine code was not in the cache."""

        compiled = 0

        def on_start(self, found: event.Event) -> None:
            self.compiled += 1
            if _compile_progress is not None:
                _compile_progress(COMPILING, min(self.compiled / LazyKernel.made, 1.0))

        def on_end(self, found: event.Event) -> None:
            """A kernel ends when those it calls have: its beginning is told."""

    register: Any = event.register  # it has no types
    register("numba:compile", Listener())


def _kept(compiled: Dispatcher, folder: Path) -> Dispatcher:
    from numba.core import config as numba_config

    config: Any = numba_config  # its settings are made when it is imported
    # Numba reads the folder when caching is switched on; other users of Numba keep their own.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        compiled.enable_caching()
    finally:
        config.CACHE_DIR = before
    opened: Any = compiled  # its stubs have no place for another ``compile``
    opened.compile = _by_one_process(compiled, folder)
    return compiled


def _by_one_process(compiled: Dispatcher, folder: Path) -> Callable[[object], object]:
    """Numba's ``compile`` behind a lock of its kernel: who comes second finds the machine code.

    It takes half a minute for the largest, in each of the processes that begin together.
    """
    from numba.core.compiler_lock import global_compiler_lock

    compile_or_load: Callable[..., object] = compiled.compile
    lock = folder / f"{compiled.py_func.__module__}.{compiled.py_func.__qualname__}.lock"

    def compile_once(signature: object) -> object:
        # The threads of this process first, or two of them would wait for each other's lock.
        with global_compiler_lock, one_process_at_a_time(lock):
            return compile_or_load(signature)

    return compile_once


@contextmanager
def compile_progress(progress: Progress) -> Iterator[None]:
    """While this runs: say how many kernels were compiled, of all there are."""
    global _compile_progress
    before, _compile_progress = _compile_progress, progress
    try:
        yield
    finally:
        _compile_progress = before


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


def fingerprint(sources: Path = HERE) -> str:
    """A hash of every kernel source below this folder and of the version of Numba."""
    digest = hashlib.sha256(require(KERNELS).__version__.encode())
    for path in sorted(sources.rglob("*.py")):
        digest.update(f"\0{path.relative_to(sources)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def in_chunks(
    work: Callable[[T, int, int], None],
    workspaces: list[T],
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

    def take(workspace: T) -> None:
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
