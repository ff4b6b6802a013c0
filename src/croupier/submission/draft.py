"""A submission as far as it could be read, beside the rulebook it names: what the checks look at.

A value that is not there, or could not be read, is None; whoever wrote it has already been told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from croupier.facts.money import Cents
from croupier.facts.toml_lines import Path, TomlLines
from croupier.games.registry import Registry
from croupier.rulebook.book import Paytable, Rulebook, Wager, WayOfDealing
from croupier.submission.finding import Finding, Severity
from croupier.submission.keys import Read, names_under, shown

T = TypeVar("T")
SubmissionCheck = Callable[["SubmissionDraft"], Iterator[Finding]]


@dataclass(frozen=True)
class SubmissionDraft:
    """``read`` by ``book``; a clause given here is one of the book's own, unless it names it."""

    read: Read
    lines: TomlLines
    registry: Registry
    book: Rulebook

    def error(self, path: Path, sentence: str, clause: str | None = None) -> Finding:
        return self._finding("error", path, sentence, clause)

    def warning(self, path: Path, sentence: str, clause: str | None = None) -> Finding:
        return self._finding("warning", path, sentence, clause)

    def _finding(
        self, severity: Severity, path: Path, sentence: str, clause: str | None
    ) -> Finding:
        cited = clause if clause is None or " " in clause else self.book.cite(clause)
        return Finding(severity, sentence, cited, self.lines.of(path), shown(path))

    def amount(self, *path: str) -> Cents | None:
        found = self._value(path, int)
        return None if found is None else Cents(found)

    def count(self, *path: str) -> int | None:
        return self._value(path, int)

    def text(self, *path: str) -> str | None:
        return self._value(path, str)

    def texts(self, *path: str) -> tuple[str, ...]:
        return self._value(path, tuple) or ()

    def flag(self, *path: str) -> bool:
        return bool(self._value(path, bool))

    def has(self, device: str) -> bool:
        """Whether a device is there; one whose line cannot be read may be."""
        path = ("devices", device)
        return self.flag(*path) or path in self.read.broken

    def _value(self, path: Path, kind: type[T]) -> T | None:
        value = self.read.values.get(path)
        return value if isinstance(value, kind) else None

    def writes(self, *path: str) -> bool:
        return path in self.read.written

    def lacks(self, *path: str) -> bool:
        return self.read.is_missing(path)

    def names(self, *table: str) -> tuple[str, ...]:
        return names_under(self.read, *table)

    def offers(self, wager: Wager) -> bool:
        """Optional wagers are offered by choosing a paytable for them; the others always are."""
        return not wager.optional or self.writes("paytables", wager.name)

    def offered(self) -> list[Wager]:
        return [wager for wager in self.book.wagers if self.offers(wager)]

    def paytable(self, wager: str) -> Paytable | None:
        """The chosen paytable, where the letter is one of the book's."""
        letter = self.text("paytables", wager)
        return self.book.paytables.get(wager, {}).get(letter or "")

    def minimum(self, wager: Wager) -> Cents | None:
        return self.amount("limits", wager.equals or wager.name, "minimum")

    def way(self, name: str) -> WayOfDealing | None:
        return next((way for way in self.book.dealing if way.way == name), None)

    def elsewhere(self, has: Callable[[Rulebook], str | None]) -> str | None:
        """Where another rulebook provides for what this one does not, cited in full."""
        for book in self.registry.books.values():
            if (clause := has(book)) is not None:
                return book.cite(clause)
        return None


def either(words: Mapping[str, object] | tuple[str, ...] | list[str]) -> str:
    """``A``, ``A or B``, ``A, B or C``."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
