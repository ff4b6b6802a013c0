"""Random walks over commands, legal and not, and the auditor who watches every step of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from croupier.facts.cards import DECK
from croupier.facts.errors import Refusal, Unreadable
from croupier.facts.money import Micros
from croupier.games.registry import the_registry
from croupier.games.rules import PROGRESSIVE
from croupier.table import commands as do
from croupier.table import events as ev
from croupier.table.automatic_dealer import next_duty
from croupier.table.double_entry import entries
from croupier.table.engine import decide, fold
from croupier.table.events import Outcome
from croupier.table.finished_round import finished_round, receipt
from croupier.table.handlers.numbers import NO_NUMBER
from croupier.table.handlers.stub_count import hands_dealt
from croupier.table.options import Option
from croupier.table.powers import CASINO, HOME
from croupier.table.redaction import RedactedEvents
from croupier.table.settlement import settle
from croupier.table.shoe import EmptyShoe, number_hash
from croupier.table.state import Round, State
from croupier.table.terms import Terms
from croupier.table.views import (
    DEALER,
    PUBLIC,
    SURVEILLANCE,
    Viewer,
    view,
)
from tests.table.tables import Table, readings, stacked, standing, terms

PLAYERS = ("Ann", "Bob", "Cyd")
EVERYBODY = (
    Viewer(role="dealer", name="dealer"),
    Viewer(role="floorperson", name="floorperson"),
    Viewer(role="manager", name="manager"),
    *(Viewer(role="player", name=name) for name in PLAYERS),
)
HOUSE_NAMES = ("dealer", "floorperson", "manager")
COMMANDS: tuple[type[do.Command], ...] = do.AnyCommand.__args__
BY_TAG = {str(kind.__struct_config__.tag): kind for kind in COMMANDS}
WALKED = [(book.id, way.way) for book in the_registry().books.values() for way in book.dealing]
NAMES = [str(card) for card in DECK]
NUMBER = "5a" * 32


def any_terms(chance: Random, book: str = "") -> Terms:
    """Any table, or any of a book: every book and way, other ways filed or not, devices in every
    combination, both policies, and whatever a submission says about the Progressive."""
    book, way = chance.choice([one for one in WALKED if book in ("", one[0])])
    ways = [w for b, w in WALKED if b == book and w != way]
    needs_shuffler = way not in ("shoe", "reshuffling-shoe")
    shuffler = needs_shuffler or chance.random() < 0.6
    electronic_shoe = chance.random() < 0.2
    return terms(
        book,
        way,
        boxes=chance.choice([1, 3, 6]),
        shuffler=shuffler,
        shuffler_counts=shuffler and chance.random() < 0.5,
        automated_shoe=chance.random() < 0.3,
        reshuffling_shoe=way == "reshuffling-shoe" or chance.random() < 0.3,
        deck_colors=("red", "blue") if shuffler and chance.random() < 0.6 else ("red",),
        fallback_ways=tuple(chance.sample(ways, chance.randrange(len(ways) + 1))),
        electronic=chance.random() < 0.5,
        electronic_shoe=electronic_shoe,
        takes_numbers=electronic_shoe and chance.random() < 0.5,
        sealed=electronic_shoe and chance.random() < 0.5,
        keeps_chips=chance.random() < 0.5,
        policy=chance.choice([CASINO, HOME]),
        absence=chance.choice(["abandoned", "default"]),
        paid_from=chance.choice(["table", "cage"]),
        **_progressive(book, way, chance),
    )


def _progressive(book: str, way: str, chance: Random) -> dict[str, object]:
    """Any paytable; a meter without a limit, at it, or a wager and a half below it; the cards that
    count and Envy as UTH-S and UTH-14 may say it."""
    by_letter = the_registry().book(book).paytables.get(PROGRESSIVE)
    if by_letter is None:
        return {}
    found: dict[str, object] = {"progressive": chance.choice(sorted(by_letter))}
    if book != "FCP-14":
        found["hand"] = chance.choice(["flop", "final"])
    if book == "UTH-S":
        found["holder_must_wager"] = chance.random() < 0.5
    if chance.random() < 0.5:
        stands = standing(terms(book, way, **found))
        name = chance.choice(sorted(stands))
        limit = stands[name] + chance.choice([0, 750_000])
        found["meter_limits"] = ((name, Micros(limit)),)
    return found


def walk(chance: Random, steps: int, terms: Terms | None = None) -> Table:
    """A table some hours later; every step was looked at by the auditor."""
    table = Table(terms or any_terms(chance))
    auditor = Auditor(table)
    for _ in range(steps):
        table.at_s += chance.randrange(0, 90)
        if not table.state.round.was_dealt:
            # A fresh shuffle whenever no card is dealt.
            restock(table, a_deck(chance))
        command = any_command(table, chance)
        before = table.state
        try:
            events = table.give(command)
        except (Refusal, Unreadable) as error:
            auditor.refused(error)
            if isinstance(command, do.Deal):
                # The cards of a refused deal were drawn, and go back.
                restock(table, chance.sample(NAMES, 52))
        else:
            auditor.happened(before, events)
    auditor.the_state_is_the_fold_of_its_events()
    return table


def restock(table: Table, deck: list[str]) -> None:
    """A shoe with what is not on the table, in this order."""
    out = table.state.round.out
    table.shoe = NamedCards([name for name in deck if name not in out])


class NamedCards:
    """A shoe of cards by their names, which nobody reads again: a walk makes one at every step."""

    def __init__(self, rest: list[str]) -> None:
        self._rest = rest

    def draw(self, count: int) -> tuple[str, ...]:
        drawn, self._rest = self._rest[:count], self._rest[count:]
        if len(drawn) < count:
            raise EmptyShoe(f"{count} cards were asked for, {len(drawn)} are left")
        return tuple(drawn)


def a_deck(chance: Random) -> list[str]:
    """Half of the decks are stacked, or high hands would never come up."""
    deck = chance.sample(NAMES, 52)
    if chance.random() < 0.5:
        suit = chance.choice("cdhs")
        deck.sort(key=lambda name: name[1] != suit or name[0] not in "TJQKA9")
        top = deck[:14]
        chance.shuffle(top)
        deck = top + deck[14:]
    elif chance.random() < 0.5:
        ranks = chance.sample("23456789TJQKA", 4)
        deck.sort(key=lambda name: name[0] not in ranks)
    return deck


# Commands


def any_command(table: Table, chance: Random) -> do.Command:
    """Mostly what makes the game go on, often what a screen offers, sometimes anything."""
    luck = chance.random()
    if luck < 0.5:
        command = _house(table)
        # Players need their time: the house does not close the betting at once.
        closes = isinstance(command, do.NoMoreBets | do.WithdrawWagers)
        if command is not None and not (closes and luck < 0.35):
            return command
    if luck < 0.92:
        return _sensible(table, chance)
    return anything(table, chance)


def _house(table: Table) -> do.Command | None:
    """What the house does next, which is never refused; only the cards it draws may be wrong."""
    command = next_duty(table.state, table.shoe, table.meters, table.at_s)
    if command is not None and not isinstance(command, do.Deal):
        assert decide(table.state, command)
    return command


def _sensible(table: Table, chance: Random) -> do.Command:
    state = table.state
    offered = [(v, option) for v in EVERYBODY for option in view(state, v).may]
    offered = [(v, option) for v, option in offered if option.do != "lock-table"]
    if chance.random() < 0.9:
        offered = [(v, option) for v, option in offered if option.do not in RARE]
    if offered and chance.random() < 0.7:
        viewer, option = chance.choice(offered)
        return as_command(table, viewer, option, chance)
    if len(state.seats) < 4 and chance.random() < 0.5:
        box = chance.randint(1, state.terms.boxes)
        return do.TakeBox(by=chance.choice(PLAYERS), role="player", box=box)
    if chance.random() < 0.2:
        return _trouble(table, chance)
    if state.round.stage == "betting" and state.round.boxes and chance.random() < 0.5:
        box = chance.choice(sorted(state.round.boxes))
        return do.AcceptProgressive(by="acceptor", role="device", box=box)
    if state.round.boxes and chance.random() < 0.1:
        box = chance.choice(sorted(state.round.boxes))
        return do.ReportAbsence(by="dealer", role="dealer", box=box)
    return anything(table, chance)


def _trouble(table: Table, chance: Random) -> do.Command:
    state = table.state
    rule = chance.choice(state.book.irregularities)
    fresh = [name for name in NAMES if name not in state.round.out]
    dealt = sorted(state.round.out) or NAMES[:1]
    if rule.name == "dealer-card-exposed":
        dealt = list(state.round.places.get("dealer", ())) or dealt
    cards = (chance.choice(fresh),) if rule.effect == "set aside" else ()
    if cards:
        # The card that was found leaves the shoe.
        rest = [name for name in fresh if name not in cards]
        table.shoe = stacked(" ".join(chance.sample(rest, len(rest))))
    exposed = rule.name in ("dealer-card-exposed", "other-card-exposed")
    return do.Declare(
        by="dealer",
        role="dealer",
        name=rule.name,
        cards=cards,
        exposed=(chance.choice(dealt),) if exposed else (),
    )


def as_command(table: Table, viewer: Viewer, option: Option, chance: Random) -> do.Command:
    """A command out of what the screen offers."""
    at_s = table.at_s
    kind = BY_TAG[option.do]
    fields = set(kind.__struct_fields__)
    role = viewer.role if viewer.role != "public" else "player"
    values: dict[str, Any] = {"by": viewer.name or viewer.role, "role": role, "at_s": at_s}
    if "box" in fields:
        values["box"] = option.box
    if "color" in fields:
        values["color"] = option.color
    if "meters" in fields:
        values["meters"] = dict(table.meters)
    if kind is do.Declare:
        return _trouble(table, chance)
    return kind(**(values | _chosen(table, kind, option, chance)))


def _chosen(table: Table, kind: type[do.Command], option: Option, chance: Random) -> dict[str, Any]:
    """What a person chooses freely, by kind of command."""
    out = len(table.state.round.out)
    off, cut = chance.choice([0, 0, 0, 1]), table.state.book.shuffle
    some = option.wagers if chance.random() < 0.5 else option.wagers[-1:]
    choices: dict[type[do.Command], Callable[[], dict[str, Any]]] = {
        do.PlaceWagers: lambda: {
            "stakes": _stakes(option.wagers, chance),
            "number_hash": committed(table.state, option.box, chance),
        },
        do.ShowNumber: lambda: {"number": chance.choice([NUMBER, NUMBER, NO_NUMBER])},
        do.WithdrawWagers: lambda: {"wagers": some},
        do.Play: lambda: {"cents": chance.choice(option.cents)},
        do.BuyIn: lambda: {
            "cents": chance.choice([2000, 20_000, 200_000, 2_000_000]),
            "taken": chance.choice(option.names),
        },
        do.PayKept: lambda: {"player": option.names[0]},
        do.CountDrop: lambda: {"found": dict(table.state.taken)},
        do.LockTable: lambda: {"reason": "a dispute"},
        do.UnlockTable: lambda: {"reason": "resolved"},
        do.AskChips: lambda: {"cents": chance.choice([500, 100_000])},
        do.OpenDispute: lambda: {"reason": "a question"},
        do.EndDispute: lambda: _end(option, chance),
        do.Second: lambda: {
            "act": option.names[0],
            "upheld": option.may_uphold and chance.random() < 0.7,
        },
        do.Tip: lambda: {"cents": min(500, option.cents[0])},
        do.Deal: lambda: {"cards": table.shoe.draw(option.cards)},
        do.Cut: lambda: {"cards": chance.randint(cut.cut_least.count, cut.cut_most.count)},
        do.Shuffle: lambda: {"by_device": option.by_device, "found": option.cards or None},
        do.RuleOnAbsence: lambda: {"outcome": chance.choice(option.names)},
        do.ProposeRefusal: lambda: {"reason": chance.choice(option.names)},
        do.ConfirmRefusal: lambda: {"upheld": option.may_uphold and chance.random() < 0.7},
        do.Confirm: lambda: {"upheld": option.may_uphold and chance.random() < 0.7},
        do.CountStub: lambda: {
            "stub": 52 - out - off,
            "on_table": out + off,
            "hands": hands_dealt(table.state) if off or chance.random() < 0.5 else {},
        },
        do.InspectDeck: lambda: {"alike": True, "cover_cards": option.cards},
        do.VerifyInspection: lambda: {"shoe_in_place": "shoe" in option.names},
        do.GoIdle: lambda: {"face_up": chance.random() < 0.5},
        **dict.fromkeys(
            (do.ReportDevice, do.RestoreDevice), lambda: {"device": chance.choice(option.names)}
        ),
        do.CoverDevice: lambda: {
            "device": chance.choice(option.names),
            "how": chance.choice(["covered", "signed"]),
        },
        do.ChangeWay: lambda: {"way": chance.choice(option.names)},
        do.VoidRound: lambda: {"cause": "cards-unreadable"},
        do.CallFloor: lambda: {"reason": chance.choice(["", "a question"])},
    }
    return choices[kind]() if kind in choices else {}


def committed(state: State, box: int, chance: Random) -> str:
    """Most boxes commit to a number of theirs, some to none, and a few to another one later."""
    has = box in state.round.boxes and state.round.boxes[box].number_hash
    if not state.terms.takes_numbers or chance.random() < (0.9 if has else 0.3):
        return ""
    return number_hash(state.round.number, box, NUMBER)


def _end(option: Option, chance: Random) -> dict[str, Any]:
    """Nothing is taken from whom may have nothing."""
    outcome = chance.choice(option.names)
    cents = 500 if outcome == "corrected" else 0
    return {"number": option.number, "outcome": outcome, "note": "looked at", "cents": cents}


def _stakes(wagers: tuple[str, ...], chance: Random) -> dict[str, int]:
    stakes = {}
    ante = chance.choice([500, 1000, 2500])
    for name in wagers:
        if name in ("ante", "blind"):
            stakes[name] = ante
        elif name == "progressive":
            if chance.random() < 0.7:
                stakes[name] = 500
        elif chance.random() < 0.6:
            stakes[name] = chance.choice([500, 700, 1000])
    if "six_card_bonus" in stakes and not {"trips", "aces_up"} & set(stakes):
        del stakes["six_card_bonus"]
    return stakes


def anything(table: Table, chance: Random) -> do.Command:
    """Any command at all, with any of the values one might find at a table."""
    kind = chance.choice([kind for kind in COMMANDS if kind is not do.LockTable])
    roles = ("player", "dealer", "floorperson", "manager", "device")
    seat = chance.choice([*range(9), 999])
    makers: dict[str, Any] = {
        "by": chance.choice((*PLAYERS, "dealer")),
        "role": chance.choice(roles),
        "at_s": max(0, table.at_s + chance.choice([0, 0, 0, -1, -600])),
        "box": seat,
        "color": chance.choice(["red", "blue", "green"]),
        "preshuffled": chance.random() < 0.5,
        "by_device": chance.random() < 0.5,
        "face_up": chance.random() < 0.5,
        "cards": tuple(chance.sample(NAMES, chance.choice([0, 1, 2, 3, 5]))),
        "exposed": tuple(chance.sample(NAMES, chance.choice([0, 1]))),
        "meters": chance.choice([{}, dict(table.meters), {"lucky": 7}]),
        "stakes": {chance.choice(["ante", "blind", "luck", "trips"]): chance.choice([0, 1, 500])},
        "wagers": chance.choice([(), ("ante",), ("luck",)]),
        "cents": chance.choice([0, 1, 500, 1000, 3000]),
        "stub": chance.choice([52, 40, 33]),
        "on_table": chance.choice([0, 12, 19]),
        "upheld": chance.random() < 0.5,
        "name": chance.choice(["wrong-number-dealt", "card-face-up", "shuffler-jam", "rain"]),
        "reason": chance.choice(["hand", "wager"]) if kind is do.ProposeRefusal else "a fault",
        "ahead": chance.choice(["", "", "the other table"]),
        "cause": chance.choice(["card-shown", "other-cause"]),
        "outcome": chance.choice(
            ["stands", "corrected", "void"]
            if kind is do.EndDispute
            else [None, "abandoned", "default", "back"]
        ),
        "taken": chance.choice(["cash", "chips", "voucher", "practice"]),
        "act": chance.choice(["abandon", "buy-in", "cash-out", "unlock", "correct", "rain"]),
        "number": NUMBER if kind is do.ShowNumber else chance.choice([1, 2, 9]),
        "note": "looked at",
        "round": chance.choice([0, 0, 1, 99]),
        "wager": chance.choice(["", "ante"]),
        "found": {"cash": 100} if kind is do.CountDrop else chance.choice([None, 52, 51]),
        "player": chance.choice(PLAYERS),
        "here": chance.random() < 0.2,
        "device": chance.choice(["shuffler", "automated_shoe", "reshuffling_shoe", "toaster"]),
        "how": "signed",
        "alike": chance.random() < 0.8,
        "cover_cards": chance.choice([1, 2, 2]),
        "shoe_in_place": chance.random() < 0.8,
        "way": chance.choice(["shoe", "hand", "shuffler", "pigeon"]),
        "number_hash": NUMBER if seat % 4 == 0 else "",
    }
    values = {name: makers[name] for name in kind.__struct_fields__ if name in makers}
    if kind is do.Cut:
        values["cards"] = chance.randrange(60)
    return kind(**values)


# The auditor


def as_settled(line: ev.WagerSettled) -> ev.WagerSettled:
    """A line as settlement says it: when it was, and from where it was paid, is the table's."""
    return msgspec.structs.replace(line, at_s=0, outside=False)


