"""Opening a table: decks received, inspected, verified, spread, washed and stacked (chapter 4)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.errors import quoted
from croupier.rulebook.book import CitedCount
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.handler import DEALER, FLOOR, STAFF, Duties, Duty, Folds
from croupier.table.state import Deck, DeckStage, State, replace, with_deck


def open_table(state: State, command: do.OpenTable) -> Iterator[ev.Event]:
    if not state.terms.electronic_shoe:
        raise state.refusal(
            "This table deals paper cards: it opens with the inspection of a deck",
            state.book.procedure.inspect_clause,
        )
    if state.open:
        raise state.refusal("The table is open", state.book.procedure.inspect_clause)
    by = state.book.procedure
    skipped = (by.inspect_clause, by.wash_clause, by.must_cut_clause)
    yield ev.TableOpened(clauses=state.cites(*skipped), rulings=(38,))


def receive_deck(state: State, command: do.ReceiveDeck) -> Iterator[ev.Event]:
    refuse_electronic(state)
    refuse_in_round(state)
    book, terms = state.book, state.terms
    most = decks_allowed(state)
    if command.color not in terms.deck_colors:
        raise state.refusal(
            f"No deck with {quoted(command.color)} backs belongs here; "
            f"there is {' and '.join(terms.deck_colors)}",
            book.procedure.colors_clause,
        )
    if any(deck.color == command.color for deck in state.decks):
        raise state.refusal(
            f"A deck with {command.color} backs is on the table; the other must differ",
            book.procedure.colors_clause,
        )
    if len(state.decks) >= most.count:
        raise state.refusal(f"The table has its {most.count} deck(s)", most.clause)
    clause = (
        book.procedure.preshuffled_clause if command.preshuffled else book.procedure.inspect_clause
    )
    beside = (book.procedure.two_decks_clause, book.procedure.colors_clause)
    yield ev.DeckReceived(
        clauses=state.cites(clause, *(beside if state.decks else ())),
        rulings=(23,) if command.preshuffled else (),
        color=command.color,
        preshuffled=command.preshuffled,
    )


def inspect(state: State, command: do.InspectDeck) -> Iterator[ev.Event]:
    by, covers = state.book.procedure, state.book.deck.cover_cards
    deck_at(state, command.color, "received", "inspected", by.inspect_clause)
    counted = covers.count if command.cover_cards is None else command.cover_cards
    if not command.alike:
        raise state.refusal("A deck whose cards differ is not opened", by.alike_clause)
    if counted != covers.count:
        raise state.refusal(
            f"A deck has {covers.count} cover card(s), not {counted}", covers.clause
        )
    design = (by.same_design_clause,) if len(state.decks) > 1 else ()
    yield ev.DeckInspected(
        clauses=state.cites(by.inspect_clause, by.alike_clause, covers.clause, *design),
        color=command.color,
        cover_cards=counted,
    )


def verify(state: State, command: do.VerifyInspection) -> Iterator[ev.Event]:
    by = state.book.procedure
    deck_at(state, command.color, "inspected", "verified", by.inspect_clause)
    shoe = (by.shoe_place_clause,) if state.dealing.held_in == "shoe" else ()
    if shoe and not command.shoe_in_place:
        raise state.refusal("The shoe stands where it was approved", by.shoe_place_clause)
    yield ev.InspectionVerified(
        clauses=state.cites(by.inspect_clause, *shoe), color=command.color, by=command.by
    )


def spread(state: State, command: do.SpreadDeck) -> Iterator[ev.Event]:
    clause = state.book.procedure.spread_clause
    deck_at(state, command.color, "verified", "spread", clause)
    yield ev.DeckSpread(clauses=state.cites(*_each(state), clause), color=command.color)


def wash(state: State, command: do.WashDeck) -> Iterator[ev.Event]:
    by = state.book.procedure
    deck_at(state, command.color, "spread", "washed", by.wash_clause)
    if not state.seats:
        raise state.refusal(
            "The cards stay spread until the first player has come and seen them",
            by.spread_clause,
        )
    clauses = state.cites(*_each(state), by.seen_clause, by.turn_down_clause, by.wash_clause)
    yield ev.DeckWashed(clauses=clauses, color=command.color)


def stack(state: State, command: do.StackDeck) -> Iterator[ev.Event]:
    clause = state.book.procedure.stack_clause
    deck_at(state, command.color, "washed", "stacked", clause)
    yield ev.DeckStacked(clauses=state.cites(clause), color=command.color)


def remove(state: State, command: do.RemoveDeck) -> Iterator[ev.Event]:
    refuse_electronic(state)
    hours = change_hours(state)
    deck = find_deck(state, command.color, hours.clause)
    if state.round.stage != "betting" and deck.color == state.round.color:
        raise state.refusal("The deck of a round stays until its cards are cleared", hours.clause)
    clause, why = hours.clause, "changed"
    if len(state.decks) > decks_allowed(state).count:
        clause = state.book.deck.decks_with_shuffler.clause
        why = "two decks need a shuffler that works"
    yield ev.DeckRemoved(clauses=state.cites(clause), color=command.color, why=why)


# What the other parts of the table ask of a deck


def refuse_electronic(state: State) -> None:
    if state.terms.electronic_shoe:
        raise state.refusal(
            "This table deals from an electronic shoe: there is no deck to handle",
            state.book.procedure.inspect_clause,
        )


def refuse_in_round(state: State) -> None:
    if state.round.stage != "betting":
        raise state.refusal(
            "A round is in progress; wait until its cards are cleared",
            state.book.procedure.clear_clause,
        )


def colors_to_receive(state: State) -> list[str]:
    """The decks that belong here, are not here, and may come."""
    present = [deck.color for deck in state.decks]
    if state.terms.electronic_shoe or len(present) >= decks_allowed(state).count:
        return []
    return [color for color in state.terms.deck_colors if color not in present]


def decks_allowed(state: State) -> CitedCount:
    """How many decks the table may play with: two only while its shuffler works."""
    deck = state.book.deck
    works = state.terms.shuffler and "shuffler" not in state.devices
    return deck.decks_with_shuffler if works else deck.decks


def find_deck(state: State, color: str, clause: str) -> Deck:
    refuse_electronic(state)
    for deck in state.decks:
        if deck.color == color:
            return deck
    raise state.refusal(f"No deck with {quoted(color)} backs is on the table", clause)


def deck_at(state: State, color: str, stage: DeckStage, wanted: str, clause: str) -> Deck:
    deck = find_deck(state, color, clause)
    if deck.stage != stage:
        raise state.refusal(
            f"The {color} deck is {deck.stage}; it must be {stage} before it is {wanted}", clause
        )
    return deck


def is_past_opening(state: State) -> bool:
    """Whether there are decks, and each that came to the table went through its opening."""
    stages = [deck.stage in ("stacked", "shuffled", "ready") for deck in state.decks]
    return bool(stages) and all(stages)


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
    return replace(state, decks=decks, color=color, uncounted=0 if not decks else state.uncounted)


DUTIES: Duties = {
    do.OpenTable: Duty(open_table, STAFF, "inspect_clause"),
    do.ReceiveDeck: Duty(receive_deck, STAFF, "inspect_clause"),
    do.InspectDeck: Duty(inspect, DEALER, "inspect_clause"),
    do.VerifyInspection: Duty(verify, FLOOR, "inspect_clause"),
    do.SpreadDeck: Duty(spread, DEALER, "spread_clause"),
    do.WashDeck: Duty(wash, DEALER, "wash_clause"),
    do.StackDeck: Duty(stack, DEALER, "stack_clause"),
    do.RemoveDeck: Duty(remove, FLOOR, "two_decks_clause"),
}

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
