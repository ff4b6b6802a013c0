"""What was wagered, paid and given back at one table, by box and wager, counted from its events.

A wager counts when its money is swept: at a fold for what the fold gives up, at settlement for the
rest. What is taken back is taken off again in the interval in which that happens, so the figures of
consecutive intervals add up to those of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from croupier.games.rules import PROGRESSIVE
from croupier.table import events as ev
from croupier.table.commands import Taken
from croupier.table.events import Outcome


@dataclass(slots=True)
class Sums:
    """``paid`` is winnings out of the table inventory, ``jackpot`` what a meter paid; both are
    without the stake, which is in ``returned``.
    """

    wagers: int = 0
    wagered_cents: int = 0
    wins: int = 0
    paid_cents: int = 0
    returned_cents: int = 0
    jackpots: int = 0
    jackpot_cents: int = 0
    voids: int = 0
    voided_cents: int = 0
    refused: int = 0
    refused_cents: int = 0

    def add(self, other: Sums, sign: int = 1) -> None:
        for each in fields(self):
            more = sign * getattr(other, each.name)
            setattr(self, each.name, getattr(self, each.name) + more)

    @property
    def kept_cents(self) -> int:
        """Stakes that did not go back."""
        return self.wagered_cents - self.returned_cents

    @property
    def back_cents(self) -> int:
        """Everything a player got back: winnings, awards and stakes."""
        return self.paid_cents + self.jackpot_cents + self.returned_cents


@dataclass(slots=True)
class BoxSums:
    """What a box bought, cashed and tipped, and what was kept of it for those who left."""

    buy_ins: int = 0
    bought_cents: int = 0
    cash_outs: int = 0
    cashed_cents: int = 0
    tips: int = 0
    tipped_cents: int = 0
    keeps: int = 0
    kept_cents: int = 0
    returns: int = 0
    given_back_cents: int = 0
    shortfalls: int = 0
    shortfall_cents: int = 0
    overpayments: int = 0
    overpaid_cents: int = 0

    @property
    def corrected_cents(self) -> int:
        """What disputes gave a box beside what it won, less what they took."""
        return self.shortfall_cents - self.overpaid_cents


@dataclass
class Tally:
    """One table. ``taken`` is what was given for chips, ``counted`` what was found of it.

    ``_lines`` are the settled lines of the round that is on, by box and wager;
    ``_waits`` what each box would be paid for a Progressive win."""

    wagers: dict[tuple[int, str], Sums] = field(default_factory=dict)
    boxes: dict[int, BoxSums] = field(default_factory=dict)
    tips: dict[tuple[int, str], BoxSums] = field(default_factory=dict)
    taken: dict[Taken, int] = field(default_factory=dict)
    counted: list[ev.DropCounted] = field(default_factory=list)
    kept_paid_cents: int = 0
    rounds: int = 0
    voids: int = 0
    hands: int = 0
    contributed_micros: int = 0
    _players: dict[int, str] = field(default_factory=dict)
    _lines: dict[tuple[int, str], list[ev.WagerSettled]] = field(default_factory=dict)
    _waits: dict[int, int] = field(default_factory=dict)

    def see(self, event: object, within: bool) -> None:
        noted = _NOTED.get(type(event))
        if noted is not None:
            noted(self, event, within)

    def by_wager(self) -> dict[str, Sums]:
        return _summed((wager, sums) for (_, wager), sums in self.wagers.items())

    def by_box(self) -> dict[int, Sums]:
        return _summed((box, sums) for (box, _), sums in self.wagers.items())

    def total(self) -> Sums:
        return _summed(("", sums) for sums in self.wagers.values()).get("", Sums())

    @property
    def corrected_cents(self) -> int:
        return sum(box.corrected_cents for box in self.boxes.values())

    # What each event does to the sums.

    def _kept_paid(self, event: ev.KeptPaid, within: bool) -> None:
        self.kept_paid_cents += event.cents if within else 0

    def _drop_counted(self, event: ev.DropCounted, within: bool) -> None:
        if within:
            self.counted.append(event)

    def _of(self, box: int, wager: str, within: bool) -> Sums:
        return self.wagers.setdefault((box, wager), Sums()) if within else Sums()

    def _money(self, event: ev.ChipEvent, within: bool) -> None:
        if not within:
            return
        if isinstance(event, ev.ChipsBought):
            self.taken[event.taken] = self.taken.get(event.taken, 0) + event.cents
        count, cents = _MONEY[type(event)]
        by_box = self.boxes.setdefault(event.box, BoxSums())
        kept = [by_box]
        if isinstance(event, ev.TipGiven):
            key = (event.box, self._players.get(event.box, ""))
            kept.append(self.tips.setdefault(key, BoxSums()))
        for sums in kept:
            setattr(sums, count, getattr(sums, count) + 1)
            setattr(sums, cents, getattr(sums, cents) + event.cents)

    def _closed(self, event: ev.BetsClosed, within: bool) -> None:
        if within:
            self.rounds += 1
            self.hands += len(event.boxes)

    def _voided(self, event: ev.RoundVoided, within: bool) -> None:
        self.voids += within

    def _grew(self, event: ev.MeterGrew, within: bool) -> None:
        self.contributed_micros += event.by_micros if within else 0

    def _shrank(self, event: ev.MeterShrank, within: bool) -> None:
        self.contributed_micros -= event.by_micros if within else 0

    def _forfeited(self, event: ev.WagerForfeited, within: bool) -> None:
        given_up = Sums(wagers=1, wagered_cents=event.cents)
        self._of(event.box, event.wager, within).add(given_up)

    def _settled(self, event: ev.WagerSettled, within: bool) -> None:
        self._lines.setdefault((event.box, event.wager), []).append(event)
        self._of(event.box, event.wager, within).add(_line(event))

    def _reversed(self, event: ev.LineReversed, within: bool) -> None:
        line = self._lines[event.box, event.wager].pop()
        self._of(event.box, event.wager, within).add(_line(line), -1)

    def _won(self, event: ev.ProgressiveWon, within: bool) -> None:
        self._waits[event.box] = event.cents

    def _refused(self, event: ev.ProgressiveRefused, within: bool) -> None:
        """Its line follows, lost or returned; here is what was not paid."""
        refused = Sums(refused=1, refused_cents=self._waits[event.box])
        self._of(event.box, PROGRESSIVE, within).add(refused)

    def _returned(self, event: ev.WagerReturned, within: bool) -> None:
        sums = self._of(event.box, event.wager, within)
        if event.from_house:
            sums.add(Sums(wagers=1, wagered_cents=event.cents), -1)
        sums.add(Sums(voids=1, voided_cents=event.cents))

    def _cleared(self, event: ev.CardsCleared, within: bool) -> None:
        self._lines.clear()

    def _took(self, event: ev.BoxTaken, within: bool) -> None:
        self._players[event.box] = event.player


def _line(event: ev.WagerSettled) -> Sums:
    """One line of a receipt; what a fold gave up was counted then, and what was never accepted is
    no wager."""
    if event.outcome == Outcome.RETURNED:
        return Sums(voids=1, voided_cents=event.stake_cents)
    swept = event.outcome != Outcome.FORFEIT
    drawn = event.meter is not None
    return Sums(
        wagers=int(swept and event.stake_cents > 0),
        wagered_cents=event.stake_cents if swept else 0,
        wins=int(event.paid_cents > 0),
        paid_cents=0 if drawn else event.paid_cents,
        returned_cents=event.returned_cents,
        jackpots=int(drawn),
        jackpot_cents=event.paid_cents if drawn else 0,
    )


def _summed(items: Iterable[tuple[Any, Sums]]) -> dict[Any, Sums]:
    together: dict[Any, Sums] = {}
    for key, sums in items:
        together.setdefault(key, Sums()).add(sums)
    return together


_MONEY: Mapping[type[ev.Event], tuple[str, str]] = {
    ev.ChipsBought: ("buy_ins", "bought_cents"),
    ev.ChipsCashed: ("cash_outs", "cashed_cents"),
    ev.TipGiven: ("tips", "tipped_cents"),
    ev.ChipsKept: ("keeps", "kept_cents"),
    ev.KeptReturned: ("returns", "given_back_cents"),
    ev.ShortfallPaid: ("shortfalls", "shortfall_cents"),
    ev.OverpaymentTaken: ("overpayments", "overpaid_cents"),
}

_NOTED: Mapping[type, Callable[[Tally, Any, bool], None]] = {
    ev.ChipsBought: Tally._money,
    ev.ChipsCashed: Tally._money,
    ev.TipGiven: Tally._money,
    ev.ChipsKept: Tally._money,
    ev.KeptReturned: Tally._money,
    ev.ShortfallPaid: Tally._money,
    ev.OverpaymentTaken: Tally._money,
    ev.KeptPaid: Tally._kept_paid,
    ev.DropCounted: Tally._drop_counted,
    ev.BoxTaken: Tally._took,
    ev.BetsClosed: Tally._closed,
    ev.RoundVoided: Tally._voided,
    ev.MeterGrew: Tally._grew,
    ev.MeterShrank: Tally._shrank,
    ev.WagerForfeited: Tally._forfeited,
    ev.WagerSettled: Tally._settled,
    ev.LineReversed: Tally._reversed,
    ev.ProgressiveWon: Tally._won,
    ev.ProgressiveRefused: Tally._refused,
    ev.WagerReturned: Tally._returned,
    ev.CardsCleared: Tally._cleared,
}
