"""People and their logins: who comes in, who is shut out, and what each role may do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from websockets.exceptions import ConnectionClosed

from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.server.access.logins import (
    IDLE_US,
    LIVES_US,
    LOCKED_OUT_US,
    SECOND,
    TERMINAL_IDLE_US,
    Logins,
    NotAdmitted,
)
from croupier.server.access.people import People
from croupier.server.access.roles import PIT_ROLES, ROLE_ACCESS
from tests.server.service import PASSWORD, Client, Service
from tests.server.staff import Table, hire

Staff = dict[str, Client]


class Watch:
    """A clock that goes on when it is told to."""

    now_us = 1_800_000_000_000_000

    def __call__(self) -> int:
        return self.now_us

    def later(self, us: int) -> None:
        self.now_us += us


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def logins(tmp_path: Path, watch: Watch) -> Iterator[Logins]:
    with closing(open_ledger(str(tmp_path / "pit.db"), create=True)) as ledger:
        people = People(ledger, watch, PasswordHasher(1, 64, 1))
        for name, role in (("ann", "player"), ("dee", "dealer")):
            people.add(name, role, PASSWORD, by="ada")
        yield Logins(people, ledger, watch, 20, new_ring())


def outcomes(logins: Logins) -> list[str]:
    return [line.outcome for line in logins.latest(100)]


# With a clock in hand


def test_three_wrong_passwords_lock_a_name_out_for_a_while(logins: Logins, watch: Watch) -> None:
    for name in ("ann", "nobody"):
        for _ in range(3):
            with pytest.raises(NotAdmitted, match="do not belong together"):
                logins.enter(name, "wrong password", "10.0.0.1")
    with pytest.raises(NotAdmitted, match="three passwords were wrong"):
        logins.enter("ann", PASSWORD, "10.0.0.1")
    assert logins.enter("dee", PASSWORD, "10.0.0.1").role == "dealer"
    watch.later(LOCKED_OUT_US)
    assert logins.enter("ann", PASSWORD, "10.0.0.1").name == "ann"
    assert outcomes(logins) == [*["refused"] * 6, "locked out", "admitted", "admitted"]
    assert {line.address for line in logins.latest(100)} == {"10.0.0.1"}


def test_an_idle_dealers_terminal_locks_and_his_password_opens_it(
    logins: Logins, watch: Watch
) -> None:
    dealer, player = (logins.enter(name, PASSWORD, "") for name in ("dee", "ann"))
    watch.later(TERMINAL_IDLE_US)
    assert logins.by_token(dealer.token, touch=False)
    watch.later(SECOND)
    assert "locked" in logins.why_closed(dealer)
    assert logins.why_closed(player) == ""
    for _ in range(2):
        with pytest.raises(NotAdmitted, match="this terminal is locked"):
            logins.by_token(dealer.token)
    assert logins.by_token(player.token)
    with pytest.raises(NotAdmitted, match="do not belong together"):
        logins.unlock(dealer.token, "wrong password")
    again = logins.unlock(dealer.token, PASSWORD)
    assert logins.by_token(again.token).name == "dee"
    with pytest.raises(NotAdmitted, match="log in first"):
        logins.by_token(dealer.token)
    assert outcomes(logins).count("locked") == 1


def test_logins_expire_when_idle_and_at_last_in_any_case(logins: Logins, watch: Watch) -> None:
    idle = logins.enter("ann", PASSWORD, "")
    watch.later(IDLE_US + SECOND)
    assert logins.why_closed(idle) == "log in again"
    with pytest.raises(NotAdmitted, match="expired"):
        logins.by_token(idle.token)
    busy = logins.enter("ann", PASSWORD, "")
    for _ in range(LIVES_US // IDLE_US):
        watch.later(IDLE_US)
        logins.by_token(busy.token)
    watch.later(SECOND)
    with pytest.raises(NotAdmitted, match="expired"):
        logins.by_token(busy.token)


def test_what_nobody_uses_any_more_is_swept_away(logins: Logins, watch: Watch) -> None:
    for name in ("ann", "dee"):
        logins.enter(name, PASSWORD, "")
    watch.later(TERMINAL_IDLE_US + SECOND)
    for _ in range(2):
        logins.sweep()
    assert (len(logins), outcomes(logins)) == (2, ["admitted", "admitted", "locked"])
    watch.later(IDLE_US)
    logins.sweep()
    assert (len(logins), outcomes(logins)[3:]) == (0, ["expired", "expired"])


def test_no_role_has_two_duties() -> None:
    """Who keeps accounts gives no command, who deals changes nothing, who watches only looks."""
    for role in PIT_ROLES:
        access = ROLE_ACCESS[role]
        assert not ("people" in access.rights and access.table)
        assert not ("tables" in access.rights and access.table in ("player", "dealer"))
        assert not ("access" in access.rights and access.table)
        assert (access.sees == "surveillance") is (role in ("surveillance", "auditor"))
    assert [role for role in PIT_ROLES if "people" in ROLE_ACCESS[role].rights] == ["administrator"]
    assert [role for role in PIT_ROLES if "program" in ROLE_ACCESS[role].rights] == ["manager"]


# Over the API


def test_the_first_administrator_needs_the_code_and_comes_once(tmp_path: Path) -> None:
    with Service(tmp_path).running() as service:
        anybody = Client(service)
        me = {"name": "ada", "password": PASSWORD}
        status, told = anybody.send("POST", "/api/setup", me, {"X-Setup-Code": "guess"})
        assert (status, told["sentence"]) == (401, "this is not the code that the console shows")
        assert anybody.post("/api/login", me)["outcome"] == "not admitted"
        admin = service.set_up()
        assert admin.get("/api/me") == {"name": "ada", "role": "administrator", "barred": False}
        status, told = anybody.send("POST", "/api/setup", me, {"X-Setup-Code": "x"})
        assert (status, told["outcome"]) == (401, "not admitted")
        service.stop()
        service.start()
        assert service.said().count("Your setup code") == 1


def test_only_the_administrator_hires_and_bars(people: Staff) -> None:
    for who in set(people) - {"admin"}:
        status, told = people[who].send("GET", "/api/people")
        assert (status, told["outcome"]) == (403, "forbidden")
        new = {"name": "x", "role": "dealer", "password": PASSWORD}
        assert people[who].send("POST", "/api/people", new)[0] == 403
    assert len(people["admin"].get("/api/people")) >= 9
    assert people["admin"].send("DELETE", "/api/people/ada")[1]["sentence"] == "nobody bars himself"
    told = people["admin"].put("/api/people/ada/role", {"role": "dealer"})
    assert told["sentence"] == "nobody changes his own role"
    assert people["admin"].send("PUT", "/api/people/zed/role", {"role": "dealer"})[0] == 404


def test_names_and_passwords_have_to_be_fit(people: Staff) -> None:
    admin = people["admin"]
    odd = ("", " ", "a/b", "x" * 41, "two  spaces", "line\nbreak", "<b>", "ann", "ANN", "a?b")
    lookalikes = ("..", ".x", "croupier", "Croupier", "system", "a%2fb", "\u0430nn")
    for name in odd + lookalikes:
        told = admin.post("/api/people", {"name": name, "role": "player", "password": PASSWORD})
        assert told["outcome"] == "unreadable", name
    told = admin.post("/api/people", {"name": "short", "role": "player", "password": "1234567"})
    assert told["sentence"] == "a password has 8 to 200 letters"
    told = admin.post("/api/people", {"name": "x", "role": "king", "password": PASSWORD})
    assert told["outcome"] == "unreadable"


def test_a_barred_person_is_gone_at_once(people: Staff, table: Table) -> None:
    eve = people["admin"].hire("eve", "player")
    with eve.watching(table.name) as socket:
        socket.recv(timeout=20)
        assert people["admin"].delete("/api/people/eve")["barred"]
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=20)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4401, "log in again")
    assert eve.send("GET", "/api/me")[0] == 401
    login = {"name": "eve", "password": PASSWORD}
    assert people["admin"].post("/api/login", login)["outcome"] == "not admitted"
    people["admin"].post("/api/people/eve/admission")
    assert people["admin"].service.log_in("eve").get("/api/me")["name"] == "eve"


def test_passwords_are_changed_by_oneself_and_by_the_administrator(people: Staff) -> None:
    service, admin = people["admin"].service, people["admin"]
    here = admin.hire("fay", "player")
    there = service.log_in("fay")
    told = here.put("/api/me/password", {"old": "not this one", "new": "another password"})
    assert told["outcome"] == "not admitted"
    assert here.send("PUT", "/api/me/password", {"old": PASSWORD, "new": "another one"})[0] == 204
    assert here.get("/api/me")["name"] == "fay"
    assert there.send("GET", "/api/me")[0] == 401
    for _ in range(3):
        Client(service).post("/api/login", {"name": "fay", "password": PASSWORD})
    told = Client(service).post("/api/login", {"name": "fay", "password": "another one"})
    assert told["sentence"].startswith("three passwords were wrong")
    admin.put("/api/people/fay/password", {"password": PASSWORD})
    assert here.send("GET", "/api/me")[0] == 401
    assert service.log_in("fay").get("/api/me")["role"] == "player"


def test_a_new_role_ends_the_old_one_and_waits_for_an_empty_box(
    people: Staff, table: Table
) -> None:
    gus = people["admin"].hire("gus", "player")
    gus.ask(table.name, "take-box", box=6)
    told = people["admin"].put("/api/people/gus/role", {"role": "dealer"})
    assert told["sentence"] == f"gus has a box at table {table.name}, and leaves it first"
    gus.ask(table.name, "leave-box", box=6)
    assert people["admin"].put("/api/people/gus/role", {"role": "dealer"})["waits"]
    assert gus.get("/api/me")["role"] == "player"
    assert people["admin"].service.seconded("gus") == []
    assert gus.send("GET", "/api/me")[0] == 401
    assert people["admin"].service.log_in("gus").get("/api/me")["role"] == "dealer"


def test_a_page_of_another_site_cannot_act_for_who_is_here(people: Staff, table: Table) -> None:
    anybody = Client(people["ann"].service)
    cookie = {"Cookie": f"croupier={people['ann'].token}"}
    assert anybody.send("GET", "/api/me", None, cookie)[1]["name"] == "ann"
    ours = f"http://127.0.0.1:{anybody.service.port}"
    assert anybody.send("GET", "/api/me", None, {**cookie, "Origin": ours})[0] == 200
    for foreign in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        status, told = anybody.send("POST", "/api/logout", None, {**cookie, **foreign})
        assert (status, told["outcome"]) == (401, "not admitted")
        login = {"name": "ann", "password": PASSWORD}
        assert anybody.send("POST", "/api/login", login, foreign)[0] == 401
    with anybody.watching(table.name, {**cookie, "Origin": "https://evil.example"}) as socket:
        told = json.loads(socket.recv(timeout=20))
        assert told["sentence"] == "this request comes from a page of another site"
    assert people["ann"].get("/api/me")["name"] == "ann"


def test_what_one_person_is_told_is_kept_by_nobody(people: Staff, table: Table) -> None:
    for path in ("/api/me", f"/api/tables/{table.name}", f"/api/tables/{table.name}/rounds"):
        assert people["ann"].send("GET", path)[0] == 200
        assert people["ann"].headers["cache-control"] == "no-store"


def test_the_cookie_is_kept_from_scripts_and_other_sites(people: Staff) -> None:
    anybody = Client(people["ann"].service)
    anybody.send("POST", "/api/login", {"name": "ann", "password": PASSWORD})
    cookie = anybody.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_every_access_is_in_the_log_for_who_watches(people: Staff) -> None:
    people["admin"].hire("hal", "player").post("/api/logout")
    for who in ("surveillance", "auditor", "admin"):
        lines = people[who].get("/api/access?most=1000")
        assert [e["outcome"] for e in lines if e["name"] == "hal"] == ["admitted", "left"]
        assert {line["address"] for line in lines} == {"127.0.0.1"}
    for who in ("ann", "dealer", "floorperson", "manager"):
        assert people[who].send("GET", "/api/access")[0] == 403


def test_a_word_of_an_address_that_nobody_knows_is_refused(people: Staff) -> None:
    status, told = people["auditor"].send("GET", "/api/access?mots=5")
    assert status == 400
    assert 'no query parameter "mots" (did you mean most?)' in str(told)
    assert people["auditor"].send("GET", "/api/me?who=me")[0] == 400
    assert people["auditor"].send("GET", "/api/access?most=5")[0] == 200


def test_too_many_logins_and_commands_are_told_to_wait(tmp_path: Path) -> None:
    with Service(tmp_path, logins_a_minute=12, commands_a_second=2).running() as service:
        people = hire(service)
        told = [people["ann"].ask("UTH-1", "take-box", box=1)["outcome"] for _ in range(6)]
        assert told[0] == "done"
        assert told[-1] == "too many"
        codes = [
            Client(service).send("POST", "/api/login", {"name": f"x{n}", "password": PASSWORD})[0]
            for n in range(6)
        ]
        assert codes[-1] == 429
        assert people["ann"].send("GET", "/api/tables")[0] == 200
