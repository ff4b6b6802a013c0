"""Awards followed from the hand that won them to whoever paid them: meters and large wins.

An award of the Progressive waits for the floorperson, and is then paid, refused or, with its round,
reversed. Until then it is held: off the meter, and not yet the player's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.facts.money import Cents, in_micros
from croupier.ledger.books import Movement
from croupier.ledger.store.line import LedgerLine
from croupier.table import events as ev

HELD, AT_TABLE, OUTSIDE = "held", "paid at the table", "paid outside the table"
WAITS, PAID, REFUSED, REVERSED = "waits", "paid", "refused", "reversed"


@dataclass
class Win:
    """A line of a receipt that was won, and what became of it."""

    at_us: int
    round: int
    box: int
    player: str
    wager: str
    level: str
    shows: str
    cents: int
    meter: str
    status: str
    listed: bool
    validated_by: str = ""
    paperwork_by: str = ""


@dataclass
class Awards:
    """One table; a win is listed from ``large_cents`` on, and always when a meter paid it.

    ``_round`` are the wins of the round that is on, by box and wager, the last one last.
    """

    large_cents: int
    wins: list[Win] = field(default_factory=list)
    meters: dict[tuple[str, str], Movement] = field(default_factory=dict)
    number: int = 1
    players: dict[int, str] = field(default_factory=dict)
    _round: dict[tuple[int, str], list[Win]] = field(default_factory=dict)

    def see(self, line: LedgerLine, event: object, within: bool) -> None:
        noted = _NOTED.get(type(event))
        if noted is not None:
            noted(self, line, event, within)

    def of(self, meter: str, where: str) -> Movement:
        return self.meters.get((meter, where), Movement())

    def _move(self, win: Win, where: str, sign: int, within: bool) -> None:
        if win.meter:
            moved = self.meters.setdefault((win.meter, where), Movement())
            moved.post(sign * in_micros(Cents(win.cents)), within)

    def _seated(self, line: LedgerLine, event: ev.BoxTaken, within: bool) -> None:
        self.players[event.box] = event.player

    def _settled(self, line: LedgerLine, event: ev.WagerSettled, within: bool) -> None:
        win = Win(
            at_us=line.at_us,
            round=self.number,
            box=event.box,
            player=self.players.get(event.box, ""),
            wager=event.wager,
            level=event.odds or "",
            shows=event.shows,
            cents=event.paid_cents,
            meter=event.meter or "",
            status=WAITS if event.pending else PAID,
            listed=bool(event.meter) or event.paid_cents >= max(1, self.large_cents),
        )
        self._round.setdefault((event.box, event.wager), []).append(win)
        if event.pending:
            self._move(win, HELD, 1, within)
        if within and win.listed:
            self.wins.append(win)

    def _waiting(self, box: int) -> Win:
        of_box = (wins[-1] for (seat, _), wins in self._round.items() if seat == box and wins)
        return next(win for win in of_box if win.status == WAITS)

    def _paid(self, line: LedgerLine, event: ev.ProgressivePaid, within: bool) -> None:
        win = self._waiting(event.box)
        win.status, win.validated_by = AT_TABLE if event.from_table else OUTSIDE, event.by
        self._move(win, HELD, -1, within)
        self._move(win, win.status, 1, within)

    def _refused(self, line: LedgerLine, event: ev.ProgressiveRefused, within: bool) -> None:
        win = self._waiting(event.box)
        win.status, win.validated_by = REFUSED, event.by
        self._move(win, HELD, -1, within)

    def _reversed(self, line: LedgerLine, event: ev.LineReversed, within: bool) -> None:
        win = self._round[event.box, event.wager].pop()
        lies = {WAITS: HELD, AT_TABLE: AT_TABLE, OUTSIDE: OUTSIDE}.get(win.status)
        if lies is not None:
            self._move(win, lies, -1, within)
        win.status = REVERSED

    def _paperwork(self, line: LedgerLine, event: ev.PaperworkRecorded, within: bool) -> None:
        for (seat, _), wins in self._round.items():
            if seat == event.box and wins and wins[-1].validated_by:
                wins[-1].paperwork_by = event.by

    def _cleared(self, line: LedgerLine, event: ev.CardsCleared, within: bool) -> None:
        self._round.clear()
        self.number = event.round + 1


_NOTED: Mapping[type, Callable[[Awards, LedgerLine, Any, bool], None]] = {
    ev.BoxTaken: Awards._seated,
    ev.WagerSettled: Awards._settled,
    ev.ProgressivePaid: Awards._paid,
    ev.ProgressiveRefused: Awards._refused,
    ev.LineReversed: Awards._reversed,
    ev.PaperworkRecorded: Awards._paperwork,
    ev.CardsCleared: Awards._cleared,
}
