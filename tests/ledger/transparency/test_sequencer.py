"""The log over all streams, on both stores: every line once, in order, and what is signed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.backup import back_up, restore
from croupier.ledger.store.line import Broken
from croupier.ledger.store.log import KeptCheckpoint
from croupier.ledger.store.port import WRITTEN, Ledger, Writing
from croupier.ledger.store.sql import Store
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.ledger.transparency.checkpoint import Checkpoint, origin_of, read_checkpoint
from croupier.ledger.transparency.entry import line_leaf
from croupier.ledger.transparency.sequencer import Sequencer
from croupier.ledger.transparency.signing_key import signer_of
from croupier.ledger.transparency.tree import inclusion, leaf_hash, root, verify_inclusion
from tests.ledger.lines import loose, writing

TABLE, LINK = "table/1", "link/♠"
RING = new_ring()


@pytest.fixture
def ledger(address: str) -> Iterator[Ledger]:
    with closing(open_ledger(address, create=True)) as ledger:
        ledger.append(writing(TABLE, 0, "a", 2), writing(LINK, 0, "b"))
        ledger.append(Writing(TABLE, 2, tuple(loose(str(n)) for n in range(700))))
        yield ledger


def test_every_line_is_a_leaf_once_and_in_its_streams_order(ledger: Ledger) -> None:
    sequencer, log = Sequencer(ledger), ledger.log
    assert sequencer.advance(most=300) == 300
    sequencer.catch_up()
    ledger.append(writing(LINK, 1, "c"))
    other = Sequencer(ledger)
    assert (other.advance(), sequencer.advance(), sequencer.advance()) == (1, 0, 0)
    leaves = list(log.leaves())
    assert log.size == len(leaves) == 704
    for stream, head in ledger.heads().items():
        lines = list(ledger.read(stream))
        own = [leaf for leaf in leaves if leaf.stream == stream]
        assert [leaf.version for leaf in own] == list(range(1, head.version + 1))
        assert [leaf.hash for leaf in own] == [line_leaf(line, log.blinding) for line in lines]
        assert log.ends()[stream] == head.version
    of, whole = log.subtrees(), root(log.subtrees(), 704)
    place = log.places(LINK, 2, 2)[2]
    path = inclusion(of, place, 704)
    verify_inclusion(leaves[place].hash, place, 704, path, whole)


def test_lines_from_here_and_from_elsewhere_go_in_in_order(ledger: Ledger, address: str) -> None:
    """Those from here as they were written, the others read, whoever put in what stands before."""
    sequencer = Sequencer(ledger)
    with closing(open_ledger(address)) as elsewhere:
        elsewhere.append(writing(TABLE, 702, "d", 3))
        ledger.append(writing(TABLE, 705, "e", 2), writing(LINK, 1, "f"))
        ledger.append_each([[writing(TABLE, 707, "g")], [writing(LINK, 2, "h")]])
        sequencer.advance(most=100)
        assert not ledger.written
        Sequencer(elsewhere).advance(most=603)
        sequencer.catch_up()
        sequencer.catch_up()
    found = [(leaf.stream, leaf.version, leaf.hash) for leaf in ledger.log.leaves()]
    blinding = ledger.log.blinding
    assert sorted(found) == [
        (stream, line.version, line_leaf(line, blinding))
        for stream in (LINK, TABLE)
        for line in ledger.read(stream)
    ]
    assert [version for stream, version, _ in found if stream == TABLE] == list(range(1, 709))


def test_more_lines_than_are_kept_for_it_are_read(ledger: Ledger) -> None:
    sequencer = Sequencer(ledger)
    sequencer.advance(most=1)
    for version in range(702, 9702, 1000):
        ledger.append(Writing(TABLE, version, tuple(loose(str(n)) for n in range(1000))))
        sequencer.advance(most=1)
    assert len(ledger.written) <= WRITTEN
    sequencer.catch_up()
    assert (ledger.log.size, len(ledger.written)) == (9703, 0)
    assert ledger.log.ends() == {TABLE: 9702, LINK: 1}


def test_two_that_add_at_once_put_in_nothing_twice(ledger: Ledger) -> None:
    one, other = Sequencer(ledger), Sequencer(ledger)
    assert one.advance(most=10) == 10
    other.advance(most=10)
    assert one.advance(most=10) == 0  # it saw ten leaves, and there are twenty
    assert one.advance(most=10) == 10
    assert ledger.log.size == 30


def test_a_checkpoint_is_signed_once_and_holds_the_root(ledger: Ledger) -> None:
    sequencer, signer = Sequencer(ledger), signer_of(ledger.id, RING)
    assert sequencer.sign(signer, 1) is None
    sequencer.catch_up()
    made = sequencer.sign(signer, 2)
    assert made is not None
    assert sequencer.sign(signer, 3) is None
    found = read_checkpoint(made.note, signer.verifier)
    assert found == Checkpoint(origin_of(ledger.id), 703, root(ledger.log.subtrees(), 703))
    assert ledger.log.checkpoints() == [made]
    assert ledger.log.checkpoint_of(least=704) is None


def test_leaves_wait_for_no_disk_and_a_checkpoint_does(ledger: Ledger) -> None:
    """What was signed is never lost, and with it nothing that was put in before."""
    assert isinstance(ledger, Store)
    asked = "PRAGMA synchronous" if isinstance(ledger, SqliteLedger) else "SHOW synchronous_commit"
    at_once, later = (
        ([(2,)], [(1,)]) if isinstance(ledger, SqliteLedger) else ([("on",)], [("off",)])
    )
    for may_be_lost, told in ((True, later), (False, at_once)):
        with ledger._sequencing(may_be_lost=may_be_lost) as session:
            assert session is not None
            assert session.rows(asked) == told
    with ledger._writing() as session:
        assert session.rows(asked) == at_once


def test_a_log_that_was_written_anew_is_not_signed(ledger: Ledger) -> None:
    sequencer, signer = Sequencer(ledger), signer_of(ledger.id, RING)
    sequencer.advance(most=5)
    false = Checkpoint(signer.name, 5, leaf_hash(b"another tree")).signed(signer)
    assert ledger.log.keep(KeptCheckpoint(5, 1, false, str(signer.verifier)))
    sequencer.catch_up()
    with pytest.raises(Broken, match="written anew"):
        sequencer.sign(signer, 2)


def test_a_backup_and_a_restored_ledger_have_the_same_log(
    ledger: Ledger, tmp_path: Path, new_address: Callable[[], str]
) -> None:
    sequencer = Sequencer(ledger)
    sequencer.catch_up()
    made = sequencer.sign(signer_of(ledger.id, RING), 1)
    back_up(ledger, tmp_path / "backup.db")
    restore(tmp_path / "backup.db", again := new_address())
    for address in (str(tmp_path / "backup.db"), again):
        with closing(open_ledger(address)) as copy:
            assert list(copy.log.leaves()) == list(ledger.log.leaves())
            assert copy.log.hashes(1, 0, 2) == ledger.log.hashes(1, 0, 2) != []
            assert copy.log.blinding == ledger.log.blinding
            assert copy.log.checkpoints() == [made]
            assert Sequencer(copy).sign(signer_of(copy.id, RING), 2) is None
