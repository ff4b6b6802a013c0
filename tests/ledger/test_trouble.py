"""When something goes wrong: one sentence that says what, nothing lost, nothing half-written."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest

from croupier.audit.chain import prove_chain
from croupier.facts.errors import Unreadable
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger, Unavailable, Writing
from croupier.ledger.store.postgres import PostgresLedger, understood
from croupier.ledger.store.sqlite import SqliteLedger
from tests.ledger.lines import answer, loose, writing
from tests.ledger.stores import Server

ROOT = Path(__file__).parents[2]
TABLE, LINK = "table 1", "link house"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.db"
    with closing(open_ledger(str(path), create=True)) as ledger:
        ledger.append(writing(TABLE, 0, "a", 2))
    return path


# Addresses


@pytest.mark.parametrize(
    "address",
    ["", "  ", "sqlite:", ":memory:", "mysql://ann:s3cret@host/db", "http://s3cret@host", "a\0b"]
    + [
        f"postgresql://ann:s3cret@host{rest}"
        for rest in (":port/db", "/db?nonsense=s3cret", "/%zz")
    ],
)
def test_a_bad_address_is_one_sentence_without_its_password(address: str) -> None:
    with pytest.raises(Unreadable) as refused:
        open_ledger(address)
    assert "s3cret" not in str(refused.value)
    assert str(refused.value)
    assert "\n" not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:s3cret@localhost:5433/casino",
        "postgresql://ann@localhost:5433/casino?password=s3cret",
        "postgres://ann:s3cret@localhost:5433/casino?sslpassword=s3cret&application_name=s3cret",
    ],
)
def test_a_password_is_never_shown(address: str) -> None:
    connect_with, shown = understood(address)
    assert "s3cret" in connect_with
    assert shown == "postgresql://ann@localhost:5433/casino"


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    for where in (f"/casino?host={tmp_path}&password=s3cret", "ann:s3cret@127.0.0.1:1/casino"):
        with pytest.raises(Unavailable, match="cannot be reached") as refused:
            open_ledger(f"postgresql://{where}")
        assert "s3cret" not in f"{refused.value!r} {refused.value.__cause__!r}"


def test_a_path_can_say_that_it_is_sqlite(tmp_path: Path) -> None:
    odd = tmp_path / "a ledger? 100% #1.db"
    with closing(open_ledger(f"sqlite:{odd}", create=True)) as ledger:
        assert ledger.address == str(odd)
        assert repr(ledger) == f"SqliteLedger({str(odd)!r})"
    assert os.listdir(tmp_path) == [odd.name]


# Files


def test_what_is_no_ledger_is_left_alone(tmp_path: Path) -> None:
    text, other, empty = (tmp_path / name for name in ("notes.txt", "other.db", "empty.db"))
    text.write_text("not a database at all, but longer than a page header " * 50)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    empty.touch()
    before = {path: path.read_bytes() for path in (text, other, empty)}
    for path, says in ((text, "not a ledger"), (other, "another program"), (tmp_path, "folder")):
        with pytest.raises(Unavailable, match=says):
            open_ledger(str(path), create=True)
    with pytest.raises(Unavailable, match="no ledger"):
        open_ledger(str(empty), read_only=True)
    with pytest.raises(Unavailable, match="folder does not exist"):
        open_ledger(str(tmp_path / "none" / "ledger.db"), create=True)
    assert {path: path.read_bytes() for path in before} == before


def test_a_locked_file_is_waited_for_and_then_told(file: Path) -> None:
    with closing(SqliteLedger(file, lock_timeout_s=0)) as ledger:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Unavailable, match="locked"):
                ledger.append(writing(TABLE, 2, "b"))
            assert ledger.head(TABLE).version == 2
        ledger.append(writing(TABLE, 2, "b"))


def test_a_file_that_is_taken_away_is_missed_at_once(file: Path, tmp_path: Path) -> None:
    away = tmp_path / "away.db"
    with closing(open_ledger(str(file))) as ledger:
        ledger.append(writing(TABLE, 2, "b"))
        file.rename(away)
        with pytest.raises(Unavailable, match="moved or removed"):
            ledger.append(writing(TABLE, 3, "c"))
        away.rename(file)
        ledger.append(writing(TABLE, 3, "c"))
        assert ledger.head(TABLE).version == 4


def test_a_log_without_its_ledger_is_not_written_over(file: Path) -> None:
    file.rename(file.with_name("ledger.db-wal"))
    with pytest.raises(Unavailable, match="log of a ledger that is not there"):
        open_ledger(str(file), create=True)


def test_every_commit_waits_for_the_disk(file: Path) -> None:
    with closing(SqliteLedger(file)) as ledger, ledger.lent() as connection:
        for pragma, right in (("synchronous", 2), ("journal_mode", "wal"), ("fullfsync", 1)):
            assert connection.execute(f"PRAGMA {pragma}").fetchone() == (right,)


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"], indirect=True)
def test_a_ledger_of_a_newer_program_is_refused(address: str, backend: str) -> None:
    open_ledger(address, create=True).close()
    change = "INSERT INTO {}migrations SELECT 99, at_us, hash FROM {}migrations"
    if backend == "sqlite":
        with closing(sqlite3.connect(address, isolation_level=None)) as connection:
            connection.execute(change.format("", ""))
    else:
        with closing(psycopg.connect(address, autocommit=True)) as server:
            server.execute(change.format("croupier.", "croupier.").encode())
    for read_only in (False, True):
        with pytest.raises(Unavailable, match=r"newer Croupier.*number 99.*knows 1"):
            open_ledger(address, read_only=read_only)


def test_a_file_that_vanishes_from_a_reader_is_missed(file: Path, tmp_path: Path) -> None:
    with closing(open_ledger(str(file), read_only=True)) as reader:
        file.rename(tmp_path / "away.db")
        with pytest.raises(Unavailable, match="No such file"):
            reader.heads()
        (tmp_path / "away.db").rename(file)
        assert reader.head(TABLE).version == 2


# A full disk


@contextmanager
def file_size_limit(file: Path) -> Iterator[Path]:
    """The system takes no more bytes into any file past this size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    try:
        yield file
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def fill(ledger: Ledger) -> tuple[int, str]:
    """Write until no more can be written: the last version acknowledged, and what was said then."""
    for n in count():
        table = ledger.head(TABLE).version
        asked, caused = answer(f"fill {n}", 2)
        big = loose("x" * 3_000)
        try:
            ledger.append(Writing(TABLE, table, (asked, big)), Writing(LINK, table, (caused, big)))
        except Unavailable as error:
            return table, str(error)
    raise AssertionError


