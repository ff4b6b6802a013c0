"""A whole ledger proved from first line to last: rounds, shoes, meters and books.

It needs the file alone. A signed head that somebody else kept proves that the file was not cut
short or written anew; the key, where the auditor has it, opens what stayed face down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from croupier.audit.difference import Difference, at
from croupier.audit.link_proof import LinkProof
from croupier.audit.table_proof import TableProof
from croupier.facts.errors import Unreadable
from croupier.games.house import House
from croupier.ledger.happenings import DESK, LINK, TABLE, CommandRefused
from croupier.ledger.keyring import KeyRing
from croupier.ledger.port import Damaged, Ledger
from croupier.ledger.record import NO_ENTRIES, Record
from croupier.ledger.restoring import read_line
from croupier.table import commands as do

Progress = Callable[[int], None]


@dataclass
class Proof:
    """What was proved, and every difference, stream by stream and line by line.

    ``unopened`` packs were sealed with a key that the auditor's ring does not have.
    """

    ledger: str
    tables: int = 0
    rounds: int = 0
    settled: int = 0
    lines: int = 0
    unopened: int = 0
    accounts: dict[str, dict[str, int]] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)

    def find(self, differences: Iterable[Difference]) -> None:
        """The first of a stream first; those of another stream stay where they were found."""
        self.differences += sorted(differences, key=lambda one: (one.stream, one.version))


def prove(
    ledger: Ledger, house: House, ring: KeyRing | None = None, progress: Progress = lambda n: None
) -> Proof:
    """The fold, every settlement, the commitments and the books; the chain is proved apart.

    The ledger may go on being written: what is proved is what it held when the proof began.
    """
    proof = Proof(ledger.id)
    ends = {stream: head.version for stream, head in sorted(ledger.heads().items())}
    links: dict[str, list[TableProof]] = {stream: [] for stream in ends if stream.startswith(LINK)}
    for stream, end in ends.items():
        lines = _Reading(ledger, stream, end, progress)
        if stream.startswith(TABLE):
            table = TableProof(ledger.id, stream, house, ring)
            proof.find([*table.prove(lines), *_books(table), *lines.damage])
            if table.installed is not None and table.installed.link:
                links.setdefault(f"{LINK}{table.installed.link}", []).append(table)
            proof.tables += 1
            proof.rounds += table.rounds
            proof.settled += table.settled
            proof.unopened += table.shoe.unopened
            proof.accounts[stream] = table.accounts
        elif stream.startswith(DESK):
            proof.find([*_desk(lines), *lines.damage])
        elif stream not in links:
            proof.find([Difference("streams", stream, 0, "no such stream belongs in a ledger")])
        proof.lines += lines.count
    for stream, tables in links.items():
        lines = _Reading(ledger, stream, ends.get(stream, 0), progress)
        link = LinkProof(stream, tables)
        proof.differences += [*link.prove(lines), *lines.damage]
        proof.accounts[stream] = link.accounts
        proof.lines += lines.count
    return proof


class _Reading:
    """The lines of a stream up to where it ended; what cannot be read any more is noted."""

    def __init__(self, ledger: Ledger, stream: str, end: int, progress: Progress) -> None:
        self._ledger, self._stream, self._end, self._progress = ledger, stream, end, progress
        self.count = 0
        self.damage: list[Difference] = []

    def __iter__(self) -> Iterator[Record]:
        try:
            for line in self._ledger.read(self._stream, most=self._end):
                self.count += 1
                self._progress(1)
                yield line
        except Damaged as damaged:
            self.damage.append(Difference("store", self._stream, self.count + 1, str(damaged)))


def _books(table: TableProof) -> Iterator[Difference]:
    """What one account lost another has."""
    if sum(table.accounts.values()):
        yield Difference("books", table.stream, 0, "the accounts do not sum to zero")


def _desk(lines: Iterable[Record]) -> Iterator[Difference]:
    """Beside a table stand the commands that were refused, and nothing that moves money."""
    strange: list[Difference] = []
    for line in lines:
        event = read_line(line, lambda line, why: strange.append(at(line, "desk", why)))
        if event is None:
            continue
        if not isinstance(event, CommandRefused) or line.entries != NO_ENTRIES:
            yield at(line, "desk", f"{line.kind} has no place beside a table")
            continue
        try:
            command = do.read_command(line.command)
        except Unreadable as error:
            yield at(line, "desk", str(error))
        else:
            if (command.by, command.role) != (line.actor, line.role):
                yield at(line, "desk", "the line names another giver than the words it refuses")
    yield from strange
