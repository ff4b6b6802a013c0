"""What somebody looks for among the recordings, as he says it: on a command line or on a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from croupier.facts.errors import Unreadable, quoted
from croupier.facts.hands import Category
from croupier.facts.money import cents
from croupier.facts.names import known_name
from croupier.games.registry import Registry
from croupier.ledger.recordings.index import RecordingQuery
from croupier.ledger.recordings.recording import DISPUTE, OUTCOMES, PLAYER_LEFT
from croupier.table.events import Outcome
from croupier.table.handlers.void import CAUSES

DAY_US = 86_400_000_000


def query_of(
    said: Mapping[str, str], registry: Registry, tables: Iterable[str], most: int
) -> RecordingQuery:
    """Unreadable where a name, a sum or a time is none. With a wager ``outcome`` is the wager's,
    without one the box's."""
    wager, outcome = said.get("wager", ""), said.get("outcome", "")
    if wager:
        wager = known_name(wager, wager_names(registry), "wager")
    if outcome:
        outcome = known_name(outcome, list(Outcome) if wager else OUTCOMES, "outcome")
    return RecordingQuery(
        player=said.get("player", ""),
        table=_known(said.get("table", ""), sorted(tables), "table"),
        since_us=moment_of(said.get("since", "")),
        until_us=moment_of(said.get("until", ""), ends=True),
        least_cents=cents(said["least"]) if said.get("least") else 0,
        most_cents=cents(said["most"]) if said.get("most") else 0,
        hand=_known(said.get("hand", ""), list(Category), "hand"),
        wager=f"{wager} {outcome}" if wager and outcome else wager,
        irregularity=_known(
            said.get("irregularity", ""), irregular_names(registry), "irregularity"
        ),
        outcome="" if wager else outcome,
        most=most,
    )


def moment_of(text: str, *, ends: bool = False) -> int:
    """A day, or a time of a day, in UTC where no zone is said: microseconds since 1970. A day as
    the end of a time lasts until its last moment."""
    if not text:
        return 0
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Unreadable(
            f"{quoted(text)} is no time; write 2027-01-15, or 2027-01-15 21:30, with +01:00 behind "
            "it where it is not UTC"
        ) from None
    whole = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    micros = int(whole.timestamp()) * 1_000_000 + whole.microsecond
    return micros + DAY_US - 1 if ends and len(text) == len("2027-01-15") else micros


def irregular_names(registry: Registry) -> list[str]:
    """Everything that a round can have gone wrong by."""
    books = (registry.book(book) for book in registry.books)
    declared = {rule.name for book in books for rule in book.irregularities}
    return sorted({*declared, *CAUSES, DISPUTE, PLAYER_LEFT})


def wager_names(registry: Registry) -> list[str]:
    books = (registry.book(book) for book in registry.books)
    return sorted({wager.name for book in books for wager in book.wagers})


def _known(name: str, known: list[str], what: str) -> str:
    return known_name(name, known, what) if name else ""
