"""Exposure: the most that one round can cost a player, and the most it can cost the table.

A player loses at most everything staked, with the largest Play. For the table there are two
numbers. The bound is never passed, whatever is dealt: it gives every box its best line on every
wager at once, although one deal hardly ever does. The witness is a round that can be dealt, with
its receipt, found by search. The most the table can lose lies between the two.

The bound assumes that all boxes belong to different players, so that each receives Envy from all
others; that a 100% award empties a meter once and further ones find it reset; and that the payout
limit, where one is set, holds for each box. It knows that few boxes can show cards that a paytable
all but names, such as a Super Royal. Meters are counted in full, though their awards need not come
from the table's own inventory (ruling 35).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import accumulate
from random import Random
from typing import Any

from croupier.exact.assumptions import refuse_unsettled
from croupier.facts.cards import DECK, Card, Suit
from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, cents, dollars, in_micros
from croupier.facts.names import known_names
from croupier.facts.odds import Share, StakeOdds
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import ENVY, PROGRESSIVE, Rules
from croupier.games.watched_places import places_looked_at
from croupier.rulebook.book import Paytable, Rulebook, Wager
from croupier.table.feasibility import check_box
from croupier.table.receipt import Receipt
from croupier.table.settlement import settle

PAYOUT_LIMIT = "payout_limit"


@dataclass(frozen=True)
class Exposure:
    """What one round can cost, under ``stakes`` a box and so many boxes.

    ``bound`` says by wager what the table can lose at most over all boxes; what the payout limit
    takes back stands there as a gain. ``witness`` is the costliest round that was found.
    """

    boxes: int
    stakes: Mapping[str, Cents]
    bound: Mapping[str, Cents]
    witness: Receipt

    @property
    def player_cents(self) -> Cents:
        """The most a player can lose on one box."""
        return Cents(sum(self.stakes.values()))

    @property
    def table_bound_cents(self) -> Cents:
        """The table cannot lose more than this."""
        return Cents(sum(self.bound.values()))

    @property
    def table_witness_cents(self) -> Cents:
        """The table loses this in the round of the witness."""
        return lost_by_table_cents(self.witness)

    def document(self) -> dict[str, Any]:
        return {
            "boxes": self.boxes,
            "stakes": {wager: dollars(stake) for wager, stake in self.stakes.items()},
            "player": dollars(self.player_cents),
            "table_bound": dollars(self.table_bound_cents),
            "table_bound_by_wager": {wager: dollars(most) for wager, most in self.bound.items()},
            "table_witness": dollars(self.table_witness_cents),
        }


def exposure(
    rules: Rules,
    stakes: Mapping[str, Cents],
    *,
    meters: Mapping[str, Cents] | None = None,
    boxes: int | None = None,
) -> Exposure:
    """The most that one round can cost, with the largest stake a box may put on each wager.

    Play, wagers that equal another and the Progressive follow from the rules and need no stake
    here. Meters stand at their resets unless given; a reset that the Rules leave open is taken at
    its least. All boxes of the table are in play unless fewer are given.
    """
    _refuse_unknown_wagers(rules.book)
    refuse_unsettled(rules)
    rules = _with_resets(rules)
    largest = largest_stakes(rules, stakes)
    check_box(rules, FinishedBox(seat=1, cards=(), stakes=largest))
    most_boxes = rules.book.table.boxes.count
    boxes = most_boxes if boxes is None else boxes
    if not 1 <= boxes <= most_boxes:
        raise Refusal(
            f"Exposure is asked for {boxes} boxes; the table has 1 to {most_boxes}",
            rules.book.cite(rules.book.refusals.seats),
        )
    table = _Table(rules, largest, {**meter_resets(rules), **(meters or {})}, boxes)
    return Exposure(boxes, largest, dict(table.bound()), _RoundSearch(table).costliest())


def table_bound(
    rules: Rules, stakes: Mapping[str, Cents], meters: Mapping[str, Cents], boxes: int
) -> dict[str, Cents]:
    """By wager: what the table cannot lose more than, without looking for a witness."""
    rules = _with_resets(rules)
    readings = {**meter_resets(rules), **meters}
    return dict(_Table(rules, largest_stakes(rules, stakes), readings, boxes).bound())


def lost_by_table_cents(receipt: Receipt) -> Cents:
    return Cents(sum(line.net_cents for line in receipt.lines))


def largest_stakes(rules: Rules, stakes: Mapping[str, Cents]) -> dict[str, Cents]:
    """The stakes of one box, completed: Play at its largest, and what the rules fix."""
    complete = dict(stakes)
    terms = rules.progressive
    if terms is not None and rules.offers(PROGRESSIVE):
        complete.setdefault(PROGRESSIVE, terms.stake_cents)
    for wager in rules.book.wagers:
        if wager.equals in complete:
            complete.setdefault(wager.name, complete[wager.equals])
        if wager.beside in complete:
            most = rules.book.largest_multiple(wager.name)
            complete.setdefault(wager.name, Cents(most * complete[wager.beside]))
    order = [wager.name for wager in rules.book.wagers]
    return dict(sorted(complete.items(), key=lambda item: (*order, item[0]).index(item[0])))


def _refuse_unknown_wagers(book: Rulebook) -> None:
    """Refuse a name in a list of wagers that is none: settlement would pass it over."""
    needs, opening = book.contest.dealer_needs, book.opening
    lists = [(opening.all_of + opening.any_of, opening.clause)]
    lists += [(wager.needs + wager.needs_any, wager.clause) for wager in book.wagers]
    if needs is not None:
        lists.append((needs.pushes + needs.wins, needs.clause))
    known = [wager.name for wager in book.wagers]
    for names, clause in lists:
        known_names(names, known, "wager", where=book.id, clause=book.cite(clause))


def _with_resets(rules: Rules) -> Rules:
    terms = rules.progressive
    if terms is None:
        return rules
    return replace(rules, progressive=replace(terms, resets=tuple(meter_resets(rules).items())))


def meter_resets(rules: Rules) -> dict[str, Cents]:
    """By meter: what it begins again with, or the least that the book lets it."""
    table, terms = rules.paytable(PROGRESSIVE), rules.progressive
    if table is None or terms is None:
        return {}
    return {meter.name: terms.reset_of(meter.name) or cents(meter.least) for meter in table.meters}


@dataclass(frozen=True)
class _Table:
    """Bound Rules with the stakes of a box, what stands on the meters, and how many play."""

    rules: Rules
    stakes: Mapping[str, Cents]
    meters: Mapping[str, Cents]
    boxes: int

    def bound(self) -> Iterator[tuple[str, Cents]]:
        """By wager, in the order of settlement: the most the table can lose on it."""
        capped_cents = 0
        limit = self.rules.book.payout_limit
        for wager in self.rules.book.wagers:
            if all(map(self.stakes.__contains__, (wager.paid_on or wager.name, *wager.needs))):
                most_cents = self._most(self._awards(wager))
                yield wager.name, most_cents
                capped_cents += most_cents if limit and wager.name in limit.wagers else 0
        if self.rules.payout_limit_cents is not None:
            over_cents = capped_cents - self.boxes * self.rules.payout_limit_cents
            if over_cents > 0:
                yield PAYOUT_LIMIT, Cents(-over_cents)
        if self.rules.envy is not None and PROGRESSIVE in self.stakes:
            holders_cents = self._most(self._envy(self.rules.envy))
            yield ENVY, Cents(holders_cents * (self.boxes - 1))

    def _most(self, awards: Iterator[int]) -> Cents:
        """The best that all boxes together can be given; one that wins nothing stays out."""
        return Cents(sum(award for award in nlargest(self.boxes, awards) if award > 0))

    def _awards(self, wager: Wager) -> Iterator[int]:
        """What the boxes can win on a wager: each award once for each box that can have it."""
        stake_cents = self.stakes[wager.paid_on or wager.name]
        if wager.pays is not None and isinstance(wager.pays.odds, StakeOdds):
            yield from [wager.pays.odds.pays_cents(stake_cents)] * self.boxes
        table = self.rules.paytable(wager.name)
        if table is None:
            return
        for line in table.lines:
            if isinstance(line.odds, StakeOdds):
                kept_cents = 0 if line.odds.returns_stake or wager.paid_on else stake_cents
                award_cents = line.odds.pays_cents(stake_cents) - kept_cents
                yield from [award_cents] * self._room(wager, line.phrase)
        for meter, reading_cents in self.meters.items():
            drawn = list(self._drawn(wager, table, meter, reading_cents))
            yield from (award_cents - stake_cents for award_cents in drawn)

    def _drawn(
        self, wager: Wager, table: Paytable, meter: str, reading_cents: Cents
    ) -> Iterator[int]:
        """What any number of awards can take from one meter, in the order they take it.

        No money leaves a meter twice, so however the shares follow each other, the first awards
        up to 100% share the reading and each later one at most a reset.
        """
        lines = [
            (line.odds.percent, self._room(wager, line.phrase))
            for line in table.lines
            if isinstance(line.odds, Share) and line.odds.meter == meter
        ]
        if not lines:
            return
        percent, room = max(lines)
        first_cents = Share(percent).draws_cents(in_micros(reading_cents))
        later_cents = meter_resets(self.rules)[meter] if percent == 100 else first_cents
        yield first_cents
        yield from [later_cents] * ((room if len(lines) == 1 else self.boxes) - 1)

    def _envy(self, table: Paytable) -> Iterator[int]:
        """What each holder's hand gives to one other box."""
        bonus = self.rules.book.envy_bonus
        assert bonus is not None, "an Envy paytable is bound only where the book has the bonus"
        looks_at = places_looked_at(self.rules, self.rules.chosen_hand(bonus.judged_by))
        for line in table.lines:
            if isinstance(line.odds, StakeOdds):
                room = min(_boxes_showing(line.phrase, looks_at, False), self.boxes)
                yield from [line.odds.pays_cents(self.stakes[PROGRESSIVE])] * room

    def _room(self, wager: Wager, phrase: str) -> int:
        """How many boxes can be paid by one line in the same round."""
        judged_by = self.rules.judged_by(wager.name)
        if judged_by == "contest":
            return self.boxes
        brings_cards = any(place.only_for == wager.name for place in self.rules.book.places)
        looks_at = places_looked_at(self.rules, judged_by)
        return min(_boxes_showing(phrase, looks_at, brings_cards), self.boxes)