class Auditor:
    """Knows the table only by its events, and holds the state to them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.accounts: dict[str, int] = {
            f"meter {name}": amount for name, amount in table.meters.items()
        }
        self.dealt: set[str] = set()
        self.seen: set[str] = set()
        self.own: dict[str, set[str]] = {}
        self.examined = False
        self.clauses = set(table.state.book.trace)
        self.meters_at_reveal = dict(table.meters)
        self.waiting: set[str] = set()

    def refused(self, error: Refusal | Unreadable) -> None:
        if isinstance(error, Refusal):
            self._clause_exists(error.clause)
            assert error.sentence

    def _clause_exists(self, clause: str) -> None:
        book, _, number = clause.partition(" ")
        assert book == self.table.state.book.id, clause
        assert number in self.clauses, clause

    def happened(self, before: State, events: tuple[ev.Event, ...]) -> None:
        assert events, "a command that applies makes something happen"
        self.told = RedactedEvents(before, events)
        for event in events:
            for clause in event.clauses:
                self._clause_exists(clause)
            assert event.clauses
            self._money(event)
            self._cards(event)
            if isinstance(event, ev.BetsClosed | ev.DealerRevealed | ev.MeterGrew):
                self.meters_at_reveal = dict(self.table.meters)
            if isinstance(event, ev.CardsCleared):
                self._receipt(self.table.state.last)
        self._felt()
        self._views()

    def _money(self, event: ev.Event) -> None:
        moved = entries(event)
        assert sum(amount for _, amount in moved) == 0
        for account, amount in moved:
            self.accounts[account] = self.accounts.get(account, 0) + amount

    def _felt(self) -> None:
        """What lies on the felt and stands on the meters is what the events say."""
        round = self.table.state.round
        for seat in range(1, 8):
            box = round.boxes.get(seat)
            lies = 0
            if box is not None and not box.settled:
                # Of a box whose Progressive win waits, all the rest is settled.
                gone = {*box.forfeited, *(line.wager for line in round.lines if line.box == seat)}
                lies = sum(c for name, c in box.stakes.items() if name not in gone)
            assert self.accounts.get(f"felt {seat}", 0) == lies * 10_000, seat
            chips = self.table.state.chips.get(seat, 0)
            if self.table.state.terms.keeps_chips:
                assert self.accounts.get(f"purse {seat}", 0) == chips * 10_000 >= 0, seat
        for name, amount in self.table.meters.items():
            assert self.accounts[f"meter {name}"] == amount

    def _cards(self, event: ev.Event) -> None:
        fresh: tuple[str, ...] = ()
        if isinstance(event, ev.CardsDealt):
            fresh = tuple(card for lie in event.lies for card in lie.cards)
            for lie in event.lies:
                if lie.box:
                    player = self.table.state.round.boxes[lie.box].player
                    self.own.setdefault(player, set()).update(lie.cards)
            self.seen |= {*fresh} if event.face_up else set()
            self.examined = self.examined or self._deal_is_over(event.step)
        elif isinstance(event, ev.IrregularityDeclared):
            fresh = event.cards
            self.waiting = {*event.cards, *event.exposed}
            self.seen |= self.waiting
        elif isinstance(event, ev.CardsTurned | ev.DealerRevealed | ev.PlaceTurned | ev.BoxTurned):
            assert {*event.cards} <= self.dealt
            self.seen |= {*event.cards}
            if isinstance(event, ev.CardsTurned):
                self.examined = self.examined or self._deal_is_over(event.step)
        elif isinstance(event, ev.IrregularityDismissed):
            # As if nothing had been declared: what was found goes back, what was seen lies down.
            self.dealt -= self.waiting - self.table.state.round.out
            self.seen -= self.waiting
        elif isinstance(event, ev.BetsClosed):
            self.dealt, self.seen, self.own = set(), set(), {}
            self.examined = False
        assert not self.dealt & {*fresh}, "a card is dealt twice"
        assert len({*fresh}) == len(fresh)
        self.dealt |= {*fresh}
        assert len(self.dealt) <= 52

    def _deal_is_over(self, step: int) -> bool:
        """Whether nothing but what waits for an answer comes after this step."""
        rest = self.table.state.plan[step + 1 :]
        return not rest or rest[0].after is not None

    def _views(self) -> None:
        state = self.table.state
        shown = state.last if not state.round.boxes and state.last is not None else state.round
        for viewer in (*(Viewer(role="player", name=name) for name in PLAYERS), DEALER):
            own = self.own.get(viewer.name, set()) if self.examined else set()
            self._view(viewer, self.seen | own)
        for viewer in EVERYBODY[1:3]:
            self._view(viewer, self.seen)
        self._view(PUBLIC, self.seen)
        self._view(SURVEILLANCE, self.seen | set(shown.out))

    def _view(self, viewer: Viewer, allowed: set[str]) -> None:
        seen = view(self.table.state, viewer)
        text = msgspec.json.encode(seen).decode()
        # The house reads the receipt of every box; a player only his own.
        assert len(text) < (6_000 if viewer.role in ("player", "public") else 12_000)
        shown = set(re.findall(r'"([2-9TJQKA][cdhs])"', text))
        assert shown <= allowed, (viewer, shown - allowed)
        self._told(viewer, allowed)
        for option in seen.may:
            if option.do in CERTAIN:
                command = as_command(self.table, viewer, option, Random(1))
                assert decide(self.table.state, command)

    def _told(self, viewer: Viewer, allowed: set[str]) -> None:
        """Who hears what happened learns no more from it than the view tells him."""
        told = self.told.of(viewer)
        text = msgspec.json.encode(told).decode()
        cards = set(re.findall(r'"([2-9TJQKA][cdhs])"', text))
        assert cards <= allowed, (viewer, cards - allowed)
        if viewer.role not in ("player", "public"):
            return
        assert not [name for name in HOUSE_NAMES if f'"by":"{name}"' in text]
        lines = {box.seat for box in view(self.table.state, viewer).boxes if box.lines}
        assert {event.box for event in told if isinstance(event, ev.WagerSettled)} <= lines

    def _receipt(self, round: Round | None) -> None:
        """What the table paid is what settlement says of the finished round."""
        assert round is not None
        terms = self.table.state.terms
        stood = {name: self.meters_at_reveal[name] for name in terms.meters}
        meters = readings(stood)  # what lies beyond a limit is no meter, and pays nobody
        told = [as_settled(line) for line in receipt(terms, round, meters).lines]
        if round.stage == "void":
            assert {line.outcome for line in told} == {Outcome.RETURNED}
            return
        gone = {seat for seat, box in round.boxes.items() if box.absent == "abandoned"}
        lost = [line for line in told if line.box in gone and line.wager != "envy"]
        kept_back = (Outcome.LOSE, Outcome.FORFEIT, Outcome.RETURNED)
        assert all(line.outcome in kept_back and not line.paid_cents for line in lost)
        whole = finished_round(terms, as_it_was_wagered(round), meters)
        if not whole.boxes:
            return
        paid = [line for line in told if line.box not in gone]
        if round.stage == "salvage":
            paid = [line for line in paid if line.outcome is not Outcome.RETURNED]
            judged = settle(whole).lines
            assert paid == [line for line in judged if line.wager in round.still_settles]
            return
        assert paid == list(settle(whole).lines)

    def the_state_is_the_fold_of_its_events(self) -> None:
        stored = [ev.write_event(event) for event in self.table.events]
        read = [ev.read_event(text) for text in stored]
        assert read == self.table.events
        assert fold(self.table.start, read) == self.table.state


def as_it_was_wagered(round: Round) -> Round:
    """A salvaged round with every wager on the felt again; any other as it is."""
    boxes = dict(round.boxes)
    for line in round.lines:
        if line.outcome == Outcome.RETURNED:
            back = {**boxes[line.box].stakes, line.wager: line.stake_cents}
            boxes[line.box] = msgspec.structs.replace(boxes[line.box], stakes=back)
    return msgspec.structs.replace(round, boxes=boxes)


# What would end too many rounds if it were chosen as often as the rest.
RARE = {
    "declare",
    "void-round",
    "report-device",
    "report-absence",
    "remove-deck",
    "order-shuffle",
    "leave-box",
    "go-idle",
    "call-floor",
}

# Options that must always be accepted as they stand; the others depend on what is chosen.
CERTAIN = {
    "take-box",
    "leave-box",
    "go-idle",
    "shuffle",
    "buy-in",
    "cash-out",
    "check",
    "fold",
    "play",
    "time-out",
    "reveal",
    "settle-box",
    "clear-cards",
    "confirm",
    "verify-inspection",
    "inspect-deck",
    "spread-deck",
    "wash-deck",
    "stack-deck",
    "validate-progressive",
    "propose-refusal",
    "confirm-refusal",
    "record-paperwork",
    "rule-on-absence",
    "return-chip",
    "cancel-acceptance",
    "open-table",
    "cover-device",
    "report-device",
    "restore-device",
    "change-way",
    "report-absence",
    "receive-deck",
    "remove-deck",
    "order-shuffle",
    "void-round",
    "withdraw-wagers",
    "order-recut",
    "cut",
    "call-floor",
    "answer-call",
}
