"""``croupier check``: what is wrong with a rules submission, with the clause and the line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from croupier.cli.commands.solve import solved
from croupier.cli.files import checked_submission
from croupier.cli.output_formats import AsJson, print_json
from croupier.cli.screen import Screen
from croupier.cli.terminal import TerminalSection, show
from croupier.cli.text.submission import submission_report
from croupier.documents.blocks import Prose
from croupier.documents.returns import base_rules, over_100
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.submission.check import CheckedSubmission, shipped_text
from croupier.submission.finding import Finding, findings_json, most_serious_first
from croupier.submission.submission import Submission

TONES = {"error": "fail", "warning": "caution"}


def check(
    submission: Path | None = None,
    /,
    *,
    new: str | None = None,
    json_: AsJson = False,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Check a rules submission and list everything found.

    The most serious comes first, each with its clause and line. The exit status is 0 for a valid
    submission, also one with warnings, and 1 where there are errors. The keys of a submission are
    told in docs/submission.md.

    For example:

        croupier check --new UTH-S > table-12.toml

        croupier check table-12.toml

        croupier check table-12.toml --json

    Parameters
    ----------
    submission
        The submission: what the operator chose for one table, in TOML.
    new
        Print a ready submission for this rulebook instead, to begin yours with.
    json_
        Print one JSON document.
    """
    if new is not None and submission is None:
        print(shipped_text(registry.book(new).id), end="")
        return 0
    if submission is None or new is not None:
        raise Unreadable("name a submission to check, or say --new RULEBOOK for one to begin with")
    checked = checked_submission(submission, registry)
    findings = checked.findings
    if checked.submission is not None:
        more = returns_found(checked, checked.submission, registry)
        findings = most_serious_first([*findings, *more])
    if json_:
        print_json(check_document(submission, checked.submission, findings))
    else:
        print_check(submission, checked.submission, findings, registry)
    if not checked.readable:
        return 2
    return 0 if checked.submission is not None else 1


def returns_found(
    checked: CheckedSubmission, submission: Submission, registry: Registry
) -> Iterator[Finding]:
    """The findings for which the game is solved."""
    book = registry.book(submission.rulebook)
    solution = solved(base_rules(registry, book, dict(submission.paytables)))
    yield from over_100(checked, submission, registry, solution)


def check_document(
    path: Path, submission: Submission | None, findings: tuple[Finding, ...]
) -> dict[str, Any]:
    said: dict[str, Any] | None = None
    if submission is not None:
        said = msgspec.to_builtins(submission)
        said |= {name: dict(said[name]) for name in ("paytables", "limits")}
    return {
        "file": str(path),
        "valid": submission is not None,
        "findings": findings_json(findings),
        "submission": said,
    }


def print_check(
    path: Path, submission: Submission | None, findings: tuple[Finding, ...], registry: Registry
) -> None:
    sections: Iterator[TerminalSection] = iter(())
    if submission is not None:
        sections = submission_report(submission, registry)
    show((*sections, _verdict(path, submission, findings)), Screen())


def _verdict(
    path: Path, submission: Submission | None, findings: tuple[Finding, ...]
) -> Iterator[Prose]:
    for found in findings:
        yield Prose(str(found), head=f"{found.severity:8}", tone=TONES[found.severity])
    errors = sum(found.severity == "error" for found in findings)
    warnings = len(findings) - errors
    verdict = "is valid" if submission is not None else f"has {_count(errors, 'error')}"
    also = f", with {_count(warnings, 'warning')}" if warnings else ""
    yield Prose(f"{path} {verdict}{also}", tone="lead")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
