"""Chapter 13: the dealer declares, the floorperson confirms, and only then money moves.

What each irregularity does and until when it counts is data of the rulebook; here each effect has
its few lines (rulings 28 to 33).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from croupier.facts.errors import Refusal, quoted
from croupier.rulebook.book import Effect, Irregularity
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import (
    all_have_acted,
    cards_needed,
    cards_still_to_come,
    first_cards_are_out,
    hands_are_dealt,
)
from croupier.table.handlers.devices import OUT_OF_ORDER
from croupier.table.handlers.handler import (
    FLOOR,
    STAFF,
    Asker,
    Duties,
    Duty,
    Folds,
    PowerUse,
    power_used,
    read_cards,
)
from croupier.table.handlers.numbers import why_unshown
from croupier.table.handlers.stub_count import NOT_WHOLE
from croupier.table.handlers.void import (
    CAUSES,
    give_back,
    salvage,
    void,
    void_by_cause,
    void_power,
)
from croupier.table.options import Option
from croupier.table.powers import Actor, Power
from croupier.table.state import Hold, State, in_round, replace, with_deck

SHOE_JAM = "shoe-jam"
DEALERS_CARD = "dealer-card-exposed"
SEALED_RULING = 42


def why_not_declare(state: State, command: do.Declare) -> Refusal | None:
    rule = state.book.irregularity(command.name)
    if rule is None:
        known = ", ".join(rule.name for rule in state.book.irregularities)
        return state.refusal(
            f"No irregularity is called {quoted(command.name)}; there is {known}",
            state.book.procedure.irregular_clause,
        )
    return (
        _why_second_by_name(state, rule)
        or _why_at_sealed_cards(state, rule)
        or _why_too_late(state, rule)
        # Before all numbers are shown nobody knows which card comes next.
        or (why_unshown(state) if rule.effect == "set aside" else None)
    )


def declare(state: State, command: do.Declare) -> Iterator[ev.Event]:
    rule = state.book.irregularity(command.name)
    assert rule is not None
    cards, exposed = read_cards(command.cards), read_cards(command.exposed)
    _refuse_wrong_cards(state, rule, cards, exposed)
    rule = _again(state, rule)
    waits = _moves_money(state, rule)
    orders = () if waits else rule.order_clauses
    yield ev.IrregularityDeclared(
        clauses=state.cites(rule.clause, *orders),
        rulings=(*rule.rulings, 41) if cards and _dealer_waits(state) else rule.rulings,
        name=rule.name,
        effect=rule.effect,
        waits=waits,
        by=command.by,
        role=command.role,
        cards=cards,
        exposed=exposed,
    )


def _may_declare(state: State, asker: Asker) -> Iterator[do.Declare]:
    """What can have happened as the cards lie; which cards were seen is for the dealer to say."""
    for rule in state.book.irregularities:
        if showable(state, rule) != set():
            yield do.Declare(**asker.signed, name=rule.name)


def _names(state: State, asker: Asker, commands: Sequence[do.Declare]) -> Iterator[Option]:
    names = tuple(one.name for one in commands)
    rules = ((name, state.book.irregularity(name)) for name in names)
    again = tuple(name for name, rule in rules if rule and _again(state, rule) is not rule)
    yield Option(do="declare", names=names, again=again)


def _is_jammed(state: State, command: do.Declare) -> bool:
    """The device of the round broke before it had given all its cards."""
    jammed = state.round.device in state.devices and cards_needed(state) > 0
    return jammed and command.name == SHOE_JAM


def why_not_confirm(state: State, command: do.Confirm) -> Refusal | None:
    if state.hold is None:
        return state.refusal(
            "Nothing was declared that waits for a floorperson",
            state.book.procedure.irregular_clause,
        )
    first, second = _two(state.hold, command)
    policy, power = state.terms.policy, _power_behind(state.hold)
    if command.upheld:
        why = policy.why_not_second(power, first, second)
        return state.refusal(why, state.hold.clause) if why else None
    if first.name == second.name and policy.waits(power):
        return state.refusal(
            f"{second.name} began it; a second person confirms or dismisses it",
            state.hold.clause,
        )
    return None


def _two(hold: Hold, command: do.Confirm) -> tuple[Actor, Actor]:
    """Who declared it and who has the word on it (ruling 33)."""
    return Actor(hold.by, hold.role), Actor(command.by, command.role)


def _power_behind(hold: Hold) -> Power:
    return void_power(hold.role) if hold.name in CAUSES else "irregularity"


def confirm(state: State, command: do.Confirm) -> Iterator[ev.Event]:
    hold = state.hold
    assert hold is not None
    if not command.upheld:
        yield ev.IrregularityDismissed(
            clauses=state.cites(hold.clause), rulings=(33,), name=hold.name, by=command.by
        )
        return
    rule = state.book.irregularity(hold.name)
    orders = rule.order_clauses if rule is not None else ()
    yield ev.IrregularityConfirmed(
        clauses=state.cites(hold.clause, *orders),
        rulings=(33,),
        name=hold.name,
        by=command.by,
    )
    if hold.name in CAUSES:
        yield from void_by_cause(state, hold.clause, hold.name, hold.reason, command.meters)
    elif rule is None or rule.effect == "void" or not _can_be_saved(state, rule):
        yield from void(state, hold.name, hold.clause, command.meters)
        if hold.name == NOT_WHOLE:
            clauses = state.cites(hold.clause)
            yield ev.DeckRemoved(clauses=clauses, color=state.round.color, why="not 52 cards")
    elif rule.effect == "salvage":
        yield from salvage(state, rule, command.meters)
    elif state.round.stage == "betting":
        yield from give_back(state, rule.clause, ())
    else:
        yield from void(state, rule.name, rule.clause, command.meters)
    yield power_used(state, PowerUse(_power_behind(hold)), *_two(hold, command))


def _may_confirm(state: State, asker: Asker) -> Iterator[do.Confirm]:
    for upheld in (True, False):
        yield do.Confirm(**asker.signed, upheld=upheld)


def _answers(state: State, asker: Asker, commands: Sequence[do.Confirm]) -> Iterator[Option]:
    if commands:
        yield Option(do="confirm", may_uphold=any(command.upheld for command in commands))


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


def _why_second_by_name(state: State, rule: Irregularity) -> Refusal | None:
    """What a second card decides is reached only by the cards that were found (ruling 28)."""
    first = state.terms.first_card_of.get(rule.name)
    if first is None:
        return None
    return state.refusal(
        f"Each card found is declared as {first}; the second one decides", rule.clause
    )


def _why_at_sealed_cards(state: State, rule: Irregularity) -> Refusal | None:
    """Or one person's word would turn a card for everybody."""
    if state.terms.sealed and _turns_a_card(rule):
        return state.refusal(
            "No hand can turn a card of a sealed electronic shoe; a system that showed one cannot "
            f"go on, and the floorperson has the round voided (ruling {SEALED_RULING})",
            rule.clause,
        )
    return None