def _boxes_showing(phrase: str, looks_at: set[str], shares_a_card: bool) -> int:
    """How many boxes can show this at once, where the deck sets a limit that is plain to see."""
    most = len(DECK)
    match phrase:
        case "super royal of diamonds" | "red aces":
            return 1  # its cards are named, and some of them are the box's own
        case "super royal":
            return 1 if shares_a_card else len(Suit)  # the shared card has one suit
        case "player's and dealer's pairs of aces":
            return 1 if looks_at <= {"dealer"} else most
        case "four aces":
            return most if looks_at else 1
        case "royal flush":
            return most if looks_at else len(Suit)
    return most


class _RoundSearch:
    """Looks for a costly round: lays high hands about the felt and keeps each that costs more.

    The seed is fixed and the steps are counted, so the same question has the same answer.
    """

    SWEEPS = 2
    SWAPS = 50

    def __init__(self, table: _Table) -> None:
        self.table = table
        self.spots = _spots(table)
        self.deal: Sequence[Card] = DECK
        self.receipt = settle(self._round(DECK))

    def costliest(self) -> Receipt:
        """The costliest round found, as its receipt."""
        for _ in range(self.SWEEPS):
            for spots in self._meetings():
                for hand in (*_FROM_THE_ACE, _FOURS[-1]):
                    self._try(spots, hand)
                    self._try(spots, hand[::-1])
            for place in self.spots.values():
                for hand in (*_FROM_THE_ACE, *_FOURS, *(four[::-1] for four in _FOURS)):
                    self._try(place, hand)
        chance = Random(1)
        used = [spot for spots in self.spots.values() for spot in spots]
        for _ in range(self.SWAPS):
            self._try([chance.choice(used)], [chance.choice(DECK)])
        return _without_what_loses(self.receipt)

    def _meetings(self) -> Iterator[list[int]]:
        """The spots of one place, and of any two that may make a hand together, in either order.

        Boxes differ only in their turn: the one that is settled first stands for all.
        """
        from_right = self.table.rules.book.contest.order.settled_from == "right"
        first = self.table.boxes if from_right else 1
        places = [s for name, s in self.spots.items() if isinstance(name, str) or name == first]
        for one in places:
            yield list(one)
            yield from ([*one, *other] for other in places if other is not one)

    def _try(self, spots: Sequence[int], hand: Sequence[Card]) -> None:
        """Lay a hand on these spots; its cards change places with those that lay there."""
        laid = list(self.deal)
        for spot, card in zip(spots, hand, strict=False):
            came_from = laid.index(card)
            laid[spot], laid[came_from] = card, laid[spot]
        receipt = settle(self._round(laid))
        lost_cents = lost_by_table_cents(self.receipt)
        if sum(line.net_cents for line in receipt.lines if line.net_cents > 0) <= lost_cents:
            return  # not even its winning wagers alone cost as much
        receipt = _with_what_pays(receipt)
        if lost_by_table_cents(receipt) > lost_cents:
            self.deal, self.receipt = laid, receipt

    def _round(self, deal: Sequence[Card]) -> FinishedRound:
        table, lying = self.table, {}
        boxes = []
        for name, spots in self.spots.items():
            cards = tuple(deal[spot] for spot in spots)
            if isinstance(name, str):
                lying[name] = cards
            else:
                boxes.append(FinishedBox(seat=name, cards=cards, stakes=table.stakes))
        meters = {name: in_micros(reading) for name, reading in table.meters.items()}
        return FinishedRound(table.rules, lying, tuple(boxes), meters)


