"""A practice table on a ledger of its own, in which every round is kept.

The file and its key lie in the player's own data folder. A table that was left in the middle of a
round, by a crash or a closed window, goes on where it stood.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from croupier.disk import unfinished
from croupier.facts.errors import Unavailable, Unreadable
from croupier.games.registry import Registry
from croupier.ledger.events import TABLE, TableInstalled, read_kept
from croupier.ledger.installation import install
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.shoe.entropy import Chance
from croupier.ledger.shoe.key_ring import KeyRing, create_ring, read_ring
from croupier.ledger.shoe.pack import SALT_BYTES, fresh_pack
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.file_lock import FileLock
from croupier.ledger.store.port import Ledger
from croupier.practice.link import forget_link, link_into
from croupier.submission.fingerprint import rules_hash
from croupier.submission.submission import Submission
from croupier.table.shoe import RandomBits

ADDRESS = re.compile(r"[a-z]+:/")  # a path that swallowed one of the two strokes of an address


class Occupied(Unavailable):
    """Somebody plays on this ledger; ``link`` leads there, where that is a room in the browser."""

    def __init__(self, place: Path, link: str) -> None:
        self.place, self.link = place, link
        where = f" in the browser ({link})" if link else ""
        super().__init__(
            f"{place}: somebody plays on this ledger now{where}; name another with --ledger"
        )


def data_home() -> Path:
    """Where a player's own ledgers lie, by the desktop's rules."""
    named = os.environ.get("XDG_DATA_HOME", "")
    return (Path(named) if named else Path.home() / ".local" / "share") / "croupier"


def keys_home() -> Path:
    """Where keys lie, apart from the ledgers they belong to; for their owner alone."""
    named = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(named) if named else Path.home() / ".config") / "croupier"


@contextmanager
def practice_table(
    submission: Submission,
    registry: Registry,
    file: Path | None,
    seed: int | None,
    *,
    example: bool = False,
) -> Iterator[KeptTable]:
    """A table in this ledger file, or in the player's own; a seeded one or an example passes."""
    with practice_ledger(file, seed, example=example) as (ledger, ring, bits):
        yield table_for(ledger, with_numbers(submission, seed), registry, ring, bits)


def with_numbers(submission: Submission, seed: int | None) -> Submission:
    """Your number is in the shuffle at a practice table, unless a seed is to say how it falls."""
    return replace(submission, players_numbers=seed is None)


@contextmanager
def practice_ledger(
    file: Path | None, seed: int | None, *, example: bool = False
) -> Iterator[tuple[Ledger, KeyRing, RandomBits]]:
    """The ledger of one player, its key, and the chance its packs come from."""
    with (
        _place(file, passes=example or seed is not None) as place,
        closing(open_ledger(str(place), create=True)) as ledger,
    ):
        refuse_pit(ledger)
        with _alone(place):
            yield ledger, _ring(place), Chance() if seed is None else SeededOrder(seed)


class SeededOrder:
    """The order of the cards from a seed; the salts that hide them from the operating system."""

    def __init__(self, seed: int) -> None:
        self._seeded, self._chance = Random(seed), Chance()

    def __call__(self, count: int, /) -> int:
        return (self._chance if count == 8 * SALT_BYTES else self._seeded.getrandbits)(count)


def refuse_pit(ledger: Ledger) -> None:
    """Practice is never mixed with what people played for."""
    for stream in ledger.heads():
        if stream.startswith(TABLE):
            first = read_kept(next(iter(ledger.read(stream, most=1))).body)
            if not (isinstance(first, TableInstalled) and first.practice):
                raise Unreadable(f"{ledger.address} keeps live tables; practice in another file")


@contextmanager
def _place(file: Path | None, *, passes: bool) -> Iterator[Path]:
    if file is None and passes:
        with tempfile.TemporaryDirectory(prefix="croupier-") as folder, unfinished(Path(folder)):
            yield Path(folder) / "practice.db"
        return
    if file is not None and ADDRESS.match(str(file)):
        raise Unreadable("a practice table keeps its rounds in a file; name one with --ledger")
    place = file or data_home() / "practice.db"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"{place.parent}: no folder can be made here: {error.strerror}") from None
    yield place


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """One player at a practice table: two at once would deal over each other."""
    with FileLock(place, lambda: Occupied(place, link_into(place))):
        try:
            forget_link(place)
            yield
        finally:
            forget_link(place)


def _ring(place: Path) -> KeyRing:
    keys = place.with_name(f"{place.name}.keys")
    return read_ring(keys) if keys.exists() else create_ring(keys)


def table_for(
    ledger: Ledger, submission: Submission, registry: Registry, ring: KeyRing, bits: RandomBits
) -> KeptTable:
    """The practice table with these rules, or a new one beside those with others."""
    wanted, number = rules_hash(submission.rules(registry)), 1
    while True:
        name = f"practice-{submission.rulebook}-{number}"
        if not ledger.head(f"{TABLE}{name}").version:
            return install(
                ledger,
                submission,
                registry,
                ring,
                partial(fresh_pack, bits),
                by="You",
                name=name,
                practice=True,
            )
        packs = partial(fresh_pack, bits)
        try:
            kept = KeptTable(ledger, name, registry, ring, packs, keys_are_lost=True)
        except Unreadable as error:
            raise Unreadable(
                f"{ledger.address}, {error}; move the file away to begin anew, or name another "
                "one with --ledger"
            ) from None
        is_alike = kept.installed.rules_hash == wanted and kept.installed.practice
        if is_alike and kept.state.terms.takes_numbers == submission.players_numbers:
            return kept
        number += 1
