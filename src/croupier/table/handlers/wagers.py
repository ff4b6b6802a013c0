"""Seats and wagers until "no more bets": limits, what needs what, adjacent boxes (chapter 7)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.errors import Refusal, quoted
from croupier.facts.money import Cents, dollars
from croupier.games.round import FinishedBox as FinishedBox
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.feasibility import check_box, refuse_seat, what_stands
from croupier.table.handlers.chips import chips_of, left_behind, refuse_beyond_chips
from croupier.table.handlers.devices import dispenser, refuse_broken
from croupier.table.handlers.handler import DEALER, PLAYER, Duties, Duty, Folds
from croupier.table.handlers.opening import is_past_opening
from croupier.table.handlers.progressive import grow
from croupier.table.handlers.shuffle import refuse_unready_deck
from croupier.table.state import Box, State, in_box, in_round, replace

PROGRESSIVE = "progressive"


def take_box(state: State, command: do.TakeBox) -> Iterator[ev.Event]:
    refuse_box(state, command.box)
    why = why_not_take(state, command.box, command.by)
    if why is not None:
        raise why
    by, rule = state.book.procedure, state.book.table.boxes_a_player
    yield ev.BoxTaken(
        clauses=state.cites(by.seated_clause, rule.clause), box=command.box, player=command.by
    )


def why_not_take(state: State, box: int, player: str) -> Refusal | None:
    """What stands against a player's taking a box, if anything."""
    rule = state.book.table.boxes_a_player
    if box in state.seats:
        return state.refusal(f"Box {box} is taken", state.book.procedure.seated_clause)
    if chips_of(state, box) and left_behind(state).get(box) != player:
        return state.refusal(
            f"At box {box} lie chips of somebody who left; the floorperson cashes them out first",
            state.book.procedure.seated_clause,
        )
    own = sorted([seat for seat, name in state.seats.items() if name == player])
    most = 1 if rule.rule == "one" else state.terms.adjacent_boxes
    if len(own) >= most:
        return state.refusal(f"A player may have {most} box(es) here", rule.clause)
    if own and box not in (own[0] - 1, own[-1] + 1):
        return state.refusal("The boxes of one player must be adjacent", rule.clause)
    return None


def leave_box(state: State, command: do.LeaveBox) -> Iterator[ev.Event]:
    refuse_stranger(state, command.box, command.by)
    why = why_not_leave(state, command.box)
    if why is not None:
        raise why
    clauses = state.cites(state.book.procedure.seated_clause)
    yield ev.BoxLeft(clauses=clauses, box=command.box)


def why_not_leave(state: State, box: int) -> Refusal | None:
    """What stands against giving up a box, if anything."""
    by = state.book.procedure
    if box in state.round.boxes:
        down = "take them back first" if state.round.stage == "betting" else "the round goes on"
        return state.refusal(f"Box {box} has wagers down; {down}", by.stay_seated_clause)
    if chips_of(state, box):
        left = dollars(chips_of(state, box))
        return state.refusal(f"Box {box} has {left} in chips; cash out first", by.layout_clause)
    own = [seat for seat, name in state.seats.items() if name == state.seats[box]]
    if min(own) < box < max(own):
        return state.refusal(
            "The boxes of one player must be adjacent; leave an outer one first",
            state.book.table.boxes_a_player.clause,
        )
    return None


def place_wagers(state: State, command: do.PlaceWagers) -> Iterator[ev.Event]:
    by = state.book.procedure
    refuse_stranger(state, command.box, command.by)
    refuse_closed(state)
    _refuse_unopened(state)
    now = state.round.boxes.get(command.box)
    before = dict(now.stakes) if now is not None else {}
    # An acceptor that took nothing is no wager, and no reason to refuse the others.
    wanted = {
        name: cents
        for name, cents in command.stakes.items()
        if cents or name != PROGRESSIVE or name in before
    }
    if not wanted:
        raise state.refusal("No wager is named", by.layout_clause)
    for name, cents in wanted.items():
        _refuse_wager(state, command.box, name, cents)
    after = before | wanted
    for wager in state.book.wagers:
        if wager.name in wanted:
            missing = [name for name in wager.needs if name not in after]
            if missing or (wager.needs_any and not any(n in after for n in wager.needs_any)):
                joint = ", ".join(state.book.wager(n).title for n in missing or wager.needs_any)
                raise state.refusal(
                    f"Box {command.box}, {wager.title}: first place {joint}", wager.clause
                )
    refuse_beyond_chips(state, command.box, sum(after.values()) - sum(before.values()))
    if after == before:
        lies = ", ".join(
            f"{dollars(cents)} on {state.book.wager(name).title}" for name, cents in wanted.items()
        )
        raise state.refusal(f"Box {command.box} has {lies}", by.layout_clause)
    for name, cents in wanted.items():
        if before.get(name) == cents:
            continue
        clauses = state.cites(by.layout_clause, state.book.wager(name).clause)
        yield ev.WagerPlaced(
            clauses=clauses,
            box=command.box,
            wager=name,
            cents=cents,
            before_cents=before.get(name, 0),
        )
        if name == PROGRESSIVE and state.terms.electronic:
            # On the screen the wager and its acceptance are one touch.
            yield ev.ProgressiveAccepted(clauses=state.cites(by.acceptor_clause), box=command.box)