def _spots(table: _Table) -> dict[str | int, range]:
    """Where in a deal the cards of each place lie, and of each box by its seat."""
    sizes: dict[str | int, int] = {
        place.name: place.cards
        for place in table.rules.book.places
        if place.name != "box" and (place.only_for is None or place.only_for in table.stakes)
    }
    own = table.rules.book.place("box").cards
    sizes |= dict.fromkeys(range(1, table.boxes + 1), own)
    ends = list(accumulate(sizes.values()))
    return {
        name: range(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)
    }


def _with_what_pays(receipt: Receipt) -> Receipt:
    """The same deal when the boxes make only wagers that pay, where that costs the table more."""
    boxes = tuple(_boxes_that_pay(receipt))
    if not boxes:
        return receipt
    paying = settle(replace(receipt.round, boxes=boxes))
    return max(receipt, paying, key=lost_by_table_cents)


def _boxes_that_pay(receipt: Receipt) -> Iterator[FinishedBox]:
    """The boxes that win, each with the wagers that win and those it needs for them.

    A box that gives Envy to others stays whatever it loses.
    """
    gives_envy = {line.holder for line in receipt.lines}
    for box in receipt.round.boxes:
        nets_cents = _nets_cents(receipt, box)
        stakes, net_cents = _base_stakes(receipt.round.rules, box, nets_cents)
        for wager in reversed(receipt.round.rules.book.wagers):
            needed = any(wager.name in receipt.round.rules.book.wager(w).needs for w in stakes)
            if wager.optional and box.has(wager.name) and (nets_cents[wager.name] > 0 or needed):
                stakes[wager.name] = box.stakes[wager.name]
                net_cents += nets_cents[wager.name]
        if net_cents > 0 or box.seat in gives_envy:
            kept = {name: stake for name, stake in box.stakes.items() if name in stakes}
            yield replace(box, stakes=kept)


