"""Chapter 13: the dealer declares, the floorperson confirms, and only then money moves.

What each irregularity does and until when it counts is data of the rulebook; here each effect has
its few lines (rulings 28 to 33).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from croupier.facts.errors import quoted
from croupier.rulebook.book import Effect, Irregularity
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import (
    all_have_acted,
    cards_still_to_come,
    first_cards_are_out,
)
from croupier.table.handling import FLOOR, STAFF, Duties, Duty, Folds, read_cards
from croupier.table.state import Hold, State, in_round, replace, with_deck
from croupier.table.stub import NOT_WHOLE
from croupier.table.voiding import give_back, salvage, void


def declare(state: State, command: do.Declare) -> Iterator[ev.Event]:
    rule = state.book.irregularity(command.name)
    if rule is None:
        known = ", ".join(rule.name for rule in state.book.irregularities)
        raise state.refusal(
            f"No irregularity is called {quoted(command.name)}; there is {known}",
            state.book.procedure.irregular_clause,
        )
    _refuse_second_by_name(state, rule)
    cards, exposed = read_cards(command.cards), read_cards(command.exposed)
    _refuse_too_late(state, rule)
    _refuse_wrong_cards(state, rule, cards, exposed)
    rule = _again(state, rule)
    yield ev.IrregularityDeclared(
        clauses=state.cites(rule.clause),
        rulings=(rule.ruling,),
        name=rule.name,
        effect=rule.effect,
        waits=_moves_money(state, rule),
        cards=cards,
        exposed=exposed,
    )


def confirm(state: State, command: do.Confirm) -> Iterator[ev.Event]:
    hold = state.hold
    if hold is None:
        raise state.refusal(
            "Nothing was declared that waits for a floorperson",
            state.book.procedure.irregular_clause,
        )
    if not command.upheld:
        yield ev.IrregularityDismissed(
            clauses=state.cites(hold.clause), rulings=(33,), name=hold.name, by=command.by
        )
        return
    yield ev.IrregularityConfirmed(
        clauses=state.cites(hold.clause), rulings=(33,), name=hold.name, by=command.by
    )
    rule = state.book.irregularity(hold.name)
    if rule is None or rule.effect == "void" or not _can_be_saved(state, rule):
        yield from void(state, hold.name, hold.clause, command.meters)
        if hold.name == NOT_WHOLE:
            clause = state.dealing.procedure.stub_wrong_clause
            yield ev.DeckRemoved(
                clauses=state.cites(clause), color=state.round.color, why="not 52 cards"
            )
    elif rule.effect == "salvage":
        yield from salvage(state, rule, command.meters)
    else:
        yield from give_back(state, rule.clause, ())


def _can_be_saved(state: State, rule: Irregularity) -> bool:
    """Whether anything is left to settle where the rule asks for it (UTH 13.G)."""
    boxes = state.round.boxes.values()
    held = any(box.has(wager) for box in boxes for wager in rule.still_settles)
    return held or not rule.only_if_held


def _again(state: State, rule: Irregularity) -> Irregularity:
    """The second card found face up decides, by whether everyone holds the first cards."""
    if rule.effect != "set aside" or not state.round.set_aside or state.round.stage != "play":
        return rule
    late = first_cards_are_out(state) and rule.second_late is not None
    name = rule.second_late if late else rule.second
    return state.book.irregularity(name or "") or rule


def _refuse_second_by_name(state: State, rule: Irregularity) -> None:
    """What a second card decides is reached only by the cards that were found (ruling 28)."""
    for first in state.book.irregularities:
        if rule.name in (first.second, first.second_late):
            raise state.refusal(
                f"Each card found is declared as {first.name}; the second one decides", rule.clause
            )


def _moves_money(state: State, rule: Irregularity) -> bool:
    if rule.effect == "return and reshuffle":
        next_to_play = _being_shuffled(state) == state.color
        return state.round.stage == "betting" and next_to_play and bool(state.round.boxes)
    return rule.effect in ("void", "salvage")


def _refuse_too_late(state: State, rule: Irregularity) -> None:
    if rule.effect == "cover":
        raise state.refusal("A device out of order is reported by its name", rule.clause)
    if not _IN_TIME[rule.until](state):
        raise state.refusal(f"Too late or too early for that: {rule.happens}", rule.clause)
    if rule.name == "shoe-jam" and state.dealing.held_in != "device":
        raise state.refusal(f"The cards are dealt {state.dealing.title}", rule.clause)


def _in_play(state: State) -> bool:
    return state.round.stage in ("play", "salvage")


_IN_TIME: dict[str, Callable[[State], bool]] = {
    "shuffled": lambda state: _being_shuffled(state) != "",
    "dealt": lambda state: _in_play(state) and cards_still_to_come(state),
    "acted": lambda state: state.round.stage == "play" and not all_have_acted(state),
    "revealed": lambda state: state.round.stage == "play" and not state.round.revealed,
    "cleared": lambda state: _in_play(state) and bool(state.round.out),
}


def _being_shuffled(state: State) -> str:
    """The deck the shuffler has: the one to be played next, or else the idle one."""
    if not state.terms.shuffler:
        return ""
    in_play = state.round.color if state.round.stage != "betting" else ""
    waiting = [d.color for d in state.decks if d.stage == "stacked" and d.color != in_play]
    return state.color if state.color in waiting else next(iter(waiting), "")


def _refuse_wrong_cards(
    state: State, rule: Irregularity, cards: tuple[str, ...], exposed: tuple[str, ...]
) -> None:
    """Cards found come from the deck; cards seen lie on the table, face down."""
    found = 1 if rule.effect == "set aside" else 0
    if len(cards) != found or any(card in state.round.out for card in cards):
        raise state.refusal(f"{found} card(s) found in the deck must be named", rule.clause)
    dealers = {*state.round.places.get("dealer", ())}
    if rule.name == "dealer-card-exposed":
        seen = {*exposed} and {*exposed} <= dealers - state.round.up
    elif rule.effect == "play on":
        others = state.round.out - dealers - state.round.up - {*state.round.set_aside}
        seen = {*exposed} and {*exposed} <= others
    else:
        seen = not exposed
    if not seen:
        raise state.refusal("Name the cards that were seen, and only those", rule.clause)


def _declared(state: State, event: ev.IrregularityDeclared) -> State:
    clause = event.clauses[0].partition(" ")[2]
    round = state.round
    after = in_round(
        state,
        set_aside=(*round.set_aside, *event.cards),
        out=round.out | {*event.cards},
        up=round.up | {*event.cards} | {*event.exposed},
    )
    effect: Effect | str = event.effect
    if effect in ("return and reshuffle", "reshuffle"):
        after = with_deck(after, _being_shuffled(state), stage="stacked", was_cut=False)
    if event.waits:
        after = replace(after, hold=Hold(name=event.name, clause=clause))
    return after


DUTIES: Duties = {
    do.Declare: Duty(declare, STAFF, "irregular_clause"),
    do.Confirm: Duty(confirm, FLOOR, "irregular_clause"),
}

FOLDS: Folds = {
    ev.IrregularityDeclared: _declared,
    ev.IrregularityConfirmed: lambda state, event: replace(state, hold=None),
    ev.IrregularityDismissed: lambda state, event: replace(state, hold=None),
}
