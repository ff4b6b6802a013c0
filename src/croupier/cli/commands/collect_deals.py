"""``croupier lab deals``: what the shuffle deals, for a test lab."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Literal

from croupier.audit.lab.collect import DIFFERENCES, FORMATS, SEEDING, dealt, key_files
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.disk import whole_file
from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.entropy import Chance


def collect_deals(*, count: int, out: Path, format: Literal["text", "bytes"] = "text") -> int:
    """Write fresh decks to a file, as the tables get them.

    Prints the SHA-256 of the file and of the program's files that decide the cards.

    For example:

        croupier lab deals --count 100000 --out deals.txt

        croupier lab deals --count 1000000 --out deals.bin --format bytes

    Parameters
    ----------
    count
        How many decks.
    out
        The file; one that is there already is left alone.
    format
        text: 52 cards a line, the card dealt first in front. bytes: 52 bytes a deck, each the
        number of a card, 0 for the two of clubs, 1 for the two of diamonds, 51 for the ace of
        spades.
    """
    if count < 1:
        raise Unreadable(f"{count:,} decks cannot be collected")
    written = FORMATS[format]
    with counting("shuffling") as bar:
        decks = dealt(count, Chance(), partial(bar.doing, "shuffling"))
        digest = save(out, map(written, decks))
    print_collection(f"{count:,} decks", out, digest)
    return 0


def save(out: Path, pieces: Iterable[bytes]) -> str:
    """Write a new file; its SHA-256. A collection that is cut off is not left lying about."""
    digest = hashlib.sha256()
    try:
        with whole_file(out, is_new=True) as file:
            for piece in pieces:
                file.write(piece)
                digest.update(piece)
        return digest.hexdigest()
    except FileExistsError:
        raise Unreadable(f"{out}: there is such a file already") from None
    except OSError as error:
        raise Unreadable(f"{out}: this file cannot be written: {error.strerror}") from None


def print_collection(what: str, out: Path, digest: str) -> None:
    screen = Screen(soft_wrap=True, highlight=False, markup=False)
    screen.print(f"{digest}  {out}  ({what})")
    for file in key_files():
        screen.print(f"{file.sha256}  {file.path}")
    for sentence in (*DIFFERENCES, f"Seeding: {SEEDING}"):
        screen.print(sentence)
