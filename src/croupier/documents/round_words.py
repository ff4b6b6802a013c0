"""One round in the order it is dealt, in sentences for the person who deals it.

What is done, when and to whom is read from the rulebook's way of dealing; only the words are here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.documents.blocks import StepText
from croupier.documents.filing import Filing
from croupier.rulebook.book import (
    DealerNeeds,
    PayLine,
    Paytable,
    Rulebook,
    Street,
    WayOfDealing,
)
from croupier.rulebook.book import DealStep as Deal
from croupier.submission.draft import either

HELD_IN = {"shoe": "into the dealing shoe", "hand": "into your hand", "device": "into the device"}
PLACES = {
    "boxes": "each box in play, from your left",
    "dealer": "your own place",
    "board": "the community card area",
    "six_card_box": "the Six Card Bonus box",
}
SUPER_ROYAL, SUITS = "super royal", ("diamonds", "hearts", "spades", "clubs")
NOT_PLAYED = " that has not played"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


@dataclass(frozen=True)
class RoundWords:
    """The steps of a round under one filing and one way of dealing it."""

    filing: Filing
    way: WayOfDealing

    def wagers_close(self) -> Iterator[StepText]:
        """From the shuffled deck to the last wager."""
        does, book = self.way.procedure, self.filing.book
        yield from self._shuffle()
        yield self._step(
            f"Place the shuffled deck {HELD_IN[self.way.held_in]}.", does.into_place_clause
        )
        yield self._step(
            "See that every wager lies in its area and within the limits.",
            book.procedure.layout_clause,
        )
        yield self._step('Announce "no more bets".', does.no_more_bets_clause)
        if self.filing.submission.progressive is not None:
            yield self._step("Lock out further Progressive wagers.", does.lock_out_clause)
            yield self._step(
                "Collect the Progressive chips before the inventory container and count them "
                "against the wagers accepted; then place them in the container.",
                does.chips_match_clause,
            )

    def _shuffle(self) -> Iterator[StepText]:
        """By hand where no device does it; a deck shuffled by hand is cut."""
        devices, cut = self.filing.submission.devices, self.filing.book.shuffle.cut_least
        if devices.shuffler or devices.reshuffling_shoe:
            return
        does = self.filing.book.procedure
        yield self._step("Shuffle the cards by hand and stack them.", does.single_stack_clause)
        text = (
            f"Cut: put the cover card in at least {cut.count} cards from the top; all above it, "
            "and the cover card, go to the bottom."
        )
        yield self._step(text, cut.clause)

    @property
    def _covers(self) -> bool:
        """Whether the dealer's cards wait under a cover card of their own."""
        return self.filing.book.deck.cover_cards.count > 1 and self.way.held_in != "device"

    def deal(self) -> Iterator[StepText]:
        """Cards and questions, each question once the cards before it lie."""
        asked = iter(self.filing.book.streets)
        steps = [step for step in self.way.steps if self._is_dealt(step)]
        last_dealt = max(number for number, step in enumerate(steps) if step.deal)
        waiting: list[Deal] = []
        for number, step in enumerate(steps):
            if step.after is not None:
                yield from self._dealt(waiting)
                waiting = []
                yield from self._questions(asked, step.after)
            waiting.append(step)
            if number == last_dealt:
                yield from self._dealt(waiting)
                waiting = []
                yield from self._stub()
        yield from self._dealt(waiting)
        yield from self._questions(asked, None)

    def _is_dealt(self, step: Deal) -> bool:
        return all(
            place.only_for is None or self.filing.rules.offers(place.only_for)
            for place in self.filing.book.places
            if place.name == step.to
        )

    def _dealt(self, steps: list[Deal]) -> Iterator[StepText]:
        """Single cards dealt round and round are one sentence, any other step is its own."""
        singles = [step for step in steps if step.deal == 1 and step.to in ("boxes", "dealer")]
        rounds = [step for step in singles if step.face == "down"]
        if len(rounds) > 2:
            yield self._step(self._round_and_round(rounds), rounds[0].clause)
            steps = [step for step in steps if step not in rounds]
        for step in steps:
            yield self._step(_sentence(step), step.clause)

    def _round_and_round(self, steps: list[Deal]) -> str:
        each, own = (sum(step.to == to for step in steps) for to in ("boxes", "dealer"))
        first, then = (_place(step) for step in steps[:2])
        under = ", under a cover card" if self._covers else ""
        held = f"each box has {NUMBERS[each]} and you have {NUMBERS[own]}"
        return (
            f"Deal one card at a time, face down, to {first}, then to {then}{under}, until {held}."
        )

    def _questions(self, asked: Iterator[Street], until: str | None) -> Iterator[StepText]:
        for street in asked:
            yield self._question(street)
            if street.otherwise == "fold":
                text = "A folded box keeps its cards under a wager still open; collect the others."
                yield self._step(text, self.filing.book.procedure.folded_keeps_clause)
            if street.name == until:
                return

    def _question(self, street: Street) -> StepText:
        book = self.filing.book
        play = book.played_on(street)
        beside = book.wager(play.beside or "").title
        is_first = street is book.streets_of(play.name)[0]
        still = "" if street is book.streets[0] else " still in" if is_first else NOT_PLAYED
        left = "From your left, ask" if book.contest.order.asked_from == "left" else "Ask"
        size = play_size(street, f"the {beside}")
        text = f"{left} each box{still}: {play.title} {size}, or {street.otherwise}."
        if street.otherwise == "fold":
            given_up = [w.title for w in self.filing.offered() if w.fold.outcome == "forfeit"]
            text += f" A fold loses {and_words(given_up)}."
        return self._step(text, street.ask_clause)

    def _stub(self) -> Iterator[StepText]:
        """The stub is counted, where that is due, before it goes to the rack."""
        count = self.way.stub_count
        if count is not None and not self.filing.submission.devices.counts_to_52:
            cards = self.filing.book.deck.cards.count
            often = f"In every {count.rounds}th round or sooner"
            text = f"{often} count the stub, face down: {cards} cards in all."
            yield self._step(text, count.clause)
        if not self.way.reshuffles:
            text = "Place the stub in the discard rack without showing a card."
            yield self._step(text, self.way.procedure.stub_away_clause)

    def settle(self) -> Iterator[StepText]:
        """From the dealer's hand to the empty felt."""
        book = self.filing.book
        does, contest = book.procedure, book.contest
        cover = "Remove the cover card and turn" if self._covers else "Turn"
        yield self._step(f"{cover} up the dealer's cards.", does.reveal_clause)
        for place in book.places:
            if place.only_for is not None and self.filing.rules.offers(place.only_for):
                wager = book.wager(place.only_for)
                yield self._step(f"Turn up the cards of the {wager.title} box.", place.clause)
        yield self._step("Set and announce the dealer's best hand.", does.dealer_hand_clause)
        if contest.dealer_needs is not None:
            needs = contest.dealer_needs
            text = f"Below {hand_named(needs.hand)}: {unopened(book, needs)} at every box."
            yield self._step(text, needs.clause)
        side = contest.order.settled_from
        yield self._step(
            f"From your {side}, one box at a time: turn its cards, set and announce its hand, and "
            f"settle in this order: {and_words([w.title for w in self.filing.offered()])}.",
            does.one_box_clause,
        )
        yield self._step(self._contest(), contest.wins.clause)
        if self.filing.submission.progressive is not None:
            yield from self._progressive_won()
        yield self._step(
            "Clear the cards into the discard rack so that each hand can be rebuilt.",
            does.clear_clause,
        )

    def _contest(self) -> str:
        ends = {"win": "pay", "push": "return", "lose": "take"}[
            self.filing.book.contest.tie.outcome
        ]
        against = [w.title for w in self.filing.offered() if w.judged_by == "contest"]
        return f"{and_words(against)}: higher, pay; lower, take; equal, {ends}.{self._even_money()}"

    def _even_money(self) -> str:
        """The wagers that pay one odds whatever the hand, those of the same odds together."""
        by_odds: dict[str, list[str]] = {}
        for wager in self.filing.offered():
            if wager.pays is not None:
                by_odds.setdefault(str(wager.pays.odds), []).append(wager.title)
        told = (
            f" {and_words(titles)} {'pays' if len(titles) == 1 else 'pay'} {odds}."
            for odds, titles in by_odds.items()
        )
        return "".join(told)

    def _progressive_won(self) -> Iterator[StepText]:
        does = self.filing.book.procedure
        yield self._step(
            "Progressive won: verify the hand and the light, and call the floor. Nothing else is "
            "settled until it is validated and paid.",
            does.validate_clause,
        )
        if does.off_table_clause is not None:
            share = does.off_table_percent
            least = "of the whole meter" if share == 100 else "from a meter"
            yield self._step(
                f"An award {least} is not paid from the container; its cards stay until the "
                "paperwork is done.",
                does.off_table_clause,
            )
        elif self._awards_come_from_the_cage():
            text = "An award from a meter is not paid from the container: the cage pays it."
            yield self._step(text, does.pay_clause)
        if self.filing.rules.envy is not None and self.filing.book.envy_bonus is not None:
            text = "Pay Envy in the holder's turn to every other player with a Progressive wager."
            yield self._step(text, self.filing.book.envy_bonus.clause)

    def _awards_come_from_the_cage(self) -> bool:
        offer = self.filing.submission.progressive
        return offer is not None and offer.paid_from == "cage"

    def _step(self, text: str, clause: str) -> StepText:
        return StepText(text, clause)


