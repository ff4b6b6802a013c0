"""Electronic chips by box: bought for cash, cashed out, tipped, and never wagered beyond.

What a box has is read from the double entry of every event, so it cannot differ from the books.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.facts.errors import Refusal
from croupier.facts.money import MICROS_A_CENT, dollars
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.double_entry import PURSE, entries
from croupier.table.handlers.handler import (
    FLOOR,
    PLAYER,
    STAFF,
    Asker,
    Duties,
    Duty,
    Folds,
    by_box,
    tag,
)
from croupier.table.options import Option
from croupier.table.state import State, replace


def why_not_buy_in(state: State, command: do.BuyIn) -> Refusal | None:
    return _why_empty(state, command.box)


def buy_in(state: State, command: do.BuyIn) -> Iterator[ev.Event]:
    _refuse_nothing(state, command.cents)
    yield ev.ChipsBought(clauses=_cited(state), box=command.box, cents=command.cents)


def _may_buy_in(state: State, asker: Asker) -> Iterator[do.BuyIn]:
    if state.terms.keeps_chips:
        for seat in state.seats:
            yield do.BuyIn(**asker.signed, box=seat, cents=0)


def why_not_cash_out(state: State, command: do.CashOut) -> Refusal | None:
    """Chips that somebody left behind are for the floor to cash out, or for himself."""
    why = _why_in_round(state, command.box)
    if command.role in FLOOR and chips_of(state, command.box):
        return why
    if command.by == left_behind(state).get(command.box):
        return why
    return _why_stranger(state, command) or why


def cash_out(state: State, command: do.CashOut) -> Iterator[ev.Event]:
    has = chips_of(state, command.box)
    cents = has if command.cents is None else command.cents
    _refuse_nothing(state, cents)
    refuse_beyond_chips(state, command.box, cents)
    yield ev.ChipsCashed(clauses=_cited(state), box=command.box, cents=cents)


def _may_cash_out(state: State, asker: Asker) -> Iterator[do.CashOut]:
    for seat, cents in state.chips.items():
        if cents:
            yield do.CashOut(**asker.signed, box=seat)


def why_not_tip(state: State, command: do.Tip) -> Refusal | None:
    return _why_stranger(state, command) or _why_in_round(state, command.box)


def tip(state: State, command: do.Tip) -> Iterator[ev.Event]:
    _refuse_nothing(state, command.cents)
    refuse_beyond_chips(state, command.box, command.cents)
    yield ev.TipGiven(clauses=_cited(state), box=command.box, cents=command.cents)


def _may_tip(state: State, asker: Asker) -> Iterator[do.Tip]:
    for seat, cents in state.chips.items():
        if cents:
            yield do.Tip(**asker.signed, box=seat, cents=cents)


def _with_chips(
    state: State, asker: Asker, commands: Sequence[do.CashOut | do.Tip]
) -> Iterator[Option]:
    for command in commands:
        has = chips_of(state, command.box)
        yield Option(do=tag(command), box=command.box, cents=(has,))


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


def _why_empty(state: State, box: int) -> Refusal | None:
    if not state.terms.keeps_chips:
        return _refusal(state, "Chips at this table are in the players' hands")
    if box not in state.seats:
        return _refusal(state, f"Nobody sits at box {box}")
    return None


def _why_stranger(state: State, command: do.CashOut | do.Tip) -> Refusal | None:
    why = _why_empty(state, command.box)
    if why is None and command.role == "player" and state.seats[command.box] != command.by:
        return _refusal(state, f"Box {command.box} is not yours")
    return why


def left_behind(state: State) -> dict[int, str]:
    """The empty boxes with chips of somebody who left during a round, and whose they are."""
    return {
        box: name
        for box, name in state.left_by.items()
        if box not in state.seats and chips_of(state, box)
    }


def _why_in_round(state: State, box: int) -> Refusal | None:
    """What a round has paid can still be taken back until its cards are cleared (ruling 32)."""
    if box in state.round.boxes and state.round.stage != "betting":
        return _refusal(state, f"Box {box} is in the round; its chips leave when the cards do")
    return None


def _refuse_nothing(state: State, cents: int) -> None:
    if cents <= 0:
        raise _refusal(state, f"{dollars(cents)} is nothing to move")


def _refusal(state: State, sentence: str) -> Refusal:
    return state.refusal(sentence, state.book.procedure.seated_clause)


def _cited(state: State) -> tuple[str, ...]:
    return state.cites(state.book.procedure.seated_clause)


def _moves_only_money(state: State, event: ev.Event) -> State:
    return state


DUTIES: Duties = (
    Duty(
        do.BuyIn,
        STAFF,
        lambda by: by.seated_clause,
        why_not_buy_in,
        buy_in,
        offers=_may_buy_in,
        shown=by_box,
    ),
    Duty(
        do.CashOut,
        (*PLAYER, *FLOOR),
        lambda by: by.seated_clause,
        why_not_cash_out,
        cash_out,
        offers=_may_cash_out,
        shown=_with_chips,
    ),
    Duty(
        do.Tip,
        PLAYER,
        lambda by: by.seated_clause,
        why_not_tip,
        tip,
        offers=_may_tip,
        shown=_with_chips,
    ),
)

FOLDS: Folds = {
    ev.ChipsBought: _moves_only_money,
    ev.ChipsCashed: _moves_only_money,
    ev.TipGiven: _moves_only_money,
}
