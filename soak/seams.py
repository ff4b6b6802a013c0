"""Where the world comes into the service: chance, clocks and threads, all taken from the seed.

The service is not changed for it. What it takes from the operating system is exchanged for as long
as a simulation runs, wherever a module of it holds it by name.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

from croupier.facts.cards import DECK
from croupier.facts.errors import Unavailable
from croupier.games.registry import the_registry
from croupier.ledger.shoe.entropy import Chance
from croupier.ledger.shoe.pack import Pack, fresh_pack, pack_of
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger, Writing
from croupier.ledger.store.timeouts import TimedConnection
from croupier.server.metrics import Metrics
from croupier.server.pit import change_listener, peer_client
from croupier.server.pit.group_commit import GroupCommitter
from croupier.server.pit.recordings import PitRecordings
from croupier.server.pit.table_actor import Subscription
from croupier.submission.check import shipped_submission
from croupier.table.terms import terms_of
from soak.clockwork import Loop, current
from soak.peering import Peering
from soak.postgres import Server

LUCKY = 0.7  # of all packs, so that awards are no rarity
BOOKS = ("UTH-S", "FCP-14")
FLOP = 3
RANKS, SUITS = "AKQJT98765432", "cdhs"


class Told(GroupCommitter):
    """The one hand that writes, without its thread: what it wrote is told a little later, so that
    whoever asked may be killed or stopped before he hears of it.
    """

    def __init__(self, ledger: Ledger, metrics: Metrics) -> None:
        self._ledger, self._metrics = ledger, metrics
        self.failed = ""
        process = current()
        assert process is not None
        self._process = process
        self._waiting_for: list[tuple[Sequence[Writing], asyncio.Future[Any]]] = []
        self._busy = False

    async def append(self, writings: Sequence[Writing]) -> tuple[LedgerLine, ...]:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[tuple[LedgerLine, ...]] = loop.create_future()
        self._waiting_for.append((writings, answer))
        if not self._busy:
            self._send()
        return await answer

    def close(self) -> None:
        return

    def _send(self) -> None:
        self._busy = True
        asyncio.get_running_loop().call_later(self._process.slow_s(), self._write)

    def _write(self) -> None:
        """All that was asked for by now, with one wait for the disk."""
        batch, self._waiting_for = self._waiting_for, []
        try:
            told = self._ledger.append_each([writings for writings, _ in batch])
        except Exception as error:
            told = [error] * len(batch)
        self._note(next((str(each) for each in told if type(each) is Unavailable), ""))
        loop = asyncio.get_running_loop()
        loop.call_later(self._process.slow_s(), self._tell, batch, told)

    def _tell(self, batch: list[tuple[Sequence[Writing], Any]], told: Sequence[Any]) -> None:
        for (_, answer), outcome in zip(batch, told, strict=True):
            if answer.done():
                continue
            if isinstance(outcome, Exception):
                answer.set_exception(outcome)
            else:
                answer.set_result(outcome)
        self._busy = False
        if self._waiting_for:
            self._send()


class Ear:
    """In the place of the thread that hears what other processes write."""

    def __init__(self, target: Any, args: tuple[Any, ...] = (), **how: Any) -> None:
        self._ears: change_listener.ChangeListener = target.__self__

    def start(self) -> None:
        _SERVERS[-1].listen(self._ears._hear)


_SERVERS: list[Server] = []


async def _rests(recordings: PitRecordings) -> None:
    """The index over recordings is made from the lines at any time, and has tests of its own."""
    await asyncio.Event().wait()


@contextmanager
def connected(server: Server, peering: Peering) -> Iterator[None]:
    """Databases and peers are reached through the simulated network."""
    _SERVERS.append(server)
    threads = SimpleNamespace(Thread=Ear)
    try:
        with (
            _exchanged(TimedConnection, "connect", server.connect),
            _exchanged(change_listener, "threading", threads),
            _exchanged(peer_client, "connect", peering.connect),
            _exchanged(PitRecordings, "run", _rests),
        ):
            yield
    finally:
        _SERVERS.pop()


@contextmanager
def seeded(loop: Loop, chance: Random) -> Iterator[None]:
    """Everything the service takes from its machine comes from here meanwhile."""

    def urandom(count: int, /) -> bytes:
        return chance.randbytes(count)

    def pack(bits: Any) -> Pack:
        return _lucky_pack(chance, bits) if chance.random() < LUCKY else fresh_pack(bits)

    with (
        _exchanged(os, "urandom", urandom),
        _exchanged(random, "_urandom", urandom),
        _exchanged(time, "monotonic", loop.time),
        _exchanged(time, "monotonic_ns", lambda: round(loop.time() * 1e9)),
        _exchanged(Subscription, "__hash__", _numbered(count())),
        _everywhere(GroupCommitter, Told),
        _everywhere(Chance, lambda: Chance(urandom)),
        _everywhere(fresh_pack, pack),
    ):
        yield


def _numbered(numbers: Iterator[int]) -> Any:
    """Things that are kept in sets, told apart by a number and not by their place in memory."""

    def number(thing: Any) -> int:
        if not hasattr(thing, "_number"):
            thing._number = next(numbers)
        return int(thing._number)

    return number


def _lucky_pack(chance: Random, bits: Any) -> Pack:
    """At a table of one of the games, with so many boxes, somebody gets a hand for a meter."""
    steps, boxes = chance.choice(_plans()), chance.choice((1, 2, 3))
    lucky, hand = chance.randrange(boxes), _lucky_hand(chance)
    others = [str(card) for card in DECK if str(card) not in hand]
    chance.shuffle(others)
    script: list[str] = []
    for to, cards in steps:
        for at in range(boxes if to == "boxes" else 1):
            is_theirs = at == lucky if to == "boxes" else to == "board"
            for n in range(cards):
                own = is_theirs and hand and (to == "boxes" or n < FLOP)
                script.append(hand.pop() if own else others.pop())
    return pack_of(script, bits)


def _lucky_hand(chance: Random) -> list[str]:
    suit, start = chance.choice(SUITS), chance.choice((0, chance.randrange(8)))
    run = [rank + suit for rank in RANKS[start : start + 5]]
    four = [RANKS[start] + each for each in SUITS]
    hand = chance.choice((run, [*four, RANKS[start + 1] + suit]))
    chance.shuffle(hand)
    return hand


@cache
def _plans() -> list[list[tuple[str, int]]]:
    """In which order the cards of each game go out."""
    found = []
    for book in BOOKS:
        terms = terms_of(shipped_submission(book), the_registry(), electronic_shoe=True)
        found.append([(step.to, step.deal) for step in terms.plans[terms.way]])
    return found


@contextmanager
def _exchanged(place: Any, name: str, new: object) -> Iterator[None]:
    old = getattr(place, name)
    setattr(place, name, new)
    try:
        yield
    finally:
        setattr(place, name, old)


@contextmanager
def _everywhere(old: object, new: object) -> Iterator[None]:
    """In every module of the service that holds it by name, but the one it comes from."""
    home = getattr(old, "__module__", "")
    held = [
        (module, name)
        for key, module in sorted(sys.modules.items())
        if key.startswith("croupier.") and key != home
        for name, value in list(vars(module).items())
        if value is old
    ]
    for module, name in held:
        setattr(module, name, new)
    try:
        yield
    finally:
        for module, name in held:
            setattr(module, name, old)
