"""The simulator's kernels, compiled as the solver's are, in a folder of their own.

They call the solver's kernels, so the folder is named by the sources of both: a change in either
starts a fresh one, and a change in the simulator leaves the solver's machine code where it is.
"""

from __future__ import annotations

import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any, cast

import numba

from croupier.exact.kernels.compiled import Kernel, cache_home, config, fingerprint

_decorating = threading.Lock()
_LEAN: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "_nrt": False,
}


def kernel(function: Kernel) -> Kernel:
    """Compile a function on its first call, or take its machine code from the cache."""
    return cast(Kernel, _cached(numba.njit(nogil=True, error_model="numpy")(function)))


def part(function: Kernel) -> Kernel:
    """A kernel that makes no arrays, or a part of one, written out where it is called.

    A round reads dozens of arrays. Counting who holds each of them, and passing them on from part
    to part, took longer than the round itself; whoever makes no array need not count.
    """
    return cast(Kernel, _cached(numba.njit(**_LEAN)(function)))


def _cached(compiled: Any) -> Any:
    with _decorating:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(_folder())
        try:
            compiled.enable_caching()
        finally:
            config.CACHE_DIR = before
    return compiled


@cache
def _folder() -> Path:
    """Where the compiled kernels are kept: a temporary folder where no other can be written."""
    here = fingerprint(Path(__file__).parent)
    folder = cache_home() / f"simulator-{fingerprint()[:8]}{here[:8]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="croupier-simulator-"))
