"""An accountant who never looks at an entry: evenings written down as they happen, and what they
must come to, counted from the receipts, the chips on the felt and the submission.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from croupier.games.round import Reason
from croupier.ledger.kept_table import KeptTable
from croupier.ledger.shoe.pack import Pack, fresh_pack, pack_of
from croupier.ledger.store.port import Ledger
from croupier.practice import regulars
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.automatic_dealer import next_duty
from croupier.table.state import State
from tests.ledger.evenings import BUY_IN_CENTS, Evening

MICROS_A_CENT = 10_000

# Cards from the top, by the order of dispensing: the bonus box, then board and dealer at
# Ultimate Texas Hold'em and the dealer at Four Card Poker, then box by box. Box 1 has the best
# hand of the Progressive, box 3 the second best.
GREAT_HANDS = {
    "UTH-S": "2c 3d 4h 6c Th Jh Qh 2d 7c 9c 4d Kh Ah 3c 5s 8h 9h",
    "UTH-14": "2c 3d 4h 6c Th Jh Qh 2d 7c 9c 4d Kh Ah 3c 5s 8h 9h",
    "FCP-14": "2c 3d 4h 6c 8s 9c Jd As Ah Ad Ac 2d 3c 5s 7h 8d Th Ks Kh Kd Kc 5d",
}
# Nobody has anything: a pair at most, and boxes that fold.
POOR_HANDS = {
    "UTH-S": "Ac Ad Ah Ks 4h 9s Jd Qc 6d As Kd 2c 3d 2h 3s 2s 3h",
    "UTH-14": "Ac Ad Ah Ks 4h 9s Jd Qc 6d As Kd 2c 3d 2h 3s 2s 3h",
    "FCP-14": "Ac As Ah Kd Ks 9d 8d 2c 4d 6h 8s Tc 2d 4h 6s 8c Td 2h 4s 6c 9h Th",
}


@dataclass(frozen=True)
class Seen:
    """One command at one table: when, what was there before and after, and what happened."""

    at_us: int
    table: str
    before: State
    events: tuple[ev.Event, ...]
    after: State


class Watched(Evening):
    """An evening that is written down, with packs that can be stacked."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self.seen: list[Seen] = []
        self._chance = Random(seed)
        self._script: list[str] = []
        self.packs = self._pack

    def stack(self, cards: str) -> None:
        """The next pack; it is made when the cards of the round now on are cleared."""
        self._script.append(cards)

    def _pack(self) -> Pack:
        if self._script:
            return pack_of(self._script.pop(0).split(), self._chance.getrandbits)
        return fresh_pack(self._chance.getrandbits)

    def give(self, table: KeptTable, command: do.Command) -> None:
        before = table.state
        answer = table.give(command, self.next_id())
        self.seen.append(Seen(table.last_us, table.name, before, answer.events, table.state))

    def until(self, table: KeptTable, kind: type[do.Command]) -> do.Command:
        """Play on until this is the next thing that the house does."""
        while True:
            if table.state.round.stage == "betting":
                self._put_down(table)
            duty = next_duty(table.state, table.shoe(), table.readings())
            if isinstance(duty, kind):
                return duty
            self.step(table)

    def go_on(self, table: KeptTable) -> None:
        """The next thing, wagers included."""
        if table.state.round.stage == "betting":
            self._put_down(table)
        self.step(table)

    def _put_down(self, table: KeptTable) -> None:
        for seat in table.state.seats:
            if table.state.chips.get(seat, 0) < BUY_IN_CENTS // 2:
                more = do.BuyIn(
                    by="dealer", role="dealer", box=seat, cents=BUY_IN_CENTS, taken="cash"
                )
                self.give(table, more)
            if table.state.open and seat not in table.state.round.boxes:
                for command in regulars.wagers(table.state, seat):
                    self.give(table, command)

    def finish(self, table: KeptTable) -> None:
        """The round to its end."""
        self.give(table, self.until(table, do.ClearCards))

    def stacked_round(self, table: KeptTable, cards: str) -> None:
        """Up to the start of a round with these cards."""
        self.stack(cards)
        self.finish(table)

    def void(self, table: KeptTable, reason: str) -> None:
        self.give(
            table,
            do.VoidRound(by="floorperson", role="floorperson", cause="other-cause", reason=reason),
        )
        self.give(table, do.Confirm(by="manager", role="manager", upheld=True))


def eventful(evening: Watched, ledger: Ledger, book: str, name: str, link: str = "") -> KeptTable:
    """Everything that can happen to money: awards paid, refused and reversed, voids, an abandoned
    box, tips, cash-outs and a refused command.
    """
    table = evening.install(ledger, book, name, link)
    evening.sit(table, 3)
    _awards(evening, table, book)
    _voids(evening, table, book)
    _absence(evening, table)
    evening.give(table, do.Tip(by="Ann", role="player", box=1, cents=7_50))
    evening.give(table, do.Tip(by="Ben", role="player", box=2, cents=2_50))
    evening.give(table, do.CashOut(by="Ben", role="player", box=2))
    evening.play(table, 2)
    evening.give(table, do.CashOut(by="Ann", role="player", box=1, cents=1_000_00))
    return table


