"""Keepers that are killed, life after life, at one table: ``python -m tests.ledger.killing``.

Each life resumes the table, gives the command again whose answer it never heard, and goes on with
the evening until SIGKILL. What it asked and what was acknowledged it says over a pipe, as a client
on the other end of a wire would know it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import count
from random import Random

import msgspec

from croupier.ledger.envelope import words
from croupier.ledger.events import TABLE
from croupier.ledger.kept_table import KeptTable, system_clock
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.migrations import Session
from croupier.ledger.store.port import Ledger
from croupier.ledger.store.sql import Store
from croupier.table import commands as do
from tests.ledger.evenings import Evening
from tests.ledger.kept import is_sound, resumes_as

NAME = "killed"
MOMENTS = ("before", "inside", "after")
Say = Callable[[str, str, str], None]


class Life(Evening):
    """An evening by the clock on the wall, that says what it asks and what was acknowledged."""

    def __init__(self, number: int, say: Say) -> None:
        super().__init__()
        self._number, self._say, self._counted = number, say, count(1)
        self.packs = lambda: fresh_pack(Random().getrandbits)

    def clock(self) -> int:
        return system_clock()

    def next_id(self) -> str:
        return f"life-{self._number}-{next(self._counted)}"

    def give(self, table: KeptTable, command: do.Command) -> None:
        id, asked = self.next_id(), words(command)
        self._say("asked", id, asked)
        table.give(command, id)
        self._say("acknowledged", id, asked)


class Client:
    """What somebody knows who only hears the answers."""

    def __init__(self) -> None:
        self.acknowledged: list[str] = []
        self.unanswered: tuple[str, str] | None = None

    def hears(self, told: bytes) -> None:
        for line in told.splitlines():
            what, id, asked = msgspec.json.decode(line, type=tuple[str, str, str])
            if what == "asked":
                self.unanswered = (id, asked)
            elif what == "acknowledged":
                self.acknowledged.append(id)
                self.unanswered = None


def die_at(ledger: Ledger, moment: str) -> None:
    """The next write kills this process: before its transaction, inside it, or after."""
    assert isinstance(ledger, Store)
    real: Callable[[], AbstractContextManager[Session]] = ledger._writing

    @contextmanager
    def writing() -> Iterator[Session]:
        _die(moment == "before")
        with real() as session:
            yield session
            _die(moment == "inside")
        _die(moment == "after")

    ledger._writing = writing  # type: ignore[method-assign]


def _die(now: bool) -> None:
    if now:
        os.kill(os.getpid(), signal.SIGKILL)


def live(
    address: str, evening: Evening, number: int, client: Client, moment: str, pipe: int
) -> None:
    def say(what: str, id: str, asked: str) -> None:
        os.write(pipe, msgspec.json.encode((what, id, asked)) + b"\n")

    life = Life(number, say)
    life.ring = evening.ring
    ledger = open_ledger(address)
    if moment:
        die_at(ledger, moment)
    table = life.resumed(ledger, NAME)
    say("ready", "", "")
    if client.unanswered is not None:
        id, asked = client.unanswered
        table.give(do.read_command(asked), id)
        say("acknowledged", id, asked)
    while True:
        life.play(table, 1)


def kill_one(address: str, evening: Evening, number: int, client: Client, moment: str) -> None:
    """One life in a process of its own; without a moment it is killed at any."""
    hear, say = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(hear)
            live(address, evening, number, client, moment, say)
        finally:
            os._exit(1)  # only an error comes here
    os.close(say)
    told = b""
    while not moment and b"ready" not in told:
        told += os.read(hear, 65_536)
    if not moment:
        time.sleep(Random(number).random() ** 2 / 20)
        os.kill(child, signal.SIGKILL)
    while more := os.read(hear, 65_536):
        told += more
    os.close(hear)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the keeper failed before it was killed"
    client.hears(told)


def nothing_lost_nothing_twice(ledger: Ledger, client: Client, since: int) -> None:
    for id in client.acknowledged[since:]:
        lines = ledger.answered(id)
        assert [bool(line.command) for line in lines] == [True] + [False] * (len(lines) - 1), id
        own = [line.version for line in lines if line.stream == f"{TABLE}{NAME}"]
        assert own == list(range(own[0], own[0] + len(own))), id


def main(address: str, lives: int, at_random: bool) -> None:
    evening, client = Life(0, lambda what, id, asked: None), Client()
    with closing(open_ledger(address, create=True)) as ledger:
        # A first round is played in peace, and what is read once is read before the first fork.
        table = evening.install(ledger, name=NAME)
        evening.sit(table, 2)
        evening.play(table, 1)
        peaceful = commands_in(ledger)
    for number in range(1, lives + 1):
        moment = "" if at_random else MOMENTS[number % len(MOMENTS)]
        since = len(client.acknowledged)
        kill_one(address, evening, number, client, moment)
        with closing(open_ledger(address)) as ledger:
            nothing_lost_nothing_twice(ledger, client, since)
    with closing(open_ledger(address)) as ledger:
        goes_on(ledger, evening, client, peaceful)


def commands_in(ledger: Ledger) -> int:
    return len({line.command_id for line in ledger.read(f"{TABLE}{NAME}")})


def goes_on(ledger: Ledger, evening: Evening, client: Client, peaceful: int) -> None:
    """The round comes to its end, and an auditor finds nothing."""
    table = evening.resumed(ledger, NAME)
    asked = commands_in(ledger) - peaceful
    given = len(client.acknowledged)
    doubted = client.unanswered is not None and bool(ledger.answered(client.unanswered[0]))
    assert asked == given + doubted
    begun = table.state.round.number
    evening.play(table, 1)
    assert table.state.round.number == begun + 1
    nothing_lost_nothing_twice(ledger, client, 0)
    resumes_as(table, evening)
    is_sound(ledger, evening)
    sys.stdout.write(f"{given} acknowledged, {begun} rounds\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3] == "random")
