"""Which wagers are offered, and by which paytables."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.errors import quoted
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import Rulebook
from croupier.submission.draft import SubmissionCheck, SubmissionDraft, either
from croupier.submission.finding import Finding


def unknown_wagers(draft: SubmissionDraft) -> Iterator[Finding]:
    book, known = draft.book, list(_letters(draft.book))
    for name in draft.names("paytables"):
        if name not in known:
            yield draft.error(
                ("paytables", name),
                f"{book.id} has no paytable for {quoted(name)}; it has {', '.join(known)}",
                book.refusals.wagers,
            )


def unknown_letters(draft: SubmissionDraft) -> Iterator[Finding]:
    for name, (title, letters, clause) in _letters(draft.book).items():
        letter = draft.text("paytables", name)
        if letter is not None and letter not in letters:
            yield draft.error(
                ("paytables", name),
                f"{draft.book.id} has no {title} paytable {quoted(letter)}; "
                f"choose {either(letters)}",
                clause,
            )


def paytables_not_chosen(draft: SubmissionDraft) -> Iterator[Finding]:
    for name, (_, letters, clause) in _letters(draft.book).items():
        always = name != ENVY and not draft.book.wager(name).optional
        if always and draft.lacks("paytables", name):
            yield draft.error(
                ("paytables", name),
                f"paytables.{name} is missing; choose {either(letters)}",
                clause,
            )


def wagers_that_need_others(draft: SubmissionDraft) -> Iterator[Finding]:
    offered = {wager.name for wager in draft.offered()}
    for wager in draft.offered():
        for needed in wager.needs:
            if wager.optional and needed not in offered:
                title = draft.book.wager(needed).title
                yield draft.error(
                    ("paytables", wager.name),
                    f"{wager.title} is offered without {title}, which it needs; choose a "
                    f"paytable for {needed} too, or leave {wager.name} out",
                    wager.clause,
                )


def house_wagers_left_out(draft: SubmissionDraft) -> Iterator[Finding]:
    """What every layout has a betting area for is optional for players, not for the house."""
    for wager in draft.book.wagers:
        if wager.layout_clause is not None and not draft.offers(wager):
            letters = either(tuple(draft.book.paytables[wager.name]))
            yield draft.error(
                ("paytables", wager.name),
                f"{wager.title} is not offered, and the house may not leave it out: every layout "
                f"has a betting area for it; choose paytables.{wager.name}, {letters}",
                wager.clause,
            )


def envy_and_progressive(draft: SubmissionDraft) -> Iterator[Finding]:
    """Envy goes to Progressive wagers, and every Progressive wager is entitled to it."""
    bonus = draft.book.envy_bonus
    has_envy = draft.writes("paytables", ENVY)
    has_progressive = draft.writes("paytables", PROGRESSIVE)
    if bonus is None or has_envy == has_progressive:
        return
    if has_envy:
        yield draft.error(
            ("paytables", ENVY),
            "Envy is chosen without a Progressive, and goes only to Progressive wagers; choose "
            "paytables.progressive too, or leave envy out",
            bonus.clause,
        )
    elif draft.lacks("paytables", ENVY):
        yield draft.error(
            ("paytables", ENVY),
            "paytables.envy is missing: players with a Progressive wager are owed Envy; choose "
            f"{either(tuple(draft.book.envy))}",
            bonus.paytables_clause,
        )


def _letters(book: Rulebook) -> dict[str, tuple[str, tuple[str, ...], str]]:
    """By name of what has paytables to choose from: its title, its letters, and their clause."""
    found = {
        wager.name: (
            wager.title,
            tuple(book.paytables[wager.name]),
            wager.paytables_clause or wager.clause,
        )
        for wager in book.wagers
        if wager.name in book.paytables and wager.paid_on is None
    }
    if book.envy_bonus is not None and book.envy:
        found[ENVY] = ("Envy", tuple(book.envy), book.envy_bonus.paytables_clause)
    return found


CHECKS: tuple[SubmissionCheck, ...] = (
    unknown_wagers,
    unknown_letters,
    paytables_not_chosen,
    wagers_that_need_others,
    house_wagers_left_out,
    envy_and_progressive,
)
