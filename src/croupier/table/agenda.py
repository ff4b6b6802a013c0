"""Phase and next deal step, derived from the state: a pure read, nothing stored."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from croupier.rulebook.book import DealStep, Street
from croupier.table.state import Box, Round, State

Phase = Literal["betting", "dealing", "acting", "revealing", "settling", "clearing"]
PHASES: tuple[Phase, ...] = get_args(Phase)


def phase(state: State) -> Phase:
    stage = state.round.stage
    if stage == "betting":
        return "betting"
    if stage == "void":
        return "clearing"
    if next_step(state) is not None:
        return "dealing"
    if stage == "play":
        if asked_box(state) is not None:
            return "acting"
        if not state.round.revealed:
            return "revealing"
    return "settling" if next_to_settle(state) is not None else "clearing"


class Moment(NamedTuple):
    """The phase, and the box that is asked in it: read once for everybody who looks."""

    phase: Phase
    asked: Box | None


def moment(state: State) -> Moment:
    now = phase(state)
    return Moment(now, asked_box(state) if now == "acting" else None)


def next_step(state: State) -> DealStep | None:
    """The step that may be dealt now; one that waits for a street is not due before it is over."""
    plan, at = state.plan, state.round.step
    if state.round.stage not in ("play", "salvage") or at >= len(plan):
        return None
    step = plan[at]
    if state.round.stage == "play" and step.after is not None:
        wanted = state.terms.street_index[step.after]
        if any(box.answered <= wanted for box in state.round.boxes.values()):
            return None
    return step


def cards_needed(state: State) -> int:
    """How many cards the shoe must give for the next step."""
    step = next_step(state)
    if step is None or not step.deal:
        return 0
    return step.deal * (len(state.round.boxes) if step.to == "boxes" else 1)


def cards_still_to_come(state: State) -> bool:
    """Whether any step that takes cards from the shoe is left."""
    return any(step.deal for step in state.plan[state.round.step :])


def first_cards_are_out(state: State) -> bool:
    """Whether everyone holds the cards that are dealt before the first question."""
    return held_first_cards(state, state.round)


def held_first_cards(state: State, round: Round) -> bool:
    """Whether a round, this one or the last, came so far that players could look at their cards."""
    return round.step >= state.terms.first_steps[round.way or state.way]


def hands_are_dealt(state: State) -> bool:
    """Whether every box and the dealer have received their cards.

    A dealer whose cards wait in the shuffler has received none (ruling 41).
    """
    return state.round.step >= state.terms.hands_dealt[state.round.way or state.way]


def in_asking_order(state: State) -> list[Box]:
    from_left = state.book.contest.order.asked_from == "left"
    return [box for _, box in sorted(state.round.boxes.items(), reverse=not from_left)]


def asked_box(state: State) -> Box | None:
    """The box whose answer is awaited, in order from the dealer's left."""
    if state.round.stage != "play" or next_step(state) is not None:
        return None
    order = in_asking_order(state)
    street = min((box.answered for box in order), default=len(state.book.streets))
    if street >= len(state.book.streets):
        return None
    return next(box for box in order if box.answered == street)


def street_of(state: State, box: Box) -> Street:
    return state.book.streets[box.answered]


def all_have_acted(state: State) -> bool:
    streets = len(state.book.streets)
    return all(box.answered >= streets for box in state.round.boxes.values())


def next_to_settle(state: State) -> Box | None:
    from_right = state.book.contest.order.settled_from == "right"
    order = sorted(state.round.boxes.items(), reverse=from_right)
    return next((box for _, box in order if not box.settled), None)
