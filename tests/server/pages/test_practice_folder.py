"""A practice room beside live tables: files of one folder, for who is logged in, and no others."""

from __future__ import annotations

from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from croupier.cli import main
from tests.server.service import Service

FILES = {
    "index.html": b"<p>practice</p>",
    "service_worker.js": b"",
    "python/croupier.zip": b"PK",
    "python/part.wasm": b"\0asm",
    "secret.txt": b"not a file of the room",
}


def built(folder: Path) -> Path:
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def test_its_files_are_for_who_is_logged_in(tmp_path: Path) -> None:
    folder = built(tmp_path / "demo")
    (tmp_path / "outside.html").write_text("not of the room")
    with Service(tmp_path, "", "--practice", str(folder)).running() as service:
        token = service.set_up().token

        def asked(path: str, cookie: str = f"croupier={token}") -> tuple[int, bytes, str]:
            request = Request(f"{service.url}{path}", headers={"Cookie": cookie})
            try:
                with urlopen(request, timeout=60) as answer:
                    policy = answer.headers["Content-Security-Policy"]
                    return answer.status, answer.read(), policy
            except HTTPError as error:
                with error:
                    return error.code, error.read(), ""

        status, content, policy = asked("/practice-room/index.html")
        assert (status, content) == (200, FILES["index.html"])
        assert "script-src 'self' 'wasm-unsafe-eval'; " in policy
        assert asked("/practice-room/python/part.wasm")[:2] == (200, b"\0asm")
        assert asked("/practice-room/index.html", "")[0] == 401
        assert b"COMAR-3 13.A" in asked("/")[1]
        for path in ("secret.txt", "../outside.html", "%2e%2e/outside.html", "python", "none.html"):
            status, content, _ = asked(f"/practice-room/{path}")
            assert status == 404, (path, content)


def test_a_folder_without_a_room_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = str(tmp_path / "pit.db")
    assert main(["serve", "--ledger", ledger, "--practice", str(tmp_path)]) == 2
    assert "no practice room is here; make demo builds one" in capsys.readouterr().err
