"""The house at work: the next thing a dealer, floorperson or device has to do by itself.

For practice tables, narrated rounds, tests and benchmarks; it decides nothing a player decides, and
declares nothing irregular.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.table import commands as do
from croupier.table.agenda import asked_box, cards_needed, next_to_settle, phase
from croupier.table.progressive import PROGRESSIVE
from croupier.table.shoe import Shoe
from croupier.table.shuffling import stub_is_due
from croupier.table.state import Deck, State

DEALER, FLOOR = "dealer", "floorperson"
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
        cleared = _chips(state, standing, at_s) if not state.round.was_dealt else None
        drawn = () if cleared is not None else shoe.draw(cards_needed(state))
        return cleared or do.Deal(by=DEALER, role="dealer", at_s=at_s, cards=drawn)
    if now == "acting":
        return _for_the_absent(state, at_s)
    if now == "revealing":
        return _count(state, at_s) or do.Reveal(by=DEALER, role="dealer", at_s=at_s)
    if now == "settling":
        box = next_to_settle(state)
        assert box is not None
        if box.absent == "left":
            return do.RuleOnAbsence(by=FLOOR, role="floorperson", at_s=at_s, box=box.seat)
        return do.SettleBox(by=DEALER, role="dealer", at_s=at_s, box=box.seat, meters=standing)
    return _at_the_end(state, standing, at_s)


def _between_rounds(state: State, standing: dict[str, int], at_s: int) -> do.Command | None:
    if state.terms.electronic_shoe:
        if not state.open:
            return do.OpenTable(by=DEALER, role="dealer", at_s=at_s)
    else:
        missing = [c for c in state.terms.deck_colors if c not in {d.color for d in state.decks}]
        if missing:
            return do.ReceiveDeck(by=FLOOR, role="floorperson", at_s=at_s, color=missing[0])
        for deck in state.decks:
            command = _deck_duty(state, deck, at_s)
            if command is not None:
                return command
        if stub_is_due(state):
            whole = state.book.deck.cards.count
            return do.CountStub(by=DEALER, role="dealer", at_s=at_s, stub=whole, on_table=0)
    if state.round.boxes:
        return do.NoMoreBets(by=DEALER, role="dealer", at_s=at_s, meters=standing)
    return None


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
    counts = state.dealing.reshuffles or state.terms.shuffler_counts
    found = state.book.deck.cards.count if works and counts else None
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


def _at_the_end(state: State, standing: dict[str, int], at_s: int) -> do.Command:
    for seat in sorted(state.round.pending):
        return do.ValidateProgressive(
            by=FLOOR, role="floorperson", at_s=at_s, box=seat, approved=True, meters=standing
        )
    for seat in sorted(state.round.paperwork):
        return do.RecordPaperwork(by=FLOOR, role="floorperson", at_s=at_s, box=seat)
    return do.ClearCards(by=DEALER, role="dealer", at_s=at_s)
