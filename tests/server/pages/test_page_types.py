"""The pages' scripts are held against types that say what the server's structs say."""

from __future__ import annotations

import json

import msgspec
import pytest

from croupier.server.pages.practice_room import PracticeFrame
from croupier.table.views import BoxView, View
from tests import page_types


def test_the_types_of_pages_are_those_of_the_servers_structs() -> None:
    written = page_types.FILE.read_text("utf-8")
    assert written == page_types.page_types(), "stale: make pages"


@pytest.mark.parametrize("struct", [View, BoxView, PracticeFrame])
def test_every_field_has_its_line(struct: type[msgspec.Struct]) -> None:
    _, _, after = page_types.page_types().partition(f"interface {struct.__name__} {{\n")
    lines = after.partition("  }")[0].splitlines()
    names = [line.strip().partition(":")[0].rstrip("?") for line in lines]
    assert names == list(struct.__struct_fields__)


class Left(msgspec.Struct, omit_defaults=True):
    """What a field may be, as no struct that is sent has it all."""

    said: str
    odds: tuple[tuple[int, str], ...] = ()
    way: str | None = None


def test_what_is_left_out_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_types, "SENT", (Left,))
    told = page_types.page_types()
    assert "    said: string;" in told
    assert "    odds?: [number, string][];" in told
    assert "    way?: string | null;" in told


def test_the_checker_is_strict() -> None:
    """``null`` alone is not followed: what a first frame brings is there before anything asks."""
    config = json.loads((page_types.FILE.parents[4] / "tsconfig.json").read_text("utf-8"))
    options = config["compilerOptions"]
    assert options["checkJs"]
    assert options["strict"]
    off = {name for name, value in options.items() if value is False}
    assert off == {"strictNullChecks", "strictPropertyInitialization"}


def test_what_checks_them_is_pinned_by_hash() -> None:
    pins = page_types.FILE.parents[4] / "requirements" / "node"
    wanted = json.loads((pins / "package.json").read_text("utf-8"))["devDependencies"]
    packages = json.loads((pins / "package-lock.json").read_text("utf-8"))["packages"]
    assert packages.pop("")["devDependencies"] == wanted
    assert {name.removeprefix("node_modules/") for name in packages} == set(wanted)
    assert all(one["integrity"].startswith("sha512-") for one in packages.values())
    assert all("resolved" not in one for one in packages.values())
