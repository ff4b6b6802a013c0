"""Every golden round by its name: both games, each way of dealing, each irregularity, each viewer.

A scenario plays a table and looks at it where it matters; ``make golden`` writes what came of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from croupier.table import commands as do
from croupier.table.agenda import asked_box, phase
from croupier.table.terms import Terms
from tests.golden.writing import Written
from tests.table.people import dealer, device, floor, player
from tests.table.tables import EVERY_WAY, terms

# One shuffle, written down once, so that every scenario can be read beside the others.
DECK = (
    "9c Qs 4h Jd 7h 2s Kd 5c Ts 8d Ah 3s 6d Jc Qh 4c Td 2h 8s Kc 5d 7s 3h Ac 9h 6s Js 2c "
    "Qd 4s 8h Th Kh 3d 7c 5s Ad 6c 9d Jh 2d Ks 4d Qc 8c 5h Tc 7d 3c As 9s 6h"
)
ROYAL = "2c 3c 4d 5d Qh Jh Th 2s 3s 9c 9d Ah Kh 4c 4s 8d 8s"
FOUR_ACES = "2c 3c 4d 5d 7h 8s 9s Ac Ad Ah As Kd 4c 6h 8h Th Jd 2d 3d 5h 6c 7c"
THREE_NINES = "2c 3c 4d 5d 9h 9c Th 2s 3s Kc Kd 9d Qh 4c 4s 8d 8s"
THREE_JACKS = "2c 3c 4d 5d 7h 8s 9s Jc Jd Jh 2d Kd 4c 6h 8h Th Td 2s 3d 5h 6c 7c"
SMALL = {"UTH-S": THREE_NINES, "UTH-14": THREE_NINES, "FCP-14": THREE_JACKS}
TOP = {"UTH-S": ROYAL, "UTH-14": ROYAL, "FCP-14": FOUR_ACES}
BOOKS = ("UTH-S", "UTH-14", "FCP-14")

Scenario = Callable[[], Written]
SCENARIOS: dict[str, Scenario] = {}
F = TypeVar("F", bound=Callable[..., Written])


def scenario(name: str, *variants: tuple[str, ...]) -> Callable[[F], F]:
    """Register a scenario once for each variant; the name tells them apart."""

    def register(play: F) -> F:
        for variant in variants:
            SCENARIOS["-".join((name, *variant)).lower()] = partial(play, *variant)
        return play

    return register


EACH = tuple((book,) for book in BOOKS)
UTH = (("UTH-S",), ("UTH-14",))
MANUAL = tuple((book, way) for book in BOOKS for way in ("shoe", "hand"))
ALL_WAYS = tuple(EVERY_WAY)


def seated(bound: Terms, boxes: int = 2, script: str = DECK) -> Written:
    table = Written(bound, script)
    for box in range(1, boxes + 1):
        table.sit(box, ("Ann", "Bob", "Cyd")[box - 1])
    table.work()
    return table


def base(book: str, **more: str) -> dict[str, str]:
    wagers = {"ante": "$10"} if book == "FCP-14" else {"ante": "$10", "blind": "$10"}
    return wagers | more


def side(book: str) -> dict[str, str]:
    return {"aces_up": "$5"} if book == "FCP-14" else {"trips": "$5"}


def closed(book: str, way: str = "shuffler", **changes: object) -> Written:
    """Two boxes in the round, "no more bets" said, no card dealt."""
    table = seated(terms(book, way, **changes))
    table.bet(1, **base(book, **side(book)), progressive="$5")
    table.bet(2, **base(book))
    table.work(lambda state: state.round.stage == "play")
    return table


def seat_asked(table: Written) -> int:
    box = asked_box(table.state)
    return box.seat if box is not None else 0


def answer(table: Written, *answers: str) -> None:
    """Answers of the boxes in the order they are asked; the house goes on in between."""
    for word in answers:
        seat = seat_asked(table)
        name = table.at(seat)
        if word == "check":
            table.give(player(do.Check, name, box=seat))
        elif word == "fold":
            table.give(player(do.Fold, name, box=seat))
        else:
            table.give(player(do.Play, name, box=seat, cents=int(word) * 100))
        table.work(lambda state: phase(state) in ("acting", "revealing"))


def play_out(table: Written) -> None:
    while phase(table.state) == "acting":
        answer(table, "30")
    table.work()


def declare(table: Written, name: str, **more: object) -> None:
    table.give(dealer(do.Declare, name=name, **more))


def confirm(table: Written) -> None:
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))


# Whole rounds


@scenario("round", *ALL_WAYS)
def whole_round(book: str, way: str) -> Written:
    table = Written(terms(book, way, shuffler=way != "shoe"), DECK)
    for box, name in ((1, "Ann"), (2, "Bob"), (3, "Cyd")):
        table.sit(box, name)
    table.work()
    bonus = {} if way in ("shoe", "hand") else {"six_card_bonus": "$5"}
    table.bet(1, **base(book, **side(book), **bonus), progressive="$5")
    table.bet(2, **base(book))
    table.bet(3, **({"aces_up": "$5"} if book == "FCP-14" else base(book, **side(book))))
    table.look("before no more bets")
    table.work()
    table.look("the first question")
    if book == "FCP-14":
        answer(table, "30", "fold")
    else:
        answer(table, "40", "check", "check")
        table.look("the flop")
        answer(table, "20", "check", "fold")
    table.look("all have acted")
    table.work(lambda state: phase(state) == "settling")
    table.look("the dealer has revealed")
    table.work(lambda state: phase(state) == "clearing")
    table.work()
    table.look("the round is over")
    return table


@scenario("electronic", ("UTH-S",))
def electronic(book: str) -> Written:
    table = seated(terms(book, electronic=True, electronic_shoe=True))
    table.bet(1, **base(book), progressive="$5")
    table.work()
    answer(table, "40")
    table.work()
    table.look("the round is over")
    return table


@scenario("time-out", *EACH)
def time_out(book: str) -> Written:
    table = closed(book)
    table.work()
    table.try_to(dealer(do.Play, box=1, cents=3000))  # a box is its player's
    while phase(table.state) == "acting":
        table.give(device(do.TimeOut, box=seat_asked(table)))
        table.work()
    return table


@scenario("adjacent-boxes", ("UTH-S",), ("FCP-14",))
def adjacent(book: str) -> Written:
    table = Written(terms(book), DECK)
    table.sit(2, "Ann")
    table.try_to(player(do.TakeBox, "Ann", box=4))
    table.sit(3, "Ann")
    table.work()
    for box in (2, 3):
        table.bet(box, **base(book))
    table.work()
    table.look("Ann sees both boxes before she acts on the first")
    play_out(table)
    return table


# Opening, shuffle, cut


@scenario("opening", *EACH)
def opening(book: str) -> Written:
    table = Written(terms(book, "shoe", shuffler=False), DECK)
    table.give(floor(do.ReceiveDeck, color="red"))
    table.try_to(dealer(do.SpreadDeck, color="red"))
    table.give(dealer(do.InspectDeck, color="red"))
    table.try_to(dealer(do.VerifyInspection, color="red"))
    table.give(floor(do.VerifyInspection, color="red"))
    table.give(dealer(do.SpreadDeck, color="red"))
    table.try_to(dealer(do.WashDeck, color="red"))
    table.sit(1, "Ann")
    table.give(dealer(do.WashDeck, color="red"))
    table.give(dealer(do.StackDeck, color="red"))
    table.give(dealer(do.Shuffle, color="red"))
    table.try_to(dealer(do.Cut, cards=9))
    table.give(dealer(do.Cut, cards=10))
    table.give(floor(do.OrderRecut))
    table.give(dealer(do.Cut, cards=51))
    table.look("the cards are ready")
    return table


@scenario("two-decks", *EACH)
def two_decks(book: str) -> Written:
    table = seated(terms(book, deck_colors=("red", "blue")))
    for _ in range(2):
        table.bet(1, **base(book))
        table.work()
        play_out(table)
    table.look("the decks have changed twice")
    return table


@scenario("preshuffled", *EACH)
def preshuffled(book: str) -> Written:
    table = Written(terms(book, "shoe", shuffler=False), DECK)
    table.give(floor(do.ReceiveDeck, color="red", preshuffled=True))
    table.sit(1, "Ann")
    table.work()
    return table


@scenario("idle", *EACH)
def idle(book: str) -> Written:
    table = seated(terms(book, "shoe"), 1)
    table.bet(1, **base(book))
    table.try_to(dealer(do.GoIdle))
    table.give(player(do.WithdrawWagers, "Ann", box=1))
    table.give(player(do.LeaveBox, "Ann", box=1))
    table.give(dealer(do.GoIdle))
    table.try_to(dealer(do.WashDeck, color="red"))
    table.sit(2, "Bob")
    table.work()
    return table


@scenario("deck-change", *EACH)
def deck_change(book: str) -> Written:
    table = seated(terms(book, "hand"), 1)
    table.bet(1, **base(book))
    table.try_to(dealer(do.NoMoreBets, at_s=4 * 3600))
    table.give(floor(do.RemoveDeck, color="red", at_s=4 * 3600))
    table.at_s = 4 * 3600
    table.work()
    return table


@scenario("shuffle-ordered", *EACH)
def shuffle_ordered(book: str) -> Written:
    table = seated(terms(book, "shoe", shuffler=False), 1)
    table.give(floor(do.OrderShuffle, color="red"))
    table.bet(1, **base(book))
    table.try_to(dealer(do.NoMoreBets))
    table.work()
    return table


@scenario("shuffler-finds-51", *EACH)
def shuffler_finds_51(book: str) -> Written:
    table = seated(terms(book, shuffler_counts=True), 1)
    table.bet(1, **base(book))
    table.give(floor(do.OrderShuffle, color="red"))
    table.give(dealer(do.Shuffle, color="red", by_device=True, found=51))
    table.try_to(dealer(do.NoMoreBets))
    table.give(player(do.WithdrawWagers, "Ann", box=1))
    return table


COUNTS = tuple((book, way) for book in BOOKS for way in ("shoe", "hand", "shuffler"))


OFF = {"right": (0, 0), "misdealt": (-1, 1), "not-52": (-1, 0)}


@scenario("stub", *((kind, *pair) for kind in OFF for pair in COUNTS))
def stub(kind: str, book: str, way: str) -> Written:
    table = closed(book, way)
    table.work()
    answer(table, *(("30", "30") if book == "FCP-14" else ("40", "40")))
    out, (off_stub, off_table) = len(table.state.round.out), OFF[kind]
    table.give(dealer(do.CountStub, stub=52 - out + off_stub, on_table=out + off_table))
    table.look("the stub is counted")
    if kind != "right":
        confirm(table)
        table.give(dealer(do.ClearCards))
    table.work()
    return table


# The progressive


def won_hand(book: str, script: str) -> Written:
    table = seated(terms(book), 2, script)
    for box in (1, 2):
        table.bet(box, **base(book), progressive="$5")
    table.work()
    answer(table, *(("30", "30") if book == "FCP-14" else ("40", "40")))
    table.work(lambda state: phase(state) == "clearing")
    table.look("the award waits")
    table.try_to(dealer(do.ClearCards))
    return table


@scenario("progressive-paid", *EACH)
def progressive_paid(book: str) -> Written:
    table = won_hand(book, TOP[book])
    table.give(floor(do.ValidateProgressive, box=1, approved=True, meters=table.meters))
    table.try_to(dealer(do.ClearCards))
    table.work()
    table.look("the round is over")
    return table


@scenario("progressive-small", *EACH)
def progressive_small(book: str) -> Written:
    table = won_hand(book, SMALL[book])
    table.work()
    return table


@scenario("progressive-refused", *EACH)
def progressive_refused(book: str) -> Written:
    table = won_hand(book, TOP[book])
    table.give(floor(do.ValidateProgressive, box=1, approved=False, meters=table.meters))
    table.work()
    return table


@scenario("progressive-chips", *EACH)
def chips_differ(book: str) -> Written:
    table = seated(terms(book), 3)
    for box, name in ((1, "Ann"), (2, "Bob"), (3, "Cyd")):
        stakes = {"ante": 1000} if book == "FCP-14" else {"ante": 1000, "blind": 1000}
        chip = {"progressive": 500} if box != 2 else {}
        table.give(player(do.PlaceWagers, name, box=box, stakes=stakes | chip))
    for box in (2, 3):
        table.give(device(do.AcceptProgressive, box=box))
    table.give(dealer(do.NoMoreBets, meters=table.meters))
    table.try_to(device(do.AcceptProgressive, box=1))
    table.work()
    table.look("chips and acceptances match")
    return table


# Irregularities


@scenario("card-face-up", *COUNTS)
def card_face_up(book: str, way: str) -> Written:
    table = closed(book, way)
    declare(table, "card-face-up", cards=table.shoe.draw(1))
    table.work()
    table.look("the round goes on")
    play_out(table)
    return table


@scenario("cards-face-up-early", *(pair for pair in COUNTS if pair[0] != "FCP-14"))
@scenario("cards-face-up", *(pair for pair in COUNTS if pair[0] == "FCP-14"))
def cards_face_up_early(book: str, way: str) -> Written:
    table = closed(book, way)
    declare(table, "card-face-up", cards=table.shoe.draw(1))
    table.work(lambda state: state.round.step >= 1)
    declare(table, "card-face-up", cards=table.shoe.draw(1))
    table.look("everything waits")
    confirm(table)
    table.work()
    return table


@scenario(
    "cards-face-up-late",
    *((book, way) for book in ("UTH-S", "UTH-14") for way in ("shoe", "hand")),
    ("UTH-S", "shuffler-dealer-last"),
)
def cards_face_up_late(book: str, way: str) -> Written:
    table = closed(book, way)
    declare(table, "card-face-up", cards=table.shoe.draw(1))
    table.work()
    answer(table, "40")
    declare(table, "card-face-up", cards=table.shoe.draw(1))
    confirm(table)
    table.look("only Trips is left")
    table.work()
    return table


@scenario("card-drawn-in-error", *EACH)
def drawn_in_error(book: str) -> Written:
    table = closed(book, "shoe")
    declare(table, "card-drawn-in-error")
    table.work()
    return table


@scenario("wrong-number-dealt", *((b, at) for b in BOOKS for at in ("deal", "act", "settle")))
def wrong_number(book: str, at: str) -> Written:
    table = closed(book)
    table.work(lambda state: state.round.step >= 2)
    if at != "deal":
        table.work()
        if book == "FCP-14":
            answer(table, "fold")
        else:
            answer(table, "check", "check", "check", "check", "fold")
    if at == "settle":
        answer(table, "30" if book == "FCP-14" else "10")
        table.work(lambda state: phase(state) == "clearing")
    declare(table, "wrong-number-dealt")
    table.look("everything waits")
    confirm(table)
    table.work()
    return table


@scenario("declared-and-dismissed", *EACH)
def dismissed(book: str) -> Written:
    table = closed(book)
    table.work()
    declare(table, "wrong-number-dealt")
    table.try_to(dealer(do.TimeOut, box=1))
    table.give(floor(do.Confirm, upheld=False))
    play_out(table)
    return table


@scenario("dealer-card-exposed", *((b, at) for b in BOOKS for at in ("deal", "act")))
def dealer_card_exposed(book: str, at: str) -> Written:
    table = closed(book, "shoe")
    if at == "act":
        table.work()
    else:
        table.work(lambda state: bool(state.round.places.get("dealer")))
    declare(table, "dealer-card-exposed", exposed=table.state.round.places["dealer"][:1])
    table.look("a dealer's card is seen")
    confirm(table)
    table.work()
    return table


@scenario("dealer-card-exposed-no-trips", *UTH)
def dealer_card_exposed_no_trips(book: str) -> Written:
    table = seated(terms(book, "shoe"))
    table.bet(1, **base(book))
    table.work()
    declare(table, "dealer-card-exposed", exposed=table.state.round.places["dealer"][:1])
    confirm(table)
    table.work()
    return table


@scenario("other-card-exposed", *EACH)
def other_card_exposed(book: str) -> Written:
    table = closed(book)
    table.work()
    declare(table, "other-card-exposed", exposed=table.state.round.boxes[2].cards[:1])
    table.look("a card of box 2 was seen")
    return table


@scenario("shuffler-jam", *EACH)
def shuffler_jam(book: str) -> Written:
    table = seated(terms(book))
    table.give(floor(do.OrderShuffle, color="red"))
    table.bet(1, **base(book))
    declare(table, "shuffler-jam")
    if table.state.hold is not None:
        confirm(table)
    table.work(lambda state: state.deck is not None and state.deck.stage == "ready")
    table.look("shuffled again")
    return table


@scenario("shuffler-jam-idle-deck", *EACH)
def shuffler_jam_idle(book: str) -> Written:
    table = seated(terms(book, deck_colors=("red", "blue")))
    table.bet(1, **base(book))
    table.give(floor(do.OrderShuffle, color="blue"))
    table.give(dealer(do.NoMoreBets))
    table.work()
    declare(table, "shuffler-jam")
    table.look("the round goes on")
    return table


@scenario("shoe-jam", *((b, w) for b, w in ALL_WAYS if w not in ("shoe", "hand")))
def shoe_jam(book: str, way: str) -> Written:
    table = closed(book, way)
    table.work(lambda state: state.round.step >= 1)
    declare(table, "shoe-jam")
    confirm(table)
    table.work()
    return table


@scenario("device-out-of-order", *EACH)
def device_out_of_order(book: str) -> Written:
    table = seated(terms(book, fallback_ways=("shoe",)), 1)
    table.bet(1, **base(book, **side(book)), six_card_bonus="$5")
    table.give(device(do.ReportDevice, device="shuffler"))
    table.try_to(floor(do.ChangeWay, way="shoe"))
    table.give(dealer(do.CoverDevice, device="shuffler", how="signed"))
    table.give(floor(do.ChangeWay, way="shoe"))
    table.work(lambda state: state.deck is not None and state.deck.stage == "ready")
    table.try_to(dealer(do.NoMoreBets))
    table.give(dealer(do.WithdrawWagers, box=1, wagers=("six_card_bonus",)))
    table.work()
    play_out(table)
    table.give(floor(do.RestoreDevice, device="shuffler"))
    table.give(floor(do.ChangeWay, way="shuffler"))
    table.look("back to the shuffler")
    return table


@scenario("player-leaves", *((b, how) for b in BOOKS for how in ("abandoned", "default")))
def player_leaves(book: str, how: str) -> Written:
    table = closed(book, absence=how)
    table.work()
    table.give(dealer(do.ReportAbsence, box=1))
    table.try_to(dealer(do.TimeOut, box=1))
    table.look("the floorperson rules")
    table.work()
    while phase(table.state) == "acting":
        table.give(dealer(do.TimeOut, box=seat_asked(table)))
        table.work()
    return table
