"""Streaming counts of a log, round by round, in constant memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from croupier.audit.log.case import RoundCase
from croupier.audit.log.statistics.fair import fair_of, shows_dealer
from croupier.audit.log.statistics.judgment import CARDS, LOST, UNLISTED, SampleCounts
from croupier.audit.log.statistics.skill import ValuedBox, ValuedBoxes, on_board
from croupier.audit.records import schema as rec
from croupier.audit.records.reader import BOX
from croupier.exact.hand_samples import samples
from croupier.facts.cards import DECK, Card
from croupier.facts.odds import Odds, StakeOdds
from croupier.games.rules import PROGRESSIVE, Rules

BATCH = 4_096
MOST_PLAYERS = 1_000
_BY_NAME = {str(card): card for card in DECK}


@dataclass
class SideCounts:
    """A wager that a fold leaves alone: its money, and how it ended for the first box of a round.

    Boxes of one round share cards, so only one of them is tested.
    """

    staked_cents: int = 0
    net_cents: int = 0
    ended: Counter[str] = field(default_factory=Counter)


@dataclass
class PlayerCounts:
    rounds: int = 0
    wagered_cents: int = 0
    net_cents: int = 0
    staked: Counter[str] = field(default_factory=Counter)


class LogCounts:
    """The counts of all rounds under one set of Rules."""

    def __init__(self, rules: Rules) -> None:
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
        self.choices = ValuedBoxes()
        ranking = rules.game.ranking
        self._players = np.zeros(len(samples(ranking)), dtype=np.int64)
        self._dealers = np.zeros(len(samples(ranking)), dtype=np.int64)
        self._waiting: dict[str, list[list[int]]] = {"player": [], "dealer": []}
        self._endings: dict[tuple[str, int, int, int, str | None], str] = {}

    def add(self, case: RoundCase) -> None:
        """One settled round."""
        record = case.record
        if not case.is_settled or record.still_settles or not record.lines or not record.boxes:
            return
        self.rounds += 1
        lying = cards_lying(record)
        in_sight = not any(hidden.place == BOX for hidden in record.hidden)
        self.hidden += not in_sight
        self._count_cards(
            [c for (place, _), cards in lying.items() for c in cards if in_sight or place != BOX]
        )
        first = min(record.boxes, key=lambda box: box.seat)
        self._hands(lying, first.seat, in_sight)
        lines = lines_by_box(record)
        for box in record.boxes:
            self._results(case, box, lines.get(box.seat, []), tested=box is first)
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

    def counts(self) -> SampleCounts:
        """Everything that is tested, as arrays."""
        self._rank()
        starts = np.array([self.starts[name] for name in self.fair.starts()], dtype=np.int64)
        return SampleCounts(
            cards=self.cards,
            due_each=self.expected,
            scale=self.scale,
            starts=None if self.hidden else starts,
            players=None if self.hidden else self._players,
            dealers=self._dealers,
            sides={name: side.ended for name, side in self.sides.items()},
        )

    # Results

    def _results(
        self, case: RoundCase, box: rec.BoxRecord, lines: list[rec.LineRecord], *, tested: bool
    ) -> None:
        net, told = came_back(lines), {line.wager: line for line in lines}
        stakes = {wager.wager: wager.cents for wager in box.wagers}
        ante, won = base_result(case, stakes, net)
        if ante:
            _note(self.base, ante, won)
        for wager in case.book.wagers:
            refused = wager.name == PROGRESSIVE and box.refused != ""
            stays = wager.optional and wager.fold.outcome == "stays" and not refused
            if stays and wager.name in stakes:
                side = self.sides.setdefault(wager.name, SideCounts())
                stake = stakes[wager.name]
                _note(side, stake, net[wager.name] - stake)
                if tested and box.absent != "abandoned":
                    side.ended[self._ending(wager.name, stake, told.get(wager.name))] += 1
        self._note_player(box, stakes, ante, sum(net.values()))

    def _ending(self, wager: str, stake: int, line: rec.LineRecord | None) -> str:
        """By which odds a wager was paid, judged by the money that came.

        A win that nobody validated was a win all the same: this is about cards. A share of a meter
        is taken by its odds, for what stood there is another audit's business.
        """
        if line is None or not (line.paid_cents or line.returned_cents):
            return LOST
        key = (wager, stake, line.paid_cents, line.returned_cents, line.odds)
        if key not in self._endings:
            table = self.rules.paytable(wager)
            assert table is not None, "a side wager is paid by its paytable"
            fitting = [str(o.odds) for o in table.lines if _fits(o.odds, stake, line)]
            named = [odds for odds in fitting if odds == line.odds]
            self._endings[key] = next(iter(named or fitting), UNLISTED)
        return self._endings[key]

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
        if not box.decisions:
            return
        choice = valued_box(case, box, lying)
        if choice is None:
            self.choices.unseen += 1
        else:
            self.choices.add(choice, len(case.book.streets))


def cards_lying(record: rec.RoundRecord) -> dict[tuple[str, int], list[Card]]:
    """By place and box: the cards that the record names, in the order they were dealt."""
    lying: dict[tuple[str, int], list[Card]] = {}
    for dealt in record.cards:
        lying.setdefault((dealt.place, dealt.box), []).append(_BY_NAME[dealt.card])
    return lying


def valued_box(
    case: RoundCase,
    box: rec.BoxRecord,
    lying: dict[tuple[str, int], list[Card]],
    *,
    by_chips: bool = True,
) -> ValuedBox | None:
    """A box that decided; None where the log does not name the cards it decided by.

    ``by_chips``: whether it matters what its chips covered.
    """
    own, board = lying.get((BOX, box.seat), []), lying.get(("board", 0), [])
    dealer, shows = lying.get(("dealer", 0), []), shows_dealer(case.rules)
    asked = min(len(box.decisions), len(case.book.streets)) - 1
    unnamed = len(own) != case.book.place(BOX).cards or (shows and not dealer)
    if unnamed or len(board) < on_board(case.rules, asked):
        return None
    up = dealer[-1] if shows else None
    ante = next((w.cents for w in box.wagers if w.wager == case.play[1]), 0)
    asked_at = (decision.at_us for decision in box.decisions if by_chips)
    chips = tuple(_chips_at(case, box, at_us) for at_us in asked_at)
    return ValuedBox(tuple(own), tuple(board), up, box.decisions, ante, chips)


def lines_by_box(record: rec.RoundRecord) -> dict[int, list[rec.LineRecord]]:
    lines: dict[int, list[rec.LineRecord]] = {}
    for line in record.lines:
        lines.setdefault(line.box, []).append(line)
    return lines


def base_result(
    case: RoundCase, stakes: Mapping[str, int], net: Mapping[str, int]
) -> tuple[int, int]:
    """The Ante of a box and what the base game brought it, stakes taken off, in cents."""
    against = [wager.name for wager in case.book.wagers if not wager.optional]
    came = sum(net.get(name, 0) for name in against)
    return stakes.get(case.play[1], 0), came - sum(stakes.get(name, 0) for name in against)


def came_back(lines: Iterable[rec.LineRecord]) -> Counter[str]:
    """By wager: what came to a box and stayed there, in cents."""
    net: Counter[str] = Counter()
    for line in lines:
        if not line.reversed:
            net[line.wager] += line.paid_cents + line.returned_cents
    return net


def _chips_at(case: RoundCase, box: rec.BoxRecord, at_us: int) -> int | None:
    """What a box had left to play with when it decided; None where the log does not say."""
    if box.chips_before_cents is None:
        return None
    laid = [wager for wager in box.wagers if not case.is_play(wager.wager)]
    began = min((wager.at_us for wager in laid), default=0)
    moved = sum(
        move.cents if move.kind in rec.COMES else -move.cents
        for move in case.record.chips
        if move.box == box.seat and began < move.at_us <= at_us
    )
    return box.chips_before_cents + moved - sum(wager.cents for wager in laid)


def _note(side: SideCounts, stake: int, net: int) -> None:
    side.staked_cents += stake
    side.net_cents += net


def _fits(odds: Odds, stake: int, line: rec.LineRecord) -> bool:
    """Whether these odds pay what was paid, and give back what was given back."""
    if isinstance(odds, StakeOdds):
        back = stake if odds.returns_stake else 0
        return (line.paid_cents, line.returned_cents) == (odds.pays_cents(stake), back)
    return str(odds) == line.odds and not line.returned_cents
