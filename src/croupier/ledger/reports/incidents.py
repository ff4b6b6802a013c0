"""Significant events of tables and of the pit beside them, each with its kind, so that they can be
searched (GLI-19 2.8.8).

What is routine stays in the ledger; here is what a supervisor asks about. Refused commands are
counted by role and clause, and listed where somebody other than a player was refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from croupier.facts.money import dollars, meter_dollars
from croupier.ledger.events import (
    TABLE,
    CommandRefused,
    LineRefused,
    LinkOpened,
    ShoeCommitted,
    StaffPower,
    StaffPowerAsked,
    StaffPowerDenied,
    StaffPowerUsed,
    TableInstalled,
)
from croupier.ledger.store.line import LedgerLine
from croupier.table import events as ev
from croupier.table.handlers.dispute_cases import ENDED as DISPUTE_ENDED
from croupier.table.handlers.void import CAUSES, cause_in_words
from croupier.table.powers import RULES

CLOCK, KEY, PACK, REFUSED, FORGED = "clock", "key", "pack", "refused", "forged"


class Incident(msgspec.Struct, frozen=True):
    at_us: int
    kind: str
    round: int
    what: str
    by: str
    role: str
    clause: str
    stream: str
    version: int


@dataclass
class Incidents:
    """Of one table with its refused commands, of a link, or of a stream of the pit."""

    large_cents: int
    found: list[Incident] = field(default_factory=list)
    refusals: dict[tuple[str, str], int] = field(default_factory=dict)
    number: int = 1
    _key: str = ""
    _shoe_of: int = 0
    _ordered: bool = False
    _last_us: dict[str, int] = field(default_factory=dict)

    def see(self, line: LedgerLine, event: object, within: bool) -> None:
        if line.at_us < self._last_us.get(line.stream, 0) and within:
            self._note(line, CLOCK, "the time of this line lies before the line above it", "")
        self._last_us[line.stream] = line.at_us
        if isinstance(event, ev.ShuffleOrdered | ev.CardsCleared):
            self._ordered = isinstance(event, ev.ShuffleOrdered)
        if isinstance(event, ShoeCommitted):
            self._shoe(line, event, within)
        elif within:
            self._note_event(line, event)
        if isinstance(event, ev.CardsCleared):
            self.number = event.round + 1

    def _note_event(self, line: LedgerLine, event: object) -> None:
        if isinstance(event, CommandRefused):
            self._refused(line, event)
        elif isinstance(event, StaffPower):
            self._note(line, _POWER, _staff(event), "")
        elif isinstance(event, LineRefused):
            where = f"{event.stream or 'the log'}{f', line {event.line}' if event.line else ''}"
            self._note(line, FORGED, f"{where}: {event.why}", "")
        elif isinstance(event, ev.Event):
            for kind, what in _incidents_in(event, self.large_cents):
                self._note(line, kind, what, _clause(event))
            if isinstance(event, TableInstalled) and not event.practice:
                who = _together(line.actor, event.second or "")
                self._note(line, _POWER, f"{_act('table')}: {who}", _clause(event))

    def _note(self, line: LedgerLine, kind: str, what: str, clause: str) -> None:
        self.found.append(
            Incident(
                at_us=line.at_us,
                kind=kind,
                round=self.number if line.stream.startswith(TABLE) else 0,
                what=what,
                by=line.actor,
                role=line.role,
                clause=clause,
                stream=line.stream,
                version=line.version,
            )
        )

    def _shoe(self, line: LedgerLine, event: ShoeCommitted, within: bool) -> None:
        """The text of a seal names its key in its second part."""
        key = event.sealed.split(".")[1] if event.sealed.count(".") else ""
        if within and self._key and key != self._key:
            self._note(line, KEY, f"packs are sealed with key {key}, no longer {self._key}", "")
        if within and self._shoe_of == event.round:
            why = "a shuffle was ordered" if self._ordered else "the first cannot be opened"
            self._note(line, PACK, f"a new pack for round {event.round}: {why}", "")
        self._key, self._shoe_of = key, event.round

    def _refused(self, line: LedgerLine, event: CommandRefused) -> None:
        counted = (line.role, event.clause)
        self.refusals[counted] = self.refusals.get(counted, 0) + 1
        if line.role != "player":
            self._note(line, REFUSED, event.sentence, event.clause)


def kinds() -> list[str]:
    """Every kind there is, for those who search."""
    return sorted(
        {CLOCK, FORGED, KEY, PACK, REFUSED, LARGE_WAGER, *(kind for kind, _ in _WORDS.values())}
    )


def _clause(event: ev.Event) -> str:
    return event.clauses[0] if event.clauses else ""


def _incidents_in(event: ev.Event, large_cents: int) -> list[tuple[str, str]]:
    """The kinds of incident that an event is, each with its sentence; most often none."""
    if isinstance(event, ev.WagerPlaced | ev.Played) and event.cents >= large_cents:
        return [(LARGE_WAGER, f"box {event.box} wagers {dollars(event.cents)} on {event.wager}")]
    if isinstance(event, ev.WagerSettled):
        large = event.meter is not None or event.paid_cents >= max(1, large_cents)
        return [("large win", _won(event))] if large else []
    if isinstance(event, ev.Checked | ev.Folded) and not event.defaulted:
        return []
    if isinstance(event, ev.StubCounted) and event.right:
        return []
    known = _WORDS.get(type(event))
    return [(known[0], known[1](event))] if known is not None else []


def _won(event: ev.WagerSettled) -> str:
    meter = f" from the {event.meter} meter" if event.meter else ""
    outside = ", paid outside the table" if event.outside else ""
    return f"box {event.box} wins {dollars(event.paid_cents)} on {event.wager}{meter}{outside}"


def _declared(event: ev.IrregularityDeclared) -> str:
    waits = ", and waits for the floorperson" if event.waits else ""
    said = cause_in_words(event.name, event.reason) if event.name in CAUSES else event.name
    return f"{said} declared by {event.by} ({event.effect}){waits}"


def _called(event: ev.FloorCalled) -> str:
    return f"the floor called by {event.by}{f': {event.reason}' if event.reason else ''}"


def _disputed(event: ev.DisputeOpened) -> str:
    wager = f" on {event.wager}" if event.wager else ""
    return (
        f"dispute {event.number:,} of box {event.box} in round {event.round:,}{wager} opened by "
        f"{event.by}: {event.reason}"
    )


def _reversed(event: ev.LineReversed) -> str:
    return (
        f"the {event.wager} line of box {event.box} reversed: stake {dollars(event.stake_cents)}, "
        f"{dollars(event.cents)} taken back"
    )


def _waits(event: ev.ProgressiveWon) -> str:
    return f"award of {dollars(event.cents)} to box {event.box} waits for the floorperson"


def _award_refused(event: ev.ProgressiveRefused) -> str:
    return (
        f"award to box {event.box} refused ({event.reason}), proposed by {event.proposed_by}, "
        f"confirmed by {event.by}"
    )


def _act(act: str) -> str:
    return next((rule.title for power, rule in RULES.items() if power == act), act)


def _of_box(event: ev.BoxEvent) -> str:
    return f" for box {event.box}" if event.box else ""


def _power(event: ev.PowerUsed) -> str:
    sum_ = f" ({dollars(event.cents)})" if event.cents else ""
    return f"{_act(event.act)}{_of_box(event)}{sum_}: {_pair(event)}"


def _staff(event: StaffPower) -> str:
    return f"{event.name}, {event.what}: {_staff_outcome(event)}"


def _staff_outcome(event: StaffPower) -> str:
    if isinstance(event, StaffPowerAsked):
        return f"begun by {event.by}, waits for a second person"
    if isinstance(event, StaffPowerDenied):
        if event.second == event.by:
            return f"taken back by {event.by}"
        return f"begun by {event.by}, not confirmed by {event.second}"
    return _pair(event)


def _pair(event: ev.PowerUsed | StaffPowerUsed) -> str:
    return _together(event.by, event.second)


def _together(by: str, second: str) -> str:
    return f"{by} and {second}" if second else f"{by} alone"


def _counted(event: ev.DropCounted) -> str:
    found, due = sum(event.found.values()), sum(event.due.values())
    same = event.found == event.due
    beside = "as sold" if same else f"{dollars(due)} were sold for it: THEY DIFFER"
    return f"the drop counted by {event.by}: {dollars(found)}, {beside}"


def _installed(event: TableInstalled) -> str:
    table = f"{event.kind} table {event.table}".strip()
    rules = f"{event.rulebook}, rules {event.rules_hash[:16]}"
    return f"{table} installed under {rules}, powers of the {event.policy} preset"


def _opened(event: LinkOpened) -> str:
    meters = ", ".join(
        f"{name} {meter_dollars(micros)} (reset {dollars(event.resets_cents[name])}, "
        f"{_percent(event.rates_ppm[name])})"
        for name, micros in event.meters.items()
        if name in event.resets_cents
    )
    return f"link {event.link} opened: {meters}"


def _percent(ppm: int) -> str:
    whole, rest = divmod(ppm, 10_000)
    return f"{whole}" + (f".{rest:04}".rstrip("0") if rest else "") + "%"


LARGE_WAGER = "large wager"
_DEVICE, _ABSENCE, _IRREGULAR, _RETURNED = "device", "absence", "irregularity", "returned"
_FLOOR, _PROPOSED, _POWER, _DISPUTE = "floor", "refusal proposed", "power", "dispute"

_WORDS: Mapping[type[ev.Event], tuple[str, Callable[[Any], str]]] = {
    TableInstalled: ("installed", _installed),
    LinkOpened: ("link", _opened),
    ev.TableOpened: ("opened", lambda e: "the table opened"),
    ev.WagerSettled: ("large win", _won),
    ev.NumberMissing: (
        "number missing",
        lambda e: f"box {e.box} ({e.player}) did not show its number for the shuffle",
    ),
    ev.RoundVoided: ("void", lambda e: f"the round is void: {cause_in_words(e.name, e.reason)}"),
    ev.RoundSalvaged: (
        "void",
        lambda e: f"{e.name}: only {', '.join(e.still_settles)} is still settled",
    ),
    ev.LineReversed: ("reversed", _reversed),
    ev.WagerReturned: (
        _RETURNED,
        lambda e: f"{dollars(e.cents)} of {e.wager} returned to box {e.box}",
    ),
    ev.ChipReturned: (_RETURNED, lambda e: f"Progressive chip returned to box {e.box}"),
    ev.AcceptanceCancelled: (_RETURNED, lambda e: f"acceptance of box {e.box} cancelled"),
    ev.ProgressiveWon: ("award waits", _waits),
    ev.ProgressiveValidated: (
        "award validated",
        lambda e: f"award to box {e.box} validated by {e.by}",
    ),
    ev.RefusalProposed: (
        _PROPOSED,
        lambda e: f"refusal of the award to box {e.box} proposed by {e.by} ({e.reason})",
    ),
    ev.RefusalSentBack: (
        _PROPOSED,
        lambda e: f"refusal of the award to box {e.box} sent back by {e.by}",
    ),
    ev.ProgressiveRefused: ("award refused", _award_refused),
    ev.PaperworkRecorded: ("paperwork", lambda e: f"paperwork of box {e.box} recorded by {e.by}"),
    ev.IrregularityDeclared: (_IRREGULAR, _declared),
    ev.IrregularityConfirmed: (_IRREGULAR, lambda e: f"{e.name} confirmed by {e.by}"),
    ev.IrregularityDismissed: (_IRREGULAR, lambda e: f"{e.name} dismissed by {e.by}"),
    ev.FloorCalled: (_FLOOR, _called),
    ev.FloorAnswered: (_FLOOR, lambda e: f"the call answered by {e.by}"),
    ev.PlayerLeft: (_ABSENCE, lambda e: f"the player of box {e.box} left during the round"),
    ev.SecondAsked: (
        _POWER,
        lambda e: f"{_act(e.act)}, begun by {e.began.by}{_of_box(e)}, waits for a second person",
    ),
    ev.SecondDenied: (_POWER, lambda e: f"{_act(e.act)}{_of_box(e)} not confirmed by {e.by}"),
    ev.PowerUsed: (_POWER, _power),
    ev.TableLocked: ("lock", lambda e: f"locked for a dispute by {e.by}: {e.reason}"),
    ev.TableUnlocked: ("lock", lambda e: f"unlocked by {e.by}: {e.reason}"),
    ev.ChipsAsked: ("chips", lambda e: f"box {e.box} asked for {dollars(e.cents)} in chips"),
    ev.ChipsDeclined: ("chips", lambda e: f"chips for box {e.box} declined by {e.by}"),
    ev.DisputeOpened: (_DISPUTE, _disputed),
    ev.ShortfallPaid: (
        _DISPUTE,
        lambda e: f"dispute {e.number:,}: {dollars(e.cents)} more paid to box {e.box}",
    ),
    ev.OverpaymentTaken: (
        _DISPUTE,
        lambda e: f"dispute {e.number:,}: {dollars(e.cents)} taken back from box {e.box}",
    ),
    ev.DisputeEnded: (
        _DISPUTE,
        lambda e: f"dispute {e.number:,} ended by {e.by}: {DISPUTE_ENDED[e.outcome]}; {e.note}",
    ),
    ev.ChipsKept: (
        "kept",
        lambda e: f"{dollars(e.cents)} of box {e.box} are kept for {e.player}",
    ),
    ev.KeptPaid: ("kept", lambda e: f"{dollars(e.cents)} kept for {e.player} are paid out"),
    ev.DropCounted: ("drop", _counted),
    ev.AbsenceRuled: (_ABSENCE, lambda e: f"box {e.box} ruled {e.outcome} by {e.by}"),
    ev.Checked: ("default", lambda e: f"box {e.box} checked by the default, {e.street}"),
    ev.Folded: ("default", lambda e: f"box {e.box} folded by the default, {e.street}"),
    ev.StubCounted: ("count", lambda e: f"{e.stub} and {e.on_table} cards counted: not a deck"),
    ev.DeckRemoved: ("deck", lambda e: f"the {e.color} deck left the table: {e.why}"),
    ev.RecutOrdered: ("deck", lambda e: f"a recut of the {e.color} deck ordered by {e.by}"),
    ev.DeviceFailed: (_DEVICE, lambda e: f"{e.device} is out of order"),
    ev.DeviceCovered: (_DEVICE, lambda e: f"{e.device} is {e.how}"),
    ev.DeviceRestored: (_DEVICE, lambda e: f"{e.device} works again"),
    ev.WayChanged: ("way of dealing", lambda e: f"dealt by {e.way} from now on"),
}
