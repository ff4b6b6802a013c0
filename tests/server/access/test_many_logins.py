"""A login made at one process holds at the others, and ends there as well."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest
from argon2 import PasswordHasher

from croupier.ledger.shoe.key_ring import KeyRing, new_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LineDraft
from croupier.ledger.store.port import Ledger, Unavailable, Writing
from croupier.server.access.logins import (
    LIVES_US,
    SECOND,
    STREAM,
    TERMINAL_IDLE_US,
    Access,
    Logins,
    NotAdmitted,
)
from croupier.server.access.people import People, Person
from croupier.server.pit.journal import STEP
from soak.shaky import Shaky, Weather
from tests.server.access.test_people import Watch
from tests.server.service import PASSWORD


class Pits:
    """Processes on one ledger, each with its own memory."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.watch, self.ring = ledger, Watch(), new_ring()

    def process(self, ring: KeyRing | None = None) -> Logins:
        people = People(self.ledger, self.watch, PasswordHasher(1, 64, 1))
        if not people.known:
            for name, role in (("ann", "player"), ("dee", "dealer")):
                people.add(name, role, PASSWORD, by="ada")
        return Logins(people, self.ledger, self.watch, 20, ring or self.ring, shared=True)


@pytest.fixture
def pits(tmp_path: Path) -> Iterator[Pits]:
    with closing(open_ledger(str(tmp_path / "pit.db"), create=True)) as ledger:
        yield Pits(ledger)


def refused(logins: Logins, token: str) -> str:
    with pytest.raises(NotAdmitted) as no:
        logins.by_token(token)
    return str(no.value)


def test_a_login_holds_at_once_at_every_process_and_at_the_next(pits: Pits) -> None:
    one, two = pits.process(), pits.process()
    login = one.enter("ann", PASSWORD, "10.0.0.1")
    assert two.by_token(login.token).name == "ann"
    assert pits.process().by_token(login.token).role == "player"
    assert refused(two, "nobody's") == "log in first"
    assert all(login.token not in line.body for line in pits.ledger.read(STREAM))


def test_somebody_who_was_only_just_hired_is_known(pits: Pits) -> None:
    one, two = pits.process(), pits.process()
    one._people.add("eve", "player", PASSWORD, by="ada")
    assert two.by_token(one.enter("eve", PASSWORD, "").token).name == "eve"


def test_who_was_hired_at_one_process_comes_in_at_another_at_once(pits: Pits) -> None:
    """Nobody waits until the other has heard of him, of a new password or that he may come in."""
    one, two = pits.process(), pits.process()
    one._people.add("eve", "player", PASSWORD, by="ada")
    assert two.enter("eve", PASSWORD, "").name == "eve"
    one._people.change_password("eve", "another horse", by="ada")
    with pytest.raises(NotAdmitted, match="do not belong together"):
        two.enter("eve", PASSWORD, "")
    assert two.enter("eve", "another horse", "").name == "eve"
    one._people.bar("eve", True, by="ada")
    with pytest.raises(NotAdmitted, match="do not belong together"):
        two.enter("eve", "another horse", "")
    one._people.bar("eve", False, by="ada")
    assert two.enter("eve", "another horse", "").name == "eve"


def test_who_was_hired_at_one_process_is_changed_at_another_at_once(pits: Pits) -> None:
    one, two, three, four = (pits.process() for _ in range(4))
    one._people.add("eve", "player", PASSWORD, by="ada")
    two._people.change_role("eve", "dealer", by="ada")
    three._people.bar("eve", True, by="ada")
    four._people.change_password("eve", "another horse", by="ada")
    one._people.refresh()
    eve = one._people.person("eve")
    assert (eve.role, eve.barred) == ("dealer", True)
    assert one._people.admits("eve", "another horse") is None


def test_who_has_only_the_database_makes_no_login(pits: Pits) -> None:
    """The mark of a token is made with a key that is not in the database."""
    one, other = pits.process(), pits.process(new_ring())
    login = one.enter("ann", PASSWORD, "10.0.0.1")
    assert refused(other, login.token) == "log in first"
    rotated = pits.process(pits.ring.rotated())
    assert rotated.by_token(login.token).name == "ann"
    late = rotated.enter("ann", PASSWORD, "10.0.0.1")
    assert one.by_token(late.token).name == "ann"


