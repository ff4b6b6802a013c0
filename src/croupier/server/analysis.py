"""Analyses for those who may ask: each in a process of its own, one at a time, never at a table.

A request names a rulebook or a table's filed options, not cards: what comes back is about a game,
and nothing of it ever reaches a live round.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

import msgspec

from croupier.facts.errors import Unavailable, Unreadable, quoted
from croupier.games.house import House
from croupier.submission.check import check

MOST_WAITING = 10
MOST_KEPT = 100
NICE = 10
Standing = Literal["waiting", "running", "done", "failed", "canceled"]


class NewAnalysis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game of a rulebook with these paytables, or a submission as an operator files it."""

    rulebook: str = ""
    paytables: dict[str, str] = {}
    submission: str = ""


class AnalysisShown(msgspec.Struct, frozen=True):
    """``result`` is the document of ``croupier solve --json``; ``sentence`` says what failed."""

    id: str
    standing: Standing
    by: str
    sentence: str = ""
    result: dict[str, Any] | None = None


class Analyses:
    def __init__(self, house: House, most_seconds: float) -> None:
        self._house, self._most_seconds = house, most_seconds
        self._known: dict[str, AnalysisShown] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()

    def begin(self, asked: NewAnalysis, by: str) -> AnalysisShown:
        arguments = self._arguments(asked)
        if len(self._tasks) >= MOST_WAITING:
            raise Unavailable(f"{MOST_WAITING} analyses wait already; try again later")
        known = AnalysisShown(uuid4().hex, "waiting", by)
        self._know(known)
        while len(self._known) > MOST_KEPT:
            self._forget_oldest()
        task = asyncio.ensure_future(self._run(known.id, arguments, asked.submission))
        self._tasks[known.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(known.id, None))
        return known

    def known(self, analysis_id: str) -> AnalysisShown:
        if analysis_id not in self._known:
            raise Unreadable(f"there is no analysis {quoted(analysis_id)}")
        return self._known[analysis_id]

    def every(self) -> list[AnalysisShown]:
        return [msgspec.structs.replace(a, result=None) for a in self._known.values()]

    def cancel(self, analysis_id: str) -> AnalysisShown:
        self.known(analysis_id)
        task = self._tasks.get(analysis_id)
        if task is not None and task.cancel():
            self._change(analysis_id, standing="canceled")
        return self.known(analysis_id)

    async def close(self) -> None:
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _arguments(self, asked: NewAnalysis) -> list[str]:
        """The words of the command; nothing of a request may be read as a file or an option."""
        if asked.submission:
            if asked.rulebook or asked.paytables:
                raise Unreadable("a submission names its rulebook and paytables itself")
            return []
        book = self._house.book(asked.rulebook)
        words = [book.game, "--rulebook", book.id]
        for wager, letter in asked.paytables.items():
            if letter not in book.paytables.get(wager, {}):
                raise Unreadable(f"{book.id} has no paytable {quoted(letter)} of {quoted(wager)}")
            words += ["--paytable", f"{wager}={letter}"]
        return words

    async def _run(self, analysis_id: str, arguments: list[str], submission: str) -> None:
        async with self._turn:
            self._change(analysis_id, standing="running")
            try:
                with _filed(submission, self._house) as filed:
                    told = await self._solved([*arguments, *filed])
            except TimeoutError:
                why = f"it took longer than {self._most_seconds:g} seconds"
                self._change(analysis_id, standing="failed", sentence=why)
            except Unreadable as error:
                self._change(analysis_id, standing="failed", sentence=str(error))
            else:
                self._change(analysis_id, **told)

    async def _solved(self, arguments: list[str]) -> Mapping[str, object]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier", "solve", *arguments, "--json"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            if hasattr(os, "setpriority"):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            out, said = await asyncio.wait_for(process.communicate(), self._most_seconds)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == 0:
            return {"standing": "done", "result": msgspec.json.decode(out)}
        lines = said.decode("utf-8", "replace").strip().splitlines()
        return {"standing": "failed", "sentence": lines[-1] if lines else "it ended without a word"}

    def _change(self, analysis_id: str, **changes: object) -> None:
        if analysis_id in self._known:
            self._know(msgspec.structs.replace(self._known[analysis_id], **changes))

    def _know(self, analysis: AnalysisShown) -> None:
        self._known[analysis.id] = analysis

    def _forget_oldest(self) -> None:
        oldest = next(known for known in self._known if known not in self._tasks)
        del self._known[oldest]


@contextmanager
def _filed(submission: str, house: House) -> Iterator[list[str]]:
    """A submission as the command reads it, from a file that is there as long as it needs it."""
    if not submission:
        yield []
        return
    checked = check(submission, house)
    if checked.submission is None:
        raise Unreadable(f"the submission cannot be used: {checked.errors[0]}")
    with tempfile.TemporaryDirectory(prefix="croupier-") as folder:
        file = Path(folder) / "submission.toml"
        file.write_text(submission, "utf-8")
        game = house.book(checked.submission.rulebook).game
        yield [game, "--submission", str(file)]
