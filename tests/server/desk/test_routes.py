"""The desk's service: let in by its link alone, once; a no is one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from croupier.games.registry import the_registry
from croupier.practice.link import OneTimeLink
from croupier.server.desk.routes import Desk, desk_app
from croupier.submission.check import shipped_text
from tests.submission.forms import edited

UTH = shipped_text("UTH-S")
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/desk/state", {"text": UTH}),
    ("/desk/paper", {"text": UTH, "name": "layout"}),
    ("/desk/comparison", {"first": UTH, "second": UTH}),
    ("/desk/packs", {"text": UTH, "file": "a.toml"}),
    ("/desk/counts", {"text": UTH}),
)


class Manager:
    """A browser before the desk, which may come by the link."""

    def __init__(self, link: OneTimeLink, client: TestClient[Any]) -> None:
        self.link, self.client = link, client

    def sit(self) -> None:
        answer = self.client.get(
            str(self.link).removeprefix("http://desk.local"), follow_redirects=False
        )
        assert answer.status_code == 302
        self.client.cookies.update(answer.cookies)

    def sentence(self, path: str, **asked: object) -> str:
        answer = self.client.post(path, json=asked)
        assert answer.status_code in (400, 409)
        return str(answer.json()["sentence"])


@pytest.fixture
def manager() -> Iterator[Manager]:
    link = OneTimeLink("http://desk.local")
    desk = Desk(the_registry(), link, None)
    with TestClient(desk_app(desk, lambda: None), base_url="http://desk.local") as client:
        yield Manager(link, client)


def test_nobody_is_let_in_but_by_the_link_and_that_once(manager: Manager) -> None:
    client, first = manager.client, str(manager.link).removeprefix("http://desk.local")
    assert client.get("/").status_code == 401
    assert "croupier desk" in client.get("/").text
    for path, asked in ASKED:
        assert client.post(path, json=asked).status_code == 401
    for path in ("/desk/jobs/1", "/desk/packs/1/pack.zip", "/why?clause=UTH-S+2.A"):
        assert client.get(path).status_code == 401
    assert client.get("/sit/guess").status_code == 401
    manager.sit()
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src")
    client.cookies.clear()
    assert client.get(first).status_code == 401


def test_a_page_of_another_site_cannot_act_here(manager: Manager) -> None:
    manager.sit()
    asked = {"text": UTH}
    foreign = {"origin": "http://elsewhere.example"}
    assert manager.client.post("/desk/state", json=asked, headers=foreign).status_code == 401
    assert manager.client.post("/desk/state", json=asked).status_code == 200


def test_a_no_is_one_sentence(manager: Manager) -> None:
    manager.sit()
    change = [{"key": "table.colour", "value": "red"}]
    assert "no key" in manager.sentence("/desk/state", text=UTH, changes=change)
    assert "no paper" in manager.sentence("/desk/paper", text=UTH, name="poster")
    wrong = edited("UTH-S", table__boxes="9")
    assert "at most 6" in manager.sentence("/desk/packs", text=wrong, file="a.toml")
    logo = edited("UTH-S", facility__logo='"house.png"')
    assert "choose that file" in manager.sentence("/desk/paper", text=logo, name="layout")
    assert "no picture" in manager.sentence("/desk/paper", text=logo, name="layout", logo="YWJj")
    assert "whole" in manager.sentence("/desk/paper", text=logo, name="layout", logo="?")
    assert manager.client.post("/desk/state", json={"word": 1}).status_code == 400
    assert manager.client.get("/desk/jobs/none").status_code == 404


def test_papers_are_drawn_as_they_would_be_printed(manager: Manager) -> None:
    manager.sit()
    text = edited("UTH-S", facility__name='"Harbor & Sons"')
    layout = manager.client.post("/desk/paper", json={"text": text, "name": "layout"}).json()
    assert layout["svg"].startswith("<svg")
    for name in ("signs", "submission", "dealer-card", "player-guide"):
        told = manager.client.post("/desk/paper", json={"text": text, "name": name}).json()
        assert "Harbor &amp; Sons" in told["html"]
        assert "<script" not in told["html"]
    why = manager.client.get("/why", params={"clause": "UTH-S 2.A"}).json()
    assert "six boxes" in why["means"]
