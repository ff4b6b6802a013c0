"""A submission with everything the documents ask of it, bound once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.documents.blocks import Imprint
from croupier.games.registry import Registry
from croupier.games.rules import Rules
from croupier.rulebook.book import Paytable, Rulebook, Wager
from croupier.submission.finding import Finding
from croupier.submission.fingerprint import rules_hash, submission_hash
from croupier.submission.submission import Submission


@dataclass(frozen=True)
class Filing:
    """``findings`` are what the check had to say; there is no error among them."""

    submission: Submission
    rules: Rules
    findings: tuple[Finding, ...] = ()

    @property
    def book(self) -> Rulebook:
        return self.rules.book

    @property
    def place(self) -> str:
        return f"{self.submission.facility}, table {self.submission.table}"

    def imprint(self, title: str) -> Imprint:
        return Imprint(
            title=title,
            game=f"{self.book.title} ({self.book.id})",
            place=self.place,
            version=self.submission.version or "not numbered",
            digest=rules_hash(self.rules),
            submission=submission_hash(self.submission),
            approved=self.submission.approved,
        )

    def offered(self) -> tuple[Wager, ...]:
        """Every wager of the table, in the order of settlement."""
        return tuple(wager for wager in self.book.wagers if self.rules.offers(wager.name))

    def paytables(self) -> Iterator[tuple[Wager, str, Paytable]]:
        """The paytables that pay at this table, with their letters."""
        letters = dict(self.rules.letters)
        for wager in self.offered():
            table = self.rules.paytable(wager.name)
            if table is not None:
                yield wager, letters.get(wager.name, ""), table


def filing_of(
    submission: Submission, registry: Registry, findings: tuple[Finding, ...] = ()
) -> Filing:
    return Filing(submission, submission.rules(registry), findings)
