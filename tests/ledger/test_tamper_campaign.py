"""Edits of every kind by whoever may write the database, each found against a kept checkpoint.

An intruder changes lines and then covers it up as far as he can: not at all, by chaining the
streams anew, or by making the whole log anew and signing it with a key of his own. Found is not
enough: the line has to be named that differs first in its stream, or, where the log was made anew,
the two kept checkpoints that the first changed line lies between.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count, takewhile, zip_longest
from pathlib import Path
from random import Random

import msgspec
import pytest

from croupier.audit.chain import prove_chain
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.line import Break, LedgerLine
from croupier.ledger.store.port import Writing
from croupier.ledger.store.sql import Copied
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.ledger.transparency.checkpoint import Checkpoint
from croupier.ledger.transparency.sequencer import checkpoint_now
from tests.audit.tampering import Lines, rechained
from tests.ledger.lines import answer, checkpoint, loose
from tests.ledger.stores import in_memory

STREAMS = ("link/1", "pit/access", "pit/people", "table/1", "table/2")
COVERS = ("not at all", "chained anew", "log made anew and signed with another key")
TEXTS = ("actor", "role", "kind", "body", "entries", "command", "command_id")
INTRUDER = new_ring()
replace = msgspec.structs.replace
Edit = Callable[[Lines, Random], None]


def change(lines: Lines, chance: Random) -> None:
    own = lines[chance.choice(STREAMS)]
    at, name = chance.randrange(len(own)), chance.choice((*TEXTS, "at_us"))
    if name == "command" and not own[at].command:
        name = "actor"  # of a command that is given twice the database itself takes one
    if name == "at_us":
        own[at] = replace(own[at], at_us=own[at].at_us + chance.randint(1, 10**9))
    else:
        own[at] = replace(own[at], **{name: f"{getattr(own[at], name)}{chance.choice('0aé ')}"})


def delete(lines: Lines, chance: Random) -> None:
    own = lines[chance.choice(STREAMS)]
    del own[chance.randrange(len(own))]


def insert(lines: Lines, chance: Random) -> None:
    """A line between two others; what is added at the end came after the checkpoint."""
    stream = chance.choice(STREAMS)
    at = chance.randrange(len(lines[stream]))
    line = replace(lines[stream][at], body=f'{{"n":{chance.random()}}}', command="", command_id="")
    lines[stream].insert(at, line)


def reorder(lines: Lines, chance: Random) -> None:
    own = lines[chance.choice(STREAMS)]
    one, other = chance.sample(range(len(own)), 2)
    own[one], own[other] = own[other], own[one]


def swap(lines: Lines, chance: Random) -> None:
    one, other = chance.sample(STREAMS, 2)
    lines[one], lines[other] = lines[other], lines[one]


def drop(lines: Lines, chance: Random) -> None:
    del lines[chance.choice(STREAMS)]


def roll_back(lines: Lines, chance: Random) -> None:
    """Every stream as it was at some moment."""
    moments = sorted({line.at_us for own in lines.values() for line in own})
    until = chance.choice(moments[:-1])
    for stream in STREAMS:
        lines[stream] = [line for line in lines[stream] if line.at_us <= until]


EDITS: dict[str, Edit] = {
    "change": change,
    "delete": delete,
    "insert": insert,
    "reorder": reorder,
    "swap streams": swap,
    "drop a stream": drop,
    "roll back": roll_back,
}


def campaign(times: int, seed: int) -> None:
    chance, numbers = Random(seed), count()
    with tempfile.TemporaryDirectory(dir=in_memory()) as name:
        folder = Path(name)
        kept: list[Checkpoint] = []
        with closing(_evening(folder / "right.db", kept)) as ledger:
            right = {stream: list(ledger.read(stream)) for stream in STREAMS}
            assert prove_chain(ledger, *kept) is None
            leaves = [leaf.hash for leaf in ledger.log.leaves()]
            for _ in range(times):
                how, cover = chance.choice(list(EDITS)), chance.choice(COVERS)
                lines = {stream: list(own) for stream, own in right.items()}
                EDITS[how](lines, chance)
                file = folder / f"{next(numbers)}.db"
                with closing(_altered(ledger, lines, cover, file)) as other:
                    found = prove_chain(other, *kept)
                    anew = [leaf.hash for leaf in other.log.leaves()]
                file.unlink()
                assert found is not None, (how, cover)
                if cover == COVERS[-1]:
                    assert _between(found, [each.size for each in kept], leaves, anew), found
                else:
                    own, its = right[found.stream], lines.get(found.stream, [])
                    assert found.version == _first(own, its) + 1, (how, cover, found)


def _first(own: Sequence[object], its: Sequence[object]) -> int:
    """Where the second begins to differ from the first."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip_longest(own, its))
    return sum(1 for _ in same)


def _between(found: Break, sizes: list[int], leaves: list[bytes], anew: list[bytes]) -> bool:
    """The first kept checkpoint that the changed line spoils is named, and the last that it does
    not, which is none where the very first lines were changed."""
    changed = _first(leaves, anew)
    good = [size for size in sizes if size <= changed]
    spoiled = next(size for size in sizes if size > changed)
    why = f"the first {spoiled:,} lines of the log are not those that were signed"
    if spoiled > len(anew):
        why = f"its log ends at {len(anew):,} lines, and {sizes[-1]:,} were signed"
        why += ": lines were cut off"
    return found.why == why + (f"; the first {good[-1]:,} are" if good else "")


def _evening(file: Path, kept: list[Checkpoint]) -> SqliteLedger:
    ledger = SqliteLedger(file, create=True)
    for number in range(4):
        for stream in STREAMS:
            at = ledger.head(stream).version
            drafts = (*answer(f"{stream} {number}", 2), loose(f'{{"n":{number}}}'))
            later = tuple(replace(each, at_us=each.at_us + 10 * number) for each in drafts)
            ledger.append(Writing(stream, at, later))
        kept.append(checkpoint(ledger))
    return ledger


def _altered(ledger: SqliteLedger, lines: Lines, cover: str, file: Path) -> SqliteLedger:
    """The intruder's ledger: what the database held was taken over, and made another."""
    chained = _numbered if cover == COVERS[0] else rechained
    forged = [
        line for stream, own in lines.items() for line in chained(ledger.id, stream, list(own))
    ]
    log = None if cover == COVERS[-1] else ledger.log
    copied = Copied(ledger.id, forged, ledger.log.blinding, log)
    other = SqliteLedger(file, create=True, copied=copied)
    if log is None:
        checkpoint_now(other, INTRUDER, 1)
    return other


def _numbered(ledger_id: str, stream: str, lines: list[LedgerLine]) -> list[LedgerLine]:
    return [replace(line, stream=stream, version=at) for at, line in enumerate(lines, 1)]


def test_edits_of_every_kind_are_found_and_located() -> None:
    campaign(60, seed=27)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(4))
def test_a_hundred_thousand_edits_are_found_and_located(seed: int) -> None:
    campaign(25_000, seed)
