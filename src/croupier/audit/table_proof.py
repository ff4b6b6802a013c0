"""One table proved from its lines: every command decided again, and its events compared.

The rules never look at a card that stays face down, so who has no key puts any other card in its
place and must come to the same events. With the key the sealed packs are opened and compared too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

import msgspec

from croupier.audit.difference import Difference, at
from croupier.audit.shoe_proof import ShoeProof
from croupier.facts.errors import Refusal, Unreadable
from croupier.games.house import House
from croupier.ledger.hand import MICROS_A_SECOND, RenewShoe, bare
from croupier.ledger.happenings import (
    OF_THE_LEDGER,
    TABLE,
    MeterMoved,
    TableInstalled,
    tag_of,
)
from croupier.ledger.installing import installation
from croupier.ledger.keeper import commits_to
from croupier.ledger.keyring import KeyRing
from croupier.ledger.link import meter_movements, movements
from croupier.ledger.record import Record, written_entries
from croupier.ledger.restoring import (
    Chapter,
    chapters,
    installed_in,
    kept_submission,
    kept_terms,
)
from croupier.ledger.tokens import place
from croupier.submission.fingerprint import rules_hash
from croupier.submission.submission import Submission
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.engine import decide, fold
from croupier.table.state import State, new_table

replace = msgspec.structs.replace
MovesAMeter = (
    ev.MeterGrew | ev.MeterShrank | ev.WagerSettled | ev.LineReversed | ev.ProgressiveRefused
)
NEVER_NEGATIVE = ("purse", "felt", "pending")


class Movement(NamedTuple):
    """What a line of a table did to a meter: the line that its link has to have for it."""

    line: Record
    event: MeterMoved


class TableProof:
    """A table as its lines say it must stand, and every difference on the way."""

    def __init__(self, ledger_id: str, stream: str, house: House, ring: KeyRing | None) -> None:
        self.stream, self._house = stream, house
        self.shoe = ShoeProof(ledger_id, stream, ring)
        self.installed: TableInstalled | None = None
        self.submission: Submission | None = None
        self.installed_by = ""
        self.accounts: dict[str, int] = {}
        self.moved: list[Movement] = []
        self.rounds = self.lines = self.settled = 0
        self._state: State | None = None
        self._above: Record | None = None

    def prove(self, lines: Iterable[Record]) -> Iterator[Difference]:
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

    def _install(self, chapter: Chapter) -> Iterator[Difference]:
        for line, event in zip(chapter.lines, chapter.events, strict=True):
            yield from self._line(line, event, chapter.round)
        line = chapter.lines[0]
        try:
            installed = installed_in(chapter, self.stream)
            self.submission = kept_submission(installed, self._house)
            terms = kept_terms(installed, self._house)
        except (Unreadable, Refusal) as error:
            yield at(line, "installation", str(error))
            return
        self.installed, self.installed_by = installed, line.command_id
        self._state = new_table(terms)
        if rules_hash(terms.rules) != installed.rules_hash:
            yield at(line, "installation", "the rules are not those it was opened with")
        name, link = self.stream.removeprefix(TABLE), installed.link
        due = installation(self.submission, self._house, name, link, practice=installed.practice)
        if installed != replace(
            due, submission=installed.submission, rules_hash=installed.rules_hash
        ):
            yield at(line, "installation", "it is not the installation of this table")
        for extra in chapter.lines[1:]:
            yield at(extra, "installation", "nothing happens before the first pack is committed to")

    def _round(self, chapter: Chapter) -> Iterator[Difference]:
        self.rounds = max(self.rounds, chapter.round)
        if self._state is not None:
            yield from self._begins(chapter, self._state)
        yield from self.shoe.prove(chapter)
        for line, event in zip(chapter.lines, chapter.events, strict=True):
            yield from self._line(line, event, chapter.round)
        cards = self.shoe.stand_ins
        told = zip(_told_lines(chapter), chapter.told(cards), strict=True)
        for _, group in groupby(told, lambda pair: pair[0].command_id):
            yield from self._command(list(group), cards, chapter.round)

    def _begins(self, chapter: Chapter, state: State) -> Iterator[Difference]:
        """A pack comes with the round, or in the place of one that nobody can open, before bets
        are closed.
        """
        line, above = chapter.lines[0], self._above
        told = chapter.committed
        assert told is not None
        if chapter.round != state.round.number:
            why = f"it is round {state.round.number} that begins"
            yield at(line, "fold", why, chapter.round)
        elif told != commits_to(state, told.commitment, told.sealed):
            yield at(line, "shoe", "it is not as a pack is committed to", chapter.round)
        if state.round.stage != "betting":
            yield at(line, "shoe", "a pack is committed to after bets were closed", chapter.round)
        if (above is None or above.command_id != line.command_id) and not _is_renewal(line):
            yield at(line, "shoe", "nothing called for a pack here", chapter.round)

    def _line(self, line: Record, event: ev.Event, number: int) -> Iterator[Difference]:
        """What each line says of itself: its kind, its time and both sides of its money."""
        self.lines += 1
        above, self._above = self._above, line
        if above is not None and line.at_us < above.at_us:
            yield at(line, "time", "its time lies before the line above it", number)
        if not _belongs(line, above):
            yield at(line, "command", "it does not belong to the command it names", number)
        if line.kind != tag_of(event):
            yield at(line, "fold", f"it is called {line.kind} and holds another event", number)
        due = movements(event)
        if line.entries != written_entries(due):
            yield at(line, "books", "its entries are not what the event moves", number)
        for account, micros in due:
            now = self.accounts[account] = self.accounts.get(account, 0) + micros
            if micros < 0 and now < 0 and account.startswith(NEVER_NEGATIVE):
                yield at(line, "books", f"{account} falls below nothing", number)

    def _command(
        self, told: list[tuple[Record, ev.Event]], cards: Mapping[int, str], number: int
    ) -> Iterator[Difference]:
        """Decide the words again, from the same table, and compare what comes of it."""
        line, events = told[0][0], tuple(event for _, event in told)
        self.settled += sum(isinstance(event, ev.WagerSettled) for event in events)
        before = self._state
        if before is None:
            return
        self.moved += self._movements(told, before.round.number)
        try:
            self._state = fold(before, events)
            due = decide(before, _asked(line, before, events, cards))
        except Refusal as refusal:
            yield at(line, "rules", f"refused: {refusal.sentence}", number, refusal.clause)
        except Unreadable as error:
            yield at(line, "command", str(error), number)
        except Exception:
            # Whatever an altered line makes the engine stumble over is found here, and nowhere
            # else: an audit says where, and goes on.
            yield at(line, "fold", "the events do not follow from the table before them", number)
        else:
            yield from _compared(told, due, number)

    def _movements(self, told: list[tuple[Record, ev.Event]], number: int) -> Iterator[Movement]:
        for line, event in told:
            if isinstance(event, MovesAMeter) and event.meter is not None:
                for meter, micros in meter_movements(event):
                    moved = MeterMoved(
                        clauses=event.clauses,
                        rulings=event.rulings,
                        table=self.stream.removeprefix(TABLE),
                        round=number,
                        meter=meter,
                        by_micros=micros,
                        reading_micros=_reading_after(event),
                        why=tag_of(event),
                    )
                    yield Movement(line, moved)


def _belongs(line: Record, above: Record | None) -> bool:
    """The words stand in the first line of an answer, which has one giver and one time."""
    if above is None or above.command_id != line.command_id:
        return line.command != "" and line.command_id != ""
    same = (line.at_us, line.actor, line.role) == (above.at_us, above.actor, above.role)
    return same and not line.command


def _is_renewal(line: Record) -> bool:
    try:
        msgspec.json.decode(line.command, type=RenewShoe)
    except (msgspec.DecodeError, UnicodeError):
        return False
    return True


def _compared(
    told: list[tuple[Record, ev.Event]], due: tuple[ev.Event, ...], number: int
) -> Iterator[Difference]:
    for (line, event), expected in zip(told, due, strict=False):
        if event != expected:
            clause = expected.clauses[0] if expected.clauses else ""
            yield at(line, "rules", _differs(event, expected), number, clause)
    if len(told) != len(due):
        line = told[min(len(told), len(due)) - 1][0] if due else told[0][0]
        yield at(line, "rules", f"{len(due)} events are due here, not {len(told)}", number)


def _differs(event: ev.Event, due: ev.Event) -> str:
    """The first field that is not as the rules give it."""
    if type(event) is not type(due):
        return f"{tag_of(due)} is due, not {tag_of(event)}"
    for name in event.__struct_fields__:
        was, should = getattr(event, name), getattr(due, name)
        if was != should:
            return f"{tag_of(event)}: {name} is {_said(was)}, due is {_said(should)}"
    return "it is not as the rules give it"


def _said(value: object) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()[:200]


def _told_lines(chapter: Chapter) -> Iterator[Record]:
    for line, event in zip(chapter.lines, chapter.events, strict=True):
        if not isinstance(event, OF_THE_LEDGER):
            yield line


def _asked(
    line: Record, state: State, events: tuple[ev.Event, ...], cards: Mapping[int, str]
) -> do.Command:
    """The words with what was brought to them: time, cards and readings, as the events tell."""
    command = do.read_command(line.command)
    if (command.by, command.role) != (line.actor, line.role):
        raise Unreadable("the line names another giver than the words of its command")
    if msgspec.json.encode(bare(command)).decode() != line.command:
        raise Unreadable("the words of its command are not as they were asked")
    known: dict[str, object] = {"at_s": line.at_us // MICROS_A_SECOND}
    if isinstance(command, do.Deal):
        known["cards"] = _drawn(events)
    if isinstance(command, do.Declare):
        known["cards"] = _found(events) if command.cards else ()
        known["exposed"] = tuple(cards.get(place(seen), "") for seen in command.exposed)
    if "meters" in command.__struct_fields__ and state.terms.meters:
        known["meters"] = readings_before(events, state)
    return replace(command, **known)


def _drawn(events: tuple[ev.Event, ...]) -> tuple[str, ...]:
    return tuple(
        card
        for event in events
        if isinstance(event, ev.CardsDealt)
        for lie in event.lies
        for card in lie.cards
    )


def _found(events: tuple[ev.Event, ...]) -> tuple[str, ...]:
    return tuple(
        card
        for event in events
        if isinstance(event, ev.IrregularityDeclared)
        for card in event.cards
    )


def readings_before(events: Iterable[ev.Event], state: State) -> Mapping[str, int]:
    """What stood on the meters; of one that no event reads any reading will do."""
    known: dict[str, int] = {}
    for event in events:
        if isinstance(event, MovesAMeter) and event.meter is not None:
            moved = dict(meter_movements(event)).get(event.meter, 0)
            known.setdefault(event.meter, _reading_after(event) - moved)
    return {name: known.get(name, state.meters.get(name, 0)) for name in state.terms.meters}


def _reading_after(event: MovesAMeter) -> int:
    return event.meter_after_micros if isinstance(event, ev.WagerSettled) else event.reading_micros
