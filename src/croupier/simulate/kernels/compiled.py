"""The simulator's kernels, compiled as the solver's are, in a folder of their own.

They call the solver's kernels, so the folder is named by the sources of both: a change in either
starts a fresh one, and a change in the simulator leaves the solver's machine code where it is.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from croupier.exact.kernels import compiled
from croupier.exact.kernels.compiled import KernelFunction

_FOLDER = partial(compiled.folder_of, "simulator", compiled.HERE, Path(__file__).parent)


def kernel(function: KernelFunction) -> KernelFunction:
    """Compile a function on its first call, or take its machine code from the cache."""
    return compiled.whole(function, _FOLDER)


def part(function: KernelFunction) -> KernelFunction:
    """A kernel that makes no arrays, or a part of one, written out where it is called."""
    return compiled.lean(function, _FOLDER, inline=True)
