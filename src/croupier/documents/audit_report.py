"""The document of an audited log: what was checked, what was found, and how to repeat it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.audit.log.finding import KINDS, LogFinding, Total, counted, plain
from croupier.audit.log.log_audit import Audited
from croupier.audit.log.sequence_checks import Gap, SequenceChecker
from croupier.documents.as_played import as_played_blocks
from croupier.documents.blocks import (
    AnyBlock,
    CommandLine,
    Document,
    Fact,
    Facts,
    Grid,
    Heading,
    Imprint,
    Prose,
    Steps,
    StepText,
    long_date,
)
from croupier.facts.money import dollars
from croupier.rulebook.book import Rulebook

if TYPE_CHECKING:
    from croupier.audit.lab.verdict import Verdict
    from croupier.audit.log.statistics.as_played import PlayedDecisions
    from croupier.audit.log.statistics.trials import Group, PlayerResult, Statistics

GridRows = tuple[tuple[str, ...], ...]
MOST_PLAYERS = 20
CLEAN = (
    "Every round was derived again from its cards, wagers and decisions by the rules it was played "
    "by. Nothing differs from what the log says."
)
CHECKS = (
    "Every line is read by the published shapes of a round record; one that cannot be read is a "
    "finding, and the rest of the file is audited all the same.",
    "The terms of each round are those of the submission: paytables, payout limit, progressive, "
    "number of boxes and way of dealing.",
    "Wagers: each beside the ones it needs, of a size that may be, within the posted limits, and "
    'down before "no more bets". Decisions: each street asked once and in order, Play of the size '
    "its street allows. Times, where the log has them: each decision in its turn and before the "
    "card that is shown after it.",
    "Cards: each one once, and as many at each place as the rules deal there.",
    "Payments: every wager settled again by the rules; outcome, odds, clause, the amount to the "
    "cent and the stake; the order of settlement; awards against what stood on the meter; Envy to "
    "every box entitled to it and to no other; the payout limit on the wagers it covers.",
    "Sums: what each box wagered and won, its chips, what each wager put on each meter, and where "
    "each meter stood before and after, round after round.",
    "Void rounds: every wager given back, and nothing that was settled left standing.",
    "Duties, where the log says which deck was dealt from: the stub counted in time and rightly, "
    "and the deck changed in time.",
    "The sequence of rounds at each table: none twice, none before the one that it follows, none "
    "said to be in progress that was over; rounds missing by their numbers are told.",
)


class AuditImprint(Imprint, frozen=True, kw_only=True):
    """A report is dated by the day it was made; nobody approves it."""

    @property
    def standing(self) -> str:
        assert self.approved is not None
        return f"Audited {long_date(self.approved)}"


@dataclass(frozen=True)
class AuditReport:
    """Everything a report says; ``findings`` are the first of them where there are very many.

    ``submissions`` are files and their SHA-256, ``rules`` the hashes of the Rules they bind;
    ``made_at`` is told, never looked up.
    """

    file: str
    command: str
    version: str
    place: str
    game: str
    made_at: datetime.datetime
    audited: Audited
    watch: SequenceChecker
    books: Sequence[Rulebook]
    findings: Sequence[LogFinding]
    submissions: Sequence[tuple[str, str]] = ()
    rules: Sequence[str] = ()
    statistics: Statistics | None = None
    as_played: PlayedDecisions | None = None


def audit_report(report: AuditReport) -> Document:
    imprint = AuditImprint(
        title="Audit of a Log of Rounds",
        game=report.game or "No rounds",
        place=report.place,
        version=f"Croupier {report.version}",
        digest=_one(report.rules),
        submission=_one([digest for _, digest in report.submissions]),
        approved=report.made_at.date(),
    )
    blocks = (
        *_summary(report),
        *_found(report),
        *_activity(report),
        *(_statistics(report.statistics) if report.statistics is not None else ()),
        *(_as_played(report.as_played) if report.as_played is not None else ()),
        *_checked(),
        *_repeat(report),
    )
    return Document(imprint, blocks)


def _summary(report: AuditReport) -> Iterator[AnyBlock]:
    audited = report.audited
    yield Prose(_lead(report), tone="lead")
    yield Heading("What was audited")
    period = "No Activity"
    if audited.first_us:
        period = f"{_moment(audited.first_us)} to {_moment(audited.last_us)}"
    yield Facts(
        (
            Fact("Log", report.file),
            Fact("SHA-256 of the log", audited.sha256),
            Fact("Lines", f"{audited.lines:,}"),
            Fact("Rounds", f"{audited.rounds:,}", counted(report.watch.tables, "table")),
            *([Fact("Rounds missing", _missing(report.watch))] if report.watch.missing else []),
            Fact("Period", period),
            *(
                fact
                for name, digest in report.submissions
                for fact in (Fact("Submission", name), Fact("SHA-256 of it", digest))
            ),
            Fact("Report made", f"{report.made_at:%Y-%m-%d %H:%M:%S} UTC"),
        )
    )
    if not report.submissions:
        yield Prose(
            "No submission was given: rounds were judged by the submissions in the log itself, or "
            "by the terms they name.",
            tone="note",
        )
    if audited.unsaid:
        yield Prose(
            f"{counted(audited.unsaid, 'round')} did not say what was paid; of these only cards, "
            "wagers and decisions were checked.",
            tone="note",
        )


def _lead(report: AuditReport) -> str:
    """What a reader must know who reads one sentence only."""
    audited, failed = report.audited, 0
    if report.statistics is not None:
        failed = report.statistics.failed
    tests = f"{counted(failed, 'statistical test')} failed: see Statistics."
    if audited.findings:
        over = sum(total.over_cents for total in audited.totals.values())
        under = sum(total.under_cents for total in audited.totals.values())
        said = (
            f"{counted(audited.findings, 'difference')} found: {dollars(over)} paid too much and "
            f"{dollars(under)} paid too little."
        )
        return f"{said} {tests}" if failed else said
    if not audited.rounds:
        return "No Activity: the log holds no round."
    return f"{CLEAN} But {tests}" if failed else CLEAN


def _missing(watch: SequenceChecker) -> str:
    return f"{watch.missing:,} by their numbers: {gap_words(watch.gaps)}"


def gap_words(gaps: Iterable[Gap]) -> str:
    """The rounds that are missing at each table, by their numbers."""
    return "; ".join(f"table {plain(gap.table)}, {gap.numbers}" for gap in gaps)


# Findings


def _found(report: AuditReport) -> Iterator[AnyBlock]:
    yield Heading("What was found")
    totals = report.audited.totals
    if not totals:
        yield Prose("Nothing.")
        return
    yield Grid(
        ("Kind", "Found", "Paid too much", "Paid too little"),
        total_rows(totals),
        "lrrr",
        "By kind",
    )
    yield Grid(
        ("Line", "Round", "Box", "Wager", "What", "Paid", "Due", "Clause"),
        tuple(_finding_row(report, finding) for finding in report.findings),
        "rlrllrrl",
        "Each difference, in the order of the log",
        widths=(0, 0, 0, 4, 10, 0, 0, 5),
    )
    more = report.audited.findings - len(report.findings)
    if more > 0:
        yield Prose(f"And {counted(more, 'difference')} more, which --json lists.", tone="note")


def total_rows(totals: Mapping[str, Total]) -> GridRows:
    """By kind: how many differences, and the money that was paid too much and too little."""
    return tuple(
        (KINDS[kind], f"{total.count:,}", _amount(total.over_cents), _amount(total.under_cents))
        for kind, total in totals.items()
    )


def _amount(cents: int | None) -> str:
    """Nothing where no money is about it."""
    return dollars(cents) if cents else ""


def _finding_row(report: AuditReport, finding: LogFinding) -> tuple[str, ...]:
    where = str(finding.round or "")
    if finding.table and report.watch.tables > 1:
        where = f"{finding.table}/{where}"
    title = _title(report.books, finding.wager)
    has_money = finding.paid_cents is not None and finding.due_cents is not None
    return (
        str(finding.line),
        plain(where),
        str(finding.box or ""),
        plain(title),
        plain(finding.sentence.removeprefix(f"{title}: ")),
        dollars(finding.paid_cents or 0) if has_money else "",
        dollars(finding.due_cents or 0) if has_money else "",
        plain(finding.clause),
    )


def _title(books: Sequence[Rulebook], wager: str) -> str:
    known = (book.wager(wager).title for book in books if book.has_wager(wager))
    return next(known, wager.replace("_", " ").capitalize())


# Activity


def _activity(report: AuditReport) -> Iterator[AnyBlock]:
    yield Heading("Activity")
    if not report.audited.activity:
        yield Prose("No Activity.")
        return
    rows = (
        (
            book,
            f"{played.rounds:,}",
            f"{played.void:,}",
            f"{played.open:,}",
            f"{played.boxes:,}",
            dollars(played.wagered_cents),
            dollars(played.won_cents),
            f"{played.jackpots:,}: {dollars(played.jackpot_cents)}",
        )
        for book, played in report.audited.activity.items()
    )
    yield Grid(
        ("Rulebook", "Rounds", "Void", "Open", "Boxes", "Wagered", "Came back", "From meters"),
        tuple(rows),
        "lrrrrrrr",
    )
    yield Prose(
        "Wagered and came back are of rounds that were played to their end, stakes included. Hold "
        "is win on drop, and a log of rounds knows no drop.",
        tone="note",
    )


# Statistics


def _statistics(statistics: Statistics) -> Iterator[AnyBlock]:
    yield Heading("Statistics")
    if statistics.verdict is not None:
        yield from _verdict(statistics.verdict)
    for sentence in statistics.untested:
        yield Prose(f"Not tested: {sentence}.", tone="note")
    for group in statistics.groups:
        yield from _results(group)


def _verdict(verdict: Verdict) -> Iterator[AnyBlock]:
    fair = "fit" if verdict.passed else "do not fit"
    yield Prose(
        f"Cards and results {fair} what a fair deck gives, all tests judged together at "
        f"{verdict.confidence:.0%} confidence by Holm's rule, so that a fair log fails once in a "
        "hundred times at most. Hands and paytable lines are judged by exact binomial chances "
        "of how often each came. Boxes of one round share cards, so one box of each round is "
        "tested. The last column is what a log of this size would have found with 95% probability."
    )
    yield Grid(
        ("Test", "Size", "p", "p by Holm", "Verdict", "Would have found"),
        tuple(
            (
                line.name,
                f"{line.size:,}",
                f"{line.p:.4f}",
                f"{line.adjusted:.4f}",
                "passed" if line.passed else f"FAILED{f' ({line.seen})' if line.seen else ''}",
                line.finds,
            )
            for line in verdict.lines
        ),
        "lrrrll",
        widths=(3, 0, 0, 0, 0, 3),
    )


def _as_played(played: PlayedDecisions) -> Iterator[AnyBlock]:
    yield Heading("What players really do")
    yield from as_played_blocks(played.found(), played.passed_over, MOST_PLAYERS)


def _results(group: Group) -> Iterator[AnyBlock]:
    yield Heading(f"Results, {group.rulebook}", level=2)
    yield Grid(
        ("Wager", "Staked", "Table won", "Theoretical win"),
        result_rows(group),
        "lrrr",
        "Theoretical win is by exact value, the base game under the best play there is",
    )
    if group.skill is not None:
        yield Prose(f"Cost of skill: {group.skill.summary}.")
    yield Grid(
        ("Player", "Rounds", "Wagered", "Result", "Theoretical loss"),
        player_rows(group.players[:MOST_PLAYERS]),
        "lrrrr",
        "Players who wagered most",
    )


def result_rows(group: Group) -> GridRows:
    """By wager: what was staked, what the table won, and what it was to win in theory."""
    return tuple(
        (
            result.wager,
            dollars(result.staked_cents),
            dollars(result.table_won_cents),
            dollars(result.theoretical_cents),
        )
        for result in group.results
    )


def player_rows(players: Sequence[PlayerResult]) -> GridRows:
    """By player: rounds, what was wagered, the result, and what was to be lost in theory."""
    return tuple(
        (
            plain(player.player),
            f"{player.rounds:,}",
            dollars(player.wagered_cents),
            dollars(player.won_cents),
            dollars(player.theoretical_loss_cents),
        )
        for player in players
    )


# Method


def _checked() -> Iterator[AnyBlock]:
    yield Heading("What was checked")
    yield Steps(tuple(StepText(text) for text in CHECKS))


def _repeat(report: AuditReport) -> Iterator[AnyBlock]:
    yield Heading("How to repeat it")
    yield Prose(
        f"With Croupier {report.version} and files of these hashes, this command comes to the same "
        "findings on any machine:"
    )
    yield CommandLine(report.command)
    yield Prose(
        "Whatever the fast way cannot vouch for is judged by the readable rules, which make every "
        "finding; croupier audit LOG --self-test corrupts a clean log in every way that is looked "
        "for and tells which corruptions were found."
    )


def _one(digests: Sequence[str]) -> str:
    """A hash for the foot of a page, where there is only one."""
    return digests[0] if len(digests) == 1 else ""


def _moment(at_us: int) -> str:
    at = datetime.datetime.fromtimestamp(at_us / 1_000_000, datetime.UTC)
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"
