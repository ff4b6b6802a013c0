"""``croupier prove``: a round as one file that anybody can check, without the ledger."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.audit.dispute_evidence import SUFFIX as EVIDENCE
from croupier.audit.dispute_evidence import dispute_evidence, dispute_of, written_evidence
from croupier.audit.round_proof import SUFFIX, round_proof
from croupier.cli.files import write_file
from croupier.cli.ledger_address import SIGNING, chosen_table, reading, round_called
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.facts.errors import Unavailable, Unreadable
from croupier.games.registry import Registry
from croupier.ledger.kept_table import system_clock
from croupier.ledger.redaction import viewer_called
from croupier.ledger.shoe.key_ring import read_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.transparency.sequencer import checkpoint_now


def prove(
    ledger: str,
    round: int | None = None,
    /,
    *,
    dispute: int | None = None,
    table: str | None = None,
    viewer: Annotated[str, Parameter(name="--as")] = "public",
    keys: Path | None = None,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Write a proof of one round, or of a dispute, that anybody can check.

    It holds every line of the round as the log has it, with the parts that are the viewer's to
    know, under a signed checkpoint. A pit makes checkpoints by itself; where the ledger has none
    that reaches so far, one is signed with the keys. The evidence of a dispute holds the case, what
    was wagered, dealt, decided, due and paid by clause, every event with its time, and that proof.

    For example:

        croupier prove evening.db 7 --as player:Ann -o round-7.round-proof

        croupier prove pit.db --table UTH-1 --dispute 3 --as surveillance

    Parameters
    ----------
    ledger
        The ledger: a file or a postgresql:// address.
    round
        The number of the round, which must be over.
    dispute
        The number of a case at the table, in place of a round.
    table
        The table, where the ledger holds several.
    viewer
        For whom: public, dealer, floorperson, surveillance or player:NAME.
    keys
        The file of keys that seal the shoe, where a checkpoint has to be signed first.
    out
        Where it is written; without it TABLE-ROUND.round-proof, or TABLE-dispute-N.evidence.json.
    """
    if (round is None) is (dispute is None):
        raise Unreadable("name the number of a round, or of a case with --dispute")
    eyes = viewer_called(viewer)
    if keys is not None:
        with closing(open_ledger(ledger)) as written_to, counting(SIGNING):
            checkpoint_now(written_to, read_ring(keys), system_clock())
    with reading(ledger) as kept:
        name = chosen_table(kept, table)
        number = round if round is not None else dispute_of(kept, name, dispute or 0).round
        try:
            with counting("reading the lines"):
                proof = round_proof(kept, name, number, eyes).text()
        except Unavailable as error:
            more = "" if keys is not None else "; or name the keys, and one is signed now"
            raise Unreadable(f"{error}{more}") from None
        if dispute is not None:
            told = round_called(kept, name, number, registry)
            proof = written_evidence(dispute_evidence(kept, name, dispute, told, eyes, proof))
    case = f"{name}-dispute-{dispute}{EVIDENCE}"
    target = out or Path(case if dispute is not None else f"{name}-{number}{SUFFIX}")
    write_file(target, proof, is_new=True)
    what = "evidence" if dispute is not None else "proof"
    Screen(stderr=True, highlight=False).print(f"The {what} is in {target}", soft_wrap=True)
    return 0
