"""The answer to a commit is lost: the ledger finds out whether the lines were written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from psycopg.conninfo import conninfo_to_dict

from croupier.audit.chain import prove_chain
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger, Moved, Repeated, Unavailable, Writing
from croupier.ledger.store.postgres import PostgresLedger
from tests.ledger.lines import loose, writing
from tests.ledger.stores import Server
from tests.ledger.wire import Wire, wire_to

TABLE, LINK = "table 1", "link house"


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    with wire_to(server) as wire:
        yield wire


@pytest.fixture
def ledger(server: Server, wire: Wire) -> Iterator[Ledger]:
    name = conninfo_to_dict(server.empty_database())["dbname"]
    far = f"postgresql://postgres@127.0.0.1:{wire.port}/{name}?sslmode=disable&gssencmode=disable"
    with closing(open_ledger(far, create=True)) as ledger:
        ledger.append(writing(TABLE, 0, "a"))
        yield ledger
    server.take_back()


@pytest.mark.parametrize("fault", ["request", "answer"])
@pytest.mark.parametrize("command", [True, False])
def test_lines_in_doubt_are_written_once(
    ledger: Ledger, wire: Wire, fault: str, command: bool
) -> None:
    wire.fault = fault  # type: ignore[assignment]
    new = writing(TABLE, 1, "b", 2) if command else Writing(TABLE, 1, (loose("x"), loose("y")))
    lines = ledger.append(new, Writing(LINK, 0, (loose("z"),)))
    assert wire.fault == ""
    assert tuple(ledger.read(TABLE, after=1)) + tuple(ledger.read(LINK)) == lines
    assert [line.version for line in lines] == [2, 3, 1]
    assert prove_chain(ledger) is None


@pytest.mark.parametrize("fault", ["request", "answer"])
def test_what_many_wrote_at_once_is_written_once(ledger: Ledger, wire: Wire, fault: str) -> None:
    wire.fault = fault  # type: ignore[assignment]
    told = ledger.append_each(
        [(writing(TABLE, 1, "b", 2),), (writing(LINK, 0, "c"),), (writing(LINK, 0, "d"),)]
    )
    assert wire.fault == ""
    assert [told[0], told[1]] == [tuple(ledger.read(TABLE, after=1)), tuple(ledger.read(LINK))]
    assert isinstance(told[2], Moved)
    assert prove_chain(ledger) is None


def test_a_server_that_stays_away_leaves_a_doubt_that_the_command_id_ends(
    ledger: Ledger, wire: Wire
) -> None:
    wire.fault = "answer, then dead"
    with pytest.raises(Unavailable, match="whether the last lines were written"):
        ledger.append(writing(TABLE, 1, "b", 2))
    with pytest.raises(Unavailable, match="cannot be reached"):
        ledger.append(writing(TABLE, 1, "c"))
    wire.dead = False
    with pytest.raises(Repeated):
        ledger.append(writing(TABLE, 1, "b", 2))
    assert len(ledger.answered("b")) == 2
    assert prove_chain(ledger) is None


class Blind(PostgresLedger):
    """It can write again after a cut, and not yet look."""

    def _ours(self, writings: Sequence[Writing]) -> tuple[LedgerLine, ...]:
        raise Unavailable("the server cannot be reached")


def test_a_doubt_that_cannot_be_looked_into_is_told_as_one(server: Server, wire: Wire) -> None:
    name = conninfo_to_dict(server.empty_database())["dbname"]
    far = f"postgresql://postgres@127.0.0.1:{wire.port}/{name}?sslmode=disable&gssencmode=disable"
    with closing(Blind(far, create=True)) as ledger:
        wire.fault = "answer"
        with pytest.raises(Unavailable, match="cannot be reached; whether the last lines were"):
            ledger.append(writing(TABLE, 0, "a"))
        assert len(ledger.answered("a")) == 1
    server.take_back()


def test_another_writer_who_was_quicker_is_not_taken_for_us(
    ledger: Ledger, wire: Wire, server: Server
) -> None:
    """Cut before the commit: somebody else gets the place, and our lines are not there."""
    wire.fault = "request"
    name = str(ledger.address.rsplit("/", 1)[1])
    with closing(open_ledger(server.address(name))) as other:
        other.append(writing(TABLE, 1, "quicker"))
    with pytest.raises(Moved):
        ledger.append(writing(TABLE, 1, "b"))
    assert [line.command_id for line in ledger.read(TABLE)] == ["a", "quicker"]


def test_a_connection_cut_while_idle_is_opened_again(ledger: Ledger, server: Server) -> None:
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    server.run(f"{end} AND backend_type = 'client backend'")
    assert ledger.head(TABLE).version == 1
    server.run(f"{end} AND backend_type = 'client backend'")
    ledger.append(writing(TABLE, 1, "b"))
    assert prove_chain(ledger) is None
