"""``croupier lab raw``: the source of chance as the shuffle gets it, for a test lab."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.audit.lab.collect import raw_output
from croupier.cli.commands.collect_deals import print_collection, save
from croupier.cli.progress_bar import counting
from croupier.facts.errors import Unreadable
from croupier.ledger.shoe.entropy import Chance


def collect_raw(*, bytes_: Annotated[int, Parameter(name="--bytes")], out: Path) -> int:
    """Write raw output of the source of chance to a file.

    Prints the SHA-256 of the file and of the program's files that decide the cards.

    For example:

        croupier lab raw --bytes 12500000 --out raw.bin

    Parameters
    ----------
    bytes_
        How many bytes.
    out
        The file; one that is there already is left alone.
    """
    if bytes_ < 1:
        raise Unreadable(f"{bytes_:,} bytes cannot be collected")
    with counting("collecting") as bar:
        pieces = raw_output(bytes_, Chance(), partial(bar.doing, "collecting"))
        digest = save(out, pieces)
    print_collection(f"{bytes_:,} bytes", out, digest)
    return 0
