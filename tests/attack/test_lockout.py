"""Strangers who guess: nobody guesses on, and nobody locks another out where he works."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.server.access.logins import LOCKED_OUT_US, MOST_FROM_ALL, NotAdmitted
from croupier.server.pit.pit import Pit
from tests.attack.pits import SECOND, Watch, small_pit
from tests.server.service import PASSWORD, Client, Service

DESK, OTHER_DESK = "192.0.2.7", "192.0.2.8"


def _guess(pit: Pit, name: str, address: str) -> None:
    with pytest.raises(NotAdmitted):
        pit.logins.enter(name, "a wrong password", address)


def test_a_name_is_locked_where_it_failed_and_nowhere_else(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch) as pit:
        for _ in range(3):
            _guess(pit, "dee", "10.9.8.7")
        with pytest.raises(NotAdmitted, match="three passwords were wrong"):
            pit.logins.enter("dee", PASSWORD, "10.9.8.7")
        assert pit.logins.enter("dee", PASSWORD, DESK).name == "dee"
        # Nor does coming in forgive who tried to come in his place.
        _guess(pit, "dee", "10.9.8.7")
        watch.later(LOCKED_OUT_US / SECOND)
        assert pit.logins.enter("dee", PASSWORD, "10.9.8.7").name == "dee"


def test_strangers_everywhere_lock_nobody_out_where_he_came_in_before(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        pit.logins.enter("dee", PASSWORD, DESK)
        for n in range(2 * MOST_FROM_ALL):
            _guess(pit, "dee", f"10.1.1.{n}")
        assert pit.logins.enter("dee", PASSWORD, DESK).name == "dee"
        with pytest.raises(NotAdmitted, match="three passwords were wrong"):
            pit.logins.enter("dee", PASSWORD, OTHER_DESK)
        # At his own desk no more is guessed than anywhere.
        for _ in range(3):
            _guess(pit, "dee", DESK)
        with pytest.raises(NotAdmitted, match="three passwords were wrong"):
            pit.logins.enter("dee", PASSWORD, DESK)
        pit.logins.pardon("dee", DESK)
        assert pit.logins.enter("dee", PASSWORD, OTHER_DESK).name == "dee"


def test_where_somebody_works_is_known_after_a_restart(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch) as pit:
        pit.logins.enter("dee", PASSWORD, DESK)
        again = type(pit)(pit.ledger, pit.registry, pit.ring, pit.chosen, watch)
        for n in range(MOST_FROM_ALL):
            _guess(again, "dee", f"10.1.1.{n}")
        assert again.logins.enter("dee", PASSWORD, DESK).name == "dee"


def test_a_forwarded_address_is_believed_of_a_proxy_that_is_set(tmp_path: Path) -> None:
    said = {"X-Forwarded-For": "10.9.8.7"}
    wrong = {"name": "nobody", "password": "a wrong password"}
    seen = []
    for number, proxies in enumerate(("", "127.0.0.1")):
        folder = tmp_path / str(number)
        folder.mkdir()
        environment = {"FORWARDED_ALLOW_IPS": "*"}
        with Service(folder, environment=environment, proxies=proxies).running() as service:
            Client(service).post("/api/login", wrong, said)
            auditor = service.set_up().hire("iris", "auditor")
            refused = [line for line in auditor.get("/api/access") if line["outcome"] == "refused"]
            seen += [line["address"] for line in refused]
    assert seen == ["127.0.0.1", "10.9.8.7"]
