"""Double entry: what each event moves, account by account, in micros; every event sums to zero.

Accounts: ``purse 3`` is what the player of box 3 has in chips, ``felt 3`` what lies on the box,
``outside 3`` what was paid to the player from outside the table inventory; ``house`` the table
inventory, ``meter main`` a meter, ``reset main`` what the house gave to start and restart it,
``drop`` and ``tips`` the two boxes at the dealer's sides, ``kept Ann`` chips that are kept for
somebody who left, and ``cash`` everything beyond the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.facts.money import Cents, in_micros
from croupier.table import events as ev
from croupier.table.events import Outcome

Entry = tuple[str, int]
HOUSE, DROP, TIPS, CASH = "house", "drop", "tips", "cash"
PURSE, METER, KEPT = "purse ", "meter ", "kept "


def entries(event: ev.Event) -> tuple[Entry, ...]:
    """Nothing for an event that moves no money."""
    moves = _MOVES.get(type(event))
    return tuple(entry for entry in moves(event) if entry[1]) if moves is not None else ()


def _move(source: str, target: str, cents: int) -> list[Entry]:
    micros = in_micros(Cents(cents))
    return [(source, -micros), (target, micros)]


def _placed(event: ev.WagerPlaced) -> list[Entry]:
    return _move(_purse(event.box), _felt(event.box), event.cents - event.before_cents)


def _back(event: ev.WagerWithdrawn | ev.ChipReturned) -> list[Entry]:
    return _move(_felt(event.box), _purse(event.box), event.cents)


def _returned(event: ev.WagerReturned) -> list[Entry]:
    source = HOUSE if event.from_house else _felt(event.box)
    return _move(source, _purse(event.box), event.cents)


def _settled(event: ev.WagerSettled) -> list[Entry]:
    """The stake is swept, unless a fold gave it up before; then winnings and stake go out."""
    swept = 0 if event.outcome == Outcome.FORFEIT else event.stake_cents
    target = _outside(event.box) if event.outside else _purse(event.box)
    source = meter(event.meter) if event.meter else HOUSE
    return [
        *_move(_felt(event.box), HOUSE, swept),
        *_move(source, target, event.paid_cents),
        *_move(HOUSE, target, event.returned_cents),
        *(
            _move(reset_fund(event.meter), meter(event.meter), event.reset_cents)
            if event.meter
            else ()
        ),
    ]


def _reversed(event: ev.LineReversed) -> list[Entry]:
    source = _outside(event.box) if event.outside else _purse(event.box)
    target = meter(event.meter) if event.meter else HOUSE
    return [
        *_move(source, target, event.cents),
        *(
            _move(meter(event.meter), reset_fund(event.meter), event.reset_cents)
            if event.meter
            else ()
        ),
        *_move(HOUSE, _felt(event.box), event.stake_cents if event.swept else 0),
    ]


def _bought(event: ev.ChipsBought) -> list[Entry]:
    """Chips that were brought join the inventory; all else goes into the drop box."""
    cents, purse = event.cents, _purse(event.box)
    target = HOUSE if event.taken == "chips" else DROP
    return [*_move(CASH, target, cents), *_move(HOUSE, purse, cents)]


def _grew(event: ev.MeterGrew) -> list[Entry]:
    return [(HOUSE, -event.by_micros), (meter(event.meter), event.by_micros)]


def _shrank(event: ev.MeterShrank) -> list[Entry]:
    return [(meter(event.meter), -event.by_micros), (HOUSE, event.by_micros)]


def _purse(box: int) -> str:
    return f"{PURSE}{box}"


def _kept(player: str) -> str:
    return f"{KEPT}{player}"


def _felt(box: int) -> str:
    return f"felt {box}"


def _outside(box: int) -> str:
    return f"outside {box}"


def meter(name: str) -> str:
    return f"{METER}{name}"


def reset_fund(name: str) -> str:
    return f"reset {name}"


_MOVES: Mapping[type[ev.Event], Callable[[Any], list[Entry]]] = {
    ev.ChipsBought: _bought,
    ev.ChipsCashed: lambda event: _move(_purse(event.box), CASH, event.cents),
    ev.ChipsKept: lambda event: _move(_purse(event.box), _kept(event.player), event.cents),
    ev.KeptReturned: lambda event: _move(_kept(event.player), _purse(event.box), event.cents),
    ev.KeptPaid: lambda event: _move(_kept(event.player), CASH, event.cents),
    ev.TipGiven: lambda event: _move(_purse(event.box), TIPS, event.cents),
    ev.ShortfallPaid: lambda event: _move(HOUSE, _purse(event.box), event.cents),
    ev.OverpaymentTaken: lambda event: _move(_purse(event.box), HOUSE, event.cents),
    ev.WagerPlaced: _placed,
    ev.WagerWithdrawn: _back,
    ev.ChipReturned: _back,
    ev.WagerReturned: _returned,
    ev.Played: lambda event: _move(_purse(event.box), _felt(event.box), event.cents),
    ev.WagerForfeited: lambda event: _move(_felt(event.box), HOUSE, event.cents),
    ev.WagerSettled: _settled,
    ev.LineReversed: _reversed,
    ev.MeterGrew: _grew,
    ev.MeterShrank: _shrank,
}
