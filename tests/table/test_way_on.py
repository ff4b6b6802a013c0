"""No state without a way on: what is offered is accepted, and the house can always end a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from croupier.facts.errors import Refusal, Unreadable
from croupier.games.registry import the_registry
from croupier.games.rules import PROGRESSIVE
from croupier.table import commands as do
from croupier.table.agenda import asked_box, cards_needed, next_step
from croupier.table.automatic_dealer import next_duty
from croupier.table.beyond import Beyond, informed
from croupier.table.engine import decide, options
from croupier.table.handlers.irregularities import showable
from croupier.table.handlers.numbers import SHOW_WITHIN_S, unshown
from croupier.table.options import Option
from croupier.table.state import State, replace
from croupier.table.terms import Terms
from croupier.table.views import Viewer
from tests.citing import in_uth
from tests.table.people import dealer, floor, manager, player
from tests.table.tables import Table, opened, terms
from tests.table.walks import (
    EVERYBODY,
    NAMES,
    NUMBER,
    PLAYERS,
    RARE,
    a_deck,
    any_terms,
    anything,
    as_command,
    committed,
    restock,
)

BOOKS = ("UTH-S", "UTH-14", "FCP-14")
ROUND_STEPS = 200
WALK_STEPS = 400
PARTS = 4  # of the million steps, for as many workers
# What would keep a walk from ever coming to the end of a round.
SELDOM = RARE | {
    *("buy-in", "cash-out", "tip", "ask-chips", "free-box", "withdraw-wagers"),
    *("open-dispute", "end-dispute", "lock-table", "order-recut", "cover-device"),
}


@pytest.mark.clause(*in_uth("3.B(3)", "13.I"), "FCP-14 3.B(3)", "FCP-14 13.G")
@pytest.mark.parametrize("book", BOOKS)
def test_a_shoe_that_breaks_while_the_idle_deck_waits_leaves_a_way_on(book: str) -> None:
    """The shuffler still works, and shuffles the idle deck; then the cards are cleared."""
    both = ("red", "blue")
    table = opened(terms(book, "reshuffling-shoe", deck_colors=both, fallback_ways=("shoe",)))
    blind = {} if book == "FCP-14" else {"blind": "$10"}
    table.give(floor(do.OrderShuffle, color="blue"))
    table.bet(1, ante="$10", **blind)
    table.give(dealer(do.NoMoreBets))
    table.work(lambda state: state.round.was_dealt)
    table.give(dealer(do.ReportDevice, device="reshuffling_shoe"))
    table.give(dealer(do.Declare, name="shoe-jam"))
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    every_offer_is_accepted(table)
    (shuffle,) = [one for one in options(table.state, "dealer", "") if one.do == "shuffle"]
    assert (shuffle.color, shuffle.by_device) == ("blue", True)
    the_house_ends_the_round(table)
    assert table.state.round.number == 2


def spoken_offers(table: Table, chance: Random) -> list[do.Command]:
    """Every option of every screen as a command, each name it may be said of in turn."""
    beyond = anything_beyond(table, chance)
    return [
        informed(table.state, command, beyond)
        for viewer in EVERYBODY
        for option in options(table.state, viewer.role, viewer.name, beyond=beyond)
        for command in as_commands(table, viewer, option, chance)
    ]


def anything_beyond(table: Table, chance: Random) -> Beyond:
    """Now and then another table's win came first on the meter, a clock runs or the link is
    closed; who is connected is known or not."""
    ahead = "T-2" if table.state.round.won is not None and chance.random() < 0.2 else ""
    known = frozenset(name for name in PLAYERS if chance.random() < 0.5)
    return Beyond(
        seconds_left=20 if chance.random() < 0.3 else 0,
        no_progressive="the link is closed" if chance.random() < 0.3 else "",
        at_s=table.at_s,
        ahead=ahead,
        here=known if chance.random() < 0.7 else None,
    )


def as_commands(
    table: Table, viewer: Viewer, option: Option, chance: Random
) -> Iterator[do.Command]:
    state, at_s = table.state, table.at_s
    if option.do == "declare":
        for name in option.names:
            yield declared(state, viewer, name, chance, at_s)
    elif option.do == "place-wagers":
        stakes = affordable(state, option, chance)
        if stakes:
            said = {"stakes": stakes, "number_hash": committed(state, option.box, chance)}
            yield player(do.PlaceWagers, viewer.name, at_s=at_s, box=option.box, **said)
    elif option.do == "deal":
        fresh = [name for name in NAMES if name not in state.round.out]
        cards = tuple(chance.sample(fresh, cards_needed(state)))
        yield dealer(do.Deal, at_s=at_s, cards=cards)
    elif option.do == "show-number":
        yield replace(as_command(table, viewer, option, chance), number=NUMBER)
    elif option.do == "rule-on-absence":
        for name in option.names:
            yield replace(as_command(table, viewer, option, chance), outcome=name)
    else:
        yield as_command(table, viewer, option, chance)


def declared(state: State, viewer: Viewer, name: str, chance: Random, at_s: int) -> do.Command:
    assert viewer.role != "surveillance"
    assert viewer.role != "public"
    rule = state.book.irregularity(name)
    assert rule is not None
    seen = showable(state, rule)
    fresh = sorted(set(NAMES) - state.round.out)
    return do.Declare(
        by=viewer.name,
        role=viewer.role,
        at_s=at_s,
        name=name,
        cards=(chance.choice(fresh),) if rule.effect == "set aside" else (),
        exposed=(chance.choice(sorted(seen)),) if seen else (),
    )


def affordable(state: State, option: Option, chance: Random) -> dict[str, int]:
    """The least wagers to open a hand, or the least change of one wager, that the box has chips
    for; none where it has too few."""
    box = state.round.boxes.get(option.box)
    before = dict(box.stakes) if box is not None else {}
    most = state.chips.get(option.box, 0) if state.terms.keeps_chips else 10**9
    opening = state.book.opening.all_of or state.book.opening.any_of[:1]
    stakes = {name: option.sizes[name][0] for name in opening}
    if not before and sum(stakes.values()) <= most:
        return stakes
    others = chance.sample(option.wagers, len(option.wagers))
    first = [PROGRESSIVE] * (PROGRESSIVE in others and chance.random() < 0.5)  # a win is rare
    for name in (*first, *others):
        wager = state.book.wager(name)
        beside = all(n in before for n in wager.needs)
        if not beside or (wager.needs_any and not any(n in before for n in wager.needs_any)):
            continue
        least, top, step = option.sizes[name]
        wanted = next((c for c in (least, least + step) if c <= top and c != before.get(name)), 0)
        if wanted and wanted - before.get(name, 0) <= most:
            return {name: wanted}
    return {}


def every_offer_is_accepted(table: Table, chance: Random | None = None) -> list[do.Command]:
    """Each offer of each screen, which must all be accepted; there is at least one."""
    commands = spoken_offers(table, chance or Random(1))
    for command in commands:
        assert accepted(table.state, command)
    assert commands, f"nothing is offered to anybody in round {table.state.round}"
    return commands


def accepted(state: State, command: do.Command) -> bool:
    try:
        return bool(decide(state, command))
    except (Refusal, Unreadable) as error:
        raise AssertionError(f"{command} was offered and refused: {error}; {state}") from error


def the_next_duty_is_accepted(table: Table) -> do.Command | None:
    duty = next_duty(table.state, table.shoe, table.meters, table.at_s)
    assert duty is None or accepted(table.state, duty)
    return duty


def two_people_unlock(table: Table) -> None:
    if table.state.lock is not None:
        if not [one for one in table.state.requests if one.act == "unlock"]:
            table.give(floor(do.UnlockTable, reason="resolved", at_s=table.at_s))
        if table.state.lock is not None:
            table.give(manager(do.Second, act="unlock", upheld=True, at_s=table.at_s))


def the_house_ends_the_round(table: Table) -> None:
    """Players who do not answer run out of time; the rest is the house's own work.

    Before bets are closed there may be none, where nothing that deals works: everybody can take
    back then what he has laid, and without a wager there is no round.
    """
    number = table.state.round.number
    two_people_unlock(table)
    for _ in range(ROUND_STEPS):
        round = table.state.round
        if round.number > number or not round.boxes:
            return
        duty = next_duty(table.state, table.shoe, table.meters, table.at_s)
        asked = asked_box(table.state)
        if duty is None and round.stage == "betting":
            offers = spoken_offers(table, Random(1))
            assert {one.box for one in offers if isinstance(one, do.WithdrawWagers)} == {
                *round.boxes
            }
            return
        if duty is None and asked is not None:
            duty = dealer(do.TimeOut, box=asked.seat, at_s=table.at_s)
        if duty is None and unshown(table.state):
            table.at_s = max(table.at_s, round.closed_s + SHOW_WITHIN_S)
            late = do.VoidUnshown(by="croupier", role="device", at_s=table.at_s)
            duty = do.with_readings(late, table.meters)
        assert duty is not None, f"the house has nothing to do in {table.state}"
        try:
            table.give(duty)
        except (Refusal, Unreadable) as error:
            raise AssertionError(f"{duty} is due and refused: {error}; {table.state}") from error
    raise AssertionError(f"round {number} never ends: {table.state}")


def continued(table: Table, chance: Random) -> Table:
    """The same table once more, to be played on without harm to the first."""
    other = Table(table.state.terms)
    other.state, other.at_s, other.meters = table.state, table.at_s, dict(table.meters)
    restock(other, a_deck(chance))
    return other


def a_winning_deck(chance: Random) -> list[str]:
    """A suit from the ace down, or few ranks, come first: Progressive wins would be rare."""
    deck, suit = chance.sample(NAMES, 52), chance.choice("cdhs")
    if chance.random() < 0.5:
        return sorted(deck, key=lambda name: (name[1] != suit, -"23456789TJQKA".index(name[0])))
    few = chance.sample("23456789TJQKA", chance.choice([2, 4]))
    return sorted(deck, key=lambda name: name[0] not in few)


def deals_to_dealer(state: State) -> bool:
    step = next_step(state)
    return step is not None and step.to == "dealer"


def walk_on(chance: Random, steps: int, seen: Counter[str], terms: Terms | None = None) -> None:
    """A walk of so many steps; every state it reaches has a way on.

    The house is let end the round wherever the walk leaves its way: from the states between, the
    way led there.
    """
    table = Table(terms or any_terms(chance))
    looked_at: State | None = None
    offers: list[do.Command] = []
    deck = a_deck(chance)
    for _ in range(steps):
        table.at_s += chance.choice([0, 1, 30, 30, 1200])
        if not table.state.round.out:
            deck = a_deck(chance) if chance.random() < 0.5 else a_winning_deck(chance)
        restock(table, deck[::-1] if deals_to_dealer(table.state) else deck)
        if table.state is not looked_at:  # nothing is new after a refusal
            offers, looked_at = every_offer_is_accepted(table, chance), table.state
        duty = the_next_duty_is_accepted(table)
        command = chosen(table, offers, duty, chance)
        if table.state.round.boxes and type(command) is not type(duty):
            the_house_ends_the_round(continued(table, chance))
        try:
            table.give(command)
        except (Refusal, Unreadable):
            continue
        seen[type(command).__name__] += 1
    the_house_ends_the_round(continued(table, chance))


def chosen(
    table: Table, offers: list[do.Command], duty: do.Command | None, chance: Random
) -> do.Command:
    """Half of the time the house goes on; else somebody does what he is offered, or anything."""
    luck = chance.random()
    closes = isinstance(duty, do.NoMoreBets | do.WithdrawWagers) and luck < 0.4
    if duty is not None and luck < 0.6 and not closes:
        return duty
    if unshown(table.state) and luck < 0.65:
        late = do.VoidUnshown(by="croupier", role="device", at_s=table.at_s)
        return do.with_readings(late, table.meters)
    boxes = table.state.round.boxes
    dark = [seat for seat, box in boxes.items() if box.has(PROGRESSIVE) and not box.accepted]
    if boxes and luck < (0.4 if dark else 0.02):
        box = chance.choice(dark if dark and chance.random() < 0.9 else sorted(boxes))
        return do.AcceptProgressive(by="acceptor", role="device", box=box, at_s=table.at_s)
    hopes = [one for one in offers if isinstance(one, do.PlaceWagers) and PROGRESSIVE in one.stakes]
    if hopes and luck < 0.4:
        return chance.choice(hopes)
    if luck < 0.9:
        kinds = {type(one) for one in offers}
        usual = [kind for kind in kinds if str(kind.__struct_config__.tag) not in SELDOM]
        rare = chance.random() < 0.15 or not usual
        kind = chance.choice(sorted(kinds if rare else usual, key=lambda one: one.__name__))
        return chance.choice([one for one in offers if type(one) is kind])
    said = anything(table, chance)
    return replace(said, at_s=max(said.at_s, table.at_s))


def test_a_walk_meets_all_that_a_table_cannot_know_of_itself() -> None:
    """A property says nothing about what its generator never makes."""
    table, chance = opened(terms()), Random(1)
    beyond = [anything_beyond(table, chance) for _ in range(50)]
    assert {one.seconds_left for one in beyond} == {20, 0}
    assert {one.no_progressive != "" for one in beyond} == {True, False}
    assert {one.here is None for one in beyond} == {True, False}
    offers = [type(one) for _ in range(20) for one in spoken_offers(table, chance)]
    assert do.FreeBox in offers


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("book", the_registry().books)
def test_every_state_of_a_walk_has_a_way_on(book: str, seed: int) -> None:
    chance = Random(seed)
    walk_on(chance, WALK_STEPS, Counter(), any_terms(chance, book))


@pytest.mark.parametrize("book", BOOKS)
def test_walks_come_to_progressive_wins(book: str) -> None:
    """A property says nothing about what the walk never does."""
    seen: Counter[str] = Counter()
    for seed in range(20):
        chance = Random(seed)
        walk_on(chance, WALK_STEPS, seen, any_terms(chance, book))
        if seen[do.ValidateProgressive.__name__]:
            return
    raise AssertionError(f"no Progressive was won in {seen.total():,} steps at {book}")


@pytest.mark.prove
@pytest.mark.parametrize("part", range(PARTS))
def test_every_state_of_a_million_steps_has_a_way_on(part: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(part, 1_000_000 // WALK_STEPS, PARTS):
        walk_on(Random(50_000 + seed), WALK_STEPS, seen)
    never = {kind.__name__ for kind in do.AnyCommand.__args__} - set(seen)
    assert not never
