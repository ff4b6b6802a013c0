"""Optional packages: imported where they are needed, and named in one sentence where they lack.

Each is an extra of the distribution: ``pip install "croupier[documents]"`` adds one of them,
``croupier[all]`` every one.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from croupier.facts.errors import Unavailable


class Extra(NamedTuple):
    """``name`` is the extra's, ``module`` what is imported, ``needs`` the beginning of a sentence
    that says who needs it.
    """

    name: str
    module: str
    needs: str


KERNELS = Extra("kernels", "numba", "counting and simulating need Numba")
DOCUMENTS = Extra("documents", "typst", "a PDF needs typst")
POSTGRESQL = Extra("postgresql", "psycopg", "a ledger on PostgreSQL needs psycopg")
CLUSTER = Extra("cluster", "distributed", "a cluster needs Dask")
EXTRAS = (KERNELS, DOCUMENTS, POSTGRESQL, CLUSTER)


def require(extra: Extra) -> ModuleType:
    """Import an optional package; Unavailable says how to install it."""
    try:
        return import_module(extra.module)
    except ImportError as error:
        is_there = not isinstance(error, ModuleNotFoundError)
        why = f"which does not load here ({error})" if is_there else "which is not installed"
        install = f'pip install "croupier[{extra.name}]", or make extras in the project\'s folder'
        raise Unavailable(f"{extra.needs}, {why}: {install}") from None


@cache
def is_installed(extra: Extra) -> bool:
    """Whether an optional package can be imported, for whoever can do without it."""
    try:
        require(extra)
    except Unavailable:
        return False
    return True
