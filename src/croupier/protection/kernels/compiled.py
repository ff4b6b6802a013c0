"""Compiling: as the solver's kernels, in a folder named by the solver's sources and these.

The kernels here call the solver's, so a change in either starts a fresh folder.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from croupier.exact.kernels import compiled
from croupier.exact.kernels.compiled import KernelFunction

_FOLDER = partial(compiled.folder_of, "protection", compiled.HERE, Path(__file__).parent)


def kernel(function: KernelFunction) -> KernelFunction:
    """Compile a function on its first call, or take its machine code from the cache."""
    return compiled.whole(function, _FOLDER)


def lean(function: KernelFunction) -> KernelFunction:
    """A kernel that makes no arrays: nobody counts who holds them."""
    return compiled.lean(function, _FOLDER, inline=False)


def part(function: KernelFunction) -> KernelFunction:
    """A part of a kernel that makes no arrays, written out where it is called."""
    return compiled.lean(function, _FOLDER, inline=True)
