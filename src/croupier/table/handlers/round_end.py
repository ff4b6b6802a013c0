"""The end of a round: reveal, settlement box by box, paperwork, cards cleared.

Money is counted by the one settlement function; here it is only said in order, box by box from the
dealer's right. A box with a winning Progressive stops there and waits (rulings 24, 35 and 36).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from croupier.facts.errors import Refusal
from croupier.facts.money import Micros
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.procedure import Procedure
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import next_to_settle, phase
from croupier.table.events import Outcome, WagerSettled
from croupier.table.finished_round import finished_box, finished_round
from croupier.table.handlers.chips import keep
from croupier.table.handlers.decisions import collected_together
from croupier.table.handlers.dispute_cases import why_not_while_disputed
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
from croupier.table.handlers.progressive import cancel_refused, refused_acceptances
from croupier.table.handlers.shuffle import has_two_decks, unshuffled_idle_deck
from croupier.table.handlers.stub_count import why_not_before_count
from croupier.table.settlement import VALIDATION_RULING, settle_box
from croupier.table.state import Box, Round, State, in_box, in_round, replace, with_deck


def why_not_reveal(state: State, command: do.Reveal) -> Refusal | None:
    """What stands against turning the dealer's cards: the moment, or a stub still to be counted."""
    if phase(state) != "revealing":
        clause = state.book.procedure.reveal_clause
        return state.refusal("The dealer's cards are not turned now", clause)
    return why_not_before_count(state)


def _may_reveal(state: State, asker: Asker) -> Iterator[do.Reveal]:
    yield do.Reveal(**asker.signed)


def reveal(state: State, command: do.Reveal) -> Iterator[ev.Event]:
    by = state.book.procedure
    if by.collected_together_clause is not None:
        yield from collected_together(state, by.collected_together_clause)
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
    """What stands against settling a box: the moment, the stub, a win that waits, or its turn."""
    by, box = state.book.procedure, next_to_settle(state)
    if box is None or phase(state) != "settling":
        return state.refusal("No box is settled now", by.one_box_clause)
    waits = why_not_before_count(state) or why_not_while_won(state)
    if waits is not None:
        return waits
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
    return why_not_while_disputed(state, box.seat)


def why_not_while_won(state: State) -> Refusal | None:
    """Nothing else is settled while a Progressive win waits (ruling 36)."""
    won, clause = state.round.won, state.book.procedure.validate_clause
    if won is None:
        return None
    who = "a manager" if won.refusal else "the floorperson"
    return state.refusal(f"The Progressive win of box {won.box} waits for {who}", clause)


def _may_settle(state: State, asker: Asker) -> Iterator[do.SettleBox]:
    box = next_to_settle(state)
    if box is not None:
        yield do.SettleBox(**asker.signed, box=box.seat)


def settle_next(state: State, command: do.SettleBox) -> Iterator[ev.Event]:
    by, box = state.book.procedure, state.round.boxes[command.box]
    if box.absent == "abandoned":
        yield from finish_box(state, box, _abandoned(state, box))
        return
    finished, own = as_it_lies(state, box)
    lines = settle_box(finished, own, standing_meters(state, box, command.meters))
    if not box.folded or any(name in state.terms.keeps_cards for name in box.stakes):
        yield ev.BoxTurned(
            clauses=_why_turned(state, box),
            box=box.seat,
            cards=box.cards,
            hand=state.terms.rules.game.player(finished, own).hand.aloud,
        )
    won = next((line for line in lines if _is_won(line)), None)
    if won is None:
        yield from finish_box(state, box, lines)
        return
    yield from lines[: lines.index(won)]
    yield ev.ProgressiveWon(
        clauses=state.cites(by.won_clause, by.light_clause),
        rulings=(VALIDATION_RULING,),
        box=box.seat,
        stake_cents=won.stake_cents,
        cents=won.paid_cents + won.returned_cents,
        odds=str(won.odds),
        shows=won.shows,
        meter=won.meter,
        reading_micros=won.meter_before_micros,
    )


def finish_box(state: State, box: Box, lines: Iterable[ev.WagerSettled]) -> Iterator[ev.Event]:
    """The last lines of a box, and what all of them come to."""
    told = tuple(lines)
    yield from told
    own = [line for line in (*state.round.lines, *told) if line.box == box.seat]
    net = sum(line.net_cents for line in own if line.wager != ENVY)
    clauses = state.cites(state.book.procedure.one_box_clause)
    yield ev.BoxSettled(clauses=clauses, box=box.seat, net_cents=net)


def _is_won(line: WagerSettled) -> bool:
    """Every Progressive win is validated before it is paid."""
    return line.wager == PROGRESSIVE and line.outcome is Outcome.WIN


def standing_meters(state: State, box: Box, given: Mapping[str, int]) -> dict[str, Micros]:
    """The readings are asked for only where the box has a Progressive wager in action."""
    plays = box.has(PROGRESSIVE) and PROGRESSIVE not in box.forfeited
    return readings(state, given) if plays and state.terms.meters else {}


def _why_turned(state: State, box: Box) -> tuple[str, ...]:
    """A box that plays is turned for the contest; another for its open wagers, or what is saved."""
    by = state.book.procedure
    if box.has(state.terms.play[0]) or by.side_wagers_clause is None:
        return state.cites(by.turn_box_clause, by.announce_box_clause)
    if state.round.salvaged_by:
        return (state.round.salvaged_by,)
    wagers = [wager for wager in state.book.wagers if wager.name in box.stakes]
    held = [wager.fold.clause for wager in wagers if wager.name in state.terms.keeps_cards]
    return state.cites(*dict.fromkeys(held), by.side_wagers_clause)


