"""Ledgers outlive the program: another edition of a rulebook accuses nobody for a clause."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from croupier.audit.ledger_audit import audited
from croupier.audit.proof import prove
from croupier.facts.odds import odds
from croupier.games.registry import Registry, open_registry, the_registry
from croupier.ledger.events import TableInstalled, read_kept
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.ledger.store.sqlite import SqliteLedger
from croupier.ledger.transparency.checkpoint import read_checkpoint
from croupier.rulebook.book import Rulebook
from croupier.submission.check import shipped_submission
from croupier.submission.fingerprint import money_hash, rulebook_hash, rules_hash
from croupier.table import events as ev
from tests.audit.tampering import Change, Lines, event, field, rewritten
from tests.ledger.evenings import Evening
from tests.ledger.freezing import FROZEN

T = "table/T"
BIG = 300_000
replace = msgspec.structs.replace


def edited(change: Callable[[Rulebook], Rulebook]) -> Registry:
    """The house with another edition of its first book."""
    registry = the_registry()
    books = {**registry.books, "UTH-S": change(registry.book("UTH-S"))}
    return open_registry(registry.games.values(), books.values())


def other_clauses(book: Rulebook) -> Rulebook:
    """Clauses counted anew, and other rulings, where every box and every settlement cites them."""
    counted = replace(book.contest.wins, clause="99.Z", ruling=99)
    boxes = replace(book.table.boxes, clause="98.Y")
    seated = replace(book.procedure, seated_clause="97.X", first_shuffle_clause="96.W")
    return replace(
        book,
        contest=replace(book.contest, wins=counted),
        table=replace(book.table, boxes=boxes),
        procedure=seated,
    )


def other_pay(book: Rulebook) -> Rulebook:
    """Trips pay something else for the least of its hands."""
    tables = dict(book.paytables["trips"])
    for letter, table in tables.items():
        last = replace(table.lines[-1], odds=odds("77 to 1"))
        tables[letter] = replace(table, lines=(*table.lines[:-1], last))
    return replace(book, paytables={**book.paytables, "trips": tables})


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    file = tmp_path_factory.mktemp("editions") / "ledger.db"
    evening = Evening(3)
    with closing(open_ledger(str(file), create=True)) as kept:
        table = evening.install(kept, name="T")
        evening.sit(table, 3)
        evening.play(table, 3)
        yield kept


def test_a_table_says_which_edition_wrote_it(ledger: Ledger) -> None:
    told = read_kept(next(ledger.read(T)).body)
    assert isinstance(told, TableInstalled)
    assert told.croupier
    assert told.rulebook_hash == rulebook_hash(the_registry().book("UTH-S"))
    assert told.money_hash == money_hash(shipped_submission("UTH-S").rules(the_registry()))


def test_other_clauses_are_no_accusation(ledger: Ledger) -> None:
    proof = prove(ledger, edited(other_clauses))
    assert proof.differences == []
    assert list(proof.editions) == [T]
    assert "with another edition of the rulebook" in proof.editions[T]
    assert prove(ledger, the_registry()).editions == {}


def test_other_money_is_a_finding_that_explains(ledger: Ledger) -> None:
    first = prove(ledger, edited(other_pay)).differences[0]
    assert (first.part, first.stream, first.version) == ("installation", T, 1)
    assert "not those it was opened with: it was written by Croupier" in str(first)
    assert "with another edition of the rulebook, which says otherwise of money" in str(first)


def test_money_is_compared_whatever_the_edition(ledger: Ledger, tmp_path: Path) -> None:
    at = next(line for line in ledger.read(T) if line.kind == "wager-settled").version
    told = read_kept(list(ledger.read(T))[at - 1].body)
    assert isinstance(told, ev.WagerSettled)
    more = event(T, at, paid_cents=told.paid_cents + 100)
    with rewritten(ledger, tmp_path, more) as other:
        found = prove(other, edited(other_clauses)).differences
    assert (T, at, "rules") in {(one.stream, one.version, one.part) for one in found}


def test_a_clause_counts_in_its_own_edition(ledger: Ledger, tmp_path: Path) -> None:
    with rewritten(ledger, tmp_path, event(T, 4, clauses=("UTH-S 1.A",))) as other:
        assert prove(other, the_registry()).differences
        assert prove(other, edited(other_clauses)).differences == []


def test_what_is_cited_decides_no_money() -> None:
    submission = shipped_submission("UTH-S")
    rules, clauses, pay = (
        submission.rules(registry)
        for registry in (the_registry(), edited(other_clauses), edited(other_pay))
    )
    assert len({rules_hash(each) for each in (rules, clauses, pay)}) == 3
    assert money_hash(rules) == money_hash(clauses) != money_hash(pay)


# Programs that knew less


def without(*names: str, kind: str = "table-installed", until: int = 10**6) -> Change:
    """The lines of a kind as a program wrote them that did not know these fields."""

    def change(lines: Lines) -> None:
        for at, line in enumerate(lines[T]):
            if line.kind == kind and line.version <= until:
                raw = msgspec.json.decode(line.body)
                kept = {name: value for name, value in raw.items() if name not in names}
                lines[T][at] = replace(line, body=msgspec.json.encode(kept).decode())

    return change


def test_a_ledger_from_before_editions(ledger: Ledger, tmp_path: Path) -> None:
    early = without("croupier", "rulebook_hash", "money_hash")
    with rewritten(ledger, tmp_path, early) as other:
        proof = prove(other, the_registry())
    assert proof.differences == []
    assert proof.editions[T].startswith("written by an earlier Croupier")


def test_a_field_is_learned_once_and_never_forgotten(ledger: Ledger, tmp_path: Path) -> None:
    settled = [line.version for line in ledger.read(T) if line.kind == "wager-settled"]
    learned = without("rulings", kind="bets-closed", until=settled[0])
    with rewritten(ledger, tmp_path, learned) as other:
        assert prove(other, the_registry()).differences == []
    lines: list[LedgerLine] = [line for line in ledger.read(T) if line.kind == "bets-closed"]
    raw = msgspec.json.decode(lines[-1].body)
    del raw["rulings"]
    forgot = field(T, lines[-1].version, body=msgspec.json.encode(raw).decode())
    with rewritten(ledger, tmp_path, forgot) as other:
        found = prove(other, the_registry()).differences
    assert [(one.stream, one.version) for one in found] == [(T, lines[-1].version)]
    assert "beside its event, or is written another way" in str(found[0])


# Frozen


@pytest.mark.parametrize("file", sorted(FROZEN.glob("*.db")), ids=lambda file: file.stem)
def test_a_frozen_ledger_stays_sound(file: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copyfile(file, tmp_path / file.name))
    checkpoint = read_checkpoint(file.with_suffix(".checkpoint").read_text("utf-8"))
    ring = msgspec.json.decode(file.with_suffix(".keys.json").read_bytes(), type=KeyRing)
    with closing(SqliteLedger(copy, read_only=True)) as ledger:
        found = audited(ledger, the_registry(), [checkpoint], ring)
    assert found.differences == []
    assert (found.rounds, found.proof.tables, found.proof.refusals) == (3, 3, 1)
    assert (found.unsigned, found.proof.unopened, found.proof.undecided) == (0, 0, 0)
    assert file.stat().st_size < BIG


def test_there_is_a_frozen_ledger() -> None:
    assert list(FROZEN.glob("*.db"))
