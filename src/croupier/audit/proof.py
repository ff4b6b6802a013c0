"""A whole ledger proved from first line to last: rounds, shoes, meters and books.

It needs the file alone. A checkpoint that somebody else kept proves that the file was not cut
short or written anew; the key, where the auditor has it, opens what stayed face down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from croupier.audit.difference import Difference
from croupier.audit.link_proof import LinkProof
from croupier.audit.refusals_proof import RefusalsProof
from croupier.audit.second_proof import SecondProof
from croupier.audit.table_proof import PowerUses, Renewal, TableProof
from croupier.facts.progress import CountDone
from croupier.games.registry import Registry
from croupier.ledger.events import LINK, PIT, REFUSALS, TABLE
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.line import NO_ENTRIES, LedgerLine
from croupier.ledger.store.port import Damaged, Head, Ledger


@dataclass
class Proof:
    """What was proved, and every difference, stream by stream and line by line.

    ``rounds`` were begun and ``closed`` played. ``undecided`` commands could not be decided again;
    ``lost`` rounds were void because their cards could not be opened, and ``powers`` says who used
    which, alone or with whom. ``unopened`` packs were sealed with a key that the auditor's ring
    does not have. ``editions`` says of a table's stream which other program wrote it, and ``links``
    which link it is on.
    """

    ledger: str
    tables: int = 0
    rounds: int = 0
    closed: int = 0
    settled: int = 0
    undecided: int = 0
    refusals: int = 0
    lines: int = 0
    unopened: int = 0
    renewals: list[Renewal] = field(default_factory=list)
    lost: list[Renewal] = field(default_factory=list)
    powers: Counter[PowerUses] = field(default_factory=Counter)
    editions: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    accounts: dict[str, dict[str, int]] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)

    def find(self, differences: Iterable[Difference]) -> None:
        """The first of a stream first; those of another stream stay where they were found."""
        self.differences += sorted(differences, key=lambda one: (one.stream, one.version))

    def take(self, table: TableProof) -> None:
        """What a table adds to the whole."""
        self.tables += 1
        self.rounds += table.rounds
        self.closed += table.closed
        self.settled += table.settled
        self.undecided += table.undecided
        self.unopened += table.shoe.unopened
        self.renewals += table.renewals
        self.lost += table.lost
        self.powers += table.powers
        self.accounts[table.stream] = table.accounts
        if table.edition:
            self.editions[table.stream] = table.edition
        if table.installed is not None and table.installed.link:
            self.links[table.stream] = f"{LINK}{table.installed.link}"


def prove(
    ledger: Ledger,
    registry: Registry,
    ring: KeyRing | None = None,
    progress: CountDone = lambda n: None,
    ends: Mapping[str, Head] | None = None,
) -> Proof:
    """The fold, every settlement, the commitments and the books; the chain is proved apart.

    The ledger may go on being written: what is proved is what it held when the proof began, or
    when its streams had these ``ends``.
    """
    proof = Proof(ledger.id)
    heads = ledger.heads() if ends is None else ends
    streams = {name: _Reading(ledger, name, heads[name].version, progress) for name in heads}
    tables: dict[str, TableProof] = {}
    for stream in _named(streams, TABLE):
        table = tables[stream] = TableProof(ledger.id, stream, registry, ring)
        proof.find([*table.prove(streams[stream]), *_books(table), *streams[stream].damage])
        proof.take(table)
    for stream in _named(streams, REFUSALS):
        of_table = tables.get(f"{TABLE}{stream.removeprefix(REFUSALS)}")
        refused = RefusalsProof(stream, of_table, registry)
        proof.find([*refused.prove(streams[stream]), *streams[stream].damage])
        proof.refusals += refused.refusals
    for stream in sorted({*_named(streams, LINK), *proof.links.values()}):
        lines = streams.setdefault(stream, _Reading(ledger, stream, 0, progress))
        joined = [tables[name] for name, link in proof.links.items() if link == stream]
        link = LinkProof(stream, joined)
        proof.differences += [*link.prove(lines), *lines.damage]
        proof.accounts[stream] = link.accounts
    seconds = SecondProof()
    for stream in sorted(streams):
        if stream.startswith(PIT):
            beside = _beside(streams[stream], seconds)
            proof.find([*beside, *streams[stream].damage])
        elif not stream.startswith((TABLE, REFUSALS, LINK)):
            proof.find([Difference("streams", stream, 0, "no such stream belongs in a ledger")])
    proof.find(seconds.differences(tables))
    proof.powers += seconds.powers
    proof.lines = sum(lines.count for lines in streams.values())
    return proof


def _named(streams: Iterable[str], kind: str) -> list[str]:
    return sorted(stream for stream in streams if stream.startswith(kind))


class _Reading:
    """The lines of a stream up to where it ended; what cannot be read any more is noted."""

    def __init__(self, ledger: Ledger, stream: str, end: int, progress: CountDone) -> None:
        self._ledger, self._stream, self._end, self._progress = ledger, stream, end, progress
        self.count = 0
        self.damage: list[Difference] = []

    def __iter__(self) -> Iterator[LedgerLine]:
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


def _beside(lines: Iterable[LedgerLine], seconds: SecondProof) -> Iterator[Difference]:
    """What a service notes beside its tables moves no money, but may be an act of the policy."""
    for line in lines:
        yield from seconds.hear(line)
        if line.entries != NO_ENTRIES:
            yield Difference("streams", line.stream, line.version, "no money moves here")
