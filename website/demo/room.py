"""The practice room inside a browser: requests by path as the service takes them, and its frames.

It runs in a web worker, on a ledger that lies in the browser's own store. Tables, drivers and
frames are those of the service; what is left out is what needs a service: other people, logins and
threads. Everything is given in and told as text, so that the worker need know nothing of it.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from croupier.exact.solution import Solution
from croupier.exact.solution_file import from_bytes
from croupier.facts.cards import Cards
from croupier.facts.errors import Unavailable, Unreadable, quoted
from croupier.facts.hands import Category
from croupier.games.registry import the_registry
from croupier.games.rules import Rules
from croupier.ledger.kept_table import KeptTable, system_clock
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger, Writing
from croupier.practice import coach
from croupier.practice.asked_hand import AskedHand, HandAnswer, position_of
from croupier.practice.care import Care, OwnLimits
from croupier.practice.evening import RoundResult
from croupier.practice.explanation import Explanation
from croupier.practice.played_round import PlayedRound
from croupier.practice.profile import profile_beside
from croupier.practice.reasons import ShowdownOdds
from croupier.practice.regulars import YOU
from croupier.practice.table import practice_ledger, refuse_pit, table_for
from croupier.server.access.logins import Login
from croupier.server.access.token_buckets import Budgets
from croupier.server.pages.clause_explanation import explained
from croupier.server.pages.drill_session import DrillAnswer, DrillSession
from croupier.server.pages.practice_room import LIMITS, SETTINGS, PracticeRunner, PracticeSettings
from croupier.server.pages.record_reader import RecordReader
from croupier.server.pit.log_publisher import LogPublisher
from croupier.server.pit.messages import (
    STATUS,
    NotHere,
    Reply,
    answered,
    as_command,
    excused,
    own_id,
    read_ask,
)
from croupier.server.pit.progressive_links import Links
from croupier.server.pit.recall import Recall
from croupier.server.pit.table_actor import Publisher, TableActor, TableServices
from croupier.server.settings import AT_HOME
from croupier.submission.check import shipped_submission
from croupier.submission.fingerprint import rules_hash
from croupier.table.agenda import phase
from croupier.table.views import Viewer
from website.demo import look_ups

JSON, FILE = "application/json", "application/octet-stream"
ME = Viewer(role="player", name=YOU)
Saved = Callable[[], Awaitable[object]]


class Kernel(Protocol):
    """What counts: given the hash of Rules and a position as JSON, it tells JSON."""

    def values(self, rules: str, position: str, /) -> str:
        """Fractions by action."""

    def odds(self, rules: str, position: str, /) -> str:
        """Ways to win, to tie, to lose, and those where the dealer opens."""

    def beaten(self, position: str, /) -> str:
        """The dealer's hands that beat it, by category."""

    def sides(self, rules: str, /) -> str:
        """What is kept of the solution of a base game: its side wagers and Envy."""


class RoomAnswer(NamedTuple):
    status: int
    kind: str
    body: bytes


class SavingWriter:
    """Appends at once, and waits until the browser has kept the file."""

    def __init__(self, ledger: Ledger, saved: Saved) -> None:
        self._ledger, self._saved = ledger, saved

    async def append(self, writings: Sequence[Writing], /) -> tuple[LedgerLine, ...]:
        lines = self._ledger.append(*writings)
        await self._saved()
        return tuple(lines)


class Unread:
    """A counter that nobody reads."""

    def inc(self, amount: float = 1, /) -> None: ...


class NoMetrics(NamedTuple):
    rounds: Unread = Unread()
    unkept: Unread = Unread()


