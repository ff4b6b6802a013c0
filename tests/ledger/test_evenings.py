"""What rarely happens, on kept tables: accidents, voids, awards, absences, and random walks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TypeVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.audit.proof_check import check_proof
from croupier.audit.round_proof import round_lines, round_proof
from croupier.facts.errors import Refusal, Unreadable
from croupier.ledger.events import read_kept
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.shoe.card_tokens import token
from croupier.ledger.shoe.entropy import fresh_order
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.shoe.pack import pack_of
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger
from croupier.ledger.transparency.sequencer import checkpoint_now
from croupier.practice import regulars
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.agenda import asked_box, phase
from croupier.table.automatic_dealer import next_duty
from croupier.table.handlers.numbers import unshown
from croupier.table.state import State
from croupier.table.views import PUBLIC, SURVEILLANCE, Viewer
from tests.audit.tampering import Change, event, removed, rewritten
from tests.ledger.evenings import Evening
from tests.ledger.kept import accounts, is_sound, lines_of, resumes_as, stacked, until
from tests.table import walks
from tests.table.people import dealer, floor, manager

E = TypeVar("E", bound=ev.Event)
BOOKS = ("UTH-S", "UTH-14", "FCP-14")
ROYAL = {
    "UTH-S": {"box_1": "Ah Kh", "board": "Qh Jh Th 2c 3d"},
    "UTH-14": {"box_1": "Ah Kh", "board": "Qh Jh Th 2c 3d"},
    "FCP-14": {"box_1": "Ah As Ad Ac Th"},
}


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Ledger]:
    with closing(open_ledger(str(tmp_path / "ledger.db"), create=True)) as ledger:
        yield ledger


def a_round(file: Ledger, book: str, **lies: str) -> tuple[Evening, KeptTable]:
    """A table whose bets are down on a second round that is stacked."""
    evening = Evening(31)
    table = evening.install(file, book)
    evening.sit(table, 3)
    table._packs = lambda: stacked(table.state.terms, (1, 2, 3), **lies)
    evening.play(table, 1)
    table._packs = evening.packs
    evening._wager(table)
    return evening, table


def told(table: KeptTable, kind: type[E]) -> list[E]:
    events = [read_kept(line.body) for line in lines_of(table.ledger, table.name)]
    return [event for event in events if isinstance(event, kind)]


def given_by(table: KeptTable, evening: Evening, command: do.Command) -> tuple[ev.Event, ...]:
    """Given, and the table read back by a second keeper."""
    events = table.give(command, evening.next_id()).events
    resumes_as(table, evening)
    return events


# Progressive awards


def waiting(table: KeptTable) -> list[tuple[str, str]]:
    """The wins that wait on the table's link."""
    assert table.link is not None
    return list(table.link.state.waiting)


def until_won(table: KeptTable, evening: Evening, box: int) -> None:
    """The house plays on until the Progressive win of a box waits."""
    while (won := table.state.round.won) is None or won.box != box:
        evening.step(table)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("word", ["validated", "hand", "wager"])
def test_a_whole_meter_is_paid_or_stays(file: Ledger, book: str, word: str) -> None:
    evening, table = a_round(file, book, **ROYAL[book])
    before = table.readings()
    until_won(table, evening, 1)
    (award,) = [e for e in told(table, ev.ProgressiveWon) if e.box == 1]
    assert award.odds.startswith("100% of")
    assert award.meter is not None
    standing = table.readings()
    assert standing[award.meter] == award.reading_micros > before[award.meter]
    assert waiting(table) == [(table.name, award.meter)]
    if word == "validated":
        given_by(table, evening, floor(do.ValidateProgressive, box=1))
        assert table.readings()[award.meter] < standing[award.meter]
    else:
        given_by(table, evening, floor(do.ProposeRefusal, box=1, reason=word))
        given_by(table, evening, manager(do.ConfirmRefusal, box=1, upheld=True))
        assert table.readings() == standing
    assert waiting(table) == []
    evening.play(table, 1)
    outside = accounts(file)[f"{table.stream} outside 1"]
    assert (outside > 0) == (word == "validated" and book != "UTH-S")
    resumes_as(table, evening)
    is_sound(file, evening)
    rounds_are_proved(file, evening, table.name)


