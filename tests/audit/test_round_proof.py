"""A round as one file: what it holds for whom, and that nothing can be changed or put together."""

from __future__ import annotations

import base64
import functools
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.audit.proof_check import ProofCheck, check_proof
from croupier.audit.round_proof import ProofLine, RoundProof, round_proof
from croupier.facts.errors import Unavailable, Unreadable
from croupier.games.registry import the_registry
from croupier.ledger.events import ShoeCommitted
from croupier.ledger.replay import read_line
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.shoe.pack import pack_of
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.ledger.transparency import entry
from croupier.ledger.transparency.checkpoint import read_checkpoint
from croupier.ledger.transparency.sequencer import Sequencer
from croupier.ledger.transparency.signing_key import signer_of
from croupier.ledger.transparency.tree import leaf_hash, verify_inclusion
from croupier.table.events import MeterGrew, WagerSettled
from croupier.table.views import PUBLIC, SURVEILLANCE, Viewer
from tests.audit.nights import ROYAL_AT_BOX_1, the_night
from tests.audit.tampering import event, rewritten
from tests.ledger.evenings import Evening

ROOT = Path(__file__).parents[2]
ANN = Viewer(role="player", name="Ann")
RING = new_ring()
replace = msgspec.structs.replace


@functools.cache
def night() -> SqliteLedger:
    """The night with its log, in memory for all tests of this file."""
    import tempfile

    folder = tempfile.mkdtemp(prefix="croupier-")
    with closing(SqliteLedger(the_night().file, read_only=True)) as ledger:
        ledger.copy_to(Path(folder) / "night.db")
    made = SqliteLedger(Path(folder) / "night.db")
    signed(made)
    return made


def signed(ledger: SqliteLedger) -> None:
    sequencer = Sequencer(ledger)
    sequencer.catch_up()
    assert sequencer.sign(signer_of(ledger.id, RING), 1) is not None


@functools.cache
def proof(number: int = 1, viewer: Viewer = ANN, table: str = "1") -> RoundProof:
    return round_proof(night(), table, number, viewer)


def checked(made: RoundProof | bytes) -> ProofCheck:
    content = made if isinstance(made, bytes) else made.text()
    return check_proof(content, the_registry(), signer_of(night().id, RING).verifier)


@pytest.mark.parametrize(("table", "rounds"), [("1", range(1, 9)), ("2", range(1, 6))])
@pytest.mark.parametrize("viewer", [PUBLIC, SURVEILLANCE], ids=["public", "surveillance"])
def test_every_round_of_a_night_is_proved(table: str, rounds: range, viewer: Viewer) -> None:
    for number in rounds:
        found = checked(proof(number, viewer, table))
        assert found.differences == ()
        assert (found.table, found.round) == (table, number)
        assert found.is_void or found.boxes > 1
        assert found.settled > 1 or viewer == PUBLIC or found.is_void


def words(proof: RoundProof) -> str:
    """What it says, without hashes and salts, in which chance writes any name."""
    return re.sub(r"[A-Za-z0-9+/=]{20,}", "", proof.text().decode())


def test_a_player_is_given_his_own_and_nobody_elses() -> None:
    found = checked(proof())
    assert found.settled == 5
    told = words(proof())
    assert "Ann" in told
    assert not any(name in told for name in ("Ben", "Cleo", '"1.'))
    of_public = words(proof(viewer=PUBLIC))
    assert not any(name in of_public for name in ("Ann", "Ben", "Cleo", "purse"))
    assert '"body.sealed","value"' not in proof(viewer=SURVEILLANCE).text().decode()
    assert [line.entry for line in proof().lines] == [
        line.entry for line in proof(viewer=SURVEILLANCE).lines
    ]


def test_what_is_no_round_or_not_ones_own_is_refused() -> None:
    with pytest.raises(Unavailable, match="not over yet"):
        proof(9)
    with pytest.raises(Unreadable, match="no round 10 that was played"):
        proof(10)
    with pytest.raises(Unreadable, match="round 1 has no player"):
        proof(1, Viewer(role="player", name="Zoe"))


def holds(content: bytes) -> bool:
    try:
        return not checked(content).differences
    except Unreadable:
        return False


def changed_bytes(times: int) -> int:
    """How many of so many bytes that were turned, left out or put in went unnoticed."""
    content, chance, passed = proof().text(), random.Random(27), 0
    assert holds(content)
    for _ in range(times):
        at = chance.randrange(len(content))
        turned = bytes([content[at] ^ (1 << chance.randrange(8))])
        more = bytes([chance.choice(content), content[at]])
        other = content[:at] + chance.choice((turned, b"", more)) + content[at + 1 :]
        passed += other != content and holds(other)
    return passed


def test_any_byte_changed_fails() -> None:
    assert changed_bytes(300) == 0


@pytest.mark.prove
def test_any_of_many_bytes_changed_fails() -> None:
    assert changed_bytes(100_000) == 0


