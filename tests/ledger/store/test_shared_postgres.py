"""A table is with one process at a time: who loses the connection has lost the table, at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest
from psycopg.conninfo import conninfo_to_dict

from croupier.audit.chain import prove_chain
from croupier.facts.errors import Unreadable
from croupier.ledger.events import LINK, REFUSALS, TABLE
from croupier.ledger.store.ownership import LostTable, News, Owners, Roster
from croupier.ledger.store.port import Moved, Unavailable, Writing
from croupier.ledger.store.shared_postgres import SharedLedger
from tests.ledger.lines import loose, writing
from tests.ledger.stores import Server
from tests.ledger.wire import wire_to

A, B = "http://127.0.0.1:8001", "http://127.0.0.1:8002"
Opened = Callable[..., SharedLedger]


@pytest.fixture
def database(server: Server) -> Iterator[str]:
    yield server.empty_database()
    server.take_back()


@pytest.fixture
def opened(database: str) -> Iterator[Opened]:
    with ExitStack() as stack:
        yield lambda here, silence_s=60.0: stack.enter_context(
            closing(SharedLedger(database, here, silence_s))
        )


def cut(server: Server, ledger: SharedLedger) -> None:
    server.run(f"SELECT pg_terminate_backend({ledger.me.backend}, 5000)")


def soon(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_one_has_a_table_and_only_that_one_writes(opened: Opened) -> None:
    a, b = opened(A), opened(B)
    assert isinstance(a, Owners)
    assert a.claim(["1", "2"]) == {"1", "2"}
    assert b.claim(["1", "2", "3"]) == {"3"}
    a.append(writing(f"{TABLE}1", 0, "a"), Writing(f"{LINK}x", 0, (loose("x"),)))
    for stream in (f"{TABLE}1", f"{REFUSALS}1", f"{TABLE}4"):
        with pytest.raises(LostTable):
            b.append(Writing(stream, 0, (loose("y"),)))
    told = b.append_each([(writing(f"{TABLE}3", 0, "b"),), (writing(f"{TABLE}2", 0, "c"),)])
    assert len(told[0]) == 1  # type: ignore[arg-type]
    assert isinstance(told[1], LostTable)
    a.release(["1"])
    assert b.claim(["1"]) == {"1"}
    b.append(writing(f"{TABLE}1", 1, "d"))
    with pytest.raises(LostTable):
        a.append(writing(f"{TABLE}1", 2, "e"))
    assert prove_chain(a) is None


def test_who_is_there_and_has_what_is_read_from_the_locks(opened: Opened, server: Server) -> None:
    a, b = opened(A), opened(B)
    a.join()
    a.claim(["1"])
    b.claim(["2"])
    assert a.roster(["1"]).processes == (a.me,)
    b.join()
    there = a.roster(["1", "2", "3"])
    assert there.processes == (a.me, b.me)
    assert there.owners == {"1": a.me, "2": b.me}
    b.stand_aside()
    assert a.roster(["2"]) == Roster((a.me,), {"2": b.me})
    b.join()
    b.close()
    soon(lambda: a.roster(["1", "2"]).processes == (a.me,))
    assert a.roster(["1", "2"]).owners == {"1": a.me}
    with pytest.raises(Unreadable, match="at most 45 letters"):
        SharedLedger(a.address, f"http://{'a' * 50}:8000")


def test_a_cut_process_takes_back_what_nobody_took(opened: Opened, server: Server) -> None:
    a, b = opened(A), opened(B)
    a.claim(["1", "2"])
    a.append(writing(f"{TABLE}1", 0, "a"), writing(f"{TABLE}2", 0, "b"))
    cut(server, a)
    assert b.claim(["1"]) == {"1"}
    with pytest.raises(LostTable):
        a.append(writing(f"{TABLE}1", 1, "c"))
    a.append(writing(f"{TABLE}2", 1, "d"))
    assert a.beat() == {"1"}
    assert a.beat() == frozenset()
    assert a.mine == {"2"}
    cut(server, a)
    assert a.beat() == frozenset()
    assert a.roster(["1", "2"]).owners == {"1": b.me, "2": a.me}


def test_a_silent_owner_is_put_down_and_cannot_write_when_it_wakes(opened: Opened) -> None:
    a, b = opened(A, 0.3), opened(B)
    a.claim(["1"])
    a.append(writing(f"{TABLE}1", 0, "a"))
    soon(lambda: b.claim(["1"]) == {"1"})  # meanwhile a says nothing
    with pytest.raises(LostTable):
        a.append(writing(f"{TABLE}1", 1, "b"))
    assert [line.command_id for line in b.read(f"{TABLE}1")] == ["a"]
    b.append(writing(f"{TABLE}1", 1, "c"))


@pytest.mark.parametrize("fault", ["request", "answer"])
@pytest.mark.parametrize("quicker", [True, False])
def test_lines_in_doubt_are_written_once_whoever_has_the_table(
    server: Server, database: str, opened: Opened, fault: str, quicker: bool
) -> None:
    """Cut in the middle of a commit; then another has the table, or we have it again."""
    b, name = opened(B), conninfo_to_dict(database)["dbname"]
    with wire_to(server) as wire:
        door = f"127.0.0.1:{wire.port}/{name}?sslmode=disable&gssencmode=disable"
        with closing(SharedLedger(f"postgresql://postgres@{door}", A, 60)) as a:
            a.claim(["1"])
            wire.fault = fault  # type: ignore[assignment]
            taken = threading.Event()
            if quicker:
                take_up = a._take_up

                def later() -> None:
                    soon(lambda: b.claim(["1"]) == {"1"})
                    taken.set()
                    take_up()

                a._take_up = later  # type: ignore[method-assign]
            if quicker and fault == "request":
                with pytest.raises(LostTable):
                    a.append(writing(f"{TABLE}1", 0, "a", 2))
            else:
                lines = a.append(writing(f"{TABLE}1", 0, "a", 2))
                assert tuple(b.read(f"{TABLE}1")) == lines
            assert wire.fault == ""
            assert taken.is_set() is quicker
            assert (a.mine == frozenset()) is quicker
            written = 0 if quicker and fault == "request" else 2
            assert b.head(f"{TABLE}1").version == written


def test_a_ghost_of_ours_does_not_keep_our_tables(opened: Opened, server: Server) -> None:
    """The connection is gone at our end only: the server still believes in it."""
    a = opened(A)
    a.claim(["1"])
    ghost = a._held
    a._held = None
    assert a.beat() == frozenset()
    assert a.mine == {"1"}
    assert ghost is not None
    assert ghost.info.backend_pid != a.me.backend
    a.append(writing(f"{TABLE}1", 0, "a"))
    ghost.close()


def test_two_on_one_link_never_write_the_same_version(opened: Opened) -> None:
    a, b = opened(A), opened(B)
    a.claim(["1"])
    b.claim(["2"])
    a.append(writing(f"{TABLE}1", 0, "a"), Writing(f"{LINK}x", 0, (loose("x"),)))
    with pytest.raises(Moved) as moved:
        b.append(writing(f"{TABLE}2", 0, "b"), Writing(f"{LINK}x", 0, (loose("y"),)))
    assert (moved.value.stream, moved.value.found) == (f"{LINK}x", 1)


def test_what_others_follow_is_heard_and_no_more(opened: Opened, server: Server) -> None:
    a, b = opened(A), opened(B)
    a.claim(["1"])
    heard = b.heard()
    assert next(heard) is None
    a.append(writing(f"{TABLE}1", 0, "a"), Writing(f"{LINK}x", 0, (loose("x"), loose("y"))))
    assert {next(heard), next(heard)} == {News(f"{TABLE}1", 1), News(f"{LINK}x", 2)}
    a.append(writing(f"{TABLE}1", 1, "b"))
    a.append(Writing("pit/people", 0, (loose("x"),)))
    assert next(heard) == News("pit/people", 1)
    listener = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    server.run(f"{listener} OR query = 'SELECT 1' AND pid <> {b.me.backend}")
    assert next(heard) is None
    a.release(["1"])
    assert next(heard) == News(TABLE, 0)
    heard.close()  # type: ignore[attr-defined]


def test_a_server_that_is_away_keeps_nobody_from_going_on_later(server: Server) -> None:
    name = conninfo_to_dict(server.empty_database())["dbname"]
    with wire_to(server) as wire:
        door = f"127.0.0.1:{wire.port}/{name}?sslmode=disable&gssencmode=disable"
        with closing(SharedLedger(f"postgresql://postgres@{door}", A, 60)) as a:
            a.claim(["1"])
            wire.dead = True
            cut(server, a)
            with pytest.raises(Unavailable, match="cannot be reached"):
                a.append(writing(f"{TABLE}1", 0, "a"))
            with pytest.raises(Unavailable):
                a.beat()
            wire.dead = False
            assert a.beat() == frozenset()
            a.append(writing(f"{TABLE}1", 0, "a"))
    server.take_back()


def test_a_table_given_up_while_the_server_is_away_is_nobodys(
    server: Server, database: str, opened: Opened
) -> None:
    """A pen that is taken up anew locks what is played, not what was given up meanwhile."""
    a, b = opened(A), opened(B)
    a.claim(["1", "2"])
    name = conninfo_to_dict(database)["dbname"]
    server.run(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    server.run(
        f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'"
    )
    with pytest.raises(Unavailable):
        a.beat()
    with pytest.raises(Unavailable):
        a.release(["1"])
    server.run(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    a.beat()
    assert a.mine == {"2"}
    assert b.claim(["1", "2"]) == {"1"}