class KernelTutor:
    """The coach by the kernel of the browser: its values, its reasons, and hands for drills."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def count(self, rules: Rules, position: coach.Position) -> dict[str, Fraction]:
        told = self._kernel.values(rules_hash(rules), _as_json(position))
        found = msgspec.json.decode(told, type=dict[str, str])
        if "error" in found:
            raise Unavailable(found["error"])
        return {action: Fraction(value) for action, value in found.items()}

    def sides(self, base: Rules) -> Solution:
        return from_bytes(self._kernel.sides(rules_hash(base)).encode(), Solution)

    async def worths(self, submission: str, seen: coach.Position) -> tuple[coach.Worth, ...]:
        await asyncio.sleep(0)  # the frame that asks is sent before the count holds up the worker
        return coach.worths(submission, seen, count=self.count)

    async def explained(
        self, submission: str, seen: coach.Position
    ) -> tuple[tuple[coach.Worth, ...], Explanation | None]:
        await asyncio.sleep(0)
        return coach.explained_by(submission, seen, self.count, self)

    def odds(self, rules: Rules, own: Cards, board: Cards, up: Cards) -> ShowdownOdds | None:
        told = self._kernel.odds(rules_hash(rules), _position(own, board, up))
        found = msgspec.json.decode(told, type=tuple[int, int, int, int] | None)
        return ShowdownOdds(*found) if found is not None else None

    def beaten_by(self, own: Cards, board: Cards) -> Counter[Category]:
        told = msgspec.json.decode(self._kernel.beaten(_position(own, board)), type=dict[str, int])
        return Counter({each: told[str(each)] for each in Category if str(each) in told})

    async def hard_hand(
        self, submission: str, street: str, wanted: str, asked: frozenset[coach.Position]
    ) -> tuple[coach.Position, str]:
        seed = Random().getrandbits(32)
        return coach.hard_hand(submission, street, seed, wanted, asked, self.count)

    async def hand_classes(
        self, submission: str, positions: Sequence[coach.Position]
    ) -> tuple[str, ...]:
        return coach.hand_classes(submission, positions)

    async def flashed_hand(self, submission: str, street: str) -> coach.Position:
        return coach.flashed_hand(submission, street, Random().getrandbits(32), self.count)


def _as_json(position: coach.Position) -> str:
    return msgspec.json.encode(position).decode()


def _position(own: Cards, board: Cards, up: Cards = ()) -> str:
    """Cards in sight, for who does not ask on which street."""
    held, shown = tuple(map(str, own)), tuple(map(str, board))
    return _as_json(coach.Position("", held, shown, "".join(map(str, up))))


async def at_once(work: Callable[..., Any], /, *said: object) -> Any:  # noqa: ANN401
    """A worker has no other thread: what takes its time holds it up."""
    return work(*said)


Route = Callable[..., Awaitable[RoomAnswer]]


class Room:
    """Every shipped rulebook's table on one ledger file, opened when somebody first asks for it."""

    def __init__(self, file: str, kernel: Kernel, saved: Saved) -> None:
        self._open = ExitStack()
        self.file, self.tutor = Path(file), KernelTutor(kernel)
        self.registry = the_registry()
        place = practice_ledger(self.file, None)
        self.ledger, self.ring, self._bits = self._open.enter_context(place)
        self.links = Links(self.ledger, system_clock)
        self._publisher = Publisher()
        self._services = TableServices(
            SavingWriter(self.ledger, saved),
            NoMetrics(),
            None,
            lambda table: None,
            self._publisher,
            Budgets(AT_HOME, system_clock),
        )
        self.log = LogPublisher(self.ledger, self.ring, system_clock)
        self.profile = profile_beside(self.file, self.ledger.id)
        self._open.callback(self.profile.close)
        self.record = RecordReader(
            self.ledger, self.registry, self.ring, self.profile, self.tutor, at_once
        )
        self._drills = DrillSession(self.profile, self.record, self.tutor)
        self._settings = self.profile.note(SETTINGS, PracticeSettings) or PracticeSettings()
        self._care = Care(self.profile.note(LIMITS, OwnLimits) or OwnLimits(), time.monotonic)
        self._me = Login(YOU, "player", "", 0, "")
        self._runners: dict[str, PracticeRunner] = {}
        self._working: list[asyncio.Task[None]] = []
        self._saved, self._hurries = saved, False
        self._working.append(asyncio.ensure_future(self._publisher.run()))

    # Tables

    def runner(self, name: str) -> PracticeRunner:
        """The house of a table, at work from the first time somebody looks."""
        if name not in self._runners:
            kept = self._kept(name)
            actor = TableActor(lambda: self._reopened(kept.name), self._services, self.links.named)
            if kept.name != name:
                raise NotHere(f"there is no practice table {quoted(name)}")
            runner = self._runners[name] = PracticeRunner(
                actor, self.tutor, self._settings, lambda: self._care.shown(self._evening())
            )
            runner.go_on(list(map(_result, self.record.kept.lately(name, system_clock()))))
            self._working.append(asyncio.ensure_future(runner.run()))
        return self._runners[name]

    def _evening(self) -> Iterator[RoundResult]:
        return (each for runner in self._runners.values() for each in runner.rounds)

    def _kept(self, name: str) -> KeptTable:
        for book in self.registry.books:
            if name.startswith(f"practice-{book}-"):
                filed = shipped_submission(book)
                return table_for(self.ledger, filed, self.registry, self.ring, self._bits)
        raise NotHere(f"there is no practice table {quoted(name)}")

    def _reopened(self, name: str) -> KeptTable:
        packs = partial(fresh_pack, self._bits)
        return KeptTable(self.ledger, name, self.registry, self.ring, packs, keys_are_lost=True)

    async def listen(self, path: str, send: Callable[[str], None]) -> None:
        """Frames of the table that a path names, for as long as the page is there."""
        found = re.fullmatch(r"/practice/([^/]+)/live", path)
        if found is None:
            raise NotHere(f"nothing is told at {path}")
        async for frame in self.runner(unquote(found[1])).frames():
            send(frame.decode())

    async def seated(self, name: str) -> PracticeRunner:
        """The house of a table, once it has found the player a box: pages are there before it."""
        runner = self.runner(name)
        while phase(runner.state) == "betting" and runner.is_busy:
            await asyncio.sleep(0.01)
        return runner

    def brought(self, content: Any) -> str:  # noqa: ANN401 - bytes of the browser
        """Make room for another ledger; why not, where it is none of a practice room."""
        new = self.file.with_name("brought")
        try:
            new.write_bytes(content.to_bytes())
            with closing(open_ledger(str(new), read_only=True)) as ledger:
                refuse_pit(ledger)
        except (Unreadable, Unavailable) as error:
            return str(error).replace(str(new), "this file")
        finally:
            new.unlink(missing_ok=True)
        self.close()
        for beside in self.file.parent.glob(f"{self.file.name}-*"):
            beside.unlink()
        return ""

    def close(self) -> None:
        for task in self._working:
            task.cancel()
        self._open.close()

    # Requests

    async def request(
        self, method: str, path: str, body: str, *, early: bool = False
    ) -> RoomAnswer:
        """What the service would answer; a no is told as it tells it.

        Who asked ``early``, before this room was there, has waited: his first cards come at once.
        """
        split = urlsplit(path)
        self._hurries = self._hurries or early
        words = dict(parse_qsl(split.query))
        try:
            for way, pattern, answer in ROUTES:
                found = re.fullmatch(pattern, split.path)
                if way == method and found is not None:
                    return await answer(self, *map(unquote, found.groups()), body=body, words=words)
            raise NotHere(f"nothing is answered at {split.path} here")
        except Exception as error:
            told = excused(error, self.ledger) or Reply("unavailable", sentence=str(error))
            return self._json(told, STATUS[told.outcome])

    def _json(self, told: object, status: int = 200) -> RoomAnswer:
        return RoomAnswer(status, JSON, msgspec.json.encode(told))

    async def _command(self, name: str, *, body: str, words: object) -> RoomAnswer:
        actor, command_id = (await self.seated(name)).actor, ""
        try:
            ask = read_ask(body)
            command_id = ask.id
            command = as_command(ask, self._me, actor.kept.state.book)
            done = await actor.ask(command, own_id(self._me, ask), ask.seen)
            return self._json(answered(done, ask.id))
        except Exception as error:
            no = excused(error, self.ledger, command_id)
            if no is None:
                raise
            return self._json(no, STATUS[no.outcome])

    async def _deal(self, name: str, *, body: str, words: object) -> RoomAnswer:
        self._care.refuse_beyond(self._evening())
        (await self.seated(name)).deal(hurries=self._hurries)
        self._hurries = False
        self._care.begin()
        return RoomAnswer(204, JSON, b"")

    async def _limit(self, *, body: str, words: object) -> RoomAnswer:
        self._care.limits = _read(body, OwnLimits)
        self.profile.keep_note(LIMITS, self._care.limits)
        await self._saved()
        for runner in self._runners.values():
            runner.refresh()
        return RoomAnswer(204, JSON, b"")

    async def _top_up(self, name: str, *, body: str, words: object) -> RoomAnswer:
        await self.runner(name).top_up()
        return RoomAnswer(204, JSON, b"")

    async def _skip(self, name: str, *, body: str, words: object) -> RoomAnswer:
        self.runner(name).skip()
        return RoomAnswer(204, JSON, b"")

    async def _choose(self, name: str, *, body: str, words: object) -> RoomAnswer:
        """What was chosen at one table holds at all of them, and for the next visit."""
        self._settings = _read(body, PracticeSettings)
        self.runner(name).choose(self._settings)
        for runner in self._runners.values():
            runner.choose(runner.fitting(self._settings))
        self.profile.keep_note(SETTINGS, self._settings)
        await self._saved()
        return RoomAnswer(204, JSON, b"")

    async def _drill(
        self, name: str, street: str, *, body: str, words: dict[str, str]
    ) -> RoomAnswer:
        flashed = words.get("flashed") == "true"
        return self._json(await self._drills.dealt(self.runner(name), int(street), flashed=flashed))

    async def _answer(self, name: str, *, body: str, words: object) -> RoomAnswer:
        told = await self._drills.answered(_read(body, DrillAnswer))
        await self._saved()
        return self._json(told)

    async def _asked_cards(self, name: str, *, body: str, words: dict[str, str]) -> RoomAnswer:
        number, decision = int(words.get("round", 0)), int(words.get("decision", 0))
        return self._json(await self.record.asked(name, number, decision))

    async def _ask(self, name: str, *, body: str, words: object) -> RoomAnswer:
        kept = self._kept(name)
        position = position_of(kept.state.book, _read(body, AskedHand))
        answer = await self.tutor.explained(kept.installed.submission, position)
        return self._json(HandAnswer(position.street, *answer))

    # The record

    async def _summary(self, *, body: str, words: dict[str, str]) -> RoomAnswer:
        told = await self.record.summary(whole="whole" in words)
        await self._saved()
        return self._json(told)

    async def _told(self, name: str, number: str, *, body: str, words: object) -> RoomAnswer:
        rules = self._kept(name).state.terms.rules
        return self._json(await self.record.told(rules, name, int(number)))

    async def _csv(self, *, body: str, words: object) -> RoomAnswer:
        return RoomAnswer(200, FILE, (await self.record.as_csv()).encode())

    async def _records(self, *, body: str, words: object) -> RoomAnswer:
        return RoomAnswer(200, FILE, b"".join(self.record.as_records()))

    async def _why(self, *, body: str, words: dict[str, str]) -> RoomAnswer:
        return self._json(
            explained(self.registry, words.get("clause", ""), int(words.get("ruling", 0)))
        )

    # Rounds that were played

    def _recall(self, name: str) -> Recall:
        return Recall(self.ledger, self._kept(name).name, self.registry, self.ring)

    async def _rounds(self, name: str, *, body: str, words: object) -> RoomAnswer:
        return self._json(self._recall(name).rounds())

    async def _replay(self, name: str, number: str, *, body: str, words: object) -> RoomAnswer:
        recall = self._recall(name)
        return self._json(recall.replay(recall.kept(int(number)), ME))

    async def _proof(self, name: str, number: str, *, body: str, words: object) -> RoomAnswer:
        made = self.log.proof(self._kept(name).name, int(number), ME)
        await self._saved()
        return RoomAnswer(200, FILE, made)

    async def _save(self, *, body: str, words: object) -> RoomAnswer:
        """The ledger as one file, which `croupier audit` proves."""
        copy = self.file.with_name("copy.db")
        copy.unlink(missing_ok=True)
        try:
            self.ledger.copy_to(copy)
            return RoomAnswer(200, FILE, copy.read_bytes())
        finally:
            copy.unlink(missing_ok=True)

    # Look-ups, for which nobody has to sit down

    async def _look_up(self, what: str, *, body: str, words: object) -> RoomAnswer:
        told = look_ups.LOOK_UPS[what](self.registry, self.tutor, body)
        return self._json(told)


