"""One table proved from its lines: every command decided again, and its events compared.

The rules never look at a card that stays face down, so who has no key puts any other card in its
place and must come to the same events. With the key the sealed packs are opened and compared too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

import msgspec

from croupier.audit.command_check import (
    MovesAMeter,
    asked,
    compared,
    is_as_due,
    reading_after,
)
from croupier.audit.difference import Difference, at
from croupier.audit.line_text import OTHERWISE, LineTexts
from croupier.audit.shoe_proof import NEEDLESS, ShoeProof
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import Registry
from croupier.ledger.envelope import SYSTEM, RenewShoe
from croupier.ledger.events import (
    OF_THE_LEDGER,
    TABLE,
    MeterMoved,
    TableInstalled,
    TableSnapshot,
    tag_of,
    write_kept,
)
from croupier.ledger.installation import installation
from croupier.ledger.kept_table import commits_to, orders_anew
from croupier.ledger.link import OfTable, drawing, meter_movements, movements
from croupier.ledger.replay import (
    ReplayedLines,
    chapters,
    installed_in,
    kept_submission,
    kept_terms,
)
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.snapshot import SHAPE, snapshot_of
from croupier.ledger.store.line import LedgerLine, written_entries
from croupier.submission.submission import Submission
from croupier.table import events as ev
from croupier.table.commands import UNREADABLE
from croupier.table.engine import decide, fold
from croupier.table.state import Round, State, new_table

replace = msgspec.structs.replace
NEVER_NEGATIVE = ("purse", "felt", "kept")
KINDS = ("practice", "sealed", "training")


class MeterMovement(NamedTuple):
    """What a line of a table did to a meter, or waits to do: the line its link has to have."""

    line: LedgerLine
    event: OfTable


class Renewal(NamedTuple):
    """A pack put in the place of one that could not be opened, while bets were open."""

    line: LedgerLine
    round: int
    reason: str


class PowerUses(NamedTuple):
    """An act of the policy by one person, or by two of whom the second confirmed it."""

    act: str
    by: str
    second: str


class TableProof:
    """A table as its lines say it must stand, and every difference on the way.

    ``edition`` says so where another edition of the program or its rulebook wrote the table.
    """

    def __init__(
        self, ledger_id: str, stream: str, registry: Registry, ring: KeyRing | None
    ) -> None:
        self.stream, self._registry = stream, registry
        self.shoe = ShoeProof(ledger_id, stream, ring)
        self.installed: TableInstalled | None = None
        self.submission: Submission | None = None
        self.installed_in: LedgerLine | None = None
        self.edition = ""
        self.accounts: dict[str, int] = {}
        self.moved: list[MeterMovement] = []
        self.renewals: list[Renewal] = []
        self.lost: list[Renewal] = []
        self.powers: Counter[PowerUses] = Counter()
        self.rounds = self.closed = self.settled = self.undecided = 0
        self._texts = LineTexts()
        self._pack_round = 0
        self._orders_anew = False  # whether the last command calls for another pack
        self._last_snapshot = (0, "")  # its line and its shape
        self._state: State | None = None
        self._above: LedgerLine | None = None

    def prove(self, lines: Iterable[LedgerLine]) -> Iterator[Difference]:
        """Every difference; it goes on after one as well as it can."""
        strange: list[Difference] = []
        told = chapters(lines, lambda line, why: strange.append(at(line, "fold", why)))
        first = next(told, None)
        if first is None:
            yield Difference("installation", self.stream, 0, "the table was never installed")
        else:
            yield from self._install(first)
        for chapter in told:
            yield from self._round(chapter)
        yield from strange

    def _install(self, chapter: ReplayedLines) -> Iterator[Difference]:
        for line, event in zip(chapter.lines, chapter.events, strict=True):
            yield from self._line(line, event, chapter.round)
        line = chapter.lines[0]
        try:
            installed = installed_in(chapter, self.stream)
            self.submission = kept_submission(installed, self._registry)
            terms = kept_terms(installed, self._registry)
        except (Unreadable, Refusal) as error:
            yield at(line, "installation", str(error))
            return
        self.installed, self.installed_in = installed, line
        self._state = new_table(terms)
        name, link = self.stream.removeprefix(TABLE), installed.link
        kind = {name: getattr(installed, name) is True for name in KINDS}
        policy, second = installed.policy, installed.second or ""
        due = installation(
            self.submission, self._registry, name, link, policy=policy, second=second, **kind
        )
        self.edition = _edition(installed, due)
        if _are_other_rules(installed, due, self.edition):
            why = "the rules are not those it was opened with"
            if self.edition:
                why += f": it was {self.edition}, which says otherwise of money"
            yield at(line, "installation", why)
        if not is_as_due(installed, _with_hashes_of(installed, due), citations=not self.edition):
            yield at(line, "installation", "it is not the installation of this table")
        for extra in chapter.lines[1:]:
            yield at(extra, "installation", "nothing happens before the first pack is committed to")

    def _round(self, chapter: ReplayedLines) -> Iterator[Difference]:
        self.rounds = max(self.rounds, chapter.round)
        if self._state is not None:
            yield from self._begins(chapter, self._state)
        yield from self.shoe.prove(chapter)
        for line, event in zip(chapter.lines, chapter.events, strict=True):
            yield from self._line(line, event, chapter.round)
        cards = self.shoe.stand_ins
        told = zip(_engine_lines(chapter), chapter.unmasked_events(cards), strict=True)
        for _, group in groupby(told, lambda pair: pair[0].command_id):
            yield from self._command(list(group), cards, chapter.round)
        yield from self._snapshot_differences(chapter, cards)

    def _snapshot_differences(
        self, chapter: ReplayedLines, cards: Mapping[int, str]
    ) -> Iterator[Difference]:
        """What a table says of how it stands is held against the table that its lines make."""
        for line, told in zip(chapter.lines, chapter.events, strict=True):
            if not isinstance(told, TableSnapshot):
                continue
            is_over = self._state is None or self._state.round.number > chapter.round
            if line is not chapter.lines[-1] or not is_over:
                why = "how a table stands is told between two rounds, and only there"
                yield at(line, "fold", why, chapter.round)
            elif self._state is not None:
                places = {card: lay for lay, card in cards.items()}
                before = self._last_snapshot[0] if self._last_snapshot[1] == told.shape else 0
                due = snapshot_of(self._state, places, chapter.lines[0].version, before)
                if write_kept(_in_shape_of(told, due)) != line.body:
                    why = "the lines before it make another table than it tells of"
                    yield at(line, "fold", why, chapter.round)
            self._last_snapshot = (line.version, told.shape)

    def _begins(self, chapter: ReplayedLines, state: State) -> Iterator[Difference]:
        """A pack comes with the round, with another order of the deck, or in the place of
        one that nobody can open, before bets are closed.
        """
        line, above = chapter.lines[0], self._above
        told, reason = chapter.committed, _renewal_reason(line)
        assert told is not None
        if chapter.round != state.round.number:
            why = f"it is round {state.round.number} that begins"
            yield at(line, "fold", why, chapter.round)
        elif not is_as_due(
            told, commits_to(state, told.commitment, told.sealed), citations=not self.edition
        ):
            yield at(line, "shoe", "it is not as a pack is committed to", chapter.round)
        if state.round.stage != "betting":
            yield at(line, "shoe", "a pack is committed to after bets were closed", chapter.round)
        if reason is not None:
            self.renewals.append(Renewal(line, chapter.round, reason))
        comes_with_it = above is not None and above.command_id == line.command_id
        ordered = comes_with_it and self._orders_anew
        is_another = chapter.round == self._pack_round and not ordered
        if reason is None if is_another else not comes_with_it:
            yield at(line, "shoe", "nothing called for a pack here", chapter.round)
        if is_another and self.shoe.was_opened:
            yield at(line, "shoe", NEEDLESS, chapter.round)
        self._pack_round = chapter.round

    def _line(self, line: LedgerLine, event: ev.Event, number: int) -> Iterator[Difference]:
        """What each line says of itself: its kind, its time and both sides of its money."""
        self._count(line, event, number)
        above, self._above = self._above, line
        if above is not None and line.at_us < above.at_us:
            yield at(line, "time", "its time lies before the line above it", number)
        if not _belongs(line, above):
            yield at(line, "command", "it does not belong to the command it names", number)
        if line.kind != tag_of(event):
            yield at(line, "fold", f"it is called {line.kind} and holds another event", number)
        if not self._texts.fit(line.body, event):
            yield at(line, "fold", OTHERWISE, number)
        yield from self._post(line, event, number)

    def _count(self, line: LedgerLine, event: ev.Event, number: int) -> None:
        """What the verdict tells of beside differences: rounds, powers that were used, packs."""
        self.closed += isinstance(event, ev.BetsClosed)
        if isinstance(event, ev.PowerUsed):
            self.powers[PowerUses(event.act, event.by, event.second)] += 1
        if isinstance(event, TableInstalled) and not event.practice:
            self.powers[PowerUses("table", line.actor, event.second or "")] += 1
        if isinstance(event, ev.RoundVoided) and event.name == UNREADABLE:
            self.lost.append(Renewal(line, number, event.reason))

    def _post(self, line: LedgerLine, event: ev.Event, number: int) -> Iterator[Difference]:
        """Both sides of the money that an event moves, posted again."""
        due = movements(event)
        if line.entries != written_entries(due):
            yield at(line, "books", "its entries are not what the event moves", number)
        for account, micros in due:
            now = self.accounts[account] = self.accounts.get(account, 0) + micros
            if micros < 0 and now < 0 and account.startswith(NEVER_NEGATIVE):
                yield at(line, "books", f"{account} falls below nothing", number)

    def _command(
        self, told: list[tuple[LedgerLine, ev.Event]], cards: Mapping[int, str], number: int
    ) -> Iterator[Difference]:
        """Decide the words again, from the same table, and compare what comes of it."""
        line, events = told[0][0], tuple(event for _, event in told)
        before = self._state
        self.undecided += 1
        self._orders_anew = False
        if before is None:
            return
        self.moved += self._movements(told, before.round)
        try:
            self._state = fold(before, events)
            self._orders_anew = orders_anew(before, events, self._state)
            due = decide(before, asked(line, before, events, cards, self._texts))
        except Refusal as refusal:
            yield at(line, "rules", f"refused: {refusal.sentence}", number, refusal.clause)
        except Unreadable as error:
            yield at(line, "command", str(error), number)
        except Exception:
            # Whatever an altered line makes the engine stumble over is found here, and nowhere
            # else: an audit says where, and goes on.
            yield at(line, "fold", "the events do not follow from the table before them", number)
        else:
            self.undecided -= 1
            self.settled += sum(isinstance(event, ev.WagerSettled) for event in events)
            yield from compared(told, due, number, citations=not self.edition)

    def _movements(
        self, told: list[tuple[LedgerLine, ev.Event]], round: Round
    ) -> Iterator[MeterMovement]:
        table, number = self.stream.removeprefix(TABLE), round.number
        waits = round.won.meter if round.won is not None else None
        for line, event in told:
            drawn = drawing(table, number, event, waits)
            if drawn is not None:
                yield MeterMovement(line, drawn)
            if isinstance(event, MovesAMeter) and event.meter is not None:
                for meter, micros in meter_movements(event):
                    moved = MeterMoved(
                        clauses=event.clauses,
                        rulings=event.rulings,
                        table=table,
                        round=number,
                        meter=meter,
                        by_micros=micros,
                        reading_micros=reading_after(event),
                        why=tag_of(event),
                    )
                    yield MeterMovement(line, moved)


def _belongs(line: LedgerLine, above: LedgerLine | None) -> bool:
    """The words stand in the first line of an answer, which has one giver and one time."""
    if above is None or above.command_id != line.command_id:
        return line.command != "" and line.command_id != ""
    same = (line.at_us, line.actor, line.role) == (above.at_us, above.actor, above.role)
    return same and not line.command


def _renewal_reason(line: LedgerLine) -> str | None:
    """Why a pack was renewed, in the keeper's own words; nothing where no such words stand."""
    try:
        words = msgspec.json.decode(line.command, type=RenewShoe)
    except (msgspec.DecodeError, UnicodeError):
        return None
    is_own = (words.by, words.role) == (line.actor, line.role) == (SYSTEM, "device")
    return words.reason if is_own and msgspec.json.encode(words).decode() == line.command else None


