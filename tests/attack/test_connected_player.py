"""The same against a real service: who has the table open is there, whoever says otherwise."""

from __future__ import annotations

from pathlib import Path

from tests.server.service import Service
from tests.server.staff import hire, install


def test_a_player_who_looks_at_the_table_is_neither_abandoned_nor_sent_off(tmp_path: Path) -> None:
    with Service(tmp_path).running() as service:
        people = hire(service)
        table = install(people, "T9").opened(("ann",)).dealt()
        with people["ann"].watching("T9") as socket:
            socket.recv(timeout=20)
            told = table.ask("floorperson", "report-absence", box=1, here=False)
            assert "is connected" in told["sentence"]
            may = {option["do"] for option in table.view("floorperson")["may"]}
            assert "report-absence" not in may
        table.finished()
        with people["ann"].watching("T9") as socket:
            socket.recv(timeout=20)
            assert "is connected" in table.ask("floorperson", "free-box", box=1)["sentence"]
        while (told := table.ask("floorperson", "free-box", box=1))["outcome"] == "refused":
            assert "is connected" in told["sentence"]  # until the service sees that she is gone
        assert table.view("ann")["kept_cents"] == 480_00
        table.done("floorperson", "pay-kept", player="ann")
        told = table.ask("floorperson", "second", act="pay-kept", upheld=True)
        assert "a second person" in told["sentence"]
        table.done("manager", "second", act="pay-kept", upheld=True)
        assert "kept_cents" not in table.view("ann")
