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
    hands_are_dealt,
)
from croupier.table.handlers.devices import OUT_OF_ORDER
from croupier.table.handlers.handler import FLOOR, STAFF, Duties, Duty, Folds, read_cards
from croupier.table.handlers.shuffle import DECK_NOT_WHOLE
from croupier.table.handlers.stub_count import NOT_WHOLE
from croupier.table.handlers.void import BY_SYSTEM, give_back, salvage, void, void_by_system
from croupier.table.state import Hold, State, in_round, replace, with_deck

SHOE_JAM = "shoe-jam"
DEALERS_CARD = "dealer-card-exposed"
SEALED_RULING = 42


def declare(state: State, command: do.Declare) -> Iterator[ev.Event]:
    rule = state.book.irregularity(command.name)
    if rule is None:
        known = ", ".join(rule.name for rule in state.book.irregularities)
        raise state.refusal(
            f"No irregularity is called {quoted(command.name)}; there is {known}",
            state.book.procedure.irregular_clause,
        )
    _refuse_second_by_name(state, rule)
    _refuse_at_sealed_cards(state, rule)
    cards, exposed = read_cards(command.cards), read_cards(command.exposed)
    _refuse_too_late(state, rule)
    _refuse_wrong_cards(state, rule, cards, exposed)
    rule = _again(state, rule)
    waits = _moves_money(state, rule)
    _refuse_alone(state, command, waits)
    orders = () if waits else rule.order_clauses
    yield ev.IrregularityDeclared(
        clauses=state.cites(rule.clause, *orders),
        rulings=(*rule.rulings, 41) if cards and _dealer_waits(state) else rule.rulings,
        name=rule.name,
        effect=rule.effect,
        waits=waits,
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
    by_system = hold.name.startswith(BY_SYSTEM)
    if by_system and command.role != "manager":
        raise state.refusal("A manager confirms that the system cannot go on", hold.clause)
    rule = state.book.irregularity(hold.name)
    orders = rule.order_clauses if rule is not None else ()
    yield ev.IrregularityConfirmed(
        clauses=state.cites(hold.clause, *orders), rulings=(33,), name=hold.name, by=command.by
    )
    if by_system:
        reason = hold.name.removeprefix(BY_SYSTEM)
        yield from void_by_system(state, hold.clause, reason, command.meters)
    elif rule is None or rule.effect == "void" or not _can_be_saved(state, rule):
        yield from void(state, hold.name, hold.clause, command.meters)
        if hold.name in (NOT_WHOLE, DECK_NOT_WHOLE):
            clauses = state.cites(hold.clause)
            yield ev.DeckRemoved(clauses=clauses, color=state.round.color, why="not 52 cards")
    elif rule.effect == "salvage":
        yield from salvage(state, rule, command.meters)
    elif state.round.stage == "betting":
        yield from give_back(state, rule.clause, ())
    else:
        yield from void(state, rule.name, rule.clause, command.meters)


def _can_be_saved(state: State, rule: Irregularity) -> bool:
    """Whether anything is left to settle where the rule asks for it (UTH 13.G)."""
    boxes = state.round.boxes.values()
    held = any(box.has(wager) for box in boxes for wager in rule.still_settles)
    return held or not rule.only_if_held


def _again(state: State, rule: Irregularity) -> Irregularity:
    """The second card found face up decides, by whether everyone has received the first cards."""
    if rule.effect != "set aside" or not state.round.set_aside or state.round.stage != "play":
        return rule
    late = hands_are_dealt(state) and rule.second_late is not None
    name = rule.second_late if late else rule.second
    return state.book.irregularity(name or "") or rule


def _dealer_waits(state: State) -> bool:
    """Whether the players hold cards while the dealer's own are kept in the shuffler."""
    return first_cards_are_out(state) and not hands_are_dealt(state)


def _refuse_second_by_name(state: State, rule: Irregularity) -> None:
    """What a second card decides is reached only by the cards that were found (ruling 28)."""
    first = _first_of(state, rule)
    if first is not None:
        raise state.refusal(
            f"Each card found is declared as {first.name}; the second one decides", rule.clause
        )


def _refuse_at_sealed_cards(state: State, rule: Irregularity) -> None:
    """Or one person's word would turn a card for everybody."""
    if state.terms.sealed and _turns_a_card(rule):
        raise state.refusal(
            "No hand can turn a card of a sealed electronic shoe; a system that showed one cannot "
            f"go on, and the floorperson has the round voided (ruling {SEALED_RULING})",
            rule.clause,
        )


def _refuse_alone(state: State, command: do.Declare, waits: bool) -> None:
    """Whoever confirms is not who declared it: nobody undoes a round of a real table alone."""
    if state.terms.sealed and waits and command.role != "dealer":
        raise state.refusal(
            "The dealer declares it, and the floorperson confirms",
            state.book.procedure.irregular_clause,
        )


def _turns_a_card(rule: Irregularity) -> bool:
    return rule.name == DEALERS_CARD or rule.effect in ("set aside", "play on")


def _moves_money(state: State, rule: Irregularity) -> bool:
    if rule.effect == "return and reshuffle":
        return bool(state.round.boxes) and _being_shuffled(state) == _to_be_dealt(state)
    return rule.effect in ("void", "salvage")


def possible_now(state: State) -> tuple[str, ...]:
    """The irregularities that may be declared as things lie."""
    in_time = {until: is_in_time(state) for until, is_in_time in _IN_TIME.items()}
    return tuple(
        rule.name
        for rule in state.book.irregularities
        if in_time[rule.until] and _is_declared(state, rule) and showable(state, rule) != set()
    )


def _is_declared(state: State, rule: Irregularity) -> bool:
    """Not what is reported by a device's name or reached by a second card, nor a shoe not used,
    nor what nobody's hand can do to sealed cards."""
    by_hand = rule.name == SHOE_JAM and state.dealing.held_in != "device"
    out_of_reach = state.terms.sealed and _turns_a_card(rule)
    is_named = rule.effect != "cover" and _first_of(state, rule) is None
    return is_named and not by_hand and not out_of_reach


def _first_of(state: State, rule: Irregularity) -> Irregularity | None:
    """What is declared, where this is only what it becomes when it happens again."""
    books = state.book.irregularities
    return next((first for first in books if rule.name in (first.second, first.second_late)), None)


def _refuse_too_late(state: State, rule: Irregularity) -> None:
    if rule.effect == "cover":
        raise state.refusal("A device out of order is reported by its name", rule.clause)
    if not _IN_TIME[rule.until](state):
        raise state.refusal(f"Too late or too early for that: {rule.happens}", rule.clause)
    if rule.name == SHOE_JAM and state.dealing.held_in != "device":
        raise state.refusal(f"The cards are dealt {state.dealing.title}", rule.clause)


def _in_play(state: State) -> bool:
    return state.round.stage in ("play", "salvage")


_IN_TIME: dict[str, Callable[[State], bool]] = {
    "shuffled": lambda state: _being_shuffled(state) != "",
    "dealt": lambda state: _in_play(state) and cards_still_to_come(state),
    "acted": lambda state: state.round.stage == "play" and not all_have_acted(state),
    "revealed": lambda state: state.round.stage == "play" and not state.round.revealed,
    "cleared": lambda state: _in_play(state) and state.round.was_dealt,
}


def _being_shuffled(state: State) -> str:
    """The deck the shuffler has: the one that is to be dealt from, or else the idle one.

    One that is covered or signed shuffles nothing; one just found broken has failed at it.
    """
    if not state.terms.shuffler or state.devices.get("shuffler", OUT_OF_ORDER) != OUT_OF_ORDER:
        return ""
    dealt_from = state.round.color if state.round.stage != "betting" else ""
    kept = dealt_from if state.round.was_dealt or state.round.stage == "void" else ""
    waiting = [d.color for d in state.decks if d.stage == "stacked" and d.color != kept]
    wanted = _to_be_dealt(state)
    return wanted if wanted in waiting else next(iter(waiting), "")


def _to_be_dealt(state: State) -> str:
    """The deck of the coming cards; none once a round is dealt or void."""
    if state.round.stage == "betting":
        return state.color
    waits = state.round.stage == "play" and not state.round.was_dealt
    return state.round.color if waits else ""


def _refuse_wrong_cards(
    state: State, rule: Irregularity, cards: tuple[str, ...], exposed: tuple[str, ...]
) -> None:
    """Cards found come from the deck; cards seen lie on the table, face down."""
    found = 1 if rule.effect == "set aside" else 0
    if len(cards) != found or any(card in state.round.out for card in cards):
        raise state.refusal(f"{found} card(s) found in the deck must be named", rule.clause)
    visible = showable(state, rule)
    named = not exposed if visible is None else bool(exposed) and {*exposed} <= visible
    if not named:
        raise state.refusal("Name the cards that were seen, and only those", rule.clause)


def showable(state: State, rule: Irregularity) -> set[str] | None:
    """The cards on the table that such an accident can show; None where it shows none."""
    dealers = {*state.round.places.get("dealer", ())}
    if rule.name == DEALERS_CARD:
        return dealers - state.round.up
    if rule.effect == "play on":
        return set(state.round.out - dealers - state.round.up - {*state.round.set_aside})
    return None


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
        hold = Hold(name=event.name, clause=clause, cards=event.cards, exposed=event.exposed)
        after = replace(after, hold=hold)
    return after


def _dismissed(state: State, event: ev.IrregularityDismissed) -> State:
    """As if nothing had been declared: a card found goes back, a card seen lies face down."""
    hold, round = state.hold, state.round
    if hold is None:
        return state
    undone = in_round(
        state,
        set_aside=tuple(card for card in round.set_aside if card not in hold.cards),
        out=round.out - {*hold.cards},
        up=round.up - {*hold.cards} - {*hold.exposed},
    )
    return replace(undone, hold=None)


DUTIES: Duties = {
    do.Declare: Duty(declare, STAFF, "irregular_clause"),
    do.Confirm: Duty(confirm, FLOOR, "irregular_clause"),
}

FOLDS: Folds = {
    ev.IrregularityDeclared: _declared,
    ev.IrregularityConfirmed: lambda state, event: replace(state, hold=None),
    ev.IrregularityDismissed: _dismissed,
}
