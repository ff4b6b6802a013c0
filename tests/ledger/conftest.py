"""What the ledger's tests stand on: both stores, real."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.ledger.stores import BACKENDS, Server, postgresql_server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with postgresql_server() as server:
        yield server


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def new_address(
    backend: str, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Callable[[], str]]:
    """Addresses where no ledger is yet, of the store the test runs on."""
    if backend == "postgresql":
        server: Server = request.getfixturevalue("server")
        yield server.empty_database
        server.take_back()
    else:
        numbers = itertools.count(1)
        yield lambda: str(tmp_path / f"ledger-{next(numbers)}.db")


@pytest.fixture
def address(new_address: Callable[[], str]) -> str:
    return new_address()
