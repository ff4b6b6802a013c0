"""The docs of the pit are held against the pit: every address, command and outcome has its line."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.server.access.roles import PIT_ROLES, ROLE_ACCESS
from croupier.server.pit.messages import STATUS
from tests.server.service import Client

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def rows(text: str) -> dict[str, list[str]]:
    lines = (line for line in text.splitlines() if line.startswith("| `"))
    cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return {first.strip("`"): rest for first, *rest in cells}


def test_every_address_has_its_line(people: dict[str, Client]) -> None:
    _, _, listed = page("api.md").partition("## Every address\n")
    told = re.findall(r"`([A-Z]+ /[^`]*)`", listed.partition("\n## ")[0])
    schema = people["ann"].get("/api/schema/openapi.json")["paths"]
    known = {
        f"{method.upper()} {path}"
        for path, item in schema.items()
        for method in item
        if method in ("get", "put", "post", "delete")
    }
    assert sorted(told) == sorted(known)


def test_every_outcome_has_its_line() -> None:
    told = rows(page("api.md"))
    for outcome, status in STATUS.items():
        assert told[outcome][0] == str(status)


def test_every_role_has_its_line() -> None:
    lines = [line for line in page("pit.md").splitlines() if line.startswith("| ")]
    for role in PIT_ROLES:
        (line,) = [line for line in lines if line.startswith(f"| {role} |")]
        assert ("| nothing |" in line) is (ROLE_ACCESS[role].table is None)
