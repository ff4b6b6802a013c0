"""Smaller ways in: the setup code, a ledger's other names, log lines, readiness, origins."""

from __future__ import annotations

import asyncio
import logging
import ssl
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.commands import serve
from croupier.cli.files import warn_together
from croupier.facts.errors import Unavailable, Unreadable
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.backup import back_up
from croupier.ledger.store.file_lock import service_lock
from croupier.server.access.console_admin import Setup
from croupier.server.access.logins import NotAdmitted
from croupier.server.http.api import refuse_foreign
from croupier.server.log_format import LogFormatter
from croupier.server.pit.messages import excused
from croupier.server.self_check import SelfCheck
from tests.attack.pits import Watch, serving, small_pit
from tests.server.certificates import Authority
from tests.server.service import PASSWORD


def test_the_setup_code_serves_one_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        setup, both = Setup(pit.people, again=True), threading.Barrier(2, timeout=0.5)
        code, add = setup.code, pit.people.add

        def slowly(*given: Any, **named: Any) -> Any:
            with suppress(threading.BrokenBarrierError):
                both.wait()  # nobody else comes this far
            return add(*given, **named)

        monkeypatch.setattr(pit.people, "add", slowly)
        with ThreadPoolExecutor(2) as pool:
            made = [
                pool.submit(setup.first_administrator, name, PASSWORD, code)
                for name in ("eve", "ada")
            ]
        assert sorted(type(one.exception()) is NotAdmitted for one in made) == [False, True]
        assert len([name for name in ("eve", "ada") if name in pit.people.known]) == 1


def test_a_password_that_is_too_short_does_not_use_the_code_up(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        setup = Setup(pit.people, again=True)
        with pytest.raises(Unreadable, match="8 to 200 letters"):
            setup.first_administrator("ada", "short", setup.code)
        assert setup.first_administrator("ada", PASSWORD, setup.code).role == "administrator"
        assert setup.code == ""


def test_one_service_runs_on_a_ledger_by_whichever_name(tmp_path: Path) -> None:
    file, elsewhere = tmp_path / "pit.db", tmp_path / "elsewhere"
    elsewhere.mkdir()
    file.touch()
    (elsewhere / "link.db").symlink_to(file)
    with (
        service_lock(file),
        pytest.raises(Unavailable, match="another service runs"),
        service_lock(elsewhere / "link.db"),
    ):
        pass
    (elsewhere / "hard.db").hardlink_to(file)
    with pytest.raises(Unavailable, match="second name"), service_lock(elsewhere / "hard.db"):
        pass


def test_no_control_character_reaches_a_log_line() -> None:
    said = {"who": "eve\n2026 info access who=ada", "why": "\x1b[2J\u2028\x9b", "ms": 1.5}
    for as_json in (False, True):
        record = logging.makeLogRecord({"msg": "access\r\nforged", **said})
        line = LogFormatter(as_json=as_json).format(record)
        assert line.isprintable()
        assert "\\n2026 info access" in line


def test_a_backup_is_for_its_owner_alone(tmp_path: Path) -> None:
    with closing(open_ledger(str(tmp_path / "pit.db"), create=True)) as ledger:
        back_up(ledger, tmp_path / "copy.db")
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


def test_a_key_in_the_folder_of_its_ledger_is_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warn_together(tmp_path / "keys" / "a.json", tmp_path / "pit.db")
    assert capsys.readouterr().err == ""
    (tmp_path / "here").symlink_to(tmp_path)
    warn_together(tmp_path / "here" / "a.json", tmp_path / "pit.db")
    assert "whoever copies that folder has both" in capsys.readouterr().err


def test_keys_and_the_ledger_lie_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where somebody keeps all that is his in one place."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    file = serve._own_place("pit.db")
    with closing(open_ledger(str(file), create=True)) as ledger:
        serve._own_ring(file, ledger)
    found = [each for each in tmp_path.rglob("*") if each.is_file()]
    secrets = [each for each in found if each.suffix in (".json", ".key")]
    assert len({each.parent for each in (file, *secrets)}) == 2


def test_nobody_is_ready_while_nothing_can_be_written(tmp_path: Path) -> None:
    """Another program holds the file, or the clock is behind the ledger: also before anybody's
    command has failed."""
    watch = Watch()
    with small_pit(tmp_path, watch) as pit:
        pit.prove_ledger()
        watch.later(-60)
        with pytest.raises(Unavailable, match="the clock went back 60 seconds"):
            pit.prove_ledger()
        watch.later(60)
        (tmp_path / "pit.db").rename(tmp_path / "gone.db")
        with pytest.raises(Unavailable, match="was moved or removed"):
            pit.prove_ledger()
        (tmp_path / "gone.db").rename(tmp_path / "pit.db")
        pit.prove_ledger()


def test_a_no_says_whether_its_id_may_be_repeated(tmp_path: Path) -> None:
    with small_pit(tmp_path, Watch()) as pit:
        away = excused(Unavailable("the disk is full"), pit.ledger, "my-id")
        assert away is not None
        assert (away.outcome, away.repeat, away.wait_s) == ("unavailable", True, 1)
        wrong = excused(Unreadable("no"), pit.ledger, "my-id")
        assert wrong is not None
        assert not wrong.repeat


@pytest.mark.parametrize("by_tls", [True, False])
def test_who_comes_by_tls_is_kept_to_it(tmp_path: Path, by_tls: bool) -> None:
    """Answered or turned away, a page or the API; never where it was said in the clear."""
    pem, private = Authority(tmp_path).certificate("pit")
    given = {"certificate": str(pem), "private_key": str(private)}
    files: dict[str, Any] = given if by_tls else {}

    async def said() -> list[str | None]:
        async with serving(tmp_path, **files, anonymous_requests_a_second=1) as (_, port):
            return [await _hsts(port, path, by_tls) for path in ("/login", "/api/tables", "/")]

    assert asyncio.run(said()) == ["max-age=31536000" if by_tls else None] * 3


async def _hsts(port: int, path: str, by_tls: bool) -> str | None:
    trusting = ssl.create_default_context() if by_tls else None
    if trusting is not None:
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting)
    writer.write(f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
    writer.transport.abort()
    found = [line for line in head if line.startswith("strict-transport-security: ")]
    return found[0].partition(": ")[2] if found else None


class _Asked:
    def __init__(self, scheme: str, **headers: str) -> None:
        self.scope, self.headers = {"scheme": scheme}, headers


@pytest.mark.parametrize(
    ("scheme", "origin", "is_ours"),
    [
        ("https", "https://pit.example", True),
        ("wss", "https://pit.example", True),
        ("https", "http://pit.example", False),
        ("http", "https://pit.example", False),
        ("http", "http://pit.example:8001", False),
        ("http", "null", False),
    ],
)
def test_an_origin_is_ours_with_its_scheme(scheme: str, origin: str, is_ours: bool) -> None:
    asked: Any = _Asked(scheme, origin=origin, host="pit.example")
    if is_ours:
        refuse_foreign(asked)
    else:
        with pytest.raises(NotAdmitted, match="another site"):
            refuse_foreign(asked)


def test_the_self_check_says_what_it_does_not_cover(tmp_path: Path) -> None:
    with closing(open_ledger(str(tmp_path / "pit.db"), create=True)) as ledger:
        told = " ".join(SelfCheck(ledger, Watch()).shown().not_covered)
    assert all(word in told for word in ("interpreter", "site", "environment"))
