"""Exposure: bounds worked out by hand, and witnesses that settlement confirms."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given

from croupier.exact.exposure import Exposure, exposure, lost_by_table_cents, table_bound
from croupier.facts.cards import DECK
from croupier.facts.errors import Refusal
from croupier.facts.money import Cents, cents, in_micros, whole_cents
from croupier.games.registry import the_registry
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import ProgressiveTerms, Rules, bind
from croupier.rulebook.loader import read_book
from croupier.table.round_file import read_round, write_round
from croupier.table.settlement import settle
from tests.table.settlement.strategies import rounds
from tests.toy import showdown

TOY = (Path(__file__).parents[1] / "toy" / "TOY-1.toml").read_text("utf-8")
UTH = {"blind": "A", "trips": "A"}
UTH_SIDES = UTH | {
    "six_card_bonus": "A",
    "ultimate_pairs": "B",
    "bad_beat": "A",
    "play_the_board": "A",
}
FCP_SIDES = {"aces_up": "A", "six_card_bonus": "super-A"}
FIVE_DOLLARS = ProgressiveTerms(Cents(5_00), "flop")


def rules(
    book_id: str,
    letters: dict[str, str],
    progressive: ProgressiveTerms | None = None,
    payout_limit: str | None = None,
) -> Rules:
    book = the_registry().book(book_id)
    limit_cents = cents(payout_limit) if payout_limit else None
    return bind(
        the_registry().game_of(book),
        book,
        letters,
        progressive=progressive,
        payout_limit_cents=limit_cents,
    )


def stakes(**dollars: int) -> dict[str, Cents]:
    return {wager: Cents(100 * amount) for wager, amount in dollars.items()}


def in_dollars(found: Exposure) -> dict[str, int]:
    assert all(amount % 100 == 0 for amount in found.bound.values())
    return {wager: amount // 100 for wager, amount in found.bound.items()}


def assert_holds(found: Exposure) -> None:
    """The witness can be dealt, costs what it says, and is written down and read back."""
    again = settle(found.witness.round)
    assert again == found.witness
    assert sum(line.net_cents for line in again.lines) == found.table_witness_cents
    assert 0 < found.table_witness_cents <= found.table_bound_cents


UTH_FULL = (
    rules("UTH-S", UTH_SIDES | {"progressive": "C", "envy": "C"}, FIVE_DOLLARS),
    stakes(ante=100, trips=50, six_card_bonus=25, ultimate_pairs=25, bad_beat=25, play_the_board=5),
)
FCP_FULL = (
    rules("FCP-14", FCP_SIDES | {"progressive": "A", "envy": "A"}, ProgressiveTerms(Cents(5_00))),
    stakes(ante=100, aces_up=100, six_card_bonus=25),
)


@pytest.fixture(scope="module")
def uth_full() -> Exposure:
    return exposure(*UTH_FULL, meters={"mega": Cents(25_000_00)})


@pytest.fixture(scope="module")
def fcp_full() -> Exposure:
    return exposure(*FCP_FULL)


# The player


def test_a_player_loses_every_wager_with_the_largest_play(uth_full: Exposure) -> None:
    # Ante, Blind and four times the Ante; then the side wagers; then the Progressive's own stake.
    assert uth_full.player_cents == (100 + 100 + 400 + 50 + 25 + 25 + 25 + 5 + 5) * 100
    assert list(uth_full.stakes)[:4] == ["ante", "blind", "play", "trips"]


def test_a_player_of_four_card_poker(fcp_full: Exposure) -> None:
    assert fcp_full.player_cents == (100 + 300 + 100 + 25 + 5) * 100
    alone = exposure(rules("FCP-14", {"aces_up": "A"}), stakes(aces_up=20), boxes=1)
    assert alone.player_cents == 20_00
    assert alone.table_bound_cents == alone.table_witness_cents == 50 * 20_00


# The table


def test_one_box_of_uth_reaches_the_bound() -> None:
    found = exposure(rules("UTH-S", UTH), stakes(ante=10, trips=5), boxes=1)
    # A royal flush: Ante and Play 1 to 1, Blind 500 to 1, Trips 50 to 1.
    assert in_dollars(found) == {"ante": 10, "blind": 5_000, "play": 40, "trips": 250}
    assert found.table_witness_cents == found.table_bound_cents == 5_300_00
    assert_holds(found)


def test_six_boxes_of_uth() -> None:
    found = exposure(rules("UTH-S", UTH), stakes(ante=10, trips=5))
    assert in_dollars(found) == {"ante": 60, "blind": 30_000, "play": 240, "trips": 1_500}
    # One royal flush with an ace on a board of king to nine, and five Trips of a straight flush.
    assert found.table_witness_cents >= (5_300 + 5 * 40 * 5) * 100
    assert_holds(found)


def test_seven_boxes_of_four_card_poker_reach_the_bound() -> None:
    found = exposure(rules("FCP-14", {}), stakes(ante=100))
    # Seven fours of a kind: Ante, three times the Ante, and the Ante bonus of 25 to 1.
    assert in_dollars(found) == {"ante": 700, "play": 2_100, "ante_bonus": 17_500}
    assert found.table_witness_cents == found.table_bound_cents
    assert_holds(found)


def test_every_wager_of_uth(uth_full: Exposure) -> None:
    assert in_dollars(uth_full) == {
        "ante": 6 * 100,
        "blind": 6 * 500 * 100,
        "play": 6 * 400,
        "trips": 6 * 50 * 50,
        # A Super Royal of diamonds, another, and royal flushes: the shared cards allow no more.
        "six_card_bonus": 1_000_000 + 100_000 + 4 * 1_000 * 25,
        # One pair of aces against the dealer's pair of aces.
        "ultimate_pairs": 1_000 * 25 + 5 * 30 * 25,
        "bad_beat": 6 * 10_000 * 25,
        "play_the_board": 6 * 1_000 * 5,
        # The mega meter once as it stands, then at its least reset; the stake is not returned.
        "progressive": 25_000 + 5 * 10_000 - 6 * 5,
        # Each of six royal flushes gives $5,000 to each of five others.
        "envy": 6 * 5 * 5_000,
    }
    assert_holds(uth_full)
    # All six can have a straight flush beaten by the dealer's, and one of them a Super Royal.
    assert uth_full.table_witness_cents >= (6 * 10_000 * 25 + 1_000_000) * 100


def test_every_wager_of_four_card_poker(fcp_full: Exposure) -> None:
    assert in_dollars(fcp_full) == {
        "ante": 7 * 100,
        "play": 7 * 300,
        "ante_bonus": 7 * 25 * 100,
        "aces_up": 7 * 50 * 100,
        "six_card_bonus": 1_000_000 + 100_000 + 5 * 1_000 * 25,
        # Four aces come once and take the meter; the others have four of a kind, 300 for 1.
        "progressive": (5_000 - 5) + 6 * (300 - 1) * 5,
        "envy": (500 + 6 * 50) * 6,
    }
    assert_holds(fcp_full)
    assert fcp_full.table_witness_cents > 1_100_000_00


def test_a_meter_pays_its_reading_once_and_then_its_reset() -> None:
    terms = ProgressiveTerms(Cents(1_00), "final", resets=(("main", Cents(12_000_00)),))
    bound = rules("UTH-S", {"blind": "A", "progressive": "A"}, terms)
    found = exposure(bound, stakes(ante=5), meters={"main": Cents(80_000_00)}, boxes=3)
    assert in_dollars(found)["progressive"] == 80_000 + 2 * 12_000 - 3
    # A royal flush on the board gives it to all three.
    drawn = [line.paid_cents for line in found.witness.lines if line.meter is not None]
    assert drawn == [80_000_00, 12_000_00, 12_000_00]
    assert_holds(found)


def test_meters_stand_at_their_resets_unless_given() -> None:
    terms = ProgressiveTerms(Cents(1_00), "flop")
    found = exposure(rules("UTH-S", {"blind": "B", "progressive": "B"}, terms), stakes(ante=5))
    assert found.witness.round.meters == {
        "major": in_micros(Cents(1_000_00)),
        "minor": in_micros(Cents(250_00)),
    }
    # At $1 the reset of the major meter is the best award six times over.
    assert in_dollars(found)["progressive"] == 6 * (1_000 - 1)
    assert_holds(found)


@pytest.mark.clause("UTH-S 12.F")
def test_the_payout_limit_holds_for_each_box() -> None:
    limited = rules("UTH-S", UTH, payout_limit="$50,000")
    found = exposure(limited, stakes(ante=1_000, trips=100))
    # 500,000 on the Blind alone is cut; six boxes are paid $50,000 each at most.
    assert found.bound["payout_limit"] < 0
    assert found.table_bound_cents == 6 * 50_000_00
    for box in found.witness.round.boxes:
        assert sum(line.paid_cents for line in found.witness.of(box.seat)) <= 50_000_00
    assert any(line.wager == "payout_limit" for line in found.witness.lines)
    assert_holds(found)


def test_a_payout_limit_that_is_not_reached_changes_nothing() -> None:
    limited = rules("UTH-S", UTH, payout_limit="$50,000")
    found = exposure(limited, stakes(ante=10, trips=5), boxes=1)
    assert "payout_limit" not in found.bound
    assert found.table_witness_cents == 5_300_00


def test_the_toy_game() -> None:
    toy = bind(showdown.GAME, read_book(TOY), {"pair_side": "A"})
    found = exposure(toy, stakes(ante=10, pair_side=5))
    # Pairs of aces at 20 to 1; Ante 1 to 1, Play 6 to 5.
    assert in_dollars(found) == {"ante": 30, "play": 36, "pair_side": 300}
    # Two pairs of aces and another pair, which pays 11 for 1, against the dealer's lower pair.
    assert found.table_witness_cents == (30 + 36 + 100 + 100 + 50) * 100
    assert_holds(found)


# Bound and witness in general


@pytest.mark.parametrize("full", ["uth_full", "fcp_full"])
def test_no_random_deal_costs_more(full: str, request: pytest.FixtureRequest) -> None:
    found: Exposure = request.getfixturevalue(full)
    witness, chance = found.witness.round, Random(7)
    for _ in range(150):
        deck = iter(chance.sample(DECK, len(DECK)))
        lying = {name: tuple(next(deck) for _ in dealt) for name, dealt in witness.cards.items()}
        boxes = tuple(
            FinishedBox(seat, tuple(next(deck) for _ in witness.boxes[0].cards), found.stakes)
            for seat in range(1, found.boxes + 1)
        )
        lost_cents = lost_by_table_cents(settle(replace(witness, cards=lying, boxes=boxes)))
        assert lost_cents <= found.table_witness_cents


@given(rounds())
def test_no_round_passes_the_bound(round: FinishedRound) -> None:
    """Any round the generators of the settlement tests stack, under the largest of its stakes."""
    largest: dict[str, Cents] = {}
    for box in round.boxes:
        for wager, stake in box.stakes.items():
            largest[wager] = max(stake, largest.get(wager, Cents(0)))
    if "ante" in largest:
        largest.pop("play", None)
    meters = {name: whole_cents(reading) for name, reading in round.meters.items()}
    bound = table_bound(round.rules, largest, meters, len(round.boxes))
    won: Counter[str] = Counter()
    receipt = settle(round)
    for line in receipt.lines:
        won[line.wager] += line.net_cents
    assert lost_by_table_cents(receipt) <= sum(bound.values())
    assert all(won[wager] <= most for wager, most in bound.items() if wager != "payout_limit")


@pytest.mark.parametrize("boxes", [1, 2, 5])
def test_fewer_boxes(boxes: int) -> None:
    found = exposure(*FCP_FULL, boxes=boxes)
    assert len(found.witness.round.boxes) <= boxes
    assert_holds(found)


def test_the_witness_reads_as_a_round_file(uth_full: Exposure) -> None:
    again: FinishedRound = read_round(write_round(uth_full.witness.round), the_registry())
    assert lost_by_table_cents(settle(again)) == uth_full.table_witness_cents


def test_the_same_question_has_the_same_answer() -> None:
    bound, staked = rules("UTH-14", UTH), stakes(ante=25, trips=25)
    assert exposure(bound, staked, boxes=2) == exposure(bound, staked, boxes=2)


def test_it_is_exported(fcp_full: Exposure) -> None:
    document = fcp_full.document()
    assert document["player"] == "$530.00"
    assert document["table_bound_by_wager"]["envy"] == "$4,800.00"


@pytest.mark.parametrize(
    ("staked", "boxes", "says"),
    [
        (stakes(ante=10), 0, r"0 boxes; the table has 1 to 6 - UTH-S 2\.A"),
        (stakes(ante=10), 7, "7 boxes"),
        (stakes(ante=10, bad_beat=5), 1, r"Bad Beat: not offered"),
        (stakes(trips=10), 1, "needs Ante and Blind"),
        (stakes(ante=10, play=70), 1, r"\$70\.00 is no size"),
    ],
)
def test_what_no_table_offers_is_refused(staked: dict[str, Cents], boxes: int, says: str) -> None:
    with pytest.raises(Refusal, match=says):
        exposure(rules("UTH-S", UTH), staked, boxes=boxes)


def test_a_list_of_wagers_that_names_none_of_the_book_is_refused() -> None:
    told = rules("UTH-S", UTH)
    needs = told.book.contest.dealer_needs
    assert needs is not None
    contest = msgspec.structs.replace(
        told.book.contest, dealer_needs=msgspec.structs.replace(needs, pushes=("anti",))
    )
    wrong = replace(told, book=msgspec.structs.replace(told.book, contest=contest))
    with pytest.raises(Refusal, match='UTH-S has no wager "anti"'):
        exposure(wrong, stakes(ante=10))


def test_a_meter_nobody_knows_is_refused() -> None:
    with pytest.raises(Refusal, match='no meter "grand"'):
        exposure(*FCP_FULL, meters={"grand": Cents(1)})