def _result(played: PlayedRound) -> RoundResult:
    return RoundResult(
        round=played.round,
        net_cents=played.net_cents,
        staked_cents=played.staked_cents,
        hand=played.hand,
        dealer=played.dealer_hand,
        cards=played.cards,
        lines=played.lines,
    )


def _read(body: str, kind: type[Any]) -> Any:  # noqa: ANN401 - of the kind asked for
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError as error:
        raise Unreadable(f"this cannot be read: {str(error)[:200]}") from None


_TABLE, _ROUND = "/api/tables/([^/]+)", "/api/tables/([^/]+)/rounds/([0-9]+)"
_PRACTICE = "/practice/([^/]+)"
ROUTES: tuple[tuple[str, str, Route], ...] = (
    ("POST", f"{_TABLE}/commands", Room._command),
    ("POST", f"{_PRACTICE}/deal", Room._deal),
    ("POST", f"{_PRACTICE}/skip", Room._skip),
    ("POST", f"{_PRACTICE}/settings", Room._choose),
    ("GET", f"{_PRACTICE}/drill/([0-9]+)", Room._drill),
    ("POST", f"{_PRACTICE}/drill", Room._answer),
    ("POST", "/practice/limits", Room._limit),
    ("POST", f"{_PRACTICE}/top-up", Room._top_up),
    ("POST", f"{_PRACTICE}/ask", Room._ask),
    ("GET", f"{_PRACTICE}/ask/cards", Room._asked_cards),
    ("GET", "/record/summary", Room._summary),
    ("GET", "/record/rounds.csv", Room._csv),
    ("GET", "/record/rounds.jsonl", Room._records),
    ("GET", "/record/([^/]+)/([0-9]+)/told", Room._told),
    ("GET", "/why", Room._why),
    ("GET", f"{_TABLE}/rounds", Room._rounds),
    ("GET", _ROUND, Room._replay),
    ("GET", f"{_ROUND}/proof", Room._proof),
    ("GET", "/ledger", Room._save),
    ("POST", f"/look-up/({'|'.join(look_ups.LOOK_UPS)})", Room._look_up),
)
