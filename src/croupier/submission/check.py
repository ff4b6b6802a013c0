"""Check a submission: every finding at once, and the submission itself where there is no error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.facts.toml_lines import TomlLines
from croupier.facts.toml_text import NotToml, read_toml
from croupier.games.registry import Registry, the_registry
from croupier.submission import (
    check_dealing,
    check_limits,
    check_progressive,
    check_table,
    check_wagers,
)
from croupier.submission.draft import SubmissionDraft
from croupier.submission.finding import Finding, most_serious_first
from croupier.submission.keys import Read, missing_keys, read_document, with_clauses
from croupier.submission.submission import Submission, built

CHECKS = (
    *check_table.CHECKS,
    *check_wagers.CHECKS,
    *check_limits.CHECKS,
    *check_progressive.CHECKS,
    *check_dealing.CHECKS,
)
RULEBOOK = ("table", "rulebook")


@dataclass(frozen=True)
class CheckedSubmission:
    """What a check finds; ``readable`` is False where the text is no TOML at all."""

    submission: Submission | None
    findings: tuple[Finding, ...]
    readable: bool = True
    lines: TomlLines = field(default_factory=lambda: TomlLines(""), compare=False, repr=False)

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(found for found in self.findings if found.severity == "error")


def check(text: str, registry: Registry) -> CheckedSubmission:
    """Everything that is wrong with a submission or worth a second look; it never raises."""
    try:
        document = read_toml(text)
    except NotToml as error:
        return CheckedSubmission(
            None, (Finding("error", str(error), line=error.line),), readable=False
        )
    lines = TomlLines(text)
    read = read_document(document, lines)
    book = registry.books.get(str(read.values.get(RULEBOOK)))
    findings = [*with_clauses(read, book), *missing_keys(read, lines, book)]
    if book is None:
        findings += _unknown_rulebook(read, lines, registry)
        return CheckedSubmission(None, most_serious_first(findings), lines=lines)
    draft = SubmissionDraft(read, lines, registry, book)
    for ask in CHECKS:
        findings += ask(draft)
    if any(found.severity == "error" for found in findings):
        return CheckedSubmission(None, most_serious_first(findings), lines=lines)
    return _bound(built(draft), registry, most_serious_first(findings), lines)


def _bound(
    submission: Submission, registry: Registry, findings: tuple[Finding, ...], lines: TomlLines
) -> CheckedSubmission:
    """The last question goes to the Rules themselves, which refuse what they cannot bind."""
    try:
        submission.rules(registry)
    except Refusal as refusal:
        error = Finding("error", refusal.sentence, refusal.clause)
        return CheckedSubmission(None, (error, *findings), lines=lines)
    return CheckedSubmission(submission, findings, lines=lines)


def _unknown_rulebook(read: Read, lines: TomlLines, registry: Registry) -> Iterator[Finding]:
    named = read.values.get(RULEBOOK)
    if named is not None:
        known, fault = ", ".join(registry.books), registry.faults.get(str(named))
        missing = f"there is no rulebook {quoted(named)}; choose one of {known}"
        yield Finding(
            "error",
            f"{missing if fault is None else fault.why} (until then nothing can be checked "
            "against its rules)",
            line=lines.of(RULEBOOK),
            key=".".join(RULEBOOK),
        )


@cache
def shipped_submission(book_id: str) -> Submission:
    """The ready submission for a rulebook: what is played where nobody chose otherwise."""
    checked = check(shipped_text(book_id), the_registry())
    assert checked.submission is not None, checked.findings
    return checked.submission


def shipped_text(book_id: str) -> str:
    """The file of a shipped submission, as an operator would write it."""
    path = files("croupier.submission") / "shipped" / f"{book_id}.toml"
    book = the_registry().books.get(book_id)
    if book is not None and book.comes_with.submission:
        return book.comes_with.submission.lstrip()
    if book is None or not path.is_file():
        raise Unreadable(f"no submission is shipped for {quoted(book_id)}; write one and name it")
    return path.read_text("utf-8")
