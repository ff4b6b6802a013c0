"""Devices out of order, covered or signed, and another way of dealing in their place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.facts.errors import Refusal, quoted
from croupier.rulebook.book import WayOfDealing
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.handler import FLOOR, STAFF, Asker, Duties, Duty, Folds, tag
from croupier.table.handlers.opening import why_in_round
from croupier.table.options import Option
from croupier.table.state import State, replace, without_cut

OUT_OF_ORDER = "out of order"


def why_not_report(state: State, command: do.ReportDevice) -> Refusal | None:
    why = _why_unknown(state, command.device)
    if why is None and command.device in state.devices:
        return state.refusal(f"The {spoken(command.device)} is reported already", _clause(state))
    return why


def report(state: State, command: do.ReportDevice) -> Iterator[ev.Event]:
    yield ev.DeviceFailed(clauses=state.cites(_clause(state)), device=command.device)


def _may_report(state: State, asker: Asker) -> Iterator[do.ReportDevice]:
    for name in state.terms.devices:
        yield do.ReportDevice(**asker.signed, device=name)


def why_not_cover(state: State, command: do.CoverDevice) -> Refusal | None:
    why = _why_unknown(state, command.device)
    if why is None and command.device not in uncovered(state):
        return state.refusal(f"The {spoken(command.device)} needs no cover or sign", _clause(state))
    return why


def cover(state: State, command: do.CoverDevice) -> Iterator[ev.Event]:
    by = state.book.procedure
    how = {"covered": by.covered_clause, "signed": by.signed_clause}[command.how]
    clauses = state.cites(_clause(state), how)
    yield ev.DeviceCovered(clauses=clauses, device=command.device, how=command.how)


def _may_cover(state: State, asker: Asker) -> Iterator[do.CoverDevice]:
    for name in uncovered(state):
        yield do.CoverDevice(**asker.signed, device=name, how="covered")


def why_not_restore(state: State, command: do.RestoreDevice) -> Refusal | None:
    """A device that broke while a round was dealt stays out of it to the end."""
    why = _why_unknown(state, command.device)
    if why is None and command.device not in state.devices:
        return state.refusal(f"The {spoken(command.device)} works", _clause(state))
    return why or (why_in_round(state) if state.round.was_dealt else None)


def restore(state: State, command: do.RestoreDevice) -> Iterator[ev.Event]:
    yield ev.DeviceRestored(clauses=state.cites(_clause(state)), device=command.device)


def _may_restore(state: State, asker: Asker) -> Iterator[do.RestoreDevice]:
    for name in state.devices:
        yield do.RestoreDevice(**asker.signed, device=name)


def _named(
    state: State,
    asker: Asker,
    commands: Sequence[do.ReportDevice | do.CoverDevice | do.RestoreDevice],
) -> Iterator[Option]:
    """One option with all the devices it may be said of."""
    yield Option(do=tag(commands[0]), names=tuple(one.device for one in commands))


def why_not_change(state: State, command: do.ChangeWay) -> Refusal | None:
    terms = state.terms
    why = why_in_round(state)
    if why is None and (command.way not in terms.ways or command.way == state.way):
        known = ", ".join(way for way in terms.ways if way != state.way) or "none"
        return state.refusal(
            f"{quoted(command.way)} is no other way of this table; there is {known}",
            _clause(state),
        )
    return why or why_not_by_way(state, command.way)


def change_way(state: State, command: do.ChangeWay) -> Iterator[ev.Event]:
    terms = state.terms
    lost = set(terms.offered[state.way]) - set(terms.offered[command.way])
    yield ev.WayChanged(
        clauses=state.cites(_clause(state)),
        rulings=(31,),
        way=command.way,
        suspended=tuple(sorted(lost)),
    )


def _may_change(state: State, asker: Asker) -> Iterator[do.ChangeWay]:
    for way in state.terms.ways:
        yield do.ChangeWay(**asker.signed, way=way)


def _ways(state: State, asker: Asker, commands: Sequence[do.ChangeWay]) -> Iterator[Option]:
    due = any(_change_is_due(state, one) for one in commands)
    yield Option(do="change-way", names=tuple(one.way for one in commands), due=due)


def _change_is_due(state: State, command: do.ChangeWay) -> bool:
    """Back to the way that was filed; to another only where this one cannot be dealt."""
    return command.way == state.terms.way or why_not_by_way(state, state.way) is not None


def why_not_by_way(state: State, way: str) -> Refusal | None:
    """What stands against dealing another way: it stands in for a device, and for nothing else."""
    terms = state.terms
    filed = terms.machines(terms.ways[terms.way])
    if way != terms.way and not any(device in state.devices for device in filed):
        return state.refusal(
            f"Nothing that deals {terms.ways[terms.way].title} is out of order", _clause(state)
        )
    return why_not_deal_by(state, terms.ways[way])


def why_not_deal_by(state: State, way: WayOfDealing) -> Refusal | None:
    """What stands against dealing this way now: a device it needs, or one that lies bare."""
    if state.terms.electronic_shoe:
        return None
    bare = why_not_while_bare(state)
    if bare is not None:
        return bare
    if way.shuffler is not None and "shuffler" in state.devices:
        return state.refusal("Dealing from the hand needs the shuffler", way.shuffler.clause)
    if way.devices and not working(state, way):
        needed = " or ".join(map(spoken, state.terms.machines(way) or way.devices))
        return state.refusal(
            f"Dealing {way.title} needs the {needed}, and none works here", _clause(state)
        )
    return None


def why_not_while_bare(state: State) -> Refusal | None:
    """Nothing else shuffles or deals while a broken device is neither covered nor signed."""
    return _bare(state) if uncovered(state) else None


def _bare(state: State) -> Refusal:
    named = " and ".join(map(spoken, uncovered(state)))
    return state.refusal(f"The {named} must be covered or signed first", _clause(state))


def uncovered(state: State) -> list[str]:
    return sorted(name for name, how in state.devices.items() if how == OUT_OF_ORDER)


def working(state: State, way: WayOfDealing) -> tuple[str, ...]:
    """The devices in order that this way of dealing may use."""
    return tuple(name for name in state.terms.machines(way) if name not in state.devices)


def dispenser(state: State) -> str:
    """The device the next round comes out of: a dealing shoe, where there is one, not a shuffler.

    Nothing where cards come from the hand or a manual shoe.
    """
    able = working(state, state.dealing) if state.dealing.held_in == "device" else ()
    return able[-1] if able else ""


def why_dead_dispenser(state: State) -> Refusal | None:
    """A device that broke during a round deals no more of its cards."""
    device = state.round.device
    if device not in state.devices:
        return None
    jam = state.book.irregularity("shoe-jam")
    clause = jam.clause if jam is not None else _clause(state)
    return state.refusal(
        f"The {spoken(device)} is out of order and deals no more; declare shoe-jam", clause
    )


def spoken(device: str) -> str:
    return device.replace("_", " ")


def _why_unknown(state: State, device: str) -> Refusal | None:
    if device in state.terms.devices:
        return None
    has = ", ".join(state.terms.devices) or "none"
    return state.refusal(
        f"No device here is called {quoted(device)}; there is {has}", _clause(state)
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
    return replace(without_cut(state, state.color), way=event.way, decks=decks)


DUTIES: Duties = (
    Duty(
        do.ReportDevice,
        (*STAFF, "device"),
        lambda by: by.irregular_clause,
        why_not_report,
        report,
        offers=_may_report,
        shown=_named,
    ),
    Duty(
        do.CoverDevice,
        STAFF,
        lambda by: by.irregular_clause,
        why_not_cover,
        cover,
        offers=_may_cover,
        shown=_named,
        automatic="dealer",
        works_in=("betting",),
    ),
    Duty(
        do.RestoreDevice,
        FLOOR,
        lambda by: by.irregular_clause,
        why_not_restore,
        restore,
        offers=_may_restore,
        shown=_named,
    ),
    Duty(
        do.ChangeWay,
        FLOOR,
        lambda by: by.irregular_clause,
        why_not_change,
        change_way,
        offers=_may_change,
        phases=("betting",),
        shown=_ways,
        automatic="floorperson",
        due=_change_is_due,
    ),
)

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