def test_it_ends_everywhere(pits: Pits) -> None:
    one, two = pits.process(), pits.process()
    first, second = (one.enter("ann", PASSWORD, "") for _ in range(2))
    two.by_token(second.token)
    one.leave(first.token)
    two.follow()
    assert refused(two, first.token) == "log in first"
    held = two.by_token(second.token)
    one.end_of("ann")
    two.follow()
    assert two.why_closed(held) == "log in again"
    assert refused(pits.process(), second.token) == "log in first"


def test_a_log_out_that_was_not_written_is_none(tmp_path: Path) -> None:
    """The others know of it by its line alone, so who was told of a fault asks again."""
    open_ledger(str(tmp_path / "pit.db"), create=True).close()
    weather = Weather(Random(), lambda kind: None)
    with closing(Shaky(tmp_path / "pit.db", weather, lambda lines: None)) as ledger:
        one, two = (pits := Pits(ledger)).process(), pits.process()
        login = one.enter("ann", PASSWORD, "")
        assert two.by_token(login.token).name == "ann"
        weather.full = True
        with pytest.raises(Unavailable):
            one.leave(login.token)
        weather.full = False
        one.leave(login.token)
        two.follow()
        assert refused(two, login.token) == "log in first"


def test_who_is_barred_is_shown_nothing_any_more(pits: Pits) -> None:
    """Also where nobody has heard of his login's end."""
    one, two = pits.process(), pits.process()
    held = two.by_token(one.enter("ann", PASSWORD, "").token)
    assert two.why_closed(held) == ""
    one._people.bar("ann", True, by="ada")
    two._people.refresh()
    assert two.why_closed(held) == "log in again"


def test_who_was_barred_and_let_in_again_logs_in_again(pits: Pits) -> None:
    """Also where the process that barred him had not heard of his login."""
    one, two = pits.process(), pits.process()
    login = two.enter("ann", PASSWORD, "")
    one._people.bar("ann", True, by="ada")
    one.end_of("ann")
    one._people.bar("ann", False, by="ada")
    two._people.refresh()
    two.follow()
    assert refused(two, login.token) == "log in first"


def test_who_comes_in_with_a_new_role_has_it_everywhere(pits: Pits) -> None:
    one, two = pits.process(), pits.process()
    one._people.change_role("ann", "dealer", by="ada")
    login = one.enter("ann", PASSWORD, "")
    assert two.by_token(login.token).role == "dealer"
    one.follow()
    assert one.by_token(login.token).role == "dealer"


def test_a_new_password_forgives_at_a_process_that_starts_later(pits: Pits) -> None:
    one = pits.process()
    for _ in range(3):
        with pytest.raises(NotAdmitted):
            one.enter("ann", "wrong", "")
    with pytest.raises(NotAdmitted, match="three passwords were wrong"):
        pits.process().enter("ann", PASSWORD, "")
    one.pardon("ann", "")
    assert pits.process().enter("ann", PASSWORD, "").name == "ann"


def test_three_failures_are_three_wherever_they_were(pits: Pits) -> None:
    one, two = pits.process(), pits.process()
    for logins in (one, two, one):
        with pytest.raises(NotAdmitted, match="do not belong together"):
            logins.enter("ann", "wrong", "")
        one.follow()
        two.follow()
    for logins in (one, two):
        with pytest.raises(NotAdmitted, match="three passwords were wrong"):
            logins.enter("ann", PASSWORD, "")


def test_a_success_forgives_everywhere(pits: Pits) -> None:
    one, two = pits.process(), pits.process()
    for logins, password in ((one, "wrong"), (two, "wrong"), (one, PASSWORD), (two, "wrong")):
        one.follow()
        two.follow()
        try:
            logins.enter("ann", password, "")
        except NotAdmitted:
            assert password == "wrong"
    two.follow()
    assert two.enter("ann", PASSWORD, "").name == "ann"