def withdraw_wagers(state: State, command: do.WithdrawWagers) -> Iterator[ev.Event]:
    """A player takes back his own; the dealer hands back what cannot stay."""
    if command.role == "player":
        refuse_stranger(state, command.box, command.by)
    refuse_box(state, command.box)
    refuse_closed(state)
    clause = state.book.procedure.after_close_clause
    box = state.round.boxes.get(command.box)
    names = command.wagers or (tuple(box.stakes) if box is not None else ())
    if box is None or not names or len(set(names)) < len(names):
        raise state.refusal(f"Box {command.box} has no such wagers to take back", clause)
    for name in names:
        if not box.has(name):
            raise state.refusal(f"Box {command.box} has nothing on {quoted(name)}", clause)
    if command.role != "player":
        names = _cannot_stay(state, command)
    for name in names:
        yield ev.WagerWithdrawn(
            clauses=state.cites(clause), box=command.box, wager=name, cents=box.stakes[name]
        )


def _cannot_stay(state: State, command: do.WithdrawWagers) -> tuple[str, ...]:
    """What a dealer may hand back: no wager that is good, unless its player takes it."""
    wrong = misplaced(state).get(command.box, ())
    good = [name for name in command.wagers if name not in wrong]
    if good or not wrong:
        raise state.refusal(
            f"What lies on box {command.box} is good; only its player takes it back",
            state.book.procedure.seated_clause,
        )
    return command.wagers or wrong


def no_more_bets(state: State, command: do.NoMoreBets) -> Iterator[ev.Event]:
    refuse_closed(state)
    refuse_broken(state, state.dealing)
    refuse_unready_deck(state, command.at_s)
    boxes = sorted(state.round.boxes.items())
    if not boxes:
        raise state.refusal("No box has a wager down", state.book.opening.clause)
    for seat, box in boxes:
        check_box(state.terms.rules, FinishedBox(seat, (), box.stakes, box.player))
        _refuse_suspended(state, box)
    _refuse_gaps(state)
    by, way = state.book.procedure, state.dealing.procedure
    locked = (way.lock_out_clause, by.lock_out_clause) if state.terms.meters else ()
    yield ev.BetsClosed(
        clauses=state.cites(
            way.into_place_clause, way.no_more_bets_clause, by.before_close_clause, *locked
        ),
        round=state.round.number,
        way=state.way,
        boxes=tuple(seat for seat, _ in boxes),
        color=state.color,
        device=dispenser(state),
    )
    yield from grow(state, command.meters)


def refuse_box(state: State, seat: int) -> None:
    refuse_seat(state.book, seat)
    if seat > state.terms.boxes:
        raise state.refusal(
            f"There is no box {seat} here; the boxes are 1 to {state.terms.boxes}",
            state.book.refusals.seats,
        )


def refuse_stranger(state: State, seat: int, player: str) -> None:
    refuse_box(state, seat)
    if state.seats.get(seat) != player:
        raise state.refusal(
            f"Box {seat} is not yours; only who sits at a box plays it",
            state.book.procedure.seated_clause,
        )


def refuse_closed(state: State) -> None:
    if state.round.stage != "betting":
        raise state.refusal(
            'The dealer has announced "no more bets"', state.book.procedure.after_close_clause
        )


def _refuse_unopened(state: State) -> None:
    if not (state.open if state.terms.electronic_shoe else is_past_opening(state)):
        by = state.book.procedure
        clause = by.each_deck_clause if len(state.decks) > 1 else by.first_shuffle_clause
        raise state.refusal("The table is not open: its cards are not ready", clause)


