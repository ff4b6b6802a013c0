"""The RPC client between processes: one connection to each peer, opened when it is needed."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import NoReturn

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from croupier.facts.errors import Refusal, Unavailable, Unreadable
from croupier.ledger.kept_table import Answer, RefusedBefore, Stale
from croupier.ledger.shoe.key_ring import KeyRing, SealKey
from croupier.server.access.token_buckets import TooMany
from croupier.server.pit import peer_messages as say
from croupier.server.pit.messages import Reply
from croupier.server.pit.table_summary import TableSummary
from croupier.table import commands as do
from croupier.table.views import Viewer

LOG = logging.getLogger("croupier")
PEER_TIMEOUT_S = 5.0
Queue = asyncio.Queue["say.Answering | None"]
RequestMaker = Callable[[int], "say.Asking"]
FrameSink = Callable[[bool, bytes], None]


class PeerLost(Exception):
    """The peer does not answer, or the table is not there: ask again where it is now."""


class Peers:
    """Every peer that was asked, by address."""

    def __init__(self, ring: KeyRing, certificate: str = "") -> None:
        self._ring = ring
        self._certificate = certificate
        self._lines: dict[str, PeerConnection] = {}
        self._unreached: dict[str, str] = {}

    async def ask(
        self, address: str, table: str, command: do.Command, command_id: str, seen: int | None
    ) -> Answer:
        words = msgspec.Raw(msgspec.json.encode(command))
        line = await self._to(address)
        answer = await line.once(lambda n: say.Carry(n, table, words, command_id, seen))
        if not isinstance(answer, say.PeerAnswer):
            raise PeerLost
        return _answer(answer.told)

    async def look(self, address: str, table: str, viewer: Viewer) -> bytes:
        line = await self._to(address)
        answer = await line.once(lambda n: say.LookRequest(n, table, viewer))
        if not isinstance(answer, say.PeerFrame):
            raise PeerLost
        return bytes(answer.frame)

    async def tables(self, address: str) -> tuple[TableSummary, ...]:
        line = await self._to(address)
        answer = await line.once(lambda n: say.CountRequest(n))
        if not isinstance(answer, say.CountAnswer):
            raise PeerLost
        return answer.tables

    async def watch(self, address: str, table: str, viewer: Viewer, sink: FrameSink) -> NoReturn:
        """Every view to the ``sink`` as it comes, until the peer or the table is gone."""
        line = await self._to(address)
        async with line.asked(lambda n: say.WatchRequest(n, table, viewer)) as answers:
            while isinstance(answer := await answers.get(), say.PeerFrame):
                sink(answer.table, bytes(answer.frame))
        raise PeerLost

    async def close(self) -> None:
        for line in self._lines.values():
            await line.close()

    async def _to(self, address: str) -> PeerConnection:
        line = self._lines.get(address)
        if line is None or line.is_over:
            line = self._lines[address] = PeerConnection(
                address, self._ring, self._trusting(address)
            )
        try:
            await asyncio.wait_for(asyncio.shield(line.opened), PEER_TIMEOUT_S)
        except (TimeoutError, OSError, WebSocketException, say.Forged) as error:
            self._note(address, str(error) or type(error).__name__)
            raise PeerLost from None
        self._note(address, "")
        return line

    def _note(self, address: str, why: str) -> None:
        """The log is told when a peer cannot be reached, and why, once."""
        before, self._unreached[address] = self._unreached.get(address, ""), why
        if why and not before:
            LOG.warning("a peer is not reached", extra={"address": address, "why": why})

    def _trusting(self, address: str) -> ssl.SSLContext | None:
        """Peers show the certificate that everybody is shown; our own is trusted as it is."""
        if not address.startswith("https:"):
            return None
        context = ssl.create_default_context()
        if self._certificate:
            context.load_verify_locations(self._certificate)
            # Also where it is not the root that stands in the file.
            context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        return context


class PeerConnection:
    """A connection to one peer; many ask on it at once, and each hears his own answers."""

    def __init__(self, address: str, ring: KeyRing, trusting: ssl.SSLContext | None) -> None:
        self._url = f"ws{address.removeprefix('http')}{say.PATH}"
        self._ring, self._trusting = ring, trusting
        self._numbers = count(1)
        self._waiting: dict[int, Queue] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        self._socket: ClientConnection | None = None
        self._stamps: say.MessageMacs | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._running = asyncio.ensure_future(self._run())

    @property
    def is_over(self) -> bool:
        return self._running.done()

    async def once(self, word: RequestMaker) -> say.Answering:
        async with self.asked(word) as answers:
            answer = await answers.get()
        if answer is None:
            raise PeerLost
        return answer

    @asynccontextmanager
    async def asked(self, word: RequestMaker) -> AsyncIterator[Queue]:
        """Where the answers to one message come in; None when the connection is over."""
        n = next(self._numbers)
        answers = self._waiting[n] = asyncio.Queue()
        asked = word(n)
        try:
            await self._send(asked)
            yield answers
        finally:
            del self._waiting[n]
            if isinstance(asked, say.WatchRequest) and not self.is_over:
                task = asyncio.ensure_future(self._leave(n))
                self._leaving.add(task)
                task.add_done_callback(self._leaving.discard)

    async def close(self) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

    async def _leave(self, n: int) -> None:
        with suppress(PeerLost):
            await self._send(say.Leave(n))

    async def _send(self, word: say.Asking) -> None:
        if self._socket is None or self._stamps is None or self.is_over:
            raise PeerLost
        try:
            async with self._turn:
                await self._socket.send(self._stamps.stamped(word))
        except ConnectionClosed:
            raise PeerLost from None

    async def _run(self) -> None:
        try:
            # The oldest key first: every ring that was rotated since still has it.
            for key in self._ring.keys:
                if await self._talk(key):
                    break
        except (OSError, WebSocketException, say.Forged, msgspec.DecodeError) as error:
            if not self.opened.done():
                self.opened.set_exception(error)
        finally:
            if not self.opened.done():
                self.opened.set_exception(say.Forged())
            self.opened.exception()
            for answers in self._waiting.values():
                answers.put_nowait(None)

    async def _talk(self, key: SealKey) -> bool:
        """Until one end is gone; whether the peer knew the key at all."""
        ours = say.nonce()
        headers = {say.KEY_HEADER: key.id, say.NONCE_HEADER: ours.hex()}
        async with connect(
            self._url,
            additional_headers=headers,
            ssl=self._trusting,
            compression=None,
            max_size=say.MOST_BYTES,
            open_timeout=PEER_TIMEOUT_S,
            ping_interval=PEER_TIMEOUT_S,
            ping_timeout=PEER_TIMEOUT_S,
            proxy=None,
        ) as socket:
            try:
                theirs = await socket.recv()
            except ConnectionClosed:
                return False
            assert isinstance(theirs, bytes)
            stamps = say.MessageMacs(key, ours + theirs, say.ASKING, say.ANSWERING)
            self._socket, self._stamps = socket, stamps
            self.opened.set_result(None)
            async for message in socket:
                assert isinstance(message, bytes)
                self._hear(msgspec.json.decode(stamps.opened(message), type=say.Answering))
        return True

    def _hear(self, answer: say.Answering) -> None:
        if answer.n in self._waiting:
            self._waiting[answer.n].put_nowait(answer)


def _answer(told: Reply) -> Answer:
    """What the table's owner said, as if it had been said here."""
    if told.outcome == "done":
        return Answer((), told.version, told.again)
    if told.outcome == "refused":
        kind = RefusedBefore if told.again else Refusal
        raise kind(told.sentence, told.clause)
    if told.outcome == "too many":
        raise TooMany(told.sentence, told.wait_s)
    kinds = {"stale": Stale, "unavailable": Unavailable}
    raise kinds.get(told.outcome, Unreadable)(told.sentence)
