"""A player who wants to fill the disk: bounds of what he may say, how often, and what is kept."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.facts.errors import Refusal, Unreadable
from croupier.ledger.envelope import words, words_hash
from croupier.ledger.kept_table import RefusedBefore
from croupier.server.access.logins import Login, NotAdmitted
from croupier.server.access.token_buckets import MOST_KEYS, Budgets, TokenBuckets, TooMany, network
from croupier.server.pit.messages import as_command, read_ask
from croupier.server.pit.pit import Pit
from croupier.table import commands as do
from tests.attack.pits import CHEAP, Watch, small_pit
from tests.server.service import PASSWORD, Client, Service
from tests.server.staff import hire

LONG = "x" * 50_000
ANN = Login("ann", "player", "", 0, "")


@pytest.mark.parametrize(
    "said",
    [
        {"do": "place-wagers", "box": 1, "stakes": {LONG: 1}},
        {"do": "place-wagers", "box": 1, "stakes": {f"w{n}": 1 for n in range(1000)}},
        {"do": "withdraw-wagers", "box": 1, "wagers": [LONG]},
        {"do": "withdraw-wagers", "box": 1, "wagers": ["ante"] * 1000},
        {"do": "declare", "name": "misdeal", "cards": [LONG]},
        {"do": "declare", "name": "misdeal", "exposed": ["@1"] * 1000},
        {"do": "count-stub", "stub": 1, "on_table": 1, "hands": {str(n): 1 for n in range(1000)}},
        {"do": "count-stub", "stub": 1, "on_table": 1, "hands": {str(10**30): 1}},
        {"do": "clear-cards", "meters": {LONG: 1}},
        {"do": "call-floor", "reason": LONG},
    ],
)
def test_no_field_of_a_command_is_longer_than_it_needs_to_be(said: dict[str, object]) -> None:
    with pytest.raises(Unreadable):
        do.read_command(msgspec.json.encode({**said, "by": "ann", "role": "player"}))


def test_every_field_of_every_command_has_a_bound() -> None:
    """No text, list or table of any command is without its longest."""
    (_, components) = msgspec.json.schema_components([do.AnyCommand])
    loose = [
        f"{kind}.{name}: {part['type']}"
        for kind, schema in components.items()
        for name, field in schema.get("properties", {}).items()
        for part in _parts(field)
        if "const" not in part and "enum" not in part
        if BOUNDS.get(str(part["type"]), "type") not in part
    ]
    assert loose == []


BOUNDS = {
    "string": "maxLength",
    "array": "maxItems",
    "object": "maxProperties",
    "integer": "maximum",
}


def _parts(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """A schema and every schema inside it."""
    inner = [schema.get(key) for key in ("items", "additionalProperties", "propertyNames")]
    inner += schema.get("anyOf", [])
    found = [part for each in inner if isinstance(each, dict) for part in _parts(each)]
    return [*([schema] if "type" in schema else []), *found]


def test_a_wager_is_one_of_the_books(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        book = pit.table("UTH-1").kept.state.book
        said = {"do": "place-wagers", "box": 1, "stakes": {"antes": 5_00}}
        with pytest.raises(Unreadable, match=r'no wager "antes" \(did you mean ante'):
            as_command(read_ask(json.dumps({"id": "1", "command": said})), ANN, book)
        said["stakes"] = {"ante": 5_00, "progressive": 1_00}
        as_command(read_ask(json.dumps({"id": "1", "command": said})), ANN, book)


# Budgets


def test_the_budget_is_the_persons_however_many_logins_he_has() -> None:
    watch = Watch()
    budgets = Budgets(msgspec.structs.replace(CHEAP, commands_a_second=5), watch)
    for n in range(10):
        budgets.command("ann", f"10.0.0.{n}")
    with pytest.raises(TooMany, match="wait a moment") as error:
        budgets.command("ann", "10.0.0.99")
    assert error.value.wait_s == 1
    budgets.command("bob", "10.0.0.1")
    watch.later(1)
    for _ in range(5):
        budgets.command("ann", "10.0.0.1")
    with pytest.raises(TooMany):
        budgets.command("ann", "10.0.0.1")


def test_the_budget_is_the_addresss_however_many_people_share_it() -> None:
    few = msgspec.structs.replace(CHEAP, commands_a_second=1, people_an_address=2)
    budgets = Budgets(few, Watch())
    for n in range(4):
        budgets.command(f"player {n}", "2001:db8::1")
    with pytest.raises(TooMany):
        budgets.command("player 5", "2001:db8::ffff")
    budgets.command("player 5", "2001:db8:0:1::1")


def test_nobody_fills_the_memory_with_addresses() -> None:
    buckets = TokenBuckets(Watch(), 1)
    for n in range(MOST_KEYS + 10):
        buckets.take(f"key {n}")
    assert len(buckets) == MOST_KEYS


def test_an_address_is_known_by_what_its_owner_was_given() -> None:
    assert network("::ffff:10.1.2.3") == network("10.1.2.3") == "10.1.2.3"
    assert network("fe80::1%eth0") == network("fe80::2%eth1") == "fe80::/64"
    assert network("testclient") == "testclient"


# Refusals


async def _refused(pit: Pit, number: int) -> str:
    """What comes of a command that is never allowed."""
    try:
        await pit.table("UTH-1").ask(do.Reveal(by="dee", role="dealer"), f"dee/{number}")
    except Exception as error:
        return type(error).__name__
    return "done"


def test_refusals_are_kept_as_hash_and_reason(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        assert asyncio.run(_refused(pit, 1)) == "Refusal"
        (line,) = pit.ledger.read("desk/UTH-1")
        assert line.command == words_hash(words(do.Reveal(by="dee", role="dealer")))
        assert asyncio.run(_refused(pit, 1)) == "RefusedBefore"
        other = do.OpenTable(by="dee", role="dealer")
        with pytest.raises(Unreadable, match="with other words"):
            asyncio.run(pit.table("UTH-1").ask(other, "dee/1"))


def test_only_so_many_refusals_of_a_person_are_kept_an_hour(tmp_path: Path) -> None:
    watch = Watch()
    few = msgspec.structs.replace(CHEAP, refusals_an_hour=3)
    with small_pit(tmp_path, watch, few) as pit:
        told = [asyncio.run(_refused(pit, n)) for n in range(5)]
        assert told == ["Refusal"] * 3 + ["TooMany"] * 2
        assert pit.ledger.head("desk/UTH-1").version == 3
        assert asyncio.run(_refused(pit, 1)) == RefusedBefore.__name__
        watch.later(3600)
        assert asyncio.run(_refused(pit, 4)) == Refusal.__name__
        assert pit.ledger.head("desk/UTH-1").version == 4


# Logins and sockets


def test_a_further_login_ends_the_oldest(tmp_path: Path) -> None:
    watch = Watch()
    few = msgspec.structs.replace(CHEAP, logins_a_person=3)
    with small_pit(tmp_path, watch, few) as pit:
        mine = []
        for _ in range(60):
            watch.later(1)
            mine.append(pit.logins.enter("ann", PASSWORD, "10.0.0.1"))
        assert len(pit.logins) == 3
        with pytest.raises(NotAdmitted):
            pit.logins.by_token(mine[56].token)
        assert pit.logins.by_token(mine[57].token).name == "ann"


def test_sockets_of_a_person_and_of_an_address_are_bounded(tmp_path: Path) -> None:
    with Service(tmp_path, sockets_a_person=2, people_an_address=2).running() as service:
        people = hire(service)
        for who in (people["ann"], Client(service)):
            with who.watching("UTH-1") as one, who.watching("UTH-1") as two:
                for place in (one, two):
                    assert "view" in json.loads(place.recv(timeout=20))
                with who.watching("UTH-1") as third:
                    told = json.loads(third.recv(timeout=20))
                assert told["outcome"] == "too many", told
                assert told["wait_s"] == 1
            with who.watching("UTH-1") as again:
                assert "view" in json.loads(again.recv(timeout=20))
