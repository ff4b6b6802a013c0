"""Games solved once for all tests that look at their solutions."""

from __future__ import annotations

import pytest

from croupier.exact import holdem
from croupier.exact.solution import Solution
from croupier.exact.solve import solve
from croupier.games.registry import the_registry
from croupier.games.rules import Rules, bind


def rules_of(book_id: str, **letters: str) -> Rules:
    registry = the_registry()
    book = registry.book(book_id)
    return bind(registry.game_of(book), book, letters)


@pytest.fixture(scope="session")
def uth_rules() -> Rules:
    return rules_of("UTH-S", blind="A")


@pytest.fixture(scope="session")
def fcp_rules() -> Rules:
    return rules_of("FCP-14")


@pytest.fixture(scope="session")
def uth_solution(uth_rules: Rules) -> Solution:
    return solve(uth_rules)


@pytest.fixture(scope="session")
def uth_solved(uth_rules: Rules) -> holdem.SolvedHoldem:
    return holdem.solve_base(uth_rules)


@pytest.fixture(scope="session")
def fcp_solution(fcp_rules: Rules) -> Solution:
    return solve(fcp_rules)
