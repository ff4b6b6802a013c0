"""``croupier check``: what is wrong with a rules submission, with the clause and the line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from croupier.cli.book_choice import BookChoice
from croupier.cli.commands.solve import chosen_rules, solved
from croupier.cli.files import checked_submission
from croupier.cli.screen import Screen
from croupier.cli.terminal import TerminalSection, show
from croupier.cli.text.submission import submission_report
from croupier.documents.blocks import Prose
from croupier.exact.endings import Assumed
from croupier.exact.solution import Solution
from croupier.facts.errors import Unreadable
from croupier.facts.money import dollars
from croupier.games.registry import Registry
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import Wager
from croupier.submission.check import CheckedSubmission, shipped_text
from croupier.submission.finding import Finding, most_serious_first
from croupier.submission.submission import Submission

TONES = {"error": "fail", "warning": "caution"}


def check(
    submission: Path | None = None,
    /,
    *,
    new: str | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative="")] = False,
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
        findings = most_serious_first([*findings, *over_100(checked, checked.submission, registry)])
    if json_:
        print(json.dumps(check_document(submission, checked.submission, findings)))
    else:
        print_check(submission, checked.submission, findings, registry)
    if not checked.readable:
        return 2
    return 0 if checked.submission is not None else 1


def over_100(
    checked: CheckedSubmission, submission: Submission, registry: Registry
) -> Iterator[Finding]:
    """A warning for each wager that gives back more than is staked on it, with the figure."""
    book, letters = registry.book(submission.rulebook), dict(submission.paytables)
    chosen = [wager for wager in book.wagers if wager.optional and wager.name in letters]
    base = tuple(f"{w.name}={letters[w.name]}" for w in book.wagers if _is_base(w, letters))
    # The base game alone is solved, so that the answer is shared by all its submissions.
    solution = solved(chosen_rules(registry, BookChoice(book), base))
    for wager in chosen:
        key = ("paytables", wager.name)
        for returned, how in _returns(solution, submission, wager.name):
            if returned > 1:
                yield Finding(
                    "warning",
                    f"{wager.title} paytable {letters[wager.name]} returns "
                    f"{100 * float(returned):.2f}% of what players stake on it, {how}; choose "
                    f"{_another(wager)}, unless this is meant",
                    book.cite(book.paytables[wager.name][letters[wager.name]].clause),
                    checked.lines.of(key),
                    ".".join(key),
                )
                break


def _another(wager: Wager) -> str:
    if wager.judged_by == "progressive hand":
        return "another progressive.hand or paytable"
    return "another paytable"


def _is_base(wager: Wager, letters: dict[str, str]) -> bool:
    return not wager.optional and wager.name in letters


def _returns(
    solution: Solution, submission: Submission, wager: str
) -> Iterator[tuple[Fraction, str]]:
    """What one stake gets back on average, at the stakes and meters of the submission."""
    letters, offer = dict(submission.paytables), submission.progressive
    hand = offer.hand if offer is not None and wager == PROGRESSIVE else None
    side = solution.side(wager, letters[wager], hand)
    limit = submission.limit(wager)
    if limit is not None:
        side = replace(side, assumed=Assumed(limit.minimum_cents))
        yield 1 + side.ev, f"at the minimum of {dollars(limit.minimum_cents)}"
    elif offer is not None:
        meters = tuple((meter.name, meter.reset_cents) for meter in offer.meters)
        side = replace(side, assumed=Assumed(offer.stake_cents, meters))
        how = f"with the meters at their resets{f' and hand = {hand!r}' if hand else ''}"
        yield 1 + side.ev, how
        others, envy = submission.boxes - 1, _envy(solution, submission)
        yield 1 + side.ev + others * envy, f"{how}, and Envy from {others} other boxes"


def _envy(solution: Solution, submission: Submission) -> Fraction:
    """What Envy adds to one Progressive wager for each other box."""
    offer, letter = submission.progressive, dict(submission.paytables).get(ENVY)
    return next(
        (
            envy.ev_each_box
            for envy in solution.envy
            if offer is not None
            and envy.paytable == letter
            and envy.assumed.stake_cents == offer.stake_cents
            and envy.reading in (None, offer.hand)
        ),
        Fraction(0),
    )


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
        "findings": [asdict(found) for found in findings],
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
