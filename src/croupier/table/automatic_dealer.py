"""The house at work: the next thing a dealer, floorperson or device has to do by itself.

For practice tables, narrated rounds, tests and benchmarks; it decides nothing a player decides, and
declares nothing irregular, but for a round that a broken device cannot deal to its end.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table import commands as do
from croupier.table.agenda import asked_box, cards_needed, next_to_settle, phase
from croupier.table.handlers.devices import uncovered, why_not_change, why_not_deal
from croupier.table.handlers.irregularities import SHOE_JAM
from croupier.table.handlers.opening import colors_to_receive, decks_allowed
from croupier.table.handlers.progressive import PROGRESSIVE, is_refused_acceptance
from croupier.table.handlers.shuffle import (
    cards_to_find,
    device_counts,
    is_overdue,
    stub_is_due,
    unshuffled_idle_deck,
)
from croupier.table.handlers.wagers import misplaced
from croupier.table.shoe import Shoe
from croupier.table.state import Deck, State

DEALER, FLOOR, MANAGER = "dealer", "floorperson", "manager"
MIDDLE_CUT = 26


def next_duty(
    state: State, shoe: Shoe, meters: Mapping[str, int] | None = None, at_s: int = 0
) -> do.Command | None:
    """The next command of the house, or None where it waits for a player.

    ``meters`` are what stands on each meter now; without them the last readings are taken.
    """
    standing = dict(state.meters if meters is None else meters)
    now = phase(state)
    if state.hold is not None:
        return do.Confirm(by=FLOOR, role="floorperson", at_s=at_s, upheld=True, meters=standing)
    if now == "betting":
        return _between_rounds(state, standing, at_s)
    if now == "dealing":
        first = None if state.round.was_dealt else _before_the_deal(state, standing, at_s)
        return _jam(state, at_s) or first or _deal(state, shoe, at_s)
    if now == "acting":
        return _for_the_absent(state, at_s)
    if now == "revealing":
        return _count(state, at_s) or do.Reveal(by=DEALER, role="dealer", at_s=at_s)
    if now == "settling":
        return _settlement(state, standing, at_s)
    return _at_the_end(state, standing, at_s)


def _between_rounds(state: State, standing: dict[str, int], at_s: int) -> do.Command | None:
    if state.terms.electronic_shoe:
        if not state.open:
            return do.OpenTable(by=DEALER, role="dealer", at_s=at_s)
    else:
        command = _device_duty(state, at_s) or _decks_duty(state, at_s)
        if command is not None:
            return command
    if not state.round.boxes or why_not_deal(state, state.dealing) is not None:
        return None
    back = _hand_back(state, at_s)
    return back or do.NoMoreBets(by=DEALER, role="dealer", at_s=at_s, meters=standing)


def _device_duty(state: State, at_s: int) -> do.Command | None:
    """Cover what is broken; deal as it was filed, or else by the first way that can stand in."""
    for device in uncovered(state):
        return do.CoverDevice(by=DEALER, role="dealer", at_s=at_s, device=device)
    for way in (state.terms.way, state.way, *state.terms.fallback_ways):
        if why_not_change(state, way) is None:
            change = do.ChangeWay(by=FLOOR, role="floorperson", at_s=at_s, way=way)
            return change if way != state.way else None
    return None


def _decks_duty(state: State, at_s: int) -> do.Command | None:
    present = {deck.color for deck in state.decks}
    most = decks_allowed(state).count
    overdue = [deck.color for deck in state.decks if is_overdue(state, deck, at_s)]
    spare = [color for color in present if color != state.color] if len(present) > most else []
    for color in (*overdue, *spare):
        return do.RemoveDeck(by=FLOOR, role="floorperson", at_s=at_s, color=color)
    for color in colors_to_receive(state):
        return do.ReceiveDeck(by=FLOOR, role="floorperson", at_s=at_s, color=color)
    for deck in state.decks:
        command = _deck_duty(state, deck, at_s)
        if command is not None:
            return command
    if stub_is_due(state):
        whole = state.book.deck.cards.count
        return do.CountStub(by=DEALER, role="dealer", at_s=at_s, stub=whole, on_table=0)
    return None


def _hand_back(state: State, at_s: int) -> do.Command | None:
    """What cannot be in the round goes back to its player before the betting is closed."""
    for seat, wagers in misplaced(state).items():
        return do.WithdrawWagers(by=DEALER, role="dealer", at_s=at_s, box=seat, wagers=wagers)
    return None


def _jam(state: State, at_s: int) -> do.Command | None:
    """The device of the round broke before it had given all its cards."""
    if state.round.device not in state.devices or not cards_needed(state):
        return None
    return do.Declare(by=DEALER, role="dealer", at_s=at_s, name=SHOE_JAM)


def _deal(state: State, shoe: Shoe, at_s: int) -> do.Command:
    drawn = shoe.draw(cards_needed(state))
    return do.Deal(by=DEALER, role="dealer", at_s=at_s, cards=drawn)


def _before_the_deal(state: State, standing: dict[str, int], at_s: int) -> do.Command | None:
    """Chips are matched; a deck that was to be shuffled or cut again is made ready again."""
    deck = state.deck
    if deck is None or deck.stage == "ready":
        return _chips(state, standing, at_s)
    for device in uncovered(state):
        return do.CoverDevice(by=DEALER, role="dealer", at_s=at_s, device=device)
    if state.dealing.shuffler is not None and "shuffler" in state.devices:
        why = "only the shuffler may shuffle these cards, and it is out of order"
        return do.VoidRound(by=FLOOR, role="floorperson", at_s=at_s, reason=why, meters=standing)
    return _deck_duty(state, deck, at_s)


def _deck_duty(state: State, deck: Deck, at_s: int) -> do.Command | None:
    color = deck.color
    if deck.stage == "received":
        return do.InspectDeck(by=DEALER, role="dealer", at_s=at_s, color=color)
    if deck.stage == "inspected":
        return do.VerifyInspection(by=FLOOR, role="floorperson", at_s=at_s, color=color)
    if deck.stage == "verified":
        return do.SpreadDeck(by=DEALER, role="dealer", at_s=at_s, color=color)
    if deck.stage == "spread" and state.seats:
        return do.WashDeck(by=DEALER, role="dealer", at_s=at_s, color=color)
    if deck.stage == "washed":
        return do.StackDeck(by=DEALER, role="dealer", at_s=at_s, color=color)
    if deck.stage == "stacked":
        return _shuffle(state, color, at_s)
    if deck.stage == "shuffled" and color == state.color:
        return do.Cut(by=DEALER, role="dealer", at_s=at_s, cards=MIDDLE_CUT)
    return None


def _shuffle(state: State, color: str, at_s: int) -> do.Shuffle:
    device = "reshuffling_shoe" if state.dealing.reshuffles else "shuffler"
    has = state.dealing.reshuffles or state.terms.shuffler
    works = has and device not in state.devices
    found = cards_to_find(state, color) if works and device_counts(state) else None
    return do.Shuffle(
        by=DEALER, role="dealer", at_s=at_s, color=color, by_device=works, found=found
    )


def _chips(state: State, standing: dict[str, int], at_s: int) -> do.Command | None:
    """Progressive chips and acceptances that differ are cleared before the first card."""
    for seat, box in sorted(state.round.boxes.items()):
        if box.has(PROGRESSIVE) and not box.accepted:
            return do.ReturnChip(by=FLOOR, role="floorperson", at_s=at_s, box=seat)
        if box.accepted and not box.has(PROGRESSIVE):
            return do.CancelAcceptance(
                by=FLOOR, role="floorperson", at_s=at_s, box=seat, meters=standing
            )
    return None


def _for_the_absent(state: State, at_s: int) -> do.Command | None:
    box = asked_box(state)
    assert box is not None
    if box.absent == "left":
        return do.RuleOnAbsence(by=FLOOR, role="floorperson", at_s=at_s, box=box.seat)
    if box.absent == "default":
        return do.TimeOut(by=DEALER, role="dealer", at_s=at_s, box=box.seat)
    return None


def _count(state: State, at_s: int) -> do.Command | None:
    out = len(state.round.out)
    if not stub_is_due(state) or state.round.counted:
        return None
    rest = state.book.deck.cards.count - out
    return do.CountStub(by=DEALER, role="dealer", at_s=at_s, stub=rest, on_table=out)


def _settlement(state: State, standing: dict[str, int], at_s: int) -> do.Command:
    """A stub that is due, a win that waits, and then the next box."""
    won, count = state.round.won, _count(state, at_s)
    if count is not None:
        return count
    if won is not None and won.refusal:
        another = won.proposed_by != MANAGER
        return do.ConfirmRefusal(
            by=MANAGER, role="manager", at_s=at_s, box=won.box, upheld=another, meters=standing
        )
    if won is not None:
        return do.ValidateProgressive(
            by=FLOOR, role="floorperson", at_s=at_s, box=won.box, meters=standing
        )
    box = next_to_settle(state)
    assert box is not None
    if box.absent == "left":
        return do.RuleOnAbsence(by=FLOOR, role="floorperson", at_s=at_s, box=box.seat)
    return do.SettleBox(by=DEALER, role="dealer", at_s=at_s, box=box.seat, meters=standing)


def _at_the_end(state: State, standing: dict[str, int], at_s: int) -> do.Command:
    for seat in sorted(state.round.paperwork):
        return do.RecordPaperwork(by=FLOOR, role="floorperson", at_s=at_s, box=seat)
    idle = unshuffled_idle_deck(state)
    if idle:
        return _shuffle(state, idle, at_s)
    gives_up = any(map(is_refused_acceptance, state.round.boxes.values()))
    readings = standing if gives_up else {}
    return do.ClearCards(by=DEALER, role="dealer", at_s=at_s, meters=readings)