def test_who_works_at_one_process_is_not_idle_at_another(pits: Pits) -> None:
    one, two = pits.process(), pits.process()
    login = one.enter("dee", PASSWORD, "")
    two.by_token(login.token, touch=False)
    for _ in range(3):
        pits.watch.later(TERMINAL_IDLE_US - SECOND)
        one.by_token(login.token)
        for mark, at_us in one.touches().items():
            two.touched_elsewhere(mark, at_us)
    assert one.touches() == {}
    two.sweep()
    assert two.by_token(login.token, touch=False).name == "dee"
    pits.watch.later(TERMINAL_IDLE_US + SECOND)
    two.sweep()  # she was last seen at the other process, which looks after her
    assert [line.outcome for line in two.latest(9)] == ["admitted"]
    one.sweep()
    two.follow()
    assert refused(two, login.token).startswith("this terminal is locked")
    assert [line.outcome for line in two.latest(9)] == ["admitted", "locked"]
    again = two.unlock(login.token, PASSWORD)
    assert one.by_token(again.token).name == "dee"


def test_however_many_came_since_a_login_is_found(pits: Pits) -> None:
    one = pits.process()
    old = one.enter("ann", PASSWORD, "")
    pits.watch.later(LIVES_US + SECOND)
    new = one.enter("ann", PASSWORD, "")
    body = msgspec.json.encode(Access("bob", "refused", "")).decode()
    crowd = (LineDraft("access", body, pits.watch(), "bob", "person", ""),) * (2 * STEP)
    pits.ledger.append(Writing(STREAM, pits.ledger.head(STREAM).version, crowd))
    late = pits.process()
    assert late.by_token(new.token).name == "ann"
    assert refused(late, old.token) == "this login has expired; log in again"


def test_a_terminal_unlocked_at_one_process_has_one_login_at_all(pits: Pits) -> None:
    one, two = pits.process(), pits.process()
    login = one.enter("dee", PASSWORD, "10.0.0.1")
    assert two.by_token(login.token).name == "dee"
    again = one.unlock(login.token, PASSWORD)
    two.follow()
    assert two.by_token(again.token).name == "dee"
    for process in (one, two, pits.process()):
        assert refused(process, login.token)


@pytest.mark.parametrize("change", ["password", "bar", "role"])
def test_who_is_changed_while_he_comes_in_elsewhere_does_not_come_in(
    pits: Pits, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While his password is looked at, so that neither process has heard of the other's line."""
    one, two = pits.process(), pits.process()
    admits = two._people.admits

    def changed_meanwhile(name: str, password: str) -> Person | None:
        person = admits(name, password)
        if change == "password":
            one._people.change_password("ann", "another password", by="ada")
        elif change == "bar":
            one._people.bar("ann", True, by="ada")
        else:
            one._people.change_role("ann", "dealer", by="ada")
        one.end_of("ann")
        return person

    monkeypatch.setattr(two._people, "admits", changed_meanwhile)
    with pytest.raises(NotAdmitted, match="no longer good"):
        two.enter("ann", PASSWORD, "")
    one.follow()
    assert (len(one), len(two)) == (0, 0)


def test_who_was_barred_for_a_while_is_logged_in_nowhere(pits: Pits) -> None:
    """Also if the end of his login could not be written when he was barred."""
    one, two = pits.process(), pits.process()
    login = two.enter("ann", PASSWORD, "")
    one.follow()
    one._people.bar("ann", True, by="ada")
    two._people.refresh()
    for process in (one, two):
        process.sweep()
    one._people.bar("ann", False, by="ada")
    two._people.refresh()
    for process in (one, two, pits.process()):
        assert refused(process, login.token) == "log in first"


def test_nobody_fills_the_memory_of_another_process(
    pits: Pits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.server.access.logins.MOST_NAMES", 5)
    one, two = pits.process(), pits.process()
    for n in range(9):
        with pytest.raises(NotAdmitted):
            one.enter(f"name {n}", "wrong", "")
    two.follow()
    assert len(one._failures) == len(two._failures) == 5
