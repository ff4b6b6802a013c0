"""The table: commands in, events out, and a state that is nothing but the fold of its events.

``decide`` is pure: no clock, no chance, no files. It gives the events of a command, or raises a
Refusal with the clause that forbids it; an Unreadable is a command that makes no sense at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from croupier.facts.errors import Refusal, Unreadable
from croupier.table import commands as do
from croupier.table.agenda import PHASES, Moment, Phase, moment
from croupier.table.beyond import ALONE, Beyond, informed
from croupier.table.commands import Command
from croupier.table.events import Event
from croupier.table.handlers import (
    absence,
    chip_requests,
    chips,
    deal,
    decisions,
    devices,
    dispute_cases,
    floor_call,
    irregularities,
    numbers,
    opening,
    progressive,
    round_end,
    seats,
    second_person,
    shuffle,
    stub_count,
    table_lock,
    void,
    wagers,
    win_validation,
)
from croupier.table.handlers.handler import Asker, C, Duty, Folds
from croupier.table.options import Option, Viewing
from croupier.table.state import State, replace

_MODULES = (
    opening,
    shuffle,
    seats,
    wagers,
    numbers,
    chips,
    chip_requests,
    progressive,
    deal,
    decisions,
    stub_count,
    round_end,
    win_validation,
    void,
    irregularities,
    floor_call,
    absence,
    devices,
    table_lock,
    dispute_cases,
    second_person,
)
_DUTIES: Mapping[type[Command], Duty[Any]] = {
    duty.kind: duty for module in _MODULES for duty in module.DUTIES
}
_FOLDS: Folds = {kind: fold for module in _MODULES for kind, fold in module.FOLDS.items()}


def duty_of(kind: type[C]) -> Duty[C]:
    """All that is known of a command: who may give it, why not now, what to offer."""
    if kind not in _DUTIES:
        raise Unreadable(f"{kind.__name__} is no command of a table")
    return _DUTIES[kind]


_FLOOR_SCREEN: tuple[type[Command], ...] = (
    *(do.Confirm, do.Second, do.UnlockTable, do.PayKept, do.VerifyInspection),
    *(do.OrderRecut, do.RuleOnAbsence),
    *(do.ReturnChip, do.CancelAcceptance, do.ValidateProgressive, do.ProposeRefusal),
    *(do.ConfirmRefusal, do.RecordPaperwork),
    *(do.VoidRound, do.RestoreDevice, do.OrderShuffle, do.RemoveDeck, do.ChangeWay),
    *(do.BuyIn, do.ReceiveDeck, do.GoIdle, do.Declare, do.ReportAbsence),
    *(do.ReportDevice, do.CoverDevice, do.AnswerCall, do.FreeBox, do.CountDrop, do.LockTable),
    *(do.DeclineChips, do.OpenDispute, do.EndDispute),
)
# What each role is offered, in the order in which a screen lists it.
_SCREENS: Mapping[Viewing, tuple[type[Command], ...]] = {
    "player": (
        *(do.TakeBox, do.CashOut, do.PayKept, do.Second, do.Tip, do.LeaveBox),
        *(do.PlaceWagers, do.WithdrawWagers, do.SayReady, do.ShowNumber),
        *(do.Play, do.Check, do.Fold),
        *(do.AskChips, do.AcknowledgeChips, do.OpenDispute),
    ),
    "dealer": (
        *(do.InspectDeck, do.SpreadDeck, do.WashDeck, do.StackDeck),
        *(do.Deal, do.TimeOut, do.Reveal, do.SettleBox, do.ClearCards, do.Shuffle, do.Cut),
        *(do.OpenTable, do.WithdrawWagers, do.NoMoreBets, do.CountStub, do.CallFloor),
        *(do.BuyIn, do.ReceiveDeck, do.GoIdle, do.Declare, do.ReportAbsence),
        *(do.ReportDevice, do.CoverDevice, do.DeclineChips, do.OpenDispute),
    ),
    "floorperson": _FLOOR_SCREEN,
    "manager": _FLOOR_SCREEN,
}
_ON_SCREEN: Mapping[tuple[Viewing, Phase], tuple[Duty[Any], ...]] = {
    (role, phase): tuple(duty for duty in map(duty_of, kinds) if phase in duty.phases)
    for role, kinds in _SCREENS.items()
    for phase in PHASES
}


def why_not(state: State, command: Command) -> Refusal | None:
    """What stands against a command now: its giver, a matter that waits, or its own rule."""
    duty = duty_of(type(command))
    if command.role not in duty.roles:
        clause = duty.clause(state.book.procedure)
        return state.refusal(f"That is for {' or '.join(duty.roles)}, not {command.role}", clause)
    return (
        table_lock.why_stopped(state, duty)
        or duty.why_not(state, command)
        or second_person.why_asked(state, duty, command)
    )


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What a command makes happen; a refused one changes nothing and says why, with its clause."""
    against = why_not(state, command)
    if against is not None:
        raise against
    if command.at_s < state.at_s:
        raise Unreadable(
            f"the clock is wrong: second {command.at_s} comes after second {state.at_s}"
        )
    events = second_person.under_policy(state, duty_of(type(command)), command)
    if not command.at_s:
        return tuple(events)
    return tuple(replace(event, at_s=command.at_s) for event in events)


def offered(state: State, asker: Asker, duty: Duty[C]) -> list[C]:
    """The commands of a kind that somebody might give and that nothing stands against."""
    if asker.role not in duty.roles or table_lock.why_stopped(state, duty) is not None:
        return []
    found = []
    for bare in duty.offers(state, asker):
        one = informed(state, bare, asker.beyond)
        if duty.why_not(state, one) is None and second_person.why_asked(state, duty, one) is None:
            found.append(one)
    return found


def options(
    state: State, role: Viewing, name: str, now: Moment | None = None, beyond: Beyond = ALONE
) -> tuple[Option, ...]:
    """What may be done now, and by whom: the commands a screen offers."""
    if role == "surveillance" or role == "public":
        return ()
    asker = Asker(role, name, now or moment(state), beyond, max(state.at_s, beyond.at_s))
    found: list[Option] = []
    for duty in _ON_SCREEN[role, asker.now.phase]:
        commands = offered(state, asker, duty)
        if commands:
            found += duty.shown(state, asker, commands)
    return tuple(found)


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    after = _FOLDS[type(event)](state, event)
    if event.at_s > state.at_s:
        after = replace(after, at_s=event.at_s)
    return chips.with_chips(after, event) if state.terms.keeps_chips else after


def fold(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def run(state: State, command: Command) -> tuple[State, tuple[Event, ...]]:
    """The state after a command, and the events it gave; raises what ``decide`` raises."""
    events = decide(state, command)
    return fold(state, events), events
