"""Game recall: at least the last fifty rounds, marked as replays, to each what he saw."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from croupier.audit.proof_check import check_proof
from croupier.facts.errors import Unreadable
from croupier.games.registry import the_registry
from croupier.ledger.rounds import kept_rounds
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.transparency.signed_note import read_verifier_key
from croupier.server.pit.player_care import PAUSE_US, RoundSpent, evening_of
from croupier.server.pit.recall import KEPT, Recall
from croupier.table.views import PUBLIC, SURVEILLANCE, Viewer
from tests.ledger.evenings import Evening
from tests.ledger.test_redaction import open_to
from tests.server.service import Client
from tests.server.staff import Table

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


def test_the_last_fifty_rounds_are_told_to_each_as_he_saw_them(tmp_path: Path) -> None:
    evening = Evening()
    with closing(open_ledger(str(tmp_path / "long.db"), create=True)) as ledger:
        table = evening.install(ledger)
        evening.sit(table, 2)
        recall = Recall(ledger, table.name, the_registry(), evening.ring)
        assert recall.rounds() == []
        evening.play(table, KEPT + 3)
        shown = recall.rounds()
        assert [each.round for each in shown] == [*range(KEPT + 3, 3, -1)]
        assert {each.status for each in shown} == {"complete"}
        evening.play(table, 2)
        assert [each.round for each in recall.rounds()] == [*range(KEPT + 5, 5, -1)]
        fresh = Recall(ledger, table.name, the_registry(), evening.ring)
        assert fresh.rounds() == recall.rounds()
        viewers = (PUBLIC, SURVEILLANCE, Viewer(role="player", name="Ann"))
        rounds = kept_rounds(ledger, table.name, the_registry(), evening.ring)
        dealt = {kept.number: kept for kept in rounds}
        for number in (6, 30, KEPT + 5):
            kept = recall.kept(number)
            for viewer in viewers:
                told = recall.replay(kept, viewer)
                *_, allowed = open_to(dealt[number], viewer)
                assert {*CARD.findall(msgspec.json.encode(told).decode())} == allowed
                assert told.replay
        for number in (1, 5):
            assert recall.ever(number).told == dealt[number].told
        with pytest.raises(Unreadable, match="no round 0"):
            recall.ever(0)
        blind = Recall(ledger, table.name, the_registry(), new_ring())
        told = blind.replay(blind.kept(30), SURVEILLANCE)
        *_, allowed = open_to(dealt[30], PUBLIC)
        assert {*CARD.findall(msgspec.json.encode(told).decode())} == allowed


def test_who_may_look_back(table: Table, people: dict[str, Client]) -> None:
    table.dealt().finished()
    path = f"/api/tables/{table.name}/rounds"
    for who in ("ann", "dealer", "floorperson", "manager", "surveillance", "auditor"):
        (shown,) = people[who].get(path)
        assert (shown["round"], shown["status"], shown["wagered_cents"]) == (1, "complete", 40_00)
        told = people[who].get(f"{path}/1")
        assert told["replay"] is True
        assert told["table"] == table.name
        assert [box["decisions"][0]["action"] for box in told["boxes"]] == ["check", "check"]
    status, told = people["cyd"].send("GET", f"{path}/1")
    assert (status, told["outcome"]) == (403, "forbidden")
    assert people["ann"].send("GET", f"{path}/2")[0] == 404
    assert people["admin"].send("GET", path)[0] == 403
    assert Client(people["ann"].service).send("GET", path)[0] == 401
    own = people["ann"].get(f"{path}/1")["boxes"]
    assert [box["chips_after_cents"] for box in own] == [480_00, None]


def test_a_round_that_is_over_is_given_as_one_file(table: Table, people: dict[str, Client]) -> None:
    table.dealt()
    path = f"/api/tables/{table.name}/rounds/1/proof"
    assert people["ann"].send("GET", path)[0] == 503
    table.finished()
    key = read_verifier_key(people["ann"].get("/log/key"))
    for who, wagers in (("ann", 2), ("surveillance", 4)):
        status, told = people[who].send("GET", path)
        assert status == 200, told
        attached = f'attachment; filename="{table.name}-1.round-proof"'
        assert people[who].headers["content-disposition"] == attached
        content = json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n"
        found = check_proof(content.encode(), the_registry(), key)
        assert (found.table, found.round, found.boxes) == (table.name, 1, 2)
        assert (found.settled, found.differences) == (wagers, ())
        assert ('"bob"' in content) is (who == "surveillance")
    assert people["cyd"].send("GET", path)[0] == 404
    assert people["admin"].send("GET", path)[0] == 403


def test_a_player_sees_what_he_spent_and_keeps_to_limits_of_his_own(table: Table) -> None:
    """Ann folds two rounds; her limits hold at every table until she changes them."""
    ann, stakes = table.people["ann"], {"ante": 10_00, "blind": 10_00}
    before = ann.get("/care")
    for _ in range(2):
        table.dealt().finished()
    told = ann.get("/care")
    assert told["rounds"] == before["rounds"] + 2
    assert told["staked_cents"] - before["staked_cents"] == 2 * sum(stakes.values())
    lost = before["net_cents"] - told["net_cents"]
    page = ann.get(f"/tables/{table.name}/spent")
    assert page.count('<th scope="row">') == 3
    assert f"\N{MINUS SIGN}${lost / 100:,.2f}</td></tr></tfoot>" in page
    ann.post("/care", {"minutes": 0, "loss_cents": -told["net_cents"]})
    told = table.ask("ann", "place-wagers", box=1, stakes=stakes)
    assert told["outcome"] == "forbidden"
    assert "and set yourself at most" in told["sentence"]
    assert "under Time and limits" in told["sentence"]
    assert ann.get("/care")["reached"]
    table.done("bob", "place-wagers", box=2, stakes=stakes)
    assert ann.send("POST", "/care", {"minutes": -1})[0] == 400
    ann.post("/care", {"minutes": 0, "loss_cents": 0})
    table.done("ann", "place-wagers", box=1, stakes=stakes)


def test_an_evening_ends_with_a_long_pause() -> None:
    rounds = [RoundSpent("T", n, at * PAUSE_US // 4, 1, 0) for n, at in enumerate((0, 1, 6, 8))]
    assert evening_of(rounds, rounds[-1].at_us + PAUSE_US - 1) == rounds[2:]
    assert evening_of(rounds, rounds[-1].at_us + PAUSE_US) == []
    assert evening_of(rounds[:2], rounds[1].at_us) == rounds[:2]
