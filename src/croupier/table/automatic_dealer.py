"""The automatic dealer: what a dealer, floorperson or device has to do next by itself.

For practice tables, narrated rounds, tests and benchmarks; it decides nothing a player decides, and
declares nothing irregular, but for a round that a broken device cannot deal to its end. What it
gives is always among what it is offered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.table import commands as do
from croupier.table.agenda import PHASES, Moment, Phase, cards_needed, moment
from croupier.table.beyond import ALONE, Beyond
from croupier.table.engine import duty_of, offered
from croupier.table.handlers.handler import Asker, Duty
from croupier.table.handlers.progressive import refused_acceptances
from croupier.table.shoe import Shoe
from croupier.table.state import State, replace

# Everything that there is to do, first things first; when, each duty says itself. A deck that was
# begun is made ready before another is opened.
_IN_ORDER: tuple[type[do.Command], ...] = (
    *(do.Confirm, do.Declare, do.OpenTable, do.CoverDevice, do.ChangeWay, do.RemoveDeck),
    *(do.ReceiveDeck, do.RecordPaperwork),
    *(do.Cut, do.Shuffle, do.StackDeck, do.WashDeck, do.SpreadDeck),
    *(do.VerifyInspection, do.InspectDeck),
    *(do.ReturnChip, do.CancelAcceptance, do.CountStub, do.ConfirmRefusal, do.ValidateProgressive),
    *(do.Second, do.RuleOnAbsence, do.EndDispute, do.WithdrawWagers),
    *(do.NoMoreBets, do.Deal, do.TimeOut, do.Reveal, do.SettleBox, do.ClearCards),
)


def _works_in(duty: Duty[Any]) -> tuple[Phase, ...]:
    return duty.phases if duty.works_in is None else duty.works_in


WORK: Mapping[Phase, tuple[type[do.Command], ...]] = {
    phase: tuple(kind for kind in _IN_ORDER if phase in _works_in(duty_of(kind)))
    for phase in PHASES
}
# While everything waits for the floorperson: what is given at no other time.
RULED = tuple(kind for kind in _IN_ORDER if not _works_in(duty_of(kind)))


def next_duty(
    state: State, shoe: Shoe, meters: Mapping[str, int] | None = None, at_s: int = 0
) -> do.Command | None:
    """The next command, or None where it waits for a player.

    ``meters`` are what stands on each meter now; without them the last readings are taken.
    """
    command = due_command(state, moment(state), ALONE._replace(at_s=at_s))
    if command is None:
        return None
    if isinstance(command, do.Deal):
        return replace(command, cards=shoe.draw(cards_needed(state)))
    if _moves_no_meter(state, command):
        return command
    return do.with_readings(command, state.meters if meters is None else meters)


def due_command(state: State, now: Moment, beyond: Beyond) -> do.Command | None:
    """The same without the cards and the readings that it is given with."""
    kinds = RULED if state.hold is not None else WORK[now.phase]
    return next(filter(None, (_due(state, now, kind, beyond) for kind in kinds)), None)


def _due(state: State, now: Moment, kind: type[do.Command], beyond: Beyond) -> do.Command | None:
    """The first of the commands of a kind that is the automatic dealer's to give.

    Behind the automatic floorperson stands an automatic manager, for what only he may do.
    """
    duty = duty_of(kind)
    assert duty.automatic is not None
    people: tuple[do.Role, ...] = (duty.automatic,)
    at_s = max(state.at_s, beyond.at_s)
    for role in (*people, "manager") if duty.automatic == "floorperson" else people:
        for command in offered(state, Asker(role, role, now, beyond, at_s), duty):
            if duty.due(state, command):
                return command
    return None


def _moves_no_meter(state: State, command: do.Command) -> bool:
    """Cards are cleared with readings only where a wager is given back."""
    return isinstance(command, do.ClearCards) and not refused_acceptances(state)
