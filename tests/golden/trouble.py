"""Golden rounds in which something goes wrong: irregularities, devices, players who leave."""

from __future__ import annotations

from croupier.table import commands as do
from croupier.table.agenda import phase
from croupier.table.shoe import number_hash
from croupier.table.state import replace
from tests.golden.stage import (
    ALL_WAYS,
    BOOKS,
    COUNTS,
    DECK,
    EACH,
    UTH,
    answer,
    base,
    closed,
    confirm,
    declare,
    play_out,
    scenario,
    seat_asked,
    seated,
    side,
)
from tests.golden.writing import Written
from tests.table.people import dealer, device, floor, manager, player
from tests.table.tables import terms


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


@scenario("cards-face-up-dealer-kept", ("UTH-S",))
def cards_face_up_dealer_kept(book: str) -> Written:
    """Everyone but the dealer holds cards: the second one still voids all (ruling 41)."""
    table = closed(book, "shuffler-dealer-last")
    declare(table, "card-face-up", cards=table.shoe.draw(1))
    table.work()
    answer(table, "40")
    declare(table, "card-face-up", cards=table.shoe.draw(1))
    confirm(table)
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


@scenario("exposure-dismissed", *EACH)
def exposure_dismissed(book: str) -> Written:
    table = closed(book)
    table.work()
    declare(table, "dealer-card-exposed", exposed=table.state.round.places["dealer"][:1])
    table.give(floor(do.Confirm, upheld=False))
    table.look("the card lies face down again")
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


@scenario("floor-called", ("UTH-S",))
def floor_called(book: str) -> Written:
    """The round goes on; only the house reads why."""
    table = closed(book)
    table.work()
    table.give(dealer(do.CallFloor, reason="a question about box 2"))
    table.look("called, and not there yet")
    table.try_to(dealer(do.CallFloor))
    answer(table, "40")
    table.give(floor(do.AnswerCall))
    table.try_to(floor(do.AnswerCall))
    return table


@scenario("dispute", ("UTH-S",))
def disputed(book: str) -> Written:
    """Chips on request; a box in dispute waits; a correction takes two people."""
    table = seated(terms(book, electronic=True, electronic_shoe=True, keeps_chips=True), 1)
    table.give(player(do.AskChips, "Ann", box=1, cents=500_00))
    table.look("chips are asked for")
    table.give(dealer(do.DeclineChips, box=1))
    table.give(player(do.AskChips, "Ann", box=1, cents=100_00))
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    table.give(player(do.AcknowledgeChips, "Ann", box=1))
    table.bet(1, **base(book))
    table.give(player(do.SayReady, "Ann", box=1))
    table.work()
    answer(table, "40")
    table.work(lambda state: phase(state) == "settling")
    table.give(player(do.OpenDispute, "Ann", box=1, reason="that was a straight", wager="blind"))
    table.look("a box in dispute")
    table.try_to(dealer(do.SettleBox, box=1))
    table.give(floor(do.EndDispute, number=1, outcome="stands", note="no straight on the film"))
    table.work()
    table.give(floor(do.OpenDispute, box=1, reason="a chip was swept by mistake"))
    table.give(floor(do.EndDispute, number=2, outcome="corrected", note="paid", cents=5_00))
    table.give(manager(do.Second, act="correct", box=1, upheld=True))
    table.give(dealer(do.OpenDispute, box=1, reason="paid twice"))
    given = {"outcome": "corrected", "note": "taken back", "cents": 5_00, "to": "house"}
    table.give(floor(do.EndDispute, number=3, **given))
    table.give(manager(do.Second, act="correct", box=1, upheld=True))
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


@scenario("shuffle-ordered-after-bets", *EACH)
def shuffle_ordered_after_bets(book: str) -> Written:
    table = closed(book, "shoe", shuffler=False)
    table.give(floor(do.OrderShuffle, color="red"))
    table.try_to(floor(do.Confirm, upheld=True, meters=table.meters))
    table.give(do.Confirm(by="Max", role="manager", upheld=True, meters=table.meters))
    table.work()
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


@scenario("device-breaks-during-deal", *EACH)
def device_breaks_during_deal(book: str) -> Written:
    table = closed(book, fallback_ways=("shoe",))
    table.work(lambda state: state.round.step >= 1)
    table.give(dealer(do.ReportDevice, device="shuffler"))
    table.try_to(dealer(do.Deal, cards=("2c",)))
    table.work(lambda state: state.way == "shoe")
    return table


@scenario("shoe-jam-idle-deck", *EACH)
def shoe_jam_idle_deck(book: str) -> Written:
    """The shoe jams while the other deck waits to be shuffled: the shuffler still does that."""
    both = ("red", "blue")
    shoe = terms(book, "reshuffling-shoe", deck_colors=both, fallback_ways=("shoe",))
    table = seated(shoe)
    table.give(floor(do.OrderShuffle, color="blue"))
    table.bet(1, **base(book))
    table.give(dealer(do.NoMoreBets))
    table.work(lambda state: state.round.step >= 1)
    table.give(dealer(do.ReportDevice, device="reshuffling_shoe"))
    table.try_to(dealer(do.Deal, cards=("2c",)))
    table.give(dealer(do.Declare, name="shoe-jam"))
    table.give(floor(do.Confirm, upheld=True, meters=table.meters))
    table.look("every wager is back, and the idle deck waits")
    table.work()
    return table


