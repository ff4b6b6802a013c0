"""What only a row of rounds shows: sequence, stub counts, deck changes, meters round to round.

Duties about cards are watched where a log says which deck it dealt from. A round dealt from a
sealed commitment has no deck but at a training table (ruling 38); of other logs nobody can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from croupier.audit.log.finding import LogFinding
from croupier.audit.records import schema as rec
from croupier.facts.money import meter_exactly
from croupier.rulebook.book import Rulebook, WayOfDealing
from croupier.table.handlers.opening import HOUR_S

MICROS_A_SECOND = 1_000_000
MOST_TABLES = 10_000
MOST_HELD = 20
MOST_GAPS = 5


class SequencedRound(NamedTuple):
    """As much of a round as a row of rounds is judged by. ``dealt``: cards that left the pack."""

    line: int
    ledger: str
    table: str
    round: int
    way: str
    closed_us: int
    dealt: int
    settled: bool
    open: bool
    linked: bool
    meters: Mapping[str, tuple[int, int]]
    deck: tuple[int, str, int | None] | None = None
    stub: tuple[int, int] | None = None
    fresh: bool = False


def sequenced(line: int, record: rec.RoundRecord, *, linked: bool) -> SequencedRound:
    deck, stub = record.deck, record.stub_count
    return SequencedRound(
        line=line,
        ledger=record.ledger,
        table=record.table,
        round=record.round,
        way=record.way,
        closed_us=record.closed_at_us,
        dealt=len(record.cards) + sum(hidden.count for hidden in record.hidden),
        settled=record.status == "complete",
        open=record.status == "in progress",
        linked=linked,
        meters={
            meter.name: (meter.before_micros, meter.after_micros)
            for meter in record.meters
            if meter.before_micros is not None and meter.after_micros is not None
        },
        deck=(deck.opened_at_us, deck.color, deck.found) if deck is not None else None,
        stub=(stub.stub, stub.on_table) if stub is not None else None,
        fresh=deck is not None and deck.fresh,
    )


class _Open(NamedTuple):
    """A round that says it is in progress; ``held`` is what is wrong with it if it is over."""

    line: int
    round: int
    held: tuple[LogFinding, ...]


class _Seen(NamedTuple):
    """A table after its last round; ``uncounted`` is None where rounds are missing."""

    round: int
    uncounted: int | None
    meters: Mapping[str, int] = {}
    closed_us: int = 0
    open: _Open | None = None


class Gap(NamedTuple):
    """Rounds of a table that the log does not hold between two that it holds."""

    table: str
    first: int
    last: int

    @property
    def numbers(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"


class SequenceChecker:
    """Every table of a log, round after round."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str], _Seen] = {}
        self._ways: dict[tuple[str, str], WayOfDealing | None] = {}
        self.tables = 0
        self.missing = 0
        self.gaps: list[Gap] = []

    def see(
        self, now: SequencedRound, book: Rulebook, held: Sequence[LogFinding] = ()
    ) -> Iterator[LogFinding]:
        """What is wrong with this round after the ones before it.

        ``held`` is kept for a round in progress, and told when the next round of its table shows
        that it is over.
        """
        found, after = self._next(now, book)
        if after is not None and now.open:
            after = after._replace(open=_Open(now.line, now.round, tuple(held[:MOST_HELD])))
        self._keep(now, after)
        yield from found

    def passes(self, now: SequencedRound, book: Rulebook) -> bool:
        """Whether nothing is wrong; where something is, the round counts as not seen yet."""
        found, after = self._next(now, book)
        if not found:
            self._keep(now, after)
        return not found

    def _keep(self, now: SequencedRound, after: _Seen | None) -> None:
        table = now.ledger, now.table
        if after is None:
            return
        before = self._tables.get(table)
        if before is None:
            self.tables += 1
            while len(self._tables) >= MOST_TABLES:
                del self._tables[next(iter(self._tables))]
        elif before.round and after.round > before.round + 1:
            self.missing += after.round - before.round - 1
            if len(self.gaps) < MOST_GAPS:
                self.gaps.append(Gap(now.table, before.round + 1, after.round - 1))
        self._tables[table] = after

    def _next(self, now: SequencedRound, book: Rulebook) -> tuple[list[LogFinding], _Seen | None]:
        if not now.round and not now.table:
            return [], None
        seen = self._tables.get((now.ledger, now.table))
        found = [*_left_open(now, book, seen.open)] if seen is not None and seen.open else []
        if not now.round:
            return found, (seen or _Seen(0, None))._replace(open=None)
        if seen is None:
            seen = _Seen(now.round, 0 if now.round == 1 else None)
        elif now.round < seen.round or (now.round == seen.round and seen.open is None):
            sentence = f"round {seen.round} of this table came before it"
            found.append(_finding(now, book, "sequence", sentence, book.procedure.clear_clause))
            return found, seen
        elif now.round > seen.round + 1:
            seen = _Seen(now.round, None)
        goes_on = seen.open is not None and seen.round == now.round
        found += _meters(now, book, seen) if now.meters and not goes_on else []
        meters = seen.meters
        if now.meters:
            meters = {**meters, **{name: after for name, (_, after) in now.meters.items()}}
        uncounted = seen.uncounted
        if now.deck is not None:
            way = self._way(book, now.way)
            uncounted = 0 if _is_fresh(now, seen.closed_us) else uncounted
            wrong, uncounted = _cards(now, book, way, uncounted)
            found += wrong
        if now.stub is not None:
            found += _miscounted(now, book, self._way(book, now.way))
        return found, _Seen(now.round, uncounted, meters, now.closed_us)

    def _way(self, book: Rulebook, name: str) -> WayOfDealing | None:
        """Looked up once: a log names the same way a million times."""
        key = book.id, name
        if key not in self._ways:
            if len(self._ways) >= MOST_TABLES:
                self._ways.clear()
            self._ways[key] = next((way for way in book.dealing if way.way == name), None)
        return self._ways[key]