def written_otherwise() -> list[bytes]:
    """The same proof, in another way to write a salt or a place."""
    content = proof().text()
    salt, place = content.index(b'"salt":"') + 8, content.index(b',"path"')
    digits, rest = content[salt : salt + 64], content[salt + 64 :]
    first = b'"index":1,'
    assert first in content
    return [
        content[:salt] + b" " + digits + rest,
        content[:salt] + digits + b" " + rest,
        content[:salt] + digits.upper() + rest,
        content[:place] + b".0" + content[place:],
        content.replace(first, b'"index":true,'),
    ]


def test_a_proof_is_written_in_one_way() -> None:
    assert not any(holds(other) for other in written_otherwise())


Assembly = Callable[[list[ProofLine], list[ProofLine]], list[ProofLine]]
ASSEMBLED: dict[str, Assembly] = {
    "a line left out": lambda own, other: own[:5] + own[6:],
    "the last line left out": lambda own, other: own[:-1],
    "the first line left out": lambda own, other: own[1:],
    "a line twice": lambda own, other: [*own[:5], own[4], *own[5:]],
    "two lines swapped": lambda own, other: [*own[:5], own[6], own[5], *own[7:]],
    "a line of another round": lambda own, other: [*own[:5], other[5], *own[6:]],
    "the commitment of another round": lambda own, other: [own[0], other[1], *own[2:]],
    "two rounds as one": lambda own, other: own + other[1:],
    "openings of another line": lambda own, other: [
        *own[:-8], *(replace(line, openings=own[3].openings) for line in own[-8:])
    ],
    "openings of another round": lambda own, other: [
        replace(line, openings=its.openings) for line, its in zip(own, other, strict=False)
    ],
}  # fmt: skip


@pytest.mark.parametrize("how", ASSEMBLED)
def test_what_is_put_together_from_others_fails(how: str) -> None:
    own, other = list(proof(1).lines), list(proof(2).lines)
    made = replace(proof(1), lines=tuple(ASSEMBLED[how](own, other)))
    assert made != proof(1)
    assert not holds(made.text())


def bare(lines: Iterable[ProofLine]) -> list[ProofLine]:
    """The lines without what their viewer was told beside them."""
    return [replace(line, openings=()) for line in lines]


@given(st.data())
def test_whatever_is_put_together_is_a_whole_round_or_fails(data: st.DataObject) -> None:
    """Runs of lines from any rounds, tables and viewers; of one round for two viewers each line is
    what it was, and either may be told."""
    pools = [proof(), proof(1, PUBLIC), proof(2, PUBLIC), proof(1, PUBLIC, "2")]
    made: list[ProofLine] = []
    for _ in range(data.draw(st.integers(1, 3))):
        lines = data.draw(st.sampled_from(pools)).lines
        start, end = len(made), len(lines)
        if data.draw(st.booleans()):
            start = data.draw(st.integers(0, end - 1))
            end = data.draw(st.integers(start, end))
        made += lines[start:end]
    whole = bare(made) in [bare(each.lines) for each in pools]
    assert holds(replace(proof(), lines=tuple(made)).text()) is whole


def test_lines_of_another_table_or_checkpoint_fail() -> None:
    other = proof(1, PUBLIC, "2")
    assert not holds(replace(proof(), lines=(other.lines[0], *proof().lines[1:])).text())
    assert not holds(replace(proof(), lines=other.lines[:1] + proof(1, PUBLIC).lines[1:]).text())
    signer = signer_of(night().id, new_ring())
    note = signer.sign(proof().checkpoint.partition("\n\n")[0] + "\n")
    again = replace(proof(), checkpoint=note, key=str(signer.verifier))
    assert not holds(again.text())
    assert not check_proof(again.text(), the_registry()).differences  # who names no key is told so


def tlog_proof(line: ProofLine, checkpoint: str) -> str:
    """c2sp.org/tlog-proof: what the page about the sealed shoe says that a line of the file is."""
    return "\n".join(["c2sp.org/tlog-proof@v1", f"index {line.index}", *line.path, "", checkpoint])


def test_each_line_is_a_tlog_proof() -> None:
    """Read as the specification has it, by its own steps."""
    for line in proof().lines:
        head, _, rest = tlog_proof(line, proof().checkpoint).partition("\n\n")
        version, index, *hashes = head.split("\n")
        assert version == "c2sp.org/tlog-proof@v1"
        assert re.fullmatch(r"index (0|[1-9][0-9]*)", index)
        signed = read_checkpoint(rest, signer_of(night().id, RING).verifier)
        path = [base64.b64decode(word, validate=True) for word in hashes]
        leaf, place = leaf_hash(line.entry.encode()), int(index.removeprefix("index "))
        verify_inclusion(leaf, place, signed.size, path, signed.root)


