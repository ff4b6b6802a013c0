"""Electronic chips by box: bought for cash, cashed out, tipped, and never wagered beyond.

What a box has is read from the double entry of every event, so it cannot differ from the books.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.errors import Refusal
from croupier.facts.money import MICROS_A_CENT, dollars
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.double_entry import PURSE, entries
from croupier.table.handlers.handler import DEALER, FLOOR, PLAYER, Duties, Duty, Folds
from croupier.table.state import State, replace


def buy_in(state: State, command: do.BuyIn) -> Iterator[ev.Event]:
    _refuse_empty(state, command.box)
    _refuse_nothing(state, command.cents)
    yield ev.ChipsBought(clauses=_cited(state), box=command.box, cents=command.cents)


def cash_out(state: State, command: do.CashOut) -> Iterator[ev.Event]:
    _refuse_stranger(state, command)
    _refuse_in_round(state, command.box)
    has = chips_of(state, command.box)
    cents = has if command.cents is None else command.cents
    _refuse_nothing(state, cents)
    refuse_beyond_chips(state, command.box, cents)
    yield ev.ChipsCashed(clauses=_cited(state), box=command.box, cents=cents)


def tip(state: State, command: do.Tip) -> Iterator[ev.Event]:
    _refuse_stranger(state, command)
    _refuse_in_round(state, command.box)
    _refuse_nothing(state, command.cents)
    refuse_beyond_chips(state, command.box, command.cents)
    yield ev.TipGiven(clauses=_cited(state), box=command.box, cents=command.cents)


def chips_of(state: State, box: int) -> int:
    return state.chips.get(box, 0)


def refuse_beyond_chips(state: State, box: int, cents: int) -> None:
    """No box ever has less than nothing."""
    if state.terms.keeps_chips and cents > chips_of(state, box):
        raise state.refusal(
            f"Box {box} has {dollars(chips_of(state, box))} in chips; this takes {dollars(cents)}",
            state.book.procedure.layout_clause,
        )


def with_chips(state: State, event: ev.Event) -> State:
    """The chips after an event, by its two sides."""
    moved = [
        (int(account.removeprefix(PURSE)), micros // MICROS_A_CENT)
        for account, micros in entries(event)
        if account.startswith(PURSE)
    ]
    if not moved:
        return state
    chips = dict(state.chips)
    for box, cents in moved:
        chips[box] = chips.get(box, 0) + cents
    return replace(state, chips=chips)


def _refuse_empty(state: State, box: int) -> None:
    if not state.terms.keeps_chips:
        raise _refusal(state, "Chips at this table are in the players' hands")
    if box not in state.seats:
        raise _refusal(state, f"Nobody sits at box {box}")


def _refuse_stranger(state: State, command: do.CashOut | do.Tip) -> None:
    """Chips that somebody left behind are for the floor to cash out, or for himself."""
    if command.role in FLOOR and chips_of(state, command.box):
        return
    if isinstance(command, do.CashOut) and command.by == left_behind(state).get(command.box):
        return
    _refuse_empty(state, command.box)
    if command.role == "player" and state.seats[command.box] != command.by:
        raise _refusal(state, f"Box {command.box} is not yours")


def left_behind(state: State) -> dict[int, str]:
    """The empty boxes with chips of somebody who left during a round, and whose they are."""
    return {
        box: name
        for box, name in state.left_by.items()
        if box not in state.seats and chips_of(state, box)
    }


def may_move_chips(state: State, box: int) -> bool:
    return chips_of(state, box) > 0 and not _is_in_round(state, box)


def _is_in_round(state: State, box: int) -> bool:
    return box in state.round.boxes and state.round.stage != "betting"


def _refuse_in_round(state: State, box: int) -> None:
    """What a round has paid can still be taken back until its cards are cleared (ruling 32)."""
    if _is_in_round(state, box):
        raise _refusal(state, f"Box {box} is in the round; its chips leave when the cards do")


def _refuse_nothing(state: State, cents: int) -> None:
    if cents <= 0:
        raise _refusal(state, f"{dollars(cents)} is nothing to move")


def _refusal(state: State, sentence: str) -> Refusal:
    return state.refusal(sentence, state.book.procedure.seated_clause)


def _cited(state: State) -> tuple[str, ...]:
    return state.cites(state.book.procedure.seated_clause)


def _moves_only_money(state: State, event: ev.Event) -> State:
    return state


DUTIES: Duties = {
    do.BuyIn: Duty(buy_in, (*DEALER, *FLOOR), "seated_clause"),
    do.CashOut: Duty(cash_out, (*PLAYER, *FLOOR), "seated_clause"),
    do.Tip: Duty(tip, PLAYER, "seated_clause"),
}

FOLDS: Folds = {
    ev.ChipsBought: _moves_only_money,
    ev.ChipsCashed: _moves_only_money,
    ev.TipGiven: _moves_only_money,
}