def _turns_a_card(rule: Irregularity) -> bool:
    return rule.name == DEALERS_CARD or rule.effect in ("set aside", "play on")


def _moves_money(state: State, rule: Irregularity) -> bool:
    if rule.effect == "return and reshuffle":
        return bool(state.round.boxes) and _being_shuffled(state) == _to_be_dealt(state)
    return rule.effect in ("void", "salvage")


def _why_too_late(state: State, rule: Irregularity) -> Refusal | None:
    if rule.effect == "cover":
        return state.refusal("A device out of order is reported by its name", rule.clause)
    if not _IN_TIME[rule.until](state):
        return state.refusal(f"Too late or too early for that: {rule.happens}", rule.clause)
    if rule.name == SHOE_JAM and state.dealing.held_in != "device":
        return state.refusal(f"The cards are dealt {state.dealing.title}", rule.clause)
    return None


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
        hold = Hold(
            name=event.name,
            clause=clause,
            by=event.by,
            role=event.role,
            reason=event.reason,
            cards=event.cards,
            exposed=event.exposed,
        )
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


DUTIES: Duties = (
    Duty(
        do.Declare,
        STAFF,
        lambda by: by.irregular_clause,
        why_not_declare,
        declare,
        offers=_may_declare,
        shown=_names,
        automatic="dealer",
        works_in=("dealing",),
        due=_is_jammed,
    ),
    Duty(
        do.Confirm,
        FLOOR,
        lambda by: by.irregular_clause,
        why_not_confirm,
        confirm,
        offers=_may_confirm,
        shown=_answers,
        automatic="floorperson",
        works_in=(),
        due=lambda state, command: command.upheld,
        ruled=True,
    ),
)

FOLDS: Folds = {
    ev.IrregularityDeclared: _declared,
    ev.IrregularityConfirmed: lambda state, event: replace(state, hold=None),
    ev.IrregularityDismissed: _dismissed,
}
