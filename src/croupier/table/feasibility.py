"""Validator of a finished round: raises the first Refusal, seats, then wagers, then cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Protocol

from croupier.facts.cards import Card
from croupier.facts.errors import Refusal, quoted
from croupier.facts.money import Cents, dollars
from croupier.facts.names import known_names
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import PROGRESSIVE, Rules
from croupier.rulebook.book import Place, RequiredWagers, Rulebook, Wager


class HeldBox(Protocol):
    """A box, whether its round goes on or is over."""

    @property
    def seat(self) -> int: ...

    @property
    def player(self) -> str | None: ...


def refuse_impossible(round: FinishedRound) -> None:
    """Raise the first reason, in the order a floorperson would look: seats, wagers, cards."""
    _check_seats(round)
    _check_players(round)
    for box in sorted(round.boxes, key=lambda box: box.seat):
        check_box(round.rules, box)
    _check_places(round)
    _check_one_deck(round)
    _check_meters(round)


def check_box(rules: Rules, box: FinishedBox) -> None:
    """Whether one box may hold the wagers it holds, beside each other and in these sizes."""
    book = rules.book
    known = [wager.name for wager in book.wagers if wager.paid_on is None]
    where, clause = f"Box {box.seat}: {book.id}", book.cite(book.refusals.wagers)
    known_names(box.stakes, known, "wager", where=where, clause=clause)
    _check_opening(rules, box)
    for wager in book.wagers:
        if box.has(wager.name):
            _check_wager(rules, box, wager)
    if box.refused and not box.has(PROGRESSIVE):
        raise Refusal(
            f"Box {box.seat} has no Progressive wager whose win could be refused",
            book.cite(book.procedure.validate_clause),
        )


def what_stands(rules: Rules, box: FinishedBox) -> dict[str, Cents]:
    """The wagers of a box that may be in a round together; none, where it lacks its first ones."""
    stakes = {name: cents for name, cents in box.stakes.items() if rules.book.has_wager(name)}
    while stakes:
        left = FinishedBox(box.seat, box.cards, stakes, box.player)
        try:
            _check_opening(rules, left)
        except Refusal:
            return {}
        wrong = [name for name in stakes if _is_wrong(rules, left, name)]
        if not wrong:
            return stakes
        stakes = {name: cents for name, cents in stakes.items() if name not in wrong}
    return stakes


def lacking(all_of: Sequence[str], any_of: Sequence[str], held: Container[str]) -> tuple[str, ...]:
    """The wagers that a box still needs: all of the ones, and any of the others."""
    missing = tuple(name for name in all_of if name not in held)
    return missing or (() if any(name in held for name in any_of) else tuple(any_of))


def enough(opening: RequiredWagers) -> tuple[tuple[str, ...], ...]:
    """Sets of wagers of which any one opens a hand, the usual one first."""
    return tuple((*opening.all_of, name) for name in opening.any_of) or (opening.all_of,)


def boxes_by_player(boxes: Iterable[HeldBox]) -> dict[str, list[int]]:
    """The boxes of each player whose name is known, from the first."""
    seats: dict[str, list[int]] = {}
    for box in sorted(boxes, key=lambda box: box.seat):
        if box.player is not None:
            seats.setdefault(box.player, []).append(box.seat)
    return seats


def beyond_a_gap(own: Sequence[int]) -> list[int]:
    """The boxes of one player, in their order, that are not joined to the first of them."""
    return [seat for at, seat in enumerate(own) if seat != own[0] + at]


def _is_wrong(rules: Rules, box: FinishedBox, name: str) -> bool:
    try:
        _check_wager(rules, box, rules.book.wager(name))
    except Refusal:
        return True
    return False


def _check_seats(round: FinishedRound) -> None:
    book = round.rules.book
    if not round.boxes:
        raise Refusal("No box is in the round; write at least one", book.cite(book.opening.clause))
    for seat, times in Counter(box.seat for box in round.boxes).items():
        refuse_seat(book, seat)
        if times > 1:
            raise Refusal(
                f"Box {seat} is written {times} times; write each box once",
                book.cite(book.refusals.seats),
            )


def refuse_seat(book: Rulebook, seat: int) -> None:
    """Whether the table has such a box."""
    most = book.table.boxes.count
    if not 1 <= seat <= most:
        named = f"box {seat}" if abs(seat) < 1_000_000 else "box of such a number"
        raise Refusal(
            f"There is no {named}; the boxes are 1 to {most}", book.cite(book.refusals.seats)
        )


def _check_players(round: FinishedRound) -> None:
    rule = round.rules.book.table.boxes_a_player
    clause = round.rules.book.cite(rule.clause)
    for player, own in boxes_by_player(round.boxes).items():
        where = f"Player {quoted(player)} has boxes {', '.join(map(str, own))}"
        if rule.rule == "one" and len(own) > 1:
            raise Refusal(f"{where}; a player may have one box", clause)
        if beyond_a_gap(own):
            raise Refusal(f"{where}; the boxes of one player must be adjacent", clause)


def _check_opening(rules: Rules, box: FinishedBox) -> None:
    opening = rules.book.opening
    if lacking(opening.all_of, opening.any_of, box.stakes):
        needed = _titles(rules, opening.all_of, " and ") or _titles(rules, opening.any_of, " or ")
        held = _titles(rules, tuple(box.stakes), " and ") or "nothing"
        raise Refusal(
            f"Box {box.seat} holds {held}; to be in the round it needs {needed}",
            rules.book.cite(opening.clause),
        )


def _check_wager(rules: Rules, box: FinishedBox, wager: Wager) -> None:
    book, stake_cents = rules.book, box.stakes[wager.name]
    where = f"Box {box.seat}, {wager.title}:"
    if stake_cents <= 0:
        raise Refusal(f"{where} a wager of {dollars(stake_cents)} is none", book.cite(wager.clause))
    if not rules.offers(wager.name):
        raise Refusal(
            f"{where} not offered at this table; choose its paytable under [paytables]",
            book.cite(wager.clause),
        )
    if lacking(wager.needs, wager.needs_any, box.stakes):
        needed = _titles(rules, wager.needs, " and ") or _titles(rules, wager.needs_any, " or ")
        raise Refusal(f"{where} needs {needed} beside it", book.cite(wager.clause))
    if wager.equals is not None and stake_cents != box.stakes[wager.equals]:
        raise Refusal(
            f"{where} {dollars(stake_cents)} is not equal to the "
            f"{book.wager(wager.equals).title} of {dollars(box.stakes[wager.equals])}",
            book.cite(wager.clause),
        )
    if wager.beside is not None:
        _check_decision(rules, box, wager, wager.beside)


def _check_decision(rules: Rules, box: FinishedBox, wager: Wager, beside: str) -> None:
    """Play comes with its Ante, and on some street it has the right size."""
    book = rules.book
    if not box.has(beside):
        raise Refusal(
            f"Box {box.seat}, {wager.title}: needs {book.wager(beside).title} beside it",
            book.cite(wager.clause),
        )
    play_cents, ante_cents = box.stakes[wager.name], box.stakes[beside]
    streets = book.streets_of(wager.name)
    if not any(street.allows(play_cents, ante_cents) for street in streets):
        sizes = "; ".join(f"{street.name} {street.sizes_of(ante_cents)}" for street in streets)
        raise Refusal(
            f"Box {box.seat}, {wager.title}: {dollars(play_cents)} is no size beside an "
            f"{book.wager(beside).title} of {dollars(ante_cents)} ({sizes})",
            book.cite(streets[0].clause),
        )


def _check_places(round: FinishedRound) -> None:
    book = round.rules.book
    for name, cards in round.cards.items():
        place = next((place for place in book.places if place.name == name), None)
        if place is None or name == "box":
            known = ", ".join(place.name for place in book.places if place.name != "box")
            raise Refusal(
                f"{book.id} deals no cards to {quoted(name)}; it deals to {known} and the boxes",
                book.cite(book.refusals.wrong_count),
            )
        if place.only_for is not None and not round.rules.offers(place.only_for):
            raise Refusal(
                f"Cards lie at {name}, but {book.wager(place.only_for).title} is not offered",
                book.cite(place.clause),
            )
        _check_count(round, name, cards, place)
    for place in book.places:
        if place.name != "box" and place.name not in round.cards and _is_needed(round, place):
            raise Refusal(
                f"What lies at {place.name} is not written down; it is {_cards(place.cards)}",
                book.cite(place.clause),
            )
    for box in sorted(round.boxes, key=lambda box: box.seat):
        _check_count(round, f"box {box.seat}", box.cards, book.place("box"))


def _is_needed(round: FinishedRound, place: Place) -> bool:
    return place.only_for is None or any(box.has(place.only_for) for box in round.boxes)


def _check_count(round: FinishedRound, where: str, cards: tuple[Card, ...], place: Place) -> None:
    if len(cards) != place.cards:
        book = round.rules.book
        raise Refusal(
            f"{where} has {_cards(len(cards))} where {place.cards} must be; such a round is void",
            book.cite(book.refusals.wrong_count),
        )


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _check_one_deck(round: FinishedRound) -> None:
    lies: dict[Card, list[str]] = {}
    for place, card in _all_cards(round):
        lies.setdefault(card, []).append(place)
    for card, places in lies.items():
        if len(places) > 1:
            book = round.rules.book
            raise Refusal(
                f"{card} appears more than once, at {' and '.join(places)}; "
                "a round is dealt from one deck",
                book.cite(book.refusals.one_deck),
            )


def _all_cards(round: FinishedRound) -> Iterator[tuple[str, Card]]:
    for place, cards in round.cards.items():
        yield from ((place, card) for card in cards)
    for box in sorted(round.boxes, key=lambda box: box.seat):
        yield from ((f"box {box.seat}", card) for card in box.cards)


def _check_meters(round: FinishedRound) -> None:
    book = round.rules.book
    table = round.rules.paytable(PROGRESSIVE)
    known = [meter.name for meter in table.meters] if table is not None else []
    clause = book.cite(table.clause if table else book.refusals.no_such_option)
    known_names(round.meters, known, "meter", where="The Progressive paytable", clause=clause)


def _titles(rules: Rules, names: tuple[str, ...], joint: str) -> str:
    return joint.join(rules.book.wager(name).title for name in names)
