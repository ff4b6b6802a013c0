"""The book chooser: which rulebook, submission or strategy the words of a command line name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

from cyclopts import Parameter

from croupier.cli.files import FILE, submission_in, text_of
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.names import known_name
from croupier.games.registry import Registry
from croupier.games.variants import book_over, chosen_variations, varied
from croupier.rulebook.book import Rulebook
from croupier.rulebook.volume import Volume
from croupier.submission.check import shipped_submission
from croupier.submission.submission import Submission


@dataclass(frozen=True)
class Variant:
    """What is played otherwise than the rulebook says.

    Parameters
    ----------
    vary
        KEY=VALUE says one rule otherwise, like tie=lose; croupier rules --variants lists the keys.
    book
        A file with a base, the shipped rulebook it is laid over, and only what differs from it.
    """

    vary: tuple[str, ...] = ()
    book: Path | None = None


AS_PRINTED = Variant()
VariantOption = Annotated[Variant, Parameter(name="*")]


class BookChoice(NamedTuple):
    """A rulebook, and the submission it was chosen by, where a file was named."""

    book: Rulebook
    filed: Submission | None = None

    @property
    def submission(self) -> Submission:
        """The submission that was named, or the shipped one of the rulebook."""
        return self.filed if self.filed is not None else shipped_submission(self.book.shelf_id)


def chosen_book(
    registry: Registry,
    game: str | None,
    rulebook: str | None,
    submission: Path | None,
    variant: Variant = AS_PRINTED,
) -> BookChoice:
    """The rulebook named, or that of the submission, or the newest of the game; and its variant."""
    books = registry.books_of(game) if game is not None else list(registry.books.values())
    filed = submission_in(submission, registry) if submission is not None else None
    over = _own_book(registry, variant.book) if variant.book is not None else None
    wanted = rulebook or (filed.rulebook if filed is not None else None)
    wanted = wanted or (over.shelf_id if over is not None else None)
    book = registry.book(wanted) if wanted is not None else registry.newest(game)
    if filed is not None and filed.rulebook != book.id:
        raise Unreadable(f"the submission is for {filed.rulebook}; leave --rulebook {book.id} out")
    if over is not None and over.shelf_id != book.id:
        raise Unreadable(f"{variant.book} is laid over {over.shelf_id}, not over {book.id}")
    if book not in books:
        known = ", ".join(known.id for known in books)
        raise Unreadable(f"{book.id} is not a rulebook of {game}; choose {known}")
    return BookChoice(varied(registry, over or book, chosen_variations(variant.vary)), filed)


def _own_book(registry: Registry, path: Path) -> Rulebook:
    text = own_text(path)
    try:
        return book_over(registry, text, path.stem)
    except (Unreadable, Refusal) as error:
        raise located(path, text, error) from None


def located(path: Path, text: str, error: Unreadable | Refusal) -> Unreadable:
    """What is wrong with a file that a user wrote, and in which line, where that can be told."""
    why = Volume(str(path), text).fault(error).why
    line, _, _ = why.removeprefix(f"rulebook {path}").partition(": ")
    return Unreadable(f"{path}{line}: {error}")


def own_text(path: Path) -> str:
    """The text of a file that a user wrote; the refusal names it."""
    try:
        return text_of(path)
    except Unreadable as error:
        raise Unreadable(f"{path}: {error}") from None


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
    return own_text(Path(name))


def _refuse_unknown(name: str, known: Mapping[str, object] | tuple[str, ...], what: str) -> None:
    """What is neither a file nor looks like one is a name that nobody knows."""
    if not Path(name).suffix and not Path(name).exists():
        known_name(name, (*known, FILE), what)
