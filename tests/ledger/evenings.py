"""Evenings at kept tables: the house works, regulars wager and decide, all on a real ledger."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

from croupier.games.registry import Registry, the_registry
from croupier.ledger.installation import install
from croupier.ledger.kept_table import KeptTable, Packs
from croupier.ledger.shoe.key_ring import KeyRing, new_ring
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.snapshot import EVERY
from croupier.ledger.store.port import Ledger
from croupier.practice import regulars
from croupier.practice.numbers import PlayersNumbers
from croupier.submission.check import shipped_submission
from croupier.table import commands as do
from croupier.table.automatic_dealer import next_duty
from croupier.table.handlers.numbers import unshown

START_US = 1_800_000_000_000_000
BUY_IN_CENTS = 5_000_00


class Evening:
    """A clock that goes on a second a look, ids that count, and packs from a seed."""

    def __init__(
        self,
        seed: int = 1,
        registry: Registry | None = None,
        snapshot_every: int = EVERY,
        *,
        numbers: bool = False,
    ) -> None:
        self.snapshot_every = snapshot_every
        self._with_numbers, self.numbers = numbers, PlayersNumbers()
        self.registry = registry or the_registry()
        self.ring: KeyRing = new_ring()
        self._ids = count(1)
        self._clock = count(START_US, 1_000_000)
        self._seed = seed
        self.packs: Packs = self._packs(Random(seed))

    @staticmethod
    def _packs(chance: Random) -> Packs:
        return lambda: fresh_pack(chance.getrandbits)

    def clock(self) -> int:
        return next(self._clock)

    def next_id(self) -> str:
        return f"c-{self._seed}-{next(self._ids)}"

    def install(
        self, ledger: Ledger, book: str = "UTH-S", name: str = "", link: str = ""
    ) -> KeptTable:
        made = install(
            ledger,
            replace(shipped_submission(book), players_numbers=self._with_numbers),
            self.registry,
            self.ring,
            self.packs,
            by="manager",
            name=name,
            link=link,
            clock=self.clock,
        )
        return made if self.snapshot_every == EVERY else self.resumed(ledger, made.name)

    def resumed(
        self, ledger: Ledger, name: str, ring: KeyRing | None = None, *, lost: bool = True
    ) -> KeptTable:
        keys = ring or self.ring
        return KeptTable(
            ledger,
            name,
            self.registry,
            keys,
            self.packs,
            self.clock,
            keys_are_lost=lost,
            snapshot_every=self.snapshot_every,
        )

    def sit(self, table: KeptTable, boxes: int) -> None:
        for seat in range(1, boxes + 1):
            name = regulars.name_of(seat)
            self.give(table, do.TakeBox(by=name, role="player", box=seat))
            self.give(
                table,
                do.BuyIn(by="dealer", role="dealer", box=seat, cents=BUY_IN_CENTS, taken="cash"),
            )

    def play(self, table: KeptTable, rounds: int) -> None:
        """So many whole rounds; a box that runs out of chips buys in again."""
        until = table.state.round.number + rounds
        while table.state.round.number < until:
            self.go_on(table)

    def go_on(self, table: KeptTable) -> None:
        """The next step of a round; everybody wagers while the betting is open."""
        if table.state.round.stage == "betting":
            self._wager(table)
        self.step(table)

    def step(self, table: KeptTable) -> None:
        """The next thing anybody does."""
        for box in unshown(table.state):
            shown = self.numbers.shown(table.state, box)
            assert shown is not None
            self.give(table, shown)
            return
        command = next_duty(table.state, table.shoe(), table.readings())
        self.give(table, command or regulars.decision(table.state))

    def give(self, table: KeptTable, command: do.Command) -> None:
        table.give(command, self.next_id())

    def _wager(self, table: KeptTable) -> None:
        for seat in table.state.seats:
            if table.state.chips.get(seat, 0) < BUY_IN_CENTS // 2:
                self.give(
                    table,
                    do.BuyIn(
                        by="dealer", role="dealer", box=seat, cents=BUY_IN_CENTS, taken="cash"
                    ),
                )
            if table.state.open and seat not in table.state.round.boxes:
                for command in regulars.wagers(table.state, seat):
                    if isinstance(command, do.PlaceWagers):
                        command = self.numbers.committed(table.state, command)
                    self.give(table, command)
