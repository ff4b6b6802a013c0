"""A takeover believes nothing that nobody with the keys wrote: that table stops, others go on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest

from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LedgerLine
from croupier.server.pit.integrity import STREAM as VERIFICATION
from tests.ledger.intruder import rewrite
from tests.ledger.stores import Server
from tests.server.pit.pits import Pits, soon, two_services
from tests.server.service import Client
from tests.server.staff import install

MILLIONS_CENTS = 100_000_000_00


@pytest.fixture
def pits(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pits]:
    with two_services(server, tmp_path_factory.mktemp("forged")) as pits:
        yield pits


def rich(lines: list[LedgerLine]) -> None:
    """An earlier buy-in was of a fortune; every hash after it is made anew."""
    at = next(at for at, line in enumerate(lines) if line.kind == "chips-bought")
    told = json.loads(lines[at].body) | {"cents": MILLIONS_CENTS}
    lines[at] = msgspec.structs.replace(lines[at], body=json.dumps(told, separators=(",", ":")))


def is_logged(pits: Pits, stream: str) -> bool:
    """Nobody reads these lines again but who takes the table over."""
    with closing(open_ledger(pits.address, read_only=True)) as ledger:
        return ledger.log.end_of(stream) == ledger.head(stream).version


def refused(pits: Pits) -> list[str]:
    with closing(open_ledger(pits.address, read_only=True)) as ledger:
        return [line.body for line in ledger.read(VERIFICATION)]


def test_a_forged_table_is_not_taken_over(pits: Pits) -> None:
    forged, sound = (install(pits.people, name).opened() for name in ("M1", "M2"))
    stream = f"table/{forged.name}"
    soon(lambda: forged.name in pits.owners and is_logged(pits, stream))
    owner = pits.owners[forged.name]
    heir = pits.other(owner)
    rewrite(pits.address, stream, rich)
    owner.kill()
    soon(lambda: Client(heir).send("GET", "/ready")[0] == 503)
    told = str(Client(heir).send("GET", "/ready")[1])
    assert stream in told
    assert "nobody who has the keys wrote it" in told
    asked = pits.at(heir, forged).ask("ann", "tip", box=1, cents=1_00)
    assert (asked["outcome"], "play stops" in asked["sentence"]) == ("unavailable", True)
    pits.at(heir, sound).done("ann", "tip", box=1, cents=1_00)
    soon(lambda: any(stream in body for body in refused(pits)))