def check_full(ledger: Ledger, acknowledged: int) -> None:
    assert prove_chain(ledger) is None
    assert ledger.head(TABLE).version == ledger.head(LINK).version == acknowledged > 0


def test_no_more_room_for_the_file(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with closing(open_ledger(str(path), create=True)) as ledger:
        with file_size_limit(path):
            acknowledged, said = fill(ledger)
            assert "the disk did not take or give the data" in said or "full" in said
            check_full(ledger, acknowledged)
        ledger.append(writing(TABLE, acknowledged, "room again"))
    with closing(open_ledger(str(path))) as ledger:
        assert prove_chain(ledger) is None
        assert ledger.head(TABLE).version == acknowledged + 1


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """A file system of two megabytes, where this user may mount one."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=2m,mode=777", "tmpfs", folder]
        if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
            yield None
            return
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill_and_make_room(address: str, ballast: Path) -> None:
    with closing(open_ledger(address, create=True)) as ledger:
        acknowledged, said = fill(ledger)
        assert "disk is full; make room and try again" in said
        check_full(ledger, acknowledged)
        with pytest.raises(Unavailable, match="full"):
            ledger.append(writing(TABLE, acknowledged, "still", 2000))
        ballast.unlink()
        ledger.append(writing(TABLE, acknowledged, "room again"))
    with closing(open_ledger(address)) as ledger:
        assert prove_chain(ledger) is None
        assert ledger.head(TABLE).version == acknowledged + 1


def test_a_full_disk() -> None:
    with small_disk() as disk:
        if disk is not None:
            (disk / "ballast").write_bytes(bytes(300_000))
            fill_and_make_room(str(disk / "ledger.db"), disk / "ballast")


def test_a_full_disk_of_the_server(server: Server) -> None:
    with small_disk() as disk:
        if disk is None:
            return
        (disk / "ballast").write_bytes(bytes(300_000))
        (disk / "space").mkdir()
        shutil.chown(disk / "space", server.folder.owner())
        (disk / "space").chmod(0o700)
        address = server.new_database()
        server.run(f"CREATE TABLESPACE small LOCATION '{disk / 'space'}'")
        name = address.split("/")[3].split("?")[0]
        server.run(f"ALTER ROLE postgres IN DATABASE {name} SET default_tablespace TO small")
        fill_and_make_room(address, disk / "ballast")
        server.run(f"DROP DATABASE {name}")
        server.run("DROP TABLESPACE small")


# Somebody who may only read


@pytest.fixture
def readable() -> Iterator[Path]:
    """A folder everybody may read and only its owner may write."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def stranger(file: Path, how: str) -> str:
    """What a user without the right to write sees; the owner loses it for the time being."""
    file.chmod(0o444)
    file.parent.chmod(0o555)
    command = [sys.executable, "-m", "tests.ledger.stranger", str(file), how]
    try:
        return subprocess.check_output(command, cwd=ROOT, text=True)
    finally:
        file.parent.chmod(0o755)
        file.chmod(0o644)


def test_a_ledger_is_audited_without_the_right_to_write(readable: Path) -> None:
    file = readable / "ledger.db"
    with closing(open_ledger(str(file), create=True)) as ledger:
        ledger.append(writing(TABLE, 0, "a", 2))
        for part in readable.iterdir():
            part.chmod(0o644)  # its owner alone could read it until then
        live = stranger(file, "read")
        shutil.copytree(readable, crash := readable / "crash")
    (crash / "ledger.db-shm").unlink()
    (crash / "ledger.db-wal").chmod(0o644)
    assert (crash / "ledger.db-wal").stat().st_size > 0
    for said in (live, stranger(file, "read"), stranger(crash / "ledger.db", "read")):
        assert said == "None {'table 1': 2}\n"
    assert sorted(os.listdir(readable)) == ["crash", "ledger.db"]
    assert sorted(os.listdir(crash)) == ["ledger.db", "ledger.db-wal"]


def test_a_file_that_cannot_be_written_says_so(readable: Path) -> None:
    file = readable / "ledger.db"
    with closing(open_ledger(str(file), create=True)) as ledger:
        ledger.append(writing(TABLE, 0, "a", 2))
    assert "cannot be written to; check their permissions" in stranger(file, "write")
    with closing(open_ledger(str(file))) as ledger:
        ledger.append(writing(TABLE, 2, "b"))


def test_reading_leaves_nothing_behind(file: Path) -> None:
    before = (os.listdir(file.parent), file.stat().st_mtime_ns, file.read_bytes())
    with closing(open_ledger(str(file), read_only=True)) as reader:
        assert prove_chain(reader) is None
    assert (os.listdir(file.parent), file.stat().st_mtime_ns, file.read_bytes()) == before


def test_a_writer_may_come_and_go_while_somebody_reads(file: Path) -> None:
    with closing(open_ledger(str(file), read_only=True)) as reader:
        for n in range(3):
            with suppress(StopIteration), closing(open_ledger(str(file))) as writer:
                writer.append(writing(TABLE, 2 + n, f"w{n}"))
                assert reader.head(TABLE).version == 3 + n
            assert reader.head(TABLE).version == 3 + n
        assert prove_chain(reader) is None


# PostgreSQL


def database_of(address: str) -> str:
    return address.split("/")[3].split("?")[0]


def test_the_server_has_to_wait_for_its_disk(server: Server) -> None:
    address = server.new_database()
    server.run(f"ALTER DATABASE {database_of(address)} SET synchronous_commit TO off")
    with closing(PostgresLedger(address, create=True)) as ledger, ledger._pool.lent() as lent:
        assert lent.execute("SHOW synchronous_commit").fetchone() == ("on",)
    try:
        server.run("ALTER SYSTEM SET fsync TO off")
        server.run("SELECT pg_reload_conf()")
        while server.run("SHOW fsync") != [("off",)]:
            pass
        with pytest.raises(Unavailable, match="does not wait for its disk"):
            open_ledger(address)
    finally:
        server.run("ALTER SYSTEM RESET fsync")
        server.run("SELECT pg_reload_conf()")
        while server.run("SHOW fsync") != [("on",)]:
            pass


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("ALTER DATABASE {} SET default_transaction_read_only TO on", "can only be read"),
        ("ALTER DATABASE {} CONNECTION LIMIT 0", "turned the user away .too many connections"),
        ("REVOKE CONNECT ON DATABASE {} FROM PUBLIC", "turned the user away .permission"),
        ("ALTER ROLE {clerk} NOLOGIN", "not permitted to log in"),
        ("ALTER DATABASE {} RENAME TO elsewhere", "turned the user away .database"),
    ],
)
def test_what_the_server_refuses(server: Server, change: str, says: str) -> None:
    address = server.new_database()
    name = database_of(address)
    clerk = f"clerk_of_{name}"
    server.run(f"CREATE ROLE {clerk} LOGIN")
    server.run(f"GRANT CREATE ON DATABASE {name} TO {clerk}")
    theirs = address.replace("postgres@", f"{clerk}@")
    with closing(open_ledger(theirs, create=True)) as ledger:
        ledger.append(writing(TABLE, 0, "a"))
    server.run(change.format(name, clerk=clerk))
    with pytest.raises(Unavailable, match=says), closing(open_ledger(theirs)) as ledger:
        ledger.append(writing(TABLE, 1, "b"))


def test_a_user_without_rights_reads_nothing(server: Server) -> None:
    address = server.new_database()
    open_ledger(address, create=True).close()
    server.run("CREATE ROLE guest LOGIN")
    with pytest.raises(Unavailable, match="check the rights"):
        open_ledger(address.replace("postgres@", "guest@"), read_only=True)
