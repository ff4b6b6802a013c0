"""Font coverage check: typst is asked whether it can set the operator's texts.

The fonts are those that typst carries in itself, so typst is asked: a page with the texts either
can be set, or names what it lacks.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.documents.pdf import compiled
from croupier.extras import DOCUMENTS, require
from croupier.facts.errors import Unreadable, quoted
from croupier.submission.submission import Submission


def check_letters(submission: Submission) -> None:
    """Refuse a text with letters that no font of the documents has, by its key."""
    for key, text in _written(submission):
        if not can_be_set(text):
            lacking = dict.fromkeys(letter for letter in text if not can_be_set(letter))
            letters = ", ".join(lacking) or quoted(text)
            raise Unreadable(
                f"{key} has letters that the fonts of the documents lack: {letters}; "
                "write it in Latin, Greek or Cyrillic letters"
            )


def _written(submission: Submission) -> Iterator[tuple[str, str]]:
    """Everything an operator words freely, by the key it stands under."""
    yield "facility.name", submission.facility
    yield "facility.operator", submission.operator
    yield "table.id", submission.table
    if submission.version is not None:
        yield "version", submission.version
    if submission.logo is not None:
        yield "facility.logo", submission.logo
    if submission.progressive is not None:
        yield "progressive.system", submission.progressive.system
    yield from (("decks.backs", back) for back in submission.decks.backs)


def can_be_set(text: str) -> bool:
    """Whether the fonts of the documents have every letter of a text."""
    require(DOCUMENTS)
    import typst

    try:
        compiled("letters.typ", {"text": text}, None)
    except typst.TypstError:
        return False
    return True
