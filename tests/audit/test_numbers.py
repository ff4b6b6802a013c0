"""Rounds that players' numbers shuffled: dealt, audited, proved, and found out where altered."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest

from croupier.audit.ledger_audit import audited
from croupier.audit.proof_check import ProofCheck, check_proof
from croupier.audit.round_proof import round_proof
from croupier.cli.text.round_proof import proof_report
from croupier.documents.blocks import Facts
from croupier.ledger.replay import read_line
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.ledger.transparency.sequencer import checkpoint_now
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.handlers.numbers import SHOW_WITHIN_S, unshown
from croupier.table.shoe import order_of
from croupier.table.views import PUBLIC
from tests.audit.tampering import Lines, event, removed, rewritten
from tests.ledger.evenings import Evening

SCRIPT = Path(__file__).parents[2] / "docs" / "check_round_proof.py"
STREAM = "table/1"


@pytest.fixture
def evening() -> Evening:
    return Evening(39, numbers=True)


@pytest.fixture
def ledger(tmp_path: Path, evening: Evening) -> Iterator[SqliteLedger]:
    with shuffled(tmp_path, evening) as ledger:
        yield ledger


@contextmanager
def shuffled(folder: Path, evening: Evening) -> Iterator[SqliteLedger]:
    """A round that two boxes shuffled with the house."""
    with closing(SqliteLedger(folder / "numbers.db", create=True)) as ledger:
        table = evening.install(ledger, name="1")
        evening.sit(table, 2)
        evening.play(table, 1)
        yield ledger


def by_script(content: bytes, folder: Path) -> str:
    """What the script of the docs says of a proof, with its exit status."""
    file = folder / "one.round-proof"
    file.write_bytes(content)
    command = [sys.executable, str(SCRIPT), str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"{ran.returncode} {ran.stdout}{ran.stderr}"


def lines(ledger: SqliteLedger, kind: str) -> list[LedgerLine]:
    return [line for line in ledger.read(STREAM) if line.kind == kind]


def proved(ledger: SqliteLedger, evening: Evening) -> tuple[bytes, ProofCheck]:
    checkpoint_now(ledger, evening.ring, 1)
    made = round_proof(ledger, "1", 1, PUBLIC).text()
    return made, check_proof(made, evening.registry)


def test_a_round_is_dealt_in_the_order_that_the_numbers_make(
    ledger: SqliteLedger, evening: Evening, tmp_path: Path
) -> None:
    table = evening.resumed(ledger, "1")
    assert audited(ledger, evening.registry, ring=evening.ring).differences == []
    last = table.state.last
    assert last is not None
    order = order_of(1, last.numbers)
    (first, *_) = lines(ledger, "cards-dealt")
    assert f'"@{order[0]}","@{order[1]}"' in first.body
    made, found = proved(ledger, evening)
    assert (found.differences, found.numbers) == ((), (1, 2))
    assert "shuffled [1, 2]" in by_script(made, tmp_path)


def test_another_number_or_another_order_is_found(
    ledger: SqliteLedger, evening: Evening, tmp_path: Path
) -> None:
    shown, *_ = lines(ledger, "number-shown")
    dealt, *_ = lines(ledger, "cards-dealt")
    given, *_ = lines(ledger, "number-committed")
    changed = partial(event, STREAM)
    for change in (
        changed(shown.version, number="00" * 32),
        changed(given.version, number_hash="00" * 32),
        changed(dealt.version, lies=[{"place": "six_card_box", "cards": ["@0", "@1", "@2", "@3"]}]),
    ):
        with rewritten(ledger, tmp_path, change, ring=evening.ring) as other:
            assert isinstance(other, SqliteLedger)
            assert audited(other, evening.registry, ring=evening.ring).differences
            _, found = proved(other, evening)
            assert "shoe" in {difference.part for difference in found.differences}


def left_out(ledger: SqliteLedger, evening: Evening, folder: Path) -> bytes:
    """The proof of a house that deals without asking box 2 for its number, in the order that the
    other numbers make; chain, log, MACs and signature are its own."""
    first, second = lines(ledger, "number-shown")
    numbers = [read_line(line) for line in (first, second)]
    assert all(isinstance(each, ev.NumberShown) for each in numbers)
    boxes = {each.box: each.number for each in numbers if isinstance(each, ev.NumberShown)}
    both, alone = order_of(1, boxes), order_of(1, {1: boxes[1]})
    instead = {f'"@{one}"': f'"@{other}"' for one, other in zip(both, alone, strict=True)}

    def deal(own: Lines) -> None:
        dealt = [line for line in own[STREAM] if line.kind == "cards-dealt"]
        for line in dealt:
            body = re.sub(r'"@\d+"', lambda token: instead[token[0]], line.body)
            own[STREAM][line.version - 1] = msgspec.structs.replace(line, body=body)

    change = (deal, removed(STREAM, second.version))
    with rewritten(ledger, folder, *change, ring=evening.ring) as other:
        assert isinstance(other, SqliteLedger)
        made, found = proved(other, evening)
    assert "dealt before box 2 showed its number" in {each.sentence for each in found.differences}
    return made


def test_a_number_that_was_left_out_is_noticed(
    ledger: SqliteLedger, evening: Evening, tmp_path: Path
) -> None:
    said = by_script(left_out(ledger, evening, tmp_path), tmp_path)
    assert said.startswith("1 It does not hold: a player's number was left out")


def _facts_of(found: ProofCheck, number: str) -> Iterator[tuple[str, str]]:
    for block in proof_report(found, number, named=True):
        if isinstance(block, Facts):
            yield from ((fact.label, fact.value) for fact in block.rows)


def test_a_number_that_is_not_shown_voids_the_round_and_its_proof_says_who(
    tmp_path: Path, evening: Evening
) -> None:
    with closing(SqliteLedger(tmp_path / "void.db", create=True)) as ledger:
        table = evening.install(ledger, name="1")
        evening.sit(table, 2)
        while not unshown(table.state):
            if table.state.round.stage == "betting":
                evening._wager(table)
            evening.step(table)
        evening.step(table)
        for _ in range(SHOW_WITHIN_S):
            evening.clock()
        evening.give(table, do.VoidUnshown(by="croupier", role="device"))
        while table.state.round.number == 1:
            evening.step(table)
        assert table.state.unshown == {"Ben": 1}
        assert evening.resumed(ledger, "1").state == table.state
        assert audited(ledger, evening.registry, ring=evening.ring).differences == []
        _, found = proved(ledger, evening)
        assert found.differences == ()
        assert (found.is_void, found.missing) == (True, (2,))
        number = evening.numbers._numbers[1, 2]
        facts = dict(_facts_of(found, number))
        assert facts["number"] == "the one that box 2 had committed itself to"
        assert "was not shown the number of box 2 in time" in facts["wagers"]
        assert len(lines(ledger, "number-missing")) == 1
