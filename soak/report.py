"""What a soak tells people: in a few lines, and as a chapter of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from soak.world import Report

HOUR_S = 3600
ANSWER = "answer: "


class Ran(NamedTuple):
    """How a soak was run, and on which code."""

    steps: int
    took_s: float
    when: str
    commit: str
    digest: str
    unchanged: bool
    """Whether the code is still what it was when the soak began."""


def told(report: Report) -> Iterator[str]:
    """One simulation, line by line."""
    how = "failed" if report.failure else "held"
    yield (
        f"seed {report.seed}: {how}; {report.steps:,} commands in {report.virtual_s / 60:,.0f} "
        f"virtual minutes on {report.hosts} host(s), {report.rounds:,} rounds, "
        f"{report.awards:,} awards, {report.lines:,} lines; trace {report.trace}"
    )
    for counts in (report.counts, report.checks):
        for kind, many in sorted(counts.items()):
            yield f"  {many:6,}  {kind}"


def replay(seed: int, steps: int) -> str:
    return f"python -m soak --seed {seed} --steps {steps}"


def chapter(reports: Iterable[Report], ran: Ran) -> Iterator[str]:
    """All simulations of a soak together."""
    runs = list(reports)
    counts, checks = Counter[str](), Counter[str]()
    for report in runs:
        counts.update(report.counts)
        checks.update(report.checks)
    failures = [report for report in runs if report.failure]
    yield (
        f"Begun {ran.when}; {ran.took_s / HOUR_S:.2f} hours on one core, "
        f"{ran.steps:,} commands a seed."
    )
    yield _version(ran)
    yield ""
    yield "| what | how much |"
    yield "|---|---:|"
    totals = {
        "seeds": len(runs),
        "first seed": runs[0].seed if runs else 0,
        "last seed": runs[-1].seed if runs else 0,
        "with one process, two, three": _by_hosts(runs),
        "virtual hours": round(sum(report.virtual_s for report in runs) / HOUR_S, 1),
        "commands given": sum(report.steps for report in runs),
        "lines written and proved": sum(report.lines for report in runs),
        "rounds played to their end": sum(report.rounds for report in runs),
        "boxes played by the default": sum(report.timed_out for report in runs),
        "awards from a meter": sum(report.awards for report in runs),
        "**failures**": len(failures),
    }
    for what, many in totals.items():
        plain = isinstance(many, str) or "t seed" in what
        yield f"| {what} | {many if plain else f'{many:,}'} |"
    wrong = {kind: many for kind, many in counts.items() if not kind.startswith(ANSWER)}
    answers = {kind: many for kind, many in counts.items() if kind.startswith(ANSWER)}
    yield from _table("What went wrong, on purpose", wrong)
    yield from _table("What was looked at", checks)
    yield from _table("What people were answered", answers)
    for report in failures:
        yield ""
        yield f"Seed {report.seed}, step {report.failed_at}: {report.failure}"
        yield f"Play it again: `{replay(report.seed, ran.steps)} --trace`"


def _version(ran: Ran) -> str:
    commit = f"commit {ran.commit}, " if ran.commit else ""
    changed = "" if ran.unchanged else " The code was changed while it ran."
    return f"The code: {commit}SHA-256 of all its files {ran.digest}.{changed}"


def _by_hosts(runs: list[Report]) -> str:
    hosts = Counter(report.hosts for report in runs)
    return ", ".join(str(hosts[n]) for n in (1, 2, 3))


def _table(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    yield ""
    yield f"| {title} | how often |"
    yield "|---|---:|"
    for kind, many in sorted(counts.items()):
        yield f"| {kind.removeprefix(ANSWER)} | {many:,} |"
