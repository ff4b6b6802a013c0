"""Ctrl-C at a service with its ledger on PostgreSQL: it ends as any command, and loses nothing."""

from __future__ import annotations

import signal
from contextlib import closing
from pathlib import Path

from croupier.audit.ledger_audit import audited
from croupier.games.registry import the_registry
from croupier.ledger.shoe.key_ring import create_ring
from croupier.ledger.store.address import open_ledger
from tests.ledger.stores import Server
from tests.server.service import Service
from tests.server.staff import hire, install

LIMIT_S = 120  # a machine may be busy with other things


def test_ctrl_c_ends_it_with_a_round_on_the_table_which_goes_on(
    server: Server, tmp_path: Path
) -> None:
    address, keys = server.empty_database(), tmp_path / "pit.keys"
    ring = create_ring(keys)
    service = Service(tmp_path, address, "--keys", str(keys))
    with service.running():
        people = hire(service)
        table = install(people, "T1").opened().dealt()
        before = table.view("ann")
        assert service.process is not None
        service.process.send_signal(signal.SIGINT)
        assert service.process.wait(LIMIT_S) == 130
    assert service.said().count("croupier: stopped") == 1
    assert "Traceback" not in service.said()
    with service.running():
        for client in people.values():
            client.hang_up()
        after = table.view("ann")
        for part in ("round", "boxes", "places"):
            assert after[part] == before[part], part
        table.finished()
    with closing(open_ledger(address, read_only=True)) as ledger:
        assert audited(ledger, the_registry(), ring=ring).differences == []
