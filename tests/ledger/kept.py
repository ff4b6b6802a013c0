"""What the tests of kept tables share: stacked packs, accounts, and the questions of an auditor."""

from __future__ import annotations

import dataclasses
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from croupier.audit.chain import prove_chain
from croupier.audit.proof import prove
from croupier.facts.cards import cards as read
from croupier.ledger.events import TABLE
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.shoe.pack import Pack, fresh_pack, pack_of
from croupier.ledger.store.line import LedgerLine, read_entries
from croupier.ledger.store.line_mac import LineMacs
from croupier.ledger.store.log import StoredLog
from croupier.ledger.store.port import NEWEST, Applied, Head, Ledger, Unavailable, Writing
from croupier.submission.submission import Submission
from croupier.table import agenda
from croupier.table.terms import Terms
from tests.ledger.evenings import Evening

FREE = Random(99)


def stacked(terms: Terms, boxes: Iterable[int], **lies: str) -> Pack:
    """A pack that deals these cards: ``box_2="Ah Kh"``, ``board="Qh Jh Th"``, ``dealer=...``."""
    wanted = {name: [str(card) for card in read(cards)] for name, cards in lies.items()}
    taken = {card for cards in wanted.values() for card in cards}
    rest = [card for card in fresh_pack(FREE.getrandbits).cards if card not in taken]
    order = sorted(boxes, reverse=terms.book.contest.order.asked_from != "left")
    script: list[str] = []
    for step in terms.plans[terms.way]:
        names = [f"box_{box}" for box in order] if step.to == "boxes" else [step.to]
        for name in names:
            for _ in range(step.deal):
                own = wanted.get(name)
                script.append(own.pop(0) if own else rest.pop())
    assert not any(wanted.values()), "every card finds its place"
    return pack_of(script, FREE.getrandbits)


def deal_next(evening: Evening, *packs: Pack) -> None:
    """The next rounds come from these packs; then chance goes on."""
    waiting = list(packs)
    chance = Random(7)
    evening.packs = lambda: waiting.pop(0) if waiting else fresh_pack(chance.getrandbits)


def accounts(ledger: Ledger) -> Counter[str]:
    """Every account of every stream together, from what is written beside the events."""
    total: Counter[str] = Counter()
    for stream in ledger.heads():
        for line in ledger.read(stream):
            for account, micros in read_entries(line.entries):
                name = account if account.startswith(("meter", "reset")) else f"{stream} {account}"
                total[name] += micros
    return total


def is_sound(ledger: Ledger, evening: Evening) -> None:
    """Nobody is accused of anything, with the key and without; the books sum to zero."""
    for ring in (None, evening.ring):
        assert prove(ledger, evening.registry, ring).differences == []
    assert prove_chain(ledger) is None
    total = accounts(ledger)
    assert sum(total.values()) == 0
    overdrawn = {a: m for a, m in total.items() if m < 0 and f"{a} ".count(" purse ")}
    assert not overdrawn


def resumes_as(table: KeptTable, evening: Evening) -> KeptTable:
    """A second keeper reads the same table."""
    if table.link is not None:
        table.link.refresh()
    again = evening.resumed(table.ledger, table.name)
    assert again.state == table.state
    assert (again.version, again.readings()) == (table.version, table.readings())
    return again


def until(table: KeptTable, evening: Evening, phase: str) -> None:
    while agenda.phase(table.state) != phase:
        evening.step(table)


def lines_of(ledger: Ledger, table: str) -> list[LedgerLine]:
    return list(ledger.read(f"{TABLE}{table}"))


class Faulty:
    """A ledger whose next append fails: ``before`` it is written, or ``after``, answer lost."""

    def __init__(self, real: Ledger) -> None:
        self._real = real
        self.fails = ""

    @property
    def id(self) -> str:
        return self._real.id

    @property
    def address(self) -> str:
        return self._real.address

    @property
    def conninfo(self) -> str:
        return self._real.conninfo

    @property
    def log(self) -> StoredLog:
        return self._real.log

    @property
    def macs(self) -> LineMacs | None:
        return self._real.macs

    @property
    def written(self) -> deque[LedgerLine]:
        return self._real.written

    def authenticate(self, macs: LineMacs) -> None:
        self._real.authenticate(macs)

    def append(self, *writings: Writing) -> tuple[LedgerLine, ...]:
        fails, self.fails = self.fails, ""
        if fails == "before":
            raise Unavailable("the disk is full; make room and try again")
        lines = self._real.append(*writings)
        if fails == "after":
            raise Unavailable("the answer was lost")
        return lines

    def append_each(
        self, batches: Sequence[Sequence[Writing]]
    ) -> Sequence[tuple[LedgerLine, ...] | Exception]:
        return self._real.append_each(batches)

    def read(self, stream: str, after: int = 0, most: int | None = None) -> Iterator[LedgerLine]:
        return self._real.read(stream, after, most)

    def heads(self) -> Mapping[str, Head]:
        return self._real.heads()

    def head(self, stream: str) -> Head:
        return self._real.head(stream)

    def answered(self, command_id: str) -> Sequence[LedgerLine]:
        return self._real.answered(command_id)

    def last_of(self, stream: str, kind: str, until: int = NEWEST) -> LedgerLine | None:
        return self._real.last_of(stream, kind, until)

    def migrations(self) -> Sequence[Applied]:
        return self._real.migrations()

    def flaws(self) -> Sequence[str]:
        return self._real.flaws()

    def copy_to(self, path: Path) -> None:
        self._real.copy_to(path)

    def try_writing(self) -> None:
        self._real.try_writing()

    def close(self) -> None:
        self._real.close()


def without_progressive(said: Submission) -> Submission:
    kept = tuple((n, at) for n, at in said.paytables if n not in ("progressive", "envy"))
    return dataclasses.replace(said, paytables=kept, progressive=None)
