"""The log of a pit: when a checkpoint is made, what is served and written, and when play stops."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.facts.errors import Unavailable
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.store.log import KeptCheckpoint
from croupier.ledger.store.port import Writing
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.ledger.transparency.checkpoint import Checkpoint, read_checkpoint
from croupier.ledger.transparency.sequencer import Sequencer
from croupier.ledger.transparency.signed_note import read_verifier_key
from croupier.ledger.transparency.signing_key import signer_of
from croupier.ledger.transparency.tiles import subtree_root, tiles_between
from croupier.server.pit.log_publisher import MINUTE_US, LogPublisher, served
from tests.ledger.lines import loose
from tests.server.service import Service

RING = new_ring()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    with closing(SqliteLedger(tmp_path / "ledger.db", create=True)) as ledger:
        yield ledger


def add(ledger: SqliteLedger, lines: int) -> None:
    at = ledger.head("table/1").version
    ledger.append(Writing("table/1", at, tuple(loose(f"{at + n}") for n in range(lines))))


def test_a_checkpoint_comes_every_minute_and_every_thousand_lines(
    ledger: SqliteLedger, tmp_path: Path
) -> None:
    now_us, folder = [MINUTE_US], tmp_path / "published"
    log = LogPublisher(ledger, RING, lambda: now_us[0], folder)

    def sizes() -> list[int]:
        log.step()
        return [kept.size for kept in ledger.log.checkpoints()]

    assert sizes() == []
    add(ledger, 3)
    assert sizes() == [3]
    add(ledger, 3)
    now_us[0] += MINUTE_US - 2_000_000
    assert sizes() == [3]
    now_us[0] += 1_000_000  # a second later the minute is over
    assert sizes() == [3, 6]
    assert sizes() == [3, 6]
    add(ledger, 400)
    assert sizes() == [3, 6]
    add(ledger, 850)
    assert sizes() == [3, 6, 1_006]  # the last 250 wait for a minute
    key = read_verifier_key(log.key)
    found = read_checkpoint((folder / "checkpoint").read_text("utf-8"), key)
    assert found.size == 1_006
    written = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {tile.path for tile in tiles_between(0, 1_006)} | {"checkpoint"} == written
    for path in written:
        assert served(ledger.log, path) == (folder / path).read_bytes()
    assert served(ledger.log, "tile/0/004.p/226") is None  # in the log, and not signed yet
    full = (folder / "tile/0/002").read_bytes()
    hashes = [full[at : at + 32] for at in range(0, len(full), 32)]
    assert (folder / "tile/1/000.p/3").read_bytes()[64:] == subtree_root(hashes)


@pytest.mark.parametrize("what", ["of another ledger", "of more lines", "of other lines"])
def test_what_was_published_of_another_log_is_not_written_over(
    what: str, ledger: SqliteLedger, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Tiles that were passed over would be those of the other; a checkpoint that the log does not
    lead from is also the proof that the ledger was put back.
    """
    signer, folder, now_us = signer_of(ledger.id, RING), tmp_path / "published", [MINUTE_US]
    add(ledger, 3)
    log = LogPublisher(ledger, RING, lambda: now_us[0], folder)
    log.step()
    own = read_checkpoint((folder / "checkpoint").read_text("utf-8"))
    false = {
        "of another ledger": own._replace(origin="croupier/another"),
        "of more lines": own._replace(size=5),
        "of other lines": own._replace(root=bytes(32)),
    }[what].signed(signer)
    (folder / "checkpoint").write_text(false, "utf-8")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def published_later() -> None:
        add(ledger, 1)
        now_us[0] += MINUTE_US
        log.step()

    published_later()
    published_later()
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert after == before
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        f"{folder} is not published: the checkpoint there is not one that this log leads from"
    ]
    log.gate()
    (folder / "checkpoint").unlink()
    published_later()
    found = read_checkpoint((folder / "checkpoint").read_text("utf-8"))
    assert found.size == 6
    assert (folder / "tile/0/000.p/6").read_bytes() == served(ledger.log, "tile/0/000.p/6")


def test_more_lines_than_that_which_others_put_in_are_signed(ledger: SqliteLedger) -> None:
    log = LogPublisher(ledger, RING, lambda: MINUTE_US)
    add(ledger, 1)
    log.step()
    add(ledger, 2_500)
    Sequencer(ledger).catch_up()
    add(ledger, 1)
    for _ in range(3):  # signed; seen that another was quicker; gone on
        log.step()
    assert [kept.size for kept in ledger.log.checkpoints()] == [1, 2_501]
    assert ledger.log.size == 2_502


def test_a_log_that_was_written_anew_stops_play(ledger: SqliteLedger) -> None:
    log = LogPublisher(ledger, RING, lambda: MINUTE_US)
    add(ledger, 3)
    log.step()
    log.gate()
    add(ledger, 3)
    log.step()
    signer = signer_of(ledger.id, RING)
    false = Checkpoint(signer.name, 5, bytes(32)).signed(signer)
    ledger.log.keep(KeptCheckpoint(5, 0, false, log.key))
    log.step()
    with pytest.raises(Unavailable, match="written anew"):
        log.gate()


def test_the_service_shows_its_log_to_everybody(service: Service) -> None:
    def asked(path: str) -> tuple[int, str]:
        with closing(service.line()) as line:
            line.request("GET", path)
            answer = line.getresponse()
            return answer.status, answer.read().decode()

    status, word = asked("/log/key")
    assert (status, read_verifier_key(word).name.split("/")[0]) == (200, "croupier")
    assert asked("/log/tile/0/999")[0] == asked("/log/tile/zero")[0] == 404
    deadline = time.monotonic() + 60
    while (found := asked("/log/checkpoint"))[0] != 200:
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    assert read_checkpoint(found[1], read_verifier_key(word)).size > 0
