"""A table over its ledger: command in, engine's events appended, state changed after the commit.

A command is idempotent by its id, and an append optimistic: it names the version it was planned on.

The keeper brings in what the engine must not have: the clock, the sealed cards and the meters. It
writes face-down cards as places in the pack, and opens each card when the rules turn it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

import msgspec

from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import Registry
from croupier.ledger.append_retry import AppendRetry
from croupier.ledger.envelope import (
    LONGEST,
    MICROS_A_SECOND,
    SYSTEM,
    Envelope,
    RenewShoe,
    own_envelope,
    words,
    words_hash,
)
from croupier.ledger.events import (
    OF_THE_LEDGER,
    REFUSALS,
    TABLE,
    CommandRefused,
    ShoeCommitted,
    TableInstalled,
    TableSnapshot,
    read_kept,
    tag_of,
)
from croupier.ledger.link import Link, LinkState, Movements, moves
from croupier.ledger.replay import kept_terms, restored
from croupier.ledger.shoe.card_tokens import place
from croupier.ledger.shoe.commitment import Commitment, SealBinding, commitment
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.masked_cards import (
    all_cards,
    masked,
    opened_after,
    openings_of,
    shown_cards,
    unmasked,
)
from croupier.ledger.shoe.pack import Pack
from croupier.ledger.shoe.seal import Sealed, sealed
from croupier.ledger.shoe.sealed_shoe import SealedShoe
from croupier.ledger.snapshot import EVERY, snapshot_of
from croupier.ledger.store.line import LedgerLine, LineDraft
from croupier.ledger.store.port import Ledger, Moved, Repeated, Unavailable, Writing
from croupier.ledger.verification import authenticated
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import cards_needed, phase
from croupier.table.beyond import ALONE, Beyond, informed
from croupier.table.engine import decide, fold
from croupier.table.shoe import order_of
from croupier.table.state import State, new_table

TOLERATED_US = 1_000_000
NO_PACK = Pack((), ())
SNAPSHOT = tag_of(TableSnapshot)

Clock = Callable[[], int]
Packs = Callable[[], Pack]


def system_clock() -> int:
    """Microseconds since 1970, UTC."""
    return time.time_ns() // 1000


class Answer(msgspec.Struct, frozen=True):
    """What came of a command, and the version of the table after it.

    ``again``: this is the first answer to a command that was sent more than once.
    """

    events: tuple[ev.Event, ...]
    version: int
    again: bool = False


class AppendPlan(msgspec.Struct, frozen=True):
    """What a command would write, and what is so once it is written; ``refusal``: nothing is."""

    writings: tuple[Writing, ...]
    events: tuple[ev.Event, ...]
    after: State
    at_us: int
    pack: Pack | None = None
    moved: Movements = ()
    refusal: Refusal | None = None


class Stale(Unreadable):
    """The command was given by somebody who saw an older table."""


class RefusedBefore(Refusal):
    """The first answer to a command that was sent more than once, and was a no."""


class LedgerTable:
    """A table as its ledger has it, read and never written through this: rules, state, version."""

    def __init__(
        self,
        name: str,
        installed: TableInstalled,
        state: State,
        version: int = 0,
        pack: Pack | None = None,
    ) -> None:
        self.name, self.stream, self.refusals = name, f"{TABLE}{name}", f"{REFUSALS}{name}"
        self.installed, self.state, self.version = installed, state, version
        self._pack = pack

    def shoe(self) -> SealedShoe:
        """The shoe as it stands: what is out of the pack is what the round has out, and what a
        dealer in training cut is cut.

        A round whose pack is lost is void, and its shoe empty.
        """
        if self._pack is None:
            return SealedShoe(NO_PACK)
        round = self.state.round
        order = order_of(round.number, round.numbers)
        return SealedShoe(self._pack, round.out, round.cut, order)

    def readings(self) -> dict[str, int]:
        """The meters of its link, for whoever plays it."""
        return {}


def described_table(name: str, installed: TableInstalled, registry: Registry) -> LedgerTable:
    """What is known of a table without playing it: its rules, and nothing of its rounds."""
    return LedgerTable(name, installed, new_table(kept_terms(installed, registry)))


def read_table(ledger: Ledger, name: str, registry: Registry, ring: KeyRing) -> LedgerTable:
    """A table as its ledger has it now, for somebody who does not play it."""
    kept = restored(ledger, f"{TABLE}{name}", registry, ring)
    return LedgerTable(name, kept.installed, kept.state, kept.version, kept.pack)


class KeptTable(LedgerTable):
    """One table of a ledger, played. Commands are given one after the other."""

    def __init__(
        self,
        ledger: Ledger,
        name: str,
        registry: Registry,
        ring: KeyRing,
        packs: Packs,
        clock: Clock = system_clock,
        *,
        keys_are_lost: bool = False,
        snapshot_every: int = EVERY,
    ) -> None:
        authenticated(ledger, ring, keys_are_lost=keys_are_lost)
        kept = restored(ledger, f"{TABLE}{name}", registry, ring)
        super().__init__(name, kept.installed, kept.state, kept.version, kept.pack)
        self.ledger, self._registry, self._ring = ledger, registry, ring
        self._packs, self._clock, self._snapshot_every = packs, clock, snapshot_every
        self.last_us, self._snapshot_line = kept.last_us, kept.snapshot_line
        self._root: tuple[Pack, str] | None = None
        self.link = Link(ledger, kept.installed.link) if kept.installed.link else None
        self.beyond: Callable[[], Beyond] = lambda: ALONE
        """What only whoever serves the table knows."""
        if kept.pack is None:
            self._renew_shoe(kept.why_no_pack, keys_are_lost)

    def give(self, command: do.Command, command_id: str, seen: int | None = None) -> Answer:
        """Let a command happen, once; a refused one is kept beside the table and raised."""
        do.read_command(words(command))  # one made in Python may not fit its own types
        retry = self.append_retry(command, command_id, seen)
        while isinstance(planned := retry.next_plan(), AppendPlan):
            try:
                self.ledger.append(*planned.writings)
            except (Moved, Repeated) as rejection:
                retry.rejected(rejection)
            else:
                return self.believe(planned)
        return planned

    def plan(
        self,
        command: do.Command,
        command_id: str,
        seen: int | None = None,
        *,
        is_new: bool = False,
    ) -> AppendPlan | Answer:
        """What would be written; or the first answer, where the command was given before.

        Whoever takes an id for new spares looking for it: if it is not, the ledger refuses the
        plan as Repeated.
        """
        asked = words(command)
        if not command_id:
            raise Unreadable("a command needs an id of its own")
        first = () if is_new else self.ledger.answered(command_id)
        if first:
            return self._first_answer(first, asked, command_id)
        if seen is not None and seen != self.version:
            raise Stale(f"the table is at version {self.version}, not {seen}; look again")
        self._refuse_without_pack(command)
        envelope = Envelope(command, command_id, asked, self._now())
        link_state = self.link.state if self.link is not None else None
        try:
            events = decide(self.state, self._filled(command, envelope.at_us, link_state))
        except Refusal as refusal:
            if self._is_behind() or self._link_is_behind(command, link_state):
                return self.plan(command, command_id, seen, is_new=is_new)
            return AppendPlan(
                (self._refused(refusal, envelope),), (), self.state, envelope.at_us, refusal=refusal
            )
        after = fold(self.state, events)
        pack, drafts = self._drafts(events, after, envelope)
        writings = [Writing(self.stream, self.version, drafts)]
        moved: Movements = ()
        if self.link is not None and link_state is not None:
            by_us = moves(self.name, self.state.round, events, link_state.readings)
            moved = link_state.movements(tuple(by_us), self._snapshot_every)
            lines = tuple(envelope.without_words().draft(event) for event in moved)
            if lines:
                refuse_set_back(envelope.at_us, link_state.last_us)
                writings.append(Writing(self.link.stream, link_state.version, lines))
        return AppendPlan(tuple(writings), events, after, envelope.at_us, pack, moved)

    def append_retry(
        self,
        command: do.Command,
        command_id: str,
        seen: int | None,
        planned: AppendPlan | Answer | None = None,
    ) -> AppendRetry[AppendPlan | Answer]:
        """A command's retry loop, for whoever appends its plans."""

        def plan() -> AppendPlan | Answer:
            return self.plan(command, command_id, seen)

        return AppendRetry(f"table {self.name} or its link", plan, self.catch_up, planned)

    def believe(self, plan: AppendPlan) -> Answer:
        """What is written is what is so."""
        if plan.refusal is not None:
            raise plan.refusal
        self.state, self._pack, self.last_us = plan.after, plan.pack, plan.at_us
        for draft in plan.writings[0].drafts:
            self.version += 1
            self._snapshot_line = self.version if draft.kind == SNAPSHOT else self._snapshot_line
        if self.link is not None and plan.moved:
            self.link.follow(plan.moved, plan.writings[-1].expected, plan.at_us)
        return Answer(plan.events, self.version)

    def catch_up(self, moved: Moved) -> None:
        """Another wrote first, or an append whose answer was lost is there after all."""
        if moved.stream == self.stream:
            self._read_back()
        if self.link is not None:
            self.link.refresh()

    def now_s(self) -> int:
        """What time it is, in the seconds that commands are given in."""
        return self._clock() // MICROS_A_SECOND

    def committed_root(self) -> str:
        """What everybody can hold this round's cards against later; empty without a pack."""
        if self._pack is None:
            return ""
        if self._root is None or self._root[0] is not self._pack:
            bound = SealBinding(self.ledger.id, self.stream, self.state.round.number)
            self._root = self._pack, commitment(self._pack, bound).root
        return self._root[1]

    def readings(self) -> dict[str, int]:
        return dict(self.link.readings) if self.link is not None else {}

    def ahead(self, link_state: LinkState | None = None) -> str:
        """The table whose win comes before the one that waits here, on a meter they share."""
        link_state = link_state or (self.link.state if self.link is not None else None)
        won = self.state.round.won
        return (
            link_state.ahead_of(self.name, won.meter)
            if link_state is not None and won is not None
            else ""
        )

    def _is_behind(self) -> bool:
        """Whether the ledger had more of this table than was believed; it is believed now."""
        head = self.ledger.head(self.stream)
        if head.version == self.version:
            return False
        self.catch_up(Moved(self.stream, self.version, head.version))
        return True

    def _link_is_behind(self, command: do.Command, link_state: LinkState | None) -> bool:
        """Whether the win that was said to come first may have been decided elsewhere meanwhile."""
        if not isinstance(command, do.ValidateProgressive) or self.link is None:
            return False
        self.link.refresh()
        return self.link.state is not link_state

    def _read_back(self) -> None:
        """The table as its ledger has it, whatever was believed before."""
        kept = restored(self.ledger, self.stream, self._registry, self._ring)
        self.state, self._pack = kept.state, kept.pack
        self.version, self.last_us, self._snapshot_line = (
            kept.version,
            kept.last_us,
            kept.snapshot_line,
        )

    # Answers

    def _first_answer(self, first: Sequence[LedgerLine], asked: str, command_id: str) -> Answer:
        own = [line for line in first if line.stream in (self.stream, self.refusals)]
        if not own or own[0].command not in (asked, words_hash(asked)):
            own_part = command_id.partition("/")[2] or command_id
            raise Unreadable(f"command {own_part} was given before, with other words")
        refused = read_kept(own[0].body)
        if isinstance(refused, CommandRefused):
            raise RefusedBefore(refused.sentence, refused.clause)
        if own[-1].version > self.version:
            self.catch_up(Moved(self.stream, self.version, own[-1].version))
        return Answer(tuple(self._events_of(own)), own[-1].version, again=True)

    def _events_of(self, lines: Sequence[LedgerLine]) -> Iterator[ev.Event]:
        """What was answered; the cards of a round that is over stay places, as they are kept."""
        shoe = self.ledger.last_of(self.stream, tag_of(ShoeCommitted))
        this_round = shoe is not None and lines[0].version > shoe.version
        known = all_cards(self._pack) if this_round and self._pack is not None else {}
        for line in lines:
            event = read_kept(line.body)
            if not isinstance(event, OF_THE_LEDGER):
                yield unmasked(event, known)

    def _refused(self, refusal: Refusal, envelope: Envelope) -> Writing:
        event = CommandRefused(
            clauses=(refusal.clause,), sentence=refusal.sentence, clause=refusal.clause
        )
        last = self.ledger.last_of(self.refusals, tag_of(CommandRefused))
        if last is not None:
            refuse_set_back(envelope.at_us, last.at_us)
        line = envelope.with_hash().draft(event)
        return Writing(self.refusals, last.version if last is not None else 0, (line,))

    # What goes in

    def _refuse_without_pack(self, command: do.Command) -> None:
        """Another keeper may have newer keys, and its round is not for this one to end."""
        stage, ends_it = self.state.round.stage, (do.VoidRound, do.Confirm, do.AnswerCall)
        if self._pack is None and stage != "void" and not isinstance(command, ends_it):
            raise Unavailable(
                f"the pack of round {self.state.round.number} was sealed with a key that is not "
                "on this ring; start again with the ring that has it"
            )

    def _now(self) -> int:
        at_us = self._clock()
        refuse_set_back(at_us, self.last_us)
        return max(at_us, self.last_us)

    def _filled(self, command: do.Command, at_us: int, link_state: LinkState | None) -> do.Command:
        """The command with the time, the cards and the readings that it needs."""
        known: dict[str, Any] = {"at_s": at_us // MICROS_A_SECOND}
        if isinstance(command, do.Deal) and phase(self.state) == "dealing":
            known["cards"] = self.shoe().draw(cards_needed(self.state))
        if isinstance(command, do.Declare):
            known |= self._declared(command)
        beyond = self.beyond()._replace(ahead=self.ahead(link_state))
        filled = informed(self.state, msgspec.structs.replace(command, **known), beyond)
        return do.with_readings(filled, link_state.readings) if link_state is not None else filled

    def _declared(self, command: do.Declare) -> dict[str, Any]:
        """Nobody names a card here, or who guesses would learn from what is refused.

        What is found face up is what the shoe gives next; what was seen is named by its place.
        """
        found, seen = command.cards, command.exposed
        if len(found) == 1 and self._pack is not None:
            found = self.shoe().draw(1)
        if seen:
            pack = (self._pack or NO_PACK).cards
            seen = tuple(pack[at] for at in map(place, seen) if at < len(pack))
        return {"cards": found, "exposed": seen}

    # What is written

    def _drafts(
        self, events: Sequence[ev.Event], after: State, envelope: Envelope
    ) -> tuple[Pack | None, tuple[LineDraft, ...]]:
        """The lines of the answer, and the pack after it: a new one when a new round begins, or
        when the deck in play is to be shuffled again (rulings 39 and 45)."""
        pack = self._pack
        places = {card: at for at, card in enumerate(pack.cards)} if pack is not None else {}
        lines: list[ev.Event] = []
        for event in events:
            lines.append(masked(event, places))
            shown = [places[card] for card in shown_cards(event)]
            if shown and pack is not None:
                openings = openings_of(pack, shown)
                lines.append(opened_after(event, self.state.round.number, openings))
        if after.round.number != self.state.round.number:
            is_long = self.version + len(lines) - self._snapshot_line >= self._snapshot_every
            if is_long and pack is not None:
                lines.append(self._snapshot(after, places))
        if after.round.number != self.state.round.number or orders_anew(self.state, events, after):
            pack = self._packs()
            lines.append(self._committed(pack, after))
        first, *rest = lines
        quiet = envelope.without_words()
        return pack, (envelope.draft(first), *(quiet.draft(event) for event in rest))

    def _snapshot(self, after: State, places: Mapping[str, int]) -> TableSnapshot:
        """Whoever reads the table back later begins here."""
        dealt_from = self.ledger.last_of(self.stream, tag_of(ShoeCommitted))
        assert dealt_from is not None
        return snapshot_of(after, places, dealt_from.version, self._snapshot_line)

    def _renew_shoe(self, why: str, keys_are_lost: bool) -> None:
        """A pack that cannot be opened: its round is void, its wagers go back, a new one comes.

        A wrong ring looks like a lost key, so no round in play ends before somebody says so, and
        where the policy asks for two a manager confirms it. While bets are open nothing was dealt:
        wagers that are down go back at once, and everybody is told; with none down there is
        nothing to tell.
        """
        command_id, round = f"{SYSTEM}-{uuid4()}", self.state.round
        if round.stage in ("play", "salvage"):
            if self.state.hold is not None and self.state.hold.name == do.UNREADABLE:
                return
            if not keys_are_lost:
                raise Unavailable(
                    f"table {self.name} is in the middle of round {round.number}, and "
                    f"{why}; bring the right keys, or say that they are lost and void the round"
                )
            if self.state.hold is None:
                self.give(_unreadable(why), command_id)
        elif round.stage == "betting" and round.boxes:
            self.give(_unreadable(why), command_id)
        elif round.stage == "betting":
            pack, at_us = self._packs(), self._now()
            renewed = RenewShoe(by=SYSTEM, role="device", reason=why[:LONGEST])
            envelope = own_envelope(renewed, command_id, at_us)
            line = envelope.draft(self._committed(pack, self.state))
            plan = AppendPlan(
                (Writing(self.stream, self.version, (line,)),), (), self.state, at_us, pack
            )
            self.ledger.append(*plan.writings)
            self.believe(plan)

    def _committed(self, pack: Pack, state: State) -> ShoeCommitted:
        return committed(self.ledger.id, self.stream, pack, self._ring, state)


def _unreadable(why: str) -> do.VoidRound:
    return do.VoidRound(by=SYSTEM, role="device", cause=do.UNREADABLE, reason=why[:LONGEST])


def orders_anew(before: State, events: Sequence[ev.Event], after: State) -> bool:
    """Whether a round that bets are open for is to be dealt from another order of cards."""
    is_open = after.round.stage == "betting" and after.round.number == before.round.number
    return is_open and any(ev.ends_order(event, before.color) for event in events)


def refuse_set_back(at_us: int, last_us: int) -> None:
    """The clock may be set back by a breath, never by more: times in the ledger only grow."""
    if at_us < last_us - TOLERATED_US:
        raise Unavailable(
            f"the clock went back {(last_us - at_us) / MICROS_A_SECOND:.0f} seconds since "
            "the last event; set it right, and the table goes on, or let a manager correct it"
        )


def committed(
    ledger_id: str, stream: str, pack: Pack, ring: KeyRing, state: State
) -> ShoeCommitted:
    """Before any wager of its round can close, everybody holds the house to this order."""
    bound = SealBinding(ledger_id, stream, state.round.number)
    return commits_to(state, commitment(pack, bound), sealed(ring, pack, bound))


def commits_to(state: State, order: Commitment, seal: Sealed) -> ShoeCommitted:
    return ShoeCommitted(
        clauses=state.cites(state.book.procedure.first_shuffle_clause),
        rulings=(38, 39),
        round=state.round.number,
        commitment=order,
        sealed=seal,
    )
