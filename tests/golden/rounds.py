"""Golden rounds in which nothing goes wrong: every way of dealing, the opening, the progressive."""

from __future__ import annotations

from croupier.games.round import REASONS
from croupier.table import commands as do
from croupier.table.agenda import phase
from croupier.table.handlers.stub_count import hands_dealt
from croupier.table.state import replace
from tests.golden.stage import (
    ALL_WAYS,
    BOTH_WIN,
    COUNTS,
    DECK,
    EACH,
    SMALL,
    TOP,
    answer,
    base,
    closed,
    confirm,
    play_out,
    scenario,
    seat_asked,
    seated,
    side,
)
from tests.golden.writing import Written
from tests.table.people import dealer, device, floor, manager, player
from tests.table.tables import inspection, terms

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
    table.give(inspection(table.state))
    table.try_to(dealer(do.VerifyInspection, color="red", shoe_in_place=True))
    table.try_to(floor(do.VerifyInspection, color="red", shoe_in_place=False))
    table.give(floor(do.VerifyInspection, color="red", shoe_in_place=True))
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
    table.try_to(dealer(do.GoIdle, face_up=False))
    table.give(player(do.WithdrawWagers, "Ann", box=1))
    table.give(player(do.LeaveBox, "Ann", box=1))
    table.give(dealer(do.GoIdle, face_up=False))
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
    table.bet(1, **base(book))
    table.give(floor(do.OrderShuffle, color="red"))
    table.look("every wager is back")
    table.bet(1, **base(book))
    table.try_to(dealer(do.NoMoreBets))
    table.work()
    return table


@scenario("shuffler-finds-51", *EACH)
def shuffler_finds_51(book: str) -> Written:
    table = seated(terms(book, shuffler_counts=True), 1)
    table.give(floor(do.OrderShuffle, color="red"))
    table.bet(1, **base(book))
    table.give(dealer(do.Shuffle, color="red", by_device=True, found=51))
    table.try_to(dealer(do.NoMoreBets))
    table.give(player(do.WithdrawWagers, "Ann", box=1))
    return table


OFF = {"right": (0, 0), "misdealt": (-1, 1), "not-52": (-1, 0)}


@scenario("stub", *((kind, *pair) for kind in OFF for pair in COUNTS))
def stub(kind: str, book: str, way: str) -> Written:
    table = closed(book, way)
    table.work()
    answer(table, *(("30", "30") if book == "FCP-14" else ("40", "40")))
    out, (off_stub, off_table) = len(table.state.round.out), OFF[kind]
    count = dealer(do.CountStub, stub=52 - out + off_stub, on_table=out + off_table)
    if kind != "right":
        table.try_to(count)
        held = hands_dealt(table.state)
        count = replace(count, hands={**held, 1: held[1] + off_table})
    table.give(count)
    table.look("the stub is counted")
    if kind != "right":
        confirm(table)
        table.give(dealer(do.ClearCards))
    table.work()
    return table


@scenario("stub-hands", *EACH)
def stub_hands(book: str) -> Written:
    """One card too many at a box and one too few at another: the sum is right, the deal is not."""
    table = closed(book, "shoe", shuffler=False)
    table.work()
    answer(table, *(("30", "30") if book == "FCP-14" else ("40", "40")))
    out, each = len(table.state.round.out), len(table.state.round.boxes[1].cards)
    hands = {1: each + 1, 2: each - 1}
    table.give(dealer(do.CountStub, stub=52 - out, on_table=out, hands=hands))
    confirm(table)
    table.work()
    return table


DUE = [pair for pair in COUNTS if pair != ("FCP-14", "shuffler")]


@scenario("stub-due", *((kind, *pair) for kind in ("right", "not-52") for pair in DUE))
def stub_due(kind: str, book: str, way: str) -> Written:
    """The fifth round since the last count: nothing is revealed before the stub is counted."""
    table = seated(terms(book, way, shuffler=way != "shoe"), 1)
    for _ in range(4):
        table.bet(1, **base(book))
        table.work()
        play_out(table)
    table.bet(1, **base(book))
    table.work()
    answer(table, "30" if book == "FCP-14" else "40")
    table.work(lambda state: phase(state) == "revealing")
    table.look("the stub is due")
    table.try_to(dealer(do.Reveal))
    out, (off_stub, _) = len(table.state.round.out), OFF[kind]
    hands = {} if kind == "right" else hands_dealt(table.state)
    table.give(dealer(do.CountStub, stub=52 - out + off_stub, on_table=out, hands=hands))
    if kind != "right":
        confirm(table)
    table.work()
    return table


# The progressive


def won_hand(book: str, script: str) -> Written:
    table = seated(terms(book), 2, script)
    for box in (1, 2):
        table.bet(box, **base(book), progressive="$5")
    table.work()
    answer(table, *(("30", "30") if book == "FCP-14" else ("40", "40")))
    table.work(lambda state: state.round.won is not None)
    table.look("the award waits")
    for box in (1, 2):
        table.try_to(dealer(do.SettleBox, box=box, meters=table.meters))
    return table


@scenario("progressive-paid", *EACH)
def progressive_paid(book: str) -> Written:
    table = won_hand(book, TOP[book])
    table.give(floor(do.ValidateProgressive, box=1, meters=table.meters))
    if table.state.round.paperwork:
        table.try_to(dealer(do.ClearCards))
    table.work()
    table.look("the round is over")
    return table


@scenario("progressive-small", *EACH)
def progressive_small(book: str) -> Written:
    table = won_hand(book, SMALL[book])
    table.work()
    return table


@scenario("progressive-refused", *((reason, *book) for reason in REASONS for book in EACH))
def progressive_refused(reason: str, book: str) -> Written:
    """The second box waits too; the first is refused by two people, the next one finds the meter
    as it stood."""
    table = won_hand(book, BOTH_WIN[book])
    table.give(floor(do.ProposeRefusal, box=2, reason=reason))
    table.look("a refusal is proposed")
    table.try_to(floor(do.ConfirmRefusal, box=2, upheld=True, meters=table.meters))
    table.try_to(floor(do.ValidateProgressive, box=2, meters=table.meters))
    table.give(manager(do.ConfirmRefusal, box=2, upheld=False, meters=table.meters))
    table.give(floor(do.ProposeRefusal, box=2, reason=reason))
    table.give(manager(do.ConfirmRefusal, box=2, upheld=True, meters=table.meters))
    table.work()
    table.look("the round is over")
    return table


@scenario("progressive-two-winners", *EACH)
def progressive_two_winners(book: str) -> Written:
    table = won_hand(book, BOTH_WIN[book])
    table.give(floor(do.ValidateProgressive, box=2, meters=table.meters))
    table.work(lambda state: state.round.won is not None)
    table.look("the next award waits")
    table.work()
    return table


@scenario("progressive-void", *EACH)
def progressive_void(book: str) -> Written:
    """One win is paid and another waits when the round turns out to be void."""
    table = won_hand(book, BOTH_WIN[book])
    table.give(floor(do.ValidateProgressive, box=2, meters=table.meters))
    table.work(lambda state: state.round.won is not None)
    table.give(dealer(do.Declare, name="wrong-number-dealt"))
    confirm(table)
    table.look("everything went back")
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
