"""A stolen password alone: where staff give one-time codes it opens nothing."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from croupier.server.access.logins import CodeNeeded, NotAdmitted, NotEnrolled
from croupier.server.access.one_time_code import STEP_S, code_at, step_at
from croupier.server.access.people import NotTheSecond
from croupier.server.pit.pit import Pit
from croupier.server.settings import Settings
from tests.attack.pits import Watch, small_pit
from tests.attack.test_staff_alone import significant
from tests.server.service import PASSWORD

DESK, ELSEWHERE = "192.0.2.7", "10.9.8.7"
CODES = Settings(argon2_memory_kib=64, argon2_rounds=1, self_check=False, staff_codes=True)
# RFC 6238, appendix B: seconds, and the eight digits of each hash.
VECTORS = {
    59: ("94287082", "46119246", "90693936"),
    1111111109: ("07081804", "68084774", "25091201"),
    1111111111: ("14050471", "67062674", "99943326"),
    1234567890: ("89005924", "91819424", "93441116"),
    2000000000: ("69279037", "90698825", "38618901"),
    20000000000: ("65353130", "77737706", "47863826"),
}
SEEDS = {"sha1": 20, "sha256": 32, "sha512": 64}


@pytest.mark.parametrize("at_s", VECTORS)
def test_codes_are_those_of_rfc_6238(at_s: int) -> None:
    for (algorithm, length), code in zip(SEEDS.items(), VECTORS[at_s], strict=True):
        seed = (b"1234567890" * 7)[:length]
        assert code_at(seed, at_s // STEP_S, 8, algorithm) == code


def code_of(secret: str, watch: Watch, steps: int = 0) -> str:
    padded = secret + "=" * (-len(secret) % 8)
    return code_at(base64.b32decode(padded), step_at(watch()) + steps)


def enrolled(pit: Pit, watch: Watch, name: str = "dee") -> str:
    with pytest.raises(NotEnrolled):
        pit.logins.enter(name, PASSWORD, DESK)
    shown = pit.logins.enrol(name, PASSWORD, DESK)
    assert f"secret={shown.secret}&" in shown.uri
    assert pit.logins.enter(name, PASSWORD, DESK, code_of(shown.secret, watch)).name == name
    return shown.secret


def test_a_device_counts_once_somebody_else_vouches_for_it(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch, CODES) as pit:
        for name, role in (("ada", "administrator"), ("mia", "manager")):
            pit.people.add(name, role, PASSWORD, by="croupier")
            enrolled(pit, watch, name)  # whom the console let in begins alone, and it is marked
        pit.people.add("flo", "floorperson", PASSWORD, by="ada")
        pit.people.second("flo", True, "mia")
        stolen = pit.logins.enrol("flo", PASSWORD, ELSEWHERE).secret
        for _ in range(4):  # a right code is no failure, however often it is given
            with pytest.raises(NotAdmitted, match="vouch for it"):
                pit.logins.enter("flo", PASSWORD, ELSEWHERE, code_of(stolen, watch))
            watch.later(STEP_S)
        with pytest.raises(NotAdmitted, match="vouch for it"):  # nor is another put in its place
            pit.logins.enrol("flo", PASSWORD, ELSEWHERE)
        with pytest.raises(NotTheSecond):
            pit.people.second("flo", True, "flo")
        pit.people.second("flo", False, "mia")
        with pytest.raises(NotEnrolled):
            pit.logins.enter("flo", PASSWORD, ELSEWHERE, code_of(stolen, watch))
        own = pit.logins.enrol("flo", PASSWORD, DESK).secret
        assert "flo" not in pit.people.waiting  # nobody vouches before a right code was typed
        with pytest.raises(NotAdmitted, match="vouch for it"):
            pit.logins.enter("flo", PASSWORD, DESK, code_of(own, watch))
        assert pit.people.waiting["flo"].at_us == watch()  # and is told when it was
        pit.people.second("flo", True, "mia")
        watch.later(STEP_S)
        assert pit.logins.enter("flo", PASSWORD, DESK, code_of(own, watch)).name == "flo"
        told = [what for what in significant(pit) if "a device for" in what]
        assert [what.rpartition(": ")[2] for what in told] == [
            "ada alone",
            "mia alone",
            "begun by flo, waits for a second person",
            "begun by flo, not confirmed by mia",
            "begun by flo, waits for a second person",
            "flo and mia",
        ]


def test_staff_come_in_with_a_code_and_players_without(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch, CODES) as pit:
        secret = enrolled(pit, watch)
        assert pit.logins.enter("ann", PASSWORD, DESK).name == "ann"
        with pytest.raises(CodeNeeded):
            pit.logins.enter("dee", PASSWORD, ELSEWHERE)
        with pytest.raises(CodeNeeded):  # nor is the secret shown again, or another one
            pit.logins.enrol("dee", PASSWORD, ELSEWHERE)
        watch.later(STEP_S)
        login = pit.logins.enter("dee", PASSWORD, ELSEWHERE, code_of(secret, watch))
        assert pit.logins.unlock(login.token, PASSWORD).name == "dee"
        for line in pit.ledger.read("pit/people"):
            assert secret not in line.body


def test_a_code_is_good_once_also_after_a_restart(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch, CODES) as pit:
        secret = enrolled(pit, watch)
        again = Pit(pit.ledger, pit.registry, pit.ring, CODES, watch)
        for each in (pit, again):
            for steps in (0, -1):
                with pytest.raises(NotAdmitted, match="used before"):
                    each.logins.enter("dee", PASSWORD, DESK, code_of(secret, watch, steps))
        assert again.logins.enter("dee", PASSWORD, DESK, code_of(secret, watch, 1)).name == "dee"


def test_codes_are_guessed_no_more_than_passwords(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch, CODES) as pit:
        secret = enrolled(pit, watch)
        watch.later(STEP_S)
        for _ in range(3):
            with pytest.raises(NotAdmitted, match="this code is wrong"):
                pit.logins.enter("dee", PASSWORD, ELSEWHERE, "000000")
            # The password alone forgives no wrong code.
            with pytest.raises(NotAdmitted):
                pit.logins.enter("dee", PASSWORD, ELSEWHERE)
        with pytest.raises(NotAdmitted, match="wait 15 minutes"):
            pit.logins.enter("dee", PASSWORD, ELSEWHERE, code_of(secret, watch))


def test_a_lost_device_is_recovered_by_two(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch, CODES) as pit:
        secret = enrolled(pit, watch)
        for name, role in (("ada", "administrator"), ("mia", "manager")):
            pit.people.add(name, role, PASSWORD, by="croupier")
        watch.later(STEP_S)
        assert not pit.people.forget_code("dee", by="ada")
        pit.people.second("dee", True, "mia")
        with pytest.raises(NotAdmitted, match="set up what makes yours"):
            pit.logins.enter("dee", PASSWORD, DESK, code_of(secret, watch))
        assert enrolled(pit, watch) != secret


def test_a_code_is_asked_of_one_person_and_for_good(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch) as pit:
        for name, role in (("ada", "administrator"), ("mia", "manager")):
            pit.people.add(name, role, PASSWORD, by="croupier")
        assert pit.people.require_code("dee", by="ada")  # it shuts a way in, and waits for nobody
        assert pit.logins.enter("mia", PASSWORD, DESK).name == "mia"
        enrolled(pit, watch)
        pit.people.forget_code("dee", by="ada")
        pit.people.second("dee", True, "mia")
        with pytest.raises(NotEnrolled):
            pit.logins.enter("dee", PASSWORD, DESK)
        again = Pit(pit.ledger, pit.registry, pit.ring, pit.chosen, watch)
        with pytest.raises(NotEnrolled):
            again.logins.enter("dee", PASSWORD, DESK)


def test_once_asked_for_codes_are_asked_for_good(tmp_path: Path) -> None:
    watch = Watch()
    with small_pit(tmp_path, watch) as pit:
        pit.logins.enter("dee", PASSWORD, DESK)
        for chosen in (CODES, Settings(argon2_memory_kib=64, self_check=False)):
            later = Pit(pit.ledger, pit.registry, pit.ring, chosen, watch)
            with pytest.raises(NotEnrolled):
                later.logins.enter("dee", PASSWORD, DESK)
