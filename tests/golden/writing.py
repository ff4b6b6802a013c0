"""A table that writes down everything: commands, events with clauses, refusals, and views."""

from __future__ import annotations

import msgspec

from croupier.facts.errors import Refusal
from croupier.facts.money import dollars, meter_dollars
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.terms import Terms
from croupier.table.views import (
    DEALER,
    FLOORPERSON,
    MANAGER,
    PUBLIC,
    SURVEILLANCE,
    LineView,
    View,
    Viewer,
    view,
)
from tests.golden.telling import tell
from tests.table.tables import Table


class Written(Table):
    """``lines`` is the golden text so far; ``acts`` the commands on whose events a clause stood."""

    def __init__(self, terms: Terms, script: str = "") -> None:
        super().__init__(terms, script)
        self.acts: dict[str, set[str]] = {}
        self.lines: list[str] = [f"{terms.book.title}, {terms.ways[terms.way].title}", ""]

    def give(self, command: do.Command) -> tuple[ev.Event, ...]:
        self.lines.append(_asked(command))
        try:
            events = super().give(command)
        except Refusal as refusal:
            self.lines.append(f"    refused: {refusal}")
            raise
        for event in events:
            told = tell(event, self.state.book)
            cited = "; ".join(event.clauses).replace(f"{self.state.book.id} ", "")
            rulings = "".join(f", ruling {number}" for number in event.rulings)
            self.lines.append(f"    {told}  [{cited}{rulings}]")
            for clause in event.clauses:
                self.acts.setdefault(clause, set()).add(str(command.__struct_config__.tag))
        return events

    def try_to(self, command: do.Command) -> None:
        try:
            self.give(command)
        except Refusal:
            return
        raise AssertionError(f"{command} was not refused")

    def look(self, title: str) -> None:
        """Everybody's view at this point; viewers who see the same are written once."""
        self.lines += ["", f"--- {title}"]
        players = [
            Viewer(role="player", name=name) for name in sorted({*self.state.seats.values()})
        ]
        seen: dict[str, list[str]] = {}
        may: list[str] = []
        floor = view(self.state, FLOORPERSON).may
        above = (MANAGER,) if view(self.state, MANAGER).may != floor else ()
        for viewer in (*players, DEALER, FLOORPERSON, *above, SURVEILLANCE, PUBLIC):
            shown, name = view(self.state, viewer), viewer.name or viewer.role
            seen.setdefault("\n".join(_view_lines(shown)), []).append(name)
            may += _may_lines(shown, name)
        for text, who in seen.items():
            self.lines += [f"{', '.join(who)}:", text]
        self.lines += [*may, "---", ""]

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def _asked(command: do.Command) -> str:
    document = msgspec.to_builtins(command)
    who = command.role if command.role == command.by else f"{command.role} {command.by}"
    told = [f"{who}: {document.pop('do')}"]
    for name in ("by", "role", "at_s"):
        document.pop(name)
    defaults: tuple[object, ...] = ({}, (), [], None, False, "")
    told += [f"{key} {_plain(value)}" for key, value in document.items() if value not in defaults]
    return "> " + ", ".join(told)


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key} {amount}" for key, amount in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _view_lines(seen: View) -> list[str]:
    does = "settled next" if seen.phase == "settling" else "to act"
    turn = f", box {seen.turn} {does}" if seen.turn else ""
    waits = f", waiting: {seen.waits_for}" if seen.waits_for else ""
    waits += f", refusal: {' by '.join(seen.refusal)}" if seen.refusal is not None else ""
    lines = [f"  round {seen.round}, {seen.phase}{turn}{waits} [{seen.clause}]"]
    if seen.call is not None:
        lines.append(f"  floor called   {seen.call.by} {seen.call.reason}".rstrip())
    for place, cards in seen.places.items():
        lines.append(f"  {place.replace('_', ' '):14} {' '.join(cards)}")
    if seen.set_aside:
        lines.append(f"  set aside      {' '.join(seen.set_aside)}")
    for box in seen.boxes:
        marks = [*(["light"] if box.light else ()), *(["folded"] if box.folded else ())]
        marks += [box.away] if box.away else []
        marks += [f"net {dollars(box.net_cents)}"] if box.net_cents is not None else []
        stakes = ", ".join(f"{name} {dollars(cents)}" for name, cents in box.stakes.items())
        held = " ".join(box.cards)
        told = "  ".join(part for part in (held, stakes, " ".join(marks)) if part)
        lines.append(f"  box {box.seat} {box.player:8} {told}".rstrip())
        lines += [_line(line) for line in box.lines]
    if seen.meters:
        lines.append(
            "  meters " + ", ".join(f"{k} {meter_dollars(v)}" for k, v in seen.meters.items())
        )
    if seen.decks or seen.devices:
        state = [f"{color} {stage}" for color, stage in seen.decks.items()]
        lines.append("  " + ", ".join(state + [f"{d} {how}" for d, how in seen.devices.items()]))
    return lines


def _line(line: LineView) -> str:
    waits = f", {dollars(line.paid_cents)} waits" if line.pending else ""
    return f"      {line.wager}: {line.outcome} {line.shows}{waits}".rstrip()


def _may_lines(seen: View, who: str) -> list[str]:
    """What a viewer may do, each command once with all it may be said about."""
    offered: dict[str, list[str]] = {}
    for option in seen.may:
        what = msgspec.to_builtins(option)
        command = what.pop("do")
        offered.setdefault(command, []).append(" ".join(map(_plain, what.values())))
    told = [f"{command} {' | '.join(about)}".rstrip() for command, about in offered.items()]
    return [f"{who} may:", *(f"  {line}" for line in told)] if told else []