@pytest.mark.parametrize("word", ["validated", "hand"])
def test_whose_file_finds_what_a_house_pays_wrong_around_an_award(
    file: Ledger, tmp_path: Path, word: str
) -> None:
    """Line, chain, MAC, log and signature are all the house's own."""
    evening, table = a_round(file, "UTH-S", **ROYAL["UTH-S"])
    until_won(table, evening, 1)
    if word == "validated":
        evening.give(table, floor(do.ValidateProgressive, box=1))
    else:
        evening.give(table, floor(do.ProposeRefusal, box=1, reason=word))
        evening.give(table, manager(do.ConfirmRefusal, box=1, upheld=True))
    number = table.state.round.number
    evening.play(table, 1)

    def found(change: Change, viewer: Viewer) -> set[str]:
        with rewritten(file, tmp_path, change, ring=evening.ring) as other:
            checkpoint_now(other, evening.ring, 1)
            made = round_proof(other, table.name, number, viewer).text()
        return {one.sentence for one in check_proof(made, evening.registry).differences}

    own = round_lines(file, table.stream, number)
    envy = [line for line in own if line.kind == "wager-settled" and '"envy"' in line.body]
    net = next(line for line in own if line.kind == "box-settled" and '"box":1' in line.body)
    if word == "hand":
        assert envy == []
        wrong = event(table.stream, net.version, net_cents=1)
        assert found(wrong, PUBLIC) == {"box 1 came to another sum than the rules give"}
        return
    line = envy[0]
    paid = read_kept(line.body)
    assert isinstance(paid, ev.WagerSettled)
    who = Viewer(role="player", name=table.state.seats[paid.box])
    changed = event(table.stream, line.version, paid_cents=1)
    assert found(changed, who) == {f"the envy of box {paid.box} was paid wrong"}
    (withheld,) = found(removed(table.stream, line.version), who)
    told = f"box {paid.box} was paid no Envy for the hand of box 1, which it is due"
    assert withheld.startswith(told)
    assert found(removed(table.stream, line.version), PUBLIC) == set()


@pytest.mark.parametrize("book", BOOKS)
def test_a_void_takes_an_award_back(file: Ledger, book: str) -> None:
    """Found during settlement, a wrong count reverses what was drawn from the meters."""
    evening, table = a_round(file, book, **ROYAL[book])
    chips = dict.fromkeys(table.state.seats, 0)
    for account, micros in accounts(file).items():
        for seat in chips:
            if account in (f"{table.stream} purse {seat}", f"{table.stream} felt {seat}"):
                chips[seat] += micros // 10_000
    before = table.readings()
    until_won(table, evening, 1)
    given_by(table, evening, floor(do.ValidateProgressive, box=1))
    given_by(table, evening, dealer(do.Declare, name="wrong-number-dealt"))
    given_by(table, evening, floor(do.Confirm, upheld=True))
    assert table.state.round.stage == "void"
    assert table.state.chips == chips
    assert table.readings() == before
    evening.play(table, 1)
    is_sound(file, evening)


