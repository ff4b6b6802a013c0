"""The API describes itself, and does what it says to whatever is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.service import Client

CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]
METHODS = ("get", "put", "post", "delete")


def described(people: dict[str, Client]) -> Any:
    return people["ann"].get("/api/schema/openapi.json")


def operations(schema: Any) -> Iterator[tuple[str, Any]]:
    for path, item in schema["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{method} {path}", item[method]


def test_every_operation_says_what_it_does_and_how_it_says_no(people: dict[str, Client]) -> None:
    told = dict(operations(described(people)))
    assert len(told) > 25
    for name, operation in told.items():
        assert len(operation.get("description", "")) > 9, name
        if "/api/" in name:
            assert {"400", "401", "403", "404", "409", "429", "503"} <= set(operation["responses"])


@pytest.mark.parametrize(
    "who",
    [*(pytest.param(w, marks=pytest.mark.prove) for w in ("ann", "dealer", "manager")), "admin"],
)
def test_whatever_is_sent_the_answer_is_one_that_is_described(
    people: dict[str, Client], who: str
) -> None:
    """Generated requests, some of them wrong, in the name of four roles."""
    client = people[who]
    raw = described(people)
    for gone in ("/api/logout", "/api/login", "/api/unlock", "/api/setup", "/api/analysis"):
        raw["paths"].pop(gone, None)
    for path in [path for path in raw["paths"] if path.startswith("/api/people/")]:
        del raw["paths"][path]
    schema = schemathesis.openapi.from_dict(raw)
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        _try(found.ok(), client)


def _try(operation: Any, client: Client) -> None:
    @settings(
        max_examples=6,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        case.call_and_validate(
            base_url=client.service.url,
            headers={"Authorization": f"Bearer {client.token}"},
            checks=CHECKS,
        )

    ask()
