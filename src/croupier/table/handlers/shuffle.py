"""Shuffle, cut and recut, decks in alternation, and the idle table (chapters 3 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.facts.errors import Refusal, Unreadable
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import Phase, phase
from croupier.table.handlers.devices import spoken, why_not_while_bare
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
from croupier.table.handlers.opening import (
    change_hours,
    deck_of,
    has_too_many_decks,
    is_overdue,
    why_electronic,
    why_in_round,
    why_no_deck,
)
from croupier.table.handlers.stub_count import stub_is_due, stub_rule, why_not_before_count
from croupier.table.handlers.void import declared_void, give_back
from croupier.table.options import Option
from croupier.table.state import State, in_round, replace, with_deck, without_cut

MIDDLE_CUT = 26
RESHUFFLING_SHOE = "reshuffling_shoe"


def why_not_shuffle(state: State, command: do.Shuffle) -> Refusal | None:
    by, color = state.book.procedure, command.color
    deck = deck_of(state, color)
    if deck is None or state.terms.electronic_shoe:
        return why_no_deck(state, color, by.after_round_clause)
    if is_in_play(state, color):
        return state.refusal("The deck in play is not shuffled during its round", by.stored_clause)
    if deck.stage != "stacked":
        return state.refusal(
            f"The {deck.color} deck is {deck.stage}; it is shuffled once, when it is stacked",
            by.first_shuffle_clause,
        )
    return why_not_by(state, color, by_device=command.by_device)


def shuffle(state: State, command: do.Shuffle) -> Iterator[ev.Event]:
    by = state.book.procedure
    if command.found is not None and not command.by_device:
        raise Unreadable("only a device counts while it shuffles; a shuffle by hand finds nothing")
    _refuse_miscounting(state, command)
    if command.found is not None and command.found != state.book.deck.cards.count:
        yield _wrong_count(state, command.color, command.found)
        return
    needs_cut = not command.by_device and not state.dealing.reshuffles
    why = [by.after_round_clause]
    if state.round.number == 1:
        why = [by.first_shuffle_clause, by.before_play_clause]
    if len(state.decks) > 1 and command.by_device:
        why.append(by.stored_clause)
    how = by.must_cut_clause if needs_cut else by.by_device_clause
    if _device(state) == RESHUFFLING_SHOE:
        how = state.book.shuffle.reshuffling_shoe.clause
    yield ev.DeckShuffled(
        clauses=state.cites(*why, by.single_stack_clause, how),
        color=command.color,
        by_device=command.by_device,
        needs_cut=needs_cut,
        found=command.found,
    )


def _may_shuffle(state: State, asker: Asker) -> Iterator[do.Shuffle]:
    """By the device where it works, with what it must find where it counts; else by hand."""
    for deck in state.decks:
        by_device = why_not_by(state, deck.color, by_device=True) is None
        counts = by_device and device_counts(state)
        found = state.book.deck.cards.count if counts else None
        yield do.Shuffle(**asker.signed, color=deck.color, by_device=by_device, found=found)


def _shuffles(state: State, asker: Asker, commands: Sequence[do.Shuffle]) -> Iterator[Option]:
    for one in commands:
        cards = one.found or 0
        yield Option(do="shuffle", color=one.color, by_device=one.by_device, cards=cards)


def _shuffle_is_due(state: State, command: do.Shuffle) -> bool:
    """The deck to be dealt from at once; the idle one when the round is over but for the cards."""
    return not is_idle(state, command.color) or phase(state) == "clearing"


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
    return _device(state) == RESHUFFLING_SHOE or state.terms.shuffler_counts


def why_not_by(state: State, color: str, *, by_device: bool) -> Refusal | None:
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
    if len(state.decks) > 1 and (has_two_decks(state) or is_idle(state, color)):
        return state.refusal("Two decks are shuffled by the shuffler alone", by.stored_clause)
    return why_not_while_bare(state)


def is_in_play(state: State, color: str) -> bool:
    """Whether the round is dealt from this deck."""
    return state.round.stage != "betting" and color == state.round.color


def is_idle(state: State, color: str) -> bool:
    """Whether a round goes on with the other deck."""
    return state.round.stage != "betting" and color != state.round.color


def has_two_decks(state: State) -> bool:
    """Whether two decks take turns here, which they do as long as the shuffler works."""
    return len(state.decks) > 1 and not has_too_many_decks(state)


def unshuffled_idle_deck(state: State) -> str:
    """The deck that waits for the shuffler while a round is dealt from the other; or none.

    It is shuffled and stored before the round is over, because then it comes into play.
    """
    if not has_two_decks(state):
        return ""
    waiting = (d.color for d in state.decks if d.stage == "stacked" and is_idle(state, d.color))
    return next(waiting, "")


def _device(state: State) -> str:
    """The device that shuffles: the shoe that reshuffles where cards are dealt from it, unless it
    is out of order and a shuffler stands here too."""
    shoe_fails = RESHUFFLING_SHOE in state.devices and state.terms.shuffler
    return RESHUFFLING_SHOE if state.dealing.reshuffles and not shoe_fails else "shuffler"


def _wrong_count(state: State, color: str, found: int) -> ev.DeckRemoved:
    """The deck leaves; nothing that was settled is opened again, wagers may be withdrawn."""
    return ev.DeckRemoved(
        clauses=state.cites(state.book.shuffle.counting_shuffler_finds_wrong_count.clause),
        rulings=(26,),
        color=color,
        why=f"the {spoken(_device(state))} found {found} cards",
    )


def why_not_order_shuffle(state: State, command: do.OrderShuffle) -> Refusal | None:
    clause = state.book.procedure.on_order_clause
    if state.terms.electronic_shoe and not command.color:
        if not state.open:
            return state.refusal("The table is not open", clause)
    else:
        why = why_no_deck(state, command.color, clause)
        if why is not None:
            return why
        deck = deck_of(state, command.color)
        if deck is not None and deck.stage not in ("shuffled", "ready"):
            return state.refusal(f"The {deck.color} deck is not shuffled yet", clause)
    if is_in_play(state, command.color) and state.round.was_dealt:
        return state.refusal("Cards have been dealt from this deck", clause)
    if is_in_play(state, command.color) and state.round.stage == "void":
        return state.refusal("The round is void: its deck is shuffled when it is cleared", clause)
    return None


def order_shuffle(state: State, command: do.OrderShuffle) -> Iterator[ev.Event]:
    """A new order: wagers that are down for the old one go back, and once the betting is closed
    the round is void with them, when a second person has confirmed it (ruling 45)."""
    clause = state.book.procedure.on_order_clause
    if is_in_play(state, command.color):
        yield declared_void(state, clause, "shuffle-ordered", command, rulings=(33, 45))
        return
    if command.color == state.color:
        yield from give_back(state, clause, ())
    yield ev.ShuffleOrdered(clauses=state.cites(clause), rulings=(45,), color=command.color)


def _may_order_shuffle(state: State, asker: Asker) -> Iterator[do.OrderShuffle]:
    if state.terms.electronic_shoe:
        yield do.OrderShuffle(**asker.signed)
    yield from each_deck(do.OrderShuffle)(state, asker)


def why_not_cut(state: State, command: do.Cut) -> Refusal | None:
    deck = state.deck
    if state.terms.electronic_shoe:
        return why_electronic(state)
    if deck is None or deck.stage != "shuffled":
        clause = state.book.procedure.must_cut_clause
        return state.refusal("There is nothing to cut: no deck lies shuffled", clause)
    return None


def cut(state: State, command: do.Cut) -> Iterator[ev.Event]:
    by, rule = state.book.procedure, state.book.shuffle
    if not rule.cut_least.count <= command.cards <= rule.cut_most.count:
        raise state.refusal(
            f"The cover card goes in {rule.cut_least.count} to {rule.cut_most.count} cards "
            f"from the top, not {command.cards}",
            rule.cut_least.clause,
        )
    clauses = state.cites(rule.cut_least.clause, by.cut_moves_clause, by.into_shoe_clause)
    yield ev.DeckCut(clauses=clauses, rulings=(23,), color=state.color, cards=command.cards)


def _may_cut(state: State, asker: Asker) -> Iterator[do.Cut]:
    yield do.Cut(**asker.signed, cards=MIDDLE_CUT)


def why_not_recut(state: State, command: do.OrderRecut) -> Refusal | None:
    clause = state.book.shuffle.recut.clause
    deck = state.deck
    if state.terms.electronic_shoe:
        return why_electronic(state)
    if deck is None or deck.stage != "ready" or not deck.was_cut:
        return state.refusal("There was no cut that could be done again", clause)
    if state.round.was_dealt:
        return state.refusal("A card has been dealt; the cut stands", clause)
    return None


def order_recut(state: State, command: do.OrderRecut) -> Iterator[ev.Event]:
    clause = state.book.shuffle.recut.clause
    yield ev.RecutOrdered(clauses=state.cites(clause), color=state.color, by=command.by)


def _may_recut(state: State, asker: Asker) -> Iterator[do.OrderRecut]:
    yield do.OrderRecut(**asker.signed)


def _cuts(state: State, asker: Asker, commands: Sequence[do.Cut]) -> Iterator[Option]:
    for command in commands:
        yield Option(do="cut", color=state.color, cards=command.cards)


def _recuts(state: State, asker: Asker, commands: Sequence[do.OrderRecut]) -> Iterator[Option]:
    for _ in commands:
        yield Option(do="order-recut", color=state.color)


def why_not_idle(state: State, command: do.GoIdle) -> Refusal | None:
    """What stands against spreading the cards of a table where nobody plays."""
    clause = state.book.procedure.idle_clause
    why = why_electronic(state) or why_in_round(state)
    if why is not None:
        return why
    if state.round.boxes:
        return state.refusal("Wagers are down; the table is not idle", clause)
    if not any(deck.stage in ("stacked", "shuffled", "ready") for deck in state.decks):
        return state.refusal("No deck is ready to be spread", clause)
    return None


def go_idle(state: State, command: do.GoIdle) -> Iterator[ev.Event]:
    by = state.book.procedure
    clauses = state.cites(by.idle_clause, by.idle_spread_clause, by.idle_again_clause)
    yield ev.TableIdle(clauses=clauses, face_up=command.face_up)


def _may_go_idle(state: State, asker: Asker) -> Iterator[do.GoIdle]:
    yield do.GoIdle(**asker.signed, face_up=False)


def why_unready(state: State, at_s: int) -> Refusal | None:
    """Whether the next round may be dealt from the deck in play; an overdue one stops it."""
    if state.terms.electronic_shoe:
        closed = state.refusal("The table is not open", state.book.procedure.inspect_clause)
        return None if state.open else closed
    by, deck = state.book.procedure, state.deck
    if deck is None:
        return state.refusal("There is no deck on the table", state.book.deck.decks.clause)
    if has_too_many_decks(state):
        two = state.book.deck.decks_with_shuffler
        return state.refusal(
            f"{two.count} decks need a shuffler that works; one leaves the table first", two.clause
        )
    if is_overdue(state, deck, at_s):
        hours = change_hours(state)
        return state.refusal(
            f"The {deck.color} deck has been in use {hours.count} hours; change it first",
            hours.clause,
        )
    if deck.stage == "shuffled":
        return state.refusal(f"The {deck.color} deck must be cut first", by.must_cut_clause)
    if deck.stage != "ready":
        first = by.before_play_clause if state.round.number == 1 else by.after_round_clause
        return state.refusal(f"The {deck.color} deck must be shuffled first", first)
    rule = stub_rule(state)
    if rule is not None and stub_is_due(state):
        return state.refusal(
            f"{state.uncounted} rounds were dealt since the last count; count the deck first",
            rule.clause,
        )
    return None


def why_deck_waits(state: State, now: Phase, at_s: int) -> Refusal | None:
    """What has to be done with the cards before the round that is next, or this one's end; while
    the floorperson is waited for, nothing."""
    if state.terms.electronic_shoe or state.hold is not None:
        return None
    if now == "betting":
        return why_unready(state, at_s)
    return why_not_before_count(state) if now == "revealing" else None


def _idle(state: State, event: ev.TableIdle) -> State:
    decks = tuple(
        replace(deck, stage="spread", was_cut=False)
        if deck.stage in ("stacked", "shuffled", "ready")
        else deck
        for deck in state.decks
    )
    return replace(without_cut(state, state.color), decks=decks)


def _shuffled(state: State, event: ev.DeckShuffled) -> State:
    stage = "shuffled" if event.needs_cut else "ready"
    after = with_deck(state, event.color, stage=stage, was_cut=False, found=event.found)
    return after if event.found is None else replace(after, uncounted=0)


def _cut(state: State, event: ev.DeckCut) -> State:
    """The cards that lay on top are the last ones now; a recut moves them again (ruling 39)."""
    moved = (state.round.cut + event.cards) % state.book.deck.cards.count
    return in_round(with_deck(state, event.color, stage="ready", was_cut=True), cut=moved)


DUTIES: Duties = (
    Duty(
        do.Shuffle,
        (*DEALER, "device"),
        lambda by: by.after_round_clause,
        why_not_shuffle,
        shuffle,
        offers=_may_shuffle,
        shown=_shuffles,
        automatic="dealer",
        works_in=("betting", "clearing"),
        due=_shuffle_is_due,
    ),
    Duty(
        do.OrderShuffle,
        FLOOR,
        lambda by: by.on_order_clause,
        why_not_order_shuffle,
        order_shuffle,
        offers=_may_order_shuffle,
        phases=("betting", "dealing"),
        shown=by_color,
    ),
    Duty(
        do.Cut,
        DEALER,
        lambda by: by.must_cut_clause,
        why_not_cut,
        cut,
        offers=_may_cut,
        shown=_cuts,
        automatic="dealer",
        works_in=("betting", "dealing"),
    ),
    Duty(
        do.OrderRecut,
        FLOOR,
        lambda by: by.must_cut_clause,
        why_not_recut,
        order_recut,
        offers=_may_recut,
        shown=_recuts,
    ),
    Duty(
        do.GoIdle,
        STAFF,
        lambda by: by.idle_clause,
        why_not_idle,
        go_idle,
        offers=_may_go_idle,
        phases=("betting",),
    ),
)

FOLDS: Folds = {
    ev.DeckShuffled: _shuffled,
    ev.ShuffleOrdered: lambda state, event: with_deck(
        without_cut(state, event.color), event.color, stage="stacked", was_cut=False
    ),
    ev.DeckCut: _cut,
    ev.RecutOrdered: lambda state, event: with_deck(
        state, event.color, stage="shuffled", was_cut=False
    ),
    ev.TableIdle: _idle,
}