@pytest.mark.parametrize("first", ["validated", "hand", "void"])
def test_of_two_wins_on_a_linked_meter_the_one_that_came_first_is_decided_first(
    file: Ledger, first: str
) -> None:
    """Two tables show a royal flush; the second draws what the first has left, or all of it."""
    evening = Evening(31)
    tables = [evening.install(file, "UTH-S", name, link="L") for name in ("T-1", "T-2")]
    for table in tables:
        evening.sit(table, 3)
        packs = stacked(table.state.terms, (1, 2, 3), **ROYAL["UTH-S"])
        table._packs = lambda packs=packs: packs  # type: ignore[misc]
        evening.play(table, 1)
        table._packs = evening.packs
        evening._wager(table)
        until_won(table, evening, 1)
    one, two = tables
    won = one.state.round.won
    assert won is not None
    assert won.meter is not None
    assert two.link is not None
    assert [name for name, meter in two.link.state.waiting if meter == won.meter] == ["T-1", "T-2"]
    validate = floor(do.ValidateProgressive, box=1)
    with pytest.raises(Refusal, match="table T-1 waits"):
        two.give(validate, evening.next_id())
    stood = two.readings()[won.meter]
    if first == "validated":
        one.give(validate, evening.next_id())
    elif first == "void":
        one.give(dealer(do.Declare, name="wrong-number-dealt"), evening.next_id())
        one.give(floor(do.Confirm, upheld=True), evening.next_id())
    else:
        one.give(floor(do.ProposeRefusal, box=1, reason=first), evening.next_id())
        one.give(manager(do.ConfirmRefusal, box=1, upheld=True), evening.next_id())
    resumes_as(two, evening)
    events = two.give(validate, evening.next_id()).events
    (paid,) = [e for e in events if isinstance(e, ev.WagerSettled) and e.meter]
    assert paid.meter_before_micros == two_finds(first, one, won.meter, stood)
    for table in tables:
        evening.play(table, 1)
    is_sound(file, evening)


def two_finds(first: str, one: KeptTable, meter: str, stood: int) -> int:
    """What the second win finds on the meter after the first was decided."""
    if first == "hand":
        return stood
    if first == "void":  # the growth of its wagers went back
        return stood - sum(e.by_micros for e in told(one, ev.MeterShrank) if e.meter == meter)
    (paid,) = [e for e in told(one, ev.WagerSettled) if e.meter == meter]
    return paid.meter_after_micros


# Accidents


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("upheld", [True, False])
def test_a_second_card_found_face_up(file: Ledger, book: str, upheld: bool) -> None:
    evening, table = a_round(file, book)
    until(table, evening, "dealing")
    evening.step(table)
    for n in range(2):
        due = table.shoe().draw(1)
        declared = dealer(do.Declare, name="card-face-up", cards=("2c",))
        (found,) = given_by(table, evening, declared)
        assert isinstance(found, ev.IrregularityDeclared)
        assert found.cards == due
        assert n == 0 or table.state.hold is not None
    given_by(table, evening, floor(do.Confirm, upheld=upheld))
    assert (table.state.round.stage == "void") == upheld
    if not upheld:
        assert table.shoe().draw(1) == due
    evening.play(table, 1)
    is_sound(file, evening)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("upheld", [True, False])
def test_a_card_of_the_dealer_is_seen(file: Ledger, book: str, upheld: bool) -> None:
    evening, table = a_round(file, book)
    until(table, evening, "acting")
    seen = place_of(table, table.state.round.places["dealer"][0])
    given_by(table, evening, dealer(do.Declare, name="dealer-card-exposed", exposed=(seen,)))
    assert table.state.hold is not None
    given_by(table, evening, floor(do.Confirm, upheld=upheld))
    evening.play(table, 1)
    resumes_as(table, evening)
    is_sound(file, evening)


@pytest.mark.parametrize("book", BOOKS)
def test_a_players_card_is_seen_and_play_goes_on(file: Ledger, book: str) -> None:
    evening, table = a_round(file, book)
    until(table, evening, "acting")
    seen = place_of(table, table.state.round.boxes[2].cards[1])
    given_by(table, evening, dealer(do.Declare, name="other-card-exposed", exposed=(seen,)))
    evening.play(table, 1)
    is_sound(file, evening)


def place_of(table: KeptTable, card: str) -> str:
    assert table._pack is not None
    return token(table._pack.cards.index(card))


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("moment", ["dealing", "acting", "revealing", "settling"])
def test_a_round_is_void_whenever_the_system_cannot_go_on(
    file: Ledger, book: str, moment: str
) -> None:
    evening, table = a_round(file, book)
    until(table, evening, moment)
    evening.step(table)
    given_by(table, evening, floor(do.VoidRound, cause="power-lost"))
    given_by(table, evening, do.Confirm(by="Max", role="manager", upheld=True))
    assert table.state.round.stage == "void"
    assert not any(m for a, m in accounts(file).items() if " felt " in a)
    evening.play(table, 1)
    is_sound(file, evening)


