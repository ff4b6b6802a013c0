"""Which submission a round was played under: one that was given, the log's own, or its terms."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

import msgspec

from croupier.audit.log.case import RoundCase
from croupier.audit.log.finding import LogFinding
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import rules_of, terms_of_rules
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.games.rules import Rules
from croupier.submission.check import check
from croupier.submission.submission import Submission

MOST_KEPT = 10_000


class SubmissionLookup:
    """Finds the Rules of each round; a table that nobody filed anything for is told once."""

    def __init__(self, registry: Registry, given: Sequence[Submission] = ()) -> None:
        self.registry, self.given = registry, tuple(given)
        self._of_table: dict[tuple[str, str], tuple[Submission | None, bool]] = {}
        self._rules: dict[tuple[str, bytes], Rules] = {}
        self._bound: dict[Submission, tuple[Rules, rec.TermsRecord]] = {}
        self._told: set[tuple[str, str]] = set()

    def install(self, line: int, record: rec.TableRecord) -> Iterator[LogFinding]:
        """What a table's line says of itself."""
        submission, wrong = None, ""
        if hashlib.sha256(record.submission.encode()).hexdigest() != record.submission_hash:
            wrong = "the submission is not the one its hash was made of"
        try:
            submission = check(record.submission, self.registry).submission
            if submission is None:
                wrong = "its submission has errors; croupier check lists them"
        except Unreadable as error:
            wrong = f"its submission cannot be read: {error}"
        if wrong:
            yield LogFinding(line=line, kind="terms", sentence=wrong, table=record.table)
        _make_room(self._of_table)
        linked = record.link not in ("", record.table)
        self._of_table[record.ledger, record.table] = submission, linked

    def submission_of(self, record: rec.RoundRecord) -> Submission | None:
        own = self._of_table.get((record.ledger, record.table), (None, False))[0]
        if not self.given:
            return own if own is not None and own.rulebook == record.rulebook else None
        fitting = [said for said in self.given if said.rulebook == record.rulebook]
        named = [said for said in fitting if said.table == record.table]
        played = [said for said in fitting if self.bound(said)[1] == record.terms]
        return next(iter((*named, *played, *fitting)), None)

    def case(self, line: int, record: rec.RoundRecord) -> RoundCase:
        """The round under the Rules it must have been played by; Unreadable, Refusal if none."""
        submission = self.submission_of(record)
        rules = self._rules_of(record) if submission is None else self.bound(submission)[0]
        linked = self._of_table.get((record.ledger, record.table), (None, False))[1]
        return RoundCase(line, record, rules, submission, linked)

    def found(self, case: RoundCase) -> Iterator[LogFinding]:
        """Whether a round says it was played by what was filed."""
        record, submission = case.record, case.submission
        if submission is None:
            table = record.table, record.rulebook
            if self.given and table not in self._told and len(self._told) < MOST_KEPT:
                self._told.add(table)
                sentence = f"no submission that was given is for {record.rulebook}"
                yield case.finding("terms", sentence)
            return
        due = self.bound(submission)[1]
        for name, said, filed in _differing(record.terms, due, case.title):
            sentence = f"played with {name} {said}; the submission says {filed}"
            yield case.finding("terms", sentence, case.book.refusals.no_such_option)
        if not 1 <= max((box.seat for box in record.boxes), default=1) <= submission.boxes:
            sentence = f"the table has boxes 1 to {submission.boxes}"
            yield case.finding("seats", sentence, case.book.refusals.seats)
        ways = (submission.dealing.method, *submission.dealing.fallbacks)
        if record.way and record.way not in ways:
            sentence = (
                f"the cards were dealt by {record.way}; the submission says {', '.join(ways)}"
            )
            yield case.finding("terms", sentence, case.book.refusals.no_such_option)

    def bound(self, submission: Submission) -> tuple[Rules, rec.TermsRecord]:
        if submission not in self._bound:
            rules = submission.rules(self.registry)
            self._bound[submission] = rules, terms_of_rules(rules)
        return self._bound[submission]

    def rules(self) -> set[Rules]:
        """All that rounds were judged by."""
        return {*self._rules.values(), *(rules for rules, _ in self._bound.values())}

    def _rules_of(self, record: rec.RoundRecord) -> Rules:
        key = record.rulebook, msgspec.json.encode(record.terms)
        if key not in self._rules:
            _make_room(self._rules)
            self._rules[key] = rules_of(record, self.registry)
        return self._rules[key]


def _make_room(kept: dict) -> None:  # type: ignore[type-arg]
    """The oldest goes, so that a log of any number of tables is read in the same room."""
    while len(kept) >= MOST_KEPT:
        del kept[next(iter(kept))]


def _differing(
    told: rec.TermsRecord, due: rec.TermsRecord, title: Callable[[str], str]
) -> Iterator[tuple[str, str, str]]:
    """What is not as it was filed: a paytable by its wager, the rest by its name."""
    for wager in sorted({*told.paytables, *due.paytables}):
        letters = told.paytables.get(wager, "none"), due.paytables.get(wager, "none")
        if letters[0] != letters[1]:
            yield f"{title(wager)} paytable", *letters
    for name in ("payout_limit_cents", "progressive"):
        if getattr(told, name) != getattr(due, name):
            yield name, _said(getattr(told, name)), _said(getattr(due, name))


def _said(value: object) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()[:200]
