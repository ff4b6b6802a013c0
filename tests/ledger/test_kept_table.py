"""A kept table: each command once, nothing lost, no card told before the rules turn it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from croupier.facts.cards import DECK
from croupier.facts.errors import Refusal, Unreadable
from croupier.ledger import kept_table as keeping
from croupier.ledger.events import REFUSALS, TABLE, CardsOpened, ShoeCommitted, read_kept
from croupier.ledger.installation import install
from croupier.ledger.kept_table import Answer, AppendPlan, KeptTable, Stale
from croupier.ledger.link import Link
from croupier.ledger.shoe.entropy import Chance, StuckSource
from croupier.ledger.shoe.key_ring import new_ring
from croupier.ledger.shoe.pack import Pack, fresh_pack, pack_of
from croupier.ledger.store.address import open_ledger
from croupier.ledger.store.port import Ledger, Unavailable
from croupier.ledger.verification import ForgedLine
from croupier.practice import regulars
from croupier.submission.check import shipped_submission
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.automatic_dealer import next_duty
from croupier.table.engine import decide
from croupier.table.state import State
from croupier.table.views import DEALER, FLOORPERSON, PUBLIC, SURVEILLANCE, Viewer, view
from tests.audit.tampering import body, rewritten
from tests.ledger.evenings import Evening
from tests.ledger.kept import (
    Faulty,
    accounts,
    deal_next,
    is_sound,
    lines_of,
    resumes_as,
    until,
    without_progressive,
)

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
BUY_IN = do.BuyIn(by="dealer", role="dealer", box=1, cents=100_00, taken="cash")
TAKE = do.TakeBox(by="Ann", role="player", box=1)
SECOND_US = 1_000_000


@pytest.fixture
def ledger(address: str) -> Iterator[Ledger]:
    with closing(open_ledger(address, create=True)) as ledger:
        yield ledger


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Ledger]:
    """For what does not depend on where the lines are kept."""
    with closing(open_ledger(str(tmp_path / "ledger.db"), create=True)) as ledger:
        yield ledger


# Each command once


def test_a_command_given_again_gets_its_first_answer(ledger: Ledger) -> None:
    evening = Evening()
    table = evening.install(ledger)
    first = table.give(TAKE, "a")
    table.give(BUY_IN, "b")
    before = (table.version, ledger.heads())
    for keeper in (table, evening.resumed(ledger, table.name)):
        again = keeper.give(TAKE, "a")
        assert (again.events, again.version, again.again) == (first.events, first.version, True)
        assert not first.again
        assert (keeper.version, ledger.heads()) == before
    assert table.state.chips == {1: 100_00}


def test_a_refusal_given_again_is_the_same_refusal(ledger: Ledger) -> None:
    evening = Evening()
    table = evening.install(ledger)
    check = do.Check(by="Ann", role="player", box=1)
    with pytest.raises(Refusal) as first:
        table.give(check, "a")
    table.give(TAKE, "b")
    for keeper in (table, evening.resumed(ledger, table.name)):
        with pytest.raises(Refusal) as again:
            keeper.give(check, "a")
        assert (again.value.sentence, again.value.clause) == (
            first.value.sentence,
            first.value.clause,
        )
    assert ledger.head(f"{REFUSALS}{table.name}").version == 1


def test_refusals_stand_beside_the_table_and_never_in_it(ledger: Ledger) -> None:
    evening = Evening()
    table = evening.install(ledger)
    before = ledger.head(table.stream)
    for n in range(3):
        with pytest.raises(Refusal):
            table.give(do.Reveal(by="dealer", role="dealer"), f"r{n}")
    assert ledger.head(table.stream) == before
    refused = list(ledger.read(f"{REFUSALS}{table.name}"))
    assert [line.kind for line in refused] == ["command-refused"] * 3
    said = b'{"do":"reveal","by":"dealer","role":"dealer","at_s":0}'
    assert refused[0].command == f"sha256:{sha256(said).hexdigest()}"
    is_sound(ledger, evening)


def test_an_id_has_one_meaning(ledger: Ledger) -> None:
    evening = Evening()
    one, two = evening.install(ledger, name="one"), evening.install(ledger, name="two")
    one.give(TAKE, "a")
    with pytest.raises(Refusal):
        one.give(do.Reveal(by="dealer", role="dealer"), "r")
    for table, command, id in (
        (one, do.TakeBox(by="Ben", role="player", box=1), "a"),
        (two, TAKE, "a"),
        (one, TAKE, "r"),
        (two, do.Reveal(by="dealer", role="dealer"), "r"),
    ):
        with pytest.raises(Unreadable, match=f"command {id} was given before, with other words"):
            table.give(command, id)
    with pytest.raises(Unreadable, match="needs an id of its own"):
        one.give(TAKE, "")
    assert two.state.seats == {}


def test_who_saw_an_older_table_looks_again(ledger: Ledger) -> None:
    evening = Evening()
    table = evening.install(ledger)
    seen = table.version
    table.give(TAKE, "a", seen=seen)
    with pytest.raises(Stale, match=f"at version {table.version}, not {seen}"):
        table.give(BUY_IN, "b", seen=seen)
    assert table.give(TAKE, "a", seen=seen).again
    table.give(BUY_IN, "b", seen=table.version)


def test_time_cards_and_meters_are_the_keepers_alone(file: Ledger) -> None:
    """What a caller says of them is neither believed nor kept."""
    evening = Evening()
    table = evening.install(file)
    evening.sit(table, 1)
    evening.play(table, 1)
    evening._wager(table)
    table.give(do.NoMoreBets(by="dealer", role="dealer", at_s=5, meters={"mega": 1}), "close")
    dealt = table.give(do.Deal(by="dealer", role="dealer", cards=("Ah",)), "deal").events
    words = [line.command for line in lines_of(file, table.name) if line.command]
    assert not any('"Ah"' in text or '"mega"' in text or '"at_s":5' in text for text in words)
    assert table.give(do.Deal(by="dealer", role="dealer", cards=("2c",)), "deal").events == dealt


def test_what_could_not_be_read_again_is_not_written(file: Ledger) -> None:
    evening = Evening()
    table = evening.install(file)
    heads = file.heads()
    for command in (
        do.TakeBox(by="A" * 101, role="player", box=1),
        do.TakeBox(by="\ud800", role="player", box=1),
        do.BuyIn(by="dealer", role="dealer", box=1, cents=10**15, taken="cash"),
        do.BuyIn(by="dealer", role="dealer", box=1, cents=-1, taken="cash"),
    ):
        with pytest.raises(Unreadable, match="this is no command"):
            table.give(command, "x")
    assert file.heads() == heads


# Two keepers, two tables


def test_two_keepers_of_one_table_do_not_lose_each_others_lines(address: str) -> None:
    evening = Evening()
    with closing(open_ledger(address, create=True)) as here, closing(open_ledger(address)) as there:
        one = evening.install(here)
        two = evening.resumed(there, one.name)
        one.give(TAKE, "a")
        assert two.give(TAKE, "a").again
        assert two.state == one.state
        two.give(BUY_IN, "b")
        one.give(do.Tip(by="Ann", role="player", box=1, cents=5_00), "c")
        assert one.state.chips == {1: 95_00}
        with pytest.raises(Stale):
            two.give(do.Tip(by="Ann", role="player", box=1, cents=5_00), "d", seen=two.version)
        one.give(do.CashOut(by="Ann", role="player", box=1), "all")
        two.give(BUY_IN, "more")
        with pytest.raises(Refusal):
            one.give(do.Reveal(by="dealer", role="dealer"), "e")
        with pytest.raises(Refusal):
            two.give(do.Reveal(by="dealer", role="dealer"), "f")
        evening.play(one, 1)
        two.give(do.Tip(by="Ann", role="player", box=1, cents=5_00), "g")
        assert two.state.round.number == one.state.round.number
        one.give(do.CashOut(by="Ann", role="player", box=1), "out")
        with pytest.raises(Stale):  # what is refused is refused by the table as it is
            two.give(do.TakeBox(by="Ann", role="player", box=1), "h", seen=two.version)
        is_sound(here, evening)


def test_a_keeper_with_an_old_ring_leaves_the_round_alone(file: Ledger) -> None:
    """Another process has rotated the keys; this one must not void what it cannot open."""
    evening = Evening()
    old = evening.install(file)
    evening.ring = evening.ring.rotated()
    new = evening.resumed(file, old.name)
    evening.sit(new, 2)
    evening.play(new, 1)
    evening._wager(new)
    until(new, evening, "acting")
    before = file.heads()
    for n in range(2):
        with pytest.raises(Unavailable, match="sealed with a key that is not on this ring"):
            old.give(do.Deal(by="dealer", role="dealer"), f"d{n}")
    assert file.heads() == before
    evening.play(new, 1)
    is_sound(file, evening)


def test_tables_on_one_link_move_the_same_meters(address: str) -> None:
    evening = Evening()
    with closing(open_ledger(address, create=True)) as here, closing(open_ledger(address)) as there:
        one = evening.install(here, name="one", link="pit")
        two = evening.install(there, name="two", link="pit")
        for table in (one, two):
            evening.sit(table, 3)
            evening.step(table)
        for _ in range(3):
            for table in (one, two):
                if table.state.round.stage == "betting":
                    evening._wager(table)
            until_round = one.state.round.number + 1
            while min(one.state.round.number, two.state.round.number) < until_round:
                for table in (one, two):
                    if table.state.round.number < until_round:
                        evening.step(table)
        for table in (one, two):
            assert table.link is not None
            table.link.refresh()
        assert one.readings() == two.readings()
        books = accounts(here)
        assert all(books[f"meter {name}"] == at for name, at in one.readings().items())
        assert {line.body.split('"table":"')[1][:3] for line in here.read("link/pit", 1)} == {
            "one",
            "two",
        }
        is_sound(here, evening)


def test_a_link_runs_on_one_set_of_terms(file: Ledger) -> None:
    evening = Evening()
    evening.install(file, "UTH-14", name="one", link="pit")
    heads = file.heads()
    with pytest.raises(Unreadable, match="link pit runs with other meters, resets or rates"):
        evening.install(file, "FCP-14", name="two", link="pit")
    with pytest.raises(Unreadable, match='there is a table "one" in this ledger already'):
        evening.install(file, "UTH-14", name="one")
    for name in (" ", "a\nb", "x" * 101):
        with pytest.raises(Unreadable, match="is no name for a table"):
            evening.install(file, "UTH-14", name=name)
    with pytest.raises(Unreadable, match='no table "three"'):
        evening.resumed(file, "three")
    assert file.heads() == heads


def test_a_table_without_a_progressive_has_no_link(file: Ledger) -> None:
    evening = Evening(3)
    said = without_progressive(shipped_submission("FCP-14"))
    table = install(
        file, said, evening.registry, evening.ring, evening.packs, by="Mia", clock=evening.clock
    )
    assert (table.link, table.readings()) == (None, {})
    evening.sit(table, 3)
    evening.play(table, 3)
    resumes_as(table, evening)
    assert not [stream for stream in file.heads() if stream.startswith("link/")]
    is_sound(file, evening)


@pytest.mark.parametrize(
    "book", [pytest.param(b, marks=[pytest.mark.prove] * (b == "UTH-14")) for b in BOOKS]
)
def test_a_table_comes_back_as_it_was(ledger: Ledger, book: str) -> None:
    evening = Evening(5)
    table = evening.install(ledger, book)
    evening.sit(table, 4)
    for _ in range(70):
        if table.state.round.stage == "betting":
            evening._wager(table)
        evening.step(table)
        resumes_as(table, evening)
    is_sound(ledger, evening)


# What the ledger tells of the cards


def told(ledger: Ledger, name: str) -> list[tuple[object, ...]]:
    """Everything that is stored of a table, but for what is random by nature."""
    found: list[tuple[object, ...]] = []
    for stream in (f"{TABLE}{name}", f"{REFUSALS}{name}"):
        for line in ledger.read(stream):
            event = read_kept(line.body)
            body: object = line.body
            if isinstance(event, ShoeCommitted):
                body = (event.round, len(event.commitment.leaves), len(event.sealed))
            elif isinstance(event, CardsOpened):
                body = [(opening.place, opening.card) for opening in event.openings]
            found.append(
                (line.stream, line.version, line.kind, line.command, line.entries, str(body))
            )
    return found


def opened_places(ledger: Ledger, name: str) -> set[int]:
    events = [read_kept(line.body) for line in lines_of(ledger, name)]
    return {
        opening.place
        for event in events
        if isinstance(event, CardsOpened) and event.round == 1
        for opening in event.openings
    }


class Noted(NamedTuple):
    """A moment of a round: the command, what was stored after it, and what had been turned."""

    command: do.Command
    command_id: str
    stored: list[tuple[object, ...]]
    turned: set[int]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.prove) for n in (2, 3))])
def test_what_is_stored_says_nothing_of_a_card_that_was_not_turned(
    tmp_path: Path, book: str, seed: int
) -> None:
    """A round is played; then, for many moments of it, the same commands once more from a pack in
    which every card not turned by then lies elsewhere. All that is stored is the same.
    """
    chance = Random(seed)
    pack = fresh_pack(chance.getrandbits)
    with closing(open_ledger(str(tmp_path / "played.db"), create=True)) as ledger:
        noted = played_and_noted(ledger, Evening(seed), book, pack)
    for moment in {*range(seed, len(noted), 4), len(noted) - 1}:
        evening = Evening(seed)
        deal_next(evening, _elsewhere(pack, noted[moment].turned, chance))
        with closing(open_ledger(str(tmp_path / f"{moment}.db"), create=True)) as ledger:
            table = evening.install(ledger, book, name="t")
            for note in noted[: moment + 1]:
                with suppress(Refusal):
                    table.give(note.command, note.command_id)
            assert told(ledger, "t") == noted[moment].stored


def played_and_noted(ledger: Ledger, evening: Evening, book: str, pack: Pack) -> list[Noted]:
    deal_next(evening, pack)
    table = evening.install(ledger, book, name="t")
    real, noted = table.give, list[Noted]()

    def noting(command: do.Command, command_id: str, seen: int | None = None) -> Answer:
        try:
            return real(command, command_id, seen)
        finally:
            stored, turned = told(ledger, "t"), opened_places(ledger, "t")
            noted.append(Noted(command, command_id, stored, turned))

    table.give = noting  # type: ignore[method-assign]
    evening.sit(table, 4)
    evening.step(table)
    evening._wager(table)
    while table.state.round.number == 1:
        if table.state.round.stage == "play" and len(noted) % 5 == 0:
            guess = do.Declare(by="Dee", role="dealer", name="dealer-card-exposed")
            with pytest.raises(Refusal):
                table.give(guess, f"guess-{len(noted)}")
        evening.step(table)
    return noted


def _elsewhere(pack: Pack, places: set[int], chance: Random) -> Pack:
    """The same cards where they were turned, all others shuffled."""
    hidden = [at for at in range(len(pack.cards)) if at not in places]
    cards = list(pack.cards)
    moved = [cards[at] for at in hidden]
    chance.shuffle(moved)
    for at, card in zip(hidden, moved, strict=True):
        cards[at] = card
    return pack_of(cards, chance.getrandbits)


NAMED = re.compile(rb'"([2-9TJQKA][cdhs])\\*"')


def test_no_byte_on_the_disk_names_a_card_before_it_is_turned(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    evening = Evening(11)
    with closing(open_ledger(str(file), create=True)) as ledger:
        table = evening.install(ledger)
        evening.sit(table, 6)
        turned: set[str] = set()
        for _ in range(120):
            if table.state.round.stage == "betting":
                evening._wager(table)
            evening.step(table)
            turned |= table.state.round.up | (table.state.last.up if table.state.last else set())
            if table.state.round.number > 1:
                break
            raw = b"".join(path.read_bytes() for path in tmp_path.iterdir())
            named = {match.decode() for match in NAMED.findall(raw)}
            assert named <= turned
            assert not any(salt.hex().encode() in raw for salt in _unturned_salts(table))
        assert table.state.round.number > 1
        assert len(turned) > 10


def _unturned_salts(table: KeptTable) -> list[bytes]:
    pack = table._pack
    assert pack is not None
    up = table.state.round.up
    return [salt for card, salt in zip(pack.cards, pack.salts, strict=True) if card not in up]


def test_who_guesses_at_a_card_learns_nothing(file: Ledger) -> None:
    """A card that was seen is named by its place; the name of any card is not even understood."""
    evening = Evening(2)
    table = evening.install(file)
    evening.sit(table, 2)
    evening.step(table)
    evening._wager(table)
    until(table, evening, "acting")
    before = file.heads()
    for card in DECK:
        for exposed in ((str(card),), (str(card), "@0")):
            guess = do.Declare(
                by="dealer", role="dealer", name="dealer-card-exposed", exposed=exposed
            )
            with pytest.raises(Unreadable, match="is not a place in a pack"):
                table.give(guess, f"g-{card}")
    assert file.heads() == before
    dealer = table.state.round.places["dealer"]
    pack = table._pack
    assert pack is not None
    at = pack.cards.index(dealer[0])
    seen = do.Declare(by="dealer", role="dealer", name="dealer-card-exposed", exposed=(f"@{at}",))
    (declared,) = table.give(seen, "seen").events
    assert isinstance(declared, ev.IrregularityDeclared)
    assert declared.exposed == (dealer[0],)
    resumes_as(table, evening)
    is_sound(file, evening)


def test_the_card_found_is_the_one_the_shoe_gives_next(file: Ledger) -> None:
    evening = Evening(2)
    table = evening.install(file)
    evening.sit(table, 2)
    evening.step(table)
    evening._wager(table)
    until(table, evening, "dealing")
    evening.step(table)
    due = table.shoe().draw(1)
    found = do.Declare(by="dealer", role="dealer", name="card-face-up", cards=("2c",))
    (declared,) = table.give(found, "found").events
    assert isinstance(declared, ev.IrregularityDeclared)
    assert declared.cards == due
    too_many = do.Declare(by="dealer", role="dealer", name="card-face-up", cards=("2c",) * 60)
    with pytest.raises(Refusal, match="must be named"):
        table.give(too_many, "many")
    evening.play(table, 1)
    is_sound(file, evening)


# The clock


def test_a_clock_that_goes_back_stops_the_table_and_loses_nothing(ledger: Ledger) -> None:
    evening = Evening()
    table = evening.install(ledger)
    at = table.last_us
    table._clock = lambda: at - 3600 * SECOND_US
    heads, state = ledger.heads(), table.state
    for _ in range(2):
        with pytest.raises(Unavailable, match="the clock went back 3600 seconds"):
            table.give(TAKE, "a")
    assert (ledger.heads(), table.state) == (heads, state)
    table._clock = lambda: at - SECOND_US // 2  # a breath, as clocks are set
    assert not table.give(TAKE, "a").again
    table._clock = lambda: at + SECOND_US
    table.give(BUY_IN, "b")
    times = [line.at_us for line in lines_of(ledger, table.name)]
    assert times == sorted(times)
    is_sound(ledger, evening)


# Keys


def in_stage(
    ledger: Ledger, stage: str, book: str = "UTH-S"
) -> tuple[Evening, KeptTable, dict[int, int]]:
    """A table in the middle of its second round, and what each box had before it."""
    evening = Evening(4)
    table = evening.install(ledger, book)
    evening.sit(table, 3)
    evening.play(table, 1)
    had = dict(table.state.chips)
    if stage != "between":
        evening._wager(table)
    if stage in ("between", "betting"):
        return evening, table, had
    until(table, evening, "settling" if stage == "settling" else "acting")
    if stage == "hold":
        evening.give(table, do.Declare(by="Dee", role="dealer", name="wrong-number-dealt"))
        assert table.state.hold is not None
    elif stage == "settling":
        evening.step(table)
    elif stage == "void":
        evening.give(table, do.VoidRound(by="Flo", role="floorperson", cause="power-lost"))
        evening.give(table, do.Confirm(by="Max", role="manager", upheld=True))
    return evening, table, had


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("stage", ["between", "betting", "acting", "hold", "settling", "void"])
def test_a_lost_key_costs_nobody_a_cent(file: Ledger, stage: str, book: str) -> None:
    evening, table, had = in_stage(file, stage, book)
    evening.ring = new_ring()
    again = evening.resumed(file, table.name)
    if stage == "between":
        assert again.state.round == table.state.round
        assert again.version == table.version + 1
    elif stage not in ("betting", "void"):
        assert (again.state.round.stage, again.state.hold is not None) == ("play", True)
        if stage == "hold":
            evening.give(again, do.Confirm(by="Max", role="manager", upheld=False))
            evening.give(again, do.VoidRound(by="Flo", role="floorperson", cause="power-lost"))
        evening.give(again, do.Confirm(by="Max", role="manager", upheld=True))
    assert again.state.round.stage == ("betting" if stage == "between" else "void")
    assert again.state.hold is None
    assert again.state.chips == had
    for viewer in (PUBLIC, DEALER, FLOORPERSON, SURVEILLANCE, Viewer(role="player", name="Ann")):
        view(again.state, viewer)
    assert evening.resumed(file, table.name).version == again.version
    evening.play(again, 2)
    resumes_as(again, evening)
    is_sound(file, evening)


def test_a_wrong_ring_voids_nobodys_round(file: Ledger) -> None:
    """It looks like a lost key; somebody has to say that it is one."""
    evening, table, _ = in_stage(file, "acting")
    before = file.head(table.stream)
    with pytest.raises(ForgedLine, match="bring the right keys, or say that they are lost"):
        evening.resumed(file, table.name, new_ring(), lost=False)
    assert file.head(table.stream) == before
    assert evening.resumed(file, table.name, lost=False).state == table.state


def test_keys_are_rotated_while_a_round_is_played(file: Ledger) -> None:
    evening, table, _ = in_stage(file, "acting")
    evening.ring = evening.ring.rotated()
    again = resumes_as(table, evening)
    evening.play(again, 2)
    used = {
        event.sealed.split(".")[1]
        for line in lines_of(file, table.name)
        if isinstance(event := read_kept(line.body), ShoeCommitted)
    }
    assert used == {key.id for key in evening.ring.keys}
    evening.ring = evening.ring.retired(evening.ring.keys[0].id)
    resumes_as(again, evening)
    is_sound(file, evening)


# Chance, and appends that fail


def table_duty(table: KeptTable) -> do.Command | None:
    return next_duty(table.state, table.shoe(), table.readings())


def test_a_stuck_source_stops_the_table_and_loses_nothing(ledger: Ledger) -> None:
    evening = Evening(6)
    source = iter([bytes(range(32)), bytes(range(32, 64)), *[bytes(32)] * 9])
    stuck = Chance(lambda count: next(source))
    table = evening.install(ledger)
    evening.sit(table, 1)
    evening.step(table)
    evening._wager(table)
    while not isinstance(table_duty(table), do.ClearCards):
        evening.step(table)
    table._packs = lambda: fresh_pack(stuck)
    heads, state = ledger.heads(), table.state
    for _ in range(2):
        with pytest.raises(StuckSource, match="the source of chance stands still"):
            table.give(do.ClearCards(by="dealer", role="dealer"), "clear")
    assert (ledger.heads(), table.state) == (heads, state)
    table._packs = evening.packs
    assert not table.give(do.ClearCards(by="dealer", role="dealer"), "clear").again
    is_sound(ledger, evening)


@pytest.mark.parametrize("fails", ["before", "after"])
def test_whatever_append_fails_the_command_can_be_given_again(ledger: Ledger, fails: str) -> None:
    """Every append of a round fails once; whether it was written or not, it is there once."""
    evening = Evening(8)
    faulty = Faulty(ledger)
    table = evening.install(faulty)
    give = table.give

    def twice(command: do.Command, command_id: str, seen: int | None = None) -> Answer:
        faulty.fails, state = fails, table.state
        with pytest.raises(Unavailable):
            give(command, command_id, seen)
        assert table.state is state
        answer = give(command, command_id, seen)
        assert answer.again == (fails == "after")
        assert len(ledger.answered(command_id)) > 0
        return answer

    table.give = twice  # type: ignore[method-assign]
    evening.sit(table, 2)
    evening.play(table, 1)
    resumes_as(table, evening)
    is_sound(ledger, evening)


def test_the_answer_lost_and_another_command_first(file: Ledger) -> None:
    evening = Evening(8)
    faulty = Faulty(file)
    table = evening.install(faulty)
    faulty.fails = "after"
    with pytest.raises(Unavailable):
        table.give(TAKE, "a")
    table.give(BUY_IN, "b")
    assert table.state.seats == {1: "Ann"}
    assert table.give(TAKE, "a").again
    faulty.fails = "after"
    with pytest.raises(Unavailable):
        table.give(do.Reveal(by="dealer", role="dealer"), "r")
    with pytest.raises(Refusal):
        table.give(do.Reveal(by="dealer", role="dealer"), "r2")
    with pytest.raises(Refusal):
        table.give(do.Reveal(by="dealer", role="dealer"), "r")
    assert file.head(f"{REFUSALS}{table.name}").version == 2
    is_sound(file, evening)


@pytest.mark.parametrize(
    ("at", "text"), [(1, "{}"), (2, "{}"), (3, '{"event":"rain"}'), (4, '{"event":"box-left"}')]
)
def test_a_ledger_with_a_strange_line_is_not_gone_on_with(
    file: Ledger, tmp_path: Path, at: int, text: str
) -> None:
    evening = Evening()
    table = evening.install(file, name="t")
    table.give(TAKE, "a")
    table.give(BUY_IN, "b")
    with (
        rewritten(file, tmp_path, body("table/t", at, text)) as other,
        pytest.raises(Unreadable, match="table/t"),
    ):
        evening.resumed(other, "t")


def test_who_looks_at_a_link_between_writing_and_believing_counts_nothing_twice(
    file: Ledger,
) -> None:
    """The tables of a service share one reading of their link, which others refresh meanwhile."""
    evening = Evening()
    table = evening.install(file)
    evening.sit(table, 1)
    evening.give(table, do.OpenTable(by="dealer", role="dealer"))
    for command in regulars.wagers(table.state, 1):
        evening.give(table, command)
    plan = table.plan(do.NoMoreBets(by="dealer", role="dealer"), "close")
    assert isinstance(plan, AppendPlan)
    assert plan.moved
    file.append(*plan.writings)
    assert table.link is not None
    table.link.refresh()
    table.believe(plan)
    assert table.link.version == file.head(table.link.stream).version
    assert table.link.readings == Link(file, table.link.name).readings


def test_who_looks_at_a_link_while_a_command_is_thought_over_spoils_no_reading(
    file: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process moves the meters, and another thread reads of it, before this plan is made:
    it was thought over with older readings, and may not be written as if it knew the newer."""
    evening = Evening()
    one, two = (evening.install(file, name=name, link="pit") for name in ("one", "two"))
    close = do.NoMoreBets(by="dealer", role="dealer")
    for table in (one, two):
        evening.sit(table, 1)
        evening.give(table, do.OpenTable(by="dealer", role="dealer"))
        for command in regulars.wagers(table.state, 1):
            evening.give(table, command)
    assert one.link is not None
    looking = one.link

    def slowly(state: State, command: do.Command) -> tuple[ev.Event, ...]:
        monkeypatch.setattr(keeping, "decide", decide)
        two.give(close, "quicker")
        looking.refresh()
        return decide(state, command)

    monkeypatch.setattr(keeping, "decide", slowly)
    one.give(close, "slower")
    assert one.link.readings == Link(file, "pit").readings
    is_sound(file, evening)