# People


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("outcome", ["abandoned", "default", None])
def test_a_player_who_leaves(file: Ledger, book: str, outcome: str | None) -> None:
    evening, table = a_round(file, book)
    until(table, evening, "acting")
    given_by(table, evening, dealer(do.ReportAbsence, box=2))
    given_by(table, evening, floor(do.RuleOnAbsence, box=2, outcome=outcome))
    evening.play(table, 1)
    resumes_as(table, evening)
    is_sound(file, evening)


@pytest.mark.parametrize("book", BOOKS)
def test_who_does_not_answer_in_time(file: Ledger, book: str) -> None:
    evening, table = a_round(file, book)
    while phase(table.state) != "revealing":
        command = next_duty(table.state, table.shoe(), table.readings())
        if command is None:
            seat = next(s for s in (3, 2, 1) if _is_asked(table, s))
            command = do.TimeOut(by="clock", role="device", box=seat)
        given_by(table, evening, command)
    assert [e for e in told(table, ev.Folded) if e.defaulted]
    evening.play(table, 1)
    is_sound(file, evening)


def _is_asked(table: KeptTable, seat: int) -> bool:
    box = asked_box(table.state)
    return box is not None and box.seat == seat


# Everything at once


def test_a_hard_evening_of_all_games_is_accused_of_nothing(file: Ledger) -> None:
    """Two tables on one link, a third beside them; keys rotated and lost on the way."""
    evening = Evening(41)
    tables = [
        evening.install(file, "UTH-S", name="one", link="pit"),
        evening.install(file, "UTH-S", name="two", link="pit"),
        evening.install(file, "UTH-14", name="three"),
        evening.install(file, "FCP-14", name="four"),
    ]
    chance = Random(6)
    for table in tables:
        sit_down(table, evening)
    rings = iter([evening.ring, evening.ring.rotated(), evening.ring.rotated(), new_ring()])
    for ring in rings:
        evening.ring = ring
        tables = [evening.resumed(file, table.name) for table in tables]
        for table in tables:
            if table.state.hold is not None and table.state.hold.name == do.UNREADABLE:
                evening.give(table, do.Confirm(by="Max", role="manager", upheld=True))
        tables = [walk_on(table, evening, chance, 50) for table in tables]
    for table in tables:
        resumes_as(table, evening)
    is_sound(file, evening)


# Random walks


class Walked:
    """A kept table as the walks of the engine see one."""

    def __init__(self, table: KeptTable) -> None:
        self.state, self.meters, self.shoe = table.state, table.readings(), table.shoe()
        self.at_s = table.state.at_s


def walk_on(table: KeptTable, evening: Evening, chance: Random, steps: int) -> KeptTable:
    """Commands, legal and not, with a restart now and then."""
    for _ in range(steps):
        if chance.random() < 0.08:
            table = resumes_as(table, evening)
        command = as_kept(table, some_command(table, chance))
        before = table.state
        try:
            table.give(command, evening.next_id())
        except (Refusal, Unreadable):
            assert table.state is before
        for seat in table.state.seats:
            assert table.state.chips.get(seat, 0) >= 0
    return table


