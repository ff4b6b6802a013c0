"""Awards followed from the hand that won them to whoever paid them: meters and large wins.

An award of the Progressive waits for the floorperson, and is then paid, refused or, with its round,
reversed. Until then it stands on its meter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.facts.money import Cents, in_micros
from croupier.games.rules import PROGRESSIVE
from croupier.ledger.books import Movement
from croupier.ledger.store.line import LedgerLine
from croupier.table import events as ev

AT_TABLE, OUTSIDE = "paid at the table", "paid outside the table"
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

    ``_round`` are the wins of the round that is on, by box and wager, the last one last;
    ``_waits`` the Progressive win of a box that is not settled yet.
    """

    large_cents: int
    wins: list[Win] = field(default_factory=list)
    meters: dict[tuple[str, str], Movement] = field(default_factory=dict)
    number: int = 1
    players: dict[int, str] = field(default_factory=dict)
    _round: dict[tuple[int, str], list[Win]] = field(default_factory=dict)
    _waits: dict[int, Win] = field(default_factory=dict)

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

    def _won(self, line: LedgerLine, event: ev.ProgressiveWon, within: bool) -> None:
        win = self._win(line, event, PROGRESSIVE, event.cents, WAITS)
        self._waits[event.box] = win
        if within and win.listed:
            self.wins.append(win)

    def _validated(self, line: LedgerLine, event: ev.ProgressiveValidated, within: bool) -> None:
        self._waits[event.box].validated_by = event.by

    def _refused(self, line: LedgerLine, event: ev.ProgressiveRefused, within: bool) -> None:
        win = self._waits[event.box]
        win.status, win.validated_by = REFUSED, event.by

    def _settled(self, line: LedgerLine, event: ev.WagerSettled, within: bool) -> None:
        win = self._waits.pop(event.box, None) if event.wager == PROGRESSIVE else None
        if win is None:
            win = self._win(line, event, event.wager, event.paid_cents, PAID)
            if within and win.listed:
                self.wins.append(win)
        elif win.status == WAITS:
            win.cents, win.status = event.paid_cents, OUTSIDE if event.outside else AT_TABLE
            self._move(win, win.status, 1, within)
        self._round.setdefault((event.box, event.wager), []).append(win)

    def _win(
        self,
        line: LedgerLine,
        event: ev.ProgressiveWon | ev.WagerSettled,
        wager: str,
        cents: int,
        status: str,
    ) -> Win:
        return Win(
            at_us=line.at_us,
            round=self.number,
            box=event.box,
            player=self.players.get(event.box, ""),
            wager=wager,
            level=event.odds or "",
            shows=event.shows,
            cents=cents,
            meter=event.meter or "",
            status=status,
            listed=bool(event.meter) or cents >= max(1, self.large_cents),
        )

    def _reversed(self, line: LedgerLine, event: ev.LineReversed, within: bool) -> None:
        win = self._round[event.box, event.wager].pop()
        if win.status in (AT_TABLE, OUTSIDE):
            self._move(win, win.status, -1, within)
        win.status = REVERSED

    def _voided(self, line: LedgerLine, event: ev.RoundVoided, within: bool) -> None:
        for win in self._waits.values():
            win.status = REVERSED
        self._waits.clear()

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
    ev.ProgressiveWon: Awards._won,
    ev.ProgressiveValidated: Awards._validated,
    ev.ProgressiveRefused: Awards._refused,
    ev.LineReversed: Awards._reversed,
    ev.RoundVoided: Awards._voided,
    ev.PaperworkRecorded: Awards._paperwork,
    ev.CardsCleared: Awards._cleared,
}
