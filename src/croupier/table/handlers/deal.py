"""The deal, step by step as the way of dealing says it, with the cards the shoe has given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.facts.errors import Refusal
from croupier.games.rules import PROGRESSIVE
from croupier.rulebook.book import DealStep
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import (
    asked_box,
    cards_needed,
    in_asking_order,
    next_step,
)
from croupier.table.handlers.devices import why_dead_dispenser
from croupier.table.handlers.handler import DEALER, Asker, Duties, Duty, Folds, read_cards
from croupier.table.handlers.numbers import why_unshown
from croupier.table.handlers.progressive import why_mismatched
from croupier.table.handlers.stub_count import stub_is_due
from croupier.table.options import Option
from croupier.table.state import State, in_round, replace


def why_not_deal(state: State, command: do.Deal) -> Refusal | None:
    step = next_step(state)
    if step is None:
        return _why_no_step(state)
    why = why_dead_dispenser(state) if step.deal else None
    return why or (None if state.round.was_dealt else _why_no_first_card(state))


def deal(state: State, command: do.Deal) -> Iterator[ev.Event]:
    step = next_step(state)
    assert step is not None
    cards = read_cards(command.cards)
    _refuse_wrong_cards(state, cards)
    if not state.round.was_dealt:
        yield from _before_the_first_card(state)
    if step.turn:
        yield _turned(state, step)
        return
    yield ev.CardsDealt(
        clauses=state.cites(step.clause, *_stub_put_away(state)),
        step=state.round.step,
        lies=tuple(_lies(state, step, cards)),
        face_up=step.face == "up",
    )


def _may_deal(state: State, asker: Asker) -> Iterator[do.Deal]:
    """Which cards they are is for the shoe to say."""
    yield do.Deal(**asker.signed)


def _steps(state: State, asker: Asker, commands: Sequence[do.Deal]) -> Iterator[Option]:
    for _ in commands:
        yield Option(do="deal", cards=cards_needed(state), number=state.round.step)


def _why_no_step(state: State) -> Refusal:
    by = state.book.procedure
    box = asked_box(state)
    if box is not None:
        street = state.book.streets[box.answered]
        return state.refusal(f"Box {box.seat} has not answered yet", street.ask_clause)
    if state.round.stage == "betting":
        return state.refusal(
            'No card is dealt before "no more bets"', state.dealing.procedure.no_more_bets_clause
        )
    return state.refusal("All cards of this round are dealt", by.reveal_clause)


def _why_no_first_card(state: State) -> Refusal | None:
    """The deck must have stayed ready, and chips and acceptances be the same in number."""
    deck = state.deck
    if not state.terms.electronic_shoe and (deck is None or deck.stage != "ready"):
        return state.refusal(
            "The cards must be shuffled and cut before the first is dealt",
            state.book.procedure.must_cut_clause,
        )
    return why_unshown(state) or why_mismatched(state)


def _refuse_wrong_cards(state: State, cards: tuple[str, ...]) -> None:
    needed = cards_needed(state)
    if len(cards) != needed:
        raise state.refusal(
            f"This step takes {needed} card(s) from the shoe, not {len(cards)}",
            state.book.refusals.wrong_count,
        )
    twice = sorted(card for card in set(cards) if card in state.round.out or cards.count(card) > 1)
    if twice:
        raise state.refusal(
            f"{', '.join(twice)} would be dealt twice; a round is dealt from one deck",
            state.book.refusals.one_deck,
        )


def _before_the_first_card(state: State) -> Iterator[ev.Event]:
    """The Progressive chips go into the inventory."""
    boxes = tuple(box.seat for box in in_asking_order(state) if box.has(PROGRESSIVE))
    if boxes:
        way = state.dealing.procedure
        clauses = state.cites(
            way.chips_collected_clause, way.chips_match_clause, way.chips_away_clause
        )
        yield ev.ProgressiveCollected(clauses=clauses, boxes=boxes)


def _lies(state: State, step: DealStep, cards: tuple[str, ...]) -> Iterator[ev.Lie]:
    if step.to != "boxes":
        yield ev.Lie(place=step.to, cards=cards)
        return
    for at, box in enumerate(in_asking_order(state)):
        own = cards[at * step.deal : (at + 1) * step.deal]
        yield ev.Lie(place="box", cards=own, box=box.seat)


def _stub_put_away(state: State) -> tuple[str | None, ...]:
    """With the last card dealt the stub goes into the rack, unless it is due to be counted."""
    way = state.dealing.procedure
    if any(step.deal for step in state.plan[state.round.step + 1 :]):
        return ()
    return (way.stub_out_clause, None if stub_is_due(state) else way.stub_away_clause)


def _turned(state: State, step: DealStep) -> ev.CardsTurned:
    down = [card for card in state.round.places[step.to] if card not in state.round.up]
    return ev.CardsTurned(
        clauses=state.cites(step.clause),
        step=state.round.step,
        place=step.to,
        cards=tuple(down[: step.turn]),
    )


def _dealt(state: State, event: ev.CardsDealt) -> State:
    boxes, places = dict(state.round.boxes), dict(state.round.places)
    cards: set[str] = set()
    for lie in event.lies:
        cards.update(lie.cards)
        if lie.box:
            boxes[lie.box] = replace(boxes[lie.box], cards=boxes[lie.box].cards + lie.cards)
        else:
            places[lie.place] = places.get(lie.place, ()) + lie.cards
    first = not state.round.was_dealt
    dealt = in_round(
        state,
        boxes=boxes,
        places=places,
        out=state.round.out | cards,
        up=state.round.up | cards if event.face_up else state.round.up,
        step=event.step + 1,
    )
    return replace(dealt, uncounted=state.uncounted + 1) if first else dealt


def _turn(state: State, event: ev.CardsTurned) -> State:
    return in_round(state, up=state.round.up | {*event.cards}, step=event.step + 1)


DUTIES: Duties = (
    Duty(
        do.Deal,
        (*DEALER, "device"),
        lambda by: by.examine_clause,
        why_not_deal,
        deal,
        offers=_may_deal,
        phases=("dealing",),
        shown=_steps,
        automatic="dealer",
    ),
)

FOLDS: Folds = {
    ev.ProgressiveCollected: lambda state, event: state,
    ev.CardsDealt: _dealt,
    ev.CardsTurned: _turn,
}
