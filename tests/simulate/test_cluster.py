"""A real cluster of worker processes: one is killed in the middle, and the bytes are the same."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import distributed
import pytest

from croupier.cli import main
from croupier.facts.errors import Unavailable, Unreadable
from croupier.simulate.cluster import play_on_cluster, play_task
from croupier.simulate.rounds import SHARD, ShardResult, play
from tests.cli.terminals import Terminal
from tests.cli.test_signals import at_work, stopped
from tests.docs.reader import fits
from tests.simulate.tables import shipped_plan

Process = subprocess.Popen[bytes]
PATIENCE_S = 120
PAGE = Path(__file__).parents[2] / "docs" / "simulating-cluster.md"
CONSOLE = re.compile(r"```console[ \w]*\n\$ croupier (.*?)\n(.*?)```", re.DOTALL)


@contextmanager
def running(command: str, *arguments: str) -> Iterator[Process]:
    """A process of Dask's own, ended with the test."""
    line = [sys.executable, "-m", f"distributed.cli.{command}", *arguments]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def address_in(file: Path) -> str:
    """Where the scheduler listens, as soon as it has written it down."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        try:
            return str(json.loads(file.read_text("utf-8"))["address"])
        except (OSError, ValueError):
            time.sleep(0.1)
    raise AssertionError("the scheduler did not start")


def bytes_of(played: ShardResult) -> list[bytes]:
    return [array.tobytes() for array in (*played.tally, played.hits)]


@contextmanager
def cluster(folder: Path, count: int) -> Iterator[tuple[str, list[Process]]]:
    """A scheduler and so many workers, all of them there: the address and their processes."""
    place = str(folder / "scheduler.json")
    with ExitStack() as stack:
        stack.enter_context(
            running("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                    "--scheduler-file", place)
        )  # fmt: skip
        command = ("--scheduler-file", place, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        address = address_in(Path(place))
        workers = [stack.enter_context(running("dask_worker", *command)) for _ in range(count)]
        connect: Any = distributed.Client  # it has no types
        with connect(address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=PATIENCE_S)
        yield address, workers


@pytest.mark.prove
def test_a_worker_dies_and_nothing_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the two that are left play what the docs show."""
    plan, rounds = shipped_plan("FCP-14", boxes=2, seed=8), 8 * SHARD + 12_345
    here = play(plan, rounds)  # this compiles, too: the workers find the machine code
    with cluster(tmp_path, 3) as (address, workers):
        told: list[float] = []

        def tell(done: float) -> None:
            told.append(done)
            if len(told) == 2:
                workers[0].kill()
                workers[0].wait()

        there = play_on_cluster(plan, rounds, tell, address=address, task=SHARD)
        assert [worker.poll() is None for worker in workers] == [False, True, True]
        monkeypatch.setenv("COLUMNS", "100")
        ((command, shown),) = CONSOLE.findall(PAGE.read_text("utf-8"))
        assert main(shlex.split(command.replace("tcp://10.0.0.5:8786", address))) == 0
    assert bytes_of(there) == bytes_of(here)
    assert told == sorted(told)
    assert (len(told), told[-1]) == (9, 1.0)
    assert fits(shown, capsys.readouterr().out)


@pytest.mark.prove
def test_ctrl_c_leaves_the_cluster(tmp_path: Path) -> None:
    with cluster(tmp_path, 1) as (address, workers):
        words = f"simulate four-card --rounds 90,000,000,000 --cluster {address}"
        with at_work(words, "dealing ", tmp_path) as terminal:
            stopped(terminal, Terminal.press_ctrl_c, 0.5)
        assert [worker.poll() for worker in workers] == [None]


def test_a_worker_of_another_version_is_refused() -> None:
    with pytest.raises(Unavailable, match="another version"):
        play_task(shipped_plan("FCP-14"), 0, 10, "another hash")


def test_an_address_must_be_one_and_answer(capsys: pytest.CaptureFixture[str]) -> None:
    plan = shipped_plan("FCP-14")
    with pytest.raises(Unreadable, match="is no address"):
        play_on_cluster(plan, 10, address="carrier pigeon")
    with pytest.raises(Unavailable, match="no cluster answers"):
        play_on_cluster(plan, 10, address="tcp://127.0.0.1:1")
    assert main(["simulate", "four-card", "--rounds", "10", "--cluster", "127.0.0.1:1"]) == 2
    assert 'no cluster answers at "127.0.0.1:1"' in capsys.readouterr().err
