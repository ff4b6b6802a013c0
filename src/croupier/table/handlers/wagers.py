"""Wagers until "no more bets": limits, what needs what, adjacent boxes (chapter 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from croupier.facts.errors import Refusal, quoted
from croupier.facts.money import Cents, dollars
from croupier.games.round import FinishedBox as FinishedBox
from croupier.games.rules import PROGRESSIVE
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.feasibility import (
    beyond_a_gap,
    boxes_by_player,
    check_box,
    lacking,
    what_stands,
)
from croupier.table.handlers.boxes import seats_of, why_no_box, why_stranger
from croupier.table.handlers.chips import refuse_beyond_chips
from croupier.table.handlers.devices import dispenser, why_not_deal_by
from croupier.table.handlers.handler import (
    DEALER,
    PLAYER,
    Asker,
    Duties,
    Duty,
    Folds,
    by_box,
    refusal_by,
)
from croupier.table.handlers.numbers import committed
from croupier.table.handlers.opening import is_past_opening
from croupier.table.handlers.progressive import grow
from croupier.table.handlers.shuffle import why_unready
from croupier.table.options import Option
from croupier.table.state import Box, State, in_box, in_round, replace


def why_not_place(state: State, command: do.PlaceWagers) -> Refusal | None:
    return why_stranger(state, command.box, command.by) or why_closed(state) or _why_unopened(state)


def place_wagers(state: State, command: do.PlaceWagers) -> Iterator[ev.Event]:
    by, box = state.book.procedure, command.box
    now = state.round.boxes.get(box)
    before: Mapping[str, int] = now.stakes if now is not None else {}
    wanted = _named(command.stakes, before)
    _refuse_wagers(state, command, wanted, before)
    numbers = tuple(committed(state, command))
    changed = [name for name, cents in wanted.items() if before.get(name) != cents]
    # What is taken back comes first: it may pay for the rest, and no purse falls below nothing.
    for name in sorted(changed, key=lambda name: wanted[name] > before.get(name, 0)):
        yield ev.WagerPlaced(
            clauses=state.cites(by.layout_clause, state.book.wager(name).clause),
            box=box,
            wager=name,
            cents=wanted[name],
            before_cents=before.get(name, 0),
        )
        if name == PROGRESSIVE and state.terms.electronic:
            # On the screen the wager and its acceptance are one touch.
            yield ev.ProgressiveAccepted(clauses=state.cites(by.acceptor_clause), box=box)
    yield from numbers


def _named(stakes: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    """The wagers a box names; an acceptor that took nothing is none of them, and no reason to
    refuse the others."""
    return {
        name: cents
        for name, cents in stakes.items()
        if cents or name != PROGRESSIVE or name in before
    }


def _refuse_wagers(
    state: State, command: do.PlaceWagers, wanted: Mapping[str, int], before: Mapping[str, int]
) -> None:
    """Each wager by itself, then what it needs beside it, and the chips for all of them."""
    box, clause = command.box, state.book.procedure.layout_clause
    if not wanted:
        raise state.refusal("No wager is named", clause)
    for name, cents in wanted.items():
        _refuse_wager(state, box, name, cents)
        if name == PROGRESSIVE and command.no_progressive:
            raise state.refusal(
                f"Box {box}, {state.book.wager(name).title}: it is not available, its link does "
                f"not run ({command.no_progressive})",
                state.book.wager(name).clause,
            )
    after = {**before, **wanted}
    _refuse_lacking(state, box, wanted, after)
    refuse_beyond_chips(state, box, sum(after.values()) - sum(before.values()))
    if after == before:
        lies = ", ".join(
            f"{dollars(cents)} on {state.book.wager(name).title}" for name, cents in wanted.items()
        )
        raise state.refusal(f"Box {box} has {lies}", clause)


def _refuse_lacking(
    state: State, box: int, wanted: Mapping[str, int], after: Mapping[str, int]
) -> None:
    """A wager that needs another comes after it, or with it."""
    for wager in state.book.wagers:
        if wager.name not in wanted:
            continue
        needed = lacking(wager.needs, wager.needs_any, after)
        if needed:
            first = ", ".join(state.book.wager(name).title for name in needed)
            raise state.refusal(f"Box {box}, {wager.title}: first place {first}", wager.clause)


def _may_place(state: State, asker: Asker) -> Iterator[do.PlaceWagers]:
    for seat in seats_of(state, asker.name):
        yield do.PlaceWagers(**asker.signed, box=seat, stakes={})


def _wagers_to_place(
    state: State, asker: Asker, commands: Sequence[do.PlaceWagers]
) -> Iterator[Option]:
    """The wagers that are open, and what may lie on each."""
    offered, sizes = state.terms.offered[state.way], state.terms.sizes[state.way]
    for command in commands:
        closed = PROGRESSIVE if command.no_progressive else ""
        wagers = tuple(name for name in offered if name != closed)
        yield Option(do="place-wagers", box=command.box, wagers=wagers, sizes=sizes)


def why_not_withdraw(state: State, command: do.WithdrawWagers) -> Refusal | None:
    """A player takes back his own; the dealer hands back what cannot stay."""
    clause = state.book.procedure.after_close_clause
    own = command.role == "player"
    why = why_stranger(state, command.box, command.by) if own else why_no_box(state, command.box)
    why = why or why_closed(state)
    if why is None and command.box not in state.round.boxes:
        return state.refusal(f"Box {command.box} has no such wagers to take back", clause)
    return why or (None if own else _why_good(state, command))


def withdraw_wagers(state: State, command: do.WithdrawWagers) -> Iterator[ev.Event]:
    clause = state.book.procedure.after_close_clause
    box = state.round.boxes[command.box]
    names = command.wagers or tuple(box.stakes)
    if command.role != "player":
        names = command.wagers or misplaced(state)[box.seat]
    if len(set(names)) < len(names):
        raise state.refusal(f"Box {box.seat} has no such wagers to take back", clause)
    for name in names:
        if not box.has(name):
            raise state.refusal(f"Box {box.seat} has nothing on {quoted(name)}", clause)
    for name in names:
        yield ev.WagerWithdrawn(
            clauses=state.cites(clause), box=box.seat, wager=name, cents=box.stakes[name]
        )


def _why_good(state: State, command: do.WithdrawWagers) -> Refusal | None:
    """A dealer hands back no wager that is good, unless its player takes it."""
    wrong = misplaced(state).get(command.box, ())
    good = [name for name in command.wagers if name not in wrong]
    if good or not wrong:
        return state.refusal(
            f"What lies on box {command.box} is good; only its player takes it back",
            state.book.procedure.seated_clause,
        )
    return None


def _may_withdraw(state: State, asker: Asker) -> Iterator[do.WithdrawWagers]:
    if asker.role == "player":
        for seat in seats_of(state, asker.name):
            if seat in state.round.boxes:
                held = tuple(state.round.boxes[seat].stakes)
                yield do.WithdrawWagers(**asker.signed, box=seat, wagers=held)
        return
    for seat, wrong in misplaced(state).items():
        yield do.WithdrawWagers(**asker.signed, box=seat, wagers=wrong)


def _wagers_to_withdraw(
    state: State, asker: Asker, commands: Sequence[do.WithdrawWagers]
) -> Iterator[Option]:
    for command in commands:
        yield Option(do="withdraw-wagers", box=command.box, wagers=command.wagers)


def why_not_close(state: State, command: do.NoMoreBets) -> Refusal | None:
    why = (
        why_closed(state)
        or why_not_deal_by(state, state.dealing)
        or why_unready(state, command.at_s)
    )
    if why is None and not state.round.boxes:
        return state.refusal("No box has a wager down", state.book.opening.clause)
    return why or _why_misplaced(state)


def no_more_bets(state: State, command: do.NoMoreBets) -> Iterator[ev.Event]:
    by, way = state.book.procedure, state.dealing.procedure
    locked = (way.lock_out_clause, by.lock_out_clause) if state.terms.meters else ()
    yield ev.BetsClosed(
        clauses=state.cites(
            way.into_place_clause, way.no_more_bets_clause, by.before_close_clause, *locked
        ),
        round=state.round.number,
        way=state.way,
        boxes=tuple(sorted(state.round.boxes)),
        color=state.color,
        device=dispenser(state),
    )
    yield from grow(state, command.meters)


def _may_close(state: State, asker: Asker) -> Iterator[do.NoMoreBets]:
    yield do.NoMoreBets(**asker.signed)


def why_closed(state: State) -> Refusal | None:
    if state.round.stage != "betting":
        return state.refusal(
            'The dealer has announced "no more bets"', state.book.procedure.after_close_clause
        )
    return None


def _why_unopened(state: State) -> Refusal | None:
    if state.open if state.terms.electronic_shoe else is_past_opening(state):
        return None
    by = state.book.procedure
    clause = by.each_deck_clause if len(state.decks) > 1 else by.first_shuffle_clause
    return state.refusal("The table is not open: its cards are not ready", clause)


def _refuse_wager(state: State, seat: int, name: str, cents: int) -> None:
    book, terms = state.book, state.terms
    if name not in terms.offered[state.way]:
        if book.has_wager(name) and book.wager(name).beside is not None:
            raise state.refusal(
                f"{book.wager(name).title} is made when the dealer asks", book.streets[0].clause
            )
        raise state.refusal(
            f"Box {seat}: {quoted(name)} is not offered at this table now",
            book.wager(name).clause if book.has_wager(name) else book.refusals.wagers,
        )
    wager = book.wager(name)
    where = f"Box {seat}, {wager.title}:"
    if cents <= 0:
        raise state.refusal(f"{where} a wager of {dollars(cents)} is none", wager.clause)
    if name == PROGRESSIVE and terms.progressive_cents is not None:
        if cents != terms.progressive_cents:
            raise state.refusal(
                f"{where} it is {dollars(terms.progressive_cents)}, not {dollars(cents)}",
                wager.clause,
            )
        return
    limit = terms.limit_of.get(name)
    if limit is None:
        return
    if not limit.is_between(cents):
        raise state.refusal(
            f"{where} {dollars(cents)} is outside the posted "
            f"{dollars(limit.minimum_cents)} to {dollars(limit.maximum_cents)}",
            wager.clause,
        )
    if not limit.is_on_a_step(cents):
        raise state.refusal(
            f"{where} from {dollars(limit.minimum_cents)} it goes up by "
            f"{dollars(limit.increment_cents)}",
            wager.clause,
        )


def _why_misplaced(state: State) -> Refusal | None:
    """Why wagers as they lie cannot be in a round, box by box."""
    reasons = (_why_not_as_it_lies(state, box) for _, box in sorted(state.round.boxes.items()))
    return next(filter(None, reasons), None) or _why_gaps(state)


def _why_not_as_it_lies(state: State, box: Box) -> Refusal | None:
    lies = FinishedBox(box.seat, (), box.stakes, box.player)
    return refusal_by(check_box, state.terms.rules, lies) or _why_suspended(state, box)


def _why_suspended(state: State, box: Box) -> Refusal | None:
    """A wager placed before the way of dealing changed may no longer be open (ruling 31)."""
    for name in box.stakes:
        if name not in state.terms.offered[state.way]:
            wager = state.book.wager(name)
            return state.refusal(
                f"Box {box.seat}, {wager.title}: suspended while the cards are dealt "
                f"{state.dealing.title}",
                wager.clause,
            )
    return None


def misplaced(state: State) -> dict[int, tuple[str, ...]]:
    """By box, the wagers that must go back before "no more bets": why it would be refused."""
    found = {}
    own_boxes = boxes_by_player(state.round.boxes.values())
    apart = {seat for own in own_boxes.values() for seat in beyond_a_gap(own)}
    for seat, box in sorted(state.round.boxes.items()):
        if seat not in apart and _why_not_as_it_lies(state, box) is None:
            continue
        offered = state.terms.offered[state.way]
        stakes = {name: cents for name, cents in box.stakes.items() if name in offered}
        lies = FinishedBox(seat, (), stakes, box.player)
        stands = {} if seat in apart else what_stands(state.terms.rules, lies)
        if len(stands) < len(box.stakes):
            found[seat] = tuple(name for name in box.stakes if name not in stands)
    return found


def _why_gaps(state: State) -> Refusal | None:
    """In one round the boxes a player wagers on must be adjacent."""
    for player, own in boxes_by_player(state.round.boxes.values()).items():
        if beyond_a_gap(own):
            return state.refusal(
                f"{quoted(player)} wagers on boxes {', '.join(map(str, own))}; "
                "the boxes of one player must be adjacent",
                state.book.table.boxes_a_player.clause,
            )
    return None


def _may_be_ready(state: State, asker: Asker) -> Iterator[do.SayReady]:
    for seat in sorted(seats_of(state, asker.name)):
        if seat in state.round.boxes:
            yield do.SayReady(**asker.signed, box=seat)


def why_not_ready(state: State, command: do.SayReady) -> Refusal | None:
    box, clause = state.round.boxes.get(command.box), state.book.procedure.before_close_clause
    if state.round.stage != "betting" or box is None:
        return state.refusal(f"No wager of box {command.box} waits for the deal", clause)
    why = why_stranger(state, command.box, command.by)
    if why is None and box.ready:
        return state.refusal(f"Box {command.box} is ready already", clause)
    return why


def say_ready(state: State, command: do.SayReady) -> Iterator[ev.Event]:
    clause = state.book.procedure.before_close_clause
    yield ev.ReadySaid(clauses=state.cites(clause), box=command.box)


def _placed(state: State, event: ev.WagerPlaced) -> State:
    box = state.round.boxes.get(event.box) or Box(seat=event.box, player=state.seats[event.box])
    stakes = {**box.stakes, event.wager: Cents(event.cents)}
    boxes = {**state.round.boxes, event.box: replace(box, stakes=stakes, ready=False)}
    return in_round(state, boxes=boxes)


def _withdrawn(state: State, event: ev.WagerWithdrawn) -> State:
    box = state.round.boxes[event.box]
    stakes = {name: cents for name, cents in box.stakes.items() if name != event.wager}
    boxes = dict(state.round.boxes)
    accepted = box.accepted and PROGRESSIVE in stakes
    boxes[event.box] = replace(box, stakes=stakes, accepted=accepted, ready=False)
    if not stakes:
        del boxes[event.box]
    return in_round(state, boxes=boxes)


def _closed(state: State, event: ev.BetsClosed) -> State:
    decides = state.terms.play[1]
    streets = len(state.book.streets)
    boxes = {
        seat: box if box.has(decides) else replace(box, answered=streets)
        for seat, box in sorted(state.round.boxes.items())
    }
    return in_round(
        state,
        stage="play",
        way=event.way,
        color=event.color,
        device=event.device,
        boxes=boxes,
        closed_s=event.at_s,
    )


DUTIES: Duties = (
    Duty(
        do.PlaceWagers,
        PLAYER,
        lambda by: by.seated_clause,
        why_not_place,
        place_wagers,
        offers=_may_place,
        phases=("betting",),
        shown=_wagers_to_place,
    ),
    Duty(
        do.WithdrawWagers,
        (*PLAYER, *DEALER),
        lambda by: by.seated_clause,
        why_not_withdraw,
        withdraw_wagers,
        offers=_may_withdraw,
        phases=("betting",),
        shown=_wagers_to_withdraw,
        automatic="dealer",
    ),
    Duty(
        do.SayReady,
        PLAYER,
        lambda by: by.before_close_clause,
        why_not_ready,
        say_ready,
        offers=_may_be_ready,
        phases=("betting",),
        shown=by_box,
    ),
    Duty(
        do.NoMoreBets,
        DEALER,
        lambda by: by.before_close_clause,
        why_not_close,
        no_more_bets,
        offers=_may_close,
        phases=("betting",),
        automatic="dealer",
    ),
)

FOLDS: Folds = {
    ev.WagerPlaced: _placed,
    ev.WagerWithdrawn: _withdrawn,
    ev.ReadySaid: lambda state, event: in_box(state, event.box, ready=True),
    ev.ProgressiveAccepted: lambda state, event: in_box(state, event.box, accepted=True),
    ev.BetsClosed: _closed,
}
