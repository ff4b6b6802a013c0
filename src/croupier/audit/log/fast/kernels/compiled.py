"""The auditor's kernels, compiled as the solver's are, in a folder of their own.

They call the solver's and the simulator's, so the folder is named by the sources of all three.
"""

from __future__ import annotations

import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any

import numba

from croupier.exact.kernels.compiled import Kernel, cache_home, config, fingerprint
from croupier.simulate import kernels as simulator

_decorating = threading.Lock()


def kernel(function: Kernel) -> Kernel:
    """Compile a function on its first call, or take its machine code from the cache."""
    compiled: Kernel = _cached(numba.njit(nogil=True, error_model="numpy")(function))
    return compiled


def part(function: Kernel) -> Kernel:
    """A part of a kernel that makes no arrays: those it is given are not counted again."""
    return _without_counting(function, forceinline=False)


def inlined(function: Kernel) -> Kernel:
    """A small part, written out where it is called: it is called for every byte."""
    return _without_counting(function, forceinline=True)


def _without_counting(function: Kernel, *, forceinline: bool) -> Kernel:
    njit: Any = numba.njit  # its stubs do not tell of the last option
    made = njit(nogil=True, error_model="numpy", forceinline=forceinline, _nrt=False)(function)
    compiled: Kernel = _cached(made)
    return compiled


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
    sources = (Path(simulator.__path__[0]), Path(__file__).parent)
    names = "".join(fingerprint(folder)[:8] for folder in sources)
    folder = cache_home() / f"auditor-{fingerprint()[:8]}{names}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="croupier-auditor-"))
