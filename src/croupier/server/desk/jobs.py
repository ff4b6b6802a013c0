"""The job queue of the desk: one worker thread, polled for how far each job is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import msgspec

from croupier.facts.errors import Refusal, Unavailable, Unreadable, quoted
from croupier.facts.progress import Progress
from croupier.server.analysis.jobs import JobStatus
from croupier.server.desk.papers import FilingPack
from croupier.server.pit.messages import NotHere

LOG = logging.getLogger("croupier")
MOST_KEPT = 5


class DeskJob(msgspec.Struct, frozen=True):
    """``doing`` and ``done`` tell how far it is, from 0 to 1 in each step; ``sentence`` says what
    failed, ``files`` what was made."""

    id: str
    standing: JobStatus
    sentence: str = ""
    doing: str = ""
    done: float = 0.0
    files: tuple[str, ...] = ()


class DeskJobs:
    """The last few jobs and what came of them."""

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, "croupier-desk")
        self._known: dict[str, DeskJob] = {}
        self._packs: dict[str, FilingPack] = {}

    def begin(self, make: Callable[[Progress], FilingPack | None]) -> DeskJob:
        if sum(job.standing in ("waiting", "running") for job in self._known.values()) > MOST_KEPT:
            raise Unavailable("too much is asked of the desk at once; wait a moment")
        job = DeskJob(uuid4().hex, "waiting")
        self._known[job.id] = job
        self._worker.submit(self._run, job.id, make)
        while len(self._known) > 2 * MOST_KEPT:
            oldest = next(iter(self._known))
            del self._known[oldest]
            self._packs.pop(oldest, None)
        return job

    def known(self, job_id: str) -> DeskJob:
        if job_id not in self._known:
            raise NotHere(f"there is no work {quoted(job_id)} at this desk")
        return self._known[job_id]

    def pack(self, job_id: str) -> FilingPack:
        if job_id not in self._packs:
            raise NotHere(f"there is no pack {quoted(job_id)} at this desk any more; make it again")
        return self._packs[job_id]

    def close(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _run(self, job_id: str, make: Callable[[Progress], FilingPack | None]) -> None:
        def progress(what: str, done: float) -> None:
            self._change(job_id, doing=what, done=done)

        self._change(job_id, standing="running")
        try:
            made = make(progress)
        except (Unreadable, Refusal, Unavailable) as error:
            self._change(job_id, standing="failed", sentence=str(error))
            return
        except Exception as error:
            LOG.error("the desk's work failed", exc_info=error)
            why = "something went wrong here; try again"
            self._change(job_id, standing="failed", sentence=why)
            return
        if made is not None:
            self._packs[job_id] = made
        files = tuple(made.files) if made is not None else ()
        self._change(job_id, standing="done", done=1.0, files=files)

    def _change(self, job_id: str, **changes: object) -> None:
        if job_id in self._known:
            self._known[job_id] = msgspec.structs.replace(self._known[job_id], **changes)
