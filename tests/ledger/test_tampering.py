"""Whatever somebody changes behind a ledger's back, the chain proof finds it and says where."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import psycopg
import pytest

from croupier.audit.chain import prove_chain
from croupier.audit.tree_proof import CHANGED, MISSING
from croupier.ledger.store.address import is_postgresql, open_ledger
from croupier.ledger.store.line import Break, LedgerLine, chained, genesis
from croupier.ledger.store.port import Unavailable, Writing
from croupier.ledger.transparency.sequencer import Sequencer
from tests.ledger.intruder import Run, intruder
from tests.ledger.lines import answer, checkpoint, loose

FIELDS = LedgerLine.__struct_fields__[:-1]  # the MAC is checked by whoever has the keys
LINK, TABLE = "link house", "table 1"


@pytest.fixture
def kept(address: str) -> str:
    """A short evening: one command that touches two streams, others that touch one."""
    with closing(open_ledger(address, create=True)) as ledger:
        ledger.append(Writing(TABLE, 0, answer("a", 2)))
        asked, caused, more = answer("b", 3)
        ledger.append(Writing(TABLE, 2, (asked, caused)), Writing(LINK, 0, (more, loose("♠"))))
        ledger.append(Writing(LINK, 2, answer("c")))
    return address


def first_break(address: str) -> Break | None:
    with closing(open_ledger(address)) as ledger:
        return prove_chain(ledger)


def all_lines(address: str) -> list[LedgerLine]:
    with closing(open_ledger(address)) as ledger:
        return [line for stream in ledger.heads() for line in ledger.read(stream)]


def flipped(value: str | bytes | int, bit: int) -> str | bytes | int:
    """The value with one bit of what is stored turned over."""
    if isinstance(value, int):
        turned = (value % 2**64) ^ (1 << bit % 64)
        return turned - 2**64 if turned >= 2**63 else turned
    raw = bytearray(value.encode() if isinstance(value, str) else value)
    if not raw:
        return "\x01" if isinstance(value, str) else b"\x01"
    raw[bit // 8 % len(raw)] ^= 1 << bit % 8
    return raw.decode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(raw)


def storable(value: object, address: str) -> tuple[str, object] | None:
    """How to write it; nothing where the store could not hold such a text at all."""
    if not isinstance(value, str):
        return "?", value
    raw = value.encode("utf-8", "surrogateescape")
    if not is_postgresql(address):
        return "CAST(? AS TEXT)", raw
    return ("?", value) if is_text(raw) else None


def is_text(raw: bytes) -> bool:
    try:
        return "\0" not in raw.decode()
    except UnicodeDecodeError:
        return False


def bit_is_found(address: str, run: Run, line: LedgerLine, field: str, bit: int) -> bool:
    """Whether this one bit was found, at its place; the ledger is left as it was."""
    value = getattr(line, field)
    turned = flipped(value, bit)
    written = storable(turned, address)
    if written is None:
        return True
    how, what = written
    number = run(
        f"SELECT {row_id(address)} FROM lines WHERE stream = ? AND version = ?",
        line.stream,
        line.version,
    )[0][0]
    where = f"WHERE {row_id(address)} = ?"
    try:
        run(f"UPDATE lines SET {field} = {how} {where}", what, number)
    except (sqlite3.IntegrityError, psycopg.errors.UniqueViolation):
        return True
    found = first_break(address)
    number = number if not is_postgresql(address) else moved_to(run, line, field, what)
    run(f"UPDATE lines SET {field} = ? {where}", value, number)
    return is_there(found, line, field, turned)


def row_id(address: str) -> str:
    return "ctid" if is_postgresql(address) else "rowid"


def moved_to(run: Run, line: LedgerLine, field: str, what: object) -> object:
    """PostgreSQL writes a changed row somewhere else; the other fields of a line still name it."""
    other = "hash" if field != "hash" else "previous"
    return run(
        f"SELECT ctid FROM lines WHERE {other} = ? AND {field} = ?", getattr(line, other), what
    )[0][0]


def is_there(found: Break | None, line: LedgerLine, field: str, turned: object) -> bool:
    """Exactly at the line; for one that was moved away, at the hole or where it stands now."""
    if found is None:
        return False
    if field == "stream":
        return found.stream in (line.stream, turned)
    if field == "version":
        return found.stream == line.stream and found.version <= line.version
    return (found.stream, found.version) == (line.stream, line.version)


def test_an_untouched_ledger_holds(kept: str) -> None:
    assert first_break(kept) is None
    with intruder(kept):
        pass
    assert first_break(kept) is None


@pytest.mark.parametrize("field", FIELDS)
def test_a_bit_of_any_field_of_any_line_is_found(kept: str, field: str) -> None:
    chance = Random(field)
    with intruder(kept) as run:
        for line in all_lines(kept):
            for bit in {0, 63, chance.randrange(2048), chance.randrange(2048)}:
                assert bit_is_found(kept, run, line, field, bit), (line, bit)
    assert first_break(kept) is None


@pytest.mark.prove
@pytest.mark.parametrize("field", FIELDS)
def test_every_bit_of_every_field_is_found(kept: str, field: str) -> None:
    with intruder(kept) as run:
        for line in all_lines(kept):
            value = getattr(line, field)
            raw = value.encode() if isinstance(value, str) else value
            for bit in range(64 if isinstance(raw, int) else 8 * max(1, len(raw))):
                assert bit_is_found(kept, run, line, field, bit), (line, bit)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_removed_line_is_found(kept: str, version: int) -> None:
    with intruder(kept) as run:
        run("DELETE FROM lines WHERE stream = ? AND version = ?", TABLE, version)
    found = first_break(kept)
    assert found is not None
    assert (found.stream, found.version) == (TABLE, version)


def test_two_lines_swapped_are_found(kept: str) -> None:
    with intruder(kept) as run:
        for old, new in ((2, 99), (3, 2), (99, 3)):
            run("UPDATE lines SET version = ? WHERE stream = ? AND version = ?", new, TABLE, old)
    found = first_break(kept)
    assert found is not None
    assert (found.stream, found.version) == (TABLE, 2)


def test_an_inserted_line_is_found(kept: str) -> None:
    """Even one that is chained rightly to the line before: the next one does not fit it."""
    lines = [line for line in all_lines(kept) if line.stream == TABLE]
    (extra,) = chained(TABLE, 2, lines[1].hash, [loose("a win that never was")])
    with intruder(kept) as run:
        for version in (4, 3):
            sql = "UPDATE lines SET version = ? WHERE stream = ? AND version = ?"
            run(sql, version + 1, TABLE, version)
        marks = ", ".join("?" * (len(FIELDS) + 1))
        run(f"INSERT INTO lines VALUES ({marks})", *msgspec.structs.astuple(extra))
    found = first_break(kept)
    assert found is not None
    assert (found.stream, found.version) == (TABLE, 4)


def test_a_line_changed_together_with_its_hash_is_found_at_the_next(kept: str) -> None:
    line = next(line for line in all_lines(kept) if (line.stream, line.version) == (TABLE, 2))
    forged = msgspec.structs.replace(line, actor="Eve").digest()
    with intruder(kept) as run:
        run("UPDATE lines SET actor = 'Eve', hash = ? WHERE hash = ?", forged, line.hash)
    assert first_break(kept) == Break(TABLE, 3, "it does not point back to the line before it")


def test_a_renamed_stream_is_found(kept: str) -> None:
    with intruder(kept) as run:
        run("UPDATE lines SET stream = 'table 9' WHERE stream = ?", TABLE)
    found = first_break(kept)
    assert found is not None
    assert (found.stream, found.version) == ("table 9", 1)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE ledger SET id = 'another'",
        "UPDATE migrations SET at_us = at_us + 1",
        "UPDATE migrations SET number = 0",
        "DELETE FROM migrations",
        "INSERT INTO migrations SELECT number - 5, at_us, hash FROM migrations",
    ],
)
def test_a_changed_ledger_id_or_migration_is_found(kept: str, change: str) -> None:
    """Found by whoever opens it afterwards, if it can still be opened."""
    with intruder(kept) as run:
        run(change)
    try:
        found = first_break(kept)
    except Unavailable as error:
        found = Break("", 0, str(error))
    assert found is not None
    assert (found.stream, found.version) == ("", 0)


@pytest.mark.parametrize(
    "change", ["DELETE FROM ledger", "INSERT INTO ledger SELECT 'another', blinding FROM ledger"]
)
def test_a_ledger_without_one_id_is_not_opened(kept: str, change: str) -> None:
    with intruder(kept) as run:
        run(change)
    with pytest.raises(Unavailable, match="damaged"):
        open_ledger(kept)


def test_a_cut_tail_is_found_by_the_log(kept: str) -> None:
    with closing(open_ledger(kept)) as ledger:
        signed = checkpoint(ledger)
        assert prove_chain(ledger, signed) is None
        ledger.append(Writing("table 2", 0, (loose(),)))
        assert prove_chain(ledger, signed) is None
    with intruder(kept) as run:
        run("DELETE FROM lines WHERE stream = ? AND version >= 3", TABLE)
        run("DELETE FROM lines WHERE stream = ? AND command_id = 'b'", LINK)
        run("DELETE FROM lines WHERE stream = ? ", LINK)
    with closing(open_ledger(kept)) as ledger:
        assert prove_chain(ledger) == Break(TABLE, 3, MISSING)


@pytest.mark.parametrize("rolled_back", [False, True])
def test_a_cut_log_is_found_against_a_checkpoint_kept_elsewhere(
    kept: str, rolled_back: bool
) -> None:
    """Whoever may write the database cuts off lines, leaves and checkpoints alike."""
    with closing(open_ledger(kept)) as ledger:
        signed = checkpoint(ledger)
    with intruder(kept) as run:
        run("DELETE FROM lines WHERE stream = ?", LINK)
        run("DELETE FROM log_entries")
        run("DELETE FROM checkpoints")
    with closing(open_ledger(kept)) as ledger:
        if rolled_back:
            checkpoint(ledger)
        found = prove_chain(ledger, signed)
        assert prove_chain(ledger) is None
    assert found is not None
    assert "lines were cut off" in found.why


def test_a_chain_written_anew_is_found_by_the_log(kept: str) -> None:
    with closing(open_ledger(kept)) as ledger:
        signed = checkpoint(ledger)
        previous = genesis(ledger.id, TABLE)
    with intruder(kept) as run:
        for line in [line for line in all_lines(kept) if line.stream == TABLE]:
            forged = msgspec.structs.replace(line, actor="Eve", previous=previous)
            previous = forged.digest()
            run(
                "UPDATE lines SET actor = 'Eve', previous = ?, hash = ? "
                "WHERE stream = ? AND version = ?",
                forged.previous,
                previous,
                TABLE,
                line.version,
            )
    with closing(open_ledger(kept)) as ledger:
        assert prove_chain(ledger) == Break(TABLE, 1, CHANGED)
    with intruder(kept) as run:
        run("DELETE FROM log_entries")
        run("DELETE FROM checkpoints")
    with closing(open_ledger(kept)) as ledger:
        Sequencer(ledger).catch_up()
        assert prove_chain(ledger) is None
        found = prove_chain(ledger, signed)
    assert found is not None
    assert "are not those that were signed" in found.why


def test_lines_that_answer_nobody_are_found(kept: str) -> None:
    """A chain can be whole and the answers in it not; the auditor reads them too."""
    with closing(open_ledger(kept)) as ledger:
        head = ledger.head(LINK)
    (orphan,) = chained(LINK, head.version, head.hash, answer("nobody", 2)[1:])
    with intruder(kept) as run:
        marks = ", ".join("?" * (len(FIELDS) + 1))
        run(f"INSERT INTO lines VALUES ({marks})", *msgspec.structs.astuple(orphan))
    assert first_break(kept) == Break(LINK, 4, "it answers command nobody, which nobody gave")


# The file itself


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.db"
    with closing(open_ledger(str(path), create=True)) as ledger:
        ledger.append(Writing(TABLE, 0, answer("a", 2)))
        asked, caused, more = answer("b", 3)
        ledger.append(Writing(TABLE, 2, (asked, caused)), Writing(LINK, 0, (more, loose("♠"))))
    return path


def rows_by_table(file: Path) -> list[object]:
    """All that the chain answers for, read without any index; what blinds the leaves of the log is
    judged by the log, and no line here is in it yet."""
    with closing(sqlite3.connect(f"file:{file}?immutable=1", uri=True)) as connection:
        connection.text_factory = bytes
        return [
            connection.execute(f"SELECT {of} FROM {table} NOT INDEXED ORDER BY rowid").fetchall()
            for of, table in (("id", "ledger"), ("*", "migrations"), ("*", "lines"))
        ]


def is_found(file: Path) -> bool:
    try:
        with closing(open_ledger(str(file), read_only=True)) as ledger:
            return prove_chain(ledger) is not None
    except Unavailable:
        return True


def flip_bits_of_the_file(file: Path, bits: list[int]) -> int:
    """How many were found; every other one must have left all rows as they were."""
    right, whole = file.read_bytes(), rows_by_table(file)
    found = 0
    for bit in bits:
        wrong = bytearray(right)
        wrong[bit // 8] ^= 1 << bit % 8
        file.write_bytes(wrong)
        if is_found(file):
            found += 1
        else:
            assert rows_by_table(file) == whole, bit
    file.write_bytes(right)
    return found


def test_a_bit_of_the_file_is_found_or_means_nothing(file: Path) -> None:
    chance = Random(5)
    size = 8 * file.stat().st_size
    assert flip_bits_of_the_file(file, [chance.randrange(size) for _ in range(300)]) > 20


@pytest.mark.prove
def test_thousands_of_bits_of_the_file(file: Path) -> None:
    chance = Random(6)
    size = 8 * file.stat().st_size
    assert flip_bits_of_the_file(file, [chance.randrange(size) for _ in range(10_000)]) > 500


def test_an_index_that_lies_is_found(file: Path) -> None:
    """A line that no index leads to is still in the table: only the file's own check sees it."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        ((page,),) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'lines_of_kinds'"
        )
    raw = bytearray(file.read_bytes())
    start = (page - 1) * 4096
    at = raw.index(b"wager_placed", start, start + 4096)
    raw[at] ^= 1
    file.write_bytes(raw)
    with closing(open_ledger(str(file), read_only=True)) as ledger:
        found = prove_chain(ledger)
    assert found is not None
    assert "SQLite finds the file damaged" in found.why


@pytest.mark.parametrize(
    "change",
    [
        "DROP TRIGGER lines_stay",
        "DROP INDEX lines_of_commands",
        "CREATE TRIGGER twist AFTER INSERT ON lines BEGIN DELETE FROM ledger; END",
        "CREATE TABLE extra (x)",
    ],
)
def test_other_tables_or_triggers_are_found(file: Path, change: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(change)
    with closing(open_ledger(str(file), read_only=True)) as ledger:
        found = prove_chain(ledger)
    assert found == Break("", 0, "a table, an index or a trigger is not the one that Croupier made")


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("DROP TRIGGER lines_stay ON lines", "lines_stay"),
        ("ALTER TABLE lines DISABLE TRIGGER lines_stay", "lines_stay"),
        ("DROP INDEX lines_of_commands", "lines_of_commands"),
    ],
)
@pytest.mark.parametrize("backend", ["postgresql"], indirect=True)
def test_guards_that_a_server_lost_are_found(kept: str, change: str, name: str) -> None:
    with intruder(kept) as run:
        run(change)
    assert first_break(kept) == Break("", 0, f"{name} is not in force in the database")
