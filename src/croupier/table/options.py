"""What may be done now, and by whom: the commands a screen offers.

It reads the same agenda as the engine; a test asks the engine about every option it gives. What
goes wrong is offered too: to the staff, with the names of what can go wrong now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

import msgspec

from croupier.games.round import REASONS
from croupier.rulebook.book import Street
from croupier.table.agenda import Moment, Phase, cards_needed, moment, next_to_settle
from croupier.table.handlers.absence import boxes_to_leave
from croupier.table.handlers.chips import chips_of, left_behind, may_move_chips
from croupier.table.handlers.devices import uncovered, why_not_change
from croupier.table.handlers.handler import FLOOR
from croupier.table.handlers.irregularities import possible_now
from croupier.table.handlers.opening import colors_to_receive, decks_allowed, is_past_opening
from croupier.table.handlers.progressive import PROGRESSIVE, mismatched
from croupier.table.handlers.round_end import why_not_reveal, why_not_settle
from croupier.table.handlers.shuffle import (
    can_be_shuffled,
    cards_to_find,
    device_counts,
    stub_is_due,
    unshuffled_idle_deck,
    why_not_idle,
    why_not_shuffle,
)
from croupier.table.handlers.stub_count import deck_to_count, why_not_count
from croupier.table.handlers.wagers import misplaced, why_not_leave, why_not_take
from croupier.table.state import Box, Deck, State
from croupier.table.terms import ABSENCES
from croupier.table.validation import why_not_validate_yet

Viewing = Literal["player", "dealer", "floorperson", "manager", "surveillance", "public"]


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command by its stored name, with what it would say.

    ``names`` are irregularities, devices, ways of dealing, reasons of a refusal or rulings on a
    player who left (the filed one first) to choose from. A shuffle is
    ``by_device`` where one works, and says how many ``cards`` one that counts has to find.
    ``sizes`` are the least and the most that may lie on each wager, and the steps between.
    A stub that is ``due`` is counted before anything else; any other may be.
    """

    do: str
    box: int = 0
    cents: tuple[int, ...] = ()
    wagers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    cards: int = 0
    color: str = ""
    by_device: bool = False
    due: bool = False
    sizes: Mapping[str, tuple[int, int, int]] = {}


class Beyond(NamedTuple):
    """What a table cannot know of itself: that a clock runs for the box that is asked, why no
    Progressive wager is taken, and whose win comes ahead of its own on a meter they share."""

    clock_runs: bool = False
    no_progressive: str = ""
    ahead: str = ""


ALONE = Beyond()


def options(
    state: State, role: Viewing, name: str, now: Moment | None = None, beyond: Beyond = ALONE
) -> tuple[Option, ...]:
    if state.hold is not None:
        floor = (Option(do="confirm"), *_void(state), *_called(state))
        return floor if role in FLOOR else ()
    now = now or moment(state)
    if role == "player":
        return tuple(_players(state, name, now, beyond))
    if role == "dealer":
        return (*_dealers(state, now, beyond), *_staff(state, now.phase, role))
    if role in FLOOR:
        floor = (*_won(state, role, beyond), *_floor(state, now.phase))
        return (*floor, *_staff(state, now.phase, role), *_called(state))
    return ()


def _players(state: State, name: str, now: Moment, beyond: Beyond) -> Iterator[Option]:
    own = [seat for seat, player in state.seats.items() if player == name]
    for seat in range(1, state.terms.boxes + 1):
        if seat not in state.seats and why_not_take(state, seat, name) is None:
            yield Option(do="take-box", box=seat)
    for seat in own:
        if may_move_chips(state, seat):
            yield Option(do="cash-out", box=seat, cents=(chips_of(state, seat),))
            yield Option(do="tip", box=seat, cents=(chips_of(state, seat),))
        if seat not in state.round.boxes and why_not_leave(state, seat) is None:
            yield Option(do="leave-box", box=seat)
    for seat, player in left_behind(state).items() if state.left_by else ():
        if player == name and may_move_chips(state, seat):
            yield Option(do="cash-out", box=seat, cents=(chips_of(state, seat),))
    if now.phase == "betting":
        opened = state.open or is_past_opening(state)
        for seat in own:
            if opened:
                yield _wagers(state, seat, beyond)
            if seat in state.round.boxes:
                held = tuple(state.round.boxes[seat].stakes)
                yield Option(do="withdraw-wagers", box=seat, wagers=held)
    asked = now.asked
    if asked is not None and asked.seat in own and asked.absent != "left":
        street = state.book.streets[asked.answered]
        sizes = _affordable_sizes(state, asked, street)
        if sizes:
            yield Option(do="play", box=asked.seat, cents=sizes)
        yield Option(do=street.otherwise, box=asked.seat)


