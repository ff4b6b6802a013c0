"""A soak: new seeds one after the other, each in a process of its own, until the time is up.

What is known so far is on the page after each of them, so that nothing is lost if it is stopped.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec

import croupier
import soak as simulator
from soak.report import Ran, chapter, replay
from soak.world import Report

HEADING = "## The last soak"
PATIENCE_S = 3600
HOUR_S = 3600


def soak(hours: float, first: int, steps: int, page: Path | None) -> int:
    """The exit status is 1 where anything failed."""
    began, when = time.monotonic(), datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    code, digest = _commit(), _digest()
    reports: list[Report] = []
    seed = first
    while time.monotonic() - began < hours * HOUR_S or not reports:
        report = _alone(seed, steps)
        reports.append(report)
        how = f"FAILED: {report.failure} ({replay(seed, steps)})" if report.failure else "held"
        took_s = time.monotonic() - began
        print(f"{took_s:8,.0f} s  seed {seed}: {report.steps:,} commands, {how}", flush=True)
        if page is not None:
            ran = Ran(steps, took_s, when, code, digest, _digest() == digest)
            _write(page, "\n".join(chapter(reports, ran)))
        seed += 1
    failures = sum(bool(report.failure) for report in reports)
    print(f"{len(reports)} seeds, {failures} failures")
    return 1 if failures else 0


def _alone(seed: int, steps: int) -> Report:
    """A simulation that hangs, or takes its process down, has failed as well."""
    command = [sys.executable, "-m", "soak", "--json", "--seed", str(seed), "--steps", str(steps)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
        return msgspec.json.decode(ran.stdout.encode(), type=Report)
    except subprocess.TimeoutExpired:
        return Report(seed, failure=f"it did not end in {PATIENCE_S} seconds")
    except msgspec.DecodeError:
        last = (ran.stderr.strip().splitlines() or ["without a word"])[-1]
        return Report(seed, failure=f"the simulation itself broke off: {last}")


def _write(page: Path, text: str) -> None:
    """The last chapter of the page is the report; what stands before it stays."""
    before = page.read_text("utf-8").partition(HEADING)[0] if page.exists() else ""
    page.write_text(f"{before}{HEADING}\n\n{text}\n", "utf-8")


def _commit() -> str:
    """The commit that the code was taken from; empty where there is none."""
    command = ["git", "-C", str(Path(simulator.__file__).parent), "rev-parse", "--short=12", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _digest() -> str:
    """Of every line of the service and of the simulator, as they are now."""
    mixed = hashlib.sha256()
    for package in (croupier, simulator):
        folder = Path(str(package.__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            mixed.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return mixed.hexdigest()[:12]
