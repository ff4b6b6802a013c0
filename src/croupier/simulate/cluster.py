"""The same shards on a Dask cluster: any number of machines, the same bytes.

A shard is a plan and two numbers, so it can be played anywhere and, when a worker dies in the
middle of one, played again. The answers are added up as they come; nothing depends on their order.
A worker that runs another version of Croupier could come to other numbers, so it is refused.
"""

from __future__ import annotations

import re
import socket
from functools import cache
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from croupier.exact.kernels.compiled import fingerprint
from croupier.exact.solution_file import code_digest
from croupier.extras import CLUSTER, require
from croupier.facts.errors import Unavailable, Unreadable, quoted
from croupier.facts.progress import ShareDone
from croupier.simulate.plan import SimulationPlan
from croupier.simulate.rounds import (
    SHARD,
    ShardResult,
    ShardSum,
    play_shard,
    refuse_rounds,
    together,
)

TASK = 16 * SHARD  # rounds of one task: some tenths of a second
AHEAD = 3  # tasks given out for each thread of a worker, so that none stands idle
TIMEOUT = "20s"
_ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(?P<host>[^/\s]+):(?P<port>\d{1,5})", re.ASCII)


def play_on_cluster(
    plan: SimulationPlan,
    rounds: int,
    progress: ShareDone = lambda done: None,
    *,
    address: str,
    task: int = TASK,
) -> ShardResult:
    """Play so many rounds on the workers of a scheduler, in tasks of so many each."""
    refuse_rounds(rounds)
    distributed = require(CLUSTER)
    refuse_silence(address)
    try:
        client = distributed.Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError):
        raise Unavailable(f"no cluster answers at {quoted(address)}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=TIMEOUT)
            return _played(client, distributed, plan, rounds, task, progress)
        except TimeoutError:
            raise Unavailable(f"the cluster at {quoted(address)} has no worker") from None
        except (OSError, distributed.KilledWorker) as error:
            raise Unavailable(f"the cluster at {quoted(address)} went away: {error}") from None


def refuse_silence(address: str) -> None:
    """Knock before a client is made: one that finds nobody takes long to give up."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise Unreadable(f"{quoted(address)} is no address; write it like tcp://10.0.0.5:8786")
    try:
        socket.create_connection((found["host"].strip("[]"), int(found["port"])), 10).close()
    except (OSError, OverflowError, UnicodeError):
        raise Unavailable(f"no cluster answers at {quoted(address)}") from None


def _played(
    client: Any,  # noqa: ANN401 - Dask's, which need not be installed
    distributed: ModuleType,
    plan: SimulationPlan,
    rounds: int,
    task: int,
    progress: ShareDone,
) -> ShardResult:
    """Hand out tasks as others come back: what is under way stays small, whatever the run."""
    starts = iter(range(0, rounds, task))
    heap = ShardSum()

    def submit(start: int) -> Any:  # noqa: ANN401 - a future of Dask's
        stop = min(start + task, rounds)
        return client.submit(play_task, plan, start, stop, code_here(), pure=False)

    wanted = AHEAD * sum(client.nthreads().values())
    first = [submit(start) for start in islice(starts, wanted)]
    waiting = distributed.as_completed(first, loop=client.loop)
    for future in waiting:
        # An answer that died with its worker is played again when it is asked for.
        heap.add(future.result())
        progress(heap.rounds / rounds)
        if (start := next(starts, None)) is not None:
            waiting.add(submit(start))
    if heap.rounds != rounds:
        raise Unavailable(f"the cluster played {heap.rounds:,} rounds of {rounds:,}; play again")
    return together([heap])


def play_task(plan: SimulationPlan, start: int, stop: int, code: str) -> ShardResult:
    """What a worker does: its shards, one after the other."""
    if code != code_here():
        raise Unavailable("a worker of the cluster runs another version of Croupier; install ours")
    heap = ShardSum()
    for first in range(start, stop, SHARD):
        heap.add(play_shard(plan, first, min(first + SHARD, stop)))
    return together([heap])


@cache
def code_here() -> str:
    """One hash of everything that decides a result."""
    return code_digest() + fingerprint(Path(__file__).parent)