def _awards(evening: Watched, table: KeptTable, book: str) -> None:
    evening.stacked_round(table, GREAT_HANDS[book])
    evening.stacked_round(table, GREAT_HANDS[book])
    refused: tuple[tuple[Reason, int], ...] = (("hand", 3), ("wager", 1))
    for reason, box in refused:
        evening.until(table, do.ValidateProgressive)
        refusal = do.ProposeRefusal(by="floor", role="floorperson", box=box, reason=reason)
        evening.give(table, refusal)
        word = do.ConfirmRefusal(by="manager", role="manager", box=box, upheld=True)
        evening.give(table, word)


def _voids(evening: Watched, table: KeptTable, book: str) -> None:
    """Voided with awards waiting, with awards paid, and after a fold."""
    evening.stacked_round(table, GREAT_HANDS[book])
    evening.until(table, do.ValidateProgressive)
    evening.void(table, "a card too many")
    evening.stacked_round(table, GREAT_HANDS[book])
    evening.until(table, do.ClearCards)
    evening.void(table, "the wrong shoe")
    evening.stacked_round(table, POOR_HANDS[book])
    evening.until(table, do.SettleBox)
    evening.void(table, "the lights went out")


def _absence(evening: Watched, table: KeptTable) -> None:
    evening.stacked_round(table, POOR_HANDS[table.state.book.id])
    evening.until(table, do.Reveal)
    evening.give(table, do.ReportAbsence(by="dealer", role="dealer", box=3))
    ruling = do.RuleOnAbsence(by="floor", role="floorperson", box=3, outcome="abandoned")
    evening.give(table, ruling)
    evening.finish(table)


@dataclass
class WagerModel:
    wagers: int = 0
    wagered: int = 0
    paid: int = 0
    returned: int = 0
    jackpots: int = 0
    jackpot: int = 0
    voids: int = 0
    voided: int = 0


@dataclass
class Model:
    """One table's evening, from its receipts; whole rounds only."""

    by_wager: dict[str, WagerModel] = field(default_factory=dict)
    by_box: dict[int, WagerModel] = field(default_factory=dict)
    bought: dict[int, int] = field(default_factory=dict)
    cashed: dict[int, int] = field(default_factory=dict)
    tipped: dict[int, int] = field(default_factory=dict)
    outside: dict[int, int] = field(default_factory=dict)
    rounds: int = 0
    voids: int = 0
    grown: dict[str, int] = field(default_factory=dict)

    @property
    def win_micros(self) -> int:
        lines = self.by_box.values()
        cents = sum(line.wagered - line.returned - line.paid for line in lines)
        return cents * MICROS_A_CENT - sum(self.grown.values())


def model_of(seen: list[Seen]) -> Model:
    model = Model()
    for each in seen:
        for event in each.events:
            _move(model, event)
            if isinstance(event, ev.CardsCleared):
                _receipt(model, each.before)
    return model


def _move(model: Model, event: ev.Event) -> None:
    if isinstance(event, ev.ChipsBought):
        model.bought[event.box] = model.bought.get(event.box, 0) + event.cents
    elif isinstance(event, ev.ChipsCashed):
        model.cashed[event.box] = model.cashed.get(event.box, 0) + event.cents
    elif isinstance(event, ev.TipGiven):
        model.tipped[event.box] = model.tipped.get(event.box, 0) + event.cents
    elif isinstance(event, ev.MeterShrank):
        # A meter that stands at its reset keeps the growth of a returned wager (ruling 25).
        model.grown[event.meter] = model.grown.get(event.meter, 0) + event.borne_micros


def _receipt(model: Model, state: State) -> None:
    """A round as its receipt has it when the cards leave the table."""
    model.rounds += 1
    model.voids += state.round.stage == "void"
    for line in state.round.lines:
        for sums in (
            model.by_wager.setdefault(line.wager, WagerModel()),
            model.by_box.setdefault(line.box, WagerModel()),
        ):
            _count(sums, line)
        if line.meter is not None and state.round.stage != "void":
            percent = int((line.odds or "").partition("%")[0])
            least = state.book.procedure.off_table_percent
            if least is not None and percent >= least:
                model.outside[line.box] = model.outside.get(line.box, 0) + line.paid_cents
    for meter, micros in state.terms.growth.items():
        in_play = sum(
            line.wager == "progressive" and line.outcome != "returned" for line in state.round.lines
        )
        model.grown[meter] = model.grown.get(meter, 0) + in_play * micros


def _count(sums: WagerModel, line: ev.WagerSettled) -> None:
    if line.outcome == "returned":
        sums.voids += 1
        sums.voided += line.stake_cents
        return
    sums.wagers += line.stake_cents > 0
    sums.wagered += line.stake_cents
    sums.returned += line.returned_cents
    if line.meter is None:
        sums.paid += line.paid_cents
    else:
        sums.jackpots += 1
        sums.jackpot += line.paid_cents


def felt_of(state: State) -> dict[int, int]:
    """What lies on each box, looked at from above; of one whose win waits, the rest is settled."""
    settled = {(line.box, line.wager) for line in state.round.lines}
    return {
        seat: sum(
            cents
            for wager, cents in box.stakes.items()
            if wager not in box.forfeited and (seat, wager) not in settled
        )
        for seat, box in state.round.boxes.items()
        if not box.settled and box.stakes
    }
