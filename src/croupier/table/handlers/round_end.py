"""The end of a round: stub count, reveal, settlement box by box, validation, cards cleared.

Money is counted by the one settlement function; here it is only said in order, box by box from the
dealer's right, and what waits for a floorperson waits (rulings 24, 35 and 36).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, Micros, in_micros
from croupier.games.round import FinishedBox as FinishedBox
from croupier.games.round import FinishedRound as FinishedRound
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import next_to_settle, phase
from croupier.table.finished_round import as_event, finished_box, finished_round
from croupier.table.handlers.handler import (
    DEALER,
    FLOOR,
    Asker,
    Duties,
    Duty,
    Folds,
    by_box,
    readings,
)
from croupier.table.handlers.progressive import PROGRESSIVE, is_off_table
from croupier.table.handlers.shuffle import has_two_decks, unshuffled_idle_deck
from croupier.table.options import Option
from croupier.table.receipt import Outcome, ReceiptLine
from croupier.table.settlement import settle_box
from croupier.table.state import Box, Round, State, in_box, in_round, replace, with_deck


def why_not_reveal(state: State, command: do.Reveal) -> Refusal | None:
    if phase(state) != "revealing":
        clause = state.book.procedure.reveal_clause
        return state.refusal("The dealer's cards are not turned now", clause)
    return None


def _may_reveal(state: State, asker: Asker) -> Iterator[do.Reveal]:
    yield do.Reveal(**asker.signed)


def reveal(state: State, command: do.Reveal) -> Iterator[ev.Event]:
    by = state.book.procedure
    finished = finished_round(state.terms, state.round, {})
    yield ev.DealerRevealed(
        clauses=state.cites(by.reveal_clause, by.dealer_hand_clause, by.announce_dealer_clause),
        cards=state.round.places["dealer"],
        hand=state.terms.rules.game.dealer(finished).aloud,
    )
    for place in state.book.places:
        lying = state.round.places.get(place.name, ())
        if place.only_for is not None and lying:
            yield ev.PlaceTurned(clauses=state.cites(place.clause), place=place.name, cards=lying)


def why_not_settle(state: State, command: do.SettleBox) -> Refusal | None:
    by, box = state.book.procedure, next_to_settle(state)
    if box is None or phase(state) != "settling":
        return state.refusal("No box is settled now", by.one_box_clause)
    if box.seat != command.box:
        return state.refusal(
            f"Boxes are settled from the dealer's right: box {box.seat} is next",
            state.book.contest.order.clause,
        )
    if box.absent == "left":
        return state.refusal(
            f"The player of box {box.seat} left; the floorperson rules on it first",
            by.abandoned_clause,
        )
    return None


def _may_settle(state: State, asker: Asker) -> Iterator[do.SettleBox]:
    box = next_to_settle(state)
    if box is not None:
        yield do.SettleBox(**asker.signed, box=box.seat)


def settle_next(state: State, command: do.SettleBox) -> Iterator[ev.Event]:
    by, box = state.book.procedure, state.round.boxes[command.box]
    if box.absent == "abandoned":
        lines: Iterable[ev.WagerSettled] = _abandoned(state, box)
    else:
        lines, turned = _settled(state, box, command)
        if turned is not None:
            yield turned
    told = tuple(lines)
    yield from told
    own = [line for line in told if line.box == box.seat]
    net = sum(line.paid_cents + line.returned_cents - line.stake_cents for line in own)
    yield ev.BoxSettled(clauses=state.cites(by.one_box_clause), box=box.seat, net_cents=net)


def _settled(
    state: State, box: Box, command: do.SettleBox
) -> tuple[Iterable[ev.WagerSettled], ev.BoxTurned | None]:
    finished, own = _as_it_lies(state, box)
    meters: dict[str, Micros] = {}
    if PROGRESSIVE in own.stakes and PROGRESSIVE not in box.forfeited and state.terms.meters:
        meters = readings(state, command.meters)
    lines = settle_box(finished, own, meters)
    events = tuple(as_event(line, pending=_waits(line)) for line in lines)
    turned = None
    if not box.folded or any(name in state.terms.opens_wager for name in box.stakes):
        turned = ev.BoxTurned(
            clauses=_why_turned(state, box),
            box=box.seat,
            cards=box.cards,
            hand=state.terms.rules.game.player(finished, own).hand.aloud,
        )
    return events, turned


def _why_turned(state: State, box: Box) -> tuple[str, ...]:
    """A box that plays is turned for the contest; another for its open wagers, or what is saved."""
    by = state.book.procedure
    if box.has(state.terms.play[0]) or by.side_wagers_clause is None:
        return state.cites(by.turn_box_clause, by.announce_box_clause)
    if state.round.salvaged_by:
        return (state.round.salvaged_by,)
    wagers = [wager for wager in state.book.wagers if wager.name in box.stakes]
    held = [wager.fold.clause for wager in wagers if wager.name in state.terms.opens_wager]
    return state.cites(*dict.fromkeys(held), by.side_wagers_clause)


def _as_it_lies(state: State, box: Box) -> tuple[FinishedRound, FinishedBox]:
    """A salvaged round is only what it still settles; an ordinary one is all of it."""
    finished = finished_round(state.terms, state.round, {})
    own = finished_box(box)
    if state.round.stage != "salvage":
        return finished, own
    kept = {name: cents for name, cents in own.stakes.items() if name in state.round.still_settles}
    alone = FinishedBox(own.seat, own.cards, kept, own.player)
    return FinishedRound(finished.rules, finished.cards, (alone,)), alone


def _waits(line: ReceiptLine) -> bool:
    """Every progressive win is validated before it is paid."""
    return line.wager == PROGRESSIVE and line.outcome is Outcome.WIN


def _abandoned(state: State, box: Box) -> Iterator[ev.WagerSettled]:
    for wager in state.book.wagers:
        if box.has(wager.name):
            forfeited = wager.name in box.forfeited
            yield ev.WagerSettled(
                clauses=state.cites(state.book.procedure.abandoned_clause),
                rulings=(34,),
                box=box.seat,
                wager=wager.name,
                stake_cents=box.stakes[wager.name],
                outcome=str(Outcome.FORFEIT if forfeited else Outcome.LOSE),
                shows="abandoned",
            )


def why_not_validate(state: State, command: do.ValidateProgressive) -> Refusal | None:
    if command.box not in state.round.pending:
        clause = state.book.procedure.validate_clause
        return state.refusal(f"Box {command.box} has no Progressive win that waits", clause)
    return None


def _may_validate(state: State, asker: Asker) -> Iterator[do.ValidateProgressive]:
    for seat in sorted(state.round.pending):
        yield do.ValidateProgressive(**asker.signed, box=seat, approved=True)


def _wins(
    state: State, asker: Asker, commands: Sequence[do.ValidateProgressive]
) -> Iterator[Option]:
    for command in commands:
        line = pending_line(state.round, command.box)
        won = (line.paid_cents + line.returned_cents,)
        yield Option(do="validate-progressive", box=command.box, cents=won)


def validate(state: State, command: do.ValidateProgressive) -> Iterator[ev.Event]:
    by = state.book.procedure
    line = pending_line(state.round, command.box)
    cents = line.paid_cents + line.returned_cents
    if command.approved:
        off_table = is_off_table(state, line)
        paid_under = by.off_table_clause if off_table else by.pay_clause
        yield ev.ProgressivePaid(
            clauses=state.cites(by.won_clause, by.light_clause, by.validate_clause, paid_under),
            rulings=(36, 35) if off_table else (36,),
            box=command.box,
            cents=cents,
            from_table=not off_table,
            by=command.by,
        )
        return
    reading = 0
    if line.meter is not None:
        back = in_micros(Cents(cents - line.reset_cents))
        reading = readings(state, command.meters)[line.meter] + back
    yield ev.ProgressiveRefused(
        clauses=state.cites(by.validate_clause),
        rulings=(36,),
        box=command.box,
        cents=cents,
        by=command.by,
        meter=line.meter,
        reset_cents=line.reset_cents,
        reading_micros=reading,
    )


def pending_line(round: Round, seat: int) -> ev.WagerSettled:
    return next(line for line in round.lines if line.box == seat and line.pending)


def why_not_record(state: State, command: do.RecordPaperwork) -> Refusal | None:
    if command.box not in state.round.paperwork or command.box in state.round.pending:
        clause = state.book.procedure.paperwork_clause
        return state.refusal(f"No paperwork is due for box {command.box}", clause)
    return None


def _may_record(state: State, asker: Asker) -> Iterator[do.RecordPaperwork]:
    for seat in sorted(state.round.paperwork):
        yield do.RecordPaperwork(**asker.signed, box=seat)


def record_paperwork(state: State, command: do.RecordPaperwork) -> Iterator[ev.Event]:
    clause = state.book.procedure.paperwork_clause
    yield ev.PaperworkRecorded(
        clauses=state.cites(clause), rulings=(35,), box=command.box, by=command.by
    )


def why_not_clear(state: State, command: do.ClearCards) -> Refusal | None:
    by, round = state.book.procedure, state.round
    if phase(state) != "clearing":
        return state.refusal("The cards stay until every wager is settled", by.clear_clause)
    if round.pending:
        seats = ", ".join(map(str, sorted(round.pending)))
        return state.refusal(
            f"The Progressive win of box {seats} waits for the floorperson", by.validate_clause
        )
    if round.paperwork:
        seats = ", ".join(map(str, sorted(round.paperwork)))
        return state.refusal(
            f"The cards of box {seats} stay until the paperwork is recorded", by.paperwork_clause
        )
    idle = unshuffled_idle_deck(state)
    if idle:
        return state.refusal(
            f"The {idle} deck is shuffled by the shuffler while the other is used; do it first",
            by.stored_clause,
        )
    return None


def _may_clear(state: State, asker: Asker) -> Iterator[do.ClearCards]:
    yield do.ClearCards(**asker.signed)


def clear(state: State, command: do.ClearCards) -> Iterator[ev.Event]:
    by, round = state.book.procedure, state.round
    alternate = has_two_decks(state)
    alternates = (by.alternate_clause, by.one_in_the_rack_clause) if alternate else ()
    yield ev.CardsCleared(
        clauses=state.cites(by.remove_cards_clause, by.clear_clause, *alternates),
        round=round.number,
        next_color=_next_color(state, alternate=alternate),
    )


def _next_color(state: State, *, alternate: bool) -> str:
    """The other deck where two alternate or the one just used has left; else the same again."""
    if not state.decks:
        return ""
    used = state.round.color
    others = [deck.color for deck in state.decks if deck.color != used]
    stays = not alternate and len(others) < len(state.decks)
    return used if stays or not others else others[0]


def _revealed(state: State, event: ev.DealerRevealed) -> State:
    return in_round(state, revealed=True, up=state.round.up | {*event.cards})


def _turned_up(state: State, event: ev.PlaceTurned | ev.BoxTurned) -> State:
    return in_round(state, up=state.round.up | {*event.cards})


def _line_settled(state: State, event: ev.WagerSettled) -> State:
    round = state.round
    changes: dict[str, object] = {"lines": (*round.lines, event)}
    if event.pending:
        changes["pending"] = round.pending | {event.box}
        if is_off_table(state, event):
            changes["paperwork"] = round.paperwork | {event.box}
    settled = in_round(state, **changes)
    if event.meter is not None:
        after = Micros(event.meter_after_micros)
        settled = replace(settled, meters={**state.meters, event.meter: after})
    return settled


def _paid(state: State, event: ev.ProgressivePaid) -> State:
    return in_round(state, pending=state.round.pending - {event.box})


def _refused(state: State, event: ev.ProgressiveRefused) -> State:
    round = state.round
    gone = {event.box}
    lines = tuple(
        replace(line, pending=False, outcome="lose", paid_cents=0, returned_cents=0, meter=None)
        if line.box == event.box and line.pending
        else line
        for line in round.lines
    )
    after = in_round(
        state, pending=round.pending - gone, paperwork=round.paperwork - gone, lines=lines
    )
    if event.meter is not None:
        reading = Micros(event.reading_micros)
        after = replace(after, meters={**state.meters, event.meter: reading})
    return after


def _cleared(state: State, event: ev.CardsCleared) -> State:
    """The next round; the deck that was used is to be shuffled, and who left has left."""
    gone = {box.player for box in state.round.boxes.values() if box.absent}
    seats = {seat: name for seat, name in state.seats.items() if name not in gone}
    left_by = {seat: name for seat, name in state.seats.items() if name in gone}
    following = replace(
        state,
        round=Round(number=event.round + 1),
        last=state.round,
        seats=seats,
        left_by={**state.left_by, **left_by} if left_by else state.left_by,
        color=event.next_color,
    )
    used = with_deck(following, state.round.color, stage="stacked", was_cut=False)
    touched = state.round.out or state.round.stage == "void"
    return used if touched else following


DUTIES: Duties = (
    Duty(
        do.Reveal,
        DEALER,
        lambda by: by.reveal_clause,
        why_not_reveal,
        reveal,
        offers=_may_reveal,
        phases=("revealing",),
        registry="dealer",
    ),
    Duty(
        do.SettleBox,
        DEALER,
        lambda by: by.one_box_clause,
        why_not_settle,
        settle_next,
        offers=_may_settle,
        phases=("settling",),
        shown=by_box,
        registry="dealer",
    ),
    Duty(
        do.ValidateProgressive,
        FLOOR,
        lambda by: by.validate_clause,
        why_not_validate,
        validate,
        offers=_may_validate,
        shown=_wins,
        registry="floorperson",
    ),
    Duty(
        do.RecordPaperwork,
        FLOOR,
        lambda by: by.paperwork_clause,
        why_not_record,
        record_paperwork,
        offers=_may_record,
        shown=by_box,
        registry="floorperson",
    ),
    Duty(
        do.ClearCards,
        DEALER,
        lambda by: by.clear_clause,
        why_not_clear,
        clear,
        offers=_may_clear,
        phases=("clearing",),
        registry="dealer",
    ),
)

FOLDS: Folds = {
    ev.DealerRevealed: _revealed,
    ev.PlaceTurned: _turned_up,
    ev.BoxTurned: _turned_up,
    ev.WagerSettled: _line_settled,
    ev.BoxSettled: lambda state, event: in_box(state, event.box, settled=True),
    ev.ProgressivePaid: _paid,
    ev.ProgressiveRefused: _refused,
    ev.PaperworkRecorded: lambda state, event: in_round(
        state, paperwork=state.round.paperwork - {event.box}
    ),
    ev.CardsCleared: _cleared,
}