def _refuse_wager(state: State, seat: int, name: str, cents: int) -> None:
    book, terms = state.book, state.terms
    if name not in terms.offered[state.way]:
        if book.has_wager(name) and book.wager(name).decides is not None:
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
    if not limit.least_cents <= cents <= limit.most_cents:
        raise state.refusal(
            f"{where} {dollars(cents)} is outside the posted "
            f"{dollars(limit.least_cents)} to {dollars(limit.most_cents)}",
            wager.clause,
        )
    if (cents - limit.least_cents) % limit.increment_cents:
        raise state.refusal(
            f"{where} from {dollars(limit.least_cents)} it goes up by "
            f"{dollars(limit.increment_cents)}",
            wager.clause,
        )


def _refuse_suspended(state: State, box: Box) -> None:
    """A wager placed before the way of dealing changed may no longer be open (ruling 31)."""
    for name in box.stakes:
        if name not in state.terms.offered[state.way]:
            wager = state.book.wager(name)
            raise state.refusal(
                f"Box {box.seat}, {wager.title}: suspended while the cards are dealt "
                f"{state.dealing.title}",
                wager.clause,
            )


def misplaced(state: State) -> dict[int, tuple[str, ...]]:
    """By box, the wagers that must go back before "no more bets": why it would be refused."""
    found = {}
    apart = {seat for own in _boxes_by_player(state) for seat in _beyond_a_gap(own)}
    for seat, box in sorted(state.round.boxes.items()):
        offered = state.terms.offered[state.way]
        stakes = {name: cents for name, cents in box.stakes.items() if name in offered}
        lies = FinishedBox(seat, (), stakes, box.player)
        stands = {} if seat in apart else what_stands(state.terms.rules, lies)
        if len(stands) < len(box.stakes):
            found[seat] = tuple(name for name in box.stakes if name not in stands)
    return found


def _boxes_by_player(state: State) -> list[list[int]]:
    boxes = state.round.boxes
    players = {box.player for box in boxes.values()}
    return [sorted(seat for seat in boxes if boxes[seat].player == name) for name in players]


def _beyond_a_gap(own: list[int]) -> list[int]:
    """The boxes of one player that are not joined to the first of them."""
    return [seat for at, seat in enumerate(own) if seat != own[0] + at]


def _refuse_gaps(state: State) -> None:
    """In one round the boxes a player wagers on must be adjacent."""
    for own in _boxes_by_player(state):
        player = state.round.boxes[own[0]].player
        if _beyond_a_gap(own):
            raise state.refusal(
                f"{quoted(player)} wagers on boxes {', '.join(map(str, own))}; "
                "the boxes of one player must be adjacent",
                state.book.table.boxes_a_player.clause,
            )


def _placed(state: State, event: ev.WagerPlaced) -> State:
    box = state.round.boxes.get(event.box) or Box(seat=event.box, player=state.seats[event.box])
    stakes = {**box.stakes, event.wager: Cents(event.cents)}
    boxes = {**state.round.boxes, event.box: replace(box, stakes=stakes)}
    return in_round(state, boxes=boxes)


def _withdrawn(state: State, event: ev.WagerWithdrawn) -> State:
    box = state.round.boxes[event.box]
    stakes = {name: cents for name, cents in box.stakes.items() if name != event.wager}
    boxes = dict(state.round.boxes)
    accepted = box.accepted and PROGRESSIVE in stakes
    boxes[event.box] = replace(box, stakes=stakes, accepted=accepted)
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
        state, stage="play", way=event.way, color=event.color, device=event.device, boxes=boxes
    )


DUTIES: Duties = {
    do.TakeBox: Duty(take_box, PLAYER, "seated_clause"),
    do.LeaveBox: Duty(leave_box, PLAYER, "seated_clause"),
    do.PlaceWagers: Duty(place_wagers, PLAYER, "seated_clause"),
    do.WithdrawWagers: Duty(withdraw_wagers, (*PLAYER, *DEALER), "seated_clause"),
    do.NoMoreBets: Duty(no_more_bets, DEALER, "before_close_clause"),
}

FOLDS: Folds = {
    ev.BoxTaken: lambda state, event: replace(
        state,
        seats={**state.seats, event.box: event.player},
        left_by={box: name for box, name in state.left_by.items() if box != event.box},
    ),
    ev.BoxLeft: lambda state, event: replace(
        state, seats={seat: name for seat, name in state.seats.items() if seat != event.box}
    ),
    ev.WagerPlaced: _placed,
    ev.WagerWithdrawn: _withdrawn,
    ev.ProgressiveAccepted: lambda state, event: in_box(state, event.box, accepted=True),
    ev.BetsClosed: _closed,
}
