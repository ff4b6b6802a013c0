"""Electronic chips by box: bought, cashed out, tipped, kept for those who left.

What a box has is read from the double entry of every event, so it cannot differ from the books.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from croupier.facts.errors import Refusal
from croupier.facts.money import MICROS_A_CENT, dollars
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.double_entry import KEPT, PURSE, entries
from croupier.table.handlers.boxes import seats_of, why_stranger
from croupier.table.handlers.handler import (
    FLOOR,
    PLAYER,
    STAFF,
    Asker,
    Duties,
    Duty,
    Folds,
    PowerUse,
    tag,
)
from croupier.table.options import Option
from croupier.table.powers import Power
from croupier.table.state import State, replace

REAL: tuple[do.Taken, ...] = ("cash", "chips", "voucher")
PRACTICE: tuple[do.Taken, ...] = ("practice", *REAL)


def why_not_buy_in(state: State, command: do.BuyIn) -> Refusal | None:
    return _why_empty(state, command.box)


def buy_in(state: State, command: do.BuyIn) -> Iterator[ev.Event]:
    _refuse_nothing(state, command.cents)
    if command.taken not in kinds_taken(state):
        raise _refusal(state, f"For chips here is taken: {', '.join(kinds_taken(state))}")
    yield ev.ChipsBought(
        clauses=_cited(state), box=command.box, cents=command.cents, taken=command.taken
    )


def kinds_taken(state: State) -> tuple[do.Taken, ...]:
    """What a player may give for chips; nothing real for practice alone, where a dealer may still
    train to take what is."""
    return PRACTICE if state.terms.practice else REAL


def _may_buy_in(state: State, asker: Asker) -> Iterator[do.BuyIn]:
    for seat in state.seats:
        yield do.BuyIn(**asker.signed, box=seat, cents=0, taken=kinds_taken(state)[0])


def _sales(state: State, asker: Asker, commands: Sequence[do.BuyIn]) -> Iterator[Option]:
    for command in commands:
        yield Option(do="buy-in", box=command.box, names=kinds_taken(state))


def _sale(state: State, command: do.BuyIn) -> PowerUse | None:
    return _money_moved(state, "buy-in", command.box, command.cents)


def why_not_cash_out(state: State, command: do.CashOut) -> Refusal | None:
    return _why_not_move(state, command)


def cash_out(state: State, command: do.CashOut) -> Iterator[ev.Event]:
    cents = _cashed(state, command)
    _refuse_nothing(state, cents)
    refuse_beyond_chips(state, command.box, cents)
    yield ev.ChipsCashed(clauses=_cited(state), box=command.box, cents=cents)


def _cashed(state: State, command: do.CashOut) -> int:
    return chips_of(state, command.box) if command.cents is None else command.cents


def _may_cash_out(state: State, asker: Asker) -> Iterator[do.CashOut]:
    for seat in _own_with_chips(state, asker):
        yield do.CashOut(**asker.signed, box=seat)


def _voucher(state: State, command: do.CashOut) -> PowerUse | None:
    return _money_moved(state, "cash-out", command.box, _cashed(state, command))


def _money_moved(state: State, act: Power, box: int, cents: int) -> PowerUse | None:
    """Many small sums of one player are one large one; what is for practice is no money."""
    if state.terms.practice:
        return None
    before = state.moved_alone.get(moved_by(act, state.seats.get(box, "")), 0)
    return PowerUse(act, box, cents, before + cents)


def moved_by(act: str, player: str) -> str:
    return f"{act} {player}"


def why_not_pay_kept(state: State, command: do.PayKept) -> Refusal | None:
    if not state.kept.get(command.player):
        return _refusal(state, f"Nothing is kept here for {command.player}")
    if command.role == "player" and command.by != command.player:
        return _refusal(state, f"It is kept for {command.player}, and for nobody else")
    return None


def pay_kept(state: State, command: do.PayKept) -> Iterator[ev.Event]:
    cents = state.kept[command.player]
    yield ev.KeptPaid(clauses=_cited(state), player=command.player, cents=cents)


def _may_pay_kept(state: State, asker: Asker) -> Iterator[do.PayKept]:
    for player in state.kept:
        yield do.PayKept(**asker.signed, player=player)


def _kept(state: State, asker: Asker, commands: Sequence[do.PayKept]) -> Iterator[Option]:
    for command in commands:
        cents = state.kept[command.player]
        yield Option(do="pay-kept", names=(command.player,), cents=(cents,))


def _payment(state: State, command: do.PayKept) -> PowerUse | None:
    """Who fetches his own is asked no more than at a cash-out, and the sums are added to those."""
    if state.terms.practice:
        return None
    cents = state.kept.get(command.player, 0)
    before = state.moved_alone.get(moved_by("cash-out", command.player), 0)
    act: Power = "cash-out" if command.role == "player" else "pay-kept"
    return PowerUse(act, 0, cents, before + cents)


def keep(state: State, player: str) -> Iterator[ev.ChipsKept]:
    """What a player leaves at his boxes is kept for him."""
    for seat, name in sorted(state.seats.items()):
        if name == player and chips_of(state, seat):
            cents = chips_of(state, seat)
            yield ev.ChipsKept(clauses=_cited(state), box=seat, player=player, cents=cents)


def why_not_count_drop(state: State, command: do.CountDrop) -> Refusal | None:
    if not state.terms.keeps_chips:
        return _refusal(state, "Chips at this table are in the players' hands")
    return None


def count_drop(state: State, command: do.CountDrop) -> Iterator[ev.Event]:
    yield ev.DropCounted(
        clauses=_cited(state), found=command.found, due=dict(state.taken), by=command.by
    )


def _may_count_drop(state: State, asker: Asker) -> Iterator[do.CountDrop]:
    if state.taken:
        yield do.CountDrop(**asker.signed, found={})


def _counts(state: State, asker: Asker, commands: Sequence[do.CountDrop]) -> Iterator[Option]:
    yield Option(do="count-drop", names=kinds_taken(state))


def _count(state: State, command: do.CountDrop) -> PowerUse:
    return PowerUse("count-drop", cents=sum(command.found.values()))


def why_not_tip(state: State, command: do.Tip) -> Refusal | None:
    return _why_not_move(state, command)


def tip(state: State, command: do.Tip) -> Iterator[ev.Event]:
    _refuse_nothing(state, command.cents)
    refuse_beyond_chips(state, command.box, command.cents)
    yield ev.TipGiven(clauses=_cited(state), box=command.box, cents=command.cents)


def _may_tip(state: State, asker: Asker) -> Iterator[do.Tip]:
    for seat in _own_with_chips(state, asker):
        yield do.Tip(**asker.signed, box=seat, cents=chips_of(state, seat))


def _own_with_chips(state: State, asker: Asker) -> list[int]:
    own = seats_of(state, asker.name)
    return [seat for seat, cents in state.chips.items() if cents and seat in own]


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
    """The chips after an event, those on the boxes and those kept, by its two sides."""
    moved = [
        (account, micros // MICROS_A_CENT)
        for account, micros in entries(event)
        if account.startswith((PURSE, KEPT))
    ]
    if not moved:
        return state
    chips, kept = dict(state.chips), dict(state.kept)
    for account, cents in moved:
        if account.startswith(PURSE):
            box = int(account.removeprefix(PURSE))
            chips[box] = chips.get(box, 0) + cents
        else:
            player = account.removeprefix(KEPT)
            kept[player] = kept.get(player, 0) + cents
    return replace(state, chips=chips, kept={name: has for name, has in kept.items() if has})


def _why_empty(state: State, box: int) -> Refusal | None:
    if not state.terms.keeps_chips:
        return _refusal(state, "Chips at this table are in the players' hands")
    if box not in state.seats:
        return _refusal(state, f"Nobody sits at box {box}")
    return None


def _why_not_move(state: State, command: do.CashOut | do.Tip) -> Refusal | None:
    """What a round has paid can still be taken back until its cards are cleared (ruling 32)."""
    box = command.box
    why = _why_empty(state, box) or why_stranger(state, box, command.by)
    if why is None and box in state.round.boxes and state.round.stage != "betting":
        return _refusal(state, f"Box {box} is in the round; its chips leave when the cards do")
    return why


def _refuse_nothing(state: State, cents: int) -> None:
    if cents <= 0:
        raise _refusal(state, f"{dollars(cents)} is nothing to move")


def _refusal(state: State, sentence: str) -> Refusal:
    return state.refusal(sentence, state.book.procedure.seated_clause)


def _cited(state: State) -> tuple[str, ...]:
    return state.cites(state.book.procedure.seated_clause)


def _moves_only_money(state: State, event: ev.Event) -> State:
    return state


def _bought(state: State, event: ev.ChipsBought) -> State:
    """A sale of any sum answers what the box asked for."""
    taken = {**state.taken, event.taken: state.taken.get(event.taken, 0) + event.cents}
    asked = {box: cents for box, cents in state.asked.items() if box != event.box}
    owed = _owed(state, state.bought, event)
    return replace(_moved(state, "buy-in", event), taken=taken, asked=asked, bought=owed)


def _cashed_out(state: State, event: ev.ChipsCashed) -> State:
    return replace(_moved(state, "cash-out", event), cashed=_owed(state, state.cashed, event))


def _owed(
    state: State, owed: Mapping[int, int], event: ev.ChipsBought | ev.ChipsCashed
) -> dict[int, int]:
    """What a player is to acknowledge, but for what is no money."""
    more = 0 if state.terms.practice else event.cents
    return {**owed, event.box: owed.get(event.box, 0) + more} if more else dict(owed)


def _moved(state: State, act: str, event: ev.ChipsBought | ev.ChipsCashed) -> State:
    return _moved_for(state, act, state.seats.get(event.box, ""), event.cents)


def _moved_for(state: State, act: str, player: str, cents: int) -> State:
    by = moved_by(act, player)
    return replace(
        state, moved_alone={**state.moved_alone, by: state.moved_alone.get(by, 0) + cents}
    )


def _kept_paid(state: State, event: ev.KeptPaid) -> State:
    return _moved_for(state, "cash-out", event.player, event.cents)


DUTIES: Duties = (
    Duty(
        do.BuyIn,
        STAFF,
        lambda by: by.seated_clause,
        why_not_buy_in,
        buy_in,
        offers=_may_buy_in,
        shown=_sales,
        power=_sale,
    ),
    Duty(
        do.CashOut,
        PLAYER,
        lambda by: by.seated_clause,
        why_not_cash_out,
        cash_out,
        offers=_may_cash_out,
        shown=_with_chips,
        power=_voucher,
    ),
    Duty(
        do.PayKept,
        (*PLAYER, *FLOOR),
        lambda by: by.seated_clause,
        why_not_pay_kept,
        pay_kept,
        offers=_may_pay_kept,
        shown=_kept,
        power=_payment,
    ),
    Duty(
        do.CountDrop,
        FLOOR,
        lambda by: by.seated_clause,
        why_not_count_drop,
        count_drop,
        offers=_may_count_drop,
        phases=("betting",),
        shown=_counts,
        power=_count,
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
    ev.ChipsBought: _bought,
    ev.ChipsCashed: _cashed_out,
    ev.ChipsKept: _moves_only_money,
    ev.KeptReturned: _moves_only_money,
    ev.KeptPaid: _kept_paid,
    ev.DropCounted: lambda state, event: replace(state, taken={}, moved_alone={}),
    ev.TipGiven: _moves_only_money,
}
