"""The ledger's one contract, run on a real SQLite file and a real PostgreSQL server."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from croupier.audit.chain import prove_chain
from croupier.facts.errors import Unreadable
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import (
    LedgerLine,
    LineDraft,
    chained,
    followed,
    genesis,
    read_entries,
)
from croupier.ledger.store.port import Head, Ledger, Moved, Repeated, Unavailable, Writing
from tests.ledger.appending import append_until
from tests.ledger.lines import answer, loose, writing

ROOT = Path(__file__).parents[3]
TABLE, LINK = "table 1", "link house"


@pytest.fixture
def ledger(address: str) -> Iterator[Ledger]:
    with closing(open_ledger(address, create=True)) as ledger:
        yield ledger


def whole(ledger: Ledger, stream: str) -> list[LedgerLine]:
    return list(followed(ledger.id, stream, ledger.read(stream)))


def test_a_new_ledger_has_an_id_and_nothing_else(ledger: Ledger) -> None:
    assert len(ledger.id) == 32
    assert ledger.heads() == {}
    assert ledger.head(TABLE) == Head(TABLE, 0, genesis(ledger.id, TABLE))
    assert list(ledger.read(TABLE)) == []
    assert ledger.answered("x") == ()
    assert ledger.last_of(TABLE, "noted") is None
    assert ledger.flaws() in ((), [])
    assert [row.number for row in ledger.migrations()] == [1]


def test_what_is_appended_is_read_by_everybody(ledger: Ledger, address: str) -> None:
    drafts = answer("a", 3)
    lines = ledger.append(Writing(TABLE, 0, drafts))
    assert lines == chained(TABLE, 0, genesis(ledger.id, TABLE), drafts)
    assert read_entries(lines[0].entries) == drafts[0].entries
    with closing(open_ledger(address)) as other:
        assert other.id == ledger.id
        assert tuple(other.read(TABLE)) == lines
        assert other.head(TABLE) == Head(TABLE, 3, lines[-1].hash)


def test_several_streams_are_written_at_once(ledger: Ledger) -> None:
    first = ledger.append(Writing(LINK, 0, (loose(),)), writing(TABLE, 0, "a", 2))
    assert [(line.stream, line.version) for line in first] == [(LINK, 1), (TABLE, 1), (TABLE, 2)]
    ledger.append(writing(TABLE, 2, "b"), Writing(LINK, 1, (answer("b", 2)[1], loose())))
    assert [len(whole(ledger, stream)) for stream in (TABLE, LINK)] == [3, 3]
    assert {s: head.version for s, head in ledger.heads().items()} == {LINK: 3, TABLE: 3}
    assert list(ledger.heads()) == [LINK, TABLE]


def test_of_two_writers_that_saw_the_same_only_the_first_is_written(ledger: Ledger) -> None:
    ledger.append(writing(TABLE, 0, "a"))
    with pytest.raises(Moved) as moved:
        ledger.append(writing(TABLE, 0, "b"))
    assert (moved.value.stream, moved.value.expected, moved.value.found) == (TABLE, 0, 1)
    with pytest.raises(Moved):
        ledger.append(writing(TABLE, 5, "b"))
    assert len(whole(ledger, TABLE)) == 1


def test_an_append_is_whole_or_not_at_all(ledger: Ledger) -> None:
    ledger.append(writing(LINK, 0, "a"))
    for order in (1, -1):
        both = [writing(TABLE, 0, "b"), Writing(LINK, 0, (loose(),))]
        with pytest.raises(Moved) as moved:
            ledger.append(*both[::order])
        assert moved.value.stream == LINK
    assert ledger.head(TABLE).version == 0
    assert ledger.answered("b") == ()


def test_a_repeated_command_is_not_written_again(ledger: Ledger) -> None:
    lines = ledger.append(writing(TABLE, 0, "a", 2))
    for expected in (0, 2):
        with pytest.raises(Repeated) as repeated:
            ledger.append(writing(TABLE, expected, "a"))
        assert repeated.value.command_id == "a"
    with pytest.raises(Repeated):
        ledger.append(writing("table 2", 0, "a"))
    assert ledger.answered("a") == lines
    assert list(ledger.heads()) == [TABLE]


def test_an_answer_begins_where_its_command_stands(ledger: Ledger) -> None:
    asked, *rest = answer("a", 4)
    ledger.append(
        Writing("table 2", 0, (asked, rest[0])),
        Writing("table 1", 0, (rest[1],)),
        Writing("table 3", 0, (rest[2],)),
    )
    places = [(line.stream, line.version) for line in ledger.answered("a")]
    assert places == [("table 2", 1), ("table 2", 2), ("table 1", 1), ("table 3", 1)]
    assert [bool(line.command) for line in ledger.answered("a")] == [True, False, False, False]


def test_lines_without_a_command_answer_nothing(ledger: Ledger) -> None:
    ledger.append(Writing(TABLE, 0, (loose(), loose())))
    ledger.append(Writing(TABLE, 2, (loose(),)))
    assert ledger.answered("") == ()


def test_reading_goes_on_from_a_version_and_stops(ledger: Ledger) -> None:
    lines = ledger.append(Writing(TABLE, 0, tuple(loose(str(n)) for n in range(2_500))))
    assert tuple(ledger.read(TABLE)) == lines
    assert tuple(ledger.read(TABLE, after=999)) == lines[999:]
    assert tuple(ledger.read(TABLE, after=10, most=1_200)) == lines[10:1_210]
    assert tuple(ledger.read(TABLE, after=2_499, most=5)) == lines[2_499:]
    assert list(ledger.read(TABLE, most=0)) == list(ledger.read(TABLE, after=2_500)) == []


def test_a_reader_does_not_hold_up_a_writer(ledger: Ledger) -> None:
    ledger.append(Writing(TABLE, 0, tuple(loose(str(n)) for n in range(1_500))))
    reader = ledger.read(TABLE)
    next(reader)
    ledger.append(Writing(TABLE, 1_500, (loose("after"),)))
    assert [line.body for line in reader][-1] == "after"


def test_the_newest_of_a_kind(ledger: Ledger) -> None:
    ledger.append(Writing(TABLE, 0, (loose("1", "a"), loose("2", "b"), loose("3", "a"))))
    ledger.append(Writing(LINK, 0, (loose("4", "b"),)))
    newest = {kind: ledger.last_of(TABLE, kind) for kind in "abc"}
    assert {kind: line and line.body for kind, line in newest.items()} == {
        "a": "3",
        "b": "2",
        "c": None,
    }


@pytest.mark.parametrize(
    "text", ["", "ante", "Ærøskøbing ♠ 🂡", "'; DROP TABLE lines; --", "%s ? :x {}", "\n\r\t\x01"]
)
def test_any_text_comes_back_as_it_went_in(ledger: Ledger, text: str) -> None:
    draft = msgspec.structs.replace(loose(text), actor=text, role=text, kind=text)
    named = msgspec.structs.replace(draft, command_id=f"id {text}", command=f"say {text}")
    lines = ledger.append(Writing(f"table {text}", 0, (draft, named)))
    assert tuple(whole(ledger, f"table {text}")) == lines
    assert ledger.answered(f"id {text}") == lines[1:]
    assert ledger.last_of(f"table {text}", text) == lines[1]
    assert list(ledger.heads()) == [f"table {text}"]


def test_streams_are_told_apart_by_their_bytes(ledger: Ledger) -> None:
    names = ["a", "A", "á", "a ", "B", "b", "😀", "\uff5a"]
    for name in names:
        ledger.append(Writing(name, 0, (loose(name),)))
    assert list(ledger.heads()) == sorted(names, key=str.encode)


def changed(draft: LineDraft, **fields: object) -> tuple[LineDraft, ...]:
    return (msgspec.structs.replace(draft, **fields),)


@pytest.mark.parametrize(
    "writings",
    [
        (),
        (Writing(TABLE, 0, ()),),
        (Writing("", 0, (loose(),)),),
        (Writing(TABLE, 0, (loose(),)), Writing(TABLE, 1, (loose(),))),
        (Writing(TABLE, 2**63, (loose(),)),),
        (Writing(TABLE, 0, changed(loose(), at_us=2**63)),),
        (Writing(TABLE, 0, changed(loose(), actor="nul \0")),),
        (Writing(TABLE, 0, changed(loose(), body="half \ud800")),),
        (Writing("nul \0", 0, (loose(),)),),
        (Writing(TABLE, 0, answer("a", 2)[1:]),),
        (Writing(TABLE, 0, answer("a") + answer("a")),),
        (Writing(TABLE, 0, answer("a", 2)[::-1]),),
        (Writing(TABLE, 0, changed(loose(), command="unnamed")),),
    ],
)
def test_what_no_ledger_could_keep_is_refused(
    ledger: Ledger, writings: tuple[Writing, ...]
) -> None:
    with pytest.raises(Unreadable):
        ledger.append(*writings)
    assert ledger.heads() == {}


def test_a_ledger_is_made_only_when_asked(address: str) -> None:
    for read_only in (False, True):
        with pytest.raises(Unavailable, match="no ledger"):
            open_ledger(address, read_only=read_only)
    with pytest.raises(Unavailable, match="no ledger"):
        open_ledger(address, create=True, read_only=True)
    with closing(open_ledger(address, create=True)) as made:
        made.append(writing(TABLE, 0, "a"))
    with closing(open_ledger(address, create=True)) as again:
        assert again.id == made.id
        assert again.head(TABLE).version == 1


def test_every_ledger_has_its_own_id_and_chain(new_address: Callable[[], str]) -> None:
    ledgers = [open_ledger(new_address(), create=True) for _ in range(2)]
    hashes = {ledger.append(writing(TABLE, 0, "a"))[0].hash for ledger in ledgers}
    assert len({ledger.id for ledger in ledgers}) == len(hashes) == 2
    for ledger in ledgers:
        ledger.close()


def test_a_reader_only_reads(ledger: Ledger, address: str) -> None:
    ledger.append(writing(TABLE, 0, "a"))
    with closing(open_ledger(address, read_only=True)) as reader:
        assert len(whole(reader, TABLE)) == 1
        with pytest.raises(Unavailable, match="reading only"):
            reader.append(writing(TABLE, 1, "b"))
        ledger.append(writing(TABLE, 1, "c"))
        assert len(whole(reader, TABLE)) == 2


def test_a_closed_ledger_says_so(address: str) -> None:
    ledger = open_ledger(address, create=True)
    ledger.close()
    ledger.close()
    with pytest.raises(Unavailable, match="closed"):
        ledger.heads()
    with pytest.raises(Unavailable, match="closed"):
        ledger.append(writing(TABLE, 0, "a"))


def test_many_open_a_new_ledger_at_once(address: str) -> None:
    start = threading.Barrier(6)

    def opened() -> str:
        start.wait()
        with closing(open_ledger(address, create=True)) as ledger:
            return ledger.id

    with ThreadPoolExecutor(6) as pool:
        ids = {future.result() for future in [pool.submit(opened) for _ in range(6)]}
    assert len(ids) == 1


def test_threads_on_the_same_streams_leave_no_gap(ledger: Ledger, address: str) -> None:
    others = [open_ledger(address) for _ in range(2)]
    orders = [(TABLE, LINK), (LINK, TABLE), (TABLE,), (LINK,)]
    with ThreadPoolExecutor(4) as pool:
        work = [
            pool.submit(append_until, [ledger, *others][n % 3], f"w{n}", 20, order)
            for n, order in enumerate(orders)
        ]
        for future in work:
            future.result()
    for stream in (TABLE, LINK):
        assert len(whole(ledger, stream)) == ledger.head(stream).version == 60
    assert all(len(ledger.answered(f"w{n} {i}")) == len(orders[n]) for n in (0, 3) for i in (0, 19))
    for other in others:
        other.close()


def test_processes_on_the_same_streams_leave_no_gap(ledger: Ledger, address: str) -> None:
    command = [sys.executable, "-m", "tests.ledger.appending", address]
    processes = [
        subprocess.Popen([*command, f"p{n}", "20", *order], cwd=ROOT)
        for n, order in enumerate([(TABLE, LINK), (LINK, TABLE), (TABLE,)])
    ]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert [len(whole(ledger, stream)) for stream in (TABLE, LINK)] == [60, 40]
    assert prove_chain(ledger) is None


def test_the_hash_is_the_documented_one(ledger: Ledger) -> None:
    def documented(previous: bytes, *fields: object) -> bytes:
        parts = [b"croupier ledger line 1", previous, *(str(field).encode() for field in fields)]
        sizes = [len(parts), *(len(part) for part in parts)]
        return sha256(b"".join([*(size.to_bytes(8, "big") for size in sizes), *parts])).digest()

    first, second = ledger.append(Writing("table ♠", 0, answer("a", 2)))
    assert first.previous == documented(b"", "genesis", ledger.id, "table ♠")
    for line in (first, second):
        *fields, previous, hashed, _ = msgspec.structs.astuple(line)
        assert hashed == documented(previous, *fields)
    assert second.previous == first.hash


def test_one_command_given_by_many_is_written_once(ledger: Ledger) -> None:
    start = threading.Barrier(6)

    def give(n: int) -> bool:
        start.wait()
        try:
            ledger.append(writing(f"table {n}", 0, "same"))
        except Repeated:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(give, range(6))) == 1
    assert len(ledger.heads()) == len(ledger.answered("same")) == 1


def test_a_line_is_never_changed_by_the_store(ledger: Ledger, backend: str, address: str) -> None:
    ledger.append(writing(TABLE, 0, "a"))
    for statement in ("UPDATE lines SET actor = 'Bob'", "DELETE FROM lines"):
        with pytest.raises(Unavailable), ledger._writing() as session:  # type: ignore[attr-defined]
            session.rows(statement)
    assert [line.actor for line in whole(ledger, TABLE)] == ["Ann"]


def test_many_appends_at_once_are_each_written_or_turned_away(ledger: Ledger) -> None:
    ledger.append(writing(TABLE, 0, "a"))
    tables = [f"table {n}" for n in range(2, 6)]
    told = ledger.append_each(
        [
            (writing(tables[0], 0, "b", 2),),
            (writing(TABLE, 0, "late"),),  # another was first
            (writing(tables[1], 0, "a"),),  # answered before
            (writing(tables[2], 0, "c"), Writing(LINK, 0, (loose(),))),
            (writing(tables[3], 0, "d"), Writing(LINK, 0, (loose(),))),  # the one before was first
            (writing(tables[3], 0, "c"),),  # answered in this very writing
            (Writing(TABLE, 1, ()),),
        ]
    )
    kinds = [type(each) for each in told]
    assert kinds == [tuple, Moved, Repeated, tuple, Moved, Repeated, Unreadable]
    assert [line.version for line in told[0]] == [1, 2]  # type: ignore[union-attr]
    late, crossed = told[1], told[4]
    assert isinstance(late, Moved)
    assert isinstance(crossed, Moved)
    assert (late.stream, late.expected, late.found) == (TABLE, 0, 1)
    assert (crossed.stream, crossed.expected, crossed.found) == (LINK, 0, 1)
    written = {stream: head.version for stream, head in ledger.heads().items()}
    assert written == {TABLE: 1, tables[0]: 2, tables[2]: 1, LINK: 1}
    assert prove_chain(ledger) is None


def test_one_append_among_none_is_an_append(ledger: Ledger) -> None:
    assert ledger.append_each([]) == []
    (lines,) = ledger.append_each([(writing(TABLE, 0, "a"),)])
    assert lines == tuple(ledger.read(TABLE))


def test_at_once_all_is_told_when_nothing_can_be_written(ledger: Ledger, address: str) -> None:
    with closing(open_ledger(address, read_only=True)) as reader:
        told = reader.append_each([(writing(TABLE, 0, "a"),), (writing(LINK, 0, "b"),)])
    assert [type(each) for each in told] == [Unavailable, Unavailable]
    assert ledger.heads() == {}
