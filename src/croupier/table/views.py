"""What a viewer may see of a table: the only way cards reach anybody.

A card is shown when it lies face up, or to the player whose box it was dealt to once the deal is
over (11.A). Surveillance sees every dealt card once the round is played out; nobody sees a card
that is still to come, because the state does not know it (rulings 39 and 11).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from croupier.facts.errors import Unreadable
from croupier.games.rules import PROGRESSIVE
from croupier.table.agenda import Phase, held_first_cards, moment, next_to_settle
from croupier.table.beyond import ALONE, Beyond
from croupier.table.due import Due, due_step
from croupier.table.handlers.handler import FLOOR
from croupier.table.handlers.opening import change_at_s, is_overdue, openings
from croupier.table.handlers.shuffle import why_deck_waits
from croupier.table.handlers.win_validation import waiting_line
from croupier.table.option_cache import OptionCache, OptionKey, shared_key
from croupier.table.options import Option, Viewing
from croupier.table.receipt_line import SettledLine, line_as
from croupier.table.state import Box, Call, Dispute, Lock, Round, State, replace

BACK = "??"
HOUSE = frozenset({"dealer", "floorperson", "manager", "surveillance"})


class Viewer(msgspec.Struct, frozen=True):
    role: Viewing
    name: str = ""

    def __post_init__(self) -> None:
        if self.role == "player" and not self.name:
            raise Unreadable("a player who looks at the table has a name")


PUBLIC = Viewer(role="public")
DEALER = Viewer(role="dealer")
FLOORPERSON = Viewer(role="floorperson")
MANAGER = Viewer(role="manager")
SURVEILLANCE = Viewer(role="surveillance")


class LineView(SettledLine, frozen=True, kw_only=True):
    """``pending``: won, and what it would be paid as the meters stand; it waits to be validated."""

    pending: bool = False


class BoxView(msgspec.Struct, frozen=True, omit_defaults=True):
    """``asked_cents`` are chips that its player asked the house for; ``bought_cents`` and
    ``cashed_cents`` what he has not acknowledged; ``left``: he had it in the round that is in
    sight, and has it no more."""

    seat: int
    player: str = ""
    left: bool = False
    stakes: dict[str, int] = {}
    chips_cents: int = 0
    light: bool = False
    cards: tuple[str, ...] = ()
    folded: bool = False
    away: str = ""
    asked_cents: int = 0
    bought_cents: int = 0
    cashed_cents: int = 0
    net_cents: int | None = None
    number: str = ""
    ready: bool = False
    lines: tuple[LineView, ...] = ()


class RequestView(msgspec.Struct, frozen=True, omit_defaults=True):
    """An act that waits for a second person, and who began it."""

    act: str
    by: str
    box: int = 0
    cents: int = 0


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """``over`` is the round that is in sight, where that is not the next one, ``round``; ``clause``
    is the one in force; ``turn`` the box that is asked or settled next;
    ``waits_for`` what was declared and waits, with ``waits_reason`` in words;
    ``opening`` how many stages each deck has behind it that is being opened, "" one to come;
    ``change_at_s`` when each deck has been in use as long as it may, which ``overdue`` are;
    ``uncounted`` how many rounds were dealt since the last count; ``deck_waits`` for the house:
    what has to be done with the cards first, and by what clause; ``unavailable`` are
    wagers that are not taken now, and why;
    ``refusal`` for the house: why a floorperson will not validate the win of ``turn``, and who
    said so;
    ``call`` since when the floorperson is called, and for the house by whom and why;
    ``lock`` the dispute for which the table is locked;
    ``disputes`` those that are open, for the house, and each for who is in it;
    ``requests`` what waits for a second person, for the house and for who began it;
    ``kept_cents`` the chips that are kept for the viewer;
    ``takes_numbers`` whether players' numbers shuffle the cards once more, ``unshown`` for the
    house how often each player did not show his, ``unopened`` how often the house did not open a
    pack that it had numbers for."""

    rulebook: str
    round: int
    phase: Phase
    way: str
    clause: str
    over: int = 0
    turn: int = 0
    waits_for: str = ""
    waits_reason: str = ""
    refusal: tuple[str, str] | None = None
    call: Call | None = None
    lock: Lock | None = None
    disputes: tuple[Dispute, ...] = ()
    requests: tuple[RequestView, ...] = ()
    kept_cents: int = 0
    boxes: tuple[BoxView, ...] = ()
    places: dict[str, tuple[str, ...]] = {}
    set_aside: tuple[str, ...] = ()
    meters: dict[str, int] = {}
    training: bool = False
    takes_numbers: bool = False
    unshown: dict[str, int] = {}
    unopened: int = 0
    decks: dict[str, str] = {}
    opening: dict[str, int] = {}
    change_at_s: dict[str, int] = {}
    overdue: tuple[str, ...] = ()
    deck_waits: tuple[str, str] | None = None
    uncounted: int = 0
    devices: dict[str, str] = {}
    unavailable: dict[str, str] = {}
    may: tuple[Option, ...] = ()


class TableSight:
    """A table at one moment, worked out once however many look at it.

    Most of it is the same for everybody; a viewer's own is put in its place. ``meters`` are
    newer readings than the state has, where somebody has them; ``kept`` are the options of
    the moments before, where it is looked at from change to change.
    """

    def __init__(
        self,
        state: State,
        meters: Mapping[str, int] | None = None,
        beyond: Beyond = ALONE,
        kept: OptionCache | None = None,
    ) -> None:
        self._state, self._beyond = state, beyond
        self._kept = kept or OptionCache()
        self._options: dict[tuple[Viewing, str], tuple[Option, ...]] = {}
        self._at_s = max(state.at_s, beyond.at_s)
        won, readings = state.round.won, state.meters if meters is None else meters
        self._won = waiting_line(state, readings) if won is not None else None
        now, asked = self._moment = moment(state)
        round = self._round = _shown(state, now)
        self._played_out = round is not state.round or now in ("settling", "clearing")
        self._held = held_first_cards(state, round)
        turn = next_to_settle(state) if now == "settling" else asked
        self._shared = View(
            rulebook=state.book.id,
            round=state.round.number,
            phase=now,
            way=round.way or state.way,
            clause=state.cite(state.hold.clause if state.hold else _in_force(state, now, asked)),
            over=round.number if round is not state.round else 0,
            turn=turn.seat if turn is not None else 0,
            waits_for=state.hold.name if state.hold else "",
            waits_reason=state.hold.reason if state.hold else "",
            call=Call(at_s=state.call.at_s) if state.call else None,
            lock=replace(state.lock, by="") if state.lock else None,
            boxes=tuple(_boxes(state, round)),
            places={at: _as_seen(cards, round.up) for at, cards in round.places.items()},
            set_aside=round.set_aside,
            meters=dict(readings),
            training=state.terms.training,
            takes_numbers=state.terms.takes_numbers,
            unopened=state.unopened,
            decks={deck.color: deck.stage for deck in state.decks},
            opening=openings(state),
            uncounted=state.uncounted if state.decks else 0,
            change_at_s={deck.color: change_at_s(state, deck) for deck in state.decks},
            overdue=tuple(
                deck.color for deck in state.decks if is_overdue(state, deck, self._at_s)
            ),
            devices=state.devices,
            unavailable={PROGRESSIVE: beyond.no_progressive} if beyond.no_progressive else {},
        )

    def view(self, viewer: Viewer) -> View:
        shared, is_house = self._shared, viewer.role in HOUSE
        return replace(
            shared,
            refusal=self._refusal() if is_house else None,
            deck_waits=self._deck_waits if is_house else None,
            unshown=self._state.unshown if is_house else {},
            call=self._state.call if is_house else shared.call,
            lock=self._state.lock if is_house else shared.lock,
            disputes=tuple(self._disputes(viewer)),
            requests=tuple(self._requests(viewer)),
            kept_cents=self._state.kept.get(viewer.name, 0) if viewer.role == "player" else 0,
            boxes=tuple([self._box(box, viewer) for box in shared.boxes]),
            places=self._places(viewer),
            may=self._may(viewer.role, viewer.name),
        )

    def _may(self, role: Viewing, name: str) -> tuple[Option, ...]:
        """Asked for a viewer, and once more for the box whose step is due."""
        if (role, name) not in self._options:
            self._options[role, name] = self._kept.options(
                self._state, role, name, self._moment, self._beyond, self._option_key
            )
        return self._options[role, name]

    @cached_property
    def _option_key(self) -> OptionKey:
        return shared_key(self._state, self._moment, self._beyond)

    def cards(self, viewer: Viewer) -> frozenset[str]:
        """Every card of this round that his view has by name; the one before may still lie there,
        and says nothing of this one."""
        if self._round is not self._state.round:
            return frozenset()
        boxes = (self._cards(box, viewer) for box in self._shared.boxes)
        lying = (*boxes, *self._places(viewer).values(), self._round.set_aside)
        return frozenset().union(*lying) - {BACK}

    def due(self, viewer: Viewer) -> Due | None:
        """The step that is due; what the floor has to do is the house's own affair."""
        step = self._due
        if step is None or viewer.role in HOUSE or step.role not in FLOOR:
            return step
        return Due(role="floorperson", box=step.box)

    @cached_property
    def _due(self) -> Due | None:
        return due_step(self._state, self._moment, self._beyond, self._may)

    @cached_property
    def _deck_waits(self) -> tuple[str, str] | None:
        why = why_deck_waits(self._state, self._moment.phase, self._at_s)
        return (why.sentence, why.clause) if why is not None else None

    def _refusal(self) -> tuple[str, str] | None:
        won = self._state.round.won
        return (won.refusal, won.proposed_by) if won is not None and won.refusal else None

    def _disputes(self, viewer: Viewer) -> Iterator[Dispute]:
        for one in self._state.disputes:
            if viewer.role in HOUSE:
                yield one
            elif viewer.role == "player" and viewer.name == one.player:
                yield replace(one, by="")

    def _requests(self, viewer: Viewer) -> Iterator[RequestView]:
        for one in self._state.requests:
            began = one.began
            if viewer.role in HOUSE or (began.by, began.role) == (viewer.name, viewer.role):
                yield RequestView(one.act, began.by, one.box, one.cents)

    def _sees_all(self, viewer: Viewer) -> bool:
        return viewer.role == "surveillance" and self._played_out

    def _places(self, viewer: Viewer) -> dict[str, tuple[str, ...]]:
        if not self._sees_all(viewer):
            return self._shared.places
        return {at: _known(cards) for at, cards in self._round.places.items()}

    def _box(self, shared: BoxView, viewer: Viewer) -> BoxView:
        """A box's chips and lines are its player's own affair, and the house's."""
        own = viewer.role == "player" and viewer.name == shared.player
        if not own and viewer.role not in HOUSE:
            return shared
        state, seat = self._state, shared.seat
        shared = replace(
            shared,
            chips_cents=state.chips.get(seat, 0),
            asked_cents=state.asked.get(seat, 0),
            bought_cents=state.bought.get(seat, 0),
            cashed_cents=state.cashed.get(seat, 0),
        )
        if seat not in self._round.boxes:
            return shared
        return replace(
            shared,
            cards=self._cards(shared, viewer),
            lines=tuple(self._lines(shared.seat)),
        )

    def _cards(self, shared: BoxView, viewer: Viewer) -> tuple[str, ...]:
        own = viewer.role == "player" and viewer.name == shared.player
        if shared.cards and ((own and self._held) or self._sees_all(viewer)):
            return _known(self._round.boxes[shared.seat].cards)
        return shared.cards

    def _lines(self, seat: int) -> Iterator[LineView]:
        for line in self._round.lines:
            if line.box == seat:
                yield line_as(LineView, line)
        if self._won is not None and self._won.box == seat:
            yield replace(line_as(LineView, self._won), pending=True)