def _base_stakes(
    rules: Rules, box: FinishedBox, nets_cents: Mapping[str, int]
) -> tuple[dict[str, Cents], int]:
    """What a box stakes against the dealer, folding where that loses less, and what it wins."""
    base = [wager for wager in rules.book.wagers if box.has(wager.name) and not wager.optional]
    played = {wager.name: box.stakes[wager.name] for wager in base}
    folded = {wager.name: box.stakes[wager.name] for wager in base if wager.beside is None}
    won_cents, given_up_cents = sum(nets_cents[name] for name in played), sum(folded.values())
    return (played, won_cents) if won_cents >= -given_up_cents else (folded, -given_up_cents)


def _nets_cents(receipt: Receipt, box: FinishedBox) -> Counter[str]:
    """What each wager of a box won or lost: a bonus with the wager it is paid on, Envy with the
    Progressive, and the payout limit with the first wager it cuts."""
    rules, nets_cents = receipt.round.rules, Counter[str]()
    limit = rules.book.payout_limit
    counts_with = {w.name: w.paid_on for w in rules.book.wagers if w.paid_on is not None}
    counts_with |= {ENVY: PROGRESSIVE} | ({PAYOUT_LIMIT: limit.wagers[0]} if limit else {})
    for line in receipt.of(box.seat):
        nets_cents[counts_with.get(line.wager, line.wager)] += line.net_cents
    return nets_cents


def _without_what_loses(receipt: Receipt) -> Receipt:
    """Wagers and boxes whose absence costs the table more leave one by one."""
    book = receipt.round.rules.book
    for box in receipt.round.boxes:
        for wager in (*reversed(book.wagers), None):
            fewer = tuple(_leaving(receipt.round, box.seat, wager))
            try:
                without = settle(replace(receipt.round, boxes=fewer))
            except Refusal:
                continue  # the rules want it there
            receipt = max(receipt, without, key=lost_by_table_cents)
    return receipt


def _leaving(round: FinishedRound, seat: int, wager: Wager | None) -> Iterator[FinishedBox]:
    """The boxes when one gives up a wager and all that hang on it, or None: leaves altogether."""
    for box in round.boxes:
        if box.seat != seat:
            yield box
        elif wager is not None:
            hanging = {
                other.name
                for other in round.rules.book.wagers
                if wager.name in (other.name, other.beside, other.equals, *other.needs)
            }
            kept = {name: stake for name, stake in box.stakes.items() if name not in hanging}
            yield replace(box, stakes=kept)


_FROM_THE_ACE = tuple(
    tuple(card for card in reversed(DECK) if card.suit is suit)[:6] for suit in Suit
)
_FOURS = tuple(DECK[start : start + 4] for start in range(0, len(DECK), 4))
