"""How property tests search, and what is noted of the tests that were collected."""

import asyncio
import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.trace import CITATIONS, Citations

settings.register_profile(
    "croupier", deadline=None, max_examples=25, derandomize="CI" in os.environ
)  # repeatable in CI, free everywhere else
settings.register_profile("thorough", deadline=None, max_examples=1000)  # of `make prove`
settings.register_profile("quick", deadline=None, max_examples=10)  # of `make check`
settings.load_profile("croupier")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[CITATIONS] = Citations()
    config.pluginmanager.register(config.stash[CITATIONS])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Pages are tested first, by every worker but one: a browser waits more than it works.

    Workers begin with one stretch of the list each, all as long, and then steal from each other's.
    """
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    paged = [item for item in items if "browser" in item.path.parts]
    others = [item for item in items if "browser" not in item.path.parts]
    stretch = -(-len(items) // workers)
    ordered: list[pytest.Item] = []
    for worker in range(max(workers - 1, 1)):
        ordered += paged[worker :: max(workers - 1, 1)]
        room = max(stretch * (worker + 1) - len(ordered), 0)
        ordered += others[:room]
        del others[:room]
    items[:] = ordered + others


@pytest.fixture(autouse=True)
def _without_the_browsers_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """A browser that stays open keeps its event loop running in this thread, asleep; whoever runs
    a loop of his own is to know nothing of it."""
    running = asyncio._get_running_loop()
    if running is None or "browser" in request.path.parts:
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)
