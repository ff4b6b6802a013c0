"""Devices out of order, covered or signed, and another way of dealing in their place."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.errors import quoted
from croupier.rulebook.book import WayOfDealing
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handling import FLOOR, STAFF, Duties, Duty, Folds
from croupier.table.opening import refuse_in_round
from croupier.table.state import State, replace

DEVICES = ("shuffler", "automated_shoe", "reshuffling_shoe")
OUT_OF_ORDER = "out of order"


def report(state: State, command: do.ReportDevice) -> Iterator[ev.Event]:
    _refuse_unknown(state, command.device)
    if command.device in state.devices:
        raise state.refusal(f"The {command.device} is reported already", _clause(state))
    yield ev.DeviceFailed(clauses=state.cites(_clause(state)), device=command.device)


def cover(state: State, command: do.CoverDevice) -> Iterator[ev.Event]:
    _refuse_unknown(state, command.device)
    if state.devices.get(command.device) != OUT_OF_ORDER:
        raise state.refusal(f"The {command.device} needs no cover or sign", _clause(state))
    clauses = state.cites(_clause(state))
    yield ev.DeviceCovered(clauses=clauses, device=command.device, how=command.how)


def restore(state: State, command: do.RestoreDevice) -> Iterator[ev.Event]:
    _refuse_unknown(state, command.device)
    if command.device not in state.devices:
        raise state.refusal(f"The {command.device} works", _clause(state))
    refuse_in_round(state)
    yield ev.DeviceRestored(clauses=state.cites(_clause(state)), device=command.device)


def change_way(state: State, command: do.ChangeWay) -> Iterator[ev.Event]:
    refuse_in_round(state)
    terms = state.terms
    if command.way not in terms.ways or command.way == state.way:
        known = ", ".join(way for way in terms.ways if way != state.way) or "none"
        raise state.refusal(
            f"{quoted(command.way)} is no other way of this table; there is {known}",
            _clause(state),
        )
    bare = sorted(name for name, how in state.devices.items() if how == OUT_OF_ORDER)
    if bare:
        raise state.refusal(
            f"The {' and '.join(bare)} must be covered or signed first", _clause(state)
        )
    refuse_broken(state, terms.ways[command.way])
    lost = set(terms.offered[state.way]) - set(terms.offered[command.way])
    yield ev.WayChanged(
        clauses=state.cites(_clause(state)),
        rulings=(31,),
        way=command.way,
        suspended=tuple(sorted(lost)),
    )


def refuse_broken(state: State, way: WayOfDealing) -> None:
    """Whether the devices a way of dealing needs are in order."""
    if way.shuffler is not None and "shuffler" in state.devices:
        raise state.refusal("Dealing from the hand needs the shuffler", way.shuffler.clause)
    if way.devices and all(device in state.devices for device in way.devices):
        broken = " and ".join(way.devices)
        raise state.refusal(f"The {broken} is out of order", _clause(state))


def _refuse_unknown(state: State, device: str) -> None:
    if device not in DEVICES:
        raise state.refusal(
            f"No device is called {quoted(device)}; there is {', '.join(DEVICES)}", _clause(state)
        )


def _clause(state: State) -> str:
    rule = state.book.irregularity("device-out-of-order")
    return rule.clause if rule is not None else state.book.procedure.irregular_clause


def _changed(state: State, event: ev.WayChanged) -> State:
    """Whatever stack lay ready is shuffled anew for the other way."""
    decks = tuple(
        replace(deck, stage="stacked", was_cut=False)
        if deck.stage in ("shuffled", "ready")
        else deck
        for deck in state.decks
    )
    return replace(state, way=event.way, decks=decks)


DUTIES: Duties = {
    do.ReportDevice: Duty(report, (*STAFF, "device"), "irregular_clause"),
    do.CoverDevice: Duty(cover, STAFF, "irregular_clause"),
    do.RestoreDevice: Duty(restore, FLOOR, "irregular_clause"),
    do.ChangeWay: Duty(change_way, FLOOR, "irregular_clause"),
}

FOLDS: Folds = {
    ev.DeviceFailed: lambda state, event: replace(
        state, devices={**state.devices, event.device: OUT_OF_ORDER}
    ),
    ev.DeviceCovered: lambda state, event: replace(
        state, devices={**state.devices, event.device: event.how}
    ),
    ev.DeviceRestored: lambda state, event: replace(
        state, devices={name: how for name, how in state.devices.items() if name != event.device}
    ),
    ev.WayChanged: _changed,
}
