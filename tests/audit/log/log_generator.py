"""Good logs made from a seed: for training, for measuring, and to be corrupted.

A made table has cards, a shuffler that may jam no hand, players who stake what the submission
allows and decide by chance. Every third pack is stacked so that high hands come, and with them
awards, Envy and the payout limit. What is paid comes from the one settlement function.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random

from croupier.audit.log.times import shown_after
from croupier.audit.records import schema as rec
from croupier.audit.records.money import line_record
from croupier.audit.records.reader import BOX, terms_of_rules
from croupier.facts.cards import DECK, Card, Rank, Suit
from croupier.facts.money import Cents, Micros, in_micros
from croupier.games.registry import Registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import PROGRESSIVE
from croupier.rulebook.book import Wager
from croupier.submission.submission import Submission
from croupier.submission.toml_writer import write_submission
from croupier.table.receipt import Receipt
from croupier.table.settlement import settle
from croupier.table.terms import RATE_WHOLE, Terms, terms_of

START_US = 1_800_000_000_000_000
SECOND_US = 1_000_000
ROUND_US = 60 * SECOND_US
LEDGER = "made"


class LogMaker:
    """One table's log, round after round."""

    def __init__(
        self,
        submission: Submission,
        registry: Registry,
        seed: int,
        boxes: int = 4,
        *,
        stacked: bool = True,
    ) -> None:
        self.submission = submission
        self.terms: Terms = terms_of(submission, registry, electronic_shoe=False)
        book = self.terms.book
        self._bet_on = {s.name: w.name for w in book.wagers for s in book.streets_of(w.name)}
        self._chance, self._boxes = Random(seed), min(boxes, submission.boxes)
        self._told = terms_of_rules(self.terms.rules)
        self._text = write_submission(submission)
        self._hash = hashlib.sha256(self._text.encode()).hexdigest()
        offer = submission.progressive
        self._meters = {m.name: in_micros(m.initial_cents) for m in (offer.meters if offer else ())}
        self._uncounted, self._opened_us, self._now_us = 0, START_US, START_US
        self._number, self._stacks = 0, stacked

    def table(self) -> rec.TableRecord:
        return rec.TableRecord(
            format=rec.FORMAT,
            ledger=LEDGER,
            table=self.submission.table,
            rulebook=self.submission.rulebook,
            submission=self._text,
            submission_hash=self._hash,
            link=self.submission.table if self.submission.progressive else "",
            at_us=START_US,
        )

    def rounds(self, count: int) -> Iterator[rec.RoundRecord]:
        for _ in range(count):
            yield self._round()

    def _round(self) -> rec.RoundRecord:
        self._number += 1
        self._now_us += ROUND_US
        closed_us = self._now_us + 10 * SECOND_US
        cards = self._dealt()
        boxes = [self._box(seat, cards) for seat in range(1, self._boxes + 1)]
        grown = self._grown(sum(PROGRESSIVE in box.stakes for box, _ in boxes))
        places = {place: lying for (place, seat), lying in cards.items() if place != BOX}
        before = dict(self._meters)
        receipt = settle(FinishedRound(self.terms.rules, places, tuple(b for b, _ in boxes), grown))
        self._meters = {name: Micros(micros) for name, micros in receipt.meters.items()}
        dealt = self._written_cards(cards, {b.seat: b for b, _ in boxes}, closed_us)
        opened_us, stub = self._duties(len(dealt), closed_us)
        return rec.RoundRecord(
            format=rec.FORMAT,
            ledger=LEDGER,
            table=self.submission.table,
            round=self._number,
            rulebook=self.submission.rulebook,
            terms=self._told,
            submission_hash=self._hash,
            status="complete",
            way=self.terms.way,
            began_at_us=self._now_us,
            closed_at_us=closed_us,
            ended_at_us=closed_us + 40 * SECOND_US,
            deck=rec.DeckRecord(opened_at_us=opened_us, color=self.terms.deck_colors[0]),
            stub_count=stub,
            boxes=tuple(self._written(b, decisions, receipt) for b, decisions in boxes),
            cards=tuple(dealt),
            lines=tuple(line_record(line) for line in receipt.lines),
            meters=tuple(
                rec.MeterRecord(
                    name=name,
                    at_settlement_micros=grown[name],
                    before_micros=before[name],
                    after_micros=receipt.meters[name],
                    grew_micros=grown[name] - before[name],
                )
                for name in grown
            ),
        )

    # Cards

    def _dealt(self) -> dict[tuple[str, int], tuple[Card, ...]]:
        wanted = self._stacked() if self._stacks and self._number % 3 == 0 else {}
        used = {card for cards in wanted.values() for card in cards}
        rest = [card for card in DECK if card not in used]
        self._chance.shuffle(rest)
        lying: dict[tuple[str, int], tuple[Card, ...]] = {}
        for place in self.terms.book.places:
            if place.only_for is not None and not self.terms.rules.offers(place.only_for):
                continue
            seats = range(1, self._boxes + 1) if place.name == BOX else (0,)
            for seat in seats:
                first = wanted.get((place.name, seat), ())[: place.cards]
                lying[place.name, seat] = (
                    *first,
                    *(rest.pop() for _ in range(place.cards - len(first))),
                )
        return lying

    def _stacked(self) -> dict[tuple[str, int], tuple[Card, ...]]:
        """Two boxes hold either end of a straight flush, or four of a kind and aces."""
        suit, low = Suit(self._chance.randrange(4)), self._chance.randint(2, 8)
        run = [Card(Rank(low + step), suit) for step in range(7)]
        rank = self._chance.choice([rank for rank in Rank if rank < low or rank > low + 6])
        four = [Card(rank, of) for of in Suit]
        shared = any(place.name == "board" for place in self.terms.book.places)
        if self._chance.random() < 0.5:
            ends = (run[:2], run[5:]) if shared else (run[:4], run[4:])
            return {(BOX, 1): (*ends[0],), (BOX, 2): (*ends[1],), ("board", 0): (*run[2:5],)}
        if shared:
            return {(BOX, 1): (*four[:2],), ("board", 0): (*four[2:], run[0]), (BOX, 2): (run[1],)}
        return {(BOX, 1): (*four,), (BOX, 2): (*run[:4],)}

    def _written_cards(
        self,
        cards: dict[tuple[str, int], tuple[Card, ...]],
        boxes: dict[int, FinishedBox],
        closed_us: int,
    ) -> list[rec.DealtCardRecord]:
        """Each card with when it was shown; what a folded box held nobody sees."""
        after, play = shown_after(self.terms.book, self.terms.way), self.terms.play[0]
        last, written = len(self.terms.book.streets) - 1, []
        for (place, seat), lying in cards.items():
            folded = seat in boxes and play not in boxes[seat].stakes
            for at, card in enumerate(lying):
                street = after.get((place, at), last)
                turned_us = self._asked_us(street + 1, 0) - SECOND_US if street >= 0 else closed_us
                written.append(
                    rec.DealtCardRecord(
                        card=str(card),
                        place=place,
                        box=seat,
                        at_us=closed_us,
                        face_up=street < 0,
                        turned_at_us=0 if folded else turned_us,
                    )
                )
        return written

    # Boxes

    def _asked_us(self, street: int, seat: int) -> int:
        """When a box is asked: each street takes nine seconds, of which each box has one."""
        return self._now_us + (11 + 9 * street + seat) * SECOND_US

    def _box(
        self, seat: int, cards: dict[tuple[str, int], tuple[Card, ...]]
    ) -> tuple[FinishedBox, list[rec.DecisionRecord]]:
        stakes = self._stakes()
        decisions: list[rec.DecisionRecord] = []
        _, beside = self.terms.play
        for number, street in enumerate(self.terms.book.streets if beside in stakes else ()):
            bet = self._bet_on[street.name]
            if bet in stakes:
                continue
            at_us = self._asked_us(number, seat)
            if self._chance.random() < 0.4:
                least = street.least_multiple or min(street.multiples)
                most = street.most_multiple or max(street.multiples)
                cents = Cents(self._chance.choice((least, most)) * stakes[beside])
                stakes[bet] = cents
                decisions.append(
                    rec.DecisionRecord(
                        street=street.name, action="play", wager=bet, cents=cents, at_us=at_us
                    )
                )
                continue
            action = street.otherwise
            decisions.append(rec.DecisionRecord(street=street.name, action=action, at_us=at_us))
            if action == "fold":
                break
        return FinishedBox(seat, cards[BOX, seat], stakes, f"Player {seat}"), decisions

    def _stakes(self) -> dict[str, Cents]:
        opening = self.terms.book.opening
        any_of = [name for name in opening.any_of if self._chance.random() < 0.7]
        chosen = {*opening.all_of, *(any_of or opening.any_of[:1])}
        stakes: dict[str, Cents] = {}
        for wager in self.terms.book.wagers:
            if wager.name not in self.terms.offered[self.terms.way]:
                continue
            wanted = wager.name in chosen or (
                wager.optional and wager.name not in opening.any_of and self._chance.random() < 0.5
            )
            held = all(name in stakes for name in wager.needs)
            held = held and (not wager.needs_any or any(n in stakes for n in wager.needs_any))
            if wanted and held:
                stakes[wager.name] = self._stake(wager, stakes)
        return stakes

    def _stake(self, wager: Wager, stakes: dict[str, Cents]) -> Cents:
        if wager.name == PROGRESSIVE and self.terms.progressive_cents is not None:
            return self.terms.progressive_cents
        if wager.equals is not None:
            return stakes[wager.equals]
        limit = self.terms.limit_of.get(wager.name)
        if limit is None:
            return Cents(5_00)
        steps = (limit.maximum_cents - limit.minimum_cents) // limit.increment_cents
        high = steps if self._number % 9 == 0 else min(steps, 8)
        return Cents(limit.minimum_cents + self._chance.randint(0, high) * limit.increment_cents)

    def _written(
        self, box: FinishedBox, decisions: list[rec.DecisionRecord], receipt: Receipt
    ) -> rec.BoxRecord:
        made_us = {decision.wager: decision.at_us for decision in decisions}
        lines = receipt.of(box.seat)
        return rec.BoxRecord(
            seat=box.seat,
            player=box.player or "",
            wagers=tuple(
                rec.WagerRecord(wager=n, cents=c, at_us=made_us.get(n, self._now_us))
                for n, c in box.stakes.items()
            ),
            decisions=tuple(decisions),
            contributed_micros=self._growth() if box.has(PROGRESSIVE) else {},
            wagered_cents=sum(box.stakes.values()),
            won_cents=sum(line.paid_cents + line.returned_cents for line in lines),
        )

    # Meters, deck and stub

    def _growth(self) -> dict[str, int]:
        offer = self.submission.progressive
        stake = in_micros(offer.stake_cents) if offer else 0
        meters = offer.meters if offer else ()
        return {meter.name: stake * meter.rate_ppm // RATE_WHOLE for meter in meters}

    def _grown(self, wagers: int) -> dict[str, Micros]:
        growth = self._growth()
        return {
            name: Micros(micros + wagers * growth.get(name, 0))
            for name, micros in self._meters.items()
        }

    def _duties(self, dealt: int, closed_us: int) -> tuple[int, rec.StubCountRecord | None]:
        """The deck is changed every hour, the stub counted when it falls due."""
        opened_us = self._opened_us
        if closed_us - self._opened_us > 3600 * SECOND_US:
            opened_us = self._opened_us = self._now_us
        rule = self.terms.ways[self.terms.way].stub_count
        self._uncounted += 1
        if rule is None or self._uncounted < rule.rounds:
            return opened_us, None
        self._uncounted = 0
        rest = self.terms.book.deck.cards.count - dealt
        return opened_us, rec.StubCountRecord(
            stub=rest, on_table=dealt, at_us=closed_us + 20 * SECOND_US
        )
