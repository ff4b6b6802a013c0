"""Processes that share a pit speak TLS with each other, as with everybody."""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve

from croupier.ledger.shoe.key_ring import new_ring
from croupier.server.pit import peer_messages as say
from croupier.server.pit.peer_client import PeerLost, Peers
from tests.ledger.stores import Server
from tests.server.certificates import Authority
from tests.server.pit.pits import QUIET_S, Pits, soon
from tests.server.service import Service
from tests.server.staff import hire, install


class SafePits(Pits):
    """Each process has a certificate of its own; the root of their authority is in its file."""

    def __init__(self, server: Server, folder: Path) -> None:
        self._authority = Authority(folder)
        super().__init__(server, server.empty_database(), folder)

    def service(
        self, name: str, keys: Path | None = None, kind: type[Service] = Service
    ) -> Service:
        place = self.folder / name
        place.mkdir()
        certificate, private = self._authority.certificate(name)
        return kind(
            place,
            self.address,
            "--keys",
            str(keys or self.keys),
            "--host",
            "localhost",
            silence_seconds=QUIET_S,
            decision_seconds=0,
            certificate=certificate,
            private_key=private,
            trusting=ssl.create_default_context(cafile=str(self._authority.root)),
        )


@pytest.mark.prove
def test_a_table_is_played_across_processes_that_speak_tls(server: Server, tmp_path: Path) -> None:
    pits = SafePits(server, tmp_path)
    with closing(pits), ExitStack() as stack:
        stack.enter_context(pits.a.running())
        pits.people = hire(pits.a)
        stack.enter_context(pits.b.running())
        table = install(pits.people, "S1").opened()
        soon(lambda: "S1" in pits.owners)
        owner = pits.owners["S1"]
        assert owner.url.startswith("https://")
        far = pits.at(pits.other(owner), table)
        with far.people["ann"].watching("S1") as socket:
            assert json.loads(socket.recv(timeout=20))["view"] == far.view("ann")
        assert far.dealt().finished()["round"] == 2
        pits.audited()
    server.take_back()


@pytest.mark.parametrize("with_root", [True, False])
def test_a_certificate_that_all_processes_share_is_trusted_as_it_is(
    tmp_path: Path, with_root: bool
) -> None:
    certificate, private = Authority(tmp_path).certificate("all", with_root=with_root)
    assert asyncio.run(_reached(certificate, private, trusted=certificate)) == ""


def test_a_peer_whose_certificate_nobody_vouches_for_is_not_reached_and_the_log_says_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "strange").mkdir()
    strange, private = Authority(tmp_path / "strange").certificate("other")
    ours, _ = Authority(tmp_path).certificate("ours")
    monkeypatch.setattr(logging.getLogger("croupier"), "propagate", True)
    why = asyncio.run(_reached(strange, private, trusted=ours))
    assert "certificate verify failed" in why
    assert [record.why for record in caplog.records] == [why]  # type: ignore[attr-defined]


async def _reached(certificate: Path, private: Path, trusted: Path) -> str:
    """Why a peer that shows this certificate cannot be reached, asked twice; nothing if it can."""

    async def peer(socket: ServerConnection) -> None:
        await socket.send(say.nonce())
        await socket.wait_closed()

    showing = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    showing.load_cert_chain(certificate, private)
    peers = Peers(new_ring(), str(trusted))
    async with serve(peer, "localhost", 0, ssl=showing) as door:
        address = f"https://localhost:{next(iter(door.sockets)).getsockname()[1]}"
        for _ in range(2):
            with suppress(PeerLost):
                await peers._to(address)
        await peers.close()
    return peers._unreached[address]
