"""A short evening of each game, frozen: every later version has to find it sound.

``python -m tests.ledger.freezing`` writes one with the version that runs it, beside those of
earlier versions: the ledger, the keys that sealed its shoes, and a checkpoint. Once a version
is released its ledger is never made anew: a change after which it cannot be audited any more is a
change of what ledgers mean.
"""

from __future__ import annotations

from contextlib import closing, suppress
from importlib.metadata import version
from pathlib import Path

from croupier.facts.errors import Refusal
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.ledger.transparency.sequencer import Sequencer
from croupier.ledger.transparency.signing_key import signer_of
from croupier.table import commands as do
from tests.audit.nights import write_ring
from tests.ledger.evenings import START_US, Evening

FROZEN = Path(__file__).parent / "frozen"
BOOKS = ("UTH-S", "UTH-14", "FCP-14")


def freeze(folder: Path, name: str) -> Path:
    """One round of each book by three boxes, after which the table tells how it stands, and a
    command that was refused."""
    folder.mkdir(exist_ok=True)
    file, evening = folder / f"{name}.db", Evening(11, snapshot_every=40)
    if file.exists():
        raise SystemExit(f"{file} is frozen, and is not made anew")
    with closing(SqliteLedger(file, create=True)) as ledger:
        for book in BOOKS:
            table = evening.install(ledger, book, book)
            evening.sit(table, 3)
            evening.play(table, 1)
        with suppress(Refusal):
            table.give(do.Reveal(by="dealer", role="dealer"), "too early")
        sequencer = Sequencer(ledger)
        sequencer.catch_up()
        made = sequencer.sign(signer_of(ledger.id, evening.ring), START_US)
    assert made is not None
    file.with_suffix(".checkpoint").write_text(made.note, "utf-8")
    write_ring(file.with_suffix(".keys.json"), evening.ring)
    return file


if __name__ == "__main__":
    print(freeze(FROZEN, version("croupier")))