def _left_open(now: SequencedRound, book: Rulebook, left: _Open) -> Iterator[LogFinding]:
    """A table plays one round at a time, so the round before is over, whatever it says.

    A later record of the same round takes the place of the one written while it was played.
    """
    if now.round and now.round <= left.round:
        return
    came = f"round {now.round}" if now.round else "another round"
    sentence = f"said to be in progress, and {came} of this table came after it"
    clause = book.procedure.clear_clause
    told = _finding(now, book, "status", sentence, clause)
    yield msgspec.structs.replace(told, line=left.line, round=left.round)
    yield from left.held


def _meters(now: SequencedRound, book: Rulebook, seen: _Seen) -> Iterator[LogFinding]:
    """A meter that no other table moves begins where the last round left it."""
    for name, (before, _) in now.meters.items():
        stood = seen.meters.get(name)
        if stood is not None and stood != before and not now.linked and book.progressive:
            sentence = (
                f"the {name} meter stood at {meter_exactly(stood)} after the round before, "
                f"not at {meter_exactly(before)}"
            )
            yield _finding(now, book, "meter", sentence, book.progressive.meter_clause)


def _is_fresh(now: SequencedRound, closed_us: int) -> bool:
    """Whether no deck is left of those that earlier rounds were dealt from: there is nothing of
    theirs to count. It came after the last bets were closed, to the second, as decks are stamped.
    """
    since_us = closed_us // MICROS_A_SECOND * MICROS_A_SECOND
    return now.fresh and now.deck is not None and now.deck[0] >= since_us


def _cards(
    now: SequencedRound, book: Rulebook, way: WayOfDealing | None, uncounted: int | None
) -> tuple[list[LogFinding], int | None]:
    """What is wrong with the deck, and how many rounds stand uncounted after this one."""
    assert now.deck is not None
    opened_us, color, counted = now.deck
    found = []
    by_hand = way is not None and way.held_in == "hand"
    hours = book.deck.change_hours_by_hand if by_hand else book.deck.change_hours_otherwise
    used_us = now.closed_us - opened_us
    if now.closed_us and used_us >= hours.count * HOUR_S * MICROS_A_SECOND:
        sentence = f"the {color or 'only'} deck had been in use for {hours.count} hours or more"
        found.append(_finding(now, book, "deck-change", sentence, hours.clause))
    if counted == book.deck.cards.count:
        uncounted = 0
    rule = way.stub_count if way is not None else None
    if uncounted is not None and now.dealt and not now.open:
        uncounted += 1
    late = rule is not None and uncounted is not None and uncounted >= rule.rounds
    if rule is not None and late and now.settled and now.stub is None:
        sentence = f"{uncounted} rounds were dealt since the last count of the stub"
        found.append(_finding(now, book, "stub-count", sentence, rule.clause))
    if now.stub is not None:
        uncounted = 0 if sum(now.stub) == book.deck.cards.count else uncounted
    return found, uncounted


def _miscounted(
    now: SequencedRound, book: Rulebook, way: WayOfDealing | None
) -> Iterator[LogFinding]:
    """A count that is not right makes a round void, whether or not its deck is told."""
    assert now.stub is not None
    stub, on_table = now.stub
    whole = stub + on_table == book.deck.cards.count
    if now.settled and (not whole or on_table != now.dealt):
        dealt_by = (way or book.dealing[0]).procedure
        clause = dealt_by.stub_misdealt_clause if whole else dealt_by.stub_wrong_clause
        sentence = (
            f"{stub} cards in the stub and {on_table} on the table, where {now.dealt} were dealt; "
            "the round is void, and was settled"
        )
        yield _finding(now, book, "stub-count", sentence, clause)


def _finding(
    now: SequencedRound, book: Rulebook, kind: str, sentence: str, clause: str
) -> LogFinding:
    return LogFinding(
        line=now.line,
        kind=kind,
        sentence=sentence,
        table=now.table,
        round=now.round,
        clause=book.cite(clause),
    )