def some_command(table: KeptTable, chance: Random) -> do.Command:
    """Half of the time what makes the evening go on, so that rounds come to their ends."""
    state, luck = table.state, chance.random()
    free = [seat for seat in state.seats if seat not in state.round.boxes]
    if luck < 0.03:
        return money(table, chance)
    if luck < 0.6 and state.open and phase(state) == "betting" and free:
        return numbered(state, regulars.wagers(state, chance.choice(free))[0], chance)
    if luck < 0.57 and (waits := unshown(state)):
        return do.ShowNumber(
            by=waits[0].player, role="player", box=waits[0].seat, number=walks.NUMBER
        )
    if luck < 0.6 and state.hold is None and phase(state) == "acting":
        return next_duty(state, table.shoe(), table.readings()) or regulars.decision(state)
    if luck < 0.6:
        duty = next_duty(state, table.shoe(), table.readings())
        return duty or money(table, chance)
    return walks.any_command(Walked(table), chance)  # type: ignore[arg-type]


def numbered(state: State, command: do.Command, chance: Random) -> do.Command:
    if not isinstance(command, do.PlaceWagers):
        return command
    hash = walks.committed(state, command.box, chance)
    return msgspec.structs.replace(command, number_hash=hash)


def sit_down(table: KeptTable, evening: Evening) -> None:
    for seat, name in enumerate(walks.PLAYERS, 1):
        evening.give(table, do.TakeBox(by=name, role="player", box=seat))
        evening.give(
            table, do.BuyIn(by="dealer", role="dealer", box=seat, cents=5_000_00, taken="cash")
        )


def money(table: KeptTable, chance: Random) -> do.Command:
    seat = chance.randint(1, 4)
    who = table.state.seats.get(seat, "Ann")
    return chance.choice(
        [
            do.BuyIn(
                by="dealer",
                role="dealer",
                box=seat,
                cents=chance.choice([5_00, 2_000_00]),
                taken="cash",
            ),
            do.CashOut(by=who, role="player", box=seat),
            do.Tip(by=who, role="player", box=seat, cents=5_00),
            do.LeaveBox(by=who, role="player", box=seat),
        ]
    )


def as_kept(table: KeptTable, command: do.Command) -> do.Command:
    """At a kept table a card that was seen is named by its place."""
    if isinstance(command, do.Declare) and command.exposed and table._pack is not None:
        seen = tuple(place_of(table, card) for card in command.exposed)
        return msgspec.structs.replace(command, exposed=seen)
    return command


def a_walk(file: Path, seed: int, steps: int) -> None:
    chance = Random(seed)
    with closing(open_ledger(str(file), create=True)) as ledger:
        evening = Evening(seed, numbers=bool(seed % 2))
        deck = Random(seed)
        evening.packs = lambda: pack_of(
            walks.a_deck(deck) if deck.random() < 0.5 else map(str, fresh_order(deck.getrandbits)),
            deck.getrandbits,
        )
        table = evening.install(ledger, chance.choice(BOOKS))
        sit_down(table, evening)
        table = walk_on(table, evening, chance, steps)
        resumes_as(table, evening)
        is_sound(ledger, evening)
        rounds_are_proved(ledger, evening, table.name)


def rounds_are_proved(ledger: Ledger, evening: Evening, table: str) -> None:
    """Each round that is over, as one file, for everybody who may have it."""
    checkpoint_now(ledger, evening.ring, 1)
    lines = list(ledger.read(f"table/{table}"))
    cleared = [read_kept(line.body) for line in lines if line.kind == "cards-cleared"]
    for number in (each.round for each in cleared if isinstance(each, ev.CardsCleared)):
        own = round_lines(ledger, f"table/{table}", number)
        names = sorted({line.actor for line in own if line.kind == "wager-placed"})
        players = [Viewer(role="player", name=name) for name in names]
        for viewer in (PUBLIC, SURVEILLANCE, *players):
            made = round_proof(ledger, table, number, viewer).text()
            assert check_proof(made, evening.registry).differences == (), (number, viewer)


@settings(max_examples=4)
@given(st.integers(0, 2**32))
def test_any_walk_is_read_back_and_proved(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    a_walk(tmp_path_factory.mktemp("walk") / "ledger.db", seed, 150)


@pytest.mark.prove
def test_long_walks_are_read_back_and_proved(tmp_path: Path) -> None:
    for seed in range(30):
        a_walk(tmp_path / f"{seed}.db", 50_000 + seed, 600)