def as_it_lies(state: State, box: Box) -> tuple[FinishedRound, FinishedBox]:
    """A salvaged round is only what it still settles; an ordinary one is all of it."""
    finished = finished_round(state.terms, state.round, {})
    own = finished_box(box)
    if state.round.stage != "salvage":
        return finished, own
    kept = {name: cents for name, cents in own.stakes.items() if name in state.round.still_settles}
    alone = FinishedBox(own.seat, own.cards, kept, own.player, own.refused)
    return FinishedRound(finished.rules, finished.cards, (alone,)), alone


def _abandoned(state: State, box: Box) -> Iterator[ev.WagerSettled]:
    for wager in state.book.wagers:
        if box.has(wager.name):
            forfeited = wager.name in box.forfeited
            yield ev.WagerSettled(
                clause=state.book.cite(state.book.procedure.abandoned_clause),
                rulings=(34,),
                box=box.seat,
                wager=wager.name,
                stake_cents=box.stakes[wager.name],
                outcome=Outcome.FORFEIT if forfeited else Outcome.LOSE,
                shows="abandoned",
            )


def why_not_record(state: State, command: do.RecordPaperwork) -> Refusal | None:
    if command.box not in state.round.paperwork:
        clause = _paperwork_clause(state.book.procedure)
        return state.refusal(f"No paperwork is due for box {command.box}", clause)
    return None


def _paperwork_clause(by: Procedure) -> str:
    """A book without such a clause asks for no papers, and then pays at the table."""
    return by.paperwork_clause or by.pay_clause


def _may_record(state: State, asker: Asker) -> Iterator[do.RecordPaperwork]:
    for seat in sorted(state.round.paperwork):
        yield do.RecordPaperwork(**asker.signed, box=seat)


def record_paperwork(state: State, command: do.RecordPaperwork) -> Iterator[ev.Event]:
    clause = _paperwork_clause(state.book.procedure)
    yield ev.PaperworkRecorded(
        clauses=state.cites(clause), rulings=(35,), box=command.box, by=command.by
    )


def why_not_clear(state: State, command: do.ClearCards) -> Refusal | None:
    by, round = state.book.procedure, state.round
    if phase(state) != "clearing":
        return state.refusal("The cards stay until every wager is settled", by.clear_clause)
    if round.paperwork:
        seats = ", ".join(map(str, sorted(round.paperwork)))
        return state.refusal(
            f"The cards of box {seats} stay until the paperwork is recorded", _paperwork_clause(by)
        )
    idle = unshuffled_idle_deck(state)
    if idle:
        return state.refusal(
            f"The {idle} deck is shuffled by the shuffler while the other is used; do it first",
            by.stored_clause,
        )
    disputed = (why_not_while_disputed(state, seat) for seat in sorted(round.boxes))
    return next(filter(None, disputed), None)


def _may_clear(state: State, asker: Asker) -> Iterator[do.ClearCards]:
    yield do.ClearCards(**asker.signed)


def clear(state: State, command: do.ClearCards) -> Iterator[ev.Event]:
    by, round = state.book.procedure, state.round
    if refused_acceptances(state):
        yield from cancel_refused(state, readings(state, command.meters))
    for player in sorted(_gone(state)):
        yield from keep(state, player)
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
    if event.outside and state.book.procedure.paperwork_clause is not None:
        changes["paperwork"] = round.paperwork | {event.box}
    settled = in_round(state, **changes)
    if event.meter is not None:
        after = Micros(event.meter_after_micros)
        settled = replace(settled, meters={**state.meters, event.meter: after})
    return settled


def _gone(state: State) -> set[str]:
    """Who left in the course of the round."""
    return {box.player for box in state.round.boxes.values() if box.absent}


def _cleared(state: State, event: ev.CardsCleared) -> State:
    """The next round; the deck that was used is to be shuffled, and who left has left."""
    gone = _gone(state)
    seats = {seat: name for seat, name in state.seats.items() if name not in gone}
    following = replace(
        state,
        round=Round(number=event.round + 1),
        last=state.round,
        seats=seats,
        requests=tuple(one for one in state.requests if one.act != "abandon"),
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
        automatic="dealer",
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
        automatic="dealer",
    ),
    Duty(
        do.RecordPaperwork,
        FLOOR,
        _paperwork_clause,
        why_not_record,
        record_paperwork,
        offers=_may_record,
        shown=by_box,
        automatic="floorperson",
        works_in=("clearing",),
    ),
    Duty(
        do.ClearCards,
        DEALER,
        lambda by: by.clear_clause,
        why_not_clear,
        clear,
        offers=_may_clear,
        phases=("clearing",),
        automatic="dealer",
    ),
)

FOLDS: Folds = {
    ev.DealerRevealed: _revealed,
    ev.PlaceTurned: _turned_up,
    ev.BoxTurned: _turned_up,
    ev.WagerSettled: _line_settled,
    ev.BoxSettled: lambda state, event: in_box(state, event.box, settled=True),
    ev.PaperworkRecorded: lambda state, event: in_round(
        state, paperwork=state.round.paperwork - {event.box}
    ),
    ev.CardsCleared: _cleared,
}
