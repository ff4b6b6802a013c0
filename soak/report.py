"""What a soak tells people: in a few lines, and as a chapter of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from soak.world import Report

HOUR_S = 3600


def told(report: Report) -> Iterator[str]:
    """One simulation, line by line."""
    how = "failed" if report.failure else "held"
    yield (
        f"seed {report.seed}: {how}; {report.steps:,} commands in {report.virtual_s / 60:,.0f} "
        f"virtual minutes on {report.hosts} host(s), {report.rounds:,} rounds, "
        f"{report.awards:,} awards, {report.lines:,} lines; trace {report.trace}"
    )
    for kind, many in sorted(report.counts.items()):
        yield f"  {many:6,}  {kind}"


def replay(seed: int, steps: int) -> str:
    return f"python -m soak --seed {seed} --steps {steps}"


def chapter(reports: Iterable[Report], steps: int, took_s: float, when: str) -> Iterator[str]:
    """All simulations of a soak together."""
    runs = list(reports)
    counts: Counter[str] = Counter()
    for report in runs:
        counts.update(report.counts)
    failures = [report for report in runs if report.failure]
    yield f"Begun {when}; {took_s / HOUR_S:.2f} hours on one core, {steps:,} commands a seed."
    yield ""
    yield "| what | how much |"
    yield "|---|---:|"
    totals = {
        "seeds": len(runs),
        "first seed": runs[0].seed if runs else 0,
        "last seed": runs[-1].seed if runs else 0,
        "virtual hours": round(sum(report.virtual_s for report in runs) / HOUR_S, 1),
        "commands given": sum(report.steps for report in runs),
        "lines written and proved": sum(report.lines for report in runs),
        "rounds played to their end": sum(report.rounds for report in runs),
        "boxes played by the default": sum(report.timed_out for report in runs),
        "awards from a meter": sum(report.awards for report in runs),
        "**failures**": len(failures),
    }
    for what, many in totals.items():
        yield f"| {what} | {many if 'seed' in what and what != 'seeds' else f'{many:,}'} |"
    yield from _table("What went wrong, on purpose", counts, answers=False)
    yield from _table("What people were answered", counts, answers=True)
    for report in failures:
        yield ""
        yield f"Seed {report.seed}, step {report.failed_at}: {report.failure}"
        yield f"Play it again: `{replay(report.seed, steps)} --trace`"


def _table(title: str, counts: Counter[str], *, answers: bool) -> Iterator[str]:
    yield ""
    yield f"| {title} | how often |"
    yield "|---|---:|"
    for kind, many in sorted(counts.items()):
        if kind.startswith("answer: ") == answers:
            yield f"| {kind.removeprefix('answer: ')} | {many:,} |"
