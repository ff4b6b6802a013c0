"""The RPC server between processes: for peers only, and for tables that are here."""

from __future__ import annotations

import asyncio
import logging

import msgspec
from litestar import websocket
from litestar.exceptions import WebSocketDisconnect

from croupier.ledger.store.ownership import LostTable
from croupier.server.http.api import pit_of
from croupier.server.http.table_socket import Socket
from croupier.server.pit import peer_messages as say
from croupier.server.pit.messages import Reply, answered, excused
from croupier.server.pit.pit import Pit
from croupier.server.pit.table_actor import TableActor
from croupier.server.pit.table_summary import shown_table
from croupier.table import commands as do

Work = say.Carry | say.WatchRequest | say.LookRequest | say.CountRequest
LOG = logging.getLogger("croupier")
FIRST_WORD_S = 5.0


@websocket(say.PATH)
async def peers(socket: Socket) -> None:
    """A stranger is told nothing at all: not what is here, nor what was wrong with his stamp."""
    await socket.accept()
    pit = pit_of(socket)
    key = pit.ring.key(socket.headers.get(say.KEY_HEADER, ""))
    theirs = _nonce(socket.headers.get(say.NONCE_HEADER, ""))
    if key is None or theirs is None or not pit.is_shared:
        await socket.close(code=say.STRANGER)
        return
    ours = say.nonce()
    await socket.send_bytes(ours)
    stamps = say.MessageMacs(key, theirs + ours, say.ANSWERING, say.ASKING)
    peer = _Peer(socket, pit, stamps)
    try:
        await peer.hear()
    except WebSocketDisconnect:
        return
    except (say.Forged, msgspec.DecodeError, TimeoutError):
        LOG.warning("a stranger spoke as a peer", extra={"address": _from(socket)})
        await socket.close(code=say.STRANGER)
    finally:
        peer.stop()


class _Peer:
    """One peer's connection: everything it asked for and still waits for."""

    def __init__(self, socket: Socket, pit: Pit, stamps: say.MessageMacs) -> None:
        self._socket, self._pit, self._stamps = socket, pit, stamps
        self._turn = asyncio.Lock()
        self._working: dict[int, asyncio.Task[None]] = {}

    async def hear(self) -> None:
        message = await asyncio.wait_for(self._socket.receive_bytes(), FIRST_WORD_S)
        while True:
            word = msgspec.json.decode(self._stamps.opened(message), type=say.Asking)
            if isinstance(word, say.Leave):
                self._leave(word.n)
            else:
                self._begin(word)
            message = await self._socket.receive_bytes()

    def stop(self) -> None:
        for n in list(self._working):
            self._leave(n)

    def _begin(self, word: Work) -> None:
        task = asyncio.ensure_future(self._work(word))
        self._working[word.n] = task
        task.add_done_callback(lambda _: self._working.pop(word.n, None))

    def _leave(self, n: int) -> None:
        task = self._working.pop(n, None)
        if task is not None:
            task.cancel()

    async def _work(self, word: Work) -> None:
        try:
            if isinstance(word, say.CountRequest):
                tables = tuple(shown_table(actor.kept) for actor in self._pit.actors.values())
                await self._send(say.CountAnswer(word.n, tables))
                return
            actor = self._pit.actors.get(word.table)
            if actor is None:
                await self._send(say.Gone(word.n))
            elif isinstance(word, say.Carry):
                await self._send(await self._carried(word, actor))
            elif isinstance(word, say.LookRequest):
                frame = msgspec.Raw(actor.frame(word.viewer))
                await self._send(say.PeerFrame(word.n, True, frame))
            else:
                await self._watched(word, actor)
        except WebSocketDisconnect:
            return
        except Exception:
            LOG.exception("a peer was not answered")
            await self._send(say.Gone(word.n))

    async def _carried(self, word: say.Carry, actor: TableActor) -> say.Answering:
        """What came to a peer counts here among the commands in flight: here it is carried out."""
        try:
            command = do.read_command(bytes(word.command))
            with self._pit.load.admitted(command.by):
                answer = await actor.ask(command, word.command_id, word.seen)
            return say.PeerAnswer(word.n, answered(answer, word.command_id))
        except LostTable:
            self._pit.look_again()
            return say.Gone(word.n)
        except Exception as error:
            no: Reply | None = excused(error, self._pit.ledger, word.command_id)
            if no is None:
                raise
            return say.PeerAnswer(word.n, no)

    async def _watched(self, word: say.WatchRequest, actor: TableActor) -> None:
        with actor.watched(viewer=word.viewer) as watch:
            while True:
                table = await watch.next()
                if self._pit.actors.get(word.table) is not actor:
                    await self._send(say.Gone(word.n))
                    return
                frame = actor.frame(word.viewer, watch) if table else actor.meters_frame()
                await self._send(say.PeerFrame(word.n, table, msgspec.Raw(frame)))

    async def _send(self, word: say.Answering) -> None:
        async with self._turn:
            await self._socket.send_bytes(self._stamps.stamped(word))


def _nonce(text: str) -> bytes | None:
    try:
        found = bytes.fromhex(text)
    except ValueError:
        return None
    return found if len(found) == say.NONCE_BYTES else None


def _from(socket: Socket) -> str:
    return socket.client.host if socket.client is not None else ""