def test_a_house_that_pays_wrong_is_found_by_the_players_file(tmp_path: Path) -> None:
    """Line, chain, log and signature are all made by the house."""
    lines = list(night().read("table/1"))
    paid = next(line for line in lines if line.kind == "wager-settled" and '"box":1' in line.body)
    net = next(line for line in lines if line.kind == "box-settled" and '"box":3' in line.body)
    for change in (
        event("table/1", paid.version, paid_cents=1),
        event("table/1", net.version, net_cents=1),
    ):
        with rewritten(night(), tmp_path, change) as other:
            assert isinstance(other, SqliteLedger)
            signed(other)
            found = checked(round_proof(other, "1", 1, ANN))
        assert [one.part for one in found.differences] == ["settlement"]


def jackpot(ledger: SqliteLedger, table: str) -> tuple[int, int]:
    """Number and box of the round that drew on a meter."""
    number = 0
    for line in ledger.read(f"table/{table}"):
        told = read_line(line)
        number = told.round if isinstance(told, ShoeCommitted) else number
        if isinstance(told, WagerSettled) and told.meter:
            return number, told.box
    raise AssertionError("nobody drew on a meter")


def test_a_share_of_a_meter_is_settled_again_for_who_is_not_told_the_line(tmp_path: Path) -> None:
    number, box = jackpot(night(), "1")
    lines = iter(night().read("table/1"))
    next(line for line in lines if line.kind == "wager-settled" and '"meter":"' in line.body)
    net = next(line for line in lines if line.kind == "box-settled" and f'"box":{box}' in line.body)
    right = checked(proof(number, PUBLIC))
    assert (right.boxes, right.differences) == (3, ())
    with rewritten(night(), tmp_path, event("table/1", net.version, net_cents=1)) as other:
        assert isinstance(other, SqliteLedger)
        signed(other)
        found = checked(round_proof(other, "1", number, PUBLIC))
    assert [(one.part, one.version) for one in found.differences] == [("settlement", net.version)]


def test_a_reading_told_to_all_is_the_one_that_the_winner_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house that puts another into its entries, and signs them."""
    number, box = jackpot(night(), "1")
    right = entry._divided

    def lying(line: LedgerLine) -> tuple[entry.Fields, entry.Parts]:
        fields, hidden = right(line)
        more = {name: msgspec.Raw(b"1") for name in fields if name == "meter_before_micros"}
        return fields | more, hidden

    monkeypatch.setattr(entry, "_divided", lying)
    with rewritten(night(), tmp_path) as other:
        assert isinstance(other, SqliteLedger)
        signed(other)
        found = checked(round_proof(other, "1", number, PUBLIC))
        assert f"box {box} came to another sum" in found.differences[0].sentence
        with pytest.raises(Unreadable, match="tells something else than it hides"):
            checked(round_proof(other, "1", number, SURVEILLANCE))


def test_a_meter_that_another_table_moved_meanwhile(tmp_path: Path) -> None:
    """What it read when the box drew on it stands in the entry, for everybody."""
    evening = Evening(27)
    fresh = evening.packs
    with closing(SqliteLedger(tmp_path / "pit.db", create=True)) as ledger:
        other = evening.install(ledger, "UTH-S", "2", "harbor")
        evening.packs = lambda: pack_of(ROYAL_AT_BOX_1, random.Random(1).getrandbits)
        table = evening.install(ledger, "UTH-S", "1", "harbor")
        evening.packs = fresh
        for each in (other, table):
            evening.sit(each, 3)
        while table.state.round.stage == "betting":
            evening.go_on(table)
        other.link.refresh()  # type: ignore[union-attr]
        evening.play(other, 1)
        table.link.refresh()  # type: ignore[union-attr]
        evening.play(table, 1)
        signed(ledger)
        told = [read_line(line) for line in ledger.read("table/1")]
        (drawn,) = (each for each in told if isinstance(each, WagerSettled) and each.meter)
        grown = [each for each in told if isinstance(each, MeterGrew)]
        found = check_proof(round_proof(ledger, "1", 1, PUBLIC).text(), the_registry())
    at_lock_out = {each.meter: each.reading_micros for each in grown}
    assert drawn.meter_before_micros > at_lock_out[str(drawn.meter)]
    assert (found.boxes, found.differences) == (3, ())


def test_the_script_of_the_docs_agrees(tmp_path: Path) -> None:
    script, file = ROOT / "docs" / "check_round_proof.py", tmp_path / "round-1.round-proof"
    assert len(script.read_text("utf-8").splitlines()) <= 150
    key = str(signer_of(night().id, RING).verifier)

    def run(content: bytes, *more: str) -> subprocess.CompletedProcess[str]:
        file.write_bytes(content)
        command = [sys.executable, str(script), str(file), *more]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    right = run(proof().text(), key)
    assert (right.returncode, "table/1, round 1: " in right.stdout) == (0, True), right.stderr
    assert run(proof().text(), key[:-2] + "AA").returncode != 0
    for other in written_otherwise():
        assert run(other).returncode != 0
    for how in ("a line left out", "a line of another round", "openings of another line"):
        lines = ASSEMBLED[how](list(proof(1).lines), list(proof(2).lines))
        assert run(replace(proof(1), lines=tuple(lines)).text()).returncode != 0, how
