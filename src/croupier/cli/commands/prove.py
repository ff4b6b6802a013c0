"""``croupier prove``: a round as one file that anybody can check, without the ledger."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.audit.round_proof import SUFFIX, round_proof
from croupier.cli.files import write_file
from croupier.cli.ledger_address import chosen_table, reading
from croupier.cli.screen import Screen
from croupier.facts.errors import Unavailable, Unreadable
from croupier.ledger.kept_table import system_clock
from croupier.ledger.redaction import viewer_called
from croupier.ledger.shoe.key_ring import read_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.transparency.sequencer import checkpoint_now


def prove(
    ledger: str,
    round: int,
    /,
    *,
    table: str | None = None,
    viewer: Annotated[str, Parameter(name="--as")] = "public",
    keys: Path | None = None,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
) -> int:
    """Write a proof of one round, a file that anybody can check.

    It holds every line of the round as the log has it, with the parts that are the viewer's to
    know, under a signed checkpoint. A pit makes checkpoints by itself; where the ledger has none
    that reaches so far, one is signed with the keys.

    For example:

        croupier prove evening.db 7 --as player:Ann -o round-7.round-proof

    Parameters
    ----------
    ledger
        The ledger: a file or a postgresql:// address.
    round
        The number of the round, which must be over.
    table
        The table, where the ledger holds several.
    viewer
        For whom: public, dealer, floorperson, surveillance or player:NAME.
    keys
        The file of keys that seal the shoe, where a checkpoint has to be signed first.
    out
        Where it is written; without it TABLE-ROUND.round-proof.
    """
    eyes = viewer_called(viewer)
    if keys is not None:
        with closing(open_ledger(ledger)) as written_to:
            checkpoint_now(written_to, read_ring(keys), system_clock())
    with reading(ledger) as kept:
        name = chosen_table(kept, table)
        try:
            proof = round_proof(kept, name, round, eyes)
        except Unavailable as error:
            more = "" if keys is not None else "; or name the keys, and one is signed now"
            raise Unreadable(f"{error}{more}") from None
    target = out or Path(f"{name}-{round}{SUFFIX}")
    write_file(target, proof.text(), is_new=True)
    Screen(stderr=True, highlight=False).print(f"The proof is in {target}", soft_wrap=True)
    return 0