def play_size(street: Street, beside: str) -> str:
    """``3 or 4 times the Ante``, ``1 to 3 times the Ante``, ``equal to the Ante``."""
    if street.least_multiple is not None:
        return f"{street.least_multiple} to {street.most_multiple} times {beside}"
    if street.multiples == (1,):
        return f"equal to {beside}"
    return f"{either([str(size) for size in street.multiples])} times {beside}"


def capital(phrase: str) -> str:
    """A sentence begins with a capital; names inside it keep theirs."""
    return phrase[:1].upper() + phrase[1:]


def hand_words(line: PayLine, table: Paytable) -> str:
    """What a line pays for, with the suits of a Super Royal, which the rulebook names too."""
    if line.phrase != SUPER_ROYAL:
        return capital(line.phrase)
    others = {other.phrase.removeprefix(f"{SUPER_ROYAL} of ") for other in table.lines}
    left = [suit for suit in SUITS if suit not in others]
    return capital(f"{SUPER_ROYAL} of {either(left) if len(left) < len(SUITS) else 'any suit'}")


def unopened(book: Rulebook, needs: DealerNeeds) -> str:
    """What a dealer's hand that does not open does: ``Ante wins and Play pushes``."""
    ends = ((needs.wins, "win", "wins"), (needs.pushes, "push", "pushes"))
    told = []
    for names, many, one in ends:
        titles = [book.wager(name).title for name in names]
        if titles:
            told.append(f"{and_words(titles)} {one if len(titles) == 1 else many}")
    return " and ".join(told)


def hand_named(hand: str) -> str:
    """A hand with its article, which ``three of a kind`` and ``queen high`` do without."""
    bare = hand.startswith(("two ", "three ", "four ")) or hand.endswith(" high")
    return hand if bare else f"a {hand}"


def and_words(words: list[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _sentence(step: Deal) -> str:
    count = step.deal or step.turn
    cards = f"{NUMBERS[count]} card{'' if count == 1 else 's'}"
    if step.turn:
        return f"Turn up {cards} in {_place(step)}."
    if step.to == "burn":
        return "Burn one card, face down."
    return f"Deal {cards} face {step.face} to {_place(step)}."


def _place(step: Deal) -> str:
    return PLACES.get(step.to, f"the {step.to.replace('_', ' ')}")