def _edition(installed: TableInstalled, due: TableInstalled) -> str:
    """Who wrote a table, where it was not this program with this rulebook."""
    if installed.croupier == due.croupier and installed.rulebook_hash == due.rulebook_hash:
        return ""
    by = f"Croupier {installed.croupier}" if installed.croupier else "an earlier Croupier"
    same_book = installed.rulebook_hash == due.rulebook_hash
    return f"written by {by}{'' if same_book else ' with another edition of the rulebook'}"


def _are_other_rules(installed: TableInstalled, due: TableInstalled, edition: str) -> bool:
    """Another edition may cite other clauses; about money it has to say the same."""
    if not edition:
        return installed.rules_hash != due.rules_hash or installed.money_hash != due.money_hash
    return bool(installed.money_hash) and installed.money_hash != due.money_hash


def _with_hashes_of(installed: TableInstalled, due: TableInstalled) -> TableInstalled:
    """What is compared by itself, or was written in its own way by the program that wrote it."""
    return replace(
        due,
        submission=installed.submission,
        rules_hash=installed.rules_hash,
        money_hash=installed.money_hash,
        rulebook_hash=installed.rulebook_hash,
        croupier=installed.croupier,
    )


def _in_shape_of(told: TableSnapshot, due: TableSnapshot) -> TableSnapshot:
    """Another program may keep other things of a table; no program of this shape reads it then."""
    return due if told.shape == SHAPE else replace(due, shape=told.shape, table=told.table)


def _engine_lines(chapter: ReplayedLines) -> Iterator[LedgerLine]:
    for line, event in zip(chapter.lines, chapter.events, strict=True):
        if not isinstance(event, OF_THE_LEDGER):
            yield line
