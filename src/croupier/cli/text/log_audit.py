"""Report of an audited log, streamed to a terminal or as one JSON document."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from croupier.audit.log.finding import KINDS, LogFinding, counted, plain
from croupier.audit.log.log_audit import LogAudit
from croupier.cli.ledger_address import iso, when
from croupier.cli.screen import Screen
from croupier.cli.terminal import show, show_block
from croupier.documents.as_played import as_played_blocks, as_played_document
from croupier.documents.audit_report import gap_words, player_rows, result_rows, total_rows
from croupier.documents.blocks import AnyBlock, Fact, Facts, Grid, Heading, Prose
from croupier.facts.money import dollars

if TYPE_CHECKING:
    from croupier.audit.log.screening import LogScreening
    from croupier.audit.log.statistics.as_played import PlayedDecisions
    from croupier.audit.log.statistics.trials import Group, RoundCounter, Statistics

MOST_PLAYERS = 5
CLEAN = "Everything is as it must be."
UNSAID = "Everything that is said is as it must be."
NO_ACTIVITY = "No Activity: there is no round in this log."


class RunningAudit(NamedTuple):
    """An audit under way: ``found`` are its differences as they come."""

    path: Path
    names: tuple[str, ...]
    audit: LogAudit
    found: Iterator[LogFinding]
    counting: RoundCounter | None
    screening: LogScreening | None
    played: PlayedDecisions | None
    doing: Callable[[str, float], None] = lambda what, done: None

    def statistics(self) -> Statistics | None:
        return self.counting.judged(self.doing) if self.counting is not None else None


class PersistentScreen(Screen):
    """A reader who went away ends no audit: its report is still made, and its exit status told."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        _drop_output()


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def end_quietly() -> None:
    """Flush standard output; a closed pipe is no error."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()


# Terminal


def print_log_audit(heard: RunningAudit) -> Statistics | None:
    console = PersistentScreen()
    for finding in heard.found:
        kind = f"{KINDS[finding.kind]:32}"
        show_block(Prose(str(finding), head=kind, tone="fail"), console)
    audited = heard.audit.audited
    show_block(Heading(f"{plain(str(heard.path))}, SHA-256 {audited.sha256}"), console)
    show_block(Facts(tuple(_facts(heard))), console)
    statistics = heard.statistics()
    rest: list[AnyBlock] = list(_statistics(statistics)) if statistics is not None else []
    if heard.screening is not None:
        rest += _screening(heard.screening)
    rest += as_played_rows(heard.played)
    if audited.totals:
        names = ("", "found", "paid too much", "paid too little")
        rest.append(Grid(names, total_rows(audited.totals), "lrrr"))
    show([[*rest, _verdict(heard.audit, statistics)]], console)
    return statistics


def _facts(heard: RunningAudit) -> Iterator[Fact]:
    audited, watch = heard.audit.audited, heard.audit.watch
    at = f" at {counted(watch.tables, 'table')}" if watch.tables else ""
    yield Fact("lines", f"{audited.lines:,}; {counted(audited.rounds, 'round')}{at}")
    if audited.first_us:
        yield Fact("played", f"{when(audited.first_us)} to {when(audited.last_us)}")
    rules = plain(", ".join(heard.names)) or "the submissions and terms in the log itself"
    yield Fact("rules", rules)
    for book, played in audited.activity.items():
        void = f", {played.void:,} void" if played.void else ""
        still = f", {played.open:,} in progress" if played.open else ""
        money = (
            f"wagered {dollars(played.wagered_cents)}, given back and won "
            f"{dollars(played.won_cents)}"
        )
        yield Fact(book, f"{counted(played.rounds, 'round')}{void}{still}; {money}")
    if watch.missing:
        gaps = gap_words(watch.gaps)
        yield Fact("missing", f"{counted(watch.missing, 'round')} by their numbers: {gaps}")
    if audited.unsaid:
        yield Fact("not said", f"{counted(audited.unsaid, 'round')} without what was paid")


def _statistics(statistics: Statistics) -> Iterator[AnyBlock]:
    if statistics.verdict is not None:
        yield Heading("Tests, judged together at 99% confidence")
        for line in statistics.verdict.lines:
            test = f"  {line.name:40}p {line.p:6.4f}, by Holm {line.adjusted:6.4f}  "
            seen = f" ({line.seen})" if not line.passed and line.seen else ""
            ended = f"{'passed' if line.passed else 'FAILED'}{seen}"
            shows = f"{ended}; this log would have shown {line.finds}"
            yield Prose(shows, head=test, tone="plain" if line.passed else "fail")
    for sentence in statistics.untested:
        yield Prose(f"  not tested: {sentence}", tone="note")
    for group in statistics.groups:
        yield from _results(group)


def _results(group: Group) -> Iterator[AnyBlock]:
    """Players who wagered most are listed; a report lists more of them, and --json all."""
    yield Grid(
        ("", "staked", "table won", "theoretical win"),
        result_rows(group),
        "lrrr",
        f"Results of {counted(group.rounds, 'round')}, {group.rulebook}",
    )
    players = tuple(
        (name[:24], *money) for name, _, *money in player_rows(group.players[:MOST_PLAYERS])
    )
    yield Grid(("players", "wagered", "result", "theoretical loss"), players, "lrrr")
    more = len(group.players) - MOST_PLAYERS
    if more > 0:
        yield Prose(f"and {counted(more, 'player')} more", tone="note")
    if group.skill is not None:
        yield Prose(f"cost of skill: {group.skill.summary}")


def _screening(screening: LogScreening) -> Iterator[AnyBlock]:
    """The highest scores; --json has all of them."""
    from croupier.protection.screening import SHOWN, needed, says_of

    found = screening.found()
    yield Heading("Screening for cards known too early")
    rows = tuple(
        (
            plain(one.player)[:24],
            says_of(one.knows),
            f"{one.decisions:,}",
            f"{one.score:,.1f}",
            "watch the recording" if one.watch else "",
        )
        for one in found[:SHOWN]
    )
    yield Grid(("player", "as if knowing", "decisions", "score", ""), rows, "llrrl")
    yield Prose(
        f"A score of {needed(len(found)):,.0f} or more is a reason to watch the recording, and no "
        f"more than that: if every player decides by what may be seen, however well, at most one "
        f"log in a hundred has such a score at all among its {len(found):,}.",
        tone="note",
    )
    for one in found:
        if one.watch:
            where = "; ".join(map(plain, one.telling))
            yield Prose(f"begin with {where}", head=f"{plain(one.player)}: ", tone="caution")
    for game, sentence in screening.passed_over.items():
        yield Prose(f"{game} is not screened: {sentence}", tone="note")


def as_played_rows(played: PlayedDecisions | None) -> Iterator[AnyBlock]:
    """What was asked for of it; players who staked most are listed, and --json has all."""
    if played is not None:
        yield from as_played_blocks(played.found(), played.passed_over, MOST_PLAYERS)


def as_played_part(played: PlayedDecisions | None) -> dict[str, Any]:
    if played is None:
        return {}
    return {"as_played": as_played_document(played.found(), played.passed_over)}


def _verdict(audit: LogAudit, statistics: Statistics | None) -> Prose:
    """The last line: whatever is wrong is in it."""
    count = audit.audited.findings
    failed = statistics.failed if statistics is not None else 0
    if not audit.audited.rounds and not count:
        return Prose(NO_ACTIVITY, tone="lead")
    if not count and not failed:
        return Prose(UNSAID if audit.audited.unsaid else CLEAN, tone="pass")
    tests = f"{counted(failed, 'statistical test')} failed"
    if not count:
        return Prose(f"Every round is as it must be, but {tests}.", tone="fail")
    return Prose(f"{counted(count, 'difference')}{f'; {tests}' if failed else ''}", tone="fail")


# JSON


def print_log_audit_json(heard: RunningAudit) -> Statistics | None:
    """One document, written as the findings come, so that any number of them takes no room."""
    _write(f'{{"file": {json.dumps(str(heard.path))}, "findings": [')
    for number, finding in enumerate(heard.found):
        _write(f"{', ' if number else ''}{msgspec.json.encode(finding).decode()}")
    statistics = heard.statistics()
    tested = {"statistics": msgspec.to_builtins(statistics)} if statistics is not None else {}
    screened = {"screening": _screening_document(heard.screening)} if heard.screening else {}
    played = as_played_part(heard.played)
    rest = json.dumps({**_totals(heard, statistics), **tested, **screened, **played})
    _write(f"], {rest[1:]}\n")
    return statistics


def _screening_document(screening: LogScreening) -> dict[str, Any]:
    from croupier.protection.screening import FALSE_ALARMS, needed

    found = screening.found()
    return {
        "false_alarms": FALSE_ALARMS,
        "needed": needed(len(found)),
        "scores": [dataclasses.asdict(one) for one in found],
        "not_screened": screening.passed_over,
    }


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        _drop_output()


def _totals(heard: RunningAudit, statistics: Statistics | None) -> dict[str, Any]:
    audit, audited = heard.audit, heard.audit.audited
    return {
        "sha256": audited.sha256,
        "submissions": list(heard.names),
        "clean": not audited.findings,
        "fair": statistics.passed if statistics is not None else None,
        "lines": audited.lines,
        "rounds": audited.rounds,
        "rounds_missing": audit.watch.missing,
        "tables": audit.watch.tables,
        "first": iso(audited.first_us),
        "last": iso(audited.last_us),
        "rounds_that_say_no_payments": audited.unsaid,
        "activity": {book: msgspec.to_builtins(a) for book, a in audited.activity.items()},
        "totals": {kind: msgspec.to_builtins(total) for kind, total in audited.totals.items()},
    }
