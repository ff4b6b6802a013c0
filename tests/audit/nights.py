"""A night on a ledger file, with its keys beside it, on which things go wrong round after round."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import msgspec

from croupier.cli.text.irregularity_script import irregularity_turns
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.shoe.card_tokens import token
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.pack import Pack, fresh_pack, pack_of
from croupier.ledger.shoe.sealed_shoe import SealedShoe
from croupier.ledger.store.sql import Copied
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.practice import regulars
from croupier.table import commands as do
from croupier.table.state import State
from tests.ledger.evenings import BUY_IN_CENTS, Evening

# The shuffler deals the Six Card box, the board, the dealer and then the boxes from the left.
ROYAL_AT_BOX_1 = ["2c", "3d", "4h", "5s", "Ah", "Kh", "Qh", "2d", "7c", "9c", "9d", "Jh", "Th"]
LEDGER_ID = "00c0ffee" * 4  # so that a page can show what a night looks like
MISHAPS = {
    "UTH-S": (
        "",
        "jackpot",
        "other-card-exposed",
        "wrong-number-dealt",
        "player-leaves",
        "dealer-card-exposed",
        "card-face-up",
        "player-is-late",
    ),
    "FCP-14": ("", "other-card-exposed", "dealer-card-exposed", "player-leaves", ""),
}


@dataclass(frozen=True)
class Night:
    """``mishaps`` says what went wrong in which round, by table."""

    file: Path
    keys: Path
    mishaps: dict[str, tuple[str, ...]]


_FOLDER: list[tempfile.TemporaryDirectory[str]] = []


@cache
def the_night() -> Night:
    """One night that all tests look at, and none of them changes."""
    _FOLDER.append(tempfile.TemporaryDirectory(prefix="croupier-night-"))
    return play_night(Path(_FOLDER[0].name), unfinished=True)


def bring_the_night() -> None:
    """The files of the night, in the folder where we stand."""
    for file in (the_night().file, the_night().keys):
        shutil.copyfile(file, file.name)
        Path(file.name).chmod(0o600)


class _Packs:
    """The pack of each round: the jackpot's is stacked, the others are shuffled from a seed."""

    def __init__(self, seed: int, mishaps: tuple[str, ...]) -> None:
        self._chance, self._rounds = Random(seed), iter(mishaps)

    def __call__(self) -> Pack:
        bits = self._chance.getrandbits
        wanted = next(self._rounds, "")
        return pack_of(ROYAL_AT_BOX_1, bits) if wanted == "jackpot" else fresh_pack(bits)


@dataclass
class _Training:
    """As much of a narrated table as an irregularity looks at."""

    state: State
    shoe: SealedShoe


def play_night(
    folder: Path,
    seed: int = 1,
    unfinished: bool = False,
    books: tuple[str, ...] = ("UTH-S", "FCP-14"),
) -> Night:
    """A table of each book, named 1 and so on; all its mishaps, and a last round not finished."""
    file, keys = folder / "evening.db", folder / "keys.json"
    evening = Evening(seed)
    mishaps = {str(n): MISHAPS[book] for n, book in enumerate(books, 1)}
    new = Copied(LEDGER_ID, ())
    with closing(SqliteLedger(file, create=True, copied=new)) as ledger:
        for name, book in zip(mishaps, books, strict=True):
            evening.packs = _Packs(seed, mishaps[name])
            table = evening.install(ledger, book, name)
            while not table.state.open:
                evening.step(table)
            evening.sit(table, 3)
            for wrong in mishaps[name]:
                _play(evening, table, wrong)
            if unfinished:
                _until_asked(evening, table)
    write_ring(keys, evening.ring)
    return Night(file, keys, mishaps)


def write_ring(file: Path, ring: KeyRing) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
        opened.write(msgspec.json.encode(ring))


def _play(evening: Evening, table: KeptTable, wrong: str) -> None:
    turns = irregularity_turns(table.state.book, wrong) if wrong not in ("", "jackpot") else []
    number = table.state.round.number
    while table.state.round.number == number:
        if turns and turns[0].is_due(table.state):
            looked_at = _Training(table.state, table.shoe())
            for command in turns.pop(0).happens(looked_at):  # type: ignore[arg-type]
                evening.give(table, _by_place(command, looked_at.shoe))
        else:
            _go_on(evening, table)
    assert not turns, f"{wrong} never went wrong"


def _by_place(command: do.Command, shoe: SealedShoe) -> do.Command:
    """At a kept table nobody names a card; one that was seen is named by its place."""
    if not isinstance(command, do.Declare):
        return command
    exposed = tuple(token(shoe.place_of(card)) for card in command.exposed)
    return msgspec.structs.replace(command, exposed=exposed)


def _go_on(evening: Evening, table: KeptTable) -> None:
    if table.state.round.stage == "betting" and not table.state.round.boxes:
        for seat in (1, 2, 3):
            _wager(evening, table, seat)
    else:
        evening.step(table)


def _wager(evening: Evening, table: KeptTable, seat: int) -> None:
    if seat not in table.state.seats:
        if table.state.chips.get(seat, 0):
            evening.give(table, do.CashOut(by="floor", role="floorperson", box=seat))
        evening.give(table, do.TakeBox(by=f"New {seat}", role="player", box=seat))
    if table.state.chips.get(seat, 0) < BUY_IN_CENTS // 2:
        bought = do.BuyIn(by="dealer", role="dealer", box=seat, cents=BUY_IN_CENTS, taken="cash")
        evening.give(table, bought)
    for command in regulars.wagers(table.state, seat):
        evening.give(table, command)


def _until_asked(evening: Evening, table: KeptTable) -> None:
    while table.state.round.step < table.state.terms.first_steps[table.state.way]:
        _go_on(evening, table)
