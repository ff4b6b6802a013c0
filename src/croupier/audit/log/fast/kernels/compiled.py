"""The auditor's kernels, compiled as the solver's are, in a folder of their own.

They call the solver's and the simulator's, so the folder is named by the sources of all three.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from croupier.exact.kernels import compiled
from croupier.exact.kernels.compiled import KernelFunction
from croupier.simulate import kernels as simulator

_SOURCES = (compiled.HERE, Path(simulator.__path__[0]), Path(__file__).parent)
_FOLDER = partial(compiled.folder_of, "auditor", *_SOURCES)


def kernel(function: KernelFunction) -> KernelFunction:
    """Compile a function on its first call, or take its machine code from the cache."""
    return compiled.whole(function, _FOLDER)


def part(function: KernelFunction) -> KernelFunction:
    """A part of a kernel that makes no arrays."""
    return compiled.lean(function, _FOLDER, inline=False)


def inlined(function: KernelFunction) -> KernelFunction:
    """A small part, written out where it is called: it is called for every byte."""
    return compiled.lean(function, _FOLDER, inline=True)