def view(state: State, viewer: Viewer) -> View:
    return TableSight(state).view(viewer)


def _shown(state: State, now: Phase) -> Round:
    """The last round stays in sight until the next one begins."""
    over = now == "betting" and not state.round.boxes and state.last is not None
    return state.last if over and state.last is not None else state.round


def _boxes(state: State, round: Round) -> Iterator[BoxView]:
    """The boxes as anybody sees them who walks by."""
    nets = _nets(round)
    for seat in sorted({*state.seats, *round.boxes}):
        box = round.boxes.get(seat)
        if box is None:
            yield BoxView(seat=seat, player=state.seats[seat])
            continue
        yield BoxView(
            seat=seat,
            player=box.player,
            left=state.seats.get(seat) != box.player,
            stakes={w: c for w, c in box.stakes.items() if w not in box.forfeited},
            light=box.accepted,
            cards=_as_seen(box.cards, round.up),
            folded=box.folded,
            away=box.absent,
            net_cents=nets.get(seat),
            number=_number(box) if round is state.round else "",
            ready=box.ready and round.stage == "betting",
        )


def _number(box: Box) -> str:
    return "shown" if box.number else "committed" if box.number_hash else ""


def _known(cards: tuple[str, ...]) -> tuple[str, ...]:
    """A card whose seal nobody can open any more stands as its place, and has only a back."""
    return tuple([BACK if card.startswith("@") else card for card in cards])


def _as_seen(cards: tuple[str, ...], up: frozenset[str]) -> tuple[str, ...]:
    return tuple([card if card in up else BACK for card in cards])


def _nets(round: Round) -> Mapping[int, int]:
    nets: dict[int, int] = {}
    for line in round.lines:
        nets[line.box] = nets.get(line.box, 0) + line.net_cents
    return nets


def _in_force(state: State, now: Phase, asked: Box | None) -> str:
    by = state.book.procedure
    if now == "dealing":
        return state.plan[state.round.step].clause
    if now == "acting" and asked is not None:
        return state.book.streets[asked.answered].ask_clause
    if state.round.won is not None:
        return by.validate_clause
    return {
        "betting": by.before_close_clause,
        "revealing": by.reveal_clause,
        "settling": by.one_box_clause,
    }.get(now, by.clear_clause)
