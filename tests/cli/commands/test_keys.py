"""``croupier keys`` as the holder of the keys runs it."""

from __future__ import annotations

import json
import resource
import stat
from pathlib import Path

import pytest

from croupier.cli import main
from croupier.ledger.shoe.key_ring import read_ring


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    capsys.readouterr()
    status = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "keys.json"


def test_a_ring_is_made_rotated_shown_and_a_key_retired(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    assert ran(capsys, "keys", "new", "--file", file)[0] == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (first,) = read_ring(file).keys
    status, out, _ = ran(capsys, "keys", "rotate", "--file", file)
    assert (status, [line.split()[-1] for line in out.splitlines()]) == (0, ["opens", "seals"])
    _, out, _ = ran(capsys, "keys", "show", "--file", file, "--json")
    shown = json.loads(out)["keys"]
    assert [(key["id"] == first.id, key["current"]) for key in shown] == [
        (True, False),
        (False, True),
    ]
    assert ran(capsys, "keys", "retire", "--key", first.id, "--file", file)[0] == 0
    assert [key.id for key in read_ring(file).keys] == [shown[1]["id"]]


def test_no_key_is_ever_printed(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    told = ""
    for action in ("new", "rotate", "show", "new"):
        for way in ((), ("--json",)):
            told += "".join(map(str, ran(capsys, "keys", action, "--file", file, *way)))
    secrets = [key["secret"] for key in json.loads(file.read_text("utf-8"))["keys"]]
    assert len(secrets) == 3
    assert not any(secret[:8] in told for secret in secrets)
    assert all(key.secret.hex()[:8] not in told for key in read_ring(file).keys)


def test_the_environment_is_shown_without_a_file(
    capsys: pytest.CaptureFixture[str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CROUPIER_KEYS", raising=False)
    status, _, err = ran(capsys, "keys", "show")
    assert (status, "name a key file or set CROUPIER_KEYS" in err) == (2, True)
    ran(capsys, "keys", "new", "--file", file)
    monkeypatch.setenv("CROUPIER_KEYS", file.read_text("utf-8"))
    status, out, _ = ran(capsys, "keys", "show")
    assert (status, out.split()[0]) == (0, read_ring(file).current.id)


def test_what_cannot_be_done_is_one_sentence(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    ran(capsys, "keys", "new", "--file", file)
    current = read_ring(file).current.id
    for arguments, sentence in (
        (("new", "--file", file), "there is such a file already"),
        (("rotate",), "name the key file with --file"),
        (("new",), "name the key file with --file"),
        (("retire", "--file", file), "a key is named with --key for retire"),
        (("show", "--file", file, "--key", "a"), "only for retire"),
        (("retire", "--file", file, "--key", current), "rotate the ring first"),
        (("retire", "--file", file, "--key", "a"), 'this ring has no key "a"'),
        (("melt", "--file", file), "melt"),
    ):
        status, out, err = ran(capsys, "keys", *arguments)
        assert (status, out, len(err.splitlines())) == (2, "", 1), arguments
        assert sentence in err
    file.chmod(0o644)
    status, _, err = ran(capsys, "keys", "show", "--file", file)
    assert (status, "others can read or change these keys" in err) == (2, True)


def test_a_full_disk_is_told_of_the_keys(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        status, out, err = ran(capsys, "keys", "new", "--file", file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (status, out) == (2, "")
    assert err == f"croupier: {file}: the keys cannot be written: File too large\n"
    assert not file.exists()
