"""A player's record: every round of his practice ledger, summed up by session, street and kind.

Rounds are followed from the ledger as they are played, whichever program they were played in. What
decisions were worth is counted when somebody asks, and kept in the profile.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate

import msgspec

from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.ledger.events import TABLE
from croupier.ledger.replay import first_line
from croupier.ledger.rounds import Bookmark, bookmark, kept_rounds, tables_of
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.snapshot import newest_snapshot
from croupier.ledger.store.port import Ledger
from croupier.practice import coach
from croupier.practice.played_round import PlayedDecision, PlayedRound, played_round
from croupier.practice.profile import Profile
from croupier.rulebook.book import Rulebook

PAUSE_US = 30 * 60 * 1_000_000
MOST_SESSIONS, MOST_MISTAKES, MOST_ROUNDS, MOST_POINTS = 12, 50, 50, 240
HIGHLIGHTS = 3
RulebooksById = Mapping[str, Rulebook]


class DecisionTally(msgspec.Struct, frozen=True):
    """Decisions that were judged, how many were the best there was, and what the others cost."""

    decisions: int
    right: int
    cost_cents: float


class PlayedSession(msgspec.Struct, frozen=True):
    """Rounds without a pause of half an hour, at whichever tables."""

    began_us: int
    ended_us: int
    rounds: int
    staked_cents: int
    net_cents: int
    tally: DecisionTally


class KindTally(msgspec.Struct, frozen=True):
    """Decisions where the same was ``best``; ``trend`` is by session, as in the record."""

    best: str
    tally: DecisionTally
    trend: tuple[DecisionTally, ...]


class StreetTally(msgspec.Struct, frozen=True):
    rulebook: str
    title: str
    street: str
    tally: DecisionTally
    trend: tuple[DecisionTally, ...]
    kinds: tuple[KindTally, ...]


class RoundSum(msgspec.Struct, frozen=True):
    """A round in one line of the record."""

    table: str
    title: str
    round: int
    at_us: int
    cards: tuple[str, ...]
    hand: str
    dealer_hand: str
    staked_cents: int
    net_cents: int
    cost_cents: float


class Mistake(msgspec.Struct, frozen=True):
    """``decision`` counts from 1 within its round."""

    table: str
    title: str
    round: int
    decision: int
    at_us: int
    seen: coach.Position
    chosen: str
    best: str
    cost_antes: float
    cost_cents: float


class RecordSummary(msgspec.Struct, frozen=True):
    """``bankroll`` is the result after each round, thinned where they are many; ``uncounted`` are
    decisions that nobody has counted yet. Sessions are the last ones, the oldest first; of them,
    of mistakes and of the latest rounds there are as many as a page begins with, or all."""

    rounds: int
    staked_cents: int
    net_cents: int
    tally: DecisionTally
    uncounted: int
    bankroll: tuple[int, ...]
    sessions: tuple[PlayedSession, ...]
    sessions_before: int
    streets: tuple[StreetTally, ...]
    mistakes: tuple[Mistake, ...]
    best: tuple[RoundSum, ...]
    worst: tuple[RoundSum, ...]
    latest: tuple[RoundSum, ...]


class PlayerRecord:
    """Threads may ask at once; each asks for all that was played until then."""

    def __init__(self, ledger: Ledger, registry: Registry, ring: KeyRing, profile: Profile) -> None:
        self._ledger, self._registry, self._ring = ledger, registry, ring
        self._profile = profile
        self._marks: dict[str, Bookmark | None] = {}
        self._desk = threading.Lock()

    def rounds(self) -> list[PlayedRound]:
        """Every round that is over, the oldest first."""
        with self._desk:
            for table in tables_of(self._ledger):
                with suppress(Unreadable):  # a table of rules that this program does not know
                    self._profile.keep_rounds(self._new_rounds(table))
        return self._profile.rounds()

    def round(self, table: str, number: int) -> PlayedRound | None:
        return self._profile.round(table, number) or next(
            (each for each in self.rounds() if (each.table, each.round) == (table, number)), None
        )

    def lately(self, table: str, now_us: int) -> list[PlayedRound]:
        """Those of this table in a session that is not over yet."""
        sessions = sessions_of(self.rounds())
        if not sessions or now_us - sessions[-1][-1].at_us > PAUSE_US:
            return []
        return [each for each in sessions[-1] if each.table == table]

    def submission(self, table: str) -> str:
        """What the table plays by, for a coach to count with."""
        return first_line(self._ledger, f"{TABLE}{table}").submission

    def counted(
        self, table: str, number: int, decision: int, worths: Sequence[coach.Worth]
    ) -> None:
        """Keep what a coach has counted of a decision, among what was offered."""
        played = self._profile.round(table, number)
        if played is None:
            return
        decisions = list(played.decisions)
        asked = decisions[decision]
        offered = tuple(worth for worth in worths if worth.action in asked.offered)
        decisions[decision] = msgspec.structs.replace(asked, worths=offered)
        self._profile.keep_rounds([msgspec.structs.replace(played, decisions=tuple(decisions))])

    def summary(self, *, whole: bool = False) -> RecordSummary:
        return _summary(self.rounds(), self._registry.books, whole=whole)

    def _new_rounds(self, table: str) -> Iterator[PlayedRound]:
        """What was played since the last look; from there on only the rest is read."""
        last = self._profile.last_round(table)
        mark = self._marks[table] if table in self._marks else self._begin(table, last)
        rounds = kept_rounds(self._ledger, table, self._registry, self._ring, since=mark)
        for kept in rounds:
            self._marks[table] = kept.bookmark
            played = played_round(kept) if kept.number > last else None
            if played is not None:
                yield played

    def _begin(self, table: str, last: int) -> Bookmark | None:
        newest = newest_snapshot(self._ledger, f"{TABLE}{table}")
        since = newest[1].round - last if newest is not None else 0
        return bookmark(self._ledger, table, self._registry, max(since, 0)) if last else None


def uncounted(rounds: Iterable[PlayedRound]) -> Iterator[tuple[PlayedRound, int]]:
    """Decisions that a coach has still to count, the newest first; each by its place."""
    for played in sorted(rounds, key=lambda each: -each.at_us):
        for place, decision in enumerate(played.decisions):
            if not decision.is_counted:
                yield played, place


def sessions_of(rounds: Sequence[PlayedRound]) -> list[list[PlayedRound]]:
    """Rounds in their order, parted where nothing was played for half an hour."""
    parted: list[list[PlayedRound]] = []
    for played in rounds:
        if not parted or played.at_us - parted[-1][-1].at_us > PAUSE_US:
            parted.append([])
        parted[-1].append(played)
    return parted


# The sums


def _summary(rounds: list[PlayedRound], books: RulebooksById, *, whole: bool) -> RecordSummary:
    sessions = sessions_of(rounds)
    lately = sessions[-MOST_SESSIONS:]
    told = sessions if whole else lately
    lines = [_line(each, books) for each in rounds]
    by_net = sorted(lines, key=lambda line: line.net_cents)
    return RecordSummary(
        rounds=len(rounds),
        staked_cents=sum(each.staked_cents for each in rounds),
        net_cents=sum(each.net_cents for each in rounds),
        tally=_tally(_judged(rounds)),
        uncounted=sum(1 for _ in uncounted(rounds)),
        bankroll=tuple(thinned(list(accumulate((each.net_cents for each in rounds), initial=0)))),
        sessions=tuple(map(_session, told)),
        sessions_before=len(sessions) - len(told),
        streets=tuple(_streets(rounds, lately, books)),
        mistakes=tuple(_mistakes(rounds, books)[: None if whole else MOST_MISTAKES]),
        best=tuple(line for line in by_net[::-1][:HIGHLIGHTS] if line.net_cents > 0),
        worst=tuple(line for line in by_net[:HIGHLIGHTS] if line.net_cents < 0),
        latest=tuple(lines[::-1][: None if whole else MOST_ROUNDS]),
    )


def thinned(sums: list[int], most: int = MOST_POINTS) -> Iterator[int]:
    """At most so many points; of each stretch the lowest and the highest stay, in their order."""
    if len(sums) <= most:
        yield from sums
        return
    stretch = 2 * -(-len(sums) // most)
    for first in range(0, len(sums) - 1, stretch):
        part = sums[first : min(first + stretch, len(sums) - 1)]
        low, high = part.index(min(part)), part.index(max(part))
        yield from (part[place] for place in sorted({low, high}))
    yield sums[-1]


def _judged(rounds: Iterable[PlayedRound]) -> Iterator[PlayedDecision]:
    return (each for played in rounds for each in played.decisions if each.is_judged)


def _tally(decisions: Iterable[PlayedDecision]) -> DecisionTally:
    costs = [(each.cost_antes, each.cost_cents) for each in decisions]
    right = sum(1 for antes, _ in costs if not antes)
    return DecisionTally(len(costs), right, sum(cents for _, cents in costs))


def _session(rounds: list[PlayedRound]) -> PlayedSession:
    return PlayedSession(
        began_us=rounds[0].at_us,
        ended_us=rounds[-1].at_us,
        rounds=len(rounds),
        staked_cents=sum(each.staked_cents for each in rounds),
        net_cents=sum(each.net_cents for each in rounds),
        tally=_tally(_judged(rounds)),
    )


def _streets(
    rounds: list[PlayedRound], lately: list[list[PlayedRound]], books: RulebooksById
) -> Iterator[StreetTally]:
    """By rulebook and street in the order of play; under each, by what was best."""
    for book in books.values():
        for street in book.streets:
            asked = list(_asked(rounds, book.id, street.name))
            trends = [list(_asked(session, book.id, street.name)) for session in lately]
            if asked:
                yield StreetTally(
                    rulebook=book.id,
                    title=_title(books, book.id),
                    street=street.name,
                    tally=_tally(asked),
                    trend=tuple(map(_tally, trends)),
                    kinds=tuple(_kinds(asked, trends)),
                )


def _asked(rounds: Iterable[PlayedRound], book: str, street: str) -> Iterator[PlayedDecision]:
    at_book = (played for played in rounds if played.rulebook == book)
    return (each for each in _judged(at_book) if each.seen.street == street)


def _kinds(asked: list[PlayedDecision], trends: list[list[PlayedDecision]]) -> Iterator[KindTally]:
    for best in sorted({each.best for each in asked}, reverse=True):
        yield KindTally(
            best=best,
            tally=_tally(each for each in asked if each.best == best),
            trend=tuple(_tally(each for each in part if each.best == best) for part in trends),
        )


def _mistakes(rounds: list[PlayedRound], books: RulebooksById) -> list[Mistake]:
    """The dearest first."""
    found = [
        Mistake(
            table=played.table,
            title=_title(books, played.rulebook),
            round=played.round,
            decision=place,
            at_us=played.at_us,
            seen=each.seen,
            chosen=each.chosen,
            best=each.best,
            cost_antes=each.cost_antes,
            cost_cents=each.cost_cents,
        )
        for played in rounds
        for place, each in enumerate(played.decisions, 1)
        if each.is_judged and each.cost_antes
    ]
    return sorted(found, key=lambda mistake: -mistake.cost_cents)


def _line(played: PlayedRound, books: RulebooksById) -> RoundSum:
    return RoundSum(
        table=played.table,
        title=_title(books, played.rulebook),
        round=played.round,
        at_us=played.at_us,
        cards=played.cards,
        hand=played.hand,
        dealer_hand=played.dealer_hand,
        staked_cents=played.staked_cents,
        net_cents=played.net_cents,
        cost_cents=played.cost_cents,
    )


def _title(books: RulebooksById, book: str) -> str:
    """What people call the game; a book that is no longer there goes by its id."""
    return books[book].title.partition(",")[0] if book in books else book
