"""What can go wrong in a told round, and the moment at which it is made to go wrong.

The irregularities are those of the rulebook; beside them stand a few things that other chapters
order: a stub that does not count out, a shuffler that miscounts, a player who leaves or is late,
and a system that cannot go on with a round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from croupier.cli.practice.narrated_table import NarratedTable
from croupier.facts.names import known_name
from croupier.practice import regulars
from croupier.rulebook.book import Irregularity, Rulebook
from croupier.table import commands as do
from croupier.table.agenda import (
    asked_box,
    cards_still_to_come,
    first_cards_are_out,
    hands_are_dealt,
    phase,
)
from croupier.table.handlers.stub_count import hands_dealt
from croupier.table.state import State

Commands = Iterator[do.Command]


@dataclass(frozen=True)
class Turn:
    """One thing that goes wrong: the moment it waits for, and what people then do about it."""

    is_due: Callable[[State], bool]
    happens: Callable[[NarratedTable], Commands]


def irregularity_turns(book: Rulebook, name: str) -> list[Turn]:
    """The turns of an irregularity by its name, in order."""
    rule = book.irregularity(name)
    if rule is not None:
        return _turns(book, rule)
    known_name(name, irregularity_names(book), "irregularity", where=book.id)
    return [_OTHERS[name]]


def irregularity_names(book: Rulebook) -> list[str]:
    return [*(rule.name for rule in book.irregularities), *_OTHERS]


def _turns(book: Rulebook, rule: Irregularity) -> list[Turn]:
    again = next((r for r in book.irregularities if rule.name in (r.second, r.second_late)), None)
    if again is not None:
        later = _late if rule.name == again.second_late else _early
        return [Turn(_early, partial(_found, again)), Turn(later, partial(_found, again))]
    if rule.effect == "set aside":
        return [Turn(_early, partial(_found, rule))]
    if rule.effect == "cover":
        return [Turn(_before_bets, _device_fails)]
    if rule.until == "shuffled":
        return [Turn(_at_the_shuffle, partial(_jams, rule))]
    if rule.effect == "play on":
        return [Turn(_asking, partial(_exposed, rule, "box"))]
    if rule.name == "dealer-card-exposed":
        return [Turn(_asking_with_dealer, partial(_exposed, rule, "dealer"))]
    return [Turn(_early if rule.until == "dealt" else _asking, partial(_declared, rule))]


# Moments


def _early(state: State) -> bool:
    """The deal is under way, and not everyone holds the first cards."""
    dealing = phase(state) == "dealing" and state.round.stage == "play"
    return dealing and bool(state.round.out) and not first_cards_are_out(state)


def _late(state: State) -> bool:
    in_play = state.round.stage == "play" and hands_are_dealt(state)
    return in_play and cards_still_to_come(state)


def _asking(state: State) -> bool:
    return phase(state) == "acting"


def _asking_with_dealer(state: State) -> bool:
    return _asking(state) and bool(state.round.places.get("dealer"))


def _before_bets(state: State) -> bool:
    """A device is there to fail, and another way of dealing to take its place."""
    ready = bool(state.decks) and all(deck.stage == "ready" for deck in state.decks)
    can_fail = bool(state.terms.machines(state.dealing) and state.terms.fallback_ways)
    return phase(state) == "betting" and ready and can_fail


def _at_the_shuffle(state: State) -> bool:
    stacked = any(deck.stage == "stacked" for deck in state.decks)
    return phase(state) == "betting" and state.terms.shuffler and stacked


def _at_a_counting_shuffle(state: State) -> bool:
    return _at_the_shuffle(state) and state.terms.shuffler_counts


def _all_dealt(state: State) -> bool:
    return phase(state) == "revealing"


# What happens


def _declared(rule: Irregularity, table: NarratedTable) -> Commands:
    yield do.Declare(by="dealer", role="dealer", name=rule.name)


def _found(rule: Irregularity, table: NarratedTable) -> Commands:
    card = table.shoe.draw(1)
    yield do.Declare(by="dealer", role="dealer", name=rule.name, cards=card)


def _exposed(rule: Irregularity, where: str, table: NarratedTable) -> Commands:
    state = table.state
    first_box = next(iter(state.round.boxes.values()))
    cards = first_box.cards if where == "box" else state.round.places[where]
    seen = next(card for card in cards if card not in state.round.up)
    yield do.Declare(by="dealer", role="dealer", name=rule.name, exposed=(seen,))


def _jams(rule: Irregularity, table: NarratedTable) -> Commands:
    """Wagers may lie on the felt while the device still shuffles, once every deck is opened."""
    for deck in table.state.decks:
        if deck.stage == "spread":
            yield do.WashDeck(by="dealer", role="dealer", color=deck.color)
            yield do.StackDeck(by="dealer", role="dealer", color=deck.color)
    for seat in table.state.seats:
        yield from regulars.wagers(table.state, seat)
    yield from _declared(rule, table)


def _device_fails(table: NarratedTable) -> Commands:
    """Every device of the way fails, so that another way must take its place."""
    devices = table.state.terms.machines(table.state.dealing)
    for device in devices:
        yield do.ReportDevice(by="dealer", role="dealer", device=device)
    for device in devices:
        yield do.CoverDevice(by="floorperson", role="floorperson", device=device, how="covered")
    fallback = table.state.terms.fallback_ways[0]
    yield do.ChangeWay(by="floorperson", role="floorperson", way=fallback)


def _miscounts(table: NarratedTable) -> Commands:
    deck = next(deck for deck in table.state.decks if deck.stage == "stacked")
    found = table.state.book.deck.cards.count - 1
    yield do.Shuffle(by="dealer", role="dealer", color=deck.color, by_device=True, found=found)


def _count(in_stub: int, on_table: int, table: NarratedTable) -> Commands:
    """A count that is off by so many in the stub, and by so many in the hand of the first box."""
    out, hands = len(table.state.round.out), hands_dealt(table.state)
    rest = table.state.book.deck.cards.count - out
    hands[min(table.state.round.boxes)] += on_table
    yield do.CountStub(
        by="dealer", role="dealer", stub=rest + in_stub, on_table=out + on_table, hands=hands
    )


def _leaves(table: NarratedTable) -> Commands:
    box = asked_box(table.state)
    assert box is not None
    yield do.ReportAbsence(by="dealer", role="dealer", box=box.seat)


def _is_late(table: NarratedTable) -> Commands:
    box = asked_box(table.state)
    assert box is not None
    yield do.TimeOut(by="dealer", role="dealer", box=box.seat)


def _cannot_go_on(table: NarratedTable) -> Commands:
    yield do.VoidRound(
        by="floorperson",
        role="floorperson",
        cause="cards-unreadable",
        meters=table.meters,
    )
    yield do.Confirm(by="manager", role="manager", upheld=True, meters=table.meters)


_OTHERS = {
    "stub-misdealt": Turn(_all_dealt, partial(_count, 1, -1)),
    "stub-not-whole": Turn(_all_dealt, partial(_count, -1, 0)),
    "shuffler-miscounts": Turn(_at_a_counting_shuffle, _miscounts),
    "player-leaves": Turn(_asking, _leaves),
    "player-is-late": Turn(_asking, _is_late),
    "system-fault": Turn(_asking, _cannot_go_on),
}
