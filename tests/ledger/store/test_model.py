"""Both stores against a ledger of a few lines of Python: everything written, and every way to read.

A model that is only asked what was written last would miss a reading that forgets; so every step
asks something, and what it asks is drawn too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from croupier.audit.chain import prove_chain
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LedgerLine, LineDraft, chained, genesis
from croupier.ledger.store.port import Head, Ledger, Moved, Repeated, Writing
from tests.ledger.stores import Server

STREAMS = ("table 1", "table 2", "link a")
KINDS = ("dealt", "settled", "noted")
streams = st.sampled_from(STREAMS)


class PlainLedger:
    """What a ledger does, without keeping anything."""

    def __init__(self, ledger_id: str) -> None:
        self.id = ledger_id
        self.lines: dict[str, list[LedgerLine]] = {}

    def append(self, *writings: Writing) -> tuple[LedgerLine, ...]:
        drafts = [draft for writing in writings for draft in writing.drafts]
        for draft in drafts:
            if draft.command and self.answered(draft.command_id):
                raise Repeated(draft.command_id)
        for writing in writings:
            found = self.head(writing.stream).version
            if found != writing.expected:
                raise Moved(writing.stream, writing.expected, found)
        new: list[LedgerLine] = []
        for stream, expected, drafts_of_it in ((w.stream, w.expected, w.drafts) for w in writings):
            lines = chained(stream, expected, self.head(stream).hash, drafts_of_it)
            self.lines.setdefault(stream, []).extend(lines)
            new.extend(lines)
        return tuple(new)

    def read(self, stream: str, after: int = 0, most: int | None = None) -> Iterator[LedgerLine]:
        later = [line for line in self.lines.get(stream, []) if line.version > after]
        return iter(later if most is None else later[:most])

    def heads(self) -> Mapping[str, Head]:
        return {stream: self.head(stream) for stream in sorted(self.lines)}

    def head(self, stream: str) -> Head:
        if stream not in self.lines:
            return Head(stream, 0, genesis(self.id, stream))
        last = self.lines[stream][-1]
        return Head(stream, last.version, last.hash)

    def answered(self, command_id: str) -> Sequence[LedgerLine]:
        lines = [line for s in sorted(self.lines) for line in self.lines[s]]
        answer = [line for line in lines if command_id and line.command_id == command_id]
        first = next((line.stream for line in answer if line.command), "")
        own = [line for line in answer if line.stream == first]
        return (*own, *(line for line in answer if line.stream != first))

    def last_of(self, stream: str, kind: str) -> LedgerLine | None:
        lines = [line for line in self.lines.get(stream, []) if line.kind == kind]
        return lines[-1] if lines else None


@st.composite
def answers(draw: st.DrawFn) -> tuple[str, dict[str, tuple[LineDraft, ...]]]:
    """A command id and what it writes to one stream or several."""
    command_id = draw(st.sampled_from(["", *(f"c{n}" for n in range(12))]))
    chosen = draw(st.lists(streams, min_size=1, max_size=3, unique=True))
    told = command_id == ""
    drafts: dict[str, tuple[LineDraft, ...]] = {}
    for stream in chosen:
        lines: list[LineDraft] = []
        for _ in range(draw(st.integers(1, 3))):
            lines.append(
                LineDraft(
                    kind=draw(st.sampled_from(KINDS)),
                    body=draw(st.sampled_from(['{"a":1}', "♠", ""])),
                    at_us=draw(st.integers(-(2**63), 2**63 - 1)),
                    actor=draw(st.sampled_from(["Ann", "Bob", ""])),
                    role="player",
                    command_id=command_id,
                    command="" if told else "do it",
                    entries=draw(st.sampled_from([(), (("house", -5), ("purse 1", 5))])),
                )
            )
            told = True
        drafts[stream] = tuple(lines)
    return command_id, drafts


class BothStores(RuleBasedStateMachine):
    server: Server

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.server.run("DROP SCHEMA IF EXISTS croupier CASCADE")
        self.addresses = (str(Path(self.folder.name) / "ledger.db"), self.server.address())
        self.ledgers = [open_ledger(address, create=True) for address in self.addresses]
        self.models = [PlainLedger(ledger.id) for ledger in self.ledgers]

    def pairs(self) -> Iterator[tuple[Ledger, PlainLedger]]:
        return zip(self.ledgers, self.models, strict=True)

    @rule(answer=answers(), behind=st.sampled_from([0, 0, 0, 0, 1, -1]))
    def append(self, answer: tuple[str, dict[str, tuple[LineDraft, ...]]], behind: int) -> None:
        """Mostly by somebody who saw the newest version, sometimes by one who did not."""
        command_id, drafts = answer
        for ledger, model in self.pairs():
            writings = [
                Writing(stream, max(0, model.head(stream).version - behind * (n == 0)), lines)
                for n, (stream, lines) in enumerate(drafts.items())
            ]
            assert outcome(ledger, writings) == outcome(model, writings)
            assert ledger.answered(command_id) == model.answered(command_id)

    @rule(stream=streams, after=st.integers(-1, 12), most=st.none() | st.integers(0, 5))
    def read(self, stream: str, after: int, most: int | None) -> None:
        for ledger, model in self.pairs():
            assert list(ledger.read(stream, after, most)) == list(model.read(stream, after, most))

    @rule(stream=streams, kind=st.sampled_from(KINDS), command=st.integers(0, 12))
    def ask(self, stream: str, kind: str, command: int) -> None:
        for ledger, model in self.pairs():
            assert ledger.last_of(stream, kind) == model.last_of(stream, kind)
            assert ledger.answered(f"c{command}") == model.answered(f"c{command}")
            assert ledger.head(stream) == model.head(stream)

    @rule(read_only=st.booleans())
    def open_again(self, read_only: bool) -> None:
        for n, address in enumerate(self.addresses):
            self.ledgers[n].close()
            if read_only:
                reader = open_ledger(address, read_only=True)
                assert reader.heads() == self.models[n].heads()
                reader.close()
            self.ledgers[n] = open_ledger(address)

    @invariant()
    def heads_agree(self) -> None:
        for ledger, model in self.pairs():
            assert list(ledger.heads().items()) == list(model.heads().items())

    def teardown(self) -> None:
        for ledger, model in self.pairs():
            assert prove_chain(ledger) is None
            for stream in STREAMS:
                assert list(ledger.read(stream)) == list(model.read(stream))
            ledger.close()
        self.folder.cleanup()


def outcome(ledger: Ledger | PlainLedger, writings: list[Writing]) -> object:
    try:
        return ledger.append(*writings)
    except Repeated as repeated:
        return repeated.command_id
    except Moved as moved:
        return moved.stream, moved.expected, moved.found


def test_both_stores_do_what_the_model_does(server: Server) -> None:
    BothStores.server = server
    run_state_machine_as_test(
        BothStores, settings=settings(max_examples=10, stateful_step_count=25)
    )
