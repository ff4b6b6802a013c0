"""What a log is counted for, round by round, in the same room however long it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from croupier.audit.log.case import RoundCase
from croupier.audit.log.statistics.fair import fair_of
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import BOX
from croupier.exact.hand_classes import samples
from croupier.facts.cards import DECK, Card
from croupier.games.round import PROGRESSIVE
from croupier.games.rules import Rules

CARDS = len(DECK)
BATCH = 4_096
MOST_PLAYERS = 1_000
_BY_NAME = {str(card): card for card in DECK}


@dataclass
class SideCounts:
    """A wager that a fold leaves alone: all of it, and apart what the first box of a round did.

    Boxes of one round share cards, so only one of them is tested.
    """

    staked_cents: int = 0
    net_cents: int = 0
    tested: int = 0
    tested_cents: int = 0
    tested_squares: int = 0
    tested_net_cents: int = 0
    hits: int = 0


@dataclass
class PlayerCounts:
    rounds: int = 0
    wagered_cents: int = 0
    net_cents: int = 0
    staked: Counter[str] = field(default_factory=Counter)


@dataclass
class ValuedBox:
    """A box whose decisions are valued: its cards, what it could see, and what it did."""

    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    up: Card | None
    decisions: tuple[rec.DecisionRecord, ...]
    ante_cents: int


class LogCounts:
    """The counts of all rounds under one set of Rules."""

    def __init__(self, rules: Rules, seed: int = 1) -> None:
        fair = fair_of(rules)
        assert fair is not None, "asked only about hands that can be counted"
        self.rules, self.fair = rules, fair
        self.rounds = 0
        self.cards = np.zeros(CARDS, dtype=np.int64)
        self.expected = 0.0
        self.scale = 0.0
        self.hidden = 0
        self.starts: Counter[str] = Counter()
        self.sides: dict[str, SideCounts] = {}
        self.base = SideCounts()
        self.players: dict[str, PlayerCounts] = {}
        self.choices: list[ValuedBox] = []
        self.decided = 0
        ranking = rules.game.ranking
        self._players = np.zeros(len(samples(ranking)), dtype=np.int64)
        self._dealers = np.zeros(len(samples(ranking)), dtype=np.int64)
        self._waiting: dict[str, list[list[int]]] = {"player": [], "dealer": []}
        self._chance = Random(seed)

    def add(self, case: RoundCase) -> None:
        """One settled round."""
        record = case.record
        if not case.is_settled or record.still_settles or not record.lines or not record.boxes:
            return
        self.rounds += 1
        lying: dict[tuple[str, int], list[Card]] = {}
        for dealt in record.cards:
            lying.setdefault((dealt.place, dealt.box), []).append(_BY_NAME[dealt.card])
        in_sight = not any(hidden.place == BOX for hidden in record.hidden)
        self.hidden += not in_sight
        self._count_cards(
            [c for (place, _), cards in lying.items() for c in cards if in_sight or place != BOX]
        )
        first = min(record.boxes, key=lambda box: box.seat)
        self._hands(lying, first.seat, in_sight)
        for box in record.boxes:
            self._results(case, box, tested=box is first)
            self._choose(case, box, lying)

    # Cards

    def _count_cards(self, cards: list[Card]) -> None:
        """Cards of one round exclude each other; ``scale`` keeps account of it."""
        for card in cards:
            self.cards[card.number] += 1
        count = len(cards)
        self.expected += count / CARDS
        self.scale += count * (CARDS - count) / (CARDS * (CARDS - 1))

    def _hands(self, lying: dict[tuple[str, int], list[Card]], seat: int, in_sight: bool) -> None:
        board, dealer = lying.get(("board", 0), []), lying.get(("dealer", 0), [])
        self._waiting["dealer"].append([card.number for card in dealer + board])
        own = lying.get((BOX, seat), [])
        if in_sight:
            self._waiting["player"].append([card.number for card in own + board])
            self.starts[self.fair.start(tuple(own))] += 1
        if len(self._waiting["dealer"]) >= BATCH:
            self._rank()

    def _rank(self) -> None:
        for name, counts in (("player", self._players), ("dealer", self._dealers)):
            rows = self._waiting[name]
            if rows:
                np.add.at(counts, self.fair.rank(np.array(rows, dtype=np.uint8)), 1)
                rows.clear()

    def player_classes(self) -> NDArray[np.int64]:
        self._rank()
        return self._players

    def dealer_classes(self) -> NDArray[np.int64]:
        self._rank()
        return self._dealers

    # Results

    def _results(self, case: RoundCase, box: rec.BoxRecord, *, tested: bool) -> None:
        net: Counter[str] = Counter()
        for line in case.record.lines:
            if line.box == box.seat and not line.reversed:
                net[line.wager] += line.paid_cents + line.returned_cents
        stakes = {wager.wager: wager.cents for wager in box.wagers}
        against = {w.name for w in case.book.wagers if not w.optional}
        ante = stakes.get(case.play[1], 0)
        if ante:
            came = sum(net[name] for name in against)
            out = sum(stakes.get(name, 0) for name in against)
            _note(self.base, ante, came - out, tested=tested)
        for wager in case.book.wagers:
            refused = wager.name == PROGRESSIVE and box.refused != ""
            stays = wager.optional and wager.fold.outcome == "stays" and not refused
            if stays and wager.name in stakes:
                side = self.sides.setdefault(wager.name, SideCounts())
                won = net[wager.name]
                _note(side, stakes[wager.name], won - stakes[wager.name], tested=tested)
                side.hits += tested and won > 0
        self._note_player(box, stakes, ante, sum(net.values()))

    def _note_player(
        self, box: rec.BoxRecord, stakes: dict[str, int], ante: int, came_cents: int
    ) -> None:
        name = box.player or f"box {box.seat}"
        if name not in self.players and len(self.players) >= MOST_PLAYERS:
            return
        player = self.players.setdefault(name, PlayerCounts())
        player.rounds += 1
        player.wagered_cents += sum(stakes.values())
        player.net_cents += came_cents - sum(stakes.values())
        player.staked["base"] += ante
        for wager, cents in stakes.items():
            player.staked[wager] += cents

    # Decisions

    def _choose(
        self, case: RoundCase, box: rec.BoxRecord, lying: dict[tuple[str, int], list[Card]]
    ) -> None:
        """Every box with decisions has the same chance to be among those that are valued."""
        own = lying.get((BOX, box.seat), [])
        if not box.decisions or len(own) != case.book.place(BOX).cards:
            return
        self.decided += 1
        dealer = lying.get(("dealer", 0), [])
        ante = next((w.cents for w in box.wagers if w.wager == case.play[1]), 0)
        choice = ValuedBox(
            tuple(own),
            tuple(lying.get(("board", 0), [])),
            dealer[-1] if dealer and self.fair.shows else None,
            box.decisions,
            ante,
        )
        most = self.fair.valued
        if len(self.choices) < most:
            self.choices.append(choice)
        elif (at := self._chance.randrange(self.decided)) < most:
            self.choices[at] = choice


def _note(side: SideCounts, stake: int, net: int, *, tested: bool) -> None:
    side.staked_cents += stake
    side.net_cents += net
    if tested:
        side.tested += 1
        side.tested_cents += stake
        side.tested_squares += stake * stake
        side.tested_net_cents += net
