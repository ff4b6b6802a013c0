"""The proof: whatever an attacker with the whole file changes is found, and found where it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.audit.chain import prove_chain
from croupier.audit.ledger_audit import audited
from croupier.audit.proof import prove
from croupier.facts.cards import DECK
from croupier.facts.errors import Refusal
from croupier.ledger.events import (
    CardsOpened,
    CommandRefused,
    Kept,
    LinkOpened,
    MeterMoved,
    ShoeCommitted,
    TableInstalled,
    read_kept,
    write_kept,
)
from croupier.ledger.kept_table import committed
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.shoe.pack import fresh_pack
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.line import LedgerLine
from croupier.ledger.store.port import Ledger
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.state import Round
from tests.audit.tampering import (
    Change,
    Lines,
    becomes,
    body,
    event,
    field,
    moved,
    put_in,
    removed,
    rewritten,
)
from tests.ledger.evenings import Evening

T, LINK, DESK = "table/one", "link/pit", "desk/one"
replace = msgspec.structs.replace


class Pit:
    """Three tables, two of them on one link, some rounds later."""

    def __init__(self, ledger: Ledger, rounds: int, evening: Evening | None = None) -> None:
        self.ledger, self.evening = ledger, evening or Evening(21)
        self.table = self.evening.install(ledger, name="one", link="pit")
        other = self.evening.install(ledger, name="two", link="pit")
        third = self.evening.install(ledger, "FCP-14", name="three")
        for table in (self.table, other, third):
            self.evening.sit(table, 3)
        for _ in range(rounds):
            for table in (self.table, other, third):
                self.evening.play(table, 1)
        with pytest.raises(Refusal):
            self.table.give(do.Reveal(by="dealer", role="dealer"), "refused")
        self.lines: Lines = {stream: list(ledger.read(stream)) for stream in ledger.heads()}

    def at(
        self,
        kind: type[ev.Event],
        nth: int = 0,
        stream: str = T,
        where: Callable[[Any], bool] = lambda event: True,
    ) -> int:
        """The version of the nth line of a kind."""
        found = [
            line.version
            for line in self.lines[stream]
            if isinstance(told := read_kept(line.body), kind) and where(told)
        ]
        return found[nth]

    def event(self, version: int, stream: str = T) -> Kept:
        return read_kept(self.line(version, stream).body)

    def line(self, version: int, stream: str = T) -> LedgerLine:
        return self.lines[stream][version - 1]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pit]:
    file = tmp_path_factory.mktemp("kept") / "ledger.db"
    with closing(open_ledger(str(file), create=True)) as ledger:
        yield Pit(ledger, 4)


Place = tuple[str, str, int]
Attack = Callable[[Pit], tuple[list[Change], Place]]
ATTACKS: dict[str, Attack] = {}


def attack(made: Attack) -> Attack:
    ATTACKS[made.__name__] = made
    return made


# Money


@attack
def a_payout(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.WagerSettled, where=lambda e: e.paid_cents and not e.meter)
    paid = kept.event(at).paid_cents  # type: ignore[union-attr]
    return [event(T, at, paid_cents=paid + 100)], ("rules", T, at)


@attack
def a_payout_and_the_sum_of_the_box(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.WagerSettled, where=lambda e: e.paid_cents and not e.meter)
    later = min(n for n in range(at, at + 20) if isinstance(kept.event(n), ev.BoxSettled))
    paid = kept.event(at).paid_cents  # type: ignore[union-attr]
    net = kept.event(later).net_cents  # type: ignore[union-attr]
    changes = [event(T, at, paid_cents=paid + 100), event(T, later, net_cents=net + 100)]
    return changes, ("rules", T, at)


@attack
def a_push_for_a_loss(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.WagerSettled, 2, where=lambda e: e.outcome == "lose")
    stake = kept.event(at).stake_cents  # type: ignore[union-attr]
    return [event(T, at, outcome="push", returned_cents=stake)], ("rules", T, at)


@attack
def entries_alone(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.WagerSettled, 1)
    return [field(T, at, entries="[]")], ("books", T, at)


@attack
def entries_that_still_balance(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.ChipsBought)
    text = kept.line(at).entries.replace("purse 1", "purse 2")
    assert text != kept.line(at).entries
    return [field(T, at, entries=text)], ("books", T, at)


@attack
def a_purse_below_nothing(kept: Pit) -> tuple[list[Change], Place]:
    bought = kept.at(ev.ChipsBought)
    words = kept.line(bought).command.replace('"cents":500000', '"cents":100')
    assert words != kept.line(bought).command
    first = kept.at(ev.WagerPlaced, where=lambda e: e.box == 1)
    changes = [event(T, bought, cents=100), field(T, bought, command=words)]
    return changes, ("rules", T, first)


@attack
def money_beside_the_table(kept: Pit) -> tuple[list[Change], Place]:
    return [field(DESK, 1, entries='[["house",-5],["cash",5]]')], ("desk", DESK, 1)


# The shoe


def other_card(kept: Pit, round: int = 1) -> str:
    """A card that the round never shows."""
    shown = {
        opening.card
        for line in kept.lines[T]
        if isinstance(told := read_kept(line.body), CardsOpened) and told.round == round
        for opening in told.openings
    }
    return next(str(card) for card in DECK if str(card) not in shown)


def turned_cards(kept: Pit, at: int) -> tuple[str, ...]:
    told = kept.event(at)
    assert isinstance(told, ev.CardsTurned)
    return told.cards


@attack
def an_opened_card_and_its_salt(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(CardsOpened)
    told = kept.event(at)
    assert isinstance(told, CardsOpened)
    first = replace(told.openings[0], card=other_card(kept), salt="ab" * 32)
    return [event(T, at, openings=(first, *told.openings[1:]))], ("shoe", T, at)


@attack
def a_turned_card(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.CardsTurned)
    cards = turned_cards(kept, at)
    return [event(T, at, cards=(other_card(kept), *cards[1:]))], ("shoe", T, at)


@attack
def a_turned_card_and_its_opening(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.CardsTurned)
    cards, told = turned_cards(kept, at), kept.event(at + 1)
    assert isinstance(told, CardsOpened)
    other = other_card(kept)
    first = replace(told.openings[0], card=other, salt="cd" * 32)
    changes = [
        event(T, at, cards=(other, *cards[1:])),
        event(T, at + 1, openings=(first, *told.openings[1:])),
    ]
    return changes, ("shoe", T, at + 1)


@attack
def an_opening_that_nothing_called_for(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(CardsOpened)
    told = kept.event(at)
    assert isinstance(told, CardsOpened)
    return [event(T, at, openings=(*told.openings, told.openings[0]))], ("shoe", T, at - 1)


@attack
def an_opening_left_out(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(CardsOpened, 1)
    return [removed(T, at)], ("shoe", T, at - 1)


@attack
def two_commitments_swapped(kept: Pit) -> tuple[list[Change], Place]:
    one, two = kept.at(ShoeCommitted), kept.at(ShoeCommitted, 1)
    first, second = kept.event(one), kept.event(two)
    assert isinstance(first, ShoeCommitted)
    assert isinstance(second, ShoeCommitted)
    changes = [
        event(T, one, commitment=second.commitment, sealed=second.sealed),
        event(T, two, commitment=first.commitment, sealed=first.sealed),
    ]
    return changes, ("shoe", T, one)


@attack
def a_commitment_after_bets_were_closed(kept: Pit) -> tuple[list[Change], Place]:
    pack = kept.at(ShoeCommitted, 1)
    closed = kept.at(ev.BetsClosed, 1)
    return [moved(T, pack, closed)], ("shoe", T, closed - 1)


@attack
def a_second_pack_once_the_bets_are_known(kept: Pit) -> tuple[list[Change], Place]:
    """The house has its keys: the pack is a good one, and comes too late."""
    evening, closed = kept.evening, kept.at(ev.BetsClosed, 1)
    state = replace(kept.table.state, round=Round(number=2))
    pack = fresh_pack(Random(1).getrandbits)
    late = committed(kept.ledger.id, T, pack, evening.ring, state)
    words = '{"do":"renew-shoe","by":"croupier","role":"device","at_s":0,"reason":"key lost"}'
    line = replace(
        kept.line(closed),
        kind="shoe-committed",
        body=write_kept(late),
        entries="[]",
        command=words,
        command_id="late",
        actor="croupier",
        role="device",
    )
    after = max(
        line.version for line in kept.lines[T] if line.command_id == kept.line(closed).command_id
    )
    return [put_in(T, after, line)], ("shoe", T, after + 1)


@attack
def a_pack_that_nothing_called_for(kept: Pit) -> tuple[list[Change], Place]:
    """The same, while bets are open, and without the words of a lost key."""
    placed = kept.at(ev.WagerPlaced)
    state = replace(kept.table.state, round=Round(number=1))
    pack = fresh_pack(Random(1).getrandbits)
    late = committed(kept.ledger.id, T, pack, kept.evening.ring, state)
    line = replace(
        kept.line(placed), kind="shoe-committed", body=write_kept(late), entries="[]",
        command_id="late",
    )  # fmt: skip
    return [put_in(T, placed - 1, line)], ("shoe", T, placed)


@attack
def a_deal_out_of_order(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.CardsDealt, where=lambda e: len(e.lies) > 1)
    told = kept.event(at)
    assert isinstance(told, ev.CardsDealt)
    one, two, *rest = told.lies
    swapped = (replace(one, cards=two.cards), replace(two, cards=one.cards), *rest)
    return [event(T, at, lies=swapped)], ("shoe", T, at)


@attack
def a_face_down_card_told(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.CardsDealt, where=lambda e: e.lies[0].place == "board")
    told, turned = kept.event(at), turned_cards(kept, kept.at(ev.CardsTurned))
    assert isinstance(told, ev.CardsDealt)
    cards = (turned[0], *told.lies[0].cards[1:])
    return [event(T, at, lies=(replace(told.lies[0], cards=cards),))], ("shoe", T, at)


@attack
def a_seal(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ShoeCommitted, 2)
    told = kept.event(at)
    assert isinstance(told, ShoeCommitted)
    return [event(T, at, sealed=told.sealed[:-6] + "AAAAAA")], ("shoe", T, at)


# Meters


@attack
def a_meter_moved_by_nobody(kept: Pit) -> tuple[list[Change], Place]:
    last = kept.lines[LINK][-1]
    told = read_kept(last.body)
    assert isinstance(told, MeterMoved)
    more = replace(told, by_micros=5, reading_micros=told.reading_micros + 5)
    line = replace(last, body=write_kept(more))
    return [put_in(LINK, last.version, line)], ("meters", LINK, last.version + 1)


@attack
def a_meter_line_removed(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(MeterMoved, 3, LINK, lambda e: e.table == "one")
    told = kept.event(at, LINK)
    assert isinstance(told, MeterMoved)
    caused = [
        line.version
        for line in kept.lines[T]
        if line.command_id == kept.line(at, LINK).command_id
        and getattr(read_kept(line.body), "meter", None) == told.meter
    ]
    return [removed(LINK, at)], ("meters", T, caused[0])


@attack
def a_meter_that_reads_more(kept: Pit) -> tuple[list[Change], Place]:
    """At the table and on the link alike."""
    at = kept.at(MeterMoved, 0, LINK, lambda e: e.table == "one")
    told = kept.event(at, LINK)
    assert isinstance(told, MeterMoved)
    grew = kept.at(ev.MeterGrew, where=lambda e: e.meter == told.meter)
    more = told.reading_micros + 7_000_000
    changes = [event(T, grew, reading_micros=more), event(LINK, at, reading_micros=more)]
    return changes, ("meters", LINK, at)


@attack
def a_meter_that_grows_by_more(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.MeterGrew)
    told = kept.event(at)
    assert isinstance(told, ev.MeterGrew)
    return [event(T, at, by_micros=told.by_micros + 10)], ("rules", T, at)


@attack
def a_link_opened_again(kept: Pit) -> tuple[list[Change], Place]:
    opened = kept.line(1, LINK)
    return [put_in(LINK, 5, opened)], ("meters", LINK, 6)


@attack
def a_link_with_other_meters(kept: Pit) -> tuple[list[Change], Place]:
    told = kept.event(1, LINK)
    assert isinstance(told, LinkOpened)
    meters = {name: micros + 10_000 for name, micros in told.meters.items()}
    return [event(LINK, 1, meters=meters)], ("meters", LINK, 1)


@attack
def a_link_taken_away(kept: Pit) -> tuple[list[Change], Place]:
    def change(lines: Lines) -> None:
        del lines[LINK]

    return [change], ("meters", T, kept.at(ev.MeterGrew))


# Commands, rules and rounds


@attack
def the_words_of_a_command(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.ChipsBought, 1)
    words = kept.line(at).command.replace("500000", "500001")
    return [field(T, at, command=words)], ("rules", T, at)


@attack
def who_gave_a_command(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.DealerRevealed)
    words = kept.line(at).command.replace('"by":"dealer"', '"by":"Joe"')
    return [field(T, at, command=words)], ("command", T, at)


@attack
def a_space_in_the_words(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.DealerRevealed)
    return [field(T, at, command=kept.line(at).command + " ")], ("command", T, at)


@attack
def the_giver_of_one_line(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.WagerSettled)
    return [field(T, at, actor="Joe")], ("command", T, at)


@attack
def the_time_of_a_line(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.WagerSettled)
    return [field(T, at, at_us=kept.line(at).at_us - 5_000_000)], ("time", T, at)


@attack
def the_name_of_a_line(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.Played)
    return [field(T, at, kind="folded")], ("fold", T, at)


@attack
def the_clause_of_a_line(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.Played)
    return [event(T, at, clauses=("UTH-S 1.A",))], ("rules", T, at)


@attack
def a_line_removed(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.WagerSettled, 1)
    return [removed(T, at)], ("rules", T, at)


@attack
def two_lines_swapped(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.WagerSettled, 1)
    return [moved(T, at, at + 1)], ("rules", T, at)


@attack
def a_check_for_a_play(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.Played)
    told = kept.event(at)
    assert isinstance(told, ev.Played)
    check = ev.Checked(clauses=told.clauses, at_s=told.at_s, box=told.box, street=told.street)
    return [becomes(T, at, check)], ("rules", T, at)


@attack
def a_round_removed(kept: Pit) -> tuple[list[Change], Place]:
    first, after = kept.at(ShoeCommitted, 1), kept.at(ShoeCommitted, 2)
    return [removed(T, *range(first, after))], ("fold", T, first)


@attack
def the_rules_of_the_table(kept: Pit) -> tuple[list[Change], Place]:
    told = kept.event(1)
    assert isinstance(told, TableInstalled)
    text = told.submission.replace('trips = "B"', 'trips = "A"')
    text = (
        told.submission.replace('trips = "A"', 'trips = "B"') if text == told.submission else text
    )
    assert text != told.submission
    return [event(T, 1, submission=text)], ("installation", T, 1)


@attack
def the_hash_of_the_rules(kept: Pit) -> tuple[list[Change], Place]:
    return [event(T, 1, rules_hash="0" * 64)], ("installation", T, 1)


@attack
def another_tables_installation(kept: Pit) -> tuple[list[Change], Place]:
    return [event(T, 1, table="two")], ("installation", T, 1)


@attack
def a_second_installation(kept: Pit) -> tuple[list[Change], Place]:
    return [put_in(T, 9, replace(kept.line(1), command_id="x"))], ("shoe", T, 10)


@attack
def a_stream_of_his_own(kept: Pit) -> tuple[list[Change], Place]:
    return [put_in("bank/one", 0, replace(kept.line(3), command_id="mine"))], (
        "streams",
        "bank/one",
        0,
    )


@attack
def a_pack_committed_twice_in_one_answer(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ShoeCommitted, 1)
    return [put_in(T, at, kept.line(at))], ("shoe", T, at + 1)


def with_a_hint(kept: Pit, stream: str, at: int, *path: str) -> Change:
    """A field that nobody reads, somewhere in a line."""
    whole = inner = msgspec.json.decode(kept.line(at, stream).body)
    for step in path:
        inner = inner[step]
    inner["hint"] = "Ah Kd"
    return body(stream, at, msgspec.json.encode(whole).decode())


@attack
def a_hint_in_a_commitment(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ShoeCommitted, 1)
    return [with_a_hint(kept, T, at, "commitment")], ("fold", T, at)


@attack
def a_space_in_a_line(kept: Pit) -> tuple[list[Change], Place]:
    at = kept.at(ev.Played)
    return [body(T, at, f"{kept.line(at).body} ")], ("fold", T, at)


@attack
def a_space_in_a_link(kept: Pit) -> tuple[list[Change], Place]:
    at = len(kept.lines[LINK])
    return [body(LINK, at, f"{kept.line(at, LINK).body} ")], ("meters", LINK, at)


@attack
def a_space_at_the_desk(kept: Pit) -> tuple[list[Change], Place]:
    return [body(DESK, 1, f"{kept.line(1, DESK).body} ")], ("desk", DESK, 1)


@attack
def who_opened_a_link(kept: Pit) -> tuple[list[Change], Place]:
    return [field(LINK, 1, actor="Mallory", role="player")], ("meters", LINK, 1)


@attack
def when_a_link_was_opened(kept: Pit) -> tuple[list[Change], Place]:
    return [field(LINK, 1, at_us=1)], ("meters", LINK, 1)


@attack
def two_rounds_of_a_link_swapped(kept: Pit) -> tuple[list[Change], Place]:
    """Lines of two meters, so that each reading still follows from the one before."""
    own = kept.lines[LINK]
    at = next(
        line.version
        for line, below in pairwise(own)
        if line.at_us < below.at_us - 1_000_000 and _meter(line) not in ("", _meter(below))
    )
    return [moved(LINK, at, at + 1)], ("time", LINK, at + 1)


def _meter(line: LedgerLine) -> str:
    told = read_kept(line.body)
    return told.meter if isinstance(told, MeterMoved) else ""


@attack
def a_refusal_by_no_clause(kept: Pit) -> tuple[list[Change], Place]:
    changes = [event(DESK, 1, clause="UTH-S 99.Z", clauses=("UTH-S 99.Z",))]
    return changes, ("desk", DESK, 1)


@attack
def a_refusal_of_long_ago(kept: Pit) -> tuple[list[Change], Place]:
    early = replace(kept.line(1, DESK), command_id="early", at_us=1)
    return [put_in(DESK, 1, early)], ("time", DESK, 2)


@attack
def a_desk_of_no_table(kept: Pit) -> tuple[list[Change], Place]:
    line = replace(kept.line(1, DESK), command_id="mine")
    return [put_in("desk/none", 0, line)], ("desk", "desk/none", 0)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_found_where_it_was_made(kept: Pit, tmp_path: Path, name: str) -> None:
    changes, (part, stream, version) = ATTACKS[name](kept)
    with rewritten(kept.ledger, tmp_path, *changes) as other:
        assert prove_chain(other) is None or name in BREAKS_THE_CHAIN
        for ring in (kept.evening.ring, None):
            found = prove(other, kept.evening.registry, ring).differences
            if name == "a_seal" and ring is None:
                assert found == []
                continue
            at_fault = [one for one in found if one.stream in (T, LINK, DESK, stream)]
            first = at_fault[0]
            parts = {one.part for one in found if (one.stream, one.version) == (stream, version)}
            assert (first.stream, first.version) == (stream, version), "\n".join(map(str, found))
            assert part in parts
            assert str(first)


# The chain itself knows that an answer has its words in its first line, and is there once.
BREAKS_THE_CHAIN = {
    "a_round_removed",
    "a_meter_moved_by_nobody",
    "a_link_opened_again",
    "a_second_installation",
    "a_commitment_after_bets_were_closed",
    "a_pack_that_nothing_called_for",
    "two_lines_swapped",
}


def test_a_pack_that_could_be_opened_needs_no_other(tmp_path: Path) -> None:
    """Whoever renews a pack until he likes it has the key, and then the auditor finds it too."""
    with closing(open_ledger(str(tmp_path / "ledger.db"), create=True)) as ledger:
        evening = Evening(5)
        table = evening.install(ledger)
        evening.sit(table, 3)
        evening.resumed(ledger, table.name, new_ring())
        registry = evening.registry
        lost, found = prove(ledger, registry, new_ring()), prove(ledger, registry, evening.ring)
        assert (lost.differences, len(lost.renewals), prove(ledger, registry).differences) == (
            [], 1, [],
        )  # fmt: skip
        assert lost.renewals[0].round == 1
        assert "is not on the ring" in lost.renewals[0].reason
        version = lost.renewals[0].line.version
        assert [(one.part, one.version) for one in found.differences] == [("shoe", version)]
        assert "the pack that it replaces can be opened" in str(found.differences[0])


def test_a_sound_ledger_is_accused_of_nothing(kept: Pit) -> None:
    for ring in (kept.evening.ring, None, new_ring()):
        proof = prove(kept.ledger, kept.evening.registry, ring)
        assert proof.differences == []
        assert (proof.tables, proof.rounds) == (3, 15)
        assert proof.lines == sum(head.version for head in kept.ledger.heads().values())
    assert proof.unopened == 15
    for stream, books in proof.accounts.items():
        tables = [own for own in proof.accounts if own.startswith("table/")]
        assert stream not in tables or sum(books.values()) == 0


def test_what_is_written_meanwhile_is_for_the_next_proof(tmp_path: Path) -> None:
    """A table goes on while it is proved, and its link with it."""
    with closing(open_ledger(str(tmp_path / "ledger.db"), create=True)) as ledger:
        evening = Evening(5)
        table = evening.install(ledger)
        evening.sit(table, 3)
        evening.play(table, 1)
        lines = sum(head.version for head in ledger.heads().values())
        went_on: Iterator[Callable[[], None]] = iter([lambda: evening.play(table, 2)])

        def meanwhile(count: int) -> None:
            for go_on in went_on:
                go_on()

        proof = prove(ledger, evening.registry, evening.ring, meanwhile)
        assert proof.differences == []
        assert proof.lines == lines
        assert prove(ledger, evening.registry).differences == []


def test_a_whole_audit_is_of_one_moment(tmp_path: Path) -> None:
    """What is written while the chain is followed is not decided again either."""
    with closing(open_ledger(str(tmp_path / "ledger.db"), create=True)) as ledger:
        evening = Evening(5)
        table = evening.install(ledger)
        evening.sit(table, 3)
        evening.play(table, 1)
        lines = sum(head.version for head in ledger.heads().values())
        went_on: Iterator[Callable[[], None]] = iter([lambda: evening.play(table, 1)])

        def meanwhile(count: int) -> None:
            for go_on in went_on:
                go_on()

        found = audited(ledger, evening.registry, ring=evening.ring, progress=meanwhile)
        assert found.differences == []
        assert (found.held, found.chained, found.proof.lines, found.rounds) == (*[lines] * 3, 1)


# Garbage

GARBAGE = {
    "no json": "luck",
    "nothing": "",
    "no object": "[]",
    "no kind": "{}",
    "unknown kind": '{"event":"rain"}',
    "another shape": '{"event":"bets-closed","clauses":7}',
    "deep": "[" * 100_000,
    "an irregularity without clauses": '{"event":"irregularity-declared","clauses":[],"name":"x",'
    '"effect":"void","waits":true}',
    "places beyond the pack": '{"event":"cards-dealt","clauses":[],"step":0,"lies":'
    '[{"place":"box","cards":["@999","@x","Zz"],"box":77}]}',
    "openings beyond the pack": '{"event":"cards-opened","clauses":[],"round":1,"openings":'
    '[{"place":-5,"card":"Ah","salt":"zz"},{"place":99,"card":"Ah","salt":""}]}',
    "a pack of nothing": '{"event":"shoe-committed","clauses":[],"round":1,'
    '"commitment":{"root":"zz","leaves":["qq"]},"sealed":""}',
}


@pytest.mark.parametrize(("number", "what"), [*enumerate(GARBAGE)], ids=GARBAGE)
@pytest.mark.parametrize(
    "stream", [T, *(pytest.param(s, marks=pytest.mark.prove) for s in (LINK, DESK))]
)
def test_garbage_is_a_difference_and_the_proof_goes_on(
    kept: Pit, tmp_path: Path, number: int, what: str, stream: str
) -> None:
    """First, in the middle or last, in turn."""
    last = len(kept.lines[stream])
    at = (1, (last + 1) // 2, last)[number % 3]
    with rewritten(kept.ledger, tmp_path, body(stream, at, GARBAGE[what])) as other:
        for ring in (None, kept.evening.ring):
            proof = prove(other, kept.evening.registry, ring)
            assert proof.differences
            assert {one.stream for one in proof.differences} <= {T, LINK, DESK, "table/two"}
            assert (stream, at) in {(one.stream, one.version) for one in proof.differences}


@pytest.mark.parametrize("column", ["body", "entries", "command", "kind", "actor"])
def test_what_is_not_even_text(kept: Pit, tmp_path: Path, column: str) -> None:
    with rewritten(kept.ledger, tmp_path) as other:
        with closing(sqlite3.connect(other.address)) as raw:
            triggers = raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in triggers.fetchall():
                raw.execute(f"DROP TRIGGER {name}")
            here = "stream = 'table/one' AND version = 9"
            raw.execute(f"UPDATE lines SET {column} = CAST(x'ff' AS TEXT) WHERE {here}")
            raw.commit()
        found = prove(other, kept.evening.registry).differences
        assert (T, 9) in {(one.stream, one.version) for one in found}


def test_streams_that_never_began(kept: Pit, tmp_path: Path) -> None:
    def headless(lines: Lines) -> None:
        del lines[T][0]

    def alone(lines: Lines) -> None:
        del lines[T][1:]

    for change in (headless, alone):
        with rewritten(kept.ledger, tmp_path, change) as other:
            found = prove(other, kept.evening.registry).differences
            assert found
    with closing(open_ledger(str(tmp_path / "empty.db"), create=True)) as empty:
        assert prove(empty, kept.evening.registry).differences == []


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every text, number or truth value in it."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))
    else:
        yield path


def changed(value: Any, path: tuple[Any, ...]) -> Any:
    """The same with one leaf that is another of its kind."""
    if path:
        copy = value.copy()
        copy[path[0]] = changed(value[path[0]], path[1:])
        return copy
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value is None:
        return 1
    return value[:-1] + ("b" if value.endswith("a") else "a")


# What is the operator's own word, or only stands beside what is played.
FREE = {
    ("table-installed", field) for field in ("submission", "practice", "croupier", "rulebook_hash")
}


def any_leaf_is_found(kept: Pit, tmp_path: Path, most: int, kinds: str = "") -> None:
    every = [
        (stream, line, path)
        for stream in (T, LINK)
        for line in kept.lines[stream]
        for path in leaves(msgspec.json.decode(line.body))
        if (line.kind, path[0]) not in FREE and line.kind.startswith(kinds)
    ]
    for stream, line, path in Random(5).sample(every, min(most, len(every))):
        text = msgspec.json.encode(changed(msgspec.json.decode(line.body), path)).decode()
        with rewritten(kept.ledger, tmp_path, body(stream, line.version, text)) as other:
            found = prove(other, kept.evening.registry, kept.evening.ring).differences
        assert found, (line.kind, path)


def test_any_one_value_of_any_event_counts(kept: Pit, tmp_path: Path) -> None:
    any_leaf_is_found(kept, tmp_path, 8)


def test_any_value_of_an_installation_counts(kept: Pit, tmp_path: Path) -> None:
    """A rulebook that nobody knows among them: the proof tells, and does not give up."""
    any_leaf_is_found(kept, tmp_path, 1000, "table-installed")


@pytest.mark.prove
def test_hundreds_of_values_count(kept: Pit, tmp_path: Path) -> None:
    any_leaf_is_found(kept, tmp_path, 400)


def test_a_refusal_is_told_in_the_words_it_was_given(kept: Pit) -> None:
    told = kept.event(1, DESK)
    assert isinstance(told, CommandRefused)
    assert told.clause