def _wagers(state: State, seat: int, beyond: Beyond) -> Option:
    """The wagers that are open, and what may lie on each."""
    offered = state.terms.offered[state.way]
    if beyond.no_progressive:
        offered = tuple(name for name in offered if name != PROGRESSIVE)
    return Option(do="place-wagers", box=seat, wagers=offered, sizes=state.terms.sizes[state.way])


def _affordable_sizes(state: State, box: Box, street: Street) -> tuple[int, ...]:
    """The sizes of the street's wager, or the ends of its range, that the box's chips allow."""
    ante = box.stakes[state.terms.play[1]]
    most = chips_of(state, box.seat) if state.terms.keeps_chips else None
    if street.multiples:
        return tuple(
            size * ante for size in street.multiples if most is None or size * ante <= most
        )
    least, top = (street.least_multiple or 1) * ante, (street.most_multiple or 1) * ante
    if most is None:
        return (least, top)
    return (least, min(top, most)) if least <= most else ()


def _dealers(state: State, now: Moment, beyond: Beyond) -> Iterator[Option]:
    idle = unshuffled_idle_deck(state)
    if now.phase == "betting":
        for deck in state.decks:
            yield from _deck_work(state, deck)
        if state.terms.electronic_shoe and not state.open:
            yield Option(do="open-table")
        wrong = misplaced(state)
        for seat, wagers in wrong.items():
            yield Option(do="withdraw-wagers", box=seat, wagers=wagers)
        ready = state.open if state.terms.electronic_shoe else _is_ready(state)
        if state.round.boxes and ready and not wrong:
            yield Option(do="no-more-bets")
    elif now.phase == "dealing":
        yield from _deal(state)
    elif now.phase == "acting":
        if now.asked is not None and now.asked.absent != "left" and not beyond.clock_runs:
            yield Option(do="time-out", box=now.asked.seat)
    elif now.phase == "revealing":
        if why_not_reveal(state) is None:
            yield Option(do="reveal")
    elif now.phase == "settling":
        box = next_to_settle(state)
        if box is not None and why_not_settle(state, box.seat) is None:
            yield Option(do="settle-box", box=box.seat)
    elif not state.round.paperwork and not idle:
        yield Option(do="clear-cards")
    if idle:
        yield _shuffle(state, idle)
    if why_not_count(state) is None:
        yield Option(do="count-stub", color=deck_to_count(state), due=stub_is_due(state))
    if state.call is None:
        yield Option(do="call-floor")


def _deal(state: State) -> Iterator[Option]:
    """The next cards, or before the first of them what the deck still needs."""
    if not state.round.was_dealt:
        deck = state.deck
        if deck is not None and deck.stage != "ready" and not state.terms.electronic_shoe:
            yield from _deck_work(state, deck)
            return
        if mismatched(state) is not None:
            return
    needed = cards_needed(state)
    if not needed or state.round.device not in state.devices:
        yield Option(do="deal", cards=needed)


_NEXT_WORK = {
    "received": "inspect-deck",
    "verified": "spread-deck",
    "washed": "stack-deck",
}


def _deck_work(state: State, deck: Deck) -> Iterator[Option]:
    if deck.stage in _NEXT_WORK:
        yield Option(do=_NEXT_WORK[deck.stage], color=deck.color)
    elif deck.stage == "stacked" and can_be_shuffled(state, deck.color):
        yield _shuffle(state, deck.color)
    elif deck.stage == "spread" and state.seats:
        yield Option(do="wash-deck", color=deck.color)
    elif deck.stage == "shuffled" and deck.color == state.color:
        yield Option(do="cut", color=deck.color)