@scenario("two-decks-shuffler-breaks", *EACH)
def two_decks_shuffler_breaks(book: str) -> Written:
    table = seated(terms(book, "shoe", shuffler=True, deck_colors=("red", "blue")))
    table.give(device(do.ReportDevice, device="shuffler"))
    table.give(dealer(do.CoverDevice, device="shuffler", how="signed"))
    table.bet(1, **base(book))
    table.try_to(dealer(do.NoMoreBets))
    table.work()
    table.look("one deck is left")
    return table


@scenario("players-numbers", ("UTH-S",))
def players_numbers(book: str) -> Written:
    """A number is committed to with a wager and shown; one that is missing voids the round."""
    bound = terms(book, electronic=True, electronic_shoe=True, takes_numbers=True)
    table, number = seated(bound, 1), "5a" * 32
    for round in (1, 2):
        given = {"stakes": {"ante": 10_00, "blind": 10_00}}
        hashed = number_hash(round, 1, number)
        table.give(player(do.PlaceWagers, "Ann", box=1, number_hash=hashed, **given))
        table.give(dealer(do.NoMoreBets, meters=table.meters))
        table.try_to(dealer(do.Deal, cards=table.shoe.draw(4)))
        table.look("a number is awaited")
        if round == 1:
            table.give(player(do.ShowNumber, "Ann", box=1, number=number))
            table.work()
            answer(table, "40")
            table.work()
    late = do.VoidUnshown(by="croupier", role="device", at_s=table.state.at_s + 60)
    table.give(do.with_readings(late, table.meters))
    table.look("the round is void")
    return table


@scenario("void-round", *((b, at) for b in BOOKS for at in ("act", "settle")))
def void_round(book: str, at: str) -> Written:
    table = closed(book)
    table.work()
    if at == "settle":
        answer(table, *(("30", "30") if book == "FCP-14" else ("40", "40")))
        table.work(lambda state: phase(state) == "clearing")
    table.give(floor(do.VoidRound, cause="cards-unreadable", reason="a key is lost"))
    table.look("a manager is awaited")
    table.try_to(floor(do.Confirm, upheld=True, meters=table.meters))
    table.give(do.Confirm(by="Max", role="manager", upheld=True, meters=table.meters))
    table.look("every wager is back")
    table.work()
    return table


@scenario("chips", ("UTH-S",))
def chips(book: str) -> Written:
    table = seated(terms(book, electronic=True, electronic_shoe=True, keeps_chips=True), 1)
    table.give(dealer(do.BuyIn, box=1, cents=100_00, taken="cash"))
    table.bet(1, **base(book))
    table.work()
    answer(table, "40")
    table.work()
    table.give(player(do.Tip, "Ann", box=1, cents=5_00))
    table.give(player(do.CashOut, "Ann", box=1))
    return table


@scenario("two-people", ("UTH-S",))
def two_people(book: str) -> Written:
    """What nobody does alone under the casino's policy: large sums, the drop, a lock."""
    table = seated(terms(book, electronic=True, electronic_shoe=True, keeps_chips=True), 1)
    mo = do.Second(by="Mo", role="manager", act="buy-in", box=1, upheld=True)
    for upheld in (False, True):
        table.give(dealer(do.BuyIn, box=1, cents=20_000_00, taken="cash"))
        table.give(replace(mo, upheld=upheld))
    table.give(floor(do.LockTable, reason="who asked first"))
    table.look("nothing moves")
    table.try_to(dealer(do.NoMoreBets))
    table.give(floor(do.UnlockTable, reason="seen on the film"))
    table.give(replace(mo, act="unlock", box=0))
    table.give(floor(do.FreeBox, box=1))
    table.give(player(do.TakeBox, "Ann", box=1))
    table.give(floor(do.FreeBox, box=1))
    table.give(floor(do.PayKept, player="Ann"))
    table.give(replace(mo, act="pay-kept", box=0))
    table.give(floor(do.CountDrop, found={"cash": 19_000_00}))
    table.give(replace(mo, act="count-drop", box=0))
    return table


@scenario("player-leaves-two-boxes", ("UTH-S",), ("FCP-14",))
def player_leaves_two_boxes(book: str) -> Written:
    table = Written(terms(book, absence="abandoned"), DECK)
    for box, name in ((2, "Ann"), (3, "Ann"), (5, "Bob")):
        table.sit(box, name)
    table.work()
    for box in (2, 3, 5):
        table.bet(box, **base(book))
    table.work()
    table.give(dealer(do.ReportAbsence, box=2))
    table.work()
    play_out(table)
    return table


@scenario("incomplete-wagers", *EACH)
def incomplete_wagers(book: str) -> Written:
    table = seated(terms(book), 2)
    if book == "FCP-14":
        table.bet(1, ante="$10", aces_up="$5", six_card_bonus="$5")
        table.give(player(do.WithdrawWagers, "Ann", box=1, wagers=("ante",)))
    else:
        table.bet(1, ante="$10")
    table.bet(2, **base(book))
    table.try_to(dealer(do.NoMoreBets))
    table.work(lambda state: state.round.stage == "play")
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
