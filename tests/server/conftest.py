"""One service a module, with everybody hired, and a table of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.ledger.conftest import server as server
from tests.server.service import Client, Service
from tests.server.staff import Table, hire, install

_tables = count(1)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("pit")).running() as running:
        yield running


@pytest.fixture(scope="module")
def people(service: Service) -> dict[str, Client]:
    return hire(service)


@pytest.fixture
def table(people: dict[str, Client]) -> Table:
    """A table that nobody has touched, open, with Ann and Bob at boxes 1 and 2."""
    return install(people, f"T{next(_tables)}").opened()