def _shuffle(state: State, color: str) -> Option:
    by_device = why_not_shuffle(state, color, by_device=True) is None
    cards = cards_to_find(state, color) if by_device and device_counts(state) else 0
    return Option(do="shuffle", color=color, by_device=by_device, cards=cards)


def _is_ready(state: State) -> bool:
    """But for the time: whether a deck has to be changed is known by the clock."""
    in_order = len(state.decks) <= decks_allowed(state).count and not stub_is_due(state)
    return in_order and state.deck is not None and state.deck.stage == "ready"


def _floor(state: State, now: Phase) -> Iterator[Option]:
    for seat in state.chips:
        if may_move_chips(state, seat):
            yield Option(do="cash-out", box=seat, cents=(chips_of(state, seat),))
    for deck in state.decks:
        if deck.stage == "inspected":
            yield Option(do="verify-inspection", color=deck.color)
        if deck.color == state.color and deck.was_cut and not state.round.was_dealt:
            yield Option(do="order-recut", color=deck.color)
    for seat, box in sorted(state.round.boxes.items()):
        if box.absent == "left" and state.round.stage in ("play", "salvage"):
            filed = state.terms.absence
            others = (way for way in ABSENCES if way != filed)
            yield Option(do="rule-on-absence", box=seat, names=(filed, *others))
        if state.round.stage == "play" and not state.round.was_dealt:
            if box.has("progressive") and not box.accepted:
                yield Option(do="return-chip", box=seat)
            if box.accepted and not box.has("progressive"):
                yield Option(do="cancel-acceptance", box=seat)
        if seat in state.round.paperwork:
            yield Option(do="record-paperwork", box=seat)
    yield from _void(state)
    if state.devices and not state.round.was_dealt:
        yield Option(do="restore-device", names=tuple(state.devices))
    if now == "betting":
        yield from _floor_between_rounds(state)


def _won(state: State, role: Viewing, beyond: Beyond) -> Iterator[Option]:
    """The floorperson's word on a Progressive win, or a manager's on a refusal of it."""
    won = state.round.won
    if won is None:
        return
    if won.refusal:
        if role == "manager":
            yield Option(do="confirm-refusal", box=won.box, names=(won.refusal,))
        return
    if why_not_validate_yet(state, beyond.ahead) is None:
        yield Option(do="validate-progressive", box=won.box)
    yield Option(do="propose-refusal", box=won.box, names=REASONS)


def _void(state: State) -> Iterator[Option]:
    if state.round.stage in ("play", "salvage"):
        yield Option(do="void-round")


def _called(state: State) -> Iterator[Option]:
    if state.call is not None:
        yield Option(do="answer-call")


def _floor_between_rounds(state: State) -> Iterator[Option]:
    for deck in state.decks:
        if deck.stage in ("shuffled", "ready"):
            yield Option(do="order-shuffle", color=deck.color)
        yield Option(do="remove-deck", color=deck.color)
    others = (way for way in state.terms.ways if way != state.way)
    ways = tuple(way for way in others if why_not_change(state, way) is None)
    if ways:
        yield Option(do="change-way", names=ways)


def _staff(state: State, now: Phase, role: Viewing) -> Iterator[Option]:
    """What comes to the table, and what goes wrong at it: for whoever sees it first."""
    if state.terms.keeps_chips:
        for seat in state.seats:
            yield Option(do="buy-in", box=seat)
    if now == "betting" and not state.terms.electronic_shoe:
        for color in colors_to_receive(state):
            yield Option(do="receive-deck", color=color)
        if why_not_idle(state) is None:
            yield Option(do="go-idle")
    possible = possible_now(state)
    if possible and (role == "dealer" or not state.terms.sealed):
        yield Option(do="declare", names=possible)
    for seat in boxes_to_leave(state) if state.round.stage in ("play", "salvage") else ():
        yield Option(do="report-absence", box=seat)
    works = tuple(name for name in state.terms.devices if name not in state.devices)
    if works:
        yield Option(do="report-device", names=works)
    bare = uncovered(state)
    if bare:
        yield Option(do="cover-device", names=tuple(bare))
