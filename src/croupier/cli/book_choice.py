"""The book chooser: which rulebook, submission or strategy the words of a command line name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from croupier.cli.files import FILE, submission_in, text_of
from croupier.facts.errors import Unreadable
from croupier.facts.names import known_name
from croupier.games.registry import Registry
from croupier.rulebook.book import Rulebook
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Submission


class BookChoice(NamedTuple):
    """A rulebook, and the submission it was chosen by, where a file was named."""

    book: Rulebook
    filed: Submission | None = None

    @property
    def submission(self) -> Submission:
        """The submission that was named, or the shipped one of the rulebook."""
        return self.filed if self.filed is not None else shipped_submission(self.book.id)


def chosen_book(
    registry: Registry, game: str | None, rulebook: str | None, submission: Path | None
) -> BookChoice:
    """The rulebook named, or that of the submission, or the newest of the game."""
    books = registry.books_of(game) if game is not None else list(registry.books.values())
    filed = submission_in(submission, registry) if submission is not None else None
    wanted = rulebook or (filed.rulebook if filed is not None else None)
    book = registry.book(wanted) if wanted is not None else registry.newest(game)
    if filed is not None and filed.rulebook != book.id:
        raise Unreadable(f"the submission is for {filed.rulebook}; leave --rulebook {book.id} out")
    if book not in books:
        known = ", ".join(known.id for known in books)
        raise Unreadable(f"{book.id} is not a rulebook of {game}; choose {known}")
    return BookChoice(book, filed)


def named_submission(name: str, registry: Registry) -> Submission:
    """The shipped submission of a rulebook by its id, or a submission by its file."""
    if name in registry.books:
        return shipped_submission(name)
    _refuse_unknown(name, registry.books, "rulebook")
    return submission_in(Path(name), registry)


def named_strategy(name: str, shipped: Mapping[str, str], *others: str) -> str:
    """The text of a shipped strategy by its name, or of a strategy file by its path."""
    if name in shipped:
        return shipped[name]
    _refuse_unknown(name, (*others, *shipped), "strategy")
    try:
        return text_of(Path(name))
    except Unreadable as error:
        raise Unreadable(f"{name}: {error}") from None


def _refuse_unknown(name: str, known: Mapping[str, object] | tuple[str, ...], what: str) -> None:
    """What is neither a file nor looks like one is a name that nobody knows."""
    if not Path(name).suffix and not Path(name).exists():
        known_name(name, (*known, FILE), what)
