"""The document set of one table: every file is made whole before the first is written."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from croupier.disk import whole_file
from croupier.documents.dealer_card import dealer_card
from croupier.documents.filing import Filing
from croupier.documents.html import page
from croupier.documents.layout.check import checked_plan
from croupier.documents.layout.logo import Logo
from croupier.documents.layout.svg import drawn
from croupier.documents.mathematics.figures import Figures
from croupier.documents.mathematics.report import mathematics
from croupier.documents.pdf import typeset, typeset_drawing
from croupier.documents.player_guide import player_guide
from croupier.documents.rules_submission import rules_submission
from croupier.documents.signs import typeset_signs
from croupier.facts.errors import Unreadable
from croupier.facts.names import known_names
from croupier.games.registry import Registry
from croupier.submission.fingerprint import rules_text, submission_text

MadeFiles = Iterator[tuple[str, bytes]]


@dataclass(frozen=True)
class PrintOrder:
    """What is printed: a filing, the version it replaces, its logo, and how its figures come.

    ``figures`` is asked only for the mathematics, which may take a while.
    """

    filing: Filing
    registry: Registry
    figures: Callable[[Filing], Figures]
    against: Filing | None = None
    logo: Logo | None = None


def _layout(order: PrintOrder) -> MadeFiles:
    filing = order.filing
    layout = checked_plan(filing.submission, order.registry, order.logo)
    svg = drawn(layout, order.logo)
    alt = f"The table layout of {filing.place}, seen from the players' side."
    yield "layout.svg", svg.encode()
    yield "layout.pdf", typeset_drawing(svg, layout.size_mm, alt, filing.imprint("Table Layout"))


def _signs(order: PrintOrder) -> MadeFiles:
    yield "signs.pdf", typeset_signs(order.filing)


def _submission(order: PrintOrder) -> MadeFiles:
    filing = order.filing
    yield "submission.pdf", typeset(rules_submission(filing, order.against))
    yield "submission.toml", submission_text(filing.submission)
    yield "rules.json", rules_text(filing.rules)


def _mathematics(order: PrintOrder) -> MadeFiles:
    document = mathematics(order.figures(order.filing))
    yield "mathematics.pdf", typeset(document)
    yield "mathematics.html", page(document).encode()


def _dealer_card(order: PrintOrder) -> MadeFiles:
    yield "dealer-card.pdf", typeset(dealer_card(order.filing))


def _player_guide(order: PrintOrder) -> MadeFiles:
    yield "player-guide.pdf", typeset(player_guide(order.filing))


MAKERS: Mapping[str, Callable[[PrintOrder], MadeFiles]] = {
    "layout": _layout,
    "signs": _signs,
    "submission": _submission,
    "mathematics": _mathematics,
    "dealer-card": _dealer_card,
    "player-guide": _player_guide,
}
"""By the name that ``--only`` knows: what makes the files of one document."""


def chosen(only: str | None) -> tuple[str, ...]:
    """The documents asked for, all of them where nobody said; an unknown name is refused."""
    if only is None:
        return tuple(MAKERS)
    names = tuple(name.strip() for name in only.split(","))
    known_names(names, MAKERS, "document")
    return names


def printed(order: PrintOrder, documents: tuple[str, ...]) -> dict[str, bytes]:
    """The files of these documents by name."""
    return {name: content for document in documents for name, content in MAKERS[document](order)}


def put(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files into a folder; each is there whole or as it was before."""
    with _folder_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            _put(folder / name, content)


def ready(folder: Path) -> None:
    """Make the folder, and see that it can be written into before anything is computed for it."""
    with _folder_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass


@contextmanager
def _folder_errors(folder: Path) -> Iterator[None]:
    """What a folder can be wrong with becomes one sentence."""
    try:
        yield
    except (FileExistsError, NotADirectoryError):
        raise Unreadable(f"{folder} is no folder; name one that can be written into") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no such name"
        raise Unreadable(f"nothing can be written into {folder}: {reason}") from None


def _put(path: Path, content: bytes) -> None:
    with whole_file(path) as file:
        file.write(content)
