"""Shuffle, cut and recut, decks in alternation, and the idle table (chapters 3 and 5)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.errors import Refusal, Unreadable
from croupier.rulebook.book import StubCountRule
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.devices import spoken, why_not_while_bare
from croupier.table.handlers.handler import DEALER, FLOOR, STAFF, Duties, Duty, Folds
from croupier.table.handlers.opening import (
    change_hours,
    decks_allowed,
    find_deck,
    refuse_electronic,
    refuse_in_round,
)
from croupier.table.state import Deck, State, in_round, replace, with_deck

HOUR_S = 3600
DECK_NOT_WHOLE = "deck-not-whole"


def shuffle(state: State, command: do.Shuffle) -> Iterator[ev.Event]:
    by = state.book.procedure
    if command.found is not None and not command.by_device:
        raise Unreadable("only a device counts while it shuffles; a shuffle by hand finds nothing")
    deck = find_deck(state, command.color, by.after_round_clause)
    in_play = state.round.stage != "betting" and deck.color == state.round.color
    if in_play and state.round.was_dealt:
        raise state.refusal("The deck in play is not shuffled during its round", by.stored_clause)
    if deck.stage != "stacked":
        raise state.refusal(
            f"The {deck.color} deck is {deck.stage}; it is shuffled once, when it is stacked",
            by.first_shuffle_clause,
        )
    against = why_not_shuffle(state, command.color, by_device=command.by_device)
    if against is not None:
        raise against
    _refuse_miscounting(state, command)
    if command.found is not None and command.found != cards_to_find(state, deck.color):
        yield from _wrong_count(state, deck, command.found)
        return
    needs_cut = not command.by_device and not state.dealing.reshuffles
    why = [by.after_round_clause]
    if state.round.number == 1:
        why = [by.first_shuffle_clause, by.before_play_clause]
    if len(state.decks) > 1 and command.by_device:
        why.append(by.stored_clause)
    how = by.must_cut_clause if needs_cut else by.by_device_clause
    if state.dealing.reshuffles:
        how = state.book.shuffle.reshuffling_shoe.clause
    yield ev.DeckShuffled(
        clauses=state.cites(*why, by.single_stack_clause, how),
        color=deck.color,
        by_device=command.by_device,
        needs_cut=needs_cut,
        found=command.found,
    )


def _refuse_miscounting(state: State, command: do.Shuffle) -> None:
    """A device that counts says what it found; one that does not has found nothing."""
    if not command.by_device:
        return
    device = spoken(_device(state))
    clause = state.book.shuffle.counting_shuffler_finds_wrong_count.clause
    if device_counts(state) and command.found is None:
        raise state.refusal(f"The {device} counts the cards; say how many it found", clause)
    if not device_counts(state) and command.found is not None:
        raise state.refusal(
            f"The {device} does not count the cards; the dealer counts the stub", clause
        )


def device_counts(state: State) -> bool:
    """Whether what shuffles here counts at every shuffle; a shoe that reshuffles always does."""
    return state.dealing.reshuffles or state.terms.shuffler_counts


def why_not_shuffle(state: State, color: str, *, by_device: bool) -> Refusal | None:
    """What stands against a shuffle by the device, or by hand."""
    by, shuffler, device = state.book.procedure, state.dealing.shuffler, _device(state)
    if by_device:
        if not state.terms.shuffler and not state.dealing.reshuffles:
            return state.refusal("This table has no shuffler", by.two_decks_clause)
        if device in state.devices:
            return state.refusal(f"The {spoken(device)} is out of order", by.irregular_clause)
        return None
    if shuffler is not None:
        return state.refusal(
            "Cards dealt from the hand are shuffled by the shuffler", shuffler.clause
        )
    if len(state.decks) > 1 and (has_two_decks(state) or _is_idle(state, color)):
        return state.refusal("Two decks are shuffled by the shuffler alone", by.stored_clause)
    return why_not_while_bare(state)


def cards_to_find(state: State, color: str) -> int:
    """What a device that counts must find: every card but those set aside in this round."""
    in_play = state.round.stage != "betting" and color == state.round.color
    return state.book.deck.cards.count - (len(state.round.set_aside) if in_play else 0)


def can_be_shuffled(state: State, color: str) -> bool:
    """Whether a stacked deck may be shuffled now, one way or the other."""
    return any(why_not_shuffle(state, color, by_device=how) is None for how in (True, False))


def _is_idle(state: State, color: str) -> bool:
    """Whether a round goes on with the other deck."""
    return state.round.stage != "betting" and color != state.round.color


def has_two_decks(state: State) -> bool:
    """Whether two decks take turns here, which they do as long as the shuffler works."""
    return 1 < len(state.decks) <= decks_allowed(state).count


def unshuffled_idle_deck(state: State) -> str:
    """The deck that waits for the shuffler while a round is dealt from the other; or none.

    It is shuffled and stored before the round is over, because then it comes into play.
    """
    if not has_two_decks(state):
        return ""
    waiting = (d.color for d in state.decks if d.stage == "stacked" and _is_idle(state, d.color))
    return next(waiting, "")


def _device(state: State) -> str:
    """The device that shuffles, in the way the table is dealt."""
    return "reshuffling_shoe" if state.dealing.reshuffles else "shuffler"


def _wrong_count(state: State, deck: Deck, found: int) -> Iterator[ev.Event]:
    """The deck leaves; nothing that was settled is opened again, wagers may be withdrawn.

    After "no more bets" nobody can withdraw, and the round has no other cards: it is void with it.
    """
    clauses = state.cites(state.book.shuffle.counting_shuffler_finds_wrong_count.clause)
    if state.round.stage == "play" and deck.color == state.round.color:
        yield ev.IrregularityDeclared(
            clauses=clauses, rulings=(26, 33), name=DECK_NOT_WHOLE, effect="void", waits=True
        )
        return
    why = f"the {spoken(_device(state))} found {found} cards"
    yield ev.DeckRemoved(clauses=clauses, rulings=(26,), color=deck.color, why=why)


def order_shuffle(state: State, command: do.OrderShuffle) -> Iterator[ev.Event]:
    clause = state.book.procedure.on_order_clause
    deck = find_deck(state, command.color, clause)
    if deck.stage not in ("shuffled", "ready"):
        raise state.refusal(f"The {deck.color} deck is not shuffled yet", clause)
    if state.round.was_dealt and deck.color == state.round.color:
        raise state.refusal("Cards have been dealt from this deck", clause)
    yield ev.ShuffleOrdered(clauses=state.cites(clause), color=deck.color)


def cut(state: State, command: do.Cut) -> Iterator[ev.Event]:
    by, rule = state.book.procedure, state.book.shuffle
    refuse_electronic(state)
    deck = state.deck
    if deck is None or deck.stage != "shuffled":
        raise state.refusal("There is nothing to cut: no deck lies shuffled", by.must_cut_clause)
    if not rule.cut_least.count <= command.cards <= rule.cut_most.count:
        raise state.refusal(
            f"The cover card goes in {rule.cut_least.count} to {rule.cut_most.count} cards "
            f"from the top, not {command.cards}",
            rule.cut_least.clause,
        )
    clauses = state.cites(rule.cut_least.clause, by.cut_moves_clause, by.into_shoe_clause)
    yield ev.DeckCut(clauses=clauses, rulings=(23,), color=deck.color, cards=command.cards)


def order_recut(state: State, command: do.OrderRecut) -> Iterator[ev.Event]:
    clause = state.book.shuffle.recut.clause
    refuse_electronic(state)
    deck = state.deck
    if deck is None or deck.stage != "ready" or not deck.was_cut:
        raise state.refusal("There was no cut that could be done again", clause)
    if state.round.was_dealt:
        raise state.refusal("A card has been dealt; the cut stands", clause)
    yield ev.RecutOrdered(clauses=state.cites(clause), color=deck.color, by=command.by)


def go_idle(state: State, command: do.GoIdle) -> Iterator[ev.Event]:
    by = state.book.procedure
    refuse_electronic(state)
    refuse_in_round(state)
    why = why_not_idle(state)
    if why is not None:
        raise why
    clauses = state.cites(by.idle_clause, by.idle_spread_clause, by.idle_again_clause)
    yield ev.TableIdle(clauses=clauses, face_up=command.face_up)


def why_not_idle(state: State) -> Refusal | None:
    """What stands against spreading the cards of a table where nobody plays."""
    clause = state.book.procedure.idle_clause
    if state.round.boxes:
        return state.refusal("Wagers are down; the table is not idle", clause)
    if not any(deck.stage in ("stacked", "shuffled", "ready") for deck in state.decks):
        return state.refusal("No deck is ready to be spread", clause)
    return None


def refuse_unready_deck(state: State, at_s: int) -> None:
    """Whether the next round may be dealt from the deck in play; an overdue one stops it."""
    if state.terms.electronic_shoe:
        if not state.open:
            raise state.refusal("The table is not open", state.book.procedure.inspect_clause)
        return
    by, deck = state.book.procedure, state.deck
    if deck is None:
        raise state.refusal("There is no deck on the table", state.book.deck.decks.clause)
    two = state.book.deck.decks_with_shuffler
    if len(state.decks) > decks_allowed(state).count:
        raise state.refusal(
            f"{two.count} decks need a shuffler that works; one leaves the table first", two.clause
        )
    if is_overdue(state, deck, at_s):
        hours = change_hours(state)
        raise state.refusal(
            f"The {deck.color} deck has been in use {hours.count} hours; change it first",
            hours.clause,
        )
    if deck.stage == "shuffled":
        raise state.refusal(f"The {deck.color} deck must be cut first", by.must_cut_clause)
    if deck.stage != "ready":
        first = by.before_play_clause if state.round.number == 1 else by.after_round_clause
        raise state.refusal(f"The {deck.color} deck must be shuffled first", first)
    rule = stub_rule(state)
    if rule is not None and stub_is_due(state):
        raise state.refusal(
            f"{state.uncounted} rounds were dealt since the last count; count the deck first",
            rule.clause,
        )


def is_overdue(state: State, deck: Deck, at_s: int) -> bool:
    """Whether a deck has been in use as long as it may, counted from its opening."""
    return at_s >= change_at_s(state, deck)


def change_at_s(state: State, deck: Deck) -> int:
    """When a deck has to leave; a round that was begun before is finished with it."""
    return deck.opened_s + change_hours(state).count * HOUR_S


def stub_rule(state: State) -> StubCountRule | None:
    """The duty to count the stub; a device that counts at every shuffle never lets it fall due."""
    return None if state.terms.electronic_shoe else state.dealing.stub_count


def stub_is_due(state: State) -> bool:
    rule = stub_rule(state)
    return rule is not None and state.uncounted >= rule.rounds


def _idle(state: State, event: ev.TableIdle) -> State:
    decks = tuple(
        replace(deck, stage="spread", was_cut=False)
        if deck.stage in ("stacked", "shuffled", "ready")
        else deck
        for deck in state.decks
    )
    return replace(state, decks=decks)


def _shuffled(state: State, event: ev.DeckShuffled) -> State:
    stage = "shuffled" if event.needs_cut else "ready"
    after = with_deck(state, event.color, stage=stage, was_cut=False, found=event.found)
    return after if event.found is None else replace(after, uncounted=0)


def _cut(state: State, event: ev.DeckCut) -> State:
    """The cards that lay on top are the last ones now; a recut moves them again (ruling 39)."""
    moved = (state.round.cut + event.cards) % state.book.deck.cards.count
    return in_round(with_deck(state, event.color, stage="ready", was_cut=True), cut=moved)


DUTIES: Duties = {
    do.Shuffle: Duty(shuffle, (*DEALER, "device"), "after_round_clause"),
    do.OrderShuffle: Duty(order_shuffle, FLOOR, "on_order_clause"),
    do.Cut: Duty(cut, DEALER, "must_cut_clause"),
    do.OrderRecut: Duty(order_recut, FLOOR, "must_cut_clause"),
    do.GoIdle: Duty(go_idle, STAFF, "idle_clause"),
}

FOLDS: Folds = {
    ev.DeckShuffled: _shuffled,
    ev.ShuffleOrdered: lambda state, event: with_deck(
        state, event.color, stage="stacked", was_cut=False
    ),
    ev.DeckCut: _cut,
    ev.RecutOrdered: lambda state, event: with_deck(
        state, event.color, stage="shuffled", was_cut=False
    ),
    ev.TableIdle: _idle,
}
