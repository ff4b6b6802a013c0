"""How property tests search, and what is noted of the tests that were collected."""

import os

import pytest
from hypothesis import settings

from tests.trace import CITATIONS, Citations

settings.register_profile(
    "croupier", deadline=None, max_examples=60, derandomize="CI" in os.environ
)  # repeatable in CI, free everywhere else
settings.register_profile("thorough", deadline=None, max_examples=1000)  # of `make prove`
settings.register_profile("quick", deadline=None, max_examples=10)  # of `make check`
settings.load_profile("croupier")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[CITATIONS] = Citations()
    config.pluginmanager.register(config.stash[CITATIONS])
