"""Numbers for the shuffle, of the players whom this program plays: made, kept secret, and shown."""

from __future__ import annotations

import secrets

from croupier.table import commands as do
from croupier.table.shoe import number_hash
from croupier.table.state import Box, State, replace

NUMBER_BYTES = 32


class PlayersNumbers:
    """One number a box and round; what a program forgot when it ended can never be shown."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], str] = {}

    def committed(self, state: State, wagers: do.PlaceWagers) -> do.PlaceWagers:
        """The wagers with a number, where the table takes numbers and the box has given none."""
        box = state.round.boxes.get(wagers.box)
        if not state.terms.takes_numbers or (box is not None and box.number_hash):
            return wagers
        number = self._numbers[state.round.number, wagers.box] = secrets.token_hex(NUMBER_BYTES)
        return replace(wagers, number_hash=number_hash(state.round.number, wagers.box, number))

    def shown(self, state: State, box: Box) -> do.ShowNumber | None:
        """The number that is waited for; None where it is not known here."""
        number = self._numbers.get((state.round.number, box.seat), "")
        if not number or number_hash(state.round.number, box.seat, number) != box.number_hash:
            return None
        return do.ShowNumber(by=box.player, role="player", box=box.seat, number=number)
