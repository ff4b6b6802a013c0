"""The job queue of analyses: one subprocess at a time, polled for progress, never at a table.

A request names a rulebook or a table's filed options, not cards: what comes back is about a game,
and nothing of it ever reaches a live round.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any, Literal
from uuid import uuid4

import msgspec

from croupier.facts.errors import Unavailable, Unreadable, quoted
from croupier.games.registry import Registry
from croupier.server.analysis import worker
from croupier.server.analysis.designs import NewAnalysis, knowledge_of, limited_of, rules_of
from croupier.server.analysis.worker import Word

MOST_WAITING = 10
MOST_KEPT = 100
LONGEST_WORD = 2**24
NICE = 10
NEEDED = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "USERPROFILE"),
    *("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "XDG_CACHE_HOME", "XDG_DATA_HOME"),
    *("LOCALAPPDATA", "APPDATA", "NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "CROUPIER_CACHE"),
)
JobStatus = Literal["waiting", "running", "done", "failed", "canceled"]
Form = Literal["json", "csv"]


class AnalysisShown(msgspec.Struct, frozen=True):
    """``doing`` and ``done`` tell how far it is, from 0 to 1 in each step; ``result`` is the
    document of ``croupier solve --json`` or ``croupier protect --json``, ``paid`` how often each
    line of a wager of the base game is paid; ``sentence`` says what failed.
    """

    id: str
    standing: JobStatus
    by: str
    sentence: str = ""
    doing: str = ""
    done: float = 0.0
    result: dict[str, Any] | None = None
    paid: dict[str, dict[str, float]] = {}


class Analyses:
    """``open_to_all`` is for a pit of one, whose player may ask for everything."""

    open_to_all = False

    def __init__(self, registry: Registry, most_seconds: float) -> None:
        self._registry, self._most_seconds = registry, most_seconds
        self._known: dict[str, AnalysisShown] = {}
        self._answers: dict[str, Word] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()

    def begin(self, asked: NewAnalysis, by: str) -> AnalysisShown:
        if not asked.submission or asked.rulebook or asked.paytables or asked.lines or asked.vary:
            rules = rules_of(asked, self._registry)
            limited_of(asked, rules, self._registry)
            knowledge_of(asked, rules)
        if len(self._tasks) >= MOST_WAITING:
            raise Unavailable(f"{MOST_WAITING} analyses wait already; try again later")
        known = AnalysisShown(uuid4().hex, "waiting", by)
        self._know(known)
        while len(self._known) > MOST_KEPT:
            self._forget_oldest()
        task = asyncio.ensure_future(self._run(known.id, asked))
        self._tasks[known.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(known.id, None))
        return known

    def known(self, analysis_id: str) -> AnalysisShown:
        if analysis_id not in self._known:
            raise Unreadable(f"there is no analysis {quoted(analysis_id)}")
        return self._known[analysis_id]

    def printed(self, analysis_id: str, form: Form) -> str:
        """The answer, byte for byte as the command prints it."""
        if analysis_id not in self._answers:
            raise Unreadable(f"there is no answer to an analysis {quoted(analysis_id)}")
        answer = self._answers[analysis_id]
        return answer.json if form == "json" else answer.csv

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

    async def _run(self, analysis_id: str, asked: NewAnalysis) -> None:
        async with self._turn:
            self._change(analysis_id, standing="running")
            try:
                async with asyncio.timeout(self._most_seconds):
                    last = await self._counted(analysis_id, asked)
            except TimeoutError:
                last = Word(no=f"it took longer than {self._most_seconds:g} seconds")
            if last.no:
                self._change(analysis_id, standing="failed", sentence=last.no)
            elif analysis_id in self._known:
                self._answers[analysis_id] = last
                found = msgspec.json.decode(last.json)
                self._change(analysis_id, standing="done", done=1.0, result=found, paid=last.paid)

    async def _counted(self, analysis_id: str, asked: NewAnalysis) -> Word:
        """What a process of its own says in the end; on the way it tells how far it is."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", worker.__name__),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=_environment(),
            limit=LONGEST_WORD,
        )
        try:
            if sys.platform != "win32":
                os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            complaints = asyncio.ensure_future(_all_of(process.stderr))
            return await self._heard(analysis_id, asked, process) or _complaint(await complaints)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def _heard(
        self, analysis_id: str, asked: NewAnalysis, process: asyncio.subprocess.Process
    ) -> Word | None:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(asked))
        process.stdin.close()
        async for line in process.stdout:
            word = msgspec.json.decode(line, type=Word)
            if word.json or word.no:
                return word
            self._change(analysis_id, doing=word.doing, done=word.done)
        return None

    def _change(self, analysis_id: str, **changes: object) -> None:
        if analysis_id in self._known:
            self._know(msgspec.structs.replace(self._known[analysis_id], **changes))

    def _know(self, analysis: AnalysisShown) -> None:
        self._known[analysis.id] = analysis

    def _forget_oldest(self) -> None:
        oldest = next(known for known in self._known if known not in self._tasks)
        del self._known[oldest]
        self._answers.pop(oldest, None)


async def _all_of(stream: asyncio.StreamReader | None) -> bytes:
    return await stream.read() if stream is not None else b""


def _complaint(said: bytes) -> Word:
    """Why a process ended without an answer, as far as it could still say."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return Word(no=lines[-1] if lines else "it ended without a word")


def _environment() -> dict[str, str]:
    """Only what a process needs to start and to find its own files: no key and no password."""
    return {name: value for name, value in os.environ.items() if name in NEEDED}
