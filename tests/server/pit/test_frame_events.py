"""A frame tells what happened since the one before, as its viewer may know it, and what is due."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.sync.client import ClientConnection

from croupier.server.pit.frames import unheard
from croupier.table.views import DEALER, PUBLIC
from tests.attack.pits import Watch, small_pit
from tests.server.service import Client, Service
from tests.server.staff import Table, hire, install


class Between(NamedTuple):
    since: int
    version: int


KEPT = [Between(at, at + 2) for at in range(10, 20, 2)]


@pytest.mark.parametrize(
    ("heard", "begins"),
    [(None, None), (20, None), (18, 18), (14, 14), (10, 10), (3, 10), (25, None)],
)
def test_a_viewer_is_told_from_where_he_was_told_before(
    heard: int | None, begins: int | None
) -> None:
    """Who is further behind than what is kept is told the newest of it, from a later version."""
    found = unheard(KEPT, 20, heard)
    assert [span.since for span in found] == list(range(begins or 20, 20, 2))


def test_what_does_not_lead_up_to_the_table_as_it_is_is_not_told() -> None:
    """Somebody else wrote in between, and nobody here knows what."""
    assert unheard(KEPT, 22, 14) == []
    assert unheard([*KEPT[:2], *KEPT[3:]], 20, 10) == KEPT[3:]


def frames(socket: ClientConnection, version: int) -> list[dict[str, Any]]:
    """What comes until the table is at a version."""
    found: list[dict[str, Any]] = []
    while not found or found[-1]["version"] < version:
        told = json.loads(socket.recv(timeout=20))
        found += [told] if "view" in told else []
    return found


def test_frames_follow_each_other_and_tell_who_answered_and_how(
    table: Table, people: dict[str, Client]
) -> None:
    table.dealt()
    with people["bob"].watching(table.name) as bob, people["dealer"].watching(table.name) as dealer:
        first = json.loads(bob.recv(timeout=20))
        json.loads(dealer.recv(timeout=20))
        assert (first["since"], first["events"]) == (first["version"], [])
        due = first["due"]
        street = due["street"]
        assert (due["role"], due["do"], due["box"]) == ("player", ["play", "check"], 1)
        table.done("ann", "check", box=1)
        version = table.done("bob", "check", box=2)["version"]
        told = frames(bob, version)
        versions = [first["version"], *(frame["version"] for frame in told)]
        assert [frame["since"] for frame in told] == versions[:-1]
        events = [event for frame in told for event in frame["events"]]
        answers = [
            (each["event"], each["box"], each["street"], each["defaulted"]) for each in events
        ]
        assert answers == [("checked", 1, street, False), ("checked", 2, street, False)]
        assert told[-1]["due"] == {"role": "dealer", "do": ["deal"]}
        assert [event for frame in frames(dealer, version) for event in frame["events"]] == events


def test_what_another_has_in_chips_is_not_among_what_happened(
    table: Table, people: dict[str, Client]
) -> None:
    with people["bob"].watching(table.name) as bob, people["ann"].watching(table.name) as ann:
        for socket in (bob, ann):
            json.loads(socket.recv(timeout=20))
        version = table.done("ann", "tip", box=1, cents=1_00)["version"]
        assert not any(frame["events"] for frame in frames(bob, version))
        (frame,) = frames(ann, version)
        assert [event["event"] for event in frame["events"]] == ["tip-given"]


def test_a_look_by_itself_tells_of_no_events(table: Table, people: dict[str, Client]) -> None:
    seen = people["ann"].look(table.name)
    assert (seen["since"], seen["events"]) == (seen["version"], [])


def test_until_when_a_box_may_think_and_that_its_time_ran_out(tmp_path: Path) -> None:
    before_s = int(time.time())
    with Service(tmp_path, decision_seconds=3).running() as service:
        people = hire(service)
        table = install(people, "clocked").opened(("ann",))
        with people["cyd"].watching(table.name) as socket:
            table.dealt()
            seen = json.loads(socket.recv(timeout=20))
            while seen.get("due", {}).get("role") != "player":
                seen = json.loads(socket.recv(timeout=20))
            assert before_s + 3 <= seen["due"]["until_s"] <= time.time() + 4
            (event,) = json.loads(socket.recv(timeout=20))["events"]
            assert (event["event"], event["box"], event["defaulted"]) == ("checked", 1, True)


def test_a_frame_is_made_once_for_all_who_look_on_without_a_login(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        (actor,) = pit.actors.values()
        first = actor.frame(PUBLIC)
        with actor.watched(viewer=PUBLIC) as one, actor.watched(viewer=PUBLIC) as another:
            assert actor.frame(PUBLIC, one) is actor.frame(PUBLIC, another) is first
        assert actor.frame(DEALER) != first
