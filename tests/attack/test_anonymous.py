"""Strangers who ask and ask: what they get was made before, and each address has a budget."""

from __future__ import annotations

from pathlib import Path

from tests.server.service import Client, Service
from tests.server.staff import hire


def test_an_address_has_a_budget_of_anonymous_requests(tmp_path: Path) -> None:
    with Service(tmp_path, anonymous_requests_a_second=1).running() as service:
        stranger = Client(service)
        codes = [stranger.send("GET", "/health")[0] for _ in range(5)]
        assert codes[-1] == 429
        assert stranger.headers["retry-after"] == "1"
        for path in ("/sign/UTH-1", "/nowhere", "/api/tables"):
            status, told = stranger.send("GET", path, headers={"Authorization": "Bearer made-up"})
            assert (status, told["outcome"]) == (429, "too many"), path


def test_who_is_logged_in_is_not_counted_among_strangers(tmp_path: Path) -> None:
    with Service(tmp_path, anonymous_requests_a_second=20).running() as service:
        people = hire(service)
        while Client(service).send("GET", "/health")[0] != 429:
            pass
        assert people["ann"].send("GET", "/api/me")[0] == 200
