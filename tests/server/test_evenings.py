"""Whole evenings over the real API, on both stores: every frame of every viewer is looked at."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from croupier.audit.ledger_audit import audited
from croupier.facts.cards import DECK
from croupier.games.registry import the_registry
from croupier.ledger.rounds import KeptRound, kept_rounds
from croupier.ledger.shoe.key_ring import create_ring, read_ring
from croupier.ledger.store.address import open_ledger
from croupier.server.pit.recall import KEPT
from croupier.table import events as ev
from croupier.table.views import Viewer
from tests.ledger.stores import Server
from tests.ledger.test_redaction import open_to
from tests.server.crowd import PLAYERS, Crowd, Seat
from tests.server.service import Service
from tests.server.staff import hire, install

NAMES = frozenset(map(str, DECK))
CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
VIEWERS = {
    "dealer": Viewer(role="dealer"),
    "floorperson": Viewer(role="floorperson"),
    "manager": Viewer(role="floorperson"),
    "surveillance": Viewer(role="surveillance"),
    "auditor": Viewer(role="surveillance"),
    "admin": Viewer(role="public"),
    "public": Viewer(role="public"),
} | {name: Viewer(role="player", name=name) for name in PLAYERS}
BOOKS = {"UTH-S": "uth", "FCP-14": "four-card", "TCP-1": "three-card"}


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "pit.db")
        return
    server: Server = request.getfixturevalue("server")
    yield server.empty_database()
    server.take_back()


class Allowed:
    """What a viewer may know at each version of a table, told from the ledger and its keys."""

    def __init__(self, rounds: list[KeptRound], viewer: Viewer) -> None:
        self._after: list[tuple[int, frozenset[str], frozenset[str]]] = [
            (0, frozenset(), frozenset())
        ]
        before: frozenset[str] = frozenset()
        for kept in rounds:
            known: frozenset[str] = frozenset()
            for told, known in zip(kept.told, open_to(kept, viewer), strict=True):
                self._after.append((told.line.version, known, before))
            before = known

    def at(self, version: int, phase: str) -> frozenset[str]:
        """While nothing is dealt, the round before still lies there."""
        _, known, before = max(entry for entry in self._after if entry[0] <= version)
        return known | before if phase == "betting" else known

    def between(self, since: int, version: int) -> frozenset[str]:
        """What he learned, or knew already, after one version and until another."""
        known = (entry[1] for entry in self._after if since < entry[0] <= version)
        return frozenset().union(*known)


def leaks(frames: list[dict[str, object]], allowed: Allowed) -> Iterator[set[str]]:
    """The cards in a viewer's frames that he may not know, wherever in them they stand."""
    for frame in frames:
        phase = frame["view"]["phase"]  # type: ignore[index]
        since, version = int(str(frame["since"])), int(str(frame["version"]))
        happened = {*CARD.findall(json.dumps(frame["events"]))}
        yield happened - allowed.between(since, version)
        lies = {*CARD.findall(json.dumps({**frame, "events": ()}))}
        yield lies - allowed.at(version, phase)


def turned_by_a_word(rounds: list[KeptRound]) -> Iterator[set[str]]:
    """Cards that lay open only because somebody said so: at a real table each is a leak."""
    for kept in rounds:
        for told in kept.told:
            if isinstance(told.event, ev.IrregularityDeclared):
                yield {*told.event.cards, *told.event.exposed}


def seen_cards(seat: Seat) -> int:
    return sum(len(CARD.findall(json.dumps(frame))) for frame in seat.frames)


async def evenings(crowds: list[Crowd], rounds: int) -> None:
    await asyncio.gather(*(crowd.evening(rounds) for crowd in crowds))


def look_at_every_frame(folder: Path, address: str, tables: int, rounds: int) -> None:
    keys = folder / "keys.json"
    create_ring(keys)
    with Service(folder, address, "--keys", str(keys), decision_seconds=0).running() as service:
        people = hire(service)
        crowds = {}
        for n in range(tables):
            book = [*BOOKS][n % len(BOOKS)]
            link = "both" if n in (0, 2) else ""
            install(people, f"E{n}", book, link)
            crowds[f"E{n}"] = Crowd(people, f"E{n}", BOOKS[book], Random(n))
        asyncio.run(evenings([*crowds.values()], rounds))
        shown = people["surveillance"].get("/api/tables/E0/rounds")
        assert len(shown) == min(rounds, KEPT)
    with closing(open_ledger(address, read_only=True)) as ledger:
        found = audited(ledger, the_registry(), ring=read_ring(keys))
        assert found.differences == []
        assert found.rounds == tables * rounds
        for name, crowd in crowds.items():
            dealt = list(kept_rounds(ledger, name, the_registry(), read_ring(keys)))
            if crowd.is_real:
                assert not any(turned_by_a_word(dealt))
            for who, seat in crowd.seats.items():
                allowed = Allowed(dealt, VIEWERS[who])
                assert not any(leaks(seat.frames, allowed)), (name, who)
                assert seen_cards(seat) > 20 * rounds
            # Whoever looked over Ann's shoulder would be found out.
            public = Allowed(dealt, VIEWERS["public"])
            assert any(leaks(crowd.seats["ann"].frames, public))
            assert any(leaks(crowd.seats["surveillance"].frames, public))


@pytest.mark.parametrize(
    "address",
    ["sqlite", pytest.param("postgresql", marks=pytest.mark.prove)],
    indirect=True,
)
def test_evenings_of_both_games_show_nobody_a_card_he_may_not_know(
    tmp_path: Path, address: str
) -> None:
    look_at_every_frame(tmp_path, address, tables=3, rounds=5)


@pytest.mark.prove
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
def test_a_thousand_rounds_show_nobody_a_card_he_may_not_know(tmp_path: Path, address: str) -> None:
    look_at_every_frame(tmp_path, address, tables=8, rounds=125)
