"""Opening a table: decks received, inspected, verified, spread, washed and stacked (chapter 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from croupier.facts.errors import Refusal, quoted
from croupier.rulebook.book import CitedCount
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.handler import (
    DEALER,
    FLOOR,
    STAFF,
    Asker,
    Duties,
    Duty,
    Folds,
    by_color,
    each_deck,
)
from croupier.table.options import Option
from croupier.table.state import Deck, DeckStage, State, replace, with_deck, without_cut
from croupier.table.terms import Terms

HOUR_S = 3600
STAGES: tuple[DeckStage, ...] = get_args(DeckStage)


def why_not_open(state: State, command: do.OpenTable) -> Refusal | None:
    clause = state.book.procedure.inspect_clause
    if not state.terms.electronic_shoe:
        return state.refusal(
            "This table deals paper cards: it opens with the inspection of a deck", clause
        )
    return state.refusal("The table is open", clause) if state.open else None


def open_table(state: State, command: do.OpenTable) -> Iterator[ev.Event]:
    by = state.book.procedure
    skipped = (by.inspect_clause, by.wash_clause, by.must_cut_clause)
    yield ev.TableOpened(clauses=state.cites(*skipped), rulings=(38,))


def _may_open(state: State, asker: Asker) -> Iterator[do.OpenTable]:
    yield do.OpenTable(**asker.signed)


def why_not_receive(state: State, command: do.ReceiveDeck) -> Refusal | None:
    clause, colors = state.book.procedure.colors_clause, state.terms.deck_colors
    why = why_electronic(state) or why_in_round(state)
    if why is not None:
        return why
    if command.color not in colors:
        return state.refusal(
            f"No deck with {quoted(command.color)} backs belongs here; "
            f"there is {' and '.join(colors)}",
            clause,
        )
    if deck_of(state, command.color) is not None:
        return state.refusal(
            f"A deck with {command.color} backs is on the table; the other must differ", clause
        )
    most = decks_allowed(state)
    if len(state.decks) >= most.count:
        return state.refusal(f"The table has its {most.count} deck(s)", most.clause)
    return None


def receive_deck(state: State, command: do.ReceiveDeck) -> Iterator[ev.Event]:
    by = state.book.procedure
    clause = by.preshuffled_clause if command.preshuffled else by.inspect_clause
    beside = (by.two_decks_clause, by.colors_clause)
    yield ev.DeckReceived(
        clauses=state.cites(clause, *(beside if state.decks else ())),
        rulings=(23,) if command.preshuffled else (),
        color=command.color,
        preshuffled=command.preshuffled,
    )


def _may_receive(state: State, asker: Asker) -> Iterator[do.ReceiveDeck]:
    for color in state.terms.deck_colors:
        yield do.ReceiveDeck(**asker.signed, color=color)


def why_not_inspect(state: State, command: do.InspectDeck) -> Refusal | None:
    clause = state.book.procedure.inspect_clause
    return why_not_at(state, command.color, "received", "inspected", clause)


def inspect(state: State, command: do.InspectDeck) -> Iterator[ev.Event]:
    by, covers = state.book.procedure, state.book.deck.cover_cards
    if not command.alike:
        raise state.refusal("A deck whose cards differ is not opened", by.alike_clause)
    if command.cover_cards != covers.count:
        raise state.refusal(
            f"A deck has {covers.count} cover card(s), not {command.cover_cards}", covers.clause
        )
    design = (by.same_design_clause,) if len(state.decks) > 1 else ()
    yield ev.DeckInspected(
        clauses=state.cites(by.inspect_clause, by.alike_clause, covers.clause, *design),
        color=command.color,
        cover_cards=command.cover_cards,
    )


def _may_inspect(state: State, asker: Asker) -> Iterator[do.InspectDeck]:
    covers = state.book.deck.cover_cards.count
    for deck in state.decks:
        yield do.InspectDeck(**asker.signed, color=deck.color, alike=True, cover_cards=covers)


def _to_inspect(state: State, asker: Asker, commands: Sequence[do.InspectDeck]) -> Iterator[Option]:
    """With how many cover cards have to be there."""
    for command in commands:
        yield Option(do="inspect-deck", color=command.color, cards=command.cover_cards)


def why_not_verify(state: State, command: do.VerifyInspection) -> Refusal | None:
    clause = state.book.procedure.inspect_clause
    return why_not_at(state, command.color, "inspected", "verified", clause)


def verify(state: State, command: do.VerifyInspection) -> Iterator[ev.Event]:
    by = state.book.procedure
    has_shoe = state.dealing.held_in == "shoe"
    if has_shoe and not command.shoe_in_place:
        raise state.refusal("The shoe stands where it was approved", by.shoe_place_clause)
    yield ev.InspectionVerified(
        clauses=state.cites(by.inspect_clause, *([by.shoe_place_clause] if has_shoe else [])),
        color=command.color,
        by=command.by,
        shoe_in_place=has_shoe,
    )


def _may_verify(state: State, asker: Asker) -> Iterator[do.VerifyInspection]:
    for deck in state.decks:
        has_shoe = state.dealing.held_in == "shoe"
        yield do.VerifyInspection(**asker.signed, color=deck.color, shoe_in_place=has_shoe)


def _to_verify(
    state: State, asker: Asker, commands: Sequence[do.VerifyInspection]
) -> Iterator[Option]:
    """With the device whose place is verified too."""
    for command in commands:
        names = ("shoe",) if command.shoe_in_place else ()
        yield Option(do="verify-inspection", color=command.color, names=names)


def why_not_spread(state: State, command: do.SpreadDeck) -> Refusal | None:
    clause = state.book.procedure.spread_clause
    return why_not_at(state, command.color, "verified", "spread", clause)


def spread(state: State, command: do.SpreadDeck) -> Iterator[ev.Event]:
    clause = state.book.procedure.spread_clause
    yield ev.DeckSpread(clauses=state.cites(*_each(state), clause), color=command.color)


def why_not_wash(state: State, command: do.WashDeck) -> Refusal | None:
    by = state.book.procedure
    why = why_not_at(state, command.color, "spread", "washed", by.wash_clause)
    if why is None and not state.seats:
        return state.refusal(
            "The cards stay spread until the first player has come and seen them",
            by.spread_clause,
        )
    return why


def wash(state: State, command: do.WashDeck) -> Iterator[ev.Event]:
    by = state.book.procedure
    clauses = state.cites(*_each(state), by.seen_clause, by.turn_down_clause, by.wash_clause)
    yield ev.DeckWashed(clauses=clauses, color=command.color)


def why_not_stack(state: State, command: do.StackDeck) -> Refusal | None:
    clause = state.book.procedure.stack_clause
    return why_not_at(state, command.color, "washed", "stacked", clause)


def stack(state: State, command: do.StackDeck) -> Iterator[ev.Event]:
    clause = state.book.procedure.stack_clause
    yield ev.DeckStacked(clauses=state.cites(clause), color=command.color)


def why_not_remove(state: State, command: do.RemoveDeck) -> Refusal | None:
    clause = change_hours(state).clause
    why = why_no_deck(state, command.color, clause)
    if why is None and state.round.stage != "betting" and command.color == state.round.color:
        return state.refusal("The deck of a round stays until its cards are cleared", clause)
    return why


def remove(state: State, command: do.RemoveDeck) -> Iterator[ev.Event]:
    clause, why = change_hours(state).clause, "changed"
    if has_too_many_decks(state):
        clause = state.book.deck.decks_with_shuffler.clause
        why = "two decks need a shuffler that works"
    yield ev.DeckRemoved(clauses=state.cites(clause), color=command.color, why=why)


def _must_leave(state: State, command: do.RemoveDeck) -> bool:
    """A deck in use as long as it may be, or the second one where the shuffler does not work."""
    deck = deck_of(state, command.color)
    if deck is not None and is_overdue(state, deck, command.at_s):
        return True
    return has_too_many_decks(state) and command.color != state.color


def _to_remove(state: State, asker: Asker, commands: Sequence[do.RemoveDeck]) -> Iterator[Option]:
    for command in commands:
        yield Option(do="remove-deck", color=command.color, due=_must_leave(state, command))


# What the other parts of the table ask of a deck


def why_electronic(state: State) -> Refusal | None:
    if state.terms.electronic_shoe:
        return state.refusal(
            "This table deals from an electronic shoe: there is no deck to handle",
            state.book.procedure.inspect_clause,
        )
    return None


def why_in_round(state: State) -> Refusal | None:
    if state.round.stage != "betting":
        return state.refusal(
            "A round is in progress; wait until its cards are cleared",
            state.book.procedure.clear_clause,
        )
    return None


def decks_allowed(state: State) -> CitedCount:
    """How many decks the table may play with: two only while its shuffler works."""
    deck = state.book.deck
    works = state.terms.shuffler and "shuffler" not in state.devices
    return deck.decks_with_shuffler if works else deck.decks


def has_too_many_decks(state: State) -> bool:
    return len(state.decks) > decks_allowed(state).count


def deck_of(state: State, color: str) -> Deck | None:
    return next((deck for deck in state.decks if deck.color == color), None)


def why_no_deck(state: State, color: str, clause: str) -> Refusal | None:
    """Whether a deck with such backs is here to be handled."""
    why = why_electronic(state)
    if why is None and deck_of(state, color) is None:
        return state.refusal(f"No deck with {quoted(color)} backs is on the table", clause)
    return why


def why_not_at(
    state: State, color: str, stage: DeckStage, wanted: str, clause: str
) -> Refusal | None:
    """Whether a deck is here and has come as far as its next work wants it."""
    deck = deck_of(state, color)
    if deck is not None and deck.stage != stage:
        return state.refusal(
            f"The {color} deck is {deck.stage}; it must be {stage} before it is {wanted}", clause
        )
    return why_no_deck(state, color, clause)


def is_past_opening(state: State) -> bool:
    """Whether there are decks, and each that came to the table went through its opening."""
    return bool(state.decks) and all(_has_reached(deck, "stacked") for deck in state.decks)


def opening_stages(terms: Terms) -> tuple[DeckStage, ...]:
    """What a new deck goes through before its first card; one that a device shuffles is not cut."""
    by_device = terms.shuffler or terms.ways[terms.way].reshuffles
    return tuple(stage for stage in STAGES if not (by_device and stage == "shuffled"))


def openings(state: State) -> dict[str, int]:
    """By deck, how many of those stages are behind it while it is being opened: until it is ready
    for the first round, later until it is stacked. One that is still to come has no color."""
    if state.terms.electronic_shoe or state.round.stage != "betting":
        return {}
    if not state.decks:
        return {"": 0}
    until: DeckStage = "ready" if state.round.number == 1 else "stacked"
    return {
        deck.color: sum(_has_reached(deck, stage) for stage in opening_stages(state.terms))
        for deck in state.decks
        if not _has_reached(deck, until)
    }


def _has_reached(deck: Deck, stage: DeckStage) -> bool:
    return STAGES.index(deck.stage) >= STAGES.index(stage)


def is_overdue(state: State, deck: Deck, at_s: int) -> bool:
    """Whether a deck has been in use as long as it may, counted from its opening."""
    return at_s >= change_at_s(state, deck)


def change_at_s(state: State, deck: Deck) -> int:
    """When a deck has to leave; a round that was begun before is finished with it."""
    return deck.opened_s + change_hours(state).count * HOUR_S


def change_hours(state: State) -> CitedCount:
    """How long a deck may be used, by what it is dealt from."""
    deck = state.book.deck
    by_hand = state.terms.ways[state.way].held_in == "hand"
    return deck.change_hours_by_hand if by_hand else deck.change_hours_otherwise


def _each(state: State) -> tuple[str, ...]:
    return (state.book.procedure.each_deck_clause,) if len(state.decks) > 1 else ()


def _received(state: State, event: ev.DeckReceived) -> State:
    stage: DeckStage = "received"
    if event.preshuffled:
        stage = "ready" if state.dealing.reshuffles else "shuffled"
    deck = Deck(color=event.color, opened_s=event.at_s, stage=stage)
    return replace(state, decks=(*state.decks, deck), color=state.color or event.color)


def _removed(state: State, event: ev.DeckRemoved) -> State:
    decks = tuple(deck for deck in state.decks if deck.color != event.color)
    color = state.color
    if color == event.color:
        color = decks[0].color if decks else ""
    left = without_cut(state, event.color)
    return replace(left, decks=decks, color=color, uncounted=0 if not decks else state.uncounted)


DUTIES: Duties = (
    Duty(
        do.OpenTable,
        STAFF,
        lambda by: by.inspect_clause,
        why_not_open,
        open_table,
        offers=_may_open,
        phases=("betting",),
        automatic="dealer",
    ),
    Duty(
        do.ReceiveDeck,
        STAFF,
        lambda by: by.inspect_clause,
        why_not_receive,
        receive_deck,
        offers=_may_receive,
        phases=("betting",),
        shown=by_color,
        automatic="floorperson",
    ),
    Duty(
        do.InspectDeck,
        DEALER,
        lambda by: by.inspect_clause,
        why_not_inspect,
        inspect,
        offers=_may_inspect,
        shown=_to_inspect,
        automatic="dealer",
        works_in=("betting",),
    ),
    Duty(
        do.VerifyInspection,
        FLOOR,
        lambda by: by.inspect_clause,
        why_not_verify,
        verify,
        offers=_may_verify,
        shown=_to_verify,
        automatic="floorperson",
        works_in=("betting",),
    ),
    Duty(
        do.SpreadDeck,
        DEALER,
        lambda by: by.spread_clause,
        why_not_spread,
        spread,
        offers=each_deck(do.SpreadDeck),
        shown=by_color,
        automatic="dealer",
        works_in=("betting",),
    ),
    Duty(
        do.WashDeck,
        DEALER,
        lambda by: by.wash_clause,
        why_not_wash,
        wash,
        offers=each_deck(do.WashDeck),
        shown=by_color,
        automatic="dealer",
        works_in=("betting",),
    ),
    Duty(
        do.StackDeck,
        DEALER,
        lambda by: by.stack_clause,
        why_not_stack,
        stack,
        offers=each_deck(do.StackDeck),
        shown=by_color,
        automatic="dealer",
        works_in=("betting",),
    ),
    Duty(
        do.RemoveDeck,
        FLOOR,
        lambda by: by.two_decks_clause,
        why_not_remove,
        remove,
        offers=each_deck(do.RemoveDeck),
        phases=("betting",),
        shown=_to_remove,
        automatic="floorperson",
        due=_must_leave,
    ),
)

FOLDS: Folds = {
    ev.TableOpened: lambda state, event: replace(state, open=True),
    ev.DeckReceived: _received,
    ev.DeckInspected: lambda state, event: with_deck(state, event.color, stage="inspected"),
    ev.InspectionVerified: lambda state, event: with_deck(state, event.color, stage="verified"),
    ev.DeckSpread: lambda state, event: with_deck(state, event.color, stage="spread"),
    ev.DeckWashed: lambda state, event: with_deck(state, event.color, stage="washed"),
    ev.DeckStacked: lambda state, event: with_deck(state, event.color, stage="stacked"),
    ev.DeckRemoved: _removed,
}
